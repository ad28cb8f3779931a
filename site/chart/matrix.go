package chart

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
)

// Matrix is a heat map: rows by columns, each cell its value on a ground of one of at most five
// classes, the darker the better. Cells without a value say why, or are hatched.
type Matrix struct {
	// Title and Desc are for readers who do not see the drawing. Title is required.
	Title, Desc string
	// Value is what is measured ("Output throughput") in which Unit: the head of the legend.
	Value, Unit string
	// RowTitle and ColumnTitle name the two axes ("prompt length, tokens"); either may be empty.
	RowTitle, ColumnTitle string
	Rows, Columns         []string
	// Cells by row, then column. A row too short is missing at its end.
	Cells [][]Cell
	// Limits are the ends of the classes, ascending, at most four: a value at a limit belongs to
	// the class above. Nil: round limits are made of the values.
	Limits []float64
	// Lower says that less is better: the lowest class is the darkest.
	Lower bool
	// Missing is what the legend says of hatched cells; empty is "not measured".
	Missing string
	// Format writes values. Nil: three significant digits.
	Format func(float64) string
}

// Cell is one value of a Matrix.
type Cell struct {
	// Value; NaN is missing.
	Value float64
	// Text is written where the value is missing ("does not fit"); without it, or where it has no
	// room, the cell is hatched.
	Text string
	// Strong sets the value in bold: the best of its row.
	Strong bool
	// Title is the native tooltip; empty: made of row, column and value.
	Title string
}

// Blank is a cell without value for a reason in words, which may be empty.
func Blank(reason string) Cell { return Cell{Value: math.NaN(), Text: reason} }

// The largest matrix that can be drawn. Beyond, cells are too small to be told apart: draw parts.
const (
	maxRows    = 400
	maxColumns = 120
)

// matrixSheet is a matrix laid out at one size; it borrows canvas, heading and document from sheet.
type matrixSheet struct {
	*sheet
	m        *Matrix
	limits   []float64
	left     int // of the cells
	top      int // of the cells
	cw, ch   int
	empty    bool // some cell is hatched
	legendY  int
	someText bool // cells are large enough for text
}

func (m *Matrix) format(v float64) string {
	if m.Format != nil {
		return clean(m.Format(v))
	}
	return number(v)
}

// at is the cell of a row and a column.
func (m *Matrix) at(r, c int) Cell {
	if r < len(m.Cells) && c < len(m.Cells[r]) {
		return m.Cells[r][c]
	}
	return Blank("")
}

// classes are the limits between at most five classes, at round values.
func (m *Matrix) classes() []float64 {
	if m.Limits != nil {
		ls := slices.DeleteFunc(slices.Clone(m.Limits), func(v float64) bool { return !usable(v) })
		ls = distinct(ls)
		return ls[:min(len(ls), 4)]
	}
	var e extent
	for r := range m.Rows {
		for c := range m.Columns {
			e.add(m.at(r, c).Value)
		}
	}
	if e.n < 2 || !(e.hi > e.lo) {
		return nil
	}
	var ls []float64
	if e.kind(Auto, false) == Log {
		// Round values that part the logarithms evenly.
		step := math.Log(e.hi/e.pos) / 5
		for i := 1; i < 5; i++ {
			v := snap(e.pos*math.Exp(float64(i)*step), false)
			if v > e.lo && v <= e.hi && !slices.Contains(ls, v) {
				ls = append(ls, v)
			}
		}
		return ls
	}
	for n := 5; n > 0; n-- {
		st := step(e.hi-e.lo, n)
		ls = ls[:0]
		for k := math.Floor(e.lo/st+1e-9) + 1; k*st < e.hi*(1-1e-12) || k*st < e.hi-st*1e-6; k++ {
			ls = append(ls, multiple(k, st))
			if len(ls) > 4 {
				break
			}
		}
		if len(ls) <= 4 {
			break
		}
	}
	return ls
}

// class is the shade of a value, 1 to 5.
func (d *matrixSheet) class(v float64) int {
	k := 0
	for k < len(d.limits) && v >= d.limits[k] {
		k++
	}
	return d.shade(k)
}

// shade spreads the classes there are over the five shades.
func (d *matrixSheet) shade(k int) int {
	n := len(d.limits)
	if n == 0 {
		return 3
	}
	if d.m.Lower {
		k = n - k
	}
	return 1 + (k*4+n/2)/n
}

var shades = [6]string{"", "h1", "h2", "h3", "h4", "h5"}

