package catalog_test

import (
	"fmt"
	"testing/fstest"

	"github.com/inferdex/inferdex/ingest/catalog"
)

// A catalog is a directory of JSON files, a run each; what one of them says wrong is a finding with its place.
func ExampleLint() {
	run := `{"inferdex":1,"id":"0123456789ab","identity":{"session":"s","model":"org/m"},"attributes":{"model":{"value":"org/m"}}}`
	c, err := catalog.Open(fstest.MapFS{"org-m/0123456789ab.json": {Data: []byte(run)}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(c.Runs[0].Attr("model"))
	for _, f := range catalog.Lint(c) {
		fmt.Println(f.Severity, f.Code)
	}
	// Output:
	// org/m
	// error identity
	// error id
	// error source
	// error attribute
	// error raw
}
