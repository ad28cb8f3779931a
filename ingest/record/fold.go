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
	form    []Value
	numbers []folding
}

// folding is what of a value is its own.
type folding struct {
	number float64
	n      int64
}

// Fold takes the values out of a result, which has none until it is opened: see [Result.Open] and [Result.Each].
func (f *Folder) Fold(r *Result) {
	if len(r.Values) == 0 {
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
			v.Number, v.N = 0, 0
			form[k] = v
		}
		f.forms = append(f.forms, form)
	}
	f.forms[0], f.forms[i] = f.forms[i], f.forms[0]
	numbers := make([]folding, len(r.Values))
	for k, v := range r.Values {
		numbers[k] = folding{v.Number, v.N}
	}
	r.Values, r.folded = nil, &folded{f.forms[0], numbers}
}

// formed reports whether values have a form.
func formed(form, values []Value) bool {
	if len(form) != len(values) {
		return false
	}
	for i, v := range values {
		if v.Number, v.N = 0, 0; v != form[i] {
			return false
		}
	}
	return true
}

// at is a folded value.
func (f *folded) at(i int) Value {
	v := f.form[i]
	v.Number, v.N = f.numbers[i].number, f.numbers[i].n
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
