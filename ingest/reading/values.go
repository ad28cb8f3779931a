package reading

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"iter"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/record"
)

// Values calls value for each JSON value of a file, in its order, as [Text.Values] does;
// what is malformed is emitted as an *record.SyntaxError with its place, and reading goes on. With
// flatten the elements of an array at the top are values of their own.
func Values(src *Source, flatten bool, value func(Value), emit func(record.Record)) {
	text := NewText(src.Data)
	text.Values(0, len(src.Data), flatten, value, func(e *SyntaxError) {
		line, col := text.Place(e.Off)
		emit(record.Errorf(record.Pos{File: src.Path(), Line: line, Col: col}, "%s", e.Text))
	})
	src.doubts, src.known = text.doubts, text.known
}

// Suspects are those of [Suspects] in the file that may stand for a value. Where [Values] went over it and it is JSON,
// nothing is looked at again but what was doubtful then.
func (src *Source) Suspects() iter.Seq2[int, int] {
	if !src.known || src.Head.Kind != '{' && src.Head.Kind != '[' {
		return Suspects(src.Data)
	}
	return func(yield func(int, int) bool) {
		for _, d := range src.doubts {
			for from, to := range Suspects(src.Data[d.from:d.to]) {
				if !yield(d.from+from, d.from+to) {
					return
				}
			}
		}
	}
}

// Each is as [Values] for objects: a value of another kind is emitted as an error that names what was
// expected, "a result".
func Each(src *Source, flatten bool, what string, object func(*Object), emit func(record.Record)) {
	Values(src, flatten, func(v Value) {
		if o := NewObject(src.Path(), v, emit); o.Is(what) {
			object(o)
		}
	}, emit)
}

// EachWith is as [Each] for objects that have a member: of what is no such object the error says what it is not,
// "no row of a suite's table".
func EachWith(src *Source, member, not string, object func(*Object), emit func(record.Record)) {
	Values(src, true, func(v Value) {
		if o := NewObject(src.Path(), v, emit); v.Kind() == KindObject && o.Has(member) {
			object(o)
		} else {
			o.Bad("", "%s: it lacks %q", not, member)
		}
	}, emit)
}

// Is reports whether o was made of an object. Where it was not, an error says that what, "a result",
// was expected.
func (o *Object) Is(what string) bool {
	if o.value.Kind() != KindObject {
		o.Bad("", "%v where %s should stand", o.value.Kind(), what)
		return false
	}
	return true
}

// A table of more is none that somebody wrote or a benchmark printed: what is behind is not read. A row of forty bytes
// becomes kilobytes of records, a cell some 300 bytes.
const (
	MaxRows    = 50_000
	MaxColumns = 4_000
	MaxCells   = 1_000_000
)

// Table is a reader of the rows of a text that goes on behind a quote that is never closed.
type Table struct {
	*csv.Reader
	data []byte
	in   *bufio.Reader
	// from is where in data Reader began to read, and above how many lines lie before.
	from, above int
	heads       [][]string
}

// Head notes a row as the head of the table, or one of several. Where it stands again, as in tables that were put behind
// one another, [Samples] and [Rows] pass over it.
func (t *Table) Head(row []string) { t.heads = append(t.heads, slices.Clone(row)) }

// CSV is a reader of the rows of a table, whose cells need not be equally many: see [Rows] and [Samples].
func CSV(data []byte) *Table {
	t := &Table{data: data, in: bufio.NewReader(bytes.NewReader(data))}
	t.Reader = csv.NewReader(t.in)
	t.FieldsPerRecord = -1
	return t
}

// InputOffset is where in the text the next row begins.
func (t *Table) InputOffset() int64 { return int64(t.from) + t.Reader.InputOffset() }

// line is that of the row that was read last.
func (t *Table) line() int {
	line, _ := t.FieldPos(0)
	return t.above + line
}

// behind goes to the line behind that of a row, counted as Reader does, whose quote swallowed what follows; before is an
// offset between that row and the one above.
func (t *Table) behind(line, before int) {
	to := before
	for n := bytes.Count(t.data[t.from:before], []byte{'\n'}); n < line && to < len(t.data); n++ {
		if i := bytes.IndexByte(t.data[to:], '\n'); i >= 0 {
			to += i + 1
		} else {
			to = len(t.data)
		}
	}
	t.from, t.above = to, t.above+line
	t.in.Reset(bytes.NewReader(t.data[to:]))
	rows := csv.NewReader(t.in)
	rows.Comma, rows.Comment, rows.LazyQuotes, rows.TrimLeadingSpace = t.Comma, t.Comment, t.LazyQuotes, t.TrimLeadingSpace
	rows.FieldsPerRecord, rows.ReuseRecord = t.FieldsPerRecord, t.ReuseRecord
	t.Reader = rows
}

