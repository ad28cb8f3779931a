// Package servingjson reads the record that `vllm bench serve` and its ancestor
// benchmark_serving.py write for one benchmark: one flat JSON object. Files of such records and
// published pages that quote them share it.
//
// The keys of every version from 0.3.1 on are read. The object is assembled from setup keys, the
// pairs of --metadata (always strings), the traffic keys and the results, in this order; a sweep
// adds its parameters at the end. A key that is not known is therefore a setup key when it is
// text, or stands before the results, or behind the run_number of a sweep; any other is kept in
// Raw only and named in Unmapped, so that a number which a later version adds to its results does
// not tear a run apart.
package servingjson

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/internal/quantile"
	"github.com/inferdex/inferdex/ingest/internal/sessions"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

// Tool is the family of the tool in record.Identity.
const Tool = "vllm-bench-serve"

// Like reports whether an object with these keys is a record of a serving benchmark, and none of
// the kinds that resemble one. Whole says that all keys are known; otherwise the text was cut and
// those behind are not: the statistics stand behind the arrays with one entry a request.
func Like(keys map[string]bool, whole bool) bool {
	return !keys["user_throughput"] && keys["model_id"] && like(keys, whole)
}

// LikeRow is as Like for a row of a table, which people write without a model too.
func LikeRow(columns map[string]bool) bool {
	return !columns["user_throughput"] && like(columns, true)
}

// LikeTensorRT is as Like for the client of TensorRT-LLM, whose records also hold what a user got.
func LikeTensorRT(keys map[string]bool, whole bool) bool {
	return keys["user_throughput"] && keys["model_id"] && like(keys, whole)
}

func like(keys map[string]bool, whole bool) bool {
	for _, k := range []string{"duration", "completed", "total_input_tokens"} {
		if !keys[k] {
			return false
		}
	}
	for _, k := range []string{
		"total_output_tokens_retokenized",      // SGLang
		"hw",                                   // InferenceX, aggregated
		"good_completed",                       // seconds without a suffix
		"median_ttft", "mean_ttft", "p99_e2el", // the same
	} {
		if keys[k] {
			return false
		}
	}
	switch {
	case keys["total_token_throughput"]: // 0.6.0 and later
	case keys["input_throughput"] && (keys["request_inthroughput"] || keys["request_throughput"]): // before
	default:
		return false
	}
	if !whole && (keys["input_lens"] || keys["ttfts"]) {
		return true
	}
	for k := range keys {
		if _, ok := Statistic(k); ok {
			return true
		}
	}
	return false
}

// Reader reads the records of one file.
type Reader struct {
	// File is the path of the file as in record.Pos.
	File string
	// Hint is text that may name the lengths of the prompts, "in2048_out128": the file's name
	// and its folder's. The record's own words win over it.
	Hint string
	// BenchKeys are the parameters of a sweep that belong to the client; nil outside of sweeps.
	BenchKeys map[string]bool
	// Tool is that of record.Identity; empty is [Tool].
	Tool string
	// Emit takes what is wrong with a record.
	Emit func(record.Record)
	// Numbered counts the records read that have the number of a run.
	Numbered int

	hint *hint
	keys map[string]record.Value // what measure knows of keys, without a quantity for those that are no values
	// Where those of one record grow, before it takes as many as they are.
	reader reader
	object reading.Object
	values []record.Value
	setup  []record.KV
	facts  []record.Fact
	text   []byte
	setups map[string][]record.KV // the last one of each model: most records have it
}

var scalars = []record.Value{
	{Key: "request_inthroughput", Quantity: metric.RequestThroughput, Stat: metric.Value, Unit: "req/s"}, // in 0.3
	// Of TensorRT-LLM: tokens / time of a request.
	{Key: "user_throughput", Quantity: metric.SpeedPerRequest, Stat: metric.Mean, Unit: "tok/s"},
	{Key: "spec_decode_acceptance_rate", Quantity: metric.SpecDecodeAcceptance, Stat: metric.Value, Unit: "%"},
	{Key: "spec_decode_acceptance_length", Quantity: metric.AcceptanceLength, Stat: metric.Value, Unit: "tokens"},
}

