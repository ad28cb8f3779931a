package inferenceperf_test

import (
	"testing"

	"github.com/inferdex/inferdex/ingest"
	"github.com/inferdex/inferdex/ingest/format/inferenceperf"
	"github.com/inferdex/inferdex/ingest/record"
)

// A stage whose tokens were counted twice. By hand: the mean TPOT should be
// (request_latency - time_to_first_token) / (output_len - 1) = (1.26 - 0.06) / (61 - 1) = 0.02 s;
// line 4 says 0.011, which is 0.55 of it. 120 requests at 2 a second took 60 s.
func TestCountedTwice(t *testing.T) {
	const stage = `{"load_summary": {"count": 120, "requested_rate": 2.0, "achieved_rate": 2.0},
"successes": {"count": 120, "latency": {
"request_latency": {"mean": 1.26, "p99": 2.0},
"time_per_output_token": {"mean": 0.011, "p99": 0.013},
"time_to_first_token": {"mean": 0.06, "p99": 0.1},
"inter_token_latency": {"mean": 0.011}},
"throughput": {"requests_per_sec": 2.0}, "output_len": {"mean": 61.0}}, "failures": {"count": 0}}`
	got := map[string]float64{}
	notes := 0
	err := inferenceperf.Format.Read(ingest.NewSource("stage_0_lifecycle_metrics.json", []byte(stage)), func(r record.Record) {
		switch r := r.(type) {
		case *record.Result:
			for _, v := range r.Values {
				got[string(v.Quantity)+" "+v.Stat] = v.Number
			}
		case *record.Note:
			notes++
		default:
			t.Errorf("%s: %s", r.Pos(), r.Kind())
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]float64{"tpot mean": 0.02, "ttft mean": 0.06, "ttft p99": 0.1, "e2e_latency mean": 1.26, "duration value": 60, "request_throughput value": 2} {
		if got[name] != want {
			t.Errorf("%s is %v, want %v", name, got[name], want)
		}
	}
	for _, name := range []string{"tpot p99", "itl mean"} {
		if v, ok := got[name]; ok {
			t.Errorf("%s is %v: it was counted with twice the tokens and should be left out", name, v)
		}
	}
	if notes != 1 {
		t.Errorf("%d notes, want one that says what was done", notes)
	}
}