func (m *Matrix) layout(o Options) (*matrixSheet, error) {
	if len(m.Rows) == 0 || len(m.Columns) == 0 {
		return nil, fmt.Errorf("matrix %q has no rows or no columns", m.Title)
	}
	if len(m.Rows) > maxRows || len(m.Columns) > maxColumns {
		return nil, fmt.Errorf("matrix %q is %d x %d: at most %d rows and %d columns are drawn, so draw parts of it", m.Title, len(m.Rows), len(m.Columns), maxRows, maxColumns)
	}
	// The empty panel is never drawn; it makes the size, the padding and the document the same as a chart's.
	s, err := newSheet(&Chart{Title: m.Title, Desc: m.Desc, Panels: []Panel{{}}}, o)
	if err != nil {
		return nil, err
	}
	s.remarks = nil
	d := &matrixSheet{sheet: s, m: m, limits: m.classes()}
	for _, r := range m.Rows {
		d.left = max(d.left, textWidth(clean(r), 120, false))
	}
	d.left = min(d.left+10*px, d.w*34/100)
	if m.RowTitle != "" {
		d.left = max(d.left, min(textWidth(clean(m.RowTitle), 120, false)+10*px, d.w*34/100))
	}
	d.cw = (d.w - d.left) / len(m.Columns)
	widest, known, widestAt := 0, false, 0
	for r := range m.Rows {
		for c := range m.Columns {
			if cell := m.at(r, c); usable(cell.Value) {
				widest = max(widest, textWidth(m.format(cell.Value), 120, cell.Strong))
				known = true
			}
		}
	}
	for _, c := range m.Columns {
		widestAt = max(widestAt, textWidth(clean(c), 120, false))
	}
	// A few columns do not fill the width: cells much wider than their text are read less well.
	d.cw = min(d.cw, max(widest+28*px, min(widestAt+16*px, 130*px), 96*px))
	d.someText = !known || widest <= d.cw-4*px
	d.ch = 28 * px
	if !d.someText {
		d.ch = max(14*px, min(d.cw, 28*px))
	}
	d.legendY = d.heading()
	d.top = d.legendY + 48*px + 22*px
	if m.ColumnTitle != "" {
		d.top += 18 * px
	}
	for r := range m.Rows {
		for c := range m.Columns {
			if cell := m.at(r, c); !usable(cell.Value) && !d.words(cell) {
				d.empty = true
			}
		}
	}
	d.h = max(d.top+len(m.Rows)*d.ch+2*px, 100*px)
	d.h = (d.h + px - 1) / px * px
	return d, nil
}

// words says whether the reason of a missing value has room in its cell.
func (d *matrixSheet) words(c Cell) bool {
	return d.someText && c.Text != "" && textWidth(clean(c.Text), 105, false) <= d.cw-4*px
}

// SVG writes the matrix as one svg element or, self-contained, as a file. It becomes as high as its rows
// need: Options.Size.H is not used.
func (m *Matrix) SVG(w io.Writer, o Options) error {
	d, err := m.layout(o)
	if err != nil {
		return err
	}
	p, err := newSVGPen()
	if err != nil {
		return err
	}
	d.draw(p)
	return d.document(w, p)
}

// PNG writes the matrix as a PNG image in one theme.
func (m *Matrix) PNG(w io.Writer, o Options) error {
	o.SelfContained = true
	d, err := m.layout(o)
	if err != nil {
		return err
	}
	return d.png(w, func(p pen) error { d.draw(p); return nil })
}

// Inline writes the matrix once for each size; no size means Wide and Narrow.
func (m *Matrix) Inline(w io.Writer, id string, sizes ...Size) error {
	return inline(id, sizes, func(sid string, s Size) error { return m.SVG(w, Options{Size: s, ID: sid}) })
}

func (d *matrixSheet) draw(p pen) {
	d.drawKey(p)
	d.legend(p)
	m := d.m
	if m.ColumnTitle != "" {
		d.fitted(p, "ax", "", d.left, d.top-24*px, clean(m.ColumnTitle), d.w-d.left)
	}
	if m.RowTitle != "" {
		d.fitted(p, "ax", "", 0, d.top-7*px, clean(m.RowTitle), d.left-10*px)
	}
	d.columns(p)
	var hatched [][2]int
	for r, name := range m.Rows {
		y := d.top + r*d.ch
		name = clean(name)
		if d.ch >= 14*px || r%2 == 0 {
			d.fitted(p, "tk", "", 0, y+d.ch/2+4*px, name, d.left-10*px)
		}
		short, _ := cut(name, 12*px, false, 320*px)
		p.data("n", isolated(short))
		p.data("s", strconv.Itoa(r+1))
		p.begin(0, "")
		for c := range m.Columns {
			cell := m.at(r, c)
			x := d.left + c*d.cw
			column, _ := cut(clean(m.Columns[c]), 12*px, false, 320*px)
			p.data("x", isolated(column))
			p.label(d.cellTitle(short, column, cell))
			x1, y1 := x+d.cw-px, y+d.ch-px
			if !usable(cell.Value) {
				rect(p, "ce", x, y, x1, y1)
				if d.words(cell) {
					p.SetClassName("hx m")
					p.Text(clean(cell.Text), (x+x1)/2, y+d.ch/2+4*px)
				} else {
					hatched = append(hatched, [2]int{x, y})
				}
				continue
			}
			txt := m.format(cell.Value)
			p.data("y", txt)
			rect(p, shades[d.class(cell.Value)], x, y, x1, y1)
			if d.someText {
				class := "hv m"
				if cell.Strong {
					class = "hv b m"
				}
				p.SetClassName(class)
				p.Text(txt, (x+x1)/2, y+d.ch/2+4*px)
			}
		}
		p.end()
	}
	if len(hatched) > 0 {
		p.SetClassName("hat")
		for _, at := range hatched {
			hatch(p, at[0], at[1], d.cw-px, d.ch-px)
		}
		p.Stroke()
	}
}

