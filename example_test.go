package inferdex_test

import (
	"fmt"
	"io/fs"

	"github.com/inferdex/inferdex"
	"github.com/inferdex/inferdex/ingest/settings"
)

// The program carries names that say what the texts of result files stand for.
func Example() {
	data, err := fs.Sub(inferdex.Files, "data")
	if err != nil {
		fmt.Println(err)
		return
	}
	names, _ := settings.LoadNames(data)
	fmt.Println(names.Hardware("2x NVIDIA H100 80GB HBM3", 0).Accelerator.Name)
	// Output: H100 SXM 80 GB
}
