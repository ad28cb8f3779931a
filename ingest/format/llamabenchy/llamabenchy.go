// Package llamabenchy reads the report of llama-benchy, JSON or the table that it prints, which measures an OpenAI-compatible
// server the way llama-bench measures the engine: prefill and decode speed by lengths, depth of
// the context and concurrency.
package llamabenchy

import (
	"math"
	"strconv"

	"github.com/inferdex/inferdex/ingest"
	"github.com/inferdex/inferdex/ingest/internal/clean"
	"github.com/inferdex/inferdex/ingest/internal/jsonval"
	"github.com/inferdex/inferdex/ingest/internal/object"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
)

const tool = "llama-benchy"

// Format reads reports of llama-benchy.
var Format = &ingest.Format{
	Name: "llama-benchy",
	Doc: ingest.Doc{
		Title:    "llama-bench-like results of a server",
		Tool:     "llama-benchy",
		Command:  "llama-benchy --save-result F --format json, llama-benchy | tee F",
		Versions: "0.1 to 0.4",
		Files:    "*.json, *.log, *.md",
		Reads: "Each test with its lengths, depth, concurrency, prefill and decode speed of a request, peak throughput, TTFT, " +
			"their deviations and numbers of repetitions, model and date.",
		Unknown: "The engine, its version, the GPU and the parallelism stand in no such file, nor does a throughput over the whole time; phases that only fill the context are not points.",
	},
	Marks: []string{"e2e_ttft (ms)"},
	Match: func(h *ingest.Head) bool {
		return h.Kind == 't' && tableHead.Match(h.Data) || h.Kind == '{' && h.Has("latency_mode", "benchmarks") &&
			(h.HasNested("benchmarks.prompt_size") || h.HasNested("benchmarks.response_size") || h.Has("prefix_caching_enabled"))
	},
	Read: read,
}

func read(src *ingest.Source, emit func(record.Record)) error {
	if src.Head.Kind == 't' {
		readText(src, emit)
		return nil
	}
	file := src.Path()
	n := 0
	object.Values(src, false, func(v jsonval.Value) {
		n++
		report(object.New(file, v, emit), n, emit)
	}, emit)
	return nil
}

// report reads the report that is the n-th document of its file.
func report(o *object.Object, n int, emit func(record.Record)) {
	list := o.Value("benchmarks")
	if list.Kind() != jsonval.Array {
		o.Bad("benchmarks", "no report of llama-benchy: its list of benchmarks is missing")
		return
	}
	date := o.Text("timestamp")
	model := o.Text("model")
	facts := clean.Facts{}
	facts.Add(record.FactModel, model, o.At("model"))
	facts.Add(record.FactToolVersion, o.Text("version"), o.At("version"))
	setup := []record.KV{}
	for _, key := range []string{"latency_mode", "prefix_caching_enabled"} {
		if s := o.Text(key); s != "" {
			setup = append(setup, record.KV{Key: key, Value: s})
		}
	}
	cache := o.Truth("prefix_caching_enabled")
	// The latency of the network is taken off in the results; the highest concurrency is each
	// test's own.
	o.Use("latency_ms", "max_concurrency")
	rest := o.Unmapped()
	file := o.Pos().File
	key := record.SessionKey(tool, file, date, strconv.Itoa(n))
	list.Items(func(_ int, v jsonval.Value) bool {
		b := object.New(file, v, emit)
		if v.Kind() != jsonval.Object {
			b.Bad("", "%v where a benchmark should stand", v.Kind())
			return true
		}
		res := test(b)
		if filling := b.Truth("is_context_prefill_phase"); filling != nil && *filling {
			// It loads the context of the next test: what it reports is no operating point.
			return true
		}
		res.Key, res.Date, res.Facts, res.Setup = key, date, facts, setup
		res.Identity = record.Identity{Tool: tool, Model: model}
		res.Workload.PrefixCache = cache
		res.Unmapped = append(b.Unmapped(), rest...)
		rest = nil // counted once a report
		res.Raw = v.Compact(jsonval.Elide{Longer: 64, Drop: map[string]bool{"throughput_over_time": true}})
		emit(res)
		return true
	})
}

// stats are the members that are read, each with a mean, a deviation and the values of the
// repetitions.
var stats = []struct {
	key, unit string
	quantity  metric.ID
}{
	{"pp_req_throughput", "tok/s", metric.PPSpeed},
	{"tg_req_throughput", "tok/s", metric.TGSpeed},
	{"peak_throughput", "tok/s", metric.PeakOutputThroughput},
	{"e2e_ttft", "ms", metric.TTFT},
}

func test(o *object.Object) *record.Result {
	res := &record.Result{Base: record.Base{At: o.Pos()}}
	if n := o.Count("concurrency"); n != nil && *n > 0 {
		res.Load.MaxConcurrency = n
	}
	w := &res.Workload
	w.Nominal = record.Lengths{Input: o.Length("prompt_size"), Output: o.Length("response_size")}
	w.Distribution, w.LengthSemantics = "fixed", "tool nominal"
	if depth := o.Count("context_size"); depth != nil && *depth > 0 {
		w.Name = "context of " + o.Text("context_size")
	}
	// ttfr is the time to the first answer of any kind and est_ppt is derived from it; the peak
	// of one request says less than its mean. The speeds of a phase over all requests are no
	// throughput of the wall time, which other tools mean by that word. They stay in the raw
	// record.
	o.Use("pp_throughput", "tg_throughput", "ttfr", "est_ppt", "peak_req_throughput", "throughput_over_time", "is_context_prefill_phase")
	for _, s := range stats {
		if !o.Has(s.key) {
			continue
		}
		sub := o.Sub(s.key)
		mean, ok := sub.Number("mean")
		if !ok || mean <= 0 {
			continue
		}
		n := int64(sub.Value("values").Len())
		res.Values = append(res.Values, record.Value{Quantity: s.quantity, Stat: metric.Mean, Number: mean, Unit: s.unit, Key: s.key + ".mean", N: n})
		if std, ok := sub.Number("std"); ok && std >= 0 && !math.IsInf(std, 0) {
			res.Values = append(res.Values, record.Value{Quantity: s.quantity, Stat: metric.Std, Number: std, Unit: s.unit, Key: s.key + ".std", N: n})
		}
	}
	return res
}
