package compare

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/inferdex/inferdex/goldentest"
	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/figuretest"
	"github.com/inferdex/inferdex/ingest/metric"
)

func TestChangePoints(t *testing.T) {
	for _, c := range []struct {
		name   string
		series []float64
		want   []int
	}{
		{"nothing", nil, nil},
		{"one result", []float64{1}, nil},
		{"no noise", []float64{1, 1, 1, 1, 5, 5, 5, 5}, []int{4}},
		{"all equal", []float64{3, 3, 3, 3, 3, 3}, nil},
		{"one far off is no level", []float64{10, 11, 10, 11, 90, 11, 10, 11, 10, 11}, nil},
		// Both sides have the variance 5/3, so the means are 4 / √(5/3·(1/4 + 1/4)) = 4.38 apart: p = 0.0047 with six
		// degrees of freedom, a candidate of the first pass that is merged away.
		{"weak", []float64{10, 11, 12, 13, 14, 15, 16, 17}, nil},
		// 10 / √(5/3·1/2) = 10.95: p = 0.00003.
		{"clear", []float64{10, 11, 12, 13, 20, 21, 22, 23}, []int{4}},
		{"up and down", []float64{10, 11, 10, 11, 10, 20, 21, 20, 21, 20, 10, 11, 10, 11, 10}, []int{5, 10}},
		{"falling", []float64{100, 101, 99, 100, 80, 81, 79, 80, 60, 61, 59, 60}, []int{4, 8}},
	} {
		if got := ChangePoints(c.series); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestCandidate(t *testing.T) {
	// Only 2|2 is possible; at 1 2 | 8 9 1 2 the energy distance of 4|2 is that of two equal lists.
	if at := candidate([]float64{0, 0, 10, 10}); at != 2 {
		t.Errorf("%d, want 2", at)
	}
	if at := candidate([]float64{5, 5, 5, 5}); at != 0 {
		t.Errorf("%d, want none: no split has a distance", at)
	}
	if at := candidate([]float64{1, 2, 3}); at != 0 {
		t.Errorf("%d, want none: a side would have one result", at)
	}
}

func TestLevelOf(t *testing.T) {
	near := func(got *float64, want float64) bool { return got != nil && math.Abs(*got-want) < 1e-4 }
	// Mean 100, s² = (4 + 1 + 0 + 0 + 1 + 4) / 5 = 2, t of 97.5 % with 5 degrees of freedom = 2.570582:
	// 2.570582 · √2 · √(1 + 1/6) = 3.92661.
	six := []float64{98, 102, 100, 99, 101, 100}
	l, ok := LevelOf(six)
	if !ok || l.Runs != 6 || l.Before != 6 || l.Mean != 100 || !near(l.Low, 100-3.92661) || !near(l.High, 100+3.92661) {
		t.Errorf("%+v, %v; low %v, high %v", l, ok, *l.Low, *l.High)
	}
	l, _ = LevelOf(slices.Concat([]float64{50, 51, 49, 50, 51, 49}, six))
	if l.Runs != 6 || l.Before != 12 || l.Mean != 100 || !near(l.Low, 100-3.92661) {
		t.Errorf("behind a change point: %+v", l)
	}
	if l, ok := LevelOf(six[:5]); !ok || l.Low != nil || l.Runs != 5 {
		t.Errorf("five runs: %+v", l)
	}
	if _, ok := LevelOf(nil); ok {
		t.Error("a level of nothing")
	}
	if l, ok := LevelOf([]float64{7, 7, 7, 7, 7, 7}); !ok || *l.Low != 7 || *l.High != 7 {
		t.Errorf("without noise: %+v", l)
	}
}

func TestPast(t *testing.T) {
	at := func(id, day, series string) *catalog.Run {
		return dated(id, "1.0", day, series, figuretest.Point(4, 100, 1, 2, 0.1, 0.2))
	}
	gone := at("g", "2025-01-02", "")
	gone.Withdrawn = "wrong"
	other := at("o", "2025-01-02", "")
	other.Attributes["engine"] = catalog.Attribute{Value: "another"}
	ix := figure.NewIndex(&catalog.Catalog{Runs: []*catalog.Run{at("c", "2025-01-03", ""), at("a", "2025-01-01", ""),
		at("b", "2025-01-02", ""), at("later", "2025-01-09", ""), at("n", "", ""), at("p", "2025-01-02", "patched"), gone,
		other, at("now", "2025-01-05", "")}}, figuretest.Names(t))
	now := ix.Named("now")[0]
	for n, want := range map[int]string{20: "[a b c]", 2: "[b c]"} {
		if got := fmt.Sprint(ids(Past(ix.Cards[0], now, n))); got != want {
			t.Errorf("the last %d: %s, want %s", n, got, want)
		}
	}
}

// Invented histories: each run has a level of its own, with runNoise, around which its repetitions lie, with noise.
const (
	histories = 1000
	pastRuns  = 20
	runNoise  = 0.01
	noise     = 0.02
)

// invented is a run of n measurements of about a level.
func invented(rnd *rand.Rand, level float64, n int) *figure.Run {
	level *= 1 + runNoise*rnd.NormFloat64()
	s := &figure.Scenario{Class: "c"}
	for range n {
		p := figuretest.Point(4, level*(1+noise*rnd.NormFloat64()), 1, 2, 0.1, 0.2)
		s.Measured = append(s.Measured, &p)
	}
	s.Believed = s.Measured
	return &figure.Run{Scenarios: []*figure.Scenario{s}}
}

// TestHistories writes and holds the table of false alarms and misses in ARCHITECTURE.md.
func TestHistories(t *testing.T) {
	limit := Gate{Metric: metric.OutputThroughput, Change: -0.025}
	head := []string{"limits are held against", "repetitions", "false alarms", "5\u202f% slower, missed",
		"10\u202f% slower, missed"}
	lines := []string{goldentest.Row(head...), goldentest.Row("---", "---:", "---:", "---:", "---:")}
	for _, baseline := range []string{"one run", "one run, `--fail-uncertain`", "the last 20 runs, `--baseline card`"} {
		for _, n := range []int{1, 6} {
			uncertain := strings.HasSuffix(baseline, "`") && !strings.HasPrefix(baseline, "the")
			if uncertain && n >= figure.MinSamples {
				continue // nothing is without a claim
			}
			cells := []string{baseline, fmt.Sprint(n)}
			for _, slower := range []float64{0, 0.05, 0.1} {
				rnd := rand.New(rand.NewPCG(1, uint64(n)))
				alarms := 0
				for range histories {
					var past []*figure.Run
					for range pastRuns {
						past = append(past, invented(rnd, 1000, n))
					}
					a := past[len(past)-1].Scenarios[0]
					b := invented(rnd, 1000*(1-slower), n).Scenarios[0]
					r := limit.Check(a, b)
					if strings.HasPrefix(baseline, "the") {
						r = limit.checkPast(past, a, b)
					}
					if r[0].State == GateExceeded || uncertain && r[0].State == GateNoClaim {
						alarms++
					}
				}
				if slower > 0 {
					alarms = histories - alarms
				}
				cells = append(cells, fmt.Sprint(alarms))
			}
			lines = append(lines, goldentest.Row(cells...))
		}
	}
	goldentest.Made(t, "../../ARCHITECTURE.md", "histories", "make docs", lines)
}
