package view

import (
	"cmp"
	"slices"
	"time"

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
		of.picture = g.Title()
		fallthrough
	case "data", "runs", "models", "hardware", "engines":
		of.runs = func() []*figure.Run { return g.Index.Runs }
	}
	var runs []*figure.Run
	if of.runs != nil {
		runs = of.runs()
	}
	for _, r := range runs {
		d.modified = max(d.modified, page.Day(r.Started))
	}
	if g.Base() == "" {
		return
	}
	if of.feed != "" && len(Dated(runs)) > 0 {
		d.view.Feed = &page.Link{Text: "Feed: " + of.feed, Href: d.Place.File(PathFeed(d.page.Path))}
	}
	if of.picture != "" && g.HasPreviews() && len(g.Index.Runs) > 0 {
		alt := of.picture + ": headline figures. " + d.page.Description
		d.view.Preview = &page.Image{Href: g.Base() + pathPreview(d.page.Path), Alt: alt}
	}
	if g.Beside.Dataset != nil && (d.page.Kind == "home" || d.page.Kind == "data") && len(g.Index.Runs) > 0 {
		d.view.Dataset = &page.DataBlock{Fragment: "dataset"}
		d.page.Fragments["dataset"] = g.Beside.Dataset
	}
}

// PathFeed is the feed of a page.
func PathFeed(page string) string {
	if page == "" {
		return "feed.xml"
	}
	return page + "/feed.xml"
}

// FeedEntries bounds a feed.
const FeedEntries = 50

// Dated are the newest runs whose date is known: an entry must have one.
func Dated(runs []*figure.Run) []*figure.Run {
	runs = slices.DeleteFunc(slices.Clone(runs), func(r *figure.Run) bool { return AtomTime(r.Started) == "" })
	slices.SortStableFunc(runs, func(a, b *figure.Run) int {
		return cmp.Or(cmp.Compare(AtomTime(b.Started), AtomTime(a.Started)), cmp.Compare(a.ID, b.ID))
	})
	return runs[:min(FeedEntries, len(runs))]
}

// AtomTime is a run's beginning as RFC 3339 in UTC, which feeds ask for; "" where it is not known.
// A time without a zone is taken as UTC, a day as its beginning: feeds have no other way to say it.
func AtomTime(started string) string {
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04Z07:00", "2006-01-02T15:04", time.DateOnly} {
		if t, err := time.Parse(layout, started); err == nil && t.Year() > 0 && t.Year() < 10000 {
			return t.UTC().Format(time.RFC3339)
		}
	}
	return ""
}
