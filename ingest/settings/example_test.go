package settings_test

import (
	"fmt"
	"os"

	"github.com/inferdex/inferdex/ingest/settings"
)

// A mistake in a file that people write is said with its place, and the rest of the file counts.
func ExampleLoadConfig() {
	config, diagnostics := settings.LoadConfig([]byte("title = \"Ours\"\nbase_ur = \"https://example.org/\"\n"),
		"inferdex.toml")
	fmt.Println(config.Title)
	for _, d := range diagnostics {
		fmt.Println(d)
	}
	// Output:
	// Ours
	// inferdex.toml:2:1: unknown key "base_ur": did you mean "base_url"?
}

// Names say what a text of a result file stands for.
func ExampleNames() {
	names, _ := settings.LoadNames(os.DirFS("../../data"))
	h := names.Hardware("2x NVIDIA H100 80GB HBM3", 0)
	fmt.Println(h.Count, h.Accelerator.Name)
	fmt.Println(names.Quantization("fp8").Name)
	text, ok := names.HardwareIn("8xMi300x-serving")
	fmt.Println(text, ok)
	text, ok = names.HardwareIn("h100sxm5_vs_mi300x")
	fmt.Println(text, ok)
	// Output:
	// 2 H100 SXM 80 GB
	// fp8
	// 8x MI300X true
	//  false
}
