package page

// Transposed is a table with a column for each thing and a row for each of its quantities: for few
// things that have many.
type Transposed[T any] struct {
	Grid
	of []T
}

// NewTransposed begins a table with a column for each thing. Corner is the heading of the column
// that names the quantities.
func NewTransposed[T any](caption, class string, corner Column, of []T, column func(T) Column) *Transposed[T] {
	t := &Transposed[T]{Grid{Caption: caption, Class: class, Columns: []Column{corner}}, of}
	for _, x := range of {
		t.Columns = append(t.Columns, column(x))
	}
	return t
}

// Row adds a quantity, whatever is known of it.
func (t *Transposed[T]) Row(label string, f func(T) Cell) {
	t.add(Cell{Text: label, Head: true}, f, false)
}

// Known adds a quantity that at least one of the things has a value of.
func (t *Transposed[T]) Known(label Cell, f func(T) Cell) { t.add(label, f, true) }

func (t *Transposed[T]) add(label Cell, f func(T) Cell, known bool) {
	label.Head = true
	row, some := Row{Cells: []Cell{label}}, !known
	for _, x := range t.of {
		c := f(x)
		some = some || c.Class != "na"
		row.Cells = append(row.Cells, c)
	}
	if some {
		t.Rows = append(t.Rows, row)
	}
}
