package view

import (
	"github.com/inferdex/inferdex/ingest/compare"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/site/chart"
	"github.com/inferdex/inferdex/site/page"
)

// pairCharts overlay the two runs under the workload that they are judged by: the other side is the first
// series on each chart. All that both share is shown where the two runs are chosen.
func (d *draft) pairCharts(c *comparison) {
	x, _, ok := c.main()
	if !ok {
		return
	}
	if len(x.Loads) > 1 {
		var figs []page.Figure
		for _, info := range metric.Shown(metric.PairChart) {
			if len(figs) == 2 {
				break
			}
			if f := d.pairFigure(c, x, info.ID); f != nil {
				figs = append(figs, *f)
			}
		}
		blocks := inPairs(figs)
		if x.Amber {
			blocks = append([]page.Block{{Says: []page.Sentence{{Topic: x.Topic(), Warn: true,
				Parts: page.Text(page.Capital(x.Cautions[0]) + ".")}}}}, blocks...)
		}
		if len(blocks) > 0 {
			d.section("charts", "Overlaid, "+x.A.Title, blocks...)
		}
	}
}

// series are the two lines of a metric under a workload, in fixed colours.
func (c *comparison) series(x *compare.Workload, m metric.ID, scale metric.Scale) []chart.Series {
	var out []chart.Series
	for i, s := range []*figure.Scenario{x.B, x.A} {
		if ps := curve(s, m, "", scale); len(ps) > 0 {
			out = append(out, chart.Series{Name: []string{c.otherName, c.baseName}[i], Slot: i + 1, Points: ps})
		}
	}
	return out
}

func (d *draft) pairFigure(c *comparison, x *compare.Workload, m metric.ID) *page.Figure {
	scale := scaleOf(m, []*figure.Scenario{x.A, x.B})
	if !has(x.A, m) || !has(x.B, m) {
		return nil
	}
	info, _ := metric.Lookup(m)
	id := "fig-" + IdOf(m)
	f := &page.Figure{ID: id, Finding: d.states(c.finding(x, m)),
		What: page.Capital(info.Long) + ", " + scale.Unit + ". " + horizontal(x.A.Axis) + "."}
	f.Chart = d.chart(id, func() *chart.Chart {
		pn := chart.Panel{Y: chart.Axis{Title: info.Label, Unit: scale.Unit}, Series: c.series(x, m, scale)}
		return linesByLoad(info.Label+" against load, "+c.title, x.A.Axis, pn)
	}, chart.Half.High(340), chart.HalfNarrow)
	return d.withData(f, result{name: c.otherName, run: c.other.Run}, result{name: c.baseName, run: c.base.Run})
}
