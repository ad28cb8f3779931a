package main

import (
	"bytes"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"

	"github.com/inferdex/inferdex/goldentest"
	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
)

// reportSchema is the published JSON Schema of Benchmark Report 0.2.1.
func reportSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	f, err := os.Open(filepath.Join(corpus(t), "benchmark-report/br_v0_2_1_json_schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	return goldentest.Schema(t, f, "")
}

// finite replaces infinite numbers, of which JSON Schema knows nothing, by a large one.
func finite(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k, x := range v {
			v[k] = finite(x)
		}
	case []any:
		for i, x := range v {
			v[i] = finite(x)
		}
	case float64:
		if math.IsInf(v, 0) {
			return 1e9
		}
	}
	return v
}

// TestConformanceReports validates everything that is exported, of the demonstration catalog, of the
// test data of all formats and of the corpus, against the published schema, as YAML and as JSON.
func TestConformanceReports(t *testing.T) {
	schema := reportSchema(t)
	// The schema must be able to fail.
	if err := schema.Validate(map[string]any{"run": map[string]any{}, "results": map[string]any{}}); err == nil {
		t.Error("a report without a uid is valid: the schema says nothing")
	}
	demo := &app{stderr: os.Stderr, stdout: os.Stdout, dir: "../.."}
	shown, _, err := demo.load()
	if err != nil {
		t.Fatal(err)
	}
	hand, _, handDir, _ := ingested(t, inputsOfFormats(t))
	real, _, realDir, _ := ingested(t, filepath.Join(corpus(t), "inference-perf"),
		filepath.Join(corpus(t), "benchmark-report"), filepath.Join(corpus(t), "trtllm-bench"),
		filepath.Join(corpus(t), "vllm"), filepath.Join(corpus(t), "sglang"), filepath.Join(corpus(t), "llama-bench"))
	for _, flags := range [][]string{nil, {"--json"}} {
		n := 0
		for dir, ix := range map[string]*figure.Index{"../..": shown, handDir: hand, realDir: real} {
			reports := filepath.Join(t.TempDir(), "reports")
			exportAll(t, dir, ix, reports, flags...)
			files, err := filepath.Glob(filepath.Join(reports, "*"))
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range files {
				if filepath.Base(f) == exportList {
					continue
				}
				data, err := os.ReadFile(f)
				if err != nil {
					t.Fatal(err)
				}
				d := yaml.NewDecoder(bytes.NewReader(data)) // JSON is YAML
				for {
					var doc any
					if err := d.Decode(&doc); errors.Is(err, io.EOF) {
						break
					} else if err != nil {
						t.Fatalf("%s: %v", f, err)
					}
					n++
					if err := schema.Validate(finite(doc)); err != nil {
						t.Errorf("%s: %v", filepath.Base(f), err)
					}
				}
			}
		}
		t.Logf("%d reports follow the schema %q", n, flags)
		if n < 100 {
			t.Errorf("%d reports: the test reads too little", n)
		}
	}
}

