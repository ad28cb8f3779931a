package quantile_test

import (
	"fmt"

	"github.com/inferdex/inferdex/ingest/internal/quantile"
)

// A percentile lies between two samples, as numpy has it.
func ExampleSamples() {
	var s quantile.Samples
	for _, x := range []float64{40, 10, 30, 20} {
		s.Add(x)
	}
	fmt.Println(s.N(), s.Percentile(50), s.Percentile(99))
	// Output:
	// 4 25 39.7
}
