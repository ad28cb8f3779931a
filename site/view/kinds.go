package view

import (
	"cmp"
	"io"
	"iter"
	"path"
	"slices"
	"sync"

	"github.com/inferdex/inferdex/ingest/claim"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
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
	// pages are its pages. Each is made when its turn comes, so that not all pages are held at once. Nil for a kind
	// whose pages come with those of another.
	pages func(*Site) []making
}

// making makes a page.
type making struct {
	page func() (*draft, error)
	// of is the digest of all that the page is made of, "" where that is not known. Where it is known, path is that of
	// the page, kind its kind, modified the day of the newest run on it, and head its title and its description.
	of, path, kind, modified string
	head                     func() (string, page.Said)
}

// from are pages of a kind with what is known of each before it is made.
func from[T any](list func(*Site) []T, f func(*Site, T) *draft, about func(*Site, T) making) func(*Site) []making {
	return func(g *Site) []making {
		var out []making
		for _, x := range list(g) {
			m := about(g, x)
			m.page = func() (*draft, error) { return f(g, x), nil }
			out = append(out, m)
		}
		return out
	}
}

func aboutModel(g *Site, m *figure.Model) making {
	return making{path: page.PathModel(m.Slug), of: g.OfModel(m), modified: newest(m.Runs()...),
		head: func() (string, page.Said) { return g.modelTitle(m), page.Say(modelTally(m)) }}
}

func aboutCard(g *Site, c *figure.Card) making {
	return making{path: page.PathCard(c.Slug), of: g.OfCard(c), modified: newest(c.Runs...),
		head: func() (string, page.Said) { return c.Title(), page.Say(cardTally(c)) }}
}

func aboutAccelerator(g *Site, h *figure.Hardware) making {
	return making{path: page.PathAccelerator(h.Slug), of: g.ofHardware(h), modified: newest(h.Runs()...),
		head: func() (string, page.Said) { return g.acceleratorTitle(h), page.Say(acceleratorAbout(h)) }}
}

func aboutPair(g *Site, c *comparison) making {
	return making{path: pathPair(c.Slug), of: g.OfRun(c.base.Run), modified: newest(c.base.Run, c.other.Run),
		head: func() (string, page.Said) { return c.title, c.description() }}
}

