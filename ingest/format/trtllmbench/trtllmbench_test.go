package trtllmbench_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/inferdex/inferdex/ingest/format/trtllmbench"
	"github.com/inferdex/inferdex/ingest/ingesttest"
)

// One report in both shapes gives one set of values. By hand: 200 requests in 100,000 ms are 2 a
// second; of 50 tokens each that is 100 tokens a second; with 10 of input 120 in all. On average
// 2 x 1.49 s = 2.98 are in flight: TTFT 0.02 s and 49 tokens of 0.03 s make 1.49 s.
func TestShapes(t *testing.T) {
	const asJSON = `{
"engine": {"model": "acme/tiny-1b", "version": "1.0.0"}, "world_info": {"tp_size": 1, "world_size": 1},
"request_info": {
	"num_requests": 200, "avg_num_concurrent_requests": 2.98, "avg_input_length": 10.0, "avg_output_length": 50.0},
"performance": {"total_latency_ms": 100000.0, "avg_request_latency_ms": 1490.0, "request_throughput_req_s": 2.0,
"system_output_throughput_tok_s": 100.0, "system_total_throughput_tok_s": 120.0,
"request_latency_percentiles_ms": {"p99": 1600.0}},
"streaming_metrics": {"avg_ttft_ms": 20.0, "avg_tpot_ms": 30.0, "ttft_percentiles": {"p50": 19.0}}}`
	const asText = `===========================================================
= PERFORMANCE OVERVIEW
===========================================================
Number of requests:             200
Number of concurrent requests:  2.9800
Request Throughput (req/sec):                     2.0000
Total Output Throughput (tokens/sec):             100.0000
Total Token Throughput (tokens/sec):              120.0000
Total Latency (ms):                               100000.0000
Average request latency (ms):                     1490.0000
Average time-to-first-token [TTFT] (ms):          20.0000
Average time-per-output-token [TPOT] (ms):        30.0000
[TTFT] P50    : 19.0000
[Latency] P99    : 1600.0000
===========================================================
`
	want := map[string]float64{
		"request_throughput value req/s": 2, "output_throughput value tok/s": 100, "total_throughput value tok/s": 120,
		"duration value ms":   100_000,
		"e2e_latency mean ms": 1490, "e2e_latency p99 ms": 1600, "ttft mean ms": 20, "ttft median ms": 19,
		"tpot mean ms":                        30,
		"achieved_concurrency value requests": 2.98,
	}
	for name, text := range map[string]string{"x_c4.json": asJSON, "x_c4.log": asText} {
		r, got := ingesttest.Result(t, trtllmbench.Format, name, text)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if r.Completed == nil || *r.Completed != 200 || r.Load.Rate != nil ||
			r.Load.MaxConcurrency == nil || *r.Load.MaxConcurrency != 4 {
			t.Errorf("%s: completed %v, load %+v: want 200, and concurrency 4 of the name", name, r.Completed, r.Load)
		}
	}
}
