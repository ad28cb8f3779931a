package main

import "testing"

// A heap that begins may grow to a small one, which may double, and a large one never has to hold a third of garbage.
func TestGrowth(t *testing.T) {
	for held, want := range map[uint64]int{0: firstGrowth, 12 << 20: 400, smallHeap: 100, 100 << 20: 100, easyHeap: 100, 512 << 20: 50, 2 << 30: leastGarbage} {
		if got := growth(held); got != want {
			t.Errorf("a heap of %d bytes may grow by %d %%, want %d", held, got, want)
		}
	}
}
