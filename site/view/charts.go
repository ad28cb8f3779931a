package view

import (
	"math"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/site/chart"
	"github.com/inferdex/inferdex/site/page"
)

// curve is one metric of a scenario by load. Quartiles become bars where both are recorded.
// Several points at one load, repetitions, give their median.
func curve(s *figure.Scenario, m metric.ID, stat string, scale metric.Scale) []chart.Point {
	var out []chart.Point
	for _, p := range s.Points {
		var v float64
		var ok bool
		if stat == "" {
			v, _, ok = figure.Central(p, m)
		} else {
			v, ok = figure.Get(p, m, stat)
		}
		if !ok {
			continue
		}
		q := chart.Point{X: figure.LoadOf(p), Y: scale.Of(v)}
		if n := len(out); n > 0 && out[n-1].X == q.X {
			continue // a repetition: its row is in the table
		}
		if stat == "" || stat == metric.Median {
			lo, ok1 := figure.Get(p, m, metric.P25)
			hi, ok2 := figure.Get(p, m, metric.P75)
			if ok1 && ok2 {
				q.Low, q.High = scale.Of(lo), scale.Of(hi)
			}
		}
		if u, _, has := figure.Central(p, metric.KVCacheUsage); has && u >= 0.95 {
			q.Hollow = true
		}
		out = append(out, q)
	}
	return out
}

// linesByLoad is a chart of lines against load. Hollow marks are those that curve makes.
func linesByLoad(title, axis string, panels ...chart.Panel) *chart.Chart {
	return &chart.Chart{
		Kind: chart.Lines, Title: title, X: loadAxis(axis), Panels: panels, Hollow: "KV cache at 95 % or more",
	}
}

// scaleOf chooses the unit of a metric over all points of some scenarios.
func scaleOf(m metric.ID, scenarios []*figure.Scenario) metric.Scale {
	info, _ := metric.Lookup(m)
	var vs []*float64
	for _, s := range scenarios {
		for _, p := range s.Points {
			if v, _, ok := figure.Central(p, m); ok {
				vs = append(vs, &v)
			}
		}
	}
	return metric.ScaleFor(info.Unit, vs)
}

// has says whether any point of a scenario has a metric.
func has(s *figure.Scenario, m metric.ID) bool {
	return slices.ContainsFunc(s.Points, func(p *catalog.Point) bool {
		_, _, ok := figure.Central(p, m)
		return ok
	})
}

// loads counts the different loads of a scenario.
func loads(s *figure.Scenario) int {
	n := 0
	for i, p := range s.Points {
		if i == 0 || figure.LoadOf(p) != figure.LoadOf(s.Points[i-1]) {
			n++
		}
	}
	return n
}

// withData adds the link to the rows of a chart's numbers on the page of its run.
func (d *draft) withData(f *page.Figure, r *figure.Run) *page.Figure {
	f.Files = append([]page.Link{{Text: "Data table", Href: d.Place.To(PathRun(r.ID), "data")}}, f.Files...)
	return f
}

