package record

import (
	"bytes"
	"iter"
	"slices"
)

// Folder folds the values of results, and their texts as they were read: of a file with many of them all have the same
// quantities, statistics, units and keys in the same order. A list of values takes ten times the memory of their numbers,
// and a text three times that of what stands behind its keys. The zero Folder is ready.
type Folder struct {
	forms [][]Value // without numbers, the one that was used last in front
	keys  [][]string
	facts map[string][]Fact // those that were shared last, by the model of their result
	cuts  []int             // where the values of the text begin and end that is folded
	room  []byte            // for these values
}

// mostForms is how many forms a Folder knows: what is of none of them stays as it is.
const mostForms = 16

// folded are the values of a result but for their form, which results share.
type folded struct {
	form    []Value // the count of those that have one is 1
	numbers []float64
	n       int64  // the count of those
	facts   []Fact // shared: see [Result.Shared]
	// keys are what stands in the text as it was read in front of its values, and behind the last one; nil where the
	// text is not folded. Behind each of the values is a line feed, which stands in no JSON without blanks.
	keys   []string
	values []byte
}

// Fold takes the values and the text out of a result, which has none until it is opened: see [Result.Open] and [Result.Each].
func (f *Folder) Fold(r *Result) {
	if !f.foldValues(r) {
		return
	}
	if keys, ok := f.keysOf(r.Raw); ok {
		r.folded.keys, r.folded.values = keys, bytes.Clone(f.room)
		r.Raw = nil
	}
}

// FoldParts is Fold for a result without a text, which is in two parts as [Result.Text] gives it. Values are not kept.
func (f *Folder) FoldParts(r *Result, keys []string, values []byte) {
	i := slices.IndexFunc(f.keys, func(known []string) bool { return &known[0] == &keys[0] || slices.Equal(known, keys) })
	if i < 0 && len(f.keys) < mostForms {
		i, f.keys = len(f.keys), append(f.keys, keys)
	}
	if i < 0 || !f.foldValues(r) {
		r.SetParts(keys, values)
		return
	}
	f.keys[0], f.keys[i] = f.keys[i], f.keys[0]
	r.folded.keys, r.folded.values = f.keys[0], bytes.Clone(values)
	f.foldFacts(r)
}

// foldFacts takes the facts out of a result that states them in the line that it stands in, and shares those of the last
// result of its model where they are the same but for the line.
func (f *Folder) foldFacts(r *Result) {
	known := f.facts[r.Identity.Model]
	same := len(known) == len(r.Facts)
	for i, x := range r.Facts {
		if x.At != (Pos{}) {
			if x.At.File == "" || x.At.Line != r.At.Line {
				return
			}
			x.At.Line = 0
		}
		same = same && known[i] == x
	}
	if !same {
		known = slices.Clone(r.Facts)
		for i := range known {
			known[i].At.Line = 0
		}
		if f.facts == nil {
			f.facts = map[string][]Fact{}
		}
		f.facts[r.Identity.Model] = known
	}
	r.Facts, r.folded.facts = nil, known
}

// Stated are the facts of a record, folded or not.
func Stated(r Record) iter.Seq[Fact] {
	return func(yield func(Fact) bool) {
		b := r.Header()
		for _, x := range b.Facts {
			if !yield(x) {
				return
			}
		}
		if res, ok := r.(*Result); ok {
			for _, x := range res.Shared() {
				if !yield(x.in(b.At.Line)) {
					return
				}
			}
		}
	}
}

// in is a fact that is shared as the result in a line states it.
func (x Fact) in(line int) Fact {
	if x.At.File != "" {
		x.At.Line = line
	}
	return x
}

// Shared are the facts of a folded result, which others have too: nobody changes them, and those that have a place have no
// line, which is that of the result. They are nil where it has its own.
func (r *Result) Shared() []Fact {
	if r.folded == nil {
		return nil
	}
	return r.folded.facts
}

// Share gives a folded result other facts than those of [Result.Shared].
func (r *Result) Share(facts []Fact) {
	f := *r.folded // a copy of the result may have it too
	f.facts = facts
	r.folded = &f
}

// foldValues takes the values out of a result; ok is false where it cannot.
func (f *Folder) foldValues(r *Result) (ok bool) {
	n, ok := counted(r.Values)
	if !ok {
		return false
	}
	i := 0
	for i < len(f.forms) && !formed(f.forms[i], r.Values) {
		i++
	}
	if i == len(f.forms) {
		if i == mostForms {
			return false
		}
		form := make([]Value, len(r.Values))
		for k, v := range r.Values {
			v.Number, v.N = 0, min(v.N, 1)
			form[k] = v
		}
		f.forms = append(f.forms, form)
	}
	f.forms[0], f.forms[i] = f.forms[i], f.forms[0]
	numbers := make([]float64, len(r.Values))
	for k, v := range r.Values {
		numbers[k] = v.Number
	}
	r.Values, r.folded = nil, &folded{form: f.forms[0], numbers: numbers, n: n}
	return true
}

// keysOf are those of a text that is an object without blanks, whose values are then in f.room.
func (f *Folder) keysOf(raw []byte) (keys []string, ok bool) {
	if !f.cut(raw) {
		return nil, false
	}
	i := slices.IndexFunc(f.keys, func(keys []string) bool {
		if 2*len(keys) != len(f.cuts)+2 {
			return false
		}
		at := 0
		for k := range keys {
			begin, end := f.at(k, raw)
			if string(raw[at:begin]) != keys[k] {
				return false
			}
			at = end
		}
		return true
	})
	if i < 0 {
		if i = len(f.keys); i == mostForms {
			return nil, false
		}
		at := 0
		for k := range len(f.cuts)/2 + 1 {
			begin, end := f.at(k, raw)
			keys = append(keys, string(raw[at:begin]))
			at = end
		}
		f.keys = append(f.keys, keys)
	}
	f.keys[0], f.keys[i] = f.keys[i], f.keys[0]
	f.room = f.room[:0]
	for k := 0; k < len(f.cuts); k += 2 {
		f.room = append(append(f.room, raw[f.cuts[k]:f.cuts[k+1]]...), '\n')
	}
	return f.keys[0], true
}

