package llamabenchy_test

import (
	"testing"

	"github.com/inferdex/inferdex/ingest/format/llamabenchy"
	"github.com/inferdex/inferdex/ingest/ingesttest"
)

func TestConform(t *testing.T) { ingesttest.Conform(t, llamabenchy.Format) }
func FuzzRead(f *testing.F)    { ingesttest.Fuzz(f, llamabenchy.Format) }
