package view

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/figuretest"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/refute"
	"github.com/inferdex/inferdex/ingest/settings"
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

// TestToldApartByMeasurements: whether the next hardware is told apart from the best is what the measurements of both
// allow, and only what was measured once each is said to be.
func TestToldApartByMeasurements(t *testing.T) {
	around := func(v float64, off ...float64) (all []float64) {
		for _, o := range off {
			all = append(all, v+o)
		}
		return all
	}
	tight, wide := []float64{0, 1, 2, 3, 4, 5, 6, 7}, []float64{0, 1, 2, 3, 4, 5, 90, 200}
	const one, few = " One run each: no interval", " What was measured fewer than 6 times has no interval"
	for _, c := range []struct {
		x, y         []float64
		says, leaves string // behind the answers, and behind what the ranking is by; "" for none
	}{
		{[]float64{800}, []float64{776}, " Measured once each, it is not told apart from Y2 (97 % of it).", one},
		{[]float64{800}, []float64{600}, " Next: Y2 with 75 % of it.", one},
		{around(800, tight...), around(776, tight...), " Next: Y2 with 97 % of it.", ""},
		{around(800, tight...), around(700, wide...), " Next: Y2 with 88 % of it.", ""},
		{around(800, wide...), around(799, wide...), " It is not told apart from Y2 (100 % of it).", ""},
		{around(800, tight...), []float64{790}, " It is not told apart from Y2 (98 % of it).", few},
		{[]float64{800, 801}, []float64{790}, " It is not told apart from Y2 (99 % of it).", few},
	} {
		on := func(id, hardware string, tputs []float64) *catalog.Run {
			r := timed(id, "serve", "1.0", "2025-01-01", "", tputs...)
			r.Attributes["hardware"], r.Attributes["count"] = catalog.Attribute{Value: hardware}, catalog.Attribute{Value: "1"}
			return r
		}
		ix, all := timedIndex(t, on("a", "X1", c.x), on("b", "Y2", c.y))
		_, s := pageAt(t, ix, all, "models/steady-7b")
		if !strings.Contains(s["take"], c.says) {
			t.Errorf("%v and %v: the page lacks %q:\n%s", c.x, c.y, c.says, s["take"])
		}
		_, use := pageAt(t, ix, all, PathRanking("batch"))
		for _, text := range []string{s["ranked"], use["ranked"]} {
			for _, leaves := range []string{one, few} {
				if strings.Contains(text, leaves) != (leaves == c.leaves) {
					t.Errorf("%v and %v: of %q the page says:\n%s", c.x, c.y, leaves, text)
				}
			}
		}
		k := refute.New(all)
		for _, st := range said(t, all, sitetest.Names(t)) {
			if err := k.Follows(st); err != nil {
				t.Errorf("%s: %s", st.Text, err)
			}
			if st.Kind != "use" {
				continue
			}
			for _, words := range [][2]string{{" Measured once each, it is", " It is"}, {" It is", " Measured once each, it is"}} {
				if lie := strings.Replace(st.Text, words[0], words[1], 1); lie != st.Text {
					st.Text = lie
					if k.Follows(st) == nil {
						t.Errorf("%v and %v: a lie is not found: %s", c.x, c.y, lie)
					}
					break
				}
			}
		}
	}
}

