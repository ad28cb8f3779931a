package compare

import (
	"math"
	"strings"
	"testing"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/figuretest"
)

func TestParseGates(t *testing.T) {
	gs, err := ParseGates(" output_throughput < -5% , ttft.p99>+10%,itl.p50>0%,power>+2.5 %,")
	if err != nil {
		t.Fatal(err)
	}
	want := []Gate{
		{Text: "output_throughput < -5%", Metric: "output_throughput", Change: -0.05},
		{Text: "ttft.p99>+10%", Metric: "ttft", Stat: "p99", Above: true, Change: 0.1},
		{Text: "itl.p50>0%", Metric: "itl", Stat: "median", Above: true},
		{Text: "power>+2.5 %", Metric: "power", Above: true, Change: 0.025},
	}
	if len(gs) != len(want) {
		t.Fatalf("%d limits", len(gs))
	}
	for i, g := range gs {
		if g != want[i] {
			t.Errorf("%+v, want %+v", g, want[i])
		}
	}
	for text, says := range map[string]string{
		"":                         "no limit",
		"ttft":                     "no < or >",
		"speed<-5%":                `no metric "speed"`,
		"ttft.p>+5%":               `no statistic "p"`,
		"ttft.p100>+5%":            `no statistic "p100"`,
		"ttft>+5":                  "write a % at the end",
		"ttft>+x%":                 `"+x" is no number`,
		"ttft>+inf%":               "is no number",
		"ttft>5%":                  "needs its sign",
		"output_throughput<-100%":  "nothing falls by more",
		"output_throughput<+5%":    "no change at all",
		"ttft>-5%":                 "no change at all",
		"output_throughput>+5%":    "only an improvement",
		"ttft<-5%":                 "only an improvement",
		"ttft>+5%,ttft<-5%":        `"ttft<-5%"`,
		"achieved_concurrency<5%x": "write a % at the end",
	} {
		if _, err := ParseGates(text); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v, want %q", text, err, says)
		}
	}
}

// measured is a run with points at 4 parallel requests that repeat each other.
func measured(t *testing.T, tput ...float64) *figure.Scenario {
	t.Helper()
	var ps []catalog.Point
	for _, v := range tput {
		ps = append(ps, figuretest.Point(4, v, 1, 2, 0.1, 0.2))
	}
	ix := figure.NewIndex(&catalog.Catalog{Runs: []*catalog.Run{figuretest.Run("r", "o/Dense-10B", "1x big", "1.0",
		ps...)}}, figuretest.Names(t))
	return ix.Runs[0].Scenarios[0]
}

