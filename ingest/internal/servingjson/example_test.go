package servingjson_test

import (
	"fmt"

	"github.com/inferdex/inferdex/ingest/internal/servingjson"
)

// The lengths of a workload stand in a name where the record does not say them.
func ExampleLengths() {
	in, out, ok := servingjson.Lengths("llama_in2048_out128.json")
	fmt.Println(in, out, ok)
	// Output: 2048 128 true
}
