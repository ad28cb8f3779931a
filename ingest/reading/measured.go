package reading

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
)

// Measured drops from values what was not measured. A mean, median or percentile of TTFT, TPOT or
// E2E latency that is 0 is missing; but beside others above it a smallest value of 0, or a
// percentile of 0 below the median, is what requests got that completed with nothing. A gap between
// chunks may be 0, but not all of them; a deviation of 0 is equality, unless all other statistics are
// missing. Other quantities are missing at 0 where nothing was done: no request was completed. What is
// below 0 stays, for a finding to say that it cannot be. Of two values of one statistic the first stays.
func Measured(values []record.Value, done bool) []record.Value {
	some := map[metric.ID]bool{} // a statistic other than the deviation is above 0
	for _, v := range values {
		if v.Stat != metric.Std && v.Number > 0 {
			some[v.Quantity] = true
		}
	}
	var kept []record.Value
	for _, v := range values {
		if Unmeasured(v) {
			continue
		}
		switch v.Quantity {
		case metric.TTFT, metric.TPOT, metric.NTPOT, metric.E2ELatency:
			if !some[v.Quantity] && v.Number >= 0 || v.Number == 0 && v.Stat != metric.Std && !MayBeZero(v.Stat) {
				continue
			}
		case metric.ITL, metric.Duration:
			if !some[v.Quantity] && v.Number >= 0 {
				continue
			}
		case metric.AchievedConcurrency, metric.PeakConcurrency, metric.PeakOutputThroughput:
			if v.Number == 0 {
				continue
			}
		default:
			if v.Number == 0 && !done {
				continue
			}
		}
		twice := false
		for _, k := range kept {
			twice = twice || k.Quantity == v.Quantity && k.Stat == v.Stat
		}
		if !twice {
			kept = append(kept, v)
		}
	}
	return kept
}

// Unmeasured reports whether a value is what tools write for one that they did not measure: a goodput of -1
// where no limit was set, and -1 s, in ms, for a first token that no stream told of.
func Unmeasured(v record.Value) bool {
	return v.Quantity == metric.Goodput && v.Number == -1 || v.Unit == metric.Milliseconds && v.Number == -1000
}

// MayBeZero reports whether a statistic of a latency may be 0 where others are above it: the smallest value
// and percentiles below the median.
func MayBeZero(stat string) bool {
	digits, ok := strings.CutPrefix(stat, "p")
	p, err := strconv.ParseFloat(digits, 64)
	return stat == metric.Min || ok && err == nil && p < 50
}

// Mean is the mean of a quantity among values, nil where it is not there.
func Mean(values []record.Value, q metric.ID) *float64 {
	for _, v := range values {
		if v.Quantity == q && v.Stat == metric.Mean {
			n := v.Number
			return &n
		}
	}
	return nil
}

// Submitted counts the requests of a result as those that were completed and those that failed, where
// both are known.
func Submitted(res *record.Result) {
	if res.Completed != nil && res.Failed != nil {
		n := *res.Completed + *res.Failed
		res.Submitted = &n
	}
}

// MeanLengths sets the mean lengths of a result's completed requests from its totals of tokens. Each of them had a
// prompt: where the total of these is 0, no token of them was counted, nor is one in the throughputs.
func MeanLengths(res *record.Result) {
	if res.Completed == nil || *res.Completed <= 0 {
		return
	}
	if slices.ContainsFunc(res.Values, func(v record.Value) bool {
		return v.Quantity == metric.InputTokens && v.Stat == metric.Total && v.Number == 0
	}) {
		res.Values = slices.DeleteFunc(res.Values, func(v record.Value) bool {
			return v.Quantity == metric.InputTokens || v.Quantity == metric.InputThroughput || v.Quantity == metric.TotalThroughput
		})
	}
	for _, v := range res.Values {
		if v.Stat != metric.Total || v.Number <= 0 {
			continue
		}
		n := metric.Round(v.Number / float64(*res.Completed))
		switch v.Quantity {
		case metric.InputTokens:
			res.Workload.Actual.Input = &n
		case metric.OutputTokens:
			res.Workload.Actual.Output = &n
		}
	}
}

// FirstTokens settles what follows from a TTFT: a first token is seen on a stream only. Where the
// completed requests are counted, each has one TTFT and one latency: they are what these statistics
// are of.
func FirstTokens(res *record.Result) {
	for i := range res.Values {
		v := &res.Values[i]
		if v.Quantity == metric.TTFT {
			yes := true
			res.Workload.Streaming = &yes
		}
		if (v.Quantity == metric.TTFT || v.Quantity == metric.E2ELatency) && res.Completed != nil &&
			*res.Completed > 0 {
			v.N = *res.Completed
		}
	}
}

// AtOnce is the rate of requests that are all sent at once.
func AtOnce() *record.Float {
	rate := record.Float(math.Inf(1))
	return &rate
}

// Percentile is the statistic of a percentile by its number, "99.9"; "" for what is none between 0 and 100.
func Percentile(number string) string {
	switch p, err := strconv.ParseFloat(number, 64); {
	case err != nil || !(p > 0 && p < 100):
		return ""
	case p == 50:
		return metric.Median
	default:
		return "p" + strconv.FormatFloat(p, 'f', -1, 64)
	}
}
