package chart

import (
	"cmp"
	"math"
	"slices"
)

// Frontier shows what two wishes cost each other, such as speed per user against throughput per
// accelerator. Each series is one group (an accelerator, an engine, a precision): a line joins
// those of its points that no other point of the same group beats on both axes; the others are
// grey and unjoined. Groups are never mixed. More is better on both axes. Points are named by
// Point.Label; both axes start at zero.
var Frontier Kind = frontier{}

type frontier struct{ points }

func (frontier) traits() traits {
	return traits{linearX: true, linearY: true, zeroX: true, niceX: true,
		title: func(p *Point, x, y, more string) string {
			if p.Label != "" {
				x = clean(p.Label) + ": " + x
			}
			return x + ", " + y + more
		}}
}

func (frontier) scaleY(a Axis, e extent, height int) *scale { return valueScale(a, e, height, true) }
func (frontier) name(pl *plot) bool                         { return pl.nameBends() }

// arrange parts the points of a series into those that no other point of the series is at least as
// good as on both axes and better on one, which become the one line in ascending X, and the others.
func (frontier) arrange(t *track) {
	all := t.spots()
	if len(all) == 0 {
		return
	}
	// Seen from the best X on, a point stands if its Y is better than all before.
	slices.SortStableFunc(all, func(a, b spot) int {
		return cmp.Or(cmp.Compare(b.p.X, a.p.X), cmp.Compare(b.p.Y, a.p.Y))
	})
	var line []spot
	best, at := math.Inf(-1), 0.0
	for _, s := range all {
		switch {
		case s.p.Y > best:
			best, at = s.p.Y, s.p.X
			line = append(line, s)
		case s.p.Y == best && s.p.X == at: // measured twice with one result
			line = append(line, s)
		default:
			t.gone = append(t.gone, s)
		}
	}
	slices.Reverse(line)
	t.runs = [][]spot{line}
}

func (frontier) draw(p pen, pl *plot) {
	pl.eachTrack(p, func(t *track) {
		drawBeaten(p, pl, t)
		pl.drawIntervals(p, t)
		pl.drawLine(p, t)
		pl.drawMarks(p, t)
	})
}

// maxBeaten is the number of beaten points of a series up to which each has a mark of its own.
const maxBeaten = 60

// drawBeaten draws what the line of a group leaves out, grey and small.
func drawBeaten(p pen, pl *plot, t *track) {
	if len(t.gone) > maxBeaten {
		drawDots(p, "dots grey", t.gone)
		return
	}
	m := slotOr(t.s.Marker, t.slot)
	if m == strokeMarker { // strokes have no fill to be grey
		m = 1
	}
	for _, s := range t.gone {
		pl.say(p, t, s.p)
		marker(p, "mk gone", m, s.x, s.y, 24)
	}
}
