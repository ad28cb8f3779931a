package view

import (
	"io"
	"math"
	"slices"

	"github.com/inferdex/inferdex/ingest/claim"
	"github.com/inferdex/inferdex/ingest/compare"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
	"github.com/inferdex/inferdex/site/chart"
	"github.com/inferdex/inferdex/site/page"
)

// pivots compare runs under one workload: for each latency a chart and a table of loads by
// series, then throughput and completion. With several workloads on a page the titles name it;
// group tells the ids of several sets of runs apart, "" for the first.
func (d *draft) pivots(runs []*figure.Run, s *figure.Scenario, named bool, group string) {
	suffix, key := "", group
	if named {
		suffix, key = ", "+s.Title, "-"+s.Key+group
	}
	for _, info := range metric.Shown(metric.Series) {
		pv, stat, ok := pivotOf(runs, s.Class, info.ID)
		if !ok {
			continue
		}
		id := IdOf(info.ID) + key
		pivot := d.named("pivot-"+id, func() *page.Grid { return d.pivotTable(pv, stat, id, suffix) })
		if info.ID == metric.ITL {
			if alike, ok := tokenTimesAlike(runs, s.Class); ok {
				d.section(id, info.Name+suffix, d.lede(alike, nil).Block(), pivot)
				continue
			}
		}
		fig := d.pivotFigure(pv, stat, key)
		d.section(id, info.Name+suffix, page.Block{Figure: fig}, pivot)
	}
	if pv, ok := compare.NewPivot(runs, s.Class, metric.OutputThroughput, metric.Value); ok {
		id := "throughput" + key
		var blocks []page.Block
		if f := d.rateFigure(runs, s.Class, key); f != nil {
			blocks = append(blocks, page.Block{Figure: f})
		}
		blocks = append(blocks, d.named("pivot-"+id, func() *page.Grid { return d.pivotTable(pv, metric.Value, id, suffix) }))
		d.section(id, "Output throughput"+suffix, blocks...)
	}
}

// pivotOf is the pivot of the mean where each series has it, which is what published pages show,
// else of the median.
func pivotOf(runs []*figure.Run, class string, m metric.ID) (compare.Pivot, string, bool) {
	count := func(pv compare.Pivot) int {
		n := 0
		for _, row := range pv.Rows {
			for _, v := range row.Values {
				if v != nil {
					n++
				}
			}
		}
		return n
	}
	mean, ok1 := compare.NewPivot(runs, class, m, metric.Mean)
	median, ok2 := compare.NewPivot(runs, class, m, metric.Median)
	switch {
	case ok1 && (!ok2 || count(mean) >= count(median)):
		return mean, metric.Mean, true
	case ok2:
		return median, metric.Median, true
	}
	return compare.Pivot{}, "", false
}

// pivotTable is a pivot with the best of each row, and by how much it beats the baseline. suffix names its workload on
// a page of several.
func (d *draft) pivotTable(pv compare.Pivot, stat, id, suffix string) *page.Grid {
	info, _ := metric.Lookup(pv.Metric)
	var all []*float64
	for _, row := range pv.Rows {
		all = append(all, row.Values...)
	}
	scale := pivotScale(info, all)
	statLabel := stat + " " + info.Label
	if stat == metric.Value {
		statLabel = info.Label
	}
	several, class := len(pv.Series) > 1, "pivot"
	if !several {
		class = "pivot fit"
	}
	t := page.NewTable(page.Upper(statLabel)+" by "+kindOf(pv.Axis).noun+suffix, class, pv.Rows)
	var loads []float64
	for _, row := range pv.Rows {
		loads = append(loads, row.Load)
	}
	kept, said := d.fewLoads(pv.Axis, loads, pv.Series)
	t.Only(placesIn(kept, loads))
	t.Intro = said
	t.Each(func(_ int, row compare.PivotRow, rw *page.Row) {
		rw.ID = id + "-at-" + metric.Exact(row.Load)
		if _, short := figure.Incomplete(row.Points); short {
			rw.Class = "amber"
		}
	})
	t.Add(kindOf(pv.Axis).column, func(row compare.PivotRow) page.Cell { return loadHead(row.Load) })
	t.Num("Completed", "of submitted", func(row compare.PivotRow) page.Cell { return completedCell(row.Points) })
	for i, r := range pv.Series {
		c := page.Column{Title: page.Upper(statLabel), Unit: scale.Unit}
		if several {
			c = page.Column{Title: seriesName(r, pv.Series), Unit: statLabel + ", " + scale.Unit}
		}
		vs := make([]*float64, len(pv.Rows))
		for j, row := range pv.Rows {
			vs[j] = row.Values[i]
		}
		t.Scaled(c, scale, vs, func(j int, c *page.Cell) {
			row := pv.Rows[j]
			c.Href = d.pointHref(r, r.ScenarioOf(row.Points[i]), row.Points[i])
			if row.Fastest == i {
				c.Class = "best"
			}
			if p99, ok := figure.Get(row.Points[i], pv.Metric, metric.P99); ok {
				c.Sub = "p99 " + scale.Format(p99)
			}
		})
	}
	if pv.Contested() {
		fastestColumns(t, pv, info)
	}
	return t.Done()
}

