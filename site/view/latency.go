package view

import (
	"math"
	"slices"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/site/chart"
	"github.com/inferdex/inferdex/site/page"
)

// latencyPlots are what the aligned plots of speed and latency of some scenarios have in common.
type latencyPlots struct {
	list       []*figure.Scenario
	speed      metric.ID // what speed is shown by: per request, else TPOT; empty where none is known
	speedLabel string
	speedScale metric.Scale
	ttft       metric.Scale
	wide       bool // TTFT spans so much that its axis is logarithmic
	kv         bool // KV-cache use is known
}

func newLatencyPlots(list []*figure.Scenario) *latencyPlots {
	known := func(m metric.ID) bool {
		return slices.ContainsFunc(list, func(s *figure.Scenario) bool { return has(s, m) })
	}
	l := &latencyPlots{list: list, ttft: scaleOf(metric.TTFT, list), kv: known(metric.KVCacheUsage)}
	if l.wide = wideSpan(list, metric.TTFT); l.wide {
		l.ttft = metric.Scale{Unit: metric.Seconds}
	}
	switch {
	case known(metric.SpeedPerRequest):
		l.speed, l.speedLabel, l.speedScale = metric.SpeedPerRequest, "Speed per request", metric.Scale{Unit: "tok/s"}
	case known(metric.TPOT):
		l.speed, l.speedLabel, l.speedScale = metric.TPOT, "TPOT", scaleOf(metric.TPOT, list)
	}
	return l
}

// what says how the plots are read.
func (l *latencyPlots) what() string {
	what := "Medians (means where no median is recorded)"
	if l.speed == metric.SpeedPerRequest {
		what += " with bars from the 25th to the 75th percentile"
	}
	p99 := func(p *catalog.Point) bool { _, ok := figure.Get(p, metric.TTFT, metric.P99); return ok }
	if slices.ContainsFunc(l.list, func(s *figure.Scenario) bool { return slices.ContainsFunc(s.Points, p99) }) {
		what += "; crosses are the 99th percentile"
	}
	what += ". " + horizontal(l.list[0].Axis) + "."
	if len(l.list) > 1 {
		what += " All share their vertical scales."
	}
	return what
}

// chart is the plots of one scenario.
func (l *latencyPlots) chart(s *figure.Scenario, of string) *chart.Chart {
	c := &chart.Chart{Kind: chart.Lines, Title: "Speed and latency, " + s.Title + ", " + of, X: kindOf(s.Axis).axis}
	add := func(pn chart.Panel) { c.Panels = append(c.Panels, dropEmpty(pn)) }
	points := func(m metric.ID, stat string, scale metric.Scale) []chart.Point {
		return solid(curve(s, m, stat, scale))
	}
	tail := func(m metric.ID, label string, slot int, scale metric.Scale) chart.Series {
		return chart.Series{
			Name: label + ", 99th percentile", Slot: slot, Marker: 6, NoLine: true,
			Points: points(m, metric.P99, scale),
		}
	}
	if l.speed != "" {
		pn := chart.Panel{Y: chart.Axis{Title: l.speedLabel, Unit: l.speedScale.Unit, Scale: chart.Linear}}
		pn.Series = []chart.Series{{Name: l.speedLabel, Slot: 1, Points: points(l.speed, "", l.speedScale)}}
		if l.speed == metric.TPOT {
			pn.Series = append(pn.Series, tail(l.speed, l.speedLabel, 6, l.speedScale))
		} else {
			pn.Refs = append(pn.Refs, chart.Horizontal(20, "20 tok/s"))
		}
		add(pn)
	}
	pn := chart.Panel{Y: chart.Axis{Title: "TTFT", Unit: l.ttft.Unit}}
	if l.wide {
		// On a logarithmic axis of times each tick has its own unit.
		pn.Y, pn.High = chart.Axis{Title: "TTFT", Scale: chart.Log, Format: chart.Seconds}, true
	}
	pn.Series = []chart.Series{
		{Name: "TTFT", Slot: 2, Solid: true, Points: points(metric.TTFT, "", l.ttft)},
		tail(metric.TTFT, "TTFT", 2, l.ttft),
	}
	add(pn)
	if l.kv {
		top := 100.0
		use := points(metric.KVCacheUsage, "", metric.ScaleFor(metric.Fraction, nil))
		add(chart.Panel{
			Y:      chart.Axis{Title: "KV-cache use", Unit: "%", Scale: chart.Linear, Max: &top},
			Series: []chart.Series{{Name: "KV-cache use", Slot: 3, Solid: true, Points: use}},
		})
	}
	return c
}

