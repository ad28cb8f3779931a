package normalize

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
)

// accounts of one load without a date, of numbers told in few or many digits, so that some state one measurement.
func accountsOfOneLoad(n int) []*candidate {
	rnd := rand.New(rand.NewPCG(1, 2))
	told := func(v float64) float64 {
		scale := math.Pow10(rnd.IntN(7))
		return math.Round(v*scale) / scale
	}
	var results []*entry
	for i := range n {
		res := &record.Result{Base: record.Base{At: record.Pos{File: "a", Line: i + 1}, Format: "f"}}
		v := math.Pow(10, float64(rnd.IntN(4))-2) * (1 + float64(rnd.IntN(200))/23)
		add := func(q metric.ID, stat, unit string, v float64) {
			res.Values = append(res.Values, record.Value{Quantity: q, Stat: stat, Number: told(v), Unit: unit})
		}
		add(metric.OutputThroughput, metric.Value, "tok/s", v)
		if rnd.IntN(3) > 0 {
			add(metric.TTFT, metric.Mean, "s", 2*v)
		}
		if rnd.IntN(4) == 0 {
			add(metric.TPOT, metric.Mean, "s", v/3)
		}
		results = append(results, &entry{Record: res, path: "a",
			key: recordKey{digest: "d", line: i + 1, kind: "result"}})
	}
	all := candidates(results, &findings{})
	for _, c := range all {
		c.weigh()
	}
	slices.SortStableFunc(all, authority)
	return all
}

// Accounts are put together as if each was compared with all before it.
func TestClusteredFindsTheFirst(t *testing.T) {
	all := accountsOfOneLoad(1500)
	var want [][]int
	var firsts []*candidate
	for _, c := range all {
		if i := slices.IndexFunc(firsts, func(f *candidate) bool { return oneMeasurement(f, c) }); i >= 0 {
			want[i] = append(want[i], c.record.key.line)
			continue
		}
		firsts, want = append(firsts, c), append(want, []int{c.record.key.line})
	}
	in := clustersOf(all)
	var got [][]int
	for n, c := range all {
		if i := in.find(c); i >= 0 {
			got[i] = append(got[i], c.record.key.line)
			continue
		}
		in.begin(n, c)
		got = append(got, []int{c.record.key.line})
	}
	if len(want) < 100 || len(want) > 1400 {
		t.Fatalf("%d measurements of 1500 accounts: the test shows nothing", len(want))
	}
	if !slices.EqualFunc(got, want, slices.Equal[[]int]) {
		t.Errorf("%d measurements, compared in pairs %d", len(got), len(want))
	}
}

// A load that was measured again and again is not compared in pairs: neither where one number differs in its last digits
// and all others are equal, nor where results state different statistics.
func TestClusteredIsLinear(t *testing.T) {
	value := func(q metric.ID, stat string, v float64) record.Value {
		return record.Value{Quantity: q, Stat: stat, Number: v, Unit: map[bool]string{true: "s", false: "tok/s"}[q == metric.TTFT]}
	}
	for name, told := range map[string]func(i int) []record.Value{
		"far apart": func(i int) []record.Value {
			return []record.Value{value(metric.OutputThroughput, metric.Value, 100+float64(i)*1.37)}
		},
		"nearly equal": func(i int) []record.Value {
			return []record.Value{value(metric.OutputThroughput, metric.Value, 100+float64(i)*1e-6),
				value(metric.TTFT, metric.Mean, 1.25)}
		},
		"of two kinds": func(i int) []record.Value {
			v := []record.Value{value(metric.OutputThroughput, metric.Value, 100+float64(i)*1e-6)}
			if i%2 == 0 {
				return append(v, value(metric.TTFT, metric.Mean, 1.25), value(metric.TTFT, metric.P99, 2.5))
			}
			return append(v, value(metric.TTFT, metric.P90, 2.25))
		},
	} {
		compared := func(n int) (sum int) {
			var all []*candidate
			for i := range n {
				c := pointOf(&entry{Record: &record.Result{Values: told(i)}, key: recordKey{digest: "d", line: i + 1}},
					&findings{})
				c.weigh()
				all = append(all, c)
			}
			slices.SortStableFunc(all, authority)
			in := clustersOf(all)
			for i, c := range all {
				sum += len(in.likely(in.byTurn[0], c))
				in.begin(i, c)
			}
			return sum
		}
		if few, many := compared(1000), compared(8000); many > 24*few { // in pairs it would be 64 times
			t.Errorf("%s: 1000 repetitions take %d comparisons and 8000 take %d", name, few, many)
		}
	}
}
