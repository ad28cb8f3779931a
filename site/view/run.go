package view

import (
	"strings"

	"github.com/inferdex/inferdex/ingest/claim"
	"github.com/inferdex/inferdex/ingest/record"

	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/site/page"
)

// runName is what a run is called: as its card is, and by its own name where it has one.
func runName(r *figure.Run) string {
	if r.Named {
		return r.Card.Title() + ", " + r.Series
	}
	return r.Card.Title()
}

func runTitle(r *figure.Run) string { return runName(r) + ", run " + r.ID }

func (g *Site) runPage(r *figure.Run) (*draft, error) {
	raw, err := g.rawRecords(r)
	if err != nil {
		return nil, err
	}
	d := g.draft(PathRun(r.ID), "run", "models", runTitle(r), runTally(r))
	d.view.Heading = runName(r)
	d.view.Crumbs = []page.Link{
		{Text: "Models", Href: d.Place.To(page.PathModels, "")},
		{Text: r.Model.Name, Href: d.Place.To(page.PathModel(r.Model.Slug), "")},
		{Text: "on " + r.Hardware.Name, Href: d.cardHref(r)},
		{Text: "run " + r.ID},
	}
	if !r.Listed() {
		d.view.Crumbs = append(d.crumbsTo(r), page.Link{Text: "run " + r.ID})
	}
	d.view.Lede = d.lede(runTally(r), nil).And(d.compareWith(r))
	d.runFacts(r)
	d.stats(r)
	d.withdrawn(r)
	d.distrust(r)
	alone := aloneOnCard(r) && !g.Options.SelfContained
	if alone {
		d.tests(r)
		d.onCard(r)
	} else {
		d.phases(r)
		d.says(r)
		d.charts(r)
	}
	d.distributions(r)
	if !alone {
		d.summary(r)
		d.efficiency(r)
	}
	d.pointTables(r, true)
	d.profiles(r)
	d.accuracy(r)
	d.figuresTable(r, true)
	if !alone {
		d.utilization(r)
		d.system(r)
	}
	d.parameters(r, true)
	d.grounds(r)
	if g.Options.SelfContained {
		d.rawWithin([]*figure.Run{r})
		return d.done(), nil
	}
	d.rawSection(r, raw)
	d.runPager(r)
	d.reportLinks(r)
	return d.done(), nil
}

// grounds are what the numbers of a run rest on: how to measure again, where each value comes from, and what a reader
// has to know.
func (d *draft) grounds(r *figure.Run) {
	if !r.OnlyScores() { // the arguments are those of the tool that asks, not of a server
		d.reproduce(r)
	}
	d.provenance(r)
	d.findings(r)
}

// onCard leads to what the page of the card has of its only run.
func (d *draft) onCard(r *figure.Run) {
	card := d.g.draft(page.PathCard(r.Card.Slug), "card", "", "", claim.Plain(r.Card.Title()))
	if r.Phased() {
		card.speedCurves(r)
	}
	if claim.Says(r, d.g.Arguments) {
		card.section("says", saysTitle, page.Block{Says: []page.Sentence{{}}}) // its title is all that is asked for
	}
	card.charts(r)
	card.summary(r)
	card.efficiency(r)
	card.utilization(r)
	card.system(r)
	if len(card.sections) == 0 {
		return
	}
	titles := make([]string, len(card.sections))
	for i, s := range card.sections {
		titles[i] = s.Title
	}
	d.section("on-card", "Sentences, charts and system", page.Linked(r.Card.Title(), d.cardHref(r)).
		Text(" has no other run, so its page shows this one: "+strings.Join(titles, "; ")+".").Block())
}

// reportLinks puts a prefilled issue with the chart's anchor below each chart, where the repository is
// set.
func (d *draft) reportLinks(r *figure.Run) {
	for i := range d.sections {
		for j := range d.sections[i].Blocks {
			b := &d.sections[i].Blocks[j]
			add := func(f *page.Figure) {
				if u := d.issueAddress(r, f.ID); u != "" {
					f.Files = append(f.Files, page.Link{Text: "Report a wrong number", Href: u})
				}
			}
			if b.Figure != nil {
				add(b.Figure)
			}
			for k := range b.Pair {
				add(&b.Pair[k])
			}
		}
	}
}

// runPager leads to the runs of the card before and after this one, in the order of its table.
func (d *draft) runPager(r *figure.Run) {
	link := func(o *figure.Run) *page.Link {
		name := "run " + o.ID
		if day := page.Day(o.Started); day != "" {
			name = "run of " + day
		}
		if own := o.OwnName(); own != "" {
			name = own + ", " + name
		} else if e, versioned := EngineText(o.Engine); versioned {
			name = e + ", " + name
		}
		return &page.Link{Text: name, Href: d.Place.To(PathRun(o.ID), ""), Title: "run " + o.ID}
	}
	pager(&d.sheet, "Runs of "+r.Card.Title(), r.Card.Runs, r, link)
}

const saysTitle = "What the numbers say"

// says are the sentences written from the numbers of a run, behind some others.
func (d *draft) says(r *figure.Run, before ...page.Sentence) {
	ss := before
	for _, in := range claim.Sentences(r, d.g.Arguments) {
		ss = append(ss, page.Sentence{Topic: in.Label, Warn: in.Caution, Parts: d.claimParts(in)})
	}
	if len(ss) > 0 {
		d.section("says", saysTitle, page.Block{Says: ss})
	}
}

// charts are the drawings of a run by what it measured.
func (d *draft) charts(r *figure.Run) {
	list := tabled(r)
	if len(list) > 0 && list[0].Axis == record.AxisRate {
		for _, s := range list {
			d.byRate(r, s, len(r.Scenarios) > 1)
		}
		return
	}
	if f := d.throughputFigure(r); f != nil {
		title := "Throughput against load"
		if speedMetric(r) == metric.TotalGenerationSpeed {
			title = "Total generation speed"
		}
		d.section("throughput", title, page.Block{Figure: d.withData(f, result{run: r})})
	}
	for _, s := range list {
		d.section("by-load", "By load", d.named("by-load-"+s.Key, func() *page.Grid { return d.byLoadTable(r, s) }))
	}
	if f := d.scenarioFigure(r); f != nil {
		d.section("latency", "Speed and latency by workload", page.Block{Figure: d.withData(f, result{run: r})})
	}
}

// tabled are the workloads of a run whose numbers stand in a table by load beside its charts: all by request rate, else the
// only one, since several by concurrency have no room for theirs.
func tabled(r *figure.Run) (list []*figure.Scenario) {
	of := func(rate bool) (list []*figure.Scenario) {
		for _, s := range r.Scenarios {
			if loads(s) > 1 && (!rate || s.Axis == record.AxisRate) {
				list = append(list, s)
			}
		}
		return list
	}
	if list = of(true); len(list) == 0 {
		list = of(false)
	}
	if len(list) > 1 && list[0].Axis != record.AxisRate {
		return nil
	}
	return list
}
