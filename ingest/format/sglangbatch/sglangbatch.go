// Package sglangbatch reads the results of SGLang's batch benchmarks, each one JSON object a
// measurement: bench_one_batch, which drives the engine without a server, bench_one_batch_server
// and bench_offline_throughput; and what the first two print.
//
// The two that measure one batch call by "throughput" what a phase of the batch gave: tokens of
// all its prompts / time of the prefill, and tokens of all its outputs / time of the decoding.
// That is no throughput of the wall time. Divided by the size of the batch it is what one request
// saw, the speed of its prefill and of its decoding, and this is how it is read.
package sglangbatch

import (
	"math"
	"slices"

	"github.com/inferdex/inferdex/ingest/internal/servingjson"
	"github.com/inferdex/inferdex/ingest/internal/sessions"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

// Format reads batch results of SGLang.
var Format = &reading.Format{
	Name: "sglang-bench-batch",
	Doc: reading.Doc{
		Title: "SGLang batch results",
		Tool:  "SGLang",
		Command: "python -m sglang.bench_one_batch, sglang.bench_one_batch_server, sglang.bench_offline_throughput " +
			"--result-filename F; the first two with | tee F too",
		Versions: "2024 to 2026",
		Files:    "result.jsonl, *.jsonl, *.log, *.md",
		Reads: "Each batch with its size, lengths, wall time, time of the prefill and speeds of prefill and " +
			"decoding; of offline throughput the counts and throughputs.",
		Unknown: "The model, the date, the version of SGLang, the GPU and the parallelism stand in no such file; a log has " +
			"the model and the parallelism in the command above.",
	},
	Match: func(h *reading.Head) bool {
		if len(h.Keys) > 0 {
			return kindOf(h.Has) != nil
		}
		return h.Kind != 'b' && h.Kind != 0 && shown.Match(h.Data)
	},
	Marks:   []string{"Prefill. latency: ", "batch size: "},
	Clients: []string{"sglang.bench_one_batch", "sglang.bench_one_batch_server", "sglang.bench_latency"},
	Read:    read,
}

// kind is one of the three tools.
type kind struct {
	tool string
	keys []string // that tell its records from all others
	read func(*reading.Object, *record.Result)
}

var kinds = []*kind{
	{"sglang-bench-one-batch-server", []string{"latency", "overall_throughput", "batch_size"}, readServer},
	{"sglang-bench-one-batch", []string{"prefill_latency", "prefill_throughput", "batch_size"}, readBatch},
	{"sglang-bench-offline-throughput",
		[]string{"successful_requests", "total_latency", "last_gen_throughput"}, readOffline},
}

func kindOf(has func(keys ...string) bool) *kind {
	for _, k := range kinds {
		if has(k.keys...) {
			return k
		}
	}
	return nil
}

var texts = []string{"prompt", "prompts", "generated_text", "generated_texts"}

func read(src *reading.Source, emit func(record.Record)) error {
	if len(src.Head.Keys) == 0 {
		readLog(src, emit)
		return nil
	}
	var batch sessions.Batch
	reading.Each(src, true, "the record of a benchmark", func(o *reading.Object) {
		if k := kindOf(func(keys ...string) bool {
			return !slices.ContainsFunc(keys, func(key string) bool { return !o.Self().Get(key).Exists() })
		}); k != nil {
			batch.Add(result(o, k))
		} else {
			o.Bad("", "no record of a batch benchmark of SGLang: its keys are missing")
		}
	}, batch.Add)
	container := batch.Container(src.Path())
	batch.Emit(func(r *record.Result) string {
		return record.SessionKey("sglang", r.Identity.Tool, container, sessions.Digest(sessions.Setup(r.Setup)))
	}, nil, emit)
	return nil
}

// result reads one object of a kind.
func result(o *reading.Object, k *kind) *record.Result {
	res := &record.Result{Base: record.Base{At: o.Pos(), Identity: record.Identity{Tool: k.tool}}}
	facts := reading.Facts{}
	if ofSGLang(o, k) {
		facts.Add(record.FactEngine, "sglang", o.Pos())
	}
	// run_name is "default" unless it was set; a load in it tells no runs apart.
	if name := sessions.Variant(o.Text("run_name")); name != "" && name != "default" {
		facts.Add(record.FactSeries, name, o.At("run_name"))
		res.Setup = append(res.Setup, record.KV{Key: "run_name", Value: name})
	}
	k.read(o, res)
	o.Each(func(key string, f reading.Value) {
		switch s, ok := f.Str(); {
		case ok && !o.Used(key) && !slices.Contains(texts, key) && key != "profile_link":
			// A text that is not known was added to tell runs apart.
			o.Use(key)
			if s != "" {
				res.Setup = append(res.Setup, record.KV{Key: key, Value: s})
			}
		case slices.Contains(absent, key):
			// -1 stands for a number that the server did not give.
			if n, ok := f.Float(); ok && (n < 0 || math.IsNaN(n)) {
				o.Use(key)
			}
		}
	})
	res.Facts = facts
	o.Rest(res)
	res.Raw = o.Self().Compact(reading.Elide{Longer: 64, Texts: texts})
	return res
}

// ofSGLang reports whether a record is of SGLang itself. Two of the tools drive nothing else (a "backend" of offline
// throughput is "engine" or "runtime"); the one that asks a server asks vLLM too, which tells neither of its last batch
// nor how many tokens an answer has so far.
func ofSGLang(o *reading.Object, k *kind) bool {
	last, ok := o.Self().Get("last_gen_throughput").Float()
	return k != kinds[0] || !ok || last >= 0 || o.Self().Get("num_early_stopped").Kind() == reading.KindNumber
}

// absent are numbers that say nothing where they are -1.
var absent = []string{
	"last_gen_throughput", "acc_length", "cache_hit_rate", "steady_state_output_throughput",
	"steady_state_window_s",
}

// values collects numbers that are above 0: none of them can be measured as 0.
type values []record.Value

func (vs *values) add(q metric.ID, stat string, n float64, unit, key string) {
	if n > 0 && !math.IsInf(n, 0) {
		*vs = append(*vs, record.Value{Quantity: q, Stat: stat, Number: n, Unit: unit, Key: key})
	}
}

// each divides what a batch gave among its requests.
func (vs *values) each(q metric.ID, stat string, n, batch float64, key string) {
	switch {
	case batch == 1:
		vs.add(q, stat, n, "tok/s", key)
	case batch > 1:
		vs.add(q, stat, metric.Round(n/batch), "tok/s", "")
	}
}

// batch reads size and lengths of one batch; all its requests are alike.
func batch(o *reading.Object, res *record.Result) (size float64) {
	if n := o.Count("batch_size"); n != nil && *n > 0 {
		res.Load.Batch = n
		size = float64(*n)
	}
	w := &res.Workload
	w.Nominal = record.Lengths{Input: o.Length("input_len"), Output: o.Length("output_len")}
	w.Distribution, w.LengthSemantics = "fixed", "tool nominal"
	return size
}

func readBatch(o *reading.Object, res *record.Result) {
	size := batch(o, res)
	var vs values
	n, _ := o.Number("prefill_latency")
	vs.add(metric.TTFT, metric.Mean, n, "s", "prefill_latency") // of each request of the batch
	n, _ = o.Number("prefill_throughput")
	vs.each(metric.PPSpeed, metric.Value, n, size, "prefill_throughput")
	// The time of a decoding step is the gap between two tokens of every request.
	n, _ = o.Number("median_decode_latency")
	vs.add(metric.ITL, metric.Median, n, "s", "median_decode_latency")
	n, _ = o.Number("median_decode_throughput")
	vs.each(metric.TGSpeed, metric.Median, n, size, "median_decode_throughput")
	wall, _ := o.Number("total_latency")
	vs.add(metric.Duration, metric.Value, wall, "s", "total_latency")
	n, _ = o.Number("overall_throughput")
	vs.add(metric.TotalThroughput, metric.Value, n, "tok/s", "overall_throughput")
	if out := res.Workload.Nominal.Output; out != nil && wall > 0 {
		vs.add(metric.OutputThroughput, metric.Value, metric.Round(size**out/wall), "tok/s", "")
	}
	res.Values = vs
}

func readServer(o *reading.Object, res *record.Result) {
	size := batch(o, res)
	var vs values
	wall, _ := o.Number("latency")
	vs.add(metric.Duration, metric.Value, wall, "s", "latency")
	n, _ := o.Number("last_ttft")
	stat := metric.Max // of the request that waited longest
	if size == 1 {
		stat = metric.Mean
	}
	vs.add(metric.TTFT, stat, n, "s", "last_ttft")
	ttft := n
	n, _ = o.Number("input_throughput")
	vs.each(metric.PPSpeed, metric.Value, n, size, "input_throughput")
	// Recorded prompts have lengths of their own, whatever length was asked for. A printed time has two decimals, which says
	// that the mean is another one, and what it is where the time is long.
	w := &res.Workload
	if mean := metric.Round(n * ttft / size); w.Nominal.Input != nil && size > 0 && n > 0 && ttft > 0 &&
		math.Abs(mean-*w.Nominal.Input) > (0.01+0.006/ttft)**w.Nominal.Input {
		w.Nominal.Input, w.Distribution = nil, ""
		if hundredths := metric.Round(100 * ttft); ttft >= 0.5 || hundredths != math.Trunc(hundredths) {
			w.Actual.Input = &mean
		}
	}
	n, _ = o.Number("output_throughput")
	// Until early 2025 it was over the whole time, and stood alone.
	whole := !o.Has("last_gen_throughput") && !o.Has("last_ttft") && !o.Has("input_throughput")
	if whole {
		vs.add(metric.OutputThroughput, metric.Value, n, "tok/s", "output_throughput")
	} else {
		vs.each(metric.TGSpeed, metric.Value, n, size, "output_throughput")
	}
	n, _ = o.Number("overall_throughput")
	vs.add(metric.TotalThroughput, metric.Value, n, "tok/s", "overall_throughput")
	// Requests that stopped early gave fewer tokens than were asked for.
	tokens, counted := o.Number("total_output_tokens")
	early, _ := o.Number("num_early_stopped")
	if counted {
		vs.add(metric.OutputTokens, metric.Total, tokens, "tokens", "total_output_tokens")
		if size > 0 && tokens > 0 {
			mean := metric.Round(tokens / size)
			res.Workload.Actual.Output = &mean
		}
	} else if out := res.Workload.Nominal.Output; out != nil && early == 0 {
		tokens = size * *out
	}
	if wall > 0 && !whole {
		vs.add(metric.OutputThroughput, metric.Value, metric.Round(tokens/wall), "tok/s", "")
	}
	n, _ = o.Number("acc_length")
	vs.add(metric.AcceptanceLength, metric.Value, n, "tokens", "acc_length")
	// Of the tokens that the server counted during the batch; none of them may be in its cache. "--cache-hit-rate" is what was
	// asked for, and stands in no result.
	if n, ok := o.Value("cache_hit_rate").Finite(); ok && n >= 0 {
		o.Use("cache_hit_rate")
		vs = append(vs, record.Value{Quantity: metric.PrefixCacheHits, Stat: metric.Value, Number: n, Unit: metric.Fraction,
			Key: "cache_hit_rate"})
	}
	res.Values = vs
}

func readOffline(o *reading.Object, res *record.Result) {
	res.Load.Rate = reading.AtOnce()
	res.Setup = append(res.Setup, o.Setup("backend")...)
	// All numbers begin as -1 and stay so where the tool got no further.
	if n, ok := o.Value("successful_requests").Float(); !ok || n != -1 {
		res.Completed = o.Count("successful_requests")
	}
	var vs values
	o.Each(func(k string, _ reading.Value) {
		if v, ok := servingjson.Scalar(offline, k); ok {
			n, _ := o.Number(k)
			vs.add(v.Quantity, v.Stat, n, v.Unit, k)
		}
	})
	res.Values = vs
	reading.MeanLengths(res)
}

// offline are the results that are one number.
var offline = []record.Value{
	{Key: "total_latency", Quantity: metric.Duration, Stat: metric.Value, Unit: "s"},
	{Key: "total_throughput", Quantity: metric.TotalThroughput, Stat: metric.Value, Unit: "tok/s"},
}
