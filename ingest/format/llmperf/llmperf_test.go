package llmperf_test

import (
	"testing"

	"github.com/inferdex/inferdex/ingest/format/llmperf"
	"github.com/inferdex/inferdex/ingest/ingesttest"
)

func TestConform(t *testing.T) { ingesttest.Conform(t, llmperf.Format) }
func FuzzRead(f *testing.F)    { ingesttest.Fuzz(f, llmperf.Format) }
