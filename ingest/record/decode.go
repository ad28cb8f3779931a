//go:build !js

package record

import (
	"bytes"
	"encoding"
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

// Unmarshal decodes JSON into what v points to, a zero value, as encoding/json does and in a tenth of its time, where the
// text is as this program writes it: the members of a struct in their order, of exactly these names and of no others, and
// no null. Of any other text it returns false, and what v points to may be half made: encoding/json says what the text is.
func Unmarshal(data []byte, v any) bool {
	p := reflect.ValueOf(v)
	if p.Kind() != reflect.Pointer || p.IsNil() {
		return false
	}
	r := readers.Get().(*jsonReader)
	r.data, r.at = data, 0
	ok := decoderOf(p.Type().Elem())(r, p.Elem())
	r.space()
	ok = ok && r.at == len(data)
	r.data = nil
	readers.Put(r)
	return ok
}

// jsonReader reads a JSON text from its beginning to its end.
type jsonReader struct {
	data []byte
	at   int
	// texts are short strings that were read before: units and names of metrics recur in all files.
	texts map[string]string
	// floats and ints have room for numbers that pointers lead to.
	floats []float64
	ints   []int64
}

// maxTexts is how many strings a reader keeps.
const maxTexts = 1 << 12

var readers = sync.Pool{New: func() any { return &jsonReader{texts: map[string]string{}} }}

// jsonDecoder reads one value of a type into v, a zero value. It returns false where it is not as Unmarshal wants it.
type jsonDecoder func(r *jsonReader, v reflect.Value) bool

// decoders has the decoder of each type that was asked for.
var decoders sync.Map

func decoderOf(t reflect.Type) jsonDecoder {
	if d, ok := decoders.Load(t); ok {
		return d.(jsonDecoder)
	}
	d := newDecoder(t, nil)
	decoders.Store(t, d)
	return d
}

// plainJSON is a type that does not read what its kind says.
type plainJSON interface{ readJSON(r *jsonReader) bool }

// newDecoder makes the decoder of a type that occurs within the types of above.
func newDecoder(t reflect.Type, above []reflect.Type) jsonDecoder {
	refuse := func(*jsonReader, reflect.Value) bool { return false }
	if slices.Contains(above, t) {
		return refuse
	}
	above = append(slices.Clip(above), t)
	switch reflect.New(t).Interface().(type) {
	case plainJSON:
		return func(r *jsonReader, v reflect.Value) bool { return v.Addr().Interface().(plainJSON).readJSON(r) }
	case *json.RawMessage:
		return func(r *jsonReader, v reflect.Value) bool {
			text, ok := r.any()
			v.SetBytes(bytes.Clone(text))
			return ok
		}
	case json.Unmarshaler, encoding.TextUnmarshaler:
		return refuse
	case **float64:
		return pointedDecoder((*jsonReader).float, func(r *jsonReader) *[]float64 { return &r.floats })
	case **int64:
		return pointedDecoder((*jsonReader).int, func(r *jsonReader) *[]int64 { return &r.ints })
	}
	switch t.Kind() {
	case reflect.String:
		return func(r *jsonReader, v reflect.Value) bool {
			s, ok := r.string()
			v.SetString(s)
			return ok
		}
	case reflect.Bool:
		return func(r *jsonReader, v reflect.Value) bool {
			v.SetBool(r.has("true"))
			return v.Bool() || r.has("false")
		}
	case reflect.Float64:
		return func(r *jsonReader, v reflect.Value) bool {
			x, ok := r.float()
			v.SetFloat(x)
			return ok
		}
	case reflect.Int, reflect.Int64:
		return func(r *jsonReader, v reflect.Value) bool {
			x, ok := r.int()
			v.SetInt(x)
			return ok && !v.OverflowInt(x)
		}
	case reflect.Pointer:
		one := newDecoder(t.Elem(), above)
		return func(r *jsonReader, v reflect.Value) bool {
			v.Set(reflect.New(t.Elem()))
			return one(r, v.Elem())
		}
	case reflect.Slice:
		if t.Elem().Kind() != reflect.Uint8 {
			return listDecoder(t, newDecoder(t.Elem(), above))
		}
	case reflect.Array:
		return arrayDecoder(t, newDecoder(t.Elem(), above))
	case reflect.Map:
		if key := reflect.New(t.Key()).Interface(); t.Key().Kind() == reflect.String {
			if _, own := key.(encoding.TextUnmarshaler); !own {
				return mapDecoder(t, newDecoder(t.Elem(), above))
			}
		}
	case reflect.Struct:
		if fields, ok := jsonFields(t, nil, above); ok {
			return structDecoder(fields)
		}
	}
	return refuse
}

// pointedDecoder decodes a number that a pointer leads to, in memory that is taken for many at once.
func pointedDecoder[T any](read func(*jsonReader) (T, bool), room func(*jsonReader) *[]T) jsonDecoder {
	return func(r *jsonReader, v reflect.Value) bool {
		x, ok := read(r)
		free := room(r)
		if len(*free) == 0 {
			*free = make([]T, 64)
		}
		(*free)[0] = x
		*v.Addr().Interface().(**T) = &(*free)[0]
		*free = (*free)[1:]
		return ok
	}
}

func listDecoder(t reflect.Type, one jsonDecoder) jsonDecoder {
	return func(r *jsonReader, v reflect.Value) bool {
		if r.open('[', ']') {
			v.Set(reflect.MakeSlice(t, 0, 0))
			return true
		}
		for n := 0; r.at < len(r.data); n++ {
			if n == v.Cap() {
				v.Grow(1)
			}
			v.SetLen(n + 1)
			e := v.Index(n)
			e.SetZero()
			if !one(r, e) {
				return false
			}
			if more, ok := r.more(']'); !more {
				return ok
			}
		}
		return false
	}
}

func arrayDecoder(t reflect.Type, one jsonDecoder) jsonDecoder {
	return func(r *jsonReader, v reflect.Value) bool {
		if r.open('[', ']') {
			return false
		}
		for n := range t.Len() {
			if !one(r, v.Index(n)) {
				return false
			}
			if more, ok := r.more(']'); more != (n < t.Len()-1) || !more && !ok {
				return false
			}
		}
		return t.Len() > 0
	}
}

func mapDecoder(t reflect.Type, one jsonDecoder) jsonDecoder {
	return func(r *jsonReader, v reflect.Value) bool {
		v.Set(reflect.MakeMap(t))
		if r.open('{', '}') {
			return true
		}
		key, e := reflect.New(t.Key()).Elem(), reflect.New(t.Elem()).Elem()
		for {
			name, ok := r.string()
			if !ok || !r.colon() {
				return false
			}
			key.SetString(name)
			e.SetZero()
			if !one(r, e) {
				return false
			}
			v.SetMapIndex(key, e)
			if more, ok := r.more('}'); !more {
				return ok
			}
		}
	}
}

// jsonField is a member of a struct.
type jsonField struct {
	quoted []byte // its name
	index  []int
	decode jsonDecoder
}

// jsonFields are the members of a struct in the order in which they are written. It is not ok where one is of a form
// that is not known here.
func jsonFields(t reflect.Type, at []int, above []reflect.Type) (fields []jsonField, ok bool) {
	for i := range t.NumField() {
		f := t.Field(i)
		index := append(slices.Clip(at), i)
		tag, tagged := f.Tag.Lookup("json")
		name, options, _ := strings.Cut(tag, ",")
		switch {
		case tag == "-" || !f.IsExported() && !f.Anonymous:
			continue
		case f.Anonymous && name == "":
			if f.Type.Kind() != reflect.Struct {
				return nil, false
			}
			inner, ok := jsonFields(f.Type, index, above)
			if !ok {
				return nil, false
			}
			fields = append(fields, inner...)
			continue
		case !tagged || name == "" || strings.Contains(options, "string"):
			return nil, false
		}
		quoted := []byte(`"` + name + `"`)
		if slices.ContainsFunc(fields, func(g jsonField) bool { return bytes.Equal(g.quoted, quoted) }) {
			return nil, false
		}
		fields = append(fields, jsonField{quoted, index, newDecoder(f.Type, above)})
	}
	return fields, true
}

func structDecoder(fields []jsonField) jsonDecoder {
	return func(r *jsonReader, v reflect.Value) bool {
		if r.open('{', '}') {
			return true
		}
		for i := range fields {
			f := &fields[i]
			if !bytes.HasPrefix(r.data[r.at:], f.quoted) {
				continue
			}
			r.at += len(f.quoted)
			var into reflect.Value
			if len(f.index) == 1 {
				into = v.Field(f.index[0])
			} else {
				into = v.FieldByIndex(f.index)
			}
			if !r.colon() || !f.decode(r, into) {
				return false
			}
			if more, ok := r.more('}'); !more {
				return ok
			}
		}
		return false
	}
}

func (r *jsonReader) space() {
	for r.at < len(r.data) {
		switch r.data[r.at] {
		case ' ', '\n', '\r', '\t':
			r.at++
		default:
			return
		}
	}
}

// has goes over a word, where it stands here.
func (r *jsonReader) has(word string) bool {
	if !bytes.HasPrefix(r.data[r.at:], []byte(word)) {
		return false
	}
	r.at += len(word)
	return true
}

// open goes into an object or a list; one that is empty is gone over. Where there is none, what stands here is no value
// that follows.
func (r *jsonReader) open(bracket, shut byte) (empty bool) {
	if r.at >= len(r.data) || r.data[r.at] != bracket {
		r.at = len(r.data)
		return false
	}
	r.at++
	r.space()
	if r.at < len(r.data) && r.data[r.at] == shut {
		r.at++
		return true
	}
	return false
}

// more goes over what stands behind a value: a comma, or the end of what it stands in.
func (r *jsonReader) more(shut byte) (more, ok bool) {
	r.space()
	if r.at == len(r.data) {
		return false, false
	}
	c := r.data[r.at]
	r.at++
	if c == ',' {
		r.space()
		return true, true
	}
	return false, c == shut
}

func (r *jsonReader) colon() bool {
	r.space()
	if r.at == len(r.data) || r.data[r.at] != ':' {
		return false
	}
	r.at++
	r.space()
	return true
}

// quoted goes over a string and returns it with its quotes. It is plain where it is what its bytes are.
func (r *jsonReader) quoted() (text []byte, plain, ok bool) {
	if r.at >= len(r.data) || r.data[r.at] != '"' {
		return nil, false, false
	}
	plain = true
	high := false
	for i := r.at + 1; i < len(r.data); i++ {
		switch c := r.data[i]; {
		case c == '"':
			text = r.data[r.at : i+1]
			r.at = i + 1
			return text, plain && (!high || utf8.Valid(text)), true
		case c == '\\':
			plain = false
			i++
		case c < ' ':
			return nil, false, false
		case c >= utf8.RuneSelf:
			high = true
		}
	}
	return nil, false, false
}

func (r *jsonReader) string() (string, bool) {
	text, plain, ok := r.quoted()
	if !ok {
		return "", false
	}
	if !plain {
		var s string
		err := json.Unmarshal(text, &s)
		return s, err == nil
	}
	text = text[1 : len(text)-1]
	if len(text) > 32 {
		return string(text), true
	}
	if s, known := r.texts[string(text)]; known {
		return s, true
	}
	if len(r.texts) == maxTexts {
		clear(r.texts)
	}
	s := string(text)
	r.texts[s] = s
	return s, true
}

// number goes over a number.
func (r *jsonReader) number() (text []byte, ok bool) {
	begin := r.at
	digits := func() bool {
		from := r.at
		for r.at < len(r.data) && '0' <= r.data[r.at] && r.data[r.at] <= '9' {
			r.at++
		}
		return r.at > from
	}
	r.has("-")
	zero := r.at
	if !digits() || r.data[zero] == '0' && r.at > zero+1 {
		return nil, false
	}
	if r.has(".") && !digits() {
		return nil, false
	}
	if r.has("e") || r.has("E") {
		if !r.has("+") {
			r.has("-")
		}
		if !digits() {
			return nil, false
		}
	}
	return r.data[begin:r.at], true
}

func (r *jsonReader) float() (float64, bool) {
	text, ok := r.number()
	if !ok {
		return 0, false
	}
	x, err := strconv.ParseFloat(string(text), 64)
	return x, err == nil
}

func (r *jsonReader) int() (int64, bool) {
	text, ok := r.number()
	if !ok {
		return 0, false
	}
	x, err := strconv.ParseInt(string(text), 10, 64)
	return x, err == nil
}

// any goes over a value of any kind.
func (r *jsonReader) any() (text []byte, ok bool) {
	begin, depth := r.at, 0
	for r.at < len(r.data) {
		switch c := r.data[r.at]; c {
		case '"':
			if _, _, ok := r.quoted(); !ok {
				return nil, false
			}
			r.at--
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		if r.at++; depth == 0 && r.ends() {
			break
		}
	}
	text = r.data[begin:r.at]
	return text, json.Valid(text)
}

// ends reports whether a value outside of brackets can end here.
func (r *jsonReader) ends() bool {
	return r.at == len(r.data) || strings.IndexByte(",}] \n\r\t", r.data[r.at]) >= 0
}

// readJSON implements plainJSON.
func (p *Percentile) readJSON(r *jsonReader) bool {
	if r.open('[', ']') {
		return false
	}
	var ok bool
	if p.P, ok = r.float(); !ok {
		return false
	}
	if more, _ := r.more(']'); !more {
		return false
	}
	if p.Value, ok = r.float(); !ok {
		return false
	}
	more, ok := r.more(']')
	return ok && !more
}

// readJSON implements plainJSON.
func (f *Float) readJSON(r *jsonReader) bool {
	switch {
	case r.has(`"inf"`):
		*f = Float(math.Inf(1))
		return true
	case r.has(`"-inf"`):
		*f = Float(math.Inf(-1))
		return true
	}
	x, ok := r.float()
	*f = Float(x)
	return ok
}
