package chart

import "math"

// Timeline draws thin lines without marks, filled to the axis where there is one alone, thinned to
// what the pixels can show; the X axis starts at zero. For few points over dates or versions take
// Lines with Axis.Scale Date or with Axis.Names.
var Timeline Kind = timeline{}

type timeline struct{ points }

func (timeline) traits() traits {
	return traits{linearX: true, zeroX: true, sorted: true, keyed: true, title: atValue}
}

func (timeline) key(k *KeyItem, p *Panel) { k.NoMark, k.Solid = true, k.Solid || len(p.Series) == 1 }

func (timeline) draw(p pen, pl *plot) {
	pl.eachTrack(p, func(t *track) {
		if len(pl.tracks) == 1 && !t.s.NoLine {
			fillBelow(p, pl, t)
		}
		pl.drawIntervals(p, t)
		if t.s.NoLine {
			return
		}
		for _, run := range t.runs {
			if len(run) == 1 {
				run = []spot{run[0], {x: run[0].x + px, y: run[0].y}}
			}
			path(p, join(t, run))
		}
		if t.s.Solid || len(pl.tracks) == 1 {
			p.paint("ln so thin")
		} else {
			p.paint("ln thin") // without marks, dashes alone tell lines apart where colours do not
		}
	})
}

// fillBelow fills from a line to the axis.
func fillBelow(p pen, pl *plot, t *track) {
	base := pl.bottom
	if !pl.y.log() {
		base = pl.Y(math.Max(pl.y.min, math.Min(0, pl.y.max)))
	}
	for _, run := range t.runs {
		if len(run) < 2 {
			continue
		}
		p.move(run[0].x, base)
		for _, s := range join(t, run) {
			p.to(s.x, s.y)
		}
		p.to(run[len(run)-1].x, base)
		p.shut()
		p.paint("area")
	}
}
