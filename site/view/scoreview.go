package view

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/settings"
	"github.com/inferdex/inferdex/site/page"
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
	each      bool // cells are of one accelerator: their numbers differ
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

// scoreRow is a model with its cards by column.
type scoreRow struct {
	model settings.Model
	cards []*figure.Card // parallel to the columns; nil where the pair was never run
}

// newView reads the cells; nil where there are none.
func newView(s *scoreClass, m scoreMetric) *scoreView {
	v := &scoreView{class: s, metric: m}
	v.cells, v.each = s.cells(m)
	var values []float64
	for _, cell := range v.cells {
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

// cells are those of a metric by card, of some cards or of all; each says that they are of one accelerator.
func (s *scoreClass) cells(m scoreMetric, of ...*figure.Card) (cells map[*figure.Card]scoreCell, each bool) {
	cells = map[*figure.Card]scoreCell{}
	var rs []result
	for c, r := range s.runs {
		if of != nil && !slices.Contains(of, c) {
			continue
		}
		if cell, ok := m.value(s, r); ok {
			cells[c], rs = cell, append(rs, result{run: r})
		}
	}
	if m.sum && len(rs) > 0 {
		each, _ = perAccelerator(rs)
	}
	if each {
		for c, cell := range cells {
			cells[c] = cell.ofOne(s.runs[c])
		}
	}
	return cells, each
}

// named is the name of a metric, of one accelerator where each is set.
func (m scoreMetric) named(each bool) string {
	if each {
		return m.label + " per accelerator"
	}
	return m.label
}

// label names what the cells of a view are.
func (v *scoreView) label() string { return v.metric.named(v.each) }

// ofOne is a cell of the sum over the accelerators of a run as that of one.
func (c scoreCell) ofOne(r *figure.Run) scoreCell {
	if v, ok := publishedNumber(c.published); ok && c.value == nil {
		c.value = &v
	}
	c.total, c.value, c.published = c.value, nil, ""
	if n := count(r); n > 0 && c.total != nil {
		one := metric.Round12(*c.total / float64(n))
		c.value = &one
	}
	return c
}

// definition says what the cells are.
func (v *scoreView) definition() string {
	switch {
	case !v.metric.sum:
		return v.metric.define(v.class)
	case v.each:
		return v.metric.define(v.class) + ", for each accelerator; the sum over all of them stands below. Higher is better."
	}
	return v.metric.define(v.class) + ", all accelerators together. Higher is better."
}

// lay decides which models and which hardware the pages of a view show. The scorecard of the
// class with most cards and those of whole runs have every model, the others what was measured
// under them.
func (v *scoreView) lay(cols int, all []scoreRow, every bool) {
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
	count := make([]int, cols)
	for i := range cols {
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
				parts = append(parts, scorePart{title: label + " " + itoa(i+1) + " of " + itoa(n),
					rows: list[i*room : min(len(list), (i+1)*room)]})
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
		return v.label()
	}
	return v.label() + ", " + v.class.title
}
