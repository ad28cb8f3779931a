package aiperf

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/inferdex/inferdex/ingest/internal/clean"
	"github.com/inferdex/inferdex/ingest/internal/jsonval"
	"github.com/inferdex/inferdex/ingest/internal/object"
	"github.com/inferdex/inferdex/ingest/record"
)

// table reads the table of an export: sections with headings of their own, of which those that
// begin "Metric,avg" and "Metric,Value" are read. It is made the blocks of an export first.
func (r *reader) table(data []byte) {
	bad := func(line int, format string, args ...any) {
		r.emit(&record.SyntaxError{Base: record.Base{At: record.Pos{File: r.file, Line: line}}, Text: fmt.Sprintf(format, args...)})
	}
	rows := csv.NewReader(bytes.NewReader(data))
	rows.FieldsPerRecord = -1
	var head []string
	blocks := []byte{'{'}
	raw := []byte{'{'}
	seen := map[string]bool{}
	other := map[string]int{} // rows of sections that are not read, by their first heading
	for {
		row, err := rows.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		var pe *csv.ParseError
		if errors.As(err, &pe) {
			bad(pe.Line, "a row that cannot be read: %v", pe.Err)
			continue
		}
		if err != nil {
			bad(1, "the table cannot be read")
			return
		}
		line, _ := rows.FieldPos(0)
		if len(row) > 1 && (row[0] == "Metric" || row[1] == "GPU_Index" || row[0] == "Endpoint") {
			head = row
			continue
		}
		if len(head) == 0 || head[0] != "Metric" || head[1] != "avg" && head[1] != "Value" {
			if len(head) > 0 {
				other[head[0]]++
			}
			continue
		}
		key, unit := title(row[0])
		if key == "" || seen[key] {
			continue
		}
		if len(row) != len(head) {
			bad(line, "the row %q has %d cells and its headings %d: it is left out", clean.Clip(row[0]), len(row), len(head))
			continue
		}
		seen[key] = true
		block := []byte(`{"unit":`)
		block = append(block, quote(unit)...)
		for i := 1; i < len(row); i++ {
			name := head[i]
			if name == "Value" {
				name = "avg"
			}
			n, ok := number(row[i])
			if !ok {
				if cell := strings.TrimSpace(row[i]); cell != "" && !strings.EqualFold(cell, "n/a") && !strings.EqualFold(cell, "nan") {
					bad(line, "%q of %q is %q, a number was expected: the value is left out", name, clean.Clip(row[0]), clean.Clip(cell))
				}
				continue
			}
			block = append(append(append(block, ','), quote(name)...), ':')
			block = append(block, n...)
		}
		block = append(block, '}')
		for _, out := range []*[]byte{&blocks, &raw} {
			if len(*out) > 1 {
				*out = append(*out, ',')
			}
		}
		blocks = append(append(append(blocks, quote(key)...), ':'), block...)
		raw = append(append(append(raw, quote(row[0])...), ':'), block...)
	}
	v, err := jsonval.Parse(append(blocks, '}'))
	if err != nil { // cannot be: what was written is JSON
		bad(1, "%s", err.Text)
		return
	}
	at := record.Pos{File: r.file, Line: 1}
	o := object.New(r.file, v, func(rec record.Record) {
		if e, ok := rec.(*record.SyntaxError); ok {
			e.At = at
		}
		r.emit(rec)
	})
	m := measure(o)
	s := &record.Samples{Base: record.Base{At: at, Key: r.key, Identity: record.Identity{Tool: tableTool(data)}}, Name: partTable, Nums: map[string]float64{}, Values: m.values, Kept: record.Kept{Raw: append(raw, '}')}}
	if len(m.values) == 0 {
		bad(1, "a table without a measurement: nothing is read")
		return
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
		s.Facts = []record.Fact{{Key: record.FactDate, Value: time.Unix(int64(m.started), 0).UTC().Format(time.RFC3339), At: at}}
	}
	s.Unmapped = o.Unmapped()
	for _, k := range slices.Sorted(maps.Keys(other)) { // of GPUs, one by one
		s.Unmapped = append(s.Unmapped, k+" (rows)")
		s.Raw = fmt.Appendf(s.Raw[:len(s.Raw)-1], `,%s:{"elided":"rows","length":%d}}`, quote(k+" (rows)"), other[k])
	}
	r.emit(s)
}

// title splits "Time to First Token (ms)" into the name of the metric in an export and its unit.
func title(s string) (key, unit string) {
	s = strings.TrimSpace(s)
	if i := strings.LastIndex(s, "("); i > 0 && strings.HasSuffix(s, ")") {
		s, unit = strings.TrimSpace(s[:i]), s[i+1:len(s)-1]
	}
	key = strings.Join(strings.FieldsFunc(strings.ToLower(s), func(c rune) bool { return c == ' ' || c == '-' || c == '_' }), "_")
	return key, unit
}

// number is a cell as a JSON number; thousands may have separators.
func number(cell string) ([]byte, bool) {
	cell = strings.ReplaceAll(strings.TrimSpace(cell), ",", "")
	if cell == "" || strings.ContainsAny(cell, "xX_iInN") {
		return nil, false
	}
	f, err := strconv.ParseFloat(cell, 64)
	if err != nil {
		return nil, false
	}
	return strconv.AppendFloat(nil, f, 'g', -1, 64), true
}

func quote(s string) []byte {
	b, _ := json.Marshal(strings.ToValidUTF8(s, "\ufffd")) // a string always encodes
	return b
}
