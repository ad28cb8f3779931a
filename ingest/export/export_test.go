package export

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	renderer "github.com/yuin/goldmark/renderer/html"
	"go.yaml.in/yaml/v3"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/figuretest"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/settings"
	"github.com/inferdex/inferdex/site/sitetest"
)

// hostile is a name that each of the programs behind the exports could take for its own language.
const hostile = "a|b_c_ {{ 7*7 }} {% endraw %} {{< figure >}} <script>alert(1)</script> " +
	"[x](javascript:1) `c` =1+1 \x1b[31m -- ... :)"

// cells are the numbers of a catalog: by run, workload, load, repetition, metric and statistic.
func cells(t *testing.T) (*figure.Index, *catalog.Catalog, map[string]float64) {
	t.Helper()
	long := figuretest.Point(4, 1.0/3, 1e-7, 123456.789012345, 0.1, 0.2)
	again := figuretest.Point(4, 1e21, 2, 3, 0.1, 0.2)
	again.Repetition = 1
	named := figuretest.Run("h", hostile, "2x big", "1.0", figuretest.Point(8, 7, 1, 2, 0.1, 0.2))
	named.Parameters = map[string]catalog.Parameter{"max|seqs": {Value: json.RawMessage(`"8 | <script>` + "`" + `"`)}}
	unknown := figuretest.Run("u", "o/Dense-10B", "2x big", "1.0", figuretest.Point(2, 5, 1, 2, 0.1, 0.2))
	delete(unknown.Attributes, "hardware")
	gone := figuretest.Run("g", "o/Dense-10B", "2x big", "1.0", figuretest.Point(8, 99, 1, 2, 0.1, 0.2))
	gone.Withdrawn = "wrong clock"
	report := figuretest.Report()
	report.ID = "report"
	c := &catalog.Catalog{Runs: []*catalog.Run{figuretest.Run("r", "o/Dense-10B", "2x big", "1.0", long, again), named,
		unknown, gone, report}}
	ix := figure.NewIndex(c, figuretest.Names(t))
	want := map[string]float64{}
	for _, r := range ix.Runs {
		if r.Withdrawn != "" {
			continue
		}
		for _, s := range r.Scenarios {
			for _, p := range s.Measured {
				for id, st := range s.Marked(p) {
					put := func(stat string, v catalog.Number) {
						if v != nil {
							want[fmt.Sprint(r.ID, "/", figure.LoadKey(p), "/", p.Repetition, "/", id, "/", stat)] += *v
						}
					}
					put("value", st.Value)
					put("mean", st.Mean)
					put("median", st.Median)
					put("std", st.Std)
					put("min", st.Min)
					put("max", st.Max)
					for _, pc := range st.Percentiles {
						put("p"+metric.Exact(pc.P), &pc.Value)
					}
				}
			}
		}
	}
	return ix, c, want
}

// holds compares the numbers that an export gave back with those of the catalog.
func holds(t *testing.T, name string, got, want map[string]float64) {
	t.Helper()
	for k, v := range want {
		if g, ok := got[k]; !ok || g != v {
			t.Errorf("%s: %s is %v, want %v", name, k, g, v)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%s: %d numbers, want %d", name, len(got), len(want))
	}
}

// quotable are the numbers without those of the run that is withdrawn.
func quotable(got map[string]float64) map[string]float64 {
	for k := range got {
		if strings.HasPrefix(k, "g/") {
			delete(got, k)
		}
	}
	return got
}

func TestCSVKeepsEveryNumber(t *testing.T) {
	ix, _, want := cells(t)
	var b bytes.Buffer
	if err := WritePoints(&b, ix.Runs); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&b).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	at := func(row []string, column string) string { return row[slices.Index(rows[0], column)] }
	got := map[string]float64{}
	for _, r := range rows[1:] {
		v, err := strconv.ParseFloat(at(r, "value"), 64)
		if err != nil {
			t.Fatal(err)
		}
		got[strings.Join([]string{at(r, "run"), at(r, "load"), at(r, "repetition"), at(r, "metric"), at(r, "stat")}, "/")] += v
		for _, c := range r {
			if c != "" && strings.ContainsRune("=@", rune(c[0])) {
				t.Errorf("%q is a formula", c)
			}
		}
	}
	holds(t, "CSV", quotable(got), want)
}