// scenarioFigure draws, for each scenario with several loads, speed, time to first token and
// KV-cache use as aligned plots on one axis.
func (d *draft) scenarioFigure(r *figure.Run) *page.Figure {
	list := curves(r, metric.TTFT)
	if len(list) == 0 {
		return nil
	}
	const most = 12
	all := len(list)
	list = list[:min(most, all)]
	speed, speedLabel := metric.SpeedPerRequest, "Speed per request"
	if !slices.ContainsFunc(list, func(s *figure.Scenario) bool { return has(s, metric.SpeedPerRequest) }) {
		speed, speedLabel = metric.TPOT, "TPOT"
		if !slices.ContainsFunc(list, func(s *figure.Scenario) bool { return has(s, metric.TPOT) }) {
			speed = ""
		}
	}
	kv := slices.ContainsFunc(list, func(s *figure.Scenario) bool { return has(s, metric.KVCacheUsage) })
	tscale := scaleOf(metric.TTFT, list)
	wide := wideSpan(list, metric.TTFT)
	if wide {
		tscale = metric.Scale{Unit: metric.Seconds}
	}
	sscale := metric.Scale{Unit: "tok/s"}
	if speed == metric.TPOT {
		sscale = scaleOf(metric.TPOT, list)
	}
	anyP99 := slices.ContainsFunc(list, func(s *figure.Scenario) bool {
		return slices.ContainsFunc(s.Points, func(p *catalog.Point) bool { _, ok := figure.Get(p, metric.TTFT, metric.P99); return ok })
	})
	what := "Medians (means where no median is recorded)"
	if speed == metric.SpeedPerRequest {
		what += " with bars from the 25th to the 75th percentile"
	}
	if anyP99 {
		what += "; crosses are the 99th percentile"
	}
	what += ". " + loadWords(list[0].Axis) + "."
	if len(list) > 1 {
		what += " All share their vertical scales."
	}
	if all > most {
		what += " The first " + itoa(most) + " of " + itoa(all) + " workloads; all are in the tables."
	}
	build := func() []panel {
		var ps []panel
		var cs []*chart.Chart
		for _, s := range list {
			c := &chart.Chart{Kind: chart.Lines, Title: "Speed and latency, " + s.Title + ", " + r.Card.Title(), X: loadAxis(s.Axis)}
			if speed != "" {
				pn := chart.Panel{Y: chart.Axis{Title: speedLabel, Unit: sscale.Unit, Scale: chart.Linear}}
				pn.Series = append(pn.Series, chart.Series{Name: speedLabel, Slot: 1, Points: solid(curve(s, speed, "", sscale))})
				if speed == metric.TPOT {
					pn.Series = append(pn.Series, chart.Series{Name: "TPOT, 99th percentile", Slot: 6, Marker: 6, NoLine: true, Points: solid(curve(s, speed, metric.P99, sscale))})
				} else {
					pn.Refs = append(pn.Refs, chart.Horizontal(20, "20 tok/s"))
				}
				c.Panels = append(c.Panels, dropEmpty(pn))
			}
			pn := chart.Panel{Y: chart.Axis{Title: "TTFT", Unit: tscale.Unit}}
			if wide {
				// On a logarithmic axis of times each tick has its own unit.
				pn.Y = chart.Axis{Title: "TTFT", Scale: chart.Log, Format: chart.Seconds}
			}
			pn.Series = append(pn.Series, chart.Series{Name: "TTFT", Slot: 2, Solid: true, Points: solid(curve(s, metric.TTFT, "", tscale))})
			pn.Series = append(pn.Series, chart.Series{Name: "TTFT, 99th percentile", Slot: 2, Marker: 6, NoLine: true, Points: solid(curve(s, metric.TTFT, metric.P99, tscale))})
			c.Panels = append(c.Panels, dropEmpty(pn))
			if kv {
				top := 100.0
				k := chart.Panel{Y: chart.Axis{Title: "KV-cache use", Unit: "%", Scale: chart.Linear, Max: &top}}
				k.Series = append(k.Series, chart.Series{Name: "KV-cache use", Slot: 3, Solid: true, Points: solid(curve(s, metric.KVCacheUsage, "", metric.ScaleFor(metric.Fraction, nil)))})
				c.Panels = append(c.Panels, dropEmpty(k))
			}
			in, out := s.ActualLengths()
			sub := page.Plural(loads(s), "load", "loads")
			if in > 0 && out > 0 {
				sub = countText(in) + " tokens in and " + countText(out) + " out on average, " + sub
			}
			cs = append(cs, c)
			ps = append(ps, panel{id: "blk-" + s.Key, title: s.Title, what: sub, chart: c})
		}
		chart.ShareX(cs...)
		chart.ShareY(cs...)
		return ps
	}
	size := chart.PanelTall
	if n := len(list[0].Points); n > 0 && !kv {
		size = size.High(300)
	}
	if len(list) == 1 {
		return d.figure("latency-by-load", d.latencyFinding(list), what, func() *chart.Chart { return build()[0].chart }, chart.Wide.High(480), chart.Narrow.High(440))
	}
	return d.panels("latency-by-load", d.latencyFinding(list), what, size, true, scenarioTitles(list), build)
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

// latencyFinding compares the scenarios at the load that most of them have; of equally common
// ones 10, else the middle one.
func (d *draft) latencyFinding(list []*figure.Scenario) string {
	if len(list) == 1 {
		s := list[0]
		first, last := s.Points[0], s.Largest()
		a, stat, ok1 := figure.Central(first, metric.TTFT)
		b, _, ok2 := figure.Central(last, metric.TTFT)
		if ok1 && ok2 {
			return strings.ToUpper(stat[:1]) + stat[1:] + " TTFT goes from " + figure.Seconds(a) + " " + figure.LoadPhrase(first) + " to " + figure.Seconds(b) + " " + figure.LoadPhrase(last)
		}
		return "Time to first token and speed by load"
	}
	count := map[float64]int{}
	for _, s := range list {
		for _, p := range s.Points {
			count[figure.LoadOf(p)]++
		}
	}
	load, n := 0.0, 0
	for l, c := range count {
		if c > n || c == n && (l == 10 || load != 10 && l > load) {
			load, n = l, c
		}
	}
	var lo, hi *figure.Scenario
	var loV, hiV float64
	var at *catalog.Point
	for _, s := range list {
		p := s.At(load)
		if p == nil {
			continue
		}
		v, _, ok := figure.Central(p, metric.TTFT)
		if !ok {
			continue
		}
		at = p
		if lo == nil || v < loV {
			lo, loV = s, v
		}
		if hi == nil || v > hiV {
			hi, hiV = s, v
		}
	}
	if lo == nil || lo == hi {
		return "Time to first token and speed by load"
	}
	phrase := figure.LoadPhrase(at)
	return strings.ToUpper(phrase[:1]) + phrase[1:] + " time to first token runs from " + figure.Seconds(loV) + " (" + lo.Title + ") to " + figure.Seconds(hiV) + " (" + hi.Title + ")"
}
