// Package llmdprism reads the catalogue of runs that llm-d Prism publishes (llm-d-benchmarks.json):
// an array of flat entries, one a load. Times are in milliseconds, and 0 stands for what is missing.
//
// Two of its fields do not say what their names promise. "target_qps" repeats the rate that came
// about, and is a target only where it differs; the rate asked for stands in the name of the file
// that the entry was made of. "throughput" is that of all tokens in some entries and of the
// output in others: the lengths and the request rate tell which.
package llmdprism

import (
	"cmp"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

// Format reads catalogues of Prism.
var Format = &reading.Format{
	Name: "llm-d-prism",
	Doc: reading.Doc{
		Title:    "llm-d Prism catalogue",
		Tool:     "llm-d Prism",
		Command:  "as published",
		Versions: "2025 to 2026",
		Files:    "llm-d-benchmarks.json",
		Reads: "Each entry with model, accelerators, engine, the division into prefill and decoding, concurrency, " +
			"lengths, throughputs, failures, date, and the means and medians of TTFT, TPOT, ITL and end-to-end " +
			"latency.",
		Unknown: "Counts of requests, other percentiles, engine versions and launch arguments stand in no such file.",
	},
	Match: func(h *reading.Head) bool {
		return (h.Kind == '[' || h.Kind == '{') &&
			h.Has("id", "metrics", "workload", "source_info", "accelerator_count") &&
			(h.HasNested("metrics.ttft") || h.HasNested("metrics.request_rate"))
	},
	Read: read,
}

const tool = "llm-d-benchmark"

func read(src *reading.Source, emit func(record.Record)) error {
	reading.EachWith(src, "metrics", "no entry of a Prism catalogue", func(o *reading.Object) { emit(entry(o)) }, emit)
	return nil
}

// asked is the rate in the name of vLLM's own result files: "vllm-infqps-concurrency8-...",
// "vllm-2.5qps-...".
var asked = regexp.MustCompile(`(?:^|[-_])(inf|[0-9]+(?:\.[0-9]+)?)qps(?:[-_]|$)`)

// known is a text that says something.
func known(s string) string {
	switch strings.ToLower(s) {
	case "unknown", "n/a", "none":
		return ""
	}
	return s
}

// entry reads one entry.
func entry(o *reading.Object) *record.Result {
	res := &record.Result{Base: record.Base{At: o.Pos(), Date: o.Text("timestamp")}}
	res.Identity = record.Identity{Tool: tool, Model: o.Text("model")}
	meta, source := o.Sub("metadata"), o.Sub("source_info")
	describe(o, meta, res)
	source.Use("type")
	experiment := source.Text("origin")
	name := cmp.Or(source.Text("file_identifier"), o.Text("filename"))
	session := []string{"llm-d-prism", o.Pos().File, experiment, res.Identity.Model}
	for _, kv := range res.Setup {
		session = append(session, kv.Value)
	}
	res.Key = record.SessionKey(session...)

	work, metrics := o.Sub("workload"), o.Sub("metrics")
	load(work, metrics, name, res)
	res.Failed = metrics.Count("error_count")
	latencies(metrics, res)
	throughput(metrics, res)
	res.Values = reading.Measured(res.Values, true)
	reading.FirstTokens(res)
	res.Unmapped = append(res.Unmapped, o.Unmapped()...)
	o.NotNumbers(res)
	res.Raw = o.Self().Compact(reading.Elide{Longer: 64})
	return res
}

// describe reads what was measured, on what, and what tells runs apart.
func describe(o, meta *reading.Object, res *record.Result) {
	facts := reading.Facts{}
	o.Fact(&facts, record.FactModel, "model")
	facts.Add(record.FactHardware, known(o.Text("hardware")), o.At("hardware"))
	if n := o.Positive("accelerator_count"); n != nil {
		facts.Add(record.FactCount, strconv.FormatInt(*n, 10), o.At("accelerator_count"))
	}
	facts.Add(record.FactEngine, known(meta.Text("backend")), meta.At("backend"))
	facts.Add(record.FactPrecision, known(meta.Text("precision")), meta.At("precision"))
	facts.Add(record.FactSeries, known(o.Text("configuration")), o.At("configuration"))
	res.Facts = facts
	res.Setup = append(
		o.Setup("model", "hardware", "accelerator_count", "architecture", "pd_ratio", "configuration",
			"prefill_node_count", "decode_node_count", "prefill_tp", "decode_tp"),
		meta.Setup("tensor_parallelism", "backend", "precision")...)
	// What stands twice, and names of the file that the entry was made of.
	o.Use("id", "model_name", "accelerator_type", "source", "filename")
	meta.Use("configuration", "model_name", "hardware", "prefill_tp", "decode_tp")
}

// load reads how hard the server was driven, and with which lengths.
func load(work, metrics *reading.Object, name string, res *record.Result) {
	w := &res.Workload
	w.Nominal = record.Lengths{Input: work.Length("input_tokens"), Output: work.Length("output_tokens")}
	if w.Nominal != (record.Lengths{}) {
		w.LengthSemantics = "tool nominal"
	}
	res.Load.MaxConcurrency = work.Positive("concurrency")
	rate, _ := metrics.Number("request_rate")
	target, _ := work.Number("target_qps")
	if m := asked.FindStringSubmatch(name); m != nil {
		target, _ = strconv.ParseFloat(m[1], 64)
	} else if target == rate {
		return
	}
	if target > 0 {
		f := record.Float(target)
		res.Load.Rate = &f
	}
}

// times are the latencies by their keys. Keys of equal meaning stand one behind the other.
var times = []struct {
	key string
	is  metric.ID
}{
	{"latency", metric.E2ELatency}, {"e2e_latency", metric.E2ELatency},
	{"ttft", metric.TTFT}, {"ttft_ms", metric.TTFT},
	{"tpot", metric.TPOT}, {"time_per_output_token", metric.TPOT}, {"tpot_ms", metric.TPOT},
	{"itl", metric.ITL}, {"itl_ms", metric.ITL},
}

// latencies reads the latencies, each an object of statistics or a number, which is the mean.
func latencies(metrics *reading.Object, res *record.Result) {
	for _, x := range times {
		if metrics.Value(x.key).Kind() != reading.KindObject {
			metrics.Measure(&res.Values, x.is, metric.Mean, "ms", x.key)
			continue
		}
		for _, key := range []string{"mean", "p50", "p90", "p95", "p99"} {
			metrics.Sub(x.key).Measure(&res.Values, x.is, reading.Statistic(key), "ms", key)
		}
	}
}

// throughput reads the throughputs. That of tokens is of all or of the output: the lengths tell which, and are
// those served then.
func throughput(metrics *reading.Object, res *record.Result) {
	rate, hasRate := metrics.Measure(&res.Values, metric.RequestThroughput, metric.Value, "req/s", "request_rate")
	all, ok := metrics.Number("throughput")
	if !ok || all <= 0 {
		return
	}
	near := func(x float64) bool { return math.Abs(x-all) <= 0.02*all }
	in, out := res.Workload.Nominal.Input, res.Workload.Nominal.Output
	switch {
	case hasRate && in != nil && out != nil && near(rate*(*in+*out)):
		metrics.Measure(&res.Values, metric.TotalThroughput, metric.Value, "tok/s", "throughput")
		output := metric.Round(rate * *out)
		res.Values = append(res.Values,
			record.Value{Quantity: metric.OutputThroughput, Stat: metric.Value, Number: output, Unit: "tok/s"})
		res.Workload.Actual = record.Lengths{Input: in, Output: out}
	case hasRate && out != nil && near(rate**out):
		metrics.Measure(&res.Values, metric.OutputThroughput, metric.Value, "tok/s", "throughput")
		res.Workload.Actual = record.Lengths{Output: out}
	default:
		res.Unmapped = append(res.Unmapped, "metrics.throughput")
	}
}
