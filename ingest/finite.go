package ingest

import (
	"fmt"
	"iter"
	"maps"
	"math"
	"slices"

	"github.com/inferdex/inferdex/ingest/record"
)

// most is above any number that can be measured in any unit, and far enough from the end of what a
// float64 holds that no conversion and no sum reaches it. Nanoseconds since 1970 are 1.8e18.
const most = 1e21

// least is below any number but zero that can be measured or comes of rounding, and far enough from the end of what a
// float64 holds that no quotient is infinite. A deviation of equal numbers may be 1e-23.
const least = 1e-100

// Immeasurable names a number of a record that none of its values may be: no number, infinite, or larger or
// closer to zero than anything that can be measured. It is empty for a record of measurable numbers. A rate of
// requests may be infinite: all at once.
func Immeasurable(r record.Record) string {
	found := ""
	beyond := func(n float64) bool { return math.IsNaN(n) || math.Abs(n) > most || n != 0 && math.Abs(n) < least }
	check := func(n float64, format string, args ...any) {
		if found == "" && beyond(n) {
			found = fmt.Sprintf(format, args...) + fmt.Sprintf(" is %v", n)
		}
	}
	optional := func(n *float64, what string) {
		if n != nil {
			check(*n, "%s", what)
		}
	}
	values := func(vs iter.Seq[record.Value]) {
		for v := range vs {
			if !beyond(v.Number) {
				continue
			}
			check(v.Number, "%s %s", v.Quantity, v.Stat)
		}
	}
	distributions := func(ds []record.Distribution) {
		for _, d := range ds {
			for _, q := range d.Quantiles {
				if !beyond(q[1]) {
					continue
				}
				check(q[1], "%s p%v", d.Quantity, q[0])
			}
			optional(d.MedianLow, "the interval of a median")
			optional(d.MedianHigh, "the interval of a median")
		}
	}
	all := func(ns []float64, what string) {
		for _, n := range ns {
			check(n, "%s", what)
		}
	}
	switch r := r.(type) {
	case *record.Result:
		values(r.Each())
		distributions(r.Distributions)
		for _, l := range []record.Lengths{r.Workload.Nominal, r.Workload.Actual} {
			optional(l.Input, "a length of inputs")
			optional(l.Output, "a length of outputs")
		}
		optional(r.Load.Burstiness, "burstiness")
		if r.Load.Rate != nil && !math.IsInf(float64(*r.Load.Rate), 1) {
			check(float64(*r.Load.Rate), "the rate of requests")
		}
	case *record.Figure:
		optional(r.Value, string(r.Quantity))
		if r.Score != nil {
			optional(r.Score.StdErr, "a standard error")
		}
	case *record.Profile:
		all(r.X, r.XLabel)
		for _, l := range r.Lines {
			all(l.Y, l.Label)
		}
		optional(r.FitSlope, "a slope")
		optional(r.FitIntercept, "an intercept")
	case *record.Samples:
		values(slices.Values(r.Values))
		distributions(r.Distributions)
		all(r.X, "a sample")
		all(r.Y, "a sample")
		for _, k := range slices.Sorted(maps.Keys(r.Nums)) {
			check(r.Nums[k], "%q", k)
		}
	case *record.System:
		for _, d := range r.Devices {
			optional(d.MemoryMiB, "the memory of a device")
			optional(d.MemoryUsedMiB, "the memory in use of a device")
			optional(d.PowerLimit, "the power limit of a device")
		}
	}
	return found
}
