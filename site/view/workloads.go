package view

import (
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/site/page"
)

// workloads lists what was measured by name, with its lengths as links to their scorecards.
func (d *draft) workloads() {
	groups := d.g.scores.groups
	if len(groups) == 0 {
		return
	}
	table := func(name string, groups []*workloadGroup) *page.Grid {
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
			const most = 12
			for i, k := range w.classes[:min(most, len(w.classes))] {
				if i > 0 {
					parts = parts.Text(", ")
				}
				parts = parts.Link(page.Clip(k.short(), 48), d.Place.To(k.first.path, "scorecard"))
			}
			if n := len(w.classes) - most; n > 0 {
				parts = parts.Text(" and ").Text(metric.Plural(n, "more length")+" on ").
					Link("the pages of models", d.Place.To(page.PathModels, ""))
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
	intro := page.Paragraph("A cell is one model on one hardware. Tools count tokens and time differently, so cells " +
		"of two tools stand in two rows.")
	i := slices.IndexFunc(groups, func(w *workloadGroup) bool { return len(w.classes[0].runs) < 2 })
	const most = 8
	if i < most || i > 2*most {
		i = min(most, len(groups))
	}
	blocks := []page.Block{intro, d.table("workloads", func() *page.Grid { return table("Workloads", groups[:i]) })}
	if rest := groups[i:]; len(rest) > 0 {
		blocks = append(blocks,
			page.Block{Details: d.details("workloads-more", metric.Plural(len(rest), "more workload"),
				func() *page.Grid { return table("More workloads", rest) })})
	}
	d.section("workloads", "Workloads", blocks...)
}
