// Package vllmpytorch reads the files that vLLM's benchmarks write beside their results for
// PyTorch's benchmark database: a list with one record a metric, all of one measurement. The records
// of a measurement agree in their arguments; from them one result is made.
//
// The arguments hold everything that was on the command line: the raw record leaves out the headers
// and keys among them.
package vllmpytorch

import (
	"bytes"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/internal/servingjson"
	"github.com/inferdex/inferdex/ingest/internal/sessions"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

// Format reads vLLM results in PyTorch's benchmark format.
var Format = &reading.Format{
	Name: "vllm-pytorch",
	Doc: reading.Doc{
		Title:    "vLLM results in PyTorch's benchmark format",
		Tool:     "vLLM",
		Command:  "SAVE_TO_PYTORCH_BENCHMARK_FORMAT=1 vllm bench serve|latency|throughput",
		Versions: "0.7.3 to 0.25.1",
		Files:    "*.pytorch.json",
		Reads: "The metrics of one measurement with its counts, load, lengths and parallelism from the arguments of " +
			"the benchmark.",
		Unknown: "The date, the GPU and the version of vLLM stand in no such file; " +
			"of the serving benchmark it repeats the result beside it: read one of them.",
	},
	Match: func(h *reading.Head) bool {
		return h.Kind == '[' && h.Has("benchmark", "model", "metric") &&
			h.HasNested("benchmark.name", "metric.name", "metric.benchmark_values")
	},
	Read: read,
}

// scalars are other results, in "extra_info" or a metric of their own.
var scalars = []record.Value{
	{Key: "elapsed_time", Quantity: metric.Duration, Stat: metric.Value, Unit: "s"},
	{Key: "requests_per_second", Quantity: metric.RequestThroughput, Stat: metric.Value, Unit: "req/s"},
	{Key: "tokens_per_second", Quantity: metric.TotalThroughput, Stat: metric.Value, Unit: "tok/s"},
}

// private are arguments that hold secrets.
var private = []string{
	"header", "headers", "api_key", "token", "hf_token", "extra_body",
}

// wanted are the arguments that tell configurations apart.
var wanted = []string{
	"backend", "dtype", "quantization", "kv_cache_dtype",
	"tensor_parallel_size", "pipeline_parallel_size", "data_parallel_size",
	"max_model_len", "enable_prefix_caching", "enforce_eager", "dataset_name",
}

// group is what the records of one measurement add up to.
type group struct {
	res      *record.Result
	facts    reading.Facts
	raw      [][]byte
	unmapped map[string]bool
	order    []string
}

func read(src *reading.Source, emit func(record.Record)) error {
	file := src.Path()
	folder, name := sessions.Split(file)
	name = strings.TrimSuffix(strings.TrimSuffix(name, path.Ext(name)), ".pytorch")
	groups := map[string]*group{}
	var keys []string
	reading.Values(src, true, func(v reading.Value) {
		o := reading.NewObject(file, v, emit)
		if v.Kind() != reading.KindObject || !o.Has("benchmark") || !o.Has("metric") {
			o.Bad("", "no record of PyTorch's benchmark format: it lacks \"benchmark\" and \"metric\"")
			return
		}
		key := string(o.Value("benchmark").Bytes()) + string(o.Value("model").Bytes())
		g := groups[key]
		if g == nil {
			g = &group{res: &record.Result{Base: record.Base{At: o.Pos()}}, unmapped: map[string]bool{}}
			groups[key] = g
			keys = append(keys, key)
			g.setup(o)
		}
		g.metric(o)
		g.raw = append(g.raw, v.Compact(reading.Elide{Longer: 64, Drop: private}))
		for _, k := range o.Unmapped() {
			if !g.unmapped[k] {
				g.unmapped[k] = true
				g.order = append(g.order, k)
			}
		}
	}, emit)
	for _, k := range keys {
		groups[k].finish(folder+" "+sessions.Variant(name), emit)
	}
	return nil
}

// setup reads what all records of a measurement share.
func (g *group) setup(o *reading.Object) {
	res := g.res
	res.Identity.Model = o.Sub("model").Text("name")
	g.facts.Add(record.FactModel, res.Identity.Model, o.At("model"))
	g.facts.Add(record.FactEngine, "vllm", o.At("benchmark"))
	args := o.Sub("benchmark").Sub("extra_info").Sub("args")
	args.Use("model", "header", "headers", "api_key", "token", "hf_token", "extra_body")
	count := int64(1)
	known := false
	for _, k := range wanted {
		text := args.Text(k)
		if text == "" {
			continue
		}
		res.Setup = append(res.Setup, record.KV{Key: k, Value: text})
		switch k {
		case "dtype", "quantization":
			if text != "auto" && text != "None" {
				g.facts.Add(record.FactPrecision, text, args.At(k))
			}
		case "tensor_parallel_size", "pipeline_parallel_size", "data_parallel_size":
			if n := args.Count(k); n != nil && *n > 0 && *n < 1<<16 {
				count, known = count**n, true
			}
		}
	}
	if known && count < 1<<20 {
		g.facts.Add(record.FactCount, strconv.FormatInt(count, 10), args.At("tensor_parallel_size"))
	}
	g.facts.Add(record.FactTokenizer, args.Text("tokenizer"), args.At("tokenizer"))
	w := &res.Workload
	w.PrefixCache = args.Truth("enable_prefix_caching")
	w.Dataset = args.Text("dataset_name")
	if args.Has("input_len") || args.Has("output_len") {
		w.Nominal = record.Lengths{Input: args.Length("input_len"), Output: args.Length("output_len")}
	} else if strings.HasPrefix(w.Dataset, "random") {
		w.Nominal = record.Lengths{Input: args.Length("random_input_len"), Output: args.Length("random_output_len")}
	}
	if w.Nominal != (record.Lengths{}) {
		w.LengthSemantics = "tool nominal"
	}
	res.Load.Batch = args.Count("batch_size")
	if args.Has("request_rate") {
		res.Load.Rate = args.Rate("request_rate")
	}
	servingjson.RampUp(res, args.Text)
	res.Load.MaxConcurrency = args.Count("max_concurrency")
	if args.Has("num_prompts") {
		w.NumPrompts = args.Count("num_prompts")
	}
}

// metric reads what one record adds.
func (g *group) metric(o *reading.Object) {
	res := g.res
	// setup has read these for the whole measurement.
	o.Sub("model").Use("name")
	bench := o.Sub("benchmark")
	bench.Use("name")
	bench.Sub("extra_info").Use("args")
	m := o.Sub("metric")
	name := m.Text("name")
	values := m.Numbers("benchmark_values")
	statistic, isStatistic := servingjson.Statistic(name)
	scalar, isScalar := servingjson.Scalar(scalars, name)
	switch {
	case len(values) == 0:
	case isStatistic:
		g.tool(servingjson.Tool)
		statistic.Number = values[0]
		res.Values = append(res.Values, statistic)
	case isScalar:
		if name == "requests_per_second" || name == "tokens_per_second" {
			g.tool("vllm-bench-throughput")
		}
		scalar.Number, scalar.Key = values[0], name
		res.Values = append(res.Values, scalar)
	case name == "latency":
		g.tool("vllm-bench-latency")
		g.latency(values, m)
	default:
		// A metric that is not known is named and kept.
		g.note("metric " + reading.Clip(name))
	}
	extra := m.Sub("extra_info")
	extra.Each(func(k string, _ reading.Value) {
		v, ok := servingjson.Scalar(scalars, k)
		switch {
		case ok:
			if n, ok := extra.Number(k); ok {
				v.Number, v.Key = n, k
				res.Values = append(res.Values, v)
			}
		case k == "completed" || k == "num_requests":
			res.Completed = extra.Count(k)
		case k == "failed":
			res.Failed = extra.Count(k)
		case k == "num_prompts":
			res.Workload.NumPrompts = extra.Count(k)
			res.Submitted = res.Workload.NumPrompts
		case k == "request_rate" && res.Workload.Name == "":
			res.Load.Rate = extra.Rate(k)
		case k == "max_concurrency":
			res.Load.MaxConcurrency = extra.Count(k)
		case k == "date":
			res.Date = extra.Text(k)
		}
	})
}

func (g *group) note(key string) {
	if !g.unmapped[key] {
		g.unmapped[key] = true
		g.order = append(g.order, key)
	}
}

func (g *group) tool(name string) {
	if g.res.Identity.Tool == "" {
		g.res.Identity.Tool = name
	}
}

// latency reads the times of a batch: all samples, and the percentiles that the tool computed.
func (g *group) latency(values []float64, m *reading.Object) {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	add := func(stat string, number float64, key string) {
		g.res.Values = append(g.res.Values, record.Value{
			Quantity: metric.E2ELatency, Stat: stat, Number: number, Unit: "s", Key: key, N: int64(len(values)),
		})
	}
	if mean := metric.Round(sum / float64(len(values))); !math.IsInf(mean, 0) {
		add(metric.Mean, mean, "")
	}
	add(metric.Min, slices.Min(values), "")
	add(metric.Max, slices.Max(values), "")
	m.Sub("extra_info").Use("avg_latency") // the mean of the samples
	ps := m.Sub("extra_info").Sub("percentiles")
	ps.Each(func(k string, _ reading.Value) {
		if stat := reading.Percentile(k); stat != "" {
			if v, ok := ps.Number(k); ok {
				add(stat, v, "percentiles."+k)
			}
		}
	})
}

func (g *group) finish(container string, emit func(record.Record)) {
	res := g.res
	if res.Identity.Tool == "" {
		res.Identity.Tool = "vllm-pytorch"
	}
	res.Values = reading.Measured(res.Values, res.Completed == nil || *res.Completed > 0)
	reading.MeanLengths(res)
	res.Facts, res.Unmapped = g.facts, g.order
	res.Raw = slices.Concat([]byte{'['}, bytes.Join(g.raw, []byte{','}), []byte{']'})
	setup := sessions.Digest(sessions.Setup(res.Setup))
	res.Key = record.SessionKey("vllm-pytorch", res.Identity.Tool, container, res.Identity.Model, setup)
	emit(res)
}
