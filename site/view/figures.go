package view

import (
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/site/page"
)

// figuresTable is every quantity of the whole run, with how it was computed. The loads within a
// limit, which the summary has too, open on demand; a card leaves them out.
func (d *draft) figuresTable(r *figure.Run, all bool) {
	var blocks []page.Block
	if whole := r.WholeFigures(); len(whole) > 0 {
		blocks = append(blocks, d.table("figures",
			func() *page.Grid { return d.figureRows(r, "Figures of the whole run", whole) }))
	}
	limits := slices.DeleteFunc(slices.Clone(r.Figures), func(f catalog.Figure) bool { return !figure.IsThreshold(f) })
	if all && len(limits) > 0 {
		blocks = append(blocks, page.Block{Details: d.details("limits",
			metric.Plural(len(limits), "load")+" within a limit, by workload", func() *page.Grid {
				return d.figureRows(r, "Loads within a limit, by workload", limits)
			})})
	}
	d.section("figures", "Figures of the whole run", blocks...)
}

func (d *draft) figureRows(r *figure.Run, caption string, list []catalog.Figure) *page.Grid {
	t := page.NewTable(caption, "", list)
	t.Col("Figure", func(f catalog.Figure) page.Cell {
		info, _ := metric.Lookup(f.Metric)
		return page.Cell{Text: info.Label, Head: true, Sub: figure.OfText(f.Of)}
	})
	t.Num("Value", "", func(f catalog.Figure) page.Cell {
		if f.Value == nil {
			return page.Missing("not recorded")
		}
		c := page.Number(*f.Value, metric.Scale{})
		if figure.IsThreshold(f) {
			c.Text = c.Exact
		}
		if r.Doubt(f) != "" {
			c.Class, c.Sub = "warn", "suspect" // the finding says why
		}
		return c
	})
	t.Col("Unit", func(f catalog.Figure) page.Cell { return page.Cell{Text: f.Unit} })
	t.Col("Published", func(f catalog.Figure) page.Cell {
		c := page.Cell{Text: strings.TrimSpace(f.Published), Class: "nw"}
		if f.Published != "" && f.PublishedAt == (catalog.Place{}) && f.Value != nil {
			c.Sub = "rounded as its card would"
		}
		return c
	})
	t.Col("How", func(f catalog.Figure) page.Cell { return page.Cell{Text: f.Basis} })
	t.Col("Source", func(f catalog.Figure) page.Cell {
		if f.PublishedAt != (catalog.Place{}) {
			return d.sourceCell(r, f.PublishedAt)
		}
		return d.sourceCell(r, f.At)
	})
	return t.Done()
}
