// Package inferencexcsv reads the table that the dashboard of InferenceX exports.
//
// Its headers say "(ms)", but the releases known so far write seconds below them. What a row holds
// is told by its interactivity, which is 1 / TPOT in tokens a second: the product of the two is
// about 1 where the TPOT is in seconds and about 1000 where it is in milliseconds.
package inferencexcsv

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest"
	"github.com/inferdex/inferdex/ingest/internal/clean"
	"github.com/inferdex/inferdex/ingest/internal/sessions"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
)

// Format reads the CSV of InferenceX's dashboard.
var Format = &ingest.Format{
	Name: "inferencex-csv",
	Doc: ingest.Doc{
		Title:    "InferenceX dashboard table",
		Tool:     "InferenceX (InferenceMAX)",
		Command:  "export as CSV on the dashboard",
		Versions: "2026",
		Files:    "*.csv",
		Reads: "Each row with hardware, model, framework, precision, parallelism, date, the statistics of TTFT, TPOT, ITL and end-to-end latency, " +
			"and the throughput, for the whole deployment where the number of GPUs is known.",
		Unknown: "The duration, the number of requests, the image and the version of the framework stand in no such table.",
	},
	MaxSize: 64 << 20,
	Match: func(h *ingest.Head) bool {
		if h.Kind != 't' {
			return false
		}
		for line := range bytes.Lines(h.Data) {
			if !bytes.HasPrefix(line, []byte("#")) && len(bytes.TrimSpace(line)) > 0 {
				return bytes.Contains(line, []byte("Hardware Key,Framework")) && bytes.Contains(line, []byte("Throughput/GPU (tok/s)"))
			}
		}
		return false
	},
	Read: read,
}

var statistic = regexp.MustCompile(`^(Mean|Median|Std|Min|Max|P[0-9]+(?:\.[0-9]+)?) (TTFT|TPOT|ITL|E2E Latency) \(ms\)$`)

var quantities = map[string]metric.ID{"TTFT": metric.TTFT, "TPOT": metric.TPOT, "ITL": metric.ITL, "E2E Latency": metric.E2ELatency}

// setup are columns that tell configurations apart.
var setup = map[string]bool{"Model": true, "Hardware": true, "Hardware Key": true, "Framework": true, "Precision": true, "TP": true, "Disaggregated": true,
	"Num Prefill GPUs": true, "Num Decode GPUs": true, "Spec Decoding": true, "EP": true, "DP Attention": true, "Is Multinode": true}

// facts are columns whose meaning is known to all.
var facts = map[string]string{"Model": record.FactModel, "Hardware": record.FactHardware, "Framework": record.FactEngine, "Precision": record.FactPrecision}

var interactivity = regexp.MustCompile(`^\S+ Interactivity \(tok/s/user\)$`)

func read(src *ingest.Source, emit func(record.Record)) error {
	t := &table{file: src.Path(), emit: emit}
	rows := csv.NewReader(bytes.NewReader(src.Data))
	rows.FieldsPerRecord = -1
	rows.Comment = '#'
	for {
		row, err := rows.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		var pe *csv.ParseError
		if errors.As(err, &pe) {
			t.bad(pe.Line, "a row that cannot be read: %v", pe.Err)
			continue
		}
		if err != nil {
			return err
		}
		line, _ := rows.FieldPos(0)
		switch {
		case t.header == nil:
			t.header = row
		case len(row) != len(t.header):
			t.bad(line, "the row has %d cells and the header %d: it is left out", len(row), len(t.header))
		default:
			t.row(row, line)
		}
	}
}

// table is the state of reading one file.
type table struct {
	file   string
	header []string
	emit   func(record.Record)
}

func (t *table) bad(line int, format string, args ...any) {
	t.emit(&record.SyntaxError{Base: record.Base{At: record.Pos{File: t.file, Line: line}}, Text: fmt.Sprintf(format, args...)})
}

