package format_test

import (
	"testing"

	"github.com/inferdex/inferdex/ingest"
	"github.com/inferdex/inferdex/ingest/format"
	"github.com/inferdex/inferdex/ingest/record"
)

// A benchmark without a server prints its result behind what the engine logs of itself: both are read.
func TestEngineAndResultInOneLog(t *testing.T) {
	const log = "INFO 08-07 17:14:03 [core.py:58] Initializing a V1 LLM engine (v0.9.2) with config: " +
		"model='acme/tiny-config', speculative_config=None\n" +
		"Throughput: 5.50 requests/s, 2400.25 total tokens/s, 1200.50 output tokens/s\n"
	records, _ := ingest.ReadFile("config.log", []byte(log), format.All())
	var results []*record.Result
	versions := 0
	for _, r := range records {
		switch r := r.(type) {
		case *record.Result:
			results = append(results, r)
		case *record.SyntaxError, *record.Ignored:
			t.Errorf("%+v", r)
		default:
			for _, f := range r.Header().Facts {
				if f.Key == record.FactEngineVersion && f.Value == "0.9.2" {
					versions++
				}
			}
		}
	}
	if len(results) != 1 || results[0].Identity.Model != "acme/tiny-config" || len(results[0].Values) != 3 {
		t.Errorf("the results are %+v, want one of acme/tiny-config with three values", results)
	}
	if versions != 1 {
		t.Errorf("version 0.9.2 of the engine stands in %d records, want one", versions)
	}
}

// The timings that llama-bench prints below its table are of its tests and not of a request; those of the next program
// are.
func TestTimingsOfABenchmark(t *testing.T) {
	const build, timings = "build: 4001 (aaaaaaa1) with cc for x86_64-linux-gnu\n",
		"llama_perf_context_print: prompt eval time = 200.00 ms / 100 tokens ( 2.00 ms per token, 500.00 tokens per second)\n" +
			"llama_perf_context_print:        eval time = 800.00 ms /  40 runs   (20.00 ms per token,  50.00 tokens per second)\n" +
			"llama_perf_context_print:       total time = 1100.00 ms / 140 tokens\n"
	const log = build + "| model | size | params | backend | ngl | test | t/s |\n| --- | ---: | ---: | --- | --: | --: | --: |\n" +
		"| llama 1B Q8_0 | 1.10 GiB | 1.10 B | CUDA | 99 | pp512 | 1000.00 ± 4.00 |\n" + timings + build + timings
	records, _ := ingest.ReadFile("bench.log", []byte(log), format.All())
	lines := map[string]int{}
	for _, r := range records {
		switch r := r.(type) {
		case *record.Result:
			lines[r.Identity.Tool] += r.At.Line
		case *record.SyntaxError, *record.Ignored:
			t.Errorf("%+v", r)
		}
	}
	if len(lines) != 2 || lines["llama-bench"] != 4 || lines["llama.cpp"] != 9 {
		t.Errorf("results stand in %v, want llama-bench in line 4 and llama.cpp in line 9", lines)
	}
}
