package servinglog_test

import (
	"strings"
	"testing"

	"github.com/inferdex/inferdex/ingest/reading"

	"github.com/inferdex/inferdex/ingest"
	"github.com/inferdex/inferdex/ingest/format/servinglog"
	"github.com/inferdex/inferdex/ingest/record"
)

// A text that a script keeps in JSON says what a log says; where the script says that the command
// failed before it printed a result, the run is one without a completed request.
func TestTextInsideJSON(t *testing.T) {
	const args = `Namespace(backend='openai', model='acme/tiny-1b', num_prompts=3, tensor_parallel_size=2, ` +
		`request_rate=4.0)\nStarting initial single prompt test run...\n`
	read := func(data string) (results []*record.Result, others []string) {
		records, _ := ingest.ReadFile("qps4.0.json", []byte(data), []*reading.Format{servinglog.Format})
		for _, r := range records {
			if res, ok := r.(*record.Result); ok {
				results = append(results, res)
				continue
			}
			others = append(others, r.Kind())
		}
		return results, others
	}
	got, others := read(`{"success": true, "raw_output": "` + args +
		`============ Serving Benchmark Result ============\nSuccessful requests: 3\n` +
		`Output token throughput (tok/s): 75.00\n==================================================\n"}`)
	if len(got) != 1 || len(others) != 0 || got[0].Identity.Model != "acme/tiny-1b" ||
		*got[0].Load.Rate != 4 || *got[0].Completed != 3 || len(got[0].Values) != 1 || got[0].Values[0].Number != 75 ||
		got[0].Facts[1].Value != "2" {
		t.Errorf("done: %+v, and %v", got, others)
	}
	got, others = read(`{"success": false, "raw_output": "` + args +
		`Traceback (most recent call last):\nValueError: no server\n"}`)
	if len(got) != 1 || strings.Join(others, " ") != "note" || *got[0].Completed != 0 || *got[0].Submitted != 3 ||
		len(got[0].Values) != 0 || got[0].Errors[0].Text != "ValueError: no server" {
		t.Errorf("failed: %+v, and %v", got, others)
	}
}
