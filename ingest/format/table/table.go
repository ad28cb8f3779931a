// Package table reads tables of measurements that no tool wrote: a script gathered the numbers of
// many files, or people typed them. What each column means is said by a map, see [Map]; columns under
// the names that such tables share are known without one.
package table

import (
	"bytes"
	"cmp"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/internal/sessions"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

const tool = "table"

// Format reads the tables that are known without a map.
var Format = With(nil)

// Map says what the columns of a kind of table mean.
type Map struct {
	// Files reports whether a path is that of such a table.
	Files func(path string) bool
	// Facts hold for every row.
	Facts []record.Fact
	// Tool is the tool that measured, as [record.Identity] has it; empty where none is known.
	Tool string
	// Computed says from what the numbers were computed, where no tool wrote them so; empty where that is not said.
	Computed string

	columns map[string]Column // by name, as the header has it
}

// Column says what the column of a name means: see [Parse].
func (m *Map) Column(name, meaning string, facts []string) error {
	c, err := Parse(meaning, facts)
	if err != nil {
		return err
	}
	if m.columns == nil {
		m.columns = map[string]Column{}
	}
	m.columns[name] = c
	return nil
}

// With returns the format that also reads the tables of maps: a file that several are for is read by
// the first.
func With(maps []Map) *reading.Format {
	return &reading.Format{
		Name: "table",
		Doc: reading.Doc{
			Title:    "Tables of measurements",
			Tool:     "scripts and people",
			Command:  "none: see [[ingest.table]] of inferdex.toml",
			Versions: "any",
			Files:    "*.csv, *.tsv",
			Reads: "Each row as a measurement: lengths, batch or concurrency, request and token throughput, latency " +
				"and duration under the names that such tables share; any other column by a map in inferdex.toml.",
			Unknown: "A throughput that says neither of which tokens nor agrees with the row's other numbers is kept " +
				"and not used; the engine and the date stand in few.",
		},
		MaxSize: 64 << 20,
		Match: func(h *reading.Head) bool {
			if h.Kind != 't' {
				return false
			}
			_, _, ok := columns(h, maps)
			return ok
		},
		Read: func(src *reading.Source, emit func(record.Record)) error { return read(src, maps, emit) },
	}
}

// separator is what parts the cells of a header: a comma, a semicolon or a tab.
func separator(line []byte) rune {
	for _, c := range ",;\t" {
		if bytes.ContainsRune(line, c) {
			return c
		}
	}
	return ','
}

func reader(data []byte) *reading.Table {
	line, _, _ := bytes.Cut(bytes.TrimLeft(data, "\r\n"), []byte("\n"))
	rows := reading.CSV(data)
	rows.Comma = separator(line)
	return rows
}

// columns are those of a file's header, each with its meaning, nil for one that has none; and the map of the
// file, an empty one where it has none. Not ok is a file that is no table, or one of unknown columns.
func columns(h *reading.Head, maps []Map) (head []header, by *Map, ok bool) {
	line, _, _ := bytes.Cut(bytes.TrimLeft(h.Data, "\r\n"), []byte("\n"))
	names, err := reader(line).Read()
	if err != nil || len(names) < 2 {
		return nil, nil, false
	}
	for i := range maps {
		m := &maps[i]
		if !m.Files(h.Path) {
			continue
		}
		found := 0
		for _, n := range names {
			c, mapped := m.columns[strings.TrimSpace(n)]
			head = append(head, header{strings.TrimSpace(n), c, mapped})
			if mapped {
				found++
			}
		}
		return head, m, found > 0
	}
	head, ok = known(names)
	return head, &Map{}, ok
}

// header is a column as the header names it; mapped says that its meaning is known.
type header struct {
	name   string
	column Column
	mapped bool
}

func read(src *reading.Source, maps []Map, emit func(record.Record)) error {
	file := src.Path()
	head, by, _ := columns(src.Head, maps)
	seen := map[string]bool{}
	for _, h := range head {
		if seen[h.name] && h.mapped {
			emit(record.Errorf(record.Pos{File: file, Line: 1}, "the column %q stands several times: give each a name of its own",
				reading.Clip(h.name)))
		}
		seen[h.name] = true
	}
	noted := map[string]bool{} // by session
	rows := reader(src.Data)
	comma := rows.Comma != ',' && decimalComma.Match(src.Data)
	n := 0 // of rows and of what cannot be read; the header is the first
	counted := func(r record.Record) { n++; emit(r) }
	for line, cells := range reading.Rows(rows, file, counted) {
		if n++; n == 1 {
			continue
		}
		at := record.Pos{File: file, Line: line}
		bad := func(format string, args ...any) { emit(record.Errorf(at, format, args...)) }
		if len(cells) != len(head) {
			bad("the row has %s and the header %d: it is left out", metric.Plural(len(cells), "cell"), len(head))
			continue
		}
		r := row{res: &record.Result{}, bad: bad, comma: comma}
		r.res.At, r.res.Identity.Tool = at, cmp.Or(by.Tool, tool)
		if !r.read(head, cells, by.Facts) {
			continue
		}
		r.emit(file, emit)
		if by.Computed != "" && !noted[r.res.Key] {
			noted[r.res.Key] = true
			emit(&record.Note{Base: r.res.Beside(), Code: "computed", Severity: record.Remark,
				Text: "no tool wrote these numbers so: they were computed " + by.Computed})
		}
	}
	if n < 2 {
		emit(record.Errorf(record.Pos{File: file, Line: 1},
			"the table has a header and no row: it may have been cut short"))
	}
	return nil
}

// emit emits the result of a row, where something was measured under its load, and the figures of its run. Rows that
// name their session are of it whatever file they stand in.
func (r *row) emit(file string, emit func(record.Record)) {
	res := r.res
	if session := res.Identity.Session; session != "" {
		file = session
	}
	res.Key = sessions.Key(res.Identity.Tool, file, res)
	if len(res.Values) > 0 {
		emit(res)
	} else {
		stated := &record.Facts{Base: res.Beside()}
		stated.Date, stated.Facts = res.Date, res.Facts
		emit(stated)
	}
	for _, f := range r.figures {
		f.Base = res.Beside()
		emit(f)
	}
}

// row is a row that is being read.
type row struct {
	res     *record.Result
	figures []*record.Figure // of the run, without their place
	facts   reading.Facts
	// tokens is a throughput that does not say of which tokens.
	tokens    *float64
	tokensKey string
	comma     bool // the decimals of the table's other numbers have a comma
	bad       func(format string, args ...any)
}

// decimalComma matches a cell, between semicolons or tabs, whose comma is none of thousands: "41,5", "0,125", "1.234,5".
var decimalComma = regexp.MustCompile(`(?m)(?:^|[;\t])[ "]*-?` +
	`(?:[0-9.]*[0-9],(?:[0-9]{1,2}|[0-9]{4,})|0,[0-9]+|[0-9]+\.[0-9.]*,[0-9]+)[ "]*(?:[;\t\r]|$)`)

// read fills the result; it reports whether the row measures anything.
func (r *row) read(head []header, cells []string, facts []record.Fact) bool {
	var raw reading.Builder
	for i, h := range head {
		text := strings.TrimSpace(strings.ToValidUTF8(cells[i], "\ufffd"))
		raw.Text(h.name, text)
		switch {
		case missing(text):
		case !h.mapped:
			r.res.Unmapped = append(r.res.Unmapped, h.name)
		default:
			r.cell(h, text)
		}
	}
	r.res.Raw = raw.JSON()
	r.ambiguous()
	for _, f := range facts {
		r.facts.Add(f.Key, f.Value, f.At)
		if f.Key == record.FactModel && r.res.Identity.Model == "" {
			r.res.Identity.Model = f.Value
		}
	}
	r.res.Facts = r.facts
	r.res.Values = reading.Measured(r.res.Values, true)
	if w := &r.res.Workload; w.Nominal.Input != nil || w.Nominal.Output != nil {
		w.LengthSemantics = "tool nominal"
	}
	if len(r.res.Values) == 0 && len(r.figures) == 0 {
		r.bad("the row has no measured value: it is left out")
		return false
	}
	return true
}

// missing are the words for a cell without a value.
func missing(text string) bool {
	switch strings.ToLower(text) {
	case "", "none", "nan", "na", "n/a", "null", "-":
		return true
	}
	return false
}

// wholeNumber is what stands before a decimal comma, with points between thousands or without.
var wholeNumber = regexp.MustCompile(`^[0-9]+$|^[1-9][0-9]{0,2}(?:\.[0-9]{3})+$`)

// digitsAlone reports whether a text is of digits and nothing else.
func digitsAlone(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// cell reads a cell of a mapped column.
func (r *row) cell(h header, text string) {
	res, c := r.res, h.column
	if c.fact != "" {
		switch c.fact {
		case record.FactModel:
			res.Identity.Model = reading.Clip(text)
		case record.FactDate:
			res.Date = reading.Clip(text)
			return
		}
		r.facts.Add(c.fact, text, res.At)
		res.Setup = append(res.Setup, record.KV{Key: c.fact, Value: text})
		return
	}
	if r.comma && (c.place == nil || c.place.text == nil || c.place == rate) {
		switch whole, decimals, ok := strings.Cut(text, ","); {
		case ok && wholeNumber.MatchString(whole) && digitsAlone(strings.TrimSuffix(decimals, "%")):
			text = strings.ReplaceAll(whole, ".", "") + "." + decimals
		case strings.Contains(text, "."):
			r.bad("%q is %q in a table whose decimals have commas, and its point may be one of thousands: the value is left out: "+
				"write nothing between thousands", h.name, reading.Clip(text))
			return
		}
	}
	if c.place != nil && c.place.text != nil {
		if !c.place.text(res, reading.Clip(text)) {
			r.bad("%q is %q: %s: the value is left out", h.name, reading.Clip(text), c.place.want())
		}
		return
	}
	digits, percent := strings.CutSuffix(strings.ReplaceAll(text, "\u00a0", ""), "%")
	n, err := strconv.ParseFloat(strings.TrimSpace(digits), 64)
	if c.figure && err != nil && strings.HasPrefix(text, "~") {
		r.figures = append(r.figures, &record.Figure{Quantity: c.value.Quantity, Of: c.of, Unit: c.value.Unit,
			Published: reading.Clip(text), Basis: "as published, rounded"})
		return
	}
	if err != nil || math.IsNaN(n) || math.IsInf(n, 0) {
		r.bad("%q is %q, a number was expected: the value is left out", h.name, reading.Clip(text))
		return
	}
	if percent {
		if _, base, err := metric.Convert(n, c.value.Unit); err != nil || base != metric.Fraction {
			r.bad("%q is %q, which is no number of its column: the value is left out: map it to a fraction, or take the sign out",
				h.name, reading.Clip(text))
			return
		}
		c.value.Unit = "%"
	}
	switch {
	case c.tokens:
		r.tokens, r.tokensKey = &n, h.name
	case c.place != nil:
		if !c.place.number(res, n) {
			r.bad("%q is %v: %s: the value is left out", h.name, n, c.place.want())
		}
	default:
		if c.inverse {
			if n <= 0 {
				r.bad("%q is %v, a speed above zero was expected: the value is left out", h.name, n)
				return
			}
			n = metric.Round(1 / n)
		}
		if _, err := metric.ToBase(c.value.Quantity, n, c.value.Unit); err != nil {
			r.bad("%q: %v: the value is left out", h.name, err)
			return
		}
		if c.figure {
			r.figures = append(r.figures, &record.Figure{Quantity: c.value.Quantity, Of: c.of, Unit: c.value.Unit,
				Value: &n, Basis: "as the table states it"})
			return
		}
		v := c.value
		v.Number, v.Key = n, h.name
		res.Values = append(res.Values, v)
	}
}

// within is how far a throughput may be from what the row's other numbers give: tables are rounded.
const within = 0.01

// ambiguous settles of which tokens a throughput is, by the row's own numbers: requests a second,
// or a batch and its latency, times the lengths of a request.
func (r *row) ambiguous() {
	if r.tokens == nil {
		return
	}
	res := r.res
	in, out := res.Workload.Nominal.Input, res.Workload.Nominal.Output
	rate, latency := 0.0, 0.0
	for _, v := range res.Values {
		switch v.Quantity {
		case metric.RequestThroughput:
			rate = v.Number
		case metric.E2ELatency:
			if v.Stat == metric.Mean {
				latency = v.Number
			}
		}
	}
	if rate == 0 && latency > 0 && res.Load.Batch != nil {
		rate = float64(*res.Load.Batch) / latency
	}
	near := func(want float64) bool { return math.Abs(*r.tokens-want) <= within*want }
	var of metric.ID
	switch {
	case in == nil || out == nil || rate == 0:
	case near(rate * *out):
		of = metric.OutputThroughput
	case near(rate * (*in + *out)):
		of = metric.TotalThroughput
	}
	if of == "" {
		res.Unmapped = append(res.Unmapped, r.tokensKey)
		return
	}
	res.Values = append(res.Values,
		record.Value{Quantity: of, Stat: metric.Value, Number: *r.tokens, Unit: "tok/s", Key: r.tokensKey})
}
