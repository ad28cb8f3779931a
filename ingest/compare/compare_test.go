package compare

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/figuretest"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
	"github.com/inferdex/inferdex/ingest/settings"
)

// resolved is a run with its names resolved.
func resolved(cr *catalog.Run, n *settings.Names) *figure.Run {
	return figure.NewIndex(&catalog.Catalog{Runs: []*catalog.Run{cr}}, n).Runs[0]
}

func rates(series string, baseline bool, values ...float64) *figure.Run {
	r := &catalog.Run{Identity: record.Identity{Tool: "t"},
		Attributes: map[string]catalog.Attribute{"series": {Value: series}}}
	if baseline {
		r.Attributes["baseline"] = catalog.Attribute{Value: "true"}
	}
	for i, v := range values {
		rate := record.Float(i + 1)
		if i == len(values)-1 {
			rate = record.Float(math.Inf(1))
		}
		r.Points = append(r.Points, catalog.Point{Load: record.Load{Rate: &rate},
			Metrics: map[metric.ID]catalog.Stat{"ttft": figuretest.Dist(v, v, v)}})
	}
	names, _ := settings.LoadNames()
	return resolved(r, names)
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
		winner    Winner
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
		if !ok || d.Change == nil || math.Abs(*d.Change-c.change) > 1e-11 || d.Winner != c.winner ||
			d.Certainty != c.certainty {
			t.Errorf("%s %v against %v: %+v", c.metric, c.b, c.a, d)
		}
	}
	if d, ok := Differ("ttft", "mean", []float64{0}, []float64{3}); !ok || d.Change != nil || d.Ratio != nil ||
		d.Delta != 3 {
		t.Errorf("from 0: %+v", d)
	}
	if _, ok := Differ("ttft", "mean", nil, []float64{3}); ok {
		t.Error("nothing was compared with something")
	}
}

func TestRowsGroupRepetitions(t *testing.T) {
	var a, b []catalog.Point
	for i := range 6 {
		p, q := figuretest.Point(4, 100+float64(i), 0.1, 0.2, 0.01, 0.02), figuretest.Point(4, 90+float64(i)/2, 0.1,
			0.2, 0.01, 0.02)
		p.Repetition, q.Repetition = i, i
		a, b = append(a, p), append(b, q)
	}
	a = append(a, figuretest.Point(8, 1, 1, 1, 1, 1)) // b has no such load
	ra, rb := resolved(figuretest.Run("a", "o/Dense-10B", "1x big", "1.0", a...),
		figuretest.Names(t)), resolved(figuretest.Run("b", "o/Dense-10B", "1x big", "1.0", b...), figuretest.Names(t))
	rows := NewPair(NewMeasured(ra), NewMeasured(rb)).Loads()
	if len(rows) != 1 || rows[0].Load != 4 || len(rows[0].A) != 6 {
		t.Fatalf("%+v", rows)
	}
	d := rows[0].all()[0]
	if d.Metric != "output_throughput" || d.A.Median != 102.5 || d.B.Median != 91.25 ||
		d.Certainty != Distinguishable || d.Winner != -1 {
		t.Errorf("%+v", d)
	}
}

// Of runs that sent other numbers of requests at once, those of one number are compared: 4 requests of one run were set
// beside 8 of the other where that had none of 4. What they share is called without the number.
func TestEqualNumbersOfRequests(t *testing.T) {
	const lengths = "1" + metric.ThinSpace + "000 → 200"
	run := func(id string, sent ...int64) *figure.Run {
		var ps []catalog.Point
		for _, n := range sent {
			p, inf := figuretest.Point(1, float64(100*n), 0.1, 0.2, 0.01, 0.02), record.Float(math.Inf(1))
			p.Load = record.Load{Rate: &inf}
			p.Submitted, p.Completed = &n, &n
			ps = append(ps, p)
		}
		return resolved(figuretest.Run(id, "o/Dense-10B", "1x big", "1.0", ps...), figuretest.Names(t))
	}
	for _, c := range []struct {
		a, b []int64
		want string
	}{
		{[]int64{4, 8, 16}, []int64{8, 16, 32}, lengths + ", 8 requests|" + lengths + ", 16 requests"},
		{[]int64{4, 8}, []int64{8}, lengths + ", 8 requests"},
		{[]int64{4, 8}, []int64{16}, ""},
		{[]int64{4}, []int64{8}, lengths}, // no number tells anything apart in either run
	} {
		var got []string
		for _, m := range Matches(run("a", c.a...), run("b", c.b...)) {
			got = append(got, m.A.Title)
			if m.A.Common() != lengths {
				t.Errorf("%q is called %q without its number", m.A.Title, m.A.Common())
			}
		}
		if strings.Join(got, "|") != c.want {
			t.Errorf("%v and %v requests share %q, want %q", c.a, c.b, got, c.want)
		}
	}
}

