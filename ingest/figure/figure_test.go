package figure

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/inferdex/inferdex/ingest/figuretest"
	"github.com/inferdex/inferdex/ingest/record"

	"github.com/google/go-cmp/cmp"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/settings"
)

func TestSummarize(t *testing.T) {
	if s := Summarize([]float64{3, 1, 2, math.NaN()}); s != (Summary{N: 3, Median: 2, Lo: 1, Hi: 3}) {
		t.Errorf("three measurements: %+v", s)
	}
	// Of six measurements the interval from the least to the greatest holds the median with a
	// probability of 1 − 2 × (1/2)^6 = 0.96875.
	if s := Summarize([]float64{6, 1, 5, 2, 4, 3}); s != (Summary{N: 6, Median: 3.5, Lo: 1, Hi: 6,
		Confidence: 0.96875}) {
		t.Errorf("six measurements: %+v", s)
	}
	if s := Summarize([]float64{1, 2, 3, 4, 5}); s.Confidence != 0 {
		t.Errorf("five measurements have an interval: %+v", s)
	}
	// Of nine: P(order 2 to 8) = 1 − 2 × (1 + 9)/512 = 0.9609375.
	if s := Summarize([]float64{1, 2, 3, 4, 5, 6, 7, 8, 9}); s.Lo != 2 || s.Hi != 8 || s.Confidence != 0.9609375 {
		t.Errorf("nine measurements: %+v", s)
	}
}

// TestFrontier: on 2 accelerators throughput is halved. Speeds are 1 / TPOT: 50, 25, 20, 10.
func TestFrontier(t *testing.T) {
	n := figuretest.Names(t)
	mean := figuretest.Point(1, 40, 1, 1, 1, 1)
	mean.Metrics["tpot"] = catalog.Stat{Mean: figuretest.Num(0.0125), Unit: "s"}
	other := figuretest.Point(1, 30, 0.1, 0.1, 0.01, 0.01)
	ix := NewIndex(&catalog.Catalog{Runs: []*catalog.Run{
		figuretest.Run("a", "o/Dense-10B", "2x big", "1.0", figuretest.Point(1, 100, 1, 1, 0.02, 1),
			figuretest.Point(4, 300, 1, 1, 0.04, 1), figuretest.Point(8, 280, 1, 1, 0.05, 1),
			figuretest.Point(16, 600, 1, 1, 0.1, 1)),
		figuretest.Run("b", "o/Dense-10B", "1x small", "1.0", mean, other),
	}}, n)
	m := ix.Models[0]
	f, ok := NewFrontier(m, m.Cards[0].Runs[0].Scenarios[0].Class)
	if !ok || len(f.Groups) != 2 {
		t.Fatalf("%+v", f)
	}
	g := f.Groups[0]
	if g.Label != "2× big, serve 1.0, bf16" || !g.Newest {
		t.Errorf("group %q", g.Label)
	}
	var got []string
	for _, p := range g.Points {
		got = append(got, fmt.Sprintf("%v %v %v %v", p.Speed, p.PerAccelerator, p.Dominated, p.Mean))
	}
	// 20 tok/s at 140 is beaten by 25 at 150.
	if diff := cmp.Diff([]string{"10 300 false false", "20 140 true false", "25 150 false false", "50 50 false false"},
		got); diff != "" {
		t.Error(diff)
	}
	got = nil
	for i, r := range g.At {
		s := "none"
		if r.PerAccelerator == nil && (r.Below == nil) == (r.Above == nil) {
			t.Errorf("%v is not read, below %v, above %v", FrontierSpeeds[i], r.Below, r.Above)
		}
		if r.Interpolated && !(r.Below.Speed < FrontierSpeeds[i] && FrontierSpeeds[i] < r.Above.Speed) {
			t.Errorf("%v is read between %v and %v", FrontierSpeeds[i], r.Below.Speed, r.Above.Speed)
		}
		if r.PerAccelerator != nil {
			s = fmt.Sprint(*r.PerAccelerator, r.Interpolated)
		}
		got = append(got, fmt.Sprintf("%v: %s", FrontierSpeeds[i], s))
	}
	// At 20: 300 + (150 − 300) × 10/15 = 200; at 30: 150 + (50 − 150) × 5/25 = 130.
	if diff := cmp.Diff([]string{"10: 300 false", "20: 200 true", "30: 130 true", "50: 50 false", "100: none"},
		got); diff != "" {
		t.Error(diff)
	}
	// The two points of b have one load; medians and means are not put into one number.
	if b := f.Groups[1]; len(b.Points) != 1 || b.Points[0].Speed != 80 || !b.Points[0].Mean ||
		len(b.Points[0].Points) != 1 {
		t.Errorf("small: %+v", b.Points)
	}
}

