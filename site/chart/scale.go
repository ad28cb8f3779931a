package chart

import (
	"fmt"
	"math"
	"slices"
	"unicode/utf8"
)

// largest is the largest magnitude that is drawn, and one over it the smallest on a log axis: beyond,
// differences overflow.
const largest = 1e300

// extent is what the values of an axis span.
type extent struct {
	lo, hi float64 // finite values
	pos    float64 // smallest positive value
	n      int     // finite values
	nonpos int     // of these zero or negative
	inf    bool    // +Inf is among them
}

func (e *extent) add(v float64) {
	switch {
	case math.IsInf(v, 1):
		e.inf = true
		return
	case math.IsNaN(v) || math.Abs(v) > largest:
		return
	}
	if e.n == 0 || v < e.lo {
		e.lo = v
	}
	if e.n == 0 || v > e.hi {
		e.hi = v
	}
	if v > 1/largest && (e.pos == 0 || v < e.pos) {
		e.pos = v
	}
	if v <= 1/largest {
		e.nonpos++
	}
	e.n++
}

func (e *extent) union(o extent) {
	e.inf = e.inf || o.inf
	if o.n == 0 {
		return
	}
	if e.n == 0 {
		i := e.inf
		*e = o
		e.inf = i
		return
	}
	e.lo, e.hi = math.Min(e.lo, o.lo), math.Max(e.hi, o.hi)
	if e.pos == 0 || o.pos > 0 && o.pos < e.pos {
		e.pos = o.pos
	}
	e.n += o.n
	e.nonpos += o.nonpos
}

// kind resolves Auto.
func (e *extent) kind(s Scale, linear bool) Scale {
	switch {
	case s == Auto && !linear && e.n > 0 && e.nonpos == 0 && e.hi > 50*e.pos:
		return Log
	case s == Auto:
		return Linear
	case (s == Log || s == Pow2) && e.pos == 0:
		return Linear // nothing positive: no logarithm
	}
	return s
}

// tick is a labelled place of an axis.
type tick struct {
	v     float64
	label string
}

// scale maps values to tenths of a pixel along an axis. It is go-chart's Range.
type scale struct {
	kind     Scale
	min, max float64 // of the finite part
	domain   int     // length of the axis in tenths of a pixel
	// before and after are kept free at the ends of the finite part.
	before, after int
	// infWidth is the width of the category inf at the end of the axis, 0 without. Bars count
	// it among after.
	infWidth int
	ticks    []tick
	minor    []float64 // grid lines without label
}

func (s *scale) String() string     { return fmt.Sprintf("%g to %g on %d", s.min, s.max, s.domain) }
func (s *scale) IsZero() bool       { return false }
func (s *scale) GetMin() float64    { return s.min }
func (s *scale) SetMin(v float64)   { s.min = v }
func (s *scale) GetMax() float64    { return s.max }
func (s *scale) SetMax(v float64)   { s.max = v }
func (s *scale) GetDelta() float64  { return s.max - s.min }
func (s *scale) GetDomain() int     { return s.domain }
func (s *scale) SetDomain(d int)    { s.domain = d }
func (s *scale) IsDescending() bool { return false }
func (s *scale) log() bool          { return s.kind == Log || s.kind == Pow2 }
func (s *scale) share(v float64) float64 {
	if s.log() {
		return math.Log(v/s.min) / math.Log(s.max/s.min)
	}
	return (v - s.min) / (s.max - s.min)
}

// Translate gives the place of v, clamped to the axis.
func (s *scale) Translate(v float64) int {
	switch {
	case math.IsInf(v, 1) && s.infWidth > 0:
		return s.domain - s.infWidth/2
	case math.IsInf(v, 1):
		return s.domain
	case math.IsInf(v, -1) || s.log() && v <= 0:
		return 0
	}
	room := s.domain - s.before - s.after
	p := s.before + int(math.Round(s.share(v)*float64(room)))
	return max(0, min(p, s.domain))
}

// holds says whether v lies on the axis.
func (s *scale) holds(v float64) bool {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return false
	}
	tol := (s.max - s.min) * 1e-9
	return v >= s.min-tol && v <= s.max+tol && (!s.log() || v > 0)
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

// axisFor makes the scale of an axis of length domain that can take about room ticks. zero says that a linear
// axis starts at zero, nice that it ends at a tick.
func axisFor(a *Axis, e extent, kind Scale, domain, room int, zero, nice bool) *scale {
	s := &scale{kind: kind, domain: domain}
	lo, hi := e.lo, e.hi
	if e.n == 0 {
		lo, hi = 0, 1
	}
	if s.log() {
		lo = e.pos
	}
	fixedHi := false
	if a.Max != nil && usable(*a.Max) && (!s.log() || *a.Max > 1/largest) {
		hi, fixedHi = *a.Max, true
	}
	if s.log() {
		logAxis(s, lo, hi, fixedHi, room, nice)
		return s
	}
	if zero && !a.Free && lo > 0 {
		lo = 0
	}
	if zero && !a.Free && !fixedHi && hi < 0 {
		hi = 0
	}
	if !(hi > lo) {
		switch {
		case lo == 0:
			hi = 1
		default:
			d := math.Max(math.Abs(lo)*0.1, 1e-290)
			lo, hi = lo-d, hi+d
		}
	}
	n := max(2, min(room, 7))
	st := step(hi-lo, n)
	if nice {
		for range 3 {
			l, h := math.Floor(lo/st+1e-9)*st, hi
			if !fixedHi {
				h = math.Ceil(hi/st-1e-9) * st
			}
			if (h-l)/st <= float64(n)+1e-6 || n >= 7 && (h-l)/st <= 7+1e-6 {
				lo, hi = l, h
				break
			}
			st = step((h-l)*1.0001, n)
			lo, hi = math.Min(lo, hi), math.Max(lo, hi)
		}
	}
	s.min, s.max = lo, hi
	if e.n == 0 && !fixedHi {
		return s // nothing is known of the values: no tick would mean anything
	}
	for k := math.Ceil(lo/st - 1e-9); k*st <= hi+st*1e-6 && len(s.ticks) < 12; k++ {
		s.ticks = append(s.ticks, tick{v: multiple(k, st)})
	}
	return s
}

