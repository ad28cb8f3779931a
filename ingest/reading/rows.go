package reading

import "math"

// rows are the objects of an array that have the same text between their numbers, as thousands of samples in a file do.
// Where that text stands again, with a number in each gap, there is an object as well formed as the one before. The zero
// rows know none yet.
type rows struct {
	texts []text // before, between and behind the numbers of the last object that was looked at
	// head is how an object began whose first same numbers were those of the one before, up to the next number: the one
	// behind it is likely to begin so too.
	head    text
	same    int
	numbers []text
	// unlike counts objects that did not have the texts of the one before, each as much as many that had.
	unlike int
}

const (
	// fewestBytes is how long an object has to be, mostTexts in how many texts it may fall.
	fewestBytes, mostTexts = 24, 64
	// An object that is unlike the last one costs as much as unlikeAs that are alike win; no more are looked at once
	// mostUnlike of them are unlike.
	unlikeAs, mostUnlike = 8, 64
)

// learn looks at an element of the array, which is well formed. One with a suspect is told in each row: it is no text that
// may stand again.
func (r *rows) learn(s *scanner, from, end int) {
	n := len(s.doubts)
	if s.data[from] != '{' || end-from < fewestBytes || r.unlike >= mostUnlike || n > 0 && s.doubts[n-1].from >= from {
		r.texts = nil
		return
	}
	r.unlike += unlikeAs
	r.texts, r.numbers, r.head = r.texts[:0], r.numbers[:0], text{}
	begin := from
	for i := from; i < end; {
		switch c := s.data[i]; {
		case c == '"':
			i = s.skipString(i)
		case c == '-' || c-'0' <= 9:
			next, err := s.number(i)
			if err != nil || len(r.texts) == mostTexts { // -Infinity
				r.texts = nil
				return
			}
			r.texts, r.numbers = append(r.texts, text{begin, i}), append(r.numbers, text{i, next})
			i, begin = next, next
		default:
			i++
		}
	}
	r.texts = append(r.texts, text{begin, end})
}

// skip is the offset behind the element at i where that is an object with the texts of the last one, 0 where it is not.
func (r *rows) skip(s *scanner, i int) int {
	doubts := len(s.doubts)
	i = r.follow(s, i, func(_, i int) int {
		i, _ = s.number(i)
		return i
	})
	switch {
	case i == 0:
		s.doubts = s.doubts[:doubts] // it will be looked at again
	case len(s.doubts) > doubts:
		r.head = text{} // each number of the kind is told
	}
	r.unlike = max(0, r.unlike-1)
	return i
}

// follow is the offset behind the element at i where that is an object with the texts of the last one, 0 where it is not.
// Number gives the offset behind the nth number, which is at i, or 0. It is not called for the first numbers of an object
// where they are those of the object before.
func (r *rows) follow(s *scanner, i int, number func(n, i int) int) int {
	if len(r.texts) == 0 {
		return 0
	}
	begin, n := i, 0
	if r.head.to > 0 {
		if i = s.stands(r.head, begin); i > 0 {
			n = r.same
		}
	}
	whole := n == 0
	if whole {
		r.same = 0
		i = s.stands(r.texts[0], begin)
	}
	for ; i > 0 && n < len(r.numbers); n++ {
		end := number(n, i)
		if end == 0 {
			return 0
		}
		if whole {
			if r.same == n && string(s.data[i:end]) == string(s.data[r.numbers[n].from:r.numbers[n].to]) {
				r.same++
			}
			r.numbers[n] = text{i, end}
		}
		i = s.stands(r.texts[n+1], end)
	}
	if whole && i > 0 {
		r.head = text{begin, i}
		if r.same < len(r.numbers) {
			r.head.to = r.numbers[r.same].from
		}
	}
	return i
}

// stands is the offset behind i where a text stands there again, 0 where another does.
func (s *scanner) stands(t text, i int) int {
	n := t.to - t.from
	if len(s.data)-i < n || string(s.data[i:i+n]) != string(s.data[t.from:t.to]) {
		return 0
	}
	return i + n
}

// Columns calls f for each element of an array of objects, which have numbers alone, with those of the keys; one that an
// element lacks is NaN. The numbers are valid until f returns. Ok is false where an element is another kind of value or has
// another member than a finite number; f was called for those before it.
func (v Value) Columns(keys []string, f func(numbers []float64)) (ok bool) {
	if v.kind != KindArray {
		return false
	}
	s := scanner{data: v.t.data[:v.end]}
	numbers := make([]float64, len(keys)+1) // the last one is of all other members
	var alike rows
	var columns []int // of the numbers between the texts of alike
	number := func(n, i int) (end int) {
		x, width := Decimal(s.data[i:])
		if width == 0 || math.IsInf(x, 0) {
			return 0
		}
		numbers[columns[n]] = x
		return i + width
	}
	for i := s.space(v.off + 1); s.data[i] != ']'; {
		end := alike.follow(&s, i, number)
		if end == 0 {
			end = s.skip(i)
			for n := range numbers {
				numbers[n] = math.NaN()
			}
			columns = columns[:0]
			e := Value{v.t, i, end, s.kind(i)}
			ok = e.kind == KindObject
			e.Fields(func(key string, m Value) bool {
				x, finite := m.Finite()
				at := len(keys)
				for n, k := range keys {
					if k == key {
						at = n
					}
				}
				numbers[at], columns = x, append(columns, at)
				ok = ok && finite
				return ok
			})
			if !ok {
				return false
			}
			alike.learn(&s, i, end)
		}
		f(numbers[:len(keys)])
		i = s.next(end)
	}
	return true
}

// Numbers calls f for the elements of an array as [Value.Items] does, with the number that each is; finite is false for
// what is none.
func (v Value) Numbers(f func(i int, n float64, finite bool) bool) {
	if v.kind != KindArray {
		return
	}
	s := scanner{data: v.t.data[:v.end]}
	i := s.space(v.off + 1)
	for n := 0; s.data[i] != ']'; n++ {
		x, end, finite := s.finite(v.t, i)
		if !f(n, x, finite) {
			return
		}
		i = s.next(end)
	}
}

// Lists calls f for the finite numbers in the lists of an array of lists, with the number of their list.
func (v Value) Lists(f func(list int, n float64)) {
	if v.kind != KindArray {
		return
	}
	s := scanner{data: v.t.data[:v.end]}
	i := s.space(v.off + 1)
	for n := 0; s.data[i] != ']'; n++ {
		if s.data[i] != '[' {
			i = s.next(s.skip(i))
			continue
		}
		for i = s.space(i + 1); s.data[i] != ']'; {
			x, end, finite := s.finite(v.t, i)
			if finite {
				f(n, x)
			}
			i = s.next(end)
		}
		i = s.next(i + 1)
	}
}

// finite is the finite number that the value at i is, if it is one, and the offset behind the value.
func (s *scanner) finite(t *Text, i int) (n float64, end int, finite bool) {
	if s.data[i]-'0' <= 9 {
		n, width := Decimal(s.data[i:])
		return n, i + width, !math.IsInf(n, 0)
	}
	end = s.skip(i)
	n, finite = Value{t, i, end, s.kind(i)}.Finite()
	return n, end, finite
}

// next is the offset of the element, or of the closing bracket, behind an element that ends at i.
func (s *scanner) next(i int) int {
	if s.data[i] == ',' && s.data[i+1] == ' ' && s.data[i+2] > ' ' { // as tools write lists
		return i + 2
	}
	if i = s.space(i); s.data[i] == ',' {
		return s.space(i + 1)
	}
	return i
}
