package main

import "testing"

// A heap that begins may grow to a small one, which may double or come to the room that there is, and a large one without
// room never has to hold a third of garbage. One with room doubles up to the most that a build comes to.
func TestGrowth(t *testing.T) {
	for _, c := range []struct {
		held, room uint64
		want       int
	}{
		{0, 0, firstGrowth}, {12 << 20, 0, 400}, {smallHeap, 0, 100}, {100 << 20, 0, 100}, {easyHeap, 0, 100},
		{512 << 20, 0, 50}, {2 << 30, 0, leastGarbage},
		{0, 200 << 20, firstGrowth}, {50 << 20, 200 << 20, 300}, {100 << 20, 200 << 20, 100}, {buildMost / 2, 200 << 20, 100},
		{512 << 20, 200 << 20, leastGarbage}, {400 << 20, 200 << 20, 60}, {2 << 30, 200 << 20, leastGarbage},
	} {
		if got := growth(c.held, c.room); got != c.want {
			t.Errorf("a heap of %d bytes in a room of %d may grow by %d %%, want %d", c.held, c.room, got, c.want)
		}
	}
}
