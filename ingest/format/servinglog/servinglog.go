// Package servinglog reads what serving benchmarks print: the block below "Serving Benchmark
// Result", wherever it stands in a log. vLLM, SGLang and TensorRT-LLM print it in dialects. What SGLang prints of a
// batch of prompts without a server, below "Offline Throughput Benchmark Result", is such a block too.
//
// Before the block the tools print their arguments ("Namespace(...)") or some of them, and a
// script its command line: the load, the model and the lengths asked for are taken from there. So is what the command
// says that started the server, the last one above the block in its part of a Markdown text.
package servinglog

import (
	"bytes"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/internal/cmdline"
	"github.com/inferdex/inferdex/ingest/internal/servingjson"
	"github.com/inferdex/inferdex/ingest/internal/sessions"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

// Format reads the results in logs of serving benchmarks.
var Format = &reading.Format{
	Name: "serving-log",
	Doc: reading.Doc{
		Title: "Printed results of serving benchmarks",
		Tool:  "vLLM, SGLang, TensorRT-LLM",
		Command: "vllm bench serve | tee F, sglang.bench_serving, sglang.bench_offline_throughput, " +
			"tensorrt_llm.serve.scripts.benchmark_serving",
		Versions: "0.3.1 to 0.25.1 of vLLM; 2024 to 2026",
		Files:    "*.log, *.txt, *.out",
		Reads: "Each block below \"Serving Benchmark Result\" or \"Offline Throughput Benchmark Result\" with its " +
			"counts, throughputs and statistics, and from the arguments printed before it the model, the load and the " +
			"lengths asked for; from the command of its server in the same part of the text the engine, its arguments and " +
			"the accelerators.",
		Unknown: "The date, the GPU and the versions stand in no such block; the numbers are rounded to two decimals.",
	},
	Match:   match,
	Marks:   []string{"Serving Benchmark Result", "Offline Throughput Benchmark Result", "Starting initial single prompt test run"},
	Clients: []string{"vllm bench serve", "benchmark_serving", "sglang.bench_serving", "sglang.bench_offline_throughput"},
	Read:    read,
}

var (
	title = regexp.MustCompile(`^([^"{}]{0,200}?)={5,}\s*(Serving|Offline Throughput) Benchmark Result\s*={5,}`)
	// What these tools print long before their result.
	early = regexp.MustCompile(`(?m)^[^"{}\n]{0,200}` +
		`(?:Starting main benchmark run|Initial test run completed|Starting initial single prompt test run)`)
	begin = regexp.MustCompile(`(?m)^[^"{}\n]{0,200}={5,}[ \t]*(?:Serving|Offline Throughput) Benchmark Result[ \t]*={5,}`)
	rule  = regexp.MustCompile(`={40,}\s*$`)
)

func match(h *reading.Head) bool {
	if h.Kind == 'b' || h.Kind == 0 || bytes.HasPrefix(h.Data, []byte("---")) || len(h.Keys) > 0 {
		return false // a page with front matter, or JSON
	}
	return begin.Match(h.Data) || early.Match(h.Data)
}

// longest is how many lines a block may have: the tools print fewer than fifty.
const longest = 200

// reader is the state of reading one log.
type reader struct {
	file   string
	args   cmdline.Arguments
	engine cmdline.Argument // the line in which SGLang's engine says how it was started
	server *server          // the last one that a command started
	level  int              // of the last heading of a Markdown text
	fenced bool             // no line is a heading: it is code
	// What names a session depends on how many results there are.
	sessions.Batch
}

func read(src *reading.Source, emit func(record.Record)) error {
	r := &reader{file: src.Path(), args: cmdline.Arguments{}}
	switch found := r.blocks(src.Data); {
	case found:
	case src.Failed != "" && r.args["model"].Value != "":
		r.failed(reading.LastLine(string(src.Data)))
	default:
		emit(&record.Ignored{Base: record.Base{At: record.Pos{File: r.file, Line: 1}},
			Reason: "log of a serving benchmark that shows no result"})
	}
	r.Emit(func(res *record.Result) string {
		container := r.file
		if r.Results == 1 && (res.Load.Rate != nil || res.Load.MaxConcurrency != nil) {
			container = sessions.Group(r.file) // the logs of a sweep are one run
		}
		return sessions.Key("serving-log "+res.Identity.Tool, container, res)
	}, func(res *record.Result) {
		if p := sessions.Params(res, func(key string) bool { return key != "backend" }); p != nil {
			emit(p)
		}
	}, emit)
	return nil
}

// blocks reads the printed results of a log, and reports whether there is one.
func (r *reader) blocks(log []byte) (found bool) {
	var b *block
	n, off, to := 0, 0, 0 // to is the line in which the command of a server ends
	for l := range bytes.Lines(log) {
		text := log[off:]
		off += len(l)
		n++
		line := strings.TrimRight(string(l[:min(len(l), 64<<10)]), "\r\n")
		if strings.IndexByte(line, 0x1b) >= 0 {
			line = colour.ReplaceAllString(line, "")
		}
		if m := title.FindStringSubmatch(line); m != nil {
			r.finish(b, "another block begins inside of it")
			b, found = &block{at: record.Pos{File: r.file, Line: n}, prefix: m[1], offline: m[2] != "Serving"}, true
			continue
		}
		switch {
		case b == nil:
			if n <= to {
				continue
			}
			r.heading(line)
			if to = r.serve(text, l, n); to == 0 {
				r.arguments(line, n)
			}
		case rule.MatchString(line):
			r.finish(b, "")
			b = nil
		case b.lines >= longest:
			r.finish(b, "it has no end")
			b = nil
		default:
			b.line(line, n)
		}
	}
	broken := "the log ends inside of it: it was cut short"
	if b != nil && reading.Torn(log) {
		b.pairs = slices.DeleteFunc(b.pairs, func(p pair) bool { return p.line == n })
		broken += ", and its last line is left out"
	}
	r.finish(b, broken)
	return found
}

// colour is what colours a line in a terminal: logs of containers keep it.
var colour = regexp.MustCompile(`\x1b\[[0-9;:?]*[A-Za-z]`)

// block is one printed result.
type block struct {
	at     record.Pos
	prefix string // what stands before it on each line: the name of a container
	// offline is set for a batch of prompts without a server.
	offline bool
	lines   int
	pairs   []pair
}

// pair is one line "Label:   value".
type pair struct {
	label, value string
	line         int
}

var separator = regexp.MustCompile(`^(.*?[^\s:]):\s+(\S.*)$`)

func (b *block) line(line string, n int) {
	b.lines++
	line = strings.TrimSpace(strings.TrimPrefix(line, b.prefix))
	if m := separator.FindStringSubmatch(line); m != nil {
		b.pairs = append(b.pairs, pair{strings.TrimSpace(m[1]), strings.TrimSpace(m[2]), n})
	}
}

// above are the arguments that mean the same in all tools, and how a client's command begins.
var above = cmdline.NewPrinted(`vllm bench serve|benchmark_serving(?:\.py)?|sglang\.bench_(?:serving|offline_throughput)`,
	"model", "model_path", "tokenizer", "backend", "dataset_name", "request_rate", "max_concurrency", "num_prompts",
	"tensor_parallel_size", "random_input_len", "random_output_len", "burstiness",
	"ramp_up_strategy", "ramp_up_start_rps", "ramp_up_end_rps", "random_input", "random_output",
	"random_range_ratio")

var (
	// printed is an argument that a tool prints alone.
	printed = regexp.MustCompile(`(?:^|\s)(Traffic request rate|Maximum request concurrency|Burstiness factor|` +
		`Traffic ramp-up strategy): ([0-9.]+|inf|None|linear|exponential)`)
	ramp = regexp.MustCompile(`increase RPS from ([0-9.]+) to ([0-9.]+) RPS`)
)

// selfTimed is the argument that a client of vLLM has where a trace says when it sends: its rate is none then.
const selfTimed = "self_timed"

var names = [][2]string{
	{"Traffic request rate", "request_rate"}, {"Maximum request concurrency", "max_concurrency"},
	{"Burstiness factor", "burstiness"}, {"Traffic ramp-up strategy", "ramp_up_strategy"},
}

// arguments takes them from a line.
func (r *reader) arguments(line string, n int) {
	if strings.Contains(line, "ServerArgs(model_path=") {
		r.engine = cmdline.Argument{Value: line, Line: n}
		return
	}
	if above.Read(r.args, line, n) {
		return
	}
	for _, m := range printed.FindAllStringSubmatch(line, -1) {
		name := reading.Second(names, m[1])
		if name == "request_rate" {
			delete(r.args, "ramp_up_strategy") // of the measurement before
			delete(r.args, selfTimed)
		}
		r.args.Set(name, m[2], n)
	}
	if strings.Contains(line, "Self timing is set") {
		r.args.Set(selfTimed, "true", n)
	}
	if m := ramp.FindStringSubmatch(line); m != nil {
		r.args.Set("ramp_up_start_rps", m[1], n)
		r.args.Set("ramp_up_end_rps", m[2], n)
	}
}

// labels are lines, in lower case, that are one number for which records have other keys or none.
var labels = []record.Value{
	{Key: "concurrency", Quantity: metric.AchievedConcurrency, Stat: metric.Value, Unit: "requests"},
	{Key: "user throughput (tok/s)", Quantity: metric.SpeedPerRequest, Stat: metric.Mean, Unit: "tok/s"},
	{Key: "accept length", Quantity: metric.AcceptanceLength, Stat: metric.Value, Unit: "tokens"},
	{Key: "acceptance length", Quantity: metric.AcceptanceLength, Stat: metric.Value, Unit: "tokens"},
	{Key: "acceptance rate (%)", Quantity: metric.SpecDecodeAcceptance, Stat: metric.Value, Unit: "%"},
}

// count is a whole number that is not negative.
func count(s string) *int64 {
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || f < 0 || f > 1<<53 || f != math.Trunc(f) {
		return nil
	}
	n := int64(f)
	return &n
}

// length is a count above 0.
func length(s string) *float64 {
	n := count(s)
	if n == nil || *n == 0 {
		return nil
	}
	f := float64(*n)
	return &f
}

func rate(s string) *record.Float {
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || f <= 0 || math.IsNaN(f) {
		return nil
	}
	r := record.Float(f)
	return &r
}

// result begins a result with what the arguments say.
func (r *reader) result(at record.Pos) *record.Result {
	id := record.Identity{Tool: servingjson.Tool, Model: reading.Clip(r.args["model"].Value)}
	res := &record.Result{Base: record.Base{At: at, Identity: id}}
	res.Load.Rate = rate(r.args["request_rate"].Value)
	res.Load.MaxConcurrency = count(r.args["max_concurrency"].Value)
	if f := rate(r.args["burstiness"].Value); f != nil && !math.IsInf(float64(*f), 0) {
		n := float64(*f)
		res.Load.Burstiness = &n
	}
	w := &res.Workload
	w.NumPrompts = count(r.args["num_prompts"].Value)
	w.Dataset = reading.Clip(r.args["dataset_name"].Value)
	if strings.HasPrefix(w.Dataset, "random") {
		w.Nominal = record.Lengths{
			Input: length(r.args["random_input_len"].Value), Output: length(r.args["random_output_len"].Value),
		}
		w.LengthSemantics = "tool nominal"
	}
	res.Submitted = w.NumPrompts
	servingjson.RampUp(res, func(name string) string { return reading.Clip(r.args[name].Value) })
	if r.args[selfTimed].Value != "" {
		res.Load.Rate, w.Name = nil, servingjson.Trace
	}
	return res
}

// described adds a result with the facts of the arguments.
func (r *reader) described(res *record.Result) {
	facts := reading.Facts{}
	r.served(res, &facts)
	for _, f := range []struct{ argument, fact string }{
		{"model", record.FactModel}, {"tokenizer", record.FactTokenizer}, {"tensor_parallel_size", record.FactCount},
	} {
		a := r.args[f.argument]
		facts.Add(f.fact, reading.Clip(a.Value), record.Pos{File: r.file, Line: a.Line})
	}
	if a := r.args["backend"]; a.Value != "" {
		res.Setup = append(res.Setup, record.KV{Key: "backend", Value: reading.Clip(a.Value)})
		at := record.Pos{File: r.file, Line: a.Line}
		servingjson.Protocol(&facts, a.Value, at)
		if a.Value == "sglang" && res.Identity.Tool == "sglang-bench-serving" { // it speaks the engine's own
			facts.Add(record.FactEngine, a.Value, at)
		}
	}
	facts.Add(record.FactEngine, sessions.Engine(r.file), res.At)
	res.Facts = facts
	r.Add(res)
}

// failed adds a result without a number: the command ended before it printed one.
func (r *reader) failed(why string) {
	res := r.result(record.Pos{File: r.file, Line: 1})
	res.Completed = new(int64)
	if why != "" {
		res.Errors = []record.ErrorCount{{Text: why, Count: 1}}
	}
	r.described(res)
}

// finish adds the result of a block; broken says what is wrong with its end.
func (r *reader) finish(b *block, broken string) {
	if b == nil {
		return
	}
	if broken != "" {
		r.bad(b.at.Line, "a printed result: %s", broken)
	}
	if len(b.pairs) == 0 {
		if broken == "" {
			r.bad(b.at.Line, "a printed result without a number")
		}
		return
	}
	r.others(b)
	r.args.NoNumbers(r.bad, "request_rate", "max_concurrency", "num_prompts", "random_input_len", "random_output_len",
		"burstiness", "random_range_ratio")
	res := r.result(b.at)
	var raw reading.Builder
	backend := r.args["backend"] // the block may name another, which is none of the next one
	seen := map[string]bool{}
	for _, p := range b.pairs {
		if seen[p.label] {
			continue
		}
		seen[p.label] = true
		raw.Text(reading.Clip(p.label), reading.Clip(p.value))
		if !r.setting(res, p) {
			r.number(res, p)
		}
	}
	res.Raw = raw.JSON()
	if ratio, err := strconv.ParseFloat(r.args["random_range_ratio"].Value, 64); err == nil && ratio <= 1 &&
		res.Identity.Tool == "sglang-bench-serving" && res.Workload.Nominal != (record.Lengths{}) {
		servingjson.Drawn(&res.Workload, ratio)
		if ratio < 1 {
			res.Workload.LengthSemantics = "upper bound"
		}
	}
	derive(res)
	if b.offline {
		r.offline(res)
	} else {
		r.described(res)
	}
	r.args["backend"] = backend
}

// serverArgument is one of those of SGLang's engine.
var serverArgument = regexp.MustCompile(`\b([a-z_]+)=('[^']*'|[^,()]+)`)

// offline adds the result of a batch of prompts, which was measured inside of SGLang's engine.
func (r *reader) offline(res *record.Result) {
	res.Identity.Tool, res.Load = "sglang-bench-offline-throughput", record.Load{Rate: reading.AtOnce()}
	server := map[string]string{}
	for _, m := range serverArgument.FindAllStringSubmatch(r.engine.Value, -1) {
		server[m[1]] = strings.Trim(m[2], "'")
	}
	at := record.Pos{File: r.file, Line: r.engine.Line}
	model := cmdline.Argument{Value: server["model_path"], Line: r.engine.Line}
	if model.Value == "" {
		model = r.args["model_path"]
	}
	if model.Value == "" {
		model = r.args["model"]
	}
	res.Identity.Model = reading.Clip(model.Value)
	facts := reading.Facts{}
	facts.Add(record.FactEngine, "sglang", res.At)
	facts.Add(record.FactModel, res.Identity.Model, record.Pos{File: r.file, Line: model.Line})
	if n, _, err := reading.Accelerators(func(name string) string { return server[name] }); err == nil && n > 0 {
		facts.Add(record.FactCount, strconv.FormatInt(n, 10), at)
	}
	if a := r.args["backend"]; a.Value != "" {
		res.Setup = append(res.Setup, record.KV{Key: "backend", Value: reading.Clip(a.Value)})
	}
	res.Facts = facts
	r.Add(res)
}

// others forgets the command above a block that has more requests than it sends: notes are written with the results of
// several commands, and not with each command.
func (r *reader) others(b *block) {
	sent := count(r.args["num_prompts"].Value)
	if _, ok := r.args[cmdline.CommandLine]; !ok || sent == nil {
		return
	}
	requests := int64(0)
	for _, p := range b.pairs {
		if n := count(p.value); n != nil && (strings.EqualFold(p.label, "successful requests") ||
			strings.EqualFold(p.label, "failed requests")) {
			requests += *n
		}
	}
	if requests > *sent {
		r.bad(b.at.Line, "the result is of %d requests, and the command in line %d sends %d: it is of another command, "+
			"and nothing is taken from that one", requests, r.args[cmdline.CommandLine].Line, *sent)
		clear(r.args)
	}
}

func (r *reader) bad(line int, format string, args ...any) {
	r.Add(record.Errorf(record.Pos{File: r.file, Line: line}, format, args...))
}

// setting reads a line that is a count of requests, a part of the load or a word, and reports
// whether it is one.
func (r *reader) setting(res *record.Result, p pair) bool {
	text := strings.TrimSuffix(p.value, "%")
	switch strings.ToLower(p.label) {
	case "successful requests":
		if res.Completed = count(text); res.Completed == nil {
			r.bad(p.line, "%q is %q, a count was expected: the value is left out", p.label, reading.Clip(p.value))
		}
	case "failed requests":
		res.Failed = count(text)
	case "total requests":
		res.Submitted = count(text)
	case "backend":
		r.args["backend"] = cmdline.Argument{Value: reading.Clip(p.value), Line: p.line}
		res.Identity.Tool = "sglang-bench-serving"
	case "traffic request rate", "request rate configured (rps)":
		if res.Load.Rate = rate(text); text == "trace" {
			res.Workload.Name = servingjson.Trace
		}
	case "max request concurrency", "maximum request concurrency",
		"max reqeuest concurrency": // as SGLang wrote it until 2025
		res.Load.MaxConcurrency = count(text) // "not set" is none
	default:
		return false
	}
	return true
}

// number reads a line that is a measured number.
func (r *reader) number(res *record.Result, p pair) {
	label := strings.ToLower(p.label)
	switch label {
	case "total generated tokens (retokenized)":
		res.Identity.Tool = "sglang-bench-serving"
	case "user throughput (tok/s)":
		res.Identity.Tool = "trtllm-benchmark-serving"
	}
	value, ok := servingjson.Scalar(nil, reading.Second(servingjson.Labels, label))
	if !ok {
		value, ok = servingjson.Named(labels, label)
	}
	if !ok {
		value, ok = servingjson.Statistic(label)
	}
	if !ok {
		res.Unmapped = append(res.Unmapped, p.label)
		return
	}
	n, err := strconv.ParseFloat(strings.TrimSuffix(p.value, "%"), 64)
	switch {
	case err != nil:
		r.bad(p.line, "%q is %q, a number was expected: the value is left out", p.label, reading.Clip(p.value))
	case !math.IsNaN(n) && !math.IsInf(n, 0):
		value.Number, value.Key = n, p.label
		res.Values = append(res.Values, value)
	}
}

// derive settles what needs more than one line: what was measured at all, and the mean lengths.
func derive(res *record.Result) {
	done := res.Completed != nil && *res.Completed > 0
	res.Values = reading.Measured(res.Values, done)
	if done {
		reading.FirstTokens(res)
		reading.MeanLengths(res)
	}
}
