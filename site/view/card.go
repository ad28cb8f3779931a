package view

import (
	"cmp"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/claim"
	"github.com/inferdex/inferdex/ingest/compare"
	"github.com/inferdex/inferdex/ingest/record"

	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/site/chart"
	"github.com/inferdex/inferdex/site/page"
)

// cardPage is everything known of one model on one hardware: the headline metrics of the best
// run of the newest engine version, comparisons where several runs share a workload, and all
// runs over time.
func (g *Site) cardPage(c *figure.Card) *draft {
	r := c.Head()
	d := g.draft(page.PathCard(c.Slug), "card", "models", c.Title(), cardTally(c))
	d.view.Crumbs = []page.Link{{Text: "Models", Href: d.Place.To(page.PathModels, "")},
		{Text: c.Model.Name, Href: d.Place.To(page.PathModel(c.Model.Slug), "")}, {Text: "on " + c.Hardware.Name}}
	if aloneOnCard(r) && !g.Options.SelfContained {
		d.rows = map[*figure.Scenario][]float64{}
		for _, s := range tabled(r) {
			d.rows[s], _ = d.tabledLoads(r, s)
		}
	}
	d.cardLede(c)
	d.cardFacts(c)
	d.stats(r)
	d.withdrawn(r)
	if c.Stale != nil {
		d.section("stale", "Stale", page.Block{Says: []page.Sentence{{Topic: "Measure again", Warn: true,
			Parts: page.Text(c.Stale.Text())}}})
	}
	d.distrust(figure.Active(c.Runs)...)
	d.configurations(c)
	d.phases(r)
	d.says(r, d.seriesSays(c)...)
	if attention := beyondSaid(r); len(attention) > 0 {
		d.section("attention", "Read before you quote", page.Block{Says: attention[:min(6, len(attention))]},
			page.Linked("All findings", d.findingsAt(r)).Block())
	}
	if !d.compare(c) {
		d.charts(r)
	}
	d.summary(r)
	if !r.Phased() {
		d.singles(r)
	}
	d.efficiency(r)
	d.accuracy(r)
	if len(r.WholeFigures()) > len(r.SuiteHeadlines()) {
		d.figuresTable(r, false)
	}
	d.utilization(r)
	d.system(r)
	d.parameters(r, false)
	d.pairs("Compare with", c)
	if g.Options.SelfContained {
		d.grounds(r)
	} else {
		d.embed(c)
	}
	d.history(c)
	d.cardRunsOverTime(c)
	if g.Options.SelfContained {
		d.rawWithin(c.Runs)
		return d.done()
	}
	d.rawOfRuns(c.Runs)
	d.cardPagers(c)
	if aloneOnCard(r) {
		d.reportLinks(r)
	}
	return d.done()
}

// cardLede says what a card holds and leads to the run that heads it.
func (d *draft) cardLede(c *figure.Card) {
	r := c.Head()
	d.view.Lede = d.lede(cardTally(c), nil)
	if len(c.Runs) > 1 {
		s := headedBy(r)
		name := "run " + r.ID
		if day := page.Day(r.Started); day != "" {
			name = "run of " + day
			if len(r.Started) >= 16 && slices.ContainsFunc(c.Runs,
				func(o *figure.Run) bool { return o != r && page.Day(o.Started) == day }) {
				name += " " + r.Started[11:16]
			}
		}
		if own := r.OwnName(); own != "" {
			name = own + ", " + name
		}
		d.view.Lede = d.view.Lede.And(d.leadsTo(s, name, d.Place.To(PathRun(r.ID), "")))
	} else {
		d.view.Lede = d.view.Lede.And(d.leadsTo("All points and their sources: ", "run "+r.ID,
			d.Place.To(PathRun(r.ID), "")))
	}
	d.view.Lede = d.view.Lede.And(d.compareWith(r))
}

