package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/inferdex/inferdex/goldentest"
	"github.com/inferdex/inferdex/ingest/federation"
)

// The parts of a site that is split have together every run of the catalog once, as pages and as what they give to other
// catalogs. Each is a whole site, of which every sentence follows from its own runs, with a way back to the front page.
// A folder of a part that there is no more is told, and a part that cannot be built leaves the front page as it was.
func TestSplit(t *testing.T) {
	dir := t.TempDir()
	for name, model := range map[string]string{"a": "one/m", "b": "one/n", "c": "two/m", "d": "plain", "e": "../up"} {
		goldentest.Write(t, filepath.Join(dir, "data", "raw", name+".json"), []byte(served(model, "01")))
	}
	goldentest.Write(t, filepath.Join(dir, "data", "raw", "run.toml"), []byte("hardware = \"H100\"\n"))
	if out, code := typed(dir, "ingest"); code != exitDone {
		t.Fatal(out)
	}
	goldentest.Write(t, filepath.Join(dir, partsDir, "three", "old.html"), []byte("a part of before"))
	split := []string{"--split", "organisation", "--base-url", "https://example.org/bench/"}
	out, code := typed(dir, append([]string{"build", "--previews=false"}, split...)...)
	if code != exitDone || !strings.Contains(out, "parts/three: is no part of this site") {
		t.Fatalf("exit status %d: %s", code, out)
	}
	if out, code := typed(dir, append([]string{"check"}, split...)...); code != exitDone {
		t.Fatalf("exit status %d: %s", code, out)
	}
	want := runsOf(t, dir)
	slices.Sort(want)
	var pages, given []string
	for _, part := range []string{"one", "two", "other"} {
		site := filepath.Join(dir, partsDir, part)
		found, err := filepath.Glob(filepath.Join(site, "runs", "*", "index.html"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range found {
			pages = append(pages, filepath.Base(filepath.Dir(name)))
		}
		text, err := os.ReadFile(filepath.Join(site, "data", federation.IndexFile))
		if err != nil {
			t.Fatal(err)
		}
		var index federation.Index
		if err := json.Unmarshal(text, &index); err != nil {
			t.Fatal(err)
		}
		for _, r := range index.Runs {
			given = append(given, r.ID)
		}
		home, err := os.ReadFile(filepath.Join(site, "index.html"))
		if err != nil || !strings.Contains(string(home), `href="https://example.org/bench/"`) ||
			!strings.Contains(string(home), `href="https://example.org/bench/`+part+`/"`) {
			t.Errorf("%s: it is not said where it is, or where the front page is: %v", part, err)
		}
	}
	slices.Sort(pages)
	slices.Sort(given)
	if !slices.Equal(pages, want) || !slices.Equal(given, want) {
		t.Errorf("pages of %q, given to others %q, want %q", pages, given, want)
	}
	front := filepath.Join(dir, partsDir, "index.html")
	before, err := os.ReadFile(front)
	if err != nil || !strings.Contains(string(before), `href="two/index.html"`) {
		t.Errorf("the front page: %v\n%s", err, before)
	}
	goldentest.Write(t, filepath.Join(dir, "layouts", "home.html"), []byte("{{ nothing of the kind }}"))
	if out, code := typed(dir, append([]string{"build"}, split...)...); code != exitIO {
		t.Errorf("a layout that is wrong: exit status %d: %s", code, out)
	}
	if after, err := os.ReadFile(front); err != nil || string(after) != string(before) {
		t.Errorf("the front page changed: %v", err)
	}
}
