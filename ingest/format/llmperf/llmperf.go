// Package llmperf reads what llmperf's token_benchmark_ray.py writes: a summary, one flat JSON
// object a measurement, and the responses behind it, an array with one object a request. Where a
// folder holds both, the summary is the point; the responses alone give a point of their own,
// whose statistics are computed from them.
//
// What llmperf calls inter-token latency is the time of a request / its output tokens, the wait
// for the first token included: it is read as NTPOT. The throughput of a request is its output
// tokens / its time.
package llmperf

import (
	"path"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/inferdex/inferdex/ingest/internal/servingjson"
	"github.com/inferdex/inferdex/ingest/internal/sessions"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

const tool = "llmperf"

// Format reads results of llmperf.
var Format = &reading.Format{
	Name: "llmperf",
	Doc: reading.Doc{
		Title:    "summaries and individual responses",
		Tool:     "llmperf",
		Command:  "python token_benchmark_ray.py --results-dir D",
		Versions: "2023-08-31, the only version of its files",
		Files:    "<model>_<input>_<output>_summary.json, <model>_<input>_<output>_individual_responses.json",
		Reads: "Each measurement with its model, concurrency, lengths, counts, throughput, TTFT, NTPOT (which " +
			"llmperf calls inter-token latency), E2E latency and speed of a request; where the summary is missing, " +
			"the same from the responses.",
		Unknown: "The engine, its version and the GPU stand in no such file, unless --metadata says so; " +
			"responses name neither the model nor the concurrency, and give no throughput.",
	},
	Match:  match,
	Read:   read,
	Finish: finish,
}

var (
	summaryKeys  = []string{"num_concurrent_requests", "results_num_requests_started"}
	responseKeys = []string{"error_code", "ttft_s", "end_to_end_latency_s"}
)

func match(h *reading.Head) bool {
	if h.Kind != '{' && h.Kind != '[' {
		return false
	}
	if h.Has(summaryKeys...) || h.Has(responseKeys...) {
		return true
	}
	// Files derived from llmperf's hold one summary a concurrency: {"1": {...}, "5": {...}}.
	if h.Kind == '{' {
		for k := range h.Keys {
			if h.HasNested(k+"."+summaryKeys[0], k+"."+summaryKeys[1]) {
				return true
			}
		}
	}
	return false
}

func has(v reading.Value, keys []string) bool {
	fields := v.Map()
	for _, k := range keys {
		if !fields[k].Exists() {
			return false
		}
	}
	return true
}

// reader is the state of reading one file.
type reader struct {
	file, session string
	named         bool   // the file has the name that llmperf gives it
	model         string // as that name has it, with "-" for "/"
	input, output *float64
	emit          func(record.Record)
	responses     *responses
}

const summaryEnd, responsesEnd = "_summary.json", "_individual_responses.json"

// stem is what the names of a summary and of its responses share.
func stem(name string) string {
	for _, end := range []string{summaryEnd, responsesEnd} {
		if s, ok := strings.CutSuffix(name, end); ok {
			return s
		}
	}
	return strings.TrimSuffix(name, path.Ext(name))
}

// names are the stems that llmperf gives its files.
var names = regexp.MustCompile(`^(.+)_([0-9]{1,7})_([0-9]{1,7})$`)

func read(src *reading.Source, emit func(record.Record)) error {
	r := &reader{file: src.Path(), emit: emit}
	folder, name := sessions.Split(r.file)
	r.named = strings.HasSuffix(name, summaryEnd) || strings.HasSuffix(name, responsesEnd)
	name = stem(name)
	if m := names.FindStringSubmatch(name); m != nil {
		r.model = m[1]
		in, _ := strconv.ParseFloat(m[2], 64)
		out, _ := strconv.ParseFloat(m[3], 64)
		if in > 0 && out > 0 {
			r.input, r.output = &in, &out
		}
		name = r.model // measurements with other lengths are points of the same run
	}
	r.session = folder + " " + name
	reading.Values(src, true, r.value, emit)
	if r.responses != nil {
		r.responses.emit(r)
	}
	return nil
}

func (r *reader) value(v reading.Value) {
	o := reading.NewObject(r.file, v, r.emit)
	switch {
	case v.Kind() != reading.KindObject:
		o.Bad("", "%v where a summary or a response of llmperf should stand", v.Kind())
	case has(v, summaryKeys):
		r.summary(o, v)
	case has(v, responseKeys):
		if r.responses == nil {
			r.responses = &responses{at: o.Pos(), samples: map[string][]float64{}, errors: map[string]int64{}}
		}
		r.responses.add(o, v)
	default:
		found := false
		v.Fields(func(_ string, f reading.Value) bool {
			if f.Kind() == reading.KindObject && has(f, summaryKeys) {
				found = true
				r.summary(reading.NewObject(r.file, f, r.emit), f)
			}
			return true
		})
		if !found {
			o.Bad("", "neither a summary nor a response of llmperf: its keys are missing")
		}
	}
}

// measures are what is measured of a request, by llmperf's names.
var measures = []reading.Meaning{
	{Key: "inter_token_latency_s", Quantity: metric.NTPOT, Unit: "s"},
	{Key: "ttft_s", Quantity: metric.TTFT, Unit: "s"},
	{Key: "end_to_end_latency_s", Quantity: metric.E2ELatency, Unit: "s"},
	{Key: "request_output_throughput_token_per_s", Quantity: metric.SpeedPerRequest, Unit: "tok/s"},
}

var statistic = regexp.MustCompile(`^results_([a-z_]+?)_(?:quantiles_p([0-9]+(?:\.[0-9]+)?)|(mean|min|max|stddev))$`)

// stat is the statistic of the last two groups of a key.
func stat(percentile, name string) string {
	if percentile != "" {
		return reading.Statistic("p" + percentile)
	}
	return reading.Statistic(name)
}

// summary reads one measurement.
func (r *reader) summary(o *reading.Object, v reading.Value) {
	res := &record.Result{Base: record.Base{At: o.Pos(), Identity: record.Identity{Tool: tool, Model: o.Text("model")}}}
	facts := reading.Facts{}
	facts.Add(record.FactModel, res.Identity.Model, o.At("model"))
	facts.Add(record.FactToolVersion, o.Text("version"), o.At("version"))
	if n := o.Count("num_concurrent_requests"); n != nil && *n > 0 {
		res.Load.MaxConcurrency = n
	}
	w := &res.Workload
	w.Nominal = record.Lengths{Input: o.Length("mean_input_tokens"), Output: o.Length("mean_output_tokens")}
	w.LengthSemantics, w.TokenCounting = "client tokenizer", "client tokenizer"
	in, okIn := o.Number("stddev_input_tokens")
	out, okOut := o.Number("stddev_output_tokens")
	switch {
	case okIn && okOut && in == 0 && out == 0:
		w.Distribution = "fixed"
	case okIn && okOut:
		w.Distribution = "normal, deviation " + text(in) + " in, " + text(out) + " out"
	}
	res.Submitted = o.Count("results_num_requests_started")
	res.Completed = o.Count("results_num_completed_requests")
	res.Failed = o.Count("results_number_errors")
	o.Use("name", "results_error_rate")
	r.codes(o, res)
	if t, ok := o.Number("timestamp"); ok && t > 0 && t < 1<<33 {
		res.Date = time.Unix(int64(t), 0).UTC().Format(time.RFC3339)
	}
	o.Each(func(k string, f reading.Value) {
		m := statistic.FindStringSubmatch(k)
		switch {
		case k == "results_mean_output_throughput_token_per_s":
			o.Measure(&res.Values, metric.OutputThroughput, metric.Value, "tok/s", k)
		case k == "results_num_completed_requests_per_min":
			o.Measure(&res.Values, metric.RequestThroughput, metric.Value, "req/min", k)
		case m != nil:
			r.statistic(o, res, k, m)
		case !o.Used(k) && !strings.HasPrefix(k, "results_") &&
			(f.Kind() == reading.KindString || f.Kind() == reading.KindBool):
			// What --metadata adds stands beside llmperf's own keys.
			o.Use(k)
			if s := f.Scalar(); s != "" {
				res.Setup = append(res.Setup, record.KV{Key: k, Value: s})
				// "framework" is whose API was asked, in the results that its authors published.
				if fact := servingjson.Fact(k); fact != "" && k != "framework" {
					facts.Add(fact, s, o.At(k))
				}
			}
		}
	})
	res.Values = reading.Measured(res.Values, res.Completed == nil || *res.Completed > 0)
	res.Facts = facts
	o.Rest(res)
	res.Raw = v.Compact(reading.Elide{Longer: 64})
	res.Key = r.key(res)
	r.emit(res)
}

// statistic reads one statistic of a distribution. Lengths are kept as means.
func (r *reader) statistic(o *reading.Object, res *record.Result, key string, m []string) {
	for _, d := range measures {
		if d.Key == m[1] {
			o.Measure(&res.Values, d.Quantity, stat(m[2], m[3]), d.Unit, key)
			return
		}
	}
	var to **float64
	switch m[1] {
	case "number_input_tokens":
		to = &res.Workload.Actual.Input
	case "number_output_tokens":
		to = &res.Workload.Actual.Output
	default:
		return
	}
	o.Use(key)
	if m[3] == metric.Mean {
		if n, ok := o.Number(key); ok && n > 0 {
			*to = &n
		}
	}
}

// codes reads how often each error was met: an object, written as a text by old releases:
// "{500: 2}".
func (r *reader) codes(o *reading.Object, res *record.Result) {
	const key = "results_error_code_frequency"
	f := o.Value(key)
	if s, ok := f.Str(); ok {
		for _, m := range frequency.FindAllStringSubmatch(s, 20) {
			if n, err := strconv.ParseInt(m[2], 10, 64); err == nil && n > 0 {
				res.Errors = append(res.Errors, record.ErrorCount{Text: "error code " + m[1], Count: n})
			}
		}
		return
	}
	f.Fields(func(k string, v reading.Value) bool {
		if n, ok := v.Int(); ok && n > 0 {
			res.Errors = append(res.Errors, record.ErrorCount{Text: "error code " + reading.Clip(k), Count: n})
		}
		return len(res.Errors) < 20
	})
}

var frequency = regexp.MustCompile(`["']?(-?[0-9]{1,6})["']?\s*:\s*([0-9]{1,12})`)

// key is the session of a summary. Where the files have other names than llmperf's, what
// --metadata added tells runs apart.
func (r *reader) key(res *record.Result) string {
	if r.named {
		return record.SessionKey(tool, r.session)
	}
	return record.SessionKey(tool, r.session,
		sessions.Digest(strconv.Quote(res.Identity.Model)+sessions.Setup(res.Setup)))
}

func text(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }
