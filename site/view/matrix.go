package view

import (
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

// shownWorkloads is how many workloads the switch names before the others fold.
const shownWorkloads = 6

// scorecard makes the matrix of a view, of all its models or of a part, and its switches.
func (g *Site) scorecard(d *draft, v *scoreView, part *scorePart) *page.Scorecard {
	out := &page.Scorecard{Unit: v.scale.Unit,
		Legend: v.heat.legend(func(x float64) string { return shortNumber(v.scale.Of(x)) })}
	g.workloadSwitch(d, v, out)
	g.metricSwitch(d, v, out)
	d.partSwitch(v, part, out)
	out.Definition = page.Text(v.definition() + " ")
	if v.metric.formula != "" {
		out.Definition = append(out.Definition, page.Part{Text: "Formula", Href: d.formula(v.metric.formula)})
	}
	if v.others > 0 && len(g.scores.class) > 0 {
		first := g.scores.class[0]
		out.Left = append(out.Left, page.Part{Text: metric.Plural(v.others, "model was", "models were") +
			" measured under other workloads alone: "}, page.Part{Text: first.title, Href: d.Place.To(first.first.path,
			"")}, page.Part{Text: ". "})
	}
	if v.hidden > 0 {
		out.Left = append(out.Left, page.Part{Text: metric.Plural(v.hidden, "hardware configuration") +
			" with fewest results have no column: "}, page.Part{Text: "all hardware", Href: d.Place.To(page.PathHardware,
			"")}, page.Part{Text: "."})
	}
	rows := v.rows
	if part != nil {
		rows = part.rows
	}
	out.Table = d.fragment("matrix", func(m *page.Markup) { g.writeMatrix(m, d, v, rows) })
	out.Notes = v.notes()
	return out
}

// switchLink leads to another view; the one that is shown has no address.
func (d *draft) switchLink(text, title, path string, shown bool) page.Link {
	l := page.Link{Text: text, Title: title}
	if !shown {
		l.Href = d.Place.To(path, "")
	}
	return l
}

// workloadSwitch leads to the same metric under other workloads.
func (g *Site) workloadSwitch(d *draft, v *scoreView, out *page.Scorecard) {
	for _, k := range g.scores.class {
		to := k.first
		for _, o := range k.views {
			if o.metric.id == v.metric.id {
				to = o
			}
		}
		out.Workloads = append(out.Workloads, d.switchLink(k.title, k.tool+", "+metric.Plural(len(k.runs), "card"), to.path,
			k == v.class))
	}
	// The one that is looked at stands among those that are shown.
	if i := slices.IndexFunc(out.Workloads, func(l page.Link) bool { return l.Href == "" }); i >= shownWorkloads {
		l := out.Workloads[i]
		out.Workloads = slices.Insert(slices.Delete(out.Workloads, i, i+1), shownWorkloads-1, l)
	}
	if n := len(out.Workloads); n > shownWorkloads+1 {
		out.Workloads, out.Folded = out.Workloads[:shownWorkloads], out.Workloads[shownWorkloads:min(n, 200)]
		out.Fold = metric.Plural(n-shownWorkloads, "more workload")
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

// notes say what the signs in the cells of a view mean.
func (v *scoreView) notes() (out []page.LegendNote) {
	if v.metric.id == "peak-output" {
		if unit := kindOf(v.class.axis).unit; unit != "" {
			out = append(out, page.LegendNote{Text: "at:" + unit})
		}
	}
	if v.published {
		out = append(out, page.LegendNote{Text: "~: as published, rounded down; the exact value is not recorded"})
	}
	out = append(out, page.LegendNote{Class: "wideonly", Text: "does not fit: weights exceed the memory"},
		page.LegendNote{Class: "wideonly", Text: "· never run"}, page.LegendNote{Class: "narrowonly",
			Text: "measured pairs only; the wide view has the full matrix"})
	for _, n := range v.class.counts {
		if n > 1 {
			return append(out, page.LegendNote{Text: "where a card has several runs, its cell shows the one with most " +
				"points among those of the newest engine version in its last 30 days"})
		}
	}
	return out
}

func (g *Site) writeMatrix(m *page.Markup, d *draft, v *scoreView, rows []scoreRow) {
	caption := "Scorecard: " + v.title() + ", by model and hardware"
	m.Raw(page.FilterBar)
	// More columns than fit a desk screen scroll in their own region.
	switch {
	case len(v.cols) > 8 && len(rows) > 12:
		m.Raw(`<div class="scroll always tall" role="region" tabindex="0"`)
	case len(v.cols) > 8:
		m.Raw(`<div class="scroll always" role="region" tabindex="0"`)
	default:
		m.Raw(`<div class="scroll" role="region" tabindex="0"`)
	}
	m.Attr("aria-label", caption)
	if len(v.cols) > 8 {
		m.Raw(`><table class="d matrix many" data-filter><caption class="vh">`)
	} else {
		m.Raw(`><table class="d matrix" data-filter><caption class="vh">`)
	}
	m.Text(caption)
	m.Raw(`</caption><thead><tr class="grp"><td></td>`)
	for i := 0; i < len(v.cols); {
		vendor := g.scores.cols[v.cols[i]].Accelerator.Vendor
		j := i
		for j < len(v.cols) && g.scores.cols[v.cols[j]].Accelerator.Vendor == vendor {
			j++
		}
		m.Raw(`<th scope="colgroup" colspan="`, itoa(j-i), `"><span>`)
		if vendor != "" {
			m.Text(vendor)
		} else {
			m.Text("not listed")
		}
		m.Raw("</span></th>")
		i = j
	}
	m.Raw(`</tr><tr><th scope="col">Model</th>`)
	for _, i := range v.cols {
		c := g.scores.cols[i]
		m.Raw(`<th scope="col" class="n">`)
		m.Link(d.Place.To(page.PathAccelerator(c.Accelerator.Slug), ""), page.Clip(hardwareShort(c.Hardware), 60))
		if t := g.memoryText(c.Hardware); t != "" && !strings.Contains(hardwareShort(c.Hardware), "GB") {
			m.Raw(" ")
			m.Elem("span", "u", t)
		}
		m.Raw("</th>")
	}
	m.Raw("</tr></thead><tbody>\n")
	for _, row := range rows {
		m.Raw("<tr")
		m.Attr("id", rowID(row.model.Slug))
		m.Raw(`><th scope="row">`)
		m.Link(d.Place.To(page.PathModel(row.model.Slug), ""), page.Clip(row.model.Name, 90))
		if t := ModelFacts(row.model); t != "" {
			m.Raw(" ")
			m.Elem("span", "sub", t)
		}
		m.Raw("</th>")
		for _, i := range v.cols {
			g.writeMatrixCell(m, d, v, row.model, g.scores.cols[i].Hardware, row.cards[i])
		}
		m.Raw("</tr>\n")
	}
	m.Raw("</tbody></table></div>")
}

// writeMatrixCell writes the cell of a model on a hardware: its figure, or why it has none.
func (g *Site) writeMatrixCell(m *page.Markup, d *draft, v *scoreView, model settings.Model, hw settings.Hardware,
	card *figure.Card) {
	if card == nil {
		if fits, known := figure.Fits(model, hw); known && !fits {
			m.Raw(`<td class="e na">does not fit</td>`)
			return
		}
		m.Raw(`<td class="e na"><span aria-hidden="true">·</span><span class="vh">never run</span></td>`)
		return
	}
	cell := func(class, title, href string) {
		m.Raw("<td")
		m.Attr("class", class)
		m.Attr("title", title)
		m.Raw("><a")
		m.Attr("data-hw", page.Clip(hardwareShort(hw), 40))
		m.Attr("href", href)
		m.Raw(">")
	}
	href := d.Place.To(page.PathCard(card.Slug), "")
	c, ok := v.cells[card]
	switch {
	case v.class.runs[card] == nil && !v.class.whole && len(figure.Active(card.Runs)) > 0:
		other, words := otherWorkload(card)
		if k := g.scores.classOf(other); k != nil {
			href = k.first.row(d, model.Slug)
		}
		cell("x", "", href)
		m.Raw("other workload")
		m.Elem("small", "", words)
	case ok:
		shown, exact, class := v.shown(c)
		cell(class, exact, href)
		m.Elem("span", "nw", shown)
		m.Raw("<small>")
		v.writeBelow(m, card, c)
		m.Raw("</small>")
	case len(figure.Active(card.Runs)) == 0:
		cell("x", "", href)
		m.Raw("withdrawn")
	default:
		cell("x", "", href)
		m.Raw("not recorded")
	}
	m.Raw("</a></td>")
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
	if c.total != nil { // in each cell of such a matrix, for cells to be of one height
		words = append(words, v.scale.Format(*c.total)+" in all")
	}
	if c.at != "" {
		words = append(words, c.at)
	}
	if e, versioned := EngineText(r.Engine); versioned {
		words = append(words, page.Clip(e, 40))
	} else if r.Named {
		words = append(words, page.Clip(r.Series, 40))
	}
	if n := v.class.counts[card]; n > 1 {
		words = append(words, itoa(n)+" runs")
	}
	ratio, short := 1.0, false
	if c.point != nil {
		var ok bool
		ratio, _, _, ok = figure.Success(c.point)
		short = ok && ratio < 1
	}
	for i, w := range words {
		if i > 0 {
			m.Raw(" ")
		}
		if i < len(words)-1 || short {
			w += ","
		}
		if len(w) <= 18 {
			m.Elem("span", "nw", w)
		} else {
			m.Text(w)
		}
	}
	if short {
		m.Raw(" <b>")
		m.Text(metric.Percent(ratio))
		m.Raw("</b> completed")
	}
}
