package main

import (
	"archive/zip"
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/inferdex/inferdex/goldentest"
)

// The sums of a snapshot are those of its files and of what its dataset holds, two of one catalog are equal, and
// nothing is left beside them.
func TestSnapshot(t *testing.T) {
	dir := t.TempDir()
	goldentest.Write(t, filepath.Join(dir, "data/raw/r.jsonl"), []byte(lossyResult))
	for _, args := range []string{"ingest", "snapshot one", "snapshot two"} {
		var out bytes.Buffer
		if code := run(context.Background(), strings.NewReader(""), &out, &out,
			append([]string{"-C", dir}, strings.Fields(args)...)); code != exitDone {
			t.Fatalf("%s: exit status %d: %s", args, code, out.String())
		}
	}
	read := func(tag, name string) []byte {
		data, err := os.ReadFile(filepath.Join(dir, snapshotsDir, tag, name))
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	one := read("one", datasetFile)
	if !bytes.Equal(one, read("two", datasetFile)) {
		t.Error("two snapshots of one catalog have other bytes")
	}
	want := sum(read("one", pagesFile), pagesFile) + sum(one, datasetFile)
	z, err := zip.NewReader(bytes.NewReader(one), int64(len(one)))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		packed, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		stored, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(f.Name)))
		if err != nil || !bytes.Equal(packed, stored) {
			t.Errorf("%s: is not the file of the catalog (%v)", f.Name, err)
		}
		want += sum(packed, f.Name)
	}
	if got := string(read("one", sumsFile)); got != want || len(z.File) != 2 {
		t.Errorf("%d files, sums\n%s\nwant those of a run and an input:\n%s", len(z.File), got, want)
	}
	left, err := os.ReadDir(filepath.Join(dir, snapshotsDir))
	if err != nil || len(left) != 2 {
		t.Errorf("%d folders of two snapshots (%v)", len(left), err)
	}
}
