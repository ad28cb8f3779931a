package view

import (
	"slices"
	"strings"
	"testing"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/site/page"
	"github.com/inferdex/inferdex/site/sitetest"
)

// TestDifferentNumbersOfAccelerators: what eight give together is not held against what one gives. Scorecard, ranking
// and charts are of one accelerator, the sums stand beside, and what does not say its number has no place among them.
func TestDifferentNumbersOfAccelerators(t *testing.T) {
	on := func(id, hardware, count string, tput float64) *catalog.Run {
		r := timed(id, "serve", "1.0", "2025-01-01", "", tput, tput)
		r.Points[1].Load.MaxConcurrency = sitetest.Ptr(int64(16))
		r.Attributes["hardware"] = catalog.Attribute{Value: hardware}
		if count != "" {
			r.Attributes["count"] = catalog.Attribute{Value: count}
		}
		return r
	}
	c := &catalog.Catalog{Runs: []*catalog.Run{on("a", "X1", "8", 1600), on("b", "Y2", "1", 900),
		on("c", "Z3", "2", 500),
		on("d", "W4", "", 5000)}}
	g := New(figure.NewIndex(c, sitetest.Names(t)), c, Options{})
	ix := g.Index
	_, s := pageAt(t, ix, c, "models/steady-7b")
	for _, want := range []string{"By peak output throughput per accelerator", "stand below, without a rank"} {
		if !strings.Contains(s["ranked"], want) {
			t.Errorf("the ranking lacks %q:\n%s", want, s["ranked"])
		}
	}
	at := func(name string) int { return strings.Index(s["ranked"], name) }
	if order := []int{at("Y2"), at("Z3"), at("8× X1"), at("W4")}; !slices.IsSorted(order) || order[0] < 0 {
		t.Errorf("the ranking is in the order %v:\n%s", order, s["ranked"])
	}
	m := g.modelPage(ix.Models[0])
	if svg := sitetest.Spelt(t, m.page.Fragments["chart-overlay-load"]); !strings.Contains(svg, "per accelerator") ||
		strings.Contains(svg, "W4") || strings.Contains(svg, "1 600") {
		t.Errorf("the chart is not of one accelerator: %s", words(svg))
	}
	matrix := words(sitetest.Spelt(t, g.home().page.Fragments["matrix"]))
	for _, want := range []string{"200 tok/s on 8× 1 600 in all, at 8", "900 tok/s at 8", "250 tok/s on 2× 500 in all",
		"count not recorded 5 000 tok/s in all"} {
		if !strings.Contains(matrix, want) {
			t.Errorf("the scorecard lacks %q: %s", want, matrix)
		}
	}
	_, pairs := pageAt(t, ix, c, PathCompare)
	list := pairs["m-steady-7b"]
	if !strings.Contains(list, "per accelerator") || strings.Contains(list, "+78") || !strings.Contains(list, "−78 %") ||
		!strings.Contains(list, "+350 %") {
		t.Errorf("1 600 of eight against 900 of one is not 200 against 900 in the list of pairs:\n%s", list)
	}
	for _, want := range []string{"Y2 serve 1.0 | = | +260 % 2 of 2 | +350 % 2 of 2 | −82 % in all, count not recorded |",
		"8× X1 serve 1.0 | −78 % 0 of 2 | −20 % 0 of 2 | = | −68 % in all, count not recorded |"} {
		if !strings.Contains(list, want) {
			t.Errorf("the matrix lacks the row %q:\n%s", want, list)
		}
	}
	if at := func(name string) int { return strings.Index(list, name+" serve 1.0 | ") }; at("Y2") > at("W4") {
		t.Errorf("a number of accelerators that is not recorded stands first:\n%s", list)
	}
}

// TestAnAssumedNumberIsNone: one accelerator that a record states is not put in an order with one that is assumed,
// neither on pages nor in the picture of a preview.
func TestAnAssumedNumberIsNone(t *testing.T) {
	on := func(id, hardware, count string, tput float64) *catalog.Run {
		r := timed(id, "serve", "1.0", "2025-01-01", "", tput)
		r.Attributes["hardware"] = catalog.Attribute{Value: hardware}
		if count != "" {
			r.Attributes["count"] = catalog.Attribute{Value: count}
		}
		return r
	}
	c := &catalog.Catalog{Runs: []*catalog.Run{on("a", "X1", "1", 100), on("b", "Y2", "1", 300),
		on("c", "Z3", "", 900)}}
	ix := figure.NewIndex(c, sitetest.Names(t))
	g := New(ix, c, Options{})
	_, s := pageAt(t, ix, c, "models/steady-7b")
	if take := s["take"]; strings.Contains(take, "Z3") {
		t.Errorf("an assumed number is compared: %s", take)
	}
	if x, y, z := strings.Index(s["ranked"], "X1"), strings.Index(s["ranked"], "Y2"), strings.Index(s["ranked"],
		"Z3"); !(y < x && x < z) {
		t.Errorf("an assumed number has a rank: %s", s["ranked"])
	}
	bars, what := g.modelBars("steady-7b")
	if len(bars) != 2 || bars[0].card.Hardware.Name != "Y2" || !strings.Contains(what, "per accelerator") {
		t.Errorf("the preview has %d bars of %s", len(bars), what)
	}
	both := []result{{run: ix.Runs[0]}, {run: ix.Runs[2]}}
	if _, ok := perAccelerator(both); ok {
		t.Error("a recorded and an assumed number are compared")
	}
}

