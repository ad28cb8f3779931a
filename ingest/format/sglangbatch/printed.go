package sglangbatch

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/internal/cmdline"
	"github.com/inferdex/inferdex/ingest/internal/printed"
	"github.com/inferdex/inferdex/ingest/internal/sessions"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

// What the tools print of a batch: bench_one_batch a line for its prefill, for some steps of the decoding, for their
// median and for all; bench_one_batch_server one for each number, the size of the batch first.
var (
	shown = regexp.MustCompile(`(?m)^[^"{}\n]{0,200}(?:Prefill\. latency: +\S+ s, throughput: |` +
		`batch size: [0-9]+\s+input_len: [0-9])`)
	phase = regexp.MustCompile(`(Prefill\.|Decode\. +median|Total\.) +latency: +(\S+) s, +(?:median )?` +
		`throughput: +(\S+) token/s`)
	step   = regexp.MustCompile(`Decode [0-9]+\. +Batch size: ([0-9]+),`)
	number = regexp.MustCompile(`^\W{0,10}([a-z_ ]+): (\S+)(?: s| tok/s| \(requested [0-9]+\))?\s*$`)
)

// phases are the keys of a phase: of its time and of its throughput.
var phases = [][3]string{
	{"Prefill.", "prefill_latency", "prefill_throughput"},
	{"Decode.", "median_decode_latency", "median_decode_throughput"},
	{"Total.", "total_latency", "overall_throughput"},
}

// labels are the keys of what bench_one_batch_server prints.
var labels = [][2]string{
	{"batch size", "batch_size"}, {"input_len", "input_len"}, {"output_len", "output_len"}, {"latency", "latency"},
	{"ttft", "last_ttft"}, {"last_ttft", "last_ttft"}, {"input throughput", "input_throughput"},
	{"output throughput", "output_throughput"}, {"last generation throughput", "last_gen_throughput"},
	{"acc_length", "acc_length"}, {"cache hit rate", "cache_hit_rate"}, {"total output tokens", "total_output_tokens"},
}

// above is what a command line says above the results.
var above = cmdline.NewPrinted(`sglang\.(?:bench_one_batch|bench_latency|benchmark\.one_batch)(?:_server)?`,
	"model", "model_path", "tp", "tp_size", "tensor_parallel_size")

// lists are options that may have several values, each measured.
var lists = regexp.MustCompile(`--(batch|input|output)(?:-size|-len)?[= ]+([0-9]+(?: +[0-9]+)*)`)

// log is the state of reading what was printed.
type log struct {
	args   cmdline.Arguments
	asked  map[string][]string // values of lists
	warmup bool
	// The result that is open: its first line, its numbers in their order, and the kind it is of.
	at   int
	keys []string
	nums map[string]float64
	kind *kind
	printed.Text
}

func readLog(src *reading.Source, emit func(record.Record)) {
	l := &log{args: cmdline.Arguments{}, asked: map[string][]string{}, Text: printed.NewText(src)}
	for l.Next() {
		if l.Torn && l.kind != nil && !strings.HasSuffix(l.Line, "/s") {
			l.Cut()
			break
		}
		l.line(l.Line)
	}
	l.end()
	if l.Results == 0 {
		l.Add(&record.Ignored{Base: record.Base{At: l.At(1)},
			Reason: "log of a batch benchmark of SGLang that shows no result"})
	}
	l.Emit(func(res *record.Result) string {
		return sessions.Key("sglang "+res.Identity.Tool, l.Container(l.File), res)
	}, nil, emit)
}

func (l *log) line(s string) {
	if above.Read(l.args, s, l.N) {
		for _, m := range lists.FindAllStringSubmatch(s, -1) {
			l.asked[m[1]] = strings.Fields(m[2])
		}
		return
	}
	switch {
	case strings.Contains(s, "Warmup ..."), strings.Contains(s, " Warmup Begin "):
		l.warmup = true
	case strings.Contains(s, "Benchmark ..."), strings.Contains(s, " Warmup End "):
		l.end()
		l.warmup, l.kind = false, nil
	}
	if l.warmup {
		return
	}
	if m := phase.FindStringSubmatch(s); m != nil {
		i := slices.IndexFunc(phases, func(p [3]string) bool { return strings.HasPrefix(m[1], p[0]) })
		if i == 0 {
			l.begin(kinds[1])
		}
		if l.kind == kinds[1] {
			l.put(phases[i][1], m[2])
			l.put(phases[i][2], m[3])
		}
		if i == 2 {
			l.end()
		}
	} else if m := step.FindStringSubmatch(s); m != nil {
		if l.kind == kinds[1] && l.nums["batch_size"] == 0 {
			l.put("batch_size", m[1])
		}
	} else if m := number.FindStringSubmatch(s); m != nil {
		if m[1] == "batch size" {
			l.begin(kinds[0])
		}
		if key := reading.Second(labels, m[1]); key != "" && l.kind == kinds[0] {
			l.put(key, m[2])
		}
	} else if l.kind == kinds[0] {
		l.end()
	}
}

