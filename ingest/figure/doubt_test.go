package figure

import (
	"testing"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
	"github.com/inferdex/inferdex/ingest/settings"
)

// A figure of a whole run that rests on times in a wrong unit is marked, heads no list and is in no comparison; the
// throughput of the same run is believed, and so is all where a person has acknowledged the finding.
func TestFiguresOfSuspectTimes(t *testing.T) {
	num := func(v float64) *float64 { return &v }
	eight := int64(8)
	run := func(ttft float64, accept ...string) *Run {
		times := func(v float64) catalog.Stat { return catalog.Stat{Mean: num(v), Median: num(v), Unit: "s"} }
		cr := &catalog.Run{ID: "r", Accept: accept, Points: []catalog.Point{{
			Workload: record.Workload{Actual: record.Lengths{Input: num(1000), Output: num(100)}},
			Load:     record.Load{MaxConcurrency: &eight},
			Metrics: map[metric.ID]catalog.Stat{metric.TTFT: times(ttft), metric.TPOT: times(ttft / 10),
				metric.E2ELatency:       times(1.1),
				metric.OutputThroughput: {Value: num(800), Unit: "tok/s"}}}},
			Figures: []catalog.Figure{{Metric: metric.TTFT, Value: num(ttft), Unit: "s"},
				{Metric: metric.OutputThroughput, Value: num(800), Unit: "tok/s"}}}
		return NewIndex(&catalog.Catalog{Runs: []*catalog.Run{cr}}, &settings.Names{}).Runs[0]
	}
	for _, c := range []struct {
		what string
		run  *Run
		want string
	}{
		{"as they are", run(0.1), ""},
		{"a thousandth", run(0.0001), catalog.CodeUnit},
		{"acknowledged", run(0.0001, catalog.CodeUnit), ""},
	} {
		time, rate := c.run.Figures[0], c.run.Figures[1]
		if got := c.run.Doubt(time); got != c.want || c.run.Doubt(rate) != "" {
			t.Errorf("times %s: a figure of them is suspect for %q, want %q; throughput for %q", c.what, got, c.want,
				c.run.Doubt(rate))
		}
		if got := c.run.Marked().Figures[0].Suspect; got != c.want {
			t.Errorf("times %s: the download says %q, want %q", c.what, got, c.want)
		}
	}
}

// Tables and charts ask of each number whether it is suspect: that is known, and asking takes no memory.
func TestSuspectsAreFoundOnce(t *testing.T) {
	v := -1.0
	cr := &catalog.Run{ID: "r", Points: []catalog.Point{{
		Metrics: map[metric.ID]catalog.Stat{metric.TTFT: {Median: &v, Std: &v, Unit: "s"}}}}}
	s := NewIndex(&catalog.Catalog{Runs: []*catalog.Run{cr}}, &settings.Names{}).Runs[0].Scenarios[0]
	if s.Suspects(s.Measured[0])[metric.TTFT] == "" {
		t.Fatal("a negative deviation is believed")
	}
	if n := testing.AllocsPerRun(10, func() { s.Suspects(s.Measured[0]) }); n > 0 {
		t.Errorf("%v allocations to ask again", n)
	}
}
