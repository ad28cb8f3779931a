package figure

import (
	"testing"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figuretest"
	"github.com/inferdex/inferdex/ingest/record"
)

// TestNamesThatAreLengths: a title has the lengths of a workload once.
func TestNamesThatAreLengths(t *testing.T) {
	for name, want := range map[string]string{"12 in, 99 out": "12 → 99", "pp12+tg99 @ d4096": "12 → 99 at depth 4\u202f096",
		"Chat, 12 in": "Chat, 12 in, 12 → 99"} {
		p := figuretest.Point(1, 100, 0.1, 0.2, 0.01, 0.02)
		p.Workload = record.Workload{Name: name, Actual: record.Lengths{Input: figuretest.Num(12), Output: figuretest.Num(99)}}
		ix := NewIndex(&catalog.Catalog{Runs: []*catalog.Run{figuretest.Run("r", "o/Dense-10B", "1x big", "1.0", p)}},
			figuretest.Names(t))
		if got := ix.Runs[0].Scenarios[0].Title; got != want {
			t.Errorf("%q: the title is %q, want %q", name, got, want)
		}
	}
}
