package view

import (
	"math"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/claim"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/site/chart"
	"github.com/inferdex/inferdex/site/page"
)

// maxCurves is how many loads one chart of distributions holds: each has a curve and the interval of its
// median. The table beside it has all.
const maxCurves = 4

// spread is a point of which a metric's distribution is known.
type spread struct {
	pointRow
	d catalog.Distribution
}

// spreads are the points of a run with the distribution of a metric, in the order of workloads and
// loads.
func spreads(r *figure.Run, m metric.ID) (list []spread) {
	for _, s := range r.Scenarios {
		for _, p := range s.Believed {
			if d, ok := p.Distributions[m]; ok && len(d.Quantiles) > 1 {
				list = append(list, spread{pointRow{s, p}, d})
			}
		}
	}
	return list
}

// drawnSpreads are those that a chart shows: of the workload with most of them, the smallest load, the
// largest and some between.
func drawnSpreads(list []spread) (shown []spread) {
	best, most := list[0].s, 0
	for _, x := range list {
		n := 0
		for _, y := range list {
			if y.s == x.s {
				n++
			}
		}
		if n > most {
			best, most = x.s, n
		}
	}
	var of []spread
	for _, x := range list {
		if x.s == best {
			of = append(of, x)
		}
	}
	if len(of) <= maxCurves {
		return of
	}
	for i := range maxCurves {
		shown = append(shown, of[i*(len(of)-1)/(maxCurves-1)])
	}
	return shown
}

// distributions draws how the times of single requests are distributed, where the records had them.
func (d *draft) distributions(r *figure.Run) {
	var figs []page.Figure
	var tables []page.Block
	for _, info := range metric.Shown(metric.Spread) {
		m := info.ID
		list := spreads(r, m)
		if len(list) == 0 {
			continue
		}
		figs = append(figs, *d.distributionFigure(r, m, list))
		all := d.distributionSpans(r, m, list)
		tables = append(tables, page.Block{Details: d.fold("distribution-"+IdOf(m)+"-data", info.Label+" in numbers",
			func() *page.Grid { return d.distributionTable(r, info, list, all[0]) })}, further(d.Place, all, 0))
	}
	blocks := inPairs(figs)
	if len(blocks) > 0 {
		blocks = append(append(blocks, tables...), page.Text("The records hold a value for each request; quantiles of them are kept. ").
			Link("How the interval of a median is made", d.formula("request-interval")).Text(".").Block())
	}
	d.section("distribution", "Distribution over requests", blocks...)
}

// mostSpreads is how many rows a table of distributions has on a page, which may have one for each of four metrics.
const mostSpreads = 100

// distributionSpans are the pages of the distributions of a metric.
func distributionSpans(r *figure.Run, m metric.ID, list []spread) []span {
	return spans(PathRun(r.ID), PathRun(r.ID)+"/distribution-"+IdOf(m), len(list), mostSpreads, even)
}

func (d *draft) distributionSpans(r *figure.Run, m metric.ID, list []spread) []span {
	if d.whole {
		return []span{{path: string(d.Place), end: len(list)}}
	}
	return distributionSpans(r, m, list)
}

// distributionName is what further pages of distributions have.
func distributionName(info metric.Info) string { return "distribution of " + info.Label }

// distributionPage is a further page of the distributions of a metric.
func (g *Site) distributionPage(r *figure.Run, info metric.Info, i int) *draft {
	list := spreads(r, info.ID)
	all := distributionSpans(r, info.ID, list)
	d := g.spanPage(r, all, i, "distribution", distributionName(info))
	d.section("distribution", "Distribution of "+info.Label+" over requests", further(d.Place, all, i),
		d.table("distribution", func() *page.Grid { return d.distributionTable(r, info, list, all[i]) }))
	return d.done()
}

// valueNoun is what a distribution counts.
func valueNoun(m metric.ID, n int64) string {
	if m == metric.ITL {
		return metric.Plural(n, "gap between chunks", "gaps between chunks")
	}
	return metric.Plural(n, "request")
}

