package view

import (
	"io"
	"iter"
	"strings"

	"github.com/inferdex/inferdex/ingest/claim"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/site/chart"
	"github.com/inferdex/inferdex/site/page"
)

// kind is a kind of page.
type kind struct {
	// name is that of its layout.
	name string
	// charts says that its charts are files too, unlisted that it is not in the sitemap, late that its fragments
	// need all pages.
	charts, unlisted, late bool
	// pages are the functions that make its pages. Each is called when its turn comes, so that not
	// all pages are held at once. Nil for a kind whose pages come with those of another.
	pages func(*Site) []func() (*draft, error)
}

// kinds are all kinds of page, in the order of the site.
var kinds = []kind{
	{name: "home", pages: one((*Site).home)},
	{name: "scorecard", pages: (*Site).scorecardPages},
	{name: "models", pages: one((*Site).modelsPage)},
	{name: "model", charts: true, pages: each(func(g *Site) []*figure.Model { return g.Index.Models },
		(*Site).modelPage)},
	{name: "hardware", pages: one((*Site).hardwarePage)},
	{name: "accelerator", charts: true, pages: each(func(g *Site) []*figure.Hardware { return g.Index.Hardware },
		(*Site).acceleratorPage)},
	{name: "engines", pages: one((*Site).enginesPage)},
	{name: "engine", charts: true, pages: each(func(g *Site) []*figure.Engine { return g.Index.Engines },
		(*Site).enginePage)},
	{name: "card", charts: true, pages: each(func(g *Site) []*figure.Card { return g.Index.Cards }, (*Site).cardPage)},
	{name: "comparisons", pages: one((*Site).comparePage)},
	{name: "compare", pages: each(func(g *Site) []*comparison { return g.pairs.paged() }, (*Site).pairPage)},
	{name: "rankings", pages: one((*Site).rankingsPage)},
	{name: "ranking", pages: each((*Site).UsedPresets, (*Site).rankingPage)},
	{name: "runs", pages: one((*Site).runsPage)},
	{name: "run", charts: true, pages: (*Site).allRunPages},
	{name: "records", unlisted: true},
	{name: "data", late: true, pages: one((*Site).dataPage)},
	{name: "unidentified", pages: (*Site).unidentifiedPages},
	{name: "methodology", pages: one((*Site).methodologyPage)},
	{name: "formats", pages: one((*Site).formatsPage)},
	{name: "notfound", unlisted: true, pages: one((*Site).notFoundPage)},
}

// Kinds are the names of all kinds of page, each that of its layout, in the order of the site.
func Kinds() []string {
	var out []string
	for _, k := range kinds {
		out = append(out, k.name)
	}
	return out
}

// one is a kind of which there is one page.
func one(f func(*Site) *draft) func(*Site) []func() (*draft, error) {
	return each(func(g *Site) []*Site { return []*Site{g} }, func(g, _ *Site) *draft { return f(g) })
}

// each is a kind of which there is a page for each of some things.
func each[T any](list func(*Site) []T, f func(*Site, T) *draft) func(*Site) []func() (*draft, error) {
	return func(g *Site) []func() (*draft, error) {
		var out []func() (*draft, error)
		for _, x := range list(g) {
			out = append(out, func() (*draft, error) { return f(g, x), nil })
		}
		return out
	}
}

// scorecardPages are the scorecards but the one on the home page, and the parts of large ones.
func (g *Site) scorecardPages() []func() (*draft, error) {
	var out []func() (*draft, error)
	add := func(v *scoreView, part *scorePart) {
		out = append(out, func() (*draft, error) { return g.scorecardPage(v, part), nil })
	}
	for _, v := range g.scores.views() {
		if v != g.scores.front {
			add(v, nil)
		}
		for i := range v.parts {
			add(v, &v.parts[i])
		}
	}
	return out
}

// allRunPages are the pages of all runs, each with those of its parts that are too large to stand on it.
func (g *Site) allRunPages() []func() (*draft, error) {
	var out []func() (*draft, error)
	for _, r := range g.Index.Runs {
		out = append(out, func() (*draft, error) { return g.runPage(r) })
		if len(r.Points) > maxAcross && len(acrossList(r)) > 0 {
			out = append(out, func() (*draft, error) { return g.acrossPage(r), nil })
		}
		if g.manySources(r) {
			out = append(out, func() (*draft, error) { return g.sourcesPage(r), nil })
		}
	}
	return out
}

// Made is a page with what stands elsewhere of it.
type Made struct {
	Page *page.Page
	// Listed says whether the page stands in the sitemap.
	Listed bool
	// Modified is the day of the newest run on the page, "" where it is not known.
	Modified string
	// Said are the sentences that the page states of numbers.
	Said []claim.Sentence
}

// Pages makes all pages, one after the other. An error ends the sequence.
func (g *Site) Pages() iter.Seq2[Made, error] {
	return func(yield func(Made, error) bool) {
		of := map[string]kind{}
		for _, k := range kinds {
			of[k.name] = k
		}
		for _, k := range kinds {
			if k.pages == nil {
				continue
			}
			for _, f := range k.pages(g) {
				d, err := f()
				if err != nil {
					yield(Made{}, err)
					return
				}
				k := of[d.page.Kind]
				finished := func(d *draft) *page.Page {
					if k.charts {
						d.page.Files = charts(d.svgs, d.files, g.Options.PNG)
					}
					d.page.Late = k.late
					return d.page
				}
				m := Made{Page: finished(d), Listed: !k.unlisted, Modified: d.modified, Said: d.said}
				m.Page.Make = func() (*page.Page, error) {
					d, err := f()
					if err != nil {
						return nil, err
					}
					return finished(d), nil
				}
				if !yield(m, nil) {
					return
				}
			}
		}
	}
}

// charts are the files of a page's charts, with png each as a picture of pixels too, behind its other files.
func charts(groups []svgGroup, files []page.File, png bool) iter.Seq[page.File] {
	return func(yield func(page.File) bool) {
		for _, f := range files {
			if !yield(f) {
				return
			}
		}
		for _, s := range groups {
			cs := s.charts()
			for i, path := range s.paths[:min(len(s.paths), len(cs))] {
				if !yield(page.File{Path: path, Write: func(w io.Writer) error {
					return cs[i].SVG(w, chart.Options{Size: chart.Wide, SelfContained: true})
				}}) {
					return
				}
				if png &&
					!yield(page.File{Path: strings.TrimSuffix(path, ".svg") + ".png", Write: func(w io.Writer) error {
						return cs[i].PNG(w, chart.Options{Size: chart.Wide, Titled: true, Density: 2})
					}}) {
					return
				}
			}
		}
	}
}

// unidentifiedPages is one page where there are runs without model or hardware.
func (g *Site) unidentifiedPages() []func() (*draft, error) {
	if len(g.Index.Unidentified()) == 0 {
		return nil
	}
	return one((*Site).unidentifiedPage)(g)
}
