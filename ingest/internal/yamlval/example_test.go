package yamlval_test

import (
	"fmt"

	"github.com/inferdex/inferdex/ingest/internal/yamlval"
	"github.com/inferdex/inferdex/ingest/reading"
)

// YAML is read as JSON is, with the places of the YAML text.
func ExampleValues() {
	yamlval.Values([]byte("model: org/m\nrate: .inf\n"), func(v reading.Value) {
		line, col := v.Get("rate").Place()
		f, _ := v.Get("rate").Float()
		fmt.Println(v.Get("model").Scalar(), f, line, col)
	}, func(err yamlval.Error) { fmt.Println(err.Text) })
	// Output:
	// org/m +Inf 2 7
}
