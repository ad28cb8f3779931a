package view

import (
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/compare"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/site/page"
)

// A matrix of results is shown from so many on, and holds at most as many as fit a desk screen.
const (
	fewestInMatrix = 3
	mostInMatrix   = 8
)

// resultMatrix holds the results of one model against each other. Its rows and its columns are the same runs, those that
// are ahead of most others first.
type resultMatrix struct {
	model *figure.Model
	runs  []*figure.Run
	// of are the comparisons by their two runs, each pair in both orders; those that share no load have none.
	of map[[2]*figure.Run]*comparison
}

// newResultMatrix is the matrix of a model of which some comparisons are listed; nil where too few of its results share
// a load.
func newResultMatrix(m *figure.Model, listed []*comparison) *resultMatrix {
	x := &resultMatrix{model: m, of: map[[2]*figure.Run]*comparison{}}
	put := func(c *comparison) {
		x.of[[2]*figure.Run{c.base.Run, c.other.Run}] = c
		x.of[[2]*figure.Run{c.other.Run, c.base.Run}] = c
	}
	for _, c := range listed {
		if c.Kind == compare.PairHardware || c.Kind == compare.PairVersion {
			put(c)
		}
	}
	results := compare.Results(m)
	results = results[:min(mostInMatrix, len(results))]
	shares := map[*figure.Run]bool{}
	for i, a := range results {
		for _, b := range results[i+1:] {
			if x.of[[2]*figure.Run{a.Run, b.Run}] == nil {
				p, ok := compare.Between(a, b)
				if !ok {
					continue
				}
				put(newComparison(m, p))
			}
			shares[a.Run], shares[b.Run] = true, true
		}
	}
	for _, r := range results {
		if shares[r.Run] {
			x.runs = append(x.runs, r.Run)
		}
	}
	if len(x.runs) < fewestInMatrix {
		return nil
	}
	ahead := map[*figure.Run]int{}
	for _, a := range x.runs {
		for _, b := range x.runs {
			if _, e, ok := x.against(a, b); ok && e.Winner > 0 && e.Settled() && !x.unknownCount(a, b) {
				ahead[a]++
			}
		}
	}
	slices.SortStableFunc(x.runs, func(a, b *figure.Run) int { return ahead[b] - ahead[a] })
	return x
}

// without are the comparisons of a list that no cell of the matrix leads to; all of them where there is none.
func (x *resultMatrix) without(list []*comparison) []*comparison {
	if x == nil {
		return list
	}
	return slices.DeleteFunc(slices.Clone(list), func(c *comparison) bool {
		return x.of[[2]*figure.Run{c.base.Run, c.other.Run}] == c && slices.Contains(x.runs, c.base.Run) &&
			slices.Contains(x.runs, c.other.Run)
	})
}

// against is the difference of a row against a column that lists show.
func (x *resultMatrix) against(row, column *figure.Run) (at compare.Row, e compare.Difference, ok bool) {
	c := x.of[[2]*figure.Run{row, column}]
	if c == nil {
		return at, e, false
	}
	at, e, ok = c.listed()
	if ok && c.base.Run == row {
		e = e.Inverse()
	}
	return at, e, ok
}

// unknownCount says that a sum over several accelerators would be held against one of a number that is not recorded.
func (x *resultMatrix) unknownCount(row, column *figure.Run) bool {
	_, e, ok := x.against(row, column)
	if !ok {
		return false
	}
	differ, known := x.of[[2]*figure.Run{row, column}].each(e.Metric)
	return differ && !known
}

// ahead is at how many of the loads that both measured the side that is held against the base is better, and at how many
// the base is: by more than chance, or by more than 5 % where too few measurements allow no more.
func (c *comparison) ahead(m metric.ID) (other, base, of int) {
	for _, l := range c.runs.Loads() {
		e, ok := l.PerAccelerator()
		if m != metric.ThroughputPerAccelerator {
			e, ok = l.Typical(m)
		}
		if !ok {
			continue
		}
		of++
		switch {
		case !e.Settled():
		case e.Winner > 0:
			other++
		case e.Winner < 0:
			base++
		}
	}
	return other, base, of
}

