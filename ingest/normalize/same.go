package normalize

import (
	"math"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/metric"
)

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
	for v := range a.Each() {
		w, ok := b.Get(v.Name)
		if !ok {
			continue
		}
		if !agreeAs(v.Value, w, a.OrigUnit, b.OrigUnit) {
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

// agreeAs is [agree] of numbers that were written in units of their own, "" for the base unit: they are no further apart
// than half of the last place of the coarser one. 100 ms and 110 ms are 0.1 s and 0.11 s, and neither is the other
// rounded.
func agreeAs(a, b float64, unitA, unitB string) bool {
	if !agree(a, b) {
		return false
	}
	apart := math.Abs(a - b)
	return unitA == "" && unitB == "" || apart <= 1e-9*max(math.Abs(a), math.Abs(b)) ||
		apart <= 0.5000001*max(lastPlace(a, unitA), lastPlace(b, unitB))
}

// lastPlace is one of the last place to which a number is written in its unit, in the base unit.
func lastPlace(v float64, unit string) float64 {
	one := 1.0
	if n, _, err := metric.Convert(1, unit); unit != "" && err == nil {
		one = n
	}
	return one * math.Pow10(-decimals(v/one))
}
