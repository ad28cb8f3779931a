package view

import (
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/claim"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/site/page"
)

// What the pages of rankings show at most. A model's own page has the whole ranking of the model.
const (
	mostRankedRows  = 360 // rows that keep the limits
	mostBrokenRows  = 80  // rows that do not
	mostUntriedRows = 80  // models that were not measured for a use
	mostModelRows   = 60  // rows of one model
)

// rankingsPage lists the uses, and is where a reader sets limits of their own.
func (g *Site) rankingsPage() *draft {
	d := g.draft(page.PathRankings, "rankings", "rankings", "Rankings",
		claim.Plain("Which hardware serves a model fast enough: what it yields within limits of latency and "+
			"failures, at which load, and its cost."))
	if len(g.Index.Runs) == 0 {
		return d.none()
	}
	d.view.Lede = d.lede(
		claim.Plain("Which hardware serves a model fast enough, and what it yields at a load that was "+
			"measured to keep limits of latency and failures. What was not measured is "+
			"not judged."), nil)
	presets := g.uses.presets()
	if len(presets) > 0 {
		d.section("uses", "By use", page.Text("Each use has limits that many would set for it, and is judged by each "+
			"model's workload of fitting lengths that most of its hardware was measured under. ").
			Link("How capacity within limits is computed", d.formula("slo-capacity")).Text(".").Block(),
			d.table("uses", func() *page.Grid {
				t := page.NewTable("Rankings by use", "uses list", presets)
				t.Head("Use", func(p figure.SLOPreset) (string, string) {
					return p.Name,
						d.Place.To(PathRanking(p.ID), "")
				})
				t.Col("Limits", func(p figure.SLOPreset) page.Cell {
					return page.Cell{Text: p.Limits.Words(), Sub: p.Why}
				})
				t.Text("Tokens of a request", "", presetLengths)
				total := func(title string, n func(*ranked) int) {
					t.Count(title, func(p figure.SLOPreset) (sum int) {
						for _, r := range g.uses.of(p) {
							sum += n(r)
						}
						return sum
					})
				}
				total("Models ranked", func(r *ranked) int { return min(r.passes, 1) })
				total("Results that keep the limits", func(r *ranked) int { return r.passes })
				total("Results that do not", func(r *ranked) int { return r.fails })
				total("Not judged", func(r *ranked) int { return r.untried })
				return t.Done()
			}))
	}
	d.prices()
	d.section("own", "Limits of your own", page.Text("Choose a model, set limits on percentiles of TTFT and TPOT and "+
		"on failures, and type what an hour of an accelerator costs you. All is computed on your device; nothing is "+
		"sent. The address of the page keeps what you set. This part needs JavaScript; the rankings by use do "+
		"not.").Block(),
		page.Block{Table: d.fragment("own", g.ownLimits)})
	return d.done()
}

// presetLengths says which lengths of requests stand for a use.
func presetLengths(p figure.SLOPreset) string {
	span := func(lo, hi float64) string {
		switch {
		case lo == 0 && hi == 0:
			return "any"
		case hi == 0:
			return "from " + countText(lo)
		}
		return countText(lo) + "–" + countText(hi)
	}
	in, out := span(p.MinInput, p.MaxInput), span(p.MinOutput, p.MaxOutput)
	if in == "any" && out == "any" {
		return "any"
	}
	return in + " in, " + out + " out"
}

// rankingPage is the ranking of all models for one use.
func (g *Site) rankingPage(p figure.SLOPreset) *draft {
	d := g.draft(PathRanking(p.ID), "ranking", "rankings", p.Name+": hardware within limits",
		claim.Plain("Hardware that serves each model "+
			"within "+p.Limits.Words()+", ranked by throughput per accelerator.",
			p.Limits.Words()))
	d.view.Crumbs = []page.Link{{Text: "Rankings", Href: d.Place.To(page.PathRankings, "")}, {Text: p.Name}}
	d.view.Lede = d.lede(claim.Plain(p.Why, p.Why), nil) // a setting
	d.view.Facts = d.rankingFacts(p)

	list := g.uses.of(p)
	d.answers(p, list)
	d.firm(list)
	d.keeping(p, list)
	d.breaking(p, list)
	d.untried(p, list)
	d.next(p)
	return d.done()
}

