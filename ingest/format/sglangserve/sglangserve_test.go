package sglangserve_test

import (
	"testing"

	"github.com/inferdex/inferdex/ingest/format/sglangserve"
	"github.com/inferdex/inferdex/ingest/ingesttest"
)

func TestConform(t *testing.T) { ingesttest.Conform(t, sglangserve.Format) }
func FuzzRead(f *testing.F)    { ingesttest.Fuzz(f, sglangserve.Format) }
