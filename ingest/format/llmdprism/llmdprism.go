// Package llmdprism reads the catalogue of runs that llm-d Prism publishes (llm-d-benchmarks.json):
// an array of flat entries, one a load. Times are in milliseconds, and 0 stands for what is missing.
//
// Two of its fields do not say what their names promise. "target_qps" repeats the rate that came
// about, and is a target only where it differs; the rate asked for stands in the name of the file
// that the entry was made of. "throughput" is that of all tokens in some entries and of the
// output in others: the lengths and the request rate tell which.
package llmdprism

import (
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest"
	"github.com/inferdex/inferdex/ingest/internal/clean"
	"github.com/inferdex/inferdex/ingest/internal/jsonval"
	"github.com/inferdex/inferdex/ingest/internal/object"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
)

// Format reads catalogues of Prism.
var Format = &ingest.Format{
	Name: "llm-d-prism",
	Doc: ingest.Doc{
		Title:    "llm-d Prism catalogue",
		Tool:     "llm-d Prism",
		Command:  "as published",
		Versions: "2025 to 2026",
		Files:    "llm-d-benchmarks.json",
		Reads: "Each entry with model, accelerators, engine, the division into prefill and decoding, concurrency, lengths, throughputs, failures, date, " +
			"and the means and medians of TTFT, TPOT, ITL and end-to-end latency.",
		Unknown: "Counts of requests, other percentiles, engine versions and launch arguments stand in no such file.",
	},
	Match: func(h *ingest.Head) bool {
		return (h.Kind == '[' || h.Kind == '{') && h.Has("id", "metrics", "workload", "source_info", "accelerator_count") &&
			(h.HasNested("metrics.ttft") || h.HasNested("metrics.request_rate"))
	},
	Read: read,
}

const tool = "llm-d-benchmark"

