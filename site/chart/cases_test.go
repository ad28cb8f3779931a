package chart

import (
	"fmt"
	"math"
	"strings"
)

// A pictured is a chart that is drawn into a golden file, looked at in the gallery, and checked for what
// holds of all charts. All values are made up.
type pictured struct {
	name  string // of the golden file
	says  string // what is to be seen
	chart *Chart
	sizes []Size // nil: Wide and Narrow
	// keyless as in Options.
	keyless bool
}

func ptr(v float64) *float64 { return &v }

var loads = []float64{1, 2, 3, 4, 6, 8, 10, 14, 18, 22, 26, 30, 34, 38}

// rising is a throughput that saturates: linear at first, peak in the end.
func rising(name string, one, peak float64, n int) Series {
	s := Series{Name: name}
	for _, l := range loads[:n] {
		y := peak * (1 - math.Exp(-one*l/peak))
		s.Points = append(s.Points, Point{X: l, Y: math.Round(y*10) / 10})
	}
	return s
}

func falling(name string, first, rate float64) Series {
	s := Series{Name: name}
	for _, l := range loads {
		y := first / (1 + rate*l)
		s.Points = append(s.Points, Point{X: l, Y: y, Low: y * 0.9, High: y * 1.06})
	}
	return s
}

func xy(name string, v ...float64) Series {
	s := Series{Name: name}
	for i := 0; i+1 < len(v); i += 2 {
		s.Points = append(s.Points, Point{X: v[i], Y: v[i+1]})
	}
	return s
}

var concurrency = Axis{Title: "parallel requests (log scale)", Scale: Pow2}
var rate = Axis{Title: "request rate", Unit: "requests/s", Scale: Linear}

// throughput is a model on three accelerators against load, the last with a full cache.
func throughput() *Chart {
	a, b, c := rising("Card A 80 GB", 78, 720, 14), rising("Card A 40 GB", 70, 650, 14),
		rising("Card B 32 GB", 46, 268, 14)
	b.Points[13].Hollow = true
	for i := 10; i < 14; i++ {
		c.Points[i].Hollow = true
	}
	return &Chart{
		Title: "Output throughput against parallel requests on three cards",
		X:     concurrency, Hollow: "KV cache full",
		Panels: []Panel{{Y: Axis{Title: "Output throughput", Unit: "tok/s"}, Series: []Series{a, b, c},
			Notes: []Note{{X: 28, Y: c.Points[11].Y, Text: "KV cache full"}}}},
	}
}

// waits is time to first token by request rate with everything at once at the end.
func waits() *Chart {
	return &Chart{
		Title: "Mean time to first token by request rate, three builds",
		X:     rate,
		Panels: []Panel{{
			Y: Axis{Title: "Mean TTFT", Scale: Log, Format: Seconds},
			Series: []Series{
				xy("build one", 1, 1.5, 3, 1.6, 5, .95, 7, 2.9, 9, 5.4, 11, 16, inf, 61),
				xy("build two", 1, .13, 3, .17, 5, .23, 7, .37, 9, 4.1, 11, 18.5, inf, 60.5),
				xy("build three", 1, .14, 3, .16, 5, .2, 7, .31, 9, .49, 11, 7.8, inf, 54),
			},
			Refs:  []Ref{Horizontal(.5, "500 ms")},
			Bands: []Band{{X: inf, Label: "980 of 2" + "\u202f" + "000 completed"}},
		}},
	}
}

func tokens() *Chart {
	group := func(name string, v ...float64) Series {
		s := Series{Name: name}
		for i, y := range v {
			x := float64(2*i + 1)
			if i == len(v)-1 {
				x = inf
			}
			s.Points = append(s.Points, Point{X: x, Y: y})
		}
		return s
	}
	s := []Series{group("build one", 41, 150, 101, 258, 231, 224, 166),
		group("build two", 17, 24, 35, 75, 193, 202, 197), group("build three", 19, 27, 36, 61, 110, 171, 169)}
	for i := range s[0].Points {
		best := 0
		for j := range s {
			if s[j].Points[i].Y < s[best].Points[i].Y {
				best = j
			}
		}
		s[best].Points[i].Strong = true
	}
	return &Chart{
		Kind: Bars, Title: "Mean time per output token by request rate",
		X:      rate,
		Panels: []Panel{{Y: Axis{Title: "Mean TPOT", Unit: "ms"}, Series: s, Bands: []Band{{X: inf}}}},
	}
}

