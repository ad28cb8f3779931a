package site

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/inferdex/inferdex/ingest/record"
	"github.com/inferdex/inferdex/site/page"

	"golang.org/x/net/html"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/settings"
)

func ptr[T any](v T) *T { return &v }

func attributes(kv ...string) map[string]catalog.Attribute {
	m := map[string]catalog.Attribute{}
	for i := 0; i < len(kv); i += 2 {
		m[kv[i]] = catalog.Attribute{Value: kv[i+1], From: catalog.FromRecord, File: "in/run.json", Line: 1 + i}
	}
	return m
}

// suiteRun is a happy_vllm suite of two inputs by two outputs, or of headline figures alone.
func suiteRun(id, model, hardware, version string, speed float64, points bool) *catalog.Run {
	r := &catalog.Run{Version: 1, ID: id, Started: "2025-01-02T03:04:05", Identity: record.Identity{Tool: suiteTool, Session: id, Model: model},
		Attributes: attributes("model", model, "hardware", hardware, "count", "1", "engine", "vllm", "engine_version", version, "wrapper", "happy_vllm 1.2.4"),
		Parameters: map[string]catalog.Parameter{
			"gpu_memory_utilization": {Value: json.RawMessage("0.8"), At: catalog.Place{Source: "aaaaaaaaaaaa", Line: 2}},
			"quantization":           {Value: json.RawMessage("null")},
			"api_key":                {Value: json.RawMessage(`"redacted"`), Redacted: true},
		},
		Sources: []catalog.Source{{Path: "in/" + id + ".zip!a.json", SHA256: "aaaaaaaaaaaabbbb", Format: "happy-vllm", Title: "A source", Address: "https://example.org/", License: "none stated"}},
		Figures: []catalog.Figure{
			{Metric: metric.PromptIngestionSpeed, Unit: "tok/s", Published: "~8500 t/s"},
			{Metric: metric.SpeedPerRequest, Of: "1024/128 at 10", Unit: "tok/s", Published: "~36 t/s for each request"},
			{Metric: metric.KVCacheTokens, Unit: "tokens", Published: "~0k tokens"},
		}}
	if !points {
		return r
	}
	r.Figures[0].Value = ptr(8612.585)
	for _, in := range []float64{32, 1024} {
		for _, out := range []float64{16, 128} {
			for _, c := range []int64{1, 10, 38} {
				v := speed * float64(c) / (1 + float64(c)*in/4000)
				done := int64(1000)
				if c == 38 {
					done = 994
				}
				r.Points = append(r.Points, catalog.Point{
					Workload: record.Workload{Dataset: "prompts", Nominal: record.Lengths{Input: ptr(in), Output: ptr(out)}, Actual: record.Lengths{Input: ptr(in * 0.8), Output: ptr(out)}},
					Load:     record.Load{MaxConcurrency: ptr(c)}, Submitted: ptr(int64(1000)), Completed: ptr(done), At: catalog.Place{Source: "aaaaaaaaaaaa", Line: 1},
					Metrics: map[metric.ID]catalog.Stat{
						metric.OutputThroughput:     {Value: ptr(v), Unit: "tok/s"},
						metric.TotalGenerationSpeed: {Value: ptr(v * 1.01), Unit: "tok/s"},
						metric.SpeedPerRequest:      {Median: ptr(v / float64(c)), Unit: "tok/s", Percentiles: []catalog.Percentile{{P: 25, Value: v / float64(c) * 0.9}, {P: 75, Value: v / float64(c) * 1.1}}},
						metric.TTFT:                 {Median: ptr(0.01 * float64(c)), Mean: ptr(0.011 * float64(c)), Unit: "s", Percentiles: []catalog.Percentile{{P: 99, Value: 0.05 * float64(c)}}},
						metric.KVCacheUsage:         {Max: ptr(math.Min(1, float64(c)/38)), Unit: "fraction"},
					}})
			}
		}
	}
	r.Profiles = []catalog.Profile{
		{Curves: record.Curves{Name: "prompt ingestion", Kind: "scatter", XLabel: "prompt length", XUnit: "tokens", X: []float64{1, 2, 3}, Lines: []record.Line{{Label: "TTFT", Unit: "s", Y: []float64{1, 2, 3}}}, FitSlope: ptr(0.001), FitIntercept: ptr(0.02)}},
		{Curves: record.Curves{Name: "kv cache, 32 in", Kind: "time", XLabel: "time", XUnit: "s", X: []float64{0, 1}, Lines: []record.Line{{Label: "use", Unit: "fraction", Y: []float64{0, 0.5}}, {Label: "running", Unit: "requests", Y: []float64{0, 3}}}}},
		{Curves: record.Curves{Name: "kv cache, 1024 in", Kind: "time", XLabel: "time", XUnit: "s", X: []float64{0, 1}, Lines: []record.Line{{Label: "use", Unit: "fraction", Y: []float64{0, 0.7}}}}},
	}
	return r
}

