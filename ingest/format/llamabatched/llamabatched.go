// Package llamabatched reads the output of llama.cpp's llama-batched-bench: JSON lines or the
// Markdown table, each alone or inside a log. One row is a batch of parallel sequences: all
// prompts are read first, then all sequences decode together.
//
// The table of llama-sweep-bench, of ik_llama.cpp, has the same columns but for the batch: a row is one sequence at the
// depth N_KV, with the speeds of prefill and decode. Below one command stand tables of others too: each is a run.
package llamabatched

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/internal/sessions"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

const (
	tool  = "llama-batched-bench"
	sweep = "llama-sweep-bench"
)

// Format reads results of llama-batched-bench.
var Format = &reading.Format{
	Name: "llama-batched-bench",
	Doc: reading.Doc{
		Title:    "llama.cpp benchmark of parallel sequences",
		Tool:     "llama.cpp",
		Command:  "llama-batched-bench, with --output-format jsonl or md; llama-sweep-bench",
		Versions: "2023 to 2026",
		Files:    "*.jsonl, *.md, *.log",
		Reads: "Each batch with its lengths, number of sequences, time of the prefill, speeds of prefill and " +
			"decoding of one sequence, wall time and throughput; of llama-sweep-bench the speeds at each depth.",
		Unknown: "Model, hardware, build and date stand in no such file: run.toml or flags name them; there is no " +
			"distribution of latencies. Whether llama.cpp or its fork ran llama-sweep-bench is not said.",
	},
	Match: func(h *reading.Head) bool {
		switch h.Kind {
		case '{', '[':
			return h.Has("pp", "tg", "pl", "n_kv", "t_tg")
		case 't':
			return jsonLine.Match(h.Data) || header.Match(h.Data)
		}
		return false
	},
	Marks:   []string{"T_PP s"},
	Clients: []string{"llama-batched-bench", "llama-sweep-bench"},
	Read:    read,
}

var (
	jsonLine = regexp.MustCompile(`(?m)^[ \t]*\{"n_kv_max"[ \t]*:[^\n]*"pl"[ \t]*:[^\n]*"t_tg"[ \t]*:`)
	header   = regexp.MustCompile(`(?m)^[ \t]*\|[ \t]*PP[ \t]*\|[ \t]*TG[ \t]*\|(?:[ \t]*(B)[ \t]*\|)?` +
		`[ \t]*N_KV[ \t]*\|[ \t]*T_PP s[ \t]*\|`)
)

// setup are the settings of the tool; a file whose rows differ in one holds several runs.
var setup = []string{
	"n_kv_max", "n_batch", "n_ubatch", "flash_attn", "is_pp_shared",
	"is_tg_separate", "n_gpu_layers", "n_threads", "n_threads_batch",
}

// reader is the state of reading one file.
type reader struct {
	file, container string
	text            *reading.Text
	emit            func(record.Record)
	batches         int
	tables          int      // of llama-sweep-bench
	columns         []string // of the table
}

// add emits a batch, where the file has not too many.
func (r *reader) add(res *record.Result) {
	switch r.batches++; {
	case r.batches <= reading.MaxRows:
		r.emit(res)
	case r.batches == reading.MaxRows+1:
		r.emit(reading.TooLong(res.At))
	}
}

func (r *reader) bad(off int, format string, args ...any) {
	r.emit(record.Errorf(r.place(off), format, args...))
}

func (r *reader) place(off int) record.Pos {
	line, col := r.text.Place(off)
	return record.Pos{File: r.file, Line: line, Col: col}
}

