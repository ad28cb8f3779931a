package view

import (
	"cmp"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/settings"
	"github.com/inferdex/inferdex/site/page"

	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
)

// row is the link to the row of a model: on the first page, else on its part.
func (v *scoreView) row(d *draft, model string) string {
	has := func(rows []scoreRow) bool {
		return slices.ContainsFunc(rows, func(r scoreRow) bool { return r.model.Slug == model })
	}
	if has(v.rows) {
		return d.Place.To(v.path, rowID(model))
	}
	for _, p := range v.parts {
		if has(p.rows) {
			return d.Place.To(p.path, rowID(model))
		}
	}
	return d.Place.To(v.path, "")
}

func rowID(model string) string { return "m-" + model }

// shownWorkloads is how many workloads the switch names; the table of the home page has all.
const shownWorkloads = 6

// scorecard makes the matrix of a view, of all its models or of a part, and its switches.
func (g *Site) scorecard(d *draft, v *scoreView, part *scorePart) *page.Scorecard {
	out := &page.Scorecard{Unit: v.scale.Unit,
		Legend: v.heat.legend(func(x float64) string { return shortNumber(v.scale.Of(x)) })}
	g.workloadSwitch(d, v, out)
	g.metricSwitch(d, v, out)
	d.partSwitch(v, part, out)
	out.Definition = page.Text(v.definition() + " ")
	if v.class.input > 0 && v.class.output > 0 {
		most := ""
		if v.class.longest {
			most = " at most, which are more than it has on average"
		}
		out.Definition = page.Text(v.class.short() + ": tokens in → tokens out of a request" + most + ". " + v.definition() + " ")
	}
	if v.metric.formula != "" {
		out.Definition = append(out.Definition, page.Part{Text: "Formula", Href: d.formula(v.metric.formula)})
	}
	out.Left = d.leftOut(v)
	if v.hidden > 0 {
		out.Left = append(out.Left, page.Part{Text: " " + metric.Plural(v.hidden, "accelerator") +
			" with fewest results have no column: "},
			page.Part{Text: "all hardware", Href: d.Place.To(page.PathHardware,
				"")}, page.Part{Text: "."})
	}
	rows, columns := v.rows, v.front
	if part != nil {
		rows, columns = part.rows, v.cols
	}
	if n := len(v.cols) - len(columns); n > 0 {
		out.Left = out.Left.Text(" " + metric.Plural(n, "accelerator") + " with fewer results: ")
		for i, c := range v.cols[len(columns):] {
			if i > 0 {
				out.Left = out.Left.Text(", ")
			}
			out.Left = out.Left.Link(page.Clip(acceleratorShort(c.Accelerator), 60), d.Place.To(page.PathAccelerator(c.Slug), ""))
		}
		out.Left = out.Left.Text(". The lists by organisation have all of them.")
	}
	tables := matrixTables(rows, columns)
	out.Table = d.fragment("matrix", func(m *page.Markup) { g.writeMatrix(m, d, v, tables) })
	out.Notes = g.notes(v, tables)
	return out
}

// leftOut says which models have no row, and leads to where each of them is found.
func (d *draft) leftOut(v *scoreView) page.Parts {
	var words []string
	if v.elsewhere > 0 {
		words = append(words, metric.Plural(v.elsewhere, "model was", "models were")+" measured under other workloads")
	}
	if v.silent > 0 {
		words = append(words, metric.Plural(v.silent, "model has", "models have")+" no such figure")
	}
	if len(words) == 0 {
		return nil
	}
	return page.Text(strings.Join(words, ", ")+": ").Link("find a model by name",
		d.Place.To(page.PathHome, "find")).Text(".")
}

// switchLink leads to another view; the one that is shown has no address.
func (d *draft) switchLink(text, title, path string, shown bool) page.Link {
	l := page.Link{Text: text, Title: title}
	if !shown {
		l.Href = d.Place.To(path, "")
	}
	return l
}

