package chart

import (
	"math"
	"slices"
)

// area is a rectangle in tenths of a pixel.
type area struct{ x0, y0, x1, y1 int }

func (a area) meets(b area) bool     { return a.x0 < b.x1 && b.x0 < a.x1 && a.y0 < b.y1 && b.y0 < a.y1 }
func (a area) moved(dx, dy int) area { return area{a.x0 + dx, a.y0 + dy, a.x1 + dx, a.y1 + dy} }
func (a area) in(b area) bool        { return a.x0 >= b.x0 && a.x1 <= b.x1 && a.y0 >= b.y0 && a.y1 <= b.y1 }

// round divides to the nearest.
func round(a, b int) int {
	if a < 0 {
		return -((-a + b/2) / b)
	}
	return (a + b/2) / b
}

func abs(a int) int { return max(a, -a) }

// cuts says whether a line goes through the rectangle (Liang and Barsky's clipping).
func (a area) cuts(l [4]int) bool {
	if max(l[0], l[2]) <= a.x0 || min(l[0], l[2]) >= a.x1 || max(l[1], l[3]) <= a.y0 || min(l[1], l[3]) >= a.y1 {
		return false
	}
	x, y := float64(l[0]), float64(l[1])
	dx, dy := float64(l[2])-x, float64(l[3])-y
	t0, t1 := 0.0, 1.0
	for _, e := range [4][2]float64{
		{-dx, x - float64(a.x0)}, {dx, float64(a.x1) - x}, {-dy, y - float64(a.y0)}, {dy, float64(a.y1) - y},
	} {
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

// lineHeight is the distance of the lines of an annotation.
const lineHeight = 14 * px

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

// obstacles are what a label should not cover.
type obstacles struct {
	lines [][4]int
	boxes []area // marks, bars and texts
	texts []area // what a label must not cover
}

// longRun is the number of points above which a line is remembered coarsely: placing labels must not
// cost more than drawing it.
const longRun = 160

func (o *obstacles) line(x0, y0, x1, y1 int) { o.lines = append(o.lines, [4]int{x0, y0, x1, y1}) }
func (o *obstacles) mark(x, y int)           { o.box(area{x - 4*px, y - 4*px, x + 4*px, y + 4*px}) }
func (o *obstacles) box(a area)              { o.boxes = append(o.boxes, a) }

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
