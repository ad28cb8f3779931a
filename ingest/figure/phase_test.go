package figure

import (
	"maps"
	"testing"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figuretest"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
)

// TestNamesThatAreLengths: a title has the lengths of a workload once.
func TestNamesThatAreLengths(t *testing.T) {
	for name, want := range map[string]string{"12 in, 99 out": "12 → 99", "pp12+tg99 @ d4096": "12 → 99 at depth 4\u202f096",
		"Chat, 12 in": "Chat, 12 in, 12 → 99"} {
		p := figuretest.Point(1, 100, 0.1, 0.2, 0.01, 0.02)
		p.Workload = record.Workload{Name: name, Actual: record.Lengths{Input: figuretest.Num(12), Output: figuretest.Num(99)}}
		ix := NewIndex(&catalog.Catalog{Runs: []*catalog.Run{figuretest.Run("r", "o/Dense-10B", "1x big", "1.0", p)}},
			figuretest.Names(t))
		if got := ix.Runs[0].Scenarios[0].Title; got != want {
			t.Errorf("%q: the title is %q, want %q", name, got, want)
		}
	}
}

// 1,000 tokens in 0.1 s are 10,000 tok/s and 1 / 0.02 s are 50, unless some of the prompt may have been in the prefix cache.
func TestCachedPrompts(t *testing.T) {
	plain := figuretest.Point(1, 50, 0.1, 0.1, 0.02, 0.02)
	turns, several, shared, repeated, hit, missed := plain, plain, plain, plain, plain, plain
	turns.Workload.Name, several.Workload.Name, shared.Workload.Name = "multi-turn", "3 turns", "shared prefix of 100 tokens"
	repeated.Workload.Dataset = "prefix_repetition"
	for p, hits := range map[*catalog.Point]float64{&hit: 0.25, &missed: 0} {
		p.Metrics = maps.Clone(plain.Metrics)
		p.Metrics[metric.PrefixCacheHits] = catalog.Stat{Value: figuretest.Num(hits), Unit: metric.Fraction}
	}
	for _, c := range []struct {
		p    *catalog.Point
		want float64
	}{{&plain, 10_000}, {&missed, 10_000}, {&hit, 0}, {&turns, 0}, {&several, 0}, {&shared, 0}, {&repeated, 0}} {
		if prefill, decode := PrefillDecode(c.p); prefill != c.want || decode != 50 {
			t.Errorf("%q, hits %v: prefill %v, decode %v", c.p.Workload.Name, c.p.Metrics[metric.PrefixCacheHits].Value, prefill, decode)
		}
	}
}
