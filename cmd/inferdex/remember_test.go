package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/inferdex/inferdex/goldentest"
)

// A listing that is kept never shows what the files do not say: an edit behind its back that leaves a file its size
// and its time is seen, as are another name, other settings, a run that is gone, and a listing that is damaged or
// made up. One is taken as it is where nothing changed.
func TestListingsAreRemembered(t *testing.T) {
	dir := small(t)
	kept := filepath.Join(dir, stateDir, "lists", "runs.jsonl")
	list := func() string {
		t.Helper()
		out, code := typed(dir, "list", "runs", "--json")
		if code != exitDone {
			t.Fatalf("exit status %d: %s", code, out)
		}
		return out
	}
	anew := func() string {
		t.Helper()
		_ = os.Remove(kept)
		return list()
	}
	first := list()
	text, err := os.ReadFile(kept)
	if err != nil || !strings.HasSuffix(string(text), first) {
		t.Fatalf("the listing is not kept: %v", err)
	}
	head, _, _ := strings.Cut(string(text), "\n")
	of, _, _ := strings.Cut(head, " ")
	goldentest.Write(t, kept, []byte(listingHead(of, []byte("as it is\n"))+"\nas it is\n"))
	if list() != "as it is\n" {
		t.Error("a listing of which nothing changed is made again: the test shows nothing")
	}

	run, err := filepath.Glob(filepath.Join(dir, catalogDir, "[^_]*", "*.json"))
	if err != nil || len(run) == 0 {
		t.Fatalf("no run: %v", err)
	}
	long := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	edit := func(name string, change func(string) string) {
		t.Helper()
		old, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		text := change(string(old))
		if text == string(old) {
			t.Fatalf("%s: nothing is edited", name)
		}
		goldentest.Write(t, name, []byte(text))
		if err := os.Chtimes(name, long, long); err != nil {
			t.Fatal(err)
		}
	}
	before := anew()
	for _, e := range []struct {
		what string
		do   func()
		same bool // the listing is as before
	}{
		{"a number of the same size, at the same time", func() {
			edit(run[0], func(s string) string {
				return strings.Replace(s, `"output_throughput": {"value": 20,`, `"output_throughput": {"value": 30,`, 1)
			})
		}, false},
		{"a damaged listing", func() { edit(kept, func(s string) string { return strings.Replace(s, ",", ";", 1) }) }, true},
		{"half a listing", func() { edit(kept, func(s string) string { return s[:len(s)/2] }) }, true},
		{"an empty listing", func() { edit(kept, func(string) string { return "" }) }, true},
		{"another name", func() {
			goldentest.Write(t, filepath.Join(dir, dataDir, "names", "models.toml"),
				[]byte("[[model]]\nid = \"other/m\"\nname = \"Another\"\naliases = [\"org/m\"]\n"))
		}, false},
	} {
		e.do()
		got := list()
		if want := anew(); got != want {
			t.Errorf("%s: the listing is not that of the files:\n%s\nwant\n%s", e.what, got, want)
		}
		if (got == before) != e.same {
			t.Errorf("%s: the listing is the same: %v, want %v\n%s", e.what, got == before, e.same, got)
		}
		before = got
	}
	goldentest.Write(t, run[0], []byte("{"))
	if out, code := typed(dir, "list", "runs", "--json"); code != exitIO || !strings.Contains(out, filepath.Base(run[0])) {
		t.Errorf("a damaged run is listed: exit status %d: %s", code, out)
	}
	if err := os.RemoveAll(filepath.Join(dir, stateDir)); err != nil {
		t.Fatal(err)
	}
	typed(dir, "list", "runs")
	if _, err := os.Stat(filepath.Join(dir, stateDir)); err == nil {
		t.Error("a command that reads makes a folder")
	}
}

// What a listing that was killed left goes with the next one that is kept or begun, and with the next ingest.
func TestUnfinishedListingsAreSwept(t *testing.T) {
	dir := small(t)
	left := filepath.Join(dir, stateDir, "lists", newPrefix+"1-0")
	for _, command := range [][]string{{"list", "runs", "--json"}, {"ingest"}} {
		goldentest.Write(t, left, []byte("half"))
		if out, code := typed(dir, command...); code != exitDone {
			t.Fatalf("%q: exit status %d: %s", command, code, out)
		}
		if _, err := os.Stat(left); !os.IsNotExist(err) {
			t.Errorf("after %q it is still there: %v", command, err)
		}
	}
	// A build that finds nothing to keep asks for the time of the disk.
	goldentest.Write(t, left, []byte("half"))
	a := &app{dir: dir}
	if a.sums(builtSums).clockOfDisk() == 0 {
		t.Error("the disk tells no time")
	}
	if _, err := os.Stat(left); !os.IsNotExist(err) {
		t.Errorf("after a file was made to learn the time it is still there: %v", err)
	}
}
