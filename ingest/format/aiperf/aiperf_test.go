package aiperf_test

import (
	"math"
	"testing"

	"github.com/inferdex/inferdex/ingest/format/aiperf"
	"github.com/inferdex/inferdex/ingest/ingesttest"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
)

// read returns the records of files by their names, and what they make together.
func read(t *testing.T, files ...string) (records []record.Record) {
	t.Helper()
	for i := 0; i < len(files); i += 2 {
		for _, r := range ingesttest.Read(t, aiperf.Format, files[i], files[i+1]) {
			if e, bad := r.(*record.SyntaxError); bad {
				t.Error(e)
			}
			records = append(records, r)
		}
	}
	aiperf.Format.Finish(records, func(r record.Record) { records = append(records, r) })
	return records
}

// Two requests of 5 tokens each, worked out by hand: the first from 0 s to 0.500 s with its first
// token after 0.100 s, the second from 1.300 s to 2.000 s with its first token after 0.140 s. The
// warm-up before them does not count.
const requests = `{"metadata": {"benchmark_phase": "warmup", "request_start_ns": 1769999990000000000, "request_end_ns": 1769999999000000000}, "metrics": {"request_latency": {"value": 9000.0, "unit": "ms"}}, "error": null}
{"metadata": {"benchmark_phase": "profiling", "request_start_ns": 1770000000000000000, "request_end_ns": 1770000000500000000}, "metrics": {"request_latency": {"value": 500.0, "unit": "ms"}, "time_to_first_token": {"value": 100.0, "unit": "ms"}, "inter_token_latency": {"value": 100.0, "unit": "ms"}, "inter_chunk_latency": {"value": [90.0, 110.0, 80.0, 120.0], "unit": "ms"}, "output_sequence_length": {"value": 5, "unit": "tokens"}, "input_sequence_length": {"value": 20, "unit": "tokens"}}, "error": null}
{"metadata": {"benchmark_phase": "profiling", "request_start_ns": 1770000001300000000, "request_end_ns": 1770000002000000000}, "metrics": {"request_latency": {"value": 700.0, "unit": "ms"}, "time_to_first_token": {"value": 140.0, "unit": "ms"}, "inter_token_latency": {"value": 140.0, "unit": "ms"}, "inter_chunk_latency": {"value": [140.0, 140.0, 140.0, 140.0], "unit": "ms"}, "output_sequence_length": {"value": 5, "unit": "tokens"}, "input_sequence_length": {"value": 30, "unit": "tokens"}}, "error": null}
`

// The export of the same measurement.
const export = `{"request_throughput": {"unit": "requests/sec", "avg": 1.0},
"request_latency": {"unit": "ms", "avg": 600.0, "p50": 600.0, "p99": 698.0, "min": 500.0, "max": 700.0, "std": 100.0},
"request_count": {"unit": "requests", "avg": 2.0},
"time_to_first_token": {"unit": "ms", "avg": 120.0},
"inter_token_latency": {"unit": "ms", "avg": 120.0},
"inter_chunk_latency": {"unit": "ms", "avg": 120.0},
"output_token_throughput": {"unit": "tokens/sec", "avg": 5.0},
"output_sequence_length": {"unit": "tokens", "avg": 5.0},
"input_sequence_length": {"unit": "tokens", "avg": 25.0},
"effective_concurrency": {"unit": "requests", "avg": 0.6, "max": 1.0},
"benchmark_duration": {"unit": "sec", "avg": 2.0},
"input_config": {"endpoint": {"model_names": ["m"]}, "loadgen": {"concurrency": 4, "request_rate": null}},
"was_cancelled": false, "start_time": "2026-02-02T02:40:00"}`

