package figure

import (
	"math"
	"math/big"
	"testing"

	"golang.org/x/perf/benchmath"
)

// Of any number of values the ranks hold the median with 95 %, by whole numbers, no closer ones do, and up to 30 values
// they are those of benchmath.
func TestMedianRanks(t *testing.T) {
	for _, n := range []int{6, 7, 8, 9, 10, 20, 29, 30, 31, 32, 33, 50, 99, 100, 101, 320, 2000} {
		all := new(big.Int).Lsh(big.NewInt(1), uint(n))
		covered := func(lo, hi int) float64 { // by the values of two ranks
			sum := new(big.Int)
			for k := lo; k < hi; k++ {
				sum.Add(sum, new(big.Int).Binomial(int64(n), int64(k)))
			}
			share, _ := new(big.Rat).SetFrac(sum, all).Float64()
			return share
		}
		lo, hi, sure := medianRanks(n)
		if want := covered(lo, hi); want < confidence || math.Abs(sure-want) > 1e-9 {
			t.Errorf("n %d: ranks %d to %d hold the median with %v, not %v", n, lo, hi, want, sure)
		}
		if middle := (n + 1 - (hi - lo - 1)) / 2; covered(middle, middle+hi-lo-1) >= confidence {
			t.Errorf("n %d: ranks closer than %d to %d hold the median too", n, lo, hi)
		}
		if n > 30 {
			continue
		}
		values := make([]float64, n)
		for i := range values {
			values[i] = float64(i + 1)
		}
		in := benchmath.AssumeNothing.Summary(benchmath.NewSample(values, &benchmath.DefaultThresholds), confidence)
		if in.Lo != float64(lo) || in.Hi != float64(hi) || math.Abs(in.Confidence-sure) > 1e-9 {
			t.Errorf("n %d: ranks %d to %d with %v, those of benchmath are %v to %v with %v", n, lo, hi, sure, in.Lo, in.Hi,
				in.Confidence)
		}
	}
}
