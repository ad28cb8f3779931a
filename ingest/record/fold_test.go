package record

import (
	"reflect"
	"slices"
	"testing"
	"unsafe"

	"github.com/inferdex/inferdex/ingest/metric"
)

// What was folded is what it was once it is opened, whatever was folded before and after it.
func TestFoldedResultsOpen(t *testing.T) {
	var f Folder
	var folded, plain []*Result
	for i := range 40 { // more forms than a folder knows
		for k := range 3 {
			r := &Result{}
			for n := range i {
				r.Values = append(r.Values, Value{Quantity: metric.TTFT, Stat: metric.Mean, Unit: "ms",
					Key: string(rune('a' + n)), Number: float64(100*i + 10*k + n), N: int64(n % 2 * (k + 1))})
			}
			same := *r
			same.Values = slices.Clone(r.Values)
			f.Fold(r)
			folded, plain = append(folded, r), append(plain, &same)
		}
	}
	few := 0
	for i, r := range folded {
		if r.folded != nil {
			few++
		}
		if got := slices.Collect(r.Each()); !slices.Equal(got, plain[i].Values) {
			t.Errorf("result %d has the values %v while it is folded, and had %v", i, got, plain[i].Values)
		}
		n := 0
		for v := range r.Each() {
			r.Open()
			if v != plain[i].Values[n] {
				t.Errorf("value %d of result %d is %v when it is opened meanwhile, and was %v", n, i, v, plain[i].Values[n])
			}
			n++
		}
		if n != len(plain[i].Values) {
			t.Errorf("result %d has %d values when it is opened meanwhile, and had %d", i, n, len(plain[i].Values))
		}
		if r.Open(); !reflect.DeepEqual(r, plain[i]) {
			t.Errorf("result %d is %v once it is opened, and was %v", i, r, plain[i])
		}
	}
	if few != 3*mostForms {
		t.Errorf("%d results were folded: want %d", few, 3*mostForms)
	}
}

// A result whose values have several counts of samples stays as it is.
func TestSeveralCountsAreNotFolded(t *testing.T) {
	var f Folder
	for _, counts := range [][2]int64{{1, 2}, {-1, 0}, {-1, -1}} {
		r := &Result{Values: []Value{{N: counts[0]}, {N: counts[1]}}}
		if f.Fold(r); r.folded != nil {
			t.Errorf("values with the counts %v are folded", counts)
		}
	}
}

// A folded value takes a tenth of the memory of one that is not.
func TestFoldedValuesAreSmall(t *testing.T) {
	if f, v := unsafe.Sizeof(folded{}.numbers[0]), unsafe.Sizeof(Value{}); 10*f > v {
		t.Errorf("a folded value takes %d bytes, one that is not %d", f, v)
	}
}

// A text that is folded is the same when it is wanted, whatever it is.
func TestFoldedTexts(t *testing.T) {
	var f Folder
	for _, c := range []struct {
		raw    string
		folded bool
	}{
		{`{"a":1,"b":"x","c":null}`, true},
		{`{"a":-2.5e3,"b":"y, \"z\": {","c":true}`, true},
		{`{"a":{"b":[1,{"c":2}],"d":""},"b":[],"c":{}}`, true},
		{`{"":"","\"":""}`, true},
		{`{"a":1,"a":2}`, true},
		{`{}`, false}, {`[1]`, false}, {`1`, false}, {``, false}, {`{`, false}, {`{"`, false}, {`{"a":1`, false},
		{`{"a": 1}`, false}, {`{"a":1}{"b":2}`, false}, {`{"a":1,}`, false}, {`{"a":1,:2}`, false}, {`{a:1}`, false},
		{"{\"a\":\n1}", false},
	} {
		for range 2 {
			r := &Result{Values: []Value{{Unit: "s"}}}
			r.Raw = []byte(c.raw)
			f.Fold(r)
			if keys, _ := r.Text(); (keys != nil) != c.folded || r.Told() != (c.raw != "") || c.folded && r.Raw != nil {
				t.Errorf("%s: folded is %v, told %v", c.raw, keys != nil, r.Told())
			}
			if got := string(r.AppendRaw(nil)); got != c.raw {
				t.Errorf("%s is %s when it is folded", c.raw, got)
			}
			other := *r
			if other.SetRaw([]byte("1")); string(other.AppendRaw(nil)) != "1" || len(slices.Collect(other.Each())) != 1 {
				t.Errorf("%s is %s once it is replaced", c.raw, other.AppendRaw(nil))
			}
			keys, values := r.Text()
			if r.Open(); string(r.Raw) != c.raw {
				t.Errorf("%s is %s once it is opened", c.raw, r.Raw)
			}
			if !c.folded {
				continue
			}
			parted := &Result{Values: []Value{{Unit: "s"}}}
			room := slices.Clone(values)
			f.FoldParts(parted, slices.Clone(keys), room)
			clear(room)
			if of, _ := parted.Text(); &of[0] != &keys[0] || string(parted.AppendRaw(nil)) != c.raw {
				t.Errorf("%s is %s when its parts are folded", c.raw, parted.AppendRaw(nil))
			}
			unlike := &Result{}
			if f.FoldParts(unlike, keys, values); string(unlike.Raw) != c.raw {
				t.Errorf("%s is %s when a result without values has it", c.raw, unlike.Raw)
			}
		}
	}
}

// Facts that are folded are the same when they are wanted, and shared by results of a model that state the same.
func TestFoldedFacts(t *testing.T) {
	var f Folder
	keys, values := []string{`{"a":`, `}`}, []byte("1\n")
	result := func(line int, facts ...Fact) *Result {
		r := &Result{Base: Base{At: Pos{File: "f", Line: line}, Facts: facts}, Values: []Value{{Unit: "s"}}}
		f.FoldParts(r, keys, values)
		return r
	}
	at := func(line, col int) Pos { return Pos{File: "f", Line: line, Col: col} }
	var last *Fact
	for i, c := range []struct {
		line         int
		col          int
		value        string
		shared, same bool
	}{
		{2, 5, "a", true, false}, {3, 5, "a", true, true}, {4, 6, "a", true, false}, {5, 6, "b", true, false},
		{6, 6, "b", true, true}, {1, 6, "b", false, false},
	} {
		want := []Fact{{Key: "x", Value: c.value, At: at(max(2, c.line), c.col)}, {Key: "y", Value: "z", Named: true}}
		r := result(c.line, slices.Clone(want)...)
		shared := r.Shared()
		if (shared != nil) != c.shared || c.shared && (&shared[0] == last) != c.same {
			t.Errorf("case %d: facts are shared: %v; with the result before: %v", i, shared != nil, !c.same)
		}
		if c.shared {
			last = &shared[0]
		}
		if got := slices.Collect(Stated(r)); !slices.Equal(got, want) {
			t.Errorf("case %d: the facts are %v, folded %v", i, want, got)
		}
		var folded, open JSON
		folded.Result(r)
		other := *r
		if c.shared {
			if other.Share(nil); len(slices.Collect(Stated(&other))) > 0 || len(r.Shared()) == 0 {
				t.Errorf("case %d: a copy shares %v, the result %v", i, other.Shared(), r.Shared())
			}
		}
		if r.Open(); !slices.Equal(r.Facts, want) || r.Shared() != nil {
			t.Errorf("case %d: the facts are %v, opened %v", i, want, r.Facts)
		}
		if open.Result(r); string(open.Text) != string(folded.Text) {
			t.Errorf("case %d: a result is written as\n%s\nand folded as\n%s", i, open.Text, folded.Text)
		}
	}
}
