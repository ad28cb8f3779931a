package normalize

import (
	"testing"

	"github.com/inferdex/inferdex/ingest/metric"

	"github.com/google/go-cmp/cmp"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/record"
)

// TestAdopted: an account that leaves something out belongs to the fuller one of another file, one that
// differs in anything it states does not, and one that names neither scenario nor lengths never does.
func TestAdopted(t *testing.T) {
	n := func(v float64) catalog.Number { return &v }
	w := func(v int64) *int64 { return &v }
	full := record.Result{Workload: record.Workload{Name: "Scaling", Dataset: "random",
		Nominal: record.Lengths{Input: n(1024), Output: n(256)}, NumPrompts: w(30)},
		Load: record.Load{MaxConcurrency: w(4)}}
	change := func(f func(*record.Result)) record.Result {
		r := full
		f(&r)
		return r
	}
	more := change(func(r *record.Result) { r.Workload.NumPrompts = w(50) })
	bare := record.Result{Load: full.Load}
	for name, c := range map[string]struct {
		less   record.Result
		fuller []record.Result
		want   int // groups
	}{
		"no prompts": {change(func(r *record.Result) { r.Workload.NumPrompts = nil; r.Workload.Dataset = "" }),
			[]record.Result{full}, 1},
		"of two": {change(func(r *record.Result) { r.Workload.NumPrompts = nil }),
			[]record.Result{full, more}, 3},
		"other prompts": {more, []record.Result{full}, 2},
		"other load": {change(func(r *record.Result) { r.Load.MaxConcurrency = w(8) }),
			[]record.Result{full}, 2},
		"no load":    {change(func(r *record.Result) { r.Load = record.Load{} }), []record.Result{full}, 2},
		"other name": {change(func(r *record.Result) { r.Workload.Name = "Mixed" }), []record.Result{full}, 2},
		"other length": {change(func(r *record.Result) { r.Workload.Nominal.Output = n(512) }),
			[]record.Result{full}, 2},
		"says more than full": {change(func(r *record.Result) { r.Load.Burstiness = n(1); r.Workload.Dataset = "" }),
			[]record.Result{full}, 2},
		"only a load": {bare,
			[]record.Result{change(func(r *record.Result) { r.Workload = record.Workload{Dataset: "random"} })}, 2},
	} {
		entries := []*entry{{Record: &c.less, path: "page.md"}}
		for i := range c.fuller {
			entries = append(entries, &entry{Record: &c.fuller[i], path: "raw.json"})
		}
		if got := len(adopted(byLoad(candidates(entries, &findings{})))); got != c.want {
			t.Errorf("%s: %d groups of %d results, want %d", name, got, len(entries), c.want)
		}
		for _, e := range entries {
			e.path = "page.md"
		}
		if got := len(adopted(byLoad(candidates(entries, &findings{})))); got != len(entries) {
			t.Errorf("%s: %d groups of %d results of one file", name, got, len(entries))
		}
	}
}

// TestDistributions: quantiles and the interval come to base units; of two accounts of one point the
// distribution of more values stands; what cannot be one is left out.
func TestDistributions(t *testing.T) {
	n := func(v float64) *float64 { return &v }
	result := func(line int, d ...record.Distribution) *entry {
		r := &record.Result{Base: record.Base{At: record.Pos{File: "a", Line: line}}, Distributions: d}
		return &entry{Record: r, path: "a", key: recordKey{line: line, kind: "result"}}
	}
	ms := func(values ...float64) record.Distribution {
		d := record.Distribution{Quantity: metric.TTFT, Unit: "ms", N: int64(len(values))}
		for i, v := range values {
			d.Quantiles = append(d.Quantiles, [2]float64{100 * float64(i) / float64(len(values)-1), v})
		}
		return d
	}
	long := ms(10, 20, 30, 40, 50, 60)
	long.MedianLow, long.MedianHigh = n(10), n(60)
	got := points([]*entry{
		result(1, ms(30, 20, 10), record.Distribution{Quantity: "nothing", Unit: "ms", N: 1,
			Quantiles: [][2]float64{{0, 1}}}),
		result(2, ms(15, 25)),
		result(3, long),
	}, &findings{})
	if len(got) != 1 {
		t.Fatalf("%d points, want one", len(got))
	}
	want := map[metric.ID]catalog.Distribution{"ttft": {
		N: 6, Unit: "s", MedianLow: n(0.01), MedianHigh: n(0.06),
		Quantiles: []catalog.Percentile{{P: 0, Value: 0.01}, {P: 20, Value: 0.02}, {P: 40, Value: 0.03},
			{P: 60, Value: 0.04}, {P: 80, Value: 0.05}, {P: 100, Value: 0.06}},
	}}
	if diff := cmp.Diff(want, got[0].Distributions); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestIdentityOfGroup: of sessions the first one that names a model stands.
func TestIdentityOfGroup(t *testing.T) {
	id := func(session, model string) record.Identity {
		return record.Identity{Tool: "t", Session: session, Model: model}
	}
	for name, c := range map[string]struct {
		sessions []record.Identity
		want     record.Identity
	}{
		"neither has a model": {[]record.Identity{id("2025-02-02", ""), id("2025-01-01", "")},
			id("2025-01-01", "")},
		"the first session": {[]record.Identity{id("2025-02-02", "m"), id("2025-01-01", "m")},
			id("2025-01-01", "m")},
		"a session that names its model": {[]record.Identity{id("2025-01-01", ""), id("2025-03-03", "m"),
			id("2025-02-02", "m")}, id("2025-02-02", "m")},
	} {
		g := &group{}
		for _, i := range c.sessions {
			g.sessions = append(g.sessions, &session{id: i})
		}
		if got := g.identity(); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
