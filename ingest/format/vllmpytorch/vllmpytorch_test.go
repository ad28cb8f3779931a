package vllmpytorch_test

import (
	"testing"

	"github.com/inferdex/inferdex/ingest/format/vllmpytorch"
	"github.com/inferdex/inferdex/ingest/ingesttest"
)

func TestConform(t *testing.T) { ingesttest.Conform(t, vllmpytorch.Format) }
func FuzzRead(f *testing.F)    { ingesttest.Fuzz(f, vllmpytorch.Format) }
