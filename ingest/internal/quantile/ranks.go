package quantile

import (
	"math"
	"math/bits"
	"slices"

	"github.com/aclements/go-moremath/stats"
)

const (
	// mostSorted is how many samples are put in order as a whole: a request has hundreds of gaps, a file millions.
	mostSorted = 1 << 15
	// drawn is how many of more samples are looked at for where most of them lie.
	drawn = 1 << 12
	// groups is how many groups those are parted into.
	groups = 1 << 14
)

// at is the sample of a rank, from 0.
func (s *Samples) at(rank int) float64 {
	if !s.sorted && len(s.values) > mostSorted {
		if s.ranks == nil {
			s.ranks = usual(len(s.values))
			s.ranked = ranked(s.values, s.ranks)
		}
		if i, known := slices.BinarySearch(s.ranks, rank); known {
			return s.ranked[i]
		}
	}
	return s.ascending()[rank]
}

// usual are the ranks of n samples that [Samples.Into] asks for, ascending.
func usual(n int) (ranks []int) {
	for _, p := range append([]float64{50, 99}, shares...) {
		least, most, _ := around(n, p)
		ranks = append(ranks, least, most)
	}
	ci := stats.QuantileCI(n, 0.5, 0.95)
	for _, order := range []int{ci.LoOrder, ci.HiOrder} {
		if order >= 1 && order <= n {
			ranks = append(ranks, order-1)
		}
	}
	slices.Sort(ranks)
	return slices.Compact(ranks)
}

// ranked are the samples of these ranks, which ascend. It puts in order only what lies near one of them: a sample
// belongs to a group by the leading bits of its number, whose order is that of numbers that are not below 0, and no
// group is sorted that holds none of the ranks. The few far below or above most others are all of the first group or
// of the last one.
func ranked(values []float64, ranks []int) []float64 {
	key := func(x float64) uint64 { return math.Float64bits(x) &^ (1 << 63) } // -0 is 0
	some := make([]float64, drawn)
	for i := range some {
		some[i] = values[i*(len(values)/drawn)]
	}
	slices.Sort(some)
	least, most := key(some[drawn/512]), key(some[drawn-1-drawn/512])
	shift := max(0, bits.Len64(most-least)-bits.Len64(groups-1))
	group := func(x float64) int {
		return int((min(max(key(x), least), most) - least) >> shift)
	}
	var counts [groups]int
	for _, x := range values {
		counts[group(x)]++
	}
	var wanted [groups]bool
	places := make([]int, len(ranks)) // of the ranks among what is wanted
	r, before, held := 0, 0, 0
	for g, n := range counts {
		for ; r < len(ranks) && ranks[r] < before+n; r++ {
			wanted[g] = true
			places[r] = held + ranks[r] - before
		}
		if before += n; wanted[g] {
			held += n
		}
	}
	near := make([]float64, 0, held)
	for _, x := range values {
		if wanted[group(x)] {
			near = append(near, x)
		}
	}
	slices.Sort(near)
	out := make([]float64, len(ranks))
	for i, p := range places {
		out[i] = near[p]
	}
	return out
}
