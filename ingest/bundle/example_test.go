package bundle_test

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"testing/fstest"

	"github.com/inferdex/inferdex/ingest"
	"github.com/inferdex/inferdex/ingest/bundle"
	"github.com/inferdex/inferdex/ingest/format"
	"github.com/inferdex/inferdex/ingest/normalize"
	"github.com/inferdex/inferdex/ingest/settings"
)

// A submission holds what ingest would keep of results, and the run.toml to complete where nothing names the hardware.
func ExampleSubmission() {
	files := fstest.MapFS{"results.json": {Data: []byte(
		`{"date":"20250326-134350","backend":"vllm","model_id":"org/m","num_prompts":8,"request_rate":4,"completed":8,` +
			`"total_input_tokens":4096,"duration":2,"output_throughput":512,"total_token_throughput":900,"median_ttft_ms":31.5}`)}}
	options := normalize.Options{Formats: format.All(), Names: &settings.Names{}, Pack: bundle.Gzip}
	var archive []byte
	reading, err := ingest.Read(context.Background(), []ingest.Input{{Name: "mine", FS: files}},
		ingest.Options{Formats: options.Formats})
	if err == nil {
		var out *normalize.Outcome
		if out, err = normalize.Catalog(reading, nil, options); err == nil {
			var packed map[string][]byte
			if packed, err = bundle.Submission(out, options.Names); err == nil {
				archive, err = bundle.Pack(packed)
			}
		}
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	z, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range z.File {
		fmt.Println(f.Name)
	}
	// Output:
	// data/catalog/_inputs/mine-h7jq.json
	// data/catalog/org-m/mengkz437abr.json
	// data/catalog/org-m/mengkz437abr.raw.jsonl.gz
	// data/raw/mine/run.toml
}
