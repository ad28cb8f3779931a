package figure

import (
	"strings"
	"testing"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figuretest"
	"github.com/inferdex/inferdex/ingest/metric"
)

func TestNearestLimits(t *testing.T) {
	chat := SLOPresets[0].Limits
	stat := func(unit string, median float64, ps ...catalog.Percentile) catalog.Stat {
		return catalog.Stat{Median: &median, Percentiles: ps, Unit: unit}
	}
	for _, c := range []struct {
		what    string
		metrics map[metric.ID]catalog.Stat
		want    string
		verdict Verdict
		why     string
	}{
		{"all as set", map[metric.ID]catalog.Stat{
			metric.TTFT: stat("s", 1, catalog.Percentile{P: 99, Value: 1.9}),
			metric.TPOT: stat("s", 0.03, catalog.Percentile{P: 99, Value: 0.05})},
			"TTFT p99 ≤ 2 s, TPOT p99 ≤ 50 ms, errors ≤ 1 %", Passes, ""},
		{"the nearest percentile, not the median", map[metric.ID]catalog.Stat{
			metric.TTFT: stat("s", 1, catalog.Percentile{P: 75, Value: 1.5}, catalog.Percentile{P: 95, Value: 2.5}),
			metric.TPOT: stat("s", 0.03)},
			"TTFT p95 ≤ 2 s (p99 is not recorded), TPOT median ≤ 50 ms (p99 is not recorded), errors ≤ 1 %",
			Fails, "TTFT p95 is 2.50 s"},
		// 1 / 0.05 s = 20 tok/s; p1 of a speed is p99 of its reciprocal, so of p25 and p75 it is p25.
		{"a speed of requests", map[metric.ID]catalog.Stat{
			metric.TTFT: stat("s", 1),
			metric.SpeedPerRequest: stat("tok/s", 24, catalog.Percentile{P: 25, Value: 19},
				catalog.Percentile{P: 75, Value: 30})},
			"TTFT median ≤ 2 s (p99 is not recorded), " +
				"speed per request p25 ≥ 20 tok/s (TPOT is not known), errors ≤ 1 %",
			Fails, "speed per request p25 is 19.0 tok/s"},
		{"ITL before other times", map[metric.ID]catalog.Stat{
			metric.TTFT: stat("s", 1), metric.NTPOT: stat("s", 0.1),
			metric.ITL: stat("s", 0.02, catalog.Percentile{P: 99, Value: 0.04})},
			"TTFT median ≤ 2 s (p99 is not recorded), ITL p99 ≤ 50 ms (TPOT is not known), errors ≤ 1 %",
			Passes, ""},
		{"nothing near", map[metric.ID]catalog.Stat{metric.E2ELatency: stat("s", 1)},
			"TTFT p99 ≤ 2 s, TPOT p99 ≤ 50 ms, errors ≤ 1 %", NotMeasured, "TTFT p99 is not known"},
	} {
		p := figuretest.Point(1, 10, 1, 1, 0.01, 0.01)
		p.Metrics = c.metrics
		ix := NewIndex(&catalog.Catalog{Runs: []*catalog.Run{figuretest.Run("a", "o/Dense-10B", "1x big", "1.0", p)}},
			figuretest.Names(t))
		held := chat.Nearest(ix.Runs[0].Scenarios[0])
		plain := func(s string) string { return strings.ReplaceAll(s, "\u202f", " ") }
		if got := plain(HeldWords(held)); got != c.want {
			t.Errorf("%s: %s, want %s", c.what, got, c.want)
		}
		if v, why := check(held, &p); v != c.verdict || plain(why.String()) != c.why {
			t.Errorf("%s: %v %q, want %v %q", c.what, v, why, c.verdict, c.why)
		}
	}
}

// A request that completed without output is no success: of 100 that completed 2 break a limit of 1 %, and one keeps it.
// Where nobody counted them, nothing is taken away.
func TestErrorsWithoutOutput(t *testing.T) {
	rate := 0.01
	held := Limits{ErrorRate: &rate}.Held()
	for _, c := range []struct {
		none    *int64
		verdict Verdict
		why     string
	}{
		{nil, Passes, ""},
		{figuretest.Whole(1), Passes, ""},
		{figuretest.Whole(2), Fails, "100 of 100 requests completed, 2 without output"},
	} {
		p := figuretest.Point(1, 10, 1, 1, 0.01, 0.01)
		p.NoOutput = c.none
		if v, why := check(held, &p); v != c.verdict || why.String() != c.why {
			t.Errorf("%v %q, want %v %q", v, why, c.verdict, c.why)
		}
	}
}

func TestTimeOf(t *testing.T) {
	p := catalog.Point{Metrics: map[metric.ID]catalog.Stat{metric.SpeedPerRequest: {Unit: "tok/s",
		Mean: figuretest.Num(30), Median: figuretest.Num(32), Percentiles: []catalog.Percentile{{P: 1, Value: 20},
			{P: 99.9, Value: 64}}}}}
	for stat, want := range map[string]float64{
		"p99": 0.05, "median": 0.03125, "p0.1": 0.015625, "mean": 0, "p95": 0, "std": 0, "p": 0,
	} {
		if got, ok := TimeOf(&p, metric.SpeedPerRequest, stat); got != want || ok != (want > 0) {
			t.Errorf("%s: %v, want %v", stat, got, want)
		}
	}
}

// A time over a limit is never written as the limit.
func TestSecondsBeside(t *testing.T) {
	for _, c := range []struct {
		v, limit float64
		want     string
	}{
		{0.02002, 0.02, "20.02\u202fms"},
		{0.0200001, 0.02, "20.0001\u202fms"},
		{0.01998, 0.02, "19.98\u202fms"},
		{0.9999, 1, "999.9\u202fms"},
		{0.02, 0.02, "20.0\u202fms"},
		{2.33, 2, "2.33\u202fs"},
	} {
		if got := SecondsBeside(c.v, c.limit); got != c.want {
			t.Errorf("%v beside a limit of %v: %q, want %q", c.v, c.limit, got, c.want)
		}
	}
	limit := 0.02
	p := &catalog.Point{Metrics: map[metric.ID]catalog.Stat{metric.TPOT: figuretest.Dist(0.01, 0.01, 0.02002)}}
	h := Held{Metric: metric.TPOT, Stat: metric.P99, Most: &limit}
	if why := h.why(p); h.verdict(p) != Fails || why != "TPOT p99 is 20.02\u202fms" {
		t.Errorf("%v, %q", h.verdict(p), why)
	}
}
