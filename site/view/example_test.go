package view_test

import (
	"fmt"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/figuretest"
	"github.com/inferdex/inferdex/ingest/settings"
	"github.com/inferdex/inferdex/site/view"
)

// The pages of a catalog, each a value with its address and its title.
func ExampleSite_Pages() {
	names, _ := settings.LoadNames()
	c := &catalog.Catalog{Runs: []*catalog.Run{figuretest.Run("0123456789ab", "org/m", "2x big", "0.8.2",
		figuretest.Point(1, 100, .1, .2, .01, .02))}}
	for made, err := range view.New(figure.NewIndex(c, names), c, view.Options{NoPreviews: true}).Pages() {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(made.Page.Path, made.Page.Title)
	}
	// Output:
	// inferdex
	// scorecard/1000-200/speed-per-request Scorecard: Speed per request, 1 000 → 200
	// scorecard/1000-200/ttft Scorecard: Time to first token, 1 000 → 200
	// scorecard Scorecards
	// models Models
	// models/m m
	// hardware Hardware
	// hardware/big big
	// engines Engines
	// engines/serve serve
	// cards/m-on-2x-big m on 2× big
	// compare Compare
	// rankings Rankings
	// rankings/chat Chat: hardware within limits
	// rankings/code-completion Code completion: hardware within limits
	// rankings/batch Batch: hardware within limits
	// runs Runs
	// runs/0123456789ab m on 2× big, run 0123456789ab
	// data Data
	// about/methodology Methodology
	// about/formats Formats
	// check Try a file
	// 404.html Page not found
}