// at reads a percentile off a distribution, between two known ones along a straight line.
func at(d catalog.Distribution, p float64) float64 {
	q := d.Quantiles
	for i := range q {
		switch {
		case q[i].P == p || i == 0 && q[i].P > p || i == len(q)-1 && q[i].P <= p:
			return q[i].Value
		case q[i].P > p:
			return q[i-1].Value + (q[i].Value-q[i-1].Value)*(p-q[i-1].P)/(q[i].P-q[i-1].P)
		}
	}
	return math.NaN()
}

func (d *draft) distributionFigure(r *figure.Run, m metric.ID, list []spread) *page.Figure {
	info, _ := metric.Lookup(m)
	shown := drawnSpreads(list)
	var medians []*float64
	for _, x := range shown {
		v := at(x.d, 50)
		medians = append(medians, &v)
	}
	scale := pivotScale(info, medians)
	value := func(v float64) string { return scale.Format(metric.Round12(v)) + "\u202f" + scale.Unit }

	first := shown[0]
	finding := halfFinding(r, info, shown, value)
	interval := slices.ContainsFunc(shown, func(x spread) bool { return x.d.MedianLow != nil })
	noun := "requests"
	if m == metric.ITL {
		noun = "gaps between chunks, over all requests"
	}
	what := "Share of " + noun + " up to a value."
	if len(shown) == 1 && m != metric.ITL {
		what = "Share of " + valueNoun(m, first.d.N) + " up to a value."
	}
	if interval {
		what += " Level lines at 50\u202f%: the 95\u202f% interval of the median."
	}
	if len(shown) < len(list) {
		what += " " + itoa(len(shown)) + " of " + itoa(len(list)) + " measurements; the table has all."
	}
	id := "distribution-" + IdOf(m)
	return d.figure(id, finding, what, func() *chart.Chart { return distributionChart(r, info, scale, shown) },
		chart.Half, chart.HalfNarrow)
}

// halfFinding says what half of the values of the first and the last of some distributions stay within.
func halfFinding(r *figure.Run, info metric.Info, shown []spread, value func(float64) string) claim.Sentence {
	c := &claim.Half{}
	add := func(x spread) float64 {
		v := at(x.d, 50)
		own := x.s.Measured[slices.Index(x.s.Believed, x.p)]
		for i := range r.Points {
			if &r.Points[i] == own {
				c.Spreads = append(c.Spreads, claim.Spread{Point: i, Metric: info.ID, N: x.d.N, Median: v})
			}
		}
		return v
	}
	first, last := shown[0], shown[len(shown)-1]
	of := "the requests"
	if len(shown) == 1 {
		of = "the " + valueNoun(info.ID, first.d.N)
	} else if info.ID == metric.ITL {
		of = "the gaps between chunks"
	}
	if info.ID == metric.ITL {
		c.Say("Half of %s are at most %s long", of, value(add(first)))
	} else {
		c.Say("%s of half of %s is at most %s", info.Label, of, value(add(first)))
	}
	switch {
	case len(shown) > 1:
		c.Say(" %s, %s %s", figure.LoadPhrase(first.p), value(add(last)), figure.LoadPhrase(last.p))
	case info.ID != metric.ITL && first.d.N >= 100:
		p99 := at(first.d, 99)
		c.Spreads[0].P99 = &p99
		c.Say(", of 99 in 100 at most %s", value(p99))
	}
	return c.Sentence(r, figure.LoadPhrase(first.p), figure.LoadPhrase(last.p))
}

