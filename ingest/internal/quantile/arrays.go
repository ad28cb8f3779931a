package quantile

import (
	"fmt"
	"math"

	"github.com/inferdex/inferdex/ingest/internal/jsonval"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
)

// Arrays reads the arrays with one entry a request that clients of serving benchmarks write on
// demand, and adds to a result what it does not state of them: percentiles of TTFT, TPOT, ITL and
// end-to-end latency, and their distributions. The arrays are those of `vllm bench serve
// --save-detailed` and `sglang.bench_serving --output-details`: "output_lens", "ttfts", "itls" and
// "latencies", in tokens and seconds, with an entry for each request that was submitted. One that
// failed has an error, no output or no first token, and does not count. Where there is no latency,
// it is the time to the first token with all gaps behind it.
//
// Get returns an array, Missing if there is none; bad is told what is wrong with "ttfts".
func Arrays(res *record.Result, get func(key string) jsonval.Value, bad func(text string)) {
	lens, ttfts := get("output_lens"), get("ttfts")
	if lens.Kind() != jsonval.Array || ttfts.Kind() != jsonval.Array {
		return
	}
	out, first := numbers(lens), numbers(ttfts)
	if len(out) != len(first) {
		bad(fmt.Sprintf("\"ttfts\" has %d entries and \"output_lens\" %d: no percentiles are computed", len(first), len(out)))
		return
	}
	good := make([]bool, len(out))
	failed := make([]bool, len(out))
	get("errors").Items(func(i int, e jsonval.Value) bool {
		if i < len(failed) {
			failed[i] = e.Scalar() != ""
		}
		return i < len(failed)
	})
	for i := range good {
		good[i] = out[i] > 0 && first[i] > 0 && !failed[i]
	}
	whole := numbers(get("latencies"))
	var ttft, tpot, itl, e2e Samples
	sums := make([]float64, len(out)) // of the gaps of each request
	gaps := make([]int, len(out))
	get("itls").Items(func(i int, v jsonval.Value) bool {
		if i >= len(good) || !good[i] {
			return i < len(good)
		}
		v.Items(func(_ int, g jsonval.Value) bool {
			if f, ok := g.Finite(); ok && f >= 0 {
				itl.Add(f)
				sums[i] += f
				gaps[i]++
			}
			return true
		})
		return true
	})
	for i := range out {
		if !good[i] {
			continue
		}
		ttft.Add(first[i])
		var latency float64
		switch {
		case i < len(whole) && whole[i] > 0:
			latency = whole[i]
		case gaps[i] > 0 || out[i] == 1: // the gaps reach from the first token to the last
			latency = first[i] + sums[i]
		default:
			continue
		}
		e2e.Add(latency)
		if out[i] > 1 && latency > first[i] {
			tpot.Add((latency - first[i]) / (out[i] - 1))
		}
	}
	if p := firstTokens(&ttft, first, failed, res); p != nil {
		p.Into(res, metric.TTFT, "s", false)
	}
	tpot.Into(res, metric.TPOT, "s", false)
	itl.Into(res, metric.ITL, "s", false)
	e2e.Into(res, metric.E2ELatency, "s", false)
}

// firstTokens are the times to the first token that the tool's own statistics are of: those of the requests
// with a token, or, where some "completed" without one, of all that did not fail, with their zeros. It is nil
// where neither gives what the tool states: percentiles of other requests must not stand beside its own.
func firstTokens(good *Samples, first []float64, failed []bool, res *record.Result) *Samples {
	var all Samples
	for i, t := range first {
		if !failed[i] {
			all.Add(t)
		}
	}
	if all.n == good.n {
		return good
	}
	for _, s := range []*Samples{good, &all} {
		if s.gives(res, metric.TTFT) {
			return s
		}
	}
	return nil
}

// gives reports whether the mean, median and p99 that a result states of a quantity are those of the samples,
// in seconds, up to the digits that tools print.
func (s *Samples) gives(res *record.Result, q metric.ID) bool {
	for _, v := range res.Values {
		if v.Quantity != q || s.n == 0 {
			continue
		}
		stated, err := metric.ToBase(q, v.Number, v.Unit)
		if err != nil {
			return false
		}
		var own float64
		switch v.Stat {
		case metric.Mean:
			own = s.sum / float64(s.n)
		case metric.Median:
			own = s.Percentile(50)
		case metric.P99:
			own = s.Percentile(99)
		default:
			continue
		}
		if math.Abs(own-stated) > 0.005*math.Abs(stated)+1e-5 {
			return false
		}
	}
	return s.n > 0
}

// numbers are the elements of an array; what is no finite number is 0, which no caller uses.
func numbers(v jsonval.Value) []float64 {
	var s []float64
	v.Items(func(_ int, e jsonval.Value) bool {
		f, ok := e.Finite()
		if !ok {
			f = 0
		}
		s = append(s, f)
		return true
	})
	return s
}
