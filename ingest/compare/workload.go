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
}

// newWorkload is a workload that both runs measured, without the differences of its loads.
func newWorkload(m Match) *Workload {
	w := &Workload{Title: m.A.Title, Axis: m.A.Axis, Match: m, Loads: []Row{}, OnlyA: onlyLoads(m.A, m.B),
		OnlyB: onlyLoads(m.B, m.A)}
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
	var ls []float64
	for _, l := range a.Loads() {
		if slices.Contains(b.Loads(), l) {
			ls = append(ls, l)
		}
	}
	return ls
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

// Shown are the differences that a place shows, in its order.
func (r Row) Shown(u metric.Use) (out []Difference) {
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

// all compares every metric in the order of [metric.All], each statistic that both sides have.
func (r Row) all() (out []Difference) {
	for _, info := range metric.All() {
		for _, stat := range comparedStats {
			if d, ok := r.Differ(info.ID, stat); ok {
				out = append(out, d)
			}
		}
	}
	return out
}
