package normalize

import (
	"testing"

	"github.com/inferdex/inferdex/ingest/catalog"
)

// TestStatedBy: an account that leaves something out belongs to the fuller one, one that differs
// in anything it states does not, and one that names neither scenario nor lengths never does.
func TestStatedBy(t *testing.T) {
	n := func(v float64) catalog.Number { return &v }
	w := func(v int64) *int64 { return &v }
	full := catalog.Point{Workload: catalog.Workload{Name: "Scaling", Dataset: "random", Nominal: catalog.Lengths{Input: n(1024), Output: n(256)}, NumPrompts: w(30)},
		Load: catalog.Load{MaxConcurrency: w(4)}}
	change := func(f func(*catalog.Point)) catalog.Point {
		p := full
		f(&p)
		return p
	}
	for name, c := range map[string]struct {
		less catalog.Point
		want bool
	}{
		"the same":            {full, true},
		"no prompts":          {change(func(p *catalog.Point) { p.Workload.NumPrompts = nil; p.Workload.Dataset = "" }), true},
		"other prompts":       {change(func(p *catalog.Point) { p.Workload.NumPrompts = w(50) }), false},
		"other load":          {change(func(p *catalog.Point) { p.Load.MaxConcurrency = w(8) }), false},
		"no load":             {change(func(p *catalog.Point) { p.Load = catalog.Load{} }), false},
		"other name":          {change(func(p *catalog.Point) { p.Workload.Name = "Mixed" }), false},
		"other length":        {change(func(p *catalog.Point) { p.Workload.Nominal.Output = n(512) }), false},
		"says more than full": {change(func(p *catalog.Point) { p.Load.Burstiness = n(1) }), false},
	} {
		if got := statedBy(c.less, full); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	if bare := (catalog.Point{Load: full.Load}); statedBy(bare, catalog.Point{Load: full.Load}) {
		t.Error("neither name nor lengths: nothing says that they are about one workload")
	}
}
