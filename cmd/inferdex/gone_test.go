package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/inferdex/inferdex/goldentest"
)

// A run that was published and is removed leaves a page at its address: with the reason where somebody gave one, else with
// the snapshot that has it; so does its card. The page goes when the run comes back, and is there after a build that
// takes others from the last one. An id that means another run than in a snapshot is an error. A former id leads to the
// present one.
func TestGone(t *testing.T) {
	dir := t.TempDir()
	do := func(want int, args ...string) string {
		t.Helper()
		var out bytes.Buffer
		if code := run(context.Background(), strings.NewReader(""), &out, &out, append([]string{"-C", dir}, args...)); code != want {
			t.Fatalf("%s: exit status %d, want %d: %s", args, code, want, out.String())
		}
		return out.String()
	}
	other := strings.ReplaceAll(lossyResult, "Test-7B", "Other-9B")
	goldentest.Write(t, filepath.Join(dir, "data/raw/a/r.jsonl"), []byte(lossyResult))
	goldentest.Write(t, filepath.Join(dir, "data/raw/a/run.toml"), []byte("hardware = \"1x H100 SXM\"\n"))
	goldentest.Write(t, filepath.Join(dir, "data/raw/b/r.jsonl"), []byte(other))
	do(exitDone, "ingest")
	c, err := (&app{dir: dir}).stored()
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Runs) != 2 {
		t.Fatalf("%d runs", len(c.Runs))
	}
	gone, stays := c.Runs[0], c.Runs[1]
	if gone.Identity.Model == stays.Identity.Model {
		t.Fatal("two runs of one model")
	}
	if strings.Contains(gone.Identity.Model, "Other") {
		gone, stays = stays, gone
	}
	page := func() string {
		data, err := os.ReadFile(filepath.Join(dir, outputDir, "runs", gone.ID, "index.html"))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	do(exitDone, "snapshot", "v1")
	do(exitDone, "build")
	if text := page(); strings.Contains(text, "not in this catalog any more") {
		t.Error("a run that is there is called removed")
	}
	do(exitDone, "check")
	do(exitDone, "remove", "--yes", gone.ID)
	if text := do(exitFindings, "check"); !strings.Contains(text, "the site has a run that the catalog lacks: build the site again") ||
		!strings.Contains(text, "other-catalog, run "+gone.ID) {
		t.Errorf("a site that shows a run that was removed: %s", text)
	}
	do(exitDone, "build")
	if text := page(); !strings.Contains(text, "not in this catalog any more") ||
		!strings.Contains(text, "as-of/v1/data/dataset.zip") {
		t.Errorf("the page of a run that was removed: %s", text)
	}
	cards, err := filepath.Glob(filepath.Join(dir, outputDir, "cards", "test-7b-*", "index.html"))
	if err != nil || len(cards) != 1 {
		t.Errorf("the card left %q (%v)", cards, err)
	}
	data, err := os.ReadFile(filepath.Join(dir, outputDir, "data", "index.html"))
	if err != nil || !strings.Contains(string(data), "as-of/v1/data/SHA256SUMS") {
		t.Errorf("/data/ does not lead to the snapshot (%v)", err)
	}
	do(exitDone, "check", "--site-only")

	do(exitDone, "ingest") // the run comes back
	if text := do(exitFindings, "check"); !strings.Contains(text, "the site lacks a run of the catalog: build the site again") {
		t.Errorf("a site without a run of the catalog: %s", text)
	}
	do(exitDone, "build")
	if text := page(); strings.Contains(text, "not in this catalog any more") {
		t.Error("a run that came back is called removed")
	}
	do(exitDone, "remove", "--yes", "--reason", `a "fan" had failed <b>`, gone.ID)
	do(exitDone, "build")
	if text := page(); !strings.Contains(text, "fan") || !strings.Contains(text, "had failed &lt;b&gt;") {
		t.Errorf("the reason is not on the page: %s", text)
	}
	do(exitDone, "check", "--site-only")
	do(exitUsage, "remove", "--yes", gone.ID)

	pages := filepath.Join(dir, snapshotsDir, "v1", pagesFile)
	frozen, err := os.ReadFile(pages)
	if err != nil {
		t.Fatal(err)
	}
	goldentest.Write(t, pages, bytes.ReplaceAll(frozen, []byte(gone.ID), []byte(stays.ID)))
	if text := do(exitFindings, "check", "--catalog-only"); !strings.Contains(text, "id-reused") {
		t.Errorf("an id that means another run: %s", text)
	}
	// A damaged snapshot writes no page elsewhere.
	goldentest.Write(t, pages, bytes.ReplaceAll(frozen, []byte(gone.ID), []byte("../../../x")))
	do(exitDone, "build")
	if _, err := os.Stat(filepath.Join(dir, "x")); err == nil {
		t.Error("a snapshot wrote a page outside of the site")
	}

	// The address of a former id leads to the run.
	goldentest.Write(t, pages, frozen)
	goldentest.Write(t, filepath.Join(dir, "data/raw/b/run.toml"), []byte("id = \"other-9b-nightly\"\n"))
	do(exitDone, "ingest", "data/raw/b")
	do(exitDone, "build")
	data, err = os.ReadFile(filepath.Join(dir, outputDir, "runs", stays.ID, "index.html"))
	if err != nil || !strings.Contains(string(data), "has another id now") ||
		!strings.Contains(string(data), `href=../other-9b-nightly/index.html`) {
		t.Errorf("the address of a former id (%v): %s", err, data)
	}
	do(exitDone, "check", "--site-only")
}
