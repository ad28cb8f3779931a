package chart

import "math"

// powersOfTwo spans a logarithmic axis with at most n ticks at powers of two.
func (s *scale) powersOfTwo(lo, hi float64, n int) {
	if hi <= lo*(1+1e-9) {
		lo, hi = lo/2, hi*2
	}
	s.min, s.max = lo, hi
	k0, k1 := math.Ceil(math.Log2(lo)-1e-9), math.Floor(math.Log2(hi)+1e-9)
	every := 1.0
	for (k1-k0)/every+1 > float64(n) {
		every++
	}
	for k := k0; k <= k1; k += every {
		s.ticks = append(s.ticks, tick{v: math.Pow(2, k)})
	}
}

// logarithmic spans a logarithmic axis with at most some n ticks: powers of ten, or of fewer
// decades round values between them. fixed is an upper end that is given; nice says that the axis
// ends at round values.
func (s *scale) logarithmic(lo, hi float64, fixed bool, n int, nice bool) {
	if nice {
		lo = snap(lo, false)
		if !fixed {
			hi = snap(hi, true)
		}
	}
	if hi <= lo*(1+1e-9) {
		lo, hi = lo/2, hi*2
		if nice {
			lo, hi = snap(lo, false), snap(hi, true)
		}
	}
	s.min, s.max = lo, hi
	d0, d1 := math.Ceil(math.Log10(lo)-1e-9), math.Floor(math.Log10(hi)+1e-9)
	if d1-d0 >= 2 {
		s.decades(d0, d1, n)
		return
	}
	s.ticks = ticksAt(s.inDecades(d0, d1, 1, 2, 5)...)
	if len(s.ticks) > n {
		s.ticks = ticksAt(s.inDecades(d0, d1, 1, 3)...)
		if len(s.ticks) > n {
			s.ticks = ticksAt(s.inDecades(d0, d1, 1)...)
		}
	}
	if len(s.ticks) < 3 { // less than a decade: round linear steps, on the logarithmic scale
		st := step(hi-lo, n-1)
		s.ticks = s.ticks[:0]
		for k := math.Ceil(lo/st - 1e-9); k*st <= hi*(1+1e-9) && len(s.ticks) < 10; k++ {
			if v := multiple(k, st); v > 0 {
				s.ticks = append(s.ticks, tick{v: v})
			}
		}
	}
}

// decades sets a tick at every power of ten from d0 to d1, or at every n-th.
func (s *scale) decades(d0, d1 float64, n int) {
	every := 1.0
	for math.Floor((d1-d0)/every)+1 > float64(n) {
		every++
	}
	for d := d0; d <= d1; d += every {
		s.ticks = append(s.ticks, tick{v: math.Pow(10, d)})
	}
	if every == 1 && d1-d0 <= 5 {
		s.minor = s.inDecades(d0, d1, 2, 5)
	}
}

// inDecades are the multiples of the powers of ten around d0 to d1 that the axis holds.
func (s *scale) inDecades(d0, d1 float64, multiples ...float64) []float64 {
	var out []float64
	for d := d0 - 1; d <= d1; d++ {
		for _, m := range multiples {
			if v := m * math.Pow(10, d); v >= s.min*(1-1e-9) && v <= s.max*(1+1e-9) {
				out = append(out, v)
			}
		}
	}
	return out
}

// snap is the nearest of 1, 2, 5 times a power of ten at or below (up false) or above v.
func snap(v float64, up bool) float64 {
	base := math.Pow(10, math.Floor(math.Log10(v)+1e-12))
	if up {
		for _, m := range []float64{1, 2, 5} {
			if m*base >= v*(1-1e-9) {
				return m * base
			}
		}
		return 10 * base
	}
	for _, m := range []float64{5, 2} {
		if m*base <= v*(1+1e-9) {
			return m * base
		}
	}
	return base
}