// The order of a card's runs is one order, whatever order they come in: a run of another engine that is between two of one
// in time stands before or behind both.
func TestCardOrder(t *testing.T) {
	run := func(id, engine, version, day, withdrawn string) *catalog.Run {
		r := figuretest.Run(id, "o/Dense-10B", "1x big", version, figuretest.Point(1, 100, 0.1, 0.5, 0.01, 0.02))
		r.Attributes["engine"] = catalog.Attribute{Value: engine}
		r.Started, r.Withdrawn = day, withdrawn
		return r
	}
	runs := []*catalog.Run{run("a", "vllm", "0.5.0", "2025-01-03", ""), run("b", "sglang", "0.4", "2025-01-02", ""),
		run("c", "vllm", "0.10.0", "2025-01-01", ""), run("d", "vllm", "0.11.0", "2025-01-04", "too hot")}
	for range 24 {
		rand.Shuffle(len(runs), func(i, j int) { runs[i], runs[j] = runs[j], runs[i] })
		got := ""
		for _, r := range NewIndex(&catalog.Catalog{Runs: runs}, figuretest.Names(t)).Cards[0].Runs {
			got += r.ID
		}
		if got != "cabd" {
			t.Fatalf("%q, want cabd", got)
		}
	}
}

func TestRankSLO(t *testing.T) {
	n := figuretest.Names(t)
	bare := figuretest.Point(1, 10, 1, 1, 0.01, 0.01)
	bare.Metrics["ttft"] = catalog.Stat{Median: figuretest.Num(0.1), Unit: "s"}
	elsewhere := figuretest.Point(1, 10, 0.1, 0.1, 0.01, 0.01)
	elsewhere.Workload.Dataset = "another"
	failing := figuretest.Point(8, 700, 0.1, 0.9, 0.01, 0.02)
	failing.Completed = figuretest.Whole(98)
	ix := NewIndex(&catalog.Catalog{Runs: []*catalog.Run{
		figuretest.Run("a", "o/Dense-10B", "2x big", "1.0", figuretest.Point(1, 100, 0.1, 0.5, 0.01, 0.02),
			figuretest.Point(4, 400, 0.1, 1, 0.01, 0.02), failing, figuretest.Point(16, 900, 0.1, 1.1, 0.01, 0.02)),
		figuretest.Run("b", "o/Dense-10B", "1x big", "1.0", figuretest.Point(1, 150, 0.1, 0.5, 0.01, 0.05),
			figuretest.Point(2, 300, 0.1, 0.5, 0.01, 0.05)),
		figuretest.Run("c", "o/Dense-10B", "4x big", "1.0", figuretest.Point(1, 100, 0.1, 1.5, 0.01, 0.02)),
		figuretest.Run("d", "o/Dense-10B", "1x small", "1.0", bare),
		figuretest.Run("e", "o/Dense-10B", "2x small", "1.0", elsewhere),
	}}, n)
	l := Limits{TTFT: Limit{"p99", 1}, TPOT: Limit{"p99", 0.05}, ErrorRate: figuretest.Num(0.01)}
	if w := strings.ReplaceAll(l.Words(), "\u202f",
		" "); w != "TTFT p99 ≤ 1 s, TPOT p99 ≤ 50 ms, errors ≤ 1 %" {
		t.Error(w)
	}
	class := ""
	for _, r := range ix.Runs {
		if r.ID == "a" {
			class = r.Scenarios[0].Class
		}
	}
	var got []string
	for _, row := range ix.RankSLO(ix.Models[0], class, l) {
		s := fmt.Sprintf("%s %d %s", row.Card.Hardware.Name, row.Verdict, row.Why)
		if row.Verdict == Passes {
			s += fmt.Sprintf("at %v: %v, %v, highest %v", row.Load, *row.Throughput, *row.PerAccelerator, row.Highest)
			// 10⁶ × 2 × 3 / (3600 × 400) = 4.1666…; 10⁶ × 3 / (3600 × 300) = 2.7777…
			for _, c := range row.Costs {
				s += fmt.Sprintf(", %.4f %s", c.PerMillion, c.Price.Currency)
			}
			if row.Nearest() {
				s += " by " + HeldWords(row.Held)
			}
		}
		got = append(got, strings.ReplaceAll(s, "\u202f", " "))
	}
	want := []string{
		"big 2 at 2: 300, 300, highest true, 2.7778 USD",
		"2× big 2 at 4: 400, 200, highest false, 4.1667 USD",
		"small 2 at 1: 10, 10, highest true by TTFT median ≤ 1 s (p99 is not recorded), " +
			"TPOT p99 ≤ 50 ms, errors ≤ 1 %",
		"4× big 1 TTFT p99 is 1.50 s",
		"2× small 0 this workload was not measured on it",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	// 2 of 100 fail: more than 1 %.
	if v, why := check(l.Held(), &failing); v != Fails || why.String() != "98 of 100 requests completed" {
		t.Errorf("%v %q", v, why)
	}
	// Where some load keeps every limit that it has a statistic for, nobody knows; where each breaks
	// one, it fails whatever else is missing.
	half := figuretest.Point(4, 400, 0.1, 0.9, 0.01, 0.02)
	half.Metrics["tpot"] = catalog.Stat{Median: figuretest.Num(0.01), Unit: "s"}
	slow := figuretest.Point(8, 500, 0.1, 2, 0.01, 0.02)
	for _, c := range []struct {
		points []catalog.Point
		want   Verdict
		why    string
	}{
		{[]catalog.Point{half, slow}, NotMeasured, "TPOT p99 is not known"},
		{[]catalog.Point{slow}, Fails, "TTFT p99 is 2.00 s"},
		{[]catalog.Point{half, figuretest.Point(16, 600, 0.1, 0.9, 0.01, 0.02)}, Passes, ""},
	} {
		one := NewIndex(&catalog.Catalog{Runs: []*catalog.Run{figuretest.Run("x", "o/Dense-10B", "1x big", "1.0",
			c.points...)}}, n)
		row := one.RankSLO(one.Models[0], one.Runs[0].Scenarios[0].Class, l)[0]
		if why := strings.ReplaceAll(row.Why, "\u202f", " "); row.Verdict != c.want || why != c.why {
			t.Errorf("%d loads: %v %q, want %v %q", len(c.points), row.Verdict, why, c.want, c.why)
		}
	}
	// Beyond the peak more load yields less: 8 keeps the limits too, and 4 yields most.
	past := NewIndex(&catalog.Catalog{Runs: []*catalog.Run{figuretest.Run("x", "o/Dense-10B", "1x big", "1.0",
		figuretest.Point(1, 100, 0.1, 0.5, 0.01, 0.02), figuretest.Point(4, 400, 0.1, 0.6, 0.01, 0.02),
		figuretest.Point(8, 250, 0.1, 0.9, 0.01, 0.03))}}, n)
	if row := past.RankSLO(past.Models[0], past.Runs[0].Scenarios[0].Class, l)[0]; row.Load != 4 || row.UpTo != 8 ||
		row.Highest || row.Throughput == nil || *row.Throughput != 400 {
		t.Errorf("at %v, up to %v, highest %v: %v", row.Load, row.UpTo, row.Highest, row.Throughput)
	}
	if v, _ := check(Limits{}.Held(), &catalog.Point{}); v != Passes {
		t.Error("no limits are kept by everything")
	}
	for _, p := range SLOPresets {
		if u, ok := ix.Models[0].ClassFor(p); !ok || u.Cards != 4 {
			t.Errorf("%s: %+v", p.ID, u)
		}
	}
}

// A result of the open division yields more and has no rank beside one of the closed division; it neither asks for a
// measurement. By themselves open ones are ranked.
func TestRankSLOOfDivisions(t *testing.T) {
	run := func(id, hardware, division string, tput float64) *catalog.Run {
		r := figuretest.Run(id, "o/Dense-10B", hardware, "1.0", figuretest.Point(1, tput, 0.1, 0.2, 0.02, 0.03))
		r.Attributes["labels.division"] = catalog.Attribute{Value: division}
		return r
	}
	for _, c := range []struct{ first, second, want string }{
		{"closed", "open", "small passes, big is outside"},
		{"Open", "open", "big passes, small passes"},
	} {
		ix := NewIndex(&catalog.Catalog{Runs: []*catalog.Run{run("a", "1x small", c.first, 100), run("b", "1x big", c.second, 200)}},
			figuretest.Names(t))
		var got []string
		for _, row := range ix.RankSLO(ix.Models[0], ix.Runs[0].Scenarios[0].Class, Limits{}) {
			switch {
			case row.Outside && row.Verdict == NotMeasured && row.Run == nil:
				got = append(got, row.Card.Hardware.Name+" is outside")
			case row.Verdict == Passes:
				got = append(got, row.Card.Hardware.Name+" passes")
			}
		}
		if s := strings.Join(got, ", "); s != c.want {
			t.Errorf("%s and %s: %s, want %s", c.first, c.second, s, c.want)
		}
		for _, n := range ix.Next() {
			if n.Card != nil && n.State == NextUnmeasured {
				t.Errorf("%s and %s: %s is to be measured on %s", c.first, c.second, n.Model.Name, n.Hardware.Name)
			}
		}
	}
}

// What a cell lacks reads as English: "not recorded with Offline" said that nobody measured it.
func TestNextLacks(t *testing.T) {
	for state, want := range map[NextState]string{
		NextUnmeasured: "not measured with Offline",
		NextUnrecorded: "measured with Offline, but not what the limits are of",
		NextBeyond:     "within the limits at its largest load with Offline",
		NextStale:      "stale with Offline",
	} {
		if got := (Next{State: state, Scenario: &Scenario{Title: "Offline"}}).Lacks(); got != want {
			t.Errorf("%s: %q, want %q", state, got, want)
		}
	}
}

// Those of which it is not known what an accelerator yields stand behind the others, whatever these were held against.
func TestRankSLOWithoutThroughput(t *testing.T) {
	silent := figuretest.Point(4, 400, 0.1, 0.9, 0.01, 0.02)
	delete(silent.Metrics, "output_throughput")
	nearest := figuretest.Point(4, 40, 0.1, 0.9, 0.01, 0.02)
	nearest.Metrics["ttft"] = catalog.Stat{Median: figuretest.Num(0.1), Unit: "s"}
	ix := NewIndex(&catalog.Catalog{Runs: []*catalog.Run{
		figuretest.Run("a", "o/Dense-10B", "8x big", "1.0", silent),
		figuretest.Run("b", "o/Dense-10B", "1x small", "1.0", nearest),
		figuretest.Run("c", "o/Dense-10B", "big", "1.0", figuretest.Point(4, 900, 0.1, 0.9, 0.01, 0.02)), // of how many?
		figuretest.Run("d", "o/Dense-10B", "2x small", "1.0", figuretest.Point(4, 300, 0.1, 0.9, 0.01, 0.02)),
	}}, figuretest.Names(t))
	order := ""
	for _, row := range ix.RankSLO(ix.Models[0], ix.Runs[0].Scenarios[0].Class, Limits{TTFT: Limit{"p99", 1}}) {
		order += row.Run.ID
	}
	if order != "dbca" {
		t.Errorf("%s, want dbca", order)
	}
}

// Of two engines on one hardware the one that serves most within the limits speaks for it, whichever comes first;
// another one under other limits.
func TestRankSLOOfSeveralEngines(t *testing.T) {
	a := figuretest.Run("a", "o/Dense-10B", "1x big", "1.0", figuretest.Point(1, 150, 0.1, 0.5, 0.01, 0.02),
		figuretest.Point(4, 400, 0.1, 0.5, 0.01, 0.02))
	b := figuretest.Run("b", "o/Dense-10B", "1x big", "1.0", figuretest.Point(1, 100, 0.1, 0.5, 0.01, 0.02),
		figuretest.Point(4, 500, 0.1, 3, 0.01, 0.02))
	b.Attributes["engine"] = catalog.Attribute{Value: "other"}
	for _, runs := range [][]*catalog.Run{{a, b}, {b, a}} {
		ix := NewIndex(&catalog.Catalog{Runs: runs}, figuretest.Names(t))
		class := ix.Runs[0].Scenarios[0].Class
		for _, c := range []struct {
			l    Limits
			want string
			held int
		}{{Limits{}, "b", 2}, {Limits{TTFT: Limit{"p99", 1}}, "a", 2}} {
			rows := ix.RankSLO(ix.Models[0], class, c.l)
			if len(rows) != 1 || rows[0].Run.ID != c.want {
				t.Errorf("%s: %d rows, want %s alone", c.l.Words(), len(rows), c.want)
			}
			if held := ix.HoldSLO(ix.Models[0], class, c.l); len(held) != c.held {
				t.Errorf("%s: %d results can speak, want %d", c.l.Words(), len(held), c.held)
			}
		}
	}
}

func TestCostAndEnergy(t *testing.T) {
	price := settings.Price{PerHour: 2, Currency: "EUR"}
	// 4 accelerators at 2 an hour and 1000 tok/s: 8 / 3.6e6 tokens = 2.2222 a million, 450,000 for 1.
	c, ok := costAt(1000, 4, price)
	if !ok || math.Abs(c.PerMillion-8/3.6) > 1e-11 || c.TokensPerUnit != 450000 {
		t.Errorf("%+v", c)
	}
	for _, bad := range []struct {
		v     float64
		count int
		hour  float64
	}{{0, 1, 1}, {math.NaN(), 1, 1}, {1, 0, 1}, {1, 1, 0}} {
		if _, ok := costAt(bad.v, bad.count, settings.Price{PerHour: bad.hour}); ok {
			t.Errorf("%+v has a cost", bad)
		}
	}
	n := figuretest.Names(t)
	p := figuretest.Point(1, 1000, 1, 1, 1, 1)
	r := newRun(figuretest.Run("a", "o/Dense-10B", "2x big", "1.0", p), n)
	if e, ok := r.TokensPerJoule(&r.Points[0]); !ok || e != (Energy{1, 1000, BoardPower}) {
		t.Errorf("board power 2 × 500 W: %+v", e)
	}
	r.Points[0].Metrics["power"] = catalog.Stat{Mean: figuretest.Num(400), Unit: "W"}
	if e, ok := r.TokensPerJoule(&r.Points[0]); !ok || e != (Energy{2.5, 400, MeasuredPower}) {
		t.Errorf("measured: %+v", e)
	}
	p = figuretest.Point(1, 1000, 1, 1, 1, 1) // the metrics above are shared
	if _, ok := newRun(figuretest.Run("b", "m", "1x small", "1.0", p), n).TokensPerJoule(&p); ok {
		t.Error("without any power there is no figure")
	}
}

// TestUtilization: 10 B weights in 16 bit are 20 GB; a token takes 2 × 10 × 10 × 100 × 2 = 40,000
// bytes; 8 requests of 1000 + 100 tokens hold 352 MB. At a TPOT of 20 ms a step could read 40 GB.
func TestUtilization(t *testing.T) {
	n := figuretest.Names(t)
	ix := NewIndex(&catalog.Catalog{Runs: []*catalog.Run{
		figuretest.Run("a", "o/Dense-10B", "1x big", "1.0", figuretest.Point(8, 1000, 1, 1, 0.02, 1)),
		figuretest.Run("b", "o/Mixed-40B", "1x big", "1.0", figuretest.Point(8, 1000, 1, 1, 0.02, 1)),
		figuretest.Run("c", "o/Dense-10B", "1x twin", "1.0", figuretest.Point(8, 1000, 1, 1, 0.02, 1)),
		figuretest.Run("d", "o/Dense-10B", "1x big", "1.0", figuretest.Point(8, 1000, 1, 1, 0.005, 1)),
		figuretest.Run("e", "unknown-thing", "1x big", "1.0", figuretest.Point(8, 1000, 1, 1, 0.02, 1)),
	}}, n)
	by := map[string]*Run{}
	for _, r := range ix.Runs {
		by[r.ID] = r
	}
	near := func(a, b float64) bool { return math.Abs(a-b) < 1e-11 }
	mbu := func(id string) Utilization {
		u, ok := ix.MBU(by[id], &by[id].Points[0])
		if !ok {
			t.Fatalf("no MBU of %s", id)
		}
		return u
	}
	if u := mbu("a"); !near(u.Lo, 20.352/40) || u.Range() || u.Warning != "" {
		t.Errorf("dense: %+v", u)
	}
	// 40 B in all are 80 GB, 5 B active 10 GB; 8 requests touch at most all 80 GB of them.
	if u := mbu("b"); !near(u.Lo, 10.0/40) || !near(u.Hi, 80.0/40) {
		t.Errorf("mixture: %+v", u)
	}
	// 8.3e9 × 4.15 / 4.15 is less than 8.3e9 in floating point.
	size := 4.15
	if active, ok := activeBytes(settings.Model{ParamsB: &size, ActiveParamsB: &size}, 8.3e9); !ok || active != 8.3e9 {
		t.Errorf("of a dense model %v bytes are active", active)
	}
	if u := mbu("c"); !near(u.Lo, 20.352/40) || !near(u.Hi, 20.352/20) || !u.Range() {
		t.Errorf("form factor not recorded: %+v", u)
	}
	if u := mbu("d"); !near(u.Lo, 20.352/10) || u.Warning == "" {
		t.Errorf("more than there is: %+v", u)
	}
	if _, ok := ix.MBU(by["e"], &by["e"].Points[0]); ok {
		t.Error("a model of unknown size has an MBU")
	}
	// 1000 tok/s out with 1000 in for 200 out are 6000 tok/s in all; 2 × 10e9 × 6000 / 1e15 = 0.12.
	if u, ok := ix.MFU(by["a"], &by["a"].Points[0]); !ok || !near(u.Lo, 0.12) || u.Range() {
		t.Errorf("MFU %+v", u)
	}
	if u, ok := ix.MFU(by["b"], &by["b"].Points[0]); !ok || !near(u.Lo, 0.06) {
		t.Errorf("MFU of a mixture %+v", u)
	}
	if _, ok := ix.MFU(by["c"], &by["c"].Points[0]); ok {
		t.Error("one variant has no peak: no range can be given")
	}
	// (100 GB × 0.9 − 20 GB) / 40,000 = 1,750,000 tokens.
	a := by["a"]
	a.Parameters = figuretest.Params("gpu_memory_utilization", "0.9")
	a.Figures = []catalog.Figure{{Metric: "kv_cache_tokens", Value: figuretest.Num(1400000)}}
	if k, ok := a.KVCapacity(); !ok || k.Estimated != 1750000 || *k.Share != 0.8 || k.Warning != "" {
		t.Errorf("KV capacity %+v", k)
	}
	// With GiB for GB it is 107.37 × 0.9 − 20 = 76.633 GB, 1,915,825 tokens.
	a.Figures[0].Value = figuretest.Num(1915000)
	if k, _ := a.KVCapacity(); k.Warning != "" || *k.Share < 1 {
		t.Errorf("what GiB would hold has a warning: %+v", k)
	}
	a.Figures[0].Value = figuretest.Num(1916000)
	if k, _ := a.KVCapacity(); k.Warning == "" {
		t.Error("more than the memory holds has no warning")
	}
}

func TestFormulas(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range Formulas {
		if seen[f.ID] || f.Name == "" || f.Text == "" || record.Slug(f.ID) != f.ID {
			t.Errorf("formula %+v", f)
		}
		seen[f.ID] = true
	}
}

func testRun(t *testing.T, cr *catalog.Run) *Run {
	t.Helper()
	names, diags := settings.LoadNames()
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	return newRun(cr, names)
}

func TestScenariosOfAReport(t *testing.T) {
	r := testRun(t, figuretest.Report())
	var got []string
	for _, s := range r.Scenarios {
		got = append(got, fmt.Sprintf("%s: %d", s.Key, len(s.Points)))
	}
	want := []string{"single-user-latency-2048-512: 1", "short-context-throughput-512-256: 1",
		"long-context-16k-16384-1024: 1",
		"decode-stress-test-128-2048: 1", "concurrency-scaling-1024-256: 5"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// TestSweetSpot follows the rule by hand: the smallest TTFT p99 is 146.19 ms and the smallest
// TPOT p99 20.83 ms, so the limits are 292.38 and 41.66 ms; 2 fails by TTFT, 16 by TTFT (302.73),
// 32 by both, which leaves 4 with 167.97/4 = 41.9925 and 8 with 31.99 tok/s a user.
func TestSweetSpot(t *testing.T) {
	r := testRun(t, figuretest.Report())
	sw, sc, ok := r.SweetSpot()
	if !ok || LoadOf(sw.Point) != 4 || sw.PerUser != 41.9925 || sw.AllPass {
		t.Fatalf("sweet spot %+v, %v", sw, ok)
	}
	if sw.TTFTLimit != 2*0.14619 || sw.TPOTLimit != 2*0.02083 {
		t.Errorf("limits %v and %v", sw.TTFTLimit, sw.TPOTLimit)
	}
	peak, v, ok := sc.Peak("output_throughput")
	if !ok || LoadOf(peak) != 32 || v != 387.10 {
		t.Errorf("peak %v at %v", v, LoadOf(peak))
	}
	if n, above := AboveNumPrompts(peak); !above || n != 30 {
		t.Errorf("30 prompts at concurrency 32: got %d, %v", n, above)
	}
	// 0.95 * 387.10 = 367.745: 16 with 384.74 is the first load that reaches it.
	knee, ratio, ok := sc.Knee("output_throughput")
	if !ok || LoadOf(knee) != 16 || math.Abs(ratio-384.74/387.10) > 1e-12 {
		t.Errorf("knee %v, %v", LoadOf(knee), ratio)
	}
	// 384.74 * 2 / (16 * 97.72) = 0.49214...
	e, c0, ok := sc.Scaling(knee)
	if !ok || LoadOf(c0) != 2 || math.Abs(e-769.48/1563.52) > 1e-12 {
		t.Errorf("scaling efficiency %v against %v", e, LoadOf(c0))
	}
	if _, _, ok := sc.Scaling(c0); ok {
		t.Error("the smallest load has no scaling efficiency")
	}
}

func TestFasterBy(t *testing.T) {
	for _, c := range []struct {
		base, best float64
		better     metric.Direction
		want       float64
		ok         bool
	}{
		{200, 100, metric.Lower, 0.5, true},
		{100, 150, metric.Higher, 0.5, true},
		{100, 0, metric.Lower, 1, true},
		{100, 0, metric.Higher, -1, true}, // a drop to zero is -100 %
		{0, 5, metric.Lower, 0, false},
	} {
		if got, ok := FasterBy(c.base, c.best, c.better); got != c.want || ok != c.ok {
			t.Errorf("FasterBy(%v, %v) = %v, %v", c.base, c.best, got, ok)
		}
	}
}

// TestKVBytes: 32 layers, 32 heads of 128 in 16 bit hold 2*32*32*128*2 = 524,288 bytes a token.
func TestKVBytes(t *testing.T) {
	l, h, d := 32, 32, 128
	m := settings.Model{Layers: &l, KVHeads: &h, HeadDim: &d}
	if v, ok := KVBytesPerToken(m, 2); !ok || v != 524288 {
		t.Errorf("%v, %v", v, ok)
	}
	if _, ok := KVBytesPerToken(settings.Model{Layers: &l}, 2); ok {
		t.Error("half a configuration gives no number")
	}
	m.Attention = "mla"
	if _, ok := KVBytesPerToken(m, 2); ok {
		t.Error("latent attention keeps another cache")
	}
}

func TestSuccess(t *testing.T) {
	p := &catalog.Point{Completed: figuretest.Whole(1015), Submitted: figuretest.Whole(2000)}
	if o, ok := Success(p); !ok || o.Ratio() != 0.5075 || o.Lacks() != "985 not completed" {
		t.Errorf("%v, %v", o, ok)
	}
	// 1,015 - 15 of 2,000.
	p.NoOutput = figuretest.Whole(15)
	if o, ok := Success(p); !ok || o.Ratio() != 0.5 || o.Lacks() != "985 not completed, 15 without output" ||
		o.Words("requests") != "1\u202f015 of 2\u202f000 requests completed, 15 without output" {
		t.Errorf("%v, %v: %s", o, ok, o.Words("requests"))
	}
	// A summary that counts fewer than its requests say contradicts them, and no share is below 0.
	p.NoOutput = figuretest.Whole(1016)
	if o, ok := Success(p); !ok || o.Ratio() != 0 {
		t.Errorf("%v, %v", o, ok)
	}
	if _, ok := Success(&catalog.Point{Completed: figuretest.Whole(5)}); ok {
		t.Error("without the number submitted there is no rate")
	}
}

// TestScale: dividing all throughputs by a constant changes neither knee nor sweet spot nor
// efficiency, and scaling efficiency of a proportional series is 1.
func TestScale(t *testing.T) {
	base := testRun(t, figuretest.Report())
	halved := figuretest.Report()
	for i := range halved.Points {
		s := halved.Points[i].Metrics["output_throughput"]
		halved.Points[i].Metrics["output_throughput"] = figuretest.Value(*s.Value / 2)
	}
	half := testRun(t, halved)
	a, b := base.Scenarios[4], half.Scenarios[4]
	ka, _, _ := a.Knee("output_throughput")
	kb, _, _ := b.Knee("output_throughput")
	if LoadOf(ka) != LoadOf(kb) {
		t.Errorf("knee moved from %v to %v", LoadOf(ka), LoadOf(kb))
	}
	ea, _, _ := a.Scaling(ka)
	eb, _, _ := b.Scaling(kb)
	if math.Abs(ea-eb) > 1e-11 {
		t.Errorf("efficiency changed from %v to %v", ea, eb)
	}
	linear := &catalog.Run{}
	for c := int64(1); c <= 8; c *= 2 {
		linear.Points = append(linear.Points, catalog.Point{Load: record.Load{MaxConcurrency: figuretest.Whole(c)},
			Metrics: map[metric.ID]catalog.Stat{"output_throughput": figuretest.Value(7.3 * float64(c))}})
	}
	s := testRun(t, linear).Scenarios[0]
	if e, _, ok := s.Scaling(s.Largest()); !ok || math.Abs(e-1) > 1e-12 {
		t.Errorf("a proportional series scales with %v", e)
	}
	if !s.StillRising("output_throughput") {
		t.Error("its peak is its largest load")
	}
}

func TestGigabytes(t *testing.T) {
	for text, want := range map[string]float64{"80 GB": 80, "80 GiB": 85.89934592, "81920 MiB": 85.89934592,
		"80000 MB": 80} {
		if v := gigabytes(text); v == nil || math.Abs(*v-want) > 1e-9 {
			t.Errorf("%q is %v", text, v)
		}
	}
	for _, text := range []string{"", "80", "eighty GB", "-80 GB", "80 things"} {
		if v := gigabytes(text); v != nil {
			t.Errorf("%q is %v", text, *v)
		}
	}
}

// TestKeptUpTo: speeds of a request of 30, 21, 20 and 19.9 tok/s at 1, 2, 4 and 8 keep 20 tok/s up to
// 4; a KV cache that is 10, 94.9, 95 and 99 % full was full at 4 first.
func TestKeptUpTo(t *testing.T) {
	cr := &catalog.Run{Identity: record.Identity{Tool: "x", Model: "m"}}
	for i, c := range []int64{1, 2, 4, 8} {
		speed, kv := []float64{30, 21, 20, 19.9}[i], []float64{0.1, 0.949, 0.95, 0.99}[i]
		cr.Points = append(cr.Points,
			catalog.Point{Load: record.Load{MaxConcurrency: figuretest.Whole(c)}, Metrics: map[metric.ID]catalog.Stat{
				"speed_per_request": {Median: figuretest.Num(speed), Unit: "tok/s"},
				"kv_cache_usage":    {Value: figuretest.Num(kv), Unit: "1"}}})
	}
	s := testRun(t, cr).Scenarios[0]
	if load, measured, ok := s.KeepsSpeed(20); load != 4 || measured || !ok {
		t.Errorf("20 tok/s are kept up to %v, %v, %v", load, measured, ok)
	}
	if load, measured, ok := s.KeepsSpeed(19.5); load != 8 || !measured || !ok {
		t.Errorf("19.5 tok/s are kept up to %v, %v, %v", load, measured, ok)
	}
	if p := s.KVFull(); p == nil || LoadOf(p) != 4 {
		t.Errorf("the KV cache is full at %v", p)
	}
}

// TestFits: 70.55 × 10⁹ parameters of 16 bits are 141.1 GB, which fit 141.1 GB and not 2 × 70.5 GB.
func TestFits(t *testing.T) {
	params := 70.55
	m := settings.Model{ParamsB: &params, Precision: "bf16"}
	for _, c := range []struct {
		gb          float64
		count       int
		fits, known bool
	}{{141.1, 1, true, true}, {70.5, 2, false, true}, {80, 2, true, true}, {80, 0, false, false}} {
		fits, known := Fits(m, settings.Hardware{Count: c.count, Accelerator: settings.Accelerator{MemoryGB: &c.gb}})
		if fits != c.fits || known != c.known {
			t.Errorf("%d × %v GB: %v, %v", c.count, c.gb, fits, known)
		}
	}
	if _, known := Fits(settings.Model{Precision: "bf16"},
		settings.Hardware{Count: 1, Accelerator: settings.Accelerator{MemoryGB: &params}}); known {
		t.Error("a model of unknown size fits or does not")
	}
}