// hatch adds lines at 45 degrees within a rectangle.
func hatch(p pen, x, y, w, h int) {
	const every = 7 * px
	for s := every; s < w+h; s += every {
		// From the left or lower edge up to the top or right edge.
		x0, y0 := x, y+s
		if s > h {
			x0, y0 = x+s-h, y+h
		}
		x1, y1 := x+s, y
		if s > w {
			x1, y1 = x+w, y+s-w
		}
		p.MoveTo(x0, y0)
		p.LineTo(x1, y1)
	}
}

// columns writes the heads of the columns: all, or every n-th where they are too narrow.
func (d *matrixSheet) columns(p pen) {
	room := d.cw - 6*px
	every := 1
	if room < 24*px {
		widest := 0
		for _, c := range d.m.Columns {
			widest = max(widest, textWidth(clean(c), 120, false))
		}
		every = max(1, (min(widest, 90*px)+8*px+d.cw-1)/d.cw)
		room = every*d.cw - 8*px
	}
	for c := 0; c < len(d.m.Columns); c += every {
		x, anchor := d.left+c*d.cw+(d.cw-px)/2, "m"
		if every > 1 { // a head of several columns begins above the one it names
			x, anchor = d.left+c*d.cw, ""
			if d.w-x < min(room, 24*px) {
				break
			}
		}
		d.fitted(p, "tk", anchor, x, d.top-7*px, clean(d.m.Columns[c]), min(room, d.w-d.left-c*d.cw))
	}
}

// fitted writes a text cut to the room it has, with the whole of it as native title.
func (d *matrixSheet) fitted(p pen, class, anchor string, x, y int, s string, room int) {
	short, full := cutTitle(s, 120, false, room)
	p.label(full)
	p.SetClassName(withAnchor(class, anchor))
	p.Text(short, x, y)
}

// legend draws the classes with their limits between them, and what hatching means.
func (d *matrixSheet) legend(p pen) {
	m := d.m
	title := clean(m.Value)
	if u := clean(m.Unit); u != "" && title != "" {
		title += ", " + u
	} else if u != "" {
		title = u
	}
	y := d.legendY
	d.fitted(p, "ax", "", 0, y+12*px, title, d.w)
	y += 18 * px
	n := len(d.limits) + 1
	missing := clean(m.Missing)
	if missing == "" {
		missing = "not measured"
	}
	w := 46 * px
	for _, l := range d.limits {
		w = max(w, textWidth(m.format(l), 105, false)+8*px)
	}
	room := d.w
	if d.empty {
		room -= min(textWidth(missing, 120, false)+52*px, d.w/2)
	}
	w = min(w, room/n)
	x := 0
	if n > 1 {
		for k := range n {
			rect(p, shades[d.shade(k)], x, y, x+w, y+10*px)
			if k > 0 {
				txt, _ := cut(m.format(d.limits[k-1]), 105, false, w)
				p.SetClassName("pt m")
				p.Text(txt, x, y+22*px)
			}
			x += w
		}
		line(p, "bl", 0, y, x, y, x, y+10*px, 0, y+10*px, 0, y)
		x += 18 * px
	}
	if d.empty {
		rect(p, "ce", x, y, x+24*px, y+10*px)
		p.SetClassName("hat")
		hatch(p, x, y, 24*px, 10*px)
		p.Stroke()
		d.fitted(p, "tk", "", x+30*px, y+9*px, missing, d.w-x-36*px)
	}
}

func (d *matrixSheet) cellTitle(row, column string, c Cell) string {
	if c.Title != "" {
		return clean(c.Title)
	}
	s := isolated(row) + ", " + isolated(column) + ": "
	switch {
	case usable(c.Value):
		s += d.m.format(c.Value)
		if u := clean(d.m.Unit); u != "" {
			s += " " + u
		}
	case c.Text != "":
		s += clean(c.Text)
	case math.IsInf(c.Value, 0):
		s += "infinite"
	case d.m.Missing != "":
		s += clean(d.m.Missing)
	default:
		s += "not measured"
	}
	return s
}
