package chart

import "math"

// drawRefs draws reference lines, those that are fitted or the others; what lies outside the axes
// is clipped.
func (pl *plot) drawRefs(p pen, fitted bool) {
	for i := range pl.p.Refs {
		if r := &pl.p.Refs[i]; r.Fit == fitted {
			pl.drawRef(p, r)
		}
	}
}

func (pl *plot) drawRef(p pen, r *Ref) {
	for _, v := range [4]float64{r.X1, r.Y1, r.X2, r.Y2} {
		if !usable(v) && !math.IsInf(v, 0) {
			return
		}
	}
	class := "ref"
	switch {
	case r.Fit:
		class = "fitl"
	case r.Change && r.Worse:
		class = "chg badl"
	case r.Change:
		class = "chg"
	}
	switch {
	case r.horizontal():
		if pl.y.holds(r.Y1) {
			line(p, class, pl.left, pl.Y(r.Y1), pl.right, pl.Y(r.Y1))
		}
	case pl.x.groups != nil: // between groups there is nothing
	case r.vertical():
		pl.drawVertical(p, class, r)
	default:
		pl.drawSloping(p, class, r)
	}
}

// drawVertical draws a line across the plot, of a change with an arrow head on the axis: the reader
// sees it where other lines hide the line.
func (pl *plot) drawVertical(p pen, class string, r *Ref) {
	if !pl.x.holds(r.X1) {
		return
	}
	x, b := pl.refX(r), pl.bottom
	if r.Change {
		p.label(clean(r.Label))
	}
	line(p, class, x, b, x, pl.top)
	if r.Change {
		head := "chh"
		if r.Worse {
			head += " bad"
		}
		polygon(p, head, x, b-8*px, x+5*px, b, x-5*px, b)
	}
}

// drawSloping draws a line in the data's own space: straight on two linear axes, else a curve.
func (pl *plot) drawSloping(p pen, class string, r *Ref) {
	n := 1
	if pl.x.log() || pl.y.log() {
		n = 32
	}
	x1, x2 := pl.x.edge(r.X1), pl.x.edge(r.X2)
	y1, y2 := pl.y.edge(r.Y1), pl.y.edge(r.Y2)
	t0, t1 := pl.x.within(x1, x2)
	u0, u1 := pl.y.within(y1, y2)
	t0, t1 = math.Max(t0, u0), math.Min(t1, u1)
	if !(t0 < t1) {
		return
	}
	var xy []int
	for i := 0; i <= n; i++ {
		t := t0 + (t1-t0)*float64(i)/float64(n)
		xy = append(xy, pl.X(x1+(x2-x1)*t), pl.Y(y1+(y2-y1)*t))
	}
	line(p, class, xy...)
	for i := 0; i+3 < len(xy); i += 2 {
		pl.taken.line(xy[i], xy[i+1], xy[i+2], xy[i+3])
	}
}

// labelRefs names reference lines, beside them where nothing else is.
func (pl *plot) labelRefs(p pen) {
	for i := range pl.p.Refs {
		r := &pl.p.Refs[i]
		if r.Label == "" {
			continue
		}
		a := annotation{class: "an", bold: r.Fit, whole: clean(r.Label), yield: 1, at: pl.refPlaces(r)}
		if len(a.at) == 0 {
			continue
		}
		short, full := cutTitle(a.whole, annotationSize, false, (pl.right-pl.left)*6/10)
		a.rows, a.full = []string{short}, full
		switch {
		case r.Fit:
			a.class = "an th"
		case r.Change && r.Worse:
			a.class = "an bad"
		}
		a.into = func(at area) (dx, dy int) {
			dx, dy = pl.inside(at)
			if at.x0 < pl.left {
				dx = max(dx, pl.left+4*px-at.x0)
			}
			return dx, dy
		}
		pl.annotate(p, a)
	}
}

// refPlaces are where the name of a reference line can stand, none where the line is not drawn.
func (pl *plot) refPlaces(r *Ref) []anchor {
	var out []anchor
	switch {
	case r.horizontal():
		if !pl.y.holds(r.Y1) {
			return nil
		}
		y, left, right := pl.Y(r.Y1), pl.left+8*px, pl.right-6*px
		if pl.x.infWidth > 0 {
			right -= pl.x.infWidth + 24*px
		}
		return []anchor{
			{left, y - 5*px, ""}, {right, y - 5*px, "e"}, {(pl.left + pl.right) / 2, y - 5*px, "m"},
			{left, y + 13*px, ""}, {right, y + 13*px, "e"},
		}
	case pl.x.groups != nil || math.IsNaN(r.X1+r.Y1+r.X2+r.Y2) && !r.vertical():
		return nil
	case r.vertical():
		if !pl.x.holds(r.X1) {
			return nil
		}
		x := pl.refX(r)
		for _, y := range []int{pl.top + 9*px, pl.bottom - 8*px, (pl.top + pl.bottom) / 2} {
			out = append(out, anchor{x - 5*px, y, "e"}, anchor{x + 5*px, y, ""})
		}
		return out
	}
	for _, t := range []float64{.5, .7, .3, .85, .95} {
		fx := pl.x.edge(r.X1)*(1-t) + pl.x.edge(r.X2)*t
		fy := pl.y.edge(r.Y1)*(1-t) + pl.y.edge(r.Y2)*t
		if pl.x.holds(fx) && pl.y.holds(fy) {
			x, y := pl.X(fx), pl.Y(fy)
			out = append(out, anchor{x - 8*px, y - 8*px, "e"}, anchor{x + 8*px, y + 18*px, ""},
				anchor{x - 14*px, y - 20*px, "e"})
		}
	}
	return out
}
