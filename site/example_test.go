package site_test

import (
	"fmt"
	"path"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/figuretest"
	"github.com/inferdex/inferdex/ingest/settings"
	"github.com/inferdex/inferdex/site"
	"github.com/inferdex/inferdex/site/view"
)

// A site is its pages first, and then the files beside them.
func Example() {
	names, _ := settings.LoadNames()
	c := &catalog.Catalog{Runs: []*catalog.Run{figuretest.Report()}}
	s := site.New(figure.NewIndex(c, names), c, view.Options{NoPreviews: true})
	pages := 0
	for _, err := range s.Pages() {
		if err != nil {
			fmt.Println(err)
			return
		}
		pages++
	}
	kinds := map[string]int{}
	for f, err := range s.Files() {
		if err != nil {
			fmt.Println(err)
			return
		}
		kinds[path.Ext(f.Path)]++
	}
	fmt.Println(pages > 0, kinds[".json"] > 0)
	// Output: true true
}
