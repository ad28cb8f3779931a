package reading

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
)

// Missing is not zero: what was not measured goes, what was measured as 0 stays. So does what cannot be, for a
// finding to say so; but -1 is what tools write for a goodput without limits.
func TestMeasured(t *testing.T) {
	v := func(q metric.ID, stat string, n float64) record.Value {
		return record.Value{Quantity: q, Stat: stat, Number: n}
	}
	in := []record.Value{
		v(metric.TTFT, "mean", 5), v(metric.TTFT, "median", 0), v(metric.TTFT, "std", 0), v(metric.TTFT, "mean", 6),
		v(metric.TPOT, "mean", -1), v(metric.TPOT, "std", 2),
		v(metric.ITL, "median", 0), v(metric.ITL, "p99", 3),
		v(metric.E2ELatency, "mean", 0),
		v(metric.OutputThroughput, "value", 0), v(metric.TotalThroughput, "value", -1), v(metric.Goodput, "value", -1),
	}
	want := []record.Value{v(metric.TTFT, "mean", 5), v(metric.TTFT, "std", 0), v(metric.TPOT, "mean", -1),
		v(metric.ITL, "median", 0), v(metric.ITL, "p99", 3), v(metric.TotalThroughput, "value", -1)}
	if diff := cmp.Diff(want, Measured(in, false)); diff != "" {
		t.Errorf("nothing completed (-want +got):\n%s", diff)
	}
	want = slices.Insert(want, len(want)-1, v(metric.OutputThroughput, "value", 0))
	if diff := cmp.Diff(want, Measured(in, true)); diff != "" {
		t.Errorf("something completed (-want +got):\n%s", diff)
	}
}

// 22 errors: the 20 most frequent are listed, the two rarest, of 1 and 2, are 3 others.
func TestErrors(t *testing.T) {
	counts := map[string]int64{"b": 30, "a": 30}
	for i := range 20 {
		counts[string(rune('c'+i))] = int64(i + 1)
	}
	got := Errors(counts)
	if len(got) != 21 || got[0].Text != "a" || got[1].Text != "b" ||
		got[19] != (record.ErrorCount{Text: "e", Count: 3}) ||
		got[20] != (record.ErrorCount{Text: "other errors", Count: 3}) {
		t.Errorf("%v", got)
	}
	if got := Errors(nil); got != nil {
		t.Errorf("of nothing: %v", got)
	}
}
