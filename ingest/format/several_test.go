package format_test

import (
	"testing"

	"github.com/inferdex/inferdex/ingest"
	"github.com/inferdex/inferdex/ingest/format"
	"github.com/inferdex/inferdex/ingest/record"
)

// A benchmark without a server prints its result behind what the engine logs of itself: both are read.
func TestEngineAndResultInOneLog(t *testing.T) {
	const log = "INFO 08-07 17:14:03 [core.py:58] Initializing a V1 LLM engine (v0.9.2) with config: " +
		"model='acme/tiny-config', speculative_config=None\n" +
		"Throughput: 5.50 requests/s, 2400.25 total tokens/s, 1200.50 output tokens/s\n"
	records, _ := ingest.ReadFile("config.log", []byte(log), format.All())
	var results []*record.Result
	versions := 0
	for _, r := range records {
		switch r := r.(type) {
		case *record.Result:
			results = append(results, r)
		case *record.SyntaxError, *record.Ignored:
			t.Errorf("%+v", r)
		default:
			for _, f := range r.Header().Facts {
				if f.Key == record.FactEngineVersion && f.Value == "0.9.2" {
					versions++
				}
			}
		}
	}
	if len(results) != 1 || results[0].Identity.Model != "acme/tiny-config" || len(results[0].Values) != 3 {
		t.Errorf("the results are %+v, want one of acme/tiny-config with three values", results)
	}
	if versions != 1 {
		t.Errorf("version 0.9.2 of the engine stands in %d records, want one", versions)
	}
}
