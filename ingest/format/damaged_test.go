package format_test

import (
	"strings"
	"testing"

	"github.com/inferdex/inferdex/ingest"
	"github.com/inferdex/inferdex/ingest/format"
	"github.com/inferdex/inferdex/ingest/record"
)

// A text that no format claims and that can be of one alone says what of it is missing, at its line; what only resembles
// one is ignored.
func TestDamaged(t *testing.T) {
	const (
		bench   = "| acme 9B Q8_0 | 9.11 GiB | 9.02 B | CUDA | 99 | pp512 | 1100.50 ± 3.21 |\n"
		benchy  = "| acme-mini | pp512 | 2000.00 ± 10.00 | | 256.0 ± 2 | 246.0 ± 2 | 256.0 ± 2 |\n"
		decode  = "| acme-mini | tg32 | 50.00 ± 0.50 | 52.00 ± 0.50 | | | |\n"
		title   = "# LLM Inference Benchmark Report\n\n"
		ignored = "ignored"
	)
	for text, want := range map[string]string{
		"of August:\n\n| mod~l | size | params | backend | ngl | test | t/s |\n| --- |\n" + bench:  "a.md:5: rows of llama-bench without",
		"\x00 size | params | test | t/s |\n" + bench:                                              "a.md:2: rows of llama-bench without",
		"| Model | Test | t/s master | t/s change |\n|--|--|--|--|\n| acme 9B | pp512 | 1 | 2 |\n": ignored,
		"| model | te\n\n" + benchy + "\nllama-benchy (0.3.1)\n":                                   "a.md:3: rows of llama-benchy without",
		"| Modell | Prüfung | <b>t/s</b> | | | | |\n" + benchy + decode:                            "a.md:2: rows of llama-benchy without",
		benchy: ignored,
		"| model | pp512 | 10 ± 1 | 12 ± 1 | 13 ± 1 | 14 ± 1 |\n| model | tg32 | 10 ± 1 | 12 ± 1 | 13 ± 1 | 14 ± 1 |\n": ignored,
		title + "**Model:** acme/tiny\n\n**Startup Command:** vllm serve acme/tiny\n\n## Perf":                          "a.md:7: a report of benchmark_and_report.py",
		"# Wren\n\nℹ Request Latency Statistics (Completed Requests)\n| Benchmark | TTFT |\n":                           "a.md:3: tables that guidellm prints from 0.4 on",
		"# Wren\n\n    Benchmark| Start Time| End Time| Duration (s)| Comp\n concurrent@3| 09:10:02|\n":                 "a.md:3: the table of what guidellm sent has none of its statistics",
		"speed_threshold,kv_cache_thre":    "a.md:1: thresholds of happy_vllm",
		"speed_threshold\n":                "a.md:1: thresholds of happy_vllm",
		"input_length,out":                 ignored,
		"batch,num_prompts,RPS,RP":         "a.md:1: the table ends inside of its head",
		"\"backend\",\"bs\",\"dataset_na":  "a.md:1: the table ends inside of its head",
		"batch,num_prompts,price\n1,2,3\n": ignored,
		"batch,weight,price":               ignored,
		"At night:\n| Parameter          | Value  |\n|--------------------|--------|\n| Model | acme/m |\n| Sequence Len": "a.md:2: no latencies stand below",
		"| Parameter | Value |\n|---|---|\n| Colour | red |\n":                                                            ignored,
		"build_commit;build_number;n_prompt;avg_ts\na;512;0;1,5\n":                                                        "a.md:1: a table of llama-bench with semicolons",
		"a;b;c;d\n1;2;3;4\n":                ignored,
		"speed_threshold of the fan":        ignored,
		title + "All in all it was fast.\n": ignored,
	} {
		records, by := ingest.ReadFile("a.md", []byte(text), format.All())
		if len(records) != 1 || by != "" {
			t.Errorf("%q: %v by %q", text, records, by)
			continue
		}
		got := ignored
		if e, ok := records[0].(*record.SyntaxError); ok {
			got = e.Error()
		}
		if !strings.HasPrefix(got, want) {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}
