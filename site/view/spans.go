package view

import (
	"slices"

	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/site/page"
)

// mostTogether is how many rows of the points, workloads or files of a run stand on one page: a browser takes long to lay
// out more. Further ones have pages of their own, so that each row has a place.
const mostTogether = 300

// span are the rows of a long table that stand on one page.
type span struct {
	path       string
	begin, end int
}

// spans cuts n rows into pages of at most so much: the first has the path of the table, others their number below
// further. Weight is what a row takes of a page.
func spans(path, further string, n, most int, weight func(i int) int) (all []span) {
	sum := 0
	for i := range n {
		if sum += weight(i); i == 0 || sum > most {
			if i > 0 {
				path, sum = further+"/"+itoa(len(all)+1), weight(i)
			}
			all = append(all, span{path: path, begin: i})
		}
		all[len(all)-1].end = i + 1
	}
	return all
}

// even is the weight of rows of which each takes the same of a page.
func even(int) int { return 1 }

// text are the places of the rows of a page: "301 to 600".
func (s span) text() string { return metric.Count(s.begin+1) + " to " + metric.Count(s.end) }

// rows are the places of the rows of a page, from 0.
func (s span) rows() (at []int) {
	for i := s.begin; i < s.end; i++ {
		at = append(at, i)
	}
	return at
}

// further says which rows of a table stand on a page, and leads to all others; nothing where it has all.
func further(from page.Place, all []span, i int) page.Block {
	if len(all) < 2 {
		return page.Block{}
	}
	to := page.Text("Rows " + all[i].text() + " of " + metric.Count(all[len(all)-1].end) + " stand here. " +
		"Others: ")
	before := ""
	for j, s := range all {
		if j != i {
			to = to.Text(before).Link(s.text(), from.To(s.path, ""))
			before = ", "
		}
	}
	return to.Text(".").Block()
}

// pageOf is the page of the row at an index.
func pageOf(all []span, row int) span {
	i, _ := slices.BinarySearchFunc(all, row, func(s span, row int) int {
		if row >= s.end {
			return -1
		}
		return 1
	})
	return all[i]
}
