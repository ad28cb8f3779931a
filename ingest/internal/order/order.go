// Package order sorts lists of values that are no pointers. Those of pointers have one sort too, slices.SortStableFunc:
// where what a browser loads called slices.SortFunc, that would be a second one.
package order

import (
	"slices"
	"sort"
)

// Stable sorts a list as slices.SortStableFunc does, through places: a value is moved once and not at each step, and a
// browser, which loads all that reads files, loads one sort and not one for each type.
func Stable[T any](list []T, compare func(a, b T) int) {
	values := slices.Clone(list)
	for to, from := range places(len(list), func(i, j int) int { return compare(values[i], values[j]) }) {
		list[to] = values[from]
	}
}

// places are those of n values, in the order of the values.
func places(n int, compare func(i, j int) int) []int {
	p := make([]int, n)
	for i := range p {
		p[i] = i
	}
	sort.SliceStable(p, func(i, j int) bool { return compare(p[i], p[j]) < 0 })
	return p
}
