package ollama_test

import (
	"testing"

	"github.com/inferdex/inferdex/ingest/format/ollama"
	"github.com/inferdex/inferdex/ingest/ingesttest"
)

func TestConform(t *testing.T) { ingesttest.Conform(t, ollama.Format) }
func FuzzRead(f *testing.F)    { ingesttest.Fuzz(f, ollama.Format) }
