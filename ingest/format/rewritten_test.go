package format_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/inferdex/inferdex/ingest"
	"github.com/inferdex/inferdex/ingest/format"
	"github.com/inferdex/inferdex/ingest/record"
)

// JSON that another program wrote again, keys in the order of the alphabet and whole numbers with a decimal, says the
// same of machine, engine and workload.
func TestRewritten(t *testing.T) {
	type said struct {
		facts    map[string]string
		workload string
	}
	read := func(name string, text []byte) (out []said) {
		records, _ := ingest.ReadFile(name, text, format.All())
		for _, r := range records {
			if res, ok := r.(*record.Result); ok {
				s := said{map[string]string{}, ""}
				for _, f := range res.Facts {
					s.facts[f.Key] = f.Value
				}
				w, err := json.Marshal(res.Workload)
				if err != nil {
					t.Fatal(err)
				}
				s.workload = string(w)
				out = append(out, s)
			}
		}
		return out
	}
	for path, counted := range map[string][]string{
		"mlperf/testdata/round.txtar": {"a#", "Nodes"}, "trtllmbench/testdata/reports.txtar": {"world_size"},
		"llamabench/testdata/forms.txtar": {"build_number"}, "vllmserve/testdata/sweep.txtar": nil,
	} {
		a, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		tried := 0
		for _, f := range a.Files {
			was := read(f.Name, f.Data)
			var v any
			d := json.NewDecoder(bytes.NewReader(f.Data))
			d.UseNumber()
			if err := d.Decode(&v); err != nil || len(was) == 0 || d.More() {
				continue
			}
			again, err := json.Marshal(v) // sorts keys
			if err != nil {
				t.Fatal(err)
			}
			for _, key := range counted {
				for _, n := range []string{"1", "2", "4", "8", "5001"} {
					for _, end := range []string{",", "}"} {
						again = bytes.ReplaceAll(again, []byte(`"`+key+`":`+n+end), []byte(`"`+key+`":`+n+`.0`+end))
					}
				}
			}
			tried++
			for i, got := range read(f.Name, again) {
				if !maps.Equal(got.facts, was[i].facts) || got.workload != was[i].workload {
					t.Errorf("%s, %s: %v %s, before it was written again %v %s", path, f.Name, got.facts, got.workload,
						was[i].facts, was[i].workload)
				}
			}
		}
		if tried == 0 {
			t.Errorf("%s: no file was tried", path)
		}
	}
}
