package view

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
	"github.com/inferdex/inferdex/site/chart"
	"github.com/inferdex/inferdex/site/page"
)

// byRate is a workload of one run by request rate: the latencies as small charts side by side, and one
// table of all.
func (d *draft) byRate(r *figure.Run, s *figure.Scenario, named bool) {
	suffix, key := "", ""
	if named {
		suffix, key = ", "+s.Title, "-"+s.Key
	}
	runs := []*figure.Run{r}
	var figs []page.Figure
	alike, both := tokenTimesAlike(runs, s.Class)
	for _, info := range metric.Shown(metric.Series) {
		pv, stat, ok := pivotOf(runs, s.Class, info.ID)
		if !ok || info.ID == metric.ITL && both {
			continue
		}
		f := d.pivotFigure(pv, stat, key, chart.Half, chart.HalfNarrow)
		f.Notes = nil // a pair has no room beside its charts
		figs = append(figs, *f)
	}
	if f := d.rateFigure(runs, s.Class, key, chart.Half, chart.HalfNarrow); f != nil {
		figs = append(figs, *f)
	}
	blocks := inPairs(figs)
	if math.IsInf(figure.LoadOf(s.Largest()), 1) {
		blocks = append(blocks,
			page.Paragraph("inf, all prompts at once, is a category of its own: not on the scale of "+
				"rates, not joined to the lines."))
	}
	if both {
		blocks = append(blocks, d.lede(alike, nil).Block())
	}
	if t := meaningNote(r, metric.TPOT); t != "" && has(s, metric.TPOT) {
		blocks = append(blocks, page.Paragraph(t+"."))
	}
	blocks = append(blocks, d.named("by-load-"+s.Key, func() *page.Grid { return d.byLoadTable(r, s) }))
	d.section("by-load"+key, "Latency and throughput by request rate"+suffix, blocks...)
}

// tabledLoads are the loads that the table of a workload by load has: of many those that are spread along the axis, and those
// with a remark.
func (d *draft) tabledLoads(r *figure.Run, s *figure.Scenario) (kept []float64, said page.Parts) {
	var there []float64
	if sweet, ok := s.SweetSpot(); ok {
		there = append(there, figure.LoadOf(sweet.Point))
	}
	if peak, _, ok := s.Peak(metric.OutputThroughput); ok {
		there = append(there, figure.LoadOf(peak))
	}
	if knee, _, ok := s.Knee(metric.OutputThroughput); ok {
		there = append(there, figure.LoadOf(knee))
	}
	return d.fewLoads(s.Axis, s.Loads(), []*figure.Run{r}, there...)
}

// byLoadTable is a workload of one run by load with all latencies and throughputs, their 99th
// percentile below.
func (d *draft) byLoadTable(r *figure.Run, s *figure.Scenario) *page.Grid {
	t := page.NewTable(s.Title+" by "+kindOf(s.Axis).noun, "pivot fit", s.Points)
	kept, said := d.tabledLoads(r, s)
	t.Only(placesIn(kept, s.Loads()))
	t.Intro = said
	t.Each(func(_ int, p *catalog.Point, row *page.Row) {
		if _, short := figure.Incomplete([]*catalog.Point{p}); short {
			row.Class = "amber"
		}
		if d.hasRow(s, p) {
			row.ID = PointID(s, p)
		}
	})
	t.Add(kindOf(s.Axis).column, func(p *catalog.Point) page.Cell {
		return page.Cell{Text: s.RowText(p), Head: true, Exact: infTitle(figure.LoadOf(p)), Href: d.runHref(r, s, p)}
	})
	t.Num("Completed", "of submitted", func(p *catalog.Point) page.Cell { return completedCell([]*catalog.Point{p}) })
	for _, info := range metric.Shown(metric.Loads) {
		loadStatistic(t, r, s, info)
	}
	if len(s.Points) > 2 {
		t.Col("Remark", loadRemarks(s))
	}
	return t.Done()
}

// loadStatistic adds the column of a metric: the statistic of the chart above where there is one,
// else the central one, with the 99th percentile below.
func loadStatistic(t *page.Table[*catalog.Point], r *figure.Run, s *figure.Scenario, info metric.Info) {
	vs, stats := make([]*float64, len(s.Points)), make([]string, len(s.Points))
	stat, charted := "", ""
	if _, st, ok := pivotOf([]*figure.Run{r}, s.Class, info.ID); ok && s.Axis == record.AxisRate {
		charted = st
	}
	for i, p := range s.Points {
		v, ok, st := 0.0, false, charted
		if st != "" {
			v, ok = figure.Get(p, info.ID, st)
		}
		if !ok {
			v, st, ok = figure.Central(p, info.ID)
		}
		if ok {
			vs[i], stats[i], stat = &v, st, cmp.Or(stat, st)
		}
	}
	scale := pivotScale(info, vs)
	c := page.Column{Title: info.Label, Unit: scale.Unit, Note: meaningNote(r, info.ID)}
	if stat != metric.Value && stat != "" {
		c.Unit = stat + ", " + scale.Unit
	}
	column := len(t.Columns)
	t.Scaled(c, scale, vs, func(i int, c *page.Cell) {
		if stats[i] != stat {
			c.Sub = stats[i]
		}
		if p99, ok := figure.Get(s.Points[i], info.ID, metric.P99); ok {
			c.Sub = strings.TrimLeft(c.Sub+" p99 "+scale.Format(p99), " ")
		}
	})
	if len(t.Columns) == column {
		return
	}
	t.Each(func(i int, p *catalog.Point, row *page.Row) {
		if vs[i] == nil && suspectAt(s, p, info.ID) {
			row.Cells[column].Text = "suspect" // recorded, and shown in the table of points
		}
	})
}

// suspectAt tells whether something that was measured at a point's load cannot be believed: of one metric, or of any
// where m is "".
func suspectAt(s *figure.Scenario, p *catalog.Point, m metric.ID) bool {
	return slices.ContainsFunc(s.MeasuredAt(figure.LoadOf(p)), func(q *catalog.Point) bool {
		of := s.Suspects(q)
		return of[m] != "" || m == "" && len(of) > 0
	})
}

// loadRemarks says what each load is to its workload: the sweet spot, the knee, the peak.
func loadRemarks(s *figure.Scenario) func(p *catalog.Point) page.Cell {
	sweet, hasSweet := s.SweetSpot()
	peak, _, hasPeak := s.Peak(metric.OutputThroughput)
	knee, _, hasKnee := s.Knee(metric.OutputThroughput)
	return func(p *catalog.Point) page.Cell {
		var ws []string
		if hasSweet && sweet.Point == p {
			ws = append(ws, "sweet spot")
		}
		if hasKnee && knee == p && (!hasPeak || knee != peak) {
			ws = append(ws, "knee")
		}
		if hasPeak && peak == p {
			ws = append(ws, "peak")
		}
		if suspectAt(s, p, "") {
			ws = append(ws, "suspect: see findings") // what is left out here stands in the table of points
		}
		c := page.Cell{Text: strings.Join(ws, ", "), Class: "nw"}
		promptsWarning(&c, p)
		return c
	}
}
