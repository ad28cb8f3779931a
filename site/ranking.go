package site

import (
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/settings"
)

// What the pages of rankings show at most. A model's own page has the whole ranking of the model.
const (
	mostRankedRows  = 360 // rows that keep the limits
	mostBrokenRows  = 80  // rows that do not
	mostUntriedRows = 80  // models that were not measured for a use
	mostModelRows   = 60  // rows of one model
)

func pathRanking(preset string) string { return pathRankings + "/" + preset }

// ranked is the cards of a model in the order of what they serve within the limits of a use.
type ranked struct {
	model *figure.Model
	// title names the workload; "" where the model was measured under none that fits the use.
	title string
	rows  []figure.SLORow
	// passes, fails and untried count the rows by their verdicts.
	passes, fails, untried int
}

// ranking ranks the cards of a model for a use. It is asked for by several pages.
func (g *generator) ranking(p figure.SLOPreset, m *figure.Model) *ranked {
	key := [2]string{p.ID, m.Slug}
	if r := g.rankings[key]; r != nil {
		return r
	}
	r := &ranked{model: m}
	if u, ok := m.ClassFor(p); ok {
		r.title, r.rows = classNames(m)[u.Class], g.ix.RankSLO(m, u.Class, p.Limits)
	}
	for _, row := range r.rows {
		switch row.Verdict {
		case figure.Passes:
			r.passes++
		case figure.Fails:
			r.fails++
		default:
			r.untried++
		}
	}
	if g.rankings == nil {
		g.rankings = map[[2]string]*ranked{}
	}
	g.rankings[key] = r
	return r
}

// classNames names the workload classes of a model: by their titles, and where two have the same,
// also by the kind of load and the measuring tool.
func classNames(m *figure.Model) map[string]string {
	names, tools := map[string]string{}, map[string]string{}
	for _, r := range m.Runs() {
		for _, s := range r.Scenarios {
			if tools[s.Class] == "" {
				tools[s.Class] = toolText(r)
			}
		}
	}
	classes := m.Classes()
	for _, add := range []func(figure.ClassUse) string{
		func(u figure.ClassUse) string { return u.Scenario.Title },
		func(u figure.ClassUse) string { return ", by " + loadNoun(u.Scenario.Axis) },
		func(u figure.ClassUse) string { return ", " + tools[u.Class] },
	} {
		n := map[string]int{}
		for _, u := range classes {
			n[names[u.Class]]++
		}
		for _, u := range classes {
			if n[names[u.Class]] > 1 || names[u.Class] == "" {
				names[u.Class] += add(u)
			}
		}
	}
	return names
}

// rankingsOf are the rankings of all models that have a workload that fits a use.
func (g *generator) rankingsOf(p figure.SLOPreset) []*ranked {
	var out []*ranked
	for _, m := range g.ix.Models {
		if r := g.ranking(p, m); len(r.rows) > 0 {
			out = append(out, r)
		}
	}
	return out
}

// usedPresets are the uses that a workload of the catalog stands for.
func (g *generator) usedPresets() []figure.SLOPreset {
	return slices.DeleteFunc(slices.Clone(figure.SLOPresets), func(p figure.SLOPreset) bool { return len(g.rankingsOf(p)) == 0 })
}

