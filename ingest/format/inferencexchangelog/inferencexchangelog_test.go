package inferencexchangelog_test

import (
	"testing"

	"github.com/inferdex/inferdex/ingest/format/inferencexchangelog"
	"github.com/inferdex/inferdex/ingest/ingesttest"
)

func TestConform(t *testing.T) { ingesttest.Conform(t, inferencexchangelog.Format) }
func FuzzRead(f *testing.F)    { ingesttest.Fuzz(f, inferencexchangelog.Format) }
