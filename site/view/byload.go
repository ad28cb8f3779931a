package view

import (
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
	var blocks []page.Block
	var figs []page.Figure
	alike := tokenTimesAlike(runs, s.Class)
	for _, info := range metric.Shown(metric.Series) {
		pv, stat, ok := pivotOf(runs, s.Class, info.ID)
		if !ok || info.ID == metric.ITL && alike != "" {
			continue
		}
		f := d.pivotFigure(pv, stat, key, chart.Half, chart.HalfNarrow)
		f.Notes = nil // a pair has no room beside its charts
		figs = append(figs, *f)
	}
	if f := d.rateFigure(runs, s.Class, key, chart.Half, chart.HalfNarrow); f != nil {
		figs = append(figs, *f)
	}
	for len(figs) > 1 {
		blocks = append(blocks, page.Block{Pair: figs[:2:2]})
		figs = figs[2:]
	}
	if len(figs) == 1 {
		blocks = append(blocks, page.Block{Figure: &figs[0]})
	}
	note := "inf, all prompts at once, is a category of its own: not on the scale of rates, not joined to the lines."
	if !math.IsInf(figure.LoadOf(s.Largest()), 1) {
		note = ""
	}
	if alike != "" {
		note = strings.TrimSpace(note + " " + alike)
	}
	if t := meaningNote(r, metric.TPOT); t != "" && has(s, metric.TPOT) {
		note = strings.TrimSpace(note + " " + t + ".")
	}
	if note != "" {
		blocks = append(blocks, page.Paragraph(note))
	}
	blocks = append(blocks, d.named("by-load-"+s.Key, func() *page.Grid { return d.byLoadTable(r, s) }))
	d.section("by-load"+key, "Latency and throughput by request rate"+suffix, blocks...)
}

// tokenTimesAlike says that the mean time per output token and the mean inter-token latency hardly
// differ, so that one chart shows both; "" where they differ or one is missing.
func tokenTimesAlike(runs []*figure.Run, class string) string {
	a, stat, ok1 := pivotOf(runs, class, metric.TPOT)
	b, other, ok2 := pivotOf(runs, class, metric.ITL)
	if !ok1 || !ok2 || stat != other || len(a.Rows) != len(b.Rows) {
		return ""
	}
	most := 0.0
	for i := range a.Rows {
		for j := range a.Rows[i].Values {
			x, y := a.Rows[i].Values[j], b.Rows[i].Values[j]
			if (x == nil) != (y == nil) || x != nil && *x <= 0 {
				return ""
			}
			if x != nil {
				most = max(most, math.Abs(*y-*x) / *x)
			}
		}
	}
	const alike = 0.02
	if most > alike {
		return ""
	}
	by := "by less than 0.1" + metric.ThinSpace + "%"
	if most >= 0.001 {
		by = "by at most " + metric.Percent(most)
	}
	return "The " + stat + " ITL differs from the " + stat + " TPOT " + by + " at every load: one chart shows both."
}

// byLoadTable is a workload of one run by load with all latencies and throughputs, their 99th
// percentile below.
func (d *draft) byLoadTable(r *figure.Run, s *figure.Scenario) *page.Grid {
	t := &page.Grid{Caption: s.Title + " by " + loadNoun(s.Axis), Class: "pivot fit", Columns: []page.Column{loadColumn(s.Axis), {Title: "Completed", Unit: "of submitted", Num: true}}}
	sweet, hasSweet := s.SweetSpot()
	peak, _, hasPeak := s.Peak(metric.OutputThroughput)
	knee, _, hasKnee := s.Knee(metric.OutputThroughput)
	counted := slices.ContainsFunc(s.Points, func(p *catalog.Point) bool { return p.Completed != nil })
	if !counted {
		t.Columns = t.Columns[:1]
	}
	t.Rows = make([]page.Row, len(s.Points))
	for i, p := range s.Points {
		load := s.RowText(p)
		t.Rows[i].Cells = append(t.Rows[i].Cells, page.Cell{Text: load, Head: true, Exact: infTitle(figure.LoadOf(p)), Href: d.pointHref(r, s, p)})
		if counted {
			t.Rows[i].Cells = append(t.Rows[i].Cells, completedCell([]*catalog.Point{p}))
		}
		if _, _, short := Incomplete([]*catalog.Point{p}); short {
			t.Rows[i].Class = "amber"
		}
	}
	for _, info := range metric.Shown(metric.Loads) {
		m := info.ID
		vs := make([]*float64, len(s.Points))
		stats := make([]string, len(s.Points))
		any, stat, charted := false, "", ""
		if _, st, ok := pivotOf([]*figure.Run{r}, s.Class, m); ok && s.Axis == record.AxisRate {
			charted = st // the statistic of the chart above
		}
		for i, p := range s.Points {
			v, ok := 0.0, false
			st := charted
			if st != "" {
				v, ok = figure.Get(p, m, st)
			}
			if !ok {
				v, st, ok = figure.Central(p, m)
			}
			if ok {
				vs[i], stats[i], any = &v, st, true
				if stat == "" {
					stat = st
				}
			}
		}
		if !any {
			continue
		}
		scale := pivotScale(info, vs)
		c := page.Column{Title: info.Label, Unit: scale.Unit, Num: true, Note: meaningNote(r, m)}
		if stat != metric.Value && stat != "" {
			c.Unit = stat + ", " + scale.Unit
		}
		t.Columns = append(t.Columns, c)
		for i, txt := range scale.Column(vs) {
			if vs[i] == nil {
				t.Rows[i].Cells = append(t.Rows[i].Cells, page.Missing(""))
				continue
			}
			cl := page.Cell{Text: txt, Exact: scale.Exact(*vs[i])}
			if stats[i] != stat {
				cl.Sub = stats[i]
			}
			if p99, ok := figure.Get(s.Points[i], m, metric.P99); ok {
				cl.Sub = strings.TrimLeft(cl.Sub+" p99 "+scale.Format(p99), " ")
			}
			t.Rows[i].Cells = append(t.Rows[i].Cells, cl)
		}
	}
	if len(s.Points) > 2 {
		t.Columns = append(t.Columns, page.Column{Title: "Remark"})
		for i, p := range s.Points {
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
			c := page.Cell{Text: strings.Join(ws, ", "), Class: "nw"}
			if n, above := figure.AboveNumPrompts(p); above {
				c.Sub, c.SubWarn = "only "+metric.Count(n)+" prompts", true
			}
			t.Rows[i].Cells = append(t.Rows[i].Cells, c)
		}
	}
	return t
}
