package view

import (
	"cmp"
	"strings"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/site/page"
)

// sourcesPage lists the source files of a run of many.
func (g *Site) sourcesPage(r *figure.Run) *draft {
	title := r.Card.Title() + ", run " + r.ID + ": source files"
	d := g.draft(pathSources(r), "records", "models", title, "The "+metric.Plural(len(r.Sources), "file")+" that run "+r.ID+" was read from, with their digests.")
	d.view.Heading = "Source files"
	d.view.Crumbs = append(d.crumbsTo(r), page.Link{Text: "run " + r.ID, Href: d.Place.To(PathRun(r.ID), "provenance")}, page.Link{Text: "source files"})
	d.view.Lede = page.Text("The " + metric.Plural(len(r.Sources), "file") + " that this run was read from, with their digests.")
	d.section("sources", "Source files", d.table("sources", func() *page.Grid { return d.sourcesTable(r) }))
	return d.done()
}

// sourcesTable lists the files a run was read from: where they are published, by whom and under
// which licence.
func (d *draft) sourcesTable(r *figure.Run) *page.Grid {
	t := page.NewTable("Source files", "prov compact", r.Sources)
	seen := map[string]bool{}
	t.Each(func(_ int, s catalog.Source, row *page.Row) {
		// The same bytes may lie at two paths: links lead to the first.
		if !seen[s.ID()] {
			row.ID, seen[s.ID()] = "src-"+s.ID(), true
		}
	})
	t.Col("File", func(s catalog.Source) page.Cell { return page.Cell{Text: s.Path, Head: true, Class: "wrap-any"} })
	t.Col("Format", func(s catalog.Source) page.Cell { return page.Cell{Text: s.Format, Class: "nw"} })
	t.Col("SHA-256", func(s catalog.Source) page.Cell {
		return page.Cell{Text: s.ID(), Code: true, Exact: s.SHA256, Class: "nw"}
	})
	t.Col("Published as", publishedCell)
	t.Text("Licence", "not recorded", func(s catalog.Source) string { return s.License })
	if !manySources(r) {
		return t.Done()
	}
	points := map[string][]pointRow{}
	for _, s := range r.Scenarios {
		for _, p := range s.Measured {
			points[p.At.Source] = append(points[p.At.Source], pointRow{s, p})
		}
	}
	t.Col("Points", func(s catalog.Source) page.Cell {
		// Each point's anchor stands here too; the first file of equal ones has it.
		ps := points[s.ID()]
		delete(points, s.ID())
		return page.Cell{Class: "wrap-any", After: page.FragmentOf(func(m *page.Markup) {
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
		})}
	})
	return t.Done()
}

// publishedCell is where a source is published: its address, else the CI run that made it.
func publishedCell(s catalog.Source) page.Cell {
	c := page.Cell{Text: cmp.Or(s.Title, s.Address), Href: page.WebAddress(s.Address), Class: "wrap-any", Sub: s.Date}
	if s.CI != nil {
		if u := page.WebAddress(s.CI.URL); u != "" && c.Href == "" {
			c.Text, c.Href = cmp.Or(s.CI.Workflow, "CI run"), u
		}
		for _, said := range []struct{ what, value string }{
			{"commit", s.CI.Commit}, {"branch", s.CI.Branch}, {"pull request", s.CI.PullRequest}, {"fork", s.CI.Fork},
		} {
			if said.value != "" {
				c.Sub = strings.TrimSpace(c.Sub + " " + said.what + " " + said.value)
			}
		}
	}
	if c.Text == "" {
		return page.Missing("not recorded")
	}
	return c
}
