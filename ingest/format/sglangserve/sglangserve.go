// Package sglangserve reads what `python -m sglang.bench_serving` appends to its output file: one
// JSON object a measurement, in JSON lines.
//
// Such a record has no date. It names the model and the version of SGLang only from version 0.5.5
// on, in "server_info", which holds all launch arguments of the server: they become the
// parameters of the run. "internal_states" in it repeats them for each rank and is left out.
package sglangserve

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/internal/quantile"
	"github.com/inferdex/inferdex/ingest/internal/servingjson"
	"github.com/inferdex/inferdex/ingest/internal/sessions"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

// Format reads serving results of SGLang.
var Format = &reading.Format{
	Name: "sglang-bench-serving",
	Doc: reading.Doc{
		Title:    "SGLang serving results",
		Tool:     "SGLang",
		Command:  "python -m sglang.bench_serving [--output-file F] [--output-details]",
		Versions: "July 2024 to 2026",
		Files:    "sglang_<MMDD>_<prompts>_<input>_<output>.jsonl, sglang_<MMDD>_<prompts>_<dataset>.jsonl, *.jsonl",
		Reads: "Each record with its load, counts, throughputs, achieved concurrency and the statistics of TTFT, " +
			"TPOT, ITL and end-to-end latency; of the details their distributions; from \"server_info\" the model, " +
			"the version, the number of GPUs and all launch arguments.",
		Unknown: "The date and the GPU stand in no such file; before version 0.5.5 neither do the model, the version " +
			"and the parallelism; failed requests are known only with --output-details or from the number of prompts " +
			"in the file's name.",
	},
	Match: match,
	Read:  read,
}

const tool = "sglang-bench-serving"

func match(h *reading.Head) bool {
	if h.Kind != '{' && h.Kind != '[' {
		return false
	}
	if h.Has("total_output_retokenized", "median_e2e_latency") { // in 2024
		return true
	}
	if h.Keys["total_output_tokens_retokenized"] {
		for k := range h.Keys {
			if strings.HasSuffix(k, "_e2e_latency_ms") {
				return true
			}
		}
	}
	// The results stand behind server_info, which may be longer than the beginning we see.
	cut := h.Size < 0 || h.Size > int64(len(h.Data))
	return cut && h.Has("backend", "dataset_name", "request_rate",
		"sharegpt_output_len", "random_range_ratio", "server_info")
}

func read(src *reading.Source, emit func(record.Record)) error {
	var batch sessions.Batch
	r := &reader{file: src.Path(), add: batch.Add, servers: map[*record.Result]*server{}}
	_, r.name = sessions.Split(r.file)
	reading.Values(src, true, func(v reading.Value) { r.record(reading.NewObject(r.file, v, r.add)) }, r.add)
	// Files with one record each are told apart by what their names say beyond load and date.
	container := batch.Container(r.file)
	batch.Emit(
		func(res *record.Result) string { return sessions.Key("sglang", container, res) },
		func(res *record.Result) { r.servers[res].emit(res, emit) }, emit)
	return nil
}

// reader is the state of reading one file.
type reader struct {
	file, name string
	add        func(record.Record)
	servers    map[*record.Result]*server // of the results that say something of theirs
}

// scalars are the results that are one number.
var scalars = []record.Value{
	{Key: "total_throughput", Quantity: metric.TotalThroughput, Stat: metric.Value, Unit: "tok/s"},
	{Key: "concurrency", Quantity: metric.AchievedConcurrency, Stat: metric.Value, Unit: "requests"},
	{Key: "accept_length", Quantity: metric.AcceptanceLength, Stat: metric.Value, Unit: "tokens"},
	// Of versions of 2024; their times are in milliseconds, though their keys do not say so.
	{Key: "benchmark_duration", Quantity: metric.Duration, Stat: metric.Value, Unit: "s"},
	{Key: "total_input", Quantity: metric.InputTokens, Stat: metric.Total, Unit: "tokens"},
	{Key: "total_output", Quantity: metric.OutputTokens, Stat: metric.Total, Unit: "tokens"},
	{Key: "output_token_throughput", Quantity: metric.OutputThroughput, Stat: metric.Value, Unit: "tok/s"},
	{Key: "mean_e2e_latency", Quantity: metric.E2ELatency, Stat: metric.Mean, Unit: "ms"},
	{Key: "median_e2e_latency", Quantity: metric.E2ELatency, Stat: metric.Median, Unit: "ms"},
	{Key: "median_ttft", Quantity: metric.TTFT, Stat: metric.Median, Unit: "ms"},
	{Key: "median_itl", Quantity: metric.ITL, Stat: metric.Median, Unit: "ms"},
}

