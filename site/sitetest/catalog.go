package sitetest

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/net/html"
	htmlatom "golang.org/x/net/html/atom"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
	"github.com/inferdex/inferdex/ingest/settings"
	"github.com/inferdex/inferdex/site/page"
)

// Ptr is a pointer to a value.
func Ptr[T any](v T) *T { return &v }

// Attributes are attributes as a record states them, by key and value.
func Attributes(kv ...string) map[string]catalog.Attribute {
	m := map[string]catalog.Attribute{}
	for i := 0; i < len(kv); i += 2 {
		m[kv[i]] = catalog.Attribute{Value: kv[i+1], From: catalog.FromRecord, File: "in/run.json", Line: 1 + i}
	}
	return m
}

// SuiteRun is a happy_vllm suite of two inputs by two outputs, or of headline figures alone.
func SuiteRun(id, model, hardware, version string, speed float64, points bool) *catalog.Run {
	r := &catalog.Run{Version: 1, ID: id, Started: "2025-01-02T03:04:05",
		Identity: record.Identity{Tool: "benchmark_llm_serving", Session: id, Model: model},
		Attributes: Attributes("model", model, "hardware", hardware, "count", "1", "engine", "vllm", "engine_version",
			version, "wrapper", "happy_vllm 1.2.4"),
		Parameters: map[string]catalog.Parameter{
			"gpu_memory_utilization": {Value: json.RawMessage("0.8"),
				At: catalog.Place{Source: "aaaaaaaaaaaa", Line: 2}},
			"quantization": {Value: json.RawMessage("null")},
			"api_key":      {Value: json.RawMessage(`"redacted"`), Redacted: true},
		},
		Sources: []catalog.Source{{Path: "in/" + id + ".zip!a.json", SHA256: "aaaaaaaaaaaabbbb", Format: "happy-vllm",
			Title: "A source", Address: "https://example.org/", License: "none stated"}},
		Figures: []catalog.Figure{
			{Metric: metric.PromptIngestionSpeed, Unit: "tok/s", Published: "~8500 t/s"},
			{Metric: metric.SpeedPerRequest, Of: "1024/128 at 10", Unit: "tok/s",
				Published: "~36 t/s for each request"},
			{Metric: metric.KVCacheTokens, Unit: "tokens", Published: "~0k tokens"},
		}}
	if !points {
		return r
	}
	r.Figures[0].Value = Ptr(8612.585)
	for _, in := range []float64{32, 1024} {
		for _, out := range []float64{16, 128} {
			for _, c := range []int64{1, 10, 38} {
				v := speed * float64(c) / (1 + float64(c)*in/4000)
				done := int64(1000)
				if c == 38 {
					done = 994
				}
				r.Points = append(r.Points, catalog.Point{
					Workload: record.Workload{Dataset: "prompts",
						Nominal: record.Lengths{Input: Ptr(in), Output: Ptr(out)},
						Actual:  record.Lengths{Input: Ptr(in * 0.8), Output: Ptr(out)}},
					Load: record.Load{MaxConcurrency: Ptr(c)}, Submitted: Ptr(int64(1000)), Completed: Ptr(done),
					At: catalog.Place{Source: "aaaaaaaaaaaa", Line: 1},
					Metrics: map[metric.ID]catalog.Stat{
						metric.OutputThroughput:     {Value: Ptr(v), Unit: "tok/s"},
						metric.TotalGenerationSpeed: {Value: Ptr(v * 1.01), Unit: "tok/s"},
						metric.SpeedPerRequest: {Median: Ptr(v / float64(c)), Unit: "tok/s",
							Percentiles: []catalog.Percentile{{P: 25, Value: v / float64(c) * 0.9},
								{P: 75, Value: v / float64(c) * 1.1}}},
						metric.TTFT: {Median: Ptr(0.01 * float64(c)), Mean: Ptr(0.011 * float64(c)),
							Unit: "s", Percentiles: []catalog.Percentile{{P: 99, Value: 0.05 * float64(c)}}},
						metric.KVCacheUsage: {Max: Ptr(math.Min(1, float64(c)/38)), Unit: "fraction"},
					}})
			}
		}
	}
	r.Profiles = []catalog.Profile{
		{Curves: record.Curves{Name: "prompt ingestion", Kind: "scatter", XLabel: "prompt length", XUnit: "tokens",
			X: []float64{1, 2, 3}, Lines: []record.Line{{Label: "TTFT", Unit: "s", Y: []float64{1, 2, 3}}},
			FitSlope: Ptr(0.001), FitIntercept: Ptr(0.02)}},
		{Curves: record.Curves{Name: "kv cache, 32 in", Kind: "time", XLabel: "time", XUnit: "s", X: []float64{0, 1},
			Lines: []record.Line{{Label: "use", Unit: "fraction", Y: []float64{0, 0.5}},
				{Label: "running", Unit: "requests", Y: []float64{0, 3}}}}},
		{Curves: record.Curves{Name: "kv cache, 1024 in", Kind: "time", XLabel: "time", XUnit: "s", X: []float64{0, 1},
			Lines: []record.Line{{Label: "use", Unit: "fraction", Y: []float64{0, 0.7}}}}},
	}
	return r
}

