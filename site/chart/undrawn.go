package chart

import (
	"cmp"
	"math"
	"slices"

	"github.com/inferdex/inferdex/ingest/metric"
)

// undrawn counts the values that a plot cannot draw, by the reason.
type undrawn struct {
	nonpos, infinite, above, below int
	most, least                    float64 // of those above and below
}

// collect splits each series into joined pieces and says how many values cannot be drawn, and why.
func (pl *plot) collect(kx Scale, k Kind) []string {
	u := undrawn{most: math.Inf(-1), least: math.Inf(1)}
	suspect := u
	for _, t := range pl.tracks {
		list := make([]*Point, len(t.s.Points))
		for i := range list {
			list[i] = &t.s.Points[i]
		}
		if pl.traits.sorted {
			slices.SortStableFunc(list, func(a, b *Point) int { return cmp.Compare(a.X, b.X) })
		}
		var run []spot
		flush := func() {
			if len(run) > 0 {
				t.runs = append(t.runs, run)
				run = nil
			}
		}
		for _, p := range list {
			switch {
			case p.Suspect: // the line goes on as if nothing had been measured
				if pl.drawable(p, kx, &suspect) {
					t.suspects = append(t.suspects, spot{p: p})
				}
			case !pl.drawable(p, kx, &u):
				flush()
			case math.IsInf(p.X, 1) && !pl.traits.infIsGroup:
				flush()
				t.lone = append(t.lone, spot{p: p})
			default:
				run = append(run, spot{p: p})
			}
		}
		flush()
		k.arrange(t)
	}
	return append(u.remarks(&pl.p.Y, "value"), suspect.remarks(&pl.p.Y, "suspect value")...)
}

// drawable says whether a point lies on both axes, and counts it where it does not. NaN is missing,
// which needs no word.
func (pl *plot) drawable(p *Point, kx Scale, u *undrawn) bool {
	last := math.IsInf(p.X, 1)
	switch {
	case math.IsNaN(p.X) || math.IsNaN(p.Y):
	case !usable(p.Y) || !usable(p.X) && !last:
		u.infinite++
	case pl.y.log() && p.Y <= 1/largest, (kx == Log || kx == Pow2) && p.X <= 1/largest:
		u.nonpos++
	case p.Y > pl.y.max && !pl.y.holds(p.Y):
		u.above++
		u.most = math.Max(u.most, p.Y)
	case !pl.y.holds(p.Y):
		u.below++
		u.least = math.Min(u.least, p.Y)
	case !last && pl.named && (p.X < 0 || p.X > float64(len(pl.axis.Names)-1)),
		!last && pl.axis.Max != nil && p.X > *pl.axis.Max:
		u.above++
	default:
		return true
	}
	return false
}

// remarks say what is not drawn; noun is one of it.
func (u *undrawn) remarks(y *Axis, noun string) []string {
	var out []string
	say := func(n int, why string) {
		if n > 0 {
			out = append(out, metric.Plural(n, noun)+" not drawn: "+why)
		}
	}
	say(u.nonpos, "zero or negative on a log scale")
	say(u.infinite, "infinite")
	if math.IsInf(u.most, -1) {
		say(u.above, "outside the axis")
	} else {
		say(u.above, "above the axis, the largest "+y.value(u.most, number))
	}
	say(u.below, "below the axis, the smallest "+y.value(u.least, number))
	return out
}