func scenario() *Chart {
	speed := falling("speed per request", 49, .055)
	speed.Slot = 1
	first, tail := Series{Name: "TTFT", Slot: 2}, Series{Name: "TTFT, 99th percentile", Slot: 2, Marker: 6,
		NoLine: true}
	cache := Series{Name: "KV-cache use", Slot: 3}
	for i, l := range loads {
		y := 0.04 * math.Pow(l, .62)
		first.Points = append(first.Points, Point{X: l, Y: y, Low: y * .8, High: y * 1.3})
		tail.Points = append(tail.Points, Point{X: l, Y: y * (2 + float64(i)*.9)})
		cache.Points = append(cache.Points, Point{X: l, Y: 2.4 * l})
	}
	return &Chart{
		Title: "Speed per request, time to first token and KV-cache use, 32 → 16",
		X:     Axis{Title: "parallel requests", Scale: Pow2},
		Panels: []Panel{
			{Y: Axis{Title: "Speed per request", Unit: "tok/s"}, Series: []Series{speed},
				Refs: []Ref{Horizontal(20, "20 tok/s")}},
			{Y: Axis{Title: "TTFT", Unit: "s", Scale: Log}, Series: []Series{first, tail}},
			{Y: Axis{Title: "KV-cache use", Unit: "% (max)", Max: ptr(100)}, Series: []Series{cache}},
		},
	}
}

func speeds() *Chart {
	f := func(name string, speed, slope, peak float64) Series {
		s := Series{Name: name}
		for _, l := range loads {
			v := speed / (1 + slope*l)
			s.Points = append(s.Points, Point{X: v, Y: math.Min(peak*(1+.002*l), v*l*.92), Label: place(l)})
		}
		return s
	}
	c := &Chart{
		Kind: Frontier, Title: "Speed per user against throughput per GPU",
		X: Axis{Title: "speed per user", Unit: "tok/s (decode, median)"},
		Panels: []Panel{{
			Y: Axis{Title: "Output throughput per GPU", Unit: "tok/s"},
			Series: []Series{f("Card A 80 GB", 78, .06, 900), f("Card A 40 GB", 70, .062, 900),
				f("Card B 32 GB", 49, .06, 262)},
			Refs: []Ref{Vertical(20, "20 tok/s")},
		}},
	}
	return c
}

// doubted is one line of times of which some are in the wrong unit: too small, too large, and one at inf.
func doubted() *Chart {
	s := Series{Name: "TTFT", NoLabel: true}
	for i, l := range []float64{1, 2, 4, 8, 16} {
		s.Points = append(s.Points, Point{X: l, Y: 40 + 20*float64(i)})
	}
	s.Points = append(s.Points, Point{X: 6, Y: .06, Suspect: true}, Point{X: 8, Y: 75, Suspect: true},
		Point{X: 12, Y: 90000, Suspect: true}, Point{X: 32, Y: .2, Suspect: true}, Point{X: inf, Y: 20, Suspect: true})
	return &Chart{
		Title: "Time to first token against load", X: concurrency,
		Panels: []Panel{{Y: Axis{Title: "TTFT", Unit: "ms"}, Series: []Series{s}}},
	}
}

// noise is a small generator of its own: the same numbers on every machine and Go version.
type noise uint64

func (n *noise) next() float64 {
	*n ^= *n << 13
	*n ^= *n >> 7
	*n ^= *n << 17
	return float64(*n>>11) / (1 << 53)
}

