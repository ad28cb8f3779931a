package chart

import "math"

// linear spans a linear axis and sets round ticks, at most some n. fixed is an upper end that is
// given; nice says that the axis ends at ticks.
func (s *scale) linear(lo, hi float64, fixed bool, n int, nice bool) {
	if !(hi > lo) {
		if lo == 0 {
			hi = 1
		} else {
			d := math.Max(math.Abs(lo)*0.1, 1e-290)
			lo, hi = lo-d, hi+d
		}
	}
	st := step(hi-lo, n)
	if nice {
		lo, hi, st = nearest(lo, hi, fixed, n)
	}
	s.min, s.max = lo, hi
	for k := math.Ceil(lo/st - 1e-9); k*st <= hi+st*1e-6 && len(s.ticks) < 12; k++ {
		s.ticks = append(s.ticks, tick{v: multiple(k, st)})
	}
}

// mostIntervals is how many intervals an axis that ends at ticks has at most: further ones tell a reader no more.
const mostIntervals = 5

// nearest gives the ends of an axis that ends at ticks, and its step. Of the round steps that make three intervals
// or more, and no more than there is room for, it is the one that ends nearest to the values: 0 to 2 500 for
// values up to 2 060. Of two that end at one place the larger step is taken.
func nearest(lo, hi float64, fixed bool, n int) (l, h, st float64) {
	n = max(3, min(n, mostIntervals))
	base := math.Pow(10, math.Floor(math.Log10((hi-lo)/float64(n)))-1)
	least := math.Inf(1)
	for few := 3.0; few > 0 && math.IsInf(least, 1); few-- {
		for _, m := range []float64{10, 20, 25, 50, 100, 200, 250, 500, 1000} {
			s := m * base
			if unround(m, s) {
				continue
			}
			from, to := math.Floor(lo/s+1e-9)*s, hi
			if !fixed {
				to = math.Ceil(hi/s-1e-9) * s
			}
			over, k := (to-from)-(hi-lo), (to-from)/s
			if k < few-1e-6 || k > float64(n)+1e-6 || over > least*(1+1e-9) {
				continue
			}
			l, h, st, least = from, to, s, over
		}
	}
	if st == 0 { // the values are too close for ticks of their own
		return lo, hi, step(hi-lo, n)
	}
	return l, h, st
}

// unround reports whether a step is 2.5, 5.0, 7.5 and so on, which read worse than 2, 4, 6; 25 and 0.025 do not.
func unround(m, s float64) bool { return (m == 2.5 || m == 25 || m == 250) && s < 10 && s > 0.1 }

// step is the smallest round step that takes at most n intervals over span.
func step(span float64, n int) float64 {
	if span <= 0 || n < 1 {
		return 1
	}
	base := math.Pow(10, math.Floor(math.Log10(span/float64(n))))
	for _, m := range []float64{1, 2, 2.5, 5, 10, 20} {
		s := m * base
		if unround(m, s) {
			continue
		}
		if span/s <= float64(n)*(1+1e-9) {
			return s
		}
	}
	return 50 * base
}

// multiple is k times s of s without the noise of binary fractions.
func multiple(k, s float64) float64 {
	v := k * s
	if s < 1 {
		p := math.Round(1 / s * 4)
		if q := math.Round(v * p); math.Abs(q) < 1<<52 && p < 1<<50 {
			return q / p
		}
	}
	return v
}
