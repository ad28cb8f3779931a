package view

import (
	"slices"
	"strings"
	"testing"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/site/sitetest"
)

// The list of models stands in several orders: by size under headings, by name, and by each figure and date that any of
// them has.
func TestModelOrders(t *testing.T) {
	run := func(id, model, day string, load, output, ttft, tpot float64) *catalog.Run {
		r := sitetest.LimitedRun(id, "Card A", 1, false, [4]float64{load, output, ttft, tpot})
		r.Identity.Model, r.Started = model, day
		r.Attributes["model"] = catalog.Attribute{Value: model}
		return r
	}
	c := &catalog.Catalog{Runs: []*catalog.Run{run("r1", "m/big-70b", "2025-01-02", 8, 100, 0.2, 0.01),
		run("r2", "m/small-1b", "", 8, 300, 0.8, 0.02), run("r3", "m/middle-7b", "2025-01-04", 8, 200, 0.4, 0.04),
		run("r4", "m/also-7b", "2025-01-03", 8, 250, 1.6, 0.005)}}
	ix := figure.NewIndex(c, sitetest.Names(t))
	g := New(ix, c, Options{})
	all := g.modelsList()
	d := g.modelsPage(all, 0)
	want := map[string]string{
		"by-size":   "small-1b also-7b middle-7b big-70b",
		"by-name":   "also-7b big-70b middle-7b small-1b",
		"by-output": "small-1b also-7b middle-7b big-70b",
		"by-user":   "also-7b big-70b small-1b middle-7b",
		"by-ttft":   "big-70b middle-7b small-1b also-7b",
		"by-date":   "middle-7b also-7b big-70b small-1b",
	}
	for _, o := range d.inOrders(all[0]) {
		var got, heads []string
		for _, r := range o.Table.Rows {
			got = append(got, r.Cells[0].Text)
		}
		for _, p := range o.Table.Parts {
			heads = append(heads, p.Title+": "+p.Note)
		}
		if strings.Join(got, " ") != want[o.ID] {
			t.Errorf("%s: %q, want %s", o.ID, got, want[o.ID])
		}
		if parts := []string{"Below 5\u202fB: 1 model", "5 to 10\u202fB: 2 models", "30 to 100\u202fB: 1 model"}; o.ID ==
			"by-size" && !slices.Equal(heads, parts) {
			t.Errorf("headings %q, want %q", heads, parts)
		}
		sorted := 0
		for _, col := range o.Table.Columns {
			if col.Sorted != "" {
				sorted++
			}
			if o.ID == "by-name" && col.Title == ttftTitle && col.Href != "#by-ttft" {
				t.Errorf("the heading of TTFT leads to %q", col.Href)
			}
		}
		if by := map[bool]int{true: 0, false: 1}[o.ID == "by-size"]; sorted != by {
			t.Errorf("%s: %d columns are said to be in order, want %d", o.ID, sorted, by)
		}
		delete(want, o.ID)
	}
	if len(want) > 0 {
		t.Errorf("no order %v", want)
	}
}
