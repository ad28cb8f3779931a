package view

import (
	"cmp"
	"strings"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/compare"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/settings"
	"github.com/inferdex/inferdex/site/page"
)

// Site is what the pages of a catalog are made of.
type Site struct {
	Index     *figure.Index
	Arguments *compare.Arguments
	Catalog   *catalog.Catalog
	Options   Options
	Config    settings.Config
	// subjects are what pages are about, by their paths.
	subjects map[string]subject
	// rawCache keeps raw records between the fragments of one run.
	rawCache rawCache
	// Beside is set before the first page is made.
	Beside Beside
	scores *scorecards
	uses   *uses
	pairs  *pairs
}

// New prepares what pages share: the scorecards, what each page is about.
func New(ix *figure.Index, c *catalog.Catalog, o Options) *Site {
	g := &Site{Index: ix, Arguments: compare.NewArguments(ix.Names, ix.Runs), Catalog: c, Options: o, subjects: subjects(ix),
		scores: newScorecards(ix), uses: newUses(ix), pairs: &pairs{ix: ix}}
	if o.Config != nil {
		g.Config = *o.Config
	}
	return g
}

// Title is the name of the site.
func (g *Site) Title() string { return cmp.Or(g.Config.Title, "inferdex") }

// Base is the address of the home page with a slash at its end, "" where it is not known.
func (g *Site) Base() string {
	b := page.WebAddress(g.Config.BaseURL)
	if b != "" && !strings.HasSuffix(b, "/") {
		b += "/"
	}
	return b
}

// HasPreviews says whether the site has link previews.
func (g *Site) HasPreviews() bool { return g.Base() != "" && !g.Options.NoPreviews }

// UsedPresets are the uses that a workload of the catalog stands for.
func (g *Site) UsedPresets() []figure.SLOPreset { return g.uses.presets() }