// contestWords head the columns of who is the best, and by how much it beats the baseline.
func contestWords(info metric.Info) (best, by string) {
	if info.Better == metric.Higher {
		return "Highest", "Higher by"
	}
	return "Fastest", "Faster by"
}

// fastestColumns say which series of a row is the best, and by how much it beats the baseline where any does.
func fastestColumns(t *page.Table[compare.PivotRow], pv compare.Pivot, info metric.Info) {
	word, by := contestWords(info)
	t.Col(word, func(row compare.PivotRow) page.Cell {
		if row.Fastest < 0 {
			return page.Missing("one series")
		}
		return page.Cell{Text: seriesName(pv.Series[row.Fastest], pv.Series), Class: "nw",
			Before: func(w io.Writer) error { return chart.Mark(w, row.Fastest%9+1) }}
	})
	if !pv.Beaten() {
		return
	}
	t.Num(by, "against "+seriesName(pv.Series[pv.Base], pv.Series), func(row compare.PivotRow) page.Cell {
		switch {
		case row.Fastest < 0:
			return page.Cell{}
		case row.FasterBy == nil:
			return page.Cell{Text: "–", Exact: "the baseline is the best, or is missing"}
		}
		return page.Cell{Text: figure.PercentText(*row.FasterBy),
			Exact: metric.Exact(metric.Round12(*row.FasterBy*100)) + " %"}
	})
	t.Add(page.Column{Title: by + ", as a bar", Hidden: true}, func(row compare.PivotRow) page.Cell {
		if row.Fastest < 0 || row.FasterBy == nil {
			return page.Cell{}
		}
		share := math.Min(1, math.Abs(*row.FasterBy))
		return page.Cell{After: func(w io.Writer) error { return chart.HBar(w, row.Fastest%9+1, share) }}
	})
}

// pivotFigure draws one statistic of several series by load: grouped bars where a linear axis
// from zero can show them, else lines on a logarithmic one.
func (d *draft) pivotFigure(pv compare.Pivot, statName, key string, sizes ...chart.Size) *page.Figure {
	info, _ := metric.Lookup(pv.Metric)
	p := newPivotChart(pv, info)
	title := statName + " " + info.Label
	by := title + " by " + kindOf(pv.Axis).noun
	what := by
	switch {
	case p.bars && pv.Contested():
		what += ", " + p.unit + ". Bars start at zero; the best of each group is in bold."
	case p.bars:
		what += ", " + p.unit + ". Bars start at zero; no load is that of several series."
	case len(pv.Series) == 1:
		what += "."
	default:
		what += ". Points and lines, not bars, where values span too much for an axis from zero."
	}
	id := IdOf(pv.Metric) + "-chart" + key
	fig := d.figure(id, pivotFinding(pv, info, statName), page.Upper(what), func() *chart.Chart {
		return p.draw(by, title, info)
	}, sizes...)
	if slices.ContainsFunc(pv.Rows, func(r compare.PivotRow) bool { return math.IsInf(r.Load, 1) }) {
		fig.Notes = append(fig.Notes,
			page.Text("inf, all prompts at once, is a category of its own: not on the scale of "+
				"rates, not joined to the lines."))
	}
	if pv.Beaten() {
		_, by := contestWords(info)
		fig.Notes = append(fig.Notes, page.Linked(by, d.formula("faster-by")).
			Text(" compares with "+seriesName(pv.Series[pv.Base], pv.Series)+"."))
	}
	return fig
}

