package llamabench_test

import (
	"testing"

	"github.com/inferdex/inferdex/ingest/format/llamabench"
	"github.com/inferdex/inferdex/ingest/ingesttest"
)

func TestConform(t *testing.T) { ingesttest.Conform(t, llamabench.Format) }
func FuzzRead(f *testing.F)    { ingesttest.Fuzz(f, llamabench.Format) }
