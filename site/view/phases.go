package view

import (
	"slices"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/claim"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/site/chart"
	"github.com/inferdex/inferdex/site/page"
)

// phases are the tests of a run of a tool that times prefill and decode by themselves, with their speeds drawn.
func (d *draft) phases(r *figure.Run) {
	if !r.Phased() {
		return
	}
	d.tests(r)
	d.speedCurves(r)
}

// tests are the tests of a run as its tool prints them: the first that the page of a run shows.
func (d *draft) tests(r *figure.Run) {
	if r.Phased() {
		d.section("tests", "Tests", d.table("tests", func() *page.Grid { return d.testTable(r) }))
	}
}

// speedCurves are the speeds of a run against length and depth, where the page has not those of all configurations.
func (d *draft) speedCurves(r *figure.Run) {
	if !d.hasSection("lengths") { // a card has those of all its configurations
		d.section("lengths", "Speed by length", d.lengthFigures("", []*figure.Run{r})...)
	}
	if d.hasSection("depth") {
		return
	}
	curves := r.ByDepth()
	decode := slices.IndexFunc(curves, func(c figure.Depths) bool { return c.Metric == metric.TGSpeed })
	switch {
	case len(curves) == 0:
	case decode <= 0:
		d.section("depth", "Speed against depth",
			page.Block{Figure: d.withData(d.depthFigure(r, curves, chart.Wide, chart.Narrow), result{run: r})})
	default:
		var pair []page.Figure
		for _, of := range [][]figure.Depths{curves[:decode], curves[decode:]} {
			pair = append(pair, *d.withData(d.depthFigure(r, of, chart.Half, chart.HalfNarrow), result{run: r}))
		}
		d.section("depth", "Speed against depth", page.Block{Pair: pair})
	}
}

// testTable are the tests of a run, a row each, with the mean and the standard deviation of the speeds.
func (d *draft) testTable(r *figure.Run) *page.Grid {
	var rows []pointRow
	for _, s := range r.Scenarios {
		for _, p := range s.Rows() {
			rows = append(rows, pointRow{s, p})
		}
	}
	t := page.NewTable("Tests, prefill and decode speed", "dense", rows)
	t.Col("Test", func(q pointRow) page.Cell {
		c := page.Cell{Text: q.s.Title, Head: true, Class: "nw"}
		if q.s.Name != "" && q.s.Phase != "" {
			c.Note = q.s.Name
		}
		return c
	})
	if slices.ContainsFunc(rows, func(q pointRow) bool { return q.s.RowText(q.p) != "1" }) {
		t.Col("Load", func(q pointRow) page.Cell { return page.Cell{Text: rowShort(q.s, q.p), Class: "nw"} })
	}
	for _, m := range []metric.ID{metric.PPSpeed, metric.TGSpeed, metric.TotalThroughput} {
		if !slices.ContainsFunc(rows, func(q pointRow) bool { _, _, ok := figure.Central(q.p, m); return ok }) {
			continue
		}
		info, _ := metric.Lookup(m)
		unit := info.Unit
		if slices.ContainsFunc(rows, func(q pointRow) bool { _, ok := figure.Get(q.p, m, metric.Std); return ok }) {
			unit += ", mean ± std"
		}
		t.Add(page.Column{Title: info.Label, Unit: unit, Note: page.Upper(info.Long), Num: true},
			func(q pointRow) page.Cell { return d.speedCell(r, q, m) })
	}
	t.Num("Repetitions", "", func(q pointRow) page.Cell {
		for _, m := range []metric.ID{metric.PPSpeed, metric.TGSpeed, metric.TotalThroughput} {
			if n := q.p.Metrics[m].N; n > 0 {
				return page.Count(int(n))
			}
		}
		return page.Missing("not recorded")
	})
	return t.Done()
}

// speedCell is a speed with its standard deviation, a link to its row with the source. What cannot be believed is
// marked.
func (d *draft) speedCell(r *figure.Run, q pointRow, m metric.ID) page.Cell {
	v, _, ok := figure.Central(q.p, m)
	if !ok {
		return page.Missing("")
	}
	c := page.Cell{Text: metric.Format(v), Exact: metric.Exact(v), Href: d.pointHref(r, q.s, q.p), Class: "nw"}
	if std, ok := figure.Get(q.p, m, metric.Std); ok {
		_, spread := metric.Deviation(v, std)
		c.Text = speedText(v, q.p, m) + " ± " + spread
		c.Exact += " ± " + metric.Exact(std)
	}
	if q.s.Suspects(q.p)[m] != "" {
		c.Class, c.Sub = "warn", "suspect"
	}
	return c
}