// facts are setup and metadata keys whose meaning is known. A key may stand for several words;
// the first fact of one kind stays, in the order of the record.
var facts = map[string]string{
	"gpu": record.FactHardware, "gpu_type": record.FactHardware, "gpu_name": record.FactHardware,
	"gpus": record.FactHardware, "hardware": record.FactHardware, "accelerator": record.FactHardware,
	"accelerator_type": record.FactHardware,
	"num_gpus":         record.FactCount, "gpu_count": record.FactCount, "n_gpus": record.FactCount,
	"accelerator_count": record.FactCount,
	"framework":         record.FactEngine, "engine": record.FactEngine,
	"vllm_version": record.FactEngineVersion, "engine_version": record.FactEngineVersion,
	"framework_version": record.FactEngineVersion, "version": record.FactEngineVersion,
	"vllm_commit": record.FactEngineCommit, "engine_commit": record.FactEngineCommit, "commit": record.FactEngineCommit,
	"image": record.FactImage, "docker_image": record.FactImage, "container_image": record.FactImage,
	"deployment": record.FactSeries, "series": record.FactSeries, "label": record.FactSeries,
	"dtype": record.FactPrecision, "precision": record.FactPrecision,
	"driver": record.FactDriver, "driver_version": record.FactDriver,
	"cuda": record.FactCUDA, "cuda_version": record.FactCUDA, "rocm": record.FactROCm, "rocm_version": record.FactROCm,
	"tokenizer_id": record.FactTokenizer, "notes": record.FactNotes,
}

// Fact is the fact that a key of metadata states, "" where its meaning is not known.
func Fact(key string) string { return facts[key] }

// Protocol states what a client calls its backend: how it spoke to the server. Most of them, "vllm" too,
// are the protocol of OpenAI, which all engines speak; of those that one engine alone speaks it names the
// engine as well.
func Protocol(facts *reading.Facts, backend string, at record.Pos) {
	facts.Add("labels.client_backend", backend, at)
	switch strings.ToLower(backend) {
	case "tgi", "tensorrt-llm", "deepspeed-mii":
		facts.Add(record.FactEngine, backend, at)
	}
}

var texts = []string{
	"generated_texts", "generated_text", "prompts", "prompt", "errors", "error",
}

// mostKeys is how many keys a Reader remembers: records have a hundred.
const mostKeys = 1 << 10

// reader is the state of reading one object.
type reader struct {
	*Reader
	*reading.Object
	res   *record.Result
	sized bool // a key says how far the server is parallel
	names []string
}

// Read reads one value. It returns nil, after saying why, for what is no serving record. The
// result has no session yet: see [Session].
func (rd *Reader) Read(v reading.Value) *record.Result {
	res := rd.read(v)
	if res != nil {
		res.Values, res.Facts = slices.Clone(res.Values), append([]record.Fact(nil), res.Facts...)
		res.Raw = v.Compact(elide)
	}
	return res
}

// Into is as Read for a record of a batch, which folds the values and facts of most.
func (rd *Reader) Into(b *sessions.Batch, v reading.Value) {
	res := rd.read(v)
	if res == nil {
		return
	}
	if keys, text, ok := v.Parts(elide, rd.text[:0]); ok {
		rd.text = text
		b.AddParts(res, keys, text)
	} else {
		res.Raw = v.Compact(elide)
		b.Add(res)
	}
	res.Values, res.Facts = slices.Clone(res.Values), append([]record.Fact(nil), res.Facts...)
}

// elide is what is not kept of a record's text.
var elide = reading.Elide{Longer: 64, Texts: texts}

// read reads one value, but for its text. The values and the facts of the result are those of the next one too.
func (rd *Reader) read(v reading.Value) *record.Result {
	o := &rd.object
	o.Reset(rd.File, v, rd.Emit)
	r := &rd.reader
	*r = reader{Reader: rd, Object: o, res: &record.Result{Base: record.Base{At: o.Pos(), Facts: rd.facts[:0]},
		Setup: rd.setup[:0], Values: rd.values[:0]}}
	model := r.Text("model_id")
	if model == "" {
		model = r.Text("model")
	}
	duration := r.Value("duration")
	switch {
	case v.Kind() != reading.KindObject:
		r.Bad("", "%v where the record of a benchmark should stand", v.Kind())
		return nil
	case !duration.Exists() && !r.Value("completed").Exists():
		r.Bad("", "no record of a serving benchmark: it lacks \"duration\" and \"completed\"")
		return nil
	}
	res := r.res
	res.Identity = record.Identity{Tool: cmp.Or(rd.Tool, Tool), Model: model}
	if model != "" {
		r.fact(record.FactModel, model, r.Value("model_id"))
	}
	durationAt, runAt := math.MaxInt, math.MaxInt
	if duration.Exists() {
		durationAt = duration.Off()
	}
	if n := r.Value("run_number"); n.Exists() {
		runAt = n.Off()
		rd.Numbered++
	}
	r.Each(func(k string, f reading.Value) {
		r.field(k, f, f.Off() < durationAt || f.Off() > runAt)
	})
	r.finish()
	r.details()
	r.NotNumbers(res)
	rd.values, rd.setup, rd.facts = res.Values, res.Setup, res.Facts
	res.Setup = rd.known(model, res.Setup)
	return res
}

