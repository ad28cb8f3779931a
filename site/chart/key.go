package chart

import (
	"bytes"
	"cmp"
	"io"
	"math"
	"slices"
)

// KeyOf lists the series of the charts, each name once, and what hollow marks mean: of one chart of lines in the
// order in which they end, the highest first, of others in the order met.
func KeyOf(charts ...*Chart) []KeyItem {
	var out []KeyItem
	seen := map[string]bool{}
	for _, c := range charts {
		for i := range c.Panels {
			p := &c.Panels[i]
			order := p.inOrder()
			if len(charts) == 1 && len(c.Panels) == 1 && kindOf(c.Kind).traits().endNames {
				order = p.byEnds()
			}
			for _, j := range order {
				s := p.Series[j]
				if !s.labelled() || seen[s.Name] {
					continue
				}
				seen[s.Name] = true
				k := KeyItem{
					Name: s.Name, Slot: s.slot(j), Marker: s.Marker, Solid: s.Solid, NoLine: s.NoLine,
					NoMark: s.NoMarks,
				}
				kindOf(c.Kind).key(&k, p)
				out = append(out, k)
			}
		}
	}
	hollow := map[string]bool{}
	for _, c := range charts {
		if k, ok := c.hollowKey(); ok && !hollow[k.Name] {
			hollow[k.Name] = true
			out = append(out, k)
		}
	}
	for _, c := range charts {
		if k, ok := c.suspectKey(); ok {
			return append(out, k)
		}
	}
	return out
}

// suspectKey is the entry that explains crossed marks, in the look of the first; ok is false where there are none.
func (c *Chart) suspectKey() (k KeyItem, ok bool) {
	slot, _, ok := c.first(func(p *Point) bool { return p.Suspect })
	return KeyItem{Name: suspectWords, Slot: slot, NoLine: true, Suspect: true}, ok
}

// first is the look of the first series with a point of a kind; ok is false where no point is one.
func (c *Chart) first(is func(p *Point) bool) (slot, marker int, ok bool) {
	for i := range c.Panels {
		for j, s := range c.Panels[i].Series {
			for k := range s.Points {
				if is(&s.Points[k]) {
					return s.slot(j), s.Marker, true
				}
			}
		}
	}
	return 0, 0, false
}

// inOrder are the places of the series that are shown.
func (p *Panel) inOrder() []int {
	var out []int
	for j := range p.shown() {
		out = append(out, j)
	}
	return out
}

// byEnds are the places of the series that are shown, in the order in which their lines end, from the top.
// Those without a line come last.
func (p *Panel) byEnds() []int {
	end := func(j int) float64 {
		x, y := math.Inf(-1), math.Inf(-1)
		for _, pt := range p.Series[j].Points {
			if !pt.Suspect && usable(pt.Y) && usable(pt.X) && pt.X >= x {
				x, y = pt.X, pt.Y
			}
		}
		return y
	}
	out := p.inOrder()
	slices.SortStableFunc(out, func(a, b int) int { return cmp.Compare(end(b), end(a)) })
	return out
}

// hollowKey is the entry that explains the hollow marks of a chart, in the look of the first; ok is
// false where there are none.
func (c *Chart) hollowKey() (k KeyItem, ok bool) {
	if c.Hollow == "" {
		return k, false
	}
	slot, mark, ok := c.first(func(p *Point) bool { return p.Hollow })
	return KeyItem{Name: c.Hollow, Slot: slot, Marker: mark, NoLine: true, Hollow: true}, ok
}

// WriteKey writes the key as an HTML list of class "key".
func WriteKey(w io.Writer, items []KeyItem) error {
	var b bytes.Buffer
	b.WriteString(`<ul class=key>`)
	for _, k := range items {
		b.WriteString("<li>")
		if err := writeSwatch(&b, k); err != nil {
			return err
		}
		element(&b, "span", isolated(clean(k.Name)))
	}
	b.WriteString("</ul>")
	_, err := w.Write(b.Bytes())
	return err
}

// keyRow is a row of a key above a plot.
type keyRow []placedKey

type placedKey struct {
	KeyItem
	x          int
	text, full string
}

// The height of a row, and what lies between its items.
const (
	keyHeight = 19 * px
	keyGap    = 18 * px
)

// keyRows breaks a key into rows of a width: one where the items fit, else columns.
func keyRows(items []KeyItem, width int) []keyRow {
	items = items[:min(len(items), maxSeries+2)] // hollow and crossed marks too
	limit := width - 40*px
	if len(items) > 3 {
		limit = width/2 - 50*px
	}
	row := make(keyRow, len(items))
	widths, names := make([]int, len(items)), make([]string, len(items))
	total, widest := -keyGap, 0
	for i, k := range items {
		names[i] = clean(k.Name)
	}
	texts := cutApart(names, nameSize, false, limit)
	for i, k := range items {
		row[i].KeyItem, row[i].text = k, texts[i]
		if texts[i] != names[i] {
			row[i].full = names[i]
		}
		widths[i] = k.width() + 6*px + textWidth(row[i].text, nameSize, false)
		total += widths[i] + keyGap
		widest = max(widest, widths[i])
	}
	columns := len(row)
	if total > width {
		columns = max(1, (width+keyGap)/(widest+keyGap))
		rows := (len(row) + columns - 1) / columns
		columns = (len(row) + rows - 1) / rows
		for i := range widths {
			widths[i] = widest
		}
	}
	var out []keyRow
	for first := 0; first < len(row); first += columns {
		r := row[first:min(first+columns, len(row))]
		for i, x := 0, 0; i < len(r); i++ {
			r[i].x = x
			x += widths[first+i] + keyGap
		}
		out = append(out, r)
	}
	return out
}

// drawKey draws the rows of a key, the first below y.
func drawKey(p pen, rows []keyRow, y int) {
	for i, row := range rows {
		y := y + i*keyHeight + 8*px
		for _, k := range row {
			p.begin(k.slot(), "")
			swatch(p, &k.KeyItem, k.x, y)
			p.end()
			p.label(k.full)
			p.text("ky", k.text, k.x+k.width()+6*px, y+4*px)
		}
	}
}
