package main

import (
	"bytes"
	"go/format"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/inferdex/inferdex/goldentest"
)

// The skeleton, in a copy of the module, compiles, is listed, and reads its own sample.
func TestNewFormat(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a copy of the readers")
	}
	root := t.TempDir()
	for _, name := range []string{"go.mod", "go.sum"} {
		data, err := os.ReadFile("../../../" + name)
		if err != nil {
			t.Fatal(err)
		}
		goldentest.Write(t, filepath.Join(root, name), data)
	}
	for _, dir := range []string{"ingest", "goldentest"} {
		if err := os.CopyFS(filepath.Join(root, dir), os.DirFS("../../../"+dir)); err != nil {
			t.Fatal(err)
		}
	}
	if err := newFormat(root, "mybench"); err != nil {
		t.Fatal(err)
	}
	golang := func(args ...string) {
		t.Helper()
		cmd := exec.Command("go", args...)
		cmd.Dir = root
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
	for _, name := range []string{"format.go", "mybench/mybench.go"} {
		data, err := os.ReadFile(filepath.Join(root, "ingest/format", name))
		if err != nil {
			t.Fatal(err)
		}
		if want, err := format.Source(data); err != nil || !bytes.Equal(want, data) {
			t.Errorf("%s is not formatted: %v", name, err)
		}
	}
	golang("vet", "./ingest/format", "./ingest/format/mybench")
	golang("test", "./ingest/format", "-run", "TestConform/mybench", "-update")
	for name, want := range map[string]string{"good": `"number": 40,`, "bad": `"number": 60,`} {
		data, err := os.ReadFile(filepath.Join(root, "ingest/format/mybench/testdata", name+".txtar"))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(data), want) {
			t.Errorf("%s lacks %s:\n%s", name, want, data)
		}
	}
	for name, want := range map[string]string{"mybench": "there already", "My": "no name of a package",
		"func": "no name of a package"} {
		if err := newFormat(root, name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}