// TestTies: where several give the same, none of them is said to give most, and how many do is said.
func TestTies(t *testing.T) {
	const other = " other hardware configurations measured at this load"
	for _, c := range []struct {
		tputs []float64 // of X1, Y2 and Z3
		says  string
		lies  [2]string // what is said, and what is not so
	}{
		{[]float64{800, 800, 800}, "None of 2" + other + " gives more, or comes nearer than Y2: 800 tok/s against 800 here",
			[2]string{" gives more, or comes nearer than Y2:", " gives more; Y2 comes nearest:"}},
		{[]float64{800, 800, 700}, "None of 2" + other + " gives more; Y2 comes nearest: 800 tok/s against 800 here",
			[2]string{"None of 2" + other + " gives more; Y2 comes nearest", "Of 2" + other + ", Y2 gives most"}},
		{[]float64{800, 900, 900}, "Of 2" + other + ", none gives more than Y2: 900 tok/s against 800 here",
			[2]string{", none gives more than Y2", ", Y2 gives most"}},
		{[]float64{800, 900, 850}, "Of 2" + other + ", Y2 gives most: 900 tok/s against 800 here",
			[2]string{", Y2 gives most", ", none gives more than Y2"}},
		{[]float64{800, 800, 800}, "per accelerator: steady-7B on X1, at 8 parallel requests, serve 1.0; 2 others give as much.",
			[2]string{"; 2 others give as much", ""}},
		{[]float64{800, 700, 800}, "per accelerator: steady-7B on X1, at 8 parallel requests, serve 1.0; 1 other gives as much.",
			[2]string{"1 other gives", "2 others give"}},
		{[]float64{800, 700, 600}, "per accelerator: steady-7B on X1, at 8 parallel requests, serve 1.0.",
			[2]string{"serve 1.0", "serve 1.0; 1 other gives as much"}},
	} {
		var runs []*catalog.Run
		for i, tput := range c.tputs {
			r := timed([]string{"a", "b", "c"}[i], "serve", "1.0", "2025-01-01", "", tput)
			r.Attributes["hardware"] = catalog.Attribute{Value: []string{"X1", "Y2", "Z3"}[i]}
			r.Attributes["count"] = catalog.Attribute{Value: "1"}
			runs = append(runs, r)
		}
		_, all := timedIndex(t, runs...)
		k, found := refute.New(all), false
		for _, st := range said(t, all, sitetest.Names(t)) {
			if err := k.Follows(st); err != nil {
				t.Errorf("%s: %s", st.Text, err)
			}
			if !strings.Contains(strings.NewReplacer("\u202f", " ", "\u00a0", " ").Replace(st.Text), c.says) {
				continue
			}
			found = true
			if st.Text = strings.Replace(st.Text, c.lies[0], c.lies[1], 1); k.Follows(st) == nil {
				t.Errorf("a lie is not found: %s", st.Text)
			}
		}
		if !found {
			t.Errorf("of %v no page says %q", c.tputs, c.says)
		}
	}
}

// TestTiesOfCostAndEnergy: of several that cost or take as little, the sentence says how many more there are.
func TestTiesOfCostAndEnergy(t *testing.T) {
	names, diags := settings.LoadNames(fstest.MapFS{"names/a.toml": {Data: []byte(`
[[accelerator]]
id = "x1"
board_power_w = 400
[[accelerator]]
id = "y2"
board_power_w = 400
[[price]]
provider = "P"
accelerator = "x1"
per_hour = 3.6
currency = "USD"
date = 2025-01-13
[[price]]
provider = "P"
accelerator = "y2"
per_hour = 3.6
currency = "USD"
date = 2025-01-13
`)}})
	for _, d := range diags {
		t.Fatal(d)
	}
	for tput, behind := range map[float64]string{800: "; 1 other %s as little", 500: ""} { // of the second
		c := &catalog.Catalog{Runs: []*catalog.Run{sitetest.LimitedRun("a", "x1", 1, false, [4]float64{8, 800, 1, 0.02}),
			sitetest.LimitedRun("b", "y2", 1, false, [4]float64{8, tput, 1, 0.02})}}
		k, found := refute.New(c), map[string]bool{}
		for _, st := range said(t, c, names) {
			if err := k.Follows(st); err != nil {
				t.Errorf("%s: %s", st.Text, err)
			}
			verb, is := map[string]string{"cost": "costs", "energy": "takes"}[st.Kind]
			if !is {
				continue
			}
			found[st.Kind] = true
			more := strings.ReplaceAll(behind, "%s", verb)
			if more == "" && strings.Contains(st.Text, "as little") || !strings.HasSuffix(st.Text, more+".") {
				t.Errorf("of %v: %s", tput, st.Text)
			}
			lie := strings.TrimSuffix(st.Text, more+".") + "."
			if more == "" {
				lie = strings.TrimSuffix(st.Text, ".") + "; 1 other " + verb + " as little."
			}
			if st.Text = lie; k.Follows(st) == nil {
				t.Errorf("a lie is not found: %s", lie)
			}
		}
		if len(found) != 2 {
			t.Errorf("of %v there are sentences of %v", tput, found)
		}
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

// Where a run has no output throughput, another throughput stands in the columns of output: it is named there, and that
// it is not of one accelerator is said.
func TestOtherThroughputIsNamed(t *testing.T) {
	p := figuretest.Point(1, 100, 0.1, 0.2, 0.02, 0.03)
	p.Metrics = map[metric.ID]catalog.Stat{metric.TotalThroughput: figuretest.Value(800)}
	c := &catalog.Catalog{Runs: []*catalog.Run{figuretest.Run("r", "o/Dense-10B", "4x big", "1.0", p)}}
	ix := figure.NewIndex(c, figuretest.Names(t))
	for _, path := range []string{"models", "models/dense-10b"} {
		_, s := pageAt(t, ix, c, path)
		all := strings.Join(slices.Collect(maps.Values(s)), "")
		if !strings.Contains(all, "800 total throughput, in all") {
			t.Errorf("%s does not say what 800 tok/s are:\n%s", path, all)
		}
	}
}
