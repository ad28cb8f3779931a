package ingesttest

import (
	"bytes"
	"encoding/json"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/inferdex/inferdex/ingest/record"
)

// dump writes records as the text that golden files hold: for each a line "place: kind", then
// its JSON with sorted keys, without the place again.
func dump(t testing.TB, records []record.Record) string {
	t.Helper()
	var b strings.Builder
	for _, r := range records {
		b.WriteString(r.Pos().String() + ": " + r.Kind() + "\n")
		text, err := json.Marshal(r)
		if err != nil {
			t.Errorf("%s: %s: no JSON can be made of it: %v", r.Pos(), r.Kind(), err)
			continue
		}
		dec := json.NewDecoder(bytes.NewReader(text))
		dec.UseNumber() // numbers stay as written
		var m map[string]any
		if err := dec.Decode(&m); err != nil {
			t.Errorf("%s: %s: %v", r.Pos(), r.Kind(), err)
			continue
		}
		delete(m, "at")
		writeJSON(&b, m, "")
		b.WriteString("\n")
	}
	return b.String()
}

// lineWidth is how wide an object or array may be to stand on one line.
const lineWidth = 110

func writeJSON(b *strings.Builder, v any, indent string) {
	short := compact(v)
	if len(indent)+len(short) <= lineWidth {
		b.WriteString(short)
		return
	}
	switch v := v.(type) {
	case map[string]any:
		b.WriteString("{\n")
		for i, k := range sortedKeys(v) {
			if i > 0 {
				b.WriteString(",\n")
			}
			b.WriteString(indent + "  " + compact(k) + ": ")
			writeJSON(b, v[k], indent+"  ")
		}
		b.WriteString("\n" + indent + "}")
	case []any:
		if scalars(v) {
			writeFilled(b, v, indent)
			return
		}
		b.WriteString("[\n")
		for i, e := range v {
			if i > 0 {
				b.WriteString(",\n")
			}
			b.WriteString(indent + "  ")
			writeJSON(b, e, indent+"  ")
		}
		b.WriteString("\n" + indent + "]")
	default:
		b.WriteString(short)
	}
}

// writeFilled writes many numbers or words like a paragraph.
func writeFilled(b *strings.Builder, v []any, indent string) {
	b.WriteString("[\n" + indent + "  ")
	width := 0
	for i, e := range v {
		s := compact(e)
		if i < len(v)-1 {
			s += ","
		}
		if width > 0 && len(indent)+2+width+1+len(s) > lineWidth {
			b.WriteString("\n" + indent + "  ")
			width = 0
		}
		if width > 0 {
			b.WriteString(" ")
			width++
		}
		b.WriteString(s)
		width += len(s)
	}
	b.WriteString("\n" + indent + "]")
}

func scalars(v []any) bool {
	return !slices.ContainsFunc(v, func(e any) bool {
		switch e.(type) {
		case map[string]any, []any:
			return true
		}
		return false
	})
}

// compact writes v on one line, with a space after colons and commas and without escapes for HTML.
func compact(v any) string {
	switch v := v.(type) {
	case map[string]any:
		parts := make([]string, 0, len(v))
		for _, k := range sortedKeys(v) {
			parts = append(parts, compact(k)+": "+compact(v[k]))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case []any:
		parts := make([]string, len(v))
		for i, e := range v {
			parts[i] = compact(e)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	default:
		var buf bytes.Buffer
		enc := json.NewEncoder(&buf)
		enc.SetEscapeHTML(false)
		_ = enc.Encode(v) // strings, numbers, booleans and null always encode
		return strings.TrimSuffix(buf.String(), "\n")
	}
}

func sortedKeys(m map[string]any) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}
