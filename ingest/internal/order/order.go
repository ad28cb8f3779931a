// Package order sorts lists of values that are no pointers.
package order

import "slices"

// Stable sorts a list as slices.SortStableFunc does, through pointers: a value is moved once and not at each step, and a
// browser, which loads all that reads files, loads one sort and not one for each type.
func Stable[T any](list []T, compare func(a, b T) int) {
	if len(list) < 2 {
		return
	}
	values := append([]T(nil), list...)
	sorted := make([]*T, len(list))
	for i := range values {
		sorted[i] = &values[i]
	}
	slices.SortStableFunc(sorted, func(a, b *T) int { return compare(*a, *b) })
	for i, v := range sorted {
		list[i] = *v
	}
}
