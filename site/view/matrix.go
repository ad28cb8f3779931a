package view

import (
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/record"
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
	s := v.class
	out := &page.Scorecard{}
	for _, k := range g.scores.class {
		to := k.first
		for _, o := range k.views {
			if o.metric.id == v.metric.id {
				to = o
			}
		}
		l := page.Link{Text: k.title, Title: k.tool + ", " + page.Plural(len(k.runs), "card", "cards")}
		if k != s {
			l.Href = d.Place.To(to.path, "")
		}
		out.Workloads = append(out.Workloads, l)
	}
	// The one that is looked at stands among those that are shown.
	if i := slices.IndexFunc(out.Workloads, func(l page.Link) bool { return l.Href == "" }); i >= shownWorkloads {
		l := out.Workloads[i]
		out.Workloads = slices.Insert(slices.Delete(out.Workloads, i, i+1), shownWorkloads-1, l)
	}
	if n := len(out.Workloads); n > shownWorkloads+1 {
		out.Workloads, out.Folded = out.Workloads[:shownWorkloads], out.Workloads[shownWorkloads:min(n, 200)]
		out.Fold = page.Plural(n-shownWorkloads, "more workload", "more workloads")
	}
	if s.whole && len(g.scores.class) > 0 {
		out.Workloads = slices.Insert(out.Workloads, 0, page.Link{Text: "any"})
	}
	views := g.scores.whole
	if !s.whole {
		views = append(slices.Clone(s.views), g.scores.whole...)
	} else if len(g.scores.class) > 0 {
		views = append(slices.Clone(g.scores.class[0].views), g.scores.whole...)
	}
	for _, o := range views {
		l := page.Link{Text: o.metric.label}
		if o != v {
			l.Href = d.Place.To(o.path, "")
		}
		out.Metrics = append(out.Metrics, l)
	}

	rows := v.rows
	if part != nil {
		rows = part.rows
	}
	out.Unit, out.Legend = v.scale.Unit, v.heat.legend(func(x float64) string { return shortNumber(v.scale.Of(x)) })
	out.Definition = page.Text(v.metric.define(s) + " ")
	if v.metric.formula != "" {
		out.Definition = append(out.Definition, page.Part{Text: "Formula", Href: d.Place.To(page.PathMethodology, v.metric.formula)})
	}
	if len(v.parts) > 0 {
		out.PartsLabel = "The " + metric.Count(int64(len(v.rows))) + " of " + page.Plural(v.of, "model", "models") + " with most results; all, by organisation:"
		first := page.Link{Text: "most results"}
		if part != nil {
			first.Href = d.Place.To(v.path, "")
			out.PartsLabel = page.Plural(v.of, "model", "models") + ", by organisation:"
		}
		out.Parts = append(out.Parts, first)
		for i := range v.parts {
			p := &v.parts[i]
			l := page.Link{Text: p.title, Title: page.Plural(len(p.rows), "model", "models")}
			if p != part {
				l.Href = d.Place.To(p.path, "")
			}
			out.Parts = append(out.Parts, l)
		}
	}
	var left []page.Part
	if v.others > 0 && len(g.scores.class) > 0 {
		left = append(left, page.Part{Text: page.Plural(v.others, "model was", "models were") + " measured under other workloads alone: "}, page.Part{Text: g.scores.class[0].title, Href: d.Place.To(g.scores.class[0].first.path, "")}, page.Part{Text: ". "})
	}
	if v.hidden > 0 {
		left = append(left, page.Part{Text: page.Plural(v.hidden, "hardware configuration", "hardware configurations") + " with fewest results have no column: "}, page.Part{Text: "all hardware", Href: d.Place.To(page.PathHardware, "")}, page.Part{Text: "."})
	}
	out.Left = left
	out.Table = d.fragment("matrix", func(m *page.Markup) { g.writeMatrix(m, d, v, rows) })
	if s.axis == record.AxisConcurrency && v.metric.id == "peak-output" {
		out.Notes = append(out.Notes, page.LegendNote{Text: "at: parallel requests"})
	} else if s.axis == record.AxisRate && v.metric.id == "peak-output" {
		out.Notes = append(out.Notes, page.LegendNote{Text: "at: requests/s"})
	}
	if v.published {
		out.Notes = append(out.Notes, page.LegendNote{Text: "~: as published, rounded down; the exact value is not recorded"})
	}
	out.Notes = append(out.Notes, page.LegendNote{Class: "wideonly", Text: "does not fit: weights exceed the memory"},
		page.LegendNote{Class: "wideonly", Text: "· never run"}, page.LegendNote{Class: "narrowonly", Text: "measured pairs only; the wide view has the full matrix"})
	for _, n := range s.counts {
		if n > 1 {
			out.Notes = append(out.Notes, page.LegendNote{Text: "of several runs, those of the newest engine version, and of its last 30 days the fullest"})
			break
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

func (g *Site) writeMatrixCell(m *page.Markup, d *draft, v *scoreView, model settings.Model, hw settings.Hardware, card *figure.Card) {
	if card == nil {
		if fits, known := figure.Fits(model, hw); known && !fits {
			m.Raw(`<td class="e na">does not fit</td>`)
			return
		}
		m.Raw(`<td class="e na"><span aria-hidden="true">·</span><span class="vh">never run</span></td>`)
		return
	}
	s, h, scale := v.class, v.heat, v.scale
	href := d.Place.To(page.PathCard(card.Slug), "")
	name := page.Clip(hardwareShort(hw), 40)
	r := s.runs[card]
	if r == nil && !s.whole && len(figure.Active(card.Runs)) > 0 {
		other, words := otherWorkload(card)
		if k := g.scores.classOf(other); k != nil {
			href = k.first.row(d, model.Slug)
		}
		m.Raw(`<td class="x"><a`)
		m.Attr("data-hw", name)
		m.Attr("href", href)
		m.Raw(">other workload")
		m.Elem("small", "", words)
		m.Raw("</a></td>")
		return
	}
	c, ok := v.cells[card]
	if !ok {
		m.Raw(`<td class="x"><a`)
		m.Attr("data-hw", name)
		m.Attr("href", href)
		if len(figure.Active(card.Runs)) == 0 {
			m.Raw(">withdrawn</a></td>")
		} else {
			m.Raw(">not recorded</a></td>")
		}
		return
	}
	var exact, shown, class string
	if c.value != nil {
		exact, shown, class = scale.Exact(*c.value), scale.Format(*c.value), h.class(*c.value)
	} else {
		shown, class, exact = publishedShort(c.published), "h2", "published "+c.published
		if v, ok := publishedNumber(c.published); ok {
			class = h.class(v)
		}
	}
	m.Raw("<td")
	m.Attr("class", class)
	m.Attr("title", exact)
	m.Raw("><a")
	m.Attr("data-hw", name)
	m.Attr("href", href)
	m.Raw(">")
	m.Elem("span", "nw", shown)
	m.Raw("<small>")
	var words []string
	if c.at != "" {
		words = append(words, c.at)
	}
	if e, versioned := EngineText(r.Engine); versioned {
		words = append(words, page.Clip(e, 40))
	} else if r.Named {
		words = append(words, page.Clip(r.Series, 40))
	}
	if n := s.counts[card]; n > 1 {
		words = append(words, itoa(n)+" runs")
	}
	short := false
	if c.point != nil {
		ratio, _, _, ok := figure.Success(c.point)
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
	if c.point != nil {
		if ratio, _, _, ok := figure.Success(c.point); ok && ratio < 1 {
			m.Raw(" <b>")
			m.Text(metric.Percent(ratio))
			m.Raw("</b> completed")
		}
	}
	m.Raw("</small></a></td>")
}
