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
	cols      []*hardwareColumn
	// class are the classes of workload with a scorecard, byClass the same by key; whole are the
	// scorecards of whole runs, front the one on the home page, nil in an empty catalog.
	class   []*scoreClass
	byClass map[string]*scoreClass
	whole   []*scoreView
	front   *scoreView
	cards   map[[2]string]*figure.Card // by model slug, hardware slug
	// subjects are what pages are about, by their paths.
	subjects map[string]subject
	// rawCache keeps raw records between the fragments of one run.
	rawCache rawCache
	// Beside is set before the first page is made.
	Beside   Beside
	compared []*comparison // see comparisons
	// rankings keeps rankings by the id of a preset and the slug of a model.
	rankings map[[2]string]*ranked
}

// New prepares what pages share: the scorecards, what each page is about.
func New(ix *figure.Index, c *catalog.Catalog, o Options) *Site {
	g := &Site{Index: ix, Arguments: compare.NewArguments(ix.Names, ix.Runs), Catalog: c, Options: o, cards: map[[2]string]*figure.Card{}, subjects: subjects(ix)}
	if o.Config != nil {
		g.Config = *o.Config
	}
	for _, c := range ix.Cards {
		g.cards[[2]string{c.Model.Slug, c.Hardware.Slug}] = c
	}
	g.cols = hardwareColumns(ix)
	g.scoreViews(scoreClasses(ix))
	g.byClass = map[string]*scoreClass{}
	for _, s := range g.class {
		g.byClass[s.key] = s
	}
	return g
}

// allViews are the scorecards of all classes and of whole runs.
func (g *Site) allViews() []*scoreView {
	var out []*scoreView
	for _, s := range g.class {
		out = append(out, s.views...)
	}
	return append(out, g.whole...)
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
