package view

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/record"
	"github.com/inferdex/inferdex/site/page"

	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
)

// What one page shows of a scorecard. A cell is some eight elements of HTML; a page of many more
// than ten thousand is slow on a phone.
const (
	maxCells   = 1000
	maxColumns = 40
	minRows    = 20
)

// scoreView is the scorecard of one class in one metric: a page. Where not all of its models fit,
// the page has those with most cells, and parts have all of them, by organisation.
type scoreView struct {
	class     *scoreClass
	metric    scoreMetric
	path      string
	cells     map[*figure.Card]scoreCell
	heat      heat
	scale     metric.Scale
	published bool // some cells are published roundings alone
	cols      []int
	rows      []scoreRow // of the first page
	of        int        // models on all pages
	others    int        // models without a cell and without a row
	hidden    int        // columns without room
	parts     []scorePart
}

// scorePart is a page with some of the models of a view.
type scorePart struct {
	path, title string
	rows        []scoreRow
}

// scoreViews makes the views of all classes: the classes without one are left out. The first view
// is the home page.
func (g *Site) scoreViews(classes []*scoreClass) {
	all := g.scoreRows()
	for _, s := range classes {
		most := 0
		for _, m := range scoreMetrics {
			if m.whole {
				continue
			}
			if v := newView(s, m); v != nil {
				s.views = append(s.views, v)
				most = max(most, len(v.cells))
			}
		}
		if len(s.views) == 0 {
			continue
		}
		// The metric shown first is the first with at least half as many cells as any: peak
		// throughput, unless hardly a card of the class has it.
		i := slices.IndexFunc(s.views, func(v *scoreView) bool { return 2*len(v.cells) >= most })
		s.first = s.views[i]
		g.class = append(g.class, s)
	}
	for _, m := range scoreMetrics {
		if !m.whole {
			continue
		}
		s := &scoreClass{whole: true, slug: m.id, runs: map[*figure.Card]*figure.Run{}, counts: map[*figure.Card]int{}}
		for _, c := range g.Index.Cards {
			runs := slices.DeleteFunc(active(c.Runs), func(r *figure.Run) bool { _, ok := m.value(s, r); return !ok })
			if len(runs) > 0 {
				s.runs[c], s.counts[c] = figure.Representative(runs), len(runs)
			}
		}
		if v := newView(s, m); v != nil {
			v.path, s.first = page.PathScorecard(m.id), v
			g.whole = append(g.whole, v)
		}
	}
	for i, s := range g.class {
		for _, v := range s.views {
			v.path = page.PathScorecard(s.slug)
			if v != s.first {
				v.path += "/" + v.metric.id
			} else if i == 0 {
				v.path = page.PathHome
			}
			v.lay(g, all, i == 0)
		}
	}
	for i, v := range g.whole {
		if i == 0 && len(g.class) == 0 {
			v.path = page.PathHome
		}
		v.lay(g, all, true)
	}
	switch {
	case len(g.class) > 0:
		g.front = g.class[0].first
	case len(g.whole) > 0:
		g.front = g.whole[0]
	}
}

// newView reads the cells; nil where there are none.
func newView(s *scoreClass, m scoreMetric) *scoreView {
	v := &scoreView{class: s, metric: m, cells: map[*figure.Card]scoreCell{}}
	var values []float64
	for c, r := range s.runs {
		cell, ok := m.value(s, r)
		if !ok {
			continue
		}
		v.cells[c] = cell
		if cell.value != nil {
			values = append(values, *cell.value)
		} else if x, ok := publishedNumber(cell.published); ok {
			values = append(values, x)
			v.published = true
		}
	}
	if len(v.cells) == 0 {
		return nil
	}
	info, _ := metric.Lookup(m.metric)
	v.scale = metric.Scale{Unit: info.Unit}
	if info.Unit == metric.Seconds {
		v.scale = metric.ScaleFor(metric.Seconds, pointers(values))
	}
	v.heat = newHeat(values, info.Better == metric.Lower)
	return v
}

