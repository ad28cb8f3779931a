package figure

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/inferdex/inferdex/ingest/record"

	"github.com/google/go-cmp/cmp"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/settings"
)

// names are invented models and accelerators with round figures.
func testNames(t *testing.T) *settings.Names {
	t.Helper()
	n, diags := settings.LoadNames(fstest.MapFS{"names/x.toml": {Data: []byte(`
[[accelerator]]
id = "big"
memory_gb = 100
bandwidth_gb_s = 2000
bf16_tflops = 1000
fp8_tflops = 2000
board_power_w = 500
[[accelerator]]
id = "small"
memory_gb = 40
bandwidth_gb_s = 1000
[[accelerator]]
id = "twin"
variants = ["big", "small"]
[[model]]
id = "o/Dense-10B"
params_b = 10
active_params_b = 10
layers = 10
kv_heads = 10
head_dim = 100
precision = "bf16"
[[model]]
id = "o/Dense-10B-FP8"
params_b = 10
precision = "fp8"
quantization = "FP8"
base = "o/Dense-10B"
[[model]]
id = "o/Mixed-40B"
params_b = 40
active_params_b = 5
precision = "bf16"
[[model]]
id = "o/Other-15B"
params_b = 15
precision = "bf16"
[[engine]]
id = "serve"
versions = ["1.0", "2.0"]
[engine.parameters]
seats = [{ until = "1.0", value = 4 }, { since = "2.0", value = 8 }]
mode = [{ value = "auto" }]
limit = [{}]
fresh = [{ since = "2.0", value = false }]
tags = [{ value = ["*"] }]
[[wrapper]]
id = "wrap"
engine = "serve"
parameters = ["door"]
settings = ["queries"]
[[price]]
provider = "Cloud"
accelerator = "big"
per_hour = 3
currency = "USD"
date = 2025-01-02
address = "https://example.com/"
`)}})
	for _, d := range diags {
		t.Error(d)
	}
	return n
}

// one is a point at a concurrency with output throughput, and median and p99 of TTFT and TPOT.
func one(c int64, tput, ttft, ttft99, tpot, tpot99 float64) catalog.Point {
	return catalog.Point{Workload: record.Workload{Dataset: "random", Nominal: record.Lengths{Input: num(1000), Output: num(200)}},
		Load: record.Load{MaxConcurrency: whole(c)}, Submitted: whole(100), Completed: whole(100),
		Metrics: map[metric.ID]catalog.Stat{"output_throughput": stat(tput), "ttft": dist(ttft, ttft, ttft99), "tpot": dist(tpot, tpot, tpot99)}}
}

func runOf(id, model, hardware, version string, points ...catalog.Point) *catalog.Run {
	return &catalog.Run{ID: id, Identity: catalog.Identity{Tool: "t", Session: id, Model: model}, Started: "2025-01-01", Points: points,
		Attributes: map[string]catalog.Attribute{"hardware": {Value: hardware}, "count": {Value: hardware[:1]}, "engine": {Value: "serve"}, "engine_version": {Value: version}}}
}

func TestSummarize(t *testing.T) {
	if s := Summarize([]float64{3, 1, 2, math.NaN()}); s != (Summary{N: 3, Median: 2, Lo: 1, Hi: 3}) {
		t.Errorf("three measurements: %+v", s)
	}
	// Of six measurements the interval from the least to the greatest holds the median with a
	// probability of 1 − 2 × (1/2)^6 = 0.96875.
	if s := Summarize([]float64{6, 1, 5, 2, 4, 3}); s != (Summary{N: 6, Median: 3.5, Lo: 1, Hi: 6, Confidence: 0.96875}) {
		t.Errorf("six measurements: %+v", s)
	}
	if s := Summarize([]float64{1, 2, 3, 4, 5}); s.Confidence != 0 {
		t.Errorf("five measurements have an interval: %+v", s)
	}
	// Of nine: P(order 2 to 8) = 1 − 2 × (1 + 9)/512 = 0.9609375.
	if s := Summarize([]float64{1, 2, 3, 4, 5, 6, 7, 8, 9}); s.Lo != 2 || s.Hi != 8 || s.Confidence != 0.9609375 {
		t.Errorf("nine measurements: %+v", s)
	}
}

func TestDiffer(t *testing.T) {
	six := []float64{100, 101, 102, 103, 104, 105}
	scale := func(f float64) (vs []float64) {
		for _, v := range six {
			vs = append(vs, v*f)
		}
		return vs
	}
	for _, c := range []struct {
		metric    metric.ID
		a, b      []float64
		change    float64
		winner    int
		certainty Certainty
	}{
		{"output_throughput", six, scale(0.9), -0.1, -1, Distinguishable},
		{"output_throughput", six, scale(1.01), 0.01, 1, NotDistinguishable},
		{"ttft", six, scale(1.2), 0.2, -1, Distinguishable},
		{"ttft", []float64{2}, []float64{1}, -0.5, 1, NoClaim},
		{"ttft", six, []float64{1}, 1/102.5 - 1, 1, NoClaim},
		{"output_throughput", []float64{5}, []float64{0}, -1, -1, NoClaim}, // a drop to zero is −100 %
		{"power", []float64{5}, []float64{5}, 0, 0, NoClaim},
	} {
		d, ok := Differ(c.metric, "median", c.a, c.b)
		if !ok || d.Change == nil || math.Abs(*d.Change-c.change) > 1e-11 || d.Winner != c.winner || d.Certainty != c.certainty {
			t.Errorf("%s %v against %v: %+v", c.metric, c.b, c.a, d)
		}
	}
	if d, ok := Differ("ttft", "mean", []float64{0}, []float64{3}); !ok || d.Change != nil || d.Ratio != nil || d.Delta != 3 {
		t.Errorf("from 0: %+v", d)
	}
	if _, ok := Differ("ttft", "mean", nil, []float64{3}); ok {
		t.Error("nothing was compared with something")
	}
}

