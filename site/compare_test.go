package site

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/settings"
	"github.com/inferdex/inferdex/site/page"
	"github.com/inferdex/inferdex/site/sitetest"
	"github.com/inferdex/inferdex/site/view"
)

// pairCatalog has one model on two machines, whose prompts are 10 % apart in tokens, a second version
// that knows an argument more, and a result of another tool.
func pairCatalog(t *testing.T) (map[string]*made, map[string]string) {
	t.Helper()
	names, _ := settings.LoadNames(os.DirFS("../data"))
	const model = "codellama/CodeLlama-7b-Instruct-hf"
	fast, slow := sitetest.SuiteRun("fast", model, "A100-80g", "0.6.4", 60, true), sitetest.SuiteRun("slow", model,
		"V100-32g", "0.6.4", 30, true)
	old := sitetest.SuiteRun("old", model, "A100-80g", "0.6.1", 60, true)
	for i := range slow.Points {
		slow.Points[i].Workload.Actual.Input = sitetest.Ptr(*slow.Points[i].Workload.Actual.Input * 1.1)
	}
	for _, r := range []*catalog.Run{fast, slow, old} {
		for i := range r.Points { // 1,000 requests stand behind each median
			for m, s := range r.Points[i].Metrics {
				if s.Median != nil {
					s.N = 1000
					s.MedianLow, s.MedianHigh = sitetest.Ptr(*s.Median*0.99), sitetest.Ptr(*s.Median*1.01)
					r.Points[i].Metrics[m] = s
				}
			}
		}
	}
	slow.Parameters["dtype"] = catalog.Parameter{Value: json.RawMessage(`"float16"`)}
	fast.Parameters["dtype"] = catalog.Parameter{Value: json.RawMessage(`"bfloat16"`)}
	double := sitetest.SuiteRun("double", model, "2x V100-32g", "0.6.4", 90, true)
	double.Attributes["count"] = catalog.Attribute{Value: "2"}
	other := sitetest.RateRun("other", "x", 1)
	other.Identity.Model = model
	other.Attributes["model"], other.Attributes["hardware"] = catalog.Attribute{Value: model},
		catalog.Attribute{Value: "H100"}
	c := &catalog.Catalog{Runs: []*catalog.Run{fast, slow, old, double, other}}
	c.Raw = func(string) ([]catalog.RawRecord, error) { return nil, nil }
	ix, o := figure.NewIndex(c, names), view.Options{Config: &settings.Config{BaseURL: "https://example.org/b/"}}
	pages, files := map[string]*made{}, map[string]string{}
	for p, err := range New(ix, c, o).Pages() {
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(p.Path, view.PathCompare) {
			continue
		}
		j, _ := json.Marshal(p.Params)
		m := &made{page: p, params: strings.NewReplacer("\u202f", " ", "\u00a0", " ").Replace(string(j)),
			fragments: map[string]string{}}
		for name, f := range p.Fragments {
			m.fragments[name] = strings.NewReplacer("\u202f", " ", "<wbr>", "").Replace(sitetest.Spelt(t, f))
		}
		pages[p.Path] = m
	}
	for f, err := range New(ix, c, o).Files() {
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(f.Path, view.PathCompare+"/") {
			var b strings.Builder
			if err := f.Write(&b); err != nil {
				t.Fatal(err)
			}
			files[f.Path] = b.String()
		}
	}
	return pages, files
}

const pairSlug = "codellama-7b-instruct-hf-on-a100-80gb-vs-codellama-7b-instruct-hf-on-v100-32gb"

