package site

import (
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/unit"
	"github.com/inferdex/inferdex/site/chart"
)

// cardPage is everything known of one model on one hardware: the headline metrics of the newest
// run of the newest engine version, comparisons where several runs share a workload, and all
// runs over time.
func (g *generator) cardPage(c *figure.Card) *draft {
	r := c.Newest()
	d := g.draft(pathCard(c.Slug), "card", "models", c.Title(), cardDescription(c))
	d.view.Crumbs = []Link{{Text: "Models", Href: d.place.page(pathModels, "")}, {Text: c.Model.Name, Href: d.place.page(pathModel(c.Model.Slug), "")}, {Text: "on " + c.Hardware.Name}}
	d.view.Lede = []Part{{Text: cardDescription(c) + " "}}
	if len(c.Runs) > 1 {
		e, versioned := engineText(r.Engine)
		s := "Headline metrics are those of the newest run"
		if versioned {
			s += " of the newest engine version, " + e + ": "
		} else {
			s += ": "
		}
		d.view.Lede = append(d.view.Lede, Part{Text: s}, Part{Text: runName(r), Href: d.place.page(pathRun(r.ID), "")}, Part{Text: "."})
	} else {
		d.view.Lede = append(d.view.Lede, Part{Text: "All points and their sources: "}, Part{Text: "run " + r.ID, Href: d.place.page(pathRun(r.ID), "")}, Part{Text: "."})
	}
	d.cardFacts(c)
	d.stats(r)
	if r.Withdrawn != "" {
		d.section("withdrawn", "Withdrawn", Block{Says: []Sentence{{Topic: "Do not use", Warn: true, Parts: text(sentenceText(r.Withdrawn))}}})
	}
	d.says(r)
	var attention []Sentence
	for _, f := range r.Findings {
		if f.Severity != catalog.Note && !f.Accepted {
			attention = append(attention, Sentence{Topic: findingTopic(f.Code), Warn: true, Parts: text(sentenceText(f.Message))})
		}
	}
	if len(attention) > 0 {
		d.section("attention", "Read before you quote", Block{Says: attention[:min(6, len(attention))]}, Block{Text: []Part{{Text: "All findings", Href: d.place.page(pathRun(r.ID), "findings")}}})
	}
	if !d.compare(c) {
		d.charts(r)
	}
	d.summary(r)
	if len(r.Scenarios) > 0 && allSingle(r) {
		d.pointTables(r, false)
	}
	d.figuresTable(r)
	d.system(r)
	d.parameters(r, false)
	runs := c.Runs
	title := "Runs over time"
	if len(runs) == 1 {
		title = "Run"
	}
	d.section("runs", title, d.table("runs", func() *table {
		t := &table{caption: "Runs of " + c.Title(), class: "runs dense", columns: []column{{title: "Run"}, {title: "Date"}, {title: "Engine"}, {title: "Tool"},
			{title: "Points", num: true}, {title: "Peak output", unit: "tok/s", num: true}, {title: "At"}, {title: "Remarks"}}}
		for _, r := range runs {
			t.rows = append(t.rows, d.runRow(r, false))
		}
		return t
	}))
	return d.done()
}

// allSingle says that no workload of a run has more than one load: its points are its summary.
func allSingle(r *figure.Run) bool {
	return !slices.ContainsFunc(r.Scenarios, func(s *figure.Scenario) bool { return len(s.Points) > 1 })
}

// runName tells a run from the others of its card.
func runName(r *figure.Run) string {
	if day := dateText(r.Started); day != "" && day != r.Series {
		return r.Series + " of " + day
	}
	return r.Series
}

func cardDescription(c *figure.Card) string {
	points := 0
	var tools []string
	for _, r := range c.Runs {
		points += len(r.Points)
		if t := toolText(r); !slices.Contains(tools, t) {
			tools = append(tools, t)
		}
	}
	s := plural(len(c.Runs), "run", "runs") + " by " + enumerate(tools)
	if points > 0 {
		s += ", " + plural(points, "measured point", "measured points")
	} else {
		s += ", headline figures only"
	}
	newest := ""
	for _, r := range c.Runs {
		newest = max(newest, dateText(r.Started))
	}
	if newest != "" {
		s += ", the newest of " + newest
	}
	return s + "."
}

