package record

import "iter"

// Folder folds the values of results: of a file with many of them all have the same quantities, statistics, units and
// keys in the same order. A list of values takes five times the memory of their numbers. The zero Folder is ready.
type Folder struct {
	forms [][]Value // without numbers, the one that was used last in front
}

// mostForms is how many forms a Folder knows: what is of none of them stays as it is.
const mostForms = 16

// folded are the values of a result but for their form, which results share.
type folded struct {
	form    []Value // the count of those that have one is 1
	numbers []float64
	n       int64 // the count of those
}

// Fold takes the values out of a result, which has none until it is opened: see [Result.Open] and [Result.Each].
func (f *Folder) Fold(r *Result) {
	n, ok := counted(r.Values)
	if !ok {
		return
	}
	i := 0
	for i < len(f.forms) && !formed(f.forms[i], r.Values) {
		i++
	}
	if i == len(f.forms) {
		if i == mostForms {
			return
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
	r.Values, r.folded = nil, &folded{f.forms[0], numbers, n}
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

// Open gives a result the values back that a [Folder] took. It does nothing to one that is not folded.
func (r *Result) Open() {
	if r.folded == nil {
		return
	}
	r.Values = make([]Value, len(r.folded.form))
	for i := range r.Values {
		r.Values[i] = r.folded.at(i)
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
