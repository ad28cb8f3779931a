package reading

import (
	"bytes"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// MaxDepth is how deep arrays and objects may nest.
const MaxDepth = 256

// Text is the text that values lie in; values refer to it by offset.
type Text struct {
	data   []byte
	blocks []block // made when first asked for
	place  func(off int) (line, col int)
	// keys are those that were decoded: the records of a file have the same ones thousands of times.
	keys  map[string]*key
	chunk []key  // where those are that were decoded last
	room  []byte // for the next value that is made compact
	// decoded are texts that were decoded, each where the last one of its end and length was put: most records of a file
	// have the same ones.
	decoded [1 << 8]string
	counts  [1 << 6]*int64 // the same of whole numbers
	before  []*key         // those of the object before
	// layout is that of the object whose members were asked for last.
	layout layout
	// spans are the members of the object that [Text.Values] found last, at offset of: an object with megabytes of
	// samples is not walked over again.
	spans []span
	of    int
	// doubts are where the suspects of the text lie, all of which is JSON where known says so.
	doubts []text
	known  bool
}

// key is a key as it is written, with its quotes, and decoded.
type key struct{ written, text string }

// span is where a member of an object lies, and how many elements it has where it is an array.
type span struct{ key, keyEnd, value, end, items int }

// mostSpans is how many members an object has whose spans are remembered.
const mostSpans = 1 << 12

// layout is the keys of an object in the order of the file, and the number of the last member of each.
type layout struct {
	keys []string
	last map[string]int
	// between is what stands around the values of such an object in compact JSON, made when first asked for.
	between []string
}

// of reports whether an object with these members has the layout.
func (l *layout) of(members []member) bool {
	return l.last != nil && slices.EqualFunc(l.keys, members, func(k string, m member) bool { return k == m.key })
}

// Of keys no more are remembered than a file of records has, and none that is longer.
const mostKeys, longestKey = 1 << 10, 128

// keysAtOnce is for how many keys memory is taken at once.
const keysAtOnce = 16

// key decodes a key with its quotes.
func (t *Text) key(b []byte) *key {
	if k := t.keys[string(b)]; k != nil {
		return k
	}
	if len(b) > longestKey || len(t.keys) == mostKeys {
		return &key{text: unquote(b)}
	}
	if len(t.chunk) == cap(t.chunk) {
		t.chunk = make([]key, 0, keysAtOnce)
	}
	t.chunk = append(t.chunk, key{string(b), unquote(b)})
	k := &t.chunk[len(t.chunk)-1]
	if t.keys == nil {
		t.keys = map[string]*key{}
	}
	t.keys[k.written] = k
	return k
}

// keyAt decodes the i-th key of an object, which mostly is that of the object before it.
func (t *Text) keyAt(i int, b []byte) string {
	if i < len(t.before) && t.before[i].written == string(b) {
		return t.before[i].text
	}
	k := t.key(b)
	switch {
	case k.written == "": // it is remembered nowhere
	case i < len(t.before):
		t.before[i] = k
	case i == len(t.before):
		t.before = append(t.before, k)
	}
	return k.text
}

// text decodes a string with its quotes.
func (t *Text) text(b []byte) string {
	if n := len(b); n >= 8 && n <= longestKey {
		const spread = 0x9e3779b97f4a7c15 // so that each bit of a text counts
		known := &t.decoded[(eight(b[n-8:])+uint64(n))*spread>>56]
		if *known != string(b[1:n-1]) {
			s := unquote(b)
			if s != string(b[1:n-1]) {
				return s
			}
			*known = s
		}
		return *known
	}
	return unquote(b)
}

// block says where blockSize bytes of a text begin: how many lines end before, and where the
// line begins that goes on in them. A table of all lines would be larger than a text of short ones.
type block struct{ line, begin int }

const blockSize = 4 << 10

// NewText returns a Text over data. Data must not change while values of it are in use.
func NewText(data []byte) *Text { return &Text{data: data} }

// NewDerived returns a Text over data that was made of another text, YAML for example: place gives
// line and column in that text for an offset in data.
func NewDerived(data []byte, place func(off int) (line, col int)) *Text {
	return &Text{data: data, place: place}
}

// Place returns line and column, from 1, of an offset. The column counts bytes.
func (t *Text) Place(off int) (line, col int) {
	if t.place != nil {
		return t.place(off)
	}
	if t.blocks == nil {
		t.blocks = make([]block, 1, 8)
	}
	for at := min(off, len(t.data)) / blockSize; len(t.blocks) <= at; { // no further than anybody asked
		from := (len(t.blocks) - 1) * blockSize
		part := t.data[from : from+blockSize]
		last := t.blocks[len(t.blocks)-1]
		last.line += bytes.Count(part, []byte{'\n'})
		if i := bytes.LastIndexByte(part, '\n'); i >= 0 {
			last.begin = from + i + 1
		}
		t.blocks = append(t.blocks, last)
	}
	i := min(off, len(t.data)) / blockSize
	at := t.blocks[i]
	part := t.data[i*blockSize : min(off, len(t.data))]
	if j := bytes.LastIndexByte(part, '\n'); j >= 0 {
		at.begin = i*blockSize + j + 1
	}
	return at.line + bytes.Count(part, []byte{'\n'}) + 1, off - at.begin + 1
}

// Kind is the kind of a value.
type Kind byte

// The kinds. Missing is the kind of the zero Value, which stands for a key that is not there.
const (
	KindMissing Kind = 0
	KindNull    Kind = 'n'
	KindBool    Kind = 'b'
	KindNumber  Kind = '0'
	KindString  Kind = '"'
	KindObject  Kind = '{'
	KindArray   Kind = '['
)

// String is the kind in words, as messages say it.
func (k Kind) String() string {
	switch k {
	case KindNull:
		return "null"
	case KindBool:
		return "a boolean"
	case KindNumber:
		return "a number"
	case KindString:
		return "a string"
	case KindObject:
		return "an object"
	case KindArray:
		return "an array"
	}
	return "nothing"
}

// Value is one JSON value in a Text. The zero Value is Missing.
type Value struct {
	t        *Text
	off, end int
	kind     Kind
}

// SyntaxError is a place at which JSON ends to be JSON. Text is lower case, says what is wrong
// and quotes what is foreign.
type SyntaxError struct {
	Off  int
	Text string
}

// Error implements error.
func (e *SyntaxError) Error() string { return e.Text }

// Values calls value for each JSON value between offsets from and to, one after the other;
// the elements of a top-level array are values of their own when flatten is set. What is
// malformed is given to bad, and reading goes on behind it where an array on one line tells where it ends, else at the next
// line that begins, with the same indentation, with a bracket. A string that is no UTF-8 is reported as well, and its value kept.
func (t *Text) Values(from, to int, flatten bool, value func(Value), bad func(*SyntaxError)) {
	s := scanner{data: t.data[:to]}
	report := bad
	bad = func(e *SyntaxError) {
		s.lost = true
		report(e)
	}
	i := s.between(from)
	inArray, comma := false, false // comma: one must stand before the next element
	rescanned := 0
	// skip reports err in, or behind, the value that begins at start and goes to where reading
	// can go on.
	skip := func(start int, err *SyntaxError) bool {
		bad(err)
		if next := t.nextElement(start, err.Off, to); inArray && next >= 0 {
			i = next
		} else {
			i = t.resync(start, i, err.Off, to)
		}
		comma = false
		if i < 0 {
			return false
		}
		// Text made for it could have every line read again for every other.
		if rescanned += max(0, err.Off-i); rescanned > 1<<20+8*(to-from) {
			bad(&SyntaxError{i, "too damaged: the rest is not read"})
			return false
		}
		return true
	}
	for i < to {
		if inArray {
			switch c := t.data[i]; {
			case c == ',' && comma:
				comma = false
				i = s.space(i + 1)
				continue
			case c == ']':
				inArray, comma = false, false
				i = s.between(i + 1)
				continue
			case comma:
				err := &SyntaxError{i, fmt.Sprintf("unexpected %s in an array: a comma or ']' should stand here",
					quoteByte(t.data[i:to]))}
				if c == '{' || c == '[' { // only the comma is missing
					bad(err)
					comma = false
				} else if !skip(i, err) {
					return
				}
				continue
			}
		} else if flatten && t.data[i] == '[' {
			inArray = true
			i = s.space(i + 1)
			continue
		}
		s.notUTF8 = -1
		s.spans, t.spans = s.spans[:0], nil
		start := i
		end, err := s.value(i, 0)
		if s.notUTF8 >= 0 {
			bad(&SyntaxError{s.notUTF8, "text that is not UTF-8: unreadable bytes are shown as U+FFFD"})
		}
		if err != nil {
			if !skip(i, err) {
				return
			}
			continue
		}
		if len(s.spans) <= mostSpans {
			t.spans, t.of = s.spans, i
		}
		value(Value{t, i, end, s.kind(i)})
		if i = s.space(end); !inArray {
			i = s.between(i)
		}
		comma = inArray
		if !inArray && i < to && i == end && t.data[i] != '{' && t.data[i] != '[' {
			if !skip(start, &SyntaxError{i, fmt.Sprintf("unexpected %s after a value", quoteByte(t.data[i:to]))}) {
				return
			}
		}
	}
	if inArray {
		bad(&SyntaxError{to, "the file ends inside an array: it was cut short"})
	}
	t.doubts, t.known = s.doubts, from == 0 && to == len(t.data) && !s.lost
}

// nextElement is where the next element of an array begins, or the array ends, behind the one at offset start that failed
// at offset at; -1 where its brackets do not tell, or it goes over the end of the line: there [Text.resync] knows more.
func (t *Text) nextElement(start, at, to int) int {
	depth, quoted := 0, false
	for i := start; i < to; i++ {
		switch c := t.data[i]; {
		case c == '\n':
			return -1
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{', c == '[':
			depth++
		case c == '}', c == ']':
			depth--
		}
		if depth > 0 || quoted || i < at {
			continue
		}
		s := scanner{data: t.data[:to]}
		switch next := s.space(i + 1); {
		case depth < 0 || next == to:
			return -1
		case t.data[next] == ']':
			return next
		case t.data[next] != ',':
			return -1
		default:
			if next = s.space(next + 1); next < to && t.data[next] == t.data[start] {
				return next
			}
			return -1
		}
	}
	return -1
}

// resync finds where the next value begins after the one at offset start failed at offset at: a
// line behind offset from, with the indentation of the line of start, that begins with '{' or
// '[', closing brackets before it allowed. It returns -1 when there is none.
//
// A value that goes on behind its opening bracket is taken for one of a file with a value a
// line: the next line is looked at first, even where the failure came to light only later,
// because the line before it lacked a bracket. A value in many lines may hold lines that look
// like a beginning; there the line of the failure is looked at first.
func (t *Text) resync(start, from, at, to int) int {
	ls := bytes.LastIndexByte(t.data[:start], '\n') + 1
	indent := t.data[ls:ls:to]
	for n := ls; n < to && (t.data[n] == ' ' || t.data[n] == '\t'); n++ {
		indent = t.data[ls : n+1]
	}
	first := t.nextLine(from, to)
	if inner := bytes.TrimLeft(t.data[min(start+1, to):to], " \t\r"); len(inner) > 0 && inner[0] != '\n' {
		return t.beginning(first, to, indent)
	}
	failed := bytes.LastIndexByte(t.data[:min(at, to)], '\n') + 1
	if i := t.beginning(max(first, failed), to, indent); i >= 0 {
		return i
	}
	return t.beginning(first, to, indent)
}

// nextLine is the offset of the line after the one that holds at.
func (t *Text) nextLine(at, to int) int {
	if n := bytes.IndexByte(t.data[at:to], '\n'); n >= 0 {
		return at + n + 1
	}
	return to
}

// beginning finds the first line from the one at offset line on that has that indentation and
// begins with a bracket.
func (t *Text) beginning(line, to int, indent []byte) int {
	for ; line < to; line = t.nextLine(line, to) {
		if !bytes.HasPrefix(t.data[line:to], indent) {
			continue
		}
		i := line + len(indent)
		if bytes.HasPrefix(t.data[i:to], mark) {
			i += len(mark)
		}
		if i < to && (t.data[i] == ' ' || t.data[i] == '\t') {
			continue
		}
		for i < to && (t.data[i] == '}' || t.data[i] == ',' || t.data[i] == ' ') {
			i++
		}
		if i < to && (t.data[i] == '{' || t.data[i] == '[') {
			return i
		}
	}
	return -1
}

// deepest is how deep encoding/json lets values nest.
const deepest = 9_999 // below the outermost

// Valid reports whether data is one value of JSON by the book: without NaN, infinities and escapes that JSON
// does not have. Bytes that are no UTF-8 are no fault, nor are they for encoding/json.
func Valid(data []byte) bool {
	s := scanner{data: data, notUTF8: 0, strict: true}
	end, err := s.value(s.space(0), 0)
	return err == nil && s.space(end) == len(data)
}

// Parse reads one value that fills data but for white space.
func Parse(data []byte) (Value, *SyntaxError) { return NewText(data).Whole() }

// Whole returns the one value that fills the text but for white space.
func (t *Text) Whole() (Value, *SyntaxError) {
	s := scanner{data: t.data, notUTF8: -1}
	i := s.space(0)
	end, err := s.value(i, 0)
	if err != nil {
		return Value{}, err
	}
	if j := s.space(end); j < len(t.data) {
		return Value{}, &SyntaxError{j, fmt.Sprintf("unexpected %s after the value", quoteByte(t.data[j:]))}
	}
	return Value{t, i, end, s.kind(i)}, nil
}

// Kind returns the kind of v.
func (v Value) Kind() Kind { return v.kind }

// Exists reports whether v is there, be it null.
func (v Value) Exists() bool { return v.kind != KindMissing }

// Off is the offset at which v begins in its text.
func (v Value) Off() int { return v.off }

// Place returns line and column of v, from 1; 0, 0 for a missing value.
func (v Value) Place() (line, col int) {
	if v.t == nil {
		return 0, 0
	}
	return v.t.Place(v.off)
}

// Bytes returns v as written. It aliases the text.
func (v Value) Bytes() []byte {
	if v.t == nil {
		return nil
	}
	return v.t.data[v.off:v.end]
}

// Fields calls f for the members of an object in the order of the file until f returns false.
// For another kind it does nothing. KeyOff is the offset of the key.
func (v Value) Fields(f func(key string, v Value) bool) {
	if v.kind != KindObject {
		return
	}
	s := scanner{data: v.t.data[:v.end]}
	if v.off == v.t.of && len(v.t.spans) > 0 {
		for i, m := range v.t.spans {
			if !f(v.t.keyAt(i, s.data[m.key:m.keyEnd]), Value{v.t, m.value, m.end, s.kind(m.value)}) {
				return
			}
		}
		return
	}
	i := s.space(v.off + 1)
	for s.data[i] != '}' {
		if s.data[i] == ',' {
			i = s.space(i + 1)
			continue
		}
		ke := s.skipString(i)
		key := v.t.key(s.data[i:ke]).text
		i = s.space(ke)
		i = s.space(i + 1) // colon
		end := s.skip(i)
		if !f(key, Value{v.t, i, end, s.kind(i)}) {
			return
		}
		i = s.space(end)
	}
}

// Items calls f for the elements of an array until f returns false. For another kind it does nothing.
func (v Value) Items(f func(i int, v Value) bool) {
	if v.kind != KindArray {
		return
	}
	s := scanner{data: v.t.data[:v.end]}
	i := s.space(v.off + 1)
	for n := 0; s.data[i] != ']'; {
		if s.data[i] == ',' {
			i = s.space(i + 1)
			continue
		}
		end := s.skip(i)
		if !f(n, Value{v.t, i, end, s.kind(i)}) {
			return
		}
		n++
		i = s.space(end)
	}
}

// Len is the number of elements of an array or members of an object.
func (v Value) Len() int {
	if v.kind == KindArray {
		at, known := slices.BinarySearchFunc(v.t.spans, v.off, func(m span, off int) int { return m.value - off })
		if known {
			return v.t.spans[at].items
		}
	}
	n := 0
	v.Items(func(int, Value) bool { n++; return true })
	v.Fields(func(string, Value) bool { n++; return true })
	return n
}

// Get returns the member of that name, the last one if there are several, as Python's json does;
// Missing if there is none or v is no object.
func (v Value) Get(key string) Value {
	var r Value
	v.Fields(func(k string, e Value) bool {
		if k == key {
			r = e
		}
		return true
	})
	return r
}

// member is one member of an object.
type member struct {
	key   string
	value Value
}

// members are the members of an object in the order of the file, in room, and the number of the last one of each key.
// Last is shared by objects with the same keys: nobody changes it. Both are empty for another kind.
func (v Value) members(room []member) (members []member, last map[string]int) {
	if v.kind != KindObject {
		return nil, nil
	}
	members = slices.Grow(room, len(v.t.layout.keys))
	v.Fields(func(k string, e Value) bool {
		members = append(members, member{k, e})
		return true
	})
	if !v.t.layout.of(members) {
		l := layout{keys: make([]string, len(members)), last: make(map[string]int, len(members))}
		for i, m := range members {
			l.keys[i], l.last[m.key] = m.key, i
		}
		v.t.layout = l
	}
	return members, v.t.layout.last
}

// Map returns all members of an object; the last of equal keys wins.
func (v Value) Map() map[string]Value {
	m := map[string]Value{}
	v.Fields(func(k string, e Value) bool { m[k] = e; return true })
	return m
}

// Float returns v as a number. ok is false for anything but a JSON number, NaN, Infinity and
// -Infinity; the caller decides what those three mean.
func (v Value) Float() (f float64, ok bool) {
	if v.kind != KindNumber {
		return 0, false
	}
	b := v.Bytes()
	switch b[len(b)-1] {
	case 'N':
		return math.NaN(), true
	case 'y':
		if b[0] == '-' {
			return math.Inf(-1), true
		}
		return math.Inf(1), true
	}
	f, _ = Decimal(b)
	return f, true
}

// powers are those of ten that a float64 holds as they are.
var powers = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
	1e19, 1e20, 1e21, 1e22}

// Decimal is the number that b begins with, and how long it is: 0 where there is none. One beyond what a float64 holds is
// infinite. Digits that are less than 2^53
// together are one number that a float64 holds, and so is the power of ten that they are divided by: then the quotient
// is the float64 nearest to the number, which strconv takes longer to find.
func Decimal(b []byte) (f float64, n int) {
	var digits uint64
	fraction := 0
	if len(b) > 1 && b[0]-'0' <= 9 && b[1] == '.' { // seconds, as nearly all are
		digits, n = uint64(b[0]-'0'), 1
	} else {
		digits, n = run(b, 0, 0)
	}
	if n > 0 && n < len(b) && b[n] == '.' {
		from := n + 1
		digits, n = run(b, from, digits)
		fraction = n - from
	}
	inNumber := func(c byte) bool { return c-'0' <= 9 || c == '.' || c == '-' || c == '+' || c == 'e' || c == 'E' }
	if n > 0 && digits < 1<<53 && (n == len(b) || !inNumber(b[n])) {
		return float64(digits) / powers[fraction], n
	}
	for n = 0; n < len(b) && inNumber(b[n]); {
		n++
	}
	f, err := strconv.ParseFloat(string(b[:n]), 64)
	if err != nil && !math.IsInf(f, 0) {
		return 0, 0
	}
	return f, n
}

// run is the number that digits are with those that stand at offset n of b behind them, and the offset of what follows.
// It ends before nineteen bytes of b, which are more than a uint64 holds.
func run(b []byte, n int, digits uint64) (uint64, int) {
	for n <= 10 && len(b)-n >= 8 {
		next := eight(b[n:])
		if high&^digitBytes(next) != 0 {
			break
		}
		digits = digits*1e8 + whole(next)
		n += 8
	}
	for n < len(b) && n <= 18 && b[n]-'0' <= 9 {
		digits = digits*10 + uint64(b[n]-'0')
		n++
	}
	return digits, n
}

// Finite returns v as a number that is neither NaN nor infinite.
func (v Value) Finite() (f float64, ok bool) {
	f, ok = v.Float()
	return f, ok && !math.IsNaN(f) && !math.IsInf(f, 0)
}

// Int returns v as a whole number; ok is false when it is none, or one beyond 2^53.
func (v Value) Int() (n int64, ok bool) {
	f, ok := v.Finite()
	if !ok || f != math.Trunc(f) || math.Abs(f) > 1<<53 {
		return 0, false
	}
	return int64(f), true
}

// Str returns the text of a string; ok is false for another kind.
func (v Value) Str() (s string, ok bool) {
	if v.kind != KindString {
		return "", false
	}
	return v.t.text(v.Bytes()), true
}

// Truth returns a boolean; ok is false for another kind.
func (v Value) Truth() (b, ok bool) {
	if v.kind != KindBool {
		return false, false
	}
	return v.t.data[v.off] == 't', true
}

// Scalar returns a string's text and any other scalar as written; "" for null, missing, objects
// and arrays.
func (v Value) Scalar() string {
	switch v.kind {
	case KindString:
		s, _ := v.Str()
		return s
	case KindNumber, KindBool:
		return string(v.Bytes())
	}
	return ""
}

type scanner struct {
	data    []byte
	notUTF8 int // offset of the first string that is no UTF-8, or -1
	strict  bool
	spans   []span // of the outermost object
	// items is how many elements the array has that ended last.
	items int
	// doubts are where [Suspects] lie, and strings that hold one; lost says that there may be more.
	doubts []text
	lost   bool
}

func (s *scanner) kind(i int) Kind {
	switch s.data[i] {
	case '{':
		return KindObject
	case '[':
		return KindArray
	case '"':
		return KindString
	case 't', 'f':
		return KindBool
	case 'n':
		return KindNull
	}
	return KindNumber
}

// mark is the byte order mark of UTF-8, with which each of the files begins that were put behind one another.
var mark = []byte("\ufeff")

// between is the offset at which the value behind i begins.
func (s *scanner) between(i int) int {
	for i = s.space(i); bytes.HasPrefix(s.data[i:], mark); {
		i = s.space(i + len(mark))
	}
	return i
}

func (s *scanner) space(i int) int {
	if i < len(s.data) && s.data[i] > ' ' {
		return i
	}
	for i < len(s.data) {
		switch s.data[i] {
		case ' ', '\n', '\r', '\t':
			i++
		default:
			return i
		}
	}
	return i
}

// behind reads what stands at j behind an element of the object or array that begins at open: a comma, and next is
// where the next element begins, or the closing bracket, and next is the offset behind it.
func (s *scanner) behind(j, open int, closing byte, what string) (next int, closed bool, err *SyntaxError) {
	j = s.space(j)
	switch {
	case j >= len(s.data):
		return 0, false, s.cut(open, what)
	case s.data[j] == closing:
		return j + 1, true, nil
	case s.data[j] != ',':
		return 0, false, &SyntaxError{j, fmt.Sprintf("unexpected %s in an %s: a comma or '%c' should stand here",
			quoteByte(s.data[j:]), what, closing)}
	}
	return s.space(j + 1), false, nil
}

// value checks the value at i and returns the offset behind it.
func (s *scanner) value(i, depth int) (int, *SyntaxError) {
	if i >= len(s.data) {
		return 0, &SyntaxError{len(s.data), "the file ends where a value should stand: it was cut short"}
	}
	if depth > MaxDepth && (!s.strict || depth > deepest) {
		return 0, &SyntaxError{i, fmt.Sprintf("nested more than %d deep", MaxDepth)}
	}
	switch c := s.data[i]; c {
	case '{':
		return s.object(i, depth)
	case '[':
		return s.array(i, depth)
	case '"':
		return s.str(i)
	case 't':
		return s.word(i, "true")
	case 'f':
		return s.word(i, "false")
	case 'n':
		return s.word(i, "null")
	case 'N', 'I':
		if s.strict {
			return s.word(i, "null") // it is none
		}
		w := map[byte]string{'N': "NaN", 'I': "Infinity"}[c]
		s.doubt(i, min(i+len(w), len(s.data)))
		return s.word(i, w)
	default:
		if c == '-' && i+1 < len(s.data) && s.data[i+1] == 'I' && !s.strict {
			s.doubt(i, min(i+len("-Infinity"), len(s.data)))
			return s.word(i, "-Infinity")
		}
		if c == '-' || c >= '0' && c <= '9' {
			return s.number(i)
		}
		return 0, &SyntaxError{i, fmt.Sprintf("unexpected %s where a value should stand", quoteByte(s.data[i:]))}
	}
}

// object checks the object at i and returns the offset behind it. It remembers where the members of
// an outermost one lie.
func (s *scanner) object(i, depth int) (int, *SyntaxError) {
	j := s.space(i + 1)
	if j < len(s.data) && s.data[j] == '}' {
		return j + 1, nil
	}
	for {
		at, err := s.member(i, j, depth)
		if err != nil {
			return 0, err
		}
		if depth == 0 && !s.strict && len(s.spans) <= mostSpans {
			s.spans = append(s.spans, at)
		}
		var closed bool
		if j, closed, err = s.behind(at.end, i, '}', "object"); closed || err != nil {
			return j, err
		}
	}
}

// member checks the member at j of the object that begins at open: a key, a colon, a value.
func (s *scanner) member(open, j, depth int) (at span, err *SyntaxError) {
	if j >= len(s.data) {
		return at, s.cut(open, "object")
	}
	if s.data[j] != '"' {
		return at, &SyntaxError{j, fmt.Sprintf("unexpected %s where a key should stand", quoteByte(s.data[j:]))}
	}
	at.key = j
	if at.keyEnd, err = s.str(j); err != nil {
		return at, err
	}
	j = s.space(at.keyEnd)
	if j >= len(s.data) {
		return at, s.cut(open, "object")
	}
	if s.data[j] != ':' {
		return at, &SyntaxError{j, fmt.Sprintf("unexpected %s after a key: a colon should stand here",
			quoteByte(s.data[j:]))}
	}
	at.value = s.space(j + 1)
	at.end, err = s.value(at.value, depth+1)
	at.items = s.items
	return at, err
}

// array checks the array at i and returns the offset behind it.
func (s *scanner) array(i, depth int) (int, *SyntaxError) {
	s.items = 0
	j := s.space(i + 1)
	if j < len(s.data) && s.data[j] == ']' {
		return j + 1, nil
	}
	var rows rows
	for n := 1; ; n++ {
		var end int
		var err *SyntaxError
		if j < len(s.data) && s.data[j]-'0' <= 9 { // as in nearly all bytes of samples
			end, err = s.number(j)
		} else if end = rows.skip(s, j); end == 0 {
			if end, err = s.value(j, depth+1); err == nil {
				rows.learn(s, j, end)
			}
		}
		if err != nil {
			return 0, err
		}
		if end < len(s.data) && s.data[end] == ',' { // as nearly always
			j = s.space(end + 1)
			continue
		}
		var closed bool
		if j, closed, err = s.behind(end, i, ']', "array"); closed || err != nil {
			s.items = n
			return j, err
		}
	}
}

func (s *scanner) cut(i int, what string) *SyntaxError {
	line, _ := NewText(s.data[:i]).Place(i)
	return &SyntaxError{len(s.data), fmt.Sprintf("the file ends inside the %s that began in line %d: it was cut short",
		what, line)}
}

func (s *scanner) word(i int, w string) (int, *SyntaxError) {
	if len(s.data)-i >= len(w) && string(s.data[i:i+len(w)]) == w {
		return i + len(w), nil
	}
	return 0, &SyntaxError{i, fmt.Sprintf("unexpected %s where a value should stand", quoteByte(s.data[i:]))}
}

func (s *scanner) digits(i int) int {
	for ; len(s.data)-i >= 8; i += 8 {
		if other := high &^ digitBytes(eight(s.data[i:])); other != 0 {
			return i + bits.TrailingZeros64(other)/8
		}
	}
	for i < len(s.data) && s.data[i]-'0' <= 9 {
		i++
	}
	return i
}

func (s *scanner) number(i int) (int, *SyntaxError) {
	j := i
	if j < len(s.data) && s.data[j] == '-' {
		j++
	}
	k := s.digits(j)
	ok := k > j && (k == j+1 || s.data[j] != '0')
	if ok && k < len(s.data) && s.data[k] == '.' {
		j, k = k+1, s.digits(k+1)
		ok = k > j
	}
	if ok && k < len(s.data) && s.data[k]|0x20 == 'e' {
		k++
		if k < len(s.data) && (s.data[k] == '+' || s.data[k] == '-') {
			k++
		}
		j, k = k, s.digits(k)
		ok = k > j
		if k >= j+3 {
			s.doubt(i, k)
		}
	}
	if !ok {
		return 0, &SyntaxError{i, fmt.Sprintf("%s is no JSON number", quoteWord(s.data[i:]))}
	}
	return k, nil
}

func (s *scanner) str(i int) (int, *SyntaxError) {
	high, escaped := false, false
	for j := i + 1; j < len(s.data); {
		if len(s.data)-j >= 8 {
			n := ordinary(eight(s.data[j:]))
			if j += n; n == 8 {
				continue
			}
		}
		switch c := s.data[j]; {
		case c == '"':
			if high && s.notUTF8 < 0 && !utf8.Valid(s.data[i:j]) {
				s.notUTF8 = i
			}
			if escaped || telling[s.data[i+1]] {
				s.doubt(i, j+1)
			}
			return j + 1, nil
		case c == '\\':
			if s.strict && !escape(s.data[j+1:]) {
				return 0, &SyntaxError{j, "an escape that JSON does not have"}
			}
			escaped = true
			j += 2
		case c < 0x20:
			return 0,
				&SyntaxError{j, fmt.Sprintf("a string holds the control character %q: the closing quote may be missing",
					rune(c))}
		default:
			high = high || c >= utf8.RuneSelf
			j++
		}
	}
	return 0, s.cut(i, "string")
}

// mostDoubts is how many places with suspects are remembered of a text.
const mostDoubts = 1 << 18

// doubt remembers a string, a word or a number if there is a suspect in it.
func (s *scanner) doubt(from, to int) {
	for range Suspects(s.data[from:to]) {
		if s.lost = s.lost || len(s.doubts) == mostDoubts; !s.lost {
			s.doubts = append(s.doubts, text{from, to})
		}
		return
	}
}

// telling are the first bytes of strings that may be a suspect as a whole, or in which one may be taken for a value: it
// is not known of each quote whether it begins a string.
var telling = func() (t [256]bool) {
	for _, c := range []byte("+-0123456789InNi :,]}") {
		t[c] = true
	}
	return t
}()

// escape reports whether the text behind a backslash is that of an escape of JSON.
func escape(b []byte) bool {
	if len(b) == 0 {
		return false
	}
	if b[0] != 'u' {
		return strings.IndexByte(`"\/bfnrt`, b[0]) >= 0
	}
	hex := 0
	for hex < 4 && hex+1 < len(b) && strings.IndexByte("0123456789abcdefABCDEF", b[hex+1]) >= 0 {
		hex++
	}
	return hex == 4
}

// skipString and skip walk over what value has already found to be well formed.
func (s *scanner) skipString(i int) int {
	for j := i + 1; ; {
		k := bytes.IndexByte(s.data[j:], '"')
		if k < 0 {
			return len(s.data)
		}
		j += k
		b := j - 1
		for s.data[b] == '\\' {
			b--
		}
		j++
		if (j-b)%2 == 0 {
			return j
		}
	}
}

func (s *scanner) skip(i int) int {
	switch s.data[i] {
	case '"':
		return s.skipString(i)
	case '{', '[':
		for depth := 0; ; {
			switch s.data[i] {
			case '"':
				i = s.skipString(i)
				continue
			case '{', '[':
				depth++
			case '}', ']':
				if depth--; depth == 0 {
					return i + 1
				}
			}
			i++
		}
	}
	for i < len(s.data) {
		switch s.data[i] {
		case ',', ']', '}', ' ', '\n', '\r', '\t', '{', '[', '"':
			return i
		}
		i++
	}
	return i
}

func quoteByte(b []byte) string {
	r, _ := utf8.DecodeRune(b)
	return strconv.QuoteRune(r)
}

func quoteWord(b []byte) string {
	n := 0
	for n < len(b) && n < 24 && b[n] > ' ' && b[n] != ',' && b[n] != '}' && b[n] != ']' {
		n++
	}
	return strconv.Quote(string(b[:n]))
}
