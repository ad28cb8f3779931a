package main

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// A heap that holds no more than easyHeap bytes may double until it is looked through, as is usual, and one that holds
// less than smallHeap may grow by that much. A larger one may grow by easyHeap, and by leastGarbage percent at least, since
// each collection looks at all that is held.
const (
	smallHeap    = 48 << 20
	easyHeap     = 256 << 20
	leastGarbage = 40
)

// thrift has the garbage of a large heap collected more often than Go does by itself, which waits until a heap has
// doubled: what a process needs is seldom more than the double of a small heap, and always of a large one. That of a heap
// that only begins to grow it has collected less often. It looks at the heap after each collection, for as long as the
// program runs.
func thrift() {
	held := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	usual := debug.SetGCPercent(100)
	debug.SetGCPercent(usual)
	if usual != 100 {
		return // somebody set it
	}
	now := firstGrowth
	debug.SetGCPercent(now)
	type collected struct{ _ [16]byte }
	var again func(*collected)
	again = func(c *collected) {
		metrics.Read(held)
		percent := growth(held[0].Value.Uint64())
		if percent != now {
			now = percent
			debug.SetGCPercent(percent)
		}
		runtime.SetFinalizer(c, again)
	}
	runtime.SetFinalizer(&collected{}, again)
}

// firstGrowth is growth of a heap before the first collection: Go looks at one of 4 MiB where it is 100.
const firstGrowth = 100 * smallHeap / (4 << 20)

// growth is by how much a heap that holds so many bytes may grow until it is looked through, in percent.
func growth(held uint64) int {
	if held <= easyHeap {
		return max(100, min(firstGrowth, int(100*smallHeap/max(1, held))))
	}
	return max(leastGarbage, int(100*easyHeap/held))
}
