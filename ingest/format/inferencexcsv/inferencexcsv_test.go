package inferencexcsv_test

import (
	"testing"

	"github.com/inferdex/inferdex/ingest/format/inferencexcsv"
	"github.com/inferdex/inferdex/ingest/ingesttest"
)

func TestConform(t *testing.T) { ingesttest.Conform(t, inferencexcsv.Format) }
func FuzzRead(f *testing.F)    { ingesttest.Fuzz(f, inferencexcsv.Format) }
