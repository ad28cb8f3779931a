// Package inferencexcsv reads the table that the dashboard of InferenceX exports.
//
// Its headers say "(ms)", but the releases known so far write seconds below them. The interactivity
// of a row, which is 1 / TPOT in tokens a second, shows what it holds: the product of the two is
// about 1 where the TPOT is in seconds and about 1000 where it is in milliseconds.
package inferencexcsv

import (
	"bytes"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/internal/servingjson"
	"github.com/inferdex/inferdex/ingest/internal/sessions"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

// Format reads the CSV of InferenceX's dashboard.
var Format = &reading.Format{
	Name: "inferencex-csv",
	Doc: reading.Doc{
		Title:    "InferenceX dashboard table",
		Tool:     "InferenceX (InferenceMAX)",
		Command:  "export as CSV on the dashboard",
		Versions: "2026",
		Files:    "*.csv",
		Reads: "Each row with hardware, model, framework, precision, parallelism, date, the statistics of TTFT, " +
			"TPOT, ITL and end-to-end latency, and the throughput, for the whole deployment where the number of " +
			"GPUs is known.",
		Unknown: "The duration, the number of requests, the image and the version of the framework " +
			"stand in no such table.",
	},
	MaxSize: 64 << 20,
	Match: func(h *reading.Head) bool {
		if h.Kind != 't' {
			return false
		}
		n := 0
		for line := range bytes.Lines(h.Data) {
			if named(bytes.ReplaceAll(line, []byte{'"'}, nil)) {
				return true
			}
			if n++; n > mostAbove {
				break
			}
		}
		return false
	},
	Read: read,
}

// mostAbove is how many lines of words people or a spreadsheet put above the header.
const mostAbove = 20

// named reports whether a line is the header of the table.
func named(line []byte) bool {
	return bytes.Contains(line, []byte("Hardware Key,Framework")) && bytes.Contains(line, []byte("Throughput/GPU (tok/s)"))
}

// setup are columns that tell configurations apart.
var setup = []string{
	"Model", "Hardware", "Hardware Key", "Framework", "Precision", "TP", "Disaggregated", "Num Prefill GPUs",
	"Num Decode GPUs", "Spec Decoding", "EP", "DP Attention", "Is Multinode",
}

// facts are columns whose meaning is known to all.
var facts = [][2]string{
	{"Model", record.FactModel}, {"Hardware", record.FactHardware},
	{"Framework", record.FactEngine}, {"Precision", record.FactPrecision},
}

var interactivity = regexp.MustCompile(`^\S+ Interactivity \(tok/s/user\)$`)

func read(src *reading.Source, emit func(record.Record)) error {
	t := &table{file: src.Path(), emit: emit}
	rows := reading.CSV(src.Data)
	rows.Comment = '#'
	for line, cells := range reading.Rows(rows, t.file, emit) {
		switch {
		case t.header == nil:
			if named([]byte(strings.Join(cells, ","))) {
				t.header = cells
				rows.Head(cells)
			}
		case len(cells) != len(t.header):
			t.bad(line, "the row has %s and the header %d: it is left out", metric.Plural(len(cells), "cell"), len(t.header))
		default:
			t.row(cells, line)
		}
	}
	return nil
}

// table is the state of reading one file.
type table struct {
	file   string
	header []string
	emit   func(record.Record)
}

func (t *table) bad(line int, format string, args ...any) {
	t.emit(record.Errorf(record.Pos{File: t.file, Line: line}, format, args...))
}

// row is a row that is being read.
type row struct {
	*table
	line  int
	cells map[string]string
	res   *record.Result
	facts reading.Facts
	unit  string // of the times
	// GPUs that served, in all and where divided for prefill and for decoding; 0 where unknown.
	gpus, prefill, decode int64
}

func (t *table) row(cells []string, line int) {
	at := record.Pos{File: t.file, Line: line}
	r := &row{table: t, line: line, cells: map[string]string{}, res: &record.Result{Base: record.Base{At: at}}}
	var raw reading.Builder
	var names []string // of the columns, each once
	for i, k := range t.header {
		if _, twice := r.cells[k]; twice {
			continue
		}
		r.cells[k] = strings.TrimSpace(cells[i])
		raw.Text(k, r.cells[k])
		names = append(names, k)
	}
	res := r.res
	res.Raw, res.Date = raw.JSON(), r.cells["Date"]
	res.Identity = record.Identity{Tool: "inferencex", Model: r.cells["Model"]}
	r.count()
	r.units()
	for _, k := range names {
		r.cell(k)
	}
	if r.gpus > 0 {
		r.facts.Add(record.FactCount, strconv.FormatInt(r.gpus, 10), at)
	}
	res.Facts = r.facts
	res.Values = reading.Measured(res.Values, true)
	reading.FirstTokens(res)
	session := sessions.Digest(sessions.Setup(res.Setup) + res.Date)
	res.Key = record.SessionKey("inferencex-csv", t.file, res.Identity.Model, session)
	t.emit(res)
}

func (r *row) number(k string) (float64, bool) {
	s := r.cells[k]
	if s == "" {
		return 0, false
	}
	n, err := strconv.ParseFloat(s, 64)
	if err != nil {
		r.bad(r.line, "%q is %q, a number was expected: the value is left out", k, reading.Clip(s))
		return 0, false
	}
	return n, !math.IsNaN(n) && !math.IsInf(n, 0)
}

// count finds how many GPUs served.
func (r *row) count() {
	whole := func(k string) int64 {
		if n, ok := r.number(k); ok && n == math.Trunc(n) && n > 0 && n < 1<<16 {
			return int64(n)
		}
		return 0
	}
	prefill, decode := whole("Num Prefill GPUs"), whole("Num Decode GPUs")
	r.gpus = whole("TP")
	r.prefill, r.decode = r.gpus, r.gpus
	switch {
	case strings.EqualFold(r.cells["Disaggregated"], "true"):
		r.gpus, r.prefill, r.decode = prefill+decode, prefill, decode
		if prefill == 0 || decode == 0 {
			r.gpus = 0
		}
	case strings.EqualFold(r.cells["Is Multinode"], "true"):
		r.gpus = 0 // several servers, nobody says how many
	}
}

// units finds the unit of the times: see the package comment.
func (r *row) units() {
	r.unit = "s"
	tpot, _ := r.number("Mean TPOT (ms)")
	if speed, ok := r.number("Mean Interactivity (tok/s/user)"); ok && tpot*speed > 30 {
		r.unit = "ms"
	}
}

// cell reads the cell of a column.
func (r *row) cell(k string) {
	res := r.res
	if slices.Contains(setup, k) {
		r.facts.Add(reading.Second(facts, k), fact(k, r.cells), res.At)
		if r.cells[k] != "" {
			res.Setup = append(res.Setup, record.KV{Key: k, Value: r.cells[k]})
		}
		return
	}
	if v, ok := servingjson.Statistic(k); ok {
		if v.Number, ok = r.number(k); ok {
			v.Unit = r.unit
			res.Values = append(res.Values, v)
		}
		return
	}
	switch k {
	case "Date", "":
	case "ISL", "OSL":
		n := whole64(r.cells[k])
		if n <= 0 {
			return
		}
		to := &res.Workload.Nominal.Input
		if k == "OSL" {
			to = &res.Workload.Nominal.Output
		}
		length := float64(n)
		*to, res.Workload.LengthSemantics = &length, "tool nominal"
	case "Concurrency":
		if n := whole64(r.cells[k]); n > 0 {
			res.Load.MaxConcurrency = &n
		}
	case "Throughput/GPU (tok/s)":
		r.throughput(metric.TotalThroughput, k, r.gpus)
	case "Output Throughput/GPU (tok/s)":
		r.throughput(metric.OutputThroughput, k, min(r.decode, r.gpus))
	case "Input Throughput/GPU (tok/s)":
		r.throughput(metric.InputThroughput, k, min(r.prefill, r.gpus))
	default:
		if r.cells[k] != "" && !interactivity.MatchString(k) { // that is 1 / TPOT
			res.Unmapped = append(res.Unmapped, k)
		}
	}
}

// fact is the text of a fact; the hardware's key stands for a name that is missing.
func fact(k string, cells map[string]string) string {
	if reading.Second(facts, k) == "" {
		return ""
	}
	if k == "Hardware" && cells[k] == "" {
		return cells["Hardware Key"]
	}
	return cells[k]
}

func whole64(s string) int64 {
	n, err := strconv.ParseInt(s, 10, 40)
	if err != nil {
		return 0
	}
	return n
}

// throughput multiplies a throughput per GPU back; without a number of GPUs it is left unmapped.
func (r *row) throughput(q metric.ID, k string, gpus int64) {
	n, ok := r.number(k)
	switch {
	case !ok:
	case gpus == 0:
		r.res.Unmapped = append(r.res.Unmapped, k)
	default:
		r.res.Values = append(r.res.Values, record.Value{Quantity: q, Stat: metric.Value,
			Number: metric.Round(n * float64(gpus)), Unit: "tok/s"})
	}
}
