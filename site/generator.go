package site

import (
	"cmp"
	"iter"
	"strings"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/compare"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/settings"
	"github.com/inferdex/inferdex/site/page"
)

// Options are what a site is made with beside its catalog.
type Options struct {
	// Config is the catalog's inferdex.toml; nil is a configuration with nothing set.
	Config *settings.Config
	// Formats are what the formats page lists.
	Formats []FormatDoc
	// Written are the paths of the hand-written pages, for the sitemap.
	Written []string
	// NoPreviews leaves out the pictures of link previews.
	NoPreviews bool
	// PNG writes each chart's file as PNG too.
	PNG bool
}

// FormatDoc is what is said of one kind of file that can be read. It mirrors ingest.Doc: this
// package does not know the formats.
type FormatDoc struct {
	Name, Title, Tool, Command, Versions, Files, Reads, Unknown string
}

// Pages makes all pages of a catalog, one after the other. An error ends the sequence.
func Pages(ix *figure.Index, c *catalog.Catalog, o Options) iter.Seq2[*page.Page, error] {
	g := newGenerator(ix, c, o)
	return func(yield func(*page.Page, error) bool) {
		for _, d := range g.drafts() {
			ds, err := d()
			if err != nil {
				yield(nil, err)
				return
			}
			for _, d := range ds {
				if !yield(d.page, nil) {
					return
				}
			}
		}
	}
}

// generator holds what several pages are made of.
type generator struct {
	ix   *figure.Index
	args *compare.Arguments
	c    *catalog.Catalog
	o    Options
	conf settings.Config
	cols []*hardwareColumn
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
	compared []*comparison // see comparisons
	// rankings keeps rankings by the id of a preset and the slug of a model.
	rankings map[[2]string]*ranked
}

func newGenerator(ix *figure.Index, c *catalog.Catalog, o Options) *generator {
	g := &generator{ix: ix, args: compare.NewArguments(ix.Names, ix.Runs), c: c, o: o, cards: map[[2]string]*figure.Card{}, subjects: subjects(ix)}
	if o.Config != nil {
		g.conf = *o.Config
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

// drafts lists the functions that make pages, in the order of their paths' importance. Each is
// called when its turn comes, so that not all pages are held at once.
func (g *generator) drafts() []func() ([]*draft, error) {
	one := func(f func() *draft) func() ([]*draft, error) {
		return func() ([]*draft, error) { return []*draft{f()}, nil }
	}
	var fs []func() ([]*draft, error)
	fs = append(fs, one(g.home))
	for _, v := range g.allViews() {
		if v != g.front {
			fs = append(fs, one(func() *draft { return g.scorecardPage(v, nil) }))
		}
		for i := range v.parts {
			fs = append(fs, one(func() *draft { return g.scorecardPage(v, &v.parts[i]) }))
		}
	}
	fs = append(fs, one(g.modelsPage))
	for _, m := range g.ix.Models {
		fs = append(fs, one(func() *draft { return g.modelPage(m) }))
	}
	fs = append(fs, one(g.hardwarePage))
	for _, h := range g.ix.Hardware {
		fs = append(fs, one(func() *draft { return g.acceleratorPage(h) }))
	}
	fs = append(fs, one(g.enginesPage))
	for _, e := range g.ix.Engines {
		fs = append(fs, one(func() *draft { return g.enginePage(e) }))
	}
	for _, c := range g.ix.Cards {
		fs = append(fs, one(func() *draft { return g.cardPage(c) }))
	}
	fs = append(fs, one(g.comparePage))
	for _, c := range g.comparisons() {
		fs = append(fs, one(func() *draft { return g.pairPage(c) }))
	}
	fs = append(fs, one(g.rankingsPage))
	for _, p := range g.usedPresets() {
		fs = append(fs, one(func() *draft { return g.rankingPage(p) }))
	}
	fs = append(fs, one(g.runsPage))
	for _, r := range g.ix.Runs {
		fs = append(fs, func() ([]*draft, error) { return g.runPages(r) })
	}
	fs = append(fs, one(g.dataPage), one(g.methodologyPage), one(g.formatsPage), one(g.notFoundPage))
	return fs
}

// allViews are the scorecards of all classes and of whole runs.
func (g *generator) allViews() []*scoreView {
	var out []*scoreView
	for _, s := range g.class {
		out = append(out, s.views...)
	}
	return append(out, g.whole...)
}

// title is the name of the site.
func (g *generator) title() string { return cmp.Or(g.conf.Title, "inferdex") }

// base is the address of the home page with a slash at its end, "" where it is not known.
func (g *generator) base() string {
	b := page.WebAddress(g.conf.BaseURL)
	if b != "" && !strings.HasSuffix(b, "/") {
		b += "/"
	}
	return b
}

// previews says whether the site has link previews.
func (g *generator) previews() bool { return g.base() != "" && !g.o.NoPreviews }
