package ingest

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

// Scripts keep what a tool printed as a text inside of JSON: {"success": true, "raw_output": "…"},
// the outputs of a notebook. No format claims such a file; its texts are read as if each were a
// file, and their records stand where the text does.

const (
	maxTexts     = 1000 // texts of one file that are read
	maxTextDepth = 8    // objects and arrays in each other that are searched for texts
)

// wrapped finds the texts of a JSON file that formats with marks claim.
func wrapped(src *reading.Source, formats []*reading.Format, panics bool) (parts []part, failed record.Record) {
	var marks []string
	for _, f := range formats {
		for _, m := range f.Marks {
			if bytes.Contains(src.Data, []byte(m)) { // no mark holds what JSON escapes
				marks = append(marks, m)
			}
		}
	}
	if len(marks) == 0 {
		return nil, nil
	}
	text := reading.NewText(src.Data)
	text.Values(0, len(src.Data), true, func(v reading.Value) {
		unwrap(v, "", marks, 0, func(at reading.Value, s, failure string) {
			if failed != nil || len(parts) >= maxTexts {
				return
			}
			h := reading.NewHead(src.Path(), []byte(s))
			chosen, verdict := choose(h, h.Data, formats, panics)
			if e, ok := verdict.(*record.SyntaxError); ok {
				failed = e
				return
			}
			line, col := at.Place()
			for _, f := range chosen {
				parts = append(parts, part{Format: f, at: record.Pos{File: src.Path(), Line: line, Col: col},
					src: &reading.Source{Head: h, Data: []byte(s), Failed: failure}})
			}
		})
	}, func(*reading.SyntaxError) {})
	if failed != nil {
		return nil, failed
	}
	return parts, nil
}

// unwrap gives each text in a value that holds a mark, with what the objects around it say of the
// command that printed it. An array of lines is one text.
func unwrap(v reading.Value, failure string, marks []string, depth int,
	text func(at reading.Value, s, failure string)) {
	give := func(s string) {
		for _, m := range marks {
			if strings.Contains(s, m) {
				text(v, s, failure)
				return
			}
		}
	}
	if depth > maxTextDepth {
		return
	}
	switch v.Kind() {
	case reading.KindString:
		s, _ := v.Str()
		give(s)
	case reading.KindArray:
		var lines strings.Builder
		areLines := v.Len() > 1
		v.Items(func(i int, item reading.Value) bool {
			s, ok := item.Str()
			areLines = areLines && ok && (strings.HasSuffix(s, "\n") || i == v.Len()-1)
			lines.WriteString(s)
			return areLines
		})
		if areLines {
			give(lines.String())
			return
		}
		v.Items(func(_ int, item reading.Value) bool {
			unwrap(item, failure, marks, depth+1, text)
			return true
		})
	case reading.KindObject:
		if f := failureOf(v); f != "" {
			failure = f
		}
		v.Fields(func(_ string, member reading.Value) bool {
			unwrap(member, failure, marks, depth+1, text)
			return true
		})
	}
}

// failureOf is what an object says of a command that failed: the key and its value.
func failureOf(v reading.Value) (failure string) {
	v.Fields(func(k string, member reading.Value) bool {
		ok := true
		switch strings.ToLower(k) {
		case "success", "succeeded", "ok":
			if truth, is := member.Truth(); is {
				ok = truth
			}
		case "returncode", "return_code", "exit_code", "exitcode", "exit_status":
			if n, is := member.Finite(); is {
				ok = n == 0
			}
		}
		if !ok {
			failure = fmt.Sprintf("%q is %s", k, member.Scalar())
		}
		return ok
	})
	return failure
}

// outcome adds to the results of a text what the script that kept it says: that the command failed.
func outcome(src *reading.Source, records []record.Record) []record.Record {
	if src.Failed == "" {
		return records
	}
	out := records
	for _, r := range records {
		if res, ok := r.(*record.Result); ok {
			out = append(out, &record.Note{Base: res.Beside(), Code: "run-failed", Severity: record.Error,
				Text: "the script that ran the benchmark says that it failed: " + src.Failed})
		}
	}
	return out
}

// place puts a record and its facts where the text stands that they were read from.
func place(r record.Record, at record.Pos) {
	h := r.Header()
	switch r := r.(type) {
	case *record.Params:
		for i := range r.Params {
			r.Params[i].At = at
		}
	case *record.Result:
		if r.Shared() != nil {
			r.Open() // each fact gets a place
		}
	case *record.SyntaxError:
		r.Text += fmt.Sprintf(" (line %d of the text)", h.At.Line)
	}
	h.At = at
	for i := range h.Facts {
		h.Facts[i].At = at
	}
}
