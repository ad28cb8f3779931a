package view

import (
	"io"
	"slices"

	"github.com/inferdex/inferdex/ingest/compare"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/site/chart"
	"github.com/inferdex/inferdex/site/page"
)

// pairCharts overlay the two runs: the other side is the first series on every chart.
func (d *draft) pairCharts(c *comparison) {
	x, _, ok := c.main()
	if !ok {
		return
	}
	if len(compare.SharedLoads(x.A, x.B)) > 1 {
		var figs []page.Figure
		for _, info := range metric.Shown(metric.PairChart) {
			if len(figs) == 3 {
				break
			}
			if f := d.pairFigure(c, x, info.ID); f != nil {
				figs = append(figs, *f)
			}
		}
		if f := d.pairFrontier(c, x); f != nil {
			figs = append(figs, *f)
		}
		blocks := inPairs(figs)
		if x.Amber {
			blocks = append([]page.Block{{Says: []page.Sentence{{Topic: "Lengths differ", Warn: true,
				Parts: page.Text(page.Capital(x.Cautions[0]) + ".")}}}}, blocks...)
		}
		if len(blocks) > 0 {
			d.section("charts", "Overlaid, "+x.A.Title, blocks...)
		}
	}
	var many []compare.Match
	for _, m := range c.comp.Matches {
		if len(compare.SharedLoads(m.A, m.B)) > 1 && m.A.Axis == x.A.Axis {
			many = append(many, m)
		}
	}
	if len(many) < 2 {
		return
	}
	var blocks []page.Block
	for _, m := range []metric.ID{metric.OutputThroughput, metric.TTFT} {
		if f := d.pairPanels(c, many, m); f != nil {
			blocks = append(blocks, page.Block{Figure: f})
		}
	}
	d.section("workloads", "All shared workloads", blocks...)
}

// series are the two lines of a metric under a workload, in fixed colours.
func (c *comparison) series(x compare.Match, m metric.ID, scale metric.Scale) []chart.Series {
	var out []chart.Series
	for i, s := range []*figure.Scenario{x.B, x.A} {
		if ps := curve(s, m, "", scale); len(ps) > 0 {
			out = append(out, chart.Series{Name: []string{c.otherName, c.baseName}[i], Slot: i + 1, Points: ps})
		}
	}
	return out
}

func (d *draft) pairFigure(c *comparison, x compare.Match, m metric.ID) *page.Figure {
	scale := scaleOf(m, []*figure.Scenario{x.A, x.B})
	if !has(x.A, m) || !has(x.B, m) {
		return nil
	}
	info, _ := metric.Lookup(m)
	id := "fig-" + IdOf(m)
	f := &page.Figure{ID: id, Finding: d.states(c.finding(x, m)),
		What: page.Capital(info.Long) + ", " + scale.Unit + ". " + horizontal(x.A.Axis) + "."}
	f.Chart = d.fragment("chart-"+id, func(mk *page.Markup) {
		pn := chart.Panel{Y: chart.Axis{Title: info.Label, Unit: scale.Unit}, Series: c.series(x, m, scale)}
		ch := linesByLoad(info.Label+" against load, "+c.title, x.A.Axis, pn)
		mk.Draw(func(w io.Writer) error { return ch.Inline(w, id, chart.Half.High(340), chart.HalfNarrow) })
	})
	return f
}

// pairFrontier is speed per user against throughput per accelerator of both sides.
func (d *draft) pairFrontier(c *comparison, x compare.Match) *page.Figure {
	each := true
	for _, r := range []*figure.Run{c.base.Run, c.other.Run} {
		each = each && !r.Hardware.CountAssumed && r.Hardware.Count > 0
	}
	basis := ""
	series := func() []chart.Series {
		var out []chart.Series
		for i, s := range []*figure.Scenario{x.B, x.A} {
			r := []*figure.Run{c.other.Run, c.base.Run}[i]
			points, b := speedPoints(r, s, each, true)
			if b != "" {
				basis = b
			}
			if len(points) > 1 {
				out = append(out, chart.Series{Name: []string{c.otherName, c.baseName}[i], Slot: i + 1, Points: points})
			}
		}
		return out
	}
	list := series()
	if len(list) < 2 {
		return nil
	}
	y := throughputTitle(each)
	const id = "fig-frontier"
	f := &page.Figure{ID: id, Finding: d.states(c.speeds(x)),
		What: y + " against speed per user (" + basis + "). Up and to the right is better; numbers are loads."}
	f.Chart = d.fragment("chart-"+id, func(mk *page.Markup) {
		ch := speedChart(y, c.title, series())
		mk.Draw(func(w io.Writer) error { return ch.Inline(w, id, chart.Half.High(340), chart.HalfNarrow) })
	})
	return f
}

// pairPanels is a metric under all shared workloads, at most twelve.
func (d *draft) pairPanels(c *comparison, list []compare.Match, m metric.ID) *page.Figure {
	var all []*figure.Scenario
	list = slices.DeleteFunc(slices.Clone(list), func(x compare.Match) bool { return !has(x.A, m) || !has(x.B, m) })
	const most = 12
	more := len(list) - most
	list = list[:min(most, len(list))]
	if len(list) < 2 {
		return nil
	}
	for _, x := range list {
		all = append(all, x.A, x.B)
	}
	scale := scaleOf(m, all)
	info, _ := metric.Lookup(m)
	id := "all-" + IdOf(m)
	f := &page.Figure{ID: id, What: page.Capital(info.Long) + ", " + scale.Unit + ". " + horizontal(list[0].A.Axis) + "."}
	f.Finding = d.states(c.winsAtLargest(list, info))
	if more > 0 {
		f.What += " The first " + itoa(most) + "; " + itoa(more) + " more are in the tables."
	}
	f.Chart = d.fragment("chart-"+id, func(mk *page.Markup) {
		var cs []*chart.Chart
		byInput := map[float64][]*chart.Chart{}
		for _, x := range list {
			pn := chart.Panel{Y: chart.Axis{Unit: scale.Unit}, Series: c.series(x, m, scale)}
			ch := linesByLoad(info.Label+", "+x.A.Title+", "+c.title, x.A.Axis, pn)
			cs = append(cs, ch)
			in, _, _ := x.A.Lengths()
			byInput[in] = append(byInput[in], ch)
		}
		chart.ShareX(cs...)
		for _, group := range byInput {
			chart.ShareY(group...)
		}
		mk.Draw(func(w io.Writer) error { return chart.WriteKey(w, chart.KeyOf(cs...)) })
		mk.Raw(`<div class="panels">`)
		for i, x := range list {
			pid := id + "-" + x.A.Key
			mk.Raw(`<div class="panel"`)
			mk.Attr("id", pid)
			mk.Raw(">")
			mk.Elem("h3", "", x.A.Title)
			mk.Elem("p", "what", panelWords(x, m))
			mk.Draw(func(w io.Writer) error { return cs[i].InlineKeyless(w, "c-"+pid, chart.PanelLow) })
			mk.Raw("</div>")
		}
		mk.Raw("</div>")
	})
	return f
}

// panelWords is the difference of a small chart at its largest load.
func panelWords(x compare.Match, m metric.ID) string {
	l, e, ok := bestLoad(x, m)
	if !ok {
		return ""
	}
	return changeText(e.Change) + " " + figure.LoadPhrase(l.A[0])
}
