package view

import (
	"cmp"
	"slices"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/claim"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/site/chart"
	"github.com/inferdex/inferdex/site/page"
)

// throughputFigure draws throughput against load: lines in one chart, or where there are more
// than four one panel an input length.
func (d *draft) throughputFigure(r *figure.Run) *page.Figure {
	m := speedMetric(r)
	list := curves(r, m)
	if len(list) == 0 {
		return nil
	}
	info, _ := metric.Lookup(m)
	what := page.Upper(info.Long) + ", tok/s"
	finding, best := throughputFinding(r, list, m)
	p, bestV, _ := best.Peak(m)
	axis := list[0].Axis
	title, of := info.Label+" against load, ", r.Card.Title()
	groups := byInput(list)
	if len(list) <= 4 || len(groups) > 6 {
		const most = 9
		shown := list[:min(most, len(list))]
		if len(shown) < len(list) {
			what += ". The first " + itoa(most) + " of " + itoa(len(list)) + " workloads; all are in the tables"
		}
		return d.figure("throughput-by-load", finding, what+". "+horizontal(axis)+".", func() *chart.Chart {
			pn := chart.Panel{Y: chart.Axis{Title: info.Label, Unit: "tok/s", Scale: chart.Linear}}
			for _, s := range shown {
				pn.Series = append(pn.Series, chart.Series{Name: s.Title, Points: curve(s, m, "", metric.Scale{})})
			}
			if len(shown) == 1 {
				pn.Series[0].NoLabel = true
			}
			if sw, sc, ok := r.SweetSpot(); ok && slices.Contains(shown, sc) {
				if v, _, ok := figure.Central(sw.Point, m); ok {
					pn.Notes = append(pn.Notes, chart.Note{X: figure.LoadOf(sw.Point), Y: v, Text: "sweet spot"})
				}
			}
			if len(shown) == 1 {
				pn.Notes = append(pn.Notes,
					chart.Note{X: figure.LoadOf(p), Y: bestV, Text: "peak " + metric.Format(bestV)})
				if n, above := figure.AboveNumPrompts(p); above {
					pn.Bands = append(pn.Bands,
						chart.Band{X: figure.LoadOf(p), Label: "only " + metric.Count(n) + " prompts"})
				}
				pn.Bands = append(pn.Bands, incompleteBands(shown[0])...)
			}
			return linesByLoad(title+of, axis, pn)
		})
	}
	return d.panels("throughput-by-load", finding,
		what+"; one vertical scale. "+horizontal(axis)+". Lines: tokens out.",
		chart.PanelSize, false, groupTitles(groups), func() []panel {
			var ps []panel
			var cs []*chart.Chart
			for _, g := range groups {
				pn := chart.Panel{Y: chart.Axis{Unit: "tok/s", Scale: chart.Linear}}
				for i, s := range g.scenarios {
					_, out, _ := s.Lengths()
					pn.Series = append(pn.Series, chart.Series{Name: countText(out) + " out", Slot: i%9 + 1,
						Points: curve(s, m, "", metric.Scale{})})
				}
				c := linesByLoad(title+countText(g.input)+" tokens in, "+of, axis, pn)
				cs = append(cs, c)
				ps = append(ps, panel{id: "in-" + idText(g.input), title: countText(g.input) + " tokens in", chart: c})
			}
			chart.ShareX(cs...)
			chart.ShareY(cs...)
			return ps
		})
}

// incompleteBands mark the loads of a workload at which not all requests were completed with output, the worst by its
// counts.
func incompleteBands(s *figure.Scenario) (bands []chart.Band) {
	worst, _ := figure.Incomplete(s.Points)
	for _, p := range s.Points {
		o, short := figure.Incomplete([]*catalog.Point{p})
		if !short {
			continue
		}
		b := chart.Band{X: figure.LoadOf(p)}
		if o == worst {
			b.Label, b.Short = completedLabel(o)
		}
		bands = append(bands, b)
	}
	return bands
}

// completedLabel is the label of a band over a load at which not all requests were completed with output, whole and
// short.
func completedLabel(o figure.Outcome) (label, short string) {
	if o.NoOutput > 0 {
		return o.Words(""), o.Lacks()
	}
	return o.Words(""), metric.Count(o.Completed) + " of " + metric.Count(o.Submitted)
}

// throughputFinding names the workload with the highest peak of a run, and what has to be known of it.
func throughputFinding(r *figure.Run, list []*figure.Scenario, m metric.ID) (claim.Sentence, *figure.Scenario) {
	var rs []result
	for _, s := range list {
		rs = append(rs, result{s.Title, r, s})
	}
	_, ns := peaks(rs, m, false)
	c := claim.State(claim.KindTop)
	var refs []claim.Ref
	for _, n := range ns {
		refs = append(refs, c.Of(n))
	}
	c.Is(claim.Highest, refs...)
	if len(refs) > 1 {
		c.Is(claim.Ranked, refs...)
	}
	top, s := ns[0], ns[0].Scenario
	peak := "Peak of "
	if m == metric.TotalGenerationSpeed { // higher than the peak of output throughput, of which a sentence is
		peak = "Total generation speed peaks at "
	}
	c.Say("%s", peak).Cite(refs[0], "%s tok/s", metric.Format(top.Value)).
		Say("%s with %s", spaced(figure.LoadPhrase(top.Point)), s.Title)
	if n, above := figure.AboveNumPrompts(top.Point); above {
		c.Makes(claim.Prompts, float64(n), refs[0]).Say(", with only %s prompts sent", metric.Count(n))
	} else if s.StillRising(m) {
		c.Is(claim.Last, refs[0]).Say(", still rising at the largest load")
	}
	return c.Sentence(), s
}

func groupTitles(groups []inputGroup) []string {
	var out []string
	for _, g := range groups {
		out = append(out, countText(g.input)+" tokens in")
	}
	return out
}

func scenarioTitles(list []*figure.Scenario) []string {
	var out []string
	for _, s := range list {
		out = append(out, s.Title)
	}
	return out
}

// inputGroup is the scenarios of one input length, by output length.
type inputGroup struct {
	input     float64
	scenarios []*figure.Scenario
}

// byInput groups scenarios by input length for panels of lines by output length.
func byInput(list []*figure.Scenario) []inputGroup {
	var gs []inputGroup
	for _, s := range list {
		in, _, _ := s.Lengths()
		i := slices.IndexFunc(gs, func(g inputGroup) bool { return g.input == in })
		if i < 0 {
			i = len(gs)
			gs = append(gs, inputGroup{input: in})
		}
		gs[i].scenarios = append(gs[i].scenarios, s)
	}
	slices.SortFunc(gs, func(a, b inputGroup) int { return cmp.Compare(a.input, b.input) })
	for _, g := range gs {
		slices.SortStableFunc(g.scenarios, func(a, b *figure.Scenario) int {
			_, x, _ := a.Lengths()
			_, y, _ := b.Lengths()
			return cmp.Compare(x, y)
		})
	}
	return gs
}

// speedMetric is the throughput a run is charted by: the published quantity of a suite, else
// output tokens over wall time.
func speedMetric(r *figure.Run) metric.ID {
	if len(curves(r, metric.TotalGenerationSpeed)) > 0 {
		return metric.TotalGenerationSpeed
	}
	return metric.OutputThroughput
}

// curves are the scenarios of a run that have several loads and the metric.
func curves(r *figure.Run, m metric.ID) []*figure.Scenario {
	var out []*figure.Scenario
	for _, s := range r.Scenarios {
		if loads(s) > 1 && has(s, m) {
			out = append(out, s)
		}
	}
	return out
}
