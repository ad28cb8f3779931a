package llamabatched_test

import (
	"testing"

	"github.com/inferdex/inferdex/ingest/format/llamabatched"
	"github.com/inferdex/inferdex/ingest/ingesttest"
)

func TestConform(t *testing.T) { ingesttest.Conform(t, llamabatched.Format) }
func FuzzRead(f *testing.F)    { ingesttest.Fuzz(f, llamabatched.Format) }
