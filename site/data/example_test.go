package data_test

import (
	"fmt"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/figuretest"
	"github.com/inferdex/inferdex/ingest/settings"
	"github.com/inferdex/inferdex/site/data"
	"github.com/inferdex/inferdex/site/view"
)

// The files that a reader can take away from a site.
func ExampleSet_Downloads() {
	names, _ := settings.LoadNames()
	c := &catalog.Catalog{Runs: []*catalog.Run{figuretest.Report()}}
	set := data.NewSet(view.New(figure.NewIndex(c, names), c, view.Options{NoPreviews: true}), data.Last{})
	for _, d := range set.Downloads() {
		fmt.Println(d.Path)
	}
	// Output:
	// data/catalog.json.gz
	// data/points.csv.gz
	// data/points.csv
	// data/runs.csv
	// data/claims.jsonl.gz
	// data/catalog.schema.json
	// data/datapackage.json
}