// rankingFacts are the limits of a ranking, what it is of, and the way to the others.
func (d *draft) rankingFacts(p figure.SLOPreset) []page.Fact {
	facts := []page.Fact{
		{Name: "Limits", Parts: page.Linked(page.Glue(p.Limits.Words()), d.formula("slo-capacity"))},
		{Name: "Tokens of a request", Parts: page.Text(presetLengths(p))},
		{Name: "Ranked by", Parts: page.Linked("throughput per accelerator", d.formula("throughput-per-accelerator"))},
	}
	var others []page.Part
	for _, o := range d.g.uses.presets() {
		if o.ID != p.ID {
			others = append(others, page.Part{Text: o.Name, Href: d.Place.To(PathRanking(o.ID), "")},
				page.Part{Text: ", "})
		}
	}
	others = append(others, page.Part{Text: "limits of your own", Href: d.Place.To(page.PathRankings, "own")})
	return append(facts, page.Fact{Name: "Other rankings", Parts: others})
}

// keeping ranks the results that keep the limits: with many of them the best of each model.
func (d *draft) keeping(p figure.SLOPreset, list []*ranked) {
	passes, models := 0, 0
	for _, r := range list {
		if passes += r.passes; r.passes > 0 {
			models++
		}
	}
	if passes == 0 {
		d.section("ranked", "Keeps the limits", page.Paragraph("No result keeps them at any load measured."))
		return
	}
	each := mostRankedRows
	if passes > mostRankedRows {
		each = max(1, mostRankedRows/models)
	}
	var pass []sloEntry
	for _, r := range list {
		pass = append(pass, r.entries(figure.Passes, min(each, mostRankedRows-len(pass)))...)
	}
	var often []int
	for _, e := range pass {
		often = append(often, timesMeasured(e.row.Scenario, e.row.Load))
	}
	intro := "For each model its hardware in the order of output throughput per accelerator at the best " +
		"load: the one that yields most of those that were measured to keep the limits." + uncertain(often) + " Where " +
		"a limit's own statistic is not recorded, the nearest is named at the value; such results stand behind " +
		"the others."
	if slices.ContainsFunc(pass, func(e sloEntry) bool { return e.rank == 0 }) {
		intro += " Where throughput per accelerator is not known, there is no rank."
	}
	if n := passes - len(pass); n > 0 {
		first := "The best " + itoa(each) + " of each model"
		if models > mostRankedRows {
			first = "The first " + metric.Count(len(pass))
		}
		intro += " " + first + "; " + metric.Count(n) +
			" more results keep the limits and stand on the pages of their models."
	}
	intro += " A strip has a column for each measured load and a lane for each limit, one for failed requests where " +
		"some load has too many; the words beside it are of the first load over a limit."
	d.section("ranked", "Keeps the limits", page.Paragraph(intro), page.Block{Table: d.fragment("strips", stripLegend)},
		d.table("ranked", func() *page.Grid {
			t := d.sloTable(p, pass, true)
			t.Caption, t.Filter = p.Name+": hardware that keeps the limits", true
			return t
		}))
}

// breaking lists the results that were measured and keep the limits at no load.
func (d *draft) breaking(p figure.SLOPreset, list []*ranked) {
	var broken []sloEntry
	fails := 0
	for _, r := range list {
		fails += r.fails
		broken = append(broken, r.entries(figure.Fails, mostBrokenRows-len(broken))...)
	}
	if fails == 0 {
		return
	}
	intro := "Measured, and over a limit at every load; the reason is that of the smallest load."
	if n := fails - len(broken); n > 0 {
		intro += " " + metric.Count(n) + " more stand on the pages of their models."
	}
	d.section("broken", "Does not keep them", page.Paragraph(intro), d.table("broken", func() *page.Grid {
		t := page.NewTable(p.Name+": hardware that does not keep the limits", "tight", broken)
		t.Col("Model", func(e sloEntry) page.Cell { return d.modelCell(e.of.model) })
		t.Col("Hardware", func(e sloEntry) page.Cell { return d.hardwareCell(e.row) })
		t.Col("Workload", func(e sloEntry) page.Cell { return page.Cell{Text: e.of.title, Class: "nw"} })
		t.Text("What is over a limit", "", func(e sloEntry) string { return page.Capital(e.row.Why) })
		return t.Done()
	}))
}

// mostAnswers is how many models have a sentence on top of a ranking.
const mostAnswers = 12

