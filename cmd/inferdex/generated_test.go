package main

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/inferdex/inferdex/ingest/ingesttest"
)

// generatedSite writes a generated catalog, takes it the whole way and returns its directory: ingested
// without an error, built, and nothing wrong with the site.
func generatedSite(t *testing.T, size ingesttest.Size, read string, commands ...string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	err := ingesttest.Generate(1, size, func(path string, data []byte) error {
		return writeFile(filepath.Join(dir, filepath.FromSlash(path)), data)
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range commands {
		var out, errs bytes.Buffer
		if code := run(context.Background(), strings.NewReader(""), &out, &errs,
			append([]string{"-C", dir}, strings.Fields(args)...)); code != 0 {
			t.Fatalf("inferdex %s: exit status %d\n%.3000s%.3000s", args, code, out.String(), errs.String())
		}
		if args == "ingest" && !strings.Contains(errs.String(), read) {
			t.Errorf("not all files were read: %s", lastLine(errs.String()))
		}
	}
	return dir
}

// TestGeneratedCatalog takes generated inputs of every kind the whole way.
func TestGeneratedCatalog(t *testing.T) {
	generatedSite(t, ingesttest.Small, ", 0 ignored, 0 with errors", "ingest", "ingest --check", "build",
		"check --site-only",
		"build --base-url https://example.org/bench/", "check --site-only --base-url https://example.org/bench/")
}

// Every text of the hostile catalog reaches pages as text: no element and no attribute is made of
// it, and no address runs a script.
func TestHostileCatalog(t *testing.T) {
	dir := generatedSite(t, ingesttest.Hostile, ", 0 with errors", "ingest", "ingest --check", "build",
		"check --site-only")
	shown := map[string]bool{}
	pages := 0
	err := filepath.WalkDir(filepath.Join(dir, "public"), func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || filepath.Ext(path) != ".html" {
			return err
		}
		pages++
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		doc, err := html.Parse(f)
		if err != nil {
			return err
		}
		for n := range doc.Descendants() {
			switch n.Type {
			case html.TextNode:
				for _, h := range ingesttest.HostileTexts {
					if strings.Contains(n.Data, h) {
						shown[h] = true
					}
				}
			case html.ElementNode:
				if n.Data == "img" || n.Data == "iframe" || n.Data == "object" {
					t.Errorf("%s has an element %s", path, n.Data)
				}
				src := ""
				for _, a := range n.Attr {
					if strings.HasPrefix(a.Key, "on") || a.Key == "style" {
						t.Errorf("%s: %s has an attribute %s", path, n.Data, a.Key)
					}
					if (a.Key == "href" || a.Key == "src") && strings.Contains(a.Val, "javascript:") {
						t.Errorf("%s: %s=%q", path, a.Key, a.Val)
					}
					if a.Key == "src" {
						src = a.Val
					}
				}
				if n.Data == "script" && src == "" && n.FirstChild != nil &&
					strings.Contains(n.FirstChild.Data, "alert(2)") {
					t.Errorf("%s has a script of a file: %s", path, n.FirstChild.Data)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if pages < 100 {
		t.Errorf("%d pages", pages)
	}
	for _, h := range ingesttest.HostileTexts {
		if !shown[h] {
			t.Errorf("no page shows %q as it is", h)
		}
	}
}
