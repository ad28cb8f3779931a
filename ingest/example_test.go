package ingest_test

import (
	"context"
	"fmt"
	"log"
	"strings"
	"testing/fstest"

	"github.com/inferdex/inferdex/ingest/reading"

	"github.com/inferdex/inferdex/ingest"
	"github.com/inferdex/inferdex/ingest/record"
)

// A format claims files by their content and emits records; what no format claims is a record too.
func ExampleRead() {
	notes := &reading.Format{
		Name:  "notes",
		Match: func(h *reading.Head) bool { return strings.HasPrefix(string(h.Data), "# notes") },
		Read: func(src *reading.Source, emit func(record.Record)) error {
			for i, line := range strings.Split(strings.TrimSpace(string(src.Data)), "\n")[1:] {
				emit(&record.Note{Base: record.Base{At: record.Pos{File: src.Path(), Line: i + 2, Col: 1}}, Text: line})
			}
			return nil
		},
	}
	files := fstest.MapFS{
		"a/notes.txt": {Data: []byte("# notes\nwarm start\n")},
		"a/plot.png":  {Data: []byte("\x89PNG\r\n\x1a\n")},
	}
	reading, err := ingest.Read(context.Background(), []ingest.Input{{Name: "results", FS: files}},
		ingest.Options{Formats: []*reading.Format{notes}})
	if err != nil {
		log.Fatal(err)
	}
	for _, r := range reading.Records {
		switch r := r.(type) {
		case *record.Note:
			fmt.Println(r.At, r.Text)
		case *record.Ignored:
			fmt.Println(r.At, "ignored:", r.Reason)
		}
	}
	// Output:
	// results/a/notes.txt:2:1 warm start
	// results/a/plot.png ignored: picture (PNG)
}
