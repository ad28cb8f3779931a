package catalog

import (
	"cmp"
	"math"
	"strconv"

	"github.com/inferdex/inferdex/ingest/record"
)

// Compare orders points by workload, load and repetition: lengths and loads by their numbers,
// what is not recorded first, an infinite rate last.
func (p *Point) Compare(q *Point) int {
	a, b := &p.Workload, &q.Workload
	order := cmp.Or(
		number(a.Nominal.Input, b.Nominal.Input),
		number(a.Nominal.Output, b.Nominal.Output),
		cmp.Compare(a.Dataset, b.Dataset),
		compareLoad(&p.Load, &q.Load),
		cmp.Compare(a.Name, b.Name),
	)
	if order != 0 { // a key costs more than all of these
		return order
	}
	return cmp.Or(cmp.Compare(a.Key(), b.Key()), cmp.Compare(p.Repetition, q.Repetition))
}

func compareLoad(a, b *record.Load) int {
	return cmp.Or(
		number(whole(a.MaxConcurrency), whole(b.MaxConcurrency)),
		number((*float64)(a.Rate), (*float64)(b.Rate)),
		number(whole(a.Batch), whole(b.Batch)),
		number(a.Burstiness, b.Burstiness),
	)
}

// number orders optional numbers, missing first.
func number(a, b Number) int {
	x, y := math.Inf(-1), math.Inf(-1)
	if a != nil {
		x = *a
	}
	if b != nil {
		y = *b
	}
	return cmp.Compare(x, y)
}

func whole(n *int64) Number {
	if n == nil {
		return nil
	}
	f := float64(*n)
	return &f
}

// Implausible says in words what in the statistics cannot be: a percentile below a smaller one,
// a median above the maximum, a negative spread.
func (s Stat) Implausible() []string {
	type named struct {
		name  string
		value float64
	}
	var row []named // in ascending order, if all is well
	add := func(name string, n Number) {
		if n != nil {
			row = append(row, named{name, *n})
		}
	}
	add("min", s.Min)
	median := func() { add("median", s.Median) }
	done := false
	for _, p := range s.Percentiles {
		if p.P > 50 && !done {
			median()
			done = true
		}
		row = append(row, named{"p" + strconv.FormatFloat(p.P, 'g', -1, 64), p.Value})
	}
	if !done {
		median()
	}
	add("max", s.Max)
	var out []string
	shortest := func(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
	for i := 1; i < len(row); i++ {
		a, b := row[i-1], row[i]
		// The last bits of two computations of one number may differ.
		if b.value < a.value && a.value-b.value > 1e-9*math.Abs(a.value) {
			out = append(out, a.name+" "+shortest(a.value)+" is above "+b.name+" "+shortest(b.value))
		}
	}
	if s.Std != nil && *s.Std < 0 {
		out = append(out, "standard deviation "+shortest(*s.Std)+" is negative")
	}
	slack := func(v float64) float64 { return 1e-9 * math.Abs(v) }
	if s.Mean != nil && s.Min != nil && *s.Mean < *s.Min-slack(*s.Min) {
		out = append(out, "mean "+shortest(*s.Mean)+" is below min "+shortest(*s.Min))
	}
	if s.Mean != nil && s.Max != nil && *s.Mean > *s.Max+slack(*s.Max) {
		out = append(out, "mean "+shortest(*s.Mean)+" is above max "+shortest(*s.Max))
	}
	return out
}
