package format_test

import (
	"context"
	"fmt"
	"testing/fstest"

	"github.com/inferdex/inferdex/ingest"
	"github.com/inferdex/inferdex/ingest/format"
	"github.com/inferdex/inferdex/ingest/record"
)

// A file is read by the format that knows its content, whatever its name.
func ExampleAll() {
	files := fstest.MapFS{"notes.txt": {
		Data: []byte(`{"date":"20250326-134350","backend":"vllm","model_id":"org/m","num_prompts":8,` +
			`"request_rate":4,"completed":8,"total_input_tokens":4096,"duration":2,"output_throughput":512,"total_token_throughput":900,"median_ttft_ms":31.5}`)}}
	reading, err := ingest.Read(context.Background(), []ingest.Input{{Name: "results", FS: files}},
		ingest.Options{Formats: format.All()})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range reading.Records {
		if r, ok := r.(*record.Result); ok {
			fmt.Println(r.At, r.Format, len(r.Values), "values")
		}
	}
	// Output:
	// results/notes.txt:1:1 vllm-bench-serve 5 values
}
