package figure

import (
	"testing"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figuretest"
)

// TestForbiddenResultsKeepNoLimits: a model that does not fit into the memory of what it is said to have run on was not
// measured there, however many of its requests completed.
func TestForbiddenResultsKeepNoLimits(t *testing.T) {
	point := figuretest.Point(4, 400, 0.1, 0.9, 0.01, 0.02)
	run := func(id, hardware string) *catalog.Run {
		return figuretest.Run(id, "o/Mixed-40B", hardware, "1.0", point)
	}
	batch := SLOPresets[len(SLOPresets)-1]
	names := figuretest.Names(t)
	for _, c := range []struct {
		runs []*catalog.Run
		want map[string]Verdict
	}{
		{[]*catalog.Run{run("a", "1x big"), run("b", "1x small")}, map[string]Verdict{"big": Passes, "small": NotMeasured}},
		{[]*catalog.Run{run("b", "1x small")}, map[string]Verdict{"small": NotMeasured}},
	} {
		ix := NewIndex(&catalog.Catalog{Runs: c.runs}, names)
		rows := ix.RankSLO(ix.Models[0], ix.Runs[0].Scenarios[0].Class, batch.Limits)
		for _, row := range rows {
			if want := c.want[row.Card.Hardware.Name]; row.Verdict != want || (row.Run != nil) != (want == Passes) {
				t.Errorf("%d runs: %s: %v, want %v: %s", len(c.runs), row.Card.Hardware.Name, row.Verdict, want, row.Why)
			}
		}
		if len(rows) != len(c.want) {
			t.Errorf("%d rows, want %d", len(rows), len(c.want))
		}
		for _, n := range ix.Next() { // which looks for a run that is like what is to be measured
			if n.Like.Forbidden != "" {
				t.Errorf("%s is to be measured like %s, which cannot be", n.Hardware.Name, n.Like.ID)
			}
		}
	}
}