func (d *draft) cardFacts(c *figure.Card) {
	d.view.Facts = append(d.view.Facts, modelFact(d, c))
	hw := Fact{Name: "Hardware", Parts: []Part{{Text: c.Hardware.Name, Href: d.place.page(pathAccelerator(c.Hardware.Accelerator.Slug), "")}}}
	if t := d.g.memoryText(c.Hardware); t != "" {
		hw.Parts = append(hw.Parts, Part{Text: " " + t})
	}
	if c.Hardware.Accelerator.FormFactorUnknown {
		hw.Flag = &Link{Text: "form factor not recorded", Href: d.place.page(pathRun(c.Newest().ID), "findings")}
	}
	var engines []string
	for _, r := range c.Runs {
		if e, _ := engineText(r.Engine); e != "" && !slices.Contains(engines, e) {
			engines = append(engines, e)
		}
	}
	es := enumerate(engines)
	if es == "" {
		es = "not recorded"
	}
	d.view.Facts = append(d.view.Facts, hw, Fact{Name: "Engine versions", Parts: text(es)})
	if longest := maxContext(c); longest > 0 {
		d.view.Facts = append(d.view.Facts, Fact{Name: "Longest context served", Parts: text("about " + countText(longest) + " tokens")})
	}
}

func modelFact(d *draft, c *figure.Card) Fact {
	f := Fact{Name: "Model", Parts: []Part{{Text: c.Model.ID, Href: d.place.page(pathModel(c.Model.Slug), "")}}}
	if t := modelFacts(c.Model); t != "" {
		f.Parts = append(f.Parts, Part{Text: " " + t})
	}
	return f
}

// maxContext is the longest prompt and answer together that were really served.
func maxContext(c *figure.Card) float64 {
	longest := 0.0
	for _, r := range active(c.Runs) {
		for _, s := range r.Scenarios {
			if in, out := s.ActualLengths(); in > 0 && out > 0 {
				longest = max(longest, in+out)
			}
		}
	}
	return longest
}

// compare shows the runs of a card that share workloads side by side. It reports whether there
// were any.
func (d *draft) compare(c *figure.Card) bool {
	groups := c.Compares()
	if len(groups) == 0 {
		return false
	}
	for gi, runs := range groups {
		const most = 9
		if len(runs) > most {
			runs = runs[len(runs)-most:]
		}
		var shared []*figure.Scenario
		for _, s := range runs[0].Scenarios {
			n := 0
			for _, r := range runs {
				if r.Scenario(s.Class) != nil {
					n++
				}
			}
			if n > 1 {
				shared = append(shared, s)
			}
		}
		if len(shared) == 0 {
			continue
		}
		several := len(shared) > 1 || len(groups) > 1
		byRate := slices.DeleteFunc(slices.Clone(shared), func(s *figure.Scenario) bool { return s.Axis != catalog.AxisRate })
		for _, s := range byRate {
			d.pivots(runs, s, several)
		}
		rest := slices.DeleteFunc(slices.Clone(shared), func(s *figure.Scenario) bool { return s.Axis == catalog.AxisRate })
		if len(rest) == 0 {
			continue
		}
		key := ""
		if gi > 0 {
			key = "-" + itoa(gi+1)
		}
		var blocks []Block
		blocks = append(blocks, Block{Figure: d.overlayFigure("compare-throughput"+key, runs, rest, outputThroughput)})
		if f := d.overlayFigure("compare-ttft"+key, runs, rest, ttft); f != nil {
			blocks = append(blocks, Block{Figure: f})
		}
		var group []Details
		for _, s := range rest {
			for _, m := range []catalog.Metric{outputThroughput, ttft} {
				pv, stat, ok := pivotOf(runs, s.Class, m)
				if m == outputThroughput {
					stat = "value"
					pv, ok = figure.NewPivot(runs, s.Class, m, stat)
				}
				if !ok {
					continue
				}
				info, _ := unit.Lookup(m)
				name := "cmp-" + idOf(m) + "-" + s.Key + key
				group = append(group, *d.details(name, info.Label+", "+s.Title, func() *table { return d.pivotTable(pv, stat, name) }))
			}
		}
		blocks = append(blocks, Block{Group: group})
		d.section("compare"+key, "Runs compared", blocks...)
	}
	return true
}