func usable(v float64) bool { return !math.IsNaN(v) && math.Abs(v) <= largest }

// snap is the nearest of 1, 2, 5 times a power of ten at or below (up false) or above v.
func snap(v float64, up bool) float64 {
	e := math.Floor(math.Log10(v) + 1e-12)
	base := math.Pow(10, e)
	ms := []float64{1, 2, 5, 10}
	if up {
		for _, m := range ms {
			if m*base >= v*(1-1e-9) {
				return m * base
			}
		}
		return 10 * base
	}
	for _, m := range []float64{5, 2, 1} {
		if m*base <= v*(1+1e-9) {
			return m * base
		}
	}
	return base
}

func logAxis(s *scale, lo, hi float64, fixedHi bool, room int, nice bool) {
	if lo <= 0 {
		lo = 1
	}
	if hi < lo {
		hi = lo
	}
	n := max(3, min(room, 8))
	if s.kind == Pow2 {
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
		return
	}
	if nice {
		lo = snap(lo, false)
		if !fixedHi {
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
	in := func(v float64) bool { return v >= lo*(1-1e-9) && v <= hi*(1+1e-9) }
	fill := func(ms []float64) {
		s.ticks = s.ticks[:0]
		for d := d0 - 1; d <= d1; d++ {
			for _, m := range ms {
				if v := m * math.Pow(10, d); in(v) {
					s.ticks = append(s.ticks, tick{v: v})
				}
			}
		}
	}
	if decades := d1 - d0 + 1; decades >= 3 {
		every := 1.0
		for math.Floor((d1-d0)/every)+1 > float64(n) {
			every++
		}
		for d := d0; d <= d1; d += every {
			s.ticks = append(s.ticks, tick{v: math.Pow(10, d)})
		}
		if every == 1 && decades <= 6 {
			for d := d0 - 1; d <= d1; d++ {
				for _, m := range []float64{2, 5} {
					if v := m * math.Pow(10, d); in(v) {
						s.minor = append(s.minor, v)
					}
				}
			}
		}
		return
	}
	fill([]float64{1, 2, 5})
	if len(s.ticks) > n {
		fill([]float64{1, 3})
		if !in(s.ticks[0].v) || len(s.ticks) > n {
			fill([]float64{1})
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

// thinned keeps of values at most n, evenly, always with the first.
func thinned(vs []float64, n int) []float64 {
	if len(vs) <= n || n < 1 {
		return vs
	}
	every := (len(vs) + n - 1) / n
	var out []float64
	for i := 0; i < len(vs); i += every {
		out = append(out, vs[i])
	}
	return out
}

// distinct sorts vs and drops repetitions.
func distinct(vs []float64) []float64 {
	slices.Sort(vs)
	return slices.Compact(vs)
}

// labelTicks writes the labels of an axis and says what its title must add: "millions" where the numbers would
// be long.
func labelTicks(s *scale, format func(float64) string) (times string) {
	if format != nil {
		for i := range s.ticks {
			s.ticks[i].label = clean(format(s.ticks[i].v))
		}
		return ""
	}
	if s.log() || len(s.ticks) < 2 {
		for i := range s.ticks {
			s.ticks[i].label = exactTick(s.ticks[i].v)
		}
		if s.log() && slices.ContainsFunc(s.ticks, func(t tick) bool { return utf8.RuneCountInString(t.label) > 10 }) {
			for i := range s.ticks {
				s.ticks[i].label = powerOfTen(s.ticks[i].v)
			}
		}
		return ""
	}
	top := 0.0
	for _, t := range s.ticks {
		top = math.Max(top, math.Abs(t.v))
	}
	div := 1.0
	switch {
	case top >= 1e15 || top > 0 && top < 1e-6:
		e := 3 * math.Floor(math.Log10(top)/3)
		div, times = math.Pow(10, e), powerOfTen(math.Pow(10, e))
	case top >= 1e12:
		div, times = 1e12, "trillion"
	case top >= 1e9:
		div, times = 1e9, "billion"
	case top >= 2e6:
		div, times = 1e6, "million"
	}
	d := 0
	st := math.Abs(s.ticks[1].v-s.ticks[0].v) / div
	for p := st; d < 9 && math.Abs(p-math.Round(p)) > 1e-6*p; d++ {
		p *= 10
	}
	for i := range s.ticks {
		if s.ticks[i].v == 0 {
			s.ticks[i].label = "0"
			continue
		}
		s.ticks[i].label = decimal(s.ticks[i].v/div, d)
	}
	return times
}
