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
		p.end()
	}
}
