package catalog

import (
	"cmp"
	"math"

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