// rankingsPage lists the uses, and is where a reader sets limits of their own.
func (g *generator) rankingsPage() *draft {
	d := g.draft(pathRankings, "rankings", "rankings", "Rankings", "Which hardware serves a model fast enough: the highest load within limits of latency and failures, its throughput and its cost.")
	if len(g.ix.Runs) == 0 {
		d.section("rankings", "Rankings", paragraph("The catalog holds no run yet."))
		return d.done()
	}
	d.view.Lede = text("Which hardware serves a model fast enough, and what it yields there: for limits of latency and failures, the highest load that was measured to keep them. What was not measured does not pass.")
	presets := g.usedPresets()
	if len(presets) > 0 {
		d.section("uses", "By use", Block{Text: []Part{{Text: "Each use has limits that many would set for it, and is judged by each model's workload of fitting lengths that most of its hardware was measured under. "}, {Text: "How capacity within limits is computed", Href: d.place.page(pathMethodology, "slo-capacity")}, {Text: "."}}},
			d.table("uses", func() *table {
				t := &table{caption: "Rankings by use", class: "uses", columns: []column{{title: "Use"}, {title: "Limits"}, {title: "Tokens of a request"}, {title: "Models ranked", num: true}, {title: "Results that keep the limits", num: true}, {title: "That do not", num: true}, {title: "Not measured", num: true}}}
				for _, p := range presets {
					var n ranked
					models := 0
					for _, r := range g.rankingsOf(p) {
						n.passes, n.fails, n.untried = n.passes+r.passes, n.fails+r.fails, n.untried+r.untried
						if r.passes > 0 {
							models++
						}
					}
					t.rows = append(t.rows, row{cells: []cell{{text: p.Name, href: d.place.page(pathRanking(p.ID), ""), head: true}, {text: p.Limits.Words(), sub: p.Why}, {text: presetLengths(p)},
						countCell(models), countCell(n.passes), countCell(n.fails), countCell(n.untried)}})
				}
				return t
			}))
	}
	d.prices()
	d.section("own", "Limits of your own", Block{Text: []Part{{Text: "Choose a model, set limits on percentiles of TTFT and TPOT and on failures, and type what an hour of an accelerator costs you. All is computed on your device; nothing is sent. The address of the page keeps what you set. This part needs JavaScript; the rankings by use do not."}}},
		Block{Table: d.fragment("own", g.ownLimits)})
	return d.done()
}

// countCell is a number of things.
func countCell(n int) cell { return cell{text: metric.Count(int64(n))} }

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
func (g *generator) rankingPage(p figure.SLOPreset) *draft {
	d := g.draft(pathRanking(p.ID), "ranking", "rankings", p.Name+": hardware within limits", "Hardware that serves each model within "+p.Limits.Words()+", ranked by throughput per accelerator.")
	d.view.Crumbs = []Link{{Text: "Rankings", Href: d.place.page(pathRankings, "")}, {Text: p.Name}}
	d.view.Lede = text(p.Why)
	d.view.Facts = []Fact{
		{Name: "Limits", Parts: []Part{{Text: p.Limits.Words(), Href: d.place.page(pathMethodology, "slo-capacity")}}},
		{Name: "Tokens of a request", Parts: text(presetLengths(p))},
		{Name: "Ranked by", Parts: []Part{{Text: "throughput per accelerator", Href: d.place.page(pathMethodology, "throughput-per-accelerator")}}},
	}
	var others []Part
	for _, o := range g.usedPresets() {
		if o.ID != p.ID {
			others = append(others, Part{Text: o.Name, Href: d.place.page(pathRanking(o.ID), "")}, Part{Text: ", "})
		}
	}
	others = append(others, Part{Text: "limits of your own", Href: d.place.page(pathRankings, "own")})
	d.view.Facts = append(d.view.Facts, Fact{Name: "Other rankings", Parts: others})

	list := g.rankingsOf(p)
	var pass, broken []sloEntry
	passes, fails := 0, 0
	for _, r := range list {
		passes, fails = passes+r.passes, fails+r.fails
	}
	each := mostRankedRows
	if passes > mostRankedRows {
		each = max(1, mostRankedRows/len(list))
	}
	for _, r := range list {
		for i, row := range r.rows {
			switch {
			case row.Verdict == figure.Passes && i < each && len(pass) < mostRankedRows:
				pass = append(pass, sloEntry{r, row, i + 1})
			case row.Verdict == figure.Fails && len(broken) < mostBrokenRows:
				broken = append(broken, sloEntry{r, row, 0})
			}
		}
	}
	if len(pass) > 0 {
		intro := "For each model its hardware in the order of output throughput per accelerator at the highest measured load that keeps the limits. One run each: differences of a few per cent carry no claim."
		if n := passes - len(pass); n > 0 {
			intro += " The best " + itoa(each) + " of each model; " + metric.Count(int64(n)) + " more results keep the limits and stand on the pages of their models."
		}
		d.section("ranked", "Keeps the limits", paragraph(intro), d.table("ranked", func() *table {
			t := d.sloTable(p, pass, true)
			t.caption, t.filter = p.Name+": hardware that keeps the limits", true
			return t
		}))
	} else {
		d.section("ranked", "Keeps the limits", paragraph("No result keeps them at any load measured."))
	}
	if len(broken) > 0 {
		intro := "Measured, and over a limit at every load; the reason is that of the smallest load."
		if n := fails - len(broken); n > 0 {
			intro += " " + metric.Count(int64(n)) + " more stand on the pages of their models."
		}
		d.section("broken", "Does not keep them", paragraph(intro), d.table("broken", func() *table {
			t := &table{caption: p.Name + ": hardware that does not keep the limits", class: "tight", columns: []column{{title: "Model"}, {title: "Hardware"}, {title: "Workload"}, {title: "What is over a limit"}}}
			for _, e := range broken {
				t.rows = append(t.rows, row{cells: []cell{d.modelCell(e.of.model), d.hardwareCell(e.row), {text: e.of.title, class: "nw"}, {text: sentenceCase(e.row.Why)}}})
			}
			return t
		}))
	}
	d.untried(p, list)
	return d.done()
}

