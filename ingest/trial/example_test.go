package trial_test

import (
	"context"
	"fmt"

	"github.com/inferdex/inferdex/ingest"
	"github.com/inferdex/inferdex/ingest/format"
	"github.com/inferdex/inferdex/ingest/trial"
)

func ExampleRead() {
	r, err := trial.Read(context.Background(), []ingest.Input{{Name: "result.json", Data: []byte(result)}},
		trial.Options{Formats: format.All()})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Files[0].Format, r.Files[0].Points)
	fmt.Println(r.Runs[0].Model, r.Runs[0].Missing)
	// Output:
	// vllm-bench-serve 1
	// tiny-1b [hardware]
}
