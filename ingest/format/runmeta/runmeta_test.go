package runmeta_test

import (
	"testing"

	"github.com/inferdex/inferdex/ingest/format/runmeta"
	"github.com/inferdex/inferdex/ingest/ingesttest"
)

func TestConform(t *testing.T) { ingesttest.Conform(t, runmeta.Format) }
func FuzzRead(f *testing.F)    { ingesttest.Fuzz(f, runmeta.Format) }