// untried lists what cannot be judged, with the reasons: it did not pass.
func (d *draft) untried(p figure.SLOPreset, list []*ranked) {
	var items [][]Part
	more := 0
	for _, r := range list {
		for _, why := range reasons(r.rows) {
			if len(items) == mostUntriedRows {
				more++
				continue
			}
			items = append(items, []Part{{Text: r.model.Name, Href: d.place.page(pathModel(r.model.Slug), "within-limits")}, {Text: " on " + why.hardware + ": " + glue(why.text) + "."}})
		}
	}
	fit := 0
	for _, m := range d.g.ix.Models {
		if len(d.g.ranking(p, m).rows) == 0 {
			fit++
		}
	}
	if fit > 0 {
		items = append(items, text(plural(fit, "model has", "models have")+" no load measured under a workload of such lengths."))
	}
	if more > 0 {
		items = append(items, text(plural(more, "more", "more")+" on the pages of their models."))
	}
	if len(items) > 0 {
		d.section("not-measured", "Not measured", paragraph("A statistic that a limit is set on and that no record has does not pass, and does not fail."), Block{List: items})
	}
}

// reason is why some hardware of a model cannot be judged.
type reason struct{ text, hardware string }

// reasons gathers rows that were not measured by their reason, in the order of the rows.
func reasons(rows []figure.SLORow) []reason {
	var order []string
	by := map[string][]string{}
	for _, r := range rows {
		if r.Verdict == figure.NotMeasured {
			if by[r.Why] == nil {
				order = append(order, r.Why)
			}
			by[r.Why] = append(by[r.Why], r.Card.Hardware.Name)
		}
	}
	var out []reason
	for _, why := range order {
		names := by[why]
		if n := len(names) - 6; n > 0 {
			names = append(names[:6:6], itoa(n)+" more")
		}
		out = append(out, reason{why, enumerate(names)})
	}
	return out
}

