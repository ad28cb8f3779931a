package compare_test

import (
	"fmt"
	"strings"

	"github.com/inferdex/inferdex/ingest/compare"
	"github.com/inferdex/inferdex/ingest/metric"
)

// Six measurements a side are enough for an interval of the median; what is claimed is whether the two overlap.
func Example() {
	before := []float64{100, 101, 102, 103, 104, 105}
	after := []float64{90, 91, 92, 93, 94, 95}
	d, _ := compare.Differ(metric.OutputThroughput, metric.Value, before, after)
	fmt.Println(metric.Change(*d.Change), d.Certainty)
	fmt.Println(strings.ReplaceAll(d.Words(), "\u202f", " "))
	// Output:
	// −9.76 % distinguishable
	// distinguishable: the 95 % intervals of 6 and 6 measurements do not overlap
}
