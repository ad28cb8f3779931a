package chart

// Scatter draws points that are not joined; both axes start at zero. Up to 120 points carry
// titles, more are merged on a grid of one pixel.
var Scatter Kind = scatter{}

type scatter struct{ points }

// maxTitled is the number of points of a Scatter up to which each has a title.
const maxTitled = 120

func (scatter) traits() traits {
	return traits{linearX: true, linearY: true, zeroX: true, niceX: true, keyed: true, title: atValue}
}

func (scatter) scaleY(a Axis, e extent, height int) *scale { return valueScale(a, e, height, true) }

func (scatter) key(k *KeyItem, p *Panel) {
	k.NoLine = true
	if p.cloud() {
		k.Marker = 1
	}
}

// cloud says whether a Scatter has too many points for a mark each.
func (p *Panel) cloud() bool {
	n := 0
	for i := range p.Series {
		n += len(p.Series[i].Points)
	}
	return n > maxTitled
}

// describe says how many points there are, and what they span.
func (scatter) describe(x *Axis, panels []Panel) string {
	return describeEach(panels, func(y *Axis, s *Series) string {
		var xs, ys extent
		for _, p := range byX(s.Points) {
			xs.add(p.X)
			ys.add(p.Y)
		}
		if ys.n == 0 {
			return ""
		}
		noun := " points, "
		if ys.n == 1 {
			noun = " point, "
		}
		return place(float64(ys.n)) + noun + y.format(ys.lo, number) + " to " + y.value(ys.hi, number) +
			" at " + x.format(xs.lo, number) + " to " + x.value(xs.hi, number)
	})
}

func (scatter) draw(p pen, pl *plot) {
	for _, t := range pl.tracks {
		t.begin(p, "")
		marks := t.lone
		if pl.p.cloud() {
			drawDots(p, "dots", t.spots())
		} else {
			marks = append(t.spots(), t.lone...)
		}
		for _, s := range marks {
			pl.mark(p, t, s, 30)
		}
		pl.drawSuspects(p, t)
		p.end()
	}
}