func (t *table) row(row []string, line int) {
	cells := map[string]string{}
	raw := []byte{'{'}
	for i, k := range t.header {
		v := strings.TrimSpace(row[i])
		if _, twice := cells[k]; twice {
			continue
		}
		cells[k] = v
		key, _ := json.Marshal(k) // a string always encodes
		value, _ := json.Marshal(v)
		if i > 0 {
			raw = append(raw, ',')
		}
		raw = append(append(append(raw, key...), ':'), value...)
	}
	at := record.Pos{File: t.file, Line: line}
	res := &record.Result{Base: record.Base{At: at, Identity: record.Identity{Tool: "inferencex", Model: cells["Model"]}, Date: cells["Date"]}, Kept: record.Kept{Raw: append(raw, '}')}}
	number := func(k string) (float64, bool) {
		s := cells[k]
		if s == "" {
			return 0, false
		}
		n, err := strconv.ParseFloat(s, 64)
		if err != nil {
			t.bad(line, "%q is %q, a number was expected: the value is left out", k, clean.Clip(s))
			return 0, false
		}
		return n, !math.IsNaN(n) && !math.IsInf(n, 0)
	}
	whole := func(k string) int64 {
		if n, ok := number(k); ok && n == math.Trunc(n) && n > 0 && n < 1<<16 {
			return int64(n)
		}
		return 0
	}
	prefill, decode := whole("Num Prefill GPUs"), whole("Num Decode GPUs")
	divided := strings.EqualFold(cells["Disaggregated"], "true")
	count := whole("TP")
	switch {
	case divided:
		count = prefill + decode
		if prefill == 0 || decode == 0 {
			count = 0
		}
	case strings.EqualFold(cells["Is Multinode"], "true"):
		count = 0 // several servers, nobody says how many
	}

	fs := clean.Facts{}
	unit := "s"
	tpot, _ := number("Mean TPOT (ms)")
	if speed, ok := number("Mean Interactivity (tok/s/user)"); ok && tpot*speed > 30 {
		unit = "ms"
	}
	seen := map[string]bool{}
	for _, k := range t.header {
		if seen[k] {
			continue
		}
		seen[k] = true
		if setup[k] {
			fs.Add(facts[k], fact(k, cells), at)
			if cells[k] != "" {
				res.Setup = append(res.Setup, record.KV{Key: k, Value: cells[k]})
			}
			continue
		}
		if m := statistic.FindStringSubmatch(k); m != nil {
			if n, ok := number(k); ok {
				res.Values = append(res.Values, record.Value{Quantity: quantities[m[2]], Stat: strings.ToLower(m[1]), Number: n, Unit: unit, Key: k})
			}
			continue
		}
		switch k {
		case "Date", "":
		case "ISL", "OSL":
			if n := whole64(cells[k]); n > 0 {
				f := float64(n)
				if k == "ISL" {
					res.Workload.Nominal.Input = &f
				} else {
					res.Workload.Nominal.Output = &f
				}
				res.Workload.LengthSemantics = "tool nominal"
			}
		case "Concurrency":
			if n := whole64(cells[k]); n > 0 {
				res.Load.MaxConcurrency = &n
			}
		case "Throughput/GPU (tok/s)":
			t.throughput(res, metric.TotalThroughput, k, number, count)
		case "Output Throughput/GPU (tok/s)":
			n := count
			if divided {
				n = decode
			}
			t.throughput(res, metric.OutputThroughput, k, number, min(n, count))
		case "Input Throughput/GPU (tok/s)":
			n := count
			if divided {
				n = prefill
			}
			t.throughput(res, metric.InputThroughput, k, number, min(n, count))
		default:
			if cells[k] != "" && !interactivity.MatchString(k) { // that is 1 / TPOT
				res.Unmapped = append(res.Unmapped, k)
			}
		}
	}
	if count > 0 {
		fs.Add(record.FactCount, strconv.FormatInt(count, 10), at)
	}
	res.Facts = fs
	res.Values = clean.Measured(res.Values, true)
	for _, v := range res.Values {
		if v.Quantity == metric.TTFT {
			yes := true // a first token is measured on a stream only
			res.Workload.Streaming = &yes
		}
	}
	res.Key = record.SessionKey("inferencex-csv", t.file, res.Identity.Model, sessions.Digest(sessions.Setup(res.Setup)+res.Date))
	t.emit(res)
}

// fact is the text of a fact; the hardware's key stands for a name that is missing.
func fact(k string, cells map[string]string) string {
	if facts[k] == "" {
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
func (t *table) throughput(res *record.Result, q metric.ID, k string, number func(string) (float64, bool), count int64) {
	n, ok := number(k)
	switch {
	case !ok:
	case count == 0:
		res.Unmapped = append(res.Unmapped, k)
	default:
		res.Values = append(res.Values, record.Value{Quantity: q, Stat: metric.Value, Number: clean.Round(n * float64(count)), Unit: "tok/s"})
	}
}