// rateRun is a series of serving results by request rate, the last one infinite and incomplete.
func rateRun(id, series string, factor float64) *catalog.Run {
	r := &catalog.Run{Version: 1, ID: id, Started: "2025-04-24", Identity: record.Identity{Tool: "vllm-bench-serve", Session: id, Model: "org/rated-24B"},
		Attributes: attributes("model", "org/rated-24B", "hardware", "MI300X", "engine", "vllm", "series", series),
		Sources:    []catalog.Source{{Path: "in/page.md", SHA256: "cccccccccccc0000", Format: "jekyll-page"}}}
	if series == "base" {
		r.Attributes["baseline"] = catalog.Attribute{Value: "true", From: catalog.FromSidecar, File: "in/run.toml", Line: 3}
	}
	for i, rate := range []float64{1, 3, math.Inf(1)} {
		sent := int64(100)
		done := sent
		if math.IsInf(rate, 1) {
			done = 50
		}
		t := factor * math.Pow(10, float64(i)) / 10
		r.Points = append(r.Points, catalog.Point{
			Workload: record.Workload{Dataset: "random", Actual: record.Lengths{Input: ptr(1000.0), Output: ptr(100.0)}, NumPrompts: ptr(sent)},
			Load:     record.Load{Rate: ptr(record.Float(rate))}, Submitted: ptr(sent), Completed: ptr(done), At: catalog.Place{Source: "cccccccccccc", Line: 10 + i},
			Metrics: map[metric.ID]catalog.Stat{
				metric.OutputThroughput: {Value: ptr(100 / factor), Unit: "tok/s"}, metric.RequestThroughput: {Value: ptr(math.Min(rate, 5)), Unit: "req/s"},
				metric.TTFT: {Mean: ptr(t), Median: ptr(t * 0.9), Unit: "s", Percentiles: []catalog.Percentile{{P: 99, Value: t * 3}}},
				metric.TPOT: {Mean: ptr(0.02 * factor), Unit: "s"}, metric.ITL: {Mean: ptr(0.02 * factor), Unit: "s"},
			},
			Distributions: map[metric.ID]catalog.Distribution{metric.TTFT: halves(done, t), metric.ITL: halves(40*done, t/50)}})
	}
	return r
}

// reportRun is a report of named scenarios, one of them a scaling series.
func reportRun(id string) *catalog.Run {
	r := &catalog.Run{Version: 1, ID: id, Started: "2025-12-23T15:30:09", Identity: record.Identity{Tool: "bench-and-report", Session: id, Model: hostile},
		Attributes: attributes("model", hostile, "hardware", "4x AMD Instinct MI100 "+hostile, "count", "4", "engine", "vllm", "os", "Linux", "cpu", hostile, "command", "vllm serve x \\\n  --port 1"),
		Sources:    []catalog.Source{{Path: "in/" + hostile + ".md", SHA256: "dddddddddddd0000", Format: "bench-report", Title: hostile, Address: "javascript:alert(1)", License: hostile}},
		Findings:   []catalog.Finding{{Code: "report-differs", Severity: record.Warning, Path: hostile, Line: 3, Message: hostile}, {Code: "accepted", Severity: record.Error, Message: "known", Accepted: true}}}
	add := func(name string, c, prompts int64, v float64) {
		r.Points = append(r.Points, catalog.Point{Workload: record.Workload{Name: name, Dataset: "random", Nominal: record.Lengths{Input: ptr(1024.0), Output: ptr(256.0)}, NumPrompts: ptr(prompts)},
			Load: record.Load{MaxConcurrency: ptr(c)}, Submitted: ptr(prompts), Completed: ptr(prompts), At: catalog.Place{Source: "dddddddddddd", Line: int(c)}, Errors: []record.ErrorCount{{Text: hostile, Count: 1}},
			Metrics: map[metric.ID]catalog.Stat{metric.OutputThroughput: {Value: ptr(v), Unit: "tok/s"}, metric.TTFT: {Mean: ptr(0.1 * float64(c)), Median: ptr(0.1 * float64(c)), Unit: "s", Percentiles: []catalog.Percentile{{P: 99, Value: 0.12 * float64(c)}}},
				metric.TPOT: {Mean: ptr(0.02), Median: ptr(0.02), Unit: "s", Percentiles: []catalog.Percentile{{P: 99, Value: 0.021}}}}})
	}
	add("Single "+hostile, 1, 20, 49)
	add("Scaling (c=2)", 2, 30, 97)
	add("Scaling (c=4)", 4, 30, 168)
	add("Scaling (c=32)", 32, 30, 387)
	return r
}

