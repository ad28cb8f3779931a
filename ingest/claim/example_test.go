package claim_test

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/claim"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/figuretest"
	"github.com/inferdex/inferdex/ingest/settings"
)

// A sentence is a text made of a value: what it cites and what it computed can be read apart from it.
func Example() {
	names, _ := settings.LoadNames()
	ix := figure.NewIndex(&catalog.Catalog{Runs: []*catalog.Run{figuretest.Report()}}, names)
	for _, s := range claim.Sentences(ix.Runs[0], nil) {
		if s.Kind != claim.KindKnee {
			continue
		}
		fmt.Println(strings.ReplaceAll(s.Text(), "\u202f", " "))
		data, _ := json.Marshal(s.Claim.(claim.Knee).At)
		fmt.Println(string(data))
	}
	// Output:
	// With Concurrency Scaling, 1 024 → 256, 16 parallel requests already give 385 tok/s, 99 % of the peak.
	// {"run":"","workload":"Concurrency Scaling, 1 024 → 256","points":[7],"axis":"concurrency","load":16,"metric":"output_throughput","stat":"value","value":384.74}
}
