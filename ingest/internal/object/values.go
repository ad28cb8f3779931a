package object

import (
	"github.com/inferdex/inferdex/ingest"
	"github.com/inferdex/inferdex/ingest/internal/jsonval"
	"github.com/inferdex/inferdex/ingest/record"
)

// Values calls value for each JSON value of a file, in its order, as [jsonval.Text.Values] does;
// what is malformed is emitted as an *record.SyntaxError with its place, and reading goes on. With
// flatten the elements of an array at the top are values of their own.
func Values(src *ingest.Source, flatten bool, value func(jsonval.Value), emit func(record.Record)) {
	text := jsonval.NewText(src.Data)
	text.Values(0, len(src.Data), flatten, value, func(e *jsonval.SyntaxError) {
		line, col := text.Place(e.Off)
		emit(&record.SyntaxError{Base: record.Base{At: record.Pos{File: src.Path(), Line: line, Col: col}}, Text: e.Text})
	})
}
