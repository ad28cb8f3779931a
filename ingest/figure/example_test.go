package figure_test

import (
	"fmt"
	"strings"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/figuretest"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/settings"
)

// An index resolves the names of a catalog's runs and sorts their points into workloads, which have a peak and
// a knee.
func Example() {
	names, _ := settings.LoadNames()
	ix := figure.NewIndex(&catalog.Catalog{Runs: []*catalog.Run{figuretest.Report()}}, names)
	for _, s := range ix.Runs[0].Scenarios {
		knee, share, ok := s.Knee(metric.OutputThroughput)
		if !ok {
			continue
		}
		peak, v, _ := s.Peak(metric.OutputThroughput)
		words := fmt.Sprintf("%s: %s tok/s %s, %s of it %s", s.Title, metric.Format(v), figure.LoadPhrase(peak),
			metric.Percent(share), figure.LoadPhrase(knee))
		fmt.Println(strings.ReplaceAll(words, "\u202f", " "))
	}
	// Output:
	// Concurrency Scaling, 1 024 → 256: 387 tok/s at 32 parallel requests, 99.4 % of it at 16 parallel requests
}
