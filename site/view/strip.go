package view

import (
	"io"
	"math"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/site/chart"
	"github.com/inferdex/inferdex/site/page"
)

// lanes are the limits of a use that strips show, by their places in what a row is held against: the failed requests
// are one of them where some load has too many, or where there is no other limit.
func (r *ranked) lanes() (of []int) {
	for i, h := range r.rows[0].Held {
		failed := h.Metric == metric.SuccessRate
		if !failed || len(r.rows[0].Held) == 1 || slices.ContainsFunc(r.rows, func(row figure.SLORow) bool {
			return slices.ContainsFunc(row.Loads(), func(l figure.LoadHeld) bool { return l.Each[i] != figure.Passes })
		}) {
			of = append(of, i)
		}
	}
	return of
}

// loads are the loads of all hardware of a use, from the smallest to the highest: columns that rows share. They are nil
// where a strip has no room for them.
func (r *ranked) loads() (all []float64) {
	for _, row := range r.rows {
		if row.Scenario != nil {
			all = append(all, row.Scenario.Loads()...)
		}
	}
	slices.Sort(all)
	if all = slices.Compact(all); len(all) > chart.MostStripLoads {
		return nil
	}
	return all
}

// stripOf is what became of each limit at each load of a row; ok is false where there is no room for it.
func stripOf(e sloEntry) (s chart.Strip, ok bool) {
	shared := &e.of.strips
	shared.Do(func() { shared.loads, shared.lanes = e.of.loads(), e.of.lanes() }) // every row is held against the limits for it
	loads := shared.loads
	held := map[float64]figure.LoadHeld{}
	for _, l := range e.row.Loads() {
		held[l.Load] = l
	}
	s = chart.Strip{Answer: -1, Over: -1}
	for i, l := range loads {
		s.Loads = append(s.Loads, metric.Chosen(l))
		if e.row.Point != nil && l == e.row.Load {
			s.Answer = i
		}
		if of, run := held[l]; run && of.Verdict == figure.Fails && s.Over < 0 {
			s.Over = i
		}
	}
	var words []string
	for _, at := range shared.lanes {
		lane := make([]chart.Kept, len(loads))
		by := map[chart.Kept][]string{}
		for i, l := range loads {
			if of, run := held[l]; run {
				lane[i] = map[figure.Verdict]chart.Kept{figure.Passes: chart.Keeps, figure.Fails: chart.Breaks,
					figure.NotMeasured: chart.NotJudged}[of.Each[at]]
			}
			by[lane[i]] = append(by[lane[i]], s.Loads[i])
		}
		s.Lanes = append(s.Lanes, lane)
		var said []string
		for _, state := range []struct {
			of    chart.Kept
			words string
		}{{chart.Keeps, "kept"}, {chart.Breaks, "broken"}, {chart.NotJudged, "not judged"}, {chart.NotRun, "not run"}} {
			if at := by[state.of]; len(at) > 0 {
				said = append(said, state.words+" at "+page.Enumerate(at))
			}
		}
		words = append(words, laneName(e.row.Held[at])+" "+strings.Join(said, ", "))
	}
	s.Label = strings.Join(words, "; ")
	return s, len(loads) > 0
}

// laneName is what a lane is of.
func laneName(h figure.Held) string {
	if h.Metric == metric.SuccessRate {
		return "failed requests"
	}
	return h.Name()
}

// stripColumn shows at which loads limits are kept and broken, and says which load is the first over a limit.
func (d *draft) stripColumn(t *page.Table[sloEntry], p figure.SLOPreset) {
	var of []string
	for _, h := range p.Limits.Held() {
		switch {
		case h.Metric != metric.SuccessRate:
			of = append(of, metricLabel(h.Metric))
		case len(of) == 0:
			of = append(of, "failed requests")
		}
	}
	unit := of[0]
	if len(of) > 1 {
		unit = "upper lane " + of[0] + ", lower " + of[1]
	}
	t.Add(page.Column{Title: "Measured loads", Unit: unit}, func(e sloEntry) page.Cell {
		c := page.Cell{Class: "strips"}
		for _, l := range e.row.Loads() {
			if l.Verdict != figure.Fails {
				continue
			}
			c.Text = LoadName(e.row.Scenario.Axis, l.Load) + ": " + l.Why
			c.Href, c.Exact = d.pointHref(e.row.Run, e.row.Scenario, e.row.Scenario.At(l.Load)), "the first load over a limit"
			if math.IsInf(l.Load, 1) {
				c.Exact += ", " + infTitle(l.Load)
			}
			break
		}
		if s, ok := stripOf(e); ok {
			c.Before = func(w io.Writer) error { return s.Write(w) }
		}
		return c
	})
}

func metricLabel(m metric.ID) string {
	info, _ := metric.Lookup(m)
	return info.Label
}

// stripLegend says what the marks of strips mean.
func stripLegend(m *page.Markup) {
	m.Raw(`<ul class=legend>`)
	for _, k := range []struct {
		of     chart.Kept
		answer int
		text   string
	}{{chart.Keeps, -1, "kept"}, {chart.Breaks, -1, "broken"}, {chart.NotJudged, -1, "not judged"},
		{chart.NotRun, -1, "not run on this hardware"}, {chart.Keeps, 0, "the best load"}} {
		m.Raw("<li>")
		m.Draw(func(w io.Writer) error {
			return chart.Strip{Loads: []string{""}, Lanes: [][]chart.Kept{{k.of}, {k.of}}, Answer: k.answer, Over: -1}.Write(w)
		})
		m.Text(" " + k.text)
	}
	m.Raw("</ul>")
}
