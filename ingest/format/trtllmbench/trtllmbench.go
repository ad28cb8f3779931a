// Package trtllmbench reads what trtllm-bench reports of TensorRT-LLM: the JSON of --report_json, and
// the blocks it prints, wherever they stand in a log.
//
// The requests of a data set are sent as fast as the engine, or --concurrency, takes them. That
// limit stands in no report: the load is known only where the file's name says it, and the
// concurrency that a report states is the one that came about. "issue_rate" means nothing.
package trtllmbench

import (
	"bytes"
	"path"
	"regexp"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/internal/sessions"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

// Format reads reports of trtllm-bench.
var Format = &reading.Format{
	Name: "trtllm-bench",
	Doc: reading.Doc{
		Title:    "trtllm-bench reports",
		Tool:     "TensorRT-LLM",
		Command:  "trtllm-bench throughput|latency --report_json F, trtllm-bench ... | tee F",
		Versions: "0.16 to 1.3",
		Files:    "*.json, *.log, *.txt",
		Reads: "Each report with model, version, precision, parallelism, runtime limits and, of newer versions, the " +
			"GPU; counts, lengths, throughputs, achieved concurrency and the statistics of the end-to-end latency, " +
			"with --streaming also of TTFT, TPOT and decode speed.",
		Unknown: "The date and the concurrency asked for stand in no report, the GPU in none before version 1.0.",
	},
	Match: func(h *reading.Head) bool {
		if len(h.Keys) > 0 {
			return h.Has("engine", "performance") && (h.Has("world_info") || h.Has("request_info")) &&
				h.HasNested("performance.total_latency_ms")
		}
		return printedLog(h)
	},
	Marks:   []string{"= PERFORMANCE OVERVIEW", "= PYTORCH BACKEND", "= WORLD + RUNTIME INFORMATION"},
	Clients: []string{"trtllm-bench"},
	Read:    read,
}

const tool = "trtllm-bench"

// printedLog reports whether a file is a log with the blocks of a report. Its lines may begin with
// "[01/02/2025-10:11:12]".
func printedLog(h *reading.Head) bool {
	if h.Kind == 'b' || h.Kind == 0 || len(h.Keys) > 0 || bytes.HasPrefix(h.Data, []byte("---")) {
		return false // JSON, or a page with front matter
	}
	return block.Match(h.Data) || early.Match(h.Data)
}

// named is a concurrency in the name of a file.
var named = regexp.MustCompile(`(?i)(?:^|[._-])(?:c|conc|concurrency)[_=-]?([1-9][0-9]{0,6})(?:[._-]|$)`)

// reader is the state of reading one file.
type reader struct {
	file, name string
	sessions.Batch
	params map[*record.Result][]record.Param // of the server of each result
}

// report is one measurement and what it says of the server.
type report struct {
	res    *record.Result
	facts  reading.Facts
	params []record.Param
}

func (r *reader) bad(line int, format string, args ...any) {
	r.Add(record.Errorf(record.Pos{File: r.file, Line: line}, format, args...))
}

func read(src *reading.Source, emit func(record.Record)) error {
	r := &reader{file: src.Path(), params: map[*record.Result][]record.Param{}}
	_, r.name = sessions.Split(r.file)
	if printedLog(src.Head) {
		r.text(src.Data)
	} else {
		reading.Values(src, true, r.json, r.Add)
	}
	container := r.Container(r.file)
	r.Emit(func(res *record.Result) string {
		return record.SessionKey(tool, container, res.Identity.Model, sessions.Digest(sessions.Setup(res.Setup)))
	}, func(res *record.Result) {
		if params := r.params[res]; len(params) > 0 {
			emit(&record.Params{Base: record.Base{At: res.At, Key: res.Key, Identity: res.Identity},
				Of: "server", Params: params})
		}
	}, emit)
	return nil
}

func (r *reader) newReport(at record.Pos) *report {
	p := &report{res: &record.Result{Base: record.Base{At: at, Identity: record.Identity{Tool: tool}}}}
	if m := named.FindStringSubmatch(strings.TrimSuffix(r.name, path.Ext(r.name))); m != nil {
		n, _ := strconv.ParseInt(m[1], 10, 64) // seven digits
		p.res.Load.MaxConcurrency = &n
	}
	p.facts.Add(record.FactEngine, "tensorrt-llm", at)
	return p
}

// none are the words for what a report does not have.
func none(s string) bool {
	return s == "" || s == "None" || s == "N/A" || s == "null" || s == "Unknown"
}

// server states something of the server under the name that the JSON report has for it.
func (p *report) server(key, text string, value []byte, at record.Pos) {
	if none(text) {
		return
	}
	switch key {
	case "model":
		p.res.Identity.Model = text
		p.facts.Add(record.FactModel, text, at)
	case "version":
		p.facts.Add(record.FactEngineVersion, text, at)
	case "world_size":
		if n, err := strconv.Atoi(strings.TrimSuffix(text, ".0")); err == nil && n > 0 {
			p.facts.Add(record.FactCount, strconv.Itoa(n), at)
		}
	}
	p.res.Setup = append(p.res.Setup, record.KV{Key: key, Value: text})
	p.params = append(p.params, record.Param{Name: key, Value: value, At: at})
}

// finish completes what both shapes of a report have in common. Dtype is that of the weights where
// they are not quantized.
func (r *reader) finish(p *report) {
	res := p.res
	said := map[string]record.KV{}
	for _, kv := range res.Setup {
		said[kv.Key] = kv
	}
	for _, k := range []string{"quantization", "dtype"} {
		if kv, ok := said[k]; ok && !strings.EqualFold(kv.Value, "auto") {
			p.facts.Add(record.FactPrecision, kv.Value, res.At)
			break
		}
	}
	// The text does not state the number of GPUs: tensor and pipeline parallel count them.
	if _, ok := said["world_size"]; !ok {
		tp, err1 := strconv.Atoi(said["tp_size"].Value)
		pp, err2 := strconv.Atoi(said["pp_size"].Value)
		if err1 == nil && err2 == nil && tp > 0 && pp > 0 && tp <= 1<<12 && pp <= 1<<12 {
			p.facts.Add(record.FactCount, strconv.Itoa(tp*pp), res.At)
		}
	}
	res.Values = reading.Measured(res.Values, res.Completed == nil || *res.Completed > 0)
	streaming := res.Workload.Streaming
	reading.FirstTokens(res)
	if streaming != nil {
		res.Workload.Streaming = streaming // the report says so itself
	}
	res.Facts = p.facts
	r.params[res] = p.params
	r.Add(res)
}

// statistic is the name of a statistic by the word that both shapes use, "" for another.
func statistic(word string) string {
	switch word = strings.ToLower(word); word {
	case "p50":
		return metric.Median
	case "minimum":
		return metric.Min
	case "maximum":
		return metric.Max
	case "average":
		return metric.Mean
	case "p90", "p95", "p99":
		return word
	}
	return ""
}

func (p *report) value(q metric.ID, stat, unit, key string, n float64) {
	p.res.Values = append(p.res.Values, record.Value{Quantity: q, Stat: stat, Number: n, Unit: unit, Key: key})
}

// serverKeys are the members that describe the server.
var serverKeys = []struct {
	part string
	keys []string
}{
	{"engine", []string{
		"model", "version", "backend", "dtype", "kv_cache_dtype", "quantization", "max_input_length",
		"max_sequence_length",
	}},
	{"world_info", []string{
		"tp_size", "pp_size", "ep_size", "world_size", "max_batch_size", "max_num_tokens", "scheduling_policy",
		"kv_cache_percentage",
	}},
}

// numbers are the members that are one number, by their part of the report.
var numbers = [...]struct {
	part, key, stat, unit string
	is                    metric.ID
}{
	{"performance", "total_latency_ms", metric.Value, "ms", metric.Duration},
	{"performance", "avg_request_latency_ms", metric.Mean, "ms", metric.E2ELatency},
	{"performance", "request_throughput_req_s", metric.Value, "req/s", metric.RequestThroughput},
	{"performance", "system_output_throughput_tok_s", metric.Value, "tok/s", metric.OutputThroughput},
	{"performance", "system_total_throughput_tok_s", metric.Value, "tok/s", metric.TotalThroughput},
	{"performance", "output_throughput_per_user_tok_s", metric.Mean, "tok/s", metric.SpeedPerRequest},
	{"streaming_metrics", "avg_ttft_ms", metric.Mean, "ms", metric.TTFT},
	{"streaming_metrics", "avg_tpot_ms", metric.Mean, "ms", metric.TPOT},
	{"streaming_metrics", "token_output_speed_tok_s", metric.Mean, "tok/s", metric.TGSpeed},
}

// distributions are the members with statistics, by their part of the report, and what stands before each statistic
// that is printed.
var distributions = [...]struct {
	part, key, printed, unit string
	is                       metric.ID
}{
	{"performance", "request_latency_percentiles_ms", "Latency", "ms", metric.E2ELatency},
	{"streaming_metrics", "ttft_percentiles", "TTFT", "ms", metric.TTFT},
	{"streaming_metrics", "tpot_percentiles", "TPOT", "ms", metric.TPOT},
	{"streaming_metrics", "gen_tps_percentiles", "GTPS", "tok/s", metric.TGSpeed},
	{"decoding_stats", "draft_acceptance_rate_percentiles", "DAR", "fraction", metric.SpecDecodeAcceptance},
	{"decoding_stats", "acceptance_length_percentiles", "AL", "tokens", metric.AcceptanceLength},
}

// json reads one report as JSON.
func (r *reader) json(v reading.Value) {
	o := reading.NewObject(r.file, v, r.Add)
	if v.Kind() != reading.KindObject || !o.Has("performance") {
		o.Bad("", "no report of trtllm-bench: it lacks \"performance\"")
		return
	}
	p := r.newReport(o.Pos())
	res := p.res
	p.described(o)
	info := o.Sub("request_info")
	res.Completed = info.Count("num_requests")
	res.Submitted = res.Completed
	res.Workload.Actual = record.Lengths{
		Input: positive(info, "avg_input_length"), Output: positive(info, "avg_output_length"),
	}
	info.Measure(&res.Values, metric.AchievedConcurrency, metric.Value, "requests", "avg_num_concurrent_requests")
	r.dataset(p, o.Sub("dataset"))
	streaming := o.Has("streaming_metrics")
	res.Workload.Streaming = &streaming
	p.measured(o)
	o.Rest(res)
	res.Raw = v.Compact(reading.Elide{Longer: 64})
	r.finish(p)
}

func positive(o *reading.Object, key string) *float64 {
	if n, ok := o.Number(key); ok && n > 0 {
		return &n
	}
	return nil
}

// described reads what served, and on what.
func (p *report) described(o *reading.Object) {
	for _, of := range serverKeys {
		s := o.Sub(of.part)
		for _, k := range of.keys {
			p.server(k, s.Text(k), s.Value(k).Compact(reading.Elide{Longer: 64}), s.At(k))
		}
	}
	o.Sub("engine").Use("model_path", "engine_dir") // paths on one machine
	o.Sub("world_info").Use("issue_rate")
	machine := o.Sub("machine")
	p.facts.Add(record.FactHardware, known(machine.Text("name")), machine.At("name"))
	if n, ok := machine.Number("memory.total"); ok && n > 0 { // it says GB and means GiB
		p.facts.Add(record.FactGPUMemory, strconv.FormatFloat(n, 'f', -1, 64)+" GiB", machine.At("memory.total"))
	}
}

// measured reads the results.
func (p *report) measured(o *reading.Object) {
	for _, part := range []string{"performance", "streaming_metrics", "decoding_stats"} {
		if !o.Has(part) {
			o.Use(part)
			continue
		}
		in := o.Sub(part)
		for i := range numbers {
			if x := &numbers[i]; x.part == part {
				in.Measure(&p.res.Values, x.is, x.stat, x.unit, x.key)
			}
		}
		for i := range distributions {
			x := &distributions[i]
			if x.part != part {
				continue
			}
			if in.Has(x.key) {
				in.Sub(x.key).Statistics(&p.res.Values, x.is, x.unit, statistic)
			}
			in.Use(x.key)
		}
	}
	o.Sub("performance").Use("output_throughput_per_gpu_tok_s") // the output throughput divided by the GPUs
	if o.Has("energy") {
		if n, ok := o.Sub("energy").Number("output_tps_per_w"); ok && n > 0 {
			p.value(metric.EnergyPerToken, metric.Value, "J/tok", "", metric.Round(1/n))
		}
	}
}

func known(s string) string {
	if none(s) {
		return ""
	}
	return s
}

// dataset reads what was asked for.
func (r *reader) dataset(p *report, d *reading.Object) {
	w := &p.res.Workload
	if s := d.Text("dataset_path"); !none(s) {
		w.Dataset = path.Base(strings.ReplaceAll(s, `\`, "/"))
	}
	w.NumPrompts = d.Count("num_requests")
	fixed := func(key string) *float64 {
		s := d.Value(key)
		lo, ok1 := s.Get("minimum").Finite()
		hi, ok2 := s.Get("maximum").Finite()
		if !ok1 || !ok2 || lo != hi || lo <= 0 {
			return nil
		}
		return &lo
	}
	in, out := fixed("isl_stats"), fixed("osl_stats")
	if in != nil && out != nil {
		w.Nominal, w.Distribution, w.LengthSemantics = record.Lengths{Input: in,
			Output: out}, "fixed", "client tokenizer"
	}
	// The lengths served say the same, and sums and means follow from these.
	d.Use("seq_len_stats", "max_isl", "max_osl", "max_sequence_length", "avg_isl", "avg_osl", "avg_sequence_length")
}
