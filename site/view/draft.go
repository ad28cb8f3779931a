package view

import (
	"cmp"

	"github.com/inferdex/inferdex/ingest/claim"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/site/page"
)

// draft is a page in the making, with what it is made of.
type draft struct {
	sheet
	g *Site
	// rows are the loads of workloads of which the page has rows, where links lead instead of to the page of the run.
	rows map[*figure.Scenario][]float64
}

func (g *Site) draft(path, kind, nav, title string, description claim.Sentence) *draft {
	d := &draft{sheet: newSheet(path, kind, nav, title, description), g: g}
	d.whole = g.Options.SelfContained
	d.findable()
	return d
}

// done closes a page of sections.
func (d *draft) done() *draft {
	d.close()
	return d
}

// findable adds what the head of a page says to feed readers, search engines and programs that
// show link previews. What names the site's address is left out where that is not known.
func (d *draft) findable() {
	g := d.g
	of := g.subjects[d.page.Path]
	switch d.page.Kind {
	case "home":
		of.picture = g.Title()
		fallthrough
	case "data", "runs", "models", "hardware", "engines":
		of.runs = func() []*figure.Run { return g.Index.Runs }
	}
	var runs []*figure.Run
	if of.runs != nil {
		runs = of.runs()
	}
	d.modified = newest(runs...)
	if g.Base() == "" {
		return
	}
	if of.feed != "" && len(Dated(runs)) > 0 {
		d.view.Feed = &page.Link{Text: "Feed: " + of.feed, Href: d.Place.File(PathFeed(d.page.Path))}
	}
	if of.picture != "" && g.HasPreviews() && len(g.Index.Runs) > 0 {
		alt := of.picture + ": headline figures"
		if of.shown == "" {
			alt += ". " + d.page.Description.Text()
		}
		d.view.Preview = &page.Image{Href: g.Base() + pathPreview(cmp.Or(of.shown, d.page.Path)), Alt: alt}
	}
	if g.Beside.Dataset != nil && (d.page.Kind == "home" || d.page.Kind == "data") && len(g.Index.Runs) > 0 {
		d.view.Dataset = &page.DataBlock{Fragment: "dataset"}
		d.page.Fragments["dataset"] = g.Beside.Dataset
	}
}
