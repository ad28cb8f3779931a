package servingcsv_test

import (
	"testing"

	"github.com/inferdex/inferdex/ingest/format/servingcsv"
	"github.com/inferdex/inferdex/ingest/ingesttest"
)

func TestConform(t *testing.T) { ingesttest.Conform(t, servingcsv.Format) }
func FuzzRead(f *testing.F)    { ingesttest.Fuzz(f, servingcsv.Format) }
