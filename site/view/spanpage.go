package view

import (
	"github.com/inferdex/inferdex/ingest/claim"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/site/page"
)

// What pages of some rows of a run have.
const (
	pointsName  = "points"
	summaryName = "summary"
	acrossName  = "workloads side by side"
	sourcesName = "source files"
)

// spanPage begins a further page of a table of a run.
func (g *Site) spanPage(r *figure.Run, all []span, i int, section, what string) *draft {
	d := g.draft(all[i].path, "records", "models", spanTitle(r, all[i], what), spanAbout(r, all[i], what))
	d.view.Heading = page.Capital(spanName(all[i], what))
	d.view.Crumbs = append(d.crumbsTo(r), page.Link{Text: "run " + r.ID, Href: d.Place.To(PathRun(r.ID), section)},
		page.Link{Text: spanName(all[i], what)})
	d.view.Lede = d.lede(spanAbout(r, all[i], what), nil)
	return d
}

// spanName is what a page has of a table: "points, rows 301 to 600".
func spanName(s span, what string) string { return what + ", rows " + s.text() }

func spanTitle(r *figure.Run, s span, what string) string {
	return r.Card.Title() + ", run " + r.ID + ": " + spanName(s, what)
}

func spanAbout(r *figure.Run, s span, what string) claim.Sentence {
	return claim.Plain("Run "+r.ID+": "+spanName(s, what)+".", r.ID, s.text())
}
