package vllmoffline

import (
	"bytes"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/internal/cmdline"
	"github.com/inferdex/inferdex/ingest/internal/sessions"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

// What the tools print: latency the mean and percentiles of a batch, throughput one line and the tokens below it.
var (
	average    = regexp.MustCompile(`^(?:.{0,200}\s)?Avg latency: (\S+) seconds\s*$`)
	percentile = regexp.MustCompile(`^(?:.{0,200}\s)?([0-9]{1,2})% percentile latency: (\S+) seconds\s*$`)
	throughput = regexp.MustCompile(`^(?:.{0,200}\s)?Throughput: (\S+) requests/s, (\S+) (?:total )?tokens/s` +
		`(?:, (\S+) output tokens/s)?\s*$`)
	tokens = regexp.MustCompile(`^(?:.{0,200}\s)?Total num (prompt|output) tokens:\s+(\S+)\s*$`)

	printed = regexp.MustCompile(`(?m)^[^"{}\n]{0,200}(?:Avg latency: \S+ seconds\s+[^"{}\n]{0,200}` +
		`[0-9]{1,2}% percentile latency: |Throughput: \S+ requests/s, \S+ (?:total )?tokens/s)`)
)

// above are the arguments that a command line or the tool itself says above a result.
var above = cmdline.NewPrinted(`vllm bench (?:latency|throughput)|benchmark_(?:latency|throughput)\.py`,
	"model", "tokenizer", "batch_size", "num_prompts", "tensor_parallel_size", "input_len", "output_len",
	"random_input_len", "random_output_len")

// engine is what vLLM logs of itself: others print a throughput in the same words.
var engine = regexp.MustCompile(`LLM engine \(v[^)]*\) with config: model='([^']+)'`)

// log is the state of reading what was printed.
type log struct {
	file string
	args cmdline.Arguments
	n    int            // the line
	torn bool           // it has no end
	res  *record.Result // the last one, of which lines may follow
	raw  reading.Builder
	sessions.Batch
}

func readLog(src *reading.Source, emit func(record.Record)) {
	l := &log{file: src.Path(), args: cmdline.Arguments{}}
	for raw := range bytes.Lines(src.Data) {
		l.n++
		l.torn = reading.Torn(raw)
		l.line(strings.ToValidUTF8(strings.TrimRight(string(raw[:min(len(raw), 64<<10)]), "\r\n"), "\ufffd"), l.n)
	}
	l.end()
	if l.Results == 0 {
		l.Add(&record.Ignored{Base: record.Base{At: record.Pos{File: l.file, Line: 1}},
			Reason: "numbers as benchmarks of vLLM print them, and nothing above them says that one did"})
	}
	l.Emit(func(res *record.Result) string {
		return sessions.Key("vllm "+res.Identity.Tool, l.Container(l.file), res)
	}, nil, emit)
}

// line reads the n-th line.
func (l *log) line(s string, n int) {
	if above.Read(l.args, s, n) {
		return
	}
	if m := engine.FindStringSubmatch(s); m != nil {
		if l.args["model"].Value == "" {
			l.args.Set("model", m[1], n)
		}
		return
	}
	if len(l.args) == 0 {
		return
	}
	if m := average.FindStringSubmatch(s); m != nil {
		l.begin("vllm-bench-latency", n)
		if b, err := strconv.ParseInt(l.args["batch_size"].Value, 10, 64); err == nil && b > 0 {
			l.res.Load.Batch = &b
		}
		l.value(metric.E2ELatency, metric.Mean, m[1], "s", "Avg latency")
	} else if m := throughput.FindStringSubmatch(s); m != nil {
		l.begin("vllm-bench-throughput", n)
		l.res.Load.Rate = reading.AtOnce()
		if p, err := strconv.ParseInt(l.args["num_prompts"].Value, 10, 64); err == nil && p > 0 {
			l.res.Workload.NumPrompts, l.res.Submitted = &p, &p
		}
		l.value(metric.RequestThroughput, metric.Value, m[1], "req/s", "requests/s")
		l.value(metric.TotalThroughput, metric.Value, m[2], "tok/s", "total tokens/s")
		l.value(metric.OutputThroughput, metric.Value, m[3], "tok/s", "output tokens/s")
	} else if l.res != nil {
		if m := percentile.FindStringSubmatch(s); m != nil && l.res.Load.Rate == nil {
			l.value(metric.E2ELatency, reading.Percentile(m[1]), m[2], "s", m[1]+"% percentile latency")
		} else if m := tokens.FindStringSubmatch(s); m != nil && l.res.Load.Rate != nil {
			if l.torn {
				l.bad(n, "the text ends inside of its last line, which may be a part of a number: the value is left out")
				return
			}
			q := metric.InputTokens
			if m[1] == "output" {
				q = metric.OutputTokens
			}
			l.value(q, metric.Total, m[2], "tokens", "Total num "+m[1]+" tokens")
		}
	}
}

// begin begins the result that the n-th line is the first of.
func (l *log) begin(tool string, n int) {
	l.end()
	l.args.NoNumbers(l.bad, "batch_size", "num_prompts", "input_len", "output_len", "random_input_len", "random_output_len")
	at := record.Pos{File: l.file, Line: n}
	l.res = &record.Result{Base: record.Base{At: at, Identity: record.Identity{Tool: tool,
		Model: reading.Clip(l.args["model"].Value)}}}
	l.raw = reading.Builder{}
	facts := reading.Facts{}
	facts.Add(record.FactEngine, "vllm", at)
	for _, f := range [][2]string{{"model", record.FactModel}, {"tokenizer", record.FactTokenizer},
		{"tensor_parallel_size", record.FactCount}} {
		a := l.args[f[0]]
		facts.Add(f[1], reading.Clip(a.Value), record.Pos{File: l.file, Line: a.Line})
	}
	l.res.Facts = facts
	w := &l.res.Workload
	for _, a := range []struct {
		to     **float64
		common string
	}{{&w.Nominal.Input, "input_len"}, {&w.Nominal.Output, "output_len"}} {
		for _, name := range []string{a.common, "random_" + a.common} {
			if n, err := strconv.ParseInt(l.args[name].Value, 10, 64); err == nil && n > 0 {
				f := float64(n)
				*a.to, w.LengthSemantics = &f, "tool nominal"
			}
		}
	}
}

// value adds a number as the tool prints it, where there is one.
func (l *log) value(q metric.ID, stat, text, unit, key string) {
	if text == "" {
		return
	}
	l.raw.Text(key, text)
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(n) || math.IsInf(n, 0) {
		l.bad(l.n, "%q is %q, a number was expected: the value is left out", key, reading.Clip(text))
		return
	}
	l.res.Values = append(l.res.Values, record.Value{Quantity: q, Stat: stat, Number: n, Unit: unit, Key: key})
}

func (l *log) bad(line int, format string, args ...any) {
	l.Add(record.Errorf(record.Pos{File: l.file, Line: line}, format, args...))
}

// end adds the last result.
func (l *log) end() {
	if l.res == nil {
		return
	}
	l.res.Values = reading.Measured(l.res.Values, true)
	l.res.Raw = l.raw.JSON()
	l.Add(l.res)
	l.res = nil
}
