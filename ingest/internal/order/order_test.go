package order_test

import (
	"cmp"
	"slices"
	"testing"
	"testing/quick"

	"github.com/inferdex/inferdex/ingest/internal/order"
)

// What is equal stays in its order: the result is that of the standard library.
func TestStable(t *testing.T) {
	type value struct {
		Key   uint8
		Place int
	}
	byKey := func(a, b value) int { return cmp.Compare(a.Key, b.Key) }
	if err := quick.Check(func(keys []uint8) bool {
		var list []value
		for i, k := range keys {
			list = append(list, value{k % 8, i})
		}
		want := slices.Clone(list)
		slices.SortStableFunc(want, byKey)
		order.Stable(list, byKey)
		return slices.Equal(list, want)
	}, nil); err != nil {
		t.Error(err)
	}
}
