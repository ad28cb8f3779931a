package view

import (
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/site/page"
)

// subject is the one model, accelerator, engine or card that a page is about.
type subject struct {
	runs func() []*figure.Run
	// feed names the feed of the page, picture what its link preview shows; "" where it has none.
	feed, picture string
}

// subjects are those of all pages that have one, by the path of the page.
func subjects(ix *figure.Index) map[string]subject {
	of := map[string]subject{}
	for _, m := range ix.Models {
		of[page.PathModel(m.Slug)] = subject{m.Runs, m.Name, m.Name}
	}
	for _, h := range ix.Hardware {
		of[page.PathAccelerator(h.Slug)] = subject{h.Runs, h.Accelerator.Name, ""}
	}
	for _, e := range ix.Engines {
		of[pathEngine(e.Slug)] = subject{runs: func() []*figure.Run { return e.Runs }}
	}
	for _, c := range ix.Cards {
		of[page.PathCard(c.Slug)] = subject{func() []*figure.Run { return c.Runs }, "", c.Title()}
	}
	return of
}
