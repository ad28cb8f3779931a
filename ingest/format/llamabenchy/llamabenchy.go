// Package llamabenchy reads the report of llama-benchy, JSON or the table that it prints. The tool
// measures an OpenAI-compatible server the way llama-bench measures the engine: prefill and decode
// speed by lengths, depth of the context and concurrency.
package llamabenchy

import (
	"strconv"

	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

const tool = "llama-benchy"

// Format reads reports of llama-benchy.
var Format = &reading.Format{
	Name: "llama-benchy",
	Doc: reading.Doc{
		Title:    "llama-bench-like results of a server",
		Tool:     "llama-benchy",
		Command:  "llama-benchy --save-result F --format json, md or csv, llama-benchy | tee F",
		Versions: "0.1 to 0.4",
		Files:    "*.json, *.csv, *.log, *.md",
		Reads: "Each test with its lengths, depth, concurrency, prefill and decode speed of a request, peak " +
			"throughput, TTFT, their deviations and numbers of repetitions, model and date.",
		Unknown: "The engine, its version, the GPU and the parallelism stand in no such file, nor does a throughput " +
			"over the whole time; phases that only fill the context are not points.",
	},
	Marks: []string{"e2e_ttft (ms)"},
	Match: func(h *reading.Head) bool {
		return h.Kind == 't' && (tableHead.Match(h.Data) || isCSV(h.Data)) || h.Kind == '{' && h.Has("latency_mode", "benchmarks") &&
			(h.HasNested("benchmarks.prompt_size") || h.HasNested("benchmarks.response_size") ||
				h.Has("prefix_caching_enabled"))
	},
	Damaged: damaged,
	Clients: []string{"llama-benchy"},
	Read:    read,
}

func read(src *reading.Source, emit func(record.Record)) error {
	switch {
	case src.Head.Kind == 't' && isCSV(src.Data):
		readCSV(src, emit)
		return nil
	case src.Head.Kind == 't':
		readText(src, emit)
		return nil
	}
	n := 0
	reading.Values(src, false, func(v reading.Value) {
		n++
		report(reading.NewObject(src.Path(), v, emit), n, emit)
	}, emit)
	return nil
}

// report reads the report that is the n-th document of its file.
func report(o *reading.Object, n int, emit func(record.Record)) {
	if o.Value("benchmarks").Kind() != reading.KindArray {
		o.Bad("benchmarks", "no report of llama-benchy: its list of benchmarks is missing")
		return
	}
	date := o.Text("timestamp")
	model := o.Text("model")
	facts := reading.Facts{}
	o.Fact(&facts, record.FactModel, "model")
	o.Fact(&facts, record.FactToolVersion, "version")
	setup := o.Setup("latency_mode", "prefix_caching_enabled")
	cache := o.Truth("prefix_caching_enabled")
	// The latency of the network is taken off in the results; the highest concurrency is each
	// test's own.
	o.Use("latency_ms", "max_concurrency")
	rest := o.Unmapped()
	key := record.SessionKey(tool, o.Pos().File, date, strconv.Itoa(n))
	o.Elements("benchmarks", "a benchmark", func(b *reading.Object) {
		res := test(b)
		if filling := b.Truth("is_context_prefill_phase"); filling != nil && *filling {
			// It loads the context of the next test: what it reports is no operating point.
			return
		}
		res.Key, res.Date, res.Facts, res.Setup = key, date, facts, setup
		res.Identity = record.Identity{Tool: tool, Model: model}
		res.Workload.PrefixCache = cache
		b.Rest(res)
		res.Unmapped = append(res.Unmapped, rest...)
		rest = nil // counted once a report
		res.Raw = b.Self().Compact(reading.Elide{Longer: 64, Drop: []string{"throughput_over_time"}})
		emit(res)
	})
}

// stats are the members that are read, each with a mean, a deviation and the values of the
// repetitions.
var stats = []reading.Meaning{
	{Key: "pp_req_throughput", Quantity: metric.PPSpeed, Unit: "tok/s"},
	{Key: "tg_req_throughput", Quantity: metric.TGSpeed, Unit: "tok/s"},
	{Key: "peak_throughput", Quantity: metric.PeakOutputThroughput, Unit: "tok/s"},
	{Key: "e2e_ttft", Quantity: metric.TTFT, Unit: "ms"},
}

func test(o *reading.Object) *record.Result {
	res := &record.Result{Base: record.Base{At: o.Pos()}}
	res.Load.MaxConcurrency = o.Positive("concurrency")
	w := &res.Workload
	w.Nominal = record.Lengths{Input: o.Length("prompt_size"), Output: o.Length("response_size")}
	w.Distribution, w.LengthSemantics = "fixed", "tool nominal"
	if o.Positive("context_size") != nil {
		w.Name = "context of " + o.Text("context_size")
	}
	// ttfr is the time to the first answer of any kind and est_ppt is derived from it; the peak
	// of one request says less than its mean. The speeds of a phase over all requests are no
	// throughput of the wall time, which other tools mean by that word. They stay in the raw
	// record.
	o.Use("pp_throughput", "tg_throughput", "ttfr", "est_ppt", "peak_req_throughput", "throughput_over_time",
		"is_context_prefill_phase")
	for _, s := range stats {
		if !o.Has(s.Key) {
			continue
		}
		sub := o.Sub(s.Key)
		if mean, ok := sub.Number("mean"); !ok || mean <= 0 {
			continue
		}
		before := len(res.Values)
		sub.Measure(&res.Values, s.Quantity, metric.Mean, s.Unit, "mean")
		if std, ok := sub.Number("std"); ok && std >= 0 {
			sub.Measure(&res.Values, s.Quantity, metric.Std, s.Unit, "std")
		}
		for i := range res.Values[before:] {
			res.Values[before+i].N = int64(sub.Value("values").Len())
		}
	}
	return res
}
