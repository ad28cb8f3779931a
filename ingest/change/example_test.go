package change_test

import (
	"fmt"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/change"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/record"
	"github.com/inferdex/inferdex/ingest/settings"
)

// A run that has another engine version now, and one that is new.
func ExampleBetween() {
	run := func(id, model, version string) *catalog.Run {
		return &catalog.Run{ID: id, Identity: record.Identity{Tool: "vllm-bench-serve", Model: model},
			Attributes: map[string]catalog.Attribute{"engine_version": {Value: version}}}
	}
	index := func(runs ...*catalog.Run) *figure.Index {
		return figure.NewIndex(&catalog.Catalog{Runs: runs}, &settings.Names{})
	}
	changes, equal := change.Between(
		index(run("aaaaaaaaaaaa", "org/m", "0.8.1"), run("bbbbbbbbbbbb", "org/n", "0.8.1")),
		index(run("aaaaaaaaaaaa", "org/m", "0.8.2"), run("bbbbbbbbbbbb", "org/n", "0.8.1"),
			run("cccccccccccc", "org/o", "")))
	for _, c := range changes {
		fmt.Println(c.Kind, c.Run, c.Differs)
	}
	fmt.Println("equal:", equal)
	// Output:
	// changed aaaaaaaaaaaa [{engine_version 0.8.1 0.8.2}]
	// added cccccccccccc []
	// equal: 1
}
