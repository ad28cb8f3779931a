package site

import (
	"path"

	"github.com/inferdex/inferdex/ingest/figure"
)

// findable adds what the head of a page says to feed readers, search engines and programs that
// show link previews. What names the site's address is left out where that is not known.
func (d *draft) findable() {
	g := d.g
	var runs []*figure.Run
	own, picture := "", ""
	slug := path.Base(d.page.Path)
	switch d.page.Kind {
	case "home":
		runs = g.ix.Runs
		picture = g.title()
	case "data", "runs", "models", "hardware", "engines":
		runs = g.ix.Runs
	case "model":
		for _, m := range g.ix.Models {
			if m.Slug == slug {
				runs, own, picture = m.Runs(), m.Name, m.Name
			}
		}
	case "accelerator":
		for _, h := range g.ix.Hardware {
			if h.Slug == slug {
				runs, own = h.Runs(), h.Accelerator.Name
			}
		}
	case "engine":
		for _, e := range g.ix.Engines {
			if e.Slug == slug {
				runs = e.Runs
			}
		}
	case "card":
		for _, c := range g.ix.Cards {
			if c.Slug == slug {
				runs, picture = c.Runs, c.Title()
			}
		}
	}
	for _, r := range runs {
		d.modified = max(d.modified, dateText(r.Started))
	}
	if g.base() == "" {
		return
	}
	if own != "" && len(dated(runs)) > 0 {
		d.view.Feed = &Link{Text: "Feed: " + own, Href: d.place.file(pathFeed(d.page.Path))}
	}
	if picture != "" && g.previews() && len(g.ix.Runs) > 0 {
		d.view.Preview = &Image{Href: g.base() + pathPreview(d.page.Path), Alt: picture + ": headline figures. " + d.page.Description}
	}
	if (d.page.Kind == "home" || d.page.Kind == "data") && len(g.ix.Runs) > 0 {
		d.view.Dataset = &DataBlock{"dataset"}
		d.page.Fragments["dataset"] = g.writeDataset
	}
}
