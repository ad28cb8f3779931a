package site

import (
	"testing"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/site/sitetest"
	"github.com/inferdex/inferdex/site/view"
)

// TestCatalog is the catalog of tests with what its site is made with.
func testCatalog(t *testing.T) (*figure.Index, *catalog.Catalog, view.Options) {
	t.Helper()
	ix, c, conf := sitetest.Catalog(t)
	return ix, c, view.Options{Config: conf,
		Formats: []view.FormatDoc{{Name: "x-y", Title: "X", Tool: sitetest.Hostile, Command: "x", Files: "*.x",
			Reads: "x", Unknown: "y"}}}
}
