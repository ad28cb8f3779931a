package modelcard_test

import (
	"testing"

	"github.com/inferdex/inferdex/ingest/format/modelcard"
	"github.com/inferdex/inferdex/ingest/ingesttest"
)

func TestConform(t *testing.T) { ingesttest.Conform(t, modelcard.Format) }
func FuzzRead(f *testing.F)    { ingesttest.Fuzz(f, modelcard.Format) }
