package pipeline

import (
	"flag"
	"fmt"
	"runtime"
	"testing"

	"github.com/inferdex/inferdex/beam/bucket/s3test"
)

// size is that of the store of BenchmarkWorkers.
var size = flag.Int64("store", 24<<20, "how many bytes the invented store of BenchmarkWorkers has")

// BenchmarkWorkers reads one store with one worker and with two: MB a second, and the share of each step in percent.
func BenchmarkWorkers(b *testing.B) {
	dir := b.TempDir()
	for n := range int(*size / s3test.ResultBytes) {
		if err := write(dir, fmt.Sprintf("%07d/bench.json", n), s3test.Result(n)); err != nil {
			b.Fatal(err)
		}
	}
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprint("workers=", workers), func(b *testing.B) {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(workers))
			b.SetBytes(*size / s3test.ResultBytes * s3test.ResultBytes)
			for b.Loop() {
				n, err := run(&Job{Inputs: []string{dir}, Output: b.TempDir(), Workers: workers})
				if err != nil {
					b.Fatal(err)
				}
				total := 0.0
				for _, s := range n.Seconds {
					total += s
				}
				for step, s := range n.Seconds {
					b.ReportMetric(100*s/total, "%"+step)
				}
			}
		})
	}
}
