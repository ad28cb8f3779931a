package llmdprism_test

import (
	"math"
	"testing"

	"github.com/inferdex/inferdex/ingest"
	"github.com/inferdex/inferdex/ingest/format/llmdprism"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
)

// By hand, of the first entry below: 2 requests a second of 100 + 20 tokens are 240 tokens a second,
// so that the throughput of 240.1 is that of all tokens and 40 that of the output; the target of 2.0
// is the rate that came about, and the rate asked for is the one of the name, without a limit. Of
// the second: 2 x 20 = 40, so that 40.2 is the output's; 3.0 is a target.
func TestMeaning(t *testing.T) {
	const text = `[{"id": "a", "model": "m", "accelerator_count": 4,
"source_info": {"file_identifier": "vllm-infqps-concurrency8-m.json"},
"metrics": {"throughput": 240.1, "request_rate": 2.0, "ttft": {"mean": 100.0, "p50": 90.0, "p99": 0},
	"tpot": 20.0, "tpot_ms": 21.0},
"workload": {"input_tokens": 100, "output_tokens": 20, "target_qps": 2.0, "concurrency": 8}},
{"id": "b", "model": "m", "accelerator_count": 4, "source_info": {},
"metrics": {"throughput": 40.2, "request_rate": 2.0},
"workload": {"input_tokens": 100, "output_tokens": 20, "target_qps": 3.0}}]`
	var got []*record.Result
	if err := llmdprism.Format.Read(ingest.NewSource("p.json", []byte(text)), func(r record.Record) {
		got = append(got, r.(*record.Result))
	}); err != nil || len(got) != 2 {
		t.Fatal(len(got), err)
	}
	number := func(r *record.Result, q metric.ID, stat string) float64 {
		for _, v := range r.Values {
			if v.Quantity == q && v.Stat == stat {
				return v.Number
			}
		}
		return math.NaN()
	}
	for _, x := range []struct {
		i    int
		q    metric.ID
		stat string
		want float64
	}{
		{0, metric.TotalThroughput, "value", 240.1}, {0, metric.OutputThroughput, "value", 40},
		{0, metric.TTFT, "median", 90}, {0, metric.TPOT, "mean", 20}, {1, metric.OutputThroughput, "value", 40.2},
	} {
		if n := number(got[x.i], x.q, x.stat); n != x.want {
			t.Errorf("entry %d: %s %s is %v, want %v", x.i, x.q, x.stat, n, x.want)
		}
	}
	if n := number(got[0], metric.TTFT, "p99"); !math.IsNaN(n) {
		t.Errorf("p99 of 0 is %v, want missing", n)
	}
	if l := got[0].Load; l.Rate == nil || !math.IsInf(float64(*l.Rate), 1) || *l.MaxConcurrency != 8 {
		t.Errorf("load %+v, want concurrency 8 and no rate's limit", l)
	}
	if l := got[1].Load; l.Rate == nil || *l.Rate != 3 {
		t.Errorf("load %+v, want 3 requests a second", l)
	}
}
