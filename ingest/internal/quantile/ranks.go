package quantile

import (
	"cmp"
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
	// groups is how many groups those are parted into, and finer how many a group is parted into that holds too many.
	groups, finer = 1 << 14, 1 << 10
	// mostNear is how many samples are gathered that lie near a rank.
	mostNear = 1 << 20
)

// at is the sample of a rank, from 0.
func (s *Samples) at(rank int) float64 {
	if !s.sorted && s.n > mostSorted {
		if s.ranks == nil {
			s.ranks = usual(s.n)
			s.ranked = s.ofRanks(s.ranks)
		}
		if i, known := slices.BinarySearch(s.ranks, rank); known {
			return s.ranked[i]
		}
		if s.again != nil {
			return s.ofRanks([]int{rank})[0]
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

// key is a number whose order is that of samples, which are not below 0.
func key(x float64) uint64 { return math.Float64bits(x) &^ (1 << 63) } // -0 is 0

// counts are how many samples each of the groups has that the keys from least to most are parted into. What lies below
// or above them is of the first or of the last group.
type counts struct {
	least, most uint64
	shift       int
	of          []int
}

func newCounts(least, most uint64, groups int) counts {
	return counts{least, most, max(0, bits.Len64(most-least)-bits.Len64(uint64(groups)-1)), make([]int, groups)}
}

func (c *counts) group(k uint64) int { return int((min(max(k, c.least), c.most) - c.least) >> c.shift) }

// spread are counts for samples like some of them, which are many: the few far below or above most are all of the first
// group or of the last one.
func spread(some []float64) counts {
	few := make([]float64, drawn)
	for i := range few {
		few[i] = some[i*(len(some)/drawn)]
	}
	slices.Sort(few)
	least, most := key(few[drawn/512]), key(few[drawn-1-drawn/512])
	beside := (most - least) / 2 // for those that are not among some
	return newCounts(least-min(least, beside), min(most+beside, math.MaxInt64), groups)
}

// near are the samples with keys from least to most, n of them, before which others lie: those among which ranks are.
type near struct {
	least, most uint64
	before, n   int
	values      []float64
}

// wanted are the groups that hold one of the ranks, which ascend and of which the first lies behind before others. The
// keys from first to last are those of all groups.
func (c *counts) wanted(ranks []int, before int, first, last uint64) (all []near) {
	for g, n := range c.of {
		if n == 0 {
			continue
		}
		i, _ := slices.BinarySearch(ranks, before)
		if i < len(ranks) && ranks[i] < before+n {
			w := near{least: c.least + uint64(g)<<c.shift, before: before, n: n}
			w.most = w.least + (1<<c.shift - 1)
			if g == 0 {
				w.least = first
			}
			if g == c.group(c.most) {
				w.most = last
			}
			all = append(all, w)
		}
		before += n
	}
	return all
}

// ofRanks are the samples of these ranks, which ascend. It puts in order only what lies near one of them: a sample
// belongs to a group by the leading bits of its number, and no group is gathered that holds none of the ranks. Where
// those that do hold too many, they are parted again.
func (s *Samples) ofRanks(ranks []int) []float64 {
	top := s.groups
	if top.of == nil {
		top = spread(s.values)
		for _, x := range s.values {
			top.of[top.group(key(x))]++
		}
	}
	all := top.wanted(ranks, 0, 0, math.MaxInt64)
	of := make([]bool, len(top.of)) // most samples are of no group that is wanted
	for _, w := range all {
		of[top.group(w.least)], of[top.group(w.most)] = true, true
	}
	each := func(f func(w int, x float64, k uint64)) {
		s.each(func(x float64) {
			k := key(x)
			if !of[top.group(k)] {
				return
			}
			i, _ := slices.BinarySearchFunc(all, k, func(w near, k uint64) int { return cmp.Compare(w.most, k) })
			if i < len(all) && all[i].least <= k {
				f(i, x, k)
			}
		})
	}
	for tooMany(all) {
		parts := make([]counts, len(all))
		for i, w := range all {
			parts[i] = newCounts(w.least, w.most, finer)
		}
		each(func(w int, _ float64, k uint64) { parts[w].of[parts[w].group(k)]++ })
		var next []near
		for i, w := range all {
			next = append(next, parts[i].wanted(ranks, w.before, w.least, w.most)...)
		}
		all = next
	}
	each(func(w int, x float64, _ uint64) {
		if all[w].least < all[w].most || len(all[w].values) == 0 { // the samples of one key are equal
			all[w].values = append(all[w].values, x)
		}
	})
	out := make([]float64, 0, len(ranks))
	for _, w := range all {
		slices.Sort(w.values)
		for len(out) < len(ranks) && ranks[len(out)] < w.before+w.n {
			out = append(out, w.values[min(ranks[len(out)]-w.before, len(w.values)-1)])
		}
	}
	return out
}

// tooMany reports whether more samples would be gathered than are put in order at once. Those of a group of one key are
// one.
func tooMany(all []near) bool {
	n := 0
	for _, w := range all {
		if w.least < w.most {
			n += w.n
		}
	}
	return n > mostNear
}
