// Package llmdreport reads the Benchmark Report of llm-d-benchmark, versions 0.1, 0.2 and 0.2.1, as
// YAML and JSON. It is one report a load: what was served ("scenario"), how hard it was driven, and
// the statistics, each with its unit. `inferdex export benchmark-report` writes version 0.2.1.
//
// The converters that write such reports keep the words of the tool that measured. Where these mean
// something else there, they do here: the inter_token_latency of AIPerf and guidellm is one value a
// request and so a TPOT, the time_per_output_token of guidellm may include the TTFT, and that of old
// releases of inference-perf counts tokens twice.
//
// What inferdex exports and the report has no place for stands in scenario.load.native.config,
// below "inferdex".
package llmdreport

import (
	"cmp"
	"regexp"
	"strings"

	"github.com/inferdex/inferdex/ingest/internal/sessions"
	"github.com/inferdex/inferdex/ingest/internal/yamlval"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

// Format reads Benchmark Reports.
var Format = &reading.Format{
	Name: "llm-d-benchmark-report",
	Doc: reading.Doc{
		Title:    "llm-d Benchmark Reports",
		Tool:     "llm-d-benchmark",
		Command:  "benchmark-report -w TOOL RESULTS REPORT, inferdex export benchmark-report RUN",
		Versions: "0.1, 0.2 and 0.2.1",
		Files:    "benchmark_report_v0.2,_*.yaml, *.yaml, *.json",
		Reads: "Each report with model, engines, accelerators, parallelism and launch arguments, the load, counts, " +
			"lengths, throughputs and the statistics of TTFT, TPOT, ITL, NTPOT and end-to-end latency in the units " +
			"it states; of the engines that were observed the highest use of the KV cache.",
		Unknown: "The memory of the accelerators in versions 0.2 and 0.2.1; whether a field that an importer left at " +
			"its default was ever known.",
	},
	MaxSize: 64 << 20,
	Match:   match,
	Read:    read,
}

var (
	topKey = regexp.MustCompile(`(?m)^"?(version|run|scenario|metrics|results)"?:`)
	// The parts of "results"; a report in the order of the alphabet has nothing else at its beginning.
	part = regexp.MustCompile(`(?m)^results:[ \t\r]*\n(?:[ \t]*#.*\n)*[ ]+` +
		`(component_health|observability|profiling|request_performance|session_performance):`)
)

func match(h *reading.Head) bool {
	switch h.Kind {
	case '{', '[':
		old := h.Has("version", "scenario", "metrics") &&
			(h.HasNested("metrics.latency") || h.HasNested("metrics.requests"))
		return old || h.Has("results") && (h.HasNested("results.request_performance") ||
			h.HasNested("results.observability") || h.HasNested("results.component_health") ||
			h.Has("run", "scenario") && h.HasNested("run.uid"))
	case 't':
		top := map[string]bool{}
		for _, m := range topKey.FindAllSubmatch(h.Data, -1) {
			top[string(m[1])] = true
		}
		return top["version"] && top["scenario"] && top["metrics"] ||
			top["results"] && (top["run"] && top["scenario"] || part.Match(h.Data))
	}
	return false
}

func read(src *reading.Source, emit func(record.Record)) error {
	r := &reader{file: src.Path(), emit: emit}
	r.folder, _ = sessions.Split(r.file)
	bad := func(line, col int, text string) {
		emit(&record.SyntaxError{Base: record.Base{At: record.Pos{File: r.file, Line: line, Col: col}}, Text: text})
	}
	if src.Head.Kind == 't' {
		found := false
		yamlval.Report(src.Data,
			func(v reading.Value) { found = true; r.read(v) },
			func(e yamlval.Error) { found = true; bad(e.Line, e.Col, e.Text) })
		if !found {
			bad(1, 0, "no report in this file")
		}
		return nil
	}
	reading.Values(src, true, r.read, emit)
	return nil
}

// tools are the families of tools by the names that reports have for them, where these differ.
var tools = map[string]string{"vllm-benchmark": "vllm-bench-serve", "inferencemax": "inferencex"}

// read reads one report.
func (r *reader) read(v reading.Value) {
	o := reading.NewObject(r.file, v, r.emit)
	if v.Kind() != reading.KindObject || !o.Has("results") && !o.Has("metrics") {
		o.Bad("", "no Benchmark Report: it has neither \"results\" nor \"metrics\"")
		return
	}
	p := &report{
		Object: o, r: r,
		res:    &record.Result{Base: record.Base{At: o.Pos()}},
		params: map[string][]record.Param{},
	}
	if !o.Has("scenario") && strings.HasPrefix(o.Value("run").Get("uid").Scalar(), "inference-perf-stage-") {
		r.emit(&record.Ignored{Base: record.Base{At: o.Pos()}, Reason: "the part of a Benchmark Report that inference-perf has, " +
			"without model and load: stage_<n>_lifecycle_metrics.json beside it has the same with its load"})
		return
	}
	version := o.Text("version")
	experiment := ""
	if o.Has("results") {
		experiment = p.v02()
	} else {
		p.v01()
	}
	switch version {
	case "0.1", "0.2", "0.2.1", "":
	default:
		p.note("unknown-version", record.Remark, "version", "Benchmark Report of version %q: it is read as version "+
			"0.2.1, and what is new in it is kept and not used", reading.Clip(version))
	}
	res := p.res
	if len(res.Values) == 0 && res.Submitted == nil && !p.own {
		r.emit(&record.Ignored{Base: record.Base{At: o.Pos()},
			Reason: "Benchmark Report without the performance of requests"})
		return
	}
	res.Own = p.own
	res.Identity.Tool = strings.ToLower(p.tool)
	res.Identity.Tool = cmp.Or(tools[res.Identity.Tool], res.Identity.Tool, "llm-d-benchmark")
	p.settle()
	p.session(experiment)
	res.Facts = p.facts
	o.Rest(res)
	res.Raw = v.Compact(reading.Elide{Longer: 64})
	p.emit()
}

// settle drops what was not measured and adds what follows from the rest. A report that inferdex wrote needs
// neither repair nor addition.
func (p *report) settle() {
	res := p.res
	if res.Identity.Tool == "inference-perf" && !p.own {
		var share float64
		if res.Values, share = reading.CountedTwice(p.sameUnit()); share > 0 {
			p.note("tpot-counted-twice", record.Warning, "", "the mean time_per_output_token is %.2f of "+
				"(request_latency - time_to_first_token) / (output_length - 1): this release of inference-perf "+
				"counted tokens of a stream twice; the TPOT is computed from the means, its other statistics and the "+
				"inter_token_latency are left out", share)
		}
	}
	res.Values = reading.Measured(res.Values, p.own || res.Completed == nil || *res.Completed > 0)
	if p.own {
		return
	}
	w := &res.Workload
	if w.Actual == (record.Lengths{}) {
		w.Actual.Input = reading.Mean(res.Values, metric.InputTokens)
		w.Actual.Output = reading.Mean(res.Values, metric.OutputTokens)
	}
	for i := range res.Values {
		x := &res.Values[i]
		if x.Quantity == metric.TTFT && w.Streaming == nil {
			yes := true // a first token is seen on a stream only
			w.Streaming = &yes
		}
		if (x.Quantity == metric.TTFT || x.Quantity == metric.E2ELatency) && res.Completed != nil &&
			*res.Completed > 0 {
			x.N = *res.Completed
		}
	}
}

// session names the session: that of the experiment where there is one, of the folder otherwise.
func (p *report) session(experiment string) {
	res := p.res
	digest := sessions.Digest(sessions.Setup(res.Setup))
	container := p.r.folder
	if experiment != "" {
		container = "experiment " + experiment
		if res.Identity.Session == "" { // an experiment may compare several stacks: each is a run
			res.Identity.Session = experiment + " " + digest
		}
	} else if p.r.file == "-" {
		container = p.r.file
	}
	res.Key = record.SessionKey("llm-d-report", container, res.Identity.Tool, res.Identity.Model, digest)
}

// emit gives the result with the parameters and notes that belong to it.
func (p *report) emit() {
	res := p.res
	p.r.emit(res)
	for _, of := range []string{"server", "client", "env"} {
		if len(p.params[of]) > 0 {
			p.r.emit(&record.Params{Base: record.Base{At: res.At, Key: res.Key, Identity: res.Identity},
				Of: of, Params: p.params[of]})
		}
	}
	for _, n := range p.notes {
		n.Key, n.Identity = res.Key, res.Identity
		p.r.emit(n)
	}
}

// sameUnit turns latencies in milliseconds to seconds, so that they can be held against each other.
func (p *report) sameUnit() []record.Value {
	out := make([]record.Value, len(p.res.Values))
	for i, v := range p.res.Values {
		if v.Unit == "ms" || v.Unit == "ms/token" {
			v.Number, v.Unit = metric.Round(v.Number/1000), "s"
		}
		out[i] = v
	}
	return out
}
