package view

import (
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/site/page"
)

// mostRows is how many rows a page of a list of the catalog has, the first of them less than twice as many: a browser
// takes long to lay out more, and a reader to load them.
const mostRows = 200

// mostListed is how many runs a table on the page of something else has, and mostLinked how many more are links alone.
const (
	mostListed = mostRows
	mostLinked = 3 * mostRows
)

// listPart is a page of a list of the whole catalog.
type listPart[T any] struct {
	path string
	// list is the whole list, rows are those of the page, and begin is how many stand on pages before.
	list, rows []T
	begin      int
}

// listParts cuts a list into pages: the first at the path of the list, the others below it, numbered from the end. So
// what comes to stand in front changes the first page alone, and a page keeps its address and its rows.
func listParts[T any](path string, rows []T) []listPart[T] {
	n := max(1, len(rows)/mostRows)
	first := len(rows) - (n-1)*mostRows
	out := []listPart[T]{{path, rows, rows[:first], 0}}
	for i := n - 1; i > 0; i-- {
		begin := len(rows) - i*mostRows
		out = append(out, listPart[T]{path + "/page/" + itoa(i), rows, rows[begin:][:mostRows], begin})
	}
	return out
}

// turn leads from a page of a list to those before and behind it, and from the first one to all; title is what a page
// is called there. It is empty where the list stands on one page.
func turn[T any](from page.Place, all []listPart[T], i int, before, behind string, title func(listPart[T]) string) page.Block {
	to := page.Text(behind + ": ")
	switch {
	case len(all) == 1:
		return page.Block{}
	case i == 0:
		for j, p := range all[1:] {
			if j > 0 {
				to = to.Text(", ")
			}
			to = to.Link(title(p), from.To(p.path, ""))
		}
		return to.Text(".").Block()
	}
	to = page.Linked(before, from.To(all[i-1].path, ""))
	if i+1 < len(all) {
		to = to.Text(", ").Link(behind, from.To(all[i+1].path, ""))
	}
	return to.Block()
}

// placesText are the places of the rows of a page in its list: "201 to 400".
func placesText[T any](p listPart[T]) string {
	return metric.Count(p.begin+1) + " to " + metric.Count(p.begin+len(p.rows))
}
