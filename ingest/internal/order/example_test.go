package order_test

import (
	"cmp"
	"fmt"

	"github.com/inferdex/inferdex/ingest/internal/order"
)

// Points of two files are put in the order of their loads; those of one load keep theirs.
func ExampleStable() {
	type point struct {
		load int
		file string
	}
	points := []point{{8, "a"}, {1, "a"}, {8, "b"}, {4, "b"}}
	order.Stable(points, func(x, y point) int { return cmp.Compare(x.load, y.load) })
	fmt.Println(points)
	// Output: [{1 a} {4 b} {8 a} {8 b}]
}