// overlayFigure draws one metric of several runs by load, a small chart for each workload they
// share.
func (d *draft) overlayFigure(id string, runs []*figure.Run, shared []*figure.Scenario, m catalog.Metric) *Figure {
	info, _ := unit.Lookup(m)
	var list []*figure.Scenario
	var all []*figure.Scenario
	for _, s := range shared {
		n := 0
		for _, r := range runs {
			if o := r.Scenario(s.Class); o != nil && has(o, m) && loads(o) > 1 {
				n++
				all = append(all, o)
			}
		}
		if n > 0 {
			list = append(list, s)
		}
	}
	if len(list) == 0 {
		return nil
	}
	list = list[:min(9, len(list))]
	scale := scaleOf(m, all)
	// The finding compares the first two series at the first workload's largest common load.
	finding := info.Label + " by load, " + plural(len(runs), "run", "runs")
	if best, v, other, w, s, p := leader(runs, list, m, info); best != nil && other != nil {
		finding = runSeries(best) + ": " + metricText(info, v) + " against " + metricText(info, w) + " of " + runSeries(other) + ", " + figure.LoadPhrase(p) + " with " + s.Title
	}
	what := strings.ToUpper(info.Long[:1]) + info.Long[1:] + ", " + scale.Unit + ". " + loadWords(list[0].Axis) + "."
	build := func() []panel {
		var ps []panel
		var cs []*chart.Chart
		for _, s := range list {
			pn := chart.Panel{Y: chart.Axis{Title: info.Label, Unit: scale.Unit}}
			for i, r := range runs {
				if o := r.Scenario(s.Class); o != nil {
					if ps := curve(o, m, "", scale); len(ps) > 0 {
						pn.Series = append(pn.Series, chart.Series{Name: runSeries(r), Slot: i%9 + 1, Points: ps})
					}
				}
			}
			c := hollowText(&chart.Chart{Kind: chart.Lines, Title: info.Label + ", " + s.Title, Desc: describe(pn.Series, scale.Unit), X: loadAxis(s.Axis), Panels: []chart.Panel{pn}})
			cs = append(cs, c)
			ps = append(ps, panel{id: id + "-" + s.Key, title: s.Title, chart: c})
		}
		chart.ShareX(cs...)
		return ps
	}
	if len(list) == 1 {
		return d.figure(id, finding, what, func() *chart.Chart { return build()[0].chart })
	}
	return d.panels(id, finding, what, chart.PanelSize.High(220), true, len(list), build)
}

// leader is the best run of a workload at the largest load that at least two have, and the
// second best.
func leader(runs []*figure.Run, list []*figure.Scenario, m catalog.Metric, info unit.Info) (best *figure.Run, v float64, other *figure.Run, w float64, at *figure.Scenario, p *catalog.Point) {
	for _, s := range list {
		for i := len(s.Points) - 1; i >= 0; i-- {
			best, other = nil, nil
			for _, r := range runs {
				o := r.Scenario(s.Class)
				if o == nil {
					continue
				}
				q := o.At(figure.LoadOf(s.Points[i]))
				if q == nil {
					continue
				}
				x, _, ok := figure.Central(q, m)
				if !ok {
					continue
				}
				better := func(a, b float64) bool { return (info.Better == unit.Lower) == (a < b) }
				switch {
				case best == nil || better(x, v):
					other, w = best, v
					best, v, at, p = r, x, s, q
				case other == nil || better(x, w):
					other, w = r, x
				}
			}
			if best != nil && other != nil {
				return best, v, other, w, at, p
			}
		}
	}
	return nil, 0, nil, 0, nil, nil
}
