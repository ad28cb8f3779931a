package site

import (
	"iter"
	"slices"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/site/data"
	"github.com/inferdex/inferdex/site/page"
	"github.com/inferdex/inferdex/site/view"
)

// Site is the pages of a catalog and the files beside them.
type Site struct {
	views *view.Site
	data  *data.Set
	o     view.Options
	made  []view.Made // what Pages made, once it has come to its end
}

// New is the site of a catalog.
func New(ix *figure.Index, c *catalog.Catalog, o view.Options) *Site {
	views := view.New(ix, c, o)
	return &Site{views: views, data: data.NewSet(views), o: o}
}

// Pages makes all pages, one after the other. An error ends the sequence.
func (s *Site) Pages() iter.Seq2[*page.Page, error] {
	return func(yield func(*page.Page, error) bool) {
		var made []view.Made
		s.data.Silence()
		for m, err := range s.views.Pages() {
			if err != nil {
				yield(nil, err)
				return
			}
			s.data.State(m.Page.Path, m.Said)
			m.Said = nil
			made = append(made, m)
			if !yield(m.Page, nil) {
				return
			}
		}
		s.made = made
	}
}

// Files are what a site holds beside its pages: downloads, a file for each chart of cards, runs,
// models, accelerators and engines, what scripts load, previews, badges, feeds, sitemap, robots.txt
// and the like. They are those of the pages that Pages made; before it, the pages are made here. An
// error ends the sequence.
func (s *Site) Files() iter.Seq2[page.File, error] {
	return func(yield func(page.File, error) bool) {
		if s.made == nil {
			for _, err := range s.Pages() {
				if err != nil {
					yield(page.File{}, err)
					return
				}
			}
		}
		for _, f := range s.data.Downloads() {
			if !yield(f.File, nil) {
				return
			}
		}
		days := map[string]string{}
		for _, p := range s.o.Written {
			days[p] = ""
		}
		for _, m := range s.made {
			if m.Listed {
				days[m.Page.Path] = m.Modified
			}
			for f := range m.Charts(s.o.PNG) {
				if !yield(f, nil) {
					return
				}
			}
		}
		for f, err := range s.data.Files() {
			if !yield(f, err) {
				return
			}
		}
		for f := range s.views.Previews() {
			if !yield(f, nil) {
				return
			}
		}
		for _, f := range slices.Concat(s.views.Redirects(), s.data.Plain(days)) {
			if !yield(f, nil) {
				return
			}
		}
	}
}
