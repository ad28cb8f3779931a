package catalog

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/metric"
)

// Parameter is one launch parameter as recorded. Value is JSON. A redacted value is the string
// "redacted" and Redacted is set.
type Parameter struct {
	Value    json.RawMessage `json:"value"`
	Redacted bool            `json:"redacted,omitempty"`
	// Text says that the value is the text of a published page, not a typed value.
	Text bool  `json:"text,omitempty"`
	At   Place `json:"at,omitzero"`
}

// ParameterState is what is known of a parameter of a run.
type ParameterState int

// The states. The first five are what the records say, the last two what a recorded value is beside the
// default of the engine's version, where that is known.
const (
	// StateAbsent: no record names it. A command line leaves out what it leaves at its default.
	StateAbsent ParameterState = iota
	// StateValue: recorded with a value.
	StateValue
	// StateNull: recorded as null, which stands for the version's default.
	StateNull
	// StateUnknownToVersion: the engine's version has no such argument.
	StateUnknownToVersion
	// StateRedacted: recorded and hidden.
	StateRedacted
	// StateDiffering: recorded with another value than the default.
	StateDiffering
	// StateDefault: recorded with the value of the default.
	StateDefault
)

// Beside is the state of a recorded parameter beside a default; nil is one that is not known.
func (p Parameter) Beside(deflt json.RawMessage) ParameterState {
	switch {
	case p.Redacted:
		return StateRedacted
	case p.Null():
		return StateNull
	case deflt == nil:
		return StateValue
	case p.Key(false) == Parameter{Value: deflt}.Key(p.Text):
		return StateDefault
	}
	return StateDiffering
}

// Null reports whether the parameter is recorded as one that nobody set: the engine chose by itself, or
// took its version's default.
func (p Parameter) Null() bool {
	if !p.Text {
		return string(bytes.TrimSpace(p.Value)) == "null"
	}
	s := Plain(p.Value)
	return s == "None" || s == ""
}

// Key is equal for equal values: numbers and objects by what they are, not by how they are written. Where
// besideText is set the value is held against the text of a published page, which says what Python's str()
// made of it: such a text is never parsed.
func (p Parameter) Key(besideText bool) string {
	switch {
	case p.Text:
		return textKey(strings.Join(strings.Fields(Plain(p.Value)), " "))
	case besideText:
		return textKey(strings.Join(strings.Fields(python(p.Value)), " "))
	}
	d := json.NewDecoder(bytes.NewReader(p.Value))
	d.UseNumber()
	var v any
	if d.Decode(&v) == nil {
		if _, ok := v.(string); !ok {
			if sorted, err := json.Marshal(v); err == nil {
				return textKey(string(sorted))
			}
		}
	}
	return textKey(Plain(p.Value))
}

// textKey makes one text of numbers and truths that are equal: "4" and "4.0", "True" and "true".
func textKey(s string) string {
	if v, err := strconv.ParseFloat(s, 64); err == nil && !math.IsNaN(v) && !math.IsInf(v, 0) {
		return metric.Exact(v)
	}
	switch l := strings.ToLower(s); l {
	case "true", "false":
		return l
	}
	return s
}

// Plain writes a JSON value for readers: texts without quotes, all else as compact JSON.
func Plain(value json.RawMessage) string {
	var s string
	if string(bytes.TrimSpace(value)) != "null" && json.Unmarshal(value, &s) == nil {
		return s
	}
	var b bytes.Buffer
	if json.Compact(&b, value) != nil {
		return string(value)
	}
	return b.String()
}

// python is what Python's str() makes of a value that its json module reads: what tools print on their
// pages.
func python(value json.RawMessage) string {
	d := json.NewDecoder(bytes.NewReader(value))
	d.UseNumber()
	t, err := d.Token()
	if err != nil {
		return string(value)
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