// known is the setup of a record of a model, in memory once for all that have it.
func (rd *Reader) known(model string, setup []record.KV) []record.KV {
	if len(setup) == 0 {
		return nil
	}
	if last := rd.setups[model]; slices.Equal(last, setup) {
		return last
	}
	if rd.setups == nil {
		rd.setups = map[string][]record.KV{}
	}
	rd.setups[model] = slices.Clone(setup)
	return rd.setups[model]
}

// field reads one member; setup says that an unknown number here is a parameter and no result.
func (r *reader) field(k string, f reading.Value, setup bool) {
	res := r.res
	switch k {
	case "date":
		res.Date = f.Scalar()
	case "num_prompts":
		n := r.Count(k)
		res.Submitted, res.Workload.NumPrompts = n, n
	case "request_rate":
		res.Load.Rate = r.Rate(k)
	case "burstiness":
		if n, ok := r.Number(k); ok {
			res.Load.Burstiness = &n
		}
	case "max_concurrency":
		res.Load.MaxConcurrency = r.Positive(k) // the client takes 0 for no limit
	case "completed":
		res.Completed = r.Count(k)
	case "failed":
		res.Failed = r.Count(k)
	case "run_number":
		if n := r.Count(k); n != nil && *n < 1<<31 {
			res.Repetition = int(*n)
		}
	case "random_input_len", "input_len", "input_length", "isl", "ISL":
		if n, ok := r.Number(k); ok && r.applies(k) {
			res.Workload.Nominal.Input = &n
		}
	case "random_output_len", "output_len", "output_length", "osl", "OSL":
		if n, ok := r.Number(k); ok && r.applies(k) {
			res.Workload.Nominal.Output = &n
		}
	case "dataset_name", "dataset":
		res.Workload.Dataset = f.Scalar()
	case "random_range_ratio":
		if s := f.Scalar(); s != "" && r.applies(k) {
			// What the ratio means changed between versions: it stays as written.
			res.Workload.Distribution = "range ratio " + s
		}
	case "num_warmups":
		res.Workload.Warmup = r.Count(k)
	case "ignore_eos":
		res.Workload.IgnoreEOS = r.Truth(k)
	case "_benchmark_name":
		r.names = append(r.names, f.Scalar())
	case "input_lens", "output_lens", "ttfts", "itls", "latencies", "queue_times", "errors", "generated_texts":
		// details reads them
	default:
		r.other(k, f, setup)
	}
}

// applies reports whether a key that is of random prompts, if it is one, says something of these: LMDeploy writes
// their lengths of every data set.
func (r *reader) applies(k string) bool {
	return !strings.HasPrefix(k, "random_") || random(r.Text("dataset_name"))
}

// random reports whether a data set, where it is known, is one of random prompts: "random", "random-mm".
func random(dataset string) bool { return dataset == "" || strings.HasPrefix(dataset, "random") }

func (r *reader) other(k string, f reading.Value, setup bool) {
	res := r.res
	v, known := r.keys[k]
	if !known {
		v, _ = valueOf(scalars, k)
		if r.keys == nil {
			r.keys = map[string]record.Value{}
		}
		if len(r.keys) < mostKeys {
			r.keys[k] = v
		}
	}
	if v.Quantity != "" {
		r.Measure(&res.Values, v.Quantity, v.Stat, v.Unit, k)
		return
	}
	switch f.Kind() {
	case reading.KindNull:
		return
	case reading.KindObject, reading.KindArray:
		res.Unmapped = append(res.Unmapped, k)
		return
	case reading.KindNumber, reading.KindBool:
		if !setup && facts[k] == "" && !reading.Parallel[k] && !r.BenchKeys[k] && k != "enable_prefix_caching" {
			res.Unmapped = append(res.Unmapped, k)
			return
		}
	}
	text := f.Scalar()
	switch {
	case text == "":
	case r.BenchKeys[k]:
		r.names = append(r.names, k+"="+text)
		return
	case reading.Parallel[k]:
		r.sized = true
	case k == "version" && text == "N/A":
	case facts[k] != "":
		r.fact(facts[k], text, f)
		if strings.HasPrefix(k, "vllm_") { // whose version it is says which engine it was
			r.fact(record.FactEngine, "vllm", f)
		}
	case k == "enable_prefix_caching":
		res.Workload.PrefixCache = r.Truth(k)
	}
	res.Setup = append(res.Setup, record.KV{Key: k, Value: text})
}

