package main

import (
	"bytes"
	"context"
	"encoding/json"
	"html"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
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
	goldentest.Write(t, filepath.Join(dir, "_config.yml"), []byte("title: Foreign\nbaseurl: /sub\n"))
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
	home(t, filepath.Join(dir, "_site/index.html"), ix, "inferdex")
	list, err := os.ReadFile(filepath.Join(dir, export.JekyllCharts))
	var charts map[string][]export.Chart
	if err != nil || json.Unmarshal(list, &charts) != nil || len(charts) == 0 {
		t.Fatalf("no list of charts: %v", err)
	}
	for _, c := range ix.Cards {
		page, err := os.ReadFile(filepath.Join(dir, "_site/inferdex", c.Slug, "index.html"))
		if err != nil {
			t.Fatal(err)
		}
		drawn(t, filepath.Join(dir, "_site"), string(page), charts[c.Slug])
	}
}

// hugoSite writes a Hugo site with a theme of its own, and gives the program that builds it, with the cards in a
// section. INFERDEX_HUGO names it: `make foreign`.
func hugoSite(t *testing.T, settings, section string) (dir string, build func(*figure.Index)) {
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
		"<h1>{{ .Title }}</h1>{{ block \"main\" . }}{{ end }}<footer>Foreign</footer>\n"))
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
		home(t, filepath.Join(dir, "public/index.html"), ix, section)
		card, err := os.ReadFile(filepath.Join(dir, "public", section, ix.Cards[0].Slug, "index.html"))
		if err != nil || !bytes.Contains(card, []byte("<details class=\"inferdex-values\"><summary>")) {
			t.Errorf("no values that open on demand: %v", err)
		}
	}
}

// A foreign Hugo site with a theme of its own shows every number.
func TestHugoSite(t *testing.T) {
	dir, build := hugoSite(t, "", "inferdex")
	ix := exportedInto(t, "hugo", dir)
	build(ix)
	shows(t, ix, filepath.Join(dir, "public"))
}

// imports are the settings of a site that imports inferdex as a module, as README.md says: the templates, and with
// pages the layouts too.
func imports(t *testing.T, pages bool) string {
	t.Helper()
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	here, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	settings := "[module]\nreplacements = \"github.com/inferdex/inferdex -> " + here + "\"\n"
	rest := string(readme)
	for _, first := range []string{"[[module.imports]]\n", "[[module.imports.mounts]]\n"} {
		_, after, ok := strings.Cut(rest, "```toml\n"+first)
		lines, after, closed := strings.Cut(after, "```")
		if !ok || !closed {
			t.Fatalf("README.md has no settings that begin with %s", first)
		}
		settings += first + lines
		if rest = after; !pages {
			break
		}
	}
	return settings
}

// A foreign Hugo site that imports the templates as a module, as README.md says, shows every number too, and nothing
// of inferdex's own site comes with them.
func TestHugoModule(t *testing.T) {
	dir, build := hugoSite(t, imports(t, false), "inferdex")
	ix := exportedInto(t, "hugo", dir, "--data-only")
	build(ix)
	shows(t, ix, filepath.Join(dir, "public"))
	for _, name := range []string{"layouts", "content/inferdex", "public/about", "public/rankings"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			t.Errorf("%s is there", name)
		}
	}
}

var picture = regexp.MustCompile(`<img src="/sub/([^"]+\.svg)" alt="([^"]+)"`)

// drawn holds the charts that a page of a built site shows.
func drawn(t *testing.T, site, page string, charts []export.Chart) {
	t.Helper()
	var got, want []string
	for _, m := range picture.FindAllStringSubmatch(page, -1) {
		svg, err := os.ReadFile(filepath.Join(site, m[1]))
		if err != nil || !bytes.HasPrefix(svg, []byte("<svg ")) {
			t.Errorf("%s is no drawing: %v", m[1], err)
		}
		got = append(got, html.UnescapeString(m[2]))
	}
	for _, c := range charts {
		want = append(want, c.Title)
	}
	if !slices.Equal(got, want) {
		t.Errorf("a page shows the charts %q, want %q", got, want)
	}
}

