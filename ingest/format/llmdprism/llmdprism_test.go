package llmdprism_test

import (
	"math"
	"testing"

	"github.com/inferdex/inferdex/ingest/format/llmdprism"
	"github.com/inferdex/inferdex/ingest/ingesttest"
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
	for _, r := range ingesttest.Read(t, llmdprism.Format, "p.json", text) {
		got = append(got, r.(*record.Result))
	}
	if len(got) != 2 {
		t.Fatalf("%d results, want 2", len(got))
	}
	for i, want := range []map[string]float64{
		{"total_throughput value tok/s": 240.1, "output_throughput value tok/s": 40, "ttft median ms": 90,
			"tpot mean ms": 20},
		{"output_throughput value tok/s": 40.2},
	} {
		numbers := ingesttest.Numbers(got[i])
		for key, n := range want {
			if numbers[key] != n {
				t.Errorf("entry %d: %s is %v, want %v", i, key, numbers[key], n)
			}
		}
		if n, ok := numbers["ttft p99 ms"]; ok {
			t.Errorf("entry %d: p99 of 0 is %v, want missing", i, n)
		}
	}
	if l := got[0].Load; l.Rate == nil || !math.IsInf(float64(*l.Rate), 1) || *l.MaxConcurrency != 8 {
		t.Errorf("load %+v, want concurrency 8 and no rate's limit", l)
	}
	if l := got[1].Load; l.Rate == nil || *l.Rate != 3 {
		t.Errorf("load %+v, want 3 requests a second", l)
	}
}