// RateRun is a series of serving results by request rate, the last one infinite and incomplete.
func RateRun(id, series string, factor float64) *catalog.Run {
	r := &catalog.Run{Version: 1, ID: id, Started: "2025-04-24",
		Identity:   record.Identity{Tool: "vllm-bench-serve", Session: id, Model: "org/rated-24B"},
		Attributes: Attributes("model", "org/rated-24B", "hardware", "MI300X", "engine", "vllm", "series", series),
		Sources:    []catalog.Source{{Path: "in/page.md", SHA256: "cccccccccccc0000", Format: "jekyll-page"}}}
	if series == "base" {
		r.Attributes["baseline"] = catalog.Attribute{Value: "true", From: catalog.FromSidecar,
			File: "in/run.toml", Line: 3}
	}
	for i, rate := range []float64{1, 3, math.Inf(1)} {
		sent := int64(100)
		done := sent
		if math.IsInf(rate, 1) {
			done = 50
		}
		t := factor * math.Pow(10, float64(i)) / 10
		r.Points = append(r.Points, catalog.Point{
			Workload: record.Workload{Dataset: "random", Actual: record.Lengths{Input: Ptr(1000.0), Output: Ptr(100.0)},
				NumPrompts: Ptr(sent)},
			Load: record.Load{Rate: Ptr(record.Float(rate))}, Submitted: Ptr(sent), Completed: Ptr(done),
			At: catalog.Place{Source: "cccccccccccc", Line: 10 + i},
			Metrics: map[metric.ID]catalog.Stat{
				metric.OutputThroughput:  {Value: Ptr(100 / factor), Unit: "tok/s"},
				metric.RequestThroughput: {Value: Ptr((1 + float64(i)/10) / factor), Unit: "req/s"},
				metric.TTFT: {Mean: Ptr(t), Median: Ptr(t * 0.9), Unit: "s",
					Percentiles: []catalog.Percentile{{P: 99, Value: t * 3}}},
				metric.TPOT: {Mean: Ptr(0.02 * factor), Unit: "s"}, metric.ITL: {Mean: Ptr(0.02 * factor), Unit: "s"},
			},
			Distributions: map[metric.ID]catalog.Distribution{metric.TTFT: Halves(done, t),
				metric.ITL: Halves(40*done, t/50)}})
	}
	return r
}

// ReportRun is a report of named scenarios, one of them a scaling series.
func ReportRun(id string) *catalog.Run {
	r := &catalog.Run{Version: 1, ID: id, Started: "2025-12-23T15:30:09",
		Identity: record.Identity{Tool: "bench-and-report", Session: id, Model: Hostile},
		Attributes: Attributes("model", Hostile, "hardware", "4x AMD Instinct MI100 "+Hostile, "count", "4", "engine",
			"vllm", "os", "Linux", "cpu", Hostile, "command", "vllm serve x \\\n  --port 1"),
		Sources: []catalog.Source{{Path: "in/" + Hostile + ".md", SHA256: "dddddddddddd0000", Format: "bench-report",
			Title: Hostile, Address: "javascript:alert(1)", License: Hostile}},
		Findings: []catalog.Finding{{Code: "report-differs", Severity: record.Warning, Path: Hostile, Line: 3,
			Message: Hostile}, {Code: "accepted", Severity: record.Error, Message: "known", Accepted: true}}}
	add := func(name string, c, prompts int64, v float64) {
		r.Points = append(r.Points,
			catalog.Point{Workload: record.Workload{Name: name, Dataset: "random",
				Nominal: record.Lengths{Input: Ptr(1024.0), Output: Ptr(256.0)}, NumPrompts: Ptr(prompts)},
				Load: record.Load{MaxConcurrency: Ptr(c)}, Submitted: Ptr(prompts), Completed: Ptr(prompts),
				At:     catalog.Place{Source: "dddddddddddd", Line: int(c)},
				Errors: []record.ErrorCount{{Text: Hostile, Count: 1}},
				Metrics: map[metric.ID]catalog.Stat{metric.OutputThroughput: {Value: Ptr(v), Unit: "tok/s"},
					metric.TTFT: {Mean: Ptr(0.1 * float64(c)), Median: Ptr(0.1 * float64(c)), Unit: "s",
						Percentiles: []catalog.Percentile{{P: 99, Value: 0.12 * float64(c)}}},
					metric.TPOT: {Mean: Ptr(0.02), Median: Ptr(0.02), Unit: "s",
						Percentiles: []catalog.Percentile{{P: 99, Value: 0.021}}}}})
	}
	add("Single "+Hostile, 1, 20, 49)
	add("Scaling (c=2)", 2, 30, 97)
	add("Scaling (c=4)", 4, 30, 168)
	add("Scaling (c=32)", 32, 30, 387)
	return r
}

