package ingest

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/inferdex/inferdex/ingest/reading"

	"github.com/inferdex/inferdex/ingest/record"
)

// printing is a format like those of results that a tool prints below a title, in the middle of
// whatever else is printed.
func printing(name, title string) *reading.Format {
	return &reading.Format{
		Name: name,
		Match: func(h *reading.Head) bool {
			return h.Kind == 't' && bytes.Contains(h.Data, []byte("\n== "+title)) ||
				bytes.HasPrefix(h.Data, []byte("== "+title))
		},
		Marks: []string{title},
		Read: func(src *reading.Source, emit func(record.Record)) error {
			n := 0
			for l := range bytes.Lines(src.Data) {
				if n++; bytes.HasPrefix(l, []byte("== "+title)) {
					emit(&record.Note{Base: record.Base{At: record.Pos{File: src.Path(), Line: n}}, Text: name})
				}
			}
			return nil
		},
	}
}

// A result is found however much stands before it, with its line; and what speaks of one has none.
func TestMarks(t *testing.T) {
	formats := []*reading.Format{printing("a", "A RESULT"), printing("b", "B RESULT")}
	noise := strings.Repeat("INFO of a server\n", 2*reading.HeadSize/17) // 7710 lines
	talk := strings.Repeat("see A RESULT below\n", 4*reading.HeadSize/19)
	for _, c := range []struct{ name, data, want string }{
		{"late", noise + "== A RESULT\n", "a 7711"},
		{"a byte order mark before it", "\ufeff" + noise + "== A RESULT\n", "a 7711"},
		{"twice", noise + "== A RESULT\n" + noise + "== A RESULT\n", "a 7711, a 15422"},
		{"spoken of", talk, "ignored"},
		{"spoken of and there", talk + "== A RESULT\n", "a 13798"},
		{"of two formats", noise + "== A RESULT\n" + noise + "== B RESULT\n", "a 7711, b 15422"},
		{"of two formats by the beginning", "== B RESULT\n== A RESULT\n", "b 1, a 2"},
		{"of one by the beginning and one behind it", "== B RESULT\n" + noise + "== A RESULT\n", "b 1, a 7712"},
		{"neither", noise, "ignored"},
		{"JSON that is damaged", `{"x": "` + noise + "\n== A RESULT\n", "ignored"},
		{"a text inside of JSON", "{\n \"x\": {\"out\": \"so\\n== A RESULT\\n\"}}\n{\"out\": \"== B RESULT\\n\"}",
			"a 2, b 3"},
		{"lines inside of JSON", "{\"x\": [\n\"so\\n\",\n\"== A RESULT\\n\",\n\"end\"]}", "a 1"},
		{"spoken of inside of JSON", `{"x": "see A RESULT"}`, "ignored"},
	} {
		read := func(records []record.Record) string {
			var got []string
			for _, r := range records {
				switch r := r.(type) {
				case *record.Note:
					got = append(got, fmt.Sprintf("%s %d", r.Text, r.At.Line))
				case *record.Ignored:
					got = append(got, "ignored")
				case *record.SyntaxError:
					text, _, _ := strings.Cut(r.Text, ";")
					got = append(got, text)
				}
			}
			return strings.Join(got, ", ")
		}
		records, _ := ReadFile("x.log", []byte(c.data), formats)
		if got := read(records); got != c.want {
			t.Errorf("%s: ReadFile: %q, want %q", c.name, got, c.want)
		}
		r, err := Read(t.Context(), []Input{{Name: ".", FS: fstest.MapFS{"x.log": {Data: []byte(c.data)}}}},
			Options{Formats: formats})
		if err != nil {
			t.Fatal(err)
		}
		if got := read(r.Records); got != c.want {
			t.Errorf("%s: Read: %q, want %q", c.name, got, c.want)
		}
		if s := r.Files[0]; (s.Ignored != "") != (c.want == "ignored") || s.SHA256 == "" ||
			s.Size != int64(len(c.data)) {
			t.Errorf("%s: status %+v", c.name, s)
		}
	}
	// A log that is too large to be searched is ignored as before, and no error.
	r, err := Read(t.Context(),
		[]Input{{Name: ".", FS: fstest.MapFS{"x.log": {Data: []byte(noise + "== A RESULT\n")}}}},
		Options{Formats: formats, Limits: Limits{Member: reading.HeadSize + 1000}})
	if err != nil || len(r.Records) != 1 || r.Files[0].Ignored == "" {
		t.Errorf("too large: %v, %v", r.Records, err)
	}
}

// A machine that is described in one file with results is that of these results.
func TestMachineBesideResults(t *testing.T) {
	a, b := printing("a", "A RESULT"), printing("b", "B RESULT")
	at := record.Base{At: record.Pos{Line: 1}}
	a.Read = func(_ *reading.Source, emit func(record.Record)) error {
		emit(&record.System{Base: at})
		return nil
	}
	b.Read = func(_ *reading.Source, emit func(record.Record)) error {
		for _, model := range []string{"m", "n", "m"} {
			emit(&record.Result{Base: record.Base{At: at.At, Key: model, Identity: record.Identity{Model: model}}})
		}
		return nil
	}
	var got []string
	records, names := ReadFile("x.log", []byte("== A RESULT\n== B RESULT\n"), []*reading.Format{b, a})
	for _, r := range records {
		if s, ok := r.(*record.System); ok {
			got = append(got, s.Key+s.Identity.Model)
		}
	}
	if strings.Join(got, " ") != "mm nn" || names != "a, b" {
		t.Errorf("%s: systems of %q, want of m and n", names, got)
	}
	records, _ = ReadFile("x.log", []byte("== A RESULT\n"), []*reading.Format{b, a})
	if len(records) != 1 || records[0].Session() != "" {
		t.Errorf("alone: %v", records)
	}
}

// A format is asked about a line once, however many marks stand in it.
func TestMarksOfALine(t *testing.T) {
	asked := 0
	f := printing("a", "A RESULT")
	match := f.Match
	f.Match = func(h *reading.Head) bool { asked++; return match(h) }
	line := strings.Repeat("A RESULT\r", 1<<20/9)
	ReadFile("x.log", []byte(line+"\n"+line), []*reading.Format{f})
	if asked > 2*(1<<20)/reading.HeadSize {
		t.Errorf("a format is asked %d times about two lines", asked)
	}
	records, _ := ReadFile("x.log", []byte(line+"\n== A RESULT\n"), []*reading.Format{f})
	if len(records) != 1 || records[0].Pos().Line != 2 {
		t.Errorf("what stands behind the line is not found: %v", records)
	}
}
