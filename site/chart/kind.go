package chart

import "slices"

// Kind is what sort of drawing a chart is. Kinds share axes, labels, notes and bands; each has a
// file of its own, with what it does otherwise. The kinds are [Lines], [Bars], [Scatter],
// [Scored], [Frontier], [Timeline] and [Distribution].
type Kind interface {
	// traits are what can be said of the kind in data.
	traits() traits
	// scaleX makes the X scale of a drawing for axes of a length, without labels.
	scaleX(f *frame, kind Scale, length int) *scale
	// scaleY makes the Y scale of a panel that is about as high as said.
	scaleY(a Axis, e extent, height int) *scale
	// arrange orders the points of a series before they are located.
	arrange(t *track)
	// name places names beside lines; false is that they do not fit and a key is needed.
	name(pl *plot) bool
	// draw draws the marks of a panel.
	draw(p pen, pl *plot)
	// describe writes the numbers that a chart shows in sentences.
	describe(x *Axis, panels []Panel) string
	// key adapts the entry of a series in a key.
	key(k *KeyItem, p *Panel)
}

// points is a kind whose series are points in the plane: what most kinds have in common.
type points struct{}

func (points) arrange(*track)           {}
func (points) name(*plot) bool          { return true }
func (points) key(k *KeyItem, p *Panel) { k.Solid = k.Solid || len(p.Series) == 1 }

// scaleX spans the values, with the category inf behind them where there is one.
func (points) scaleX(f *frame, kind Scale, length int) *scale {
	s := spanX(f, kind, length)
	s.addInf(f)
	return s
}

// spanX is a scale of the values of X without inf.
func spanX(f *frame, kind Scale, length int) *scale {
	if kind == Date {
		return dateAxis(f.axis, f.span, length, max(2, length/(84*px)))
	}
	room := max(3, length/(64*px))
	if kind == Pow2 {
		room = max(6, length/(40*px))
	}
	return newScale(f.axis, f.span, kind, length, room, f.traits.zeroX, f.traits.niceX)
}

// addInf sets the category inf at the end of an axis, behind names that stand at the ends of lines.
func (s *scale) addInf(f *frame) {
	s.infWidth, s.infBreak = f.infWidth, 10*px
	if s.infWidth == 0 {
		return
	}
	s.after = s.infWidth + 28*px
	if room := f.endRoom(); room > 0 {
		s.after += room + 10*px
	}
	if f.span.n == 0 { // nothing but inf
		s.infWidth, s.after, s.ticks, s.minor = s.domain, 0, nil, nil
	}
}

// scaleY spans the values, from zero unless the axis is free.
func (points) scaleY(a Axis, e extent, height int) *scale {
	return valueScale(a, e, height, false)
}

// valueScale is a Y scale; linear says that Auto is linear.
func valueScale(a Axis, e extent, height int, linear bool) *scale {
	kind := e.scale(a.Scale, linear)
	if kind == Date {
		kind = Linear
	}
	return newScale(&a, e, kind, height, height/(37*px), true, true)
}

// atValue is the title of most points: "8 parallel requests: 612 tok/s (range 590 to 640)".
func atValue(_ *Point, x, y, more string) string { return x + ": " + y + more }

// thinned keeps of values at most n, evenly, always with the first.
func thinned(vs []float64, n int) []float64 {
	return everyNth(vs, max(1, (len(vs)+n-1)/n))
}

// distinct sorts values and drops repetitions.
func distinct(vs []float64) []float64 {
	slices.Sort(vs)
	return slices.Compact(vs)
}
