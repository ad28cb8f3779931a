package settings

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/BurntSushi/toml"
)

// document is one TOML file that is being read.
type document struct {
	file   string
	places map[string]place
	diags  []Diagnostic
}

// table is one table of a document. What is asked of it is what it may hold: close reports
// every other key.
type table struct {
	doc   *document
	path  string
	m     map[string]any
	known []string
}

// An archive from elsewhere may hold a run.toml of nothing but brackets: the library's time and
// memory grow with the square of the depth and more, so both are bounded before it is asked.
const (
	maxSize  = 1 << 20 // bytes of a settings file
	maxDepth = 32      // of tables and arrays in each other, and parts of a dotted key
)

// tooDeep returns the offset at which a TOML text nests deeper than maxDepth, -1 where it
// nowhere does.
func tooDeep(text string) int {
	depth, dots := 0, 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '"', '\'':
			i = endOfString(text, i) - 1
		case '#':
			for i+1 < len(text) && text[i+1] != '\n' {
				i++
			}
		case '[', '{':
			depth++
			dots = 0
		case ']', '}':
			depth = max(depth-1, 0)
			dots = 0
		case '.':
			dots++
		case '\n', ',', '=':
			dots = 0
		}
		if depth+dots > maxDepth {
			return i
		}
	}
	return -1
}

// endOfString is the offset behind the string that begins at i.
func endOfString(text string, i int) int {
	q := text[i]
	long := strings.Repeat(string(q), 3)
	end, many := string(q), false
	if strings.HasPrefix(text[i:], long) {
		end, many = long, true
	}
	for i += len(end); i < len(text); i++ {
		switch {
		case q == '"' && text[i] == '\\':
			i++
		case strings.HasPrefix(text[i:], end):
			return i + len(end)
		case text[i] == '\n' && !many:
			return i // not closed
		}
	}
	return len(text)
}

// parse reads a TOML text. After a syntax error the table is empty and the error a diagnostic.
func parse(file string, data []byte) (*document, *table) {
	doc := &document{file: file}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if len(data) > maxSize {
		doc.diags = append(doc.diags,
			Diagnostic{File: file, Message: fmt.Sprintf("%d bytes, want at most %d: this is no settings file",
				len(data), maxSize)})
		return doc, &table{doc: doc}
	}
	if off := tooDeep(string(data)); off >= 0 {
		line, col := lineCol(string(data), off)
		doc.diags = append(doc.diags,
			Diagnostic{File: file, Line: line, Col: col,
				Message: fmt.Sprintf("tables, arrays or dotted keys nest deeper than %d", maxDepth)})
		return doc, &table{doc: doc}
	}
	var m map[string]any
	if _, err := toml.Decode(string(data), &m); err != nil {
		d := Diagnostic{File: file, Message: err.Error()}
		var pe toml.ParseError
		if errors.As(err, &pe) {
			d.Line, d.Col = lineCol(string(data), pe.Position.Start)
			d.Message = strings.TrimRight(firstLine(pe.Message), ".")
			if pe.Message == "" {
				d.Message = strings.TrimRight(firstLine(err.Error()), ".")
			}
			d.Message = clip(d.Message, 300)
		}
		d.Message = "not valid TOML: " + d.Message
		doc.diags = append(doc.diags, d)
		return doc, &table{doc: doc}
	}
	doc.places = findPlaces(string(data))
	return doc, &table{doc: doc, m: m}
}

var indexes = regexp.MustCompile(`\[[0-9]+\]`)

// withoutIndexes is a path as it is written in the head of a table.
func withoutIndexes(path string) string { return indexes.ReplaceAllString(path, "") }

// lineCol is the place of an offset, from 1. (The library's own columns are off at the beginning
// of a line.)
func lineCol(text string, off int) (line, col int) {
	before := text[:max(0, min(off, len(text)))]
	return strings.Count(before, "\n") + 1, len(before) - strings.LastIndexByte(before, '\n')
}

// sorted returns the document's diagnostics in the order of their places.
func (d *document) sorted() []Diagnostic {
	sort.SliceStable(d.diags, func(i, j int) bool {
		a, b := &d.diags[i], &d.diags[j]
		return a.Line < b.Line || a.Line == b.Line && a.Col < b.Col
	})
	return d.diags
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	return s
}

// report adds a diagnostic at the place of a path; of a key that is not there, at that of its table.
func (d *document) report(path, format string, args ...any) {
	p, ok := d.places[path]
	if i := strings.LastIndexByte(path, '.'); !ok && i >= 0 {
		p = d.places[path[:i]]
	}
	d.diags = append(d.diags, Diagnostic{File: d.file, Line: p.line, Col: p.col, Message: fmt.Sprintf(format, args...)})
}

// line is the line of a path, 0 where it is not known.
func (d *document) line(path string) int { return d.places[path].line }

// at is the path of a key of the table.
func (t *table) at(key string) string { return join(t.path, key) }

// get returns the value of a key and makes the key known.
func (t *table) get(key string) (any, bool) {
	t.known = append(t.known, key)
	v, ok := t.m[key]
	return v, ok
}

// wrong reports a value of the wrong type.
func (t *table) wrong(key string, v any, want string) {
	t.doc.report(t.at(key), "%s is %s, want %s", key, typeName(v), want)
}

// typeName is the type of a TOML value in words.
func typeName(v any) string {
	switch v.(type) {
	case string:
		return "a string"
	case int64:
		return "a whole number"
	case float64:
		return "a number"
	case bool:
		return "a boolean"
	case time.Time:
		return "a date"
	case map[string]any:
		return "a table"
	}
	return "an array"
}

