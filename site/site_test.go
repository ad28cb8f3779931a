package site

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"weak"

	"github.com/inferdex/inferdex/site/page"
	"github.com/inferdex/inferdex/site/sitetest"
	"github.com/inferdex/inferdex/site/view"

	"golang.org/x/net/html"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/settings"
)

// made is a page with its fragments written.
type made struct {
	page      *page.Page
	params    string // JSON
	fragments map[string]string
	ids       map[string]bool
	links     []string
}

// A site holds no page that was made: each is made again when it is rendered.
func TestPagesAreNotHeld(t *testing.T) {
	ix, c, o := testCatalog(t)
	s := New(ix, c, o)
	held := map[string]weak.Pointer[page.Page]{}
	for p, err := range s.Pages() {
		if err != nil {
			t.Fatal(err)
		}
		if p.Make == nil {
			t.Errorf("%s cannot be made again", p.Path)
		}
		held[p.Path] = weak.Make(p)
	}
	if len(held) == 0 {
		t.Fatal("there are no pages")
	}
	runtime.GC()
	for path, p := range held {
		if p.Value() != nil {
			t.Errorf("%s is held", path)
		}
	}
	runtime.KeepAlive(s)
}

func makeAll(t *testing.T) (pages map[string]*made, files map[string]bool) {
	t.Helper()
	ix, c, o := testCatalog(t)
	pages, files = map[string]*made{}, map[string]bool{}
	for p, err := range New(ix, c, o).Pages() {
		if err != nil {
			t.Fatal(err)
		}
		if pages[p.Path] != nil {
			t.Errorf("two pages at %q", p.Path)
		}
		j, err := json.Marshal(p.Params)
		if err != nil {
			t.Fatal(err)
		}
		m := &made{page: p, params: string(j), fragments: map[string]string{}, ids: map[string]bool{}}
		for name, f := range p.Fragments {
			m.fragments[name] = strings.ReplaceAll(sitetest.Spelt(t, f), "<wbr>", "") // where a line may end
		}
		pages[p.Path] = m
	}
	for _, f := range allFiles(t, New(ix, c, o)) {
		if files[f.Path] {
			t.Errorf("two files at %q", f.Path)
		}
		files[f.Path] = true
		var b bytes.Buffer
		if err := f.Write(&b); err != nil {
			t.Errorf("%s: %v", f.Path, err)
		}
		if b.Len() == 0 && f.Path != ".nojekyll" {
			t.Errorf("%s is empty", f.Path)
		}
		if strings.HasSuffix(f.Path, ".svg") && !bytes.HasPrefix(bytes.TrimSpace(b.Bytes()), []byte("<")) {
			t.Errorf("%s is no SVG", f.Path)
		}
	}
	return pages, files
}

// collect gathers anchors and links of a page from its view and its fragments.
func (m *made) collect(t *testing.T) {
	var v any
	if err := json.Unmarshal([]byte(m.params), &v); err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{}
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			for k, x := range v {
				s, isText := x.(string)
				switch {
				case isText && k == "id":
					if m.ids[s] {
						t.Errorf("page %q: two elements have the id %q", m.page.Path, s)
					}
					m.ids[s] = true
				case isText && k == "href":
					m.links = append(m.links, s)
				case isText && (k == "chart" || k == "table" || k == "fragment"):
					used[s] = true
					if _, ok := m.fragments[s]; !ok {
						t.Errorf("page %q asks for the fragment %q, which is not there", m.page.Path, s)
					}
				}
				if k == "blocks" {
					for _, b := range x.([]any) {
						if n := len(b.(map[string]any)); n != 1 {
							t.Errorf("page %q: a block has %d members: %v", m.page.Path, n, b)
						}
					}
				}
				walk(x)
			}
		case []any:
			if len(v) == 0 {
				t.Errorf("page %q: an empty list in its view", m.page.Path)
			}
			for _, x := range v {
				walk(x)
			}
		}
	}
	walk(v)
	m.ids["headline"], m.ids["scorecard"] = true, true // in the layouts
	for name, f := range m.fragments {
		if !used[name] {
			t.Errorf("page %q: nothing shows the fragment %q", m.page.Path, name)
		}
		z := html.NewTokenizer(strings.NewReader(f))
		for {
			tt := z.Next()
			if tt == html.ErrorToken {
				if z.Err() != io.EOF {
					t.Errorf("page %q, fragment %q: %v", m.page.Path, name, z.Err())
				}
				break
			}
			if tt != html.StartTagToken && tt != html.SelfClosingTagToken {
				continue
			}
			tok := z.Token()
			if tok.Data == "script" && name == "dataset" && len(tok.Attr) == 1 &&
				tok.Attr[0].Val == "application/ld+json" {
				continue // a data block
			}
			if tok.Data == "script" || tok.Data == "img" {
				t.Errorf("page %q, fragment %q: an element %q", m.page.Path, name, tok.Data)
			}
			for _, a := range tok.Attr {
				switch {
				case a.Key == "id":
					if m.ids[a.Val] {
						t.Errorf("page %q: two elements have the id %q", m.page.Path, a.Val)
					}
					m.ids[a.Val] = true
				case a.Key == "href":
					m.links = append(m.links, a.Val)
				case a.Key == "style" || strings.HasPrefix(a.Key, "on"):
					t.Errorf("page %q, fragment %q: attribute %q", m.page.Path, name, a.Key)
				}
			}
		}
	}
}

