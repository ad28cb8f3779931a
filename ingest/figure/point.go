package figure

import (
	"math"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/metric"
)

// Get returns a statistic of a metric at a point: "value", "mean", "median", "std", "min", "max"
// or a percentile, "p99". "p50" is the median. ok is false where it is missing.
func Get(p *catalog.Point, m metric.ID, stat string) (v float64, ok bool) {
	s, ok := p.Metrics[m]
	if !ok {
		return 0, false
	}
	return s.Get(stat)
}

// Central returns the one number that stands for a metric at a point, and which it is: the
// value of a quantity that is one number, else the median, else the mean, else the maximum.
func Central(p *catalog.Point, m metric.ID) (v float64, stat string, ok bool) {
	s, ok := p.Metrics[m]
	if !ok {
		return 0, "", false
	}
	for _, stat := range []string{metric.Value, metric.Median, metric.Mean, metric.Max} {
		if v, ok := s.Get(stat); ok {
			return v, stat, true
		}
	}
	return 0, "", false
}

// Stated returns the number that stands for a metric at a point, and where none does the highest percentile, else the
// minimum: what little a record says.
func Stated(p *catalog.Point, m metric.ID) (v float64, stat string, ok bool) {
	if v, stat, ok = Central(p, m); ok {
		return v, stat, ok
	}
	highest := math.Inf(-1)
	for _, q := range p.Metrics[m].Percentiles {
		if q.P > highest {
			highest, v, stat, ok = q.P, q.Value, "p"+metric.Exact(q.P), true
		}
	}
	if !ok {
		stat = metric.Min
		v, ok = Get(p, m, stat)
	}
	return v, stat, ok
}

// Throughput is the output throughput of a point in tok/s: tokens / wall time.
func Throughput(p *catalog.Point) (float64, bool) {
	return Get(p, metric.OutputThroughput, metric.Value)
}

// SpeedPerUser is 1 / median TPOT in tok/s: how fast one reader sees text appear once it has
// begun. basis says what it was computed from: "median TPOT", where only the mean exists "mean
// TPOT", and for tools that record no TPOT "median speed per request", which has TTFT in it.
func SpeedPerUser(p *catalog.Point) (v float64, basis string, ok bool) {
	for _, stat := range []string{metric.Median, metric.Mean} {
		if t, ok := Get(p, metric.TPOT, stat); ok && t > 0 {
			return metric.Round12(1 / t), stat + " TPOT", true
		}
	}
	if v, ok := Get(p, metric.SpeedPerRequest, metric.Median); ok {
		return v, "median speed per request, TTFT included", true
	}
	return 0, "", false
}

// PrefillDecode are the speeds one request sees: prefill = input tokens / mean TTFT and
// decode = 1 / mean TPOT, in tok/s; 0 where missing. They describe the hardware only at a
// concurrency of 1: above it TTFT holds time in the queue. What of a prompt was in the prefix cache is not computed:
// where that may be some of it, its prefill has no speed.
func PrefillDecode(p *catalog.Point) (prefill, decode float64) {
	in := p.Workload.Nominal.Input
	if in == nil {
		in = p.Workload.Actual.Input
	}
	hits, _ := Get(p, metric.PrefixCacheHits, metric.Value)
	cached := hits > 0 || p.Workload.SharesPrefix()
	if t, ok := Get(p, metric.TTFT, metric.Mean); ok && in != nil && t > 0 && !cached {
		prefill = metric.Round12(*in / t)
	}
	if t, ok := Get(p, metric.TPOT, metric.Mean); ok && t > 0 {
		decode = metric.Round12(1 / t)
	}
	return prefill, decode
}

// TailRatio is p99 / median of a metric at a point.
func TailRatio(p *catalog.Point, m metric.ID) (float64, bool) {
	p99, ok1 := Get(p, m, metric.P99)
	med, ok2 := Get(p, m, metric.Median)
	if !ok1 || !ok2 || med <= 0 {
		return 0, false
	}
	return metric.Round12(p99 / med), true
}

// AboveNumPrompts reports whether a point was measured with fewer prompts than its concurrency,
// so that the concurrency was never reached; prompts is how many there were. A count of none is no count: something
// was measured.
func AboveNumPrompts(p *catalog.Point) (prompts int64, above bool) {
	n := p.Workload.NumPrompts
	if n == nil {
		n = p.Submitted
	}
	if n == nil || p.Load.MaxConcurrency == nil {
		return 0, false
	}
	return *n, *n > 0 && *n < *p.Load.MaxConcurrency
}

// Above reports whether a positive number is larger than another by more than rounding changes: a mean of two that is
// the limit exactly is not above it.
func Above(a, b float64) bool { return a-b > 1e-9*b }

// Finite reports whether a number is neither NaN nor infinite.
func Finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
