package trtllmserve_test

import (
	"testing"

	"github.com/inferdex/inferdex/ingest/format/trtllmserve"
	"github.com/inferdex/inferdex/ingest/ingesttest"
)

func TestConform(t *testing.T) { ingesttest.Conform(t, trtllmserve.Format) }
func FuzzRead(f *testing.F)    { ingesttest.Fuzz(f, trtllmserve.Format) }
