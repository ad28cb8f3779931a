package main

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/inferdex/inferdex/goldentest"
	"github.com/inferdex/inferdex/ingest"
	"github.com/inferdex/inferdex/ingest/compare"
	"github.com/inferdex/inferdex/ingest/format"
	"github.com/inferdex/inferdex/ingest/settings"
	"github.com/inferdex/inferdex/ingest/trial"
)

// member and unpacked are the limits of the reader here, in bytes.
const member, unpacked = 64 << 20, 128 << 20

// mostBytes is what the reader may weigh, gzipped.
const mostBytes = 3_100_000

// given is a file as testdata/run.js reads it.
type given struct {
	Name string `json:"name"`
	Data []byte `json:"data"`
}

// TestSameAsHere reads the files of each case of each format in WebAssembly and here: the reports are the same, byte
// by byte, and so are each run as it would be stored, what it brings to a comparison, and, of every eighth,
// the bundle for a pull request.
func TestSameAsHere(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("no Node here, which runs WebAssembly as a browser does")
	}
	dir := t.TempDir()
	if err := build(dir, mostMemory); err != nil {
		t.Fatal(err)
	}
	packed, err := os.Stat(filepath.Join(dir, "reader.wasm.gz"))
	if err != nil {
		t.Fatal(err)
	}
	if packed.Size() > mostBytes {
		t.Errorf("a browser loads %d bytes, more than %d: see what the reader imports", packed.Size(), mostBytes)
	}
	var names []string
	var cases [][]given
	for _, c := range goldentest.Cases(t, "../../../ingest/format/*/testdata/*.txtar") {
		var files []given
		for _, f := range c.Files {
			if name, ok := strings.CutPrefix(f.Name, "in/"); ok {
				files = append(files, given{name, f.Data})
			}
		}
		if len(files) > 0 {
			names, cases = append(names, c.Path), append(cases, files)
		}
	}
	if len(cases) < 100 {
		t.Fatalf("%d cases: the test looks at the wrong place", len(cases))
	}
	// What stands for a hostile file.
	names = append(names, "deep", "an archive of nothing")
	cases = append(cases, []given{{"deep.json", []byte(strings.Repeat("[", 1<<20))}},
		[]given{{"x.zip", []byte("PK\x03\x04 no archive")}})
	got := reports(t, node, dir, cases)
	known, _ := settings.LoadNames(os.DirFS("../../../data"))
	runs := 0
	for i, files := range cases {
		var inputs []ingest.Input
		for _, f := range files {
			inputs = append(inputs, ingest.Input{Name: f.Name, Data: f.Data})
		}
		o := trial.Options{Formats: format.All(), Names: known,
			Limits: ingest.Limits{Member: member, Unpacked: unpacked},
			Beside: &compare.Units{Usual: map[string]string{"ttft.median": "min"}}}
		r, err := trial.Read(context.Background(), inputs, o)
		if err != nil {
			t.Fatal(err)
		}
		want, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		runs += len(r.Runs)
		if report := got[i].report; report != string(want) {
			t.Errorf("%s: the reports differ\n%s", names[i], cmp.Diff(string(want), report))
		}
		if i%8 > 0 {
			continue
		}
		bundle, err := trial.Bundle(context.Background(), inputs, o)
		if packed := base64.StdEncoding.EncodeToString(bundle); err != nil && got[i].bundle != "error: "+err.Error() ||
			err == nil && got[i].bundle != packed {
			t.Errorf("%s: the bundles differ: %v, %.80q, want %.80q", names[i], err, got[i].bundle, packed)
		}
	}
	if runs < 100 {
		t.Errorf("%d runs in all cases together: too few to say anything", runs)
	}
}

// TestMemoryEnds reads more than memory holds: reading ends without a report, and the next drop is read.
func TestMemoryEnds(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("no Node here, which runs WebAssembly as a browser does")
	}
	dir := t.TempDir()
	if err := build(dir, 40<<4); err != nil { // 40 MiB
		t.Fatal(err)
	}
	var large strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&large, `{"date": "20250101-100000", "model_id": "acme/tiny-1b", "request_rate": %d, "duration": 10.0, `+
			`"completed": 10, "total_input_tokens": 1000, "total_token_throughput": 150.0, "mean_ttft_ms": 20.0}`+"\n", i+1)
	}
	small, _, _ := strings.Cut(large.String(), "\n")
	got := reports(t, node, dir, [][]given{{{"large.jsonl", []byte(large.String())}}, {{"small.jsonl", []byte(small)}}})
	if got[0].report != "" {
		t.Errorf("a report of %d bytes: the memory is not bounded", len(got[0].report))
	}
	if !strings.Contains(got[1].report, "tiny-1b") {
		t.Errorf("the second drop: %s", got[1].report)
	}
}

// made is what the reader makes of the files of a case: a report, and in base64 what it packs. "" is one that ended without.
type made struct{ report, bundle string }

// reports are what the reader that was built into dir makes, one for each case.
func reports(t *testing.T, node, dir string, cases [][]given) (got []made) {
	t.Helper()
	input, err := json.Marshal(cases)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "cases.json"), input, 0o666); err != nil {
		t.Fatal(err)
	}
	run := exec.Command(node, "testdata/run.js", dir, fmt.Sprint(member), fmt.Sprint(unpacked))
	var said strings.Builder
	run.Stderr = &said
	out, err := run.Output()
	if err != nil {
		t.Fatalf("node: %v\n%s", err, said.String())
	}
	var texts []string
	if err := json.Unmarshal(out, &texts); err != nil || len(texts) != len(cases)+(len(cases)+7)/8 {
		t.Fatalf("%d texts of %d cases, %v", len(texts), len(cases), err)
	}
	for i := range cases {
		m := made{report: texts[0]}
		texts = texts[1:]
		if i%8 == 0 {
			m.bundle, texts = texts[0], texts[1:]
		}
		got = append(got, m)
	}
	return got
}
