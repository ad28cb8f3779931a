package vllmoffline

import (
	"regexp"
	"strconv"

	"github.com/inferdex/inferdex/ingest/internal/cmdline"
	"github.com/inferdex/inferdex/ingest/internal/printed"
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

	shown = regexp.MustCompile(`(?m)^[^"{}\n]{0,200}(?:Avg latency: \S+ seconds\s+[^"{}\n]{0,200}` +
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
	args cmdline.Arguments
	raw  reading.Builder
	printed.Text
}

func readLog(src *reading.Source, emit func(record.Record)) {
	l := &log{args: cmdline.Arguments{}, Text: printed.NewText(src)}
	for l.Next() {
		l.line(l.Line, l.N)
	}
	l.end()
	if l.Results == 0 {
		l.Add(&record.Ignored{Base: record.Base{At: l.At(1)},
			Reason: "numbers as benchmarks of vLLM print them, and nothing above them says that one did"})
	}
	l.Emit(func(res *record.Result) string {
		return sessions.Key("vllm "+res.Identity.Tool, l.Container(l.File), res)
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
			l.Res.Load.Batch = &b
		}
		l.value(metric.E2ELatency, metric.Mean, m[1], "s", "Avg latency")
	} else if m := throughput.FindStringSubmatch(s); m != nil {
		l.begin("vllm-bench-throughput", n)
		l.Res.Load.Rate = reading.AtOnce()
		if p, err := strconv.ParseInt(l.args["num_prompts"].Value, 10, 64); err == nil && p > 0 {
			l.Res.Workload.NumPrompts, l.Res.Submitted = &p, &p
		}
		l.value(metric.RequestThroughput, metric.Value, m[1], "req/s", "requests/s")
		l.value(metric.TotalThroughput, metric.Value, m[2], "tok/s", "total tokens/s")
		l.value(metric.OutputThroughput, metric.Value, m[3], "tok/s", "output tokens/s")
	} else if l.Res != nil {
		if m := percentile.FindStringSubmatch(s); m != nil && l.Res.Load.Rate == nil {
			l.value(metric.E2ELatency, reading.Percentile(m[1]), m[2], "s", m[1]+"% percentile latency")
		} else if m := tokens.FindStringSubmatch(s); m != nil && l.Res.Load.Rate != nil {
			if l.Torn {
				l.Cut()
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
	l.args.NoNumbers(l.BadAt, "batch_size", "num_prompts", "input_len", "output_len", "random_input_len", "random_output_len")
	at := l.At(n)
	l.Res = &record.Result{Base: record.Base{At: at, Identity: record.Identity{Tool: tool,
		Model: reading.Clip(l.args["model"].Value)}}}
	l.raw = reading.Builder{}
	facts := reading.Facts{}
	facts.Add(record.FactEngine, "vllm", at)
	for _, f := range [][2]string{{"model", record.FactModel}, {"tokenizer", record.FactTokenizer},
		{"tensor_parallel_size", record.FactCount}} {
		a := l.args[f[0]]
		facts.Add(f[1], reading.Clip(a.Value), l.At(a.Line))
	}
	l.Res.Facts = facts
	w := &l.Res.Workload
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
	l.Value(q, stat, text, unit, key)
}

// end adds the last result.
func (l *log) end() {
	if l.Res == nil {
		return
	}
	l.Res.Values = reading.Measured(l.Res.Values, true)
	l.Res.Raw = l.raw.JSON()
	l.Add(l.Res)
	l.Res = nil
}
