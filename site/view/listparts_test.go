package view

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/site/page"
	"github.com/inferdex/inferdex/site/sitetest"
)

// Pages of a list have all its rows, each once and in order. What comes in front changes the first page alone.
func TestListParts(t *testing.T) {
	list := func(n int) []int {
		out := make([]int, n)
		for i := range out {
			out[i] = n - i
		}
		return out
	}
	for _, n := range []int{0, 1, mostRows - 1, mostRows, 2*mostRows - 1, 2 * mostRows, 2*mostRows + 1, 1234, 5 * mostRows} {
		all := listParts("runs", list(n))
		var rows []int
		for i, p := range all {
			if p.begin != len(rows) {
				t.Errorf("%d rows: page %s begins at %d, want %d", n, p.path, p.begin, len(rows))
			}
			if rows = append(rows, p.rows...); i > 0 && len(p.rows) != mostRows || len(p.rows) >= 2*mostRows {
				t.Errorf("%d rows: page %s has %d", n, p.path, len(p.rows))
			}
		}
		if !slices.Equal(rows, list(n)) {
			t.Errorf("%d rows: pages have %v", n, rows)
		}
		more := listParts("runs", list(n+1))
		for i := range all[1:] {
			was, is := all[len(all)-1-i], more[len(more)-1-i]
			if was.path != is.path || !slices.Equal(was.rows, is.rows) {
				t.Errorf("%d rows: one more changes page %s", n, was.path)
			}
		}
	}
}

// Every run and every model of a large catalog stands on a page of its list. Pages have titles of their own and lead to
// one another. A newer run of a known model changes neither what an older page of runs is made of nor that page.
func TestListsOfManyRuns(t *testing.T) {
	const n = 2*mostRows + 50
	older := page.PathRuns + "/page/1"
	made, of := map[string]string{}, map[string]string{}
	for _, runs := range []int{n, n + 1} {
		c, known := &catalog.Catalog{}, map[string]string{}
		for i := range runs {
			r := sitetest.LimitedRun(fmt.Sprintf("run%09d", i), "Card A", 1, false, [4]float64{8, float64(100 + i), 0.2, 0.01})
			r.Identity.Model = fmt.Sprintf("m/m%d-7b", i%n)
			if r.Attributes["model"] = (catalog.Attribute{Value: r.Identity.Model}); i > 2 {
				r.Started = fmt.Sprintf("%04d-01-%02d", 2000+i/28, i%28+1)
			}
			known[r.ID] = r.ID
			c.Runs = append(c.Runs, r)
		}
		g := New(figure.NewIndex(c, sitetest.Names(t)), c, Options{Origins: Origins{Rest: "rest", Runs: known}})
		for _, kind := range []string{"runs", "models"} {
			rows, titles := 0, map[string]bool{}
			for _, m := range kindOfPage(kind).pages(g) {
				d, err := m.page()
				if err != nil {
					t.Fatal(err)
				}
				var b strings.Builder
				if err := d.page.Fragments[kind](&b); err != nil {
					t.Fatal(err)
				}
				rows += strings.Count(b.String(), "<tr\n role=row>")
				titles[d.page.Title] = true
				for _, s := range d.sections {
					fmt.Fprint(&b, s.Blocks)
				}
				text, lead := b.String(), page.Place(d.page.Path).To(kind+"/page/1", "")
				if m.path != "" {
					lead = page.Place(m.path).To(kind, "")
				}
				if !strings.Contains(text, lead) {
					t.Errorf("%d runs: %s does not lead to %s", runs, d.page.Path, lead)
				}
				if d.page.Path == older && runs > n && (text != made[older] || m.of != of[older] || m.of == "") {
					t.Errorf("a newer run changes %s: made of %q, was of %q", older, m.of, of[older])
				}
				made[d.page.Path], of[d.page.Path] = text, m.of
			}
			if want := map[string]int{"runs": runs, "models": n}[kind]; rows != want || len(titles) != 2 {
				t.Errorf("%d runs: %d rows in the list of %s on pages of %d titles, want %d on 2", runs, rows, kind, len(titles), want)
			}
		}
	}
}

// A row names mostBeside other accelerators, and leads to the page of its model for the others.
func TestManyBeside(t *testing.T) {
	c := &catalog.Catalog{}
	for i := range mostBeside + 4 {
		c.Runs = append(c.Runs, sitetest.LimitedRun(fmt.Sprint("r", i), fmt.Sprintf("Card %02d", i), 1, false,
			[4]float64{8, float64(100 + i), 0.2, 0.01}))
	}
	g := New(figure.NewIndex(c, sitetest.Names(t)), c, Options{})
	all := g.modelsList()
	parts := g.modelsPage(all, 0).beside(all[0].rows[0].best, "models/x-7b")
	if last := parts[len(parts)-1]; last.Text != "3 more" || last.Href != "x-7b/index.html" {
		t.Errorf("the row ends with %+v, want a link to 3 more", last)
	}
}