// answers says of each model in a sentence which hardware to take.
func (d *draft) answers(p figure.SLOPreset, list []*ranked) {
	var says []page.Sentence
	for _, r := range list {
		s, ok := takeFor(r, p.Limits.Words())
		if !ok || len(says) == mostAnswers {
			continue
		}
		names := map[string]string{}
		for _, row := range r.rows {
			names[row.Card.Hardware.Name] = d.Place.To(page.PathCard(row.Card.Slug), "")
		}
		says = append(says, page.Sentence{Topic: r.model.Name, Parts: withLinks(d.stated(s), names)})
	}
	if len(says) > 0 {
		d.section("answers", "Which one to take", page.Paragraph("The highest output throughput of the measured loads that keep "+
			page.Glue(p.Limits.Words())+". Where other statistics had to be judged, the sentence names them."),
			page.Block{Says: says})
	}
}

// mostNext is how many cells a page says to measure next.
const mostNext = 5

// next says which results could change an answer of the use most, with the command of the first.
func (d *draft) next(p figure.SLOPreset) {
	var items [][]page.Part
	var first string
	for _, n := range d.g.next() {
		if n.Use.ID != p.ID || len(items) == mostNext {
			continue
		}
		if len(items) == 0 {
			first = Measure(n.Like, n.Scenario)
		}
		items = append(items, page.Linked(n.Model.Name, d.Place.To(page.PathModel(n.Model.Slug), "")).
			Text(" on "+n.Hardware.Name+", "+n.Lacks()+". "+page.Glue(n.Why())))
	}
	if len(items) == 0 {
		return
	}
	blocks := []page.Block{page.Paragraph("The results that could change an answer most. " + figure.NextRule),
		{List: items}}
	if first != "" {
		var lines []page.CodeLine
		for l := range strings.SplitSeq(first, "\n") {
			lines = append(lines, page.CodeLine{Text: l})
		}
		blocks = append(blocks, page.Paragraph("The load of the first, on a server of that hardware; \"inferdex next\" "+
			"prints all, and with --matrix a workflow that measures them:"), page.Block{Code: lines})
	}
	d.section("next", "Run this next", blocks...)
}

// untried lists what cannot be judged, with the reasons: it did not pass.
func (d *draft) untried(p figure.SLOPreset, list []*ranked) {
	var items [][]page.Part
	more := 0
	for _, r := range list {
		for _, why := range reasons(r.rows) {
			if len(items) == mostUntriedRows {
				more++
				continue
			}
			items = append(items, page.Linked(r.model.Name, d.Place.To(page.PathModel(r.model.Slug), "within-limits")).
				Text(" on "+why.hardware()+": "+page.Glue(why.text)+"."))
		}
	}
	fit := 0
	for _, m := range d.g.Index.Models {
		if len(d.g.uses.ranking(p, m).rows) == 0 {
			fit++
		}
	}
	if fit > 0 {
		items = append(items, page.Text(metric.Plural(fit, "model has",
			"models have")+" no load measured under a workload of such lengths."))
	}
	if more > 0 {
		items = append(items, page.Text(metric.Plural(more, "more", "more")+" on the pages of their models."))
	}
	if len(items) > 0 {
		const why = "Neither what a limit is of nor anything near to it was recorded, or the workload was not measured"
		intro := why + ": this is no failure."
		if slices.ContainsFunc(list, func(r *ranked) bool {
			return slices.ContainsFunc(r.rows, func(row figure.SLORow) bool { return row.Outside })
		}) {
			intro = why + ", or only in another division of a benchmark than the one that is ranked: this is no failure."
		}
		d.section("not-judged", "Not judged", page.Paragraph(intro), page.Block{List: items})
	}
}

// reason is why some hardware of a model cannot be judged.
type reason struct {
	text string
	rows []figure.SLORow // in the order of the names of their hardware
}

// hardware names the hardware, of much the first.
func (r reason) hardware() string {
	var names []string
	for _, row := range r.rows {
		names = append(names, row.Card.Hardware.Name)
	}
	return page.Enumerate(firstNames(names, 6))
}