// cell is how a row stands against a column.
func (x *resultMatrix) cell(d *draft, row, column *figure.Run, same caveat) page.Cell {
	if row == column {
		return page.Cell{Text: "=", Class: "na"}
	}
	at, e, ok := x.against(row, column)
	if !ok {
		return page.Cell{Text: "not shared", Class: "na"}
	}
	c := x.of[[2]*figure.Run{row, column}]
	info, _ := metric.Lookup(e.Metric)
	n, back, of := c.ahead(e.Metric)
	if c.base.Run == row {
		n, back = back, n
	}
	cell := page.Cell{Text: changeText(e.Change), Href: c.href(d.Place), Sub: itoa(n) + " of " + metric.Count(of),
		Exact: againstText(info, e) + ", " + loadWithWorkload(at)}
	if e.Certainty == compare.NotDistinguishable {
		cell.Text = "≈" + cell.Text
	}
	if !same.all {
		cell.Exact += "; " + e.WordsAgainst()
	}
	if x.unknownCount(row, column) {
		cell.Sub = "in all, count not recorded"
		return cell
	}
	if e.Winner > 0 {
		cell.Class = betterClass(e)
	}
	if max(n, back) == of {
		cell.Class = strings.TrimSpace(cell.Class + " best")
	}
	return cell
}

// series tells a run from the others of its card.
func (x *resultMatrix) series(r *figure.Run) string {
	return seriesName(r, slices.DeleteFunc(slices.Clone(x.runs), func(o *figure.Run) bool { return o.Card != r.Card }))
}

// matrixBlocks is a matrix with its heading, and what its cells say.
func (d *draft) matrixBlocks(x *resultMatrix, same caveat) []page.Block {
	return []page.Block{{Table: d.fragment("matrix-"+x.model.Slug, func(mk *page.Markup) { x.write(mk, d, same) })}}
}

// write writes the matrix with the key of its colours. Its rows have the ids of their runs behind "x-", and the empty
// paragraph keeps the place of a button: a script lets readers tick rows and sets those runs side by side.
func (x *resultMatrix) write(mk *page.Markup, d *draft, same caveat) {
	t := page.NewTable(x.model.Name+": each result against the others", "heat results", x.runs)
	t.Each(func(_ int, r *figure.Run, row *page.Row) { row.ID = "x-" + r.ID })
	t.Col(x.model.Name, func(r *figure.Run) page.Cell {
		return page.Cell{Text: hardwareShort(r.Hardware), Sub: x.series(r), Head: true,
			Href: d.Place.To(PathRun(r.ID), "")}
	})
	var labels []string
	divided := ""
	for _, column := range x.runs {
		t.Add(page.Column{Title: hardwareShort(column.Hardware), Unit: x.series(column), Num: true, Keep: true},
			func(row *figure.Run) page.Cell {
				if _, e, ok := x.against(row, column); ok {
					info, _ := metric.Lookup(e.Metric)
					if info.ID == metric.ThroughputPerAccelerator {
						info, _ = metric.Lookup(metric.OutputThroughput)
						divided = " (per accelerator where the two have other numbers of them)"
					}
					if l := labelWithin(info); !slices.Contains(labels, l) {
						labels = append(labels, l)
					}
				}
				return x.cell(d, row, column, same)
			})
	}
	t.Done().Write(mk)
	mk.Raw(`<p class=ticked></p><ul class=legend>`)
	writeBetterKey(mk, "row")
	mk.Raw("<li>")
	mk.Text("each cell: " + page.Enumerate(labels) + divided + " of the row against the column, at the load where the better of the two has " +
		"its best; below it, at how many of the loads that both measured the row is ahead by more than chance, or by more than 5\u202f% where too few measurements allow no more; bold: one side at all of them")
	mk.Raw("</ul>")
}
