// Package headlines reads inferdex's own small table of the headline figures that cards of
// happy_vllm suites publish: one row a card, for suites whose files are not at hand.
//
// The table is CSV with a header. Its columns, in any order:
//
//	suite_id                      required; the suite's own name, "2025-03-26, 13:43:50"
//	model                         required; as the card states it
//	hardware                      gpu_name; empty where the card says None
//	count                         accelerators that served: tensor x pipeline parallel
//	engine_version                vllm_version
//	wrapper_version               happy_vllm_version
//	prompt_ingestion_speed        the published text: "~8500 t/s"
//	generation_speed_10_parallel  the published text: "~36 t/s for each request"
//	kv_cache_tokens               the published text: "~150k tokens"
//	card                          where the card is published; for readers of the table
//
// An empty cell is not known. Rows carry the identity of their suite, so that they join its
// other files wherever those are found.
package headlines

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/reading"

	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
)

// Format reads tables of headline figures.
var Format = &reading.Format{
	Name: "inferdex-headlines",
	Doc: reading.Doc{
		Title:    "table of published headline figures",
		Tool:     tool,
		Command:  "written by hand, from published cards",
		Versions: "this version of inferdex",
		Files:    "headlines.csv",
		Reads: "For each row the three headline figures of a card as published, the suite, the model, the " +
			"hardware and the versions.",
		Unknown: "The exact figures, which the published texts are rounded from, and all points of the suite.",
	},
	Match: func(h *reading.Head) bool {
		if h.Kind != 't' {
			return false
		}
		first, _, _ := bytes.Cut(h.Data, []byte("\n"))
		header, err := csv.NewReader(bytes.NewReader(first)).Read()
		if err != nil {
			return false
		}
		has := map[string]bool{}
		for _, c := range header {
			has[strings.TrimSpace(c)] = true
		}
		return has["suite_id"] && (has["prompt_ingestion_speed"] || has["generation_speed_10_parallel"] ||
			has["kv_cache_tokens"])
	},
	MaxSize: 8 << 20,
	Read:    read,
}

// tool is Identity.Tool of all files of a suite.
const tool = "benchmark_llm_serving"

// figures are the columns with published texts, with what they say.
var figures = []struct {
	column   string
	quantity metric.ID
	of, unit string
}{
	{"prompt_ingestion_speed", metric.PromptIngestionSpeed, "", "tok/s"},
	{"generation_speed_10_parallel", metric.SpeedPerRequest, "1024/128 at 10", "tok/s"},
	{"kv_cache_tokens", metric.KVCacheTokens, "", "tokens"},
}

// facts are the columns with metadata.
var facts = []struct{ column, key, prefix string }{
	{"model", record.FactModel, ""},
	{"hardware", record.FactHardware, ""},
	{"count", record.FactCount, ""},
	{"engine_version", record.FactEngineVersion, ""},
	{"wrapper_version", record.FactWrapper, "happy_vllm "},
	{"suite_id", record.FactDate, ""},
}

// columns are all names that a header may have.
func columns() []string {
	known := []string{"card"}
	for _, f := range facts {
		known = append(known, f.column)
	}
	for _, f := range figures {
		known = append(known, f.column)
	}
	return known
}

func read(src *reading.Source, emit func(record.Record)) error {
	path := src.Path()
	bad := func(line, col int, format string, args ...any) {
		emit(record.Errorf(record.Pos{File: path, Line: line, Col: col}, format, args...))
	}
	var header []string
	rows := 0
	in := bufio.NewReader(nil) // of all lines: one of each costs a short one 4 KB
	// Line by line: no cell holds a line end, and a quote that is never closed costs its line
	// and not the rest of the table.
	for i, text := range bytes.Split(src.Data, []byte("\n")) {
		line := i + 1
		if len(bytes.TrimSpace(text)) == 0 {
			continue
		}
		if n := bytes.Count(text, []byte(",")) + 1; n > reading.MaxColumns {
			emit(reading.TooWide(record.Pos{File: path, Line: line}, n))
			return nil
		}
		in.Reset(bytes.NewReader(text))
		r := csv.NewReader(in)
		row, err := r.Read()
		if err != nil {
			var pe *csv.ParseError
			if errors.As(err, &pe) {
				err = pe.Err
			}
			bad(line, 0, "no row of a CSV table: %v", err)
			continue
		}
		at := func(i int) record.Pos {
			_, col := r.FieldPos(i)
			return record.Pos{File: path, Line: line, Col: col}
		}
		if header == nil {
			header = make([]string, len(row))
			for i, c := range row {
				header[i] = strings.TrimSpace(c)
				switch {
				case !slices.Contains(columns(), header[i]):
					bad(line, at(i).Col, "unknown column %q: known are %s", header[i], strings.Join(columns(), ", "))
				case slices.Index(header, header[i]) < i:
					bad(line, at(i).Col, "column %q stands twice", header[i])
				}
			}
			continue
		}
		if rows++; rows > reading.MaxRows {
			emit(reading.TooLong(record.Pos{File: path, Line: line}))
			return nil
		}
		if len(row) != len(header) {
			bad(line, 1, "%s, the header has %d: quote a cell that holds a comma", metric.Plural(len(row), "cell"), len(header))
			continue
		}
		readRow(header, row, at, bad, emit)
	}
	if rows == 0 {
		emit(&record.Ignored{Base: record.Base{At: record.Pos{File: path}},
			Reason: "a table of headline figures without a row"})
	}
	return nil
}

// readRow emits the facts of one card and its figures.
func readRow(header, row []string, at func(int) record.Pos, bad func(line, col int, format string, args ...any),
	emit func(record.Record)) {
	cell := func(column string) (text string, pos record.Pos) {
		i := slices.Index(header, column)
		if i < 0 {
			return "", at(0)
		}
		return strings.TrimSpace(row[i]), at(i)
	}
	suite, suiteAt := cell("suite_id")
	model, modelAt := cell("model")
	switch {
	case suite == "":
		bad(suiteAt.Line, suiteAt.Col, "no suite_id: it cannot be told which run this is")
		return
	case model == "":
		bad(modelAt.Line, modelAt.Col, "no model: it cannot be told what was measured")
		return
	}
	base := record.Base{At: at(0), Key: record.SessionKey(tool, suite, model),
		Identity: record.Identity{Tool: tool, Session: suite, Model: model}}
	stated := &record.Facts{Base: base}
	for _, f := range facts {
		value, pos := cell(f.column)
		if value == "" {
			continue
		}
		if f.column == "count" {
			if n, err := strconv.Atoi(value); err != nil || n < 1 {
				bad(pos.Line, pos.Col, "count is %q, want a whole number of accelerators", value)
				continue
			}
		}
		stated.Facts = append(stated.Facts, record.Fact{Key: f.key, Value: f.prefix + value, At: pos})
		if f.key == record.FactEngineVersion {
			stated.Facts = append(stated.Facts, record.Fact{Key: record.FactEngine, Value: "vllm", At: pos})
		}
	}
	emit(stated)
	for _, f := range figures {
		value, pos := cell(f.column)
		if value == "" {
			continue
		}
		if !strings.ContainsAny(value, "0123456789") && value != "NA" {
			bad(pos.Line, pos.Col, "%s is %q, want the published text with its number", f.column, value)
			continue
		}
		figure := &record.Figure{Base: base, Quantity: f.quantity, Of: f.of, Unit: f.unit, Published: value,
			Basis: "as published, rounded by the tool that wrote the card"}
		figure.At = pos
		emit(figure)
	}
}