var want = map[string]float64{
	"request_throughput value req/s": 2 / 2.0,                             // requests / duration
	"output_throughput value tok/s":  (5 + 5) / 2.0,                       // tokens / duration
	"duration value s":               2.0,                                 // last end - first start
	"e2e_latency mean ms":            (500 + 700) / 2.0,                   // as its unit says
	"e2e_latency p99 ms":             500 + 0.99*200,                      // between two requests
	"ttft mean ms":                   (100 + 140) / 2.0,                   //
	"tpot mean ms":                   ((500-100)/4.0 + (700-140)/4.0) / 2, // (last - first token) / (n - 1)
	"itl mean ms":                    (90 + 110 + 80 + 120 + 4*140) / 8.0, // all gaps together
}

func TestByHand(t *testing.T) {
	alone := read(t, "run-concurrency4/profile_export.jsonl", requests)
	both := read(t, "run-concurrency4/profile_export.jsonl", requests, "run-concurrency4/profile_export_aiperf.json",
		export)
	for name, records := range map[string][]record.Record{"the requests": alone, "the export": both} {
		var res *record.Result
		for _, r := range records {
			if x, ok := r.(*record.Result); ok && res == nil && len(x.Values) > len(want) {
				res = x
			}
		}
		if res == nil {
			t.Fatalf("%s: no result", name)
		}
		got := ingesttest.Numbers(res)
		for key, want := range want {
			if math.Abs(got[key]-want) > 1e-6 {
				t.Errorf("%s: %s is %v, want %v", name, key, got[key], want)
			}
		}
		if r := (got["ttft mean ms"] + got["tpot mean ms"]*4) / got["e2e_latency mean ms"]; math.Abs(r-1) > 1e-9 {
			t.Errorf("%s: the times make %v of the latency", name, r)
		}
		if c := res.Load.MaxConcurrency; c == nil || *c != 4 || res.Load.Rate != nil || *res.Completed != 2 ||
			*res.Workload.Actual.Input != 25 || *res.Workload.Actual.Output != 5 {
			t.Errorf("%s: load %+v, %d completed, lengths %+v", name, res.Load, *res.Completed, res.Workload.Actual)
		}
	}
	// Beside the export the requests add their distributions and what the export lacks, no more.
	last := both[len(both)-1].(*record.Result)
	got := ingesttest.Numbers(last)
	if _, is := got["e2e_latency p99 ms"]; is || got["e2e_latency p90 ms"] != 500+0.9*200 ||
		got["duration value s"] != 0 {
		t.Errorf("the requests add %v", got)
	}
	// Two requests are no distribution, their eight gaps are one: 80, 90, 110, 120 and four times 140. Gaps
	// of one request hang together: their median has no interval.
	if len(last.Distributions) != 1 {
		t.Fatalf("distributions %+v", last.Distributions)
	}
	d := last.Distributions[0]
	if d.Quantity != metric.ITL || d.N != 8 || d.Quantiles[0] != [2]float64{0, 80} || d.Quantiles[3][1] != 120 ||
		d.MedianLow != nil || d.MedianHigh != nil {
		t.Errorf("distribution %+v", d)
	}
}

// Folders of one sweep are one session; those of two models are two, however alike their names.
func TestSession(t *testing.T) {
	key := func(file string) string { return read(t, file, export)[0].Session() }
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"a/llama-3-8b-openai-chat-concurrency1/profile_export_aiperf.json",
			"a/llama-3-8b-openai-chat-concurrency16/profile_export_aiperf.json", true},
		{"a/llama-3-8b-openai-chat-concurrency1/profile_export_aiperf.json",
			"a/llama-4-8b-openai-chat-concurrency1/profile_export_aiperf.json", false},
		{"a/c1/profile_export_aiperf.json", "a/c16/profile_export_aiperf.json", true},
		{"a/c1/profile_export_aiperf.json", "b/c16/profile_export_aiperf.json", false},
		{"a/x_c1.json", "a/x_c16.json", true},
		{"a/x.json", "a/y.json", false},
		{"a/first/profile_export_aiperf.json", "a/second/profile_export_aiperf.json", false},
	} {
		if same := key(c.a) == key(c.b); same != c.same {
			t.Errorf("%s and %s: one session is %v", c.a, c.b, same)
		}
	}
}
