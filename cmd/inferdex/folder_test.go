package main

import (
	"bytes"
	"context"
	"os"
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
		if code != 0 || !strings.Contains(said.String(), "1 run, 1 point") && !strings.Contains(said.String(), "A on") &&
			!strings.Contains(said.String(), "no baseline") {
			t.Errorf("%q: exit status %d\n%s", args, code, said.String())
		}
	}
}
