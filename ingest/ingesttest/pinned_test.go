package ingesttest

import (
	"math"
	"path/filepath"
	"slices"
	"testing"

	"github.com/inferdex/inferdex/ingest"
	"github.com/inferdex/inferdex/ingest/format"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
)

// pinned are values of points by hand: from the lines of a case's input, in base units (seconds,
// tokens and requests a second), written as the calculation. A golden file holds what a reader
// wrote; this holds what it has to write.
var pinned = []struct {
	pkg, test, file string
	line            int // of the result
	quantity        metric.ID
	stat            string
	want            float64
}{
	// "mean_ttft_ms": 20.0; "total_output_tokens": 500, "duration": 10.0
	{"vllmserve", "containers", "lines/results.json", 1, metric.TTFT, "mean", 20.0 / 1000},
	{"vllmserve", "containers", "lines/results.json", 1, metric.OutputThroughput, "value", 500.0 / 10},
	// "Request_Throughput" 2.0 x "OSL" 60; "avg_latency" 2.0
	{"table", "common", "summary.csv", 2, metric.OutputThroughput, "value", 2.0 * 60},
	{"table", "common", "latency.tsv", 2, metric.E2ELatency, "mean", 2.0},
	// mean_ttft_ms 50.5 of the first row; output_throughput: total_output_tokens 8000 in a duration of 40.0
	{"servingcsv", "tables", "results.csv", 2, metric.TTFT, "mean", 50.5 / 1000},
	{"servingcsv", "tables", "results.csv", 2, metric.OutputThroughput, "value", 8000 / 40.0},
	// "avg_latency": 1.5, the mean of "latencies": [1.25, 1.5, 1.75]
	{"vllmoffline", "tools", "latency_tiny-1b_tp2.json", 1, metric.E2ELatency, "mean", (1.25 + 1.5 + 1.75) / 3},
	// 4 requests of "ouput" 50 in "elapsed_time" 2.0
	{"vllmoffline", "tools", "tiny_throughput_req4_in100_out50_.json", 1, metric.OutputThroughput, "value",
		4 * 50 / 2.0},
	// "total_output_tokens": 800, "duration": 10.0; mean_ttft_ms, "benchmark_values": [100.0]
	{"vllmpytorch", "kinds", "serve.pytorch.json", 1, metric.OutputThroughput, "value", 800 / 10.0},
	{"vllmpytorch", "kinds", "serve.pytorch.json", 1, metric.TTFT, "mean", 100.0 / 1000},
	// "Median": 9.5 is TPOT in ms; "Output Tput (tok/s)": 78.0 is 3.9 requests/s of 20 tokens
	{"vllmsuite", "suite", "benchmark_results.json", 3, metric.TPOT, "median", 9.5 / 1000},
	{"vllmsuite", "suite", "benchmark_results.json", 3, metric.OutputThroughput, "value", 3.9 * 20},
	// "Req Latency (ms)" mean of "throughput" 2.33, which is in seconds; "Out Tok/sec" of "concurrent@8" 336.8
	{"guidellm", "printed", "notes/README.md", 30, metric.E2ELatency, "mean", 2.33},
	{"guidellm", "printed", "notes/README.md", 43, metric.OutputThroughput, "value", 336.8},
	// "S_TG t/s" 40.00 at "N_KV" 256: 64 tokens in 1.600 s
	{"llamabatched", "sweep", "notes/sweep.md", 6, metric.TGSpeed, "value", 64 / 1.6},
	// "Time to First Token (ms)", wrapped, 52.25; "Output token throughput (per sec): 438.75" below the box
	{"aiperf", "printed", "notes/aiperf.log", 12, metric.TTFT, "mean", 52.25 / 1000},
	{"aiperf", "printed", "notes/genai.md", 15, metric.OutputThroughput, "value", 438.75},
	// "mean_e2e_latency_ms": 2000.5; "total_output_tokens": 1900, "duration": 4.0
	{"sglangserve", "eras", "old/sglang_1204_40_256_64.jsonl", 1, metric.E2ELatency, "mean", 2000.5 / 1000},
	{"sglangserve", "eras", "old/sglang_1204_40_256_64.jsonl", 1, metric.OutputThroughput, "value", 1900 / 4.0},
	// "TTFT (ms)": 240.0; 40 requests of "Avg Output Tokens" 64.0 in "Test Duration (s)" 16.0
	{"evalscope", "good", "new/20260611_030405/scope-3b/parallel_4_number_40/benchmark_summary.json", 1, metric.TTFT, "mean", 0.24},
	{"evalscope", "good", "new/20260611_030405/scope-3b/parallel_4_number_40/benchmark_summary.json", 1, metric.OutputThroughput,
		"value", 40 * 64 / 16.0},
	// "median_ttft": 351.0, in milliseconds though its key does not say so
	{"sglangserve", "y2024", "later/sglang_0925_50_sharegpt.jsonl", 1, metric.TTFT, "median", 351.0 / 1000},
	// "total_cached_tokens": 250 of "total_prompt_tokens": 1000
	{"sglangserve", "cachereport", "run.jsonl", 1, metric.PrefixCacheHits, "value", 250 / 1000.0},
	// "mean_e2el_ms": 4020.0 = 100 + 49 x 80; "total_output_tokens": 400, "duration": 10.0
	{"trtllmserve", "streams", "tiny_isl64_osl50.json", 1, metric.E2ELatency, "mean", (100 + 49*80) / 1000.0},
	{"trtllmserve", "streams", "tiny_isl64_osl50.json", 1, metric.OutputThroughput, "value", 400 / 10.0},
	// "median_ttft": 0.5, in seconds without a suffix; "total_output_tokens": 1000, "duration": 25.0
	{"inferencexagg", "agentic", "tiny_fp8_vllm_tp4_isl1000_osl100_conc2.json", 1, metric.TTFT, "median", 0.5},
	{"inferencexagg", "agentic", "tiny_fp8_vllm_tp4_isl1000_osl100_conc2.json", 1, metric.OutputThroughput, "value",
		1000 / 25.0},
	// of 10000 tokens of prompts 7000 from the cache of the GPU, 500 from another one and 2500 computed
	{"inferencexagg", "agentic", "agentic.json", 1, metric.PrefixCacheHits, "value", (7000 + 500) / 10000.0},
	// "Overall Usage Prompt Cache Read % (%)" 62.50: 6400 tokens of 10240
	{"aiperf", "summed", "profile_export_aiperf.csv", 1, metric.PrefixCacheHits, "value", 6400 / 10240.0},
	// "Throughput/GPU (tok/s)" 100 of TP 2; "Mean TTFT (ms)" 0.05 are seconds, 50 below it milliseconds
	{"inferencexcsv", "rows", "export.csv", 4, metric.TotalThroughput, "value", 2 * 100},
	{"inferencexcsv", "rows", "export.csv", 4, metric.TTFT, "mean", 0.05},
	{"inferencexcsv", "rows", "export.csv", 5, metric.TTFT, "mean", 50 / 1000.0},
	// "pl": 4, "tg": 64, "t": 2.0: 4 x 64 tokens in 2 s; "t_pp": 0.4 is what every sequence waits
	{"llamabatched", "forms", "batched.jsonl", 2, metric.OutputThroughput, "value", 4 * 64 / 2.0},
	{"llamabatched", "forms", "batched.jsonl", 2, metric.TTFT, "mean", 0.4},
	// 600 tokens in "eval duration" 1m0s; 20 tokens in "prompt eval duration" 500ms; "total duration" 1m2.5s
	{"ollama", "terminal", "aws-t9-tiny/log.log", 2, metric.TGSpeed, "value", 600 / 60.0},
	{"ollama", "terminal", "aws-t9-tiny/log.log", 2, metric.PPSpeed, "value", 20 / 0.5},
	{"ollama", "terminal", "aws-t9-tiny/log.log", 2, metric.Duration, "value", 62.5},
	// 99 runs in 1237.50 ms, 12 tokens in 120.00 ms; "total time = 4500.00 ms", and 90 tokens of 100 accepted
	{"llamatimings", "programs", "cli/now.log", 35, metric.TGSpeed, "value", 99 / 1.2375},
	{"llamatimings", "programs", "cli/now.log", 35, metric.PPSpeed, "value", 12 / 0.12},
	{"llamatimings", "programs", "older.txt", 5, metric.TGSpeed, "value", 31 / 4.0},
	{"llamatimings", "server", "one.log", 13, metric.Duration, "value", 4.5},
	{"llamatimings", "server", "one.log", 13, metric.SpecDecodeAcceptance, "value", 90 / 100.0},
	// "tg32" at 50.00 t/s; "e2e_ttft (ms)" 256.0
	{"llamabenchy", "printed", "02.log", 4, metric.TGSpeed, "mean", 50},
	{"llamabenchy", "printed", "02.log", 4, metric.TTFT, "mean", 256.0 / 1000},
	// 8 requests of 20 tokens in "Total. latency: 1.500 s"; "median throughput: 2000.00" of 16 requests
	{"sglangbatch", "printed", "one.log", 9, metric.OutputThroughput, "value", metric.Round(8 * 20 / 1.5)},
	{"sglangbatch", "printed", "notes.md", 8, metric.TGSpeed, "median", 2000 / 16.0},
	// "cache_hit_rate": 0.25
	{"sglangbatch", "tools", "server-new.json", 1, metric.PrefixCacheHits, "value", 0.25},
	// "first token latency(s)(min, max, ave): 0.068, 4.066, 0.285"; the fourth cell of "Inter-token Latency (ITL)"
	{"lmdeploy", "printed", "older.txt", 2, metric.TTFT, "mean", 0.285},
	{"lmdeploy", "printed", "table.log", 3, metric.ITL, "p99", 0.031},
	{"lmdeploy", "csv", "profile_throughput.csv", 2, metric.TTFT, "mean", 0.285},
	{"lmdeploy", "csv", "profile_generation.csv", 3, metric.OutputThroughput, "value", 4.00},
	// 100 requests of 100.50 tokens in 200.000 s; "latency_ms" mean 2600.00
	{"vllmmultiturn", "conversations", "two.log", 20, metric.OutputThroughput, "value", 100 * 100.5 / 200},
	{"vllmmultiturn", "conversations", "two.log", 20, metric.E2ELatency, "mean", 2600.0 / 1000},
	// 2 x 64 tokens in 50.00 ms + 1260.00 ms; 100.20 tokens/secs of 2 sequences; 600 ms / (101 tokens - 1) of 50 steps
	{"tgibench", "tables", "tables.md", 18, metric.OutputThroughput, "value", 2 * 64 / 1.31},
	{"tgibench", "tables", "tables.md", 18, metric.TGSpeed, "mean", 100.20 / 2},
	{"tgibench", "several", "several.md", 12, metric.TPOT, "mean", 10.0 / 1000},
	{"tgibench", "several", "several.md", 19, metric.TPOT, "mean", 600.0 / 100 / 1000},
	// "e2e_ttft": mean 512.0 of [510.0, 514.0] ms; "tg_req_throughput": mean 50.0
	{"llamabenchy", "report", "benchy.json", 10, metric.TTFT, "mean", (510.0 + 514.0) / 2 / 1000},
	{"llamabenchy", "report", "benchy.json", 10, metric.TGSpeed, "mean", 50},
	// results_inter_token_latency_s_mean 0.06 counts the first token in: NTPOT, E2E 1.2 s / 20 tokens;
	// results_num_completed_requests_per_min 120
	{"llmperf", "summary", "acme-tiny-1b_100_20_summary.json", 1, metric.NTPOT, "mean", 1.2 / 20},
	{"llmperf", "summary", "acme-tiny-1b_100_20_summary.json", 1, metric.RequestThroughput, "value", 120.0 / 60},
	// tpot.mean 0.05 = (e2e_latency.mean 1.2 - ttft.mean 0.2) / num_output_tokens.mean 20, as old
	// releases divide; total throughput 384 x 640 of 3840 tokens; requests_per_minute 192
	{"genaibench", "experiment",
		"openai_acmeserve_chat_20250102_030405/D(100,20)_text-to-text_concurrency_4_time_60s.json", 1, metric.TPOT,
		"mean", (1.2 - 0.2) / 20},
	{"genaibench", "experiment",
		"openai_acmeserve_chat_20250102_030405/D(100,20)_text-to-text_concurrency_4_time_60s.json", 1,
		metric.OutputThroughput, "value", 384.0 * 640 / 3840},
	{"genaibench", "experiment",
		"openai_acmeserve_chat_20250102_030405/D(100,20)_text-to-text_concurrency_4_time_60s.json", 1,
		metric.RequestThroughput, "value", 192.0 / 60},
	// "_time_unit": "ms", ttft.mean 250.0
	{"genaibench", "experiment",
		"openai_acmeserve_chat_20250102_030405/N(100,10)_(20,2)_text-to-text_concurrency_8_time_60s.json", 1,
		metric.TTFT, "mean", 250.0 / 1000},
	// prefill.latency.mean 0.2 of [0.1, 0.3]; decode.latency.mean 0.5 for 10 tokens behind the first;
	// 2 sequences of 11 tokens in 0.2 + 0.5 s; decode.throughput 40.0 of 2 sequences
	{"optimumbench", "benchmark", "runs/tiny/benchmark.json", 1, metric.TTFT, "mean", (0.1 + 0.3) / 2},
	{"optimumbench", "benchmark", "runs/tiny/benchmark.json", 1, metric.TPOT, "mean", 0.5 / 10},
	{"optimumbench", "benchmark", "runs/tiny/benchmark.json", 1, metric.OutputThroughput, "value",
		2 * 11 / (0.2 + 0.5)},
	{"optimumbench", "benchmark", "runs/tiny/benchmark.json", 1, metric.TGSpeed, "value", 40.0 / 2},
	// inter_token_latency_ms.avg 20.0 is TPOT: (1200 - 220) ms / 49 tokens; total_tokens 20000 in duration_ms 100000
	{"hfbenchmarker", "report", "results/acme_tiny-1b_2025-01-02-03-04-05.json", 6, metric.TPOT, "mean",
		(1.2 - 0.22) / 49},
	{"hfbenchmarker", "report", "results/acme_tiny-1b_2025-01-02-03-04-05.json", 6, metric.OutputThroughput, "value",
		20000 / 100.0},
	// nanoseconds: Mean latency 2000000000, Mean First Token latency 500000000, 99.00 percentile time to output token 25000000
	{"mlperf", "submission", "closed/Acme/results/8xA1/tinyllama-99/Server/performance/run_1/mlperf_log_summary.txt", 2,
		metric.E2ELatency, "mean", 2},
	{"mlperf", "submission", "closed/Acme/results/8xA1/tinyllama-99/Server/performance/run_1/mlperf_log_summary.txt", 2,
		metric.TTFT, "mean", 0.5},
	{"mlperf", "submission", "closed/Acme/results/8xA1/tinyllama-99/Server/performance/run_1/mlperf_log_summary.txt", 2,
		metric.TPOT, "p99", 0.025},
	// "avg_ttft_ms": 100.0
	{"trtllmbench", "reports", "c8/stream.json", 1, metric.TTFT, "mean", 100.0 / 1000},
	// "latency": mean 500.0 ms = ttft 100.0 + 19 x tpot 21.05, up to the rounding of the tool
	{"llmdprism", "entries", "llm-d-benchmarks.json", 2, metric.E2ELatency, "mean", 500.0 / 1000},
}