func TestGateCheck(t *testing.T) {
	g := Gate{Metric: "output_throughput", Change: -0.05}
	six := []float64{100, 101, 102, 103, 104, 105} // median 102.5, interval 100 to 105
	for _, c := range []struct {
		name   string
		a, b   []float64
		state  GateState
		change float64
	}{
		// The medians are 102.5 and 92.25; 94.5, the greatest of b, is below 100.
		{"10 % slower", six, []float64{90, 90.9, 91.8, 92.7, 93.6, 94.5}, GateExceeded, -0.1},
		// 102.5 and (94 + 96) / 2 = 95: −7.317 %, but 101 reaches into the interval.
		{"noise", six, []float64{90, 92, 94, 96, 98, 101}, GateNotDistinguishable, -7.5 / 102.5},
		{"within the limit, though distinguishable", six, []float64{97, 97.5, 98, 98.5, 99, 99.5}, GateKept,
			-4.25 / 102.5},
		// The limit itself is no change below it: 95 of 100.
		{"at the limit", []float64{100}, []float64{95}, GateKept, -0.05},
		{"one measurement each", []float64{100}, []float64{50}, GateNoClaim, -0.5},
		{"five measurements", six, []float64{50, 50, 50, 50, 50}, GateNoClaim, 50/102.5 - 1},
		{"a drop to zero", []float64{100}, []float64{0}, GateExceeded, -1},
		{"a rise", six, []float64{200, 201, 202, 203, 204, 205}, GateKept, 202.5/102.5 - 1},
	} {
		rs := g.Check(measured(t, c.a...), measured(t, c.b...))
		if len(rs) != 1 {
			t.Fatalf("%s: %+v", c.name, rs)
		}
		if r := rs[0]; r.State != c.state || math.Abs(float64(*r.Change)-c.change) > 1e-9 || r.Load != 4 ||
			r.Stat != "value" {
			t.Errorf("%s: %s, %v, want %s, %v", c.name, r.State, *r.Change, c.state, c.change)
		}
	}

	a, b := measured(t, 100), measured(t, 100)
	delete(b.Points[0].Metrics, "output_throughput")
	if rs := g.Check(a, b); len(rs) != 1 || rs[0].State != GateMissing {
		t.Errorf("a figure that is gone: %+v", rs)
	}
	if rs := g.Check(b, a); len(rs) != 0 {
		t.Errorf("a figure that is new: %+v", rs)
	}
	// ttft has a mean and a median: the limit without a statistic is held against the median.
	if rs := (Gate{Metric: "ttft", Above: true}).Check(a, b); len(rs) != 1 || rs[0].Stat != "median" {
		t.Errorf("the statistic that stands for TTFT: %+v", rs)
	}
	// 90 of 100 requests instead of 100 of 100: −10 %.
	b.Points[0].Completed = figuretest.Whole(90)
	if rs := (Gate{Metric: "success_rate", Change: -0.05}).Check(a, b); len(rs) != 1 || rs[0].State != GateNoClaim ||
		math.Abs(float64(*rs[0].Change)+0.1) > 1e-12 {
		t.Errorf("success: %+v", rs)
	}
	from := measured(t, 0)
	if rs := g.Check(from, a); len(rs) != 1 || rs[0].State != GateKept || !math.IsInf(float64(*rs[0].Change), 1) {
		t.Errorf("from zero: %+v", rs)
	}
}

func TestPool(t *testing.T) {
	var runs []*catalog.Run
	for i, v := range []float64{100, 110, 120} {
		r := figuretest.Run(string(rune('a'+i)), "o/Dense-10B", "1x big", "1.0", figuretest.Point(4, v, 1, 2, 0.1, 0.2),
			figuretest.Point(8, 2*v, 1, 2, 0.1, 0.2))
		r.Started = "2025-01-0" + string(rune('1'+i))
		runs = append(runs, r)
	}
	runs = append(runs, figuretest.Run("d", "o/Dense-10B", "1x big", "2.0", figuretest.Point(4, 1, 1, 2, 0.1, 0.2)))
	ix := figure.NewIndex(&catalog.Catalog{Runs: runs}, figuretest.Names(t))
	byID := map[string]*figure.Run{}
	for _, r := range ix.Runs {
		byID[r.ID] = r
	}
	a, b, c, d := byID["a"], byID["b"], byID["c"], byID["d"]
	if !NewArguments(ix.Names, ix.Runs).Repeat(a, b) || !NewArguments(ix.Names, ix.Runs).Repeat(a, c) ||
		NewArguments(ix.Names, ix.Runs).Repeat(a, d) {
		t.Error("runs of one version repeat each other, those of two do not")
	}
	p := pool([]*figure.Run{a, b, c})
	if len(p.Scenarios) != 1 || len(a.Scenarios[0].Points) != 2 {
		t.Fatalf("%d workloads; the first run has %d points now", len(p.Scenarios), len(a.Scenarios[0].Points))
	}
	if s := figure.Summarize(figure.Samples(p.Scenarios[0].AllAt(8), "output_throughput", "value")); s.N != 3 ||
		s.Median != 220 || s.Lo != 200 || s.Hi != 240 {
		t.Errorf("pooled: %+v", s)
	}
}
