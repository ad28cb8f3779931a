package view

import (
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/claim"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/site/page"
)

// scorecardsPage leads to the scorecard of every workload, and to those of whole runs.
func (g *Site) scorecardsPage() *draft {
	about := claim.Plain("Models by hardware: a scorecard for each workload that was measured.")
	d := g.draft(page.PathScorecards, "scorecards", "scorecard", "Scorecards", about)
	d.view.Crumbs = []page.Link{{Text: "Scorecard", Href: d.Place.To(page.PathHome, "")}, {Text: "All scorecards"}}
	d.view.Lede = d.lede(about, nil)
	if groups := g.scores.groups; len(groups) > 0 {
		d.section("workloads", "Workloads", cellsIntro, d.table("workloads", func() *page.Grid {
			return d.workloadTable("Workloads", groups, len(g.scores.class))
		}))
	}
	var whole [][]page.Part
	for _, v := range g.scores.whole {
		whole = append(whole, page.Linked(v.label(), d.Place.To(v.path, "scorecard")))
	}
	if len(whole) > 0 {
		d.section("whole", "Figures of a whole run", page.Block{List: whole})
	}
	return d.done()
}

// Scorecard is the address of the scorecard of a class of workload, and what it is found by.
type Scorecard struct {
	// Name is its kind and its lengths, "Long prompt 1 024 → 128".
	Name string
	// Words are what its tool and its dataset are called.
	Words []string
	// Path and Anchor are where it stands.
	Path, Anchor string
	// Cells are how many cards were measured under it.
	Cells int
}

// Scorecards lists the scorecards of workloads, the fullest of a name first.
func (g *Site) Scorecards() (out []Scorecard) {
	for _, w := range g.scores.groups {
		for _, k := range w.classes {
			out = append(out, Scorecard{Name: page.Clip(k.named(), 80), Words: []string{k.tool, k.kind, k.name, k.dataset},
				Path: k.first.path, Anchor: "scorecard", Cells: len(k.runs)})
		}
	}
	return out
}

// cellsIntro says what a row of workloads counts.
var cellsIntro = page.Paragraph("A cell is one model on one hardware. Tools count tokens and time differently, so cells " +
	"of two tools stand in two rows.")

// workloads lists what was measured by name, with its lengths as links to their scorecards.
func (d *draft) workloads() {
	groups := d.g.scores.groups
	if len(groups) == 0 {
		return
	}
	i := slices.IndexFunc(groups, func(w *workloadGroup) bool { return len(w.classes[0].runs) < 2 })
	const most, lengths = 8, 12
	if i < most || i > 2*most {
		i = min(most, len(groups))
	}
	blocks := []page.Block{cellsIntro, d.table("workloads", func() *page.Grid {
		return d.workloadTable("Workloads", groups[:i], lengths)
	})}
	if rest := groups[i:]; len(rest) > 0 {
		blocks = append(blocks,
			page.Block{Details: d.details("workloads-more", metric.Plural(len(rest), "more workload"),
				func() *page.Grid { return d.workloadTable("More workloads", rest, lengths) })})
	}
	d.section("workloads", "Workloads", blocks...)
}

// workloadTable lists workloads, each with so many of its lengths as links to their scorecards.
func (d *draft) workloadTable(name string, groups []*workloadGroup, most int) *page.Grid {
	t := page.NewTable(name, "list", groups)
	t.Col("Workload", func(w *workloadGroup) page.Cell {
		c := page.Cell{Text: w.title(), Head: true}
		if w.name != "" && !strings.EqualFold(w.name, c.Text) {
			c.Sub = page.Clip(w.name, 60)
		}
		return c
	})
	t.Add(page.Column{Title: "Tokens in → out", Unit: "of one request"}, func(w *workloadGroup) page.Cell {
		var parts page.Parts
		for i, k := range w.classes[:min(most, len(w.classes))] {
			if i > 0 {
				parts = parts.Text(", ")
			}
			parts = parts.Link(page.Clip(w.short(k), 48), d.Place.To(k.first.path, "scorecard"))
		}
		if n := len(w.classes) - most; n > 0 {
			parts = parts.Text(" and ").Link(metric.Plural(n, "more length"), d.Place.To(page.PathScorecards, ""))
		}
		return page.Cell{Parts: parts}
	})
	cards := func(w *workloadGroup) (cs []*figure.Card) {
		for _, k := range w.classes {
			for c := range k.runs {
				cs = append(cs, c)
			}
		}
		return cs
	}
	t.Count("Cells", func(w *workloadGroup) int {
		return different(cards(w), func(c *figure.Card) string { return c.Slug })
	})
	t.Count("Models", func(w *workloadGroup) int { return modelsOf(cards(w)) })
	t.Text("Tool", "", func(w *workloadGroup) string { return w.tool })
	return t.Done()
}
