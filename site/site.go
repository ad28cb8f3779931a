package site

import (
	"io"
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
	days  map[string]string // the listed pages with the days of their newest runs, once Pages has come to its end
}

// New is the site of a catalog.
func New(ix *figure.Index, c *catalog.Catalog, o view.Options) *Site {
	return Again(ix, c, o, data.Last{})
}

// Again is the site of a catalog that had one before, of which something is known.
func Again(ix *figure.Index, c *catalog.Catalog, o view.Options, last data.Last) *Site {
	views := view.New(ix, c, o)
	return &Site{views: views, data: data.NewSet(views, last), o: o}
}

// Pages makes all pages, one after the other, but those that have a Page.Of: these are made by Page.Make. An error ends
// the sequence.
func (s *Site) Pages() iter.Seq2[*page.Page, error] {
	return func(yield func(*page.Page, error) bool) {
		days := map[string]string{}
		for _, p := range s.o.Written {
			days[p] = ""
		}
		s.data.Silence()
		for m, err := range s.views.Pages() {
			if err != nil {
				yield(nil, err)
				return
			}
			if m.Listed {
				days[m.Page.Path] = m.Modified
			}
			s.data.Follow(m.Page)
			if !yield(m.Page, nil) {
				return
			}
		}
		s.days = days
	}
}

// Files are what a site holds beside its pages and their charts: downloads, what scripts load,
// previews, badges, feeds, sitemap, robots.txt and the like. They are those of the pages that Pages
// made; before it, the pages are made here. An error ends the sequence.
func (s *Site) Files() iter.Seq2[page.File, error] {
	if s.o.Slice == nil {
		return s.files()
	}
	return func(yield func(page.File, error) bool) {
		for f, err := range s.files() {
			if err != nil || s.views.InSlice(f.Path, f.Of) {
				if !yield(f, err) {
					return
				}
			}
		}
	}
}

// WriteClaims writes the file of claims of what Pages made, in a slice those that it has.
func (s *Site) WriteClaims(w io.Writer) error { return s.data.WriteClaims(w) }

func (s *Site) files() iter.Seq2[page.File, error] {
	return func(yield func(page.File, error) bool) {
		if s.days == nil {
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
		for _, f := range slices.Concat(s.views.Redirects(), s.data.Plain(s.days)) {
			if !yield(f, nil) {
				return
			}
		}
	}
}
