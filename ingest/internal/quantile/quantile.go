// Package quantile sums up measurements a request each, in one pass and in bounded memory: their
// percentiles, a thinned distribution for charts and the interval of their median.
package quantile

import (
	"math"
	"slices"
	"strconv"

	"github.com/aclements/go-moremath/stats"

	"github.com/inferdex/inferdex/ingest/internal/clean"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
)

const (
	// exactMost is how many samples are kept as they are. Of more, only counts are kept, in classes
	// whose borders lie apart by the factor growth: a percentile is then off by at most 0.05 %.
	exactMost = 1 << 16
	growth    = 1.001
	// Samples outside of these, in whatever unit, fall in the first and last class: there are at
	// most 65,000 classes.
	lowest, highest = 1e-12, 1e16
)

// Samples are measurements of one quantity. The zero value is empty and ready.
type Samples struct {
	exact    []float64
	sorted   bool
	classes  map[int]int64
	n        int64
	min, max float64
	sum      float64
	mean, m2 float64 // Welford's, for the deviation
}

// Add adds a sample. What is not finite or below 0 was not measured and is left out.
func (s *Samples) Add(x float64) {
	if math.IsNaN(x) || math.IsInf(x, 0) || x < 0 {
		return
	}
	if s.n == 0 || x < s.min {
		s.min = x
	}
	if s.n == 0 || x > s.max {
		s.max = x
	}
	s.n++
	s.sum += x
	d := x - s.mean
	s.mean += d / float64(s.n)
	s.m2 += d * (x - s.mean)
	if s.classes != nil {
		s.classes[class(x)]++
		return
	}
	s.exact, s.sorted = append(s.exact, x), false
	if len(s.exact) > exactMost {
		s.classes = map[int]int64{}
		for _, y := range s.exact {
			s.classes[class(y)]++
		}
		s.exact = nil
	}
}

func class(x float64) int {
	return int(math.Floor(math.Log(min(max(x, lowest), highest)) / math.Log(growth)))
}

// N is how many samples there are.
func (s *Samples) N() int64 { return s.n }

// Sum is the sum of the samples.
func (s *Samples) Sum() float64 { return s.sum }

// Percentile interpolates linearly between the two samples around (n-1)*p/100, as numpy does. It is
// 0 where there is no sample.
func (s *Samples) Percentile(p float64) float64 {
	if s.n == 0 {
		return 0
	}
	pos := float64(s.n-1) * min(max(p, 0), 100) / 100
	i := int64(pos)
	a := s.at(i)
	if f := pos - float64(i); f > 0 && i+1 < s.n {
		return a + (s.at(i+1)-a)*f
	}
	return a
}

// at is the sample of rank i, from 0.
func (s *Samples) at(i int64) float64 {
	switch {
	case i <= 0:
		return s.min
	case i >= s.n-1:
		return s.max
	case s.classes == nil:
		if !s.sorted {
			slices.Sort(s.exact)
			s.sorted = true
		}
		return s.exact[i]
	}
	if !s.sorted {
		keys := make([]float64, 0, len(s.classes)) // of the classes, in order
		for k := range s.classes {
			keys = append(keys, float64(k))
		}
		slices.Sort(keys)
		s.exact, s.sorted = keys, true
	}
	var seen int64
	for _, k := range s.exact {
		if seen += s.classes[int(k)]; i < seen {
			return min(max(math.Pow(growth, k+0.5), s.min), s.max)
		}
	}
	return s.max
}

// MedianInterval is the interval between two samples that holds the median of what was sampled with
// at least 95 % confidence, whatever the distribution. It is that of benchmath, which medians of
// repeated measurements have too. Ok is false below six samples, where there is none.
func (s *Samples) MedianInterval() (lo, hi float64, ok bool) {
	ci := stats.QuantileCI(int(s.n), 0.5, 0.95)
	if ci.LoOrder < 1 || ci.HiOrder > ci.N {
		return 0, 0, false
	}
	return s.at(int64(ci.LoOrder) - 1), s.at(int64(ci.HiOrder) - 1), true
}

// shares are the percentiles of a thinned distribution: denser at both ends, where tails are read.
var shares = []float64{
	0, 0.1, 0.5, 1, 2, 3, 4, 5, 7.5, 10, 12.5, 15, 17.5, 20, 22.5, 25, 27.5, 30, 32.5, 35, 37.5, 40, 42.5, 45, 47.5, 50,
	52.5, 55, 57.5, 60, 62.5, 65, 67.5, 70, 72.5, 75, 77.5, 80, 82.5, 85, 87.5, 90, 91, 92, 93, 94, 95, 96, 97, 98, 99, 99.5, 99.9, 100,
}

// stated are the percentiles that are computed where a file states none.
var stated = []float64{1, 5, 10, 25, 50, 75, 90, 95, 99}

// fewest is how many samples make a distribution: below, the median has no interval either.
const fewest = 6

// Into adds to a result what it does not state of a quantity: percentiles, and with all also mean,
// deviation, minimum and maximum; and of six samples or more the distribution with the interval of
// the median. Nothing is added of samples that are all 0, nor of such that do not give the mean, the
// median or the p99 that the result states: they are of other requests, which is a doubt of the result.
func (s *Samples) Into(res *record.Result, q metric.ID, unit string, all bool) {
	if s.n == 0 || s.max <= 0 {
		return
	}
	if why, _ := s.unlike(res.Values, q, unit); why != "" {
		res.Doubt(record.DoubtStatistics, record.Remark, why)
		return
	}
	has := map[string]bool{}
	whole := true
	for _, v := range res.Values {
		if v.Quantity == q {
			has[v.Stat] = true
			has["p50"] = has["p50"] || v.Stat == metric.Median
			whole = whole && (v.N == 0 || v.N == s.n)
		}
	}
	add := func(stat string, n float64) {
		if !has[stat] {
			res.Values = append(res.Values, record.Value{Quantity: q, Stat: stat, Number: clean.Round(n), Unit: unit, N: s.n})
		}
	}
	if all {
		add(metric.Mean, s.sum/float64(s.n))
		if s.n > 1 {
			add(metric.Std, math.Sqrt(s.m2/float64(s.n)))
		}
		add(metric.Min, s.min)
	}
	for _, p := range stated {
		add("p"+strconv.FormatFloat(p, 'g', -1, 64), s.Percentile(p))
	}
	if all {
		add(metric.Max, s.max)
	}
	if s.n < fewest {
		return
	}
	d := record.Distribution{Quantity: q, Unit: unit, N: s.n}
	if s.n <= int64(len(shares)) { // all of them, each at its rank
		for i := range s.n {
			d.Quantiles = append(d.Quantiles, [2]float64{clean.Round(100 * float64(i) / float64(s.n-1)), clean.Round(s.at(i))})
		}
	} else {
		last := -1.0
		for _, p := range shares {
			// Between two samples nothing is known: of a hundred, no percentile below the first.
			if p > 0 && p < 100 && (p-last)*float64(s.n) < 100 {
				continue
			}
			d.Quantiles = append(d.Quantiles, [2]float64{p, clean.Round(s.Percentile(p))})
			last = p
		}
	}
	// The gaps of one request hang together: they are no samples of their own.
	if lo, hi, ok := s.MedianInterval(); ok && q != metric.ITL {
		lo, hi = clean.Round(lo), clean.Round(hi)
		d.MedianLow, d.MedianHigh = &lo, &hi
		// Of a part of the requests it is not the interval of the median that is stated.
		if whole {
			add(metric.MedianLow, lo)
			add(metric.MedianHigh, hi)
		}
	}
	res.Distributions = append(res.Distributions, d)
}
