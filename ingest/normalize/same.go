package normalize

import (
	"math"

	"github.com/inferdex/inferdex/ingest/catalog"
)

// sharesPoint reports whether two lists of points that have one identity hold one measurement
// both: equal workload, load, and every statistic that both have.
func sharesPoint(a, b []catalog.Point) bool {
	type key struct{ workload, load string }
	at := map[key][]*catalog.Point{}
	for i := range a {
		k := key{a[i].Workload.Key(), a[i].Load.Key()}
		at[k] = append(at[k], &a[i])
	}
	for i := range b {
		for _, p := range at[key{b[i].Workload.Key(), b[i].Load.Key()}] {
			if common := commonStats(p, &b[i]); common > 0 {
				return true
			}
		}
	}
	return false
}

// samePoint reports whether two points of equal workload and load are one measurement, whatever
// run they are of. A few equal numbers may be chance: it takes a common date or four common
// statistics.
func samePoint(p, q *catalog.Point) bool {
	common := commonStats(p, q)
	return common >= 4 || common >= 1 && dated(p.Date) && dated(q.Date)
}

// commonStats counts the statistics that two points have in common; 0 where any differs or
// where they were measured at different times.
func commonStats(p, q *catalog.Point) int {
	if !oneStart(p.Date, q.Date) {
		return 0
	}
	common := 0
	for m, s := range p.Metrics {
		t, ok := q.Metrics[m]
		if !ok {
			continue
		}
		n, equal := compareStats(s, t)
		if !equal {
			return 0
		}
		common += n
	}
	return common
}

// compareStats counts the statistics that both have and reports whether they agree.
func compareStats(a, b catalog.Stat) (common int, equal bool) {
	other := map[string]float64{}
	for _, v := range b.All() {
		other[v.Name] = v.Value
	}
	for _, v := range a.All() {
		w, ok := other[v.Name]
		if !ok {
			continue
		}
		if !agree(v.Value, w) {
			return 0, false
		}
		common++
	}
	return common, true
}

// agree reports whether two numbers state one: equal to 1e-9, or equal once the longer is
// rounded to the decimals of the shorter, where that leaves an error below 1 % or the shorter is printed
// behind a point with one or two digits. A page that prints 1479.34 and a file with 1479.3412 agree, and
// so do 0.1 and 0.0981.
func agree(a, b float64) bool {
	if a == b || math.Abs(a-b) <= 1e-9*math.Max(math.Abs(a), math.Abs(b)) {
		return true
	}
	coarse, d := a, decimals(a)
	if n := decimals(b); n < d {
		coarse, d = b, n
	}
	if d == 0 || significant(coarse) >= telling {
		if math.Abs(a-b) > 0.01*math.Min(math.Abs(a), math.Abs(b)) {
			return false
		}
	}
	// Half a unit in the last place, and a little for numbers that are no binary fractions.
	return math.Abs(a-b) <= 0.5000001*math.Pow10(-d)
}

// conflict reports whether two groups of one identity are two runs: both have points, and in the
// workloads that both measured none is in common. Where the tool names the session itself, loads
// that only one of the two has are a part each of the same session.
func conflict(a, b []catalog.Point, suite bool) bool {
	if len(a) == 0 || len(b) == 0 || sharesPoint(a, b) {
		return false
	}
	workloads, loads := map[string]bool{}, map[string]bool{}
	for i := range a {
		w := a[i].Workload.Key()
		workloads[w] = true
		loads[w+"|"+a[i].Load.Key()] = true
	}
	for i := range b {
		w := b[i].Workload.Key()
		if loads[w+"|"+b[i].Load.Key()] || workloads[w] && !suite {
			return true
		}
	}
	return false
}
