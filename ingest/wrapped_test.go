package ingest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/inferdex/inferdex/ingest/reading"

	"github.com/inferdex/inferdex/ingest/record"
)

// What the objects around a text say of its command goes with each of its results, and what cannot
// be read of it stands where the text does.
func TestWrapped(t *testing.T) {
	f := printing("a", "A RESULT")
	f.Read = func(src *reading.Source, emit func(record.Record)) error {
		res := &record.Result{Base: record.Base{At: record.Pos{File: src.Path(), Line: 2}, Key: "s"}}
		res.Facts = []record.Fact{{Key: record.FactModel, Value: "m", At: record.Pos{File: src.Path(), Line: 1}}}
		emit(res)
		emit(&record.SyntaxError{Base: record.Base{At: record.Pos{File: src.Path(), Line: 7}}, Text: "odd"})
		return nil
	}
	for _, c := range []struct{ name, data, want string }{
		{"done", `{"success": true, "out": "== A RESULT"}`, `result 1:26 m 1:26; error 1:26 odd (line 7 of the text)`},
		{"failed", "{\"success\": false,\n\"out\": \"== A RESULT\"}",
			`result 2:8 m 2:8; error 2:8 odd (line 7 of the text); note 2:8 error "success" is false`},
		{"failed above", `{"returncode": 1, "of": {"returncode": 0, "out": "== A RESULT"}}`,
			`result 1:50 m 1:50; error 1:50 odd (line 7 of the text); note 1:50 error "returncode" is 1`},
		{"too deep", strings.Repeat("[", maxTextDepth+2) + `"== A RESULT"` +
			strings.Repeat("]", maxTextDepth+2), "ignored"},
	} {
		records, _ := ReadFile("x.json", []byte(c.data), []*reading.Format{f})
		var got []string
		for _, r := range records {
			at := fmt.Sprintf("%d:%d", r.Pos().Line, r.Pos().Col)
			switch r := r.(type) {
			case *record.Result:
				got = append(got, fmt.Sprintf("result %s %s %d:%d", at, r.Facts[0].Value, r.Facts[0].At.Line,
					r.Facts[0].At.Col))
			case *record.SyntaxError:
				got = append(got, "error "+at+" "+r.Text)
			case *record.Note:
				_, why, _ := strings.Cut(r.Text, ": ")
				got = append(got, fmt.Sprintf("note %s %s %s", at, r.Severity, why))
			case *record.Ignored:
				got = append(got, "ignored")
			}
		}
		if got := strings.Join(got, "; "); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}