// cardRunsOverTime lists the runs of a card, the newest first.
func (d *draft) cardRunsOverTime(c *figure.Card) {
	runs := c.Runs
	title := "Runs over time"
	if len(runs) == 1 {
		title = "Run"
	}
	listed := runs[:min(len(runs), mostListed)]
	d.section("runs", title, d.table("runs", func() *page.Grid { return d.cardRuns("Runs of "+c.Title(), listed) }))
	if len(runs) > mostListed { // of years of nightly runs a table is more than a browser lays out at once
		var older page.Parts
		linked := runs[mostListed:min(len(runs), mostListed+mostLinked)]
		for i, r := range linked {
			if i > 0 {
				older = older.Text(", ")
			}
			older = older.Link(calledOnCard(r), d.Place.To(PathRun(r.ID), ""))
		}
		older = older.Text(".")
		if more := len(runs) - mostListed - len(linked); more > 0 {
			older = older.Text(" "+metric.Plural(more, "other is", "others are")+" in ").
				Link("the list of all runs", d.Place.To(page.PathRuns, "")).Text(".")
		}
		d.section("older", metric.Plural(len(runs)-mostListed, "more run"), older.Block())
	}
}

// findingsAt is where the findings of the run that heads a card stand.
func (d *draft) findingsAt(r *figure.Run) string {
	if d.g.Options.SelfContained {
		return "#findings"
	}
	return d.Place.To(PathRun(r.ID), "findings")
}

// beyondSaid are the warnings of a run but for the requests that were not completed, which a sentence on its numbers
// names with their loads.
func beyondSaid(r *figure.Run) []page.Sentence {
	return slices.DeleteFunc(warned(r, record.Warning),
		func(s page.Sentence) bool { return s.Topic == findingTopic(catalog.CodeIncomplete) })
}

// headedBy says which run of a card the headline metrics are of.
func headedBy(r *figure.Run) (before string) {
	if e, _ := EngineText(r.Engine); e != "" {
		return "Headline metrics are those of " + e + ": "
	}
	return "Headline metrics are those of this run: "
}

// cardPagers lead to the neighbours of a card: other hardware with the same model, and other models
// on the same hardware.
func (d *draft) cardPagers(c *figure.Card) {
	add := func(of string, among []*figure.Card, name func(*figure.Card) string) {
		pager(&d.sheet, of, among, c, func(o *figure.Card) *page.Link {
			return &page.Link{Text: name(o), Href: d.Place.To(page.PathCard(o.Slug), "")}
		})
	}
	hardware := slices.DeleteFunc(slices.Clone(c.OnHardware()), func(o *figure.Card) bool {
		return o.Hardware.Slug != c.Hardware.Slug
	})
	add(c.Model.Name+" on other hardware", c.OfModel(), func(o *figure.Card) string { return "on " + o.Hardware.Name })
	add("Other models on "+c.Hardware.Name, hardware, func(o *figure.Card) string { return o.Model.Name })
}

// singles is a table of the workloads that were measured at one load, which no chart shows.
func (d *draft) singles(r *figure.Run) {
	var ps []pointRow
	for _, s := range r.Scenarios {
		if len(s.Points) == 1 {
			ps = append(ps, pointRow{s, s.Points[0]})
		}
	}
	if len(ps) > 0 {
		here := span{end: len(ps)}
		var more page.Block
		if len(ps) > mostListed && !d.whole {
			here.end = mostListed
			more = page.Text("The first "+metric.Count(here.end)+" of "+metric.Count(len(ps))+" stand here, ").
				Link("all with the points of the run", d.Place.To(PathRun(r.ID), "data")).Text(".").Block()
		}
		d.section("workloads", "Workloads measured at one load", more, d.table("workloads", func() *page.Grid {
			return d.pointTable(r, "Workloads measured at one load", ps, here, true, false)
		}))
	}
}

