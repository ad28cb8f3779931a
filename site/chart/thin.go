package chart

import (
	"math"
	"slices"
)

// Thinned is the chart with fewer marks, for a page: of lines with more than most points those that [Spread] leaves, and
// the highest and the lowest of each line, so that its axes are those of all points. All lines keep the same places.
func (c *Chart) Thinned(most int) *Chart {
	var at []float64
	longest := 0
	for _, p := range c.Panels {
		for _, s := range p.Series {
			longest = max(longest, len(s.Points))
			for _, q := range s.Points {
				at = append(at, q.X)
			}
		}
	}
	if longest <= most {
		return c
	}
	slices.Sort(at)
	at = Spread(c.X.Scale, slices.Compact(at), most)
	t := *c
	t.Panels = slices.Clone(c.Panels)
	for i := range t.Panels {
		p := &t.Panels[i]
		p.Series = slices.Clone(p.Series)
		kept := map[float64]bool{}
		for j := range p.Series {
			s := &p.Series[j]
			s.Points = fewer(s.Points, at)
			for _, q := range s.Points {
				kept[q.X] = true
			}
		}
		p.Bands = slices.DeleteFunc(slices.Clone(p.Bands), func(b Band) bool { return b.Label == "" && !kept[b.X] })
	}
	return &t
}

// fewer are the points at some places, the first and the last, the highest and the lowest.
func fewer(points []Point, at []float64) (out []Point) {
	low, high := -1, -1
	for i, p := range points {
		switch {
		case math.IsNaN(p.Y) || p.Suspect:
		case low < 0:
			low, high = i, i
		case p.Y < points[low].Y:
			low = i
		case p.Y > points[high].Y:
			high = i
		}
	}
	for i, p := range points {
		_, found := slices.BinarySearch(at, p.X)
		if found || i == 0 || i == len(points)-1 || i == low || i == high {
			out = append(out, p)
		}
	}
	return out
}

// Spread are the first of some ascending values in each of so many equal steps of an axis, the last, and those that have
// no place on it.
func Spread(s Scale, values []float64, steps int) (out []float64) {
	place := func(v float64) float64 { return v }
	if s == Log || s == Pow2 {
		place = math.Log
	}
	usable := func(v float64) bool { return !math.IsInf(place(v), 0) && !math.IsNaN(place(v)) }
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if usable(v) {
			low, high = min(low, place(v)), max(high, place(v))
		}
	}
	before := -1
	for i, v := range values {
		if !usable(v) || i == len(values)-1 {
			out = append(out, v)
		} else if step := int((place(v) - low) / (high - low) * float64(steps)); step != before {
			out = append(out, v)
			before = step
		}
	}
	return out
}
