package figure

import (
	"cmp"
	"math"
	"slices"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/settings"
	"github.com/inferdex/inferdex/ingest/unit"
)

// changeAbove is the relative change above which two results with too few measurements for an
// interval are marked as a change.
const changeAbove = 0.05

// ChangeKind says what is known of the step from one run of a history to the next.
type ChangeKind int

// The kinds. NoChange is the zero value.
const (
	NoChange     ChangeKind = iota
	SingleChange            // more than 5 % apart, with fewer than six measurements on a side
	ClearChange             // the 95 % intervals of the medians do not overlap
)

// String is the kind in the words that pages print; "" for no change.
func (k ChangeKind) String() string {
	switch k {
	case SingleChange:
		return "change, single run"
	case ClearChange:
		return "change"
	}
	return ""
}

// HistoryPoint is one run of a history.
type HistoryPoint struct {
	Run      *Run
	Scenario *Scenario
	// Points are those at the history's load, Summary what they say of the metric.
	Points  []*catalog.Point
	Summary Summary
	// Change is the step from the point before; Relative is (this − before) / before, nil for
	// the first and where the one before is 0.
	Change   ChangeKind
	Relative catalog.Number
	// Better is 1 where the step is for the better, −1 for the worse, 0 for neither.
	Better int
}

// History is a statistic of a metric under one workload and load over the runs given, in the
// order of time: by engine version where all runs have versions of one engine, equal versions by
// date, else by date. Withdrawn runs, and runs without the figure, are left out. The runs should
// be of one card.
//
// A step is a change where the order-statistics intervals at 95 % of the two medians do not
// overlap. Where a side has fewer than six measurements there are none: then a step of more than
// 5 % is marked "change, single run", which is no claim.
func History(runs []*Run, class string, load float64, m catalog.Metric, stat string) []HistoryPoint {
	var out []HistoryPoint
	for _, r := range runs {
		s := r.Scenario(class)
		if s == nil || r.Withdrawn != "" {
			continue
		}
		ps := s.AllAt(load)
		if sum := Summarize(Samples(ps, m, stat)); sum.N > 0 {
			out = append(out, HistoryPoint{Run: r, Scenario: s, Points: ps, Summary: sum})
		}
	}
	byVersion := !slices.ContainsFunc(out, func(p HistoryPoint) bool {
		return p.Run.Engine.Version == "" || p.Run.Engine.Slug != out[0].Run.Engine.Slug
	})
	slices.SortStableFunc(out, func(a, b HistoryPoint) int {
		if byVersion {
			if d := settings.CompareVersions(a.Run.Engine.Version, b.Run.Engine.Version); d != 0 {
				return d
			}
		}
		return cmp.Or(cmp.Compare(a.Run.Started, b.Run.Started), cmp.Compare(a.Run.ID, b.Run.ID))
	})
	for i := 1; i < len(out); i++ {
		a, b := out[i-1].Summary, &out[i]
		d, _ := Differ(m, stat, Samples(out[i-1].Points, m, stat), Samples(b.Points, m, stat))
		b.Relative = d.Change
		switch {
		case d.Certainty == Distinguishable:
			b.Change = ClearChange
		case d.Certainty == NoClaim && a.Median != 0 && math.Abs(unit.Round12(d.Delta/a.Median)) > changeAbove:
			b.Change = SingleChange
		}
		if b.Change != NoChange {
			b.Better = d.Winner
		}
	}
	return out
}

// HistoryOf chooses what the history of a card shows: of the workloads that most of its runs
// share the one with the most points, and the load that most of those runs were measured at, of
// equals the largest finite one. ok is false where no two runs share a load.
func (c *Card) HistoryOf() (class string, load float64, ok bool) {
	type use struct{ runs, points int }
	type place struct {
		class string
		load  float64
	}
	at := map[place]use{}
	for _, r := range c.Runs {
		if r.Withdrawn != "" {
			continue
		}
		for _, s := range r.Scenarios {
			for _, l := range s.Loads() {
				u := at[place{s.Class, l}]
				u.runs++
				u.points += len(s.Points)
				at[place{s.Class, l}] = u
			}
		}
	}
	var best place
	var most use
	for p, u := range at {
		d := cmp.Or(cmp.Compare(u.runs, most.runs), cmp.Compare(u.points, most.points), compareLoads(p.load, best.load), cmp.Compare(best.class, p.class))
		if u.runs > 1 && (most.runs == 0 || d > 0) {
			best, most = p, u
		}
	}
	return best.class, best.load, most.runs > 1
}

// compareLoads puts an infinite load below all others: "all at once" says little of a service.
func compareLoads(a, b float64) int {
	if math.IsInf(a, 1) != math.IsInf(b, 1) {
		if math.IsInf(a, 1) {
			return -1
		}
		return 1
	}
	return cmp.Compare(a, b)
}
