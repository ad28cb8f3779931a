package llmdreport_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/inferdex/inferdex/ingest/format/llmdreport"
	"github.com/inferdex/inferdex/ingest/ingesttest"
)

// By hand, of the text below: two replicas of 4 accelerators each are 8; 40 - 3 - 2 = 35 requests
// completed; 90 seconds of PT1M30S; the TPOT of AIPerf goes by the name of inter_token_latency; the
// unit is that of each object.
func TestReport(t *testing.T) {
	const text = `
version: '0.2'
run: {uid: u, time: {start: '2025-11-05T18:00:42Z', duration: PT1M30S}}
scenario:
  stack:
  - metadata: {label: e, cfg_id: c}
    standardized:
      {kind: inference_engine, tool: vllm, tool_version: 0.11.0, role: replica, replicas: 2, model: {name: acme/tiny-1b},
        accelerator: {model: Test A1, count: 4, parallelism: {tp: 4}}}
    native: {}
  load:
    metadata: {}
    standardized:
      {tool: aiperf, tool_version: 0.3, source: random, concurrency: 8, input_seq_len: {distribution: fixed, value: 128}}
    native: {}
results:
  request_performance:
    aggregate:
      requests: {total: 40, failures: 3, incomplete: 2}
      latency:
        inter_token_latency: {units: ms/token, mean: 20.0, p99p9: 30.0}
        request_latency: {units: s, mean: 1.5}
      throughput: {output_token_rate: {units: tokens/s, mean: 250.0}}
`
	res, got := ingesttest.Result(t, llmdreport.Format, "r.yaml", text)
	want := map[string]float64{
		"duration value s": 90, "tpot mean ms/token": 20, "tpot p99.9 ms/token": 30, "e2e_latency mean s": 1.5,
		"output_throughput value tokens/s": 250,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	facts := map[string]string{}
	for _, f := range res.Facts {
		facts[f.Key] = f.Value
	}
	if facts["count"] != "8" || facts["hardware"] != "Test A1" || facts["engine_version"] != "0.11.0" ||
		facts["tool_version"] != "0.3" {
		t.Errorf("facts %q", facts)
	}
	if *res.Completed != 35 || *res.Failed != 3 || *res.Load.MaxConcurrency != 8 || res.Load.Rate != nil ||
		*res.Workload.Nominal.Input != 128 {
		t.Errorf("completed %d, failed %d, load %+v, workload %+v", *res.Completed, *res.Failed, res.Load, res.Workload)
	}
}
