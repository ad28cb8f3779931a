package vllmsuite_test

import (
	"testing"

	"github.com/inferdex/inferdex/ingest/format/vllmsuite"
	"github.com/inferdex/inferdex/ingest/ingesttest"
)

func TestConform(t *testing.T) { ingesttest.Conform(t, vllmsuite.Format) }
func FuzzRead(f *testing.F)    { ingesttest.Fuzz(f, vllmsuite.Format) }
