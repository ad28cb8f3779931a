package view

import (
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/figuretest"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/refute"
	"github.com/inferdex/inferdex/ingest/settings"
)

// said are the sentences that the pages of a catalog state, as a site publishes them.
func said(t *testing.T, c *catalog.Catalog, names *settings.Names) (out []refute.Statement) {
	t.Helper()
	for m, err := range New(figure.NewIndex(c, names), c, Options{}).Pages() {
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range m.Said {
			st := figuretest.Statement(t, s)
			st.Page = m.Page.Path
			st.Names = s.Names
			for _, p := range s.Parts {
				if p.Of != nil {
					st.Names = append(st.Names, p.Of.Run.Hardware.Name, p.Of.Run.EngineName())
				}
			}
			if s.Run != nil {
				st.Run = s.Run.ID
				st.Names = append(st.Names, s.Run.Hardware.Name, s.Run.EngineName())
			}
			out = append(out, st)
		}
	}
	return out
}

// TestPagesHold checks the sentences of all pages.
func TestPagesHold(t *testing.T) {
	names, _ := settings.LoadNames(os.DirFS("../../data"))
	figuretest.Holds(t, rand.New(rand.NewPCG(7, 8)), 80, 5, func(c *catalog.Catalog) []refute.Statement {
		return said(t, c, names)
	}, "span", "spread", "top", "lead", "wins", "pair", "everywhere", "step", "few-runs", "use",
		"tally", "named", "limits", "lengths")
}

// TestTokenTimesLieTogether checks the sentences of pages where the ITL lies as far from the TPOT at each load.
func TestTokenTimesLieTogether(t *testing.T) {
	names, _ := settings.LoadNames(os.DirFS("../../data"))
	figuretest.Holds(t, rand.New(rand.NewPCG(9, 10)), 20, 3, func(c *catalog.Catalog) []refute.Statement {
		for _, r := range c.Runs {
			for _, p := range r.Points {
				if s, ok := p.Metrics[metric.TPOT]; ok {
					p.Metrics[metric.ITL] = catalog.Stat{Mean: times(s.Mean, 1.004), Median: times(s.Median, 1.004),
						Unit: s.Unit}
				}
			}
		}
		return said(t, c, names)
	}, "beside")
}

func times(v catalog.Number, by float64) catalog.Number {
	if v == nil {
		return nil
	}
	return figuretest.Num(*v * by)
}

// TestNearestLimitsHold checks the sentences on limits where what they are of is not recorded: percentiles in some
// runs, TPOT in others, of which the speed of requests is known.
func TestNearestLimitsHold(t *testing.T) {
	names, _ := settings.LoadNames(os.DirFS("../../data"))
	stood := map[string]int{}
	figuretest.Holds(t, rand.New(rand.NewPCG(11, 12)), 40, 3, func(c *catalog.Catalog) []refute.Statement {
		for i, r := range c.Runs {
			for _, p := range r.Points {
				for m, s := range p.Metrics {
					if s.Percentiles = nil; i%2 == 0 {
						p.Metrics[m] = s
					}
				}
				if s, ok := p.Metrics[metric.TPOT]; ok && i%3 > 0 && s.Median != nil {
					delete(p.Metrics, metric.TPOT)
					p.Metrics[metric.SpeedPerRequest] = catalog.Stat{Unit: "tok/s", Median: times(s.Median, 4000),
						Percentiles: []catalog.Percentile{{P: 25, Value: *s.Median * 3000}}}
				}
			}
		}
		all := said(t, c, names)
		for _, s := range all {
			for _, words := range []string{"(p99 is not recorded)", "(TPOT is not recorded)"} {
				if strings.Contains(strings.ReplaceAll(s.Text, "\u00a0", " "), words) {
					stood[words+" "+s.Kind]++
				}
			}
		}
		return all
	}, "use", "limits")
	for _, words := range []string{"(p99 is not recorded) use", "(p99 is not recorded) limits",
		"(TPOT is not recorded) use", "(TPOT is not recorded) limits"} {
		if stood[words] == 0 {
			t.Errorf("nothing was said of: %s", words)
		}
	}
}
