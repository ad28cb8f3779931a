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

	"github.com/inferdex/inferdex/ingest"
	"github.com/inferdex/inferdex/ingest/internal/clean"
	"github.com/inferdex/inferdex/ingest/internal/jsonval"
	"github.com/inferdex/inferdex/ingest/internal/object"
	"github.com/inferdex/inferdex/ingest/internal/sessions"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
)

// Format reads reports of trtllm-bench.
var Format = &ingest.Format{
	Name: "trtllm-bench",
	Doc: ingest.Doc{
		Title:    "trtllm-bench reports",
		Tool:     "TensorRT-LLM",
		Command:  "trtllm-bench throughput|latency --report_json F, trtllm-bench ... | tee F",
		Versions: "0.16 to 1.3",
		Files:    "*.json, *.log, *.txt",
		Reads: "Each report with model, version, precision, parallelism, runtime limits and, of newer versions, the GPU; counts, lengths, throughputs, " +
			"achieved concurrency and the statistics of the end-to-end latency, with --streaming also of TTFT, TPOT and decode speed.",
		Unknown: "The date and the concurrency asked for stand in no report, the GPU in none before version 1.0.",
	},
	Match: func(h *ingest.Head) bool {
		if len(h.Keys) > 0 {
			return h.Has("engine", "performance") && (h.Has("world_info") || h.Has("request_info")) && h.HasNested("performance.total_latency_ms")
		}
		return printedLog(h)
	},
	Marks: []string{"= PERFORMANCE OVERVIEW", "= PYTORCH BACKEND", "= WORLD + RUNTIME INFORMATION"},
	Read:  read,
}

const tool = "trtllm-bench"

// printedLog reports whether a file is a log with the blocks of a report. Its lines may begin with
// "[01/02/2025-10:11:12]".
func printedLog(h *ingest.Head) bool {
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
	records    []record.Record
	reports    []*report
}

// report is one measurement and what it says of the server.
type report struct {
	res    *record.Result
	facts  clean.Facts
	params []record.Param
}

func (r *reader) emit(rec record.Record) { r.records = append(r.records, rec) }

func (r *reader) bad(line, col int, text string) {
	r.emit(&record.SyntaxError{Base: record.Base{At: record.Pos{File: r.file, Line: line, Col: col}}, Text: text})
}