func TestRowsGroupRepetitions(t *testing.T) {
	var a, b []catalog.Point
	for i := range 6 {
		p, q := one(4, 100+float64(i), 0.1, 0.2, 0.01, 0.02), one(4, 90+float64(i)/2, 0.1, 0.2, 0.01, 0.02)
		p.Repetition, q.Repetition = i, i
		a, b = append(a, p), append(b, q)
	}
	a = append(a, one(8, 1, 1, 1, 1, 1)) // b has no such load
	ra, rb := newRun(runOf("a", "o/Dense-10B", "1x big", "1.0", a...), testNames(t)), newRun(runOf("b", "o/Dense-10B", "1x big", "1.0", b...), testNames(t))
	rows := Rows(ra.Scenarios[0], rb.Scenarios[0])
	if len(rows) != 1 || rows[0].Load != 4 || len(rows[0].A) != 6 {
		t.Fatalf("%+v", rows)
	}
	d := rows[0].Differences[0]
	if d.Metric != "output_throughput" || d.A.Median != 102.5 || d.B.Median != 91.25 || d.Certainty != Distinguishable || d.Winner != -1 {
		t.Errorf("%+v", d)
	}
}

func TestComparable(t *testing.T) {
	n := testNames(t)
	a := runOf("a", "o/Dense-10B", "1x big", "1.0", one(1, 1, 1, 1, 1, 1))
	b := runOf("b", "o/Dense-10B", "1x big", "1.0", one(1, 1, 1, 1, 1, 1))
	a.Points[0].Workload.Actual.Input, b.Points[0].Workload.Actual.Input = num(1000), num(1049)
	c := Comparable(newRun(a, n), newRun(b, n))
	if len(c.Matches) != 1 || c.Matches[0].Amber || c.Refused() != "" || c.Labels != nil {
		t.Errorf("equal classes: %+v", c)
	}
	if !strings.Contains(strings.Join(c.Matches[0].Cautions, " "), "streaming") {
		t.Errorf("what nobody recorded is not said: %q", c.Matches[0].Cautions)
	}
	b.Points[0].Workload.Actual.Input = num(1051) // 5.1 % apart
	if c := Comparable(newRun(a, n), newRun(b, n)); !c.Matches[0].Amber || !strings.Contains(c.Matches[0].Cautions[0], "5.1\u202f%") {
		t.Errorf("lengths 5.1 %% apart: %+v", c.Matches)
	}
	b.Points[0].Workload.Dataset = "share\"gpt"
	b.Points[0].Workload.Nominal.Output = num(300)
	b.Identity.Tool = "vllm-bench-serve"
	c = Comparable(newRun(a, n), newRun(b, n))
	want := `no workload in common; the nearest differ in measuring tool: "t" and "vllm-bench-serve"; dataset: "random" and "share\"gpt"; output length: 200 and 300`
	if c.Refused() != want {
		t.Errorf("refused: %s", c.Refused())
	}
	if len(c.Labels) == 0 || !strings.HasPrefix(c.Labels[0], "TPOT: vllm-bench-serve measures") {
		t.Errorf("labels %q", c.Labels)
	}
	if len(c.Mismatches) != 1 {
		t.Errorf("%d mismatches: one scenario a side is one pair", len(c.Mismatches))
	}
	b.Points = nil
	if c := Comparable(newRun(a, n), newRun(b, n)); c.Refused() == "" || len(c.Mismatches) != 1 || c.Mismatches[0].B != nil {
		t.Errorf("against nothing: %+v", c)
	}
}

func params(kv ...string) map[string]catalog.Parameter {
	m := map[string]catalog.Parameter{}
	for i := 0; i < len(kv); i += 2 {
		m[kv[i]] = catalog.Parameter{Value: json.RawMessage(kv[i+1])}
	}
	return m
}

