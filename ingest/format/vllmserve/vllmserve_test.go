package vllmserve_test

import (
	"strings"
	"testing"

	"github.com/inferdex/inferdex/ingest"
	"github.com/inferdex/inferdex/ingest/format/vllmserve"
	"github.com/inferdex/inferdex/ingest/ingesttest"
)

func TestConform(t *testing.T) { ingesttest.Conform(t, vllmserve.Format) }
func FuzzRead(f *testing.F)    { ingesttest.Fuzz(f, vllmserve.Format) }

// Ten thousand brackets in each other: the record is an error and the next one is read.
func TestNesting(t *testing.T) {
	record := `{"model_id": "m", "duration": 1, "completed": 1, "total_input_tokens": 1, "total_token_throughput": 1, "mean_ttft_ms": 1`
	deep := strings.Repeat("[", 10_000)
	texts := []string{
		record + `, "x": ` + deep + "}\n" + record + "}\n",
		record + "}\n" + deep + "\n",
	}
	for _, text := range texts {
		src := ingest.NewSource("x", []byte(text))
		if !vllmserve.Format.Match(src.Head) {
			t.Errorf("not claimed: %.60q", text)
		}
		results, errors := 0, 0
		if err := vllmserve.Format.Read(src, func(r ingest.Record) {
			switch r.(type) {
			case *ingest.Result:
				results++
			case *ingest.SyntaxError:
				errors++
			}
		}); err != nil {
			t.Error(err)
		}
		if results != 1 || errors == 0 {
			t.Errorf("%.60q: %d results and %d errors, want one result and an error", text, results, errors)
		}
	}
}
