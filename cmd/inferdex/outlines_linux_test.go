package main

import (
	"bytes"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/inferdex/inferdex/goldentest"
	"github.com/inferdex/inferdex/ingest/ingesttest"
)

// outlinesIn is how many runs of a catalog are outlined.
func outlinesIn(t *testing.T, dir string) int {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, stateDir, "lists", "outlines"))
	if err != nil {
		return 0
	}
	return bytes.Count(text, []byte("\n")) - 1
}

// One file more costs the files of the runs that it may be one with, however many others there are. What an edit behind
// the back of the outlines changed is read again, a file that is damaged is told, and a catalog that is ingested file by
// file is the one that is ingested at once, whatever becomes of its outlines.
func TestIngestByOutlines(t *testing.T) {
	d := newDesk(t, ingesttest.Size{Models: 8, Machines: 5, Wide: true}, "h100/brindle-3b.jsonl", "a100-80gb/brindle-1.5b-fp8.jsonl",
		"4x-a100-80gb/brindle-1.5b.jsonl")
	kept := filepath.Join(d.dir, stateDir, "lists", "outlines")
	all, err := filepath.Glob(filepath.Join(d.dir, catalogDir, "[^_]*", "*.json"))
	if err != nil || len(all) < 30 {
		t.Fatalf("%d runs: %v", len(all), err)
	}
	names := slices.Sorted(maps.Keys(d.drawer))
	folders, err := filepath.Glob(filepath.Join(d.dir, rawDir, "wide", "*"))
	if err != nil {
		t.Fatal(err)
	}
	other := folders[slices.IndexFunc(folders, func(folder string) bool {
		return !slices.ContainsFunc(names, func(name string) bool { return path.Base(path.Dir(name)) == filepath.Base(folder) })
	})]
	ingest := func(name string) (opens int) {
		t.Helper()
		opens = len(opened(t, filepath.Join(d.dir, catalogDir), func() {
			if said, code := typed(d.dir, "ingest", name); code != exitDone {
				t.Fatalf("exit status %d: %s", code, said)
			}
		}))
		return opens
	}
	for i, name := range names {
		d.write(name, string(d.drawer[name]))
		for tries := 0; outlinesIn(t, d.dir) < len(all)+i; tries++ { // the files have not rested yet
			if tries == 100 {
				t.Fatal("the runs are never outlined")
			}
			time.Sleep(50 * time.Millisecond)
			ingest(rawDir + "/wide/" + filepath.Base(other))
		}
		switch i {
		case 0:
			if n := ingest(name); n > len(all)/2 {
				t.Errorf("%d files of a catalog of %d runs are opened for one file more", n, len(all))
			}
		case 1:
			text, err := os.ReadFile(kept)
			if err != nil {
				t.Fatal(err)
			}
			goldentest.Write(t, kept, text[:len(text)/2])
			ingest(name)
		default:
			text, err := os.ReadFile(kept)
			if err != nil {
				t.Fatal(err)
			}
			goldentest.Write(t, kept, []byte(strings.ReplaceAll(string(text), `"tool":"`, `"tool":"x`)))
			ingest(name)
		}
	}
	got := goldentest.Tree(t, filepath.Join(d.dir, catalogDir))
	whole := t.TempDir()
	if err := os.CopyFS(whole, os.DirFS(d.dir)); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{catalogDir, stateDir} {
		if err := os.RemoveAll(filepath.Join(whole, name)); err != nil {
			t.Fatal(err)
		}
	}
	ingestInto(t, whole)
	for name, text := range goldentest.Tree(t, filepath.Join(whole, catalogDir)) {
		if !strings.HasPrefix(name, "_inputs/") && got[name] != text {
			t.Errorf("%s is not that of a catalog ingested at once", name)
		}
	}
	goldentest.Write(t, all[0], []byte("{"))
	if said, code := typed(d.dir, "ingest", names[0]); code != exitIO || !strings.Contains(said, filepath.Base(all[0])) {
		t.Errorf("a damaged run is not told: exit status %d: %s", code, said)
	}
}