// pivotChart is what a pivot is drawn of.
type pivotChart struct {
	compare.Pivot
	unit string
	// bars says that a linear axis from zero can show the values; series has them by load, indexed by
	// the number of the row.
	bars            bool
	series, indexed []chart.Series
}

func newPivotChart(pv compare.Pivot, info metric.Info) pivotChart {
	var values []*float64
	for _, row := range pv.Rows {
		values = append(values, row.Values...)
	}
	scale := pivotScale(info, values)
	n := len(pv.Series)
	p := pivotChart{Pivot: pv, unit: scale.Unit, series: make([]chart.Series, n), indexed: make([]chart.Series, n)}
	for i, r := range pv.Series {
		p.series[i] = chart.Series{Name: seriesName(r, pv.Series), Slot: i%9 + 1}
		p.indexed[i] = p.series[i]
		for j, row := range pv.Rows {
			if v := row.Values[i]; v != nil {
				q := chart.Point{X: row.Load, Y: scale.Of(*v)}
				p.series[i].Points = append(p.series[i].Points, q)
				q.X, q.Strong = float64(j), row.Fastest == i
				p.indexed[i].Points = append(p.indexed[i].Points, q)
			}
		}
	}
	p.bars = chart.BarsFit(p.indexed) && len(pv.Rows) > 1 && n > 1 && n <= 5 && len(pv.Rows) <= 12
	return p
}

func (p *pivotChart) draw(name, title string, info metric.Info) *chart.Chart {
	c := &chart.Chart{Title: name}
	pn := chart.Panel{Y: chart.Axis{Title: title, Unit: p.unit}}
	axis := kindOf(p.Axis).axis
	if p.bars {
		c.Kind = chart.Bars
		c.X = chart.Axis{Title: axis.Title, Unit: axis.Unit}
		for _, row := range p.Rows {
			c.X.Names = append(c.X.Names, metric.Chosen(row.Load))
		}
		pn.Series = p.indexed
	} else {
		c.Kind = chart.Lines
		c.X = axis
		pn.Series = p.series
		if info.Unit == metric.Seconds && !chart.BarsFit(p.series) {
			// On a logarithmic axis of times each tick has its own unit.
			for i := range pn.Series {
				for j := range pn.Series[i].Points {
					q := &pn.Series[i].Points[j]
					q.Y = *p.Rows[rowAt(p.Pivot, q.X)].Values[i]
				}
			}
			pn.Y.Unit, pn.Y.Scale, pn.Y.Format = "", chart.Log, chart.Seconds
		}
	}
	for j, row := range p.Rows {
		if o, short := figure.Incomplete(row.Points); short {
			x := row.Load
			if p.bars {
				x = float64(j)
			}
			b := chart.Band{X: x}
			b.Label, b.Short = completedLabel(o)
			pn.Bands = append(pn.Bands, b)
		}
	}
	c.Panels = []chart.Panel{pn}
	return c
}

// pivotScale is the unit of a whole pivot: times in ms as soon as the smallest is below a second,
// as published pages have them.
func pivotScale(info metric.Info, values []*float64) metric.Scale {
	if info.Unit == metric.Seconds {
		small := math.Inf(1)
		for _, v := range values {
			if v != nil {
				small = min(small, max(*v, 0.001))
			}
		}
		values = []*float64{&small}
	}
	return metric.ScaleFor(info.Unit, values)
}

// rowAt is the row of a pivot at a load.
func rowAt(pv compare.Pivot, load float64) int {
	return slices.IndexFunc(pv.Rows, func(r compare.PivotRow) bool { return r.Load == load })
}