// A foreign Hugo site that imports the layouts too, as README.md says, has in a section of its choice a list of all
// cards, cards and runs, each with every number and with charts, within its own theme.
func TestHugoPages(t *testing.T) {
	settings := strings.ReplaceAll(imports(t, true), "\"content/inferdex\"", "\"content/benchmarks\"")
	dir, build := hugoSite(t, settings, "benchmarks")
	ix := exportedInto(t, "hugo", dir, "--pages")
	build(ix)
	charts := map[string][]export.Chart{}
	data, err := os.ReadFile(filepath.Join(dir, "assets/inferdex/charts.json"))
	if err != nil || json.Unmarshal(data, &charts) != nil {
		t.Fatal("no list of charts", err)
	}
	public := filepath.Join(dir, "public")
	read := func(name string) string {
		page, err := os.ReadFile(filepath.Join(public, name, "index.html"))
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"<article class=\"inferdex\">", "<footer>Foreign</footer>", "pages.min."} {
			if strings.Count(string(page), want) != 1 {
				t.Errorf("%s has not one %s", name, want)
			}
		}
		return string(page)
	}
	list := html.UnescapeString(read("benchmarks"))
	for _, c := range export.Cards(ix) {
		_, row, _ := strings.Cut(list, "<a href=\"/sub/benchmarks/"+c.Name+"/\">"+c.Title+"</a>")
		row, _, _ = strings.Cut(row, "</tr>")
		texts := []string{"<td>" + strconv.Itoa(len(c.Runs)) + "</td>", c.Newest()}
		page := read("benchmarks/" + c.Name)
		drawn(t, public, page, charts[c.Name])
		for _, r := range c.Runs {
			if !strings.Contains(page, "<a href=\"/sub/benchmarks/runs/"+r.ID+"/\">") {
				t.Errorf("%s does not lead to the run %s", c.Name, r.ID)
			}
			of := read("benchmarks/runs/" + r.ID)
			drawn(t, public, of, charts[r.ID])
			for _, want := range append([]string{"<a href=\"/sub/benchmarks/" + c.Name + "/\">"}, r.Sources...) {
				if !strings.Contains(html.UnescapeString(of), want) {
					t.Errorf("the page of the run %s has no %s", r.ID, want)
				}
			}
			for _, h := range r.Headlines[:min(3, len(r.Headlines))] {
				if r.ID == c.Head {
					texts = append(texts, h.Label+": <b>"+h.Text+"</b>")
				}
			}
		}
		for _, want := range texts {
			if !strings.Contains(row, want) {
				t.Errorf("the row of %s has no %q: %s", c.Name, want, row)
			}
		}
	}
	if len(charts[ix.Cards[0].Slug]) == 0 {
		t.Error("the first card has no chart")
	}
	home, err := os.ReadFile(filepath.Join(public, "index.html"))
	if err != nil || bytes.Contains(home, []byte("inferdex/pages")) {
		t.Error("the style sheet is on a page of the theme", err)
	}
	runs := filepath.Join(t.TempDir(), "runs") // they have the numbers of the cards once more
	if err := os.Rename(filepath.Join(public, "benchmarks/runs"), runs); err != nil {
		t.Fatal(err)
	}
	shows(t, ix, public)
	shows(t, ix, runs)
}

// The style sheet of the layouts says nothing of what is not inferdex's, and is weaker than any rule of a theme.
func TestHugoPagesStyle(t *testing.T) {
	css, err := os.ReadFile("../../ingest/export/hugomodule/assets/inferdex/pages.css")
	if err != nil {
		t.Fatal(err)
	}
	rules := regexp.MustCompile(`(?m)^([^\s/}][^{]*) \{`).FindAllSubmatch(css, -1)
	if len(rules) != bytes.Count(css, []byte("{")) {
		t.Errorf("%d of the %d rules begin a line", len(rules), bytes.Count(css, []byte("{")))
	}
	for _, r := range rules {
		inside := strings.TrimSuffix(strings.TrimPrefix(string(r[1]), ":where("), ")")
		for _, s := range strings.Split(inside, ", ") {
			if len(inside) != len(r[1])-len(":where()") || s != ".inferdex" && !strings.HasPrefix(s, ".inferdex ") {
				t.Errorf("%q reaches beyond .inferdex", r[1])
			}
		}
	}
}

// home holds the table that a page of the foreign site shows of the first card.
func home(t *testing.T, path string, ix *figure.Index, section string) {
	t.Helper()
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	title := "/" + section + "/" + ix.Cards[0].Slug + "/\">" + html.EscapeString(ix.Cards[0].Title()) + "</a></caption>"
	if !bytes.Contains(page, []byte(title)) || !bytes.Contains(page, []byte("<th scope=\"row\">")) {
		t.Errorf("no table of the card on %s:\n%s", path, page)
	}
}
