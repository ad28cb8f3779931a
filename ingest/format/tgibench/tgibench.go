// Package tgibench reads the tables that text-generation-benchmark of Text Generation Inference prints when it ends: its
// parameters, the latencies of each batch and its throughputs.
//
//	| Step           | Batch Size | Average   | Lowest    | Highest   | p50       | p90       | p99       |
//	|----------------|------------|-----------|-----------|-----------|-----------|-----------|-----------|
//	| Prefill        | 1          | 20.00 ms  | 19.00 ms  | 22.00 ms  | 20.10 ms  | 22.00 ms  | 22.00 ms  |
//
// The tool drives the shards of a server without its router: all sequences of a batch go through the model together. A
// cell that is empty has the value of the one above, with which it was merged. Percentiles are elements of a list that is
// sorted only where the tool had drawn it on the screen last, and the throughput of the prefill counts one token for each
// prompt: both stay in the raw record.
package tgibench

import (
	"bytes"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/internal/sessions"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

const tool = "text-generation-benchmark"

// Format reads printed tables of text-generation-benchmark.
var Format = &reading.Format{
	Name: "tgi-benchmark",
	Doc: reading.Doc{
		Title:    "Printed tables of Text Generation Inference",
		Tool:     "Text Generation Inference",
		Command:  tool,
		Versions: "0.9 to 3.3",
		Files:    "*.md, *.log, *.txt",
		Reads: "Each batch with its lengths, prefill as TTFT, decoding as TPOT and the speed of a sequence, both together " +
			"as E2E latency and throughput; the model and the sampling.",
		Unknown: "The date, the version, the GPU and the parallelism stand in no such table; the model is that of the " +
			"tokenizer. Percentiles stay in the raw record: the tool takes them of lists that may not be sorted.",
	},
	Match: func(h *reading.Head) bool {
		return h.Kind != 'b' && h.Kind != 0 && len(h.Keys) == 0 && latencies.Match(h.Data)
	},
	Damaged: damaged,
	Marks:   []string{"| Batch Size | Average "},
	Clients: []string{"text-generation-benchmark"},
	Read:    read,
}

// damaged says of a text with the parameters of the tool that no table of latencies follows.
func damaged(h *reading.Head) *record.SyntaxError {
	at := parameters.FindIndex(h.Data)
	if at == nil || latencies.Match(h.Data) || int64(len(h.Data)) < h.Size {
		return nil
	}
	return record.Errorf(record.Pos{File: h.Path, Line: 1 + bytes.Count(h.Data[:at[0]], []byte{'\n'})},
		"no latencies stand below the parameters of a benchmark: the log may have been cut short")
}

var (
	latencies  = regexp.MustCompile(`(?m)^[ \t]*\| *Step *\| *Batch Size *\| *Average *\| *Lowest *\| *Highest *\| *p50 *\|`)
	parameters = regexp.MustCompile(`(?m)^[ \t]*\| *Parameter *\| *Value *\|\s*\|[-|]+\|\s*\| *Model *\|`)
	heading    = regexp.MustCompile(`^#{1,6} +(\S.*?) *#*$`)
)

// columns are the statistics of a row.
var columns = [][2]string{{"Average", metric.Mean}, {"Lowest", metric.Min}, {"Highest", metric.Max}}

// batch is what the tables say of one batch.
type batch struct {
	res   *record.Result
	raw   reading.Builder
	cells []record.Value // each with its step as key

	unmeasured bool // NaN stands for some of it
	whole      bool // the last of its steps was read
}

// reader is the state of reading one text.
type reader struct {
	sessions.Batch
	file    string
	n       int // the line
	section string
	several bool // tables of latencies

	head, above []string // of the table that is read, and its last row
	params      [][2]string
	at          int // the line of the parameters
	batches     []*batch
}

func read(src *reading.Source, emit func(record.Record)) error {
	r := &reader{file: src.Path(), several: len(latencies.FindAllIndex(src.Data, 2)) > 1}
	data, cut := reading.CutRow(src.Data)
	for l := range bytes.Lines(data) {
		r.n++
		r.line(strings.ToValidUTF8(strings.TrimSpace(string(l[:min(len(l), 64<<10)])), "\ufffd"))
	}
	if r.head != nil && r.head[0] == "Step" && strings.Join(r.above, "") == "" {
		r.bad("the text ends below the head of a table: it was cut short")
	}
	r.end()
	if cut > 0 {
		r.n = cut
		r.bad("the text ends inside of a row, which may have a part of a number: it is left out")
	}
	container := r.Container(r.file)
	r.Emit(func(res *record.Result) string { return sessions.Key(tool, container, res) }, nil, emit)
	return nil
}

func (r *reader) bad(format string, args ...any) {
	r.Add(record.Errorf(record.Pos{File: r.file, Line: r.n}, format, args...))
}

// line reads the n-th line.
func (r *reader) line(s string) {
	if m := heading.FindStringSubmatch(s); m != nil && !strings.Contains(s, tool) { // else the prompt of a shell
		r.section = reading.Clip(m[1])
	}
	if !strings.HasPrefix(s, "|") {
		r.head = nil
		return
	}
	cells := reading.Cells(s)
	switch {
	case r.head == nil:
		r.head, r.above = cells, make([]string, len(cells))
		switch {
		case cells[0] == "Parameter":
			r.end()
			r.params, r.at = nil, r.n
		case latencies.MatchString(s):
			r.end()
			if r.param("Decode Length") == "" {
				r.bad("no table of parameters stands above: which model it was, the lengths and the time of a token are not known")
			}
		}
	case strings.Trim(s, "|-: ") == "":
	case r.head[0] == "Parameter" && len(cells) == 2:
		r.params = append(r.params, [2]string{cells[0], cells[1]})
	case r.head[0] == "Step" && len(r.head) > 4 && r.head[1] == "Batch Size":
		r.row(cells)
	}
}

func (r *reader) param(name string) string {
	s := reading.Second(r.params, name)
	if s == "None" {
		return ""
	}
	return reading.Clip(strings.TrimSuffix(strings.TrimPrefix(s, "Some("), ")"))
}

// row reads what a table says of one step of a batch.
func (r *reader) row(cells []string) {
	if len(cells) != len(r.head) {
		r.bad("a row with %d cells, and %d were expected: it is left out", len(cells), len(r.head))
		clear(r.above[1:]) // what is merged with a row that is left out is not known
		return
	}
	merged := make([]bool, len(cells))
	for i := range cells {
		if merged[i] = cells[i] == ""; merged[i] {
			cells[i] = r.above[i]
		}
	}
	r.above = cells
	size, err := strconv.ParseInt(cells[1], 10, 64)
	if err != nil || size < 1 {
		r.bad("%q is no size of a batch: the row is left out", reading.Clip(cells[1]))
		return
	}
	step, unit := cells[0], "ms"
	if len(cells) < 8 {
		step, unit = "Throughput "+step, "tokens/secs"
	}
	b := r.batch(size)
	b.whole = b.whole || step == "Decode (total)"
	for i, column := range r.head[2:] {
		text := cells[i+2]
		b.raw.Text(step+" "+column, reading.Clip(text))
		stat := reading.Second(columns, column)
		if stat == "" {
			continue
		}
		n, err := strconv.ParseFloat(strings.TrimSuffix(text, " "+unit), 64)
		switch {
		case err == nil && !math.IsInf(n, 0) && !math.IsNaN(n):
			b.cells = append(b.cells, record.Value{Key: step, Stat: stat, Number: n})
		case text == "NaN "+unit:
			b.unmeasured = true
		case !merged[i+2]:
			r.bad("%q of %q in a batch of %d is %q, a number of %s was expected: the value is left out",
				column, reading.Clip(step), size, reading.Clip(text), unit)
		}
	}
}

// batch is the one of a size in the tables that are read.
func (r *reader) batch(size int64) *batch {
	for _, b := range r.batches {
		if *b.res.Load.Batch == size {
			return b
		}
	}
	at, yes := record.Pos{File: r.file, Line: r.n}, true
	b := &batch{res: &record.Result{Base: record.Base{At: at, Identity: record.Identity{Tool: tool}}}}
	b.res.Load.Batch = &size
	facts := reading.Facts{}
	facts.Add(record.FactEngine, "text-generation-inference", at)
	w := &b.res.Workload
	w.IgnoreEOS = &yes
	for _, p := range r.params {
		b.raw.Text(p[0], reading.Clip(p[1]))
		switch text := r.param(p[0]); p[0] {
		case "Model":
			// What is stated is the tokenizer: the tool asks for nothing else, and one that many models share is no model.
			key := record.FactTokenizer
			if !strings.HasSuffix(strings.ToLower(text), "tokenizer") {
				key, b.res.Identity.Model = record.FactModel, text
			}
			facts.Add(key, text, record.Pos{File: r.file, Line: r.at})
		case "Sequence Length":
			w.Nominal.Input = length(text)
		case "Decode Length":
			w.Nominal.Output = length(text)
		case "Warmups":
			if n, err := strconv.ParseInt(text, 10, 64); err == nil && n >= 0 {
				w.Warmup = &n
			}
		case "N Runs":
		default:
			if text != "" {
				b.res.Setup = append(b.res.Setup, record.KV{Key: p[0], Value: text})
			}
		}
	}
	if w.Nominal != (record.Lengths{}) {
		w.Distribution, w.LengthSemantics = "fixed", "tool nominal"
	}
	if r.several && r.section != "" { // tables below headings of their own were measured under conditions of their own
		b.res.Setup = append(b.res.Setup, record.KV{Key: "section", Value: r.section})
		facts.Add(record.FactSeries, r.section, at)
	}
	b.res.Facts = facts
	r.batches = append(r.batches, b)
	return b
}

// length is a number of tokens, nil for what is none.
func length(text string) *float64 {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 1 {
		return nil
	}
	f := float64(n)
	return &f
}

// end adds the batches of the tables that were read.
func (r *reader) end() {
	if i := slices.IndexFunc(r.batches, func(b *batch) bool { return !b.whole }); i >= 0 {
		r.Add(record.Errorf(r.batches[i].res.At, "the table of latencies lacks the decoding of a batch of %d: it may have been "+
			"cut short", *r.batches[i].res.Load.Batch))
	}
	for _, b := range r.batches {
		b.measure()
		if len(b.res.Values) > 0 {
			b.res.Raw = b.raw.JSON()
			r.Add(b.res)
		}
		if b.unmeasured {
			r.Add(record.Errorf(b.res.At, "the tool ended before a batch of %d was measured whole: what is NaN is left out",
				*b.res.Load.Batch))
		}
	}
	r.batches = nil
}

// cell is a number of a step, 0 where it is missing.
func (b *batch) cell(step, stat string) float64 {
	i := slices.IndexFunc(b.cells, func(c record.Value) bool { return c.Key == step && c.Stat == stat })
	if i < 0 {
		return 0
	}
	return b.cells[i].Number
}

// measure gives the numbers of a batch their meaning.
func (b *batch) measure() {
	add := func(q metric.ID, stat string, n float64, unit, key string) {
		if key == "" {
			n = metric.Round(n)
		}
		if n > 0 && !math.IsInf(n, 0) {
			b.res.Values = append(b.res.Values, record.Value{Quantity: q, Stat: stat, Number: n, Unit: unit, Key: key})
		}
	}
	size, nominal := float64(*b.res.Load.Batch), b.res.Workload.Nominal
	first, rest, step := b.cell("Prefill", metric.Mean), b.cell("Decode (total)", metric.Mean), b.cell("Decode (token)", metric.Mean)
	for _, c := range columns {
		add(metric.TTFT, c[1], b.cell("Prefill", c[1]), "ms", "Prefill "+c[0])
	}
	if nominal.Input != nil && first > 0 {
		add(metric.PPSpeed, metric.Value, *nominal.Input/first*1000, "tok/s", "")
	}
	if nominal.Output == nil || *nominal.Output < 2 || rest == 0 || step == 0 {
		return
	}
	// The first token is that of the prefill. With speculative decoding there are fewer steps than tokens, and what the tool
	// says of a token is of a step. Its times have two places.
	tokens := *nominal.Output - 1
	steps := math.Abs(rest/step-tokens) <= tokens*0.005/step+0.5
	for _, c := range columns {
		if steps {
			add(metric.TPOT, c[1], b.cell("Decode (token)", c[1]), "ms", "Decode (token) "+c[0])
			key := ""
			if size == 1 {
				key = "Throughput Decode " + c[0]
			}
			add(metric.TGSpeed, c[1], b.cell("Throughput Decode", c[1])/size, "tok/s", key)
		} else {
			add(metric.TPOT, c[1], b.cell("Decode (total)", c[1])/tokens, "ms", "")
		}
	}
	if first > 0 { // each repetition is its prefill and its decoding: the mean of sums is the sum of means
		add(metric.E2ELatency, metric.Mean, first+rest, "ms", "")
		add(metric.OutputThroughput, metric.Value, size**nominal.Output/(first+rest)*1000, "tok/s", "")
	}
}
