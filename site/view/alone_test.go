package view

import (
	"slices"
	"strings"
	"testing"

	"github.com/inferdex/inferdex/site/page"
	"github.com/inferdex/inferdex/site/sitetest"
)

// Whatever a run's page leaves to its card stands there: each section it names, and with it the charts and their files.
func TestAloneOnCard(t *testing.T) {
	ix, c, o := testCatalog(t)
	pages := map[string]*page.Page{}
	for p, err := range pagesOf(ix, c, o) {
		if err != nil {
			t.Fatal(err)
		}
		pages[p.Path] = p
	}
	section := func(path, id string) *page.Section {
		list := pages[path].Params.(page.ReportView).Sections
		i := slices.IndexFunc(list, func(s page.Section) bool { return s.ID == id })
		if i < 0 {
			return nil
		}
		return &list[i]
	}
	alone, named, charts, small := 0, 0, 0, 0
	for _, r := range ix.Runs {
		path := PathRun(r.ID)
		left := section(path, "on-card")
		drawn := slices.ContainsFunc([]string{"says", "throughput", "latency", "depth", "summary", "efficiency", "system"},
			func(id string) bool { return section(path, id) != nil })
		if !aloneOnCard(r) {
			if left != nil {
				t.Errorf("%s leaves its charts to a card that has other runs", path)
			}
			continue
		}
		_, ofRun, _ := ChartOf(ix, c, o, r.ID, "")
		_, ofCard, _ := ChartOf(ix, c, o, r.Card.Slug, "")
		for _, name := range ofCard {
			if !slices.Contains(ofRun, name) {
				t.Errorf("run %s has the charts %v, its card %v", r.ID, ofRun, ofCard)
			}
		}
		charts += len(ofRun)
		if alone++; drawn {
			t.Errorf("%s says what its card says", path)
		}
		if records, err := c.Raw(r.ID); err != nil {
			t.Error(err)
		} else if len(records) > 0 && RawParts(records) == nil {
			small++
			ofRun := sitetest.Spelt(t, pages[path].Fragments["raw"])
			ofCard := sitetest.Spelt(t, pages[page.PathCard(r.Card.Slug)].Fragments["raw"])
			if strings.Contains(ofRun, "<pre") || strings.Count(ofCard, "data-lines=") != 1 {
				t.Errorf("the records of %s are not once, on its card:\n%s\n%s", path, ofRun, ofCard)
			}
			to := page.Place(path).To(page.PathCard(r.Card.Slug), "records")
			if !strings.Contains(ofRun, `id="records"`) || !strings.Contains(ofRun, `"`+to+`"`) {
				t.Errorf("%s does not lead to its records on its card:\n%s", path, ofRun)
			}
		}
		if left == nil {
			continue
		}
		said := left.Blocks[0].Text
		if said[0].Href != page.Place(path).To(page.PathCard(r.Card.Slug), "") {
			t.Errorf("%s leads to %s, not to its card", path, said[0].Href)
		}
		_, names, _ := strings.Cut(said[1].Text, ": ")
		for _, name := range strings.Split(strings.TrimSuffix(names, "."), "; ") {
			if named++; !slices.ContainsFunc(pages[page.PathCard(r.Card.Slug)].Params.(page.ReportView).Sections,
				func(s page.Section) bool { return s.Title == name || strings.HasPrefix(s.Title, name+", ") }) {
				t.Errorf("%s names %q, which its card does not have", path, name)
			}
		}
	}
	if alone == 0 || named == 0 || charts == 0 || small == 0 {
		t.Errorf("%d runs are alone on their cards, with %d sections, %d charts and %d with few records", alone, named,
			charts, small)
	}
}
