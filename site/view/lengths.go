package view

import (
	"slices"

	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/site/chart"
	"github.com/inferdex/inferdex/site/page"
)

// mostLines is how many lines one half of a pair of charts has room for; more are parted by backend.
const mostLines = 5

// speedCurve is the speeds of a run in tests that differ in one length alone.
type speedCurve struct {
	run   *figure.Run
	name  string
	tests []*figure.Scenario
}

// curveKind is what curves are of: a metric by a length.
type curveKind struct {
	id     string
	metric metric.ID
	x      chart.Axis
	across string
	of     func(*figure.Run) []*figure.Scenario
	at     func(*figure.Scenario) float64
}

// lengthKinds are prefill by the length of the prompt and decode by that of the answer.
var lengthKinds = []curveKind{
	{"prefill-by-length", metric.PPSpeed, chart.Axis{Title: "tokens of the prompt", Scale: chart.Pow2},
		"tokens of the prompt, from an empty context",
		func(r *figure.Run) []*figure.Scenario { return r.ByLength(metric.PPSpeed) }, (*figure.Scenario).OneLength},
	{"decode-by-length", metric.TGSpeed, chart.Axis{Title: "tokens of the answer", Scale: chart.Pow2},
		"tokens of the answer, from an empty context",
		func(r *figure.Run) []*figure.Scenario { return r.ByLength(metric.TGSpeed) }, (*figure.Scenario).OneLength},
}

// depthKinds are both phases by the tokens that stand in the context, at the length that is given.
func depthKinds(lengths map[metric.ID]float64) (kinds []curveKind) {
	for _, k := range []curveKind{{id: "prefill-by-depth", metric: metric.PPSpeed}, {id: "decode-by-depth", metric: metric.TGSpeed}} {
		length, ok := lengths[k.metric]
		if !ok {
			continue
		}
		k.x = chart.Axis{Title: "tokens already in the context", Scale: chart.Linear}
		k.across, k.at = "tokens already in the context", func(s *figure.Scenario) float64 { return s.Depth }
		k.of = func(r *figure.Run) []*figure.Scenario {
			for _, c := range r.ByDepth() {
				if c.Metric == k.metric && c.Length == length {
					return c.Scenarios
				}
			}
			return nil
		}
		kinds = append(kinds, k)
	}
	return kinds
}

// lengthFigures draw prefill by prompt and decode by answer of some runs, the first of which the captions are of. key
// tells the figures of one page apart.
func (d *draft) lengthFigures(key string, runs []*figure.Run) []page.Block {
	return d.curveFigures(key, runs, lengthKinds)
}

// depthFigures draw both phases against the depth, at the length that most runs were measured with.
func (d *draft) depthFigures(key string, runs []*figure.Run) []page.Block {
	count := map[metric.ID]map[float64]int{}
	best := map[metric.ID]float64{}
	for _, r := range runs {
		for _, c := range r.ByDepth() {
			if count[c.Metric] == nil {
				count[c.Metric] = map[float64]int{}
			}
			count[c.Metric][c.Length]++
			if n := count[c.Metric]; n[c.Length] > n[best[c.Metric]] {
				best[c.Metric] = c.Length
			}
		}
	}
	return d.curveFigures(key, runs, depthKinds(best))
}

func (d *draft) curveFigures(key string, runs []*figure.Run, kinds []curveKind) []page.Block {
	var figures []page.Figure
	for _, k := range kinds {
		var curves []speedCurve
		for _, r := range runs {
			if tests := k.of(r); len(tests) > 0 {
				curves = append(curves, speedCurve{r, configurationName(r, runs), tests})
			}
		}
		if len(curves) > 0 {
			figures = append(figures, *d.curveFigure(k, key, curves))
		}
	}
	switch len(figures) {
	case 0:
		return nil
	case 1:
		return []page.Block{{Figure: &figures[0]}}
	}
	if slices.ContainsFunc(figures, func(f page.Figure) bool { return len(f.SVGs) > 0 }) { // several panels each
		return []page.Block{{Figure: &figures[0]}, {Figure: &figures[1]}}
	}
	return []page.Block{{Pair: figures}}
}