// reasons gathers rows that were not measured by their reason, in the order of the rows.
func reasons(rows []figure.SLORow) []reason {
	var order []string
	by := map[string][]figure.SLORow{}
	for _, r := range rows {
		if r.Verdict == figure.NotMeasured {
			if by[r.Why] == nil {
				order = append(order, r.Why)
			}
			by[r.Why] = append(by[r.Why], r)
		}
	}
	var out []reason
	for _, why := range order {
		slices.SortStableFunc(by[why], func(a, b figure.SLORow) int {
			return byName(a.Card.Hardware.Name, b.Card.Hardware.Name)
		})
		out = append(out, reason{why, by[why]})
	}
	return out
}

// limits is the section of a model's page: its hardware within the limits of each use.
func (d *draft) limits(m *figure.Model) {
	var blocks []page.Block
	for _, p := range figure.SLOPresets {
		r := d.g.uses.ranking(p, m)
		if len(r.rows) == 0 {
			continue
		}
		blocks = append(blocks, page.Block{Heading: &page.Heading{ID: "within-" + p.ID, Text: p.Name}},
			append(page.Text(r.title+". "), d.verdicts(p, r)...).Block())
		var list []sloEntry
		var failing [][]page.Part
		for i, row := range r.rows {
			switch {
			case row.Verdict == figure.Passes && len(list) < mostModelRows:
				list = append(list, r.entry(i))
			case row.Verdict == figure.Fails && len(failing) < mostModelRows:
				failing = append(failing,
					page.Linked(row.Card.Hardware.Name, d.Place.To(page.PathCard(row.Card.Slug), "")).
						Text(": "+row.Why+" "+atSmallest(row)+"."))
			}
		}
		if len(list) > 0 {
			blocks = append(blocks, d.table("within-"+p.ID, func() *page.Grid {
				t := d.sloTable(p, list, false)
				t.Caption = m.Name + ", " + strings.ToLower(p.Name) + ": " + p.Limits.Words()
				return t
			}))
		}
		if len(failing) > 0 {
			if len(list) > 0 {
				blocks = append(blocks, page.Paragraph("Over a limit at every load:"))
			}
			blocks = append(blocks, page.Block{List: failing})
		}
	}
	if len(blocks) == 0 {
		return
	}
	if slices.ContainsFunc(blocks, func(b page.Block) bool { return b.Table != "" }) {
		blocks = slices.Insert(blocks, 0, page.Block{Table: d.fragment("strips", stripLegend)})
	}
	blocks = append(blocks, page.Linked("Set limits and prices of your own", d.ownHref(m)).
		Text(" for this and other models. ").Link("Formula", d.formula("slo-capacity")).Block())
	d.section("within-limits", "Best load within limits", blocks...)
}

// atSmallest names the smallest load of a row that fails at all of them.
func atSmallest(r figure.SLORow) string {
	l := r.Scenario.Loads()[0]
	return "at " + LoadName(r.Scenario.Axis, l) + ", the smallest load"
}

// verdicts says in sentences how the hardware of a model fares.
func (d *draft) verdicts(p figure.SLOPreset, r *ranked) (ps page.Parts) {
	ranking := d.Place.To(PathRanking(p.ID), "")
	says := judged(r.rows)
	for _, s := range says {
		ps = append(ps, append(d.lede(s, map[string]string{p.Limits.Words(): ranking}).Parts(), page.Part{Text: " "})...)
	}
	if len(says) == 0 {
		ps = page.Linked(p.Limits.Words(), ranking).Text(": ")
	}
	for _, why := range reasons(r.rows) {
		ps = ps.Text("Not judged on " + why.hardware() + ": " + why.text + ". ")
	}
	return ps
}

// judged says how many results keep limits, of those that were held against the same statistics together; none where
// nothing can be judged.
func judged(rows []figure.SLORow) (says []claim.Sentence) {
	left := slices.DeleteFunc(slices.Clone(rows), func(r figure.SLORow) bool { return r.Verdict == figure.NotMeasured })
	for len(left) > 0 {
		held := left[0].Held
		same := func(r figure.SLORow) bool { return figure.HeldWords(r.Held) == figure.HeldWords(held) }
		says = append(says, countKept(held, slices.DeleteFunc(slices.Clone(left),
			func(r figure.SLORow) bool { return !same(r) })))
		left = slices.DeleteFunc(left, same)
	}
	return says
}

