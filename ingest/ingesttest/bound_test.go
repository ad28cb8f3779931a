package ingesttest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/inferdex/inferdex/ingest"
	"github.com/inferdex/inferdex/ingest/format"
)

// bounded are inputs that nobody meant, far larger than those of TestMemory: their readers stop.
func bounded() map[string]string {
	rows := func(head string, row func(i int) string, n int) string {
		var b strings.Builder
		b.WriteString(head)
		for i := range n {
			b.WriteString(row(i))
		}
		return b.String()
	}
	serving := "model_id,duration,completed,total_input_tokens,total_token_throughput,mean_ttft_ms,max_concurrency"
	bench := `build_commit,build_number,cpu_info,gpu_info,backends,model_filename,model_type,model_size,model_n_params,` +
		`n_batch,n_ubatch,n_threads,n_gpu_layers,n_prompt,n_gen,n_depth,test_time,avg_ns,stddev_ns,avg_ts,stddev_ts`
	tested := func(i int) string {
		return fmt.Sprintf(`"b1","1","cpu","gpu","CUDA","m.gguf","llama 7B Q4","1","1","1","1","1","%d","%d","0","0",`+
			`"2025-01-01T00:00:00Z","1","1","100","1"`, i%99, i%4096+1)
	}
	deployed := "Model,ISL,OSL,Hardware,Hardware Key,Framework,Precision,TP,Concurrency,Date,Throughput/GPU (tok/s)," +
		"Output Throughput/GPU (tok/s),Mean TTFT (ms),Mean TPOT (ms),Mean Interactivity (tok/s/user),Is Multinode"
	report := func(i int) string {
		return fmt.Sprintf(`{"version": "0.1", "scenario": {"model": {"name": "org/m"}, "load": {"args": [%d]}}, "metrics": `+
			`{"latency": {"request_latency": {"units": "ms", "mean": %d.5}}, "time": {"duration": 9}}}`+
			"\n", i, i+1)
	}
	agentic := func(i int) string {
		text := `{"hw": "h100", "conc": 2, "image": "v:1", "model": "m", "framework": "vllm", "precision": "fp4", ` +
			`"scenario_type": "agentic-coding", "is_multinode": false, "tp": 2, "num_requests_total": 9, ` +
			`"request_metrics": {"qps": {"mean": 0.5}, "latency": {`
		for _, name := range []string{"ttft", "tpot", "itl", "e2el", "intvty"} {
			text += fmt.Sprintf(`%q: {"mean": %d.5, "p50": 1, "p75": 2, "p90": 3, "p95": 4, "std": 5}, `, name, i+1)
		}
		return strings.TrimSuffix(text, ", ") + `}, "tokens": {"input": {"mean": 9.5, "p50": 9}, "output_actual": {"mean": 9}}, ` +
			`"throughput": {"output": {"tokens_per_second": 4.5}, "duration_seconds": 25}}}` + "\n"
	}
	return map[string]string{
		"deployed.csv": rows(deployed+"\n", func(i int) string {
			return fmt.Sprintf("Tiny,1024,100,H100,h100,vllm,fp8,2,%d,2026-01-02,%d,40,0.05,0.02,50,false\n", i%999+1, i)
		}, 150_000),
		"reports.json": rows("", report, 50_000),
		"reports.yaml": rows("version: '0.1'\nscenario: {}\nmetrics: {}\n",
			func(i int) string { return "---\n" + report(i) }, 50_000),
		"bench.csv": rows(bench+"\n", func(i int) string { return tested(i) + "\n" }, 150_000),
		"wide-bench.csv": bench + rows("", func(i int) string { return fmt.Sprintf(",c%d", i) }, 900_000) + "\n" + tested(1) +
			rows("", func(int) string { return ",1.5" }, 900_000) + "\n",
		"bench.sql": rows("", func(i int) string {
			return fmt.Sprintf("INSERT INTO test (build_commit, build_number, model_type, n_prompt, n_gen, avg_ts, stddev_ts) "+
				"VALUES ('b1', '1', 'llama 7B', '%d', '0', '%d.5', '1');\n", i%4096+1, i)
		}, 100_000),
		"headlines.csv": "suite_id,model,kv_cache_tokens" +
			rows("", func(i int) string { return fmt.Sprintf(",c%d", i) }, 900_000) +
			"\ns,m,~1k tokens" + rows("", func(int) string { return ",1.5" }, 900_000) + "\n",
		"heads.csv":   strings.Repeat("suite_id,model,kv_cache_tokens\n", 1_300_000),
		"reports.log": strings.Repeat("====================\n= PYTORCH BACKEND\n", 700_000),
		"batches.log": "llama_model_loader: loaded meta data\n" + rows("", func(i int) string {
			return fmt.Sprintf(`{"n_kv_max": 2048, "n_batch": 512, "pp": 128, "tg": 64, "pl": %d, "n_kv": 192, "t_pp": 0.5, `+
				`"speed_pp": 256, "t_tg": 1, "speed_tg": 64, "t": 1.5, "speed": 128}`+"\n", i%99+1)
		}, 300_000),
		"bench.md": rows("| model | size | params | backend | ngl | test | t/s |\n| --- | ---: | ---: | --- | --: | "+
			"---: | ---: |\n",
			func(i int) string {
				return fmt.Sprintf("| llama 7B Q4_0 | 3.56 GiB | 6.74 B | CUDA | 99 | pp%d | %d.25 ± 0.5 |\n",
					i%4096+1, 100+i)
			}, 300_000),
		"agentic.json": rows("", agentic, 10_500),
		"latency.json": rows("", func(i int) string {
			return fmt.Sprintf(`{"avg_latency": %d.5, "latencies": [1.5], "percentiles": {"10": 1.5}}`+"\n", i+1)
		}, 110_000),
		// As many requests as are read, and more; and samples that say nothing.
		"requests.json": detailed(4_000_000),
		"many.json":     detailed(6_000_000),
		"profile.json": rows(`{"general_metrics": {"total_number_of_ingested_tokens": 1}, "parameters": {"query_profile": "p", `+
			`"n_workers": 1, "suite_id": "s", "model": "m"}, "kv_cache_profile": [{"timestamp": 1, "gpu_cache_usage_perc": 1}`,
			func(int) string { return ",{}" }, 12_000_000) + "]}",
		"rows.csv": rows(serving+"\n",
			func(i int) string { return fmt.Sprintf("m,10.5,20,400,%d.5,20.25,4\n", i) }, 300_000),
		"wide.csv": rows(serving, func(i int) string { return fmt.Sprintf(",c%d", i) }, 100_000) + "\n" +
			rows("m,10.5,20,400,100.5,20.25,4", func(int) string { return ",1.5" }, 100_000) + "\n",
		"line.csv": serving + "\n" + strings.Repeat("1", 16<<20),
		// What looks back from each to the last quote or line end takes hours.
		"nan.json": strings.TrimSuffix(string(servingLines(1)), "}\n") + `, "hostile": [` +
			strings.Repeat("NaN,", 4<<20) + "1]}",
		"cells.csv": rows(serving, func(i int) string { return fmt.Sprintf(",c%d", i) }, 500) + "\n" +
			strings.Repeat("m,10.5,20,400,100.5,20.25,4"+strings.Repeat(",1.5", 500)+"\n", 20_000),
	}
}

