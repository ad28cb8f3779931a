package view

import (
	"strings"
	"testing"

	"github.com/inferdex/inferdex/site/page"
	"github.com/inferdex/inferdex/site/sitetest"
)

// The raw records of a run can be read on the page of its model and of its card, not only on its own.
func TestRecordsOfModelsAndCards(t *testing.T) {
	ix, c, o := testCatalog(t)
	want := map[string]string{}
	for _, r := range ix.Runs {
		records, err := c.Raw(r.ID)
		if err != nil {
			t.Fatal(err)
		}
		if len(records) > 0 {
			want[page.PathModel(r.Model.Slug)] = r.ID
			want[page.PathCard(r.Card.Slug)] = r.ID
		}
	}
	seen := 0
	for p, err := range pagesOf(ix, c, o) {
		if err != nil {
			t.Fatal(err)
		}
		if id, wanted := want[p.Path]; wanted {
			seen++
			if f := p.Fragments["raw"]; f == nil {
				t.Errorf("%s has no records", p.Path)
			} else if s := sitetest.Spelt(t, f); !strings.Contains(s, "<pre") && !strings.Contains(s, "data-src=") {
				t.Errorf("%s shows no records, such as those of %s:\n%.500s", p.Path, id, s)
			}
		}
	}
	if seen == 0 || seen != len(want) {
		t.Errorf("%d of %d pages of models and cards were seen", seen, len(want))
	}
}