func (l *log) begin(k *kind) {
	l.end()
	l.kind, l.at, l.keys, l.nums = k, l.N, nil, map[string]float64{}
}

// put adds a number of the open result.
func (l *log) put(key, text string) {
	if n, ok := l.Number(key, text); ok {
		l.keys = append(l.keys, key)
		l.nums[key] = n
	}
}

// json is the open result as the tools write it.
func (l *log) json() []byte {
	var o reading.Builder
	for _, key := range l.keys {
		o.Add(key, []byte(strconv.FormatFloat(l.nums[key], 'f', -1, 64)))
	}
	return o.JSON()
}

// end adds the open result.
func (l *log) end() {
	k := l.kind
	if k == nil {
		return
	}
	l.kind = nil
	said := l.json() // as it was printed
	if k == kinds[1] {
		if l.nums["total_latency"] == 0 {
			l.BadAt(l.at, "a printed result without its last line, \"Total.\": the log was cut short")
		}
		l.sized()
	}
	v, _ := reading.Parse(l.json()) // made of numbers
	o := reading.NewObject(l.File, v, l.Add)
	res := result(o, k)
	res.At, res.Raw = record.Pos{File: l.File, Line: l.at}, said
	if l.Torn { // how many tokens there were may stand in a line that is missing
		res.Values = slices.DeleteFunc(res.Values, func(v record.Value) bool {
			return v.Quantity == metric.OutputThroughput && v.Key == "" && k == kinds[0]
		})
	}
	facts := reading.Facts{}
	// The line of the last batch, which tells whom the client asked, is among the last.
	if _, told := l.nums["last_gen_throughput"]; ofSGLang(o, k) && (told || k != kinds[0]) {
		facts.Add(record.FactEngine, "sglang", res.At)
	}
	for _, f := range [][2]string{{"model_path", record.FactModel}, {"model", record.FactModel}, {"tp", record.FactCount},
		{"tp_size", record.FactCount}, {"tensor_parallel_size", record.FactCount}} {
		if a := l.args[f[0]]; a.Value != "" {
			facts.Add(f[1], reading.Clip(a.Value), record.Pos{File: l.File, Line: a.Line})
		}
	}
	res.Facts = facts
	if i := slices.IndexFunc(facts, func(f record.Fact) bool { return f.Key == record.FactModel }); i >= 0 {
		res.Identity.Model = facts[i].Value
	}
	l.Add(res)
}

// sized finds the size of a batch and its lengths, which bench_one_batch does not print: a time * its throughput are the
// tokens of a phase, as far as the places of the time go.
func (l *log) sized() {
	find := func(key, list string, phase int, places, each, less float64) float64 {
		if l.nums[key] == 0 {
			rate := l.nums[phases[phase][2]] / each
			if n := l.near(list, l.nums[phases[phase][1]]*rate-less, places*rate); n > 0 {
				l.keys = append(l.keys, key)
				l.nums[key] = n
			}
		}
		return l.nums[key]
	}
	if size := find("batch_size", "batch", 1, 5e-6, 1, 0); size > 0 {
		if in := find("input_len", "input", 0, 5e-6, size, 0); in > 0 {
			find("output_len", "output", 2, 5e-4, size, in)
		}
	}
}

// near is the whole number that n is but for an error: one that was asked for, or the nearest where no other is as near.
func (l *log) near(list string, n, err float64) float64 {
	for _, s := range l.asked[list] {
		if f, _ := strconv.ParseFloat(s, 64); math.Abs(f-n) <= err+0.5 {
			return f
		}
	}
	if err > 0.4 || n < 0.5 {
		return 0
	}
	return math.Round(n)
}
