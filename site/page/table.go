package page

import (
	"strings"

	"github.com/inferdex/inferdex/ingest/metric"
)

// Table is a table that is made column by column: each column says of a row what its cell is. A
// column of which no row has anything to say is left out, unless it is to be kept.
type Table[R any] struct {
	Grid
	of    []R
	at    []int  // which of them the rows are of
	cells []Cell // room for those of a column
}

// NewTable begins a table of rows. Class is added to "d", empty for most.
func NewTable[R any](caption, class string, of []R) *Table[R] {
	t := &Table[R]{Grid: Grid{Caption: caption, Class: class, Rows: make([]Row, len(of))}, of: of, at: make([]int, len(of))}
	for i := range of {
		t.at[i] = i
	}
	return t
}

// Only leaves the rows at some places, before any column is added: those that stand elsewhere share their units.
func (t *Table[R]) Only(at []int) { t.Rows, t.at = t.Rows[:len(at)], at }

// Each sets what a row has beside its cells: its anchor, its class.
func (t *Table[R]) Each(f func(i int, r R, row *Row)) {
	for row, i := range t.at {
		f(i, t.of[i], &t.Rows[row])
	}
}

// Col adds a column of text.
func (t *Table[R]) Col(title string, f func(R) Cell) { t.Add(Column{Title: title}, f) }

// Num adds a column of numbers; unit stands below its title.
func (t *Table[R]) Num(title, unit string, f func(R) Cell) {
	t.Add(Column{Title: title, Unit: unit, Num: true}, f)
}

// Text adds a column of text; a row without any says why: "not recorded".
func (t *Table[R]) Text(title, missing string, f func(R) string) {
	t.Col(title, func(r R) Cell { return TextOr(f(r), missing) })
}

// Head adds the column that names the rows, each a link where it has an address.
func (t *Table[R]) Head(title string, f func(R) (text, href string)) {
	t.Col(title, func(r R) Cell {
		text, href := f(r)
		return Cell{Text: text, Href: href, Head: true}
	})
}

// Count adds a column of counts.
func (t *Table[R]) Count(title string, f func(R) int) {
	t.Num(title, "", func(r R) Cell { return Count(f(r)) })
}

// Add adds a column.
func (t *Table[R]) Add(c Column, f func(R) Cell) {
	cells := t.cells[:0]
	for _, i := range t.at {
		cells = append(cells, f(t.of[i]))
	}
	t.add(c, cells)
}

// Scaled adds a column of numbers, one a row of the whole table, that share their unit; nil is a value that is not there.
// A number has the digits that it has wherever else it stands on a page, so two that differ little look equal; the exact
// one is in the title. Finish, where it is not nil, adds to the cell of a value.
func (t *Table[R]) Scaled(c Column, s metric.Scale, values []*float64, finish func(i int, c *Cell)) {
	c.Num = true
	cells := t.cells[:0]
	for row, i := range t.at {
		v := values[i]
		if v == nil {
			cells = append(cells, Missing(""))
			continue
		}
		cells = append(cells, Number(*v, s))
		if finish != nil {
			finish(i, &cells[row])
		}
	}
	t.add(c, cells)
}

// usualColumns is how many columns most tables have at most.
const usualColumns = 8

// add adds a column of cells if any of them says something. It keeps their room for the next one.
func (t *Table[R]) add(c Column, cells []Cell) {
	t.cells = cells
	says := c.Keep
	for i := range cells {
		says = says || cells[i].says()
	}
	if !says {
		return
	}
	if len(t.Columns) == 0 {
		all := make([]Cell, usualColumns*len(t.Rows))
		for i := range t.Rows {
			t.Rows[i].Cells = all[usualColumns*i : usualColumns*i : usualColumns*(i+1)]
		}
	}
	t.Columns = append(t.Columns, c)
	for i := range t.Rows {
		t.Rows[i].Cells = append(t.Rows[i].Cells, cells[i])
	}
}

// Done is the finished table. Columns with a group have a row of headings above them.
func (t *Table[R]) Done() *Grid {
	for i, c := range t.Columns {
		if i > 0 && c.Group == t.Columns[i-1].Group {
			t.Groups[len(t.Groups)-1].Span++
		} else {
			t.Groups = append(t.Groups, Group{Title: c.Group, Span: 1})
		}
	}
	if len(t.Groups) == 1 && t.Groups[0].Title == "" {
		t.Groups = nil
	}
	return &t.Grid
}

// says tells whether a cell has a value, or words why it has none.
func (c *Cell) says() bool {
	drawn := c.Before != nil || c.After != nil
	return c.Text != "" || len(c.Parts) > 0 || c.Sub != "" || c.Was != "" || drawn && !strings.HasPrefix(c.Class, "na")
}

// Number is the cell of a number in a unit: rounded, the exact one in its title.
func Number(v float64, s metric.Scale) Cell { return Cell{Text: s.Format(v), Exact: s.Exact(v)} }

// NumberIf is the cell of a number that may be missing.
func NumberIf(v float64, ok bool, s metric.Scale) Cell {
	if !ok {
		return Missing("")
	}
	return Number(v, s)
}

// TextOr is the cell of a text, or of the reason why there is none.
func TextOr(s, missing string) Cell {
	if s == "" && missing != "" {
		return Missing(missing)
	}
	return Cell{Text: s}
}

// Count is the cell of a count.
func Count[N int | int64](n N) Cell { return Cell{Text: metric.Count(n)} }
