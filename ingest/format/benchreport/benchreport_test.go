package benchreport_test

import (
	"strings"
	"testing"

	"github.com/inferdex/inferdex/ingest/format/benchreport"
	"github.com/inferdex/inferdex/ingest/ingesttest"
)

// Ten thousand brackets in each other: the number is an error and the next result is read.
func TestNesting(t *testing.T) {
	deep := strings.Repeat("[", 10_000)
	texts := []string{
		`{"model": "m", "date": "d", "results": [{"name": "a", "ttft_mean_ms": 1, "tg_speed": 1, "concurrency": 1, "x": ` + deep + "},\n" +
			`{"name": "b", "ttft_mean_ms": 1}]}`,
		"<!--\nBenchmark Report Generated: 2026-01-01\nModel: m\n-->\n| Scenario | Concurrency |\n|---|---|\n| a | " +
			deep + " |\n",
	}
	for _, text := range texts {
		ingesttest.Survives(t, benchreport.Format, text)
	}
}
