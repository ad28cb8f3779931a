package view

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/settings"
	"github.com/inferdex/inferdex/site/page"
)

// What one page shows of a scorecard. A cell is some six elements of HTML; a page of many more than ten thousand is slow
// on a phone, and the page that leads to all others takes a third of a part.
const (
	maxFirst   = 200
	maxCells   = 600
	maxColumns = 40
	minRows    = 20
)

// Columns of the scorecard: as many as fit a desk screen stand side by side, the best covered first; with more than
// fit a tablet a narrower page has a list in the table's place. None scrolls by itself.
const (
	deskColumns   = 8
	tabletColumns = 4
)

// scoreView is the scorecard of one class in one metric: a page. It has the models and the accelerators that have a
// value, the best covered first. Where not all of its models fit, the page has the first of them on the first
// accelerators, and parts have all of them, by organisation.
type scoreView struct {
	class     *scoreClass
	metric    scoreMetric
	path      string
	cells     map[*figure.Card]scoreCell
	heat      heat
	scale     metric.Scale
	published bool // some cells are published roundings alone
	each      bool // cells are of one accelerator: their numbers differ
	// division is the one that is ranked where cells are of several divisions of a benchmark: those of another have no
	// colour, for it would compare, and name theirs.
	division  string
	undivided bool // some cells are of no division: those of the ranked one name it too
	cols      []scoreColumn
	front     []scoreColumn // of the first page: those that stand side by side, where there are parts
	rows      []scoreRow    // of the first page
	of        int           // models on all pages
	elsewhere int           // models without a value here that were measured under other workloads alone
	silent    int           // models of this workload that do not record the metric
	hidden    int           // columns without room
	parts     []scorePart
}

// scoreColumn is an accelerator, in every number that it was measured in.
type scoreColumn struct {
	settings.Accelerator
	of []int // places in the columns of the scorecards
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
	v.division = figure.RankedDivision(slices.Collect(maps.Values(s.runs)))
	var values, coloured []float64
	for card, cell := range v.cells {
		n := len(values)
		if cell.value != nil {
			values = append(values, *cell.value)
		} else if x, ok := publishedNumber(cell.published); ok {
			values = append(values, x)
			v.published = true
		}
		v.undivided = v.undivided || s.runs[card].Division() == ""
		if !s.runs[card].Outside(v.division) {
			coloured = append(coloured, values[n:]...)
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
	v.heat = newHeat(coloured, info.Better == metric.Lower)
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
		return v.metric.define(v.class) +
			", for each accelerator; the sum over all of them stands below. Higher is better."
	}
	return v.metric.define(v.class) + ", all accelerators together. Higher is better."
}

// lay decides which models and which accelerators the pages of a view show, in which order.
func (v *scoreView) lay(cols []*hardwareColumn, all []scoreRow) {
	columns := groupColumns(cols)
	type coverage struct {
		cells int
		best  float64 // the best value, in the direction in which more is better
	}
	info, _ := metric.Lookup(v.metric.metric)
	count := func(c *coverage, found []*figure.Card) {
		if len(found) == 0 {
			return
		}
		if x, _, ok := v.cells[found[0]].number(); ok && (c.cells == 0 || x*float64(info.Better) > c.best) {
			c.best = x * float64(info.Better)
		}
		c.cells++
	}
	perRow, perColumn := map[string]*coverage{}, make([]coverage, len(columns))
	rows := slices.Clone(all)
	for _, r := range rows {
		perRow[r.model.Slug] = &coverage{}
		for i, c := range columns {
			found := v.measured(r, c)
			count(perRow[r.model.Slug], found)
			count(&perColumn[i], found)
		}
	}
	under := func(r scoreRow) bool {
		return slices.ContainsFunc(r.cards, func(c *figure.Card) bool { return c != nil && v.class.runs[c] != nil })
	}
	rows = slices.DeleteFunc(rows, func(r scoreRow) bool {
		switch {
		case perRow[r.model.Slug].cells > 0:
			return false
		case v.class.whole || under(r):
			v.silent++
		default:
			v.elsewhere++
		}
		return true
	})
	slices.SortStableFunc(rows, func(a, b scoreRow) int {
		x, y := perRow[a.model.Slug], perRow[b.model.Slug]
		return cmp.Or(cmp.Compare(y.cells, x.cells), cmp.Compare(y.best, x.best))
	})
	v.of = len(rows)
	order := make([]int, 0, len(columns))
	for i := range columns {
		if perColumn[i].cells > 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		x, y := perColumn[a], perColumn[b]
		return cmp.Or(cmp.Compare(y.cells, x.cells), cmp.Compare(y.best, x.best))
	})
	if v.hidden = max(0, len(order)-maxColumns); v.hidden > 0 {
		order = order[:maxColumns]
	}
	for _, i := range order {
		v.cols = append(v.cols, columns[i])
	}
	v.rows, v.front = rows, v.cols
	room := func(cells int) int { return max(minRows, cells/max(1, len(v.front))) }
	if len(rows) <= room(maxFirst) {
		return
	}
	v.parts = partRows(rows, room(maxCells))
	v.front = v.cols[:min(len(v.cols), deskColumns)]
	v.rows = slices.DeleteFunc(slices.Clone(rows), func(r scoreRow) bool { return !slices.ContainsFunc(v.front, r.ranOn) })
	v.rows = v.rows[:min(len(v.rows), room(maxFirst))]
	base := page.PathScorecard(v.class.slug)
	if !v.class.whole {
		base += "/" + v.metric.id
	}
	for i := range v.parts {
		v.parts[i].path = base + "/" + itoa(i+1)
	}
}

// ranOn reports whether the model of a row has a card on an accelerator.
func (row scoreRow) ranOn(column scoreColumn) bool {
	return slices.ContainsFunc(column.of, func(i int) bool { return row.cards[i] != nil })
}

// groupColumns puts the numbers of one accelerator into one column.
func groupColumns(cols []*hardwareColumn) (out []scoreColumn) {
	at := map[string]int{}
	for i, c := range cols {
		slug := c.Accelerator.Slug
		j, ok := at[slug]
		if !ok {
			j = len(out)
			at[slug] = j
			out = append(out, scoreColumn{Accelerator: c.Accelerator})
		}
		out[j].of = append(out[j].of, i)
	}
	return out
}

// measured are the cards of a row in a column that have a value, the best first.
func (v *scoreView) measured(r scoreRow, c scoreColumn) (found []*figure.Card) {
	for _, i := range c.of {
		if card := r.cards[i]; card != nil {
			if _, ok := v.cells[card]; ok {
				found = append(found, card)
			}
		}
	}
	info, _ := metric.Lookup(v.metric.metric)
	rank := func(c *figure.Card) float64 {
		if x, _, ok := v.cells[c].number(); ok {
			return -x * float64(info.Better)
		}
		return math.Inf(1) // of an unrecorded number of accelerators
	}
	slices.SortStableFunc(found, func(a, b *figure.Card) int { return cmp.Compare(rank(a), rank(b)) })
	return found
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
