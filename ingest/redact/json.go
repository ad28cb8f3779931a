package redact

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

// JSON is a JSON value without what must not be in it. The order of keys and numbers stay as
// they are, and keys that hold nothing of the kind. What is no JSON becomes a string.
func (r *Redactor) JSON(key string, v json.RawMessage) json.RawMessage {
	if len(v) == 0 {
		return v
	}
	w := newWalker(r, v)
	w.value(r.kind(key), false, false)
	return w.done(v)
}

// newWalker walks over a JSON value. What is no JSON becomes a string.
func newWalker(r *Redactor, v json.RawMessage) *walker {
	if !reading.Valid(v) {
		v = record.AppendText(nil, strings.ToValidUTF8(string(v), "�"))
	}
	w := &walker{r: r, in: v, out: r.room[:0]}
	r.room = nil // of a value within this one
	return w
}

// done is what became of a value v: itself where nothing had to change.
func (w *walker) done(v []byte) []byte {
	w.r.room = w.out
	if bytes.Equal(w.out, v) {
		return v
	}
	return bytes.Clone(w.out)
}

// plain reports whether a folded text is known to stay as it is: see [record.Result.Text]. Its values are numbers and
// texts that stay, and no key says more of them.
func (r *Redactor) plain(keys []string, values []byte) bool {
	if r.keys0 != &keys[0] {
		r.keys0, r.plainKeys = &keys[0], true
		for _, k := range keys[:len(keys)-1] { // `{"a":`, `,"b":`
			name := k[2 : len(k)-2]
			kind := r.kind(name)
			r.plainKeys = r.plainKeys && !strings.Contains(name, `\`) && kind.plain && !kind.valued && kind.shown == name
		}
	}
	for r.plainKeys && len(values) > 0 {
		i := bytes.IndexByte(values, '\n')
		if !r.plainValue(values[:i]) {
			return false
		}
		values = values[i+1:]
	}
	return r.plainKeys
}

// plainValue reports whether a value under a plain key is known to stay as it is.
func (r *Redactor) plainValue(v []byte) bool {
	switch string(v) {
	case "null", "true", "false":
		return true
	}
	if last := len(v) - 1; last > 0 && v[0] == '"' {
		return bytes.IndexByte(v, '\\') < 0 && r.stays(v[1:last])
	}
	for _, c := range v {
		if (c < '0' || c > '9') && c != '.' && c != '-' && c != '+' && c|0x20 != 'e' {
			return false
		}
	}
	return len(v) > 0
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

// written is the string at w.i as it is written, and whether that is more than quotes around its text.
func (w *walker) written() (written []byte, escaped bool) {
	j := w.i + 1
	for w.in[j] != '"' {
		if w.in[j] == '\\' {
			escaped = true
			j++
		}
		j++
	}
	written = w.in[w.i : j+1]
	w.i = j + 1
	return written, escaped
}

// str reads the string at w.i and returns it as written and decoded.
func (w *walker) str() (written []byte, s string) {
	written, escaped := w.written()
	if !escaped {
		return written, string(written[1 : len(written)-1])
	}
	_ = json.Unmarshal(written, &s) // it is valid
	return written, s
}

// key reads the key at w.i. Most are known already.
func (w *walker) key() (written []byte, k keyKind) {
	at := w.i
	written, escaped := w.written()
	if k, known := w.r.kinds[string(written[1:len(written)-1])]; known && !escaped {
		return written, k
	}
	w.i = at
	written, name := w.str()
	return written, w.r.kind(name)
}

// value copies the value at w.i. hidden says that it lies below a key of a secret, content that
// it lies below a key of prompts or texts.
func (w *walker) value(key keyKind, hidden, content bool) {
	w.space()
	switch w.in[w.i] {
	case '{':
		w.object(hidden, content)
	case '[':
		w.list(key, hidden, content)
	case '"':
		w.text(key, hidden, content)
	default:
		j := w.i
		for j < len(w.in) && strings.IndexByte(",]} \n\t\r", w.in[j]) < 0 {
			j++
		}
		w.out = append(w.out, w.in[w.i:j]...)
		w.i = j
	}
}

// next moves to the next element of an object or a list that ends in the byte end, and reports whether
// there is one. It copies the comma, or the end.
func (w *walker) next(first bool, end byte) bool {
	w.space()
	if w.in[w.i] == end {
		w.i++
		w.out = append(w.out, end)
		return false
	}
	if !first {
		w.i++
		w.space()
		w.out = append(w.out, ',')
	}
	return true
}

// object copies an object. In {"name": "DB_PASSWORD", "value": "x"} the name says what the value is.
func (w *walker) object(hidden, content bool) {
	begin := w.i
	w.out = append(w.out, '{')
	w.i++
	renamed := 0
	name, looked := "", false // once: an object may have 10,000 values
	for first := true; w.next(first, '}'); first = false {
		written, k := w.key()
		if t := k.shown; t != k.name {
			// Nodes and devices are keys here and there. Two must not become one.
			if renamed++; renamed > 1 {
				t += " " + strconv.Itoa(renamed)
			}
			written = record.AppendText(nil, t)
		}
		w.out = append(append(w.out, written...), ':')
		w.space()
		w.i++ // colon
		if k.valued {
			if !looked {
				name, looked = w.named(begin), true
			}
			if name != "" {
				k = w.r.kind(name)
			}
		}
		w.value(k, hidden || k.secret, content || k.content)
	}
}

func nameKey(k string) bool {
	switch k, _, _ = strings.Cut(strings.ToLower(k), " (line "); k {
	case "name", "key", "variable", "var", "header", "env", "option", "argument", "arg", "flag", "field", "parameter":
		return true
	}
	return false
}

func valueKey(k string) bool {
	switch k, _, _ = strings.Cut(strings.ToLower(k), " (line "); k {
	case "value", "val", "values", "default", "content", "current":
		return true
	}
	return false
}

// named is the text by which the object that begins at i names its value, "" where there is none or
// where it names nothing that is to be hidden.
func (w *walker) named(i int) string {
	look := walker{r: w.r, in: w.in, i: i + 1}
	for first := true; look.next(first, '}'); first = false {
		_, k := look.str()
		look.space()
		look.i++ // colon
		look.space()
		if nameKey(strings.Trim(k, "- ")) && look.in[look.i] == '"' {
			_, name := look.str()
			if name = strings.Trim(name, `-"'`); guardedKey(name) {
				return name
			}
			continue
		}
		look.skip()
	}
	return ""
}