// curveFigure draws curves of one kind, a line each. The caption says what the first keeps of its speed, from the test
// that is quoted, or the first, to the last.
func (d *draft) curveFigure(k curveKind, key string, curves []speedCurve) *page.Figure {
	info, _ := metric.Lookup(k.metric)
	first, name := curves[0], ""
	if len(curves) > 1 {
		name = first.name
	}
	from := first.tests[0]
	for _, s := range first.tests {
		if s.Depth == 0 && (s.OneLength() == figure.QuotedPrompt && k.metric == metric.PPSpeed || s.OneLength() == figure.QuotedAnswer && k.metric == metric.TGSpeed) {
			from = s
		}
	}
	finding := keptFinding(first.run, k.metric, from, first.tests[len(first.tests)-1], name)
	what := page.Upper(info.Long) + ", tok/s; bars are ± one standard deviation where it is longer than the mark. " +
		"Horizontal: " + k.across + "."
	drawn := make([]result, len(curves))
	for i, c := range curves {
		drawn[i] = result{name: c.name, run: c.run}
	}
	build := func(of []speedCurve, more string) *chart.Chart {
		pn := chart.Panel{Y: chart.Axis{Title: info.Label, Unit: info.Unit, Scale: chart.Linear}}
		for i, c := range of {
			s := chart.Series{Name: c.name, Slot: i%9 + 1, Interval: chart.Deviation, NoLabel: len(of) == 1}
			for _, sc := range c.tests {
				s.Points = append(s.Points, speedPoint(k.at(sc), sc.Points[0], k.metric))
			}
			pn.Series = append(pn.Series, s)
		}
		return &chart.Chart{Kind: chart.Lines, Title: info.Label + " by " + k.across + ", " + first.run.Card.Title() + more,
			X: k.x, Panels: []chart.Panel{pn}}
	}
	groups, titles := byBackend(curves)
	if len(groups) < 2 {
		groups = [][]speedCurve{curves}
	}
	if slices.ContainsFunc(groups, func(g []speedCurve) bool { return len(g) > mostOverlaid }) {
		what += " At most " + itoa(mostOverlaid) + " configurations are drawn together; all " + itoa(len(curves)) +
			" are in the table."
	}
	if len(groups) > 1 {
		return d.withData(d.panels(k.id+key, finding, what+" One vertical scale.", chart.PanelSize, false, titles, func() []panel {
			var ps []panel
			var cs []*chart.Chart
			for i, g := range groups {
				c := build(g[:min(mostOverlaid, len(g))], ", "+titles[i])
				cs = append(cs, c)
				ps = append(ps, panel{id: k.id + key + "-" + itoa(i+1), title: titles[i], chart: c})
			}
			chart.ShareX(cs...)
			chart.ShareY(cs...)
			return ps
		}), drawn...)
	}
	return d.withData(d.figure(k.id+key, finding, what, func() *chart.Chart { return build(curves[:min(mostOverlaid, len(curves))], "") },
		chart.Half, chart.HalfNarrow), drawn...)
}

// byBackend parts curves by what computes, where there are more than one drawing has room for; nil where that parts none
// or is not recorded.
func byBackend(curves []speedCurve) (groups [][]speedCurve, titles []string) {
	if len(curves) <= mostLines {
		return nil, nil
	}
	for _, c := range curves {
		backend := c.run.Backend()
		if backend == "" {
			return nil, nil
		}
		i := slices.Index(titles, backend)
		if i < 0 {
			i, groups, titles = len(titles), append(groups, nil), append(titles, backend)
		}
		groups[i] = append(groups[i], c)
	}
	return groups, titles
}
