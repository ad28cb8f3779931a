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

// What a tool or a person can have written wrongly is told, whatever else the file says well.
func TestWrongValues(t *testing.T) {
	bench := "| model | size | params | backend | ngl | test | t/s | t/s |\n| --- | --- | --- | --- | --- | --- | --- | --- |\n" +
		"| llama 7B Q4_0 | 3.56 GiB | 6.74 B | CUDA | 99 | pp512 | 100.5 ± 1.0 | 55.5 ± 1.0 |\n"
	in := filepath.Join(t.TempDir(), "bench.md")
	if err := os.WriteFile(in, []byte(bench), 0o666); err != nil {
		t.Fatal(err)
	}
	if said, _ := typed(t.TempDir(), "ingest", in); !strings.Contains(said, `the column "t/s" stands several times`) {
		t.Errorf("a column that stands twice is not told:\n%s", said)
	}
	for _, c := range []struct{ old, new, said string }{
		{`"mean_ttft_ms": 41.0`, `"mean_ttft_ms": 0.041`, "mean 0.0410 ms is below half the median"},
		{`"mean_ttft_ms": 41.0`, `"mean_ttft_ms": 41.0, "mean_ttft_ms": 410.0`, "stands several times"},
		{`"model_id": "org/m"`, `"model_id": "org/m", "model_id": "org/n"`, "stands several times"},
		{`"mean_ttft_ms": 41.0`, `"mean_ttft_ms": "41,0"`, "a number was expected"},
		{`"mean_ttft_ms": 41.0`, `"mean_ttft_ms": "٤١"`, "a number was expected"},
		{`"mean_ttft_ms": 41.0`, `"mean_ttft_ms": "41 s"`, "a number was expected"},
		{`"mean_ttft_ms": 41.0`, `"mean_ttft_ms": 1e400`, "beyond what a number can be"},
		{`"mean_ttft_ms": 41.0`, `"mean_ttft_ms": [41.0]`, "is an array"},
		{`"mean_ttft_ms": 41.0`, `"mean_ttft_ms": -41.0`, "cannot be below zero"},
		{`"mean_ttft_ms": 41.0`, `"mean_ttft_ms": 041.0`, "is no JSON number"},
		{`"p99_ttft_ms": 90.0`, `"p99_ttft_ms": 4.0`, "is above p99"},
		{`"completed": 10`, `"completed": 9.5`, "a count was expected"},
		{`"max_concurrency": 8`, `"max_concurrency": -8`, "a count was expected"},
		{`"duration": 10.0`, `"duration": 10000`, "a rate, or what it is made of, is wrong"},
		{`"total_output_tokens": 200`, `"total_output_tokens": 2`, "a rate, or what it is made of, is wrong"},
		{`"20250101-120000"`, `"20251301-120000"`, `cannot be read as one, the run counts as one without a date: "20251301-120000"`},
		{`"20250101-120000"`, `"20250230-120000"`, "cannot be read as one"},
		{`"20250101-120000"`, `1735732800000`, "cannot be read as one"},
		{`"20250101-120000"`, `"00000101-120000"`, "no measurement of a language model is of that time"},
		{`"20250101-120000"`, `"29990101-120000"`, "no measurement of a language model is of that time"},
	} {
		text := served("org/m", "01")
		changed := strings.Replace(text, c.old, c.new, 1)
		if changed == text {
			t.Fatalf("%s is not in it", c.old)
		}
		in := filepath.Join(t.TempDir(), "x.json")
		if err := os.WriteFile(in, []byte(changed), 0o666); err != nil {
			t.Fatal(err)
		}
		if said, _ := typed(t.TempDir(), "ingest", in); !strings.Contains(said, c.said) {
			t.Errorf("%s: want it told with %q\n%s", c.new, c.said, said)
		}
	}
}
