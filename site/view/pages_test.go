package view

import (
	"iter"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/site/page"
)

// pagesOf are the pages of a catalog alone.
func pagesOf(ix *figure.Index, c *catalog.Catalog, o Options) iter.Seq2[*page.Page, error] {
	return func(yield func(*page.Page, error) bool) {
		for m, err := range New(ix, c, o).Pages() {
			if !yield(m.Page, err) {
				return
			}
		}
	}
}
