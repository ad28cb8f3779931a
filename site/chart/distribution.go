package chart

import (
	"fmt"
	"math"
	"slices"
)

// The percentiles that a distribution marks.
var marked = []struct {
	p     float64
	label string
}{{50, "median"}, {90, "p90"}, {99, "p99"}}

// Samples is a series of a Distribution: which share of the values is at most X, as steps. The
// values need not be sorted; NaN is missing. Median, 90th and 99th percentile are marked (nearest rank,
// so that each is a value that was measured). The drawing keeps at most some 500 of the values,
// all of the highest among them.
func Samples(name string, values []float64) Series {
	vs := make([]float64, 0, len(values))
	for _, v := range values {
		if !math.IsNaN(v) {
			vs = append(vs, v)
		}
	}
	slices.Sort(vs)
	s := Series{Name: name, NoMarks: true, steps: true}
	n := len(vs)
	rank := map[int]string{}
	for _, m := range marked {
		p, label := m.p, m.label
		// A percentile needs values beyond it: the 99th of ten is their maximum.
		if k := int(math.Ceil(p / 100 * float64(n))); n > 0 && (p == 50 || float64(n)*(1-p/100) >= 1-1e-9) {
			rank[k] = label
		}
	}
	if n > 0 {
		s.Points = append(s.Points, Point{X: vs[0]}) // nothing below the smallest
	}
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

// label is the text beside a mark: of a distribution with one series the value too.
func (pl *plot) label(s *spot) string {
	t := clean(s.p.Label)
	if pl.d.c.Kind == Distribution && t != "" {
		x, _ := pl.d.pointX(s.p)
		return fmt.Sprintf("%s %s", t, x)
	}
	return t
}
