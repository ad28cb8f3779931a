package view

import (
	"cmp"
	"strings"

	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/site/page"
)

// sourcesPage lists the source files of a run of many.
func (g *Site) sourcesPage(r *figure.Run) *draft {
	title := r.Card.Title() + ", run " + r.ID + ": source files"
	d := g.draft(pathSources(r), "records", "models", title, "The "+page.Plural(len(r.Sources), "file", "files")+" that run "+r.ID+" was read from, with their digests.")
	d.view.Heading = "Source files"
	d.view.Crumbs = append(d.crumbsTo(r), page.Link{Text: "run " + r.ID, Href: d.Place.To(PathRun(r.ID), "provenance")}, page.Link{Text: "source files"})
	d.view.Lede = page.Text("The " + page.Plural(len(r.Sources), "file", "files") + " that this run was read from, with their digests.")
	d.section("sources", "Source files", d.table("sources", func() *page.Grid { return d.sourcesTable(r) }))
	return d.done()
}

// sourcesTable lists the files a run was read from: where they are published, by whom and under
// which licence.
func (d *draft) sourcesTable(r *figure.Run) *page.Grid {
	t := &page.Grid{Caption: "Source files", Class: "prov compact", Columns: []page.Column{{Title: "File"}, {Title: "Format"}, {Title: "SHA-256"}, {Title: "Published as"}, {Title: "Licence"}}}
	points := map[string][]pointRow{}
	if manySources(r) {
		t.Columns = append(t.Columns, page.Column{Title: "Points"})
		for _, s := range r.Scenarios {
			for _, p := range s.Measured {
				points[p.At.Source] = append(points[p.At.Source], pointRow{s, p})
			}
		}
	}
	seen := map[string]bool{}
	for _, s := range r.Sources {
		// The same bytes may lie at two paths: links lead to the first.
		id := "src-" + s.ID()
		if seen[id] {
			id = ""
		}
		seen["src-"+s.ID()] = true
		c := page.Cell{Text: s.Title, Href: page.WebAddress(s.Address), Class: "wrap-any", Sub: s.Date}
		if s.Title == "" && s.Address != "" {
			c.Text = s.Address
		}
		if s.CI != nil {
			if u := page.WebAddress(s.CI.URL); u != "" && c.Href == "" {
				c.Text, c.Href = cmp.Or(s.CI.Workflow, "CI run"), u
			}
			if s.CI.Commit != "" {
				c.Sub = strings.TrimSpace(c.Sub + " commit " + s.CI.Commit)
			}
		}
		if c.Text == "" {
			c = page.Missing("not recorded")
		}
		lic := page.Cell{Text: s.License}
		if s.License == "" {
			lic = page.Missing("not recorded")
		}
		rw := page.Row{ID: id, Cells: []page.Cell{{Text: s.Path, Head: true, Class: "wrap-any"}, {Text: s.Format, Class: "nw"}, {Text: s.ID(), Code: true, Exact: s.SHA256, Class: "nw"}, c, lic}}
		if manySources(r) {
			// Each point's anchor stands here too; the first file of equal ones has it.
			ps := points[s.ID()]
			delete(points, s.ID())
			rw.Cells = append(rw.Cells, page.Cell{Class: "wrap-any", After: page.FragmentOf(func(m *page.Markup) {
				for i, q := range ps {
					if i > 0 {
						m.Raw("; ")
					}
					m.Raw("<a")
					m.Attr("id", PointID(q.s, q.p))
					m.Attr("href", d.pointHref(r, q.s, q.p))
					m.Raw(">")
					m.Text(q.s.Title + ", " + loadShort(q.p))
					m.Raw("</a>")
				}
			})})
		}
		t.Rows = append(t.Rows, rw)
	}
	return t
}