func ingestion(n int) *Chart {
	r := noise(42)
	single, all := Series{Name: "one request at a time"}, Series{Name: "under load"}
	for range n {
		x := math.Round(10 + 3400*r.next())
		single.Points = append(single.Points, Point{X: x, Y: 21 + .116*x + 14*r.next()})
		if r.next() < .3 {
			all.Points = append(all.Points, Point{X: x, Y: 30 + .116*x + 220*r.next()*r.next()})
		}
	}
	all.Points = append(all.Points, Point{X: 800, Y: 1234})
	return &Chart{
		Kind: Scatter, Title: "Time to first token against prompt length",
		X: Axis{Title: "prompt length", Unit: "tokens"},
		Panels: []Panel{{
			Y: Axis{Title: "TTFT", Unit: "ms", Max: ptr(600)}, Series: []Series{single, all},
			Refs: []Ref{Fitted(.116, 28, 0, 3410, "0.116 ms a token: 8"+"\u202f"+"620 tok/s")},
		}},
	}
}

func rated() *Chart {
	by := func(name string, slot int, xy ...float64) Series {
		s := Series{Name: name, Slot: slot}
		for i := 0; i < len(xy); i += 2 {
			s.Points = append(s.Points, Point{X: xy[i], Y: xy[i+1]})
		}
		return s
	}
	return &Chart{
		Kind: Scored, Title: "Throughput against accuracy", X: Axis{Title: "gsm8k, exact_match", Unit: "%"},
		Panels: []Panel{{Y: Axis{Title: "Output throughput per accelerator", Unit: "tok/s"},
			Series: []Series{by("fp8", 1, 94.1, 1200, 94.6, 900, 93.8, 1450), by("int4", 2, 91.2, 1700, 90.8, 1850)}}},
	}
}

func profile(n int) *Chart {
	var use, run, wait Series
	use.Name, run.Name, wait.Name = "KV-cache use", "running", "waiting"
	use.Slot, run.Slot, wait.Slot = 3, 1, 2
	for i := range n {
		t := float64(i) * 590 / float64(n)
		phase := math.Mod(t, 24) / 24
		load := math.Min(t/12, 44)
		use.Points = append(use.Points, Point{X: t, Y: math.Round(990*phase*load/44) / 10})
		run.Points = append(run.Points, Point{X: t, Y: math.Round(load * (1 - .9*math.Pow(1-phase, 8)))})
		wait.Points = append(wait.Points, Point{X: t, Y: math.Round(load * math.Pow(1-phase, 6))})
	}
	return &Chart{
		Kind: Timeline, Title: "KV-cache profile while the load grows",
		X: Axis{Title: "seconds since the start of the profile"},
		Panels: []Panel{
			{Y: Axis{Title: "KV-cache use", Unit: "%", Max: ptr(100)}, Series: []Series{use},
				Notes: []Note{{X: 566, Y: 99, Text: "max 99 %"}}},
			{Y: Axis{Title: "Requests running"}, Series: []Series{run}},
			{Y: Axis{Title: "Requests waiting"}, Series: []Series{wait}},
		},
	}
}

// compared is two engines on three cards from repeated runs.
func compared() *Chart {
	c := &Chart{
		Kind: Bars, Title: "Peak output throughput of two engines",
		X:      Axis{Names: []string{"Card A 80 GB", "Card A 40 GB", "Card B 32 GB"}},
		Panels: []Panel{{Y: Axis{Title: "Peak output throughput", Unit: "tok/s"}}},
	}
	for i, v := range [][]float64{{711, 640, 268}, {655, 661, 241}} {
		s := Series{Name: []string{"engine one", "engine two"}[i], Interval: Confidence95}
		for j, y := range v {
			s.Points = append(s.Points,
				Point{X: float64(j), Y: y, Low: y * .95, High: y * 1.04, Strong: i == 0 && j != 1})
		}
		c.Panels[0].Series = append(c.Panels[0].Series, s)
	}
	return c
}