// speedText is a speed as its table writes it: where its standard deviation is known, that sets the digits.
func speedText(v float64, p *catalog.Point, m metric.ID) string {
	if std, ok := figure.Get(p, m, metric.Std); ok {
		mean, _ := metric.Deviation(v, std)
		return mean
	}
	return metric.Format(v)
}

// depthFigure draws the speeds of one phase against the depth, a line for each length.
func (d *draft) depthFigure(r *figure.Run, curves []figure.Depths, sizes ...chart.Size) *page.Figure {
	m := curves[0].Metric
	info, _ := metric.Lookup(m)
	what := page.Upper(info.Long) + ", tok/s; bars are ± one standard deviation where it is longer than the mark. " +
		"Horizontal: tokens already in the context."
	return d.figure("depth-"+IdOf(m), depthFinding(r, curves[0]), what, func() *chart.Chart {
		pn := chart.Panel{Y: chart.Axis{Title: info.Label, Unit: info.Unit, Scale: chart.Linear}}
		for i, c := range curves[:min(9, len(curves))] {
			s := chart.Series{Name: c.Title(), Slot: i + 1, Interval: chart.Deviation}
			for _, sc := range c.Scenarios {
				s.Points = append(s.Points, depthPoint(sc, sc.Points[0], m))
			}
			pn.Series = append(pn.Series, s)
		}
		return &chart.Chart{Kind: chart.Lines, Title: info.Label + " against depth, " + r.Card.Title(),
			X: chart.Axis{Title: "tokens already in the context", Scale: chart.Linear}, Panels: []chart.Panel{pn}}
	}, sizes...)
}

func depthPoint(s *figure.Scenario, p *catalog.Point, m metric.ID) chart.Point {
	return speedPoint(s.Depth, p, m)
}

// speedPoint is a speed with its standard deviation.
func speedPoint(x float64, p *catalog.Point, m metric.ID) chart.Point {
	v, _, _ := figure.Central(p, m)
	q := chart.Point{X: x, Y: v, Text: speedText(v, p, m)}
	if std, ok := figure.Get(p, m, metric.Std); ok && std > 0 {
		q.Low, q.High = v-std, v+std
	}
	return q
}

// depthFinding says what is left of a speed at the greatest depth.
func depthFinding(r *figure.Run, curve figure.Depths) claim.Sentence {
	return keptFinding(r, curve.Metric, curve.Scenarios[0], curve.Scenarios[len(curve.Scenarios)-1], "")
}

// keptFinding says what is left in one test of the speed of another. name is what the page calls the run, "" where it is
// of that run alone.
func keptFinding(r *figure.Run, m metric.ID, first, last *figure.Scenario, name string) claim.Sentence {
	number := func(s *figure.Scenario) claim.Operand { return claim.Central(r, s, figure.LoadOf(s.Points[0]), m) }
	a, b := number(first), number(last)
	info, _ := metric.Lookup(m)
	if first == last || a.Stat != b.Stat || a.Value <= 0 {
		return claim.Plain(info.Label)
	}
	ratio := metric.Round12(b.Value / a.Value)
	c := claim.State(claim.KindDepth)
	from, to := c.At(a), c.At(b)
	c.Makes(claim.Ratio, ratio, to, from)
	c.Called(last.Title)
	title := page.Capital(last.Title)
	switch {
	case name != "":
		c.Calls(to, name).Run(to).Say(": ")
		title = last.Title
	case last.Phase == "":
		c.Say("%s: ", info.Label)
	}
	return c.Name(title).Say(" runs at ").
		Cite(to, "%s", speedText(b.Value, last.Points[0], m)).
		Say(" tok/s, %s of the ", figure.PercentText(ratio)).
		Cite(from, "%s", speedText(a.Value, first.Points[0], m)).Say(" tok/s of ").Name(first.Title).Sentence()
}
