// Package figuretest has invented runs, models and accelerators with round figures, for tests of what is
// computed from runs.
package figuretest

import (
	"encoding/json"
	"fmt"
	"testing"
	"testing/fstest"

	"github.com/inferdex/inferdex/ingest/record"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/settings"
)

// Names are invented models and accelerators with round figures.
func Names(t *testing.T) *settings.Names {
	t.Helper()
	n, diags := settings.LoadNames(fstest.MapFS{"names/x.toml": {Data: []byte(`
[[accelerator]]
id = "big"
memory_gb = 100
bandwidth_gb_s = 2000
bf16_tflops = 1000
fp8_tflops = 2000
board_power_w = 500
[[accelerator]]
id = "small"
memory_gb = 40
bandwidth_gb_s = 1000
[[accelerator]]
id = "twin"
variants = ["big", "small"]
[[model]]
id = "o/Dense-10B"
params_b = 10
active_params_b = 10
layers = 10
kv_heads = 10
head_dim = 100
precision = "bf16"
[[model]]
id = "o/Dense-10B-FP8"
params_b = 10
precision = "fp8"
quantization = "FP8"
base = "o/Dense-10B"
[[model]]
id = "o/Mixed-40B"
params_b = 40
active_params_b = 5
precision = "bf16"
[[model]]
id = "o/Other-15B"
params_b = 15
precision = "bf16"
[[engine]]
id = "serve"
versions = ["1.0", "2.0"]
[engine.parameters]
seats = [{ until = "1.0", value = 4 }, { since = "2.0", value = 8 }]
mode = [{ value = "auto" }]
limit = [{}]
fresh = [{ since = "2.0", value = false }]
tags = [{ value = ["*"] }]
[[wrapper]]
id = "wrap"
engine = "serve"
parameters = ["door"]
settings = ["queries"]
[[price]]
provider = "Cloud"
accelerator = "big"
per_hour = 3
currency = "USD"
date = 2025-01-02
address = "https://example.com/"
`)}})
	for _, d := range diags {
		t.Error(d)
	}
	return n
}

// Point is a point at a concurrency with output throughput, and median and p99 of TTFT and TPOT.
func Point(c int64, tput, ttft, ttft99, tpot, tpot99 float64) catalog.Point {
	return catalog.Point{Workload: record.Workload{Dataset: "random",
		Nominal: record.Lengths{Input: Num(1000), Output: Num(200)}},
		Load: record.Load{MaxConcurrency: Whole(c)}, Submitted: Whole(100), Completed: Whole(100),
		Metrics: map[metric.ID]catalog.Stat{"output_throughput": Value(tput), "ttft": Dist(ttft, ttft, ttft99),
			"tpot": Dist(tpot, tpot, tpot99)}}
}

// Run is a run of engine serve, with its accelerators as written: "2x big".
func Run(id, model, hardware, version string, points ...catalog.Point) *catalog.Run {
	return &catalog.Run{ID: id, Identity: record.Identity{Tool: "t", Session: id, Model: model},
		Started: "2025-01-01", Points: points,
		Attributes: map[string]catalog.Attribute{"hardware": {Value: hardware}, "count": {Value: hardware[:1]},
			"engine": {Value: "serve"}, "engine_version": {Value: version}}}
}

// Num is a number that is recorded.
func Num(v float64) catalog.Number { return &v }

// Whole is a count that is recorded.
func Whole(v int64) *int64 { return &v }

// Value is a statistic that is one number, in tok/s.
func Value(value float64) catalog.Stat { return catalog.Stat{Value: Num(value), Unit: "tok/s"} }

// Dist is a distribution in seconds.
func Dist(mean, median, p99 float64) catalog.Stat {
	return catalog.Stat{Mean: Num(mean), Median: Num(median), Percentiles: []catalog.Percentile{{P: 99, Value: p99}},
		Unit: "s"}
}

// Report is a scenario report of ten points: five scenarios and a scaling series whose names
// carry their loads, as its tool names them. Times in seconds.
func Report() *catalog.Run {
	r := &catalog.Run{Identity: record.Identity{Tool: "bench-and-report", Model: "m"}}
	add := func(name string, in, out float64, c, prompts int64, tput float64, ttft, tpot catalog.Stat) {
		r.Points = append(r.Points, catalog.Point{
			Workload: record.Workload{Name: name, Dataset: "random",
				Nominal: record.Lengths{Input: Num(in), Output: Num(out)}, NumPrompts: Whole(prompts)},
			Load: record.Load{MaxConcurrency: Whole(c)}, Submitted: Whole(prompts), Completed: Whole(prompts),
			Metrics: map[metric.ID]catalog.Stat{"output_throughput": Value(tput), "ttft": ttft, "tpot": tpot},
		})
	}
	add("Single User Latency", 2048, 512, 1, 20, 49.26, Dist(1.0822, 1.13506, 1.14234),
		Dist(0.01822, 0.01822, 0.01828))
	add("Short Context Throughput", 512, 256, 16, 50, 301.77, Dist(1.50674, 1.13987, 3.40198),
		Dist(0.04171, 0.04332, 0.05209))
	add("Long Context (16K)", 16384, 1024, 4, 10, 62.84, Dist(12.51839, 11.14028, 26.66632),
		Dist(0.04629, 0.05046, 0.05411))
	add("Decode Stress Test", 128, 2048, 1, 5, 56.28, Dist(0.04329, 0.04329, 0.04386), Dist(0.01776, 0.01776, 0.01777))
	for _, s := range []struct {
		c          int64
		tput       float64
		ttft, tpot catalog.Stat
	}{
		{2, 97.72, Dist(0.21218, 0.09037, 0.64593), Dist(0.01971, 0.01953, 0.02083)},
		{4, 167.97, Dist(0.11515, 0.13527, 0.14619), Dist(0.02213, 0.02228, 0.02261)},
		{8, 255.92, Dist(0.15872, 0.17396, 0.18629), Dist(0.02883, 0.02887, 0.02942)},
		{16, 384.74, Dist(0.23368, 0.24642, 0.30273), Dist(0.03819, 0.03822, 0.03876)},
		{32, 387.10, Dist(0.36317, 0.37346, 0.37630), Dist(0.07635, 0.07632, 0.07697)},
	} {
		add(fmt.Sprintf("Concurrency Scaling (c=%d)", s.c), 1024, 256, s.c, 30, s.tput, s.ttft, s.tpot)
	}
	return r
}

// Params are launch parameters from names and JSON, in turn.
func Params(kv ...string) map[string]catalog.Parameter {
	m := map[string]catalog.Parameter{}
	for i := 0; i < len(kv); i += 2 {
		m[kv[i]] = catalog.Parameter{Value: json.RawMessage(kv[i+1])}
	}
	return m
}