var texts = []string{
	"generated_texts", "generated_text", "prompts", "prompt", "errors", "error",
}

// bulk is what server_info repeats for each rank.
var bulk = []string{"internal_states"}

// record adds the record of one object, or says why it is none.
func (r *reader) record(o *reading.Object) {
	if !o.Is("the record of a benchmark") {
		return
	}
	if !o.Has("duration") && !o.Has("completed") {
		o.Bad("", "no record of a serving benchmark: it lacks \"duration\" and \"completed\"")
		return
	}
	res := &record.Result{Base: record.Base{At: o.Pos(), Identity: record.Identity{Tool: tool}}}
	s := r.describe(o, res)
	r.workload(o, res)
	if o.Text("request_rate") == "trace" {
		res.Workload.Name = servingjson.Trace
	} else {
		res.Load.Rate = o.Rate("request_rate")
	}
	res.Load.MaxConcurrency = o.Positive("max_concurrency") // the client takes 0 for no limit
	res.Completed = o.Count("completed")
	r.failures(o, res)
	measure(o, s, res)
	quantile.Arrays(res, o.Value, func(text string) { o.Bad("ttfts", "%s", text) })
	o.Use("input_lens")

	o.Each(func(k string, f reading.Value) {
		// No option adds metadata. A text that is not known was added to tell runs apart.
		if s, ok := f.Str(); ok && s != "" && !o.Used(k) && !slices.Contains(texts, k) {
			o.Use(k)
			res.Setup = append(res.Setup, record.KV{Key: k, Value: s})
		}
	})
	o.Rest(res)
	if s != nil {
		r.servers[res] = s
		res.Unmapped = append(res.Unmapped, s.unmapped...)
	}
	res.Raw = o.Self().Compact(reading.Elide{Longer: 64, Texts: texts, Drop: bulk})
	r.add(res)
}

// describe reads what served, and what tells runs apart. It returns nil where the record says nothing of the
// server.
func (r *reader) describe(o *reading.Object, res *record.Result) (s *server) {
	facts := reading.Facts{}
	if info := o.Value("server_info"); info.Kind() == reading.KindObject {
		s = r.server(reading.NewObject(r.file, info, r.add))
		res.Identity.Model = s.model
		facts = append(facts, s.facts...)
		res.Workload.PrefixCache = s.prefixCache
		res.Setup = append(res.Setup, record.KV{Key: "server_info", Value: s.digest})
	} else if o.Has("server_info") {
		o.Bad("server_info", "\"server_info\" is %v, an object was expected: it is left out", info.Kind())
	}
	facts.Add(record.FactEngine, engine(o.Text("backend")), o.At("backend"))
	res.Setup = append(res.Setup, o.Setup("backend")...)
	if tag := sessions.Variant(o.Text("tag")); tag != "" {
		facts.Add(record.FactSeries, tag, o.At("tag"))
		res.Setup = append(res.Setup, record.KV{Key: "tag", Value: tag})
	}
	res.Facts = facts
	return s
}

// measure reads the results.
func measure(o *reading.Object, s *server, res *record.Result) {
	servingjson.Measure(o, scalars, &res.Values)
	if a, ok := acceptance(o, s); ok {
		res.Values = append(res.Values,
			record.Value{Quantity: metric.SpecDecodeAcceptance, Stat: metric.Value, Number: a, Unit: "fraction"})
	}
	// With --cache-report. Of a chat of several turns the tool holds the tokens of all turns against the prompts of the first,
	// which are not what it counts as input; without a word of where they lay, 0 is what a server did not say too.
	report := o.Self().Get("cache_report")
	prompts, _ := report.Get("total_prompt_tokens").Finite()
	hits, ok := report.Get("total_cached_tokens").Finite()
	if all, _ := o.Self().Get("total_input_tokens").Finite(); ok && all > 0 && prompts == all && hits >= 0 && hits <= all &&
		(hits > 0 || report.Get("device_cached_tokens").Kind() == reading.KindNumber) {
		o.Use("cache_report")
		res.Values = append(res.Values, record.Value{Quantity: metric.PrefixCacheHits, Stat: metric.Value,
			Number: metric.Round(hits / all), Unit: metric.Fraction})
	}
	done := res.Completed != nil && *res.Completed > 0
	res.Values = reading.Measured(res.Values, done)
	if strings.HasSuffix(o.Text("backend"), "-embedding") { // nothing is generated
		res.Workload.Nominal.Output = nil
		res.Values = slices.DeleteFunc(res.Values, func(v record.Value) bool {
			return v.Quantity == metric.OutputThroughput || v.Quantity == metric.OutputTokens
		})
	}
	for i := range res.Values {
		switch v := &res.Values[i]; v.Quantity {
		case metric.ITL:
			yes := true // there are gaps between tokens on a stream only
			res.Workload.Streaming = &yes
		case metric.TTFT, metric.E2ELatency:
			if done {
				v.N = *res.Completed
			}
		}
	}
	reading.MeanLengths(res)
}

