package chart

import (
	"fmt"
	"math"
	"slices"

	"github.com/inferdex/inferdex/ingest/unit"
)

// Quantile is a percentile and its value: P is 0 to 100.
type Quantile struct{ P, Value float64 }

// The percentiles that a distribution marks.
var marked = []float64{50, 90, 99}

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
	for _, p := range marked {
		// A percentile needs values beyond it: the 99th of ten is their maximum.
		if k := int(math.Ceil(p / 100 * float64(n))); n > 0 && (p == 50 || float64(n)*(1-p/100) >= 1-1e-9) {
			rank[k] = percentileName(p)
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

// Percentiles is a series of a Distribution of which only percentiles are known, joined by straight
// lines: what lies between them is not. Pairs that are not percentiles are left out.
func Percentiles(name string, known ...Quantile) Series {
	s := Series{Name: name}
	for _, q := range known {
		if !(q.P >= 0 && q.P <= 100) {
			continue
		}
		s.Points = append(s.Points, Point{X: q.Value, Y: q.P, Label: percentileName(q.P)})
	}
	return s
}

func percentileName(p float64) string {
	switch p {
	case 0:
		return "min"
	case 50:
		return "median"
	case 100:
		return "max"
	}
	return "p" + decimal(unit.Round12(p), digits(p))
}

// digits is how many decimals p needs, at most 3.
func digits(p float64) int {
	for d := range 3 {
		q := p * math.Pow(10, float64(d))
		if math.Abs(q-math.Round(q)) < 1e-6 {
			return d
		}
	}
	return 3
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