// open finds the row that begins behind an offset, and reports whether one of its cells begins with a quote that does not
// end in its line. A [csv.Reader] with LazyQuotes takes all that follows for that cell.
func (t *Table) open(offset int) (start int, open bool) {
	for start = offset; start < len(t.data) && (t.data[start] == '\n' || t.data[start] == '\r'); {
		start++
	}
	line, _, _ := bytes.Cut(t.data[start:], []byte{'\n'})
	line = bytes.TrimSuffix(line, []byte{'\r'})
	comma := []byte(string(t.Comma))
	for more := true; more; {
		if t.TrimLeadingSpace {
			line = bytes.TrimLeft(line, " \t")
		}
		quoted := bytes.HasPrefix(line, []byte{'"'})
		if !quoted {
			_, line, more = bytes.Cut(line, comma)
			continue
		}
		for line = line[1:]; quoted; {
			end := bytes.IndexByte(line, '"')
			if end < 0 {
				return start, true
			}
			switch line = line[end+1:]; {
			case len(line) == 0:
				return start, false
			case line[0] == '"': // two are one that belongs to the cell
				line = line[1:]
			case bytes.HasPrefix(line, comma):
				line, quoted = line[len(comma):], false
			}
		}
	}
	return start, false
}

// TooLong says of a row that it is one more than MaxRows.
func TooLong(at record.Pos) *record.SyntaxError {
	return record.Errorf(at, "the table has more than %d rows: the rest is not read: split it", MaxRows)
}

// Samples are the rows of a table that a file holds, each with its line, however many there are. A row that cannot be
// read is emitted as an *record.SyntaxError, and reading goes on. No cell of a table with LazyQuotes holds a line end:
// where one does, its quote was never closed.
func Samples(rows *Table, file string, emit func(record.Record)) iter.Seq2[int, []string] {
	return func(yield func(int, []string) bool) {
		for {
			before := int(rows.InputOffset())
			if rows.LazyQuotes {
				if start, open := rows.open(before); open {
					line := bytes.Count(rows.data[rows.from:start], []byte{'\n'}) + 1
					emit(record.Errorf(record.Pos{File: file, Line: rows.above + line}, "%s", unclosed))
					rows.behind(line, start)
					continue
				}
			}
			cells, err := rows.Read()
			var wrong *csv.ParseError
			switch {
			case errors.As(err, &wrong):
				at := record.Pos{File: file, Line: rows.above + wrong.StartLine}
				if wrong.Line == wrong.StartLine && !errors.Is(wrong.Err, csv.ErrQuote) {
					emit(record.Errorf(at, "a row that cannot be read: %v: it is left out: put cells that hold quotes in "+
						"quotes, and double those in them", wrong.Err))
					continue
				}
				emit(record.Errorf(at, "%s", unclosed))
				rows.behind(wrong.StartLine, before)
				continue
			case err != nil: // the end: the table is in memory
				return
			}
			if slices.ContainsFunc(rows.heads, func(h []string) bool { return slices.Equal(h, cells) }) {
				continue
			}
			if !yield(rows.line(), cells) {
				return
			}
		}
	}
}

// unclosed is what is wrong with a row whose quote swallows what follows.
const unclosed = "a quote is not closed, or stands inside of a cell: the row is left out: close it, or double it"

// Rows are Samples of a table of results: it ends at MaxRows, at MaxCells, and at a row of more than MaxColumns cells,
// which is said.
func Rows(rows *Table, file string, emit func(record.Record)) iter.Seq2[int, []string] {
	return func(yield func(int, []string) bool) {
		n, all := 0, 0
		for line, cells := range Samples(rows, file, emit) {
			n, all = n+1, all+len(cells)
			switch at := (record.Pos{File: file, Line: line}); {
			case n > MaxRows:
				emit(TooLong(at))
				return
			case len(cells) > MaxColumns:
				emit(TooWide(at, len(cells)))
				return
			case all > MaxCells:
				emit(record.Errorf(at, "the table has more than %d cells: the rest is not read: split it", MaxCells))
				return
			}
			if !yield(line, cells) {
				return
			}
		}
	}
}

// TooWide says of a row that it has more than MaxColumns cells.
func TooWide(at record.Pos, n int) *record.SyntaxError {
	return record.Errorf(at, "the table has %d columns, more than %d are not read: leave out those that hold no result",
		n, MaxColumns)
}

// bars are what stands between the cells of a printed table.
var bars = strings.NewReplacer("│", "|", "┃", "|")

// Cells are the cells of a row of a printed table, without the blanks around them: what stands between its bars, of which
// one at the beginning and one at the end may be missing.
func Cells(line string) []string {
	line = strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(bars.Replace(line)), "|"), "|")
	cells := strings.Split(line, "|")
	for i := range cells {
		cells[i] = strings.TrimSpace(cells[i])
	}
	return cells
}
