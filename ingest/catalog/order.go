package catalog

import (
	"bytes"
	"cmp"
	"math"

	"github.com/inferdex/inferdex/ingest/record"
)

// Compare orders points by workload, load and repetition: lengths and loads by their numbers,
// what is not recorded first, an infinite rate last.
func (p *Point) Compare(q *Point) int {
	a, b := &p.Workload, &q.Workload
	if order := number(a.Nominal.Input, b.Nominal.Input); order != 0 {
		return order
	}
	if order := number(a.Nominal.Output, b.Nominal.Output); order != 0 {
		return order
	}
	if order := cmp.Compare(a.Dataset, b.Dataset); order != 0 {
		return order
	}
	if order := compareLoad(&p.Load, &q.Load); order != 0 {
		return order
	}
	if order := cmp.Compare(a.Name, b.Name); order != 0 {
		return order
	}
	var one, other [256]byte // a key costs more than all of these
	if order := bytes.Compare(a.AppendKey(one[:0]), b.AppendKey(other[:0])); order != 0 {
		return order
	}
	return cmp.Compare(p.Repetition, q.Repetition)
}

func compareLoad(a, b *record.Load) int {
	if order := number(a.MaxConcurrency, b.MaxConcurrency); order != 0 {
		return order
	}
	if order := number(a.Rate, b.Rate); order != 0 {
		return order
	}
	if order := number(a.Batch, b.Batch); order != 0 {
		return order
	}
	return number(a.Burstiness, b.Burstiness)
}

// number orders optional numbers, missing first.
func number[T ~int64 | ~float64](a, b *T) int {
	x, y := math.Inf(-1), math.Inf(-1)
	if a != nil {
		x = float64(*a)
	}
	if b != nil {
		y = float64(*b)
	}
	return cmp.Compare(x, y)
}
