package main

import (
	"bytes"
	"context"

	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/inferdex/inferdex/ingest/ingesttest"
)

// TestScripts runs testdata/*.txtar: a first line of prose, the files of a catalog's directory,
// a file "script" with one command a line, and "want" with what each prints: standard output as
// it is, standard error behind "! ", and the exit status where it is not 0. A line "< text" in
// the script is standard input of the command after it; a line of the shell's "rm FILE" or
// "cat FILE" does what it says.
func TestScripts(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	for _, p := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(p), ".txtar"), func(t *testing.T) { script(t, p) })
	}
}

func script(t *testing.T, path string) {
	a, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(bytes.TrimSpace(a.Comment)) == 0 {
		t.Error("the case does not say what it shows")
	}
	dir := t.TempDir()
	var lines []string
	want := -1
	for i, f := range a.Files {
		switch f.Name {
		case "script":
			lines = strings.Split(strings.TrimSpace(string(f.Data)), "\n")
		case "want":
			want = i
		default:
			name := filepath.Join(dir, filepath.FromSlash(f.Name))
			if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(name, f.Data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	if len(lines) == 0 || want < 0 {
		t.Fatal("a script needs the files \"script\" and \"want\"")
	}
	var got strings.Builder
	stdin := ""
	for _, line := range lines {
		fmt.Fprintf(&got, "$ %s\n", line)
		words := strings.Fields(line)
		switch words[0] {
		case "<":
			stdin = strings.TrimPrefix(line, "< ") + "\n"
			continue
		case "rm":
			if err := os.RemoveAll(filepath.Join(dir, words[1])); err != nil {
				t.Fatal(err)
			}
			continue
		case "cat":
			data, err := os.ReadFile(filepath.Join(dir, words[1]))
			if err != nil {
				t.Fatal(err)
			}
			got.Write(data)
			continue
		case "inferdex":
		default:
			t.Fatalf("no command %q", words[0])
		}
		var out, errs bytes.Buffer
		code := run(context.Background(), strings.NewReader(stdin), &out, &errs, append([]string{"-C", dir}, words[1:]...))
		stdin = ""
		got.WriteString(out.String())
		for l := range strings.Lines(errs.String()) {
			got.WriteString("! " + strings.ReplaceAll(l, dir, "DIR"))
		}
		if code != 0 {
			fmt.Fprintf(&got, "exit status %d\n", code)
		}
	}
	if ingesttest.Update() {
		a.Files[want].Data = []byte(got.String())
		if err := os.WriteFile(path, txtar.Format(a), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if d := cmp.Diff(string(a.Files[want].Data), got.String()); d != "" {
		t.Errorf("-want +got, -update accepts:\n%s", d)
	}
}
