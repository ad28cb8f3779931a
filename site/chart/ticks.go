package chart

import (
	"math"
	"slices"
	"unicode/utf8"

	"github.com/inferdex/inferdex/ingest/metric"
)

// newScale makes the scale of an axis of length domain that can take about room ticks. zero says
// that a linear axis starts at zero, nice that it ends at a tick.
func newScale(a *Axis, e extent, kind Scale, domain, room int, zero, nice bool) *scale {
	s := &scale{kind: kind, domain: domain}
	lo, hi := e.lo, e.hi
	if e.n == 0 {
		lo, hi = 0, 1
	}
	if s.log() {
		lo = e.pos
	}
	fixed := a.Max != nil && usable(*a.Max) && (!s.log() || *a.Max > 1/largest)
	if fixed {
		hi = *a.Max
	}
	if s.log() {
		hi = math.Max(lo, hi)
	} else if zero && !a.Free {
		lo = math.Min(lo, 0)
		if !fixed {
			hi = math.Max(hi, 0)
		}
	}
	switch kind {
	case Pow2:
		s.powersOfTwo(lo, hi, max(3, min(room, 8)))
	case Log:
		s.logarithmic(lo, hi, fixed, max(3, min(room, 8)), nice)
	default:
		s.linear(lo, hi, fixed, max(2, min(room, 7)), nice)
		if e.n == 0 && !fixed {
			s.ticks = nil // nothing is known of the values: no tick would mean anything
		}
	}
	return s
}

// labelTicks writes the labels of an axis and says what its title must add: "million" where the
// numbers would be long.
func labelTicks(s *scale, format func(float64) string) (times string) {
	write := func(format func(float64) string) {
		for i := range s.ticks {
			s.ticks[i].label = format(s.ticks[i].v)
		}
	}
	switch {
	case format != nil:
		write(func(v float64) string { return clean(format(v)) })
	case s.log() || len(s.ticks) < 2:
		write(exactTick)
		long := func(t tick) bool { return utf8.RuneCountInString(t.label) > 10 }
		if s.log() && slices.ContainsFunc(s.ticks, long) {
			write(powerOfTen)
		}
	default:
		div, words := thousands(s.ticks)
		d := 0
		for p := math.Abs(s.ticks[1].v-s.ticks[0].v) / div; d < 9 && math.Abs(p-math.Round(p)) > 1e-6*p; d++ {
			p *= 10
		}
		write(func(v float64) string {
			if v == 0 {
				return "0"
			}
			return metric.Decimals(v/div, d)
		})
		return words
	}
	return ""
}

// thousands is the number that long labels are divided by, with its name; 1 has none.
func thousands(ticks []tick) (div float64, words string) {
	top := 0.0
	for _, t := range ticks {
		top = math.Max(top, math.Abs(t.v))
	}
	switch {
	case top >= 1e15 || top > 0 && top < 1e-6:
		div = math.Pow(10, 3*math.Floor(math.Log10(top)/3))
		return div, powerOfTen(div)
	case top >= 1e12:
		return 1e12, "trillion"
	case top >= 1e9:
		return 1e9, "billion"
	case top >= 2e6:
		return 1e6, "million"
	}
	return 1, ""
}
