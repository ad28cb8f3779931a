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

// perAccelerator reports whether results are compared for each accelerator: where their numbers differ. ok is
// false where they differ or may differ and one is not known, so that totals are not compared either.
func perAccelerator(rs []result) (each, ok bool) {
	known := func(r result) bool { return !r.run.Hardware.CountAssumed && r.run.Hardware.Count > 0 }
	each = slices.ContainsFunc(rs, func(r result) bool { return r.run.Hardware.Count != rs[0].run.Hardware.Count })
	return each, !each || !slices.ContainsFunc(rs, func(r result) bool { return !known(r) })
}

// count is how many accelerators a run used, 0 where that is not recorded.
func count(r *figure.Run) int {
	if r.Hardware.CountAssumed {
		return 0
	}
	return r.Hardware.Count
}
