// Package inferenceperf reads the reports of kubernetes-sigs/inference-perf: the statistics of a
// stage of load (stage_3_lifecycle_metrics.json), those of all stages together
// (summary_lifecycle_metrics.json), what the engine's Prometheus metrics say of them
// (summary_prometheus_metrics.json), and of the configuration beside them what says how was measured.
//
// A stage is a point. The statistics of all stages mix several loads: they become figures of the
// whole run and no point. All times are in seconds.
//
// Releases before the fix of issue 564 counted a token twice for each chunk of a stream, so that
// time_per_output_token and inter_token_latency are about half of what they should be. The file
// names no release. Where the mean TPOT is plainly less than (E2E - TTFT) / (n - 1) of means, this
// takes its place and the gaps are left out; a note of the run says so.
package inferenceperf

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"

	"github.com/inferdex/inferdex/ingest/internal/sessions"
	"github.com/inferdex/inferdex/ingest/internal/yamlval"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

// Format reads reports of inference-perf.
var Format = &reading.Format{
	Name: "inference-perf",
	Doc: reading.Doc{
		Title:    "inference-perf reports",
		Tool:     "inference-perf",
		Command:  "inference-perf --config_file config.yaml",
		Versions: "2025 to 2026",
		Files: "reports-<date>-<time>/stage_<n>_lifecycle_metrics.json, summary_lifecycle_metrics.json, " +
			"stage_<n>_session_lifecycle_metrics.json, summary_prometheus_metrics.json, config.yaml",
		Reads: "Each stage with its load, counts, throughputs and the statistics of TTFT, TPOT, ITL, NTPOT, " +
			"end-to-end latency and lengths; the summaries as figures of the whole run; model, engine and load from " +
			"the configuration; the date from the folder's name.",
		Unknown: "The GPU, the parallelism and the versions stand in no such file; the model and the engine stand " +
			"in config.yaml alone; TPOT and ITL of releases that counted tokens twice cannot be restored but for " +
			"the mean TPOT.",
	},
	Match: match,
	Read:  read,
}

const tool = "inference-perf"

func match(h *reading.Head) bool {
	switch h.Kind {
	case '{': // "failures" comes last, and lacks where a file was cut
		return h.Has("load_summary", "successes") || h.Has("num_sessions", "num_sessions_completed")
	case '[':
		return h.Has("load_summary", "successes") || perRequest(h)
	case 't':
		return isConfig(h.Data)
	}
	return false
}

func perRequest(h *reading.Head) bool {
	return h.Kind == '[' && (h.Has("start_time", "end_time", "request", "info") && h.HasNested("info.output_token_times") ||
		h.Has("session_id", "num_events_completed"))
}

// isConfig reports whether YAML is a configuration of inference-perf.
func isConfig(data []byte) bool {
	top := map[string]bool{}
	for line := range bytes.Lines(data) {
		if key, _, ok := bytes.Cut(line, []byte{':'}); ok && len(key) > 0 && key[0] != ' ' && key[0] != '#' {
			top[string(key)] = true
		}
	}
	return top["load"] && top["data"] && (top["api"] || top["server"]) &&
		(top["report"] || top["tokenizer"] || top["metrics"])
}

// Names of the tool's files. What stands before them is a prefix that the user chose.
var ownName = regexp.MustCompile(`^(.*?)(?:(summary)|stage_([0-9]{1,6})|adapter_(.{1,60}?)(?:_stage_([0-9]{1,6}))?)` +
	`_(?:(?:session_)?lifecycle|prometheus)_metrics\.json$`)

var folderDate = regexp.MustCompile(`(?:^|[/!])reports-([0-9]{8}-[0-9]{6})(?:[/!]|$)`)

// reader is the state of reading one file.
type reader struct {
	file, key, date string
	part            string // what the file's name says it is of: "stage 3", "adapter x", "all stages"
	stage           bool   // the name is that of a stage
	adapter         bool   // the name is that of an adapter: its requests are a part of the load, and no point
	basis           string // of what a number of a summary is, behind its key
	emit            func(record.Record)
}

