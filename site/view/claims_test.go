package view

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/claim"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/figuretest"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/refute"
	"github.com/inferdex/inferdex/ingest/settings"
)

// said are the sentences that the pages of a catalog state, as a site publishes them.
func said(t *testing.T, c *catalog.Catalog, names *settings.Names) (out []refute.Statement) {
	t.Helper()
	g := New(figure.NewIndex(c, names), c, Options{})
	g.Beside.Stated = func(path string, list []claim.Sentence) {
		for _, s := range list {
			st := figuretest.Statement(t, s)
			st.Page = path
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
	for _, err := range g.Pages() {
		if err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// TestPagesHold checks the sentences of all pages.
func TestPagesHold(t *testing.T) {
	names, _ := settings.LoadNames(os.DirFS("../../data"))
	figuretest.Holds(t, rand.New(rand.NewPCG(7, 8)), 120, 5, func(c *catalog.Catalog) []refute.Statement {
		return said(t, c, names)
	}, "span", "spread", "top", "lead", "trade", "wins", "pair", "everywhere", "step", "few-runs", "use",
		"tally", "named", "limits", "lengths", "close", "again", "beyond")
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
			for _, words := range []string{"(p99 is not recorded)", "(TPOT is not known)"} {
				if strings.Contains(strings.ReplaceAll(s.Text, "\u00a0", " "), words) {
					stood[words+" "+s.Kind]++
				}
			}
		}
		return all
	}, "use", "limits")
	for _, words := range []string{"(p99 is not recorded) use", "(p99 is not recorded) limits",
		"(TPOT is not known) use", "(TPOT is not known) limits"} {
		if stood[words] == 0 {
			t.Errorf("nothing was said of: %s", words)
		}
	}
}

// TestCountsOfSomeRuns checks the sentences of pages where runs of one card record the number of accelerators that is
// assumed of others.
func TestCountsOfSomeRuns(t *testing.T) {
	names, _ := settings.LoadNames(os.DirFS("../../data"))
	figuretest.Holds(t, rand.New(rand.NewPCG(13, 14)), 150, 5, func(c *catalog.Catalog) []refute.Statement {
		for i, r := range c.Runs {
			r.Attributes["hardware"] = catalog.Attribute{Value: "MI300X"}
			if delete(r.Attributes, "count"); i%3 == 0 {
				r.Attributes["count"] = catalog.Attribute{Value: "1"}
			}
		}
		return said(t, c, names)
	}, "top", "lead", "trade", "wins")
}

// levelled is a card with a run a version whose throughputs are given.
func levelled(t *testing.T, throughputs ...float64) (*catalog.Catalog, []refute.Statement) {
	t.Helper()
	c := &catalog.Catalog{}
	for i, v := range throughputs {
		name := fmt.Sprint(i + 1)
		c.Runs = append(c.Runs, figuretest.Run("run"+name, "o/Dense-10B", "2x big", "0."+name,
			figuretest.Point(4, v, 0.1, 0.2, 0.01, 0.02)))
	}
	var levels []refute.Statement
	all := said(t, c, figuretest.Names(t))
	for _, s := range all {
		if s.Kind == "level" {
			levels = append(levels, s)
		}
	}
	for _, r := range refute.New(c).Check(all) {
		t.Errorf("%s: %s", r.Statement.Text, r.Why)
	}
	return c, levels
}

// A history says since when its level is another one where enough runs lie on both sides, and nothing of fewer.
func TestLevelsOfHistories(t *testing.T) {
	before := []float64{100, 101, 99, 100, 101, 99}
	c, levels := levelled(t, append(before, 114, 115, 113, 114, 114)...)
	const want = "Output throughput since 0.7: +14\u202f%, the mean of 5 runs against 6 before."
	if len(levels) == 0 || levels[0].Text != want {
		t.Fatalf("%d sentences, want %q: %+v", len(levels), want, levels)
	}
	for name, series := range map[string][]float64{
		"three runs behind it":   append(before, 114, 115, 113),
		"seven runs":             {100, 101, 99, 114, 115, 113, 114},
		"noise alone":            {100, 101, 99, 100, 101, 99, 100, 99, 101, 100},
		"one run far off":        append(before, 140, 100, 99, 101, 100),
		"a rise with every run":  {100, 110, 120, 130, 140, 150, 160, 170},
		"a newer level of three": append(before, 114, 115, 113, 114, 114, 130, 131, 129),
	} {
		if _, levels := levelled(t, series...); len(levels) > 0 {
			t.Errorf("%s: %q", name, levels[0].Text)
		}
	}
	// What says more than the runs do is refused.
	for name, change := range map[string][2]string{
		"a larger change":    {`"value":0.14`, `"value":0.24`},
		"a later run":        {`"at":6`, `"at":7`},
		"another text":       {"5 runs against", "9 runs against"},
		"runs in no order":   {`"among":[0,1,`, `"among":[1,0,`},
		"a run that is left": {`"among":[0,1,2,3,`, `"among":[2,3,`},
	} {
		s := levels[0]
		s.Text = strings.Replace(s.Text, change[0], change[1], 1)
		s.Claim = []byte(strings.Replace(string(s.Claim), change[0], change[1], 1))
		if s.Text == levels[0].Text && string(s.Claim) == string(levels[0].Claim) {
			t.Fatalf("%s: nothing is changed in %s", name, s.Claim)
		}
		if len(refute.New(c).Check([]refute.Statement{s})) == 0 {
			t.Errorf("%s is not refuted", name)
		}
	}
}