// pivotFinding says who is best where, or for one series from where to where it goes.
func pivotFinding(pv compare.Pivot, info metric.Info, statName string) claim.Sentence {
	if len(pv.Series) == 1 {
		r := pv.Series[0]
		i := slices.IndexFunc(pv.Rows, func(row compare.PivotRow) bool { return row.Points[0] != nil })
		return spanFinding(r, r.ScenarioOf(pv.Rows[i].Points[0]), info, pv.Stat)
	}
	word := "lowest"
	if info.Better == metric.Higher {
		word = "highest"
	}
	var places []contest
	for _, row := range pv.Rows {
		var at contest
		for i, r := range pv.Series {
			if row.Values[i] == nil {
				continue
			}
			s := r.ScenarioOf(row.Points[i])
			at.of = append(at.of, result{seriesName(r, pv.Series), r, s})
			at.ns = append(at.ns, claim.Number{Operand: claim.Statistic(r, s, row.Load, info.ID, pv.Stat)})
		}
		places = append(places, at)
	}
	return winsFinding(places, info, word+" "+statName+" "+info.Label, "load", "loads")
}

// rateFigure draws completed requests a second against the rate that was asked for.
func (d *draft) rateFigure(runs []*figure.Run, class, key string, sizes ...chart.Size) *page.Figure {
	var list []result
	for _, r := range runs {
		if s := r.Scenario(class); s != nil && s.Axis == record.AxisRate && has(s, metric.RequestThroughput) &&
			loads(s) > 1 {
			list = append(list, result{seriesName(r, runs), r, s})
		}
	}
	if len(list) == 0 {
		return nil
	}
	finding := topFinding(list, "completes at most", "requests/s", metric.RequestThroughput)
	low, top, most := math.Inf(1), 0.0, 0.0
	for _, o := range list {
		for _, p := range o.scenario.Points {
			if l := figure.LoadOf(p); !math.IsInf(l, 1) {
				low, top = min(low, l), max(top, l)
			}
			if v, _, ok := figure.Central(p, metric.RequestThroughput); ok {
				most = max(most, v)
			}
		}
	}
	what := "Completed requests a second against the rate asked for."
	near := low <= most // else the line lies above all that is drawn
	if near {
		what = "Completed requests a second against the rate asked for; dashed: every request completed in time."
	}
	return d.withData(d.figure("completed-rate"+key, finding, what, func() *chart.Chart {
		pn := chart.Panel{Y: chart.Axis{Title: "Completed", Unit: "requests/s", Scale: chart.Linear}}
		for i, o := range list {
			pn.Series = append(pn.Series, chart.Series{Name: o.name, Slot: i%9 + 1,
				Points: curve(o.scenario, metric.RequestThroughput, "", metric.Scale{})})
		}
		if len(list) == 1 {
			pn.Series[0].NoLabel = true
		}
		if near {
			pn.Refs = append(pn.Refs, chart.Ref{X1: 0, Y1: 0, X2: top, Y2: top, Label: "all in time"})
		}
		return linesByLoad("Completed requests a second against the request rate", record.AxisRate, pn)
	}, sizes...), list...)
}

// tokenTimesAlike says that the mean time per output token and the mean inter-token latency hardly
// differ, so that one chart shows both; ok is false where they differ or one is missing.
func tokenTimesAlike(runs []*figure.Run, class string) (s claim.Sentence, ok bool) {
	_, stat, ok1 := pivotOf(runs, class, metric.TPOT)
	_, other, ok2 := pivotOf(runs, class, metric.ITL)
	if !ok1 || !ok2 || stat != other {
		return s, false
	}
	c := claim.State(claim.KindBeside)
	most := 0.0
	for _, r := range runs {
		s := r.Scenario(class)
		if s == nil {
			continue
		}
		for _, p := range s.Points {
			x, hasX := figure.Get(p, metric.TPOT, stat)
			y, hasY := figure.Get(p, metric.ITL, stat)
			if !hasX && !hasY {
				continue
			}
			if hasX != hasY || x <= 0 {
				return claim.Sentence{}, false
			}
			apart := math.Abs(y-x) / x
			c.Makes(claim.Beside, apart, c.At(claim.Statistic(r, s, figure.LoadOf(p), metric.TPOT, stat)),
				c.At(claim.Statistic(r, s, figure.LoadOf(p), metric.ITL, stat)))
			most = max(most, apart)
		}
	}
	const alike = 0.02
	if len(c.Numbers) == 0 || most > alike {
		return s, false
	}
	return c.Makes(claim.Farthest,
		most).Say("The %s ITL differs from the %s TPOT by at most %s at every load: one chart "+
		"shows both.", stat, stat, metric.Percent(most)).Sentence(), true
}