func read(src *reading.Source, emit func(record.Record)) error {
	r := &reader{file: src.Path(), part: "all stages", basis: ", over all loads", emit: emit}
	report := r.report
	if perRequest(src.Head) {
		emit(&record.Ignored{
			Base:   record.Base{At: record.Pos{File: r.file}},
			Reason: "single requests or sessions of inference-perf: the files of the stages beside it hold their statistics",
		})
		report = func(*reading.Object) {}
	}
	folder, name := sessions.Split(r.file)
	container := r.file
	if m := ownName.FindStringSubmatch(name); m != nil {
		container = folder + " " + m[1]
		switch {
		case m[3] != "":
			r.part, r.stage = "stage "+m[3], true
		case m[4] != "":
			r.part, r.adapter = "adapter "+m[4], true
			if m[5] != "" {
				r.part, r.basis = r.part+", stage "+m[5], ", over its requests of the stage"
			}
		}
	} else if src.Head.Kind == 't' {
		container = folder + " "
	}
	r.key = record.SessionKey(tool, container)
	if m := folderDate.FindAllStringSubmatch(folder, -1); m != nil {
		r.date = m[len(m)-1][1]
	}
	if src.Head.Kind == 't' {
		r.configs(src.Data)
		return nil
	}
	reading.Each(src, true, "a report of inference-perf", report, emit)
	return nil
}

// base is that of a record at a place.
func (r *reader) base(at record.Pos) record.Base {
	return record.Base{At: at, Key: r.key, Identity: record.Identity{Tool: tool}}
}

// report reads one report.
func (r *reader) report(o *reading.Object) {
	if o.Has("num_sessions") {
		r.sessions(o)
		return
	}
	if !o.Has("successes") {
		o.Bad("", "no report of inference-perf: it lacks \"successes\"")
		return
	}
	load, done := o.Sub("load_summary"), o.Sub("successes")
	stage := r.stage
	for _, k := range []string{"requested_rate", "achieved_rate", "send_duration", "concurrency"} {
		stage = stage || load.Has(k)
	}
	switch lifecycle := done.Has("latency") || done.Has("throughput"); {
	case !lifecycle:
		r.prometheus(o, done)
	case stage && !r.adapter:
		r.point(o, load, done)
	default:
		r.summary(o, done)
	}
}

// latencies are the members of "latency". Their unit is the second.
var latencies = []reading.Meaning{
	{Key: "request_latency", Quantity: metric.E2ELatency},
	{Key: "normalized_time_per_output_token", Quantity: metric.NTPOT},
	{Key: "time_per_output_token", Quantity: metric.TPOT},
	{Key: "time_to_first_token", Quantity: metric.TTFT},
	{Key: "inter_token_latency", Quantity: metric.ITL},
}

// rates are the members of "throughput", whose time is from the first request to the last answer.
var rates = []reading.Meaning{
	{Key: "input_tokens_per_sec", Quantity: metric.InputThroughput, Unit: "tok/s"},
	{Key: "output_tokens_per_sec", Quantity: metric.OutputThroughput, Unit: "tok/s"},
	{Key: "total_tokens_per_sec", Quantity: metric.TotalThroughput, Unit: "tok/s"},
	{Key: "requests_per_sec", Quantity: metric.RequestThroughput, Unit: "req/s"},
}

// lengths are the members that hold numbers of tokens.
var lengths = []reading.Meaning{
	// Newer releases write both; of one statistic the first stays.
	{Key: "prompt_len", Quantity: metric.InputTokens},
	{Key: "prompt_tokens", Quantity: metric.InputTokens},
	{Key: "output_len", Quantity: metric.OutputTokens},
	{Key: "output_tokens", Quantity: metric.OutputTokens},
}

// lengthStatistic is as [reading.Statistic] for numbers of tokens, which may be added up.
func lengthStatistic(key string) string {
	if key == "total" {
		return metric.Total
	}
	return reading.Statistic(key)
}

// values reads everything that was measured, and says whether the TPOT was repaired, with how much
// of its right value it has.
func (r *reader) values(done *reading.Object, completed *int64) (values []record.Value, repaired float64) {
	latency, rate := done.Sub("latency"), done.Sub("throughput")
	for _, l := range latencies {
		if latency.Has(l.Key) { // null is what a run without streaming does not have
			latency.Sub(l.Key).Statistics(&values, l.Quantity, "s", reading.Statistic)
		} else {
			latency.Use(l.Key)
		}
	}
	for _, t := range rates {
		rate.Measure(&values, t.Quantity, metric.Value, t.Unit, t.Key)
	}
	for _, l := range lengths {
		if done.Has(l.Key) {
			done.Sub(l.Key).Statistics(&values, l.Quantity, "tokens", lengthStatistic)
		}
	}
	if done.Has("goodput_metrics") {
		done.Sub("goodput_metrics").Measure(&values, metric.Goodput, metric.Value, "req/s", "request_goodput")
	}
	if n, ok := rate.Number("requests_per_sec"); ok && n > 0 && completed != nil && *completed > 0 {
		values = append(values, record.Value{
			Quantity: metric.Duration, Stat: metric.Value, Number: metric.Round(float64(*completed) / n), Unit: "s",
		})
	}
	values = reading.Measured(values, completed == nil || *completed > 0)
	return reading.CountedTwice(values)
}