// versions is one metric over the versions of an engine: two cards, a gain and a regression.
func versions() *Chart {
	series := func(name string, v ...float64) Series {
		s := Series{Name: name, Interval: Confidence95}
		for i, y := range v {
			s.Points = append(s.Points, Point{X: float64(i), Y: y, Low: y * .97, High: y * 1.025})
		}
		return s
	}
	b := series("Card B 32 GB", 210, 214, 222, 268, 270, 236, 240)
	b.Points[1].Y = math.NaN()
	return &Chart{
		Kind: Lines, Title: "Peak output throughput by engine version",
		X: Axis{Title: "engine version",
			Names: []string{"0.4.3", "0.5.0", "0.5.4", "0.6.0", "0.7.1", "0.8.0", "0.8.4"}},
		Panels: []Panel{{
			Y:      Axis{Title: "Peak output throughput", Unit: "tok/s"},
			Series: []Series{series("Card A 80 GB", 560, 571, 566, 690, 702, 698, 711), b},
			Refs:   []Ref{ChangePoint(3, "+22 % since 0.6.0", false), ChangePoint(5, "Card B −12 % since 0.8.0", true)},
		}},
	}
}

// calendar is the same over dates, with notes.
func calendar() *Chart {
	s := Series{Name: "nightly", Interval: Extremes}
	r := noise(5)
	for range 5 {
		r.next()
	}
	start := 1704067200.0 // 2024-01-01
	for i := range 26 {
		y := 41 + 2*r.next()
		if i > 15 {
			y -= 7
		}
		s.Points = append(s.Points, Point{X: start + float64(i)*7*day, Y: y, Low: y - 1.2, High: y + .9})
	}
	return &Chart{
		Kind: Lines, Title: "Median TPOT of weekly runs",
		X: Axis{Title: "date of the run", Scale: Date},
		Panels: []Panel{{
			Y: Axis{Title: "Median TPOT", Unit: "ms"}, Series: []Series{s},
			Refs:  []Ref{ChangePoint(start+16*7*day, "−17 % from 22 April", false)},
			Notes: []Note{{X: start + 8*7*day, Y: s.Points[8].Y, Text: "driver updated"}},
		}},
	}
}

// groups are measured configurations of three accelerators, most of them beaten by others.
func groups() *Chart {
	r := noise(11)
	for range 5 {
		r.next()
	}
	c := &Chart{
		Kind: Frontier, Title: "Speed per user against throughput per accelerator, 3 groups",
		X:      Axis{Title: "speed per user", Unit: "tok/s"},
		Panels: []Panel{{Y: Axis{Title: "Output throughput per accelerator", Unit: "tok/s"}}},
	}
	for k, name := range []string{"Card A, engine one", "Card A, engine two", "Card B, engine one"} {
		s := Series{Name: name}
		for i := range 22 {
			t := (float64(i) + r.next()) / 22
			f := (1 - .17*float64(k)) * (.72 + .28*r.next())
			s.Points = append(s.Points, Point{X: math.Round(1600*f*math.Sin(t*math.Pi/2)) / 10,
				Y: math.Round(21000*f*math.Cos(t*math.Pi/2)) / 10, Label: fmt.Sprintf("TP%d", 1<<(i%4))})
		}
		c.Panels[0].Series = append(c.Panels[0].Series, s)
	}
	return c
}

// waiting is what n requests waited for: most briefly, some long.
func waiting(seed uint64, n int, scale float64) []float64 {
	r := noise(seed)
	for range 5 {
		r.next()
	}
	var out []float64
	for range n {
		out = append(out, math.Round(scale*(.6+.5*r.next()+.05/(.012+r.next()))*10)/10)
	}
	return out
}

func distributions() *Chart {
	shares := xy("build three", 160, 50, 300, 90, 410, 95, 900, 99) // of which only these are known
	for i, l := range []string{"median", "p90", "p95", "p99"} {
		shares.Points[i].Label = l
	}
	return &Chart{
		Kind: Distribution, Title: "Distribution of TTFT",
		X: Axis{Title: "TTFT", Unit: "ms"},
		Panels: []Panel{{Y: Axis{Title: "Share of requests", Unit: "%"}, Series: []Series{
			Samples("build one", waiting(3, 1000, 80)), Samples("build two", waiting(9, 800, 120)),
			shares,
		}}},
	}
}

func oneDistribution() *Chart {
	return &Chart{
		Kind: Distribution, Title: "Distribution of TTFT of 2 000 requests", X: Axis{Title: "TTFT", Unit: "ms"},
		Panels: []Panel{{Y: Axis{Title: "Share of requests", Unit: "%"},
			Series: []Series{Samples("build one", waiting(4, 2000, 80))}}},
	}
}

