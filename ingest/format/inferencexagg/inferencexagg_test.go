package inferencexagg_test

import (
	"testing"

	"github.com/inferdex/inferdex/ingest/format/inferencexagg"
	"github.com/inferdex/inferdex/ingest/ingesttest"
)

func TestConform(t *testing.T) { ingesttest.Conform(t, inferencexagg.Format) }
func FuzzRead(f *testing.F)    { ingesttest.Fuzz(f, inferencexagg.Format) }
