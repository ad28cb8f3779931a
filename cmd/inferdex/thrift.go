package main

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
)

// A heap that holds no more than easyHeap bytes may double until it is looked through, as is usual, and one that holds
// less than smallHeap may grow by that much. A larger one may grow by easyHeap, and by leastGarbage percent at least, since
// each collection looks at all that is held.
const (
	smallHeap    = 48 << 20
	easyHeap     = 256 << 20
	leastGarbage = 40
)

// buildRoom is what the heap of a build or a check comes to before garbage is looked for. A build of a thousand cards
// holds half of it and throws ten times as much away. One of ten thousand holds twice as much and may come to buildMost.
const (
	buildRoom = 208 << 20
	buildMost = 640 << 20
)

// thrifty is whether the heap is looked at.
var thrifty atomic.Bool

// thrift has the garbage of a large heap collected more often than Go does by itself, which waits until a heap has
// doubled: what a process needs is seldom more than the double of a small heap, and always of a large one. That of a heap
// that only begins to grow it has collected less often. Where room is not zero, a heap comes to so many bytes before it
// is looked through, and doubles beyond them up to buildMost. It looks at the heap after each collection, for as long as
// the program runs: what is asked for first holds, since a server builds and reads in turn.
func thrift(room uint64) {
	if thrifty.Swap(true) {
		return
	}
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
		percent := growth(held[0].Value.Uint64(), room)
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

// growth is by how much a heap that holds so many bytes may grow until it is looked through, in percent. One that has
// room may come to it, and double beyond it; but where it has just begun, it may have grown by much when it is looked at
// the next time: it counts for room when it holds a fifth of it.
func growth(held, room uint64) int {
	if room == 0 && held > easyHeap {
		return max(leastGarbage, int(100*easyHeap/held))
	}
	percent := max(100, min(firstGrowth, int(100*smallHeap/max(1, held))))
	if 5*held >= room {
		percent = max(percent, int(100*room/max(1, held))-100)
	}
	return min(percent, max(leastGarbage, int(100*buildMost/max(1, held))-100))
}
