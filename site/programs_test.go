package site

import (
	"bytes"
	"path"
	"strings"
	"testing"

	"github.com/inferdex/inferdex/site/sitetest"
	"github.com/inferdex/inferdex/site/view"
)

// Every file that programs read keeps the rules of what it is, of a catalog with hostile texts too, and no kind of
// file is without rules; none has a command for a terminal. Scripts and pictures of pages are held elsewhere.
func TestFilesForPrograms(t *testing.T) {
	files := filesOf(t, func(o *view.Options) {
		o.Config.Author, o.Config.License, o.Config.Title = "The "+sitetest.Hostile, "cc-by-4.0", "\x1b[31m"+sitetest.Hostile
		o.Config.Notice = "\x1b]0;" + sitetest.Hostile
		o.Config.Description = sitetest.Hostile + "\n---\n"
	})
	seen := map[string]int{}
	for name, data := range files {
		plain := unpacked(t, name, data)
		if ext := path.Ext(strings.TrimSuffix(name, ".gz")); ext != ".html" && ext != ".png" && bytes.IndexByte(plain, 0x1b) >= 0 {
			t.Errorf("%s has a command for a terminal", name)
		}
		switch name = strings.TrimSuffix(name, ".gz"); {
		case strings.HasSuffix(name, ".js"), strings.HasSuffix(name, ".txt"), strings.HasSuffix(name, ".css"),
			strings.HasSuffix(name, ".png"),
			strings.HasSuffix(name, ".html"), name == ".nojekyll":
			continue
		}
		seen[path.Base(name)]++
		seen[path.Ext(name)]++
		if err := sitetest.Valid(name, plain); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, want := range []string{"datapackage.json", "croissant.json", "CITATION.cff", "openapi.json", "feed.xml",
		"sitemap.xml", "oembed.json", "SKILL.md", "points.csv", "runs.csv", ".jsonl", ".svg"} {
		if seen[want] == 0 {
			t.Errorf("no %s among %d kinds of files", want, len(seen))
		}
	}
}

// A catalog that does not say who measured is described as far as it is known, and nothing is guessed.
func TestDescribedAsFarAsKnown(t *testing.T) {
	files := filesOf(t, nil)
	for _, name := range []string{"data/croissant.json", "data/CITATION.cff"} {
		if files[name] != nil {
			t.Errorf("%s is written, and nobody said who measured:\n%s", name, files[name])
		}
	}
	s := string(files["data/datapackage.json"])
	if strings.Contains(s, "contributors") || strings.Contains(s, "licenses") {
		t.Errorf("the package names who nobody named:\n%.600s", s)
	}
}
