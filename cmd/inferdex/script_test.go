package main

import (
	"bytes"
	"context"

	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/inferdex/inferdex/goldentest"
)

// TestScripts runs testdata/*.txtar: a first line of prose, the files of a catalog's directory,
// a file "script" with one command a line, and "want" with what each prints: standard output as
// it is, standard error behind "! ", and the exit status where it is not 0. A line "< text" in
// the script is standard input of the command after it; a line of the shell's "rm FILE" or
// "cat FILE" does what it says.
func TestScripts(t *testing.T) {
	goldentest.Run(t, "testdata/*.txtar", script)
}

func script(t *testing.T, c *goldentest.Case) {
	dir := t.TempDir()
	for _, f := range c.Files {
		if f.Name != "script" && f.Name != "want" {
			goldentest.Write(t, filepath.Join(dir, filepath.FromSlash(f.Name)), f.Data)
		}
	}
	commands := strings.TrimSpace(c.Text("script"))
	if commands == "" || !goldentest.Update() && c.Text("want") == "" {
		t.Fatal("a script needs the files \"script\" and \"want\"")
	}
	var got strings.Builder
	stdin := ""
	for line := range strings.SplitSeq(commands, "\n") {
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
		code := run(context.Background(), strings.NewReader(stdin), &out, &errs,
			append([]string{"-C", dir}, words[1:]...))
		stdin = ""
		got.WriteString(out.String())
		for l := range strings.Lines(errs.String()) {
			got.WriteString("! " + strings.ReplaceAll(l, dir, "DIR"))
		}
		if code != 0 {
			fmt.Fprintf(&got, "exit status %d\n", code)
		}
	}
	c.Want(t, got.String())
}