// cardRuns is the runs of a card with their headline figures side by side.
func (d *draft) cardRuns(caption string, runs []*figure.Run) *page.Grid {
	t := page.NewTable(caption, "runs dense", runs)
	t.Col("Run", func(r *figure.Run) page.Cell {
		return unbroken(page.Cell{Text: calledOnCard(r), Href: d.Place.To(PathRun(r.ID), ""), Head: true})
	})
	t.Col("Date", dateCell)
	runColumns(t)
	shown := func(r *figure.Run) bool { _, p, _ := PeakOf(r); return p != nil || len(r.SuiteHeadlines()) == 0 }
	if slices.ContainsFunc(runs, shown) {
		t.Num("Result", resultUnit(runs), func(r *figure.Run) page.Cell {
			if !shown(r) {
				return page.Missing("figures only")
			}
			return d.resultCell(r)
		})
		t.Col("At", func(r *figure.Run) page.Cell {
			text, exact := resultAt(r, true)
			return page.Cell{Text: text, Exact: exact}
		})
	}
	suite := func(title, unit, name string) {
		t.Num(title, unit, func(r *figure.Run) page.Cell {
			for _, h := range r.SuiteHeadlines() {
				if h.Name == name {
					return headlineRankCell(h, true)
				}
			}
			return page.Missing("")
		})
	}
	suite("Prompt ingestion", "tok/s", "prompt_ingestion_speed")
	suite("Speed per request", "tok/s, at 10", figure.SuiteSpeed)
	suite("KV cache", "tokens", "kv_cache_tokens")
	t.Col("Remarks", d.remark)
	fromColumn(t, runs)
	return t.Done()
}

// calledOnCard is what a run is called among those of its card.
func calledOnCard(r *figure.Run) string {
	if page.Day(r.Started) == r.Series {
		return r.ID
	}
	return r.Series
}

// CardDescription is what there is of a card in a sentence.
func CardDescription(c *figure.Card) string { return cardTally(c).Text() }

func cardTally(c *figure.Card) claim.Sentence {
	var tools []string
	for _, r := range c.Runs {
		if t := r.Tool.Name; !slices.Contains(tools, t) {
			tools = append(tools, t)
		}
	}
	t := claim.NewTally(claim.SameCard, c.Runs...)
	t.Much(claim.RunCount, "run").Say(" by ").Name(page.Enumerate(tools)).Say(", ")
	if Points(c.Runs) > 0 {
		t.Much(claim.PointCount, "measured point")
	} else {
		t.Say("headline figures only")
	}
	if day := t.NewestDay(); day != "" {
		t.Say(", the newest of ").Name(day)
	}
	return t.Say(".").Sentence()
}

func (d *draft) cardFacts(c *figure.Card) {
	d.view.Facts = append(d.view.Facts, modelFact(d, c))
	hw := page.Fact{Name: "Hardware", Parts: page.Linked(c.Hardware.Name,
		d.Place.To(page.PathAccelerator(c.Hardware.Accelerator.Slug), ""))}
	if t := d.g.memoryText(c.Hardware); t != "" && !strings.Contains(c.Hardware.Name, "GB") {
		hw.Parts = append(hw.Parts, page.Part{Text: " " + t})
	}
	if c.Hardware.Accelerator.FormFactorUnknown {
		hw.Flag = &page.Link{Text: "form factor not recorded", Href: d.findingsAt(c.Head())}
	}
	d.view.Facts = append(d.view.Facts, fromName(hw, record.FactHardware, c.Runs...), engineFact(d, c))
	if in, out, beyond := longestServed(c.Runs); in > 0 {
		d.view.Facts = append(d.view.Facts, page.Fact{Name: "Longest context served",
			Parts: page.Text("about " + countText(in+out) + " tokens" + beyond)})
	}
	if names := divisionsOf(slices.Values(c.Runs)); len(names) > 0 {
		d.view.Facts = append(d.view.Facts, page.Fact{Name: "Division", Parts: page.Text(page.Enumerate(names))})
	}
	if f, ok := sourceFact(c.Runs); ok {
		d.view.Facts = append(d.view.Facts, f)
	}
}