// runsOverlaid are six runs with a hue each: what /compare/ draws.
func runsOverlaid() *Chart {
	c := &Chart{Title: "Output throughput of six runs", X: concurrency,
		Panels: []Panel{{Y: Axis{Title: "Output throughput", Unit: "tok/s"}}}}
	for i := range 6 {
		s := rising(fmt.Sprintf("Card %c, 0.%d.0", 'A'+i/2, 5+i%2), 80-11*float64(i), 760-104*float64(i), 14)
		s.Slot = i + 1
		c.Panels[0].Series = append(c.Panels[0].Series, s)
	}
	return c
}

func many(n int) *Chart {
	c := &Chart{Title: "More series than can be told apart", X: concurrency,
		Panels: []Panel{{Y: Axis{Title: "Output throughput", Unit: "tok/s"}}}}
	for i := range n {
		c.Panels[0].Series = append(c.Panels[0].Series,
			rising(fmt.Sprintf("series %d", i+1), 20+8*float64(i), 200+90*float64(i), 14))
	}
	return c
}

// smallMultiples are three charts of three lines with common axes.
func smallMultiples() []*Chart {
	var cs []*Chart
	for i, in := range []string{"32", "1\u202f024", "4\u202f096"} {
		c := &Chart{
			Title: "Total generation speed, " + in + " tokens in", X: Axis{Title: "parallel requests", Scale: Pow2},
			Panels: []Panel{{Y: Axis{Unit: "tok/s", Scale: Linear}, Series: []Series{
				rising("16 out", 50/float64(i+1), 640/float64(1+i*i*3), 14),
				rising("128 out", 54, 2400/float64(1+2*i), 14),
				rising("1\u202f024 out", 52, 2600/float64(1+i), 13),
			}}},
		}
		last := &c.Panels[0].Series[2]
		last.Points[12].Y *= .68
		cs = append(cs, c)
	}
	ShareX(cs...)
	ShareY(cs...)
	return cs
}

const hostile = `<script>alert("x")</script> & 'quotes'`

