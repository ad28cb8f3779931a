package main

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// What could not be removed is not said to be removed, and leaves no note; a run that is named twice is removed once.
func TestRemoveSaysWhatItDid(t *testing.T) {
	defer func() { rename = os.Rename }()
	dir := small(t)
	var ids []string
	for _, name := range slices.Sorted(maps.Keys(files(t, dir))) {
		if id, ok := strings.CutSuffix(filepath.Base(name), ".raw.jsonl.gz"); ok {
			ids = append(ids, id)
		}
	}
	before := files(t, dir)
	rename = func(string, string) error { return errFull }
	for _, c := range []struct {
		args []string
		code int
	}{
		{[]string{ids[0], "--reason", "a fan had failed"}, exitIO},
		{[]string{ids[0], "nosuch"}, exitUsage},
	} {
		said, code := typed(dir, append([]string{"remove", "--yes"}, c.args...)...)
		if code != c.code || strings.Contains(said, "removed") || strings.Contains(said, "says why") {
			t.Errorf("remove %q: exit status %d, want %d\n%s", c.args, code, c.code, said)
		}
		if _, err := os.Stat(filepath.Join(dir, notesDir, ids[0]+".toml")); err == nil {
			t.Errorf("remove %q: a note is left", c.args)
		}
		if !maps.Equal(before, files(t, dir)) {
			t.Errorf("remove %q: the catalog is another", c.args)
		}
	}
	rename = os.Rename
	said, code := typed(dir, "remove", "--yes", ids[0], ids[0], "--reason", "a fan had failed")
	if code != 0 || strings.Count(said, "removed") != 2 || strings.Count(said, "says why") != 1 {
		t.Errorf("one run, named twice: exit status %d\n%s", code, said)
	}
}