// handWritten are pages and anchors of content/ that generated pages link to.
var handWritten = map[string]bool{"about/index.html": true, "about/glossary/index.html": true}

// inDatasetteLite opens the tables that the page of downloads has unpacked.
const inDatasetteLite = "https://lite.datasette.io/?csv=https%3A%2F%2Fexample.org%2Fb%2Fdata%2Fpoints.csv" +
	"&csv=https%3A%2F%2Fexample.org%2Fb%2Fdata%2Fruns.csv"

func TestPagesAreWhole(t *testing.T) {
	pages, files := makeAll(t)
	ix, _, _ := testCatalog(t)
	for _, m := range pages {
		m.collect(t)
	}
	for at, m := range pages {
		dir := at
		for _, l := range m.links {
			if at == "data" && l == inDatasetteLite && files["data/points.csv"] && files["data/runs.csv"] {
				continue
			}
			if strings.HasPrefix(l, "https://example.org/") ||
				slices.ContainsFunc(ix.Names.Changes("vllm"), func(c settings.Change) bool { return c.Address == l }) {
				continue
			}
			if strings.Contains(l, ":") {
				t.Errorf("page %q links to %q", at, l)
				continue
			}
			target, anchor, _ := strings.Cut(l, "#")
			target, _, _ = strings.Cut(target, "?") // what a script reads
			to := m
			if target != "" {
				p := path.Join(dir, target)
				if files[p] || handWritten[p] {
					continue
				}
				to = pages[strings.TrimSuffix(strings.TrimSuffix(p, "index.html"), "/")]
				if to == nil || path.Base(p) != "index.html" {
					t.Errorf("page %q links to %q, where there is nothing", at, l)
					continue
				}
			}
			if noRun := func(
				id string) bool {
				return !files["compare/runs/"+id+".js"]
			}; to.page.Path == view.PathCompare &&
				!slices.ContainsFunc(strings.Split(anchor, ","), noRun) {
				continue // the choice of runs
			}
			if anchor != "" && !to.ids[anchor] {
				t.Errorf("page %q links to %q, which has no such anchor", at, l)
			}
		}
	}
}

// accidents are what Go, Python or JavaScript print where a value is missing or of another type.
var accidents = regexp.MustCompile(
	`<no value>|<nil>|%!|map\[|\bNaN\b|\bundefined\b|\d[eE][+-]\d\d|0x[0-9a-f]{6,}|&amp;amp;`)

func TestNothingByAccident(t *testing.T) {
	pages, _ := makeAll(t)
	for at, m := range pages {
		if s := accidents.FindString(m.params); s != "" {
			t.Errorf("page %q: %q in its view", at, s)
		}
		for name, f := range m.fragments {
			if name == "embed" { // markup to copy, shown as text
				f = strings.ReplaceAll(f, "&amp;", "&")
			}
			if s := accidents.FindString(f); s != "" {
				t.Errorf("page %q, fragment %q: %q", at, name, s)
			}
			if strings.HasPrefix(name, "chart-") && !strings.Contains(f, "<svg") {
				t.Errorf("page %q, fragment %q draws nothing", at, name)
			}
			if strings.Contains(f, "<tbody>\n</tbody>") {
				t.Errorf("page %q, fragment %q: a table without rows", at, name)
			}
		}
	}
}

// TestFactsOnPages holds numbers and words that readers look for to the pages they belong on.
func TestFactsOnPages(t *testing.T) {
	pages, _ := makeAll(t)
	for _, c := range []struct{ page, where, want string }{
		{"cards/rated-24b-on-mi300x", "pivot-ttft", ">50\u202f%<"},                         // faster by: (2-1)/2
		{"cards/rated-24b-on-mi300x", "pivot-ttft", `class="n best"`},                      // the best of a row
		{"cards/rated-24b-on-mi300x", "pivot-ttft", `<tr id="ttft-at-inf" class="amber">`}, // incomplete
		{"cards/rated-24b-on-mi300x", "pivot-ttft", `of 100`},
		{"runs/rate1", "points-1000-100", `page.md:12`},
		{"runs/rate1", "points-1000-100", `href="#src-cccccccccccc"`},
		{"scorecard/1024-128/speed-per-request", "matrix", "~36"},
		{"scorecard/1024-128/speed-per-request", "matrix", "never run"},
		{"scorecard", "workloads", `href="1024-16/index.html#scorecard"`},
		{"hardware", "hardware", ", count"}, // below the name: no column
		{"", "find", "rated-24b-on-mi300x"}, // what the first scorecard has no row for is found by name
		{"models/codellama-7b-instruct-hf", "ranked", "A100 80 GB"},
		{"models/codellama-7b-instruct-hf", "ranked", "figures only"},
		{"runs/suite1", "params-differ", "gpu_memory_utilization"},
		{"runs/suite1", "params-all", "redacted"},
		{"runs/figures2", "provenance", "<del>A100</del> H100"},
		{"runs/figures2", "provenance", "as its folder says"},
		{"data", "rejected", ":2:3"},
	} {
		m := pages[c.page]
		if m == nil {
			t.Errorf("there is no page %q", c.page)
			continue
		}
		if !strings.Contains(m.fragments[c.where], c.want) {
			t.Errorf("page %q, fragment %q has no %q:\n%.2000s", c.page, c.where, c.want, m.fragments[c.where])
		}
	}
	for _, c := range []struct{ page, want string }{
		{"cards/codellama-7b-instruct-hf-on-a100-80gb", "Headline metrics are those of vLLM 0.8.2: "},
		{"runs/gone1", "measured with a debug build"},
		{"runs/rate1", "50 of 100"},
		{"data", "[[model]]"},
		{"runs/report1", "Not recorded"},
		{"runs", "stand on its own page too"},
	} {
		if m := pages[c.page]; m == nil || !strings.Contains(m.params, c.want) {
			t.Errorf("page %q does not say %q", c.page, c.want)
		}
	}
}

