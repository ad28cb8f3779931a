package ingest

import (
	"fmt"
	"iter"
	"maps"
	"math"
	"slices"

	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

// Immeasurable names a number of a record that none of its values may be: no number, infinite, or larger or
// closer to zero than anything that can be measured. It is empty for a record of measurable numbers. A rate of
// requests may be infinite: all at once.
func Immeasurable(r record.Record) string {
	found := ""
	beyond := func(n float64) bool { return !reading.Measurable(n) }
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

// measurable takes out of a record the numbers that nothing can be, where the others say something without them, and
// tells of each what was taken out. Nothing is taken out of a record of which nothing would be left: see [Immeasurable].
func measurable(r record.Record) (told []string) {
	leave := func(what string, n float64) {
		told = append(told, fmt.Sprintf("%s is %v: no measurement is that, and the value is left out", what, n))
	}
	optional := func(n **float64, what string) {
		if *n != nil && !reading.Measurable(**n) {
			leave(what, **n)
			*n = nil
		}
	}
	switch r := r.(type) {
	case *record.Result:
		if Immeasurable(r) == "" {
			return nil
		}
		good := 0
		for v := range r.Each() {
			if reading.Measurable(v.Number) {
				good++
			}
		}
		if good == 0 {
			return nil
		}
		r.Open()
		r.Values = slices.DeleteFunc(slices.Clone(r.Values), func(v record.Value) bool {
			if reading.Measurable(v.Number) {
				return false
			}
			what := fmt.Sprintf("%s %s", v.Quantity, v.Stat)
			if v.Key != "" {
				what = fmt.Sprintf("%q", v.Key)
			}
			leave(what, v.Number)
			return true
		})
		r.Distributions = slices.DeleteFunc(slices.Clone(r.Distributions), func(d record.Distribution) bool {
			what := Immeasurable(&record.Result{Distributions: []record.Distribution{d}})
			if what != "" {
				told = append(told, what+": no measurement is that, and the distribution is left out")
			}
			return what != ""
		})
		for _, l := range []*record.Lengths{&r.Workload.Nominal, &r.Workload.Actual} {
			optional(&l.Input, "a length of inputs")
			optional(&l.Output, "a length of outputs")
		}
		optional(&r.Load.Burstiness, "burstiness")
	case *record.System:
		for i := range r.Devices {
			d := &r.Devices[i]
			optional(&d.MemoryMiB, "the memory of a device")
			optional(&d.MemoryUsedMiB, "the memory in use of a device")
			optional(&d.PowerLimit, "the power limit of a device")
		}
	}
	return told
}
