package reading

import (
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
)

// The bounds between which a TPOT counts as one that was counted with twice the tokens. Half would
// be 0.5; the chunk that holds the end of the answer alters it by a few parts in a hundred. What is
// further off has another cause.
const leastHalved, mostHalved = 0.3, 0.7

// CountedTwice repairs the TPOT of releases of inference-perf that counted two tokens for each one
// of a stream: the mean becomes (E2E - TTFT) / (n - 1), of means, n being the output length; its
// other statistics, and those of ITL, cannot be repaired and are left out. Share is what the stated
// mean is of the right one, 0 where nothing was to be repaired. All times are in one unit.
func CountedTwice(values []record.Value) (kept []record.Value, share float64) {
	e2e, ttft, tpot, n := Mean(values, metric.E2ELatency), Mean(values, metric.TTFT), Mean(values, metric.TPOT),
		Mean(values, metric.OutputTokens)
	if e2e == nil || ttft == nil || tpot == nil || n == nil || *n <= 1 || *e2e <= *ttft {
		return values, 0
	}
	right := (*e2e - *ttft) / (*n - 1)
	share = *tpot / right
	if !(share >= leastHalved && share < mostHalved) {
		return values, 0
	}
	for _, v := range values {
		switch {
		case v.Quantity == metric.ITL:
		case v.Quantity == metric.TPOT && v.Stat == metric.Mean:
			kept = append(kept, record.Value{Quantity: metric.TPOT, Stat: metric.Mean,
				Number: metric.Round(right), Unit: v.Unit})
		case v.Quantity == metric.TPOT:
		default:
			kept = append(kept, v)
		}
	}
	return kept, share
}
