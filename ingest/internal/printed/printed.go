// Package printed is what the readers of printed results share: the lines of a text, the result that is being read, and
// how what is wrong in a line is told.
package printed

import (
	"bytes"
	"math"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/internal/sessions"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

// maxLine is how many bytes of a line are read.
const maxLine = 64 << 10

// Text is the state of reading what a tool printed, line by line.
type Text struct {
	File string
	N    int    // the line that is read, from 1
	Line string // without its end
	Torn bool   // the line has no end: it may be a part of one
	// Res is the result that is read, nil between results.
	Res *record.Result
	sessions.Batch

	rest []byte
}

// NewText is a text of which no line is read yet.
func NewText(src *reading.Source) Text { return Text{File: src.Path(), rest: src.Data} }

// Next reads the next line; false where there is none.
func (t *Text) Next() bool {
	if len(t.rest) == 0 {
		return false
	}
	end := bytes.IndexByte(t.rest, '\n') + 1
	if end == 0 {
		end = len(t.rest)
	}
	raw := t.rest[:end]
	t.rest, t.N, t.Torn = t.rest[end:], t.N+1, reading.Torn(raw)
	t.Line = strings.ToValidUTF8(strings.TrimRight(string(raw[:min(end, maxLine)]), "\r\n"), "\ufffd")
	return true
}

// At is where the n-th line begins.
func (t *Text) At(n int) record.Pos { return record.Pos{File: t.File, Line: n} }

// Bad tells what is wrong in the line that is read.
func (t *Text) Bad(format string, args ...any) { t.BadAt(t.N, format, args...) }

// BadAt tells what is wrong in the n-th line.
func (t *Text) BadAt(n int, format string, args ...any) {
	t.Add(record.Errorf(t.At(n), format, args...))
}

// Cut tells that the text ends inside of the line that is read.
func (t *Text) Cut() {
	t.Bad("the text ends inside of its last line, which may be a part of a number: it is left out")
}

// Number is the number that a text is; false where it is none, which is told. Key names it.
func (t *Text) Number(key, text string) (float64, bool) {
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(n) || math.IsInf(n, 0) {
		t.Bad("%q is %q, a number was expected: the value is left out", key, reading.Clip(text))
		return 0, false
	}
	return n, true
}

// Value adds a number to the result that is read, as [Text.Number] has it.
func (t *Text) Value(q metric.ID, stat, text, unit, key string) {
	if n, ok := t.Number(key, text); ok {
		t.Res.Values = append(t.Res.Values, record.Value{Quantity: q, Stat: stat, Number: n, Unit: unit, Key: key})
	}
}
