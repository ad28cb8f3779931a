package main

import (
	"archive/zip"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
)

// unzipSome unpacks the first n members of an archive, by its own order.
func unzipSome(t testing.TB, name, dir string, n int) {
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

// zipSize is the sum of an archive's members, unpacked.
func zipSize(name string) (total int64, err error) {
	z, err := zip.OpenReader(name)
	if err != nil {
		return 0, err
	}
	defer z.Close()
	for _, f := range z.File {
		total += int64(f.UncompressedSize64)
	}
	return total, nil
}

// number is the first group of the pattern in text as a whole number, 0 where it is not there.
func number(text, pattern string) int {
	m := regexp.MustCompile(pattern).FindStringSubmatch(text)
	if m == nil {
		return 0
	}
	n, _ := strconv.Atoi(m[1])
	return n
}

// writeFile writes a file and the directories above it.
func writeFile(name string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, data, 0o644)
}