// countKept says how many results keep limits, and how many do not.
func countKept(held []figure.Held, rows []figure.SLORow) claim.Sentence {
	c := claim.State(claim.KindLimits)
	passes, fails := 0, 0
	for _, row := range rows {
		if row.Verdict == figure.Passes {
			passes++
			c.Within(claim.Keeps, held, c.At(limited(row, row.Load)))
			continue
		}
		fails++
		c.Within(claim.Breaks, held, c.At(limited(row, row.Scenario.Loads()[0])))
	}
	c.Makes(claim.Kept, float64(passes)).Makes(claim.Fails, float64(fails))
	words := figure.HeldWords(held)
	if passes == 0 {
		return c.Say("No result keeps ").Say("%s", words).Say(" at any load measured.").Sentence()
	}
	c.Say("%s ", metric.Plural(passes, "result keeps", "results keep")).Say("%s", words).Say(" at some load")
	if fails > 0 {
		c.Say(", %d at none", fails)
	}
	return c.Say(".").Sentence()
}

// limitsOn is the section of an accelerator's page: for each use how the models on it fare.
func (d *draft) limitsOn(h *figure.Hardware) {
	var items [][]page.Part
	for _, p := range figure.SLOPresets {
		var rows []figure.SLORow
		for _, r := range d.g.uses.of(p) {
			for _, row := range r.rows {
				if row.Card.Hardware.Accelerator.Slug == h.Slug {
					rows = append(rows, row)
				}
			}
		}
		if len(rows) == 0 {
			continue
		}
		item := page.Linked(p.Name, d.Place.To(PathRanking(p.ID), "")).Text(": ")
		for _, s := range judged(rows) {
			item = append(item, append(d.stated(s), page.Part{Text: " "})...)
		}
		unjudged, outside := 0, 0
		for _, r := range rows {
			switch {
			case r.Outside:
				outside++
			case r.Run != nil && r.Verdict == figure.NotMeasured:
				unjudged++
			}
		}
		if unjudged > 0 {
			item = item.Text(metric.Plural(unjudged, "result is", "results are") + " not judged: nothing near to " +
				"what a limit is of is known.")
		}
		if outside > 0 {
			if unjudged > 0 {
				item = item.Text(" ")
			}
			item = item.Text(metric.Plural(outside, "result is", "results are") + " not judged: others of the model are of " +
				"the division that is ranked.")
		}
		items = append(items, item)
	}
	if len(items) > 0 {
		d.section("within-limits", "Within limits", page.Block{List: items})
	}
}

// limited is what a row has at its load of a limited time in seconds. instead says which statistic it is where that
// of the limit is not recorded: "median", "1 / speed per request p25".
func (e sloEntry) limited(m metric.ID) (v float64, instead string, ok bool) {
	for _, h := range e.row.Held {
		switch {
		case h.Metric == m && h.For == figure.Statistic{}:
			v, ok = figure.Get(e.row.Point, m, h.Stat)
			return v, "", ok
		case h.Metric == m || h.For.Metric == m:
			if h.Most == nil {
				v, ok = figure.TimeOf(e.row.Point, h.Metric, figure.Opposite(h.Stat))
				return v, "1 / " + h.Name(), ok
			}
			v, ok = figure.Get(e.row.Point, h.Metric, h.Stat)
			if h.Metric != m {
				return v, h.Name(), ok
			}
			return v, h.Stat, ok
		}
	}
	return 0, "", false
}

func (d *draft) modelCell(m *figure.Model) page.Cell {
	return page.Cell{Text: m.Name, Href: d.Place.To(page.PathModel(m.Slug), "within-limits"), Head: true}
}

func (d *draft) hardwareCell(r figure.SLORow) page.Cell {
	c := page.Cell{Text: r.Card.Hardware.Name, Href: d.Place.To(page.PathCard(r.Card.Slug), "")}
	if r.Run != nil {
		engine, _ := EngineText(r.Run.Engine)
		c.Sub = divided(engine, r.Run)
	}
	return c
}

