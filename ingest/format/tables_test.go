package format_test

import (
	"path/filepath"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/inferdex/inferdex/ingest"
	"github.com/inferdex/inferdex/ingest/format"
	"github.com/inferdex/inferdex/ingest/record"
)

// A table that is put behind itself tells of no other model and no other day than alone: its header is no row. An empty
// line in front of it takes nothing away. One that ends behind any line says something, behind its header too.
func TestTablesPutTogether(t *testing.T) {
	cases, err := filepath.Glob("*/testdata/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	told := func(name, text string) map[[2]string]bool {
		out := map[[2]string]bool{}
		records, _ := ingest.ReadFile(name, []byte(text), format.All())
		for _, r := range records {
			if res, ok := r.(*record.Result); ok {
				out[[2]string{res.Identity.Model, res.Date}] = true
			}
		}
		return out
	}
	tables := 0
	for _, path := range cases {
		a, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range a.Files {
			text := string(f.Data)
			alone := told(f.Name, text)
			if ext := filepath.Ext(f.Name); ext != ".csv" && ext != ".tsv" || len(alone) == 0 {
				continue
			}
			tables++
			for _, more := range []string{"\n" + text, text + text} {
				for of := range told(f.Name, more) {
					if !alone[of] {
						t.Errorf("%s, %s: %q of a table that tells of %v", path, f.Name, of, alone)
					}
				}
			}
			for end, c := range text {
				if c != '\n' {
					continue
				}
				if records, _ := ingest.ReadFile(f.Name, []byte(text[:end]), format.All()); len(records) == 0 {
					t.Errorf("%s, %s cut to %q: nothing is said", path, f.Name, text[:end])
				}
			}
			if n := len(told(f.Name, "\n"+text)); n != len(alone) {
				t.Errorf("%s, %s: behind an empty line the table tells of %d, alone of %d", path, f.Name, n, len(alone))
			}
		}
	}
	if tables < 10 {
		t.Errorf("%d tables: the test shows nothing", tables)
	}
}
