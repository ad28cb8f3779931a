package clean_test

import (
	"fmt"

	"github.com/inferdex/inferdex/ingest/internal/clean"
	"github.com/inferdex/inferdex/ingest/metric"
)

// Of a traceback the last line says what went wrong.
func ExampleLastLine() {
	fmt.Println(
		clean.LastLine("Traceback (most recent call last):\n  File \"a.py\", line 3\nTimeoutError: no answer\n"))
	fmt.Println(metric.Round(0.1 + 0.2))
	// Output:
	// TimeoutError: no answer
	// 0.3
}