// size is a size with room for a panel of times that is twice as high, where they span decades.
func (l *latencyPlots) size(s chart.Size) chart.Size {
	if l.wide {
		return s.High(s.H * 5 / 4)
	}
	return s
}

// panels are the charts of all scenarios, on common axes.
func (l *latencyPlots) panels(of string) []panel {
	var ps []panel
	var cs []*chart.Chart
	for _, s := range l.list {
		in, out := s.ActualLengths()
		what := metric.Plural(loads(s), "load")
		if in > 0 && out > 0 {
			what = countText(in) + " tokens in and " + countText(out) + " out on average, " + what
		}
		c := l.chart(s, of)
		cs = append(cs, c)
		ps = append(ps, panel{id: "blk-" + s.Key, title: s.Title, what: what, chart: c})
	}
	chart.ShareX(cs...)
	chart.ShareY(cs...)
	return ps
}

// scenarioFigure draws, for each scenario with several loads, speed, time to first token and
// KV-cache use as aligned plots on one axis.
func (d *draft) scenarioFigure(r *figure.Run) *page.Figure {
	const most, id = 12, "latency-by-load"
	all := curves(r, metric.TTFT)
	if len(all) == 0 {
		return nil
	}
	l := newLatencyPlots(all[:min(most, len(all))])
	what := l.what()
	if len(all) > most {
		what += " The first " + itoa(most) + " of " + itoa(len(all)) + " workloads; all are in the tables."
	}
	build := func() []panel { return l.panels(r.Card.Title()) }
	finding := spreadFinding(r, l.list)
	if len(l.list) == 1 {
		info, _ := metric.Lookup(metric.TTFT)
		_, stat, _ := figure.Central(l.list[0].Points[0], info.ID)
		finding = spanFinding(r, l.list[0], info, stat)
		one := func() *chart.Chart { return build()[0].chart }
		return d.figure(id, finding, what, one, l.size(chart.Wide.High(480)), l.size(chart.Narrow.High(440)))
	}
	size := chart.PanelTall
	if n := len(l.list[0].Points); n > 0 && !l.kv {
		size = size.High(300)
	}
	size = l.size(size)
	return d.panels(id, finding, what, size, true, scenarioTitles(l.list), build)
}

// wideSpan says whether a metric spans so much over some scenarios that charts of them are
// logarithmic: more than 50 times, as chart.Auto has it.
func wideSpan(list []*figure.Scenario, m metric.ID) bool {
	lo, hi := math.Inf(1), 0.0
	for _, s := range list {
		for _, p := range s.Points {
			for _, stat := range []string{metric.Median, metric.Mean, metric.P99} {
				if v, ok := figure.Get(p, m, stat); ok && v > 0 {
					lo, hi = min(lo, v), max(hi, v)
				}
			}
		}
	}
	return hi > lo*50
}

// solid drops hollow marks: in small plots only the throughput shows a full cache.
func solid(ps []chart.Point) []chart.Point {
	for i := range ps {
		ps[i].Hollow = false
	}
	return ps
}

// dropEmpty leaves out series without points.
func dropEmpty(p chart.Panel) chart.Panel {
	if len(p.Series) > 1 {
		p.Series = slices.DeleteFunc(p.Series, func(s chart.Series) bool { return len(s.Points) == 0 })
	}
	return p
}
