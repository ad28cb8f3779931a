package refute

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/inferdex/inferdex/ingest/compare"
)

// Levels are found where the makers of claims find them, in series with and without changes.
func TestLevelsAgree(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	changed := 0
	for i := range 401 {
		n := 2 + rnd.IntN(24)
		if i == 400 {
			n = 2000 // a benchmark of every night
		}
		series := make([]float64, n)
		level := 100.0
		for i := range series {
			if rnd.IntN(8) == 0 {
				level *= 1 + 0.1*(rnd.Float64()-0.5)
			}
			series[i] = level * (1 + 0.01*rnd.NormFloat64())
		}
		got, want := levelsOf(series), compare.ChangePoints(series)
		if !slices.Equal(got, want) {
			t.Errorf("%v: %v, want %v", series, got, want)
		}
		changed += min(1, len(want))
	}
	if changed < 50 {
		t.Errorf("%d series change: too few to compare", changed)
	}
}

// Student's t-test of samples whose variance can be told by heart.
func TestChance(t *testing.T) {
	for _, c := range []struct {
		xs, ys []float64
		want   float64
	}{
		{[]float64{0, 1, 2, 3}, []float64{0, 1, 2, 3}, 1},
		{[]float64{1, 1}, []float64{2, 2}, 0},
		// Variance 5/3: 10 / √(5/3 · 1/2) = 10.9545 with six degrees of freedom.
		{[]float64{10, 11, 12, 13}, []float64{20, 21, 22, 23}, 0.0000344},
		// 4 / √(5/3 · 1/2) = 4.3818 with six.
		{[]float64{10, 11, 12, 13}, []float64{14, 15, 16, 17}, 0.00466},
	} {
		if p := chance(c.xs, c.ys); math.Abs(p-c.want) > 0.005*c.want+1e-9 {
			t.Errorf("%v, %v: %v, want %v", c.xs, c.ys, p, c.want)
		}
	}
}

func TestNewer(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"0.8.2", "0.10.0", 1}, {"0.10.0", "0.8.2", -1}, {"1.0", "1.0", 0}, {"", "1.0", 0}, {"v0.6.3", "0.6.4rc1", 1}} {
		if got := newer(c.a, c.b); got != c.want {
			t.Errorf("%q and %q: %d, want %d", c.a, c.b, got, c.want)
		}
	}
}