func cases() []pictured {
	long := strings.Repeat("a name that does not end ", 8)
	rtl := "מודל גדול 7B"
	one := func(kind Kind, s ...Series) *Chart {
		return &Chart{Kind: kind, Title: "Hard data", X: Axis{Title: "x"},
			Panels: []Panel{{Y: Axis{Title: "y", Unit: "ms"}, Series: s}}}
	}
	logged := func(s ...Series) *Chart {
		c := one(Lines, s...)
		c.Panels[0].Y.Scale = Log
		return c
	}
	multiples := smallMultiples()
	nine := many(9)
	ideal := &Chart{
		Title: "Completed requests per second against the offered rate", X: rate,
		Panels: []Panel{{
			Y: Axis{Title: "Completed", Unit: "requests/s"},
			Series: []Series{xy("build one", 1, .98, 3, 2.9, 5, 4.7, 7, 6.3, 9, 7.7, 11, 8.2, inf, 7.9),
				xy("build two", 1, .99, 3, 2.95, 5, 4.85, 7, 6.7, 9, 8.3, 11, 8.9, inf, 9.2)},
			Refs:  []Ref{{X1: 0, Y1: 0, X2: 12, Y2: 12, Label: "ideal"}},
			Bands: []Band{{X: inf, Label: "all at once"}},
		}},
	}
	names := one(Bars, xy(rtl, 0, 3, 1, 5, 2, 4), xy("b", 0, 2, 1, 7, 2, 1))
	names.X = Axis{Title: "engine version", Names: []string{"0.9.1", "a version with a very long name indeed " + long,
		rtl}}
	negative := one(Bars, xy("change", 1, 12, 2, -7.5, 4, 3, 8, -1.25))
	wide := one(Lines, xy("a", 1, 1e-9, 2, 1e-3, 3, 1, 4, 1e12), xy("b", 1, 3e-8, 4, 2e11))
	hostileChart := one(Lines, xy(hostile, 1, 5, 2, 7, 4, 6), xy("😀 emoji 👩‍🚀", 1, 3, 2, 2, 4, 5),
		xy(rtl, 1, 1, 2, 3, 4, 3.4), xy(long, 1, 2, 2, 2.4, 4, 1.5))
	hostileChart.Title, hostileChart.X.Title, hostileChart.Panels[0].Y.Title = hostile+"\x00\x1b", hostile+long, rtl+long
	hostileChart.Panels[0].Notes = []Note{{X: 2, Y: 7, Text: long + hostile}}
	hostileChart.Panels[0].Refs = []Ref{Horizontal(4, long), Vertical(3, hostile)}
	hostileChart.Panels[0].Bands = []Band{{X: 2.5, Label: long}}
	missing := one(Lines, xy("with gaps", 1, 5, 2, math.NaN(), 4, 6, 8, inf, 16, 7, 32, 8, -inf, 3, math.NaN(), 3),
		xy("one point", 8, 4))
	missing.X.Scale = Pow2
	onlyInf := one(Lines, xy("a", inf, 5), xy("b", inf, 7), xy("c", inf, 7.5))
	onlyInf.Panels[0].Bands = []Band{{X: inf, Label: "all at once"}}
	pow2 := one(Lines, xy("a", 10, 5, 12, 6, 20, 7, 24, 7))
	pow2.X.Scale = Pow2
	free := one(Lines, xy("score", 1, 71.2, 2, 71.9, 3, 70.8, 4, 72.4))
	free.Panels[0].Y.Free = true
	bars40 := one(Bars)
	for i := range 4 {
		s := Series{Name: fmt.Sprintf("group %d", i)}
		for j := range 40 {
			s.Points = append(s.Points, Point{X: float64(j * 3), Y: float64(100 + 37*j%71 + i*20), Strong: i == 2})
		}
		bars40.Panels[0].Series = append(bars40.Panels[0].Series, s)
	}
	return []pictured{
		{name: "line-load", says: "three lines, end labels, hollow marks, a note", chart: throughput(),
			sizes: []Size{Half, HalfNarrow}},
		{name: "frontier", says: "speed per user against throughput per GPU", chart: speeds(),
			sizes: []Size{Half, HalfNarrow}},
		{name: "line-rate-inf", says: "log axis, inf behind a break, tinted, limit, labels with leaders",
			chart: waits()},
		{name: "line-ideal", says: "a line of one to one; inf", chart: ideal,
			sizes: []Size{Wide.High(340), Narrow.High(300)}},
		{name: "bars-rate-inf", says: "grouped bars, the best in bold, inf behind a break", chart: tokens(),
			sizes: []Size{Wide.High(340), Narrow.High(300)}},
		{name: "scatter", says: "points merged on a grid, fitted line, one outlier counted", chart: ingestion(900)},
		{name: "scatter-few", says: "few points with titles", chart: ingestion(40), sizes: []Size{Half, HalfNarrow}},
		{name: "timeline", says: "three aligned panels over seconds", chart: profile(300),
			sizes: []Size{Wide.High(420), Narrow.High(420)}},
		{name: "panels-aligned", says: "three aligned panels with quartile bars and crosses, no key", chart: scenario(),
			sizes: []Size{PanelTall}, keyless: true},
		{name: "panels-aligned-wide", says: "the same, wide", chart: scenario(),
			sizes: []Size{Wide.High(480), Narrow.High(460)}},
		{name: "multiple-1", says: "small multiple, shared axes", chart: multiples[0], sizes: []Size{PanelSize}},
		{name: "multiple-2", says: "small multiple, shared axes", chart: multiples[1], sizes: []Size{PanelSize}},
		{name: "multiple-3", says: "small multiple, shared axes", chart: multiples[2], sizes: []Size{PanelSize}},
		{name: "multiple-low", says: "small multiple, low, the page has the key", chart: multiples[0],
			sizes: []Size{PanelLow}, keyless: true},
		{name: "line-nine", says: "nine series, key above where they collide", chart: nine},
		{name: "line-forty", says: "nine of forty, the remainder stated", chart: many(40)},
		{name: "line-hostile", says: "names with markup, emoji, right to left, without end", chart: hostileChart},
		{name: "line-suspect", says: "crossed marks, which no line joins and no axis is made for, with their key",
			chart: doubted()},
		{name: "line-missing", says: "gaps, infinite values counted, a series of one point", chart: missing},
		{name: "line-empty", says: "no values", chart: one(Lines, Series{Name: "nothing"}), sizes: []Size{Narrow}},
		{name: "line-one-point", says: "one point", chart: one(Lines, xy("a", 3, 5)), sizes: []Size{Narrow}},
		{name: "line-equal", says: "all values equal",
			chart: one(Lines, xy("a", 1, 5, 2, 5, 3, 5), xy("b", 1, 5, 2, 5, 3, 5)), sizes: []Size{Narrow}},
		{name: "line-zeros", says: "all zero", chart: one(Lines, xy("a", 1, 0, 2, 0)), sizes: []Size{Narrow}},
		{name: "line-log-nonpositive", says: "zeros and negatives on a log axis, counted",
			chart: logged(xy("a", 1, 0, 2, 10, 3, 200, 4, -4, 5, 900)), sizes: []Size{Narrow}},
		{name: "line-log-narrow", says: "less than a decade on a log axis",
			chart: logged(xy("a", 1, 110, 2, 130, 3, 180)),
			sizes: []Size{Narrow}},
		{name: "line-span", says: "1e-9 to 1e12", chart: wide},
		{name: "line-large", says: "linear to 4 million", chart: one(Lines, xy("a", 1, 1e6, 2, 3.9e6, 3, 2e6)),
			sizes: []Size{Narrow}},
		{name: "line-tiny", says: "linear, millionths", chart: one(Lines, xy("a", 1, 1e-7, 2, 3.9e-7, 3, 2e-7)),
			sizes: []Size{Narrow}},
		{name: "line-pow2-short", says: "a range with one power of two takes the values measured", chart: pow2,
			sizes: []Size{Narrow}},
		{name: "line-free", says: "axis that does not start at zero", chart: free, sizes: []Size{Narrow}},
		{name: "line-only-inf", says: "nothing but inf", chart: onlyInf, sizes: []Size{Narrow}},
		{name: "bars-names", says: "named groups, long and right to left", chart: names},
		{name: "bars-negative", says: "bars below zero", chart: negative, sizes: []Size{Narrow}},
		{name: "bars-forty", says: "forty groups of four", chart: bars40},
		{name: "bars-empty", says: "no values", chart: one(Bars), sizes: []Size{Narrow}},
		{name: "frontier-groups", says: "beaten points grey, one line a group, labelled points", chart: groups()},
		{name: "versions", says: "engine versions as categories, 95 % intervals, change points", chart: versions()},
		{name: "calendar", says: "dates, ranges, a note and a change point", chart: calendar()},
		{name: "distribution", says: "two of samples, one of percentiles", chart: distributions()},
		{name: "distribution-one", says: "median and percentiles with their values", chart: oneDistribution(),
			sizes: []Size{Half, HalfNarrow}},
		{name: "overlay", says: "six runs, a hue each", chart: runsOverlaid(), sizes: []Size{Wide, Narrow}},
		{name: "bars-intervals", says: "bars with 95 % intervals and their values", chart: compared()},
		{name: "scored", says: "points by a score, its axis not from zero", chart: rated()},
		{name: "scatter-empty", says: "no values", chart: one(Scatter, Series{}), sizes: []Size{Narrow}},
		{name: "frontier-one", says: "one point", chart: one(Frontier, xy("a", 30, 400)), sizes: []Size{Narrow}},
		{name: "timeline-one", says: "one point", chart: one(Timeline, xy("a", 30, 400)), sizes: []Size{Narrow}},
		{name: "timeline-long", says: "20 000 points thinned to pixels", chart: profile(20000),
			sizes: []Size{Narrow.High(420)}},
	}
}

func (k *pictured) drawings() []Options {
	sizes := k.sizes
	if sizes == nil {
		sizes = []Size{Wide, Narrow}
	}
	var out []Options
	for i, s := range sizes {
		out = append(out, Options{Size: s, ID: fmt.Sprintf("%s-%d", k.name, i+1), Keyless: k.keyless})
	}
	return out
}
