package main

import (
	"bytes"
	"context"
	"html"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/inferdex/inferdex/goldentest"
	"github.com/inferdex/inferdex/ingest/export"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
)

// exportedInto is the index of the demonstration catalog, whose export of a format is in dir.
func exportedInto(t *testing.T, format, dir string, flags ...string) *figure.Index {
	t.Helper()
	var out, errs bytes.Buffer
	args := append([]string{"-C", "../..", "export", format, "--output", dir}, flags...)
	if code := run(context.Background(), strings.NewReader(""), &out, &errs, args); code != 0 {
		t.Fatalf("exit status %d\n%s", code, &errs)
	}
	a := &app{stdout: &out, stderr: &errs, dir: "../.."}
	ix, _, err := a.load()
	if err != nil {
		t.Fatal(err)
	}
	return ix
}

var (
	tableRow  = regexp.MustCompile(`(?s)<tr[^>]*>(.*?)</tr>`)
	tableCell = regexp.MustCompile(`(?s)<td[^>]*>(.*?)</td>`)
)

// shows counts the rows of all values on the pages of a built site and holds them against the catalog.
func shows(t *testing.T, ix *figure.Index, site string) {
	t.Helper()
	got := map[string]int{}
	err := filepath.WalkDir(site, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".html" {
			return err
		}
		page, err := os.ReadFile(path)
		for _, row := range tableRow.FindAllSubmatch(page, -1) {
			var cells []string
			for _, c := range tableCell.FindAllSubmatch(row[1], -1) {
				cells = append(cells, strings.TrimSpace(html.UnescapeString(string(c[1]))))
			}
			if len(cells) == 9 {
				got[strings.Join(cells[2:8], " ")]++
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]int{}
	for row := range export.Rows(figure.Active(ix.Runs)) {
		want[strings.Join([]string{figure.LoadKey(row.Point), metric.Exact(float64(row.Point.Repetition)),
			string(row.Metric.ID), row.Stat, metric.Exact(row.Value), row.Metric.Unit}, " ")]++
	}
	for k, n := range want {
		if got[k] != n {
			t.Errorf("%q stands in %d rows, want %d", k, got[k], n)
		}
	}
	if len(got) != len(want) || len(want) == 0 {
		t.Errorf("%d different rows, want %d", len(got), len(want))
	}
}

// A foreign Jekyll site with a layout of its own shows every number.
func TestJekyllSite(t *testing.T) {
	jekyll, err := exec.LookPath("jekyll")
	if err != nil {
		t.Skip("no jekyll here: 'apt-get install jekyll' gives one")
	}
	dir := t.TempDir()
	goldentest.Write(t, filepath.Join(dir, "_config.yml"), []byte("title: Foreign\n"))
	goldentest.Write(t, filepath.Join(dir, "_layouts/page.html"),
		[]byte("<!doctype html><title>{{ page.title }}</title><h1>{{ page.title }}</h1>{{ content }}\n"))
	ix := exportedInto(t, "jekyll", dir)
	goldentest.Write(t, filepath.Join(dir, "index.md"), []byte("---\nlayout: page\ntitle: Home\n---\n"+
		"{% include inferdex/card.html card=\""+ix.Cards[0].Slug+"\" %}\n"))
	cmd := exec.Command(jekyll, "build", "--config", "_config.yml,_config.inferdex.yml")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil || bytes.Contains(bytes.ToLower(out), []byte("warning")) {
		t.Fatalf("%v\n%s", err, out)
	}
	shows(t, ix, filepath.Join(dir, "_site"))
	home(t, filepath.Join(dir, "_site/index.html"), ix)
	if _, err := os.Stat(filepath.Join(dir, "_site/inferdex", ix.Cards[0].Slug, "index.html")); err != nil {
		t.Error(err)
	}
}

// hugoSite writes a Hugo site with a theme of its own, and gives the program that builds it. INFERDEX_HUGO names it:
// `make foreign`.
func hugoSite(t *testing.T, settings string) (dir string, build func(*figure.Index)) {
	t.Helper()
	hugo := os.Getenv("INFERDEX_HUGO")
	if hugo == "" {
		t.Skip("INFERDEX_HUGO names no program: 'make foreign' installs the Hugo that go.mod names")
	}
	dir = t.TempDir()
	theme := filepath.Join(dir, "themes/foreign/layouts")
	goldentest.Write(t, filepath.Join(dir, "hugo.toml"),
		[]byte("baseURL = \"https://example.org/sub/\"\ntitle = \"Foreign\"\ntheme = \"foreign\"\n"+
			"disableKinds = [\"taxonomy\", \"term\"]\n"+settings))
	goldentest.Write(t, filepath.Join(theme, "baseof.html"), []byte("<!doctype html><title>{{ .Title }}</title>"+
		"<h1>{{ .Title }}</h1>{{ block \"main\" . }}{{ end }}\n"))
	for _, kind := range []string{"page", "section", "home"} {
		goldentest.Write(t, filepath.Join(theme, kind+".html"), []byte("{{ define \"main\" }}{{ .Content }}{{ end }}\n"))
	}
	return dir, func(ix *figure.Index) {
		goldentest.Write(t, filepath.Join(dir, "content/_index.md"), []byte("---\ntitle: Home\n---\n"+
			"{{< inferdex-card \""+ix.Cards[0].Slug+"\" >}}\n"))
		cmd := exec.Command(hugo, "--panicOnWarning")
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		shows(t, ix, filepath.Join(dir, "public"))
		home(t, filepath.Join(dir, "public/index.html"), ix)
		card, err := os.ReadFile(filepath.Join(dir, "public/inferdex", ix.Cards[0].Slug, "index.html"))
		if err != nil || !bytes.Contains(card, []byte("<details class=\"inferdex-values\"><summary>")) {
			t.Errorf("no values that open on demand: %v", err)
		}
	}
}

// A foreign Hugo site with a theme of its own shows every number.
func TestHugoSite(t *testing.T) {
	dir, build := hugoSite(t, "")
	build(exportedInto(t, "hugo", dir))
}

// A foreign Hugo site that imports the templates as a module, as README.md says, shows every number too, and nothing
// of inferdex's own site comes with them.
func TestHugoModule(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, lines, ok := strings.Cut(string(readme), "```toml\n[[module.imports]]\n")
	lines, _, closed := strings.Cut(lines, "```")
	here, err := filepath.Abs("../..")
	if err != nil || !ok || !closed {
		t.Fatal("README.md does not say how a site imports the templates", err)
	}
	dir, build := hugoSite(t, "[module]\nreplacements = \"github.com/inferdex/inferdex -> "+here+"\"\n"+
		"[[module.imports]]\n"+lines)
	build(exportedInto(t, "hugo", dir, "--data-only"))
	for _, name := range []string{"layouts", "content/inferdex", "public/about", "public/rankings"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			t.Errorf("%s is there", name)
		}
	}
}

// home holds the table that a page of the foreign site shows of the first card.
func home(t *testing.T, path string, ix *figure.Index) {
	t.Helper()
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	title := "/inferdex/" + ix.Cards[0].Slug + "/\">" + html.EscapeString(ix.Cards[0].Title()) + "</a></caption>"
	if !bytes.Contains(page, []byte(title)) || !bytes.Contains(page, []byte("<th scope=\"row\">")) {
		t.Errorf("no table of the card on %s:\n%s", path, page)
	}
}
