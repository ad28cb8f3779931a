package figure

import (
	"math"
	"slices"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/metric"
)

// onePerRequest are the metrics that have one value a request, so that a measurement holds as many
// samples as it has requests. Gaps between tokens are not among them: those of one request hang
// together.
var onePerRequest = []metric.ID{metric.TTFT, metric.TTFO, metric.TPOT, metric.NTPOT, metric.E2ELatency, metric.QueueTime, metric.SpeedPerRequest}

// DifferPoints compares the points of two sides at one load, as [Differ] does their repetitions.
// Where a side was measured fewer than MinSamples times, the median over requests has the interval
// that the requests of its measurements give: it says how sure the median of that measurement is,
// and nothing of what another measurement would give.
func DifferPoints(m metric.ID, stat string, a, b []*catalog.Point) (d Difference, ok bool) {
	d, ok = Differ(m, stat, Samples(a, m, stat), Samples(b, m, stat))
	if !ok || stat != metric.Median || d.A.Confidence > 0 && d.B.Confidence > 0 || !slices.Contains(onePerRequest, m) {
		return d, ok
	}
	exact := true
	for _, side := range []struct {
		s  *Summary
		of []*catalog.Point
	}{{&d.A, a}, {&d.B, b}} {
		if side.s.Confidence > 0 {
			continue
		}
		in, ok := requestInterval(side.of, m)
		if !ok {
			return d, true
		}
		exact = exact && in.exact
		side.s.Requests, side.s.RequestLo, side.s.RequestHi = in.n, in.lo, in.hi
	}
	alo, ahi := d.A.Ends()
	blo, bhi := d.B.Ends()
	switch {
	case ahi < blo || bhi < alo:
		d.Certainty = Distinguishable
	case exact:
		d.Certainty = NotDistinguishable
	}
	return d, true
}

// Ends are the interval that a side is judged by: of its measurements, else of their requests.
func (s Summary) Ends() (lo, hi float64) {
	if s.Requests > 0 {
		return s.RequestLo, s.RequestHi
	}
	return s.Lo, s.Hi
}

type interval struct {
	n      int64
	lo, hi float64
	// exact says that it was made from the values of all requests; else it is the narrowest pair of
	// recorded percentiles that holds such an interval, and wider.
	exact bool
}

// requestInterval is the interval of the median over the requests of a measurement; of several
// measurements it spans all of theirs. ok is false where one of them has none.
func requestInterval(points []*catalog.Point, m metric.ID) (in interval, ok bool) {
	in.exact = true
	for _, p := range points {
		s, has := p.Metrics[m]
		if !has || s.Median == nil {
			return interval{}, false
		}
		one := interval{n: s.N}
		if values := p.Distributions[m]; values.MedianLow != nil && values.MedianHigh != nil {
			one = interval{values.N, *values.MedianLow, *values.MedianHigh, true}
		} else if s.N < MinSamples {
			return interval{}, false
		} else if s.MedianLow != nil && s.MedianHigh != nil {
			one.lo, one.hi, one.exact = *s.MedianLow, *s.MedianHigh, true
		} else if one.lo, one.hi, ok = percentileInterval(s); !ok {
			return interval{}, false
		}
		if in.n == 0 {
			in.lo, in.hi = one.lo, one.hi
		}
		in.n += one.n
		in.lo, in.hi, in.exact = min(in.lo, one.lo), max(in.hi, one.hi), in.exact && one.exact
	}
	return in, in.n > 0
}

// percentileInterval is the narrowest pair of recorded percentiles around the median that holds
// its order-statistics interval at 95 %. Tools interpolate percentiles in different ways, so that
// each is taken for the order statistic two ranks nearer to the median.
func percentileInterval(s catalog.Stat) (lo, hi float64, ok bool) {
	n := float64(s.N)
	rank := float64(medianRank(s.N))
	if rank < 1 {
		return 0, 0, false
	}
	lo, hi = math.Inf(-1), math.Inf(1)
	if s.Min != nil && s.Max != nil {
		lo, hi = *s.Min, *s.Max
	}
	for _, p := range s.Percentiles {
		at := (n - 1) * p.P / 100 // ranks from 0
		switch {
		case p.P < 50 && math.Floor(at)+1+2 <= rank:
			lo = p.Value // percentiles ascend: the last one that fits is the nearest
		case p.P > 50 && math.Ceil(at)+1-2 >= n+1-rank && p.Value < hi:
			hi = p.Value
		}
	}
	return lo, hi, finite(lo) && finite(hi) && lo <= *s.Median && *s.Median <= hi
}

// medianRank is the largest r for which the r-th smallest and the r-th greatest of n samples hold
// the median between them with a probability of at least 0.95; 0 where even the least and the
// greatest do not. P(below the r-th) is that of fewer than r heads in n throws of a coin.
func medianRank(n int64) int64 {
	if n >= 30 { // the normal curve, one rank to the safe side
		return int64(math.Floor(float64(n)/2+0.5-0.98*math.Sqrt(float64(n)))) - 1
	}
	tail, term := 0.0, math.Pow(0.5, float64(n))
	for r := int64(0); r <= n; r++ {
		if tail += term; tail > (1-confidence)/2 {
			return r
		}
		term *= float64(n-r) / float64(r+1)
	}
	return 0
}

// requestWords name what the intervals of a difference rest on.
func (d Difference) requestWords() string {
	side := func(s Summary) string {
		if s.Requests > 0 {
			return metric.Count(s.Requests) + " requests"
		}
		return metric.Count(int64(s.N)) + " measurements"
	}
	if d.A.Requests > 0 && d.B.Requests > 0 {
		return metric.Count(d.B.Requests) + " and " + metric.Count(d.A.Requests) + " requests"
	}
	return side(d.B) + " and " + side(d.A)
}
