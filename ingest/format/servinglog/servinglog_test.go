package servinglog_test

import (
	"testing"

	"github.com/inferdex/inferdex/ingest/format/servinglog"
	"github.com/inferdex/inferdex/ingest/ingesttest"
)

func TestConform(t *testing.T) { ingesttest.Conform(t, servinglog.Format) }
func FuzzRead(f *testing.F)    { ingesttest.Fuzz(f, servinglog.Format) }