// engineFact names the engines of a card with their versions, each engine a link: of many the first, in the order of
// the runs, and where the others stand.
func engineFact(d *draft, c *figure.Card) page.Fact {
	f := page.Fact{Name: "Engine versions"}
	const most = 12
	seen := map[string]bool{}
	for _, r := range c.Runs {
		e, _ := EngineText(r.Engine)
		if e == "" || seen[e] {
			continue
		}
		if seen[e] = true; len(seen) > most {
			continue
		}
		if len(f.Parts) > 0 {
			f.Parts = append(f.Parts, page.Part{Text: ", "})
		}
		if r.Engine.Name == "" {
			f.Parts = append(f.Parts, page.Part{Text: e})
		} else {
			f.Parts = append(f.Parts, page.Part{Text: e, Href: d.Place.To(pathEngine(r.Engine.Slug), "")})
		}
	}
	if len(f.Parts) == 0 {
		f.Parts = page.Text("not recorded")
	}
	if more := len(seen) - most; more > 0 {
		f.Parts = append(f.Parts, page.Part{Text: ", "}, page.Part{Text: metric.Plural(more, "other"), Href: "#runs"})
	}
	return f
}

func modelFact(d *draft, c *figure.Card) page.Fact {
	f := page.Fact{Name: "Model", Parts: page.Linked(cmp.Or(c.Model.ID, c.Model.Name),
		d.Place.To(page.PathModel(c.Model.Slug), ""))}
	if t := ModelFacts(c.Model); t != "" {
		f.Parts = append(f.Parts, page.Part{Text: " " + t})
	}
	return fromName(f, record.FactModel, c.Runs...)
}

// compare shows the runs of a card that share workloads side by side. It reports whether there
// were any.
func (d *draft) compare(c *figure.Card) bool {
	groups := c.Compares()
	if len(groups) == 0 {
		return false
	}
	const most = 9
	for i, runs := range groups {
		groups[i] = runs[max(0, len(runs)-most):]
	}
	// A workload that several groups share is compared once, where most runs have it.
	having := func(runs []*figure.Run, class string) (n int) {
		for _, r := range runs {
			if r.Scenario(class) != nil {
				n++
			}
		}
		return n
	}
	place := func(class string) (at int) {
		for i, runs := range groups {
			if having(runs, class) > having(groups[at], class) {
				at = i
			}
		}
		return at
	}
	for gi, runs := range groups {
		var shared []*figure.Scenario
		for _, s := range runs[0].Scenarios {
			if having(runs, s.Class) > 1 && place(s.Class) == gi {
				shared = append(shared, s)
			}
		}
		if len(shared) == 0 {
			continue
		}
		several := len(shared) > 1 || len(groups) > 1
		key := ""
		if gi > 0 {
			key = "--" + itoa(gi+1) // no key of a scenario has two
		}
		// A single workload, and each one by rate, has room for a chart and a table a metric.
		full := func(s *figure.Scenario) bool { return s.Axis == record.AxisRate || len(shared) == 1 && loads(s) > 1 }
		for _, s := range shared {
			if full(s) {
				d.pivots(runs, s, several, key)
			}
		}
		rest := slices.DeleteFunc(slices.Clone(shared), full)
		if len(rest) == 0 {
			continue
		}
		var blocks []page.Block
		blocks = append(blocks, page.Block{Figure: d.overlayFigure("compare-throughput"+key, runs, rest,
			metric.OutputThroughput)})
		if f := d.overlayFigure("compare-ttft"+key, runs, rest, metric.TTFT); f != nil {
			blocks = append(blocks, page.Block{Figure: f})
		}
		d.section("compare"+key, "Runs compared", append(blocks, d.byLoad(runs, rest, key)...)...)
	}
	return true
}

// mostComparedRows is how many rows all tables that compare the runs of a card have at most: nine workloads with fourteen
// loads each have two metrics.
const mostComparedRows = 300

// loadTable compares runs in one metric, a row a load of one workload.
type loadTable struct {
	scenario *figure.Scenario
	metric   metric.Info
	pivot    compare.Pivot
	stat     string
}

// loadTables are those of one metric, one a workload that has it.
func loadTables(runs []*figure.Run, shared []*figure.Scenario, info metric.Info) (tables []loadTable, rows int) {
	for _, s := range shared {
		pv, stat, ok := pivotOf(runs, s.Class, info.ID)
		if info.ID == metric.OutputThroughput {
			stat = metric.Value
			pv, ok = compare.NewPivot(runs, s.Class, info.ID, stat)
		}
		if ok {
			tables = append(tables, loadTable{s, info, pv, stat})
			rows += min(len(pv.Rows), max(leastLoads, mostLoads/len(runs)))
		}
	}
	return tables, rows
}