// limits is the section of a model's page: its hardware within the limits of each use.
func (d *draft) limits(m *figure.Model) {
	var blocks []Block
	for _, p := range figure.SLOPresets {
		r := d.g.ranking(p, m)
		if len(r.rows) == 0 {
			continue
		}
		blocks = append(blocks, Block{Heading: &Heading{ID: "within-" + p.ID, Text: p.Name}},
			Block{Text: []Part{{Text: p.Limits.Words(), Href: d.place.page(pathRanking(p.ID), "")}, {Text: ". " + glue(r.title) + ". " + d.verdicts(r)}}})
		var list []sloEntry
		var failing [][]Part
		for i, row := range r.rows {
			switch {
			case row.Verdict == figure.Passes && len(list) < mostModelRows:
				list = append(list, sloEntry{r, row, i + 1})
			case row.Verdict == figure.Fails && len(failing) < mostModelRows:
				failing = append(failing, []Part{{Text: row.Card.Hardware.Name, Href: d.place.page(pathCard(row.Card.Slug), "")}, {Text: ": " + row.Why + " " + atSmallest(row) + "."}})
			}
		}
		if len(list) > 0 {
			blocks = append(blocks, d.table("within-"+p.ID, func() *table {
				t := d.sloTable(p, list, false)
				t.caption = m.Name + ", " + strings.ToLower(p.Name) + ": " + p.Limits.Words()
				return t
			}))
		}
		if len(failing) > 0 {
			if len(list) > 0 {
				blocks = append(blocks, paragraph("Over a limit at every load:"))
			}
			blocks = append(blocks, Block{List: failing})
		}
	}
	if len(blocks) == 0 {
		return
	}
	blocks = append(blocks, Block{Text: []Part{{Text: "Set limits and prices of your own", Href: d.ownHref(m)}, {Text: " for this and other models. "}, {Text: "Formula", Href: d.place.page(pathMethodology, "slo-capacity")}}})
	d.section("within-limits", "Highest load within limits", blocks...)
}

// atSmallest names the smallest load of a row that fails at all of them.
func atSmallest(r figure.SLORow) string {
	l := r.Scenario.Loads()[0]
	return "at " + loadName(r.Scenario.Axis, l) + ", the smallest load"
}

// verdicts says in a sentence how the hardware of a model fares.
func (d *draft) verdicts(r *ranked) string {
	var ws []string
	if r.passes > 0 {
		ws = append(ws, itoa(r.passes)+" of "+itoa(len(r.rows))+" keep the limits")
	} else if r.fails > 0 {
		ws = append(ws, "no hardware keeps the limits at any load measured")
	}
	for _, why := range reasons(r.rows) {
		ws = append(ws, "not measured on "+why.hardware+": "+why.text)
	}
	return sentenceCase(strings.Join(ws, "; ")) + "."
}

// limitsOn is the section of an accelerator's page: for each use how the models on it fare.
func (d *draft) limitsOn(h *figure.Hardware) {
	var items [][]Part
	for _, p := range figure.SLOPresets {
		var n ranked
		best := 0
		for _, r := range d.g.rankingsOf(p) {
			for i, row := range r.rows {
				if row.Card.Hardware.Accelerator.Slug != h.Slug {
					continue
				}
				switch row.Verdict {
				case figure.Passes:
					n.passes++
					if i == 0 && r.passes > 1 {
						best++
					}
				case figure.Fails:
					n.fails++
				default:
					n.untried++
				}
			}
		}
		if n.passes+n.fails+n.untried == 0 {
			continue
		}
		s := ": " + itoa(n.passes) + " of " + plural(n.passes+n.fails+n.untried, "result", "results") + " keep the limits"
		if n.untried > 0 {
			s += ", " + itoa(n.untried) + " not measured"
		}
		if best > 0 {
			s += "; the most throughput per accelerator for " + plural(best, "model", "models")
		}
		items = append(items, []Part{{Text: p.Name, Href: d.place.page(pathRanking(p.ID), "")}, {Text: " (" + p.Limits.Words() + ")" + s + "."}})
	}
	if len(items) > 0 {
		d.section("within-limits", "Within limits", Block{List: items})
	}
}

// sloEntry is a row of a ranking of one or several models.
type sloEntry struct {
	of   *ranked
	row  figure.SLORow
	rank int
}

func (d *draft) modelCell(m *figure.Model) cell {
	return cell{text: m.Name, href: d.place.page(pathModel(m.Slug), "within-limits"), head: true}
}

func (d *draft) hardwareCell(r figure.SLORow) cell {
	c := cell{text: r.Card.Hardware.Name, href: d.place.page(pathCard(r.Card.Slug), "")}
	if r.Run != nil {
		c.sub, _ = engineText(r.Run.Engine)
	}
	return c
}