func read(src *reading.Source, emit func(record.Record)) error {
	r := &reader{file: src.Path(), container: src.Path(), text: reading.NewText(src.Data), emit: emit}
	if r.file != "-" {
		r.container = sessions.Group(r.file)
	}
	if k := src.Head.Kind; k == '{' || k == '[' {
		reading.Each(src, true, "a batch", r.object, emit)
		return nil
	}
	// A log: what is neither an object of the tool nor a row of its table is not ours to judge.
	rows, seen := false, false
	head := 0 // where the last header begins
	off := 0
	data, cut := reading.CutRow(src.Data)
	if cut > 0 {
		r.emit(record.Errorf(record.Pos{File: r.file, Line: cut}, "the text ends inside of the row: it is left out"))
	}
	for l := range bytes.Lines(data) {
		line := string(l)
		trimmed := strings.TrimSpace(line)
		switch {
		case jsonLine.MatchString(line):
			r.text.Values(off, off+len(line), false, func(v reading.Value) {
				if o := reading.NewObject(r.file, v, emit); o.Is("a batch") {
					r.object(o)
				}
			}, func(e *reading.SyntaxError) { r.bad(e.Off, "%s", e.Text) })
		case header.MatchString(line):
			rows, head = true, off+strings.Index(line, "|")
			if r.columns = columns; header.FindStringSubmatch(line)[1] == "" {
				r.columns = sweepColumns
				r.tables++
			}
		case rows && strings.HasPrefix(trimmed, "|"):
			seen = seen || !rule.MatchString(trimmed)
			r.row(r.place(off+strings.Index(line, "|")), trimmed)
		case rows && len(r.columns) == len(sweepColumns):
			rows = !seen // text has tables of others below
		}
		off += len(line)
	}
	if rows && !seen {
		r.bad(head, "a table without a row: it may have been cut short")
	}
	return nil
}

// object reads a batch that is written as JSON.
func (r *reader) object(o *reading.Object) {
	if res := batch(o, r.container); res != nil {
		o.Rest(res)
		res.Raw = o.Self().Compact(reading.Elide{Longer: 64})
		r.add(res)
	}
}

// columns are the members of the JSON form in the order of the table.
var columns = []string{"pp", "tg", "pl", "n_kv", "t_pp", "speed_pp", "t_tg", "speed_tg", "t", "speed"}

// sweepColumns are those of llama-sweep-bench.
var sweepColumns = []string{"pp", "tg", "n_kv", "t_pp", "speed_pp", "t_tg", "speed_tg"}

var rule = regexp.MustCompile(`^[|:\- ]+$`)

// row reads a row of the table as the object with the same numbers.
func (r *reader) row(at record.Pos, line string) {
	if rule.MatchString(line) {
		return
	}
	cells := reading.Cells(line)
	if len(cells) < len(r.columns) {
		r.emit(record.Errorf(at, "a row of %s, %d were expected: it is left out", metric.Plural(len(cells), "cell"), len(r.columns)))
		return
	}
	var text reading.Builder
	for i, key := range r.columns {
		cell := []byte(cells[i])
		if _, err := strconv.ParseFloat(string(cell), 64); err != nil || !json.Valid(cell) {
			cell = reading.Quote(string(cell))
		}
		text.Add(key, cell)
	}
	v, err := reading.Parse(text.JSON())
	if err != nil {
		r.emit(record.Errorf(at, "%s", err.Text))
		return
	}
	o := reading.NewObject(r.file, v, func(rec record.Record) {
		if e, ok := rec.(*record.SyntaxError); ok {
			e.At = at // places in the object made here mean nothing
		}
		r.emit(rec)
	})
	res := (*record.Result)(nil)
	if len(r.columns) == len(columns) {
		res = batch(o, r.container)
	} else {
		res = r.depth(o)
	}
	if res != nil {
		res.At = at
		res.Raw = v.Compact(reading.Elide{})
		r.add(res)
	}
}

