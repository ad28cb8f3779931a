// Package hfbenchmarker reads the reports of Hugging Face's inference-benchmarker: the
// configuration of a benchmark, then its results, one a load, the first of which only warms the
// server up.
//
// What the tool calls inter-token latency is, of each request, the time after the first token /
// (output tokens - 1): it is read as TPOT. Early releases divided by all output tokens or by the
// number of chunks, and nothing in the file tells which.
package hfbenchmarker

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

const tool = "inference-benchmarker"

// Format reads reports of inference-benchmarker.
var Format = &reading.Format{
	Name: "hf-inference-benchmarker",
	Doc: reading.Doc{
		Title:    "reports: configuration and results by load",
		Tool:     "inference-benchmarker (Hugging Face)",
		Command:  "inference-benchmarker",
		Versions: "1.0 and later",
		Files:    "results/<tokenizer>_<date>.json",
		Reads: "Each load (virtual users or a rate) with its counts, throughput, TTFT, TPOT (which the tool calls " +
			"inter-token latency) and E2E latency, lengths and date; engine, version, device and parallelism where " +
			"--extra-meta states them.",
		Unknown: "The server's hardware, which --extra-meta alone can state: the system of such a file is the " +
			"client's. Warm-up is not a point.",
	},
	Match: func(h *reading.Head) bool {
		return h.Kind == '{' && h.Has("config", "results") && h.HasNested("config.max_vus") &&
			(h.HasNested("config.benchmark_kind") || h.HasNested("results.executor_type"))
	},
	Read: read,
}

// elide takes the name of the client's machine out.
var elide = reading.Elide{Longer: 64, Drop: []string{"hostname"}}

func read(src *reading.Source, emit func(record.Record)) error {
	reading.Values(src, false, func(v reading.Value) {
		o := reading.NewObject(src.Path(), v, emit)
		if v.Kind() != reading.KindObject || !o.Has("config") || !o.Has("results") {
			o.Bad("", "no report of inference-benchmarker: \"config\" and \"results\" are missing")
			return
		}
		report(o, emit)
	}, emit)
	return nil
}

// metas are the keys of --extra-meta that the tool's own dashboard knows.
var metas = [][2]string{
	{"engine", record.FactEngine}, {"version", record.FactEngineVersion}, {"engine_version", record.FactEngineVersion},
	{"device", record.FactHardware}, {"gpu", record.FactHardware}, {"tp", record.FactCount}, {"num_gpus", record.FactCount},
	{"precision", record.FactPrecision}, {"dtype", record.FactPrecision}, {"quantization", record.FactPrecision},
}

// mostAbout and mostMeta bound what every result of a report repeats, in bytes and in keys.
const mostAbout, mostMeta = 16 << 10, 50

func report(o *reading.Object, emit func(record.Record)) {
	config := o.Sub("config")
	tokenizer := config.Text("tokenizer")
	model := cmp.Or(config.Text("model_name"), tokenizer) // the tool uses one for both unless it is given two
	fs := reading.Facts{}
	fs.Add(record.FactModel, model, config.At("model_name"))
	fs.Add(record.FactTokenizer, tokenizer, config.At("tokenizer"))
	extra(&fs, config.Sub("meta"))
	date, run := o.Text("start_time"), config.Text("run_id")
	fs.Add("labels.run_id", run, config.At("run_id"))
	setup := config.Setup("benchmark_kind", "profile", "duration_secs", "warmup_duration_secs")
	var w record.Workload
	lengths(&w, config)
	w.Dataset = config.Text("profile")
	config.Use("max_vus", "rates", "num_rates") // each load has its own
	o.Use("end_time")
	// The system is that of the client.
	o.Sub("system").Use("cpu", "memory", "os_name", "os_version", "kernel", "hostname")

	if list := o.Value("results"); list.Kind() != reading.KindArray {
		o.Bad("results", "\"results\" is %v, a list was expected", list.Kind())
		return
	}
	rest := o.Unmapped()
	var about reading.Builder
	about.Add("config", o.Value("config").Compact(elide))
	about.Add("system", o.Value("system").Compact(elide))
	o.Elements("results", "a result", func(r *reading.Object) {
		if r.Text("id") == "warmup" {
			return
		}
		res := result(r)
		res.Key, res.Date = record.SessionKey(tool, run, date, model), date
		res.Identity = record.Identity{Tool: tool, Model: model}
		res.Facts, res.Setup = fs, setup
		actual := res.Workload.Actual
		res.Workload = w
		res.Workload.Actual = actual
		r.Rest(res)
		res.Unmapped = append(res.Unmapped, rest...)
		rest = nil // counted once a report
		raw := about
		raw.Add("result", r.Self().Compact(elide))
		res.Raw = raw.JSON()
		if len(about.JSON()) > mostAbout {
			about = reading.Builder{} // a long configuration stands in the first record alone
		}
		emit(res)
	})
}