// sloTable is a ranking by limits, of rows that keep them: the load, what it yields, the limited latencies there, energy
// and, where a price is known, cost.
func (d *draft) sloTable(p figure.SLOPreset, list []sloEntry, models bool) *table {
	t := &table{class: "rank tight"}
	if models {
		t.columns = append(t.columns, column{title: "Model"}, column{title: "Rank", num: true})
	} else {
		t.columns = append(t.columns, column{title: "Rank", num: true, hidden: true})
	}
	t.columns = append(t.columns, column{title: "Hardware"})
	t.columns = append(t.columns, column{title: "Highest load", num: true}, column{title: "Per accelerator", unit: "output tok/s", num: true}, column{title: "Relative to best"}, column{title: "Output", unit: "tok/s", num: true})
	type latency struct {
		metric metric.ID
		l      figure.Limit
		scale  metric.Scale
	}
	var lats []latency
	for _, l := range []latency{{metric: metric.TTFT, l: p.Limits.TTFT}, {metric: metric.TPOT, l: p.Limits.TPOT}} {
		if l.l.Max <= 0 {
			continue
		}
		var vs []*float64
		for _, e := range list {
			if v, ok := figure.Get(e.row.Point, l.metric, l.l.Stat); ok {
				vs = append(vs, &v)
			}
		}
		l.scale = metric.ScaleFor(metric.Seconds, vs)
		lats = append(lats, l)
		t.columns = append(t.columns, column{title: strings.ToUpper(string(l.metric)) + " " + l.l.Stat, unit: l.scale.Unit, num: true})
	}
	var energies []figure.Energy
	energy := make([]*figure.Energy, len(list))
	cost := false
	for i, e := range list {
		if x, ok := e.row.Run.TokensPerJoule(e.row.Point); ok {
			energies = append(energies, x)
			energy[i] = &energies[len(energies)-1]
		}
		cost = cost || len(e.row.Costs) > 0
	}
	basis := ""
	if len(energies) > 0 {
		basis = energies[0].Basis
		if slices.ContainsFunc(energies, func(e figure.Energy) bool { return e.Basis != basis }) {
			basis = ""
		}
		t.columns = append(t.columns, column{title: "Tokens per joule", unit: basisText(basis), num: true})
	}
	if cost {
		t.columns = append(t.columns, column{title: "Cost", unit: "of 10⁶ output tokens", num: true}, column{title: "Output tokens", unit: "for the money", num: true})
	}
	best := map[*ranked]float64{}
	for _, e := range list {
		if v := e.row.PerAccelerator; v != nil {
			best[e.of] = max(best[e.of], *v)
		}
	}
	for i, e := range list {
		rw := row{}
		if models {
			c := d.modelCell(e.of.model)
			c.sub = e.of.title
			rw.cells = append(rw.cells, c)
			if i > 0 && list[i-1].of != e.of {
				rw.class = "sep"
			}
		}
		rank, hw := cell{text: itoa(e.rank), class: "mut"}, d.hardwareCell(e.row)
		hw.head = !models
		rw.cells = append(rw.cells, rank, hw)
		load := cell{text: loadName(e.row.Scenario.Axis, e.row.Load), sort: rowLoad(e.row.Load), exact: infTitle(e.row.Load), class: "nw", href: d.pointHref(e.row.Run, e.row.Scenario, e.row.Point)}
		if e.row.Highest {
			load.sub = "highest measured"
		}
		per := missing("count not recorded")
		rel := cell{}
		if v := e.row.PerAccelerator; v != nil {
			per = cell{text: metric.Format(*v), exact: metric.Exact(*v)}
			if *v == best[e.of] {
				per.class = "best"
			}
			rel = shareCell(1, *v/best[e.of])
		}
		out := missing("")
		if v := e.row.Throughput; v != nil {
			out = cell{text: metric.Format(*v), exact: metric.Exact(*v)}
		}
		if ratio, done, sent, ok := figure.Success(e.row.Point); ok && ratio < 1 {
			out.sub, out.subWarn = metric.Count(done)+" of "+metric.Count(sent), true
		}
		rw.cells = append(rw.cells, load, per, rel, out)
		for _, l := range lats {
			v, ok := figure.Get(e.row.Point, l.metric, l.l.Stat)
			rw.cells = append(rw.cells, numberCell(v, ok, l.scale))
		}
		if len(energies) > 0 {
			rw.cells = append(rw.cells, energyCell(energy[i], basis == ""))
		}
		if cost {
			rw.cells = append(rw.cells, costCells(e.row.Costs)...)
		}
		t.rows = append(t.rows, rw)
	}
	return t
}

