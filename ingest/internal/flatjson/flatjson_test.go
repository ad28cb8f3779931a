package flatjson

import (
	"testing"

	"github.com/inferdex/inferdex/ingest/metric"

	"github.com/google/go-cmp/cmp"

	"github.com/inferdex/inferdex/ingest/internal/jsonval"
	"github.com/inferdex/inferdex/ingest/record"
)

func TestVariant(t *testing.T) {
	for _, c := range []struct{ name, want string }{
		{"agg_n50_in128_out64_c32", "agg"},
		{"pd_1p1d_n100_in2048_out512_c128", "pd-1p1d"},
		{"sglang_1204_1000_1024_512", "sglang"},
		{"tiny_1k8k_conc4", "tiny"},
		{"no_load here", "no_load here"}, // stays as written
		{"default", "default"},
		{"bs4", ""},
		{"", ""},
	} {
		if got := Variant(c.name); got != c.want {
			t.Errorf("Variant(%q) = %q, want %q", c.name, got, c.want)
		}
	}
}

func TestSplit(t *testing.T) {
	for _, c := range []struct{ file, folder, name string }{
		{"a/b/x.json", "a/b", "x.json"},
		{"x.json", "", "x.json"},
		{"a/r.zip!x.json", "a/r.zip!", "x.json"},
		{"a/r.zip!d/x.json", "a/r.zip!d", "x.json"},
		{"a/x.json.gz!x.json", "a", "x.json"},
		{"a/r.tar.gz!d/x.json", "a/r.tar.gz!d", "x.json"},
		{"r.zip!d/x.json.zst!x.json", "r.zip!d", "x.json"},
	} {
		if folder, name := Split(c.file); folder != c.folder || name != c.name {
			t.Errorf("Split(%q) = %q, %q, want %q, %q", c.file, folder, name, c.folder, c.name)
		}
	}
}

// Missing is not zero: what was not measured goes, what was measured as 0 stays.
func TestMeasured(t *testing.T) {
	v := func(q metric.ID, stat string, n float64) record.Value {
		return record.Value{Quantity: q, Stat: stat, Number: n}
	}
	in := []record.Value{
		v(metric.TTFT, "mean", 5), v(metric.TTFT, "median", 0), v(metric.TTFT, "std", 0), v(metric.TTFT, "mean", 6),
		v(metric.TPOT, "mean", -1), v(metric.TPOT, "std", 2),
		v(metric.ITL, "median", 0), v(metric.ITL, "p99", 3),
		v(metric.E2ELatency, "mean", 0),
		v(metric.OutputThroughput, "value", 0), v(metric.TotalThroughput, "value", -1),
	}
	want := []record.Value{v(metric.TTFT, "mean", 5), v(metric.TTFT, "std", 0), v(metric.ITL, "median", 0), v(metric.ITL, "p99", 3)}
	if diff := cmp.Diff(want, Measured(in, false)); diff != "" {
		t.Errorf("nothing completed (-want +got):\n%s", diff)
	}
	want = append(want, v(metric.OutputThroughput, "value", 0))
	if diff := cmp.Diff(want, Measured(in, true)); diff != "" {
		t.Errorf("something completed (-want +got):\n%s", diff)
	}
}

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

// 22 errors: the 20 most frequent are listed, the two rarest, of 1 and 2, are 3 others.
func TestErrors(t *testing.T) {
	counts := map[string]int64{"b": 30, "a": 30}
	for i := range 20 {
		counts[string(rune('c'+i))] = int64(i + 1)
	}
	got := Errors(counts)
	if len(got) != 21 || got[0].Text != "a" || got[1].Text != "b" || got[19] != (record.ErrorCount{Text: "e", Count: 3}) ||
		got[20] != (record.ErrorCount{Text: "other errors", Count: 3}) {
		t.Errorf("%v", got)
	}
	if got := Errors(nil); got != nil {
		t.Errorf("of nothing: %v", got)
	}
}

// The order of a setup tells no runs apart, its words do.
func TestSession(t *testing.T) {
	session := func(setup ...record.KV) string { return Session("t", "c", &record.Result{Setup: setup}) }
	a, b := record.KV{Key: "a", Value: "1"}, record.KV{Key: "b", Value: "2"}
	if session(a, b) != session(b, a) {
		t.Error("two orders of one setup are two sessions")
	}
	for _, other := range []string{session(a), session(record.KV{Key: "a", Value: "1b2"}), session(record.KV{Key: "a1", Value: ""}, b)} {
		if other == session(a, b) {
			t.Error("two setups are one session")
		}
	}
	if Setup([]record.KV{a, b}) == Setup([]record.KV{b, a}) {
		t.Error("a setup as a text has lost its order")
	}
}
