package view

import (
	"regexp"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/site/page"
)

// Believed are figures of a run but for those that cannot be believed.
func Believed(r *figure.Run, all []catalog.Figure) []catalog.Figure {
	return slices.DeleteFunc(all, func(f catalog.Figure) bool { return r.Doubt(f) != "" })
}

// WholeFigures are the quantities of a whole run but for the loads within a limit, of which each
// workload has its own, and for scores, which have a table of their own.
func WholeFigures(r *figure.Run) []catalog.Figure {
	return slices.DeleteFunc(slices.Clone(r.Figures),
		func(f catalog.Figure) bool { return isThreshold(f) || f.Score != nil })
}

func isThreshold(f catalog.Figure) bool { return strings.HasPrefix(string(f.Metric), "threshold_") }

// figureOf matches what a figure of a suite is of: "1024/128 at 10".
var figureOf = regexp.MustCompile(`^(\d+)/(\d+)(?: at (\d+))?$`)

// FigureOfText is what a figure of a whole run is of, in words: see catalog.Figure.Of.
func FigureOfText(s string) string {
	m := figureOf.FindStringSubmatch(s)
	if m == nil {
		return s
	}
	t := page.Thousands(m[1]) + " → " + page.Thousands(m[2])
	if m[3] != "" {
		t += ", " + m[3] + " parallel"
	}
	return t
}

// figuresTable is every quantity of the whole run, with how it was computed. The loads within a
// limit, which the summary has too, open on demand; a card leaves them out.
func (d *draft) figuresTable(r *figure.Run, all bool) {
	var blocks []page.Block
	if whole := WholeFigures(r); len(whole) > 0 {
		blocks = append(blocks, d.table("figures",
			func() *page.Grid { return d.figureRows(r, "Figures of the whole run", whole) }))
	}
	limits := slices.DeleteFunc(slices.Clone(r.Figures), func(f catalog.Figure) bool { return !isThreshold(f) })
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
		return page.Cell{Text: info.Label, Head: true, Sub: FigureOfText(f.Of)}
	})
	t.Num("Value", "", func(f catalog.Figure) page.Cell {
		if f.Value == nil {
			return page.Missing("not recorded")
		}
		c := page.Number(*f.Value, metric.Scale{})
		if isThreshold(f) {
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