func (r *reader) note(at record.Pos, code string, severity record.Severity, format string, args ...any) {
	r.emit(&record.Note{Base: r.base(at), Code: code, Severity: severity, Text: fmt.Sprintf(format, args...)})
}

func (r *reader) noteRepair(at record.Pos, share float64) {
	if share > 0 {
		r.note(at, "tpot-counted-twice", record.Warning,
			"%s: the mean time_per_output_token is %.2f of (request_latency - time_to_first_token) / (output_len - "+
				"1): this release of inference-perf counted tokens of a stream twice; the TPOT is computed from the "+
				"means, its other statistics and the inter_token_latency are left out", r.part, share)
	}
}

// point reads the report of a stage.
func (r *reader) point(o, load, done *reading.Object) {
	res := &record.Result{Base: r.base(o.Pos())}
	res.Date = r.date
	// A load of a fixed concurrency sends a request when another one ends: its rate is no target.
	if res.Load.MaxConcurrency = load.Positive("concurrency"); res.Load.MaxConcurrency == nil &&
		load.Has("requested_rate") {
		res.Load.Rate = load.Rate("requested_rate")
	}
	res.Submitted = load.Count("count")
	res.Completed = done.Count("count")
	failed := o.Sub("failures")
	res.Failed = failed.Count("count")
	if failed.Has("by_label") {
		kinds := failed.Sub("by_label")
		kinds.Each(func(k string, _ reading.Value) {
			if n := kinds.Sub(k).Positive("count"); n != nil {
				kinds.Sub(k).Use("messages") // they name sessions, and say what the label says
				res.Errors = append(res.Errors, record.ErrorCount{Text: reading.Clip(k), Count: *n})
			}
		})
	}
	var share float64
	res.Values, share = r.values(done, res.Completed)
	res.Workload.Actual.Input = reading.Mean(res.Values, metric.InputTokens)
	res.Workload.Actual.Output = reading.Mean(res.Values, metric.OutputTokens)
	reading.FirstTokens(res)
	rate, ok := load.Number("achieved_rate")
	if asked := res.Load.Rate; ok && rate > 0 && asked != nil && rate < 0.95*float64(*asked) {
		r.note(load.At("achieved_rate"), "rate-not-reached", record.Warning,
			"%s: %v requests/s were asked for and %.4g were sent", r.part, float64(*asked), rate)
	}
	r.noteRepair(o.Pos(), share)
	o.Rest(res)
	res.Raw = o.Self().Compact(elide)
	r.emit(res)
}

// elide drops the messages of failures, which name addresses and sessions.
var elide = reading.Elide{Longer: 64, Drop: []string{"messages"}}

// figure states one number of several loads together.
func (r *reader) figure(at record.Pos, v record.Value, of, basis string) {
	n := v.Number
	stat := ""
	if v.Stat != metric.Value {
		stat = ", " + v.Stat
	}
	r.emit(&record.Figure{Base: r.base(at), Quantity: v.Quantity, Of: of + stat, Value: &n, Unit: v.Unit, Basis: basis})
}

// isFigure reports whether a number of a summary becomes a figure: throughputs, means and the slow end
// of latencies. All of them stay in the raw record.
func isFigure(v record.Value) bool {
	switch v.Stat {
	case metric.Value, metric.Mean:
		return v.Quantity != metric.Duration
	case "p99":
		return v.Quantity != metric.InputTokens && v.Quantity != metric.OutputTokens
	}
	return false
}

// summary reads the statistics of all stages.
func (r *reader) summary(o, done *reading.Object) {
	values, share := r.values(done, done.Count("count"))
	r.noteRepair(o.Pos(), share)
	for _, x := range values {
		if !isFigure(x) {
			continue
		}
		basis := x.Key + r.basis
		if x.Key == "" {
			basis = "(request_latency - time_to_first_token) / (output_len - 1), of means" + r.basis
		}
		r.figure(o.Pos(), x, r.part, basis)
	}
	r.keep(o, "lifecycle summary")
}

