package view

import (
	"strings"
	"testing"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/figuretest"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
	"github.com/inferdex/inferdex/ingest/refute"
	"github.com/inferdex/inferdex/site/page"
)

// A figure of one run has the server as its subject, not the day or the label of its series; sums in all are said where they
// are others than those of one accelerator; and the name of a workload that ends with how its load was set is closed.
func TestSubjectsOfCaptions(t *testing.T) {
	run := func(id, hardware string, speed float64) *catalog.Run {
		r := figuretest.Run(id, "o/Dense-10B", hardware, "1.0")
		for _, at := range []float64{1, 2} {
			p, rate := figuretest.Point(1, speed*at, 0.1, 0.2, 0.02, 0.03), record.Float(at)
			p.Load = record.Load{Rate: &rate}
			p.Metrics[metric.RequestThroughput] = catalog.Stat{Value: figuretest.Num(at * 0.9), Unit: metric.RequestsPerSecond}
			r.Points = append(r.Points, p)
		}
		return r
	}
	c := &catalog.Catalog{Runs: []*catalog.Run{run("a", "1x big", 100), run("b", "1x small", 50), run("c", "2x small", 90)}}
	names := figuretest.Names(t)
	said := said(t, c, names)
	for _, f := range refute.New(c).Check(said) {
		t.Errorf("%s: %q: %s", f.Kind, f.Text, f.Why)
	}
	all := ""
	for _, s := range said {
		all += strings.ReplaceAll(s.Text, "\u202f", " ") + "\n"
	}
	for _, want := range []string{
		"\nThe server completes at most 1.80 requests/s at 2 requests/s\n",
		"The highest output with 1 000 → 200, by rate, is 200 tok/s per accelerator",
		"gives 200 tok/s on one accelerator at 2 requests/s, small 100 on one accelerator.",
	} {
		if !strings.Contains(all, want) {
			t.Errorf("nobody says %q:\n%s", want, all)
		}
	}
	for _, r := range figure.NewIndex(c, names).Runs {
		_, s := pageAt(t, figure.NewIndex(c, names), c, "runs/"+r.ID)
		for id, text := range s {
			if strings.Contains(text, "in all, 100 against 200") || strings.Contains(text, "in all, 200 against 100") {
				t.Errorf("section %s of run %s says twice what one accelerator gives: %s", id, r.ID, text)
			}
		}
	}
}

// A statistic that reads the same at both ends of the loads does not go from one to the other.
func TestSpanOfEqualEnds(t *testing.T) {
	r := figuretest.Run("a", "o/Dense-10B", "1x big", "1.0")
	for i, ttft := range []float64{2.0841, 2.5, 2.0842} {
		p, rate := figuretest.Point(1, 100+float64(i), ttft, ttft, 0.02, 0.03), record.Float(i+1)
		p.Load = record.Load{Rate: &rate}
		r.Points = append(r.Points, p)
	}
	c := &catalog.Catalog{Runs: []*catalog.Run{r}}
	said := said(t, c, figuretest.Names(t))
	for _, f := range refute.New(c).Check(said) {
		t.Errorf("%s: %q: %s", f.Kind, f.Text, f.Why)
	}
	found := false
	for _, s := range said {
		if s.Kind == "span" && strings.HasPrefix(s.Text, "Mean TTFT ") {
			found = found || strings.HasSuffix(strings.NewReplacer("\u202f", " ", "\u00a0", " ").Replace(s.Text), "TTFT is 2.08 s at 1 request/s and at 3 requests/s")
			if strings.Contains(s.Text, "goes from") {
				t.Error(s.Text)
			}
		}
	}
	if !found {
		t.Error("no caption says that TTFT is the same at both loads")
	}
}

// Where a workload is called by the longest of its requests, its scorecard and its run say so: "1 000 → 200" was read as what
// each request had, and half of it was served.
func TestLongestLengths(t *testing.T) {
	p := figuretest.Point(1, 100, 0.1, 0.2, 0.02, 0.03)
	p.Workload.Distribution, p.Workload.LengthSemantics = "uniform from 1 to nominal", "upper bound"
	c := &catalog.Catalog{Runs: []*catalog.Run{figuretest.Run("a", "o/Dense-10B", "1x big", "1.0", p)}}
	ix := figure.NewIndex(c, figuretest.Names(t))
	_, s := pageAt(t, ix, c, "runs/a")
	if want := "Lengths vary from request to request: uniform from 1 to nominal, so that a workload is called by the longest and " +
		"not by the average."; !strings.Contains(s["data"], want) {
		t.Errorf("the run says\n%s\nwant %s", s["data"], want)
	}
	for p, err := range pagesOf(ix, c, Options{}) {
		if err != nil {
			t.Fatal(err)
		}
		if v, ok := p.Params.(page.HomeView); ok {
			if text := strings.NewReplacer("\u202f", " ", "\u00a0", " ").Replace(v.Scorecard.Definition[0].Text); !strings.HasPrefix(text, "1 000 → 200: tokens in → tokens "+
				"out of a request at most, which are more than it has on average. ") {
				t.Errorf("the scorecard says %s", text)
			}
		}
	}
}

// The highest output of the home page is that of the newest versions: where an older one had a higher one, the sentence says
// what it leaves out.
func TestHighestOutputOfNewestVersions(t *testing.T) {
	for version, want := range map[string]string{"0.9": " by the newest engine version of each card is 100 tok/s", "1.0": " is 1"} {
		c := &catalog.Catalog{Runs: []*catalog.Run{
			figuretest.Run("a", "o/Dense-10B", "1x big", "1.0", figuretest.Point(1, 100, 0.1, 0.2, 0.02, 0.03)),
			figuretest.Run("b", "o/Dense-10B", "1x big", version, figuretest.Point(1, 120, 0.1, 0.2, 0.02, 0.03))}}
		said := said(t, c, figuretest.Names(t))
		for _, f := range refute.New(c).Check(said) {
			t.Errorf("%s: %q: %s", f.Kind, f.Text, f.Why)
		}
		found := false
		for _, s := range said {
			found = found || strings.HasPrefix(s.Text, "The highest output with 1\u202f000 → 200"+want)
		}
		if !found {
			t.Errorf("beside version %s nobody says %q", version, want)
		}
	}
}

// The sweet spot of a run is that of the workload which cards are compared by, of equally many loads: the first one stood
// there, whatever it was.
func TestSweetSpotOfTheComparedWorkload(t *testing.T) {
	var ps []catalog.Point
	for _, in := range []float64{32, 1024} {
		for load := range int64(3) {
			p := figuretest.Point(load+1, 100+float64(load), 0.1, 0.2, 0.02, 0.03)
			p.Workload.Nominal = record.Lengths{Input: &in, Output: figuretest.Num(128)}
			ps = append(ps, p)
		}
	}
	c := &catalog.Catalog{Runs: []*catalog.Run{figuretest.Run("a", "o/Dense-10B", "1x big", "1.0", ps...)}}
	if _, s, ok := figure.NewIndex(c, figuretest.Names(t)).Runs[0].SweetSpot(); !ok || !s.Preferred() {
		t.Errorf("the sweet spot is of %+v", s)
	}
}