// engine is the engine that a backend names; "sglang-oai-chat" is a way to talk to one. "gserver"
// and "truss" name none.
func engine(backend string) string {
	name, _, _ := strings.Cut(strings.ToLower(backend), "-")
	switch name {
	case "sglang", "vllm", "lmdeploy", "trt":
		return name
	}
	return ""
}

// workload reads what was asked for. The random lengths are always in the record, with their
// defaults: they mean something only where the dataset is random.
func (r *reader) workload(o *reading.Object, res *record.Result) {
	w := &res.Workload
	w.Dataset = o.Text("dataset_name")
	switch {
	case strings.HasPrefix(w.Dataset, "random"):
		w.Nominal = record.Lengths{Input: o.Length("random_input_len"), Output: o.Length("random_output_len")}
		if ratio, ok := o.Number("random_range_ratio"); ok && !servingjson.Drawn(w, ratio) {
			o.Bad("random_range_ratio", "\"random_range_ratio\" is %v, a number from 0 to 1 was expected: "+
				"the value is left out", ratio)
		}
	case w.Dataset == "sharegpt":
		w.Nominal.Output = o.Length("sharegpt_output_len")
	}
	if w.Nominal != (record.Lengths{}) {
		w.LengthSemantics = "tool nominal"
		if strings.HasPrefix(w.Distribution, "uniform") {
			w.LengthSemantics = "upper bound"
		}
	}
	w.NumPrompts = o.Positive("num_prompts") // of several processes together
	if n := prompts(r.name); w.NumPrompts == nil && n > 0 && (!o.Has("completed") || atMost(o, n)) {
		w.NumPrompts = &n
	}
}

func atMost(o *reading.Object, n int64) bool {
	c, ok := o.Value("completed").Int()
	return ok && c <= n
}

var (
	// "sglang_1204_1000_1024_512.jsonl": the tool's own name, with month and day but no year.
	ownName = regexp.MustCompile(`^[a-z]+(?:-[a-z]+)*_[01][0-9][0-3][0-9]_([1-9][0-9]{0,8})_[A-Za-z0-9_-]+\.jsonl?$`)
	// "agg_n50_in128_out64_c32.jsonl".
	nName = regexp.MustCompile(`(?:^|[_-])(?:n|np|num_?prompts)[_=]?([1-9][0-9]{0,8})(?:[_.-]|$)`)
)

// prompts is the number of prompts that a file's name states, 0 if it states none.
func prompts(name string) int64 {
	for _, re := range []*regexp.Regexp{ownName, nName} {
		if m := re.FindStringSubmatch(name); m != nil {
			n, _ := strconv.ParseInt(m[1], 10, 64) // nine digits at most
			return n
		}
	}
	return 0
}

// failures counts the requests that failed. Most records count the completed ones only; that of a replayed trace, which
// counts both, has the first three kinds of its errors and not one text a request.
func (r *reader) failures(o *reading.Object, res *record.Result) {
	res.Failed = o.Count("failed")
	reading.Submitted(res)
	if texts := o.Self().Get("errors"); texts.Kind() == reading.KindArray {
		all := int64(texts.Len())
		if res.Submitted != nil && *res.Submitted != all {
			return
		}
		o.Use("errors")
		var failed int64
		res.Errors, failed = servingjson.Errors(texts)
		res.Submitted, res.Failed = &all, &failed
		return
	}
	if res.Submitted != nil {
		return
	}
	if n := res.Workload.NumPrompts; n != nil && ownName.MatchString(r.name) {
		res.Submitted = n
	}
}

// acceptance is the fraction of drafted tokens that the model accepted. "accept_length" counts the
// tokens of a step, among them the one that the model adds itself; where one chain was drafted,
// one token less than speculative_num_draft_tokens was proposed a step. What a tree proposed is
// not known.
func acceptance(o *reading.Object, s *server) (float64, bool) {
	if s == nil || s.topK != 1 || s.draftTokens < 2 || !o.Has("accept_length") {
		return 0, false
	}
	n, ok := o.Value("accept_length").Finite()
	if !ok || n < 1 || n > float64(s.draftTokens) {
		return 0, false
	}
	return metric.Round((n - 1) / float64(s.draftTokens-1)), true
}
