package servinglog_test

import (
	"strings"
	"testing"

	"github.com/inferdex/inferdex/ingest/reading"

	"github.com/google/go-cmp/cmp"

	"github.com/inferdex/inferdex/ingest"
	"github.com/inferdex/inferdex/ingest/format/servinglog"
	"github.com/inferdex/inferdex/ingest/record"
)

// A log whose lines are coloured says the same as without colours.
func TestColours(t *testing.T) {
	const log = `Namespace(backend='vllm', model='example/model-7b', request_rate=inf, max_concurrency=4, num_prompts=8)
============ Serving Benchmark Result ============
Successful requests:                     8
Benchmark duration (s):                  2.00
Output token throughput (tok/s):         64.00
Mean TTFT (ms):                          50.00
==================================================
`
	var coloured strings.Builder
	for _, l := range strings.SplitAfter(strings.TrimSuffix(log, "\n"), "\n") {
		line, end := strings.CutSuffix(l, "\n")
		coloured.WriteString("\x1b[36m" + line + "\x1b[0m")
		if end {
			coloured.WriteString("\n")
		}
	}
	values := func(log string) (out []record.Value, completed int64) {
		records, _ := ingest.ReadFile("bench.log", []byte(log), []*reading.Format{servinglog.Format})
		for _, r := range records {
			res, ok := r.(*record.Result)
			if !ok {
				t.Errorf("%#v", r)
				continue
			}
			out, completed = append(out, res.Values...), *res.Completed
		}
		return out, completed
	}
	want, done := values(log)
	got, n := values(coloured.String())
	if done != 8 || n != 8 || len(want) != 3 {
		t.Errorf("%d and %d requests, %d values, want 8 and 3", done, n, len(want))
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("coloured (-want +got):\n%s", d)
	}
}