// lay decides which models and which hardware the pages of a view show. The scorecard of the
// class with most cards and those of whole runs have every model, the others what was measured
// under them.
func (v *scoreView) lay(g *Site, all []scoreRow, every bool) {
	measured := func(r scoreRow) int {
		n := 0
		for _, c := range r.cards {
			if _, ok := v.cells[c]; ok && c != nil {
				n++
			}
		}
		return n
	}
	rows := slices.Clone(all)
	if !every {
		rows = slices.DeleteFunc(rows, func(r scoreRow) bool {
			return !slices.ContainsFunc(r.cards, func(c *figure.Card) bool { return c != nil && v.class.runs[c] != nil })
		})
	}
	v.of, v.others = len(rows), len(all)-len(rows)
	count := make([]int, len(g.cols))
	for i := range g.cols {
		if every {
			count[i] = 1
		}
		for _, r := range rows {
			if c := r.cards[i]; c != nil {
				count[i]++
				if _, ok := v.cells[c]; ok {
					count[i]++
				}
			}
		}
		if count[i] > 0 {
			v.cols = append(v.cols, i)
		}
	}
	if n := len(v.cols); n > maxColumns {
		v.hidden = n - maxColumns
		slices.SortStableFunc(v.cols, func(a, b int) int { return cmp.Compare(count[b], count[a]) })
		v.cols = v.cols[:maxColumns]
		slices.Sort(v.cols)
	}
	room := max(minRows, maxCells/max(1, len(v.cols)))
	v.rows = rows
	if len(rows) <= room {
		return
	}
	v.rows = slices.Clone(rows)
	slices.SortStableFunc(v.rows, func(a, b scoreRow) int { return cmp.Compare(measured(b), measured(a)) })
	v.rows = v.rows[:room]
	slices.SortStableFunc(v.rows, func(a, b scoreRow) int { return byModelSize(a.model, b.model) })
	v.parts = partRows(rows, room)
	base := page.PathScorecard(v.class.slug)
	if !v.class.whole {
		base += "/" + v.metric.id
	}
	for i := range v.parts {
		v.parts[i].path = base + "/" + itoa(i+1)
	}
}

// partRows cuts models into parts of at most room rows: organisations in alphabetical order, as
// many as fit; one that does not fit into a part is cut.
func partRows(rows []scoreRow, room int) []scorePart {
	by := map[string][]scoreRow{}
	for _, r := range rows {
		o := organisation(r.model.ID)
		by[o] = append(by[o], r)
	}
	var parts []scorePart
	var names []string // of the organisations in the last part, which may take more
	for _, o := range slices.Sorted(maps.Keys(by)) {
		list := by[o]
		label := page.Clip(o, 24)
		if o == "" {
			label = "no organisation"
		}
		if len(list) > room {
			n := (len(list) + room - 1) / room
			for i := range n {
				parts = append(parts, scorePart{title: label + " " + itoa(i+1) + " of " + itoa(n), rows: list[i*room : min(len(list), (i+1)*room)]})
			}
			names = nil
			continue
		}
		if last := len(parts) - 1; names != nil && len(parts[last].rows)+len(list) <= room {
			names = append(names, label)
			parts[last].rows = append(parts[last].rows, list...)
			parts[last].title = page.Enumerate(names)
			if len(names) > 3 {
				parts[last].title = names[0] + " to " + label
			}
			continue
		}
		names = []string{label}
		parts = append(parts, scorePart{title: label, rows: slices.Clone(list)})
	}
	return parts
}

// organisation is who publishes a model, as its id begins: "mistralai" of "mistralai/Mistral-7B";
// "" where the id has none.
func organisation(id string) string {
	o, _, ok := strings.Cut(id, "/")
	if !ok {
		return ""
	}
	return strings.ToLower(o)
}

// title names a view: "Speed per request, 1 024 → 128".
func (v *scoreView) title() string {
	if v.class.whole {
		return v.metric.label
	}
	return v.metric.label + ", " + v.class.title
}

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
	for _, k := range g.class {
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
	if s.whole && len(g.class) > 0 {
		out.Workloads = slices.Insert(out.Workloads, 0, page.Link{Text: "any"})
	}
	views := g.whole
	if !s.whole {
		views = append(slices.Clone(s.views), g.whole...)
	} else if len(g.class) > 0 {
		views = append(slices.Clone(g.class[0].views), g.whole...)
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
	if v.others > 0 && len(g.class) > 0 {
		left = append(left, page.Part{Text: page.Plural(v.others, "model was", "models were") + " measured under other workloads alone: "}, page.Part{Text: g.class[0].title, Href: d.Place.To(g.class[0].first.path, "")}, page.Part{Text: ". "})
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
		vendor := g.cols[v.cols[i]].Accelerator.Vendor
		j := i
		for j < len(v.cols) && g.cols[v.cols[j]].Accelerator.Vendor == vendor {
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
		c := g.cols[i]
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
			g.writeMatrixCell(m, d, v, row.model, g.cols[i].Hardware, row.cards[i])
		}
		m.Raw("</tr>\n")
	}
	m.Raw("</tbody></table></div>")
}