// Where catalogs are merged, a last column says which of them give the measurements; elsewhere there is none.
func TestOriginsInDownloads(t *testing.T) {
	ix, _, _ := cells(t)
	files := func() (texts []string) {
		for _, write := range []func(io.Writer, []*figure.Run) error{WritePoints, WriteRuns} {
			var b bytes.Buffer
			if err := write(&b, ix.Runs); err != nil {
				t.Fatal(err)
			}
			texts = append(texts, b.String())
		}
		return texts
	}
	for _, text := range files() {
		if head, _, _ := strings.Cut(text, "\n"); strings.Contains(head, "origins") {
			t.Errorf("origins of a catalog that is merged of none: %s", head)
		}
	}
	r := ix.Runs[0]
	r.Origins = []catalog.Origin{{}, {Catalog: "https://a.example/data/"}, {Catalog: "https://b.example/data/", Differs: true},
		{Catalog: "https://c.example/data/", Gone: true}}
	for _, text := range files() {
		rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		for i, row := range rows {
			want := ""
			switch {
			case i == 0:
				want = "origins"
			case row[0] == r.ID:
				want = "this https://a.example/data/"
			}
			if got := row[len(row)-1]; got != want {
				t.Errorf("row %d of %s: origins %q, want %q", i, row[0], got, want)
			}
		}
	}
	cards := 0
	for _, f := range Markdown(ix) {
		if strings.Contains(string(f.Data), "| Origins |") {
			if cards++; !strings.Contains(string(f.Data), "| this "+inert("https://a.example/data/")+" |") {
				t.Errorf("%s: no origins of its run", f.Path)
			}
		}
	}
	if cards != 1 {
		t.Errorf("%d cards with origins, want the one of the run", cards)
	}
}

// table reads the rows of the tables of values in a Markdown card.
func table(t *testing.T, text string) map[string]float64 {
	t.Helper()
	got := map[string]float64{}
	run := ""
	for line := range strings.Lines(text) {
		if _, id, ok := strings.Cut(line, "## All values of "); ok {
			run = strings.TrimSpace(id[strings.LastIndex(id, "run ")+4:])
		}
		f := strings.Split(line, "|")
		if len(f) != 11 || strings.Contains(line, "---") || strings.Contains(line, "| Statistic |") {
			continue
		}
		for i := range f {
			f[i] = strings.TrimSpace(html.UnescapeString(f[i]))
		}
		v, err := strconv.ParseFloat(f[7], 64)
		if err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		got[strings.Join([]string{run, f[3], f[4], f[5], f[6]}, "/")] += v
	}
	return got
}

func TestCardsKeepEveryNumber(t *testing.T) {
	ix, _, want := cells(t)
	sites := map[string]func() ([]File, error){
		"markdown": func() ([]File, error) { return Markdown(ix), nil },
		"hugo":     func() ([]File, error) { return Hugo(ix) },
		"jekyll":   func() ([]File, error) { return Jekyll(ix) },
		"cards of pages": func() ([]File, error) {
			files, err := HugoPages(ix)
			return slices.DeleteFunc(files, func(f File) bool { return strings.Contains(f.Path, "/runs/") }), err
		},
		"runs of pages": func() ([]File, error) {
			files, err := HugoPages(ix)
			return slices.DeleteFunc(files, func(f File) bool { return strings.Contains(f.Path, "/cards/") }), err
		},
	}
	for name, export := range sites {
		files, err := export()
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]float64{}
		for _, f := range files {
			if !strings.HasSuffix(f.Path, ".md") {
				continue
			}
			for k, v := range table(t, string(f.Data)) {
				got[k] += v
			}
			body := string(f.Data)
			if parts := strings.SplitN(body, "\n---\n", 2); name == "jekyll" && len(parts) == 2 {
				body = parts[1] // what stands before is read by YAML alone
				if strings.ContainsAny(parts[0], "<>\x1b") {
					t.Errorf("%s has markup in its front matter", f.Path)
				}
			}
			for _, own := range []string{inHugo.open, inHugo.end, inHugoPage.charts, inJekyll.open} {
				body = strings.ReplaceAll(body, own, "")
			}
			for _, bad := range []string{"<script", "{{<", "{{ 7", "\x1b", "](javascript"} {
				if strings.Contains(body, bad) {
					t.Errorf("%s, %s has %q", name, f.Path, bad)
				}
			}
		}
		holds(t, name, got, want)
	}
}

