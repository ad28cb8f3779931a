package optimumbench_test

import (
	"testing"

	"github.com/inferdex/inferdex/ingest/format/optimumbench"
	"github.com/inferdex/inferdex/ingest/ingesttest"
)

func TestConform(t *testing.T) { ingesttest.Conform(t, optimumbench.Format) }
func FuzzRead(f *testing.F)    { ingesttest.Fuzz(f, optimumbench.Format) }