// at is where a value of the text that was cut begins and ends; behind the last one, the end of the text.
func (f *Folder) at(k int, raw []byte) (begin, end int) {
	if 2*k == len(f.cuts) {
		return len(raw), len(raw)
	}
	return f.cuts[2*k], f.cuts[2*k+1]
}

// cut finds the values of a text; ok is false where it is no object without blanks.
func (f *Folder) cut(raw []byte) (ok bool) {
	f.cuts = f.cuts[:0]
	if len(raw) < 2 || raw[0] != '{' || raw[1] != '"' {
		return false
	}
	depth := 0
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case c == '"':
			for i++; i < len(raw) && raw[i] != '"'; i++ {
				if raw[i] == '\\' {
					i++
				}
			}
		case c <= ' ':
			return false
		case depth == 1 && (c == ':' && raw[i-1] != '"' || c == ',' && (i+1 == len(raw) || raw[i+1] != '"')):
			return false
		case c == ':' && depth == 1:
			f.cuts = append(f.cuts, i+1)
		case c == ',' && depth == 1:
			f.cuts = append(f.cuts, i)
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			if depth--; depth == 0 {
				f.cuts = append(f.cuts, i)
				return i == len(raw)-1 && len(f.cuts)%2 == 0
			}
		}
	}
	return false
}

// Text is the text of a result as it was read, and says that it is folded: what stands in front of its values and behind
// the last one, each result of a form has the same list, and the values, with a line feed behind each. Both are nil for
// one that is not folded.
func (r *Result) Text() (keys []string, values []byte) {
	if r.folded == nil {
		return nil, nil
	}
	return r.folded.keys, r.folded.values
}

// Told reports whether a result keeps a text as it was read, folded or not.
func (r *Result) Told() bool { return len(r.Raw) > 0 || r.folded != nil && r.folded.keys != nil }

// AppendRaw appends the text as it was read, folded or not.
func (r *Result) AppendRaw(to []byte) []byte {
	keys, values := r.Text()
	if keys == nil {
		return append(to, r.Raw...)
	}
	return joined(to, keys, values)
}

// joined appends a text that is in two parts.
func joined(to []byte, keys []string, values []byte) []byte {
	for _, k := range keys {
		to = append(to, k...)
		if i := bytes.IndexByte(values, '\n'); i >= 0 {
			to, values = append(to, values[:i]...), values[i+1:]
		}
	}
	return to
}

// SetParts gives a result a text that is in two parts, as [Result.Text] gives it. They are not kept.
func (r *Result) SetParts(keys []string, values []byte) {
	n := len(values) - len(keys) + 1 // without line feeds
	for _, k := range keys {
		n += len(k)
	}
	r.SetRaw(joined(make([]byte, 0, n), keys, values))
}

// SetRaw gives a result another text.
func (r *Result) SetRaw(raw []byte) {
	r.Raw = raw
	if r.folded != nil {
		f := *r.folded // a copy of the result may have it too
		f.keys, f.values = nil, nil
		r.folded = &f
	}
}

// counted is the count of samples of all values that have one; ok is false where these differ, and where there is no
// value.
func counted(values []Value) (n int64, ok bool) {
	for i := range values {
		switch of := values[i].N; {
		case of == 0 || of == n:
		case of < 0 || n != 0:
			return 0, false
		default:
			n = of
		}
	}
	return n, len(values) > 0
}

// formed reports whether values have a form.
func formed(form, values []Value) bool {
	if len(form) != len(values) {
		return false
	}
	for i := range values {
		v, w := &values[i], &form[i]
		if v.Quantity != w.Quantity || v.Stat != w.Stat || v.Unit != w.Unit || v.Key != w.Key || min(v.N, 1) != w.N {
			return false
		}
	}
	return true
}

// at is a folded value.
func (f *folded) at(i int) Value {
	v := f.form[i]
	v.Number, v.N = f.numbers[i], v.N*f.n
	return v
}

// Open gives a result the values and the text back that a [Folder] took. It does nothing to one that is not folded.
func (r *Result) Open() {
	if r.folded == nil {
		return
	}
	if shared := r.folded.facts; shared != nil {
		r.Facts = slices.AppendSeq(make([]Fact, 0, len(shared)), Stated(r))
	}
	r.Values = make([]Value, len(r.folded.form))
	for i := range r.Values {
		r.Values[i] = r.folded.at(i)
	}
	if r.folded.keys != nil {
		r.Raw = r.AppendRaw(nil)
	}
	r.folded = nil
}

// Count is how many values a result has, folded or not.
func (r *Result) Count() int {
	if r.folded != nil {
		return len(r.folded.form)
	}
	return len(r.Values)
}

// Each are the values of a result, folded or not; it may be opened meanwhile.
func (r *Result) Each() iter.Seq[Value] {
	return func(yield func(Value) bool) {
		f := r.folded
		if f == nil {
			for _, v := range r.Values {
				if !yield(v) {
					return
				}
			}
			return
		}
		for i := range f.form {
			if !yield(f.at(i)) {
				return
			}
		}
	}
}