func TestPinned(t *testing.T) {
	for _, p := range pinned {
		cases, err := loadCases(filepath.Join("../format", p.pkg, "testdata"))
		if err != nil {
			t.Fatal(err)
		}
		var found *record.Result
		for _, c := range cases {
			if filepath.Base(c.path) != p.test+".txtar" {
				continue
			}
			for _, in := range c.files {
				if in.name != p.file {
					continue
				}
				records, _ := ingest.ReadFile(in.name, in.data, format.All())
				for _, f := range format.All() { // results that are made of several files, or of one of them
					if f.Finish != nil && len(records) > 0 && records[0].Header().Format == f.Name {
						f.Finish(records, func(r record.Record) { records = append(records, r) })
					}
				}
				for _, r := range records {
					if res, ok := r.(*record.Result); ok && res.At.Line == p.line && found == nil {
						found = res
					}
				}
			}
		}
		if found == nil {
			t.Errorf("%s: %s:%d: no result", p.pkg, p.file, p.line)
			continue
		}
		i := slices.IndexFunc(found.Values,
			func(v record.Value) bool { return v.Quantity == p.quantity && v.Stat == p.stat })
		if i < 0 {
			t.Errorf("%s: %s:%d: no %s %s", p.pkg, p.file, p.line, p.quantity, p.stat)
			continue
		}
		got, err := metric.ToBase(p.quantity, found.Values[i].Number, found.Values[i].Unit)
		if err != nil || math.Abs(got-p.want) > 1e-9*math.Abs(p.want) {
			t.Errorf("%s: %s:%d: %s %s is %v (%v), by hand %v", p.pkg, p.file, p.line, p.quantity, p.stat, got,
				err, p.want)
		}
	}
}
