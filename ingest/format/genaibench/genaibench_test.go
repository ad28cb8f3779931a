package genaibench_test

import (
	"testing"

	"github.com/inferdex/inferdex/ingest/format/genaibench"
	"github.com/inferdex/inferdex/ingest/ingesttest"
)

func TestConform(t *testing.T) { ingesttest.Conform(t, genaibench.Format) }
func FuzzRead(f *testing.F)    { ingesttest.Fuzz(f, genaibench.Format) }