func TestDiffParameters(t *testing.T) {
	n := testNames(t)
	a, b := runOf("a", "o/Dense-10B", "1x big", "1.0"), runOf("b", "o/Dense-10B", "2x big", "2.0")
	a.Parameters = params("seats", "4", "mode", `"auto"`, "limit", "null", "tags", `["*"]`, "door", "1", "--odd-name", "1", "queries", "5", "new_here", "null")
	b.Parameters = params("seats", "null", "mode", "null", "limit", "10", "fresh", "true", "door", "1.0", "odd_name", "2")
	a.Parameters["secret"] = catalog.Parameter{Value: json.RawMessage(`"redacted"`), Redacted: true}
	b.Parameters["secret"] = catalog.Parameter{Value: json.RawMessage(`"redacted"`), Redacted: true}
	a.Env, b.Env = params("V", `"1"`), params("W", `"1"`)
	a.Attributes["driver"] = catalog.Attribute{Value: "550"}
	b.Attributes["driver"] = catalog.Attribute{Value: "560"}
	a.Attributes["os"] = catalog.Attribute{Value: "Linux"}
	ix := NewIndex(&catalog.Catalog{Runs: []*catalog.Run{a, b}}, n)
	d := ix.DiffParameters(ix.Runs[0], ix.Runs[1])
	list := func(rows []ParameterRow) (out []string) {
		for _, r := range rows {
			s := fmt.Sprintf("%s %s:", r.Kind, r.Name)
			for _, c := range r.Cells {
				switch {
				case c.Default:
					s += " default " + c.Effective
				case c.Known:
					s += " " + c.Effective
				default:
					s += " " + [...]string{"absent", "value", "null", "unknown to version", "redacted"}[c.State]
				}
			}
			out = append(out, s)
		}
		return out
	}
	for _, c := range []struct {
		name string
		rows []ParameterRow
		want []string
	}{
		{"differs", d.Differs, []string{
			"system hardware: big 2× big", "system engine_version: 1.0 2.0", "system driver: 550 560",
			"argument limit: default null 10", "argument odd_name: 1 2", "argument seats: 4 default 8",
		}},
		{"one version", d.OneVersion, []string{"argument fresh: unknown to version true", "argument new_here: null unknown to version"}},
		{"unclear", d.Unclear, []string{
			"system os: Linux absent", "client queries: 5 absent", "argument secret: redacted redacted", "environment V: 1 absent", "environment W: absent 1",
		}},
		{"same", d.Same, []string{
			"system model: Dense-10B Dense-10B", "system engine: serve serve",
			"wrapper door: 1 1.0", "argument mode: auto default auto", "argument tags: [\"*\"] default [\"*\"]",
		}},
	} {
		got := list(c.rows)
		slices.Sort(got)
		slices.Sort(c.want)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: -want +got\n%s", c.name, diff)
		}
	}
}

// TestDiffWithAPage compares typed values with the text of a page, which Python wrote.
func TestDiffWithAPage(t *testing.T) {
	a, b := runOf("a", "m", "1x big", "9"), runOf("b", "m", "1x big", "9")
	a.Parameters = params("flag", "true", "list", `["a", "b'c"]`, "text", `"x y"`, "number", "0.90", "nothing", "null", "object", `{"a": [1, null]}`, "other", "3")
	b.Parameters = map[string]catalog.Parameter{}
	for k, v := range map[string]string{"flag": "True", "list": `['a', "b'c"]`, "text": "x y", "number": "0.9", "nothing": "None", "object": "{'a': [1, None]}", "other": "4"} {
		q, _ := json.Marshal(v)
		b.Parameters[k] = catalog.Parameter{Value: q, Text: true}
	}
	ix := NewIndex(&catalog.Catalog{Runs: []*catalog.Run{a, b}}, testNames(t))
	d := ix.DiffParameters(ix.Runs...)
	if rows := Of(d.Differs, KindArgument); len(rows) != 1 || rows[0].Name != "other" {
		t.Errorf("differs: %+v", rows)
	}
	if rows := Of(d.Same, KindArgument); len(rows) != 5 {
		t.Errorf("%d the same: %+v", len(rows), rows)
	}
	if rows := Of(d.Unclear, KindArgument); len(rows) != 1 || rows[0].Name != "nothing" {
		t.Errorf("unclear: %+v", rows)
	}
}

func TestCanonicalArgument(t *testing.T) {
	n, _ := settings.LoadNames(os.DirFS("../../data"))
	for _, c := range []struct {
		engine, name, want string
		negated            bool
	}{
		{"vllm", "--tensor-parallel-size", "tensor_parallel_size", false},
		{"vllm", "tp", "tensor_parallel_size", false},
		{"sglang", "tensor_parallel_size", "tp_size", false},
		{"vllm", "no_enable_prefix_caching", "enable_prefix_caching", true},
		{"", "no_enable_prefix_caching", "enable_prefix_caching", true},
		{"vllm", "no_such_thing", "no_such_thing", false},
	} {
		if got, neg := canonicalArgument(n, n.Engine(c.engine, "0.8.2"), c.name); got != c.want || neg != c.negated {
			t.Errorf("%s %s is %s, %v", c.engine, c.name, got, neg)
		}
	}
}