// TestSuspectCellsAreNotMissing: what was recorded at a load and cannot be believed has a word of its own in the table of
// loads, and not that of what was not recorded.
func TestSuspectCellsAreNotMissing(t *testing.T) {
	r := timed("a", "serve", "1.0", "2025-01-01", "", 100, 200, 300)
	for i := range r.Points {
		p := &r.Points[i]
		p.Repetition, p.Load.MaxConcurrency = 0, sitetest.Ptr(int64(i+1))
		p.Metrics[metric.TTFT] = catalog.Stat{Median: sitetest.Ptr(0.1), Unit: "s"}
		p.Metrics[metric.E2ELatency] = catalog.Stat{Median: sitetest.Ptr(1.0), Unit: "s"}
	}
	r.Points[2].Metrics[metric.TTFT] = catalog.Stat{Median: sitetest.Ptr(100.0), Unit: "s"}
	c := &catalog.Catalog{Runs: []*catalog.Run{r}}
	_, s := pageAt(t, figure.NewIndex(c, sitetest.Names(t)), c, "cards/steady-7b-on-x1")
	if want := "3 | 10 of 10 | 300 | suspect | suspect | peak, suspect: see findings"; !strings.Contains(s["by-load"], want) {
		t.Errorf("the table of loads lacks %q:\n%s", want, s["by-load"])
	}
}

// TestSpeedPerUserSaysWhatItIs: the inverse of a TPOT is called one, a speed that the tool recorded is not.
func TestSpeedPerUserSaysWhatItIs(t *testing.T) {
	for id, want := range map[metric.ID]string{
		metric.TPOT:            "Speed per user (1 / median TPOT), ",
		metric.SpeedPerRequest: "Speed per user (median speed per request, TTFT included), ",
	} {
		r := timed("a", "serve", "1.0", "2025-01-01", "", 100)
		r.Points[0].Metrics[id] = catalog.Stat{Median: sitetest.Ptr(0.5)}
		ix, c := timedIndex(t, r)
		p, _ := pageAt(t, ix, c, PathRun("a"))
		if !slices.ContainsFunc(p.Params.(page.ReportView).Stats,
			func(s page.Stat) bool { return strings.HasPrefix(s.Name, want) }) {
			t.Errorf("of %s no figure is named %q: %+v", id, want, p.Params.(page.ReportView).Stats)
		}
	}
}

// TestTakenOfNewestVersion: what to take is said of the newest version alone, as uses and scorecards are, and the page
// says so where an older one is ranked before it.
func TestTakenOfNewestVersion(t *testing.T) {
	on := func(id, version, day, hardware string, tput float64) *catalog.Run {
		r := timed(id, "serve", version, day, "", tput)
		r.Attributes["hardware"] = catalog.Attribute{Value: hardware}
		r.Attributes["count"] = catalog.Attribute{Value: "1"}
		return r
	}
	old, newer, other := on("a", "1.0", "2025-01-01", "X1", 1500), on("b", "1.1", "2025-02-01", "X1", 1400),
		on("c", "1.1", "2025-02-01", "Y2", 900)
	const why = "judged by the newest version of each engine"
	ix, c := timedIndex(t, old, newer, other)
	_, s := pageAt(t, ix, c, "models/steady-7b")
	if take := words(s["take"]); !strings.Contains(take, "1 400") || strings.Contains(take, "1 500") ||
		!strings.Contains(take, why) {
		t.Errorf("1 400 of the newest version is not what the page says to take:\n%s", take)
	}
	ix, c = timedIndex(t, newer, other)
	_, s = pageAt(t, ix, c, "models/steady-7b")
	if take := words(s["take"]); !strings.Contains(take, "1 400") || strings.Contains(take, why) {
		t.Errorf("without an older version:\n%s", take)
	}
}
