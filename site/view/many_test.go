package view

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/record"
	"github.com/inferdex/inferdex/ingest/settings"
	"github.com/inferdex/inferdex/site/page"
	"github.com/inferdex/inferdex/site/sitetest"
)

// Of a card with years of nightly runs the newest stand in a table, and each of the others has a link.
func TestManyRunsOnACard(t *testing.T) {
	ix, _, o := testCatalog(t)
	i := slices.IndexFunc(ix.Cards, func(c *figure.Card) bool { return len(c.Runs) == 1 })
	const n = mostListed + 50
	c := &catalog.Catalog{}
	for k := range n {
		r := *ix.Cards[i].Runs[0].Run
		r.ID, r.Started = fmt.Sprintf("night%07d", k), fmt.Sprintf("20%02d-%02d-%02dT01:00:00Z", 10+k/336, 1+k/28%12, 1+k%28)
		r.Attributes = maps.Clone(r.Attributes)
		version := r.Attributes[record.FactEngineVersion]
		version.Value = fmt.Sprintf("0.%d.%d", k/100, k%100)
		r.Attributes[record.FactEngineVersion] = version
		c.Runs = append(c.Runs, &r)
	}
	many := figure.NewIndex(c, &settings.Names{})
	if len(many.Cards) != 1 || len(many.Cards[0].Runs) != n {
		t.Fatalf("%d cards, want one of %d runs", len(many.Cards), n)
	}
	for p, err := range pagesOf(many, c, o) {
		if err != nil {
			t.Fatal(err)
		}
		if p.Path != page.PathCard(many.Cards[0].Slug) {
			continue
		}
		facts := p.Params.(page.ReportView).Facts
		versions := facts[slices.IndexFunc(facts, func(f page.Fact) bool { return f.Name == "Engine versions" })].Parts
		if last := versions[len(versions)-1]; len(versions) != 2*13-1 || last.Text != fmt.Sprint(n-12, " others") || last.Href != "#runs" {
			t.Errorf("%d parts, the last %+v, want twelve versions and a link to the others", len(versions), last)
		}
		rows, linked := strings.Count(sitetest.Spelt(t, p.Fragments["runs"]), "</tr>")-1, map[string]bool{}
		for _, s := range p.Params.(page.ReportView).Sections {
			for _, block := range s.Blocks {
				for _, part := range block.Text {
					if s.ID == "older" && part.Href != "" {
						linked[part.Href] = true
					}
				}
			}
		}
		if rows != mostListed || len(linked) != n-mostListed {
			t.Errorf("%d rows and %d links, want %d and %d", rows, len(linked), mostListed, n-mostListed)
		}
		return
	}
	t.Error("the card has no page")
}
