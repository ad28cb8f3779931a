package redact

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
)

// JSON is a JSON value without what must not be in it. The order of keys and numbers stay as
// they are, and keys that hold nothing of the kind. What is no JSON becomes a string.
func (r *Redactor) JSON(key string, v json.RawMessage) json.RawMessage {
	if len(v) == 0 {
		return v
	}
	if !json.Valid(v) {
		v = appendString(nil, strings.ToValidUTF8(string(v), "�"))
	}
	w := walker{r: r, in: v, out: make([]byte, 0, len(v))}
	w.value(key, false, false)
	return w.out
}

type walker struct {
	r   *Redactor
	in  []byte
	i   int
	out []byte
}

func (w *walker) space() {
	for w.i < len(w.in) && (w.in[w.i] == ' ' || w.in[w.i] == '\n' || w.in[w.i] == '\t' || w.in[w.i] == '\r') {
		w.i++
	}
}

// str reads the string at w.i and returns it as written and decoded.
func (w *walker) str() (written []byte, s string) {
	j := w.i + 1
	escaped := false
	for w.in[j] != '"' {
		if w.in[j] == '\\' {
			escaped = true
			j++
		}
		j++
	}
	written = w.in[w.i : j+1]
	w.i = j + 1
	if !escaped {
		return written, string(written[1 : len(written)-1])
	}
	_ = json.Unmarshal(written, &s) // it is valid
	return written, s
}

// value copies the value at w.i. hidden says that it lies below a key of a secret, content that
// it lies below a key of prompts or texts.
func (w *walker) value(key string, hidden, content bool) {
	w.space()
	switch c := w.in[w.i]; c {
	case '{':
		w.out = append(w.out, c)
		w.i++
		named := 0
		for first := true; ; first = false {
			w.space()
			if w.in[w.i] == '}' {
				w.i++
				w.out = append(w.out, '}')
				return
			}
			if !first {
				w.i++ // comma
				w.space()
				w.out = append(w.out, ',')
			}
			written, k := w.str()
			if t := w.r.Text(k); t != k {
				// Nodes and devices are keys here and there. Two must not become one.
				if named++; named > 1 {
					t += " " + strconv.Itoa(named)
				}
				written = appendString(nil, t)
			}
			w.out = append(append(w.out, written...), ':')
			w.space()
			w.i++ // colon
			w.value(k, hidden || secretKey(k), content || contentKey(k))
		}
	case '[':
		w.out = append(w.out, c)
		w.i++
		flag := false // the element before is a flag whose value is a secret
		for first := true; ; first = false {
			w.space()
			if w.in[w.i] == ']' {
				w.i++
				w.out = append(w.out, ']')
				return
			}
			if !first {
				w.i++
				w.space()
				w.out = append(w.out, ',')
			}
			next := false
			if w.in[w.i] == '"' {
				at := w.i
				_, s := w.str()
				w.i = at
				next = strings.HasPrefix(s, "-") && !strings.Contains(s, "=") && secretKey(strings.TrimLeft(s, "-"))
				if flag && strings.HasPrefix(s, "-") {
					flag = false
				}
			}
			w.value(key, hidden || flag, content)
			flag = next
		}
	case '"':
		written, s := w.str()
		var t string
		switch {
		case (content || prose(key, s)) && s != "" && key != "elided" && !(number(s) && len(s) <= 12): // "Prompts: 20" counts them
			w.out = append(w.out, `{"elided":"text","length":`+strconv.Itoa(len(s))+`}`...)
			return
		case hidden && !says(s):
			t = Hidden
		default:
			t = w.r.Value(key, s)
		}
		if t == s {
			w.out = append(w.out, written...)
			return
		}
		w.out = appendString(w.out, t)
	default:
		j := w.i
		for j < len(w.in) && !bytes.ContainsRune([]byte(",]} \n\t\r"), rune(w.in[j])) {
			j++
		}
		w.out = append(w.out, w.in[w.i:j]...)
		w.i = j
	}
}

// appendString appends s as a JSON string without HTML escapes.
func appendString(dst []byte, s string) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s) // a string always encodes
	return append(dst, bytes.TrimSuffix(b.Bytes(), []byte{'\n'})...)
}