// finish settles what needs more than one key.
func (r *reader) finish() {
	res := r.res
	if r.sized {
		if n, key, err := reading.Accelerators(r.Text); err != nil {
			r.Bad(key, "%v", err)
		} else if n > 0 {
			r.fact(record.FactCount, strconv.FormatInt(n, 10), reading.Value{})
		}
	}
	for _, k := range []string{"backend", "endpoint_type"} {
		if s := r.Text(k); s != "" {
			Protocol((*reading.Facts)(&res.Facts), s, r.At(k))
			break
		}
	}
	w := &res.Workload
	if r.hint == nil {
		r.hint = hintOf(r.Hint)
	}
	if in, out := r.hint.in, r.hint.out; in > 0 && out > 0 {
		w.Nominal.Input, w.Nominal.Output = cmp.Or(w.Nominal.Input, &in), cmp.Or(w.Nominal.Output, &out)
	}
	if r.hint.ratio != "" {
		r.fact(record.FactSeries, r.hint.ratio, reading.Value{})
	}
	if w.Nominal != (record.Lengths{}) {
		w.LengthSemantics = "tool nominal"
	}
	w.Name = strings.Join(r.names, ", ")
	RampUp(res, r.Text)
	measured(res)
	reading.MeanLengths(res)
	if r.Value("mean_ttft_ms").Exists() || r.Value("median_ttft_ms").Exists() {
		yes := true // the client measures a first token only on a stream
		w.Streaming = &yes
	}
}

// RampUp names the workload of a client whose rate grows while it measures, and takes the rate that it did not keep
// away: "inf". Argument is what it was told.
func RampUp(res *record.Result, argument func(name string) string) {
	strategy := argument("ramp_up_strategy")
	if strategy == "" {
		return
	}
	res.Load.Rate = nil
	name := strategy + " ramp up from " + argument("ramp_up_start_rps") + " to " + argument("ramp_up_end_rps") + " req/s"
	if res.Workload.Name != "" {
		name = res.Workload.Name + ", " + name
	}
	res.Workload.Name = name
}

// measured drops from a result what was not measured. What is below 0 stays, for a finding to say that it
// cannot be. Of two values of one statistic, "request_goodput" in both spellings, the first stays.
func measured(res *record.Result) {
	done := res.Completed != nil && *res.Completed > 0
	res.Values = slices.DeleteFunc(res.Values, reading.Unmeasured)
	var zero map[metric.ID]bool // every statistic is 0: nothing was measured
	if slices.ContainsFunc(res.Values, func(v record.Value) bool { return v.Number == 0 }) {
		zero = map[metric.ID]bool{}
		for _, v := range res.Values {
			if v.Stat != metric.Value && v.Stat != metric.Total && v.Stat != metric.Std {
				was, seen := zero[v.Quantity]
				zero[v.Quantity] = v.Number == 0 && (was || !seen)
			}
		}
	}
	kept := res.Values[:0]
	for _, v := range res.Values {
		switch v.Quantity {
		case metric.TTFT, metric.TPOT, metric.E2ELatency, metric.ITL, metric.QueueTime:
			if zero[v.Quantity] && v.Quantity != metric.QueueTime || v.Number == 0 && (!done || !mayBeZero(v)) {
				continue
			}
			if done && (v.Quantity == metric.TTFT || v.Quantity == metric.E2ELatency) {
				v.N = *res.Completed
			}
		case metric.Duration:
			if v.Number == 0 {
				continue
			}
		default:
			if v.Number == 0 && !done {
				continue // no request completed: no rate was measured
			}
		}
		if !slices.ContainsFunc(kept, func(k record.Value) bool {
			return k.Quantity == v.Quantity &&
				k.Stat == v.Stat
		}) {
			kept = append(kept, v)
		}
	}
	res.Values = kept
}

// mayBeZero reports whether a time of 0 was measured. A gap of 0 is two tokens in one chunk, a deviation of 0
// is equality, a queue may be empty; a low percentile of 0 is of requests that got nothing.
func mayBeZero(v record.Value) bool {
	return v.Quantity == metric.ITL || v.Quantity == metric.QueueTime || v.Stat == metric.Std || reading.MayBeZero(v.Stat)
}

func (r *reader) fact(key, value string, f reading.Value) {
	for i := range r.res.Facts {
		if o := &r.res.Facts[i]; o.Key == key {
			return
		}
	}
	fact := record.Fact{Key: key, Value: value}
	if f.Exists() {
		line, col := f.Place()
		fact.At = record.Pos{File: r.File, Line: line, Col: col}
	}
	r.res.Facts = append(r.res.Facts, fact)
}

// details computes percentiles and distributions from the per-request arrays and counts the errors.
func (r *reader) details() {
	r.res.Errors, _ = Errors(r.Value("errors"))
	quantile.Arrays(r.res, r.Value, func(text string) { r.Bad("ttfts", "%s", text) })
}

// Errors counts the texts of an array of errors by their last lines: the class and message of a Python
// traceback. A request that did not fail has an empty text.
func Errors(texts reading.Value) (errors []record.ErrorCount, failed int64) {
	counts := map[string]int64{}
	texts.Items(func(_ int, e reading.Value) bool {
		if s := reading.LastLine(e.Scalar()); s != "" {
			counts[s]++
			failed++
		}
		return true
	})
	return reading.Errors(counts), failed
}
