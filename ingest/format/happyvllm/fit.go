package happyvllm

import (
	"math"
	"slices"

	"github.com/inferdex/inferdex/ingest/internal/order"
)

// line is y = slope x + intercept.
type line struct{ slope, intercept float64 }

// leastSquares fits a line. ok is false where there is none: fewer than two different x.
func leastSquares(x, y []float64) (l line, ok bool) {
	n := float64(len(x))
	if n < 2 {
		return line{}, false
	}
	var mx, my float64
	for i := range x {
		mx += x[i]
		my += y[i]
	}
	mx, my = mx/n, my/n
	// Sums around the means: the squares of the lengths themselves would cost digits.
	var xx, xy float64
	for i := range x {
		dx := x[i] - mx
		xx += dx * dx
		xy += dx * (y[i] - my)
	}
	if !(xx > 0) {
		return line{}, false
	}
	l.slope = xy / xx
	l.intercept = my - l.slope*mx
	return l, !math.IsNaN(l.slope+l.intercept) && !math.IsInf(l.slope+l.intercept, 0)
}

// outlier is how far, as a part of the measured time, a request may lie from the first fit.
const outlier = 0.05

// ingestionFit is the fit in two passes: the second leaves out the requests that lie too far
// from the first. X and y are those that were kept.
func ingestionFit(x, y []float64) (l line, keptX, keptY []float64, ok bool) {
	first, ok := leastSquares(x, y)
	if !ok {
		return line{}, nil, nil, false
	}
	for i := range x {
		if math.Abs(first.slope*x[i]+first.intercept-y[i])/y[i] < outlier {
			keptX, keptY = append(keptX, x[i]), append(keptY, y[i])
		}
	}
	l, ok = leastSquares(keptX, keptY)
	return l, keptX, keptY, ok
}

// mostPoints is how many points of a scatter are kept.
const mostPoints = 400

// thinScatter returns the indices of the points to keep, in the order of x: evenly many of them
// and those with the smallest and largest x and y.
func thinScatter(x, y []float64) []int {
	sorted := make([]int, len(x))
	for i := range sorted {
		sorted[i] = i
	}
	order.Stable(sorted, func(a, b int) int {
		switch {
		case x[a] < x[b], x[a] == x[b] && y[a] < y[b]:
			return -1
		case x[a] > x[b], x[a] == x[b] && y[a] > y[b]:
			return 1
		}
		return 0
	})
	if len(sorted) <= mostPoints {
		return sorted
	}
	low, high := 0, 0 // places in sorted
	for p, i := range sorted {
		if y[i] < y[sorted[low]] {
			low = p
		}
		if y[i] > y[sorted[high]] {
			high = p
		}
	}
	places := []int{low, high}
	const even = mostPoints - 2
	for k := range even {
		places = append(places, k*(len(sorted)-1)/(even-1))
	}
	slices.Sort(places)
	places = slices.Compact(places)
	kept := make([]int, len(places))
	for k, p := range places {
		kept[k] = sorted[p]
	}
	return kept
}

// median of numbers, between the two in the middle where they are even; numbers is sorted.
func median(numbers []float64) float64 {
	slices.Sort(numbers)
	n := len(numbers)
	if n%2 == 1 {
		return numbers[n/2]
	}
	return (numbers[n/2-1] + numbers[n/2]) / 2
}

// near says whether two numbers are the same but for the last digits: 1e-9 of the larger.
func near(a, b float64) bool {
	return math.Abs(a-b) <= 1e-9*max(math.Abs(a), math.Abs(b))
}