func TestNewPair(t *testing.T) {
	n := figuretest.Names(t)
	a := figuretest.Run("a", "o/Dense-10B", "1x big", "1.0", figuretest.Point(1, 1, 1, 1, 1, 1))
	b := figuretest.Run("b", "o/Dense-10B", "1x big", "1.0", figuretest.Point(1, 1, 1, 1, 1, 1))
	a.Points[0].Workload.Actual.Input, b.Points[0].Workload.Actual.Input = figuretest.Num(1000), figuretest.Num(1049)
	c := NewPair(NewMeasured(resolved(a, n)), NewMeasured(resolved(b, n)))
	if len(c.Workloads) != 1 || c.Workloads[0].Amber || c.Refused != "" || c.Labels != nil {
		t.Errorf("equal classes: %+v", c)
	}
	if !strings.Contains(strings.Join(c.Workloads[0].Cautions, " "), "streaming") {
		t.Errorf("what nobody recorded is not said: %q", c.Workloads[0].Cautions)
	}
	b.Points[0].Workload.Actual.Input = figuretest.Num(1051) // 5.1 % apart
	if c := NewPair(NewMeasured(resolved(a, n)), NewMeasured(resolved(b, n))); !c.Workloads[0].Amber ||
		!strings.Contains(c.Workloads[0].Cautions[0], "5.1\u202f%") {
		t.Errorf("lengths 5.1 %% apart: %+v", c.Workloads)
	}
	a.Attributes["labels.division"] = catalog.Attribute{Value: "closed"}
	b.Attributes["labels.division"] = catalog.Attribute{Value: "Closed"}
	if c := NewPair(NewMeasured(resolved(a, n)), NewMeasured(resolved(b, n))); c.Workloads[0].Topic() != "Lengths differ" {
		t.Errorf("one division: %q", c.Workloads[0].Cautions)
	}
	b.Attributes["labels.division"] = catalog.Attribute{Value: "open"}
	if c := NewPair(NewMeasured(resolved(a, n)), NewMeasured(resolved(b, n))); !c.Workloads[0].Amber ||
		!strings.HasPrefix(c.Workloads[0].Cautions[0], `the divisions differ, "closed" and "open"`) ||
		c.Workloads[0].Topic() != "Divisions differ" {
		t.Errorf("two divisions: %+v", c.Workloads)
	}
	b.Points[0].Workload.Dataset = "share\"gpt"
	b.Points[0].Workload.Nominal.Output = figuretest.Num(300)
	b.Identity.Tool = "vllm-bench-serve"
	c = NewPair(NewMeasured(resolved(a, n)), NewMeasured(resolved(b, n)))
	want := `no workload in common; the nearest differ in measuring tool: "t" and "vllm-bench-serve"; dataset: "random" and "share\"gpt"; output length: 200 and 300`
	if c.Refused != want {
		t.Errorf("refused: %s", c.Refused)
	}
	if len(c.Labels) == 0 || !strings.HasPrefix(c.Labels[0], "TPOT: vllm-bench-serve measures") {
		t.Errorf("labels %q", c.Labels)
	}
	if len(c.Alone) != 1 {
		t.Errorf("%d mismatches: one scenario a side is one pair", len(c.Alone))
	}
	b.Points = nil
	if c := NewPair(NewMeasured(resolved(a, n)), NewMeasured(resolved(b, n))); c.Refused == "" || len(c.Alone) != 1 ||
		c.Alone[0].B != nil {
		t.Errorf("against nothing: %+v", c)
	}
}

