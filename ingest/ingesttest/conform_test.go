package ingesttest

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/inferdex/inferdex/ingest"
)

// sums is a format for tests: a JSON-like line "{"sum": n}" a record, and Finish adds them up.
var sums = &ingest.Format{
	Name:  "sums",
	Doc:   ingest.Doc{Title: "t", Tool: "t", Command: "c", Versions: "v", Files: "f", Reads: "r", Unknown: "u"},
	Match: func(h *ingest.Head) bool { return strings.HasPrefix(string(h.Data), `{"sum":`) },
	Read: func(src *ingest.Source, emit func(ingest.Record)) error {
		for i, l := range strings.Split(strings.TrimRight(string(src.Data), "\n"), "\n") {
			at := ingest.Base{At: ingest.Pos{File: src.Path(), Line: i + 1, Col: 1}, Key: "s"}
			digits, ok := strings.CutPrefix(l, `{"sum": `)
			digits, closed := strings.CutSuffix(digits, "}")
			n, err := strconv.Atoi(digits)
			if !ok || !closed || err != nil {
				emit(&ingest.SyntaxError{Base: at, Text: "no sum"})
				continue
			}
			emit(&ingest.Result{Base: at, Identity: ingest.Identity{Tool: "t", Model: "m"}, Values: []ingest.Value{{Quantity: ingest.Duration, Stat: ingest.StatTotal, Number: float64(n), Unit: "s"}}})
		}
		return nil
	},
	Finish: func(group []ingest.Record, emit func(ingest.Record)) {
		total := 0.0
		for _, r := range group {
			if r, ok := r.(*ingest.Result); ok {
				total += r.Values[0].Number
			}
		}
		emit(&ingest.Figure{Base: ingest.Base{At: group[0].Pos(), Key: "s"}, Identity: ingest.Identity{Tool: "t", Model: "m"}, Quantity: ingest.Duration, Value: &total, Unit: "s", From: len(group)})
	},
}

func TestConform(t *testing.T) { Conform(t, sums) }

func FuzzRead(f *testing.F) { Fuzz(f, sums) }

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
		p  ingest.Pos
		ok bool
	}{
		{ingest.Pos{File: "a"}, true},
		{ingest.Pos{File: "a", Line: 1}, true},
		{ingest.Pos{File: "a", Line: 1, Col: 3}, true},
		{ingest.Pos{File: "a", Line: 1, Col: 4}, false},
		{ingest.Pos{File: "a", Line: 2, Col: 1}, true},
		{ingest.Pos{File: "a", Line: 3, Col: 2}, true},
		{ingest.Pos{File: "a", Line: 4}, false},
		{ingest.Pos{File: "a", Col: 1}, false},
		{ingest.Pos{File: "b", Line: 1}, false},
		{ingest.Pos{}, false},
	} {
		if why := misplaced(c.p, files); (why == "") != c.ok {
			t.Errorf("%+v: %q", c.p, why)
		}
	}
}

// What every format owes: each record here breaks one rule.
func TestCheck(t *testing.T) {
	base := ingest.Base{At: ingest.Pos{File: "a", Line: 1}, Key: "s"}
	id := ingest.Identity{Tool: "t", Model: "m"}
	value := func(f float64) ingest.Value {
		return ingest.Value{Quantity: ingest.TTFT, Stat: ingest.StatMean, Number: f, Unit: "s"}
	}
	inf, nan := ingest.Float(math.Inf(1)), ingest.Float(math.NaN())
	one := 1.0
	good := []ingest.Record{
		&ingest.Result{Base: base, Identity: id, Values: []ingest.Value{value(1)}, Load: ingest.Load{Rate: &inf}},
		&ingest.Figure{Base: base, Identity: id, Quantity: ingest.TTFT, Value: &one, Unit: "s"},
		&ingest.Note{Base: base, Code: "c", Severity: ingest.Remark, Text: "t"},
		&ingest.Ignored{Base: base, Reason: "r"},
		&ingest.SyntaxError{Base: base, Text: "cut short..."},
	}
	files := []file{{"a", []byte("x\n")}}
	if got := check(good, files); got != nil {
		t.Errorf("sound records: %v", got)
	}
	for want, r := range map[string]ingest.Record{
		"in no file that was read":      &ingest.Ignored{Base: ingest.Base{At: ingest.Pos{File: "b"}}, Reason: "r"},
		"the file has 2 lines":          &ingest.Ignored{Base: ingest.Base{At: ingest.Pos{File: "a", Line: 9}}, Reason: "r"},
		".Values[0].Number is not a fi": &ingest.Result{Base: base, Identity: id, Values: []ingest.Value{value(math.NaN())}},
		".Rate is not a finite number":  &ingest.Result{Base: base, Identity: id, Load: ingest.Load{Rate: &nan}},
		".X[1] is not a finite number":  &ingest.Samples{Base: base, Identity: id, X: []float64{1, math.Inf(1)}},
		".Nums[n] is not a finite":      &ingest.Samples{Base: base, Identity: id, Nums: map[string]float64{"n": math.Inf(-1)}},
		"quantity, stat and unit":       &ingest.Result{Base: base, Identity: id, Values: []ingest.Value{{Number: 1}}},
		"two values for ttft mean":      &ingest.Result{Base: base, Identity: id, Values: []ingest.Value{value(1), value(2)}},
		"no session":                    &ingest.Result{Base: ingest.Base{At: base.At}, Identity: id},
		"no Identity.Tool":              &ingest.Figure{Base: base, Quantity: ingest.TTFT, Value: &one, Unit: "s"},
		"neither a value nor":           &ingest.Figure{Base: base, Identity: id, Quantity: ingest.TTFT, Unit: "s"},
		"Raw is no valid JSON":          &ingest.Result{Base: base, Identity: id, Raw: []byte("{")},
		"neither may be empty":          &ingest.Facts{Base: base, Facts: []ingest.Fact{{Key: "model"}}},
		"no facts":                      &ingest.Facts{Base: base},
		"has 1 values, X has 2":         &ingest.Profile{Base: base, Identity: id, Name: "n", Kind: "time", X: []float64{1, 2}, Lines: []ingest.Line{{Label: "l", Y: []float64{1}}}},
		"a name and a JSON value":       &ingest.Params{Base: base, Params: []ingest.Param{{Name: "p", Value: []byte("x")}}},
		"one line without a full stop":  &ingest.SyntaxError{Base: base, Text: "Wrong."},
		"no reason":                     &ingest.Ignored{Base: base},
		"all are needed":                &ingest.Note{Base: base, Text: "t"},
	} {
		got := check([]ingest.Record{r}, files)
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
	got := dump(t, []ingest.Record{
		&ingest.SyntaxError{Base: ingest.Base{At: ingest.Pos{File: "a.json", Line: 2, Col: 7}}, Text: `unexpected "<"`},
		&ingest.Samples{Base: ingest.Base{At: ingest.Pos{File: "a.json"}}, Name: "n", X: long, Raw: []byte(`{"b": 1.50, "a": [{"c": {}}]}`)},
	})
	const want = `a.json:2:7: syntax error
{"text": "unexpected \"<\""}
a.json: samples
{
  "identity": {"model": "", "tool": ""},
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
