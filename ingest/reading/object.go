package reading

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/inferdex/inferdex/ingest/record"
)

// Object is one JSON object of a file.
type Object struct {
	file   string
	prefix string // of the names in messages: "request_metrics.latency."
	value  Value
	// members are those of the file in its order, last the number of the last one of each key, and used
	// which of these were asked for.
	members []member
	last    map[string]int
	used    []bool
	at      int                  // the number of the member that Each is at, which is mostly the one that is asked for
	subs    map[string][]*Object // what Sub and List gave, by key
	nans    map[string]bool      // the members that were asked for as numbers and are NaN
	emit    func(record.Record)
}

// NewObject returns the object v of a file; emit takes what is wrong with its members. A value of
// another kind is an object without members.
func NewObject(file string, v Value, emit func(record.Record)) *Object {
	o := &Object{}
	o.Reset(file, v, emit)
	return o
}

// Reset makes o what [NewObject] returns, in the memory of the object that it was: the records of a file are many, and
// are read one after the other.
func (o *Object) Reset(file string, v Value, emit func(record.Record)) {
	members, last := v.members(o.members[:0])
	used := slices.Grow(o.used[:0], len(members))[:len(members)]
	clear(used)
	*o = Object{file: file, value: v, members: members, last: last, used: used, emit: emit}
	if len(last) < len(members) {
		o.contradicted()
	}
}

// contradicted reports keys that stand several times with different values.
func (o *Object) contradicted() {
	told := map[string]bool{}
	for i, m := range o.members {
		if last := o.members[o.last[m.key]].value; o.last[m.key] != i && !told[m.key] &&
			!bytes.Equal(m.value.Bytes(), last.Bytes()) {
			told[m.key] = true
			o.Bad(m.key, "%q stands several times in one object, with different values: the last one is taken", Clip(m.key))
		}
	}
}

// number is that of the last member of a key.
func (o *Object) number(key string) (i int, ok bool) {
	if i = o.at; i < len(o.members) && len(o.last) == len(o.members) && o.members[i].key == key {
		return i, true
	}
	i, ok = o.last[key]
	return i, ok
}

// member is the member of a key, Missing if there is none.
func (o *Object) member(key string) Value {
	if i, ok := o.number(key); ok {
		return o.members[i].value
	}
	return Value{}
}

// Self is the object as a value of its text.
func (o *Object) Self() Value { return o.value }

// Sub returns the object that is a member, the same one however often it is asked for. It counts
// as used, and its own members are tracked: [Object.Unmapped] names them with their path. It has
// no members where key is missing, null or of another kind; the last is reported.
func (o *Object) Sub(key string) *Object {
	if l := o.subs[key]; len(l) > 0 {
		return l[0]
	}
	f := o.Value(key)
	if k := f.Kind(); k != KindObject && k != KindNull && k != KindMissing {
		o.Bad(key, "%q is %v, an object was expected: it is left out", o.prefix+key, k)
	}
	return o.sub(key, key, f)
}

// List returns the objects of an array that is a member, tracked as in [Object.Sub]; the index is
// part of no path, so that a key of all elements is named "list[].key" and counted once. Elements
// of other kinds are left out; a member that is neither missing, null nor an array is reported.
func (o *Object) List(key string) []*Object {
	if l, ok := o.subs[key]; ok {
		return l
	}
	f := o.Value(key)
	if k := f.Kind(); k != KindArray && k != KindNull && k != KindMissing {
		o.Bad(key, "%q is %v, a list was expected: it is left out", o.prefix+key, k)
	}
	f.Items(func(_ int, v Value) bool {
		if v.Kind() == KindObject {
			o.sub(key, key+"[]", v)
		}
		return true
	})
	return o.subs[key]
}

// Elements calls f for the objects of an array that is a member. Each is tracked by itself and names
// its members without a path. Of an element of another kind an error says that what, "a result", was
// expected.
func (o *Object) Elements(key, what string, f func(*Object)) {
	o.Value(key).Items(func(_ int, v Value) bool {
		if e := NewObject(o.file, v, o.emit); e.Is(what) {
			f(e)
		}
		return true
	})
}