// sloTable is a ranking by limits, of rows that keep them: the load, what it yields, the limited latencies there,
// energy and, where a price is known, cost.
func (d *draft) sloTable(p figure.SLOPreset, list []sloEntry, models bool) *page.Grid {
	t := page.NewTable("", "rank tight list", list)
	if models {
		t.Each(func(i int, e sloEntry, row *page.Row) {
			if i > 0 && list[i-1].of != e.of {
				row.Class = "sep"
			}
		})
		t.Col("Model", func(e sloEntry) page.Cell {
			c := d.modelCell(e.of.model)
			c.Sub = e.of.title
			return c
		})
	}
	t.Add(page.Column{Title: "Rank", Num: true, Hidden: !models, Front: !models}, func(e sloEntry) page.Cell {
		if e.rank == 0 {
			return page.Cell{}
		}
		return page.Cell{Text: itoa(e.rank), Class: "mut"}
	})
	t.Add(page.Column{Title: "Hardware", Front: models}, func(e sloEntry) page.Cell {
		c := d.hardwareCell(e.row)
		c.Head = !models
		return c
	})
	t.Num("Best load", "", func(e sloEntry) page.Cell {
		c := page.Cell{Text: LoadName(e.row.Scenario.Axis, e.row.Load), Sort: metric.Exact(e.row.Load),
			Exact: infTitle(e.row.Load),
			Class: "nw", Href: d.pointHref(e.row.Run, e.row.Scenario, e.row.Point)}
		switch {
		case e.row.Highest:
			c.Sub = "highest measured"
		case e.row.UpTo > e.row.Load:
			c.Sub = "kept up to " + LoadName(e.row.Scenario.Axis, e.row.UpTo)
		}
		return c
	})
	sloThroughput(t, list)
	d.stripColumn(t, p)
	for _, info := range metric.Shown(metric.Limits) {
		limit := p.Limits.Of(info.ID)
		if limit.Max <= 0 {
			continue
		}
		var vs []*float64
		for _, e := range list {
			if v, _, ok := e.limited(info.ID); ok {
				vs = append(vs, &v)
			}
		}
		scale := metric.ScaleFor(metric.Seconds, vs)
		t.Num(info.Label+" "+limit.Stat, scale.Unit, func(e sloEntry) page.Cell {
			v, instead, ok := e.limited(info.ID)
			c := page.NumberIf(v, ok, scale)
			if c.Sub = instead; instead != "" {
				c.Class = "warn"
			}
			return c
		})
	}
	basis := energyBasis(list)
	t.Num("Tokens per joule", BasisText(basis), func(e sloEntry) page.Cell {
		x, ok := e.row.Run.TokensPerJoule(e.row.Point)
		if !ok {
			return energyCell(nil, false)
		}
		return energyCell(&x, basis == "")
	})
	t.Num("Cost", "of 10⁶ output tokens", func(e sloEntry) page.Cell { return costCells(e.row.Costs)[0] })
	t.Num("Output tokens", "for the money", func(e sloEntry) page.Cell { return costCells(e.row.Costs)[1] })
	return t.Done()
}

// sloThroughput adds what a load within limits yields.
func sloThroughput(t *page.Table[sloEntry], list []sloEntry) {
	best := map[*ranked]float64{}
	for _, e := range list {
		if v := e.row.PerAccelerator; v != nil && e.of.asBest(e.row) {
			best[e.of] = max(best[e.of], *v)
		}
	}
	t.Add(page.Column{Title: "Per accelerator", Unit: "output tok/s", Num: true, Front: true}, func(e sloEntry) page.Cell {
		v := e.row.PerAccelerator
		if v == nil {
			if e.row.Throughput == nil {
				return page.Missing("throughput not known")
			}
			return page.Missing("count not recorded")
		}
		c := page.Number(*v, metric.Scale{})
		if looksAs(*v, best[e.of]) && e.of.asBest(e.row) {
			c.Class = "best"
		}
		return c
	})
	t.Col("Relative to best", func(e sloEntry) page.Cell {
		if v := e.row.PerAccelerator; v != nil && e.of.asBest(e.row) {
			return shareCell(*v / best[e.of])
		}
		return page.Cell{}
	})
	t.Num("Output", "tok/s", func(e sloEntry) page.Cell {
		c := page.Missing("")
		if v := e.row.Throughput; v != nil {
			c = page.Number(*v, metric.Scale{})
		}
		incompleteWarning(&c, e.row.Point)
		return c
	})
}

// energyBasis is where the power of all rows comes from, "" where that differs or none is known.
func energyBasis(list []sloEntry) string {
	basis, some := "", false
	for _, e := range list {
		x, ok := e.row.Run.TokensPerJoule(e.row.Point)
		switch {
		case !ok:
		case !some:
			basis, some = x.Basis, true
		case x.Basis != basis:
			return ""
		}
	}
	return basis
}