// workloadSwitch leads to the same metric under other workloads: the first of each name.
func (g *Site) workloadSwitch(d *draft, v *scoreView, out *page.Scorecard) {
	var shown []*scoreClass
	for _, w := range g.scores.groups {
		k := w.classes[0]
		if slices.Contains(w.classes, v.class) {
			k = v.class
		}
		shown = append(shown, k)
	}
	if i := slices.Index(shown, v.class); i >= shownWorkloads {
		shown[shownWorkloads-1] = v.class
	}
	for _, k := range shown[:min(len(shown), shownWorkloads)] {
		to := k.first
		for _, o := range k.views {
			if o.metric.id == v.metric.id {
				to = o
			}
		}
		out.Workloads = append(out.Workloads, d.switchLink(k.named(), k.tool+", "+metric.Plural(len(k.runs), "card"),
			to.path, k == v.class))
	}
	if n := len(g.scores.class); n > len(out.Workloads) {
		out.Workloads = append(out.Workloads, page.Link{Text: "all " + metric.Plural(n, "workload"),
			Href: d.Place.To(page.PathScorecards, "")})
	}
	if v.class.whole && len(g.scores.class) > 0 {
		out.Workloads = slices.Insert(out.Workloads, 0, page.Link{Text: "any"})
	}
}

// metricSwitch leads to other metrics of the workload, and to those of whole runs.
func (g *Site) metricSwitch(d *draft, v *scoreView, out *page.Scorecard) {
	s := v.class
	if s.whole && len(g.scores.class) > 0 {
		s = g.scores.class[0]
	}
	views := g.scores.whole
	if !s.whole {
		views = slices.Concat(s.views, g.scores.whole)
	}
	for _, o := range views {
		out.Metrics = append(out.Metrics, d.switchLink(o.label(), "", o.path, o == v))
	}
}

// partSwitch leads to the models of each organisation, where the scorecard is cut into parts.
func (d *draft) partSwitch(v *scoreView, part *scorePart, out *page.Scorecard) {
	if len(v.parts) == 0 {
		return
	}
	out.PartsLabel = metric.Plural(v.of, "model") + ", by organisation:"
	if part == nil {
		out.PartsLabel = "The " + metric.Count(len(v.rows)) + " of " + metric.Plural(v.of, "model") +
			" with most results; all, by organisation:"
	}
	out.Parts = append(out.Parts, d.switchLink("most results", "", v.path, part == nil))
	for i := range v.parts {
		p := &v.parts[i]
		out.Parts = append(out.Parts, d.switchLink(p.title, metric.Plural(len(p.rows), "model"), p.path, p == part))
	}
}

// notes say what the signs in the cells of a view mean: those that its tables have.
func (g *Site) notes(v *scoreView, tables []matrixTable) (out []page.LegendNote) {
	if v.metric.id == "peak-output" && !v.class.single {
		if unit := kindOf(v.class.axis).unit; unit != "" {
			out = append(out, page.LegendNote{Text: "at:" + unit})
		}
	}
	if v.published {
		out = append(out, page.LegendNote{Text: "~: as published, rounded down; the exact value is not recorded"})
	}
	never, unfit := g.untriedIn(tables)
	if unfit {
		out = append(out, page.LegendNote{Class: "wideonly", Text: "does not fit: weights exceed the memory"})
	}
	if never {
		out = append(out, page.LegendNote{Class: "wideonly", Text: "· never run"})
	}
	if never || unfit {
		out = append(out, page.LegendNote{Class: "narrowonly",
			Text: "measured pairs only; the wide view has the full matrix"})
	}
	if name := page.Clip(v.division, 30); name != "" && v.undivided {
		out = append(out, page.LegendNote{Text: "without a colour: of another division than the " + name + " one"})
	} else if name != "" {
		out = append(out, page.LegendNote{Text: "in colour: of the " + name + " division; without: of another, which the cell names"})
	}
	for _, n := range v.class.counts {
		if n > 1 {
			return append(out, page.LegendNote{Text: "of several runs the best of the newest engine version"})
		}
	}
	return out
}

// matrixTable is a part of the columns of a scorecard, with the models that were measured on them.
type matrixTable struct {
	columns []scoreColumn
	rows    []scoreRow
}

// matrixTables are the tables of a scorecard: one of the best covered accelerators, then those of the others.
func matrixTables(rows []scoreRow, columns []scoreColumn) (tables []matrixTable) {
	for part := range slices.Chunk(columns, deskColumns) {
		tables = append(tables, matrixTable{part, slices.DeleteFunc(slices.Clone(rows), func(row scoreRow) bool {
			return !slices.ContainsFunc(part, row.ranOn)
		})})
	}
	return tables
}

// untriedIn reports whether some pair of the tables was never run, and whether some model does not fit.
func (g *Site) untriedIn(tables []matrixTable) (never, unfit bool) {
	for _, t := range tables {
		for _, row := range t.rows {
			for _, c := range t.columns {
				if never && unfit {
					return
				}
				if !row.ranOn(c) {
					fits := g.mayFit(row, c)
					never, unfit = never || fits, unfit || !fits
				}
			}
		}
	}
	return
}

