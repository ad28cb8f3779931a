package object

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/inferdex/inferdex/ingest/internal/jsonval"
	"github.com/inferdex/inferdex/ingest/record"
)

// A member that nobody asked for is named once, with its path, wherever it stands.
func TestUnmapped(t *testing.T) {
	v, err := jsonval.Parse([]byte(`{"a": 1, "b": 2, "nothing": null, "in": {"c": 3, "d": 4, "deep": {"e": 5}},
		"list": [{"f": 6, "g": 7}, 8, {"g": 9}], "untouched": {"h": 10}, "a": 11}`))
	if err != nil {
		t.Fatal(err)
	}
	o := New("x", v, func(r record.Record) { t.Errorf("unexpected %v", r) })
	if n, ok := o.Number("a"); !ok || n != 11 {
		t.Errorf("a is %v, %v, want the last of equal keys", n, ok)
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
