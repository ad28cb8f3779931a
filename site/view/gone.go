package view

import (
	"slices"

	"github.com/inferdex/inferdex/ingest/claim"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/settings"
	"github.com/inferdex/inferdex/site/page"
)

// gone are what once had a page and has none now, and runs whose id is another one now.
type gone struct {
	Published
	now string // the id that the run has now; "" where there is none
}

func (x gone) path() string {
	if x.Card != "" {
		return page.PathCard(x.Card)
	}
	return PathRun(x.Run)
}

// goneList are those of a catalog: what was published and is not there, and the former ids of runs.
func (g *Site) goneList() (list []gone) {
	there := map[string]bool{}
	for _, c := range g.Index.Cards {
		there[page.PathCard(c.Slug)] = true
	}
	for _, r := range g.Index.Runs {
		there[PathRun(r.ID)] = true
	}
	add := func(x gone) {
		if !there[x.path()] {
			there[x.path()] = true
			list = append(list, x)
		}
	}
	published := map[string]Published{}
	for _, p := range g.Options.Published {
		published[p.Run] = p
	}
	for _, r := range g.Index.Runs {
		for _, id := range r.Formerly {
			p := published[id]
			p.Run, p.Card = id, ""
			add(gone{p, r.ID})
		}
	}
	for _, p := range g.Options.Published {
		add(gone{Published: p})
	}
	return list
}

// gonePage stands at the address of what is not in the catalog any more, so that who quoted it learns why.
func (g *Site) gonePage(x gone) *draft {
	name, what := "Run "+x.Run, "run"
	if x.Card != "" {
		name, what = "Card "+x.Card, "card"
	}
	said := claim.Plain(name+" is not in this catalog any more.", name)
	if x.now != "" {
		said = claim.Plain(name+" has another id now.", name)
	}
	d := g.draft(x.path(), "gone", "runs", name+", removed", said)
	d.view.Heading = name
	d.view.Crumbs = []page.Link{{Text: "Runs", Href: d.Place.To(page.PathRuns, "")}, {Text: what + " that was removed"}}
	if x.now != "" {
		d.page.Title = name + ", moved"
		d.view.Crumbs[1].Text = "run of another id"
		d.view.Lede = d.leadsTo(name+" has another id now: ", "run "+x.now, d.Place.To(PathRun(x.now), ""))
		return d.done()
	}
	d.view.Lede = d.lede(said, nil)
	switch {
	case x.Card != "":
		d.section("removed", "Removed", page.Text("None of its runs stands under this name: they were removed, or the model "+
			"or the hardware has another name now. ").Link("All models", d.Place.To(page.PathModels, "")).Text(".").Block())
	case x.Reason != "":
		d.section("removed", "Removed", page.Block{Says: []page.Sentence{{Topic: "Do not use", Warn: true,
			Parts: page.Text(metric.FullStop(x.Reason))}}})
	default:
		d.section("removed", "Removed", page.Paragraph("Nobody wrote down why it was removed, and no other run has or gets its "+
			"id. Do not use its numbers as those of this catalog."))
	}
	if len(x.Tags) > 0 {
		parts := page.Text("What was published")
		if x.Of != "" {
			parts = parts.Text(" of " + x.Of)
		}
		parts = parts.Text(" is as it was in ")
		for i, tag := range x.Tags {
			if i > 0 {
				parts = parts.Text(", ")
			}
			parts = parts.Link("snapshot "+tag, d.File(PathSnapshot(tag)+"dataset.zip"))
		}
		d.section("snapshots", "As it was", parts.Text(".").Block())
	}
	return d.done()
}

// PathSnapshot is the folder of a snapshot's files, with a slash at its end.
func PathSnapshot(tag string) string { return "as-of/" + tag + "/data/" }

// snapshots leads to what was frozen.
func (d *draft) snapshots() {
	tags := slices.Clone(d.g.Options.Snapshots)
	if len(tags) == 0 {
		return
	}
	slices.SortStableFunc(tags, func(a, b string) int { return settings.CompareVersions(b, a) })
	d.section("snapshots", "Snapshots", page.Paragraph("The catalog as it was, with checksums and the addresses of its pages, "+
		"for quoting: a snapshot is never changed."), d.table("snapshots", func() *page.Grid {
		t := page.NewTable("Snapshots", "compact fit", tags)
		t.Head("Snapshot", func(tag string) (string, string) { return tag, d.File(PathSnapshot(tag) + "dataset.zip") })
		t.Col("Checksums", func(tag string) page.Cell {
			return page.Cell{Text: "SHA256SUMS", Href: d.File(PathSnapshot(tag) + "SHA256SUMS")}
		})
		t.Col("Addresses", func(tag string) page.Cell {
			return page.Cell{Text: "pages.json", Href: d.File(PathSnapshot(tag) + "pages.json")}
		})
		return t.Done()
	}))
}
