package main

import (
	"bytes"
	"compress/gzip"
	"io/fs"
	"os"
	"path"
	"strings"
	"testing"

	"github.com/inferdex/inferdex/ingest/ingesttest"
)

// weights are what a site of a card a run may have: files a card, and bytes of a file of each kind on average.
// Who makes one heavier on purpose says here how much.
var weights = map[string]int64{
	"card": 32_000, "run": 14_500, "pair": 41_700, "model": 92_600, "chart of a card": 2_700,
	"run to compare": 1_670, "run of the API": 3_600, "badge": 675, "frame": 1_890,
}

// filesACard is how many files a card there may be, with those of a small site as a whole.
const filesACard = 14

// compareScript is what the script of /compare/ may weigh, gzipped, in bytes. It had 17.6 KB before readers could drop
// files there, and what it gained for that, before any is dropped, is a fifth of the 30 KB that were allowed.
const compareScript = 25_000

// weigh sums the bytes and the number of files of each kind of weights, and counts all files.
func weigh(t *testing.T, public fs.FS) (sum, n map[string]int64, files int64) {
	t.Helper()
	sum, n = map[string]int64{}, map[string]int64{}
	err := fs.WalkDir(public, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		if !strings.HasPrefix(name, "check/") { // the reader, where it was built
			files++
		}
		data, err := fs.ReadFile(public, name)
		kind := ""
		for _, k := range []struct{ kind, pattern string }{
			{"card", "cards/*/index.html"}, {"run", "runs/*/index.html"}, {"pair", "compare/*/index.html"},
			{"chart of a card", "cards/*/*.svg"},
			{"run to compare", "compare/runs/*.js"}, {"badge", "badges/*/*.svg"},
			{"model", "models/*/index.html"}, {"frame", "cards/*/embed.html"}, {"run of the API", "api/v1/runs/*.json"},
		} {
			if ok, _ := path.Match(k.pattern, name); ok {
				kind = k.kind
			}
		}
		if kind != "" && !strings.Contains(string(data), `http-equiv="refresh"`) {
			sum[kind] += int64(len(data))
			n[kind]++
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return sum, n, files
}

// TestWeights holds what sites of many cards grow by: one without an address, and what one with an address has more.
func TestWeights(t *testing.T) {
	dir := generatedSite(t, ingesttest.Size{Models: 4, Machines: 5, Wide: true}, ", 0 with errors", "ingest", "build",
		"build --base-url https://example.org/ --previews=false --output addressed")
	public := os.DirFS(path.Join(dir, "public"))
	sum, n, files := weigh(t, public)
	more, of, _ := weigh(t, os.DirFS(path.Join(dir, "addressed")))
	for _, kind := range []string{"badge", "frame"} {
		if n[kind] > 0 {
			t.Errorf("%d files of the kind %s without an address", n[kind], kind)
		}
		sum[kind], n[kind] = more[kind], of[kind]
	}
	cards := n["card"]
	if cards != 20 {
		t.Fatalf("%d cards, want 20", cards)
	}
	for kind, most := range weights {
		switch {
		case n[kind] == 0:
			t.Errorf("no %s", kind)
		case sum[kind]/n[kind] > most:
			t.Errorf("%s: %d bytes on average, more than %d", kind, sum[kind]/n[kind], most)
		default:
			t.Logf("%s: %d of %d bytes on average", kind, n[kind], sum[kind]/n[kind])
		}
	}
	if files > filesACard*cards {
		t.Errorf("%d files of %d cards, more than %d each", files, cards, filesACard)
	}
	t.Logf("%d files", files)
	scripts, err := fs.Glob(public, "js/compare.*.js")
	if err != nil || len(scripts) != 1 {
		t.Fatalf("scripts of /compare/: %q, %v", scripts, err)
	}
	data, err := fs.ReadFile(public, scripts[0])
	if err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err := z.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if packed.Len() > compareScript {
		t.Errorf("the script of /compare/ has %d bytes gzipped, more than %d", packed.Len(), compareScript)
	}
	t.Logf("the script of /compare/: %d bytes gzipped", packed.Len())
}
