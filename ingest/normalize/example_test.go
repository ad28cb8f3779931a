package normalize_test

import (
	"context"
	"fmt"
	"testing/fstest"

	"github.com/inferdex/inferdex/ingest"
	"github.com/inferdex/inferdex/ingest/format"
	"github.com/inferdex/inferdex/ingest/normalize"
)

// Files become records, and records runs. What several files say of one session is one run.
func ExampleCatalog() {
	files := fstest.MapFS{
		"vllm-4qps.json": {Data: []byte(
			`{"date":"20250326-134350","backend":"vllm","model_id":"org/m","num_prompts":8,` +
				`"request_rate":4,"completed":8,"total_input_tokens":4096,"duration":2,"output_throughput":512,"total_token_throughput":900,"median_ttft_ms":31.5}`)},
		"vllm-8qps.json": {Data: []byte(
			`{"date":"20250326-134401","backend":"vllm","model_id":"org/m","num_prompts":8,` +
				`"request_rate":8,"completed":8,"total_input_tokens":4096,"duration":1,"output_throughput":870,"total_token_throughput":900,"median_ttft_ms":40.2}`)},
	}
	formats := format.All()
	reading, err := ingest.Read(context.Background(), []ingest.Input{{Name: "results", FS: files}},
		ingest.Options{Formats: formats})
	if err != nil {
		fmt.Println(err)
		return
	}
	out, err := normalize.Catalog(reading, nil, normalize.Options{Formats: formats})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range out.Runs {
		fmt.Println(r.Attr("model"), "points:", len(r.Points))
		for _, p := range r.Points {
			fmt.Println(float64(*p.Load.Rate), "req/s:", *p.Metrics["ttft"].Median, p.Metrics["ttft"].Unit)
		}
	}
	// Output:
	// org/m points: 2
	// 4 req/s: 0.0315 s
	// 8 req/s: 0.0402 s
}
