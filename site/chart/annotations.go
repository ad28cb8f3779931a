package chart

import "math"

// annotationSize is the size of the text of notes, references and bands.
const annotationSize = 115

// anchor is a place for a text: of its baseline, relative to a mark or on the canvas, and where in
// the text that is: at its start, its end ("e") or its middle ("m").
type anchor struct {
	x, y int
	at   string
}

// around are the places tried for a label beside a mark, the best first.
var around = []anchor{
	{6 * px, -5 * px, ""}, {0, -8 * px, "m"}, {8 * px, 4 * px, ""}, {-6 * px, -5 * px, "e"},
	{-8 * px, 4 * px, "e"}, {6 * px, 13 * px, ""}, {0, 16 * px, "m"}, {-6 * px, 13 * px, "e"},
}

// beside finds the first free place for a text beside (x, y), and takes it.
func (pl *plot) beside(x, y, w, size int, places []anchor) (at anchor, ok bool) {
	bounds := area{0, pl.top - 12*px, pl.w, pl.bottom - 1*px}
	for _, c := range places {
		at := anchor{x + c.x, y + c.y, c.at}
		a := textArea(at.at, at.x, at.y, w, size)
		if a.in(bounds) && (a.x0 >= pl.left || a.y1 <= pl.top) && pl.taken.cover(a) == 0 {
			pl.taken.text(a)
			return at, true
		}
	}
	return anchor{}, false
}

// annotation is a text that has no fixed place: it may lie on lines and marks, but on no text.
type annotation struct {
	class string
	bold  bool
	whole string // what it says, for the description if there is no room
	rows  []string
	full  string   // native title, where rows are cut
	at    []anchor // of the first row, the best first
	// yield is how many places further down the list cost as much as one pixel of moving.
	yield int
	// into says by how much a text that would lie at an area must be moved.
	into func(area) (dx, dy int)
	// flat drops the halo where nothing is covered.
	flat bool
}

// annotate writes a text at the place where it covers least.
func (pl *plot) annotate(p pen, n annotation) {
	w := 0
	for _, r := range n.rows {
		w = max(w, textWidth(r, annotationSize, n.bold))
	}
	h := (len(n.rows) - 1) * lineHeight
	var best anchor
	var taken area
	least := math.MaxInt
	for k, c := range n.at {
		a := textArea(c.at, c.x, c.y, w, annotationSize)
		a.y1 += h
		dx, dy := n.into(a)
		a = a.moved(dx, dy)
		cost := pl.taken.cover(a)*10 + (abs(dx)+abs(dy))/px + k/n.yield
		if cost < least && a.x0 >= 0 && a.x1 <= pl.w && a.y0 >= 0 && !pl.taken.blocked(a) {
			best, taken, least = anchor{c.x + dx, c.y + dy, c.at}, a, cost
		}
	}
	if least == math.MaxInt {
		pl.unsaid = append(pl.unsaid, n.whole)
		return
	}
	pl.taken.text(taken)
	if n.flat && least < 10 {
		n.class += " nh"
	}
	p.label(n.full)
	for i, r := range n.rows {
		p.text(anchored(n.class, best.at), r, best.x, best.y+i*lineHeight)
	}
}

// drawNotes writes the notes near their places.
func (pl *plot) drawNotes(p pen) {
	for _, n := range pl.p.Notes {
		said := clean(n.Text)
		if !math.IsInf(n.X, 1) && !pl.x.holds(n.X) || !pl.y.holds(n.Y) {
			pl.unsaid = append(pl.unsaid, said)
			continue
		}
		x, y := pl.X(n.X), pl.Y(n.Y)
		a := annotation{class: "an th", bold: true, whole: said, yield: 3, into: pl.intoPlot}
		a.rows = wrap(said, annotationSize, min(190*px, pl.w/2), 4)
		h := (len(a.rows) - 1) * lineHeight
		for _, c := range []anchor{
			{0, -9*px - h, "m"}, {9 * px, -6*px - h, ""}, {-9 * px, -6*px - h, "e"}, {10 * px, 4 * px, ""},
			{-10 * px, 4 * px, "e"}, {0, 19 * px, "m"}, {9 * px, 16 * px, ""}, {-9 * px, 16 * px, "e"},
			{0, -22*px - h, "m"}, {0, 32 * px, "m"},
		} {
			a.at = append(a.at, anchor{x + c.x, y + c.y, c.at})
		}
		pl.annotate(p, a)
	}
}

// intoPlot moves a text between the edges of the plot, and a little above.
func (pl *plot) intoPlot(a area) (dx, dy int) {
	dx, dy = pl.inside(a)
	if a.x0+dx < pl.left && a.x1+dx < pl.w {
		dx += min(pl.left-a.x0-dx, pl.w-a.x1-dx)
	}
	if top := pl.top - 22*px; a.y0+dy < top {
		dy = top - a.y0
	}
	if a.y1+dy > pl.bottom {
		dy = pl.bottom - a.y1
	}
	return dx, max(dy, -a.y0)
}

// drawBands tints values of X.
func (pl *plot) drawBands(p pen) {
	for _, b := range pl.p.Bands {
		if x0, x1, ok := pl.bandEdges(b.X); ok {
			rect(p, "rfill", x0, pl.top, x1, pl.bottom)
		}
	}
}

func (pl *plot) bandEdges(v float64) (x0, x1 int, ok bool) {
	switch i, ok := pl.x.group(v); {
	case math.IsInf(v, 1):
		return pl.right - pl.x.infWidth, pl.right, pl.x.infWidth > 0
	case ok:
		return pl.left + pl.x.along(float64(i)-.5), pl.left + pl.x.along(float64(i)+.5), true
	case !pl.x.holds(v):
		return 0, 0, false
	}
	return max(pl.left, pl.X(v)-5*px), min(pl.right, pl.X(v)+5*px), true
}

// labelBands writes what is the matter with a tinted value, inside the band, clear of marks. Neighbours that touch and
// say the same say it once.
func (pl *plot) labelBands(p pen) {
	for i := 0; i < len(pl.p.Bands); i++ {
		bd := pl.p.Bands[i]
		x0, x1, ok := pl.bandEdges(bd.X)
		if !ok || bd.Label == "" {
			continue
		}
		for ; i+1 < len(pl.p.Bands) && pl.p.Bands[i+1].Label == bd.Label; i++ {
			next, end, ok := pl.bandEdges(pl.p.Bands[i+1].X)
			if !ok || next > x1 {
				break
			}
			x1 = end
		}
		said := clean(bd.Label)
		a := annotation{class: "an", whole: said, yield: 1, flat: true}
		room := max(x1-x0-4*px, 48*px)
		var fits bool
		if a.rows, fits = broken(said, annotationSize, room, 5); !fits {
			a.full = said
			a.rows, fits = broken(clean(bd.Short), annotationSize, room, 5)
		}
		if !fits || len(a.rows) == 0 {
			pl.unsaid = append(pl.unsaid, said)
			continue
		}
		a.into = func(at area) (dx, dy int) { dx, _ = pl.inside(at); return dx, 0 }
		h := (len(a.rows) - 1) * lineHeight
		for _, share := range []int{45, 30, 60, 75, 15, 5} {
			y := pl.top + (pl.bottom-pl.top)*share/100
			y = max(pl.top+11*px, min(y, pl.bottom-h-5*px))
			a.at = append(a.at, anchor{(x0 + x1) / 2, y, "m"})
		}
		pl.annotate(p, a)
	}
}
