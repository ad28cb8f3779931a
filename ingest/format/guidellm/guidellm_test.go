package guidellm_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/inferdex/inferdex/ingest/format/guidellm"
	"github.com/inferdex/inferdex/ingest/ingesttest"
)

// Two requests of 5 tokens each, worked out by hand. The first takes 0.500 s with its first token
// after 0.100 s, the second 0.700 s and 0.140 s, both within the 2 s of the benchmark.
const twoRequests = `{%s"benchmarks": [{"type_": "generative_benchmark", %s
"metrics": {%s
"requests_per_second": {"successful": {"mean": 1.0, "median": 70.0, "count": 2}},
"request_concurrency": {"successful": {"mean": 0.6, "max": 1.0, "count": 3}},
"request_latency": {"successful": {"mean": 0.6, "median": 0.5, "std_dev": 0.1, "min": 0.5, "max": 0.7, "count": 2, "percentiles": {"p001": 0.5, "p99": 0.7, "p999": 0.7}}},
"time_to_first_token_ms": {"successful": {"mean": 120.0, "median": 100.0, "count": 2}},
"inter_token_latency_ms": {"successful": {"mean": 120.0, "median": 100.0, "count": 2}},
"time_per_output_token_ms": {"successful": {"mean": %s, "count": 2}},
"output_token_count": {"successful": {"mean": 5.0, "total_sum": 10.0, "count": 2}},
"output_tokens_per_second": {"successful": {"mean": 5.0, "median": 0.0, "p99": 9999.0, "count": 90}}},
%s"duration": 2.0}]}`

func TestByHand(t *testing.T) {
	old := fmt.Sprintf(twoRequests, "",
		`"run_id": "r", "args": {"strategy": {"type_": "constant", "rate": 1.0}}, "worker": {"backend_model": "m"},`,
		"", "96.0",
		`"request_totals": {"successful": 2, "errored": 0, "incomplete": 1, "total": 3}, `)
	new := fmt.Sprintf(twoRequests, `"metadata": {"version": 1}, "args": {"model": "m"}, `,
		`"config": {"run_id": "r", "strategy": {"type_": "constant", "rate": 1.0}},`,
		`"request_totals": {"successful": 2, "errored": 0, "incomplete": 1, "total": 3},`, "120.0", "")
	for name, text := range map[string]string{"0.3": old, "0.5": new} {
		res, got := ingesttest.Result(t, guidellm.Format, "benchmarks.json", text)
		for key, want := range map[string]float64{
			"request_throughput value req/s":      2 / 2.0,           // requests / duration
			"output_throughput value tok/s":       (5 + 5) / 2.0,     // tokens / duration
			"achieved_concurrency value requests": (0.5 + 0.7) / 2,   // sum of latencies / duration
			"e2e_latency mean s":                  (0.5 + 0.7) / 2,   // in seconds
			"e2e_latency p0.1 s":                  0.5,               // "p001"
			"e2e_latency p99.9 s":                 0.7,               // "p999"
			"ttft mean ms":                        (100 + 140) / 2.0, // in milliseconds
			"tpot mean ms":                        ((500-100)/4.0 + (700-140)/4.0) / 2,
			// (last - first token) / (n - 1)
			"output_tokens total tokens": 5 + 5,
		} {
			if math.Abs(got[key]-want) > 1e-9 {
				t.Errorf("%s: %s is %v, want %v", name, key, got[key], want)
			}
		}
		// (TTFT + TPOT x (n - 1)) / E2E
		r := (got["ttft mean ms"] + got["tpot mean ms"]*4) / (1000 * got["e2e_latency mean s"])
		if math.Abs(r-1) > 1e-9 {
			t.Errorf("%s: the times make %v of the latency", name, r)
		}
		if *res.Load.Rate != 1 || res.Load.MaxConcurrency != nil || *res.Completed != 2 || *res.Submitted != 2 ||
			*res.Workload.Actual.Output != 5 {
			t.Errorf("%s: load %v, completed %d, submitted %d", name, res.Load, *res.Completed, *res.Submitted)
		}
		if _, is := got["output_throughput median tok/s"]; is {
			t.Errorf("%s: the median of a rate over time is no throughput", name)
		}
		// From 0.4 on (500 + 700) / 2 / 5 with the first token in it, before without: no NTPOT.
		ntpot, is := got["ntpot mean ms"]
		if is != (name == "0.5") || is && ntpot != (500+700)/2.0/5 {
			t.Errorf("%s: NTPOT %v", name, ntpot)
		}
	}
}
