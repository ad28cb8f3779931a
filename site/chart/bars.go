package chart

import (
	"math"

	"github.com/inferdex/inferdex/ingest/metric"
)

// Bars draws one group a value of X, evenly spaced, and one bar a series in it. The Y axis is
// always linear and holds zero: a bar on a logarithmic axis has no honest length. Ask BarsFit
// before.
var Bars Kind = bars{}

type bars struct{ points }

// BarsFit says whether bars from zero can show the values: none negative, and the largest at most
// 30 times the smallest that is not zero. Where it is false, draw Lines on a Log axis.
func BarsFit(series []Series) bool {
	var e extent
	for i := range series {
		for _, p := range series[i].Points {
			e.add(p.Y)
		}
	}
	return e.n == 0 || e.lo >= 0 && (e.pos == 0 || e.hi <= 30*e.pos)
}

func (bars) traits() traits {
	return traits{linearX: true, ticked: true, infIsGroup: true, keyed: true, title: atValue}
}

func (bars) key(k *KeyItem, _ *Panel) { k.Box = true }

// scaleX gives each group equal room.
func (bars) scaleX(f *frame, _ Scale, length int) *scale {
	groups := f.values
	if f.axis.Names != nil {
		groups = nil
		for i := range f.axis.Names {
			groups = append(groups, float64(i))
		}
	}
	n := len(groups)
	s := &scale{kind: Linear, domain: length, min: -0.5, max: float64(n) - 0.5, categories: true, infBreak: 8 * px}
	s.groups = append([]float64{}, groups...)
	s.ticks = ticksAt(groups...)
	if n == 0 {
		s.max = 0.5
	}
	if f.span.inf {
		gap := 16 * px
		if n == 0 {
			gap = 0
		}
		s.infWidth = (length - gap) / (n + 1)
		s.after = s.infWidth + gap
	}
	return s
}

// scaleY holds zero and leaves room for a value on top of the highest bar.
func (bars) scaleY(a Axis, e extent, height int) *scale {
	a.Free, a.Scale = false, Linear
	s := valueScale(a, e, height, true)
	if len(s.ticks) < 2 || a.Max != nil || e.hi <= 0 || (s.max-e.hi)/(s.max-s.min)*float64(height) >= 15*px {
		return s
	}
	step := s.ticks[1].v - s.ticks[0].v
	s.max += step
	s.ticks = append(s.ticks, tick{v: s.ticks[len(s.ticks)-1].v + step})
	if len(s.ticks) > 8 {
		s.ticks = everyNth(s.ticks, 2)
	}
	return s
}

// barOf is one bar: the edges of its box, and the area it takes with its interval.
type barOf struct {
	t      *track
	p      *Point
	x0, x1 int
	y      int
	all    area
}

func (b *barOf) middle() int { return (b.x0 + b.x1) / 2 }

// ranged says whether the interval of a bar is drawn: not on one too thin for it.
func (b *barOf) ranged() bool { return b.p.ranged() && b.x1-b.x0 >= 4*px }

// draw draws one group a category and one bar a series in it.
func (bars) draw(p pen, pl *plot) {
	if len(pl.tracks) == 0 {
		return
	}
	list, base := barsOf(pl), pl.Y(0)
	for _, t := range pl.tracks {
		t.begin(p, "")
		for _, b := range list {
			if b.t == t {
				pl.say(p, t, b.p)
				rect(p, "fillb", b.x0, min(b.y, base), b.x1, max(b.y, base))
			}
		}
		p.end()
	}
	for _, class := range [2]string{"ivh", "iv"} { // ink on a halo: seen on the bar and above it
		for _, b := range list {
			if b.ranged() {
				bar(p, b.middle(), pl.Y(b.p.Low), pl.Y(b.p.High), min(3*px, (b.x1-b.x0)/4))
			}
		}
		p.paint(class)
	}
	for _, b := range list {
		pl.taken.box(b.all)
	}
	line(p, "bl", pl.left, base, pl.right, base)
	drawBarValues(p, pl, list)
}