// text returns a string; "" where the key is absent.
func (t *table) text(key string) string {
	v, ok := t.get(key)
	if !ok {
		return ""
	}
	s, ok := v.(string)
	if !ok {
		t.wrong(key, v, "a string in quotes")
	}
	if !t.without(nul, key, t.at(key), s) {
		return ""
	}
	return strings.TrimSpace(s)
}

// nul is what no text has; names of others may hold any other character.
func nul(r rune) bool { return r == 0 }

// steering is what could steer a terminal: control characters but ends of lines and tabs.
func steering(r rune) bool { return unicode.IsControl(r) && !unicode.IsSpace(r) }

// without reports whether a string has no such character, and tells one that has.
func (t *table) without(such func(rune) bool, key, at, s string) bool {
	i := strings.IndexFunc(s, such)
	if i >= 0 {
		r, _ := utf8.DecodeRuneInString(s[i:])
		t.doc.report(at, "%s is %q, with the control character %U: take it out", key, clip(s, 100), r)
	}
	return i < 0
}

// scalar returns a string, number, boolean or date as the text that was written.
func (t *table) scalar(key string) (string, bool) {
	v, ok := t.get(key)
	if !ok {
		return "", false
	}
	return t.asText(key, v)
}

func (t *table) asText(key string, v any) (string, bool) {
	switch v := v.(type) {
	case string:
		if v = strings.TrimSpace(v); v == "" {
			t.doc.report(t.at(key), "%s is empty: leave out what is not known", key)
			return "", false
		}
		return v, t.without(steering, key, t.at(key), v)
	case bool:
		return strconv.FormatBool(v), true
	case int64:
		return strconv.FormatInt(v, 10), true
	case float64, time.Time:
		if raw := t.doc.places[t.at(key)].raw; raw != "" {
			return raw, true
		}
	}
	t.wrong(key, v, "a string in quotes")
	return "", false
}

// number returns a number above zero; nil where the key is absent.
func (t *table) number(key string) *float64 {
	v, ok := t.get(key)
	if !ok {
		return nil
	}
	var f float64
	switch v := v.(type) {
	case int64:
		f = float64(v)
	case float64:
		f = v
	default:
		t.wrong(key, v, "a number")
		return nil
	}
	if !(f > 0) || f > 1e300 {
		t.doc.report(t.at(key), "%s is %v, want a number above zero: leave out what is not known", key, f)
		return nil
	}
	return &f
}

// whole returns a whole number above zero; nil where the key is absent.
func (t *table) whole(key string) *int {
	v, ok := t.get(key)
	if !ok {
		return nil
	}
	n, ok := v.(int64)
	switch {
	case !ok:
		t.wrong(key, v, "a whole number")
		return nil
	case n <= 0 || int64(int(n)) != n:
		t.doc.report(t.at(key), "%s is %d, want a whole number above zero", key, n)
		return nil
	}
	i := int(n)
	return &i
}

// texts returns an array of strings; ok is false where the key is absent.
func (t *table) texts(key string) (out []string, ok bool) {
	v, ok := t.get(key)
	if !ok {
		return nil, false
	}
	list, isList := v.([]any)
	if !isList {
		t.wrong(key, v, "an array of strings")
		return nil, false
	}
	for i, v := range list {
		s, isText := v.(string)
		if s = strings.TrimSpace(s); !isText || s == "" {
			t.doc.report(element(t.at(key), i), "an element of %s is %s, want a string that is not empty", key,
				typeName(v))
			continue
		}
		if t.without(nul, key, element(t.at(key), i), s) {
			out = append(out, s)
		}
	}
	return out, true
}

// sub returns a table inside the table; nil where the key is absent.
func (t *table) sub(key string) *table {
	v, ok := t.get(key)
	if !ok {
		return nil
	}
	m, ok := v.(map[string]any)
	if !ok {
		t.wrong(key, v, fmt.Sprintf("a table: write [%s]", withoutIndexes(t.at(key))))
		return nil
	}
	return &table{doc: t.doc, path: t.at(key), m: m}
}

// tables returns an array of tables.
func (t *table) tables(key string) []*table {
	v, ok := t.get(key)
	if !ok {
		return nil
	}
	var out []*table
	add := func(i int, m map[string]any) {
		out = append(out, &table{doc: t.doc, path: element(t.at(key), i), m: m})
	}
	switch v := v.(type) {
	case []map[string]any:
		for i, m := range v {
			add(i, m)
		}
		return out
	case []any:
		for i, e := range v {
			if m, ok := e.(map[string]any); ok {
				add(i, m)
				continue
			}
			t.doc.report(element(t.at(key), i), "an element of %s is %s, want a table", key, typeName(e))
		}
		return out
	}
	t.wrong(key, v, fmt.Sprintf("an array of tables: write [[%s]]", withoutIndexes(t.at(key))))
	return nil
}

// close reports the keys that nobody asked for. more are keys that would have been allowed.
func (t *table) close(more ...string) {
	known := append(append([]string(nil), t.known...), more...)
	is := map[string]bool{}
	for _, k := range known {
		is[k] = true
	}
	for _, k := range slices.Sorted(maps.Keys(t.m)) {
		if !is[k] {
			t.doc.report(t.at(k), "%s", unknownKey(k, known))
		}
	}
}
