package mlperf_test

import (
	"testing"

	"github.com/inferdex/inferdex/ingest/format/mlperf"
	"github.com/inferdex/inferdex/ingest/ingesttest"
)

func TestConform(t *testing.T) { ingesttest.Conform(t, mlperf.Format) }
func FuzzRead(f *testing.F)    { ingesttest.Fuzz(f, mlperf.Format) }
