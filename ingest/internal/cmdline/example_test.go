package cmdline_test

import (
	"fmt"

	"github.com/inferdex/inferdex/ingest/internal/cmdline"
)

// A command line as people write it: variables in front, flags with and without a value.
func ExampleParse() {
	c, _ := cmdline.Parse("HIP_VISIBLE_DEVICES=0 vllm serve org/m --port 8000 --enforce-eager")
	fmt.Println(c.Program, c.Sub, c.Args[0].Text, c.Env[0].Name)
	for _, f := range c.Flags {
		fmt.Printf("%s = %s\n", f.Key(), f.Value)
	}
	// Output:
	// vllm serve org/m HIP_VISIBLE_DEVICES
	// port = 8000
	// enforce_eager = true
}
