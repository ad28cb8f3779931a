package chart

import (
	"fmt"
	"math"
	"slices"
)

// scale maps values to tenths of a pixel along an axis.
type scale struct {
	kind     Scale
	min, max float64 // of the finite part
	domain   int     // length of the axis in tenths of a pixel
	// before and after are kept free at the ends of the finite part.
	before, after int
	// infWidth is the width of the category inf at the end of the axis, 0 without. Bars count
	// it among after. The axis is broken infBreak before it.
	infWidth, infBreak int
	// categories says that ticks name places of equal room; groups, where not nil, are the values
	// that stand at places 0, 1, 2 and so on.
	categories bool
	groups     []float64
	ticks      []tick
	minor      []float64 // grid lines without label
}

// tick is a labelled place of an axis.
type tick struct {
	v     float64
	label string
}

func ticksAt(vs ...float64) []tick {
	out := make([]tick, 0, len(vs))
	for _, v := range vs {
		out = append(out, tick{v: v})
	}
	return out
}

func (s *scale) String() string { return fmt.Sprintf("%g to %g on %d", s.min, s.max, s.domain) }
func (s *scale) log() bool      { return s.kind == Log || s.kind == Pow2 }

func (s *scale) share(v float64) float64 {
	if s.log() {
		return math.Log(v/s.min) / math.Log(s.max/s.min)
	}
	return (v - s.min) / (s.max - s.min)
}

// place gives the place of a value on the axis, clamped to it.
func (s *scale) place(v float64) int {
	if i, ok := s.group(v); ok {
		return s.along(float64(i))
	}
	return s.along(v)
}

// along gives the place of a value, or of the index of a group.
func (s *scale) along(v float64) int {
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

// group is the index of the group of a value.
func (s *scale) group(v float64) (int, bool) { return slices.BinarySearch(s.groups, v) }

// holds says whether v lies on the axis.
func (s *scale) holds(v float64) bool {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return false
	}
	if s.groups != nil {
		_, ok := s.group(v)
		return ok
	}
	tol := (s.max - s.min) * 1e-9
	return v >= s.min-tol && v <= s.max+tol && (!s.log() || v > 0)
}

// edge replaces an infinite end of a line by the end of the axis.
func (s *scale) edge(v float64) float64 {
	switch {
	case math.IsInf(v, -1):
		return s.min
	case math.IsInf(v, 1):
		return s.max
	}
	return v
}

// within gives the part of the way from a to b, 0 to 1, that the axis holds.
func (s *scale) within(a, b float64) (t0, t1 float64) {
	if a == b {
		if a < s.min || a > s.max {
			return 1, 0
		}
		return 0, 1
	}
	t0, t1 = (s.min-a)/(b-a), (s.max-a)/(b-a)
	return math.Max(0, math.Min(t0, t1)), math.Min(1, math.Max(t0, t1))
}

// thin keeps every n-th tick, with the smallest n that keeps labels of this height apart.
func (s *scale) thin(height int) {
	apart := func(every int) bool {
		for i := every; i < len(s.ticks); i += every {
			if s.place(s.ticks[i].v)-s.place(s.ticks[i-every].v) < height {
				return false
			}
		}
		return true
	}
	every := 1
	for every < len(s.ticks) && !apart(every) {
		every++
	}
	if every > 1 {
		s.ticks, s.minor = everyNth(s.ticks, every), nil
	}
}

// everyNth keeps the first of each n.
func everyNth[T any](list []T, n int) []T {
	var out []T
	for i := 0; i < len(list); i += n {
		out = append(out, list[i])
	}
	return out
}
