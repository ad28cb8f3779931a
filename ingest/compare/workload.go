package compare

import (
	"slices"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
)

// Workload is one that both runs measured, load by load.
type Workload struct {
	Title string `json:"title"`
	Axis  string `json:"axis,omitempty"`
	Match
	Loads []Row `json:"loads"`
	// OnlyA and OnlyB are loads that one side alone was measured at.
	OnlyA []record.Float `json:"loads_only_a,omitempty"`
	OnlyB []record.Float `json:"loads_only_b,omitempty"`

	// accelerators are how many each side has, where both record it and the numbers differ.
	accelerators [2]int
}

// newWorkload is a workload that two runs measured, without the differences of its loads.
func newWorkload(m Match, a, b *figure.Run) *Workload {
	w := &Workload{Title: m.A.Title, Axis: m.A.Axis, Match: m, Loads: []Row{}, OnlyA: onlyLoads(m.A, m.B),
		OnlyB: onlyLoads(m.B, m.A)}
	if x, y := recordedCount(a), recordedCount(b); x > 0 && y > 0 && x != y {
		w.accelerators = [2]int{x, y}
	}
	for _, l := range SharedLoads(m.A, m.B) {
		w.Loads = append(w.Loads, Row{Of: w, Load: record.Float(l), A: m.A.AllAt(l), B: m.B.AllAt(l)})
	}
	return w
}

func onlyLoads(a, b *figure.Scenario) (ls []record.Float) {
	of := b.Loads()
	for _, l := range a.Loads() {
		if !slices.Contains(of, l) {
			ls = append(ls, record.Float(l))
		}
	}
	return ls
}

// SharedLoads are the loads that both scenarios were measured at, in ascending order.
func SharedLoads(a, b *figure.Scenario) []float64 {
	of := b.Loads()
	return slices.DeleteFunc(a.Loads(), func(l float64) bool { return !slices.Contains(of, l) })
}

// Row is one load of a workload that both sides have.
type Row struct {
	Of   *Workload    `json:"-"`
	Load record.Float `json:"load"` // +Inf for all requests at once
	// A and B are the points of each side at this load, several where measurements repeat.
	A []*catalog.Point `json:"-"`
	B []*catalog.Point `json:"-"`
	// Differences are the quantities that a comparison keeps: see [Sides]. Pages ask for those that they show.
	Differences []Difference `json:"rows"`
}

// Differ compares the first of some statistics of a metric that both sides have; ok is false where
// there is none.
func (r Row) Differ(m metric.ID, stats ...string) (d Difference, ok bool) {
	for _, stat := range stats {
		if d, ok = differPoints(m, stat, r.A, r.B); ok {
			return d, true
		}
	}
	return d, false
}

// Typical compares the statistic that stands for a metric.
func (r Row) Typical(m metric.ID) (Difference, bool) { return r.Differ(m, metric.Typical()...) }

// PerAccelerator compares the output throughput of each accelerator; ok is false where both sides have as many, or
// one does not record its number.
func (r Row) PerAccelerator() (d Difference, ok bool) {
	if r.Of.accelerators[0] == 0 {
		return d, false
	}
	samples := func(points []*catalog.Point, n int) []float64 {
		vs := figure.Samples(points, metric.OutputThroughput, metric.Value)
		for i := range vs {
			vs[i] = metric.Round12(vs[i] / float64(n))
		}
		return vs
	}
	return Differ(metric.ThroughputPerAccelerator, metric.Value, samples(r.A, r.Of.accelerators[0]),
		samples(r.B, r.Of.accelerators[1]))
}

// Shown are the differences that a place shows, in its order: first that of each accelerator where the sides have
// other numbers of them.
func (r Row) Shown(u metric.Use) (out []Difference) {
	if d, ok := r.PerAccelerator(); ok {
		out = append(out, d)
	}
	for _, info := range metric.Shown(u) {
		for _, stats := range info.Columns(u) {
			if d, ok := r.Differ(info.ID, stats...); ok {
				out = append(out, d)
			}
		}
	}
	return out
}

// comparedStats are the statistics that are compared of a metric that is a distribution.
var comparedStats = []string{metric.Value, metric.Mean, metric.Median, metric.P90, metric.P95, metric.P99}

// all compares every metric in the order of [metric.All], each statistic that both sides have: see [Row.Shown] for
// what stands first.
func (r Row) all() (out []Difference) {
	if d, ok := r.PerAccelerator(); ok {
		out = append(out, d)
	}
	for _, info := range metric.All() {
		for _, stat := range comparedStats {
			if d, ok := r.Differ(info.ID, stat); ok {
				out = append(out, d)
			}
		}
	}
	return out
}