func TestDiffParameters(t *testing.T) {
	n := figuretest.Names(t)
	a, b := figuretest.Run("a", "o/Dense-10B", "1x big", "1.0"), figuretest.Run("b", "o/Dense-10B", "2x big", "2.0")
	a.Parameters = figuretest.Params("seats", "4", "mode", `"auto"`, "limit", "null", "tags", `["*"]`, "door", "1",
		"--odd-name", "1", "queries", "5", "new_here", "null")
	b.Parameters = figuretest.Params("seats", "null", "mode", "null", "limit", "10", "fresh", "true", "door", "1.0",
		"odd_name", "2")
	a.Parameters["secret"] = catalog.Parameter{Value: json.RawMessage(`"redacted"`), Redacted: true}
	b.Parameters["secret"] = catalog.Parameter{Value: json.RawMessage(`"redacted"`), Redacted: true}
	a.Env, b.Env = figuretest.Params("V", `"1"`), figuretest.Params("W", `"1"`)
	a.Attributes["driver"] = catalog.Attribute{Value: "550"}
	b.Attributes["driver"] = catalog.Attribute{Value: "560"}
	a.Attributes["os"] = catalog.Attribute{Value: "Linux"}
	ix := figure.NewIndex(&catalog.Catalog{Runs: []*catalog.Run{a, b}}, n)
	d := NewArguments(ix.Names, ix.Runs).Diff(ix.Runs[0], ix.Runs[1])
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
		{"one version", d.OneVersion,
			[]string{"argument fresh: unknown to version true", "argument new_here: null unknown to version"}},
		{"unclear", d.Unclear, []string{
			"system os: Linux absent", "client queries: 5 absent", "argument secret: redacted redacted",
			"environment V: 1 absent", "environment W: absent 1",
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
	a, b := figuretest.Run("a", "m", "1x big", "9"), figuretest.Run("b", "m", "1x big", "9")
	a.Parameters = figuretest.Params("flag", "true", "list", `["a", "b'c"]`, "text", `"x y"`, "number", "0.90",
		"nothing", "null", "object", `{"a": [1, null]}`, "other", "3")
	b.Parameters = map[string]catalog.Parameter{}
	for k, v := range map[string]string{"flag": "True", "list": `['a', "b'c"]`, "text": "x y", "number": "0.9",
		"nothing": "None", "object": "{'a': [1, None]}", "other": "4"} {
		q, _ := json.Marshal(v)
		b.Parameters[k] = catalog.Parameter{Value: q, Text: true}
	}
	ix := figure.NewIndex(&catalog.Catalog{Runs: []*catalog.Run{a, b}}, figuretest.Names(t))
	d := NewArguments(ix.Names, ix.Runs).Diff(ix.Runs...)
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
	n := figuretest.Names(t)
	p := func() catalog.Point { return figuretest.Point(1, 10, 1, 1, 1, 1) }
	apart := p()
	apart.Workload.Dataset = "another"
	c := &catalog.Catalog{Runs: []*catalog.Run{
		figuretest.Run("a", "o/Dense-10B", "1x big", "2.0", p()),
		figuretest.Run("b", "o/Dense-10B", "1x big", "1.0", p(), figuretest.Point(2, 10, 1, 1, 1, 1)),
		figuretest.Run("c", "o/Dense-10B", "1x small", "1.0", p()),
		figuretest.Run("d", "o/Dense-10B", "2x big", "1.0", p()),
		figuretest.Run("e", "o/Dense-10B-FP8", "1x big", "1.0", p()),
		figuretest.Run("f", "o/Other-15B", "1x big", "1.0", p()),
		figuretest.Run("g", "o/Mixed-40B", "1x big", "1.0", p()),
		figuretest.Run("h", "o/Dense-10B", "4x big", "1.0", apart),
	}}
	ix := figure.NewIndex(c, n)
	var got []string
	for _, pairs := range Pairs(ix) {
		for _, p := range pairs {
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
	n := figuretest.Names(t)
	c := &catalog.Catalog{}
	for hw := range 40 {
		for v := range 12 {
			c.Runs = append(c.Runs, figuretest.Run(fmt.Sprintf("r%d-%d", hw, v), "o/Dense-10B",
				fmt.Sprintf("1x box%d", hw), fmt.Sprintf("1.%d", v), figuretest.Point(1, 10, 1, 1, 1, 1)))
		}
	}
	slugs := func() (out []string) {
		ix := figure.NewIndex(c, n)
		kinds := map[PairKind]int{}
		for _, p := range pairsOf(ix, ix.Models[0], speakers{}) {
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
		ix := &figure.Index{Models: make([]*figure.Model, models)}
		if got := pairsOfEach(ix); got != want {
			t.Errorf("%d models: %d pairs each, want %d", models, got, want)
		}
	}
	c := &catalog.Catalog{}
	for m := range 150 {
		for hw := range 8 {
			c.Runs = append(c.Runs, figuretest.Run(fmt.Sprintf("r%d-%d", m, hw), fmt.Sprintf("o/Thing%d-7B", m),
				fmt.Sprintf("1x box%d", hw), "1.0", figuretest.Point(1, 10, 1, 1, 1, 1)))
		}
	}
	ix := figure.NewIndex(c, figuretest.Names(t))
	if got := len(pairsOf(ix, ix.Models[0], speakers{})); got != 20 { // of 28 pairs of hardware and more of models
		t.Errorf("%d pairs", got)
	}
}

// TestBestCandidates: the few that may be chosen are the first of all there are, whatever they share and are called.
func TestBestCandidates(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	c := &catalog.Catalog{}
	for i := range 400 {
		var points []catalog.Point
		for load := range 1 + rnd.IntN(3) {
			points = append(points, figuretest.Point(int64(1+load*(1+rnd.IntN(2))), 10, 1, 1, 1, 1))
		}
		c.Runs = append(c.Runs, figuretest.Run(fmt.Sprintf("r%d", i), fmt.Sprintf("o/Thing%d-7B", rnd.IntN(9)),
			fmt.Sprintf("%dx box%d", 1+rnd.IntN(2), rnd.IntN(7)), fmt.Sprintf("1.%d", rnd.IntN(3)), points...))
	}
	ix := figure.NewIndex(c, figuretest.Names(t))
	n := 0
	for _, m := range ix.Models {
		for _, q := range pairQuota {
			all := candidates(ix, m, q.kind, speakers{}, math.MaxInt)
			for _, most := range []int{1, 4, 30} {
				best := candidates(ix, m, q.kind, speakers{}, most)
				if !slices.Equal(best, all[:min(most, len(all))]) {
					t.Errorf("%s, %s: the best %d are not the first of %d", m.Name, q.kind, most, len(all))
				}
				n += len(all) - len(best)
			}
		}
	}
	if n == 0 {
		t.Error("there are never more than are chosen")
	}
}

// TestRefusals: on one card a version with another data set, and a card of that version elsewhere.
func TestRefusals(t *testing.T) {
	apart := figuretest.Point(1, 10, 1, 1, 1, 1)
	apart.Workload.Dataset = "another"
	ix := figure.NewIndex(&catalog.Catalog{Runs: []*catalog.Run{
		figuretest.Run("a", "o/Dense-10B", "1x big", "2.0", figuretest.Point(1, 10, 1, 1, 1, 1)),
		figuretest.Run("b", "o/Dense-10B", "1x big", "1.0", apart),
		figuretest.Run("c", "o/Dense-10B", "1x small", "1.0", apart),
		figuretest.Run("d", "o/Dense-10B", "2x small", "1.0", figuretest.Point(4, 10, 1, 1, 1, 1)),
	}}, figuretest.Names(t))
	list, n := Refusals(ix.Models[0], 2)
	var got []string
	for _, r := range list {
		got = append(got, r.A.Run.ID+" "+r.B.Run.ID+": "+r.Reason)
	}
	// a and b; big (b) and small (c) are a pair; 2x small has no load of big's and no data set of small's.
	want := []string{`a b: no workload in common; the nearest differ in dataset: "random" and "another"`,
		`d a: they share a workload and no load of it`}
	if n != 3 || !slices.Equal(got, want) {
		t.Errorf("%d: %q", n, got)
	}
}

func TestHistory(t *testing.T) {
	n := figuretest.Names(t)
	at := func(id, version string, values ...float64) *catalog.Run {
		r := figuretest.Run(id, "o/Dense-10B", "1x big", version)
		for i, v := range values {
			p := figuretest.Point(4, v, 1, 1, 1, 1)
			p.Repetition = i
			r.Points = append(r.Points, p)
		}
		return r
	}
	withdrawn := at("z", "1.5", 1)
	withdrawn.Withdrawn = "wrong"
	ix := figure.NewIndex(&catalog.Catalog{Runs: []*catalog.Run{
		at("e", "1.10", 120, 121, 122, 123, 124, 125), at("d", "1.9", 100, 101, 102, 103, 104, 105),
		at("a", "1.0", 100), at("b", "1.1", 105), at("c", "1.2", 94),
		at("f", "1.11", 121, 122, 123, 124, 125, 126), withdrawn,
	}}, n)
	card := ix.Cards[0]
	class, load, ok := HistoryOf(Tracks(card))
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

// TestDifferPoints: a measurement of 1,000 requests with TTFT 0.2 s at the median lies, with 25 %
// and 75 % at 0.18 and 0.22, between these ends with far more than 95 %.
func TestDifferPoints(t *testing.T) {
	point := func(n int64, lo, mid, hi float64, exact bool) []*catalog.Point {
		s := catalog.Stat{Median: figuretest.Num(mid), N: n, Unit: "s"}
		if exact {
			s.MedianLow, s.MedianHigh = figuretest.Num(lo), figuretest.Num(hi)
		} else {
			s.Percentiles = []catalog.Percentile{{P: 5, Value: lo / 2}, {P: 25, Value: lo}, {P: 75, Value: hi},
				{P: 99, Value: hi * 2}}
		}
		return []*catalog.Point{{Metrics: map[metric.ID]catalog.Stat{"ttft": s, "itl": s,
			"output_throughput": figuretest.Value(1)}}}
	}
	for _, c := range []struct {
		name   string
		metric metric.ID
		a, b   []*catalog.Point
		want   Certainty
		words  string
	}{
		{"quartiles apart", "ttft", point(1000, 0.18, 0.2, 0.22, false), point(1000, 0.1, 0.11, 0.12, false),
			Distinguishable,
			"within the runs: the 95\u202f% intervals of the median over 1\u202f000 and 1\u202f000 requests do " +
				"not overlap"},
		{"quartiles overlap, which says nothing", "ttft", point(1000, 0.18, 0.2, 0.22, false),
			point(1000, 0.1, 0.15, 0.19, false), NoClaim, "the percentiles around the median"},
		{"intervals overlap", "ttft", point(8, 0.18, 0.2, 0.22, true), point(9, 0.1, 0.15, 0.19, true),
			NotDistinguishable, "over 8 and 9 requests overlap"},
		{"intervals apart", "ttft", point(8, 0.18, 0.2, 0.22, true), point(8, 0.1, 0.15, 0.17, true), Distinguishable,
			"within the runs"},
		{"five requests", "ttft", point(5, 0.18, 0.2, 0.22, true), point(5, 0.1, 0.15, 0.17, true), NoClaim,
			"one measurement each"},
		// Of 12 requests the third smallest and greatest hold the median; the 25th percentile lies
		// between the third and the fourth: only the fifth, near the first, is safe.
		{"few requests reach further out", "ttft", point(12, 0.18, 0.2, 0.22, false), point(12, 0.1, 0.11, 0.12, false),
			NoClaim, "the percentiles around the median"},
		{"gaps hang together", "itl", point(1000, 0.18, 0.2, 0.22, true), point(1000, 0.1, 0.15, 0.17, true), NoClaim,
			"one measurement each"},
	} {
		d, ok := differPoints(c.metric, "median", c.a, c.b)
		if !ok || d.Certainty != c.want || !strings.Contains(d.Words(), c.words) {
			t.Errorf("%s: %v %q", c.name, d.Certainty, d.Words())
		}
	}
	if d, ok := differPoints("output_throughput", "value", point(1000, 1, 1, 1, true),
		point(1000, 1, 1, 1, true)); !ok || d.A.Requests != 0 {
		t.Errorf("a throughput has no requests: %+v", d)
	}
	// Six repetitions speak for themselves.
	var six []*catalog.Point
	for range 6 {
		six = append(six, point(1000, 0.18, 0.2, 0.22, true)...)
	}
	if d, _ := differPoints("ttft", "median", six, six); d.A.Requests != 0 || d.Certainty != NotDistinguishable {
		t.Errorf("six repetitions: %+v", d)
	}
}
func TestPivot(t *testing.T) {
	a, b := rates("old", true, 2, 1, 8), rates("new", false, 1, 3, 2)
	pv, ok := NewPivot([]*figure.Run{b, a}, a.Scenarios[0].Class, "ttft", "mean")
	if !ok || pv.Base != 1 || len(pv.Rows) != 3 {
		t.Fatalf("%+v", pv)
	}
	if r := pv.Rows[0]; r.Fastest != 0 || r.FasterBy == nil || *r.FasterBy != 0.5 {
		t.Errorf("first row %+v: new halves 2 to 1", r)
	}
	if r := pv.Rows[1]; r.Fastest != 1 || r.FasterBy != nil {
		t.Errorf("second row %+v: the baseline is the best, so there is no difference", r)
	}
	if r := pv.Rows[2]; !math.IsInf(r.Load, 1) || *r.FasterBy != 0.75 {
		t.Errorf("the infinite rate is the last row: %+v", r)
	}
	if !pv.Contested() || !pv.Beaten() {
		t.Error("new beats old at two of three rates")
	}
	pv, _ = NewPivot([]*figure.Run{a, rates("slow", false, 9, 9, 9)}, a.Scenarios[0].Class, "ttft", "mean")
	if !pv.Contested() || pv.Beaten() {
		t.Error("slow beats old nowhere, and both are measured at all rates")
	}
	pv, _ = NewPivot([]*figure.Run{rates("one", true, 2), rates("two", false, 2, 1, 8)}, a.Scenarios[0].Class, "ttft", "mean")
	pv.Rows = slices.DeleteFunc(pv.Rows, func(r PivotRow) bool { return math.IsInf(r.Load, 1) })
	if pv.Contested() || pv.Beaten() {
		t.Error("beside the infinite rate no rate is that of both")
	}
}

// Sides of other numbers of accelerators are compared for each of them first. Where one number is not recorded, or
// both are equal, nothing is divided.
func TestPerAcceleratorFirst(t *testing.T) {
	run := func(id, hardware string, throughput float64) *catalog.Run {
		r := dated(id, "1.0", "2025-01-01", "", figuretest.Point(4, 1, throughput, 1, 1, 1))
		r.Attributes["hardware"] = catalog.Attribute{Value: hardware}
		delete(r.Attributes, "count")
		r.Points[0].Metrics[metric.OutputThroughput] = catalog.Stat{Value: figuretest.Num(throughput)}
		return r
	}
	for _, c := range []struct {
		a, b   string
		change float64 // of each accelerator; 0 where nothing is divided
	}{{"4x big", "8x big", -0.2}, {"8x big", "8x big", 0}, {"big", "8x big", 0}} {
		ix := figure.NewIndex(&catalog.Catalog{Runs: []*catalog.Run{run("a", c.a, 100), run("b", c.b, 160)}},
			figuretest.Names(t))
		byID := map[string]*figure.Run{}
		for _, r := range ix.Runs {
			byID[r.ID] = r
		}
		p := NewPair(NewMeasured(byID["a"]), NewMeasured(byID["b"]))
		all := p.Workloads[0].Loads[0].all()
		each, ok := p.Workloads[0].Loads[0].PerAccelerator()
		switch {
		case ok != (c.change != 0):
			t.Errorf("%s against %s: divided %v", c.b, c.a, ok)
		case ok && (all[0].Metric != metric.ThroughputPerAccelerator || *each.Change != c.change ||
			each.A.Median != 25 || each.B.Median != 20):
			t.Errorf("%s against %s: %+v", c.b, c.a, each)
		case !ok && all[0].Metric == metric.ThroughputPerAccelerator:
			t.Errorf("%s against %s: a number is assumed", c.b, c.a)
		}
	}
}
