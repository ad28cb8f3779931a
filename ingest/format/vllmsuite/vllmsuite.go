// Package vllmsuite reads benchmark_results.json, the table that vLLM's Buildkite suites make of the
// results of a build: a list with one object a test, whose keys are the titles of columns. Serving,
// latency and throughput tests stand in one list.
//
// "Median" and "P99" without more are those of TPOT. The files that the table was made of say more:
// where they are there, they are what to read.
package vllmsuite

import (
	"cmp"
	"regexp"
	"strconv"

	"github.com/inferdex/inferdex/ingest/internal/servingjson"
	"github.com/inferdex/inferdex/ingest/internal/sessions"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

// Format reads tables of suites.
var Format = &reading.Format{
	Name: "vllm-suite",
	Doc: reading.Doc{
		Title:    "table of a Buildkite suite",
		Tool:     "vLLM, convert-results-json-to-markdown.py",
		Command:  "run-performance-benchmarks.sh, run-nightly-benchmarks.sh",
		Versions: "vLLM 0.5 and later",
		Files:    "benchmark_results.json, <date>_<engine>_nightly_results.json",
		Reads: "Each test with its load, lengths, counts, throughput, TTFT, TPOT, ITL and latency, " +
			"model, GPU, parallelism and data type.",
		Unknown: "The date and the version of the engine stand in no such table; older ones name neither model nor " +
			"lengths. It repeats the results beside it: read one of them.",
	},
	Match: func(h *reading.Head) bool {
		if h.Kind != '[' || !h.Has("Test name", "GPU") {
			return false
		}
		for k := range h.Keys {
			if _, ok := servingjson.Named(columns, k); ok {
				return true
			}
		}
		return false
	},
	Read: read,
}

// columns are the measured ones by their titles, but for those of serving that [servingjson.Statistic] knows.
var columns = []record.Value{
	{Key: "Mean latency (ms)", Quantity: metric.E2ELatency, Stat: metric.Mean, Unit: "ms"},
	{Key: "Mean latency (s)", Quantity: metric.E2ELatency, Stat: metric.Mean, Unit: "s"},
	{Key: "Median latency (ms)", Quantity: metric.E2ELatency, Stat: metric.Median, Unit: "ms"},
	{Key: "Median latency (s)", Quantity: metric.E2ELatency, Stat: metric.Median, Unit: "s"},
	{Key: "P99 latency (ms)", Quantity: metric.E2ELatency, Stat: metric.P99, Unit: "ms"},
	{Key: "P99 latency (s)", Quantity: metric.E2ELatency, Stat: metric.P99, Unit: "s"},
	{Key: "Elapsed time (s)", Quantity: metric.Duration, Stat: metric.Value, Unit: "s"},
	{Key: "Duration (s)", Quantity: metric.Duration, Stat: metric.Value, Unit: "s"},
	{Key: "Tput (req/s)", Quantity: metric.RequestThroughput, Stat: metric.Value, Unit: "req/s"},
	{Key: "Output Tput (tok/s)", Quantity: metric.OutputThroughput, Stat: metric.Value, Unit: "tok/s"},
	{Key: "Total Token Tput (tok/s)", Quantity: metric.TotalThroughput, Stat: metric.Value, Unit: "tok/s"},
	{Key: "Tput (tok/s)", Quantity: metric.TotalThroughput, Stat: metric.Value, Unit: "tok/s"},
	{Key: "Total Input Tokens", Quantity: metric.InputTokens, Stat: metric.Total, Unit: "tokens"},
	{Key: "Total Output Tokens", Quantity: metric.OutputTokens, Stat: metric.Total, Unit: "tokens"},
	// Of the time per output token, though their titles do not say so.
	{Key: "Median", Quantity: metric.TPOT, Stat: metric.Median, Unit: "ms"},
	{Key: "P99", Quantity: metric.TPOT, Stat: metric.P99, Unit: "ms"},
}

func read(src *reading.Source, emit func(record.Record)) error {
	reading.EachWith(src, "Test name", "no row of a suite's table", func(o *reading.Object) { emit(row(o)) }, emit)
	return nil
}

// gpus is a GPU with the number of them that the machine has.
var gpus = regexp.MustCompile(`^[0-9]+x(.+)$`)

// row reads one test.
func row(o *reading.Object) *record.Result {
	tool := servingjson.Tool
	switch {
	case o.Has("Mean latency (ms)") || o.Has("Mean latency (s)"):
		tool = "vllm-bench-latency"
	case o.Has("Tput (tok/s)"):
		tool = "vllm-bench-throughput"
	}
	id := record.Identity{Tool: tool, Model: o.Text("Model")}
	res := &record.Result{Base: record.Base{At: o.Pos(), Identity: id}}
	gpu, count := describe(o, res)
	load(o, res)
	servingjson.Measure(o, columns, &res.Values)
	res.Values = reading.Measured(res.Values, res.Completed == nil || *res.Completed > 0)

	// A test is named after its configuration and its load: "serving_llama8B_tp1_sharegpt_qps_4".
	res.Setup = append(res.Setup, record.KV{Key: "Test name", Value: sessions.Variant(o.Text("Test name"))})
	o.Each(func(k string, f reading.Value) {
		if s, ok := f.Str(); ok && !o.Used(k) {
			o.Use(k)
			if s != "" {
				res.Setup = append(res.Setup, record.KV{Key: k, Value: reading.Clip(s)})
			}
		}
	})
	parts := []string{"vllm-suite", o.Pos().File, tool, id.Model, gpu, strconv.FormatInt(count, 10)}
	for _, kv := range res.Setup {
		parts = append(parts, kv.Key+"="+kv.Value)
	}
	res.Key = record.SessionKey(parts...)
	res.Unmapped = o.Unmapped()
	res.Raw = o.Self().Compact(reading.Elide{Longer: 64})
	return res
}

// describe reads what was measured and on what. It returns the GPU, and how many of them the parallelism takes,
// 1 where that is not recorded.
func describe(o *reading.Object, res *record.Result) (gpu string, count int64) {
	fs := reading.Facts{}
	fs.Add(record.FactModel, res.Identity.Model, o.At("Model"))
	fs.Add(record.FactEngine, cmp.Or(o.Text("Engine"), "vllm"), o.At("Engine"))
	gpu = o.Text("GPU")
	if m := gpus.FindStringSubmatch(gpu); m != nil {
		gpu = m[1]
	}
	fs.Add(record.FactHardware, gpu, o.At("GPU"))
	if dtype := o.Text("dtype"); dtype != "auto" {
		fs.Add(record.FactPrecision, dtype, o.At("dtype"))
	}
	count = 1
	known := false
	for _, k := range []string{"TP Size", "PP Size"} {
		if n := o.Positive(k); n != nil && *n < 1<<10 {
			count, known = count**n, true
		}
	}
	if known {
		fs.Add(record.FactCount, strconv.FormatInt(count, 10), o.At("TP Size"))
	}
	res.Facts = fs
	return gpu, count
}

// load reads what was asked for, and how hard.
func load(o *reading.Object, res *record.Result) {
	w := &res.Workload
	w.Dataset = o.Text("Dataset Name")
	w.Nominal = record.Lengths{Input: o.Length("Input Len"), Output: o.Length("Output Len")}
	if w.Nominal != (record.Lengths{}) {
		w.LengthSemantics = "tool nominal"
	}
	if o.Has("# of req.") {
		w.NumPrompts = o.Count("# of req.")
	}
	if o.Has("Successful req.") {
		res.Completed = o.Count("Successful req.")
	}
	if o.Has("qps") {
		res.Load.Rate = o.Rate("qps")
	}
	res.Load.MaxConcurrency = o.Positive("# of max concurrency.")
	o.Use("Total # of tokens") // input and output together
}