func read(src *ingest.Source, emit func(record.Record)) error {
	file := src.Path()
	object.Values(src, true, func(v jsonval.Value) {
		o := object.New(file, v, emit)
		if v.Kind() != jsonval.Object || !o.Has("metrics") {
			o.Bad("", "no entry of a Prism catalogue: it lacks \"metrics\"")
			return
		}
		emit(entry(file, o, v))
	}, emit)
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

func entry(file string, o *object.Object, v jsonval.Value) *record.Result {
	res := &record.Result{Base: record.Base{At: o.Pos(), Date: o.Text("timestamp")}}
	meta, source := o.Sub("metadata"), o.Sub("source_info")
	model := o.Text("model")
	res.Identity = record.Identity{Tool: tool, Model: model}
	facts := clean.Facts{}
	facts.Add(record.FactModel, model, o.At("model"))
	facts.Add(record.FactHardware, known(o.Text("hardware")), o.At("hardware"))
	if n := o.Count("accelerator_count"); n != nil && *n > 0 {
		facts.Add(record.FactCount, strconv.FormatInt(*n, 10), o.At("accelerator_count"))
	}
	facts.Add(record.FactEngine, known(meta.Text("backend")), meta.At("backend"))
	facts.Add(record.FactPrecision, known(meta.Text("precision")), meta.At("precision"))
	facts.Add(record.FactSeries, known(o.Text("configuration")), o.At("configuration"))
	res.Facts = facts
	for _, k := range []string{"model", "hardware", "accelerator_count", "architecture", "pd_ratio", "configuration", "prefill_node_count", "decode_node_count", "prefill_tp", "decode_tp"} {
		if s := o.Text(k); s != "" {
			res.Setup = append(res.Setup, record.KV{Key: k, Value: s})
		}
	}
	for _, k := range []string{"tensor_parallelism", "backend", "precision"} {
		if s := meta.Text(k); s != "" {
			res.Setup = append(res.Setup, record.KV{Key: k, Value: s})
		}
	}
	// What stands twice, and names of the file that the entry was made of.
	o.Use("id", "model_name", "accelerator_type", "source", "filename")
	meta.Use("configuration", "model_name", "hardware", "prefill_tp", "decode_tp")
	source.Use("type")
	experiment := source.Text("origin")
	name := source.Text("file_identifier")
	if name == "" {
		name = o.Text("filename")
	}
	session := []string{"llm-d-prism", file, experiment, model}
	for _, kv := range res.Setup {
		session = append(session, kv.Value)
	}
	res.Key = record.SessionKey(session...)

	work, metrics := o.Sub("workload"), o.Sub("metrics")
	w := &res.Workload
	in, out := work.Length("input_tokens"), work.Length("output_tokens")
	rate, hasRate := metrics.Number("request_rate")
	if c := work.Count("concurrency"); c != nil && *c > 0 {
		res.Load.MaxConcurrency = c
	}
	target, hasTarget := work.Number("target_qps")
	var r record.Float
	switch m := asked.FindStringSubmatch(name); {
	case m != nil:
		f, err := strconv.ParseFloat(m[1], 64)
		if r = record.Float(f); err == nil && f > 0 {
			res.Load.Rate = &r
		}
	case hasTarget && target > 0 && target != rate:
		r = record.Float(target)
		res.Load.Rate = &r
	}
	if n := metrics.Count("error_count"); n != nil {
		res.Failed = n
	}

	value := func(q metric.ID, stat, unit, key string, n float64) {
		res.Values = append(res.Values, record.Value{Quantity: q, Stat: stat, Number: n, Unit: unit, Key: key})
	}
	for _, d := range []struct {
		keys []string // of equal meaning; the first is an object or a number
		is   metric.ID
	}{
		{[]string{"latency", "e2e_latency"}, metric.E2ELatency},
		{[]string{"ttft", "ttft_ms"}, metric.TTFT},
		{[]string{"tpot", "time_per_output_token", "tpot_ms"}, metric.TPOT},
		{[]string{"itl", "itl_ms"}, metric.ITL},
	} {
		for _, k := range d.keys {
			if metrics.Value(k).Kind() == jsonval.Object {
				s := metrics.Sub(k)
				for _, x := range [][2]string{{"mean", metric.Mean}, {"p50", metric.Median}, {"p90", "p90"}, {"p95", "p95"}, {"p99", "p99"}} {
					if n, ok := s.Number(x[0]); ok {
						value(d.is, x[1], "ms", "metrics."+k+"."+x[0], n)
					}
				}
			} else if n, ok := metrics.Number(k); ok {
				value(d.is, metric.Mean, "ms", "metrics."+k, n)
			}
		}
	}
	if hasRate {
		value(metric.RequestThroughput, metric.Value, "req/s", "metrics.request_rate", rate)
	}
	if all, ok := metrics.Number("throughput"); ok && all > 0 {
		near := func(x float64) bool { return math.Abs(x-all) <= 0.02*all }
		switch {
		case hasRate && in != nil && out != nil && near(rate*(*in+*out)):
			value(metric.TotalThroughput, metric.Value, "tok/s", "metrics.throughput", all)
			value(metric.OutputThroughput, metric.Value, "tok/s", "", clean.Round(rate**out))
			w.Actual = record.Lengths{Input: in, Output: out} // they are those served
		case hasRate && out != nil && near(rate**out):
			value(metric.OutputThroughput, metric.Value, "tok/s", "metrics.throughput", all)
			w.Actual = record.Lengths{Output: out}
		default:
			res.Unmapped = append(res.Unmapped, "metrics.throughput")
		}
	}
	w.Nominal = record.Lengths{Input: in, Output: out}
	if w.Nominal != (record.Lengths{}) {
		w.LengthSemantics = "tool nominal"
	}
	res.Values = clean.Measured(res.Values, true)
	for _, x := range res.Values {
		if x.Quantity == metric.TTFT {
			yes := true // a first token is seen on a stream only
			w.Streaming = &yes
		}
	}
	res.Unmapped = append(res.Unmapped, o.Unmapped()...)
	res.Raw = v.Compact(jsonval.Elide{Longer: 64})
	return res
}
