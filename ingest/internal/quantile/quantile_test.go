package quantile

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"golang.org/x/perf/benchmath"

	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
)

func TestPercentile(t *testing.T) {
	var s Samples
	for _, x := range []float64{40, 10, math.NaN(), 30, -1, 20} {
		s.Add(x)
	}
	// Of 10, 20, 30, 40: rank 3 x 0.25 = 0.75, so 10 + 0.75 x 10.
	for p, want := range map[float64]float64{0: 10, 25: 17.5, 50: 25, 100: 40} {
		if got := s.Percentile(p); got != want {
			t.Errorf("percentile %v is %v, want %v", p, got, want)
		}
	}
	if s.N() != 4 || s.Sum() != 100 {
		t.Errorf("n %d, sum %v", s.N(), s.Sum())
	}
}

// The interval of n samples 1 to n tells its ranks. It covers the median as often as whole numbers
// say, is no wider than it must be, and is the one that benchmath gives of the same samples.
func TestMedianInterval(t *testing.T) {
	for _, n := range []int64{0, 1, 5, 6, 7, 8, 9, 12, 20, 50, 100, 999, 1001, 3000} {
		var s Samples
		var vs []float64
		for i := range n {
			s.Add(float64(i + 1))
			vs = append(vs, float64(i+1))
		}
		lo, hi, ok := s.MedianInterval()
		if ok != (n >= 6) {
			t.Errorf("%d samples have an interval: %v", n, ok)
		}
		if !ok {
			continue
		}
		// The chance that as many of n fall below the median as put it between the two ranks.
		covers := func(lo, hi int64) float64 {
			sum := new(big.Int)
			for i := lo; i < hi; i++ {
				sum.Add(sum, new(big.Int).Binomial(n, i))
			}
			f, _ := new(big.Float).Quo(new(big.Float).SetInt(sum),
				new(big.Float).SetInt(new(big.Int).Lsh(big.NewInt(1), uint(n)))).Float64()
			return f
		}
		if p := covers(int64(lo), int64(hi)); p < 0.9499 {
			t.Errorf("n %d: the interval from rank %v to %v covers the median in %v", n, lo, hi, p)
		}
		if p := covers(int64(lo)+2, int64(hi)-2); p >= 0.95 {
			t.Errorf("n %d: the interval from rank %v to %v is wider than it must be", n, lo, hi)
		}
		if want := benchmath.AssumeNothing.Summary(benchmath.NewSample(vs, &benchmath.DefaultThresholds),
			0.95); lo != want.Lo || hi != want.Hi {
			t.Errorf("n %d: the interval is %v to %v, that of benchmath %v to %v", n, lo, hi, want.Lo, want.Hi)
		}
	}
}

func TestInto(t *testing.T) {
	var s Samples
	for i := range 10 {
		s.Add(float64(i + 1))
	}
	res := &record.Result{Values: []record.Value{{Quantity: metric.TTFT, Stat: metric.Median, Number: 5.5, Unit: "s"},
		{Quantity: metric.TTFT, Stat: "p99", Number: 9.91, Unit: "s"}}}
	s.Into(res, metric.TTFT, "s", false)
	for _, v := range res.Values[2:] {
		if v.Stat == "p50" || v.Stat == "p99" || v.Key != "" || v.N != 10 {
			t.Errorf("added %+v: what is stated stays, what is computed has no key", v)
		}
	}
	d := res.Distributions[0]
	if len(d.Quantiles) != 10 || d.Quantiles[0] != [2]float64{0, 1} || d.Quantiles[9] != [2]float64{100, 10} {
		t.Errorf("ten samples give the quantiles %v", d.Quantiles)
	}
	// Ten throws: fewer than 2 heads has (1 + 10) / 1024 = 1.07 %, fewer than 3 has 5.5 %: k is 2.
	if *d.MedianLow != 2 || *d.MedianHigh != 9 {
		t.Errorf("interval of the median %v to %v, want 2 to 9", *d.MedianLow, *d.MedianHigh)
	}
	if len(shares) > record.MaxQuantiles {
		t.Errorf("%d pairs: a distribution has at most %d", len(shares), record.MaxQuantiles)
	}
}

// The samples of a rank are those of all samples in their order, whatever the samples are.
func TestRanksAreThoseOfAllSamples(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for name, sample := range map[string]func(i int) float64{
		"like times":   func(int) float64 { return math.Exp(random.NormFloat64()/10) / 50 },
		"many zeros":   func(i int) float64 { return float64(i%3) * random.Float64() },
		"equal":        func(int) float64 { return 0.02 },
		"few values":   func(i int) float64 { return float64(i % 7) },
		"ascending":    func(i int) float64 { return float64(i) },
		"any size":     func(int) float64 { return math.Float64frombits(random.Uint64() >> 2) },
		"both zeros":   func(i int) float64 { return math.Copysign(0, float64(i%2)-0.5) },
		"few are near": func(i int) float64 { return 1 + float64(i%9)*1e-15 + float64(i%1000/999)*random.Float64() },
		"first alike":  func(i int) float64 { return 0.02 + float64(i/mostSorted)*random.Float64() },
		"one is huge":  func(i int) float64 { return map[bool]float64{true: 1e300, false: random.Float64()}[i == 77] },
	} {
		n := 3 * mostSorted
		if name == "equal" || name == "few are near" {
			n += mostNear // too many to be gathered
		}
		kept := make([]float64, n)
		for i := range kept {
			kept[i] = sample(i)
		}
		read := Samples{again: func(f func(float64)) {
			for _, x := range kept {
				f(x)
			}
		}}
		all := slices.Sorted(slices.Values(kept))
		for what, s := range map[string]*Samples{"kept": {}, "read again": &read} {
			for _, x := range kept {
				s.Add(x)
			}
			for _, rank := range usual(n) {
				if got := s.at(rank); got != all[rank] {
					t.Errorf("%s, %s: rank %d is %v, want %v", name, what, rank, got, all[rank])
				}
			}
			if s.sorted || s == &read && s.values != nil {
				t.Errorf("%s, %s: all samples were put in order", name, what)
			}
			if got := s.at(12_345); got != all[12_345] {
				t.Errorf("%s, %s: a rank that nobody asks for is %v, want %v", name, what, got, all[12_345])
			}
		}
	}
}
