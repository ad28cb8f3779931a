package normalize

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/record"
	"github.com/inferdex/inferdex/ingest/redact"
)

// stated is one record's statement of one parameter.
type stated struct {
	value  json.RawMessage
	text   bool
	at     catalog.Place
	record *entry
	line   int
	depth  int // of the directory: the deeper is the nearer
	rank   int // 0 computed or read with the session, 1 beside it
}

// parameters merges the parameters of one kind ("server", "client", "env"): a typed value wins
// over a published text, the session's own records over files beside them, the nearer file over
// the farther, the more frequent value over the rarer.
func parameters(of string, records []*entry, f *findings) map[string]catalog.Parameter {
	byName := map[string][]stated{}
	for _, r := range records {
		p, ok := r.Record.(*record.Params)
		if !ok || p.Of != of {
			continue
		}
		for _, x := range p.Params {
			if x.Name == "" {
				continue
			}
			s := stated{value: x.Value, text: p.Text, at: r.place(), record: r, line: r.key.line, depth: strings.Count(treeDir(r.path), "/")}
			if x.At.Line > 0 {
				s.at.Line, s.at.Col, s.line = x.At.Line, x.At.Col, x.At.Line
			}
			if r.attached {
				s.rank = 1
			}
			byName[x.Name] = append(byName[x.Name], s)
		}
	}
	if len(byName) == 0 {
		return nil
	}
	out := map[string]catalog.Parameter{}
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		all := byName[name]
		often := map[string]int{}
		for _, s := range all {
			often[string(s.value)]++
		}
		text := func(s stated) int {
			if s.text {
				return 1
			}
			return 0
		}
		slices.SortStableFunc(all, func(a, b stated) int {
			return cmp.Or(cmp.Compare(text(a), text(b)), cmp.Compare(a.rank, b.rank), cmp.Compare(b.depth, a.depth),
				cmp.Compare(often[string(b.value)], often[string(a.value)]), byPlace(a.record, b.record))
		})
		best := all[0]
		told := map[string]bool{}
		for _, s := range all[1:] {
			// Nearer files are there to differ from farther ones; a typed value is held
			// against every text.
			if s.rank != best.rank && !s.text || s.depth != best.depth && s.rank == 1 || told[string(s.value)] || equalParameter(best, s) {
				continue
			}
			told[string(s.value)] = true
			message := fmt.Sprintf("%s %q is %s in %s and %s in %s", kindName(of), name, shortJSON(best), whereAt(best.record.path, best.line), shortJSON(s), whereAt(s.record.path, s.line))
			if n, m := often[string(best.value)], often[string(s.value)]; n > 1 || m > 1 {
				message += fmt.Sprintf(" (%d records and %d)", n, m)
			}
			f.at(CodeParameter, record.Warning, s.record.path, s.line, "%s", message+"; the first is shown")
		}
		out[name] = catalog.Parameter{Value: best.value, Redacted: string(best.value) == `"`+redact.Hidden+`"`, Text: best.text, At: best.at}
	}
	return out
}

func kindName(of string) string {
	switch of {
	case "client":
		return "client parameter"
	case "env":
		return "variable"
	}
	return "parameter"
}

// shortJSON is a value for messages.
func shortJSON(s stated) string {
	v := string(s.value)
	if s.text {
		var t string
		if json.Unmarshal(s.value, &t) == nil {
			v = strconv.Quote(t)
		}
	}
	if r := []rune(v); len(r) > 60 {
		v = string(r[:60]) + "…"
	}
	return v
}

// equalParameter reports whether two statements say the same. A text says what Python's str()
// makes of a typed value; it is never parsed.
func equalParameter(a, b stated) bool {
	hidden := `"` + redact.Hidden + `"`
	if string(a.value) == string(b.value) || string(a.value) == hidden || string(b.value) == hidden {
		return true
	}
	if a.text == b.text {
		return canonical(a.value) == canonical(b.value)
	}
	if b.text {
		a, b = b, a
	}
	var t string
	if json.Unmarshal(a.value, &t) != nil {
		return canonical(a.value) == canonical(b.value)
	}
	return oneSpace(t) == oneSpace(pythonStr(b.value))
}

func oneSpace(s string) string { return strings.Join(strings.Fields(s), " ") }

// canonical is JSON without white space and with its keys in order; numbers stay as written.
func canonical(v json.RawMessage) string {
	d := json.NewDecoder(bytes.NewReader(v))
	d.UseNumber()
	var x any
	if d.Decode(&x) != nil {
		return string(v)
	}
	b, err := json.Marshal(x)
	if err != nil {
		return string(v)
	}
	return string(b)
}

// pythonStr is what Python's str() makes of a value that its json module reads: what the tools
// print on their pages.
func pythonStr(v json.RawMessage) string {
	d := json.NewDecoder(bytes.NewReader(v))
	d.UseNumber()
	t, err := d.Token()
	if err != nil {
		return string(v)
	}
	if s, ok := t.(string); ok {
		return s
	}
	return pythonRepr(d, t)
}

// pythonRepr is Python's repr() of the value that begins with the token t. Keys keep their order,
// as Python's do.
func pythonRepr(d *json.Decoder, t json.Token) string {
	next := func() json.Token {
		x, err := d.Token()
		if err != nil {
			return json.Delim('}')
		}
		return x
	}
	switch t := t.(type) {
	case nil:
		return "None"
	case bool:
		if t {
			return "True"
		}
		return "False"
	case string:
		return pythonQuote(t)
	case json.Number:
		return pythonNumber(string(t))
	case json.Delim:
		var parts []string
		for d.More() {
			item := pythonRepr(d, next())
			if t == '{' {
				item += ": " + pythonRepr(d, next())
			}
			parts = append(parts, item)
		}
		_, _ = d.Token() // the closing bracket
		if t == '{' {
			return "{" + strings.Join(parts, ", ") + "}"
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	return fmt.Sprint(t)
}

// pythonNumber writes a number as Python does: whole numbers as they are, others in the shortest
// form, with an exponent below 1e-4 and from 1e16 on.
func pythonNumber(s string) string {
	if !strings.ContainsAny(s, ".eE") {
		return s
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		if strings.HasPrefix(s, "-") {
			return "-inf"
		}
		return "inf"
	}
	e := strconv.FormatFloat(f, 'e', -1, 64)
	_, digits, _ := strings.Cut(e, "e")
	if exp, _ := strconv.Atoi(digits); exp < -4 || exp >= 16 {
		return e
	}
	out := strconv.FormatFloat(f, 'f', -1, 64)
	if !strings.Contains(out, ".") {
		out += ".0"
	}
	return out
}

// pythonQuote is Python's repr() of a string.
func pythonQuote(s string) string {
	q := byte('\'')
	if strings.Contains(s, "'") && !strings.Contains(s, `"`) {
		q = '"'
	}
	var b strings.Builder
	b.WriteByte(q)
	for _, c := range s {
		switch {
		case c == rune(q) || c == '\\':
			b.WriteByte('\\')
			b.WriteRune(c)
		case c == '\n':
			b.WriteString(`\n`)
		case c == '\r':
			b.WriteString(`\r`)
		case c == '\t':
			b.WriteString(`\t`)
		case c < ' ' || c == 0x7f:
			fmt.Fprintf(&b, `\x%02x`, c)
		default:
			b.WriteRune(c)
		}
	}
	b.WriteByte(q)
	return b.String()
}
