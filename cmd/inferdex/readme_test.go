package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/inferdex/inferdex/ingest/format"
)

// TestReadmeCommands runs every line of README.md that begins with "$ inferdex", in a copy of the
// demonstration catalog's inputs. A file that output goes to is left out.
func TestReadmeCommands(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "data/raw"), os.DirFS("../../data/raw")); err != nil {
		t.Fatal(err)
	}
	ran := 0
	for line := range strings.Lines(string(readme)) {
		args, ok := strings.CutPrefix(strings.TrimSpace(line), "$ inferdex ")
		if !ok {
			continue
		}
		ran++
		args, _, _ = strings.Cut(args, " > ")
		args = strings.ReplaceAll(args, "'", "") // no argument holds a space
		var out, errs bytes.Buffer
		if code := run(context.Background(), strings.NewReader(""), &out, &errs,
			append([]string{"-C", dir}, strings.Fields(args)...)); code != 0 {
			t.Errorf("inferdex %s: exit status %d\n%s%s", args, code, out.String(), errs.String())
		}
	}
	if ran < 5 {
		t.Errorf("%d commands in README.md: the test looks for another form", ran)
	}
}

// What help shows as an example names runs of the demonstration catalog, so that it works as it stands.
func TestExamplesNameRuns(t *testing.T) {
	run := regexp.MustCompile(`\b[a-z]+[2-7][a-z2-7]*\b`)
	named := 0
	for _, c := range (&app{}).command().Commands() {
		for _, id := range run.FindAllString(c.Example, -1) {
			if len(id) != 12 {
				continue
			}
			named++
			if found, err := filepath.Glob("../../data/catalog/*/" + id + ".json"); err != nil || len(found) != 1 {
				t.Errorf("%s: no run %q (%v)", c.CommandPath(), id, err)
			}
		}
	}
	if named < 5 {
		t.Errorf("%d runs in the examples: the test looks for another form", named)
	}
}

// Each package of a format is listed once.
func TestFormatsAreListedOnce(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range format.All() {
		if seen[f.Name] {
			t.Errorf("the format %q is listed twice", f.Name)
		}
		seen[f.Name] = true
	}
	files, err := filepath.Glob("../../ingest/format/*/*.go")
	if err != nil {
		t.Fatal(err)
	}
	dirs := map[string]bool{}
	for _, p := range files {
		dirs[filepath.Dir(p)] = true
	}
	if len(dirs) != len(seen) {
		t.Errorf("%d packages of formats, %d formats listed", len(dirs), len(seen))
	}
}
