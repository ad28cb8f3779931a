package hfbenchmarker_test

import (
	"testing"

	"github.com/inferdex/inferdex/ingest/format/hfbenchmarker"
	"github.com/inferdex/inferdex/ingest/ingesttest"
)

func TestConform(t *testing.T) { ingesttest.Conform(t, hfbenchmarker.Format) }
func FuzzRead(f *testing.F)    { ingesttest.Fuzz(f, hfbenchmarker.Format) }
