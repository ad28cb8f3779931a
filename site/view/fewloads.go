package view

import (
	"slices"

	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/site/chart"
	"github.com/inferdex/inferdex/site/page"
)

// A table by load has all loads where it has as many rows at most, counted for each of its runs; else it has as many of
// them, and no fewer than leastLoads: a page may have such a table for each of ten metrics.
const (
	mostLoads   = 200
	spreadLoads = 100
	leastLoads  = 12
)

// placesIn are the places of the loads that are left, both ascending.
func placesIn(kept, all []float64) (rows []int) {
	for i, l := range all {
		if _, ok := slices.BinarySearch(kept, l); ok {
			rows = append(rows, i)
		}
	}
	return rows
}

// fewLoads are the loads of which a table of some runs has rows, ascending: of more than fit those that are spread along the
// axis, with those that are to be there. Said is what is left out and where it stands, nil for nothing.
func (d *draft) fewLoads(axis string, all []float64, runs []*figure.Run, there ...float64) (kept []float64, said page.Parts) {
	most := max(leastLoads, spreadLoads/len(runs))
	if d.whole || len(all)*len(runs) <= mostLoads || len(all) <= most {
		return all, nil
	}
	left := func(l float64) bool { return !slices.Contains(all, l) }
	kept = chart.Spread(kindOf(axis).axis.Scale, all, most)
	kept = append(kept, slices.DeleteFunc(there, left)...)
	slices.Sort(kept)
	kept = slices.Compact(kept)
	said = page.Text(itoa(len(kept)) + " of " + metric.Count(len(all)) + " loads, spread along the axis. All: ")
	for i, r := range runs {
		if i > 0 {
			said = said.Text(", ")
		}
		said = said.Link("points of run "+r.ID, d.Place.To(PathRun(r.ID), "data"))
	}
	return kept, said.Text(".")
}
