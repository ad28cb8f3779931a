package chart

// Lines joins the points of each series in ascending X. The X axis need not start at zero. A chart
// that names no kind is one of Lines.
var Lines Kind = lines{}

type lines struct{ points }

// kindOf is the kind of a chart.
func kindOf(k Kind) Kind {
	if k == nil {
		return Lines
	}
	return k
}

func (lines) traits() traits {
	return traits{sorted: true, ticked: true, endNames: true, title: atValue}
}

func (lines) name(pl *plot) bool { return pl.nameEnds() }

func (lines) draw(p pen, pl *plot) {
	pl.eachTrack(p, func(t *track) {
		pl.drawIntervals(p, t)
		pl.drawLine(p, t)
		pl.drawMarks(p, t)
	})
}

// fewValues is up to how many values of X ticks stand at the values measured: 1, 3, 5, 7 rather
// than 0, 2, 4.
const fewValues = 12

// scaleX has ticks at the values measured where they are few, and room beside the first and the last.
func (lines) scaleX(f *frame, kind Scale, length int) *scale {
	s := spanX(f, kind, length)
	few := kind == Linear && len(f.values) > 1 && len(f.values) <= fewValues
	s.before, s.after = 8*px, 8*px
	names := len(f.axis.Names)
	switch {
	case f.named:
		s.categories = true
		s.min, s.max, s.ticks = 0, max(float64(names-1), 1), nil
		for i := range names {
			s.ticks = append(s.ticks, tick{v: float64(i)})
		}
		if names == 1 {
			s.min = -1
		}
		s.before = min(50*px, length/(2*names))
	case few:
		s.ticks = ticksAt(f.values...)
		s.before = max(s.before, min(50*px, length/(2*len(f.values))))
	case s.log() && len(s.ticks) < 3 && len(f.values) > 0:
		s.ticks = nil
		for _, v := range thinned(f.values, 8) {
			if s.holds(v) {
				s.ticks = append(s.ticks, tick{v: v})
			}
		}
	}
	if (few || f.named) && (f.keyed || f.single || f.span.inf) {
		s.after = max(s.after, s.before/2)
	}
	if len(f.values) == 1 && f.span.lo == f.span.hi && kind != Date {
		s.ticks = ticksAt(f.values[0])
	}
	if kind == Log {
		s.before, s.after = 4*px, 4*px
	}
	s.addInf(f)
	return s
}
