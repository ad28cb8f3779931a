package ingesttest

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/inferdex/inferdex/ingest/record"
)

// dump writes records as the text that golden files hold: for each a line "place: kind", then
// its JSON with sorted keys, without the place again. What the first record keeps of its source stands
// there in full; of the others' Raw there are length and digest, which change with any byte of it.
func dump(t testing.TB, records []record.Record) string {
	t.Helper()
	var b strings.Builder
	full := false
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
		if k := record.Source(r); k != nil && len(k.Raw) > 0 {
			if full {
				m["raw"] = fmt.Sprintf("%d bytes, sha256 %.12x", len(k.Raw), sha256.Sum256(k.Raw))
			}
			full = true
		}
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
		if parts := members(v); scalars(slices.Collect(maps.Values(v))) && len(v) > 4 {
			writeFilled(b, parts, indent, "{", "}")
			return
		}
		b.WriteString("{\n")
		for i, k := range slices.Sorted(maps.Keys(v)) {
			if i > 0 {
				b.WriteString(",\n")
			}
			b.WriteString(indent + "  " + compact(k) + ": ")
			writeJSON(b, v[k], indent+"  ")
		}
		b.WriteString("\n" + indent + "}")
	case []any:
		if scalars(v) {
			writeFilled(b, elements(v), indent, "[", "]")
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

// writeFilled writes many numbers or words, or members that are such, like a paragraph.
func writeFilled(b *strings.Builder, parts []string, indent, begin, end string) {
	b.WriteString(begin + "\n" + indent + "  ")
	width := 0
	for i, s := range parts {
		if i < len(parts)-1 {
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
	b.WriteString("\n" + indent + end)
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
		return "{" + strings.Join(members(v), ", ") + "}"
	case []any:
		return "[" + strings.Join(elements(v), ", ") + "]"
	default:
		var buf bytes.Buffer
		enc := json.NewEncoder(&buf)
		enc.SetEscapeHTML(false)
		_ = enc.Encode(v) // strings, numbers, booleans and null always encode
		return strings.TrimSuffix(buf.String(), "\n")
	}
}

// members are those of an object, each on one line.
func members(m map[string]any) (parts []string) {
	for _, k := range slices.Sorted(maps.Keys(m)) {
		parts = append(parts, compact(k)+": "+compact(m[k]))
	}
	return parts
}

// elements are those of a list, each on one line.
func elements(list []any) (parts []string) {
	for _, e := range list {
		parts = append(parts, compact(e))
	}
	return parts
}
