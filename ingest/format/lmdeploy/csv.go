package lmdeploy

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/inferdex/inferdex/ingest/internal/printed"
	"github.com/inferdex/inferdex/ingest/internal/sessions"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

// header is that of a table: of a data set, or of prompts of one length. The table of 2023 that has a throughput of a
// process and of a node is none: its throughput is that of the sum of all latencies.
var header = regexp.MustCompile(`^"?(?:(?:batch|backend,bs),.*\bRPS,RPM,.*|batch,prompt_tokens,completion_tokens,.*)` +
	`\bthroughput\(out tok/s\)`)

// cutHeader is a text that is the beginning of one.
var cutHeader = regexp.MustCompile(`^"?(?:batch|backend"?,"?bs)"?,"?(?:num_prom|prompt_tok|dataset)[^\n]*$`)

// columns are those that hold a result. Percentiles are of the gaps between tokens.
var columns = [...]record.Value{
	{Key: "RPS", Quantity: metric.RequestThroughput, Stat: metric.Value, Unit: "req/s"},
	{Key: "FTL(ave)(s)", Quantity: metric.TTFT, Stat: metric.Mean, Unit: "s"},
	{Key: "FTL(min)(s)", Quantity: metric.TTFT, Stat: metric.Min, Unit: "s"},
	{Key: "FTL(max)(s)", Quantity: metric.TTFT, Stat: metric.Max, Unit: "s"},
	{Key: "50%(s)", Quantity: metric.ITL, Stat: metric.Median, Unit: "s"},
	{Key: "75%(s)", Quantity: metric.ITL, Stat: metric.P75, Unit: "s"},
	{Key: "95%(s)", Quantity: metric.ITL, Stat: metric.P95, Unit: "s"},
	{Key: "99%(s)", Quantity: metric.ITL, Stat: metric.P99, Unit: "s"},
	{Key: "throughput(out tok/s)", Quantity: metric.OutputThroughput, Stat: metric.Value, Unit: "tok/s"},
	{Key: "throughput(total tok/s)", Quantity: metric.TotalThroughput, Stat: metric.Value, Unit: "tok/s"},
}

// readCSV reads what the tools write with --csv: a row a measurement.
func readCSV(src *reading.Source, emit func(record.Record)) {
	r := &reader{Text: printed.NewText(src)}
	rows := reading.CSV(src.Data)
	var head []string
	for line, cells := range reading.Rows(rows, r.File, r.Add) {
		r.N = line
		// A file is written whole, with an end to each line: a row without one is a part.
		torn := len(src.Data) == int(rows.InputOffset()) && reading.Torn(src.Data)
		switch {
		case head == nil:
			head = cells
			rows.Head(head)
		case header.MatchString(strings.Join(cells, ",")): // a table of another tool that was put behind it
			head = cells
		case torn && len(cells) <= len(head):
			if r.Bad("the text ends inside of this row: what it ends with may be a part, and is left out"); len(cells) > 1 {
				r.row(head, cells[:len(cells)-1])
			}
		case len(cells) != len(head):
			r.Bad("the row has %s and the header %d: it is left out", metric.Plural(len(cells), "cell"), len(head))
		default:
			r.row(head, cells)
		}
	}
	container := r.Container(r.File)
	r.Emit(func(res *record.Result) string { return sessions.Key("lmdeploy", container, res) }, nil, emit)
}

// row reads a row; cells behind those that there are were cut off.
func (r *reader) row(head, cells []string) {
	at := r.At(r.N)
	res := &record.Result{Base: record.Base{At: at, Identity: record.Identity{Tool: "lmdeploy"},
		Facts: []record.Fact{{Key: record.FactEngine, Value: "lmdeploy", At: at}}}}
	var raw reading.Builder
	w := &res.Workload
	for i, text := range cells {
		name := head[i]
		raw.Text(name, reading.Clip(text))
		if text = strings.TrimSpace(text); text == "" || text == "None" {
			continue
		}
		switch name {
		case "batch", "bs": // how many requests there are at once
			res.Load.MaxConcurrency = r.count(text)
		case "num_promts", "num_prompts":
			w.NumPrompts = r.count(text)
		case "prompt_tokens", "random_input_len":
			w.Nominal.Input = r.tokens(text)
		case "completion_tokens", "random_output_len", "sharegpt_output_len":
			w.Nominal.Output = r.tokens(text)
		case "dataset_name":
			w.Dataset = reading.Clip(text)
		case "backend", "random_range_ratio":
			res.Setup = append(res.Setup, record.KV{Key: name, Value: reading.Clip(text)})
		case "RPM": // RPS * 60
		default:
			r.cell(res, name, text)
		}
	}
	if w.Nominal != (record.Lengths{}) {
		w.LengthSemantics = "tool nominal"
		if head[1] == "prompt_tokens" {
			w.Distribution = "fixed"
		}
	}
	res.Values = reading.Measured(res.Values, true)
	reading.FirstTokens(res)
	res.Raw = raw.JSON()
	if len(res.Values) > 0 {
		r.Add(res)
	} else {
		r.Bad("a row without a result: it is left out")
	}
}

// tokens is a length, nil where it is none.
func (r *reader) tokens(text string) *float64 {
	n := r.count(text)
	if n == nil || *n == 0 {
		return nil
	}
	f := float64(*n)
	return &f
}

// cell reads a cell that may hold a result.
func (r *reader) cell(res *record.Result, name, text string) {
	for _, v := range columns {
		if v.Key != name {
			continue
		}
		if text == "-" { // nothing was streamed
			no := false
			res.Workload.Streaming = &no
			return
		}
		if out := res.Workload.Nominal.Output; v.Quantity == metric.ITL && out != nil && *out == 1 {
			return // of one token there are no gaps: the tool writes its TTFT
		}
		if n, ok := r.Number(name, text); ok {
			v.Number = n
			res.Values = append(res.Values, v)
		}
		return
	}
	res.Unmapped = append(res.Unmapped, reading.Clip(name))
}

// tabled reports whether a text is such a table.
func tabled(head []byte) bool {
	line, _, _ := bytes.Cut(bytes.TrimLeft(head, " \t\r\n"), []byte{'\n'})
	return header.Match(bytes.ReplaceAll(line, []byte{'"'}, nil))
}

// damaged says of a text that it ends inside the head of such a table.
func damaged(h *reading.Head) *record.SyntaxError {
	if !cutHeader.Match(h.Data) || tabled(h.Data) {
		return nil
	}
	return record.Errorf(record.Pos{File: h.Path, Line: 1}, "the table ends inside of its head: the file may have been cut short")
}