// skip moves behind the value at w.i.
func (w *walker) skip() {
	depth := 0
	for {
		switch w.in[w.i] {
		case '"':
			w.str()
			w.i--
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth < 0 {
				return
			}
		case ',':
			if depth == 0 {
				return
			}
		}
		w.i++
		if depth == 0 && w.i < len(w.in) && (w.in[w.i] == ',' || w.in[w.i] == '}' || w.in[w.i] == ']') {
			return
		}
	}
}

// list copies a list. Behind a flag of a secret, behind the name of a secret in a list of two, and behind one that a shell
// sets, stand secrets up to the next flag; between the first line and the last of a private key, those of it. A line that
// ends in a backslash goes on in the next element.
func (w *walker) list(key keyKind, hidden, content bool) {
	w.out = append(w.out, '[')
	w.i++
	var flag string // the flag before, "" where there is none or where it hides nothing
	pair, set, pem := w.pair(), false, false
	begun := "" // the lines before that go on in this one
	for first := true; w.next(first, ']'); first = false {
		if w.in[w.i] != '"' {
			w.value(key, hidden, content)
			continue
		}
		at := w.i
		_, s := w.str()
		w.i = at
		isFlag := strings.HasPrefix(s, "-") && len(s) > 1 && !number(s)
		if isFlag {
			flag = ""
		}
		pem = strings.HasPrefix(s, "-----BEGIN ") && strings.Contains(s, "PRIVATE KEY") && !strings.Contains(s, "-----END ") ||
			pem && !isFlag
		switch {
		case pem:
			w.value(key, true, content)
		case begun != "" && !hidden && !content:
			w.str()
			w.out = record.AppendText(w.out, w.r.continued(begun, s))
		case flag == "" || says(s):
			w.value(key, hidden, content)
		case secretKey(flag):
			w.value(key, true, content)
		default: // of what names a machine or holds a text, one value
			w.value(w.r.kind(flag), hidden, content)
			flag = ""
		}
		if name := strings.TrimLeft(s, "-"); (isFlag && !strings.Contains(s, "=") || pair && first || set) &&
			guardedKey(name) {
			flag = name
		}
		set = s == "set" || s == "setenv" || set && isFlag
		if line := strings.TrimRight(s, "\r\n"); strings.HasSuffix(line, `\`) {
			begun += line + "\n"
			if over := len(begun) - 2*longest; over > 0 {
				begun = begun[over+strings.IndexByte(begun[over:], '\n')+1:]
			}
		} else {
			begun = ""
		}
	}
}

// continued is the line s without what must not be in it behind the lines before it that it goes on with.
func (r *Redactor) continued(begun, s string) string {
	shown := r.Text(begun + s)
	if strings.Count(shown, "\n") == strings.Count(begun+s, "\n") {
		return shown[strings.LastIndexByte(strings.TrimRight(shown, "\r\n"), '\n')+1:]
	}
	same := 0 // a value of several lines is hidden at once: how much of s stands behind it
	for same < min(len(s), len(shown)) && s[len(s)-1-same] == shown[len(shown)-1-same] {
		same++
	}
	if same == len(s) {
		return s
	}
	return strings.ToValidUTF8(Hidden+s[len(s)-same:], "")
}

// pair reports whether the list whose elements begin at w.i is of two texts.
func (w *walker) pair() bool {
	look := walker{r: w.r, in: w.in, i: w.i}
	for range 2 {
		look.space()
		if look.in[look.i] != '"' {
			return false
		}
		look.str()
		look.space()
		if look.in[look.i] == ',' {
			look.i++
		}
	}
	return look.in[look.i] == ']'
}

// guardedKey reports whether the texts of a key may have to be hidden.
func guardedKey(key string) bool {
	return secretKey(key) || identityKey(key) || contentKey(key) || shortPrompt(key)
}

// text copies a text. One that is JSON itself is walked as such.
func (w *walker) text(key keyKind, hidden, content bool) {
	at := w.i
	if written, escaped := w.written(); key.plain && !hidden && !content && !escaped &&
		w.r.stays(written[1:len(written)-1]) {
		w.out = append(w.out, written...)
		return
	}
	w.i = at
	written, s := w.str()
	t := s
	switch {
	case (content || key.prose && prose(s)) && s != "" && key.name != "elided" &&
		!(number(s) && len(s) <= 12): // "Prompts: 20" counts them
		w.out = append(w.out, `{"elided":"text","length":`+strconv.Itoa(len(s))+`}`...)
		return
	case hidden && !says(s):
		t = Hidden
	case within(s):
		t = string(w.r.JSON(key.name, json.RawMessage(s)))
		if compact(s) == t {
			t = s // only its blanks would change
		}
	default:
		t = w.r.Value(key.name, s)
		if strings.ContainsAny(key.name, partedMarks) { // a line of a text, parted at its first colon
			if line := key.name + ":" + s; t == s && w.r.Text(line) != w.r.Text(key.name)+":"+s {
				t = Hidden
			}
		}
	}
	if t == s {
		w.out = append(w.out, written...)
		return
	}
	w.out = record.AppendText(w.out, t)
}

// within reports whether a text is JSON that may hold further texts.
func within(s string) bool {
	s = strings.TrimSpace(s)
	return len(s) > 4 && (s[0] == '{' || s[0] == '[' || s[0] == '"') && strings.ContainsRune(s[1:], '"') &&
		reading.Valid([]byte(s))
}

// compact is JSON without blanks between its values.
func compact(s string) string {
	var b bytes.Buffer
	if json.Compact(&b, []byte(s)) != nil {
		return s
	}
	return b.String()
}
