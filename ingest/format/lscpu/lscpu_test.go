package lscpu

import (
	"testing"

	"github.com/inferdex/inferdex/ingest/ingesttest"
)

func TestConform(t *testing.T) { ingesttest.Conform(t, Format) }

func FuzzRead(f *testing.F) { ingesttest.Fuzz(f, Format) }
