package compare

import (
	"slices"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
)

// Pivot is one statistic of one metric by load with the series as columns.
type Pivot struct {
	Metric metric.ID
	Stat   string
	Axis   string
	// Series are the columns, Base the column that "faster by" compares with.
	Series []*figure.Run
	Base   int
	Rows   []PivotRow
}

// PivotRow is one load.
type PivotRow struct {
	Load float64 // +Inf for all requests at once
	// Points and Values are parallel to Series; a nil point or value is missing.
	Points []*catalog.Point
	Values []catalog.Number
	// Fastest is the best column, -1 where fewer than two are measured.
	Fastest int
	// FasterBy compares the best with the base column; nil where the base is the best or missing.
	FasterBy catalog.Number
}

// Contested reports whether several series are measured at a load of any row.
func (pv Pivot) Contested() bool {
	return slices.ContainsFunc(pv.Rows, func(r PivotRow) bool { return r.Fastest >= 0 })
}

// Beaten reports whether the base is beaten at a load of any row.
func (pv Pivot) Beaten() bool {
	return slices.ContainsFunc(pv.Rows, func(r PivotRow) bool { return r.FasterBy != nil })
}

// NewPivot compares runs that share a class of workload. The base is the run marked as
// baseline, else the first. ok is false where no run has the statistic.
func NewPivot(runs []*figure.Run, class string, m metric.ID, stat string) (pv Pivot, ok bool) {
	pv = Pivot{Metric: m, Stat: stat}
	info, _ := metric.Lookup(m)
	loads := map[float64]bool{}
	scenarios := make([]*figure.Scenario, 0, len(runs))
	for _, r := range runs {
		s := r.Scenario(class)
		if s == nil {
			continue
		}
		pv.Axis = s.Axis
		if r.Baseline {
			pv.Base = len(pv.Series)
		}
		pv.Series = append(pv.Series, r)
		scenarios = append(scenarios, s)
		for _, p := range s.Points {
			if _, has := figure.Get(p, m, stat); has {
				loads[figure.LoadOf(p)] = true
				ok = true
			}
		}
	}
	sorted := make([]float64, 0, len(loads))
	for l := range loads {
		sorted = append(sorted, l)
	}
	slices.Sort(sorted)
	for _, l := range sorted {
		row := PivotRow{Load: l, Fastest: -1}
		measured := 0
		for i, s := range scenarios {
			p := s.At(l)
			var v catalog.Number
			if p != nil {
				if w, has := figure.Get(p, m, stat); has {
					v = &w
					measured++
					if row.Fastest < 0 || info.Better == metric.Higher && w > *row.Values[row.Fastest] ||
						info.Better != metric.Higher && w < *row.Values[row.Fastest] {
						row.Fastest = i
					}
				}
			}
			row.Points = append(row.Points, p)
			row.Values = append(row.Values, v)
		}
		if measured < 2 {
			row.Fastest = -1
		} else if b := row.Values[pv.Base]; b != nil && row.Fastest != pv.Base {
			if f, has := figure.FasterBy(*b, *row.Values[row.Fastest], info.Better); has {
				row.FasterBy = &f
			}
		}
		pv.Rows = append(pv.Rows, row)
	}
	return pv, ok
}
