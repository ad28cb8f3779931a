package chart

import "math"

// linear spans a linear axis and sets at most some n round ticks. fixed is an upper end that is
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
	for range 3 {
		if !nice {
			break
		}
		l, h := math.Floor(lo/st+1e-9)*st, hi
		if !fixed {
			h = math.Ceil(hi/st-1e-9) * st
		}
		if (h-l)/st <= float64(n)+1e-6 || n >= 7 && (h-l)/st <= 7+1e-6 {
			lo, hi = l, h
			break
		}
		st = step((h-l)*1.0001, n)
	}
	s.min, s.max = lo, hi
	for k := math.Ceil(lo/st - 1e-9); k*st <= hi+st*1e-6 && len(s.ticks) < 12; k++ {
		s.ticks = append(s.ticks, tick{v: multiple(k, st)})
	}
}

// step is the smallest round step that takes at most n intervals over span.
func step(span float64, n int) float64 {
	if span <= 0 || n < 1 {
		return 1
	}
	base := math.Pow(10, math.Floor(math.Log10(span/float64(n))))
	for _, m := range []float64{1, 2, 2.5, 5, 10, 20} {
		s := m * base
		if m == 2.5 && (s < 10 && s > 0.1) {
			continue // 2.5, 5.0, 7.5 read worse than 2, 4, 6
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