// basisText names where watts come from, short enough for the head of a column.
func basisText(basis string) string {
	switch basis {
	case figure.BoardPower:
		return "board power"
	case figure.MeasuredPower, figure.MeasuredEnergy:
		return "measured"
	}
	return ""
}

// energyCell is tokens per joule; each cell names its basis where the column does not.
func energyCell(e *figure.Energy, named bool) cell {
	if e == nil {
		return dot("no power is known")
	}
	c := cell{text: metric.Format(e.TokensPerJoule), exact: metric.Exact(e.TokensPerJoule)}
	if named {
		c.sub = basisText(e.Basis)
	}
	return c
}

// costCells are the cheapest cost with its source, and what a unit of the currency buys.
func costCells(costs []figure.Cost) []cell {
	if len(costs) == 0 {
		return []cell{dot("no price is stated"), dot("no price is stated")}
	}
	c := costs[0]
	sub := "at " + priceText(c.Price)
	if n := len(costs) - 1; n > 0 {
		sub += "; " + plural(n, "more price", "more prices") + " on the card"
	}
	return []cell{{text: metric.Format(c.PerMillion) + metric.ThinSpace + c.Price.Currency, exact: metric.Exact(c.PerMillion) + " " + c.Price.Currency, sort: metric.Exact(c.PerMillion), sub: sub, href: webAddress(c.Price.Address), class: "priced"},
		{text: metric.Format(c.TokensPerUnit), exact: metric.Exact(c.TokensPerUnit), sub: "for 1" + metric.ThinSpace + c.Price.Currency}}
}

// priceText names a price row: "2.5 USD an hour on 2025-03-26, Example Cloud".
func priceText(p settings.Price) string {
	return metric.Exact(p.PerHour) + metric.ThinSpace + p.Currency + " an hour on " + p.Date + ", " + clip(p.Provider, 60)
}

// prices is the section of stated prices: only accelerators that the catalog has.
func (d *draft) prices() {
	var list []settings.Price
	names := map[string]*figure.Hardware{}
	for _, h := range d.g.ix.Hardware {
		names[h.Accelerator.ID] = h
	}
	for _, p := range d.g.ix.Names.Prices("") {
		if names[p.Accelerator] != nil {
			list = append(list, p)
		}
	}
	if len(list) == 0 {
		d.section("prices", "Prices", Block{Text: []Part{{Text: "No price of this hardware is stated in "}, {Text: "data/names/prices.toml", Code: true}, {Text: ", so no page shows a cost. "}, {Text: "How cost is computed", Href: d.place.page(pathMethodology, "cost-per-million-tokens")}, {Text: "."}}})
		return
	}
	d.section("prices", "Prices", Block{Text: []Part{{Text: "Costs are computed from these rows alone, and each names its own. "}, {Text: "How cost is computed", Href: d.place.page(pathMethodology, "cost-per-million-tokens")}, {Text: "."}}},
		d.table("prices", func() *table {
			t := &table{caption: "Stated prices of one accelerator for an hour", class: "fit", columns: []column{{title: "Accelerator"}, {title: "Provider"}, {title: "Price an hour", num: true}, {title: "Read on"}, {title: "Where"}}}
			for _, p := range list {
				where := cell{text: "source", href: webAddress(p.Address)}
				t.rows = append(t.rows, row{cells: []cell{{text: names[p.Accelerator].Accelerator.Name, href: d.place.page(pathAccelerator(names[p.Accelerator].Slug), ""), head: true}, {text: p.Provider}, {text: metric.Exact(p.PerHour) + metric.ThinSpace + p.Currency, sort: metric.Exact(p.PerHour)}, {text: p.Date}, where}})
			}
			return t
		}))
}

