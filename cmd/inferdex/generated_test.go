package main

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/inferdex/inferdex/ingest/ingesttest"
)

// TestGeneratedCatalog takes generated inputs of every kind the whole way: ingested without an
// error, built, and nothing wrong with the site.
func TestGeneratedCatalog(t *testing.T) {
	dir := t.TempDir()
	err := ingesttest.Generate(1, ingesttest.Small, func(path string, data []byte) error {
		return writeFile(filepath.Join(dir, filepath.FromSlash(path)), data)
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range []string{"ingest", "ingest --check", "build", "check --site-only", "build --base-url https://example.org/bench/", "check --site-only --base-url https://example.org/bench/"} {
		var out, errs bytes.Buffer
		if code := run(context.Background(), strings.NewReader(""), &out, &errs, append([]string{"-C", dir}, strings.Fields(args)...)); code != 0 {
			t.Fatalf("inferdex %s: exit status %d\n%.3000s%.3000s", args, code, out.String(), errs.String())
		}
		if args == "ingest" && !strings.Contains(errs.String(), ", 0 ignored, 0 with errors") {
			t.Errorf("not all files were read: %s", lastLine(errs.String()))
		}
	}
}
