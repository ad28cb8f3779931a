package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestWrongUnits gives each format of the Kubernetes and TensorRT tools a file in which one time is
// wrong by a thousand, which every run must be marked for, and the same file cut in the middle, which
// must be told with its place.
func TestWrongUnits(t *testing.T) {
	for _, c := range []struct{ name, text string }{
		// 20 s a token where all of the answer took 1.5 s.
		{"stage_0_lifecycle_metrics.json", `{"load_summary": {"count": 4, "requested_rate": 2.0}, "successes": {"count": 4, "latency": {
"request_latency": {"mean": 1.5}, "time_per_output_token": {"mean": 20.0}, "time_to_first_token": {"mean": 0.1}}, "output_len": {"mean": 71.0}}, "failures": {"count": 0}}`},
		// A request latency in seconds under a name that ends in _ms.
		{"trtllm.json", `{"engine": {"model": "acme/tiny-1b"}, "world_info": {"tp_size": 1}, "request_info": {"num_requests": 4, "avg_output_length": 71.0},
"performance": {"total_latency_ms": 10.0, "avg_request_latency_ms": 1.5}, "streaming_metrics": {"avg_ttft_ms": 100.0, "avg_tpot_ms": 20.0}}`},
		{"trtllm.log", `===========================================================
= PERFORMANCE OVERVIEW
===========================================================
Number of requests:             4
Average Output Length (tokens): 71.0000
Average request latency (ms):                     1.5000
Average time-to-first-token [TTFT] (ms):          100.0000
Average time-per-output-token [TPOT] (ms):        20.0000
`},
		// A unit that is not that of the number.
		{"report.yaml", `version: '0.2'
run: {uid: u}
scenario: {load: {standardized: {tool: vllm-benchmark}}}
results:
  request_performance:
    aggregate:
      requests: {total: 4, failures: 0, output_length: {units: count, mean: 71.0}}
      latency: {time_to_first_token: {units: ms, mean: 100.0}, time_per_output_token: {units: s/token, mean: 20.0}, request_latency: {units: ms, mean: 1500.0}}
`},
		{"prism.json", `[{"id": "a", "model": "m", "accelerator_count": 1, "source_info": {}, "metrics": {"request_rate": 2.0, "throughput": 152.0, "latency": {"mean": 1.5}, "ttft": {"mean": 100.0}, "tpot": 20.0},
"workload": {"input_tokens": 5, "output_tokens": 71, "concurrency": 4}}]`},
	} {
		in := filepath.Join(t.TempDir(), c.name)
		if err := os.WriteFile(in, []byte(c.text), 0o644); err != nil {
			t.Fatal(err)
		}
		if said := ingestInto(t, t.TempDir(), in); !strings.Contains(said, "a unit is probably wrong") {
			t.Errorf("%s: a time that is wrong by a thousand is not told:\n%s", c.name, said)
		}
		if strings.HasSuffix(c.name, ".log") {
			continue // a log that ends after some of its lines has said those
		}
		if err := os.WriteFile(in, []byte(c.text[:len(c.text)*9/10]), 0o644); err != nil {
			t.Fatal(err)
		}
		var out, errs bytes.Buffer
		code := run(context.Background(), strings.NewReader(""), &out, &errs, []string{"-C", t.TempDir(), "ingest", in})
		said := errs.String()
		if code == exitDone || !strings.Contains(said, c.name+":") || !strings.Contains(said, "cut short") &&
			!strings.Contains(said, "did not find") {
			t.Errorf("%s, cut: exit status %d\n%s", c.name, code, said)
		}
	}
}
