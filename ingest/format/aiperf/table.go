package aiperf

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

// table is the table of an export that is being read: sections with headings of their own, of which
// those that begin "Metric,avg" and "Metric,Value" are read. The rows become the blocks of an export.
type table struct {
	*reader
	boxed       bool // it is printed: what is not known is "N/A" there
	head        []string
	blocks, raw reading.Builder
	seen        map[string]bool
	other       map[string]int // rows of sections that are not read, by their first heading
}

func (r *reader) table(data []byte) {
	t := &table{reader: r, seen: map[string]bool{}, other: map[string]int{}}
	for line, row := range reading.Rows(reading.CSV(data), r.file, r.emit) {
		t.row(line, row)
	}
	t.end(tableTool(data))
}

func (t *table) bad(line int, format string, args ...any) {
	t.emit(record.Errorf(record.Pos{File: t.file, Line: line}, format, args...))
}

// row reads the headings of a section or one row of it.
func (t *table) row(line int, row []string) {
	if len(row) > 1 && (row[0] == "Metric" || row[1] == "GPU_Index" || row[0] == "Endpoint") {
		t.head = row
		return
	}
	if len(t.head) == 0 || t.head[0] != "Metric" || t.head[1] != "avg" && t.head[1] != "Value" {
		if len(t.head) > 0 {
			t.other[t.head[0]]++
		}
		return
	}
	key, unit := title(row[0])
	if key == "" || t.seen[key] {
		return
	}
	if len(row) != len(t.head) {
		t.bad(line, "the row has %s and its headings %d: it is left out", metric.Plural(len(row), "cell"), len(t.head))
		return
	}
	t.seen[key] = true
	block := t.block(line, row, unit)
	t.blocks.Add(key, block)
	t.raw.Add(row[0], block)
}

// block is a row as the block of statistics that an export has in its place.
func (t *table) block(line int, row []string, unit string) []byte {
	var block reading.Builder
	block.Text("unit", unit)
	for i := 1; i < len(row); i++ {
		name := t.head[i]
		if name == "Value" {
			name = "avg"
		}
		if n, ok := number(row[i]); ok && !reading.Undecided(strings.TrimSpace(row[i]), row[1:]) {
			block.Add(name, n)
			continue
		}
		if cell := strings.TrimSpace(row[i]); cell != "" && cell != "-" && !strings.EqualFold(cell, "n/a") &&
			(t.boxed || !strings.EqualFold(cell, "nan")) {
			t.bad(line, "%q of %q is %q, a number was expected: the value is left out", name,
				reading.Clip(row[0]), reading.Clip(cell))
		}
	}
	return block.JSON()
}

// end emits what the blocks of the table measure.
func (t *table) end(tool string) {
	v, err := reading.Parse(t.blocks.JSON())
	if err != nil { // cannot be: what was written is JSON
		t.bad(1, "%s", err.Text)
		return
	}
	at := record.Pos{File: t.file, Line: 1}
	o := reading.NewObject(t.file, v, func(rec record.Record) {
		if e, ok := rec.(*record.SyntaxError); ok {
			e.At = at
		}
		t.emit(rec)
	})
	m := measure(o)
	if len(m.values) == 0 {
		t.bad(1, "a table without a measurement: nothing is read")
		return
	}
	s := &record.Samples{
		Base: record.Base{At: at, Key: t.key, Identity: record.Identity{Tool: tool}}, Name: partTable,
		Nums: map[string]float64{}, Values: m.values,
	}
	for k, n := range map[string]*int64{"completed": m.completed, "failed": m.failed} {
		if n != nil {
			s.Nums[k] = float64(*n)
		}
	}
	for k, n := range map[string]*float64{"isl": m.actual.Input, "osl": m.actual.Output} {
		if n != nil {
			s.Nums[k] = *n
		}
	}
	if m.started > 0 {
		s.Facts = dated(m.started, at)
	}
	s.Unmapped = o.Unmapped()
	for _, k := range slices.Sorted(maps.Keys(t.other)) { // of GPUs, one by one
		k, n := k+" (rows)", t.other[k]
		s.Unmapped = append(s.Unmapped, k)
		t.raw.Add(k, fmt.Appendf(nil, `{"elided":"rows","length":%d}`, n))
	}
	s.Raw = t.raw.JSON()
	t.emit(s)
}

// title splits "Time to First Token (ms)" into the name of the metric in an export and its unit.
func title(s string) (key, unit string) {
	s = strings.TrimSpace(s)
	if i := strings.LastIndex(s, "("); i > 0 && strings.HasSuffix(s, ")") {
		s, unit = strings.TrimSpace(s[:i]), s[i+1:len(s)-1]
	}
	words := strings.FieldsFunc(strings.ToLower(s), func(c rune) bool { return c == ' ' || c == '-' || c == '_' })
	return strings.Join(words, "_"), unit
}

// number is a cell as a JSON number.
func number(cell string) ([]byte, bool) {
	n, ok := reading.Amount(strings.TrimSpace(cell))
	return strconv.AppendFloat(nil, n, 'g', -1, 64), ok
}
