package view_test

import (
	"path"
	"testing"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/settings"
	"github.com/inferdex/inferdex/site/page"
	"github.com/inferdex/inferdex/site/view"
)

// The page that reads files names what a browser loads by its bytes; where the program has no reader it says so, and
// nothing is loaded.
func TestCheckPage(t *testing.T) {
	shown := func(r *view.Reader) (v page.DropView, files []page.File) {
		names, _ := settings.LoadNames()
		c := &catalog.Catalog{}
		g := view.New(figure.NewIndex(c, names), c, view.Options{Reader: r})
		for m, err := range g.Pages() {
			if err != nil {
				t.Fatal(err)
			}
			if m.Page.Path != view.PathCheck {
				continue
			}
			made := m.Page
			if made.Params == nil {
				if made, err = made.Make(); err != nil {
					t.Fatal(err)
				}
			}
			v = made.Params.(page.DropView)
		}
		return v, g.ReaderFiles()
	}
	v, files := shown(nil)
	if v.Reader != nil || len(files) != 0 || v.Sections[0].ID != "without" {
		t.Errorf("without a reader: %+v, %d files, %+v", v.Reader, len(files), v.Sections)
	}
	one := view.Reader{Module: []byte("module"), Starter: []byte("starter"), Names: []byte("names")}
	other := one
	other.Names = []byte("other names")
	a, files := shown(&one)
	b, _ := shown(&other)
	if len(files) != 3 || a.Reader == nil || a.Reader.Module != b.Reader.Module || a.Reader.Names == b.Reader.Names {
		t.Fatalf("%d files, %+v and %+v", len(files), a.Reader, b.Reader)
	}
	for i, href := range []string{a.Reader.Module, a.Reader.Starter, a.Reader.Names} {
		if to := path.Join(view.PathCheck, href); to != files[i].Path {
			t.Errorf("%q leads to %q, want %q", href, to, files[i].Path)
		}
	}
}