// barsOf finds the place of every bar.
func barsOf(pl *plot) []barOf {
	n, base := len(pl.tracks), pl.Y(0)
	wide := pl.x.infWidth
	if slots := len(pl.x.groups); slots > 0 {
		wide = (pl.x.domain - pl.x.after) / slots
	}
	gap, width := 10, min((wide*78/100)/n, 44*px)
	if width < 40 {
		gap = 0
	}
	width = max(width, 10)
	var out []barOf
	for i, t := range pl.tracks {
		for _, s := range t.spots() {
			if math.IsInf(s.p.X, 1) && pl.x.infWidth == 0 || !math.IsInf(s.p.X, 1) && !pl.x.holds(s.p.X) {
				continue
			}
			x0 := max(s.x-n*width/2+i*width+gap/2, pl.left)
			b := barOf{t: t, p: s.p, x0: x0, x1: min(x0+width-gap, pl.right), y: s.y}
			b.all = area{b.x0, min(b.y, base), b.x1, max(b.y, base)}
			if b.ranged() {
				b.all.y0, b.all.y1 = min(b.all.y0, pl.Y(s.p.High)), max(b.all.y1, pl.Y(s.p.Low))
			}
			out = append(out, b)
		}
	}
	return out
}

// maxValued is the number of bars up to which values stand on them.
const maxValued = 120

// drawBarValues writes the values on top of bars: all of them, or where that is too tight only the
// best of each group.
func drawBarValues(p pen, pl *plot, list []barOf) {
	const size = 105
	if len(list) > maxValued {
		return
	}
	whole := true
	for _, b := range list {
		whole = whole && b.p.Y == math.Trunc(b.p.Y)
	}
	texts, places := make([]string, len(list)), make([]area, len(list))
	top := func(b *barOf) int {
		if b.p.Y < 0 {
			return b.all.y1 + 12*px
		}
		return b.all.y0 - 4*px
	}
	for i := range list {
		b := &list[i]
		texts[i] = onBar(pl, b.p.Y, whole)
		places[i] = textArea("m", b.middle(), top(b), textWidth(texts[i], size, b.p.Strong), size)
	}
	best := false
	if !valuesFit(pl, list, places, best) {
		if best = true; !valuesFit(pl, list, places, best) {
			return
		}
	}
	for i := range list {
		b := &list[i]
		if best && !b.p.Strong {
			continue
		}
		class := "pt m"
		if b.p.Strong {
			class = "pt th m"
		}
		p.text(class, texts[i], b.middle(), top(b))
		pl.taken.text(places[i])
	}
}

// valuesFit says whether the values on bars, or on the best alone, have room beside each other.
func valuesFit(pl *plot, list []barOf, places []area, best bool) bool {
	var done []area
	for i, a := range places {
		if best && !list[i].p.Strong {
			continue
		}
		if a.x0 < pl.left-2*px || a.x1 > pl.w || a.y1 > pl.bottom {
			return false
		}
		for j := range list {
			if j != i && a.meets(list[j].all) {
				return false
			}
		}
		for _, o := range done {
			if a.meets(area{o.x0 - 15, o.y0, o.x1 + 15, o.y1}) {
				return false
			}
		}
		done = append(done, a)
	}
	return len(done) > 0
}

// onBar writes the value on top of a bar: whole from 10 on, where that is enough to tell bars of
// this axis apart. whole says that all values are whole.
func onBar(pl *plot, v float64, whole bool) string {
	a := math.Abs(v)
	switch {
	case pl.p.Y.Format != nil:
		return clean(pl.p.Y.Format(v))
	case whole && a < 1e15:
		return metric.Decimals(v, 0)
	case pl.y.max < 100 || a >= 1e15 || a < 1 && a > 0:
		return number(v)
	case a < 10:
		return metric.Decimals(v, 1)
	}
	return metric.Decimals(v, 0)
}