// testCatalog has every kind of run, names in no list, and raw records short and long.
func testCatalog(t *testing.T) (*figure.Index, *catalog.Catalog, Options) {
	t.Helper()
	names, diags := settings.LoadNames(os.DirFS("../data"))
	for _, d := range diags {
		t.Fatal(d)
	}
	c := &catalog.Catalog{Runs: []*catalog.Run{
		suiteRun("suite1", "codellama/CodeLlama-7b-Instruct-hf", "A100-80g", "0.6.4", 60, true),
		suiteRun("suite2", "codellama/CodeLlama-7b-Instruct-hf", "A100-80g", "0.8.2", 70, true),
		suiteRun("suite3", "codellama/CodeLlama-7b-Instruct-hf", "V100-32g", "0.6.4", 30, true),
		suiteRun("figures1", "codellama/CodeLlama-7b-Instruct-hf", "H100", "0.6.4", 0, false),
		suiteRun("figures2", "microsoft/Phi-3-vision-128k-instruct", "H100", "0.6.4", 0, false),
		rateRun("rate1", "base", 2), rateRun("rate2", "patched", 1), reportRun("report1"),
		{Version: 1, ID: "empty1", Identity: record.Identity{Tool: "unknown"}},
		{Version: 1, ID: "gone1", Identity: record.Identity{Tool: "unknown", Model: "m"}, Withdrawn: "measured with a debug build"},
	}}
	c.Runs[4].Attributes["hardware"] = catalog.Attribute{Value: "H100", From: catalog.FromOverride, File: "in/run.toml", Line: 2, Was: "A100", Reason: "as its folder says", Others: []catalog.Other{{Value: "A100", From: catalog.FromRecord, File: "in/x"}}}
	c.Inputs = []*catalog.Input{{Version: 1, Path: "in/" + hostile, SHA256: "aaaa", Ignored: []catalog.InputFile{{Path: hostile, Reason: hostile}}, Rejected: []catalog.Rejected{{Path: hostile, Line: 2, Col: 3, Message: hostile}}, Unmapped: map[string]map[string]int{hostile: {hostile: 2}}, Runs: []string{"suite1"}}}
	c.Raw = func(id string) ([]catalog.RawRecord, error) {
		raw := func(n int) json.RawMessage { return json.RawMessage(`{"text":"` + strings.Repeat("x", n) + `"}`) }
		switch id {
		case "suite1": // too much for one page
			return []catalog.RawRecord{{Raw: raw(30000)}, {Raw: raw(30000)}, {Raw: raw(100000)}, {Record: json.RawMessage("{}")}}, nil
		case "report1":
			return []catalog.RawRecord{{Raw: json.RawMessage(`{"prompt":"</pre><script>alert(1)</script>"}`)}}, nil
		}
		return nil, nil
	}
	return figure.NewIndex(c, names), c, Options{
		Config:  &settings.Config{Title: "test", BaseURL: "https://example.org/b/", Repository: "https://example.org/r", Notice: "synthetic"},
		Formats: []FormatDoc{{Name: "x-y", Title: "X", Tool: hostile, Command: "x", Files: "*.x", Reads: "x", Unknown: "y"}},
	}
}

// made is a page with its fragments written.
type made struct {
	page      *page.Page
	params    string // JSON
	fragments map[string]string
	ids       map[string]bool
	links     []string
}