// TestPairPage: who wins, by how much, how sure that is and what differed is in the first lines; what
// is not alike stands in amber beside a chart that stands.
func TestPairPage(t *testing.T) {
	pages, files := pairCatalog(t)
	p := pages["compare/"+pairSlug]
	if p == nil {
		t.Fatalf("no page %s", pairSlug)
	}
	var v struct {
		Lede  []page.Part
		Stats []page.Stat
	}
	if err := json.Unmarshal([]byte(p.params), &v); err != nil {
		t.Fatal(err)
	}
	// 38 parallel requests of 1 024 tokens: both speeds are shared by 1 + 38 × 1024/4000 = 10.728, so
	// 60 × 38 / 10.728 = 212.5 and 106.3 tok/s; the speed of a request likewise, −50 %.
	if got := view.Plain(
		v.Lede); got != "Output throughput is 50 % lower on V100 32 GB, which is worse: 106 tok/s against 213 tok/s "+
		"on A100 80 GB at 38 parallel requests with 1 024 → 128 (one measurement each: whether it is chance cannot "+
		"be told)." {
		t.Errorf("lede: %s", got)
	}
	var tiles []string
	for _, s := range v.Stats {
		tiles = append(tiles, s.Name+": "+s.Value+s.Unit+", "+view.Plain(s.Note))
	}
	want := []string{
		"Output throughput at 38 parallel requests: −50%, better: 213 tok/s on A100 80 GB against 106 tok/s on V100 " +
			"32 GB", // the lede says that it was measured once
		"Median TTFT at 38 parallel requests: 0%, equal: 380 ms on V100 32 GB against 380 ms on A100 80 GB; not " +
			"distinguishable",
		"Median speed per request at 38 parallel requests: −50%, better: 5.59 tok/s on A100 80 GB against 2.80 tok/s " +
			"on V100 32 GB; distinguishable within the runs",
		"Launch arguments with another effective value: 1, dtype",
	}
	for i, w := range want {
		if i >= len(tiles) || tiles[i] != w {
			t.Errorf("figure %d: %q, want %q", i, tiles, w)
			break
		}
	}
	for _, w := range []string{
		"the actual input lengths are 10 % apart (819 and 901 tokens): another tokenizer", // in amber, and
		`"chart":"chart-fig-output-throughput"`,                                           // the chart stands
		`"topic":"Lengths differ","warn":true`,
		"1 launch argument has another effective value, dtype (float16 against bfloat16)",
		"distinguishable within the runs: the 95 % intervals of the median over 1 000 and 1 000 requests do not " +
			"overlap; how far repeated runs lie apart is not known",
	} {
		if !strings.Contains(p.params, w) {
			t.Errorf("%q is not on the page", w)
		}
	}
	for _, w := range []string{`id="par-argument-dtype"`, "float16", "bfloat16"} {
		if !strings.Contains(p.fragments["diff"], w) {
			t.Errorf("%q is not in the parameter diff: %s", w, p.fragments["diff"])
		}
	}
	if strings.Contains(p.fragments["diff"], "gpu_memory_utilization") || p.fragments["same"] != "" {
		t.Error("what is equal stands on the page")
	}
	// The other way round is a redirect, which names the page it leads to.
	back := files["compare/codellama-7b-instruct-hf-on-v100-32gb-vs-codellama-7b-instruct-hf-on-a100-80gb/index.html"]
	for _, w := range []string{`http-equiv="refresh" content="0; url=../` + pairSlug + `/index.html"`, `<a href=../` +
		pairSlug + `/index.html>`, `href="https://example.org/b/compare/` + pairSlug + `/"`} {
		if !strings.Contains(back, w) {
			t.Errorf("%q is not in the redirect %q", w, back)
		}
	}
}

// TestCompareIndex: pairs by model, and what is refused with the reason and with the words that the
// two tools use for different things.
func TestCompareIndex(t *testing.T) {
	pages, _ := pairCatalog(t)
	p := pages["compare"]
	if p == nil {
		t.Fatal("no index")
	}
	// Four results share loads; each pair is a cell in both of its rows.
	table := p.fragments["matrix-codellama-7b-instruct-hf"]
	if strings.Count(table, `<tr id="x-`) != 4 || strings.Count(table, `href="`+pairSlug+`/index.html"`) != 2 {
		t.Errorf("the matrix: %s", table)
	}
	for _, w := range []string{"CodeLlama 7B Instruct on H100",
		"no workload in common; the nearest differ in measuring tool:", `and \"vllm-bench-serve\"`,
		"TPOT: vllm-bench-serve measures (request time − TTFT) / (output tokens − 1): the first token is left out.",
		"Speed per request: benchmark_llm_serving measures output tokens / request time"} {
		if !strings.Contains(p.params, w) {
			t.Errorf("%q is not on the page %s", w, p.params)
		}
	}
}

// TestPairOfNumbers: more of one accelerator are held against fewer, in all and for each of them. At 38
// parallel requests of 1 024 tokens 30 and 90 tok/s become 106.3 and 318.8: three times as much in all,
// and 159.4 for each of two.
func TestPairOfNumbers(t *testing.T) {
	pages, _ := pairCatalog(t)
	p := pages["compare/codellama-7b-instruct-hf-on-2x-v100-32gb-vs-codellama-7b-instruct-hf-on-v100-32gb"]
	if p == nil {
		t.Fatal("no page")
	}
	for _, w := range []string{`"heading":"CodeLlama 7B Instruct: 2× V100 32 GB against V100 32 GB"`,
		`"value":"3.00 ×"`, "is 50 % higher on 2× V100 32 GB: ", "159 tok/s", " on each of 2 against "} {
		if !strings.Contains(p.params, w) {
			t.Errorf("%q is not on the page %s", w, p.params)
		}
	}
}