// The data of sites has the numbers too.
func TestDataKeepsEveryNumber(t *testing.T) {
	ix, _, want := cells(t)
	got := map[string]float64{}
	for _, c := range Cards(ix) {
		data, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		var back struct {
			Runs []struct {
				ID        string
				Workloads []struct {
					Points []struct {
						Load       any
						Repetition int
						Metrics    map[string]catalog.Stat
					}
				}
			}
		}
		if err := json.Unmarshal(data, &back); err != nil {
			t.Fatal(err)
		}
		for _, r := range back.Runs {
			for _, w := range r.Workloads {
				for _, p := range w.Points {
					for id, st := range p.Metrics {
						load := fmt.Sprint(p.Load)
						if p.Load == nil {
							load = ""
						}
						for stat, v := range map[string]catalog.Number{"value": st.Value, "mean": st.Mean, "median": st.Median,
							"std": st.Std, "min": st.Min, "max": st.Max} {
							if v != nil {
								got[fmt.Sprint(r.ID, "/", load, "/", p.Repetition, "/", id, "/", stat)] += *v
							}
						}
						for _, pc := range st.Percentiles {
							got[fmt.Sprint(r.ID, "/", load, "/", p.Repetition, "/", id, "/p", metric.Exact(pc.P))] += pc.Value
						}
					}
				}
			}
		}
	}
	holds(t, "data", got, want)
}

// The document that is written run by run is the one that is encoded as a whole.
func TestCatalogIsOneDocument(t *testing.T) {
	ix, c, _ := cells(t)
	for _, c := range []*catalog.Catalog{c, {}, nil} {
		doc := Document{catalog.FormatVersion, []*catalog.Run{}}
		if c != nil {
			for _, r := range c.Runs {
				if i := slices.IndexFunc(ix.Runs, func(of *figure.Run) bool { return of.ID == r.ID }); i >= 0 {
					r = ix.Runs[i].Marked()
				}
				doc.Runs = append(doc.Runs, r)
			}
		}
		want, err := encode(doc)
		if err != nil {
			t.Fatal(err)
		}
		var got bytes.Buffer
		if err := WriteCatalog(&got, ix, c); err != nil || got.String() != string(want) {
			t.Errorf("%v, got\n%s\nwant\n%s", err, &got, want)
		}
	}
}

func TestRaw(t *testing.T) {
	got := raw("a {% endraw %} b {%- endraw -%}")
	if strings.Count(got, "{% endraw %}") != 3 || strings.Contains(got, "{% endraw %} b") {
		t.Errorf("%q", got)
	}
}

// The place of the charts is the only one of a page that Liquid reads.
func TestJekyllCharts(t *testing.T) {
	ix, _, _ := cells(t)
	files, err := Jekyll(ix)
	if err != nil {
		t.Fatal(err)
	}
	const include = "{% include inferdex/charts.html card=page.card %}"
	pages := 0
	for _, f := range files {
		if !strings.HasPrefix(f.Path, "_inferdex/") {
			continue
		}
		pages++
		_, body, _ := strings.Cut(string(f.Data), "\n---\n") // YAML alone reads what stands before
		before, after, ok := strings.Cut(body, include)
		if !ok || strings.Contains(after, include) {
			t.Fatalf("%s does not have its charts once", f.Path)
		}
		for _, part := range []string{before, after} {
			if strings.Count(part, "{% raw %}") != strings.Count(part, "{% endraw %}") || strings.Contains(part, "\x00") {
				t.Errorf("%s: a part beside the charts is not closed:\n%s", f.Path, part)
			}
		}
	}
	if pages == 0 {
		t.Error("no pages")
	}
}

// described is all that descriptions say of a data set, in texts that each of them could take for its own language.
var described = Described{Name: hostile, Description: "Ours:\n--- # " + hostile, URL: "https://a.example/",
	Creator: hostile, License: LicenseOf("mit"), Published: "2025-01-01", Repository: "https://a.example/r"}

