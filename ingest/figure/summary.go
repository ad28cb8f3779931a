package figure

import (
	"encoding/json"
	"math"
	"slices"

	"github.com/aclements/go-moremath/stats"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/metric"
)

// MinSamples is how many samples a side must have before a difference is called anything: an
// order-statistics interval of the median at 95 % does not exist below six.
const MinSamples = 6

const confidence = 0.95

// Summary is what the measurements of one statistic of one quantity say, and all that two sides are
// judged by.
type Summary struct {
	// N is how many measurements there are; 0 is none, and then all else is zero.
	N int `json:"n"`
	// Median of the measurements; the measurement itself where N is 1.
	Median float64 `json:"median"`
	// Lo and Hi are the order-statistics interval of the median where Confidence is set, else
	// the smallest and the largest measurement.
	Lo float64 `json:"low"`
	Hi float64 `json:"high"`
	// Confidence is that of the interval, at least 0.95; 0 below MinSamples measurements.
	Confidence Confidence `json:"confidence"`
	// RequestLo and RequestHi are the interval of the median over the requests of too few
	// measurements, and Requests how many there are; 0 where there is no such interval. It says how
	// sure the median of that measurement is, and nothing of what another one would give.
	Requests  int64   `json:"requests,omitempty"`
	RequestLo float64 `json:"request_low,omitempty"`
	RequestHi float64 `json:"request_high,omitempty"`
	// Exact says that the interval over requests was made from the values of all of them; else it is the
	// narrowest pair of recorded percentiles that holds such an interval, and wider.
	Exact bool `json:"-"`
}

// Confidence is a probability; 0 says that there is no interval, and is null in JSON.
type Confidence float64

// MarshalJSON writes a number, or null for 0.
func (c Confidence) MarshalJSON() ([]byte, error) {
	if c == 0 {
		return []byte("null"), nil
	}
	return json.Marshal(float64(c))
}

// Summarize gives the median of measurements with its 95 % order-statistics interval, which
// assumes nothing of their distribution. Below MinSamples measurements Lo and Hi are the smallest
// and the largest. Values that are no finite numbers are left out.
func Summarize(values []float64) Summary {
	vs := slices.DeleteFunc(slices.Clone(values), func(v float64) bool { return !Finite(v) })
	if len(vs) == 0 {
		return Summary{}
	}
	slices.Sort(vs)
	s := Summary{N: len(vs), Median: median(vs), Lo: vs[0], Hi: vs[len(vs)-1]}
	if s.N < MinSamples {
		return s
	}
	lo, hi, sure := medianRanks(s.N)
	s.Lo, s.Hi, s.Confidence = vs[lo-1], vs[hi-1], Confidence(metric.Round12(sure))
	return s
}

// medianRanks are the ranks, from 1, between which the median of that from which n values were drawn lies with at least
// 95 %, and how surely: the binomial probability that so many values lie below it. The ranks are as close as can be, those
// of the smaller values where two pairs are; n is MinSamples at least. Libraries say of more than 30 values how surely a
// normal distribution would hold it.
func medianRanks(n int) (lo, hi int, sure float64) {
	ln := func(k int) float64 { v, _ := math.Lgamma(float64(k + 1)); return v } // of k!
	exactly := func(k int) float64 { return math.Exp(ln(n) - (ln(k) + ln(n-k)) - float64(n)*math.Ln2) }
	lo = (n+2)/2 - 1
	for hi, sure = lo+1, exactly(lo); sure < confidence; {
		if left, right := exactly(lo-1), exactly(hi); left >= right {
			lo, sure = lo-1, sure+left
		} else {
			hi, sure = hi+1, sure+right
		}
	}
	return lo, hi, sure
}

// SummarizePoints summarizes a statistic of points that repeat each other; N is 0 where none has it. A
// median over requests has the interval of the requests where there are too few measurements.
func SummarizePoints(points []*catalog.Point, m metric.ID, stat string) Summary {
	s := Summarize(Samples(points, m, stat))
	if info, _ := metric.Lookup(m); info.PerRequest && s.N > 0 && s.Confidence == 0 && stat == metric.Median {
		s.addRequests(points, m)
	}
	return s
}

// Ends are the interval that a side is judged by: of its measurements, else of their requests. ok is false
// where it has neither; they are then the smallest and the largest measurement.
func (s Summary) Ends() (lo, hi float64, ok bool) {
	if s.Requests > 0 {
		return s.RequestLo, s.RequestHi, true
	}
	return s.Lo, s.Hi, s.Confidence > 0
}

// addRequests adds the interval of the median over the requests of a measurement; of several
// measurements it spans all of theirs. Where one of them has none, nothing is added.
func (s *Summary) addRequests(points []*catalog.Point, m metric.ID) {
	n, lo, hi, all := int64(0), math.Inf(1), math.Inf(-1), true
	for _, p := range points {
		of, has := p.Metrics[m]
		if !has || of.Median == nil {
			return
		}
		count, low, high, exact := of.N, of.MedianLow, of.MedianHigh, true
		if values := p.Distributions[m]; values.MedianLow != nil && values.MedianHigh != nil {
			count, low, high = values.N, values.MedianLow, values.MedianHigh
		} else if of.N < MinSamples {
			return
		} else if low == nil || high == nil {
			l, h, ok := percentileInterval(of)
			if !ok {
				return
			}
			low, high, exact = &l, &h, false
		}
		n, lo, hi, all = n+count, min(lo, *low), max(hi, *high), all && exact
	}
	if n > 0 {
		s.Requests, s.RequestLo, s.RequestHi, s.Exact = n, lo, hi, all
	}
}

// percentileInterval is the narrowest pair of recorded percentiles around the median that holds
// its order-statistics interval at 95 %. Tools interpolate percentiles in different ways, so that
// each is taken for the order statistic two ranks nearer to the median.
func percentileInterval(s catalog.Stat) (lo, hi float64, ok bool) {
	ci := stats.QuantileCI(int(s.N), 0.5, confidence)
	if ci.LoOrder < 1 || ci.HiOrder > ci.N {
		return 0, 0, false
	}
	lo, hi = math.Inf(-1), math.Inf(1)
	if s.Min != nil && s.Max != nil {
		lo, hi = *s.Min, *s.Max
	}
	for _, p := range s.Percentiles {
		at := float64(s.N-1) * p.P / 100 // ranks from 0
		switch {
		case p.P < 50 && math.Floor(at)+1+2 <= float64(ci.LoOrder):
			lo = p.Value // percentiles ascend: the last one that fits is the nearest
		case p.P > 50 && math.Ceil(at)+1-2 >= float64(ci.HiOrder) && p.Value < hi:
			hi = p.Value
		}
	}
	return lo, hi, Finite(lo) && Finite(hi) && lo <= *s.Median && *s.Median <= hi
}

// Samples are the measurements of a statistic at points that repeat each other, in their order;
// points that lack it are left out. The statistic "central" is what [Central] gives.
func Samples(points []*catalog.Point, m metric.ID, stat string) []float64 {
	var vs []float64
	for _, p := range points {
		if stat == "central" {
			if v, _, ok := Central(p, m); ok {
				vs = append(vs, v)
			}
		} else if v, ok := Get(p, m, stat); ok {
			vs = append(vs, v)
		}
	}
	return vs
}
