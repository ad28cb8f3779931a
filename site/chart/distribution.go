package chart

import (
	"math"
	"slices"
	"strings"
)

// Distribution draws which share of values is at most X: Y is 0 to 100 %. Its series are made by
// Samples, which marks the median and the high percentiles.
var Distribution Kind = distribution{}

type distribution struct{ points }

func (distribution) traits() traits {
	return traits{zeroX: true, sorted: true, keyed: true, valueX: true, xInLabels: true, title: shareUpTo}
}

// shareUpTo is the title of a point: "median: 95 ms", "50 % up to 95 ms".
func shareUpTo(p *Point, x, _, _ string) string {
	if p.Label != "" {
		return clean(p.Label) + ": " + x
	}
	return percent(p.Y) + " up to " + x
}

func (distribution) scaleY(Axis, extent, int) *scale {
	return &scale{kind: Linear, max: 100, ticks: ticksAt(0, 25, 50, 75, 100)}
}

// describe says what the marks of each curve do: the median and the high percentiles.
func (distribution) describe(x *Axis, panels []Panel) string {
	return describeEach(panels, func(_ *Axis, s *Series) string {
		var marks []string
		for _, p := range byX(s.Points) {
			if p.Label != "" {
				marks = append(marks, clean(p.Label)+" "+x.value(p.X, number))
			}
		}
		return strings.Join(marks, ", ")
	})
}

func (distribution) draw(p pen, pl *plot) {
	pl.eachTrack(p, func(t *track) {
		pl.drawIntervals(p, t)
		pl.drawLine(p, t)
		if t.s.NoMarks {
			for _, s := range t.spots() {
				if s.p.Label != "" {
					pl.mark(p, t, s, markRadius)
				}
			}
		}
		pl.drawMarks(p, t)
	})
}

// The percentiles that a distribution marks.
var marked = []struct {
	percent float64
	label   string
}{{50, "median"}, {90, "p90"}, {99, "p99"}}

// Samples is a series of a Distribution: which share of the values is at most X, as steps. The
// values need not be sorted; NaN is missing. Median, 90th and 99th percentile are marked (nearest rank,
// so that each is a value that was measured). The drawing keeps at most some 500 of the values,
// all of the highest among them.
func Samples(name string, values []float64) Series {
	vs := slices.DeleteFunc(slices.Clone(values), math.IsNaN)
	slices.Sort(vs)
	s := Series{Name: name, NoMarks: true, steps: true}
	n := len(vs)
	if n == 0 {
		return s
	}
	rank := map[int]string{}
	for _, m := range marked {
		// A percentile needs values beyond it: the 99th of ten is their maximum.
		if m.percent == 50 || float64(n)*(1-m.percent/100) >= 1-1e-9 {
			rank[int(math.Ceil(m.percent/100*float64(n)))] = m.label
		}
	}
	s.Points = append(s.Points, Point{X: vs[0]}) // nothing below the smallest
	every := max(1, n/400)
	for k := 1; k <= n; k++ {
		label := rank[k]
		if label == "" && k%every != 0 && k > 1 && k < n-100 {
			continue
		}
		if label == "" && k > 1 && k < n && vs[k-1] == vs[k] {
			continue // the last of equal values is the step
		}
		s.Points = append(s.Points, Point{X: vs[k-1], Y: 100 * float64(k) / float64(n), Label: label})
	}
	return s
}
