package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A folder is read under any of its names, in the directory where the command is given, as it is with -C.
func TestNamesOfAFolder(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, dir := range []string{"results", "nothing"} {
		if err := os.Mkdir(dir, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile("results/a.json", []byte(served("org/A", "01")), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"ingest", "results"}, {"ingest", "results/"}, {"ingest", "./results//"},
		{"compare", "nothing/", "results/"}, {"compare", "results/", "results"}} {
		var said bytes.Buffer
		code := run(context.Background(), strings.NewReader(""), &said, &said, args)
		if code != 0 || !strings.Contains(said.String(), "1 run, 1 point") && !strings.Contains(said.String(), ": A, hardware not recorded") &&
			!strings.Contains(said.String(), "no baseline") {
			t.Errorf("%q: exit status %d\n%s", args, code, said.String())
		}
	}
}

// A site or an export lies in no folder that a site is made of: its pages would be content of the next one, or results of the
// next ingest. Nor does it lie in one of git, or where a link leads into such a folder.
func TestApart(t *testing.T) {
	dir := small(t)
	if err := os.Symlink("data", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	before := files(t, dir)
	for _, output := range []string{"data", "data/raw/x", "./data/../content/x", "layouts", "assets/css", stateDir + "/x",
		dir + "/content", ".git/x", "link/names"} {
		for what, args := range map[string][]string{"a site": {"build"}, "an export": {"export", "markdown"}} {
			said, code := typed(dir, append(args, "-o", output)...)
			if code != exitUsage || !strings.Contains(said, "which is no place for "+what+": name another with --output") {
				t.Errorf("%q into %s: exit status %d\n%s", args, output, code, said)
			}
		}
	}
	for _, output := range []string{".", dir} { // whose layouts and data are those of the catalog
		if said, code := typed(dir, "export", "hugo", "-o", output); code != exitUsage {
			t.Errorf("exit status %d\n%s", code, said)
		}
	}
	for _, name := range []string{"content", "layouts", "assets", "data/raw/x", ".git", "data/names"} {
		if _, err := os.Stat(dir + "/" + name); err == nil {
			t.Errorf("%s is there", name)
		}
	}
	if after := files(t, dir); len(after) != len(before) {
		t.Errorf("%d files, there were %d", len(after), len(before))
	}
}