func makeAll(t *testing.T) (pages map[string]*made, files map[string]bool) {
	t.Helper()
	ix, c, o := testCatalog(t)
	pages, files = map[string]*made{}, map[string]bool{}
	for p, err := range Pages(ix, c, o) {
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
			m.fragments[name] = render(t, f)
		}
		pages[p.Path] = m
	}
	for f, err := range Files(ix, c, o) {
		if err != nil {
			t.Fatal(err)
		}
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
			if tok.Data == "script" && name == "dataset" && len(tok.Attr) == 1 && tok.Attr[0].Val == "application/ld+json" {
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

func TestPagesAreWhole(t *testing.T) {
	pages, files := makeAll(t)
	ix, _, _ := testCatalog(t)
	for _, m := range pages {
		m.collect(t)
	}
	for at, m := range pages {
		dir := at
		for _, l := range m.links {
			if strings.HasPrefix(l, "https://example.org/") || slices.ContainsFunc(ix.Names.Changes("vllm"), func(c settings.Change) bool { return c.Address == l }) {
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
			if to.page.Path == pathCompare && files[pathShards+anchor+".js"] {
				continue // the choice of a run
			}
			if anchor != "" && !to.ids[anchor] {
				t.Errorf("page %q links to %q, which has no such anchor", at, l)
			}
		}
	}
}

// accidents are what Go, Python or JavaScript print where a value is missing or of another type.
var accidents = regexp.MustCompile(`<no value>|<nil>|%!|map\[|\bNaN\b|\bundefined\b|\d[eE][+-]\d\d|0x[0-9a-f]{6,}|&amp;amp;`)

func TestNothingByAccident(t *testing.T) {
	pages, _ := makeAll(t)
	for at, m := range pages {
		if s := accidents.FindString(m.params); s != "" {
			t.Errorf("page %q: %q in its view", at, s)
		}
		for name, f := range m.fragments {
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
		{"cards/rated-24b-on-mi300x", "pivot-ttft", `50.0` + "\u202f" + `%`},               // faster by: (2-1)/2
		{"cards/rated-24b-on-mi300x", "pivot-ttft", `class="n best"`},                      // the best of a row
		{"cards/rated-24b-on-mi300x", "pivot-ttft", `<tr id="ttft-at-inf" class="amber">`}, // incomplete
		{"cards/rated-24b-on-mi300x", "pivot-ttft", `of 100`},
		{"runs/rate1", "points-1000-100", `page.md:12`},
		{"runs/rate1", "points-1000-100", `href="#src-cccccccccccc"`},
		{"scorecard/1024-128/speed-per-request", "matrix", "~36"},
		{"scorecard/1024-128/speed-per-request", "matrix", "other workload"},
		{"", "matrix", "never run"},
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
		{"cards/codellama-7b-instruct-hf-on-a100-80gb", "of the newest engine version, vLLM 0.8.2"},
		{"runs/gone1", "measured with a debug build"},
		{"runs/rate1", "50 of 100"},
		{"data", "[[model]]"},
		{"runs/report1", "Not recorded"},
	} {
		if m := pages[c.page]; m == nil || !strings.Contains(m.params, c.want) {
			t.Errorf("page %q does not say %q", c.page, c.want)
		}
	}
}

func TestRawRecordsArePaged(t *testing.T) {
	pages, files := makeAll(t)
	if _, ok := pages["runs/suite1"].fragments["raw"]; ok {
		t.Error("160 kB of records stand on the page of the run")
	}
	n := 0
	for at, m := range pages {
		if strings.HasPrefix(at, "runs/suite1/records-") {
			n++
			if s := len(m.fragments["raw"]); s > maxInline+1000 {
				t.Errorf("page %q holds %d bytes of records", at, s)
			}
		}
	}
	if n != 2 {
		t.Errorf("%d pages of records, want 2: two short records together, a long one alone", n)
	}
	if !files["runs/suite1/records.jsonl.gz"] {
		t.Error("the records cannot be downloaded")
	}
	if f := pages["runs/report1"].fragments["raw"]; strings.Count(f, "<pre") != 1 || strings.Contains(f, "<script") {
		t.Errorf("records are not text:\n%s", f)
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
	for p, err := range Pages(ix, c, Options{}) {
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range p.Fragments {
			render(t, f)
		}
		paths = append(paths, p.Path)
	}
	for f, err := range Files(ix, c, Options{}) {
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
	if want := []string{"", "models", "hardware", "engines", "compare", "rankings", "runs", "data", "about/methodology", "about/formats", "404.html"}; !slices.Equal(paths, want) {
		t.Errorf("pages %v, want %v", paths, want)
	}
}

func TestPagesStopsWhenAsked(t *testing.T) {
	ix, c, o := testCatalog(t)
	n := 0
	for range Pages(ix, c, o) {
		if n++; n == 3 {
			break
		}
	}
	c.Raw = func(string) ([]catalog.RawRecord, error) { return nil, fmt.Errorf("disk on fire") }
	failed := false
	for _, err := range Pages(ix, c, o) {
		if err != nil {
			failed = true
		}
	}
	if !failed {
		t.Error("raw records cannot be read, and no page says so")
	}
}

// render is what a fragment writes.
func render(t *testing.T, f page.Fragment) string {
	t.Helper()
	var b bytes.Buffer
	if err := f(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// hostile is text that must never be read as markup.
const hostile = `<script>alert(1)</script><img src=x onerror="alert(1)"> ' & "` + "\x00\xff"