// prometheus reads what the engine's metrics say of all stages, or of one where the name says so.
// Its mean lengths are means of rates and no lengths; they stay in the raw record.
func (r *reader) prometheus(o, done *reading.Object) {
	var values []record.Value
	done.Measure(&values, metric.RequestThroughput, metric.Value, "req/s", "rate")
	for _, l := range []reading.Meaning{{Key: "prompt_len", Quantity: metric.InputThroughput},
		{Key: "output_len", Quantity: metric.OutputThroughput}} {
		if done.Has(l.Key) {
			done.Sub(l.Key).Measure(&values, l.Quantity, metric.Value, "tok/s", "rate")
		}
	}
	for _, l := range latencies {
		if done.Has(l.Key) {
			done.Sub(l.Key).Statistics(&values, l.Quantity, "s", reading.Statistic)
		}
	}
	if len(values) == 0 {
		o.Bad("successes", "no report of inference-perf: \"successes\" has neither latencies nor rates")
		return
	}
	count := done.Count("count")
	for _, x := range reading.Measured(values, count == nil || *count > 0) {
		if isFigure(x) {
			r.figure(o.Pos(), x, r.part+", metrics of the engine", x.Key+", from the engine's Prometheus metrics")
		}
	}
	r.keep(o, "prometheus summary")
}

// sessions reads what is said of sessions, each of several requests: of a stage of them the tool writes how many sessions
// there were at once, or their rate, as the load of its requests too.
func (r *reader) sessions(o *reading.Object) {
	if meta := o.Sub("stage_metadata"); r.stage && meta.Has("stage_id") {
		r.note(o.Pos(), "load-of-sessions", record.Warning, "%s: its load counts sessions of several requests, and no requests: "+
			"it is no load that others have", r.part)
		if s := meta.Text("status"); s != "" && s != "COMPLETED" {
			r.note(meta.At("status"), "cancelled", record.Warning, "%s: it ended before its sessions did: %s", r.part, reading.Clip(s))
		}
	}
	r.keep(o, "sessions")
}

// keep stores a report that is no point.
func (r *reader) keep(o *reading.Object, name string) {
	s := &record.Samples{Base: r.base(o.Pos()), Name: name, Kept: record.Kept{Raw: o.Self().Compact(elide)}}
	s.Date = r.date
	r.emit(s)
}

// open are the parts of a configuration that say how was measured. The rest holds addresses,
// tokens and paths.
var open = []struct{ section, key string }{
	{"api", "type"}, {"api", "streaming"},
	{"data", "type"}, {"data", "input_distribution"}, {"data", "output_distribution"}, {"data", "shared_prefix"},
	{"load", "type"}, {"load", "interval"}, {"load", "stages"}, {"load", "sweep"}, {"load", "num_workers"},
	{"load", "worker_max_concurrency"},
	{"server", "type"}, {"server", "ignore_eos"},
}

// configs reads config.yaml.
func (r *reader) configs(data []byte) {
	yamlval.Values(data, func(v reading.Value) {
		o := reading.NewObject(r.file, v, r.emit)
		if v.Kind() != reading.KindObject || !o.Has("load") {
			o.Bad("", "no configuration of inference-perf: it lacks \"load\"")
			return
		}
		p := &record.Params{Base: r.base(o.Pos()), Of: "client"}
		facts := reading.Facts{}
		server := o.Sub("server")
		p.Identity.Model = server.Text("model_name")
		facts.Add(record.FactModel, p.Identity.Model, server.At("model_name"))
		switch e := strings.ToLower(server.Text("type")); e {
		case "vllm", "sglang", "tgi":
			facts.Add(record.FactEngine, e, server.At("type"))
		}
		o.Sub("tokenizer").Fact(&facts, record.FactTokenizer, "pretrained_model_name_or_path")
		for _, x := range open {
			s := o.Sub(x.section)
			if s.Has(x.key) {
				param := s.Param(x.key, 64)
				param.Name = x.section + "." + x.key
				p.Params = append(p.Params, param)
			}
		}
		if p.Facts = facts; len(p.Facts) == 0 && len(p.Params) == 0 {
			o.Bad("load", "this configuration of inference-perf names neither a model nor a load")
			return
		}
		r.emit(p)
	}, func(e yamlval.Error) {
		r.emit(record.Errorf(record.Pos{File: r.file, Line: e.Line, Col: e.Col}, "%s", e.Text))
	})
}
