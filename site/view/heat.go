package view

import (
	"math"
	"slices"

	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/site/page"
)

// heat is a scale of at most five classes with round limits between them.
type heat struct {
	limits []float64 // ascending; class i lies below limits[i]
	lower  bool      // smaller is better, so the strongest class is the lowest
}

// steps are the leading digits a limit may have.
var steps = []float64{1, 1.5, 2, 2.5, 3, 4, 5, 6, 8}

// newHeat makes the scale of the values: limits at equal ratios between the smallest and the
// largest, rounded. Fewer than three different values, or none above zero, give no scale.
func newHeat(values []float64, lower bool) heat {
	h := heat{lower: lower}
	vs := slices.Clone(values)
	slices.Sort(vs)
	vs = slices.Compact(vs)
	if len(vs) < 3 || vs[0] <= 0 {
		return h
	}
	lo, hi := math.Log(vs[0]), math.Log(vs[len(vs)-1])
	for i := 1; i < 5; i++ {
		l := roundLimit(math.Exp(lo + (hi-lo)*float64(i)/5))
		if l > vs[0] && l <= vs[len(vs)-1] && (len(h.limits) == 0 || l > h.limits[len(h.limits)-1]) {
			h.limits = append(h.limits, l)
		}
	}
	return h
}

// roundLimit is the number of the form step x 10^n that is nearest in ratio.
func roundLimit(v float64) float64 {
	e := math.Floor(math.Log10(v))
	best, dist := v, math.Inf(1)
	for _, s := range append(slices.Clone(steps), 10) {
		c := metric.Round12(s * math.Pow(10, e))
		if d := math.Abs(math.Log(c / v)); d < dist {
			best, dist = c, d
		}
	}
	return best
}

// class is "h1" for the worst class to "h5" for the best; with fewer than five classes the
// strong ones are left out. Without a scale every value has "h2".
func (h heat) class(v float64) string {
	if len(h.limits) == 0 {
		return "h2"
	}
	i := 0
	for i < len(h.limits) && v >= h.limits[i] {
		i++
	}
	if h.lower {
		i = len(h.limits) - i
	}
	return "h" + itoa(i+1)
}

// legend names the classes from low to high, limits written by format.
func (h heat) legend(format func(float64) string) []page.LegendStep {
	if len(h.limits) == 0 {
		return nil
	}
	var out []page.LegendStep
	n := len(h.limits)
	for i := 0; i <= n; i++ {
		t := ""
		switch i {
		case 0:
			t = "< " + format(h.limits[0])
		case n:
			t = "≥ " + format(h.limits[n-1])
		default:
			t = format(h.limits[i-1]) + "–" + format(h.limits[i])
		}
		c := i
		if h.lower {
			c = n - i
		}
		out = append(out, page.LegendStep{Class: "h" + itoa(c+1), Text: t})
	}
	return out
}