func (o *Object) sub(key, name string, v Value) *Object {
	s := NewObject(o.file, v, o.emit)
	s.prefix = o.prefix + name + "."
	if o.subs == nil {
		o.subs = map[string][]*Object{}
	}
	o.subs[key] = append(o.subs[key], s)
	return s
}

// Value returns a member, Missing if there is none, and counts it as used.
func (o *Object) Value(key string) Value {
	if i, ok := o.number(key); ok {
		o.used[i] = true
		return o.members[i].value
	}
	return Value{}
}

// Has reports whether a member is there and not null.
func (o *Object) Has(key string) bool {
	f := o.member(key)
	return f.Exists() && f.Kind() != KindNull
}

// Use counts members as used: a caller knows what they mean and needs them no further.
func (o *Object) Use(keys ...string) {
	for _, k := range keys {
		o.Value(k)
	}
}

// Used reports whether a member counts as used.
func (o *Object) Used(key string) bool {
	i, ok := o.number(key)
	return ok && o.used[i]
}

// Each calls f for the members in the order of the file; of equal keys the last one counts. It
// marks none as used.
func (o *Object) Each(f func(key string, v Value)) {
	for i, m := range o.members {
		if o.at = i; len(o.last) == len(o.members) || o.last[m.key] == i {
			f(m.key, m.value)
		}
	}
}

// Unmapped names the members that nobody asked for, in the order of the file, each once; those of
// objects that [Object.Sub] or [Object.List] gave with their path: "latency.p42". Null says nothing
// and is not named.
func (o *Object) Unmapped() []string {
	var out []string
	o.unmapped(map[string]bool{}, &out)
	return out
}

func (o *Object) unmapped(seen map[string]bool, out *[]string) {
	o.Each(func(k string, v Value) {
		if name := o.prefix + k; !o.Used(k) && v.Kind() != KindNull && !seen[name] {
			seen[name] = true
			*out = append(*out, name)
		}
		for _, s := range o.subs[k] {
			s.unmapped(seen, out)
		}
	})
}

// Rest tells a result of the members that gave it no value: it names those that nobody asked for, as
// [Object.Unmapped] does, and doubts those that [Object.NotNumbers] does.
func (o *Object) Rest(res *record.Result) {
	res.Unmapped = o.Unmapped()
	o.NotNumbers(res)
}

// NotNumbers adds a doubt to a result where members that were asked for as numbers are NaN, those of objects
// that [Object.Sub] or [Object.List] gave too. It names the first of them in the order of the file, and no line:
// a record says the same wherever it stands.
func (o *Object) NotNumbers(res *record.Result) {
	first, n := "", 0
	o.eachNaN(func(name string) {
		if n++; n == 1 {
			first = strconv.Quote(Clip(name))
		}
	})
	if n > 1 {
		first += " and " + strconv.Itoa(n-1) + " more"
	}
	if n > 0 {
		res.Doubt(record.DoubtNotANumber, record.Remark, first)
	}
}

func (o *Object) eachNaN(f func(name string)) {
	if len(o.nans) == 0 && len(o.subs) == 0 {
		return
	}
	o.Each(func(k string, _ Value) {
		if o.nans[k] {
			f(o.prefix + k)
		}
		for _, s := range o.subs[k] {
			s.eachNaN(f)
		}
	})
}

// Pos is where the object begins.
func (o *Object) Pos() record.Pos { return o.pos(o.value) }

// At is the place of a member, or of the object where it has no such member.
func (o *Object) At(key string) record.Pos {
	if f := o.member(key); f.Exists() {
		return o.pos(f)
	}
	return o.Pos()
}

func (o *Object) pos(v Value) record.Pos {
	line, col := v.Place()
	return record.Pos{File: o.file, Line: line, Col: col}
}

// Bad reports what is wrong with a member.
func (o *Object) Bad(key, format string, args ...any) {
	o.emit(record.Errorf(o.At(key), format, args...))
}