// Halves is a distribution of values around a median, in seconds.
func Halves(n int64, median float64) catalog.Distribution {
	d := catalog.Distribution{N: n, Unit: metric.Seconds, MedianLow: Ptr(median * 0.95), MedianHigh: Ptr(median * 1.06)}
	for _, p := range []float64{0, 10, 50, 90, 99, 100} {
		d.Quantiles = append(d.Quantiles, catalog.Percentile{P: p, Value: median * (0.5 + p/100)})
	}
	return d
}

// Catalog has every kind of run, names in no list, and raw records short and long.
func Catalog(t *testing.T) (*figure.Index, *catalog.Catalog, *settings.Config) {
	t.Helper()
	c := &catalog.Catalog{Runs: []*catalog.Run{
		SuiteRun("suite1", "codellama/CodeLlama-7b-Instruct-hf", "A100-80g", "0.6.4", 60, true),
		SuiteRun("suite2", "codellama/CodeLlama-7b-Instruct-hf", "A100-80g", "0.8.2", 70, true),
		SuiteRun("suite3", "codellama/CodeLlama-7b-Instruct-hf", "V100-32g", "0.6.4", 30, true),
		SuiteRun("figures1", "codellama/CodeLlama-7b-Instruct-hf", "H100", "0.6.4", 0, false),
		SuiteRun("figures2", "microsoft/Phi-3-vision-128k-instruct", "H100", "0.6.4", 0, false),
		RateRun("rate1", "base", 2), RateRun("rate2", "patched", 1), ReportRun("report1"),
		{Version: 1, ID: "empty1", Identity: record.Identity{Tool: "unknown"}},
		{Version: 1, ID: "gone1", Identity: record.Identity{Tool: "unknown", Model: "m"},
			Withdrawn: "measured with a debug build"},
	}}
	c.Runs[4].Attributes["hardware"] = catalog.Attribute{Value: "H100", From: catalog.FromOverride, File: "in/run.toml",
		Line: 2, Was: "A100", Reason: "as its folder says",
		Others: []catalog.Other{{Value: "A100", From: catalog.FromRecord, File: "in/x"}}}
	c.Inputs = []*catalog.Input{{Version: 1, Path: "in/" + Hostile, SHA256: "aaaa",
		Ignored:  []catalog.InputFile{{Path: Hostile, Reason: Hostile}},
		Rejected: []catalog.Rejected{{Path: Hostile, Line: 2, Col: 3, Message: Hostile}},
		Unmapped: map[string]map[string]int{Hostile: {Hostile: 2}}, Runs: []string{"suite1"}}}
	c.Raw = func(id string) ([]catalog.RawRecord, error) {
		raw := func(n int) json.RawMessage { return json.RawMessage(`{"text":"` + strings.Repeat("x", n) + `"}`) }
		switch id {
		case "suite1": // too much for one page
			return []catalog.RawRecord{{Raw: raw(30000)}, {Raw: raw(30000)}, {Raw: raw(100000)},
				{Record: json.RawMessage("{}")}}, nil
		case "report1":
			return []catalog.RawRecord{{Raw: json.RawMessage(`{"prompt":"</pre><script>alert(1)</script>"}`)}}, nil
		}
		return nil, nil
	}
	return figure.NewIndex(c, Names(t)), c, &settings.Config{Title: "test", BaseURL: "https://example.org/b/",
		Repository: "https://example.org/r", Notice: "synthetic"}
}

// Names are those of the demonstration.
func Names(t *testing.T) *settings.Names {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for filepath.Base(dir) != "site" {
		dir = filepath.Dir(dir)
	}
	names, diags := settings.LoadNames(os.DirFS(filepath.Join(dir, "../data")))
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	return names
}

