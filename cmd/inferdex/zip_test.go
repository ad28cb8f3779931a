package main

import (
	"archive/zip"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// unzipSome unpacks the first n members of an archive, by its own order.
func unzipSome(t *testing.T, name, dir string, n int) {
	t.Helper()
	z, err := zip.OpenReader(name)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	for _, f := range z.File {
		if n == 0 {
			break
		}
		if f.FileInfo().IsDir() {
			continue
		}
		n--
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		r.Close()
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(f.Name)), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