// Short records stand on the page of their run, packed on that of its card where that has no other. Long ones are packed, for a
// script and as a download.
func TestRawRecords(t *testing.T) {
	pages, _ := makeAll(t)
	files := filesOf(t, nil)
	var want strings.Builder
	ix, c, _ := testCatalog(t)
	records, err := c.Raw("suite1")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range records {
		if len(r.Raw) > 0 {
			want.Write(append(r.Raw, '\n'))
		}
	}
	unpacked := func(data []byte) string {
		z, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(z)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	if unpacked(files["runs/suite1/records.jsonl.gz"]) != want.String() {
		t.Error("the download has not the records of the run")
	}
	call := string(files["runs/suite1/records-1.js"])
	call = strings.TrimSuffix(strings.TrimPrefix(call, `inferdex.records("`), "\");\n")
	data, err := base64.StdEncoding.DecodeString(call)
	if err != nil {
		t.Fatalf("the script does not call records with base64: %v\n%.100s", err, call)
	}
	if unpacked(data) != want.String() {
		t.Error("the script has not the records of the run")
	}
	if f := pages["runs/suite1"].fragments["raw"]; len(f) > 500 || !strings.Contains(f, `"records.jsonl.gz"`) {
		t.Errorf("the page of the run does not say where its records are:\n%.500s", f)
	}
	_, r, err := ix.Find("report1")
	if err != nil {
		t.Fatal(err)
	}
	if f := pages[page.PathCard(r.Card.Slug)].fragments["raw"]; strings.Count(f, "data-lines=") != 1 || strings.Contains(f, "<script") {
		t.Errorf("the page of a card has not the records of its run:\n%s", f)
	}
	if files["runs/report1/records-1.js"] != nil {
		t.Error("records that stand on a page are packed for a script too")
	}
}

// TestSameBytes makes everything twice.
func TestSameBytes(t *testing.T) {
	a, _ := makeAll(t)
	b, _ := makeAll(t)
	for at, m := range a {
		if b[at] == nil || b[at].params != m.params {
			t.Errorf("page %q: another view the second time", at)
			continue
		}
		for name, f := range m.fragments {
			if b[at].fragments[name] != f {
				t.Errorf("page %q: another fragment %q the second time", at, name)
			}
		}
	}
}

func TestEmptyCatalog(t *testing.T) {
	names, _ := settings.LoadNames(os.DirFS("../data"))
	c := &catalog.Catalog{}
	ix := figure.NewIndex(c, names)
	var paths []string
	for p, err := range New(ix, c, view.Options{}).Pages() {
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range p.Fragments {
			sitetest.Spelt(t, f)
		}
		paths = append(paths, p.Path)
	}
	for f, err := range New(ix, c, view.Options{}).Files() {
		if err != nil {
			t.Fatal(err)
		}
		if f.Path == "sitemap.xml" {
			t.Error("a sitemap without a base URL")
		}
		if err := f.Write(io.Discard); err != nil {
			t.Fatal(err)
		}
	}
	if want := []string{"", "models", "hardware", "engines", "compare", "rankings", "runs", "data", "about/methodology",
		"about/formats", "check", "404.html"}; !slices.Equal(paths, want) {
		t.Errorf("pages %v, want %v", paths, want)
	}
}

func TestPagesStopsWhenAsked(t *testing.T) {
	ix, c, o := testCatalog(t)
	n := 0
	for range New(ix, c, o).Pages() {
		if n++; n == 3 {
			break
		}
	}
	c.Raw = func(string) ([]catalog.RawRecord, error) { return nil, fmt.Errorf("disk on fire") }
	failed := false
	for _, err := range New(ix, c, o).Pages() {
		if err != nil {
			failed = true
		}
	}
	if !failed {
		t.Error("raw records cannot be read, and no page says so")
	}
}
