// Package servingcsv reads tables of vLLM's serving records: one record a row, its keys as the
// header. `vllm bench sweep serve` writes one as summary.csv, scripts make one of many result files or of
// what the tool prints, with its labels as the header and often without the model.
package servingcsv

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"errors"
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

// Format reads tables of serving records.
var Format = &reading.Format{
	Name: "vllm-bench-serve-csv",
	Doc: reading.Doc{
		Title:    "vLLM serving results as a table",
		Tool:     "vLLM",
		Command:  "vllm bench sweep serve; scripts that flatten the files of vllm bench serve, or what it prints",
		Versions: "0.6.0 to 0.25.1",
		Files:    "summary.csv, results.csv",
		Reads: "Each row as a serving record; an empty cell is a missing value, and the columns conc, isl and osl " +
			"are the load and the lengths asked for. Columns may bear the printed labels; prefill and decode are the " +
			"ratio of workers.",
		Unknown: "The GPU and the version of vLLM stand in no such table, unless a column says so. " +
			"The summary of a sweep repeats the run=N.json beside it: read one of them.",
	},
	MaxSize: 64 << 20,
	Match:   match,
	Read:    read,
}

func match(h *reading.Head) bool {
	if h.Kind != 't' {
		return false
	}
	line, _, _ := bytes.Cut(bytes.TrimLeft(h.Data, "\r\n"), []byte("\n"))
	row := csv.NewReader(bytes.NewReader(line))
	row.TrimLeadingSpace = true
	cells, err := row.Read()
	return err == nil && servingjson.LikeRow(newTable("", cells).keys)
}

// names are columns that scripts name otherwise.
var names = map[string]string{"conc": "max_concurrency", "concurrency": "max_concurrency"}

// keyOf is the key of the serving record that a column holds: it may bear the label that the tool prints. It is
// the column's own name where no key is known.
func keyOf(column string) string {
	label := strings.ToLower(column)
	if v, ok := servingjson.Statistic(label); ok && strings.HasSuffix(label, " (ms)") {
		return strings.ReplaceAll(strings.TrimSuffix(v.Key, " (ms)"), " ", "_") + "_ms"
	}
	return cmp.Or(names[label], reading.Second(servingjson.Labels, label), column)
}

// bookkeeping are columns that say how the table was made; they tell no runs apart.
var bookkeeping = []string{"", "Unnamed: 0", "index", "source_file", "file", "filename"}

// saved is the name that the tool gives to a result file: the model and the date stand in it.
var saved = regexp.MustCompile(`^.*-(?:[0-9.]+|inf)qps(?:-concurrency[0-9]+)?-(.+)-([0-9]{8}-[0-9]{6})(?:\.json)?$`)

// table is a table of which the header was read.
type table struct {
	file, container string
	columns         []string
	// order are the columns as they stand in a record: the arguments of a server, which scripts add
	// behind the results under the names of its flags, before all others.
	order []int
	keys  map[string]bool   // of the records
	from  map[string]string // the column of a key that bears another name
	// described are the sessions whose parameters were emitted.
	described map[string]bool
}

func newTable(file string, header []string) *table {
	t := &table{file: file, keys: map[string]bool{}, from: map[string]string{}, described: map[string]bool{}}
	for _, c := range header {
		t.columns = append(t.columns, strings.TrimSpace(c))
	}
	for i, c := range t.columns {
		if flag(c) {
			t.order = append(t.order, i)
		}
	}
	for i, c := range t.columns {
		if !flag(c) {
			t.order = append(t.order, i)
		}
		if key := keyOf(c); !slices.Contains(bookkeeping, c) {
			t.keys[key] = true
			if key != c && !slices.Contains(t.columns, key) {
				t.from[key] = c
			}
		}
	}
	var name string
	if t.container, name = sessions.Split(file); name != "summary.csv" {
		t.container = file
	}
	return t
}

// flag reports whether a column bears the name of a flag.
func flag(column string) bool { return strings.Contains(column, "-") && !strings.Contains(column, " ") }

