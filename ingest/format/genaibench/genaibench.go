// Package genaibench reads what genai-bench leaves in the folder of an experiment: a JSON file for
// each measured load, and experiment_metadata.json, which describes the server and the experiment.
//
// Times are in seconds, or in the unit that newer files name. Its TPOT is the time after the first
// token / (output tokens - 1); releases whose files lack "run_duration" divided by all output tokens.
// Those releases also computed input and output throughput over parts of the time: the output
// throughput is then derived from the total throughput, which is of the whole time.
package genaibench

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/internal/sessions"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

const tool = "genai-bench"

// Format reads results and metadata of genai-bench.
var Format = &reading.Format{
	Name: "genai-bench",
	Doc: reading.Doc{
		Title:    "experiments: results and metadata",
		Tool:     "genai-bench",
		Command:  "genai-bench benchmark",
		Versions: "0.0.1 and later, up to the files with request rates and milliseconds",
		Files:    "<scenario>_<task>_concurrency_<n>_time_<t>s.json, experiment_metadata.json",
		Reads: "Each load with its scenario, lengths, counts, throughput, TTFT, TPOT, E2E latency, prefill and " +
			"decode speed of a request; from the metadata model, engine, GPUs, versions and command, for the " +
			"results beside it.",
		Unknown: "Without the metadata neither model nor server is known; the date stands only in the folder's name. " +
			"Older releases count input and output throughput over parts of the time: they are not read.",
	},
	Match: func(h *reading.Head) bool {
		return h.Kind == '{' && (h.Has("aggregated_metrics") && h.HasNested("aggregated_metrics.num_concurrency") ||
			h.Has("benchmark_version", "api_backend", "api_model_name"))
	},
	Read: read,
}

func read(src *reading.Source, emit func(record.Record)) error {
	reading.Values(src, false, func(v reading.Value) {
		o := reading.NewObject(src.Path(), v, emit)
		switch {
		case o.Has("aggregated_metrics"):
			result(o, emit)
		case o.Has("api_backend"):
			metadata(o, emit)
		default:
			o.Bad("", "neither a result nor the metadata of genai-bench: \"aggregated_metrics\" and "+
				"\"api_backend\" are missing")
		}
	}, emit)
	return nil
}

var (
	// named are the files of an experiment: what is in their folder is one run.
	named = regexp.MustCompile(`_(?:concurrency|batch_size|request_rate|qps)_[0-9.]+_time_[0-9]+s\.json$`)
	dated = regexp.MustCompile(`_([0-9]{8}_[0-9]{6})$`)
)

// origin is the session of a file and the date in the name of its folder, "" if there is none.
func origin(file string) (session, date string) {
	folder, name := sessions.Split(file)
	if m := dated.FindStringSubmatch(folder); m != nil {
		date = m[1]
	}
	if named.MatchString(name) {
		return record.SessionKey(tool, folder), date
	}
	return record.SessionKey(tool, folder, sessions.Variant(strings.TrimSuffix(name, ".json"))), date
}

// stats are the distributions over requests that are read; times have the file's unit.
var stats = []reading.Meaning{
	{Key: "ttft", Quantity: metric.TTFT},
	{Key: "tpot", Quantity: metric.TPOT},
	{Key: "e2e_latency", Quantity: metric.E2ELatency},
	{Key: "input_throughput", Quantity: metric.PPSpeed, Unit: "tok/s"},
	{Key: "output_throughput", Quantity: metric.TGSpeed, Unit: "tok/s"},
}

// names are the statistics in genai-bench's order.
var names = []string{"min", "max", "mean", "stddev", "p25", "p50", "p75", "p90", "p95", "p99"}

