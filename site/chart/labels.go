package chart

import (
	"math"
	"slices"
)

// obstacles are what a label should not cover.
type obstacles struct {
	lines [][4]int
	boxes []area // marks, bars and texts
	texts []area // what a label must not cover
}

// area is a rectangle in tenths of a pixel.
type area struct{ x0, y0, x1, y1 int }

func (a area) meets(b area) bool { return a.x0 < b.x1 && b.x0 < a.x1 && a.y0 < b.y1 && b.y0 < a.y1 }

// longRun is the number of points above which a line is remembered coarsely: placing labels must not cost
// more than drawing it.
const longRun = 160

func (o *obstacles) line(run []spot) {
	every := 1 + len(run)/longRun
	for i := 0; i+every < len(run); i += every {
		o.lines = append(o.lines, [4]int{run[i].x, run[i].y, run[i+every].x, run[i+every].y})
	}
	if len(run) <= longRun {
		for i := range run {
			o.mark(run[i].x, run[i].y)
		}
	}
}

func (o *obstacles) mark(x, y int) { o.box(area{x - 4*px, y - 4*px, x + 4*px, y + 4*px}) }
func (o *obstacles) box(a area)    { o.boxes = append(o.boxes, a) }

func (o *obstacles) text(a area) {
	o.boxes = append(o.boxes, a)
	o.texts = append(o.texts, a)
}

// blocked says whether a label at a would lie on another text.
func (o *obstacles) blocked(a area) bool {
	return slices.ContainsFunc(o.texts, a.meets)
}

// cover says how much a label at a would cover: 0 is free.
func (o *obstacles) cover(a area) int {
	n := 0
	for _, b := range o.boxes {
		if a.meets(b) {
			n++
		}
	}
	for _, l := range o.lines {
		if a.cuts(l) {
			n++
		}
	}
	return n
}

// cuts says whether a line goes through the rectangle (Liang and Barsky's clipping).
func (a area) cuts(l [4]int) bool {
	if max(l[0], l[2]) <= a.x0 || min(l[0], l[2]) >= a.x1 || max(l[1], l[3]) <= a.y0 || min(l[1], l[3]) >= a.y1 {
		return false
	}
	x, y := float64(l[0]), float64(l[1])
	dx, dy := float64(l[2])-x, float64(l[3])-y
	t0, t1 := 0.0, 1.0
	for _, e := range [4][2]float64{{-dx, x - float64(a.x0)}, {dx, float64(a.x1) - x}, {-dy, y - float64(a.y0)}, {dy, float64(a.y1) - y}} {
		if e[0] == 0 {
			if e[1] < 0 {
				return false
			}
			continue
		}
		r := e[1] / e[0]
		if e[0] < 0 {
			t0 = math.Max(t0, r)
		} else {
			t1 = math.Min(t1, r)
		}
	}
	return t0 < t1
}

// textArea is what a text of one line covers, its baseline at y.
func textArea(anchor string, x, y, w, size int) area {
	switch anchor {
	case "e":
		x -= w
	case "m":
		x -= w / 2
	}
	return area{x, y - size*8/10, x + w, y + size*3/10}
}

// inside moves a into the canvas and says by how much.
func (d *sheet) inside(a area) (dx, dy int) {
	if a.x1 > d.w {
		dx = d.w - a.x1
	}
	if a.x0+dx < 0 {
		dx = -a.x0
	}
	if a.y1 > d.h {
		dy = d.h - a.y1
	}
	if a.y0+dy < 0 {
		dy = -a.y0
	}
	return dx, dy
}

// endLabel is the name of a series at the end of its line.
type endLabel struct {
	t          *track
	text, full string
	x, y       int // of the baseline
	anchor     string
	mx, my     int // the mark it names
	leader     bool
}

// endLabels puts the names of a plot's lines at their ends, at least 15 px apart. labels stays nil where
// they do not fit.
func (pl *plot) endLabels() {
	d := pl.d
	if d.c.Kind != Lines || !d.wantsLabels(pl) {
		return
	}
	edge := pl.box.Right
	if pl.x.infWidth > 0 {
		edge = pl.X(pl.x.max)
	}
	var ls, early []endLabel
	for _, t := range pl.tracks {
		if t.s.NoLabel || t.name == "" || len(t.runs) == 0 {
			continue
		}
		run := t.runs[len(t.runs)-1]
		end := run[len(run)-1]
		l := endLabel{t: t, mx: end.x, my: end.y, x: max(edge+4*px, end.x+9*px), y: end.y}
		l.text, l.full = cutTitle(t.name, 125, true, d.w*27/100)
		if edge-end.x > 60*px {
			// A line that ends early has its name there, if there is room.
			if at, ok := pl.put(textWidth(l.text, 125, true), 125, end.x, end.y, around); ok {
				l.x, l.y, l.anchor = end.x+at.dx, end.y+at.dy, at.anchor
				early = append(early, l)
				continue
			}
		}
		ls = append(ls, l)
	}
	if len(ls) == 0 {
		pl.labels = early
		return
	}
	slices.SortStableFunc(ls, func(a, b endLabel) int { return a.y - b.y })
	need := 0
	heights := make([]int, len(ls))
	for i := range ls {
		heights[i] = 15 * px
		need += heights[i]
	}
	top, bottom := pl.box.Top-4*px, pl.box.Bottom+4*px
	if need > bottom-top {
		return
	}
	// Push down from above, then up from below: each stays as near to its line as the others allow.
	want := make([]int, len(ls))
	for i := range ls {
		want[i] = ls[i].y
	}
	place := settle(want, heights, top+8*px, bottom+7*px)
	for i := range ls {
		ls[i].y = place[i]
		moved := abs(ls[i].y - ls[i].my)
		if moved > 42*px {
			return
		}
		ls[i].leader = moved > 3*px || ls[i].x-ls[i].mx > 14*px
		if ls[i].leader {
			ls[i].x += 5 * px
		}
		ls[i].y += 4 * px
	}
	pl.labels = append(ls, early...)
	for i := range ls {
		l := &ls[i]
		w := textWidth(l.text, 125, true)
		pl.taken.text(textArea("", l.x, l.y, w, 125))
	}
}

