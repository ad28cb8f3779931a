package happyvllm_test

import (
	"testing"

	"github.com/inferdex/inferdex/ingest/format/happyvllm"
	"github.com/inferdex/inferdex/ingest/ingesttest"
)

func TestConform(t *testing.T) { ingesttest.Conform(t, happyvllm.Format) }
func FuzzRead(f *testing.F)    { ingesttest.Fuzz(f, happyvllm.Format) }
