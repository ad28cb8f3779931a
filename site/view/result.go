package view

import (
	"slices"

	"github.com/inferdex/inferdex/ingest/figure"
)

// result is one line of a comparison: a workload of a run under a name.
type result struct {
	name     string
	run      *figure.Run
	scenario *figure.Scenario
}

// perAccelerator reports whether results are compared for each accelerator: where their recorded numbers differ,
// or one of them alone is recorded. ok is false where one is recorded and another is not, for an assumed number
// equals none: then totals are not compared either.
func perAccelerator(rs []result) (each, ok bool) {
	unknown := func(r result) bool { return count(r.run) == 0 }
	each = slices.ContainsFunc(rs, func(r result) bool { return count(r.run) != count(rs[0].run) })
	return each, !each || !slices.ContainsFunc(rs, unknown)
}

// count is how many accelerators a run used, 0 where that is not recorded.
func count(r *figure.Run) int {
	if r.Hardware.CountAssumed {
		return 0
	}
	return r.Hardware.Count
}
