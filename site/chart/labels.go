package chart

import (
	"cmp"
	"slices"
)

// nameSize is the size of a name beside its line, in tenths of a pixel.
const nameSize = 125

// namedTracks are the series of a plot that have a name and a line to stand at.
func (pl *plot) namedTracks() []*track {
	nameless := func(t *track) bool { return !t.s.labelled() || len(t.runs) == 0 }
	return slices.DeleteFunc(slices.Clone(pl.tracks), nameless)
}

// cutNames are the names of tracks, cut to max where they stand beside their lines.
func cutNames(tracks []*track, max int) []string {
	names := make([]string, len(tracks))
	for i, t := range tracks {
		names[i] = t.name
	}
	return cutApart(names, nameSize, true, max)
}

// nameEnds puts the names of a plot's lines at their ends, at least 15 px apart. It is false, and
// none is placed, where they do not fit.
func (pl *plot) nameEnds() bool {
	edge := pl.right
	if pl.x.infWidth > 0 {
		edge = pl.X(pl.x.max)
	}
	var names, early []endName
	before := len(pl.taken.texts)
	tracks := pl.namedTracks()
	texts := cutNames(tracks, pl.w*27/100)
	for i, t := range tracks {
		run := t.runs[len(t.runs)-1]
		end := run[len(run)-1]
		l := endName{t: t, mx: end.x, my: end.y, x: max(edge+4*px, end.x+9*px), y: end.y}
		if l.text = texts[i]; l.text != t.name {
			l.full = t.name
		}
		if edge-end.x > 60*px {
			// A line that ends early has its name there, if there is room.
			if at, ok := pl.beside(end.x, end.y, textWidth(l.text, nameSize, true), nameSize, around); ok {
				l.x, l.y, l.anchor = at.x, at.y, at.at
				early = append(early, l)
				continue
			}
		}
		names = append(names, l)
	}
	slices.SortStableFunc(names, func(a, b endName) int { return cmp.Compare(a.y, b.y) })
	if !pl.settleNames(names) {
		return false
	}
	inPlot := pl.taken.texts[before:]
	for _, l := range names {
		a := textArea("", l.x, l.y, textWidth(l.text, nameSize, true), nameSize)
		if slices.ContainsFunc(inPlot, a.meets) {
			return false
		}
		pl.taken.text(a)
	}
	pl.labels = append(names, early...)
	return len(pl.labels) > 0
}

// settleNames moves names apart, with leaders to their lines; false is that they do not fit.
func (pl *plot) settleNames(names []endName) bool {
	const height = 15 * px
	top, bottom := pl.top-4*px, pl.bottom+4*px
	if len(names)*height > bottom-top {
		return len(names) == 0
	}
	want := make([]int, len(names))
	for i := range names {
		want[i] = names[i].y
	}
	for i, y := range settle(want, height, top+8*px, bottom+7*px) {
		l := &names[i]
		moved := abs(y - l.my)
		if moved > 42*px {
			return false
		}
		l.y = y + 4*px
		l.leader = moved > 3*px || l.x-l.mx > 14*px
		if l.leader {
			l.x += 5 * px
		}
	}
	return true
}

// settle spreads sorted places so that each has a height, moving groups that touch to the mean of
// what they want: each stays as near to its place as the others allow.
func settle(want []int, height, top, bottom int) []int {
	type group struct{ first, n, at int }
	at := func(first, n int) int {
		sum := 0
		for i := range n {
			sum += want[first+i] - i*height
		}
		return max(top, min(sum/n, bottom-n*height))
	}
	var gs []group
	for i := range want {
		gs = append(gs, group{i, 1, at(i, 1)})
		for len(gs) > 1 {
			a, b := gs[len(gs)-2], gs[len(gs)-1]
			if a.at+a.n*height <= b.at {
				break
			}
			gs = append(gs[:len(gs)-2], group{a.first, a.n + b.n, at(a.first, a.n+b.n)})
		}
	}
	out := make([]int, len(want))
	for _, g := range gs {
		for i := range g.n {
			out[g.first+i] = g.at + i*height
		}
	}
	return out
}

// atBends are the places tried for a name beside a bend of its line.
var atBends = []anchor{
	{9 * px, -3 * px, ""}, {9 * px, 11 * px, ""}, {-9 * px, 12 * px, "e"}, {-9 * px, -4 * px, "e"}, {0, -11 * px, "m"},
	{0, 20 * px, "m"},
}

// nameBends puts the names of lines that end anywhere beside their bends. It is false, and none is
// placed, where one has no room: a name missing is worse than all in a key.
func (pl *plot) nameBends() bool {
	tracks := pl.namedTracks()
	texts := cutNames(tracks, pl.w*30/100)
	for k, t := range tracks {
		l := endName{t: t, text: texts[k]}
		if l.text != t.name {
			l.full = t.name
		}
		w := textWidth(l.text, nameSize, true)
		run := t.runs[0]
		i := slices.IndexFunc(nameOrder(len(run)), func(i int) bool {
			at, ok := pl.beside(run[i].x, run[i].y, w, nameSize, atBends)
			l.x, l.y, l.anchor = at.x, at.y, at.at
			l.mx, l.my = run[i].x, run[i].y
			return ok
		})
		if i < 0 {
			pl.labels = nil
			return false
		}
		pl.labels = append(pl.labels, l)
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

// drawNames writes the names of lines, with leaders to those that had to move.
func (pl *plot) drawNames(p pen) {
	for _, l := range pl.labels {
		if l.leader {
			line(p, "ld", l.mx+6*px, l.my, l.x-3*px, l.y-4*px)
		}
		p.label(l.full)
		p.text(anchored("lb", l.anchor), l.text, l.x, l.y)
	}
}

// labelPoints writes the short texts beside marks; the first and last of a series come first.
func (pl *plot) labelPoints(p pen) {
	for _, t := range pl.tracks {
		for _, run := range t.runs {
			pl.labelRun(p, run)
		}
	}
}

// labelRun labels the points of a line, which keep apart: a few labels say as much as all.
func (pl *plot) labelRun(p pen, run []spot) {
	const size = 105
	n := len(run)
	order := []int{0}
	if n > 1 {
		order = append(order, n-1)
	}
	for i := 1; i < n-1; i++ {
		order = append(order, i)
	}
	var named []spot
	for _, i := range order {
		s := run[i]
		near := func(o spot) bool { return abs(o.x-s.x) < 40*px && abs(o.y-s.y) < 40*px }
		if s.p.Label == "" || slices.ContainsFunc(named, near) {
			continue
		}
		said := clean(s.p.Label)
		if pl.traits.xInLabels && said != "" {
			x, _ := pl.where(s.p)
			said += " " + x
		}
		said, _ = cut(said, size, false, 130*px)
		if at, ok := pl.beside(s.x, s.y, textWidth(said, size, false), size, around); ok {
			p.text(anchored("pt", at.at), said, at.x, at.y)
			named = append(named, s)
		}
	}
}