// Every description keeps the rules of its format, and Croissant has a file and a column for each field.
func TestDescriptions(t *testing.T) {
	ix, _, _ := cells(t)
	if m := (Described{}).Missing(); len(m) != 5 || len(described.Missing()) != 0 {
		t.Errorf("missing %v", m)
	}
	tables, err := Tables(ix)
	if err != nil {
		t.Fatal(err)
	}
	for _, license := range []string{"MIT", "https://spdx.org/licenses/CC-BY-4.0.html", "cdla-permissive-2.0",
		"https://a.example/terms", "in words: ask us", "none"} {
		about := described
		about.License = LicenseOf(license)
		croissant, err := Croissant(tables, about)
		if err != nil {
			t.Fatal(err)
		}
		citation, err := Citation(about)
		if err != nil {
			t.Fatal(err)
		}
		hub, err := HuggingFace([]HubFile{{File: tables[0].File, Config: "points", Columns: PointColumns(ix.Runs), Rows: 10_000},
			{File: tables[1].File, Config: "runs", Columns: RunColumns(ix.Runs)}}, about)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range append(hub, File{"croissant.json", croissant}, File{"CITATION.cff", citation}) {
			if err := sitetest.Valid(f.Path, f.Data); err != nil {
				t.Errorf("licence %q, %s: %v\n%s", license, f.Path, err, f.Data)
			}
		}
		onHub(t, hub)
	}
	for _, f := range tables {
		rows, err := csv.NewReader(bytes.NewReader(f.Data)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		if want := columnNames(f.Columns); !slices.Equal(rows[0], want) {
			t.Errorf("%s has the columns %v, described are %v", f.Path, rows[0], want)
		}
	}
}

// onHub holds the configurations of a data set on the Hub against its files.
func onHub(t *testing.T, files []File) {
	t.Helper()
	folders, names := map[string]int{}, map[string]bool{}
	var card []byte
	for _, f := range files {
		folders[path.Dir(f.Path)]++
		names[f.Path] = true
		if f.Path == "README.md" {
			card = f.Data
		}
	}
	for dir, n := range folders {
		if n >= 10_000 {
			t.Errorf("%d files in %s: the Hub takes fewer than 10,000", n, dir)
		}
	}
	var head struct {
		License string   `yaml:"license"`
		Link    string   `yaml:"license_link"`
		Name    string   `yaml:"license_name"`
		Sizes   []string `yaml:"size_categories"`
		Configs []struct {
			Name    string `yaml:"config_name"`
			Files   string `yaml:"data_files"`
			Default bool
		}
	}
	front := strings.SplitN(string(card), "---\n", 3)
	if err := yaml.Unmarshal([]byte(front[1]), &head); err != nil {
		t.Fatal(err)
	}
	if (head.License == "other") != (head.Name != "") || strings.ToLower(head.License) != head.License ||
		head.License == "" || len(head.Sizes) != 1 || head.Sizes[0] != "10K<n<100K" {
		t.Errorf("licence and size: %+v", head)
	}
	seen := map[string]bool{}
	for i, c := range head.Configs {
		if seen[c.Name] || !names[c.Files] || c.Default != (i == 0) {
			t.Errorf("configuration %+v", c)
		}
		seen[c.Name] = true
	}
	if len(seen) != 2 {
		t.Errorf("%d configurations", len(seen))
	}
	for _, bad := range []string{"<script", "\x1b", "](javascript"} {
		if strings.Contains(front[2], bad) {
			t.Errorf("the card has %q", bad)
		}
	}
}

// What settings do not say is taken of sources, where all say the same.
func TestDescribe(t *testing.T) {
	ix, _, _ := cells(t)
	if d := Describe(ix, nil); d.Creator != "" || !d.License.IsZero() || d.Name != "inferdex" {
		t.Errorf("guessed: %+v", d)
	}
	for _, r := range ix.Runs {
		r.Sources = []catalog.Source{{Author: "ACME", License: "CC0-1.0"}}
	}
	if d := Describe(ix, nil); d.Creator != "ACME" || d.License.Address != "https://spdx.org/licenses/CC0-1.0" {
		t.Errorf("all sources agree: %+v", d)
	}
	if d := Describe(ix, &settings.Config{Author: "We", License: "MIT"}); d.Creator != "We" || d.License.Name != "MIT" {
		t.Errorf("settings win: %+v", d)
	}
	for said, want := range map[string]string{"Ours": "Ours. ", "Ours.": "Ours. ", "Ours!": "Ours! "} {
		d := Describe(ix, &settings.Config{Description: said, Notice: said})
		if !strings.HasPrefix(d.Description, want) || !strings.HasSuffix(d.Description, "from. "+strings.TrimSpace(want)) {
			t.Errorf("%q is written %q", said, d.Description)
		}
	}
	ix.Runs[0].Sources = []catalog.Source{{Author: "ACME", License: "none stated"}}
	if d := Describe(ix, nil); d.Creator != "ACME" || !d.License.IsZero() {
		t.Errorf("one source has another licence: %+v", d)
	}
}

// A card has the sections of a happy_vllm model card, in their order, and each of its tables is one to GitHub, whatever
// stands in its cells.
func TestMarkdownOnGitHub(t *testing.T) {
	ix, _, _ := cells(t)
	github := goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithRendererOptions(renderer.WithUnsafe()))
	sections := regexp.MustCompile(`<h2[^>]*>(.*?)</h2>`)
	whole := 0
	for _, f := range Markdown(ix) {
		var b bytes.Buffer
		if err := github.Convert(f.Data, &b); err != nil {
			t.Fatal(err)
		}
		page := b.String()
		var got []string
		for _, m := range sections.FindAllStringSubmatch(page, -1) {
			got = append(got, m[1])
		}
		if strings.Contains(page, "<p>|") || strings.Contains(page, "<script") || strings.Contains(page, "<a href=\"j") ||
			strings.Count(page, "<details>") != strings.Count(page, "</details>") ||
			strings.Count(page, "<table>") != strings.Count(string(f.Data), "\n| ---") {
			t.Errorf("%s:\n%s", f.Path, page)
		}
		want := []string{"Main metrics", "Total generation speed", "Generation speed and latency", "Parameters", "Runs"}
		if slices.Contains(got, "Parameters") {
			whole++
			if len(got) < len(want) || !slices.Equal(got[:len(want)], want) {
				t.Errorf("%s has the sections %v", f.Path, got)
			}
		}
	}
	if whole == 0 {
		t.Error("no card has all sections")
	}
}

