package view

import (
	"strings"
	"testing"

	"github.com/inferdex/inferdex/ingest/settings"
	"github.com/inferdex/inferdex/site/page"
)

// What is older than the catalog allows says so where it is read: on the page of the card, in its frame and in the list of
// runs. Nothing of it stands on a page where any age is allowed.
func TestStale(t *testing.T) {
	ix, c, o := testCatalog(t)
	marks := func(f settings.Freshness) (sections, frames, rows int) {
		ix.Freshen(f)
		for p, err := range pagesOf(ix, c, o) {
			if err != nil {
				t.Fatal(err)
			}
			v, _ := p.Params.(page.ReportView) // the home page has no sections
			for _, s := range v.Sections {
				if s.ID == "stale" {
					sections++
				}
			}
			if p.Path == page.PathRuns {
				var b strings.Builder
				if err := p.Fragments["runs"](&b); err != nil {
					t.Fatal(err)
				}
				rows = strings.Count(b.String(), ">stale<")
			}
			if p.Files == nil {
				continue
			}
			for f := range p.Files {
				if !strings.HasSuffix(f.Path, "/embed.html") {
					continue
				}
				var b strings.Builder
				if err := f.Write(&b); err != nil {
					t.Fatal(err)
				}
				frames += strings.Count(b.String(), "Stale: The newest run is of")
			}
		}
		return sections, frames, rows
	}
	if s, f, r := marks(settings.Freshness{}); s+f+r > 0 {
		t.Errorf("without a limit %d pages, %d frames and %d rows are stale", s, f, r)
	}
	s, f, r := marks(settings.Freshness{MaxAge: 1, AsOf: "2999-01-01"})
	undated := 0
	for _, c := range ix.Cards {
		if c.Stale == nil {
			undated++
		}
	}
	if s == 0 || s != f || s != len(ix.Cards)-undated || r == 0 {
		t.Errorf("of %d cards, %d without a day, %d pages, %d frames and %d rows are stale", len(ix.Cards), undated, s, f, r)
	}
}
