package chart

import "math"

// extent is what the values of an axis span.
type extent struct {
	lo, hi float64 // finite values
	pos    float64 // smallest positive value
	n      int     // finite values
	nonpos int     // of these zero or negative
	inf    bool    // +Inf is among them
}

func (e *extent) add(v float64) {
	switch {
	case math.IsInf(v, 1):
		e.inf = true
		return
	case !usable(v):
		return
	}
	if e.n == 0 || v < e.lo {
		e.lo = v
	}
	if e.n == 0 || v > e.hi {
		e.hi = v
	}
	if v > 1/largest && (e.pos == 0 || v < e.pos) {
		e.pos = v
	}
	if v <= 1/largest {
		e.nonpos++
	}
	e.n++
}

func (e *extent) union(o extent) {
	e.inf = e.inf || o.inf
	if o.n == 0 {
		return
	}
	if e.n == 0 {
		o.inf = e.inf
		*e = o
		return
	}
	e.lo, e.hi = math.Min(e.lo, o.lo), math.Max(e.hi, o.hi)
	if e.pos == 0 || o.pos > 0 && o.pos < e.pos {
		e.pos = o.pos
	}
	e.n += o.n
	e.nonpos += o.nonpos
}

// logAbove is how many times the smallest value the largest is where Auto is Log.
const logAbove = 50

// scale resolves Auto, and a logarithm that is not possible. linear says that Auto is linear.
func (e *extent) scale(s Scale, linear bool) Scale {
	switch {
	case s == Auto && !linear && e.n > 0 && e.nonpos == 0 && e.hi > logAbove*e.pos:
		return Log
	case s == Auto:
		return Linear
	case (s == Log || s == Pow2) && e.pos == 0:
		return Linear // nothing positive: no logarithm
	}
	return s
}

// extentX is what the points of panels that have a value span.
func extentX(panels []Panel) extent {
	var e extent
	for i := range panels {
		for _, s := range panels[i].shown() {
			for _, p := range s.Points {
				if usable(p.Y) {
					e.add(p.X)
				}
			}
		}
	}
	return e
}

// extentY is what the values of a panel span, with their intervals.
func extentY(p *Panel) extent {
	var e extent
	for _, s := range p.shown() {
		for _, pt := range s.Points {
			if pt.Suspect || !usable(pt.Y) || math.IsNaN(pt.X) || math.IsInf(pt.X, -1) {
				continue
			}
			e.add(pt.Y)
			if pt.Low < pt.High && pt.Low > 0 {
				e.add(pt.Low)
				e.add(pt.High)
			}
		}
	}
	return e
}