func TestPairs(t *testing.T) {
	n := testNames(t)
	p := func() catalog.Point { return one(1, 10, 1, 1, 1, 1) }
	apart := p()
	apart.Workload.Dataset = "another"
	c := &catalog.Catalog{Runs: []*catalog.Run{
		runOf("a", "o/Dense-10B", "1x big", "2.0", p()),
		runOf("b", "o/Dense-10B", "1x big", "1.0", p(), one(2, 10, 1, 1, 1, 1)),
		runOf("c", "o/Dense-10B", "1x small", "1.0", p()),
		runOf("d", "o/Dense-10B", "2x big", "1.0", p()),
		runOf("e", "o/Dense-10B-FP8", "1x big", "1.0", p()),
		runOf("f", "o/Other-15B", "1x big", "1.0", p()),
		runOf("g", "o/Mixed-40B", "1x big", "1.0", p()),
		runOf("h", "o/Dense-10B", "4x big", "1.0", apart),
	}}
	ix := NewIndex(c, n)
	var got []string
	for _, m := range ix.Models {
		for _, p := range ix.Pairs(m) {
			got = append(got, fmt.Sprintf("%s %s %s+%s", p.Kind, p.Slug, p.A.Run.ID, p.B.Run.ID))
			if p.A.Slug >= p.B.Slug || p.Slug != p.A.Slug+"-vs-"+p.B.Slug || p.Inverse != p.B.Slug+"-vs-"+p.A.Slug {
				t.Errorf("order of %+v", p)
			}
		}
	}
	// One number of accelerators comes first; version 1.0 is the newest that two cards share; the
	// models of 40 B and of 10 B are too far apart; the dataset of h is another.
	want := []string{
		"hardware dense-10b-on-big-vs-dense-10b-on-small b+c",
		"hardware dense-10b-on-2x-big-vs-dense-10b-on-big d+b",
		"hardware dense-10b-on-2x-big-vs-dense-10b-on-small d+c",
		"version dense-10b-on-big-serve-1.0-vs-dense-10b-on-big-serve-2.0 b+a",
		"quantization dense-10b-fp8-on-big-vs-dense-10b-on-big e+b",
		"model dense-10b-on-big-vs-other-15b-on-big b+f",
		"model dense-10b-fp8-on-big-vs-other-15b-on-big e+f",
	}
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// TestPairsAreBounded: one model on 40 hardware configurations in 12 versions has 30 pairs, of
// all kinds that there are, and the same ones whatever the order of the runs.
func TestPairsAreBounded(t *testing.T) {
	n := testNames(t)
	c := &catalog.Catalog{}
	for hw := range 40 {
		for v := range 12 {
			c.Runs = append(c.Runs, runOf(fmt.Sprintf("r%d-%d", hw, v), "o/Dense-10B", fmt.Sprintf("1x box%d", hw), fmt.Sprintf("1.%d", v), one(1, 10, 1, 1, 1, 1)))
		}
	}
	slugs := func() (out []string) {
		ix := NewIndex(c, n)
		kinds := map[PairKind]int{}
		for _, p := range ix.Pairs(ix.Models[0]) {
			out = append(out, p.Slug)
			kinds[p.Kind]++
		}
		if len(out) != MostPairs || kinds[PairVersion] < 8 || kinds[PairHardware] < 12 {
			t.Errorf("%d pairs, %v", len(out), kinds)
		}
		return out
	}
	first := slugs()
	slices.Reverse(c.Runs)
	if diff := cmp.Diff(first, slugs()); diff != "" {
		t.Error(diff)
	}
}

// TestPairsOfManyModels: with 150 models each has 3,000 / 150 = 20 pairs, with a thousand and more 4,
// one of each kind that there is.
func TestPairsOfManyModels(t *testing.T) {
	for models, want := range map[int]int{1: 30, 100: 30, 150: 20, 1000: 4} {
		ix := &Index{Models: make([]*Model, models)}
		if got := ix.pairsOfEach(); got != want {
			t.Errorf("%d models: %d pairs each, want %d", models, got, want)
		}
	}
	c := &catalog.Catalog{}
	for m := range 150 {
		for hw := range 8 {
			c.Runs = append(c.Runs, runOf(fmt.Sprintf("r%d-%d", m, hw), fmt.Sprintf("o/Thing%d-7B", m), fmt.Sprintf("1x box%d", hw), "1.0", one(1, 10, 1, 1, 1, 1)))
		}
	}
	ix := NewIndex(c, testNames(t))
	if got := len(ix.Pairs(ix.Models[0])); got != 20 { // of 28 pairs of hardware and more of models
		t.Errorf("%d pairs", got)
	}
}

// TestRefusals: on one card a version with another data set, and a card of that version elsewhere.
func TestRefusals(t *testing.T) {
	apart := one(1, 10, 1, 1, 1, 1)
	apart.Workload.Dataset = "another"
	ix := NewIndex(&catalog.Catalog{Runs: []*catalog.Run{
		runOf("a", "o/Dense-10B", "1x big", "2.0", one(1, 10, 1, 1, 1, 1)),
		runOf("b", "o/Dense-10B", "1x big", "1.0", apart),
		runOf("c", "o/Dense-10B", "1x small", "1.0", apart),
		runOf("d", "o/Dense-10B", "2x small", "1.0", one(4, 10, 1, 1, 1, 1)),
	}}, testNames(t))
	list, n := ix.Refusals(ix.Models[0], 2)
	var got []string
	for _, r := range list {
		got = append(got, r.A.Run.ID+" "+r.B.Run.ID+": "+r.Reason)
	}
	// a and b; big (b) and small (c) are a pair; 2x small has no load of big's and no data set of small's.
	want := []string{`a b: no workload in common; the nearest differ in dataset: "random" and "another"`, `d a: they share a workload and no load of it`}
	if n != 3 || !slices.Equal(got, want) {
		t.Errorf("%d: %q", n, got)
	}
}

// TestFrontier: on 2 accelerators throughput is halved. Speeds are 1 / TPOT: 50, 25, 20, 10.
func TestFrontier(t *testing.T) {
	n := testNames(t)
	mean := one(1, 40, 1, 1, 1, 1)
	mean.Metrics["tpot"] = catalog.Stat{Mean: num(0.0125), Unit: "s"}
	other := one(1, 30, 0.1, 0.1, 0.01, 0.01)
	ix := NewIndex(&catalog.Catalog{Runs: []*catalog.Run{
		runOf("a", "o/Dense-10B", "2x big", "1.0", one(1, 100, 1, 1, 0.02, 1), one(4, 300, 1, 1, 0.04, 1), one(8, 280, 1, 1, 0.05, 1), one(16, 600, 1, 1, 0.1, 1)),
		runOf("b", "o/Dense-10B", "1x small", "1.0", mean, other),
	}}, n)
	m := ix.Models[0]
	f, ok := NewFrontier(m, m.Cards[0].Runs[0].Scenarios[0].Class)
	if !ok || len(f.Groups) != 2 {
		t.Fatalf("%+v", f)
	}
	g := f.Groups[0]
	if g.Label != "2× big, serve 1.0, bf16" || !g.Newest {
		t.Errorf("group %q", g.Label)
	}
	var got []string
	for _, p := range g.Points {
		got = append(got, fmt.Sprintf("%v %v %v %v", p.Speed, p.PerAccelerator, p.Dominated, p.Mean))
	}
	// 20 tok/s at 140 is beaten by 25 at 150.
	if diff := cmp.Diff([]string{"10 300 false false", "20 140 true false", "25 150 false false", "50 50 false false"}, got); diff != "" {
		t.Error(diff)
	}
	got = nil
	for i, r := range g.At {
		s := "none"
		if r.PerAccelerator == nil && (r.Below == nil) == (r.Above == nil) {
			t.Errorf("%v is not read, below %v, above %v", FrontierSpeeds[i], r.Below, r.Above)
		}
		if r.Interpolated && !(r.Below.Speed < FrontierSpeeds[i] && FrontierSpeeds[i] < r.Above.Speed) {
			t.Errorf("%v is read between %v and %v", FrontierSpeeds[i], r.Below.Speed, r.Above.Speed)
		}
		if r.PerAccelerator != nil {
			s = fmt.Sprint(*r.PerAccelerator, r.Interpolated)
		}
		got = append(got, fmt.Sprintf("%v: %s", FrontierSpeeds[i], s))
	}
	// At 20: 300 + (150 − 300) × 10/15 = 200; at 30: 150 + (50 − 150) × 5/25 = 130.
	if diff := cmp.Diff([]string{"10: 300 false", "20: 200 true", "30: 130 true", "50: 50 false", "100: none"}, got); diff != "" {
		t.Error(diff)
	}
	// The two points of b have one load; medians and means are not put into one number.
	if b := f.Groups[1]; len(b.Points) != 1 || b.Points[0].Speed != 80 || !b.Points[0].Mean || len(b.Points[0].Points) != 1 {
		t.Errorf("small: %+v", b.Points)
	}
}

func TestRankSLO(t *testing.T) {
	n := testNames(t)
	bare := one(1, 10, 1, 1, 0.01, 0.01)
	bare.Metrics["ttft"] = catalog.Stat{Median: num(0.1), Unit: "s"}
	elsewhere := one(1, 10, 0.1, 0.1, 0.01, 0.01)
	elsewhere.Workload.Dataset = "another"
	failing := one(8, 700, 0.1, 0.9, 0.01, 0.02)
	failing.Completed = whole(98)
	ix := NewIndex(&catalog.Catalog{Runs: []*catalog.Run{
		runOf("a", "o/Dense-10B", "2x big", "1.0", one(1, 100, 0.1, 0.5, 0.01, 0.02), one(4, 400, 0.1, 1, 0.01, 0.02), failing, one(16, 900, 0.1, 1.1, 0.01, 0.02)),
		runOf("b", "o/Dense-10B", "1x big", "1.0", one(1, 150, 0.1, 0.5, 0.01, 0.05), one(2, 300, 0.1, 0.5, 0.01, 0.05)),
		runOf("c", "o/Dense-10B", "4x big", "1.0", one(1, 100, 0.1, 1.5, 0.01, 0.02)),
		runOf("d", "o/Dense-10B", "1x small", "1.0", bare),
		runOf("e", "o/Dense-10B", "2x small", "1.0", elsewhere),
	}}, n)
	l := Limits{TTFT: Limit{"p99", 1}, TPOT: Limit{"p99", 0.05}, ErrorRate: num(0.01)}
	if w := strings.ReplaceAll(l.Words(), "\u202f", " "); w != "TTFT p99 ≤ 1.00 s, TPOT p99 ≤ 50.0 ms, errors ≤ 1.00 %" {
		t.Error(w)
	}
	class := ""
	for _, r := range ix.Runs {
		if r.ID == "a" {
			class = r.Scenarios[0].Class
		}
	}
	var got []string
	for _, row := range ix.RankSLO(ix.Models[0], class, l) {
		s := fmt.Sprintf("%s %d %s", row.Card.Hardware.Name, row.Verdict, row.Why)
		if row.Verdict == Passes {
			s += fmt.Sprintf("at %v: %v, %v, highest %v", row.Load, *row.Throughput, *row.PerAccelerator, row.Highest)
			// 10⁶ × 2 × 3 / (3600 × 400) = 4.1666…; 10⁶ × 3 / (3600 × 300) = 2.7777…
			s += fmt.Sprintf(", %.4f %s", row.Costs[0].PerMillion, row.Costs[0].Price.Currency)
		}
		got = append(got, strings.ReplaceAll(s, "\u202f", " "))
	}
	want := []string{
		"big 2 at 2: 300, 300, highest true, 2.7778 USD",
		"2× big 2 at 4: 400, 200, highest false, 4.1667 USD",
		"4× big 1 TTFT p99 is 1.50 s",
		"2× small 0 this workload was not measured on it",
		"small 0 TTFT p99 is not recorded",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	// 2 of 100 fail: more than 1 %.
	if v, why := l.Check(&failing); v != Fails || why != "98 of 100 requests completed" {
		t.Errorf("%v %q", v, why)
	}
	// Where some load keeps every limit that it has a statistic for, nobody knows; where each breaks
	// one, it fails whatever else is missing.
	half := one(4, 400, 0.1, 0.9, 0.01, 0.02)
	half.Metrics["tpot"] = catalog.Stat{Median: num(0.01), Unit: "s"}
	slow := one(8, 500, 0.1, 2, 0.01, 0.02)
	for _, c := range []struct {
		points []catalog.Point
		want   Verdict
		why    string
	}{
		{[]catalog.Point{half, slow}, NotMeasured, "TPOT p99 is not recorded"},
		{[]catalog.Point{slow}, Fails, "TTFT p99 is 2.00 s"},
		{[]catalog.Point{half, one(16, 600, 0.1, 0.9, 0.01, 0.02)}, Passes, ""},
	} {
		one := NewIndex(&catalog.Catalog{Runs: []*catalog.Run{runOf("x", "o/Dense-10B", "1x big", "1.0", c.points...)}}, n)
		row := one.RankSLO(one.Models[0], one.Runs[0].Scenarios[0].Class, l)[0]
		if why := strings.ReplaceAll(row.Why, "\u202f", " "); row.Verdict != c.want || why != c.why {
			t.Errorf("%d loads: %v %q, want %v %q", len(c.points), row.Verdict, why, c.want, c.why)
		}
	}
	if v, _ := (Limits{}).Check(&catalog.Point{}); v != Passes {
		t.Error("no limits are kept by everything")
	}
	for _, p := range SLOPresets {
		if u, ok := ix.Models[0].ClassFor(p); !ok || u.Cards != 4 {
			t.Errorf("%s: %+v", p.ID, u)
		}
	}
}

func TestCostAndEnergy(t *testing.T) {
	price := settings.Price{PerHour: 2, Currency: "EUR"}
	// 4 accelerators at 2 an hour and 1000 tok/s: 8 / 3.6e6 tokens = 2.2222 a million, 450,000 for 1.
	c, ok := CostAt(1000, 4, price)
	if !ok || math.Abs(c.PerMillion-8/3.6) > 1e-11 || c.TokensPerUnit != 450000 {
		t.Errorf("%+v", c)
	}
	for _, bad := range []struct {
		v     float64
		count int
		hour  float64
	}{{0, 1, 1}, {math.NaN(), 1, 1}, {1, 0, 1}, {1, 1, 0}} {
		if _, ok := CostAt(bad.v, bad.count, settings.Price{PerHour: bad.hour}); ok {
			t.Errorf("%+v has a cost", bad)
		}
	}
	n := testNames(t)
	p := one(1, 1000, 1, 1, 1, 1)
	r := newRun(runOf("a", "o/Dense-10B", "2x big", "1.0", p), n)
	if e, ok := r.TokensPerJoule(&r.Points[0]); !ok || e != (Energy{1, 1000, BoardPower}) {
		t.Errorf("board power 2 × 500 W: %+v", e)
	}
	r.Points[0].Metrics["power"] = catalog.Stat{Mean: num(400), Unit: "W"}
	if e, ok := r.TokensPerJoule(&r.Points[0]); !ok || e != (Energy{2.5, 400, MeasuredPower}) {
		t.Errorf("measured: %+v", e)
	}
	p = one(1, 1000, 1, 1, 1, 1) // the metrics above are shared
	if _, ok := newRun(runOf("b", "m", "1x small", "1.0", p), n).TokensPerJoule(&p); ok {
		t.Error("without any power there is no figure")
	}
}

// TestUtilization: 10 B weights in 16 bit are 20 GB; a token takes 2 × 10 × 10 × 100 × 2 = 40,000
// bytes; 8 requests of 1000 + 100 tokens hold 352 MB. At a TPOT of 20 ms a step could read 40 GB.
func TestUtilization(t *testing.T) {
	n := testNames(t)
	ix := NewIndex(&catalog.Catalog{Runs: []*catalog.Run{
		runOf("a", "o/Dense-10B", "1x big", "1.0", one(8, 1000, 1, 1, 0.02, 1)),
		runOf("b", "o/Mixed-40B", "1x big", "1.0", one(8, 1000, 1, 1, 0.02, 1)),
		runOf("c", "o/Dense-10B", "1x twin", "1.0", one(8, 1000, 1, 1, 0.02, 1)),
		runOf("d", "o/Dense-10B", "1x big", "1.0", one(8, 1000, 1, 1, 0.005, 1)),
		runOf("e", "unknown-thing", "1x big", "1.0", one(8, 1000, 1, 1, 0.02, 1)),
	}}, n)
	by := map[string]*Run{}
	for _, r := range ix.Runs {
		by[r.ID] = r
	}
	near := func(a, b float64) bool { return math.Abs(a-b) < 1e-11 }
	mbu := func(id string) Utilization {
		u, ok := ix.MBU(by[id], &by[id].Points[0])
		if !ok {
			t.Fatalf("no MBU of %s", id)
		}
		return u
	}
	if u := mbu("a"); !near(u.Lo, 20.352/40) || u.Range() || u.Warning != "" {
		t.Errorf("dense: %+v", u)
	}
	// 40 B in all are 80 GB, 5 B active 10 GB; 8 requests touch at most all 80 GB of them.
	if u := mbu("b"); !near(u.Lo, 10.0/40) || !near(u.Hi, 80.0/40) {
		t.Errorf("mixture: %+v", u)
	}
	if u := mbu("c"); !near(u.Lo, 20.352/40) || !near(u.Hi, 20.352/20) || !u.Range() {
		t.Errorf("form factor not recorded: %+v", u)
	}
	if u := mbu("d"); !near(u.Lo, 20.352/10) || u.Warning == "" {
		t.Errorf("more than there is: %+v", u)
	}
	if _, ok := ix.MBU(by["e"], &by["e"].Points[0]); ok {
		t.Error("a model of unknown size has an MBU")
	}
	// 1000 tok/s out with 1000 in for 200 out are 6000 tok/s in all; 2 × 10e9 × 6000 / 1e15 = 0.12.
	if u, ok := ix.MFU(by["a"], &by["a"].Points[0]); !ok || !near(u.Lo, 0.12) || u.Range() {
		t.Errorf("MFU %+v", u)
	}
	if u, ok := ix.MFU(by["b"], &by["b"].Points[0]); !ok || !near(u.Lo, 0.06) {
		t.Errorf("MFU of a mixture %+v", u)
	}
	if _, ok := ix.MFU(by["c"], &by["c"].Points[0]); ok {
		t.Error("one variant has no peak: no range can be given")
	}
	// (100 GB × 0.9 − 20 GB) / 40,000 = 1,750,000 tokens.
	a := by["a"]
	a.Parameters = params("gpu_memory_utilization", "0.9")
	a.Figures = []catalog.Figure{{Metric: "kv_cache_tokens", Value: num(1400000)}}
	if k, ok := a.KVCapacity(); !ok || k.Estimated != 1750000 || *k.Share != 0.8 || k.Warning != "" {
		t.Errorf("KV capacity %+v", k)
	}
	// With GiB for GB it is 107.37 × 0.9 − 20 = 76.633 GB, 1,915,825 tokens.
	a.Figures[0].Value = num(1915000)
	if k, _ := a.KVCapacity(); k.Warning != "" || *k.Share < 1 {
		t.Errorf("what GiB would hold has a warning: %+v", k)
	}
	a.Figures[0].Value = num(1916000)
	if k, _ := a.KVCapacity(); k.Warning == "" {
		t.Error("more than the memory holds has no warning")
	}
}

func TestHistory(t *testing.T) {
	n := testNames(t)
	at := func(id, version string, values ...float64) *catalog.Run {
		r := runOf(id, "o/Dense-10B", "1x big", version)
		for i, v := range values {
			p := one(4, v, 1, 1, 1, 1)
			p.Repetition = i
			r.Points = append(r.Points, p)
		}
		return r
	}
	withdrawn := at("z", "1.5", 1)
	withdrawn.Withdrawn = "wrong"
	ix := NewIndex(&catalog.Catalog{Runs: []*catalog.Run{
		at("e", "1.10", 120, 121, 122, 123, 124, 125), at("d", "1.9", 100, 101, 102, 103, 104, 105), at("a", "1.0", 100), at("b", "1.1", 105), at("c", "1.2", 94),
		at("f", "1.11", 121, 122, 123, 124, 125, 126), withdrawn,
	}}, n)
	card := ix.Cards[0]
	class, load, ok := HistoryOf(card.Tracks())
	if !ok || load != 4 {
		t.Fatalf("%q at %v", class, load)
	}
	var got []string
	for _, p := range History(card.Runs, class, load, "output_throughput", "value") {
		got = append(got, fmt.Sprintf("%s %v %d %d", p.Run.Engine.Version, p.Summary.Median, p.Change, p.Better))
	}
	// 100 to 105 is exactly 5 % and no change; 105 to 94 is 10 % down; 94 to six of 102.5 up, one
	// side with one; six of 102.5 and six of 122.5 do not overlap; the last two do.
	want := []string{"1.0 100 0 0", "1.1 105 0 0", "1.2 94 1 -1", "1.9 102.5 1 1", "1.10 122.5 2 1", "1.11 123.5 0 0"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestFormulas(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range Formulas {
		if seen[f.ID] || f.Name == "" || f.Text == "" || settings.Slug(f.ID) != f.ID {
			t.Errorf("formula %+v", f)
		}
		seen[f.ID] = true
	}
}

// TestMedianRank: of n samples the r-th smallest and the r-th greatest hold the median unless fewer
// than r, or more than n − r, lie below it: 2 × P(fewer than r heads of n throws) must be at most 5 %.
// Six: 2 × 1/64 = 3.1 %; seven with r = 2 would be 2 × 8/128 = 12.5 %; nine with r = 2: 2 × 10/512 =
// 3.9 %; twenty with r = 6: 2 × 21,700 / 2^20 = 4.1 %.
func TestMedianRank(t *testing.T) {
	for n, want := range map[int64]int64{0: 0, 5: 0, 6: 1, 7: 1, 9: 2, 20: 6} {
		if got := medianRank(n); got != want {
			t.Errorf("%d samples: rank %d, want %d", n, got, want)
		}
	}
	// A hundred: 2 × P(fewer than 40 heads) is 3.5 %, with 41 it is 5.7 %: 40, less one for safety.
	if got := medianRank(100); got != 39 {
		t.Errorf("100 samples: rank %d", got)
	}
	for n := int64(30); n < 3000; n += 7 { // never wider than benchmath's by more than two ranks, never narrower
		vs := make([]float64, n)
		for i := range vs {
			vs[i] = float64(i + 1)
		}
		if s, got := Summarize(vs), float64(medianRank(n)); got > s.Lo || got < s.Lo-2 {
			t.Errorf("%d samples: rank %v, the interval begins at %v", n, got, s.Lo)
		}
	}
}

// TestDifferPoints: a measurement of 1,000 requests with TTFT 0.2 s at the median lies, with 25 %
// and 75 % at 0.18 and 0.22, between these ends with far more than 95 %.
func TestDifferPoints(t *testing.T) {
	point := func(n int64, lo, mid, hi float64, exact bool) []*catalog.Point {
		s := catalog.Stat{Median: num(mid), N: n, Unit: "s"}
		if exact {
			s.MedianLow, s.MedianHigh = num(lo), num(hi)
		} else {
			s.Percentiles = []catalog.Percentile{{P: 5, Value: lo / 2}, {P: 25, Value: lo}, {P: 75, Value: hi}, {P: 99, Value: hi * 2}}
		}
		return []*catalog.Point{{Metrics: map[metric.ID]catalog.Stat{"ttft": s, "itl": s, "output_throughput": stat(1)}}}
	}
	for _, c := range []struct {
		name   string
		metric metric.ID
		a, b   []*catalog.Point
		want   Certainty
		words  string
	}{
		{"quartiles apart", "ttft", point(1000, 0.18, 0.2, 0.22, false), point(1000, 0.1, 0.11, 0.12, false), Distinguishable, "within the runs: the 95\u202f% intervals of the median over 1\u202f000 and 1\u202f000 requests do not overlap"},
		{"quartiles overlap, which says nothing", "ttft", point(1000, 0.18, 0.2, 0.22, false), point(1000, 0.1, 0.15, 0.19, false), NoClaim, "the percentiles around the median"},
		{"intervals overlap", "ttft", point(8, 0.18, 0.2, 0.22, true), point(9, 0.1, 0.15, 0.19, true), NotDistinguishable, "over 9 and 8 requests overlap"},
		{"intervals apart", "ttft", point(8, 0.18, 0.2, 0.22, true), point(8, 0.1, 0.15, 0.17, true), Distinguishable, "within the runs"},
		{"five requests", "ttft", point(5, 0.18, 0.2, 0.22, true), point(5, 0.1, 0.15, 0.17, true), NoClaim, "one measurement each"},
		// Of 12 requests the third smallest and greatest hold the median; the 25th percentile lies
		// between the third and the fourth: only the fifth, near the first, is safe.
		{"few requests reach further out", "ttft", point(12, 0.18, 0.2, 0.22, false), point(12, 0.1, 0.11, 0.12, false), NoClaim, "the percentiles around the median"},
		{"gaps hang together", "itl", point(1000, 0.18, 0.2, 0.22, true), point(1000, 0.1, 0.15, 0.17, true), NoClaim, "one measurement each"},
	} {
		d, ok := DifferPoints(c.metric, "median", c.a, c.b)
		if !ok || d.Certainty != c.want || !strings.Contains(d.Words(), c.words) {
			t.Errorf("%s: %v %q", c.name, d.Certainty, d.Words())
		}
	}
	if d, ok := DifferPoints("output_throughput", "value", point(1000, 1, 1, 1, true), point(1000, 1, 1, 1, true)); !ok || d.A.Requests != 0 {
		t.Errorf("a throughput has no requests: %+v", d)
	}
	// Six repetitions speak for themselves.
	var six []*catalog.Point
	for range 6 {
		six = append(six, point(1000, 0.18, 0.2, 0.22, true)...)
	}
	if d, _ := DifferPoints("ttft", "median", six, six); d.A.Requests != 0 || d.Certainty != NotDistinguishable {
		t.Errorf("six repetitions: %+v", d)
	}
}
