package ingesttest

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/inferdex/inferdex/ingest/reading"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
)

// sums is a format for tests: a JSON-like line "{"sum": n}" a record, and Finish adds them up.
var sums = &reading.Format{
	Name:  "sums",
	Doc:   reading.Doc{Title: "t", Tool: "t", Command: "c", Versions: "v", Files: "f", Reads: "r", Unknown: "u"},
	Match: func(h *reading.Head) bool { return strings.HasPrefix(string(h.Data), `{"sum":`) },
	Read: func(src *reading.Source, emit func(record.Record)) error {
		for i, l := range strings.Split(strings.TrimRight(string(src.Data), "\n"), "\n") {
			at := record.Base{At: record.Pos{File: src.Path(), Line: i + 1, Col: 1}, Key: "s"}
			digits, ok := strings.CutPrefix(l, `{"sum": `)
			digits, closed := strings.CutSuffix(digits, "}")
			n, err := strconv.Atoi(digits)
			if !ok || !closed || err != nil {
				emit(&record.SyntaxError{Base: at, Text: "no sum"})
				continue
			}
			at.Identity = record.Identity{Tool: "t", Model: "m"}
			emit(&record.Result{Base: at,
				Values: []record.Value{{Quantity: metric.Duration, Stat: metric.Total, Number: float64(n), Unit: "s"}}})
		}
		return nil
	},
	Finish: func(group []record.Record, emit func(record.Record)) {
		total := 0.0
		for _, r := range group {
			if r, ok := r.(*record.Result); ok {
				total += r.Values[0].Number
			}
		}
		emit(&record.Figure{Base: record.Base{At: group[0].Pos(), Key: "s",
			Identity: record.Identity{Tool: "t", Model: "m"}}, Quantity: metric.Duration, Value: &total, Unit: "s",
			From: len(group)})
	},
}

func TestConform(t *testing.T) { Conform(t, sums, "testdata") }

func FuzzRead(f *testing.F) { Fuzz(f, []*reading.Format{sums}, "testdata") }

func TestUnquoteLines(t *testing.T) {
	got, err := unquoteLines([]byte("\"a\\xff\\n\"\n\n`b\\`\n"))
	if err != nil || string(got) != "a\xff\nb\\" {
		t.Errorf("got %q, %v", got, err)
	}
	if _, err := unquoteLines([]byte("\"a\"\nb\n")); err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("got %v", err)
	}
	if got, err := unquoteLines(nil); got == nil || len(got) != 0 || err != nil {
		t.Errorf("an empty file gives %v, %v", got, err)
	}
}

func TestMisplaced(t *testing.T) {
	files := []file{{"a", []byte("\ufeffab\n\nc")}}
	for _, c := range []struct {
		p  record.Pos
		ok bool
	}{
		{record.Pos{File: "a"}, true},
		{record.Pos{File: "a", Line: 1}, true},
		{record.Pos{File: "a", Line: 1, Col: 3}, true},
		{record.Pos{File: "a", Line: 1, Col: 4}, false},
		{record.Pos{File: "a", Line: 2, Col: 1}, true},
		{record.Pos{File: "a", Line: 3, Col: 2}, true},
		{record.Pos{File: "a", Line: 4}, false},
		{record.Pos{File: "a", Col: 1}, false},
		{record.Pos{File: "b", Line: 1}, false},
		{record.Pos{}, false},
	} {
		if why := misplaced(c.p, files); (why == "") != c.ok {
			t.Errorf("%+v: %q", c.p, why)
		}
	}
}

