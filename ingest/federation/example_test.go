package federation_test

import (
	"fmt"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/federation"
	"github.com/inferdex/inferdex/ingest/record"
)

// Two published catalogs have one run both, and one of them withdraws another.
func ExampleMerge() {
	run := func(model string) *catalog.Run {
		r := &catalog.Run{Identity: record.Identity{Tool: "vllm-bench-serve", Model: model}}
		r.ID = r.Identity.ID()
		return r
	}
	published := func(name string, runs ...*catalog.Run) federation.Member {
		m := federation.Member{URL: "https://" + name + ".example/data/", Index: &federation.Index{Title: name},
			Catalog: &catalog.Catalog{Runs: runs}}
		for _, r := range runs {
			m.Index.Runs = append(m.Index.Runs, federation.Entry{ID: r.ID})
		}
		return m
	}
	both, fine, wrong := run("org/both"), run("org/fine"), run("org/wrong")
	a, b := published("a", both, wrong), published("b", both, fine)
	b.Index.Withdrawn = []federation.Withdrawal{{ID: wrong.ID, Reason: "the clock was wrong"}}
	members := []federation.Member{a, b}
	merged := federation.Merge(&catalog.Catalog{}, nil, members)
	for _, r := range merged.Runs {
		fmt.Printf("%s of %d, withdrawn: %q\n", r.Identity.Model, len(r.Origins), r.Withdrawn)
	}
	// Output:
	// org/both of 2, withdrawn: ""
	// org/fine of 1, withdrawn: ""
	// org/wrong of 2, withdrawn: "the clock was wrong (says b)"
}