// Written is what a fragment writes.
func Written(t *testing.T, f page.Fragment) string {
	t.Helper()
	var b bytes.Buffer
	if err := f(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Unpacked is a script that calls a function with data, in which the data stand as JSON where the script has them packed.
func Unpacked(t *testing.T, script string) string {
	t.Helper()
	function, rest, called := strings.Cut(script, `("`)
	text, end, closed := strings.Cut(rest, `"`)
	if !called || !closed || !strings.HasPrefix(text, "H4sI") {
		return script
	}
	z, err := gzip.NewReader(base64.NewDecoder(base64.StdEncoding, strings.NewReader(text)))
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return function + "(" + strings.TrimSuffix(string(data), "\n") + end
}

// Spelt is the markup of a fragment in one spelling: with all end tags, and quotation marks around attributes.
func Spelt(t *testing.T, f page.Fragment) string {
	t.Helper()
	nodes, err := html.ParseFragment(strings.NewReader(Written(t, f)),
		&html.Node{Type: html.ElementNode, Data: "body", DataAtom: htmlatom.Body})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, n := range nodes {
		if err := html.Render(&b, n); err != nil {
			t.Fatal(err)
		}
	}
	return strings.ReplaceAll(b.String(), "<wbr/>", "<wbr>")
}

// Hostile is text that must never be read as markup.
const Hostile = `<script>alert(1)</script><img src=x onerror="alert(1)"> ' & "` + "\x00\xff"

// LimitedRun is a run with loads of c requests, each with its throughput, TTFT p99 and TPOT; where
// bare is set no percentile is recorded.
func LimitedRun(id, hardware string, count int, bare bool, loads ...[4]float64) *catalog.Run {
	r := &catalog.Run{Version: 1, ID: id, Started: "2025-01-02",
		Identity: record.Identity{Tool: "vllm-bench-serve", Session: id, Model: "m/x-7b"},
		Attributes: Attributes("model", "m/x-7b", "hardware", hardware, "count", fmt.Sprint(count), "engine", "vllm",
			"engine_version", "0.8.2")}
	for _, l := range loads {
		p := catalog.Point{Workload: record.Workload{Dataset: "random",
			Nominal: record.Lengths{Input: Ptr(1024.0), Output: Ptr(128.0)}},
			Load:      record.Load{MaxConcurrency: Ptr(int64(l[0]))},
			Submitted: Ptr(int64(100)), Completed: Ptr(int64(100)),
			Metrics: map[metric.ID]catalog.Stat{metric.OutputThroughput: {Value: &l[1], Unit: "tok/s"},
				"ttft": {Median: Ptr(l[2] / 2), Unit: "s"}, "tpot": {Median: &l[3], Unit: "s"}}}
		if !bare {
			p.Metrics["ttft"] = catalog.Stat{Median: Ptr(l[2] / 2),
				Percentiles: []catalog.Percentile{{P: 99, Value: l[2]}}, Unit: "s"}
			p.Metrics["tpot"] = catalog.Stat{Median: &l[3],
				Percentiles: []catalog.Percentile{{P: 99, Value: l[3]}}, Unit: "s"}
		}
		r.Points = append(r.Points, p)
	}
	return r
}

// LimitedIndex is a catalog of four such runs on three accelerators, with their prices as TOML.
func LimitedIndex(t *testing.T, prices string) (*figure.Index, *catalog.Catalog) {
	t.Helper()
	names, diags := settings.LoadNames(fstest.MapFS{"names/a.toml": {Data: []byte(limitedNames)},
		"names/prices.toml": {Data: []byte(prices)}})
	for _, d := range diags {
		t.Fatal(d)
	}
	c := &catalog.Catalog{Runs: []*catalog.Run{
		// 2 × 500 W; at 8 it keeps TTFT ≤ 2 s and TPOT ≤ 50 ms, at 16 not.
		LimitedRun("r1", "Card A", 2, false, [4]float64{1, 100, 0.2, 0.01}, [4]float64{8, 1200, 1.5, 0.025},
			[4]float64{16, 1500, 3, 0.04}),
		LimitedRun("r2", "Card B", 1, false, [4]float64{1, 50, 0.2, 0.02}, [4]float64{8, 300, 1.5, 0.04}),
		LimitedRun("r3", "Card C", 1, true, [4]float64{1, 80, 0.2, 0.02}),
		LimitedRun("r4", "Card A", 1, false, [4]float64{1, 10, 0.2, 0.1}),
	}}
	return figure.NewIndex(c, names), c
}

// LimitedPrices are two prices of the first accelerator.
const LimitedPrices = `
[[price]]
provider = "Invented & <Cloud>"
accelerator = "card-a"
per_hour = 3
currency = "USD"
date = 2025-01-13
address = "https://example.com/a"
[[price]]
provider = "Dearer"
accelerator = "card-a"
per_hour = 4
currency = "USD"
date = 2025-01-14
address = "https://example.com/b"
`

const limitedNames = `
[[accelerator]]
id = "card-a"
name = "Card A"
board_power_w = 500
[[accelerator]]
id = "card-b"
name = "Card B"
board_power_w = 200
[[accelerator]]
id = "card-c"
name = "Card C"
`