func result(o *reading.Object, emit func(record.Record)) {
	res := &record.Result{Base: record.Base{At: o.Pos(), Identity: record.Identity{Tool: tool}}}
	res.Key, res.Date = origin(o.Pos().File)
	unit := times(o)
	o.Use("individual_request_metrics") // the statistics are of them
	m := o.Sub("aggregated_metrics")

	scenario(&res.Workload, m.Text("scenario"))
	load(&res.Load, m)
	res.Submitted = m.Count("num_requests")
	res.Completed = m.Count("num_completed_requests")
	res.Failed = m.Count("num_error_requests")
	m.Value("error_codes_frequency").Fields(func(k string, f reading.Value) bool {
		if n, ok := f.Int(); ok && n > 0 {
			res.Errors = append(res.Errors, record.ErrorCount{Text: "error code " + reading.Clip(k), Count: n})
		}
		return len(res.Errors) < 20
	})
	all := m.Sub("stats")
	distributions(res, all, unit)
	throughput(res, m, lengths(res, all))
	res.Values = reading.Measured(res.Values, res.Completed == nil || *res.Completed > 0)
	o.Rest(res)
	res.Raw = o.Self().Compact(reading.Elide{Longer: 64, Drop: []string{"individual_request_metrics"}})
	emit(res)
}

// times is the unit of times; empty, after saying so, for one that is not known.
func times(o *reading.Object) string {
	switch u := o.Text("_time_unit"); u {
	case "", "s":
		return "s"
	case "ms":
		return u
	default:
		o.Bad("_time_unit", "the unit of times is %q, \"s\" or \"ms\" was expected: the times are left out",
			reading.Clip(u))
		return ""
	}
}

// distributions reads the statistics over requests.
func distributions(res *record.Result, all *reading.Object, times string) {
	for _, s := range stats {
		in, unit := all.Sub(s.Key), cmp.Or(s.Unit, times)
		in.Use("sum")
		for _, n := range names {
			if unit == "" {
				in.Use(n)
				continue
			}
			in.Measure(&res.Values, s.Quantity, reading.Statistic(n), unit, n)
		}
	}
	// The same as TPOT and decode speed.
	all.Use("output_latency", "output_inference_speed", "total_tokens")
}

// lengths reads the mean lengths and returns the sums of input and output tokens, 0 where unknown.
func lengths(res *record.Result, all *reading.Object) (sums [2]float64) {
	w := &res.Workload
	for i, l := range []struct {
		key string
		q   metric.ID
		to  **float64
	}{
		{"num_input_tokens", metric.InputTokens, &w.Actual.Input},
		{"num_output_tokens", metric.OutputTokens, &w.Actual.Output},
	} {
		in := all.Sub(l.key)
		in.Use(names...)
		if n, ok := in.Number("mean"); ok && n > 0 {
			*l.to = &n
		}
		if n, ok := in.Number("sum"); ok && n > 0 {
			sums[i] = n
			in.Measure(&res.Values, l.q, metric.Total, "tokens", "sum")
		}
	}
	w.TokenCounting = "server usage"
	return sums
}

// throughput reads what is of the whole time, and derives the output throughput where it is not.
func throughput(res *record.Result, m *reading.Object, sums [2]float64) {
	const (
		all = "mean_total_tokens_throughput_tokens_per_s"
		out = "mean_output_throughput_tokens_per_s"
		in  = "mean_input_throughput_tokens_per_s"
	)
	total, ok := m.Measure(&res.Values, metric.TotalThroughput, metric.Value, "tok/s", all)
	if m.Has("run_duration") {
		m.Measure(&res.Values, metric.Duration, metric.Value, "s", "run_duration")
		m.Measure(&res.Values, metric.OutputThroughput, metric.Value, "tok/s", out)
		m.Measure(&res.Values, metric.InputThroughput, metric.Value, "tok/s", in)
	} else if ok && sums[0] > 0 && sums[1] > 0 {
		res.Values = append(res.Values, record.Value{
			Quantity: metric.OutputThroughput, Stat: metric.Value, Unit: "tok/s",
			Number: metric.Round(total * (sums[1] / (sums[0] + sums[1]))),
		})
		m.Use(out, in)
	}
	m.Measure(&res.Values, metric.RequestThroughput, metric.Value, "req/s", "requests_per_second")
	m.Measure(&res.Values, metric.RequestThroughput, metric.Value, "req/min", "requests_per_minute")
	m.Use("error_rate", "mean_total_chars_per_hour")
}

// load reads how hard the server was driven: requests at once, or where arrivals were counted a
// rate, which is written in the place of the concurrency; of embeddings also the batch.
func load(l *record.Load, m *reading.Object) {
	kind := m.Text("iteration_type")
	key := "num_concurrency"
	if m.Has("request_rate") {
		m.Use(key)
		key = "request_rate"
	}
	m.Use("total_arrivals", "arrival_requests_per_second") // what arrived, not what was asked for
	switch {
	case key == "request_rate" || m.Has("total_arrivals") || kind == "request_rate":
		l.Rate = m.Rate(key)
	default:
		l.MaxConcurrency = m.Positive(key)
	}
	if n := m.Count("batch_size"); kind == "batch_size" {
		l.Batch = n
	}
}

