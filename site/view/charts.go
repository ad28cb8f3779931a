package view

import (
	"slices"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/site/chart"
	"github.com/inferdex/inferdex/site/page"
)

// curve is one metric of a scenario by load. Quartiles become bars where both are recorded.
// Several points at one load, repetitions, give their median. Measurements that cannot be believed stand
// behind the others.
func curve(s *figure.Scenario, m metric.ID, stat string, scale metric.Scale) []chart.Point {
	var out []chart.Point
	for _, p := range s.Points {
		v, ok := statistic(p, m, stat)
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
	for _, p := range s.Measured {
		if v, ok := statistic(p, m, stat); ok && s.Suspects(p)[m] != "" {
			out = append(out, chart.Point{X: figure.LoadOf(p), Y: scale.Of(v), Suspect: true})
		}
	}
	return out
}

// statistic is a statistic of a metric at a point, "" what stands for the metric.
func statistic(p *catalog.Point, m metric.ID, stat string) (v float64, ok bool) {
	if stat == "" {
		v, _, ok = figure.Central(p, m)
		return v, ok
	}
	return figure.Get(p, m, stat)
}

// linesByLoad is a chart of lines against load. Hollow marks are those that curve makes.
func linesByLoad(title, axis string, panels ...chart.Panel) *chart.Chart {
	return &chart.Chart{
		Kind: chart.Lines, Title: title, X: kindOf(axis).axis, Panels: panels, Hollow: "KV cache at 95 % or more",
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

// withData adds the links to the rows of a chart's numbers on the pages of its runs.
func (d *draft) withData(f *page.Figure, of ...result) *page.Figure {
	var links []page.Link
	for _, o := range of {
		l := page.Link{Text: "Data table", Href: d.Place.To(PathRun(o.run.ID), "data")}
		if len(of) > 1 {
			l.Text += ", " + o.name
		}
		links = append(links, l)
	}
	f.Files = append(links, f.Files...)
	return f
}
