package sglangbatch_test

import (
	"testing"

	"github.com/inferdex/inferdex/ingest/format/sglangbatch"
	"github.com/inferdex/inferdex/ingest/ingesttest"
)

func TestConform(t *testing.T) { ingesttest.Conform(t, sglangbatch.Format) }
func FuzzRead(f *testing.F)    { ingesttest.Fuzz(f, sglangbatch.Format) }
