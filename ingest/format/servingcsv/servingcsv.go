// Package servingcsv reads tables of vLLM's serving records: one record a row, its keys as the
// header. `vllm bench sweep serve` writes one as summary.csv, scripts make one of many result files.
package servingcsv

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest"
	"github.com/inferdex/inferdex/ingest/internal/jsonval"
	"github.com/inferdex/inferdex/ingest/internal/servingjson"
	"github.com/inferdex/inferdex/ingest/internal/sessions"
	"github.com/inferdex/inferdex/ingest/record"
)

// Format reads tables of serving records.
var Format = &ingest.Format{
	Name: "vllm-bench-serve-csv",
	Doc: ingest.Doc{
		Title:    "vLLM serving results as a table",
		Tool:     "vLLM",
		Command:  "vllm bench sweep serve; scripts that flatten the files of vllm bench serve",
		Versions: "0.6.0 to 0.25.1",
		Files:    "summary.csv, results.csv",
		Reads:    "Each row as a serving record; an empty cell is a missing value, and the columns conc, isl and osl are the load and the lengths asked for.",
		Unknown: "The GPU and the version of vLLM stand in no such table, unless a column says so. " +
			"The summary of a sweep repeats the run=N.json beside it: read one of them.",
	},
	MaxSize: 64 << 20,
	Match:   match,
	Read:    read,
}

func match(h *ingest.Head) bool {
	if h.Kind != 't' {
		return false
	}
	line, _, _ := bytes.Cut(h.Data, []byte("\n"))
	cells, err := csv.NewReader(bytes.NewReader(line)).Read()
	if err != nil {
		return false
	}
	keys := map[string]bool{}
	for _, c := range cells {
		keys[c] = true
	}
	return servingjson.Like(keys, true)
}

// names are columns that scripts name otherwise.
var names = map[string]string{"conc": "max_concurrency", "concurrency": "max_concurrency"}

// bookkeeping are columns that say how the table was made; they tell no runs apart.
var bookkeeping = map[string]bool{"": true, "Unnamed: 0": true, "index": true, "source_file": true, "file": true, "filename": true}

func read(src *ingest.Source, emit func(record.Record)) error {
	file := src.Path()
	rows := csv.NewReader(bytes.NewReader(src.Data))
	rows.FieldsPerRecord = -1
	header, err := rows.Read()
	if err != nil {
		emit(&record.SyntaxError{Base: record.Base{At: record.Pos{File: file, Line: 1}}, Text: fmt.Sprintf("the header cannot be read: %v", unplaced(err))})
		return nil
	}
	has := map[string]bool{}
	for _, k := range header {
		has[k] = true
	}
	container, name := sessions.Split(file)
	if name != "summary.csv" {
		container = file
	}
	for n := 0; ; n++ {
		row, err := rows.Read()
		if errors.Is(err, io.EOF) {
			if n == 0 {
				emit(&record.SyntaxError{Base: record.Base{At: record.Pos{File: file, Line: 1}}, Text: "the table has a header and no row: it may have been cut short"})
			}
			return nil
		}
		var pe *csv.ParseError
		if errors.As(err, &pe) {
			emit(&record.SyntaxError{Base: record.Base{At: record.Pos{File: file, Line: pe.Line}}, Text: fmt.Sprintf("a row that cannot be read: %v", pe.Err)})
			continue
		}
		if err != nil {
			return err
		}
		line, _ := rows.FieldPos(0)
		at := record.Pos{File: file, Line: line}
		if len(row) != len(header) {
			emit(&record.SyntaxError{Base: record.Base{At: at}, Text: fmt.Sprintf("the row has %d cells and the header %d: it is left out", len(row), len(header))})
			continue
		}
		var unmapped []string
		object := []byte{'{'}
		member := func(key string, value []byte) {
			if len(object) > 1 {
				object = append(object, ',')
			}
			k, _ := json.Marshal(key) // a string always encodes
			object = append(append(append(object, k...), ':'), value...)
		}
		raw := []byte{'{'}
		for i, k := range header {
			value := cell(row[i])
			key, _ := json.Marshal(k)
			if i > 0 {
				raw = append(raw, ',')
			}
			raw = append(append(append(raw, key...), ':'), value...)
			switch other := names[k]; {
			case bookkeeping[k]:
				if k != "" && string(value) != "null" {
					unmapped = append(unmapped, k)
				}
			case other != "" && !has[other]:
				member(other, value)
			case other != "":
				// The record has its own.
			default:
				member(k, value)
			}
		}
		v, bad := jsonval.Parse(append(object, '}'))
		if bad != nil { // what is no UTF-8
			emit(&record.SyntaxError{Base: record.Base{At: at}, Text: bad.Text})
			continue
		}
		// The places of the values are those of the row.
		rd := &servingjson.Reader{File: file, Emit: func(r record.Record) {
			if e, ok := r.(*record.SyntaxError); ok {
				e.At = at
			}
			emit(r)
		}}
		res := rd.Read(v)
		if res == nil {
			continue
		}
		res.At = at
		for i := range res.Facts {
			res.Facts[i].At = at
		}
		res.Unmapped = append(res.Unmapped, unmapped...)
		res.Raw = append(raw, '}')
		res.Key = servingjson.Session(container, res)
		emit(res)
	}
}

// unplaced is an error without the place that package csv puts before it.
func unplaced(err error) error {
	var pe *csv.ParseError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}

// cell is the JSON of a cell: a number, a boolean, null for what is missing, or text.
func cell(s string) []byte {
	switch s {
	case "", "None", "nan", "NaN", "NA", "N/A", "null":
		return []byte("null")
	case "True", "true":
		return []byte("true")
	case "False", "false":
		return []byte("false")
	}
	if n, err := strconv.ParseFloat(s, 64); err == nil && !math.IsInf(n, 0) && !math.IsNaN(n) && json.Valid([]byte(s)) {
		return []byte(s)
	}
	text, _ := json.Marshal(strings.ToValidUTF8(s, "\ufffd"))
	return text
}
