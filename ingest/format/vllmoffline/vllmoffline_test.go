package vllmoffline_test

import (
	"testing"

	"github.com/inferdex/inferdex/ingest/format/vllmoffline"
	"github.com/inferdex/inferdex/ingest/ingesttest"
)

func TestConform(t *testing.T) { ingesttest.Conform(t, vllmoffline.Format) }
func FuzzRead(f *testing.F)    { ingesttest.Fuzz(f, vllmoffline.Format) }
