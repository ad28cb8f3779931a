package quantile

import (
	"fmt"

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
	for i := range good {
		good[i] = out[i] > 0 && first[i] > 0
	}
	get("errors").Items(func(i int, e jsonval.Value) bool {
		if i < len(good) && e.Scalar() != "" {
			good[i] = false
		}
		return i < len(good)
	})
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
	ttft.Into(res, metric.TTFT, "s", false)
	tpot.Into(res, metric.TPOT, "s", false)
	itl.Into(res, metric.ITL, "s", false)
	e2e.Into(res, metric.E2ELatency, "s", false)
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