// What every format owes: each record here breaks one rule.
func TestCheck(t *testing.T) {
	base := record.Base{At: record.Pos{File: "a", Line: 1}, Key: "s"}
	of := base
	of.Identity = record.Identity{Tool: "t", Model: "m"}
	value := func(f float64) record.Value {
		return record.Value{Quantity: metric.TTFT, Stat: metric.Mean, Number: f, Unit: "s"}
	}
	inf, nan := record.Float(math.Inf(1)), record.Float(math.NaN())
	one := 1.0
	good := []record.Record{
		&record.Result{Base: of, Values: []record.Value{value(1)}, Load: record.Load{Rate: &inf}},
		&record.Figure{Base: of, Quantity: metric.TTFT, Value: &one, Unit: "s"},
		&record.Note{Base: base, Code: "c", Severity: record.Remark, Text: "t"},
		&record.Ignored{Base: base, Reason: "r"},
		&record.SyntaxError{Base: base, Text: "cut short..."},
	}
	files := []file{{"a", []byte("x\n")}}
	if got := check(good, files); got != nil {
		t.Errorf("sound records: %v", got)
	}
	for want, r := range map[string]record.Record{
		"in no file that was read": &record.Ignored{Base: record.Base{At: record.Pos{File: "b"}}, Reason: "r"},
		"the file has 2 lines": &record.Ignored{Base: record.Base{At: record.Pos{File: "a", Line: 9}},
			Reason: "r"},
		".Values[0].Number is not a fi": &record.Result{Base: of, Values: []record.Value{value(math.NaN())}},
		".Rate is not a finite number":  &record.Result{Base: of, Load: record.Load{Rate: &nan}},
		".X[1] is not a finite number":  &record.Samples{Base: of, X: []float64{1, math.Inf(1)}},
		".Nums[n] is not a finite":      &record.Samples{Base: of, Nums: map[string]float64{"n": math.Inf(-1)}},
		"quantity, stat and unit":       &record.Result{Base: of, Values: []record.Value{{Number: 1}}},
		"two values for ttft mean":      &record.Result{Base: of, Values: []record.Value{value(1), value(2)}},
		"no session":                    &record.Result{Base: record.Base{At: base.At, Identity: of.Identity}},
		"no Identity.Tool":              &record.Figure{Base: base, Quantity: metric.TTFT, Value: &one, Unit: "s"},
		"neither a value nor":           &record.Figure{Base: of, Quantity: metric.TTFT, Unit: "s"},
		"Raw is no valid JSON":          &record.Result{Base: of, Kept: record.Kept{Raw: []byte("{")}},
		"neither may be empty": &record.Facts{Base: record.Base{At: base.At, Key: "s",
			Facts: []record.Fact{{Key: "model"}}}},
		"no facts": &record.Facts{Base: base},
		"has 1 values, X has 2": &record.Profile{Base: of,
			Curves: record.Curves{Name: "n", Kind: "time", X: []float64{1, 2},
				Lines: []record.Line{{Label: "l", Y: []float64{1}}}}},
		"a name and a JSON value": &record.Params{Base: base,
			Params: []record.Param{{Name: "p", Value: []byte("x")}}},
		"one line without a full stop": &record.SyntaxError{Base: base, Text: "Wrong."},
		"no reason":                    &record.Ignored{Base: base},
		"all are needed":               &record.Note{Base: base, Text: "t"},
	} {
		got := check([]record.Record{r}, files)
		if len(got) != 1 || !strings.Contains(got[0], want) {
			t.Errorf("want one problem with %q, got %q", want, got)
		}
	}
}

func TestDump(t *testing.T) {
	long := make([]float64, 40)
	for i := range long {
		long[i] = 1000.5 + float64(i)
	}
	got := dump(t, []record.Record{
		&record.SyntaxError{Base: record.Base{At: record.Pos{File: "a.json", Line: 2, Col: 7}}, Text: `unexpected "<"`},
		&record.Samples{Base: record.Base{At: record.Pos{File: "a.json"}}, Name: "n", X: long,
			Kept: record.Kept{Raw: []byte(`{"b": 1.50, "a": [{"c": {}}]}`)}},
	})
	const want = `a.json:2:7: syntax error
{"text": "unexpected \"<\""}
a.json: samples
{
  "name": "n",
  "raw": {"a": [{"c": {}}], "b": 1.50},
  "x": [
    1000.5, 1001.5, 1002.5, 1003.5, 1004.5, 1005.5, 1006.5, 1007.5, 1008.5, 1009.5, 1010.5, 1011.5, 1012.5,
    1013.5, 1014.5, 1015.5, 1016.5, 1017.5, 1018.5, 1019.5, 1020.5, 1021.5, 1022.5, 1023.5, 1024.5, 1025.5,
    1026.5, 1027.5, 1028.5, 1029.5, 1030.5, 1031.5, 1032.5, 1033.5, 1034.5, 1035.5, 1036.5, 1037.5, 1038.5,
    1039.5
  ]
}
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	// It stands in a txtar file without being taken for the head of another.
	a := &txtar.Archive{Comment: []byte("c\n"), Files: []txtar.File{{Name: "want", Data: []byte(got)}}}
	if diff := cmp.Diff(a, txtar.Parse(txtar.Format(a))); diff != "" {
		t.Error(diff)
	}
}
