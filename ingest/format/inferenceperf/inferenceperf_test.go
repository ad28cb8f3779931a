package inferenceperf_test

import (
	"testing"

	"github.com/inferdex/inferdex/ingest/format/inferenceperf"
	"github.com/inferdex/inferdex/ingest/ingesttest"
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
	records := ingesttest.Read(t, inferenceperf.Format, "stage_0_lifecycle_metrics.json", stage)
	if len(records) != 2 {
		t.Fatalf("%d records, want a note that says what was done and a result", len(records))
	}
	if _, ok := records[0].(*record.Note); !ok {
		t.Errorf("the first record is no note: %s", records[0].Kind())
	}
	got := ingesttest.Numbers(records[1].(*record.Result))
	for name, want := range map[string]float64{
		"tpot mean s": 0.02, "ttft mean s": 0.06, "ttft p99 s": 0.1, "e2e_latency mean s": 1.26, "duration value s": 60,
		"request_throughput value req/s": 2,
	} {
		if got[name] != want {
			t.Errorf("%s is %v, want %v", name, got[name], want)
		}
	}
	for _, name := range []string{"tpot p99 s", "itl mean s"} {
		if v, ok := got[name]; ok {
			t.Errorf("%s is %v: it was counted with twice the tokens and should be left out", name, v)
		}
	}
}