// byLoad are the tables that compare runs by load, folded, one a workload and metric; of metrics for which the page has
// no room it is said where they stand.
func (d *draft) byLoad(runs []*figure.Run, shared []*figure.Scenario, key string) []page.Block {
	throughput, _ := metric.Lookup(metric.OutputThroughput)
	var all []loadTable
	var left []string
	rows := 0
	for _, info := range append([]metric.Info{throughput}, metric.Shown(metric.Series)...) {
		tables, more := loadTables(runs, shared, info)
		if rows > 0 && rows+more > mostComparedRows {
			left = append(left, info.Label)
			continue
		}
		all, rows = append(all, tables...), rows+more
	}
	slices.SortStableFunc(all, func(a, b loadTable) int {
		return cmp.Compare(slices.Index(shared, a.scenario), slices.Index(shared, b.scenario))
	})
	var group []page.Details
	for _, t := range all {
		suffix := ""
		if len(shared) > 1 {
			suffix = ", " + t.scenario.Title
		}
		name := "cmp-" + IdOf(t.metric.ID) + "-" + t.scenario.Key + key
		group = append(group, *d.fold(name, t.metric.Label+", "+t.scenario.Title,
			func() *page.Grid { return d.pivotTable(t.pivot, t.stat, name, suffix) }))
	}
	blocks := []page.Block{{Group: group}}
	if len(left) > 0 {
		ids := make([]string, len(runs))
		for i, r := range runs {
			ids[i] = r.ID
		}
		blocks = append(blocks, page.Block{Text: []page.Part{
			{Text: page.Upper(strings.Join(left, ", ")) + " by load: "},
			{Text: "the runs side by side", Href: d.Place.To(PathCompare, strings.Join(ids, ","))}, {Text: "."}}})
	}
	return blocks
}

// overlayFigure draws one metric of several runs by load, a small chart for each workload they
// share.
func (d *draft) overlayFigure(id string, runs []*figure.Run, shared []*figure.Scenario, m metric.ID) *page.Figure {
	info, _ := metric.Lookup(m)
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
	// The finding compares two series at the largest common load of the workload that cards are
	// compared by, else of the first.
	first := slices.Clone(list)
	slices.SortStableFunc(first, func(a, b *figure.Scenario) int { return compareBool(b.Preferred(), a.Preferred()) })
	finding := claim.Plain(info.Label + " by load")
	for _, s := range first {
		var of []result
		for _, r := range runs {
			if o := r.Scenario(s.Class); o != nil {
				of = append(of, result{seriesName(r, runs), r, o})
			}
		}
		if lead, ok := leadFinding(of, info, s.Loads()); ok {
			finding = lead
			break
		}
	}
	what := page.Upper(info.Long) + ", " + scale.Unit + ". " + horizontal(list[0].Axis) + "."
	build := func() []panel {
		var ps []panel
		var cs []*chart.Chart
		for _, s := range list {
			pn := chart.Panel{Y: chart.Axis{Title: info.Label, Unit: scale.Unit}}
			for i, r := range runs {
				if o := r.Scenario(s.Class); o != nil {
					if ps := curve(o, m, "", scale); len(ps) > 0 {
						pn.Series = append(pn.Series,
							chart.Series{Name: seriesName(r, runs), Slot: i%9 + 1, Points: ps})
					}
				}
			}
			c := linesByLoad(info.Label+", "+s.Title, s.Axis, pn)
			cs = append(cs, c)
			ps = append(ps, panel{id: id + "-" + s.Key, title: s.Title, chart: c})
		}
		chart.ShareX(cs...)
		return ps
	}
	var drawn []result
	for _, r := range runs {
		drawn = append(drawn, result{name: seriesName(r, runs), run: r})
	}
	if len(list) == 1 {
		return d.withData(d.figure(id, finding, what, func() *chart.Chart { return build()[0].chart }), drawn...)
	}
	return d.withData(d.panels(id, finding, what, chart.PanelSize.High(220), true, scenarioTitles(list), build), drawn...)
}
