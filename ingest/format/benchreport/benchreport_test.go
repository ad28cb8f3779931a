package benchreport_test

import (
	"strings"
	"testing"

	"github.com/inferdex/inferdex/ingest"
	"github.com/inferdex/inferdex/ingest/format/benchreport"
	"github.com/inferdex/inferdex/ingest/ingesttest"
)

func TestConform(t *testing.T) { ingesttest.Conform(t, benchreport.Format) }
func FuzzRead(f *testing.F)    { ingesttest.Fuzz(f, benchreport.Format) }

// Ten thousand brackets in each other: the number is an error and the next result is read.
func TestNesting(t *testing.T) {
	deep := strings.Repeat("[", 10_000)
	texts := []string{
		`{"model": "m", "date": "d", "results": [{"name": "a", "ttft_mean_ms": 1, "tg_speed": 1, "concurrency": 1, "x": ` + deep + "},\n" +
			`{"name": "b", "ttft_mean_ms": 1}]}`,
		"<!--\nBenchmark Report Generated: 2026-01-01\nModel: m\n-->\n| Scenario | Concurrency |\n|---|---|\n| a | " + deep + " |\n",
	}
	for _, text := range texts {
		src := ingest.NewSource("x", []byte(text))
		if !benchreport.Format.Match(src.Head) {
			t.Errorf("not claimed: %.60q", text)
		}
		results, errors := 0, 0
		if err := benchreport.Format.Read(src, func(r ingest.Record) {
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