func read(src *ingest.Source, emit func(record.Record)) error {
	r := &reader{file: src.Path()}
	_, r.name = sessions.Split(r.file)
	if printedLog(src.Head) {
		r.text(src.Data)
	} else {
		object.Values(src, true, r.json, r.emit)
	}
	container := r.file
	if len(r.reports) <= 1 && r.file != "-" {
		container = sessions.Group(r.file)
	}
	of := map[*record.Result]*report{}
	for _, p := range r.reports {
		p.res.Key = record.SessionKey(tool, container, p.res.Identity.Model, sessions.Digest(sessions.Setup(p.res.Setup)))
		of[p.res] = p
	}
	told := map[string]bool{} // sessions whose server was described
	for _, rec := range r.records {
		emit(rec)
		res, ok := rec.(*record.Result)
		if !ok || told[res.Key] || len(of[res].params) == 0 {
			continue
		}
		told[res.Key] = true
		emit(&record.Params{Base: record.Base{At: res.At, Key: res.Key, Identity: res.Identity}, Of: "server", Params: of[res].params})
	}
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
		if n, err := strconv.Atoi(text); err == nil && n > 0 {
			p.facts.Add(record.FactCount, text, at)
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
	res.Values = clean.Measured(res.Values, res.Completed == nil || *res.Completed > 0)
	for i := range res.Values {
		v := &res.Values[i]
		if res.Completed != nil && *res.Completed > 0 {
			switch v.Quantity {
			case metric.E2ELatency, metric.TTFT:
				v.N = *res.Completed
			}
		}
	}
	res.Facts = p.facts
	r.reports = append(r.reports, p)
	r.emit(res)
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

// json reads one report as JSON.
func (r *reader) json(v jsonval.Value) {
	o := object.New(r.file, v, r.emit)
	if v.Kind() != jsonval.Object || !o.Has("performance") {
		o.Bad("", "no report of trtllm-bench: it lacks \"performance\"")
		return
	}
	p := r.newReport(o.Pos())
	res := p.res
	for _, part := range []struct {
		key  string
		keys []string
	}{
		{"engine", []string{"model", "version", "backend", "dtype", "kv_cache_dtype", "quantization", "max_input_length", "max_sequence_length"}},
		{"world_info", []string{"tp_size", "pp_size", "ep_size", "world_size", "max_batch_size", "max_num_tokens", "scheduling_policy", "kv_cache_percentage"}},
	} {
		s := o.Sub(part.key)
		for _, k := range part.keys {
			p.server(k, s.Text(k), s.Value(k).Compact(jsonval.Elide{Longer: 64}), s.At(k))
		}
	}
	o.Sub("engine").Use("model_path", "engine_dir") // paths on one machine
	o.Sub("world_info").Use("issue_rate")
	machine := o.Sub("machine")
	p.facts.Add(record.FactHardware, known(machine.Text("name")), machine.At("name"))
	if n, ok := machine.Number("memory.total"); ok && n > 0 { // it says GB and means GiB
		p.facts.Add(record.FactGPUMemory, strconv.FormatFloat(n, 'f', -1, 64)+" GiB", machine.At("memory.total"))
	}

	info := o.Sub("request_info")
	res.Completed = info.Count("num_requests")
	res.Submitted = res.Completed
	positive := func(s *object.Object, key string) *float64 {
		if n, ok := s.Number(key); ok && n > 0 {
			return &n
		}
		return nil
	}
	res.Workload.Actual = record.Lengths{Input: positive(info, "avg_input_length"), Output: positive(info, "avg_output_length")}
	if n, ok := info.Number("avg_num_concurrent_requests"); ok {
		p.value(metric.AchievedConcurrency, metric.Value, "requests", "request_info.avg_num_concurrent_requests", n)
	}
	r.dataset(p, o.Sub("dataset"))

	perf := o.Sub("performance")
	for _, x := range []struct {
		key, stat, unit string
		is              metric.ID
	}{
		{"total_latency_ms", metric.Value, "ms", metric.Duration},
		{"avg_request_latency_ms", metric.Mean, "ms", metric.E2ELatency},
		{"request_throughput_req_s", metric.Value, "req/s", metric.RequestThroughput},
		{"system_output_throughput_tok_s", metric.Value, "tok/s", metric.OutputThroughput},
		{"system_total_throughput_tok_s", metric.Value, "tok/s", metric.TotalThroughput},
		{"output_throughput_per_user_tok_s", metric.Mean, "tok/s", metric.SpeedPerRequest},
	} {
		if n, ok := perf.Number(x.key); ok {
			p.value(x.is, x.stat, x.unit, "performance."+x.key, n)
		}
	}
	perf.Use("output_throughput_per_gpu_tok_s") // the output throughput divided by the GPUs
	p.statistics(perf, "request_latency_percentiles_ms", "performance.", "ms", metric.E2ELatency)

	streaming := o.Has("streaming_metrics")
	res.Workload.Streaming = &streaming
	if stream := o.Sub("streaming_metrics"); streaming {
		for _, x := range []struct {
			key, unit string
			is        metric.ID
		}{{"avg_ttft_ms", "ms", metric.TTFT}, {"avg_tpot_ms", "ms", metric.TPOT}, {"token_output_speed_tok_s", "tok/s", metric.TGSpeed}} {
			if n, ok := stream.Number(x.key); ok {
				p.value(x.is, metric.Mean, x.unit, "streaming_metrics."+x.key, n)
			}
		}
		p.statistics(stream, "ttft_percentiles", "streaming_metrics.", "ms", metric.TTFT)
		p.statistics(stream, "tpot_percentiles", "streaming_metrics.", "ms", metric.TPOT)
		p.statistics(stream, "gen_tps_percentiles", "streaming_metrics.", "tok/s", metric.TGSpeed)
	}
	if o.Has("decoding_stats") {
		p.statistics(o.Sub("decoding_stats"), "draft_acceptance_rate_percentiles", "decoding_stats.", "fraction", metric.SpecDecodeAcceptance)
	}
	if o.Has("energy") {
		if n, ok := o.Sub("energy").Number("output_tps_per_w"); ok && n > 0 {
			p.value(metric.EnergyPerToken, metric.Value, "J/tok", "", clean.Round(1/n))
		}
	}
	res.Unmapped = o.Unmapped()
	res.Raw = v.Compact(jsonval.Elide{Longer: 64})
	r.finish(p)
}

func known(s string) string {
	if none(s) {
		return ""
	}
	return s
}

// statistics reads {"p50": 1, ..., "minimum": 1, "maximum": 1, "average": 1}.
func (p *report) statistics(o *object.Object, key, prefix, unit string, q metric.ID) {
	if !o.Has(key) {
		o.Use(key)
		return
	}
	s := o.Sub(key)
	s.Each(func(k string, _ jsonval.Value) {
		if stat := statistic(k); stat != "" {
			if n, ok := s.Number(k); ok {
				p.value(q, stat, unit, prefix+key+"."+k, n)
			}
		}
	})
}

// dataset reads what was asked for.
func (r *reader) dataset(p *report, d *object.Object) {
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
		w.Nominal, w.Distribution, w.LengthSemantics = record.Lengths{Input: in, Output: out}, "fixed", "client tokenizer"
	}
	// The lengths served say the same, and sums and means follow from these.
	d.Use("seq_len_stats", "max_isl", "max_osl", "max_sequence_length", "avg_isl", "avg_osl", "avg_sequence_length")
}

var (
	block = regexp.MustCompile(`(?m)^= (?:PERFORMANCE OVERVIEW|PYTORCH BACKEND|WORLD \+ RUNTIME INFORMATION)[ \t\r]*$`)
	// What is printed long before the report.
	early = regexp.MustCompile(`(?m)^.{0,200}Preparing to run (?:throughput|latency) benchmark`)
	title = regexp.MustCompile(`^= ([A-Z][A-Z +()a-z]*?)\s*$`)
	rule  = regexp.MustCompile(`^={20,}\s*$`)
)

// section is one of the blocks of a printed report.
type section struct {
	title string
	line  int
	rows  []row
	rest  []row // lines that are no label with a value
}

type row struct {
	label, value string
	line         int
}

// text finds the blocks of a log and puts them together to reports.
func (r *reader) text(data []byte) {
	var blocks []section
	n, ruled := 0, false // ruled: the line before was a rule
	begun := false
	for l := range bytes.Lines(data) {
		n++
		line := strings.ToValidUTF8(strings.TrimRight(string(l[:min(len(l), 16<<10)]), "\r\n"), "\ufffd")
		if rule.MatchString(line) || strings.HasSuffix(strings.TrimRight(line, " "), "==========") {
			// A rule that follows rows ends the block, unless a title follows it.
			ruled, begun = true, begun && len(blocks) > 0 && len(blocks[len(blocks)-1].rows)+len(blocks[len(blocks)-1].rest) == 0
			continue
		}
		if m := title.FindStringSubmatch(line); m != nil && ruled {
			blocks = append(blocks, section{title: strings.TrimSpace(m[1]), line: n})
			begun, ruled = true, false
			continue
		}
		ruled = false
		text := strings.TrimSpace(line)
		if !begun || text == "" || len(blocks) == 0 {
			continue
		}
		b := &blocks[len(blocks)-1]
		if len(b.rows)+len(b.rest) > 200 {
			begun = false // a report has less: this is the log again
			continue
		}
		if label, value, ok := strings.Cut(text, ":"); ok {
			b.rows = append(b.rows, row{strings.TrimSpace(label), strings.TrimSpace(value), n})
		} else {
			b.rest = append(b.rest, row{"", text, n})
		}
	}
	if len(blocks) == 0 {
		r.emit(&record.Ignored{Base: record.Base{At: record.Pos{File: r.file, Line: 1}}, Reason: "log of trtllm-bench that shows no result"})
		return
	}
	var group []section
	flush := func() {
		if len(group) > 0 {
			r.printed(group)
		}
		group = nil
	}
	for _, b := range blocks {
		first := b.title == "PYTORCH BACKEND" || b.title == "ENGINE DETAILS"
		for _, g := range group {
			first = first || g.title == b.title
		}
		if first {
			flush()
		}
		group = append(group, b)
	}
	flush()
}

// servers are the labels that describe the server, by the keys of the JSON report.
var servers = map[string]string{
	"model": "model", "tensorrt llm version": "version", "tensorrt-llm version": "version", "dtype": "dtype", "kv cache dtype": "kv_cache_dtype",
	"quantization": "quantization", "max input length": "max_input_length", "max sequence length": "max_sequence_length",
	"tp size": "tp_size", "pp size": "pp_size", "ep size": "ep_size", "max runtime batch size": "max_batch_size", "max runtime tokens": "max_num_tokens",
	"scheduling policy": "scheduling_policy", "kv memory percentage": "kv_cache_percentage",
}

// labels are the results that are one number. Their units stand in brackets behind them, and
// "[TTFT]", "[w/ ctx]" or "[1/TPOT]" in some versions; both are cut off. "Token Throughput" and
// "inter-token latency" are what version 0.16 calls the output throughput and the TPOT.
var labels = map[string]struct {
	is   metric.ID
	stat string
}{
	"request throughput":            {metric.RequestThroughput, metric.Value},
	"token throughput":              {metric.OutputThroughput, metric.Value},
	"total output throughput":       {metric.OutputThroughput, metric.Value},
	"total token throughput":        {metric.TotalThroughput, metric.Value},
	"total latency":                 {metric.Duration, metric.Value},
	"average request latency":       {metric.E2ELatency, metric.Mean},
	"per user output throughput":    {metric.SpeedPerRequest, metric.Mean},
	"per user output speed":         {metric.TGSpeed, metric.Mean},
	"average time-to-first-token":   {metric.TTFT, metric.Mean},
	"average time-per-output-token": {metric.TPOT, metric.Mean},
	"average inter-token latency":   {metric.TPOT, metric.Mean},
	"number of concurrent requests": {metric.AchievedConcurrency, metric.Value},
}

var (
	// "Total Latency (ms)" is the label and its unit.
	withUnit = regexp.MustCompile(`^(.*?)\s*(?:\[[^\]]*\])?\s*\(([^()]*)\)$`)
	// "[TTFT] P99" is a statistic of one of these.
	breakdown  = regexp.MustCompile(`^\[(Latency|TTFT|TPOT|GTPS|DAR)\] ([A-Z0-9]+)$`)
	breakdowns = map[string]struct {
		is   metric.ID
		unit string
	}{"Latency": {metric.E2ELatency, "ms"}, "TTFT": {metric.TTFT, "ms"}, "TPOT": {metric.TPOT, "ms"}, "GTPS": {metric.TGSpeed, "tok/s"}, "DAR": {metric.SpecDecodeAcceptance, "fraction"}}
	// "NVIDIA H100 80GB HBM3, memory 79.11 GB, 2.62 GHz".
	machine = regexp.MustCompile(`^(.+?), memory ([0-9.]+) GB, `)
)

// units are the words in the brackets.
var units = map[string]string{
	"req/sec": "req/s", "tokens/sec": "tok/s", "tokens/sec/user": "tok/s", "tps/user": "tok/s", "ms": "ms", "seconds": "s", "s": "s", "sec": "s", "": "requests",
}