// kinds are all kinds of page, in the order of the site.
var kinds = []kind{
	{name: "home", pages: one((*Site).home)},
	{name: "scorecard", pages: (*Site).scorecardPages},
	{name: "scorecards", pages: (*Site).scorecardIndex},
	{name: "models", pages: (*Site).modelsPages},
	{name: "model", charts: true, pages: from(func(g *Site) []*figure.Model { return g.Index.Models },
		(*Site).modelPage, aboutModel)},
	{name: "hardware", pages: one((*Site).hardwarePage)},
	{name: "accelerator", charts: true, pages: from(func(g *Site) []*figure.Hardware { return g.Index.Hardware },
		(*Site).acceleratorPage, aboutAccelerator)},
	{name: "engines", pages: one((*Site).enginesPage)},
	{name: "engine", charts: true, pages: each(func(g *Site) []*figure.Engine { return g.Index.Engines },
		(*Site).enginePage)},
	{name: "card", charts: true, pages: from(func(g *Site) []*figure.Card { return g.Index.Cards }, (*Site).cardPage,
		aboutCard)},
	{name: "comparisons", pages: one((*Site).comparePage)},
	{name: "compare", pages: (*Site).pairPages},
	{name: "rankings", pages: one((*Site).rankingsPage)},
	{name: "ranking", pages: each((*Site).UsedPresets, (*Site).rankingPage)},
	{name: "runs", pages: (*Site).runsPages},
	{name: "run", charts: true, pages: (*Site).allRunPages},
	{name: "records", unlisted: true},
	{name: "gone", unlisted: true, pages: each((*Site).goneList, (*Site).gonePage)},
	{name: "data", late: true, pages: one((*Site).dataPage)},
	{name: "unidentified", pages: (*Site).unidentifiedPages},
	{name: "methodology", pages: one((*Site).methodologyPage)},
	{name: "formats", pages: one((*Site).formatsPage)},
	{name: "check", pages: one((*Site).checkPage)},
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
func one(f func(*Site) *draft) func(*Site) []making {
	return each(func(g *Site) []*Site { return []*Site{g} }, func(g, _ *Site) *draft { return f(g) })
}

// each is a kind of which there is a page for each of some things.
func each[T any](list func(*Site) []T, f func(*Site, T) *draft) func(*Site) []making {
	return func(g *Site) []making {
		var out []making
		for _, x := range list(g) {
			out = append(out, making{page: func() (*draft, error) { return f(g, x), nil }})
		}
		return out
	}
}

// scorecardPages are the scorecards but the one on the home page, and the parts of large ones.
func (g *Site) scorecardPages() []making {
	var out []making
	add := func(v *scoreView, part *scorePart) {
		out = append(out, making{page: func() (*draft, error) { return g.scorecardPage(v, part), nil }})
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

// scorecardIndex is the list of all scorecards, where there is one.
func (g *Site) scorecardIndex() []making {
	if g.scores.front == nil {
		return nil
	}
	return one((*Site).scorecardsPage)(g)
}

// allRunPages are the pages of all runs, each with those of its parts that are too large to stand on it.
func (g *Site) allRunPages() []making {
	var out []making
	for _, r := range g.Index.Runs {
		add := func(path, kind, title string, about func(*figure.Run) claim.Sentence, f func() (*draft, error)) {
			out = append(out, making{page: f, path: path, kind: kind, of: g.OfRun(r),
				head: func() (string, page.Said) { return title, page.Say(about(r)) }})
		}
		more := func(all []span, what string, f func(*Site, *figure.Run, int) *draft) {
			for i, s := range all {
				if i > 0 {
					add(s.path, "records", spanTitle(r, s, what),
						func(r *figure.Run) claim.Sentence { return spanAbout(r, s, what) },
						func() (*draft, error) { return f(g, r, i), nil })
				}
			}
		}
		add(PathRun(r.ID), "run", runTitle(r), runTally, func() (*draft, error) { return g.runPage(r) })
		if len(r.Points) > maxAcross && len(acrossList(r)) > 0 {
			add(pathAcross(r), "records", acrossTitle(r), acrossAbout,
				func() (*draft, error) { return g.acrossPage(r, 0), nil })
			more(acrossSpans(r), acrossName, (*Site).acrossPage)
		}
		if len(r.Points) > mostTogether/3 {
			more(g.placesOf(r).spans, pointsName, (*Site).pointsPage)
			more(summarySpans(r, pathSummary(r), summarized(r)), summaryName, (*Site).summaryPage)
		}
		for _, info := range metric.Shown(metric.Spread) {
			if list := spreads(r, info.ID); len(list) > mostSpreads {
				more(distributionSpans(r, info.ID, list), distributionName(info),
					func(g *Site, r *figure.Run, i int) *draft { return g.distributionPage(r, info, i) })
			}
		}
		if g.manySources(r) {
			add(g.pathSources(r), "records", sourcesTitle(r), sourcesAbout,
				func() (*draft, error) { return g.sourcesPage(r), nil })
			more(g.sourceSpans(r), sourcesName, (*Site).moreSourcesPage)
		}
	}
	return out
}

// pairPages are the pages of all pairs that have one, each with those of further loads.
func (g *Site) pairPages() []making {
	var out []making
	for _, c := range g.pairs.paged() {
		m := aboutPair(g, c)
		m.page = func() (*draft, error) { return g.pairPage(c), nil }
		out = append(out, m)
		x, _, ok := c.main()
		if !ok || len(x.Loads) <= mostTogether {
			continue
		}
		for i, s := range loadSpans(c, x)[1:] {
			out = append(out, making{path: s.path, kind: "records", of: m.of, modified: m.modified,
				page: func() (*draft, error) { return g.pairLoadsPage(c, i+1), nil },
				head: func() (string, page.Said) {
					title, about := pairLoadsHead(c, s)
					return title, page.Say(about)
				}})
		}
	}
	return out
}

// Made is a page with what stands elsewhere of it.
type Made struct {
	// Page is there until the next page is asked for.
	Page *page.Page
	// Listed says whether the page stands in the sitemap.
	Listed bool
	// Modified is the day of the newest run on the page, "" where it is not known.
	Modified string
	// stated tells Beside once what the page states.
	stated sync.Once
}

// Pages makes all pages, one after the other, but those whose Page.Of says what they are made of. An error ends the
// sequence.
func (g *Site) Pages() iter.Seq2[*Made, error] {
	return func(yield func(*Made, error) bool) {
		for _, k := range kinds {
			if k.pages == nil {
				continue
			}
			for _, f := range k.pages(g) {
				if !g.InSlice(f.path, f.of) {
					continue
				}
				m := &Made{}
				if f.of == "" {
					p, err := g.make(f, m)
					if err != nil {
						yield(nil, err)
						return
					}
					m.Page = p
				} else {
					kind := cmp.Or(f.kind, k.name)
					m.Page, m.Modified = &page.Page{Path: f.path, Kind: kind, Of: f.of, Head: f.head}, f.modified
					m.Listed = !kindOfPage(kind).unlisted
				}
				m.Page.Make = func() (*page.Page, error) { return g.make(f, m) }
				if !yield(m, nil) {
					return
				}
				m.Page = nil // A page that is made again is not held until then.
			}
		}
	}
}

// InSlice says whether a page or file is made that is made of what the digest of says, "" for the whole catalog.
func (g *Site) InSlice(path, of string) bool {
	return g.Options.Slice == nil || of != "" && g.Options.Slice(path)
}

// make makes a page, and at first tells what it states and, where that was not known before, notes in m what stands
// elsewhere of it.
func (g *Site) make(f making, m *Made) (*page.Page, error) {
	d, err := f.page()
	if err != nil {
		return nil, err
	}
	k := kindOfPage(d.page.Kind)
	if k.charts {
		d.page.Files = charts(d.svgs, d.files, g.Options.PNG)
	}
	d.page.Late, d.page.Of = k.late, f.of
	m.stated.Do(func() {
		if f.of == "" {
			m.Listed, m.Modified = !k.unlisted, d.modified
		}
		if g.Beside.Stated != nil {
			g.Beside.Stated(d.page.Path, d.said)
		}
	})
	return d.page, nil
}

// kindOfPage is the kind of that name.
func kindOfPage(name string) kind {
	return kinds[slices.IndexFunc(kinds, func(k kind) bool { return k.name == name })]
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
			cs := s.drawn()
			if len(cs) > 0 && !yield(page.File{Path: s.path, Write: func(w io.Writer) error { return s.write(w, cs) }}) {
				return
			}
			for i, c := range cs {
				if png &&
					!yield(page.File{Path: path.Join(path.Dir(s.path), s.names[i]+".png"), Write: func(w io.Writer) error {
						return c.PNG(w, chart.Options{Size: chart.Wide, Titled: true, Density: 2})
					}}) {
					return
				}
			}
		}
	}
}

// unidentifiedPages is one page where there are runs without model or hardware.
func (g *Site) unidentifiedPages() []making {
	if len(g.Index.Unidentified()) == 0 {
		return nil
	}
	return one((*Site).unidentifiedPage)(g)
}

// runsPages are the list of all runs, the newest first, and its further pages.
func (g *Site) runsPages() []making {
	all := listParts(page.PathRuns, g.Index.Runs)
	var out []making
	for i, p := range all {
		m := making{page: func() (*draft, error) { return g.runsPage(all, i), nil }}
		if i > 0 {
			m.path, m.of, m.modified = p.path, g.ofRuns(all, i), newest(p.rows...)
			m.head = func() (string, page.Said) { return runsTitle(p), page.Say(runsAbout(p)) }
		}
		out = append(out, m)
	}
	return out
}

// modelsPages are the list of all models and its further pages.
func (g *Site) modelsPages() []making {
	all := g.modelsList()
	var out []making
	for i := range all {
		out = append(out, making{page: func() (*draft, error) { return g.modelsPage(all, i), nil }})
	}
	return out
}
