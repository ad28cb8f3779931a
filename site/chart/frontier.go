package chart

import (
	"cmp"
	"math"
	"slices"
)

// beat parts the points of a series into those that no other point of the series is at least as good
// as on both axes and better on one, which become the one line in ascending X, and the others.
func (t *track) beat() {
	var all []spot
	for _, r := range t.runs {
		all = append(all, r...)
	}
	if len(all) == 0 {
		return
	}
	// Seen from the best X on, a point stands if its Y is better than all before.
	slices.SortStableFunc(all, func(a, b spot) int {
		return cmp.Or(cmp.Compare(b.p.X, a.p.X), cmp.Compare(b.p.Y, a.p.Y))
	})
	var line []spot
	best, at := math.Inf(-1), 0.0
	for i, s := range all {
		y := s.p.Y
		switch {
		case i == 0 || y > best:
			best, at = y, s.p.X
			line = append(line, s)
		case y == best && s.p.X == at: // measured twice with one result
			line = append(line, s)
		default:
			t.gone = append(t.gone, s)
		}
	}
	slices.Reverse(line)
	t.runs = [][]spot{line}
}

// maxBeaten is the number of beaten points of a series up to which each has a mark of its own.
const maxBeaten = 60

// drawBeaten draws what the line of a group leaves out, grey and small.
func (pl *plot) drawBeaten(p pen, t *track) {
	if len(t.gone) > maxBeaten {
		drawDots(p, "dots grey", t.gone)
		return
	}
	m := t.s.Marker
	if m < 1 || m > 9 {
		m = t.slot
	}
	if m == 6 { // strokes have no fill to be grey
		m = 1
	}
	for i := range t.gone {
		s := &t.gone[i]
		pl.say(p, t, s.p)
		marker(p, "mk gone", m, s.x, s.y, 24)
	}
}

// drawDots draws a cloud of points as one path, merged on a grid of one pixel.
func drawDots(p pen, class string, spots []spot) {
	at := make([][2]int, 0, len(spots))
	for _, s := range spots {
		at = append(at, [2]int{round(s.x, px), round(s.y, px)})
	}
	slices.SortFunc(at, func(a, b [2]int) int {
		if c := a[0] - b[0]; c != 0 {
			return c
		}
		return a[1] - b[1]
	})
	at = slices.Compact(at)
	p.SetClassName(class)
	for _, q := range at {
		p.MoveTo(q[0]*px, q[1]*px)
		p.LineTo(q[0]*px, q[1]*px)
	}
	if len(at) > 0 {
		p.Stroke()
	}
}