// TestConformanceKubernetes holds one point of each format of the Kubernetes and TensorRT tools
// against its file, line for line, and the arithmetic against each other.
func TestConformanceKubernetes(t *testing.T) {
	root := corpus(t)
	ix, _, _, _ := ingested(t, filepath.Join(root, "inference-perf"), filepath.Join(root, "benchmark-report"),
		filepath.Join(root, "trtllm-bench"))
	find := func(source string, load func(*catalog.Point) bool) (*figure.Run, *catalog.Point) {
		t.Helper()
		for _, r := range ix.Runs {
			for i := range r.Points {
				p := &r.Points[i]
				for _, s := range r.Sources {
					if strings.HasSuffix(s.Path, source) && s.ID() == p.At.Source && load(p) {
						return r, p
					}
				}
			}
		}
		t.Fatalf("no point of %s", source)
		return nil, nil
	}
	any := func(*catalog.Point) bool { return true }
	check := func(what string, p *catalog.Point, want map[[2]string]float64) {
		t.Helper()
		for k, w := range want {
			if v, ok := figure.Get(p, metric.ID(k[0]), k[1]); !ok || !near(v, w) {
				t.Errorf("%s: %s %s is %v (%v), want %v", what, k[0], k[1], v, ok, w)
			}
		}
	}

	// stage_3_lifecycle_metrics.json, line 1: request_latency 1.2835..., time_to_first_token
	// 0.0505..., output_len 62.98..., in seconds; time_per_output_token 0.0107... is 0.54 of
	// (1.2835468967535695 - 0.050572599013848835) / (62.98094633216894 - 1) = 0.0198928...;
	// 3149 requests at 51.637... a second are 60.98... s; 52.49 a second were asked for.
	_, p := find("stage_3_lifecycle_metrics.json", any)
	check("inference-perf", p, map[[2]string]float64{
		{"e2e_latency", "mean"}: 1.2835468967535695, {"e2e_latency", "p99.9"}: 1.955844584674575,
		{"ttft", "median"}: 0.04973231290932745,
		{"ntpot", "mean"}:  0.02050013522245568, {"output_throughput", "value"}: 3252.1766733415284,
	})
	want := (1.2835468967535695 - 0.050572599013848835) / (62.98094633216894 - 1)
	if v, ok := figure.Get(p, "tpot", "mean"); !ok || math.Abs(v-want) > 1e-12 {
		t.Errorf("inference-perf: TPOT %v, want %v", v, want)
	}
	if _, ok := p.Metrics["itl"]; ok || len(p.Metrics["tpot"].Percentiles) > 0 {
		t.Error("inference-perf: ITL and the percentiles of TPOT count tokens twice and should be left out")
	}
	if p.Load.Rate == nil || float64(*p.Load.Rate) != 52.49 || p.Completed == nil || *p.Completed != 3149 ||
		math.Abs(*p.Duration-60.98) > 0.01 {
		t.Errorf("inference-perf: load %+v, completed %v, duration %v", p.Load, value(nil), *p.Duration)
	}
	if r, _, ok := p.Consistency(); !ok || r < 0.9 || r > 1.1 {
		t.Errorf("inference-perf: r is %v", r)
	}

	// W1_osl256.report.json: total_latency_ms 115347.6 (line 31), avg_request_latency_ms 62670.57
	// (line 32), system_output_throughput_tok_s 33290.68 (line 34), p99 108337.05 (line 42);
	// 15000 x 256 tokens / 115.3476 s = 33290.68 tok/s. No load is recorded, and no TTFT.
	r, p := find("W1_osl256.report.json", any)
	check("trtllm-bench", p, map[[2]string]float64{
		{"e2e_latency", "mean"}: 62.670574410126865, {"e2e_latency", "p99"}: 108.337047847,
		{"output_throughput", "value"}: 33290.67761647304,
		{"total_throughput", "value"}:  49936.01642470956, {"achieved_concurrency", "value"}: 8149.788627838744,
		{"speed_per_request", "mean"}: 5.830600059578855,
	})
	if v := 15000 * 256 / *p.Duration; math.Abs(v-33290.67761647304) > 1e-6 {
		t.Errorf("trtllm-bench: %v tok/s of tokens and duration", v)
	}
	if _, ok := p.Metrics["ttft"]; ok || p.Load.Rate != nil || p.Load.MaxConcurrency != nil ||
		r.Attr("precision") != "FP8" || r.Attr("engine_version") != "0.20.0" {
		t.Errorf("trtllm-bench: load %+v, metrics %v, precision %q", p.Load, p.Metrics, r.Attr("precision"))
	}

	// br_v0_1_example.yaml: time_to_first_token in ms (lines 129 to 136), throughput (149 to 152),
	// 17 accelerators of three pods (lines 9 to 34).
	r, p = find("br_v0_1_example.yaml", any)
	check("benchmark report 0.1", p, map[[2]string]float64{
		{"ttft", "mean"}: 0.000800974442732916, {"ttft", "p90"}: 0.00226959549135063,
		{"output_throughput", "value"}: 32.544923821416, {"tpot", "median"}: 0.0000611870964678625,
	})
	if r.Hardware.Count != 17 || *p.Completed != 31 {
		t.Errorf("benchmark report 0.1: %d accelerators, %d completed", r.Hardware.Count, *p.Completed)
	}

	// br_v0_2_1_example.yaml: seconds; two replicas of 8; 84 and 92.1 percent of the KV cache.
	r, p = find("br_v0_2_1_example.yaml", any)
	check("benchmark report 0.2.1", p, map[[2]string]float64{
		{"ttft", "p99.9"}: 0.057014757215045425, {"ttft", "p0.1"}: 0.027322400792501866,
		{"kv_cache_usage", "value"}: 0.921, {"requests_running", "value"}: 62,
	})
	if r.Hardware.Count != 16 || r.Started != "2025-11-05T18:00:42Z" || float64(*p.Load.Rate) != 10 ||
		p.Load.MaxConcurrency != nil || *p.Workload.Nominal.Output != 1000 {
		t.Errorf("benchmark report 0.2.1: %d accelerators, started %q, load %+v, workload %+v", r.Hardware.Count,
			r.Started, p.Load, p.Workload)
	}

	// prism-catalog.json, first entry (lines 2 to 64): 24275.67 tok/s of all tokens are 2.20708 x
	// (9999 + 1000), so that 2207.08 are generated; TPOT 49.13 ms; nothing limits the rate.
	r, p = find("prism-catalog.json", func(p *catalog.Point) bool { return p.Date == "20250923-201033" })
	check("Prism", p, map[[2]string]float64{
		{"total_throughput", "value"}: 24275.673515613435, {"ttft", "mean"}: 6.863319998192674,
		{"tpot", "mean"}: 0.04912957354867252, {"e2e_latency", "median"}: 52.60757012781687,
	})
	if v, ok := figure.Get(p, "output_throughput", "value"); !ok || math.Abs(v-2207.0800541516) > 1e-6 {
		t.Errorf("Prism: output throughput %v", v)
	}
	if len(p.Metrics["e2e_latency"].Percentiles) > 0 || !math.IsInf(float64(*p.Load.Rate), 1) ||
		*p.Load.MaxConcurrency != 128 || r.Hardware.Count != 16 || len(r.Points) != 6 {
		t.Errorf("Prism: load %+v, %d accelerators, %d points, %+v", p.Load, r.Hardware.Count, len(r.Points),
			p.Metrics["e2e_latency"])
	}
}