// mayFit is false where the weights of a model exceed the memory of an accelerator in each number of it that was measured.
func (g *Site) mayFit(row scoreRow, column scoreColumn) bool {
	return slices.ContainsFunc(column.of, func(i int) bool {
		fits, known := figure.Fits(row.model, g.scores.cols[i].Hardware)
		return fits || !known
	})
}

// writeMatrix writes the tables of a scorecard: all but the first stand behind a disclosure.
func (g *Site) writeMatrix(m *page.Markup, d *draft, v *scoreView, tables []matrixTable) {
	caption := "Scorecard: " + v.title() + ", by model and hardware"
	seen := map[string]bool{}
	var rest []string
	for i, t := range tables {
		if i > 0 {
			rest = append(rest, columnNames(t.columns)...)
		}
	}
	for i, t := range tables {
		of := caption
		if i > 0 {
			of += ": " + page.Enumerate(columnNames(t.columns))
		}
		if i == 1 {
			m.Raw(`<details class=data><summary>`)
			m.Text(metric.Plural(len(rest), "more accelerator") + ", with fewer results: " + page.Enumerate(rest))
			m.Raw("</summary>")
		}
		g.writeMatrixTable(m, d, v, of, t, seen)
	}
	if len(rest) > 0 {
		m.Raw("</details>")
	}
}

func columnNames(columns []scoreColumn) (names []string) {
	for _, c := range columns {
		names = append(names, page.Clip(acceleratorShort(c.Accelerator), 60))
	}
	return names
}

// writeMatrixTable writes a table of a scorecard. Rows of models that were seen before have no anchor.
func (g *Site) writeMatrixTable(m *page.Markup, d *draft, v *scoreView, caption string, t matrixTable,
	seen map[string]bool) {
	class := "scroll mx"
	if len(t.columns) > tabletColumns {
		class = "scroll mx many"
	}
	filter := len(t.rows) > page.FilterRows && len(seen) == 0
	if filter {
		m.Raw(page.FilterBar)
	}
	m.Raw(`<div class="`, class, `"><table class="d matrix"`)
	if filter {
		m.Raw(" data-filter")
	}
	m.Raw(`><caption class=vh>`)
	m.Text(caption)
	m.Raw(`</caption><thead><tr><th scope=col>Model</th>`)
	for _, c := range t.columns {
		m.Raw(`<th scope=col class=n>`)
		m.Link(d.Place.To(page.PathAccelerator(c.Slug), ""), page.Clip(acceleratorShort(c.Accelerator), 60))
		if memory := g.memoryText(settings.Hardware{Accelerator: c.Accelerator}); memory != "" &&
			!strings.Contains(acceleratorShort(c.Accelerator), "GB") {
			m.Raw(" ")
			m.Elem("span", "u", memory)
		}
	}
	m.Raw("</thead><tbody>")
	for _, row := range t.rows {
		m.Raw("<tr\n")
		if !seen[row.model.Slug] {
			seen[row.model.Slug] = true
			m.Attr("id", rowID(row.model.Slug))
		}
		m.Raw(`><th scope=row>`)
		m.Link(d.Place.To(page.PathModel(row.model.Slug), ""), page.Clip(row.model.Name, 90))
		if facts := ModelFacts(row.model); facts != "" {
			m.Raw(" ")
			m.Elem("span", "sub", facts)
		}
		for _, c := range t.columns {
			g.writeMatrixCell(m, d, v, row, c)
		}
	}
	m.Raw("</tbody></table></div>")
}

// writeMatrixCell writes the cell of a model on an accelerator: its best figure and those of other numbers of
// it, or why it has none.
func (g *Site) writeMatrixCell(m *page.Markup, d *draft, v *scoreView, row scoreRow, column scoreColumn) {
	found := v.measured(row, column)
	if len(found) == 0 {
		g.writeNoFigure(m, d, v, row, column)
		return
	}
	best := found[0]
	shown, exact, class := v.shown(v.cells[best])
	if v.class.runs[best].Outside(v.division) {
		class = "o"
	}
	m.Raw("<td")
	m.Attr("class", class)
	m.Attr("title", exact)
	m.Raw(">")
	link := func(c *figure.Card) {
		m.Raw("<a")
		if c == best {
			m.Attr("data-hw", page.Clip(hardwareShort(c.Hardware), 40))
		}
		m.Attr("href", d.Place.To(page.PathCard(c.Slug), ""))
		m.Raw(">")
	}
	link(best)
	m.Raw(`<span class=nw>`)
	m.Text(shown)
	if class != "x" {
		m.Raw(" ")
		m.Elem("i", "", v.scale.Unit)
	}
	m.Raw("</span><small>")
	v.writeBelow(m, best, v.cells[best])
	m.Raw("</small></a>")
	if len(found) > 1 {
		m.Raw(`<p class=more>`)
		for _, c := range found[1:] {
			shown, _, _ := v.shown(v.cells[c])
			link(c)
			m.Text(itoa(c.Hardware.Count) + "×")
			m.Raw("</a>\u00a0")
			m.Elem("small", "", shown)
			m.Raw(" ")
		}
		m.Raw("</p>")
	}
}

