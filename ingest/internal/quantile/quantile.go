// Package quantile sums up measurements a request each: their percentiles, a thinned distribution for
// charts and the interval of their median. Those of requests are kept until then; the gaps between tokens, which may be
// a hundred times as many, are read again from the text, which the readers have in memory.
package quantile

import (
	"math"
	"slices"
	"strconv"

	"github.com/aclements/go-moremath/stats"

	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
)

// Samples are measurements of one quantity. The zero value is empty and ready.
type Samples struct {
	values []float64 // all of them, but where groups counts them
	n      int
	sorted bool
	sum    float64
	// again goes over the samples once more, in their order, where it is not nil: then more than mostSorted are not kept.
	again  func(f func(x float64))
	groups counts
	// ranks are those of which ranked has the sample, nil where nobody asked for one.
	ranks  []int
	ranked []float64
}

// Add adds a sample. What is not finite or below 0 was not measured and is left out.
func (s *Samples) Add(x float64) {
	if !math.IsNaN(x) && !math.IsInf(x, 0) && x >= 0 {
		s.sum += x
		if s.n++; s.groups.of != nil {
			s.groups.of[s.groups.group(key(x))]++
			return
		}
		s.values, s.sorted, s.ranks = append(s.values, x), false, nil
		if s.again != nil && s.n > mostSorted {
			s.groups = spread(s.values)
			for _, x := range s.values {
				s.groups.of[s.groups.group(key(x))]++
			}
			s.values = nil
		}
	}
}

// each goes over the samples, in any order.
func (s *Samples) each(f func(x float64)) {
	if s.groups.of != nil {
		s.again(f)
		return
	}
	for _, x := range s.values {
		f(x)
	}
}

// Grow makes room for n more samples.
func (s *Samples) Grow(n int) { s.values = slices.Grow(s.values, n) }

// N is how many samples there are.
func (s *Samples) N() int64 { return int64(s.n) }

// Sum is the sum of the samples.
func (s *Samples) Sum() float64 { return s.sum }

// Mean is the mean of the samples, NaN where there is none.
func (s *Samples) Mean() float64 { return s.sum / float64(s.n) }

// deviation is the standard deviation of the samples, NaN where there is none.
func (s *Samples) deviation() float64 {
	squares := 0.0
	for _, x := range s.ascending() {
		squares += (x - s.Mean()) * (x - s.Mean())
	}
	return math.Sqrt(squares / float64(s.n))
}

// ascending are the samples in their order, where all are kept.
func (s *Samples) ascending() []float64 {
	if !s.sorted {
		slices.Sort(s.values)
		s.sorted = true
	}
	return s.values
}

// Percentile interpolates linearly between the two samples around (n-1)*p/100, as numpy does. It is
// 0 where there is no sample.
func (s *Samples) Percentile(p float64) float64 { return s.around(p).value }

// MedianInterval is the interval between two samples that holds the median of what was sampled with
// at least 95 % confidence, whatever the distribution. It is that of benchmath. Ok is false below six samples, where there
// is none.
func (s *Samples) MedianInterval() (lo, hi float64, ok bool) {
	ci := stats.QuantileCI(s.n, 0.5, 0.95)
	if ci.LoOrder < 1 || ci.HiOrder > ci.N {
		return 0, 0, false
	}
	return s.at(ci.LoOrder - 1), s.at(ci.HiOrder - 1), true
}

// shares are the percentiles of a thinned distribution: denser at both ends, where tails are read.
var shares = []float64{
	0, 0.1, 0.5, 1, 2, 3, 4, 5, 7.5, 10, 12.5, 15, 17.5, 20, 22.5, 25, 27.5, 30, 32.5, 35, 37.5, 40, 42.5, 45, 47.5, 50,
	52.5, 55, 57.5, 60, 62.5, 65, 67.5, 70, 72.5, 75, 77.5, 80, 82.5, 85, 87.5, 90, 91, 92, 93, 94, 95, 96, 97, 98, 99,
	99.5, 99.9, 100,
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
	if s.sum <= 0 {
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
			whole = whole && (v.N == 0 || v.N == s.N())
		}
	}
	add := func(stat string, n float64) {
		if !has[stat] {
			res.Values = append(res.Values, record.Value{Quantity: q, Stat: stat, Number: metric.Round(n),
				Unit: unit, N: s.N()})
		}
	}
	if all {
		add(metric.Mean, s.Mean())
		if s.N() > 1 {
			add(metric.Std, s.deviation())
		}
		add(metric.Min, s.Percentile(0))
	}
	for _, p := range stated {
		add("p"+strconv.FormatFloat(p, 'g', -1, 64), s.Percentile(p))
	}
	if all {
		add(metric.Max, s.Percentile(100))
	}
	if s.N() < fewest {
		return
	}
	d := s.distribution(q, unit)
	// Of a part of the requests the interval is not that of the median that is stated.
	if d.MedianLow != nil && whole {
		add(metric.MedianLow, *d.MedianLow)
		add(metric.MedianHigh, *d.MedianHigh)
	}
	res.Distributions = append(res.Distributions, d)
}

// distribution thins the samples to what a chart can show.
func (s *Samples) distribution(q metric.ID, unit string) record.Distribution {
	n := float64(s.N())
	d := record.Distribution{Quantity: q, Unit: unit, N: s.N()}
	if s.n <= len(shares) { // all of them, each at its rank
		for i, x := range s.ascending() {
			d.Quantiles = append(d.Quantiles, [2]float64{metric.Round(100 * float64(i) / (n - 1)), metric.Round(x)})
		}
	} else {
		last := -1.0
		for _, p := range shares {
			// Between two samples nothing is known: of a hundred, no percentile below the first.
			if p > 0 && p < 100 && (p-last)*n < 100 {
				continue
			}
			d.Quantiles = append(d.Quantiles, [2]float64{p, metric.Round(s.Percentile(p))})
			last = p
		}
	}
	// The gaps of one request hang together: they are no samples of their own.
	if lo, hi, ok := s.MedianInterval(); ok && q != metric.ITL {
		lo, hi = metric.Round(lo), metric.Round(hi)
		d.MedianLow, d.MedianHigh = &lo, &hi
	}
	return d
}
