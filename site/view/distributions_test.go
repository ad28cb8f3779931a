package view

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/site/page"
	"github.com/inferdex/inferdex/site/sitetest"
)

func TestPercentileOfDistribution(t *testing.T) {
	d := sitetest.Halves(200, 0.1)
	// Known at 50 and 90: 0.1 and 0.14; half way between them is 0.12.
	for p, want := range map[float64]float64{0: 0.05, 50: 0.1, 70: 0.12, 99: 0.149, 100: 0.15} {
		if got := at(d, p); math.Abs(got-want) > 1e-12 {
			t.Errorf("percentile %v is %v, want %v", p, got, want)
		}
	}
	one := catalog.Distribution{N: 9, Quantiles: []catalog.Percentile{{P: 10, Value: 1}, {P: 90, Value: 3}}}
	if at(one, 1) != 1 || at(one, 99) != 3 {
		t.Errorf("beyond what is known: %v and %v, want the ends", at(one, 1), at(one, 99))
	}
}

// The page of a run draws the distributions of at most four loads and has all of them as a table.
func TestDistributionSection(t *testing.T) {
	ix, c, o := testCatalog(t)
	i := slices.IndexFunc(c.Runs, func(r *catalog.Run) bool {
		return r.Identity.Tool == "vllm-bench-serve" &&
			len(r.Points) > 1
	})
	if i < 0 {
		t.Fatal("no run with several loads")
	}
	run := c.Runs[i]
	for i := range run.Points {
		run.Points[i].Distributions = map[metric.ID]catalog.Distribution{metric.TTFT: sitetest.Halves(200,
			0.1*float64(i+1)), metric.ITL: {N: 3000, Unit: metric.Seconds,
			Quantiles: []catalog.Percentile{{P: 0, Value: 0.01},
				{P: 100, Value: 0.02}}}}
	}
	ix = figure.NewIndex(c, ix.Names)
	n := len(run.Points)
	var found *page.Page
	for p, err := range pagesOf(ix, c, o) {
		if err != nil {
			t.Fatal(err)
		}
		if p.Path == PathRun(run.ID) {
			found = p
		}
	}
	if found == nil {
		t.Fatal("no page of the run")
	}
	drawing := sitetest.Spelt(t, found.Fragments["chart-distribution-ttft"])
	if got, want := strings.Count(drawing, "95\u202f% interval of the median"), min(n, maxCurves); got < want {
		t.Errorf("%d mentions of an interval, want %d curves with one", got, want)
	}
	table := sitetest.Spelt(t, found.Fragments["distribution-ttft-data"])
	if rows := strings.Count(table, "<tr"); rows != n+1 {
		t.Errorf("%d rows of %d points", rows, n)
	}
	// The first point: median 0.1 s, interval 0.095 to 0.106 s.
	for _, want := range []string{">200<", "95 to 106"} {
		if !strings.Contains(table, want) {
			t.Errorf("the table lacks %q:\n%s", want, table)
		}
	}
	gaps := sitetest.Spelt(t, found.Fragments["distribution-itl-data"])
	if strings.Contains(gaps, "interval") || !strings.Contains(gaps, "Gaps") {
		t.Errorf("gaps hang together, their median has no interval:\n%s", gaps)
	}
}
