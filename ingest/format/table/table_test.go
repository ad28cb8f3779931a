package table_test

import (
	"testing"

	"github.com/inferdex/inferdex/ingest/format/table"
	"github.com/inferdex/inferdex/ingest/ingesttest"
)

func TestConform(t *testing.T) { ingesttest.Conform(t, table.Format) }
func FuzzRead(f *testing.F)    { ingesttest.Fuzz(f, table.Format) }
