package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/inferdex/inferdex/ingest/ingesttest"
)

// opened are the files below a folder that do opens, as the system tells it.
func opened(t *testing.T, dir string, do func()) (names []string) {
	t.Helper()
	fd, err := syscall.InotifyInit1(syscall.IN_NONBLOCK | syscall.IN_CLOEXEC)
	if err != nil {
		t.Skip("skipped: this system does not tell which files are opened: ", err)
	}
	defer syscall.Close(fd)
	err = filepath.WalkDir(dir, func(name string, e os.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			_, err = syscall.InotifyAddWatch(fd, name, syscall.IN_OPEN|syscall.IN_ONESHOT)
			names = append(names, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	do()
	// Each watch that told something is over: what cannot be taken away was opened. They count from 1.
	n := 0
	return slices.DeleteFunc(names, func(string) bool {
		n++
		_, err := syscall.InotifyRmWatch(fd, uint32(n))
		return err == nil
	})
}

// cardsOf is a catalog of so many models on five machines.
func cardsOf(t *testing.T, models int) string {
	return generatedSite(t, ingesttest.Size{Models: models, Machines: 5, Wide: true}, ", 0 with errors", "ingest")
}

// settled is when all runs of a catalog are known to have rested, so that list and compare know them without opening
// them. It fails where that does not come.
func settled(t *testing.T, dir string) {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(dir, catalogDir, "*", "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	for range 600 {
		if out, code := typed(dir, "list", "runs"); code != exitDone {
			t.Fatal(out)
		}
		a := &app{dir: dir}
		n := 0
		for name := range a.sums(listedSums).known {
			if strings.HasPrefix(name, catalogDir+"/") {
				n++
			}
		}
		if n == len(all) && n > 0 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("the catalog is never known")
}

// runsOf are the ids of the runs of a catalog.
func runsOf(t *testing.T, dir string) (ids []string) {
	t.Helper()
	out, code := typed(dir, "list", "runs", "--json")
	if code != exitDone {
		t.Fatal(out)
	}
	for line := range strings.Lines(out) {
		var r struct{ ID string }
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		ids = append(ids, r.ID)
	}
	return ids
}

// How many files of a catalog are opened does not grow with it: none for a list that is known, those of two runs where
// two are compared, those of their cards where cards are. An edit is seen at the next command, also one that leaves the
// file its size and its time.
func TestOpensWhatItNeeds(t *testing.T) {
	for _, models := range []int{4, 40} {
		dir := cardsOf(t, models)
		settled(t, dir)
		ids := runsOf(t, dir)
		a, b := ids[0], ids[len(ids)-1]
		typed(dir, "compare", a, b)
		if len(ids) < models*2 {
			t.Fatalf("%d runs of %d models", len(ids), models)
		}
		for _, x := range []struct {
			args []string
			most int
		}{{[]string{"list", "cards"}, 0}, {[]string{"compare", a, b}, 2}, {[]string{"compare", a, b, "--json"}, 2}} {
			typed(dir, x.args...) // the first one reads what nothing of is kept
			said, code := "", 0
			got := opened(t, filepath.Join(dir, catalogDir), func() { said, code = typed(dir, x.args...) })
			if len(got) != x.most || code == exitIO || code == exitUsage {
				t.Errorf("%d runs: inferdex %q opens %d files of the catalog, want %d: exit status %d\n%.500s", len(ids),
					x.args, len(got), x.most, code, said)
			}
		}
		edited, err := filepath.Glob(filepath.Join(dir, catalogDir, "*", ids[1]+".json"))
		if err != nil || len(edited) != 1 {
			t.Fatal(edited, err)
		}
		text, err := os.ReadFile(edited[0])
		if err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(edited[0])
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(edited[0], append([]byte("[["), text[2:]...), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(edited[0], info.ModTime(), info.ModTime()); err != nil {
			t.Fatal(err)
		}
		for _, args := range [][]string{{"list", "cards"}, {"compare", a, b}} {
			if said, code := typed(dir, args...); code != exitIO || !strings.Contains(said, ids[1]) {
				t.Errorf("inferdex %q after an edit: exit status %d\n%.500s", args, code, said)
			}
		}
	}
}

// A comparison of two runs or cards by what is kept of the others says what one by the whole catalog says.
func TestComparedByHeads(t *testing.T) {
	dir := generatedSite(t, ingesttest.Small, "", "ingest")
	settled(t, dir)
	names := runsOf(t, dir)
	cards, code := typed(dir, "list", "cards", "--json")
	if code != exitDone {
		t.Fatal(cards)
	}
	for line := range strings.Lines(cards) {
		var c struct{ Slug string }
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatal(err)
		}
		names = append(names, c.Slug)
	}
	names = append(names, "no-such-run", names[0][:1])
	type said struct {
		text string
		code int
	}
	all := func() (out []said) {
		for i, name := range names {
			text, code := typed(dir, "compare", name, names[(i+1)%len(names)], "--all", "--json")
			out = append(out, said{text, code})
		}
		return out
	}
	typed(dir, "compare", names[0], names[1]) // keeps the heads
	if _, err := os.Stat(filepath.Join(dir, stateDir, "lists", "heads.json")); err != nil {
		t.Fatal(err)
	}
	got := all()
	if err := os.RemoveAll(filepath.Join(dir, stateDir)); err != nil {
		t.Fatal(err)
	}
	for i, want := range all() {
		if got[i] != want {
			t.Fatalf("by heads: exit status %d\n%.2000s\nby all: exit status %d\n%.2000s", got[i].code, got[i].text, want.code, want.text)
		}
	}
}
