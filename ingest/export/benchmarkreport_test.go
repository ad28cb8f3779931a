package export

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
)

func number64(f float64) catalog.Number { return &f }
func whole(n int64) *int64              { return &n }

// The report has the number sent, the failed and the incomplete; what of ours these cannot say
// stands beside them.
func TestCounts(t *testing.T) {
	for _, c := range []struct {
		name                                   string
		submitted, completed, failed, timedOut *int64
		want                                   requests
		exact                                  bool // ours are written too
	}{
		{"all known", whole(10), whole(7), whole(2), nil,
			requests{Total: 10, Failures: whole(2), Incomplete: whole(1)}, false},
		{"failures not counted", whole(10), whole(7), nil, nil, requests{Total: 10, Incomplete: whole(3)}, false},
		{"all completed", whole(10), whole(10), nil, nil, requests{Total: 10, Incomplete: whole(0)}, false},
		{"sent is not known", nil, whole(7), nil, nil, requests{Total: 7}, true},
		{"sent follows", nil, whole(7), whole(2), nil, requests{Total: 9, Failures: whole(2)}, true},
		{"only sent", whole(10), nil, nil, nil, requests{Total: 10}, false},
		{"timed out", whole(10), whole(9), whole(1), whole(1), requests{Total: 10, Failures: whole(1)}, true},
		{"a contradiction", whole(10), whole(9), whole(5), nil, requests{Total: 10}, true},
	} {
		x := &beyond{}
		p := catalog.Point{Submitted: c.submitted, Completed: c.completed, Failed: c.failed, TimedOut: c.timedOut}
		got := requestsOf(&p, x)
		if got == nil {
			t.Errorf("%s: no counts", c.name)
			continue
		}
		if diff := cmp.Diff(c.want, *got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
		if (x.Counts != nil) != c.exact {
			t.Errorf("%s: ours written: %v, want %v", c.name, x.Counts != nil, c.exact)
		}
	}
	if q := requestsOf(&catalog.Point{TimedOut: whole(1)}, &beyond{}); q != nil {
		t.Errorf("counts %+v of nothing that was counted", q)
	}
}

// One point by hand: 0.05 s of TTFT on average, p99.5 of which the report knows nothing; a TPOT
// without a mean, which it cannot hold; a rate without a limit; a very small and a whole number,
// which readers of YAML 1.1 shall take for numbers.
func TestReport(t *testing.T) {
	inf := record.Float(math.Inf(1))
	id := record.Identity{Tool: "vllm-bench-serve", Session: "s", Model: "acme/tiny-1b"}
	run := &catalog.Run{ID: "abc", Identity: id, Points: []catalog.Point{{
		Load: record.Load{Rate: &inf}, Submitted: whole(4), Completed: whole(4), Duration: number64(2),
		Metrics: map[metric.ID]catalog.Stat{
			"ttft": {Mean: number64(0.05), Median: number64(0.00000001), Unit: "s",
				Percentiles: []catalog.Percentile{{P: 99, Value: 1}, {P: 99.5, Value: 2}}},
			"tpot":              {Median: number64(0.02), Unit: "s"},
			"output_throughput": {Value: number64(100), Unit: "tok/s"},
		},
	}}}
	docs, err := BenchmarkReports(&figure.Run{Run: run}, false)
	if err != nil || len(docs) != 1 {
		t.Fatal(len(docs), err)
	}
	text := string(docs[0])
	for _, want := range []string{
		"version: 0.2.1\n", "  uid: abc-1\n", "    duration: PT2S\n",
		"      rate_qps: null\n", "      concurrency: null\n",
		"        time_to_first_token:\n          units: s\n          mean: 0.05\n" +
			"          p50: 0.00000001\n          p99: 1.0\n",
		"        output_token_rate:\n          units: tokens/s\n          mean: 100.0\n",
		"            tpot:\n              median: 0.02\n              unit: s\n" +
			"            ttft:\n              percentiles:\n                - - 99.5\n                  - 2\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the report lacks %q:\n%s", want, text)
		}
	}
	if strings.Contains(text, "time_per_output_token") {
		t.Errorf("a TPOT without a mean is no field of the report:\n%s", text)
	}
}
