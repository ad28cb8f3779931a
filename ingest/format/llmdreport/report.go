package llmdreport

import (
	"encoding/json"
	"fmt"

	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

// reader is the state of reading one file.
type reader struct {
	file, folder string
	emit         func(record.Record)
}

// report is one report on its way to a result.
type report struct {
	*reading.Object
	r      *reader
	res    *record.Result
	facts  reading.Facts
	params map[string][]record.Param // by what they are of
	tool   string                    // that measured, as written
	notes  []*record.Note
	own    bool // inferdex wrote it: what it does not say is not known
}

func (p *report) note(code string, severity record.Severity, key, format string, args ...any) {
	p.notes = append(p.notes, &record.Note{Base: record.Base{At: p.At(key)},
		Code: code, Severity: severity, Text: fmt.Sprintf(format, args...)})
}

// value adds a quantity that is one number.
func (p *report) value(q metric.ID, n float64, unit, key string) {
	p.res.Values = append(p.res.Values, record.Value{Quantity: q, Stat: metric.Value, Number: n, Unit: unit, Key: key})
}

func (p *report) setup(key, value string) {
	if value != "" {
		p.res.Setup = append(p.res.Setup, record.KV{Key: key, Value: value})
	}
}

// param adds a parameter with the place of what it was read from.
func (p *report) param(of, name string, value json.RawMessage, from reading.Value) {
	line, col := from.Place()
	at := record.Pos{File: p.r.file, Line: line, Col: col}
	p.params[of] = append(p.params[of], record.Param{Name: name, Value: value, At: at})
}