func read(src *reading.Source, emit func(record.Record)) error {
	file := src.Path()
	rows := reading.CSV(src.Data)
	rows.TrimLeadingSpace = true // people put blanks behind commas
	header, err := rows.Read()
	if err != nil {
		emit(record.Errorf(record.Pos{File: file, Line: 1}, "the header cannot be read: %v", unplaced(err)))
		return nil
	}
	if len(header) > reading.MaxColumns {
		emit(reading.TooWide(record.Pos{File: file, Line: 1}, len(header)))
		return nil
	}
	rows.Head(header)
	t := newTable(file, header)
	found := false
	for line, row := range reading.Rows(rows, file, func(r record.Record) { found = true; emit(r) }) {
		found = true
		at := record.Pos{File: file, Line: line}
		if len(row) != len(header) {
			emit(record.Errorf(at, "the row has %s and the header %d: it is left out", metric.Plural(len(row), "cell"), len(header)))
			continue
		}
		for i := range row {
			row[i] = strings.TrimSpace(row[i])
		}
		t.row(row, at, emit)
	}
	if !found {
		emit(record.Errorf(record.Pos{File: file, Line: 1},
			"the table has a header and no row: it may have been cut short"))
	}
	return nil
}

// row reads one row as a serving record.
func (t *table) row(row []string, at record.Pos, emit func(record.Record)) {
	var object, raw reading.Builder
	for _, i := range t.order {
		c := t.columns[i]
		if key := keyOf(c); !slices.Contains(bookkeeping, c) &&
			(key == c || !slices.Contains(t.columns, key)) { // else the record has its own
			object.Add(key, cell(row[i]))
		}
	}
	var unmapped []string
	name := ""
	for i, c := range t.columns {
		raw.Add(c, cell(row[i]))
		if slices.Contains(bookkeeping, c) && c != "" && row[i] != "" {
			unmapped, name = append(unmapped, c), row[i]
		}
	}
	v, wrong := reading.Parse(object.JSON())
	if wrong != nil { // what is no UTF-8
		emit(record.Errorf(at, "%s", wrong.Text))
		return
	}
	placed := func(r record.Record) {
		if e, ok := r.(*record.SyntaxError); ok {
			e.At = at // the places of the values are those of the row
		}
		emit(r)
	}
	rd := &servingjson.Reader{File: t.file, Emit: placed}
	res := rd.Read(v)
	if res == nil {
		return
	}
	res.At = at
	facts := reading.Facts(res.Facts)
	if m := saved.FindStringSubmatch(name); m != nil {
		if res.Identity.Model == "" {
			res.Identity.Model = m[1]
			facts.Add(record.FactModel, m[1], at)
		}
		if res.Date == "" {
			res.Date = m[2]
		}
	}
	if !t.keys["model_id"] {
		facts.Add(record.FactEngine, sessions.Engine(t.file), at)
	}
	if t.keys["prefill"] && t.keys["decode"] {
		facts.Add(record.FactSeries, ratio(setup(res, "prefill"), setup(res, "decode")), at)
	}
	res.Facts = facts
	for i := range res.Facts {
		res.Facts[i].At = at
	}
	for i, v := range res.Values {
		res.Values[i].Key = cmp.Or(t.from[v.Key], v.Key)
	}
	res.Unmapped = append(res.Unmapped, unmapped...)
	res.Raw = raw.JSON()
	res.Key = servingjson.Session(t.container, res)
	emit(res)
	if p := sessions.Params(res, flag); p != nil && !t.described[res.Key] {
		t.described[res.Key] = true
		emit(p)
	}
}

// ratio names the ratio of prefill to decode workers, empty where the two are no numbers of workers.
func ratio(prefill, decode string) string {
	for _, s := range []string{prefill, decode} {
		if n, err := strconv.Atoi(s); err != nil || n < 1 || n > 1<<16 {
			return ""
		}
	}
	return servingjson.Ratio(prefill, decode)
}

// setup is the value of a key of a record's setup.
func setup(res *record.Result, key string) string {
	for _, kv := range res.Setup {
		if kv.Key == key {
			return kv.Value
		}
	}
	return ""
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
	case "True", "true", "TRUE":
		return []byte("true")
	case "False", "false", "FALSE":
		return []byte("false")
	}
	if n, err := strconv.ParseFloat(s, 64); err == nil && !math.IsInf(n, 0) && !math.IsNaN(n) && json.Valid([]byte(s)) {
		return []byte(s)
	}
	return reading.Quote(s)
}