// writeNoFigure writes the cell of a model that has no value on an accelerator.
func (g *Site) writeNoFigure(m *page.Markup, d *draft, v *scoreView, row scoreRow, column scoreColumn) {
	var card *figure.Card
	for _, i := range column.of {
		card = cmp.Or(card, row.cards[i])
	}
	words, below, href := "not recorded", "", ""
	switch {
	case card == nil && !g.mayFit(row, column):
		m.Raw(`<td class="e na">does not fit`)
		return
	case card == nil:
		m.Raw(`<td class="e na"><span aria-hidden=true>·</span><span class=vh>never run</span>`)
		return
	case len(figure.Active(card.Runs)) == 0:
		words = "withdrawn"
	case !slices.ContainsFunc(figure.Active(card.Runs), func(r *figure.Run) bool { return r.Forbidden == "" }):
		words = "not to be believed"
	case v.class.runs[card] == nil && !v.class.whole:
		var other *figure.Scenario
		other, below = otherWorkload(card)
		words = "other workload"
		if k := g.scores.classOf(other); k != nil {
			href = k.first.row(d, row.model.Slug)
		}
	}
	m.Raw(`<td class=x><a`)
	m.Attr("data-hw", page.Clip(hardwareShort(card.Hardware), 40))
	m.Attr("href", cmp.Or(href, d.Place.To(page.PathCard(card.Slug), "")))
	m.Raw(">", words)
	if below != "" {
		m.Elem("small", "", below)
	}
	m.Raw("</a>")
}

// shown is a figure as its cell shows it, exactly, and the class of its colour.
func (v *scoreView) shown(c scoreCell) (shown, exact, class string) {
	if c.value != nil {
		return v.scale.Format(*c.value), v.scale.Exact(*c.value), v.heat.class(*c.value)
	}
	if c.total != nil {
		return "count not recorded", "", "x"
	}
	class = "h2"
	if n, ok := publishedNumber(c.published); ok {
		class = v.heat.class(n)
	}
	return publishedShort(c.published), "published " + c.published, class
}

// writeBelow writes the smaller line of a cell: the load, the engine, how many runs there are and
// what share of the requests was completed.
func (v *scoreView) writeBelow(m *page.Markup, card *figure.Card, c scoreCell) {
	r := v.class.runs[card]
	var words []string
	switch n := card.Hardware.Count; {
	case c.total != nil && c.value == nil:
		words = append(words, v.scale.Format(*c.total)+metric.ThinSpace+v.scale.Unit+" in all")
	case c.total != nil && n > 1:
		words = append(words, "on "+itoa(n)+"× "+v.scale.Format(*c.total)+" in all")
	case n > 1:
		words = append(words, "on "+itoa(n)+"×")
	}
	if c.at != "" {
		words = append(words, c.at)
	}
	if r.Engine.Version != "" {
		words = append(words, engineShort(r.Engine))
	} else if r.Named {
		words = append(words, page.Clip(r.Series, 40))
	}
	if division := divided("", r); division != "" && (r.Outside(v.division) || v.undivided && v.division != "") {
		words = append(words, division)
	}
	if n := v.class.counts[card]; n > 1 {
		words = append(words, itoa(n)+" runs")
	}
	var o figure.Outcome
	short := false
	if c.point != nil {
		var ok bool
		o, ok = figure.Success(c.point)
		short = ok && o.Short()
	}
	for i, w := range words {
		if i > 0 {
			m.Raw(" ")
		}
		if i < len(words)-1 || short {
			w += ","
		}
		if len(w) <= 18 {
			w = strings.ReplaceAll(w, " ", "\u00a0") // an element for each would be a third of the page's
		}
		m.Text(w)
	}
	if short {
		m.Raw(" <b>")
		m.Text(metric.Percent(o.Ratio()))
		m.Raw("</b> completed")
		if o.NoOutput > 0 {
			m.Raw(" with output")
		}
	}
}
