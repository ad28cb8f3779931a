package refute_test

import (
	"encoding/json"
	"fmt"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
	"github.com/inferdex/inferdex/ingest/refute"
)

// A claim that its points do not bear out is refuted, with the reason.
func ExampleChecker() {
	run := &catalog.Run{ID: "r"}
	for i, v := range []float64{100, 190, 180} {
		load, length := int64(1<<i), 128.0
		run.Points = append(run.Points, catalog.Point{
			Workload: record.Workload{Nominal: record.Lengths{Input: &length, Output: &length}},
			Load:     record.Load{MaxConcurrency: &load},
			Metrics:  map[metric.ID]catalog.Stat{metric.OutputThroughput: {Value: &v, Unit: "tok/s"}},
		})
	}
	claim := `{"at":{"run":"r","workload":"128 → 128","points":[2],"axis":"concurrency","load":4,` +
		`"metric":"output_throughput","stat":"value","value":180}}`
	for _, r := range refute.New(&catalog.Catalog{Runs: []*catalog.Run{run}}).Check([]refute.Statement{
		{Run: "r", Kind: "peak", Text: "It peaks at 180 tok/s.", Claim: json.RawMessage(claim)},
	}) {
		fmt.Println(r.Text, r.Why)
	}
	// Output:
	// It peaks at 180 tok/s. the highest output throughput is 190 at 2
}
