package normalize

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
)

// Points of loads are ordered as if each was ordered alone, whether loads are apart from each other or not.
func TestOrdered(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		clients, names := 1+rnd.Int64N(40), 1+rnd.IntN(3)
		var loads [][]*catalog.Point
		for range 1 + rnd.IntN(30) {
			n, name := rnd.Int64N(clients), string(rune('a'+rnd.IntN(names)))
			var load []*catalog.Point
			for i := range 1 + rnd.IntN(4) {
				if rnd.IntN(200) == 0 {
					i, n = 0, n+1 // a page gave a load to it that it did not state itself
				}
				own := n
				load = append(load, &catalog.Point{Repetition: i, Workload: record.Workload{Name: name},
					Load: record.Load{MaxConcurrency: &own}})
			}
			loads = append(loads, load)
		}
		want := slices.Concat(loads...)
		slices.SortStableFunc(want, (*catalog.Point).Compare)
		if got := ordered(loads); !slices.Equal(got, want) {
			t.Fatalf("%d loads are ordered otherwise than their points", len(loads))
		}
	}
}

// Records of one load with a date each are the same measurements as if each was compared with all before it.
func TestApart(t *testing.T) {
	group := func(dates ...string) (all []*candidate) {
		var entries []*entry
		for i, d := range dates {
			entries = append(entries, &entry{path: "a", key: recordKey{digest: "d", line: i + 1, kind: "result"},
				Record: &record.Result{Base: record.Base{At: record.Pos{File: "a", Line: i + 1}, Date: d, Format: "f"},
					Values: []record.Value{{Quantity: metric.TTFT, Stat: metric.Mean, Number: 1, Unit: "s"}}}})
		}
		return candidates(entries, &findings{})
	}
	firsts := func(of []*cluster) (lines []int) {
		for _, c := range of {
			lines = append(lines, c.first.record.key.line)
		}
		slices.Sort(lines)
		return lines
	}
	dated := group("20250103-101500", "20250101-101500", "20250102-101500")
	if got, want := firsts(apart(dated)), firsts(clustered(dated, &findings{})); len(got) != 3 || !slices.Equal(got, want) {
		t.Errorf("the measurements are those of the lines %v, compared with each other %v", got, want)
	}
	computed := group("20250103-101500", "20250101-101500")
	computed[1].record.computed = true
	for what, all := range map[string][]*candidate{
		"without a date": group("20250103-101500", ""), "of one date": group("20250103-101500", "20250103-101500"),
		"computed of another": computed,
	} {
		if got := apart(all); got != nil {
			t.Errorf("a record %s is taken for a measurement of its own: %v", what, firsts(got))
		}
	}
}
