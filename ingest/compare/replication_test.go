package compare

import (
	"fmt"
	"testing"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/figuretest"
)

// Of many authors of one card, each run is held once against older ones for a copy of theirs, not again for every run that
// it replicates: four times as many authors make the replications of one run four times as much work.
func TestAllocationsOfManyAuthors(t *testing.T) {
	count := func(n int) float64 {
		c := &catalog.Catalog{}
		for i := range n {
			r := figuretest.Run(fmt.Sprint("r", i), "acme/m", "H100", "1.0", figuretest.Point(8, 100+float64(i)/100, 0.1, 0.2, 0.01, 0.02))
			r.Started = fmt.Sprintf("2025-01-01T00:%02d:%02d", i/60, i%60)
			r.Sources = []catalog.Source{{Path: "r.json", Author: fmt.Sprint("author", i)}}
			c.Runs = append(c.Runs, r)
		}
		ix := figure.NewIndex(c, figuretest.Names(t))
		known := NewArguments(ix.Names, ix.Runs)
		if got := len(Replications(ix.Runs[0], known)); got != n-1 {
			t.Fatalf("%d replications of %d", got, n-1)
		}
		return testing.AllocsPerRun(3, func() { Replications(ix.Runs[0], known) })
	}
	if few, many := count(20), count(80); many > 6*few {
		t.Errorf("20 authors take %.0f allocations, 80 take %.0f", few, many)
	}
}