// settle spreads sorted places so that each has its height, moving groups that touch to the mean of what
// they want.
func settle(want, heights []int, top, bottom int) []int {
	type group struct{ first, n, at, height int }
	var gs []group
	at := func(first, n int) (int, int) {
		off, sum, h := 0, 0, 0
		for i := first; i < first+n; i++ {
			sum += want[i] - off
			off += heights[i]
			h += heights[i]
		}
		y := sum / n
		y = max(top, min(y, bottom-h))
		return y, h
	}
	for i := range want {
		y, h := at(i, 1)
		gs = append(gs, group{i, 1, y, h})
		for len(gs) > 1 {
			a, b := gs[len(gs)-2], gs[len(gs)-1]
			if a.at+a.height <= b.at {
				break
			}
			y, h := at(a.first, a.n+b.n)
			gs = append(gs[:len(gs)-2], group{a.first, a.n + b.n, y, h})
		}
	}
	out := make([]int, len(want))
	for _, g := range gs {
		y := g.at
		for i := g.first; i < g.first+g.n; i++ {
			out[i] = y
			y += heights[i]
		}
	}
	return out
}

func abs(a int) int {
	if a < 0 {
		return -a
	}
	return a
}

// cutTitle cuts a name and returns the whole name where something was lost.
func cutTitle(s string, size int, bold bool, max int) (short, full string) {
	short, was := cut(s, size, bold, max)
	if was {
		return short, s
	}
	return short, ""
}

// spotLabel is a candidate place beside a mark.
type spotLabel struct {
	dx, dy int
	anchor string
}

// around are the places tried for a label beside a mark, the best first.
var around = []spotLabel{
	{6 * px, -5 * px, ""}, {0, -8 * px, "m"}, {8 * px, 4 * px, ""}, {-6 * px, -5 * px, "e"},
	{-8 * px, 4 * px, "e"}, {6 * px, 13 * px, ""}, {0, 16 * px, "m"}, {-6 * px, 13 * px, "e"},
}

// put finds a place for a text beside (x, y). ok is false where none is free.
func (pl *plot) put(w, size, x, y int, places []spotLabel) (at spotLabel, ok bool) {
	bounds := area{0, pl.box.Top - 12*px, pl.limitX, pl.box.Bottom - 1*px}
	for _, c := range places {
		a := textArea(c.anchor, x+c.dx, y+c.dy, w, size)
		if a.x0 < bounds.x0 || a.x1 > bounds.x1 || a.y0 < bounds.y0 || a.y1 > bounds.y1 || a.x0 < pl.box.Left && a.y1 > pl.box.Top {
			continue
		}
		if pl.taken.cover(a) == 0 {
			pl.taken.text(a)
			return c, true
		}
	}
	return spotLabel{}, false
}

func withAnchor(class, anchor string) string {
	if anchor == "" {
		return class
	}
	return class + " " + anchor
}

// frontierNames places the names of lines that end anywhere. It is false, and none is placed, where
// one has no room: a name missing is worse than all in a key.
func (pl *plot) frontierNames() bool {
	if !pl.d.wantsLabels(pl) {
		return true
	}
	for _, t := range pl.tracks {
		if t.s.NoLabel || t.name == "" || len(t.runs) == 0 {
			continue
		}
		l := endLabel{t: t}
		l.text, l.full = cutTitle(t.name, 125, true, pl.d.w*30/100)
		w := textWidth(l.text, 125, true)
		done := false
		run := t.runs[0]
		// First the places beside the bends of the line, then its ends.
		for _, i := range nameOrder(len(run)) {
			at, ok := pl.put(w, 125, run[i].x, run[i].y, []spotLabel{
				{9 * px, -3 * px, ""}, {9 * px, 11 * px, ""}, {-9 * px, 12 * px, "e"}, {-9 * px, -4 * px, "e"}, {0, -11 * px, "m"}, {0, 20 * px, "m"},
			})
			if ok {
				l.x, l.y, l.anchor, l.mx, l.my = run[i].x+at.dx, run[i].y+at.dy, at.anchor, run[i].x, run[i].y
				pl.labels = append(pl.labels, l)
				done = true
				break
			}
		}
		if !done {
			pl.labels = nil
			return false
		}
	}
	return true
}

// nameOrder is the order in which points of a line are tried for its name: around the middle first.
func nameOrder(n int) []int {
	var out []int
	mid := n / 2
	for k := 0; k <= n && len(out) < min(n, 24); k++ {
		if mid-k >= 0 {
			out = append(out, mid-k)
		}
		if k > 0 && mid+k < n {
			out = append(out, mid+k)
		}
	}
	return out
}