// Foreign text is one paragraph with that text and nothing else, wherever an export puts it.
func TestInertMarkdown(t *testing.T) {
	hugo := goldmark.New(goldmark.WithExtensions(extension.GFM, extension.Footnote, extension.DefinitionList))
	for _, text := range []string{"www.evil.example/free", "see WWW.evil.example or (www.evil.example)", "http://evil.example/a",
		"HTTPS://evil.example", "ftp://evil.example", "mailto:a@evil.example", "a@evil.example", "<http://evil.example>",
		"1. x", "2) x", "1.", "123456789) x", "- foo", "-", "+ x", "+", "* x", "-- x", "---", "***", "___", "===", "= x",
		": x", "# x", "#", "> x", "| a | b |", "| --- |", "~~~ x", "~~x~~", "```x", "`x`", "[^1]", "[^1]: x", "[x]: /y",
		"[x](/y)", "![x](/y)", "[ ] x", "[x] y", "- [x] y", "<b>x</b>", "<!-- x", "&amp;", "\\* x", "a_b_c _d_", "x  #",
		"-5", "+5 %", "1.5 x", "0.8.2", "a. b", "vLLM 0.8 (x) = 1 + 2 - 3"} {
		for place, in := range map[string][3]string{
			"a line":           {"", "\n", "<p>%</p>\n"},
			"a line below one": {"a\n", "\n", "<p>a\n%</p>\n"},
			"an indented line": {"\n", "\n", "<p>%</p>\n"},
			"within a line":    {"Of ", ", b.\n", "<p>Of %, b.</p>\n"},
			"a heading":        {"## ", "\n", "<h2>%</h2>\n"},
			"a list item":      {"- ", "\n", "<ul>\n<li>%</li>\n</ul>\n"},
			"a head of a table": {"| ", " |\n| --- |\n",
				"<table>\n<thead>\n<tr>\n<th>%</th>\n</tr>\n</thead>\n</table>\n"},
			"a cell": {"| a |\n| --- |\n| ", " |\n", "<table>\n<thead>\n<tr>\n<th>a</th>\n</tr>\n</thead>\n" +
				"<tbody>\n<tr>\n<td>%</td>\n</tr>\n</tbody>\n</table>\n"},
		} {
			var b bytes.Buffer
			given := text
			if place == "an indented line" {
				given = "\x00\t    " + text + "\n"
			}
			if err := hugo.Convert([]byte(in[0]+inert(given)+in[1]), &b); err != nil {
				t.Fatal(err)
			}
			want := strings.Replace(in[2], "%", text, 1)
			if got := b.String(); html.UnescapeString(got) != want || strings.Count(got, "<") != strings.Count(in[2], "<") {
				t.Errorf("%q as %s, which is written %q, becomes\n%s", text, place, inert(given), got)
			}
		}
	}
}
