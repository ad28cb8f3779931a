// Generate writes a catalog directory with invented measurements, for looking at the site with
// every kind of chart and for measuring how fast it is built:
//
//	go run ./ingest/ingesttest/generate -output example
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/inferdex/inferdex/ingest/ingesttest"
)

func main() {
	output := flag.String("output", "example", "directory to write")
	seed := flag.Uint64("seed", 1, "seed of the random numbers")
	size := flag.String("size", "example",
		"how much, and of what: small, example, large, wide (200 models on 20 machines), summed (200 MB of JSONL) or "+
			"hostile (names that are markup)")
	flag.Parse()
	sizes := map[string]ingesttest.Size{"small": ingesttest.Small, "example": ingesttest.Example,
		"large": ingesttest.Large,
		"wide":  ingesttest.Wide, "summed": ingesttest.Summed, "hostile": ingesttest.Hostile}
	s, ok := sizes[*size]
	if !ok || flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	err := ingesttest.Generate(*seed, s, func(path string, data []byte) error {
		path = filepath.Join(*output, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
		return os.WriteFile(path, data, 0o666)
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(3)
	}
}
