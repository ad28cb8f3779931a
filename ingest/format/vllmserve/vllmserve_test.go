package vllmserve_test

import (
	"strings"
	"testing"

	"github.com/inferdex/inferdex/ingest/format/vllmserve"
	"github.com/inferdex/inferdex/ingest/ingesttest"
)

// Ten thousand brackets in each other: the record is an error and the next one is read.
func TestNesting(t *testing.T) {
	record := `{"model_id": "m", "duration": 1, "completed": 1, "total_input_tokens": 1, "total_token_throughput": 1, ` +
		`"mean_ttft_ms": 1`
	deep := strings.Repeat("[", 10_000)
	texts := []string{
		record + `, "x": ` + deep + "}\n" + record + "}\n",
		record + "}\n" + deep + "\n",
	}
	for _, text := range texts {
		ingesttest.Survives(t, vllmserve.Format, text)
	}
}