// distributionChart draws the shares; each curve has a level line at its median, as long as the interval
// of it.
func distributionChart(r *figure.Run, info metric.Info, scale metric.Scale, shown []spread) *chart.Chart {
	c := &chart.Chart{Kind: chart.Distribution, Title: "Distribution of " + info.Label + ", " + r.Card.Title(),
		X: chart.Axis{Title: info.Label, Unit: scale.Unit}}
	of := scale.Of
	lo, hi := math.Inf(1), 0.0
	for _, x := range shown {
		q := x.d.Quantiles
		hi = max(hi, q[len(q)-1].Value)
		lo = min(lo, q[0].Value)
	}
	switch {
	case info.Unit == metric.Seconds && lo > 0 && hi > 50*lo:
		// On a logarithmic axis of times each tick has its own unit.
		c.X.Unit, c.X.Scale, c.X.Format = "", chart.Log, chart.Seconds
		of = func(v float64) float64 { return v }
	case lo > hi/3:
		c.X.Free = true
	}
	pn := chart.Panel{Y: chart.Axis{Title: "Share of values", Unit: "%"}}
	for i, x := range shown {
		name := curveName(x)
		s := chart.Series{Name: name, Slot: i%9 + 1}
		q := x.d.Quantiles
		if int64(len(q)) == x.d.N { // every value
			var vs []float64
			for _, v := range q {
				vs = append(vs, of(v.Value))
			}
			s = chart.Samples(name, vs)
			s.Slot = i%9 + 1
		} else {
			s.NoMarks = true
			for _, v := range q {
				pt := chart.Point{X: of(v.Value), Y: v.P}
				switch v.P {
				case 50:
					pt.Label = "median"
				case 90, 99:
					pt.Label = "p" + metric.Exact(v.P)
				}
				s.Points = append(s.Points, pt)
			}
		}
		s.NoLabel = len(shown) == 1
		pn.Series = append(pn.Series, s)
		if x.d.MedianLow != nil && x.d.MedianHigh != nil {
			pn.Series = append(pn.Series,
				chart.Series{Name: strings.TrimSpace("95\u202f% interval of the median " + name),
					Slot: i%9 + 1, Solid: true, NoMarks: true, NoLabel: true,
					Points: []chart.Point{{X: of(*x.d.MedianLow), Y: 50}, {X: of(*x.d.MedianHigh), Y: 50}}})
		}
	}
	c.Panels = []chart.Panel{pn}
	return c
}

// curveName is the load of a curve.
func curveName(x spread) string {
	return rowShort(x.s, x.p)
}

// distributionTable is what the chart shows, in numbers, and the measurements that it has no room for.
func (d *draft) distributionTable(r *figure.Run, info metric.Info, list []spread, here span) *page.Grid {
	t := page.NewTable("Distribution of "+info.Label+" over requests", "compact", list)
	t.Only(here.rows())
	named := len(r.Scenarios) > 1
	if named {
		t.Col("Workload", func(x spread) page.Cell { return page.Cell{Text: x.s.Title, Head: true} })
	}
	t.Col("Load", func(x spread) page.Cell {
		return page.Cell{Text: curveName(x), Head: !named, Class: "nw", Href: d.pointHref(r, x.s, x.p)}
	})
	count := "Requests"
	if info.ID == metric.ITL {
		count = "Gaps"
	}
	t.Num(count, "", func(x spread) page.Cell { return page.Count(x.d.N) })
	var values []*float64
	for _, x := range list {
		v := at(x.d, 50)
		values = append(values, &v)
	}
	scale := pivotScale(info, values)
	// A percentile is computed from the requests: what the last bits of the sum change is no digit of it.
	exact := func(v float64) string { return metric.Exact(metric.Round12(scale.Of(v))) }
	text := func(v float64) string { return metric.Format(metric.Round12(scale.Of(v))) }
	share := func(title string, p float64) {
		t.Num(title, scale.Unit, func(x spread) page.Cell {
			if p == 99 && x.d.N < 100 {
				return page.Missing("too few") // it would be the largest
			}
			v := at(x.d, p)
			return page.Cell{Text: text(v), Exact: exact(v)}
		})
	}
	share("Smallest", 0)
	share("p10", 10)
	share("p25", 25)
	share("Median", 50)
	if slices.ContainsFunc(list, spread.interval) {
		t.Num("95\u202f% interval of the median", scale.Unit, func(x spread) page.Cell {
			if !x.interval() {
				return page.Missing("too few")
			}
			lo, hi := *x.d.MedianLow, *x.d.MedianHigh
			return page.Cell{Text: text(lo) + " to " + text(hi), Class: "nw", Exact: exact(lo) + " to " + exact(hi)}
		})
	}
	share("p75", 75)
	share("p90", 90)
	share("p99", 99)
	share("Largest", 100)
	return t.Done()
}

// interval says whether the interval of the median is known.
func (x spread) interval() bool { return x.d.MedianLow != nil && x.d.MedianHigh != nil }