// extra states what --extra-meta says.
func extra(fs *reading.Facts, meta *reading.Object) {
	meta.Each(func(k string, f reading.Value) {
		if s := f.Scalar(); s != "" && k != "" && len(*fs) < mostMeta {
			fs.Add(cmp.Or(reading.Second(metas, k), "labels."+reading.Clip(k)), s, meta.At(k))
			meta.Use(k)
		}
	})
}

// lengths reads what was asked for: a number of tokens, with a variance where lengths vary.
func lengths(w *record.Workload, config *reading.Object) {
	var spread []string
	for _, side := range []struct {
		key, word string
		to        **float64
	}{{"prompt_options", "in", &w.Nominal.Input}, {"decode_options", "out", &w.Nominal.Output}} {
		in := config.Sub(side.key)
		*side.to = in.Length("num_tokens")
		least, most := in.Length("min_tokens"), in.Length("max_tokens")
		variance, _ := in.Number("variance")
		if variance > 0 {
			text := "variance " + strconv.FormatFloat(variance, 'g', -1, 64) + " " + side.word
			if least != nil && most != nil && *least < *most {
				text += fmt.Sprintf(" from %.0f to %.0f", *least, *most)
			}
			spread = append(spread, text)
		}
	}
	if w.Nominal == (record.Lengths{}) {
		return
	}
	w.LengthSemantics, w.TokenCounting, w.Distribution = "client tokenizer", "client tokenizer", "fixed"
	if len(spread) > 0 {
		w.Distribution = "normal, " + strings.Join(spread, ", ")
	}
}

// latencies are the distributions of a result.
var latencies = []reading.Meaning{
	{Key: "time_to_first_token_ms", Quantity: metric.TTFT, Unit: "ms"},
	{Key: "inter_token_latency_ms", Quantity: metric.TPOT, Unit: "ms"},
	{Key: "e2e_latency_ms", Quantity: metric.E2ELatency, Unit: "ms"},
}

// statistic is that of a key; the zeros at the end of a percentile say nothing: "p99.0".
func statistic(k string) string {
	p, ok := strings.CutPrefix(k, "p")
	f, err := strconv.ParseFloat(p, 64)
	switch {
	case k == "avg" || k == "p50":
		return reading.Statistic(k)
	case ok && err == nil && f > 0 && f < 100:
		return "p" + strconv.FormatFloat(f, 'f', -1, 64)
	}
	return ""
}

func result(o *reading.Object) *record.Result {
	res := &record.Result{Base: record.Base{At: o.Pos()}}
	config := o.Sub("config")
	config.Use("duration_secs")
	// At a rate the virtual users are only the bound of a pool.
	if config.Has("rate") {
		res.Load.Rate = config.Rate("rate")
		config.Use("max_vus")
	} else {
		res.Load.MaxConcurrency = config.Positive("max_vus")
	}
	o.Use("executor_type")
	res.Submitted = o.Count("total_requests")
	res.Completed, res.Failed = o.Count("successful_requests"), o.Count("failed_requests")
	for _, l := range latencies {
		if o.Has(l.Key) {
			o.Sub(l.Key).Statistics(&res.Values, l.Quantity, l.Unit, statistic)
		}
	}
	o.Measure(&res.Values, metric.OutputThroughput, metric.Value, "tok/s", "token_throughput_secs")
	o.Measure(&res.Values, metric.RequestThroughput, metric.Value, "req/s", "request_rate")
	o.Measure(&res.Values, metric.Duration, metric.Value, "ms", "duration_ms")
	o.Measure(&res.Values, metric.OutputTokens, metric.Total, "tokens", "total_tokens")
	o.Measure(&res.Values, metric.InputTokens, metric.Total, "tokens", "total_tokens_sent")
	reading.MeanLengths(res)
	res.Values = reading.Measured(res.Values, res.Completed == nil || *res.Completed > 0)
	return res
}
