package ingesttest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestEveryFormatIsTested looks for a directory below ingest/format without the conformance
// test, the fuzz test or cases for them.
func TestEveryFormatIsTested(t *testing.T) {
	entries, err := os.ReadDir("../format")
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, e := range entries {
		name := e.Name()
		dir := filepath.Join("../format", name)
		if !e.IsDir() || name == "testdata" || name == "internal" {
			continue
		}
		seen++
		tests, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		var text strings.Builder
		for _, p := range tests {
			b, err := os.ReadFile(p)
			if err != nil {
				t.Fatal(err)
			}
			text.Write(b)
		}
		for _, call := range []string{
			"ingesttest.Conform(t, " + name + ".Format)",
			"ingesttest.Fuzz(f, " + name + ".Format)",
		} {
			// In a test of the package itself the name needs no prefix.
			if s := text.String(); !strings.Contains(s, call) && !strings.Contains(s, strings.Replace(call, name+".", "", 1)) {
				t.Errorf("ingest/format/%s: no test calls %s", name, call)
			}
		}
		cases, err := loadCases(filepath.Join(dir, "testdata"))
		if err != nil {
			t.Error(err)
		}
		if len(cases) < 2 {
			t.Errorf("ingest/format/%s/testdata: %d cases, want a good and a bad one at least", name, len(cases))
		}
	}
	if seen == 0 {
		t.Fatal("no directory found below ingest/format")
	}
}