// efficiency is the section of a card or a run on energy and cost: each workload at its peak.
// Without power and price there is none.
func (d *draft) efficiency(r *figure.Run) {
	type line struct {
		s      *figure.Scenario
		p      *catalog.Point
		v      float64
		energy *figure.Energy
		costs  []figure.Cost
	}
	var lines []line
	anyEnergy, prices := false, []settings.Price(nil)
	for _, s := range r.Scenarios {
		p, v, ok := s.Peak(metric.OutputThroughput)
		if !ok || len(lines) == 40 {
			continue
		}
		l := line{s: s, p: p, v: v, costs: d.g.ix.Costs(r, p)}
		if e, ok := r.TokensPerJoule(p); ok {
			l.energy, anyEnergy = &e, true
		}
		for _, c := range l.costs {
			if !slices.Contains(prices, c.Price) && len(prices) < 6 {
				prices = append(prices, c.Price)
			}
		}
		if l.energy != nil || len(l.costs) > 0 {
			lines = append(lines, l)
		}
	}
	if len(lines) == 0 {
		return
	}
	title, parts := "Cost and energy", []Part{{Text: "Each workload at its peak throughput. "}}
	if len(prices) > 0 {
		parts = append(parts, Part{Text: "How cost is computed", Href: d.place.page(pathMethodology, "cost-per-million-tokens")}, Part{Text: ". "})
	} else {
		title = "Energy"
	}
	if anyEnergy {
		parts = append(parts, Part{Text: "How tokens per joule are computed", Href: d.place.page(pathMethodology, "tokens-per-joule")}, Part{Text: "."})
	} else {
		title = "Cost"
	}
	if anyEnergy && slices.ContainsFunc(lines, func(l line) bool { return l.energy != nil && l.energy.Basis == figure.BoardPower }) {
		parts = append(parts, Part{Text: " Power was not measured: it is that of the boards' specification, so the true figure is higher wherever they draw less."})
	}
	d.section("efficiency", title, Block{Text: parts}, d.table("efficiency", func() *table {
		t := &table{caption: title, class: "compact fit", columns: []column{{title: "Workload"}, {title: "Load", num: true}, {title: "Output", unit: "tok/s", num: true}}}
		if anyEnergy {
			t.columns = append(t.columns, column{title: "Power", unit: "W", num: true}, column{title: "Tokens per joule", num: true})
		}
		t.groups = append(t.groups, group{span: len(t.columns)})
		for _, p := range prices {
			t.groups = append(t.groups, group{title: clip(p.Provider, 60) + ", " + p.Date, span: 2})
			t.columns = append(t.columns, column{title: "Cost", unit: p.Currency + " per 10⁶", num: true, note: priceText(p)}, column{title: "Tokens", unit: "per " + p.Currency, num: true, note: priceText(p)})
		}
		if len(prices) == 0 {
			t.groups = nil
		}
		for _, l := range lines {
			rw := row{cells: []cell{{text: l.s.Title, head: true}, {text: figure.LoadText(l.p), exact: infTitle(figure.LoadOf(l.p)), href: d.pointHref(r, l.s, l.p)}, {text: metric.Format(l.v), exact: metric.Exact(l.v)}}}
			if anyEnergy {
				power := dot("only energy is recorded")
				if l.energy == nil {
					power = dot("no power is known")
				} else if l.energy.Watts > 0 {
					power = cell{text: metric.Format(l.energy.Watts), exact: metric.Exact(l.energy.Watts), sub: basisText(l.energy.Basis)}
				}
				rw.cells = append(rw.cells, power, energyCell(l.energy, false))
			}
			for _, p := range prices {
				i := slices.IndexFunc(l.costs, func(c figure.Cost) bool { return c.Price == p })
				if i < 0 {
					rw.cells = append(rw.cells, dot("no price is stated"), dot("no price is stated"))
					continue
				}
				c := l.costs[i]
				rw.cells = append(rw.cells, cell{text: metric.Format(c.PerMillion), exact: metric.Exact(c.PerMillion), href: webAddress(p.Address)}, cell{text: metric.Format(c.TokensPerUnit), exact: metric.Exact(c.TokensPerUnit)})
			}
			t.rows = append(t.rows, rw)
		}
		return t
	}))
}
