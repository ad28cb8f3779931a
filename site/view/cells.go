package view

import (
	"io"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/site/page"
)

// loadHead is a load as the heading of its row.
func loadHead(l float64) page.Cell {
	return page.Cell{Text: metric.Chosen(l), Head: true, Exact: infTitle(l)}
}

// dot is the cell of a value that there cannot be, with the reason for those who point at it or
// hear the page.
func dot(why string) page.Cell {
	return page.Cell{Class: "na out", Exact: why, Before: func(w io.Writer) error {
		_, err := io.WriteString(w, `<span aria-hidden=true>·</span><span class=vh>`+page.Escape(why)+`</span>`)
		return err
	}}
}

// completedCell says how many of the submitted requests were completed, and how many of these without output; series
// that differ each have their counts.
func completedCell(points []*catalog.Point) page.Cell {
	var texts, subs []string
	for _, p := range points {
		if p == nil {
			continue
		}
		o, ok := figure.Success(p)
		if p.Completed == nil {
			continue
		}
		t, s := metric.Count(o.Completed), ""
		if ok {
			s = o.Of()
		}
		if !slices.Contains(texts, t) {
			texts = append(texts, t)
		}
		if !slices.Contains(subs, s) {
			subs = append(subs, s)
		}
	}
	if len(texts) == 0 {
		return page.Missing("")
	}
	_, short := figure.Incomplete(points)
	return page.Cell{Text: strings.Join(texts, " / "), Sub: strings.Join(subs, " / "), SubWarn: short}
}

// promptsWarning says below a cell that a load asks for more requests at once than were sent.
func promptsWarning(c *page.Cell, p *catalog.Point) (warned bool) {
	n, above := figure.AboveNumPrompts(p)
	if above {
		c.Sub, c.SubWarn = "only "+metric.Count(n)+" prompts", true
	}
	return above
}

// incompleteWords say how many of the requests of a point, nil for none, were completed where it was not all, or some
// without output; "" where all were.
func incompleteWords(p *catalog.Point) string {
	if o, short := figure.Incomplete([]*catalog.Point{p}); short {
		return o.Words("")
	}
	return ""
}

// incompleteWarning says below a cell, behind what stands there, how many of the requests of its point were completed,
// where it was not all, or some without output.
func incompleteWarning(c *page.Cell, p *catalog.Point) {
	if o, ok := figure.Success(p); ok && o.Short() {
		c.Sub, c.SubWarn = strings.TrimPrefix(c.Sub+"; ", "; ")+metric.Count(o.Completed)+" "+o.Of(), true
	}
}

// daysOf are the days on which the first and the last of some runs began, as far as recorded.
func daysOf(runs []*figure.Run) (first, last string) {
	for _, r := range runs {
		if day := page.Day(r.Started); day != "" {
			if first == "" || day < first {
				first = day
			}
			last = max(last, day)
		}
	}
	return first, last
}

// newestCell is the day on which the newest of some runs began.
func newestCell(runs []*figure.Run) page.Cell {
	_, newest := daysOf(runs)
	if newest == "" {
		return page.Missing("not dated")
	}
	return page.Cell{Text: newest, Class: "nw"}
}

// firstNames are at most that many names, and how many more there are.
func firstNames(names []string, most int) []string {
	if more := len(names) - most; more > 0 {
		return append(names[:most:most], itoa(more)+" more")
	}
	return names
}