// batch reads one batch.
func batch(o *reading.Object, container string) *record.Result {
	size := o.Count("pl")
	if size == nil || *size == 0 {
		o.Bad("pl", "no batch of llama-batched-bench: the number of its sequences is missing")
		return nil
	}
	res := &record.Result{Base: record.Base{At: o.Pos(), Identity: record.Identity{Tool: tool}}}
	var facts reading.Facts
	facts.Add(record.FactEngine, "llama.cpp", record.Pos{})
	res.Facts = facts
	res.Setup = o.Setup(setup...)
	parts := []string{tool, container}
	for _, kv := range res.Setup {
		parts = append(parts, kv.Key+"="+kv.Value)
	}
	res.Key = record.SessionKey(parts...)
	res.Load.Batch = size
	shared := o.Truth("is_pp_shared")
	w := &res.Workload
	w.Nominal = record.Lengths{Input: o.Length("pp"), Output: o.Length("tg")}
	w.Distribution, w.LengthSemantics = "fixed", "tool nominal"
	if shared != nil && *shared {
		w.Name = "one prompt for all sequences"
		w.PrefixCache = shared
	}
	o.Use("n_kv") // the tokens in the cache at the end: follows from lengths and batch

	n := float64(*size)
	add := func(q metric.ID, stat string, number float64, unit, key string) {
		if measured(number) {
			res.Values = append(res.Values, record.Value{Quantity: q, Stat: stat, Number: number, Unit: unit, Key: key})
		}
	}
	// All prompts are read before the first token: every sequence waits the whole prefill.
	prefill, _ := o.Number("t_pp")
	add(metric.TTFT, metric.Mean, prefill, "s", "t_pp")
	each := func(q metric.ID, key string, by float64) {
		speed, _ := o.Number(key)
		if by == 1 {
			add(q, metric.Value, speed, "tok/s", key)
			return
		}
		add(q, metric.Value, metric.Round(speed/by), "tok/s", "")
	}
	prompts := n
	if shared != nil && *shared {
		prompts = 1 // the one prompt is read once
	}
	each(metric.PPSpeed, "speed_pp", prompts)
	each(metric.TGSpeed, "speed_tg", n)
	decode, _ := o.Number("t_tg")
	wall, _ := o.Number("t")
	add(metric.Duration, metric.Value, wall, "s", "t")
	if out := w.Nominal.Output; out != nil {
		if measured(decode) {
			// A step of the batch gives one token of every sequence.
			add(metric.ITL, metric.Mean, metric.Round(decode / *out), "s", "")
		}
		if measured(wall) {
			add(metric.OutputThroughput, metric.Value, metric.Round(n*(*out)/wall), "tok/s", "")
		}
	}
	speed, _ := o.Number("speed")
	add(metric.TotalThroughput, metric.Value, speed, "tok/s", "speed")
	return res
}

// depth reads a row of llama-sweep-bench.
func (r *reader) depth(o *reading.Object) *record.Result {
	res := &record.Result{Base: record.Base{
		Key: record.SessionKey(sweep, r.container, strconv.Itoa(r.tables)), Identity: record.Identity{Tool: sweep},
	}}
	one := int64(1)
	res.Load.MaxConcurrency = &one
	w := &res.Workload
	w.Nominal = record.Lengths{Input: o.Length("pp"), Output: o.Length("tg")}
	w.Distribution, w.LengthSemantics = "fixed", "tool nominal"
	if n := o.Count("n_kv"); n != nil && *n > 0 {
		w.Name = "context of " + strconv.FormatInt(*n, 10)
	}
	for _, m := range []reading.Meaning{
		{Key: "speed_pp", Quantity: metric.PPSpeed, Unit: "tok/s"}, {Key: "speed_tg", Quantity: metric.TGSpeed, Unit: "tok/s"},
	} {
		if n, _ := o.Number(m.Key); measured(n) {
			o.Measure(&res.Values, m.Quantity, metric.Value, m.Unit, m.Key)
		}
	}
	return res
}

// measured reports whether a number is one: zero stands for what was not measured. One below zero is told of where it
// is left out, for all formats.
func measured(x float64) bool { return x < 0 || x > 0 }