var scenarios = regexp.MustCompile(`^([A-Z])\(([0-9]{1,9})(?:,([0-9]{1,9}))?\)` +
	`(?:/\(([0-9]{1,9}),([0-9]{1,9})\)|/([0-9]{1,9}))?$`)

// scenario reads the lengths out of a traffic scenario: "D(100,100)" are constant lengths,
// "N(480,240)/(300,150)" a mean and a deviation each, "U(50,100)/(200,250)" the ends each and
// "U(1000,100)" the upper ends, "P(2000,500)/200" a shared prefix, a suffix and the output, "E(1024)"
// a document to embed. Other texts stay names.
func scenario(w *record.Workload, text string) {
	w.Name = text
	m := scenarios.FindStringSubmatch(strings.ReplaceAll(text, " ", ""))
	if m == nil {
		return
	}
	num := func(i int) *float64 {
		if f, err := strconv.ParseFloat(m[i], 64); err == nil && f > 0 {
			return &f
		}
		return nil
	}
	w.LengthSemantics = "tool nominal"
	two := m[3] != "" && m[4] != ""
	mid := func(a, b int) *float64 {
		x, y := num(a), num(b)
		if x == nil || y == nil {
			return nil
		}
		f := (*x + *y) / 2
		return &f
	}
	switch {
	case m[1] == "D" && m[3] != "" && m[4] == "" && m[6] == "":
		w.Nominal, w.Distribution = record.Lengths{Input: num(2), Output: num(3)}, "fixed"
	case m[1] == "N" && two:
		w.Nominal = record.Lengths{Input: num(2), Output: num(4)}
		w.Distribution = "normal, deviation " + m[3] + " in, " + m[5] + " out"
	case m[1] == "U" && two:
		w.Nominal = record.Lengths{Input: mid(2, 3), Output: mid(4, 5)}
		w.Distribution = "uniform, " + m[2] + " to " + m[3] + " in, " + m[4] + " to " + m[5] + " out"
	case m[1] == "U" && m[3] != "" && m[4] == "" && m[6] == "":
		w.Nominal, w.Distribution = record.Lengths{Input: num(2), Output: num(3)}, "uniform from 1 to nominal"
	case m[1] == "P" && m[3] != "" && m[6] != "":
		if a, b := num(2), num(3); a != nil && b != nil {
			n := *a + *b
			w.Nominal.Input = &n
		}
		w.Nominal.Output, w.Distribution = num(6), "fixed, a shared prefix of "+m[2]
	case m[1] == "E" && m[3] == "":
		w.Nominal, w.Distribution = record.Lengths{Input: num(2)}, "fixed"
	default:
		w.LengthSemantics = ""
	}
}

// facts are the members of the metadata that describe a run.
var facts = []struct{ key, fact string }{
	{"model", record.FactModel}, {"server_engine", record.FactEngine}, {"server_version", record.FactEngineVersion},
	{"server_gpu_type", record.FactHardware}, {"server_gpu_count", record.FactCount},
	{"server_model_tokenizer", record.FactTokenizer},
	{"benchmark_version", record.FactToolVersion}, {"cmd", record.FactClientCommand},
}

// metadata reads experiment_metadata.json: what describes the run as facts, the rest as parameters
// of the client. The credentials are not read.
func metadata(o *reading.Object, emit func(record.Record)) {
	p := &record.Params{Base: record.Base{At: o.Pos()}, Of: "client"}
	fs := reading.Facts{}
	for _, f := range facts {
		switch s := o.Text(f.key); s {
		case "None", "N/A", "null", "unknown":
		default:
			fs.Add(f.fact, s, o.At(f.key))
		}
	}
	o.Use("auth_config", "experiment_folder_name")
	o.Each(func(k string, f reading.Value) {
		if k != "" && !o.Used(k) && f.Kind() != reading.KindNull {
			p.Params = append(p.Params, o.Param(k, 256))
		}
	})
	p.Facts = fs
	emit(p)
}
