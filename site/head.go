package site

import (
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/site/page"
)

// subject is the one model, accelerator, engine or card that a page is about.
type subject struct {
	runs func() []*figure.Run
	// feed names the feed of the page, picture what its link preview shows; "" where it has none.
	feed, picture string
}

// subjects are those of all pages that have one, by the path of the page.
func subjects(ix *figure.Index) map[string]subject {
	of := map[string]subject{}
	for _, m := range ix.Models {
		of[page.PathModel(m.Slug)] = subject{m.Runs, m.Name, m.Name}
	}
	for _, h := range ix.Hardware {
		of[page.PathAccelerator(h.Slug)] = subject{h.Runs, h.Accelerator.Name, ""}
	}
	for _, e := range ix.Engines {
		of[pathEngine(e.Slug)] = subject{runs: func() []*figure.Run { return e.Runs }}
	}
	for _, c := range ix.Cards {
		of[page.PathCard(c.Slug)] = subject{func() []*figure.Run { return c.Runs }, "", c.Title()}
	}
	return of
}

// findable adds what the head of a page says to feed readers, search engines and programs that
// show link previews. What names the site's address is left out where that is not known.
func (d *draft) findable() {
	g := d.g
	of := g.subjects[d.page.Path]
	switch d.page.Kind {
	case "home":
		of.picture = g.title()
		fallthrough
	case "data", "runs", "models", "hardware", "engines":
		of.runs = func() []*figure.Run { return g.ix.Runs }
	}
	var runs []*figure.Run
	if of.runs != nil {
		runs = of.runs()
	}
	for _, r := range runs {
		d.modified = max(d.modified, page.Day(r.Started))
	}
	if g.base() == "" {
		return
	}
	if of.feed != "" && len(dated(runs)) > 0 {
		d.view.Feed = &page.Link{Text: "Feed: " + of.feed, Href: d.Place.File(pathFeed(d.page.Path))}
	}
	if of.picture != "" && g.previews() && len(g.ix.Runs) > 0 {
		alt := of.picture + ": headline figures. " + d.page.Description
		d.view.Preview = &page.Image{Href: g.base() + pathPreview(d.page.Path), Alt: alt}
	}
	if (d.page.Kind == "home" || d.page.Kind == "data") && len(g.ix.Runs) > 0 {
		d.view.Dataset = &page.DataBlock{Fragment: "dataset"}
		d.page.Fragments["dataset"] = g.writeDataset
	}
}
