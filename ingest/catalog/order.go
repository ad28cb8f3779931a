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

// Order is what most points differ in of all that [Point.Compare] looks at, in one place: that of a point lies in ten.
type Order struct {
	Point         *Point
	input, output float64
	clients       float64
	dataset       string
}

// Order is that of a point, which nobody changes as long as it is wanted.
func (p *Point) Order() Order {
	n := &p.Workload.Nominal
	return Order{p, orLeast(n.Input), orLeast(n.Output), orLeast(p.Load.MaxConcurrency), p.Workload.Dataset}
}

// Compare orders points as [Point.Compare] does.
func (o *Order) Compare(p *Order) int {
	if order := cmp.Compare(o.input, p.input); order != 0 {
		return order
	}
	if order := cmp.Compare(o.output, p.output); order != 0 {
		return order
	}
	if order := cmp.Compare(o.dataset, p.dataset); order != 0 {
		return order
	}
	if order := cmp.Compare(o.clients, p.clients); order != 0 {
		return order
	}
	return o.Point.Compare(p.Point)
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
func number[T ~int64 | ~float64](a, b *T) int { return cmp.Compare(orLeast(a), orLeast(b)) }

// orLeast is a number, less than all where it is missing.
func orLeast[T ~int64 | ~float64](n *T) float64 {
	if n == nil {
		return math.Inf(-1)
	}
	return float64(*n)
}
