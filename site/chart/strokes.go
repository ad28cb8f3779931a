package chart

import (
	"math"
	"slices"
)

// eachTrack draws the series that have something to draw, each in its group.
func (pl *plot) eachTrack(p pen, draw func(t *track)) {
	for _, t := range pl.tracks {
		if t.empty() {
			continue
		}
		title := ""
		if textWidth(t.name, 120, false) > nameRoom {
			title = t.name
		}
		t.begin(p, title)
		draw(t)
		p.end()
	}
}

// drawLine joins the points of a series.
func (pl *plot) drawLine(p pen, t *track) {
	if t.s.NoLine {
		return
	}
	class := "ln"
	if t.s.Solid || len(pl.tracks) == 1 {
		class += " so"
	}
	if pl.small() {
		class += " thin"
	}
	for _, run := range t.runs {
		if len(run) > 1 {
			path(p, join(t, run))
		}
	}
	p.paint(class)
}

// path adds a line through spots to the path.
func path(p pen, run []spot) {
	p.move(run[0].x, run[0].y)
	for _, s := range run[1:] {
		p.to(s.x, s.y)
	}
}

// join is how the points of a run are joined: by steps, or of long runs what pixels can show.
func join(t *track, run []spot) []spot {
	if t.s.steps {
		return steps(run)
	}
	return straight(columns(run))
}

// Which points of a line are left out: of one of so many points, those that lie less than this beside the line without
// them, a fifth of its width.
const (
	manySpots = 60
	beside    = 0.4 * px
	mostCut   = 100 // one after the other, which bounds the time
)

// straight leaves out what nobody sees of a line of many points.
func straight(run []spot) []spot {
	if len(run) < manySpots {
		return run
	}
	out := run[:1:1]
	for i := 0; i < len(run)-1; {
		next := i + 1
		for next+1 < len(run) && next-i < mostCut && near(run[i:next+2]) {
			next++
		}
		out, i = append(out, run[next]), next
	}
	return out
}

// near says whether all spots lie close to the line from the first to the last.
func near(run []spot) bool {
	a, b := run[0], run[len(run)-1]
	dx, dy := float64(b.x-a.x), float64(b.y-a.y)
	length := math.Hypot(dx, dy)
	for _, s := range run[1 : len(run)-1] {
		x, y := float64(s.x-a.x), float64(s.y-a.y)
		if along := x*dx + y*dy; along < 0 || along > length*length || math.Abs(x*dy-y*dx) > beside*length {
			return false
		}
	}
	return true
}

// columns keeps of a line with many points in one column of pixels only the first, lowest, highest
// and last.
func columns(run []spot) []spot {
	if len(run) < 400 {
		return run
	}
	var out []spot
	for i := 0; i < len(run); {
		j, lo, hi := i, i, i
		for j < len(run) && run[j].x/px == run[i].x/px {
			if run[j].y < run[lo].y {
				lo = j
			}
			if run[j].y > run[hi].y {
				hi = j
			}
			j++
		}
		for _, k := range slices.Compact([]int{i, min(lo, hi), max(lo, hi), j - 1}) {
			out = append(out, run[k])
		}
		i = j
	}
	return out
}

// steps is a line that reaches each X before its Y changes.
func steps(run []spot) []spot {
	out := make([]spot, 0, 2*len(run))
	for i, s := range run {
		if i > 0 {
			s.y = run[i-1].y
			out = append(out, s)
		}
		out = append(out, run[i])
	}
	return out
}

// drawIntervals draws what the points of a series span, with caps unless they are quartiles.
func (pl *plot) drawIntervals(p pen, t *track) {
	caps := 3 * px
	if t.s.Interval == Quartiles {
		caps = 0
	}
	for _, s := range append(t.spots(), t.lone...) {
		if !s.p.ranged() {
			continue
		}
		y0, y1 := pl.Y(math.Max(s.p.Low, pl.y.min)), pl.Y(math.Min(s.p.High, pl.y.max))
		if y0 != y1 {
			bar(p, s.x, y0, y1, caps)
		}
	}
	p.paint("q")
}

// drawMarks draws the mark of every point of a series.
func (pl *plot) drawMarks(p pen, t *track) {
	if t.s.NoMarks {
		return
	}
	r, spots := markRadius, t.spots()
	if pl.small() {
		r = 26
	}
	if len(spots) > 40 {
		r = smallMark
	}
	for _, s := range spots {
		pl.mark(p, t, s, r)
	}
	for _, s := range t.lone {
		pl.mark(p, t, s, max(r, 30))
	}
	pl.drawSuspects(p, t)
}

// drawSuspects draws the values of a series that cannot be believed.
func (pl *plot) drawSuspects(p pen, t *track) {
	for _, s := range t.suspects {
		pl.say(p, t, s.p)
		crossed(p, s.x, s.y)
	}
}

// The radius of a mark where there is room, and of one of very many.
const (
	markRadius = 34
	smallMark  = 22
)

// mark draws a point, r the radius of a circle.
func (pl *plot) mark(p pen, t *track, s spot, r int) {
	m := slotOr(t.s.Marker, t.slot)
	class := "mk"
	switch {
	case m == strokeMarker:
		class = "mk x"
	case s.p.Hollow:
		class = "mk ho"
	case r < 30:
		class = "mk no"
	}
	pl.say(p, t, s.p)
	marker(p, class, m, s.x, s.y, r)
	if s.p.Hollow && m == strokeMarker {
		marker(p, "mk ho", 1, s.x, s.y, r*7/10)
	}
}

// drawDots draws a cloud of points as one path, merged on a grid of one pixel.
func drawDots(p pen, class string, spots []spot) {
	at := make([][2]int, 0, len(spots))
	for _, s := range spots {
		at = append(at, [2]int{round(s.x, px), round(s.y, px)})
	}
	slices.SortFunc(at, func(a, b [2]int) int { return slices.Compare(a[:], b[:]) })
	for _, q := range slices.Compact(at) {
		p.move(q[0]*px, q[1]*px)
		p.to(q[0]*px, q[1]*px)
	}
	p.paint(class)
}
