package reading

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/inferdex/inferdex/ingest/record"
)

// A member that nobody asked for is named once, with its path, wherever it stands.
func TestUnmapped(t *testing.T) {
	v, err := Parse([]byte(`{"a": 1, "b": 2, "nothing": null, "in": {"c": 3, "d": 4, "deep": {"e": 5}},
		"list": [{"f": 6, "g": 7}, 8, {"g": 9}], "untouched": {"h": 10}, "a": 1}`))
	if err != nil {
		t.Fatal(err)
	}
	o := NewObject("x", v, func(r record.Record) { t.Errorf("unexpected %v", r) })
	if n, ok := o.Number("a"); !ok || n != 1 {
		t.Errorf("a is %v, %v", n, ok)
	}
	o.Sub("in").Number("c")
	o.Sub("in").Sub("deep")
	if l := o.List("list"); len(l) != 2 || len(o.List("list")) != 2 {
		t.Errorf("%d objects in the list, want 2", len(l))
	}
	o.List("list")[0].Number("f")
	want := []string{"b", "in.d", "in.deep.e", "list[].g", "untouched"}
	if diff := cmp.Diff(want, o.Unmapped()); diff != "" {
		t.Errorf("unmapped (-want +got):\n%s", diff)
	}
}

// Of keys that stand several times the last one counts, and it is said where the others have another value.
func TestSeveralTimes(t *testing.T) {
	v, err := Parse([]byte(`{"a": 1, "b": 1, "a": 2, "same": [1], "same": [1], "a": 3}`))
	if err != nil {
		t.Fatal(err)
	}
	var said []string
	o := NewObject("x", v, func(r record.Record) {
		e := r.(*record.SyntaxError)
		said = append(said, fmt.Sprintf("%d:%d: %s", e.At.Line, e.At.Col, e.Text))
	})
	if n, ok := o.Number("a"); !ok || n != 3 {
		t.Errorf("a is %v, %v, want the last of equal keys", n, ok)
	}
	want := []string{`1:57: "a" stands several times in one object, with different values: the last one is taken`}
	if diff := cmp.Diff(want, said); diff != "" {
		t.Errorf("said (-want +got):\n%s", diff)
	}
}

// A doubt counts the members that are NaN and were asked for as numbers, each once; the first of the file is named.
func TestNotNumbers(t *testing.T) {
	v, err := Parse([]byte(`{"in": {"c": NaN, "d": 1}, "a": "nan", "rate": NaN, "other": NaN, "none": null}`))
	if err != nil {
		t.Fatal(err)
	}
	o := NewObject("x", v, func(r record.Record) { t.Errorf("unexpected %v", r) })
	var res record.Result
	if o.Rest(&res); len(res.Doubts) != 0 || len(res.Unmapped) != 4 {
		t.Errorf("nothing was asked for: doubts %v, unmapped %v", res.Doubts, res.Unmapped)
	}
	o.Rate("rate")
	o.Number("a")
	o.Number("a")
	o.Number("none")
	o.Sub("in").Number("c")
	o.Sub("in").Number("d")
	o.Rest(&res)
	want := []record.Doubt{{Code: record.DoubtNotANumber, Severity: record.Remark, Text: `"in.c" and 2 more`}}
	if diff := cmp.Diff(want, res.Doubts); diff != "" {
		t.Errorf("doubts (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"other"}, res.Unmapped); diff != "" {
		t.Errorf("unmapped (-want +got):\n%s", diff)
	}
}
