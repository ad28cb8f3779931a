package view

import (
	"cmp"
	"slices"

	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/settings"
	"github.com/inferdex/inferdex/site/page"
)

// maxOrdered is how many models are listed in several orders at most: each order is a table of its own in the page,
// which has to stay below its budget of elements. More are listed in one order, which the script can change.
const maxOrdered = 60

type modelRow = bestRow[*figure.Model]

// modelOrder is an order of the list of models.
type modelOrder struct {
	id, by string
	// column is the title of the column whose heading leads here, empty for none; sorted is how that column stands.
	column, sorted string
	// compare orders rows; nil leaves them as [bestRows] has them.
	compare func(a, b modelRow) int
	// part is what the rows below one heading have in common; nil where rows have no headings.
	part func(r modelRow) string
}

// modelOrders are the orders of the list of models, the first of them the one shown at first. Figures of two workloads
// are not compared, so orders by a figure are those of each workload.
var modelOrders = []modelOrder{
	{id: "by-size", by: "size", part: sizeClass,
		compare: func(a, b modelRow) int { return cmp.Compare(sizePlace(a.of.Model), sizePlace(b.of.Model)) }},
	{id: "by-name", by: "name", column: "Model", sorted: "ascending",
		compare: func(a, b modelRow) int { return byName(a.of.Name, b.of.Name) }},
	{id: "by-output", by: "output per accelerator", column: outputTitle, sorted: "descending", part: workloadOf},
	{id: "by-user", by: "speed per user", column: userTitle, sorted: "descending", part: workloadOf,
		compare: withinWorkload(-1, func(b bestPoint) (float64, bool) {
			v, _, ok := figure.SpeedPerUser(b.point)
			return v, ok
		})},
	{id: "by-ttft", by: "TTFT", column: ttftTitle, sorted: "ascending", part: workloadOf,
		compare: withinWorkload(1, func(b bestPoint) (float64, bool) {
			v, _, ok := figure.Central(b.point, metric.TTFT)
			return v, ok
		})},
	{id: "by-date", by: "newest run", column: newestTitle, sorted: "descending",
		compare: func(a, b modelRow) int {
			_, x := daysOf(a.of.Runs())
			_, y := daysOf(b.of.Runs())
			return cmp.Compare(y, x)
		}},
}

// withinWorkload orders rows of one workload by a figure, those without it last; sign is -1 where the highest is first.
// Rows of two workloads it leaves where they are.
func withinWorkload(sign int, value func(b bestPoint) (float64, bool)) func(a, b modelRow) int {
	return func(a, b modelRow) int {
		x, y := a.top(), b.top()
		if x == nil || y == nil || x.class != y.class {
			return 0
		}
		v, known := value(*x)
		w, other := value(*y)
		if !known || !other {
			return compareBool(!known, !other)
		}
		return sign * cmp.Compare(v, w)
	}
}

// workloadOf is the workload that the figures of a row are of.
func workloadOf(r modelRow) string {
	if b := r.top(); b != nil {
		return b.class.title
	}
	return "no output throughput"
}

// sizeLimits part models by their parameters, in thousand millions: each class is up to below its limit.
var sizeLimits = []float64{5, 10, 30, 100}

// sizePlace is the place of a model's class of size; unknown sizes are last.
func sizePlace(m settings.Model) int {
	if m.ParamsB == nil {
		return len(sizeLimits) + 1
	}
	for i, below := range sizeLimits {
		if *m.ParamsB < below {
			return i
		}
	}
	return len(sizeLimits)
}

func sizeClass(r modelRow) string {
	const unit = metric.ThinSpace + "B"
	switch i, last := sizePlace(r.of.Model), len(sizeLimits)-1; {
	case i == 0:
		return "Below " + metric.Exact(sizeLimits[0]) + unit
	case i <= last:
		return metric.Exact(sizeLimits[i-1]) + " to " + metric.Exact(sizeLimits[i]) + unit
	case i == last+1:
		return metric.Exact(sizeLimits[last]) + unit + " and more"
	}
	return "Size not known"
}

// ordered are the rows of an order, and the headings above them, where there is more than one.
func (o modelOrder) ordered(rows []modelRow) ([]modelRow, []page.RowGroup) {
	rows = slices.Clone(rows)
	if o.compare != nil {
		slices.SortStableFunc(rows, o.compare)
	}
	var parts []page.RowGroup
	for _, r := range rows {
		if o.part == nil {
			break
		}
		if n := len(parts); n == 0 || parts[n-1].Title != o.part(r) {
			parts = append(parts, page.RowGroup{Title: o.part(r)})
		}
		parts[len(parts)-1].Rows++
	}
	for i := range parts {
		parts[i].Note = metric.Plural(parts[i].Rows, "model")
	}
	if len(parts) == 1 {
		parts = nil
	}
	return rows, parts
}

// inOrders lists models in each order; the headings of columns lead from one to another.
func (d *draft) inOrders(p listPart[modelRow]) []page.Order {
	var out []page.Order
	for _, o := range modelOrders {
		var parts []page.RowGroup
		p.rows, parts = o.ordered(p.list)
		t := d.modelsTable("Models by "+o.by, p)
		t.Parts = parts
		shown := func(column string) bool {
			return slices.ContainsFunc(t.Columns, func(c page.Column) bool { return c.Title == column })
		}
		if o.column != "" && !shown(o.column) {
			continue
		}
		for i := range t.Columns {
			for _, other := range modelOrders {
				switch c := &t.Columns[i]; {
				case c.Title != other.column:
				case other.id == o.id:
					c.Sorted = o.sorted
				default:
					c.Href = "#" + other.id
				}
			}
		}
		out = append(out, page.Order{ID: o.id, By: o.by, Table: t})
	}
	return out
}

// modelsList are the models of the catalog as they stand on pages.
func (g *Site) modelsList() []listPart[modelRow] {
	return listParts(page.PathModels, bestRows(g, g.Index.Models, func(m *figure.Model) []*figure.Card { return m.Cards },
		func(m *figure.Model) string { return m.Name }))
}

// modelsTable lists models with the hardware that serves each best.
func (d *draft) modelsTable(caption string, p listPart[modelRow]) *page.Grid {
	t := page.NewTable(caption, "best list", p.rows)
	t.Col("Model", func(r modelRow) page.Cell {
		m := r.of
		c := page.Cell{Text: m.Name, Href: d.Place.To(page.PathModel(m.Slug), ""), Head: true, Sub: ModelFacts(m.Model)}
		if slices.Contains(m.Parsed, "params_b") {
			c.Sub += ", from the name"
		}
		return c
	})
	t.Add(page.Column{Title: "Best on", Front: true}, func(r modelRow) page.Cell { return bestHardware(d, r) })
	bestColumns(d, t, p.list)
	t.Col("Other hardware", func(r modelRow) page.Cell { return page.Cell{Parts: d.beside(r.best, page.PathModel(r.of.Slug))} })
	t.Count("Runs", func(r modelRow) int { return len(r.of.Runs()) })
	t.Col(newestTitle, func(r modelRow) page.Cell { return newestCell(r.of.Runs()) })
	return t.Done()
}