// detailed is a serving record with arrays of the requests, each of which takes a dozen bytes.
func detailed(requests int) string {
	begin := strings.TrimSuffix(string(servingLines(1)), "}\n")
	for _, array := range []struct{ name, entry string }{{"output_lens", "2,"}, {"ttfts", "1,"}, {"itls", "[1,2],"}} {
		begin += fmt.Sprintf(", %q: [%s]", array.name, strings.TrimSuffix(strings.Repeat(array.entry, requests), ","))
	}
	return begin + "}"
}

// What is read of a text of megabytes that nobody meant fits into memory: 300 MB at its highest.
func TestReadersAreBounded(t *testing.T) {
	if !exactHeap(t, "reads tens of megabytes") {
		return
	}
	const allowed = 300 << 20
	for name, text := range bounded() {
		claimed := ""
		took := peak(func() any {
			records, by := ingest.ReadFile(name, []byte(text), format.All())
			claimed = by
			return records
		})
		if claimed == "" {
			t.Errorf("%s: no format reads it: the test shows nothing", name)
		}
		if took > allowed {
			t.Errorf("%s: reading %.0f MB took %.0f MB, 300 are allowed", name, float64(len(text))/1e6,
				float64(took)/(1<<20))
		}
		t.Logf("%s: reading %.1f MB took %.0f MB", name, float64(len(text))/1e6, float64(took)/(1<<20))
	}
}

// servingLines are n records of one benchmark at loads of their own, a line each.
func servingLines(n int) []byte {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b,
			`{"date": "20250101-%06d", "backend": "vllm", "model_id": "org/m", "num_prompts": 8, "max_concurrency": %d, `+
				`"duration": 1.5, "completed": 8, "failed": 0, "total_input_tokens": 256, "total_output_tokens": 128, `+
				`"request_throughput": %d.5, "output_throughput": 82.25, "total_token_throughput": 248.5, "mean_ttft_ms": 215.5, `+
				`"median_ttft_ms": 55.5, "p99_ttft_ms": 734.25, "mean_tpot_ms": 11.25, "median_tpot_ms": 11.125, "p99_tpot_ms": 11.5}`+"\n", i, i+1, i+1)
	}
	return []byte(b.String())
}

// A record takes few allocations to read: what all records of a file share is made once.
func TestAllocationsARecord(t *testing.T) {
	const few, many = 100, 600
	count := func(n int) float64 {
		data := servingLines(n)
		return testing.AllocsPerRun(3, func() { ingest.ReadFile("r.jsonl", data, format.All()) })
	}
	if a := (count(many) - count(few)) / (many - few); a > 17 {
		t.Errorf("reading takes %.1f allocations a record, 17 are allowed", a)
	} else {
		t.Logf("%.1f allocations a record", a)
	}
}
