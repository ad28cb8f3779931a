package normalize

import (
	"fmt"
	"testing"

	"github.com/inferdex/inferdex/ingest"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
)

// A point takes few allocations from its record to what is written of its run.
func TestAllocationsAPoint(t *testing.T) {
	const few, many = 100, 600
	count := func(n int) float64 {
		reading := &ingest.Reading{Files: []ingest.FileStatus{{Path: "a", SHA256: "d", Format: "f"}}}
		for i := range n {
			clients := int64(i + 1)
			res := &record.Result{Base: record.Base{At: record.Pos{File: "a", Line: i + 1}, Key: "s", Digest: "d",
				Format:   "f",
				Identity: record.Identity{Tool: "t", Model: "m"}, Date: fmt.Sprintf("20250101-10%02d%02d", i/60, i%60)}}
			res.Load.MaxConcurrency = &clients
			for _, stat := range []string{metric.Mean, metric.Median, metric.P99} {
				res.Values = append(res.Values,
					record.Value{Quantity: metric.TTFT, Stat: stat, Number: 100, Unit: "ms", Key: stat})
			}
			res.Values = append(res.Values,
				record.Value{Quantity: metric.OutputThroughput, Stat: metric.Value, Number: float64(i + 1),
					Unit: "tok/s", Key: "k"})
			res.Raw = []byte(`{"a":1,"b":"text of a record"}`)
			reading.Records = append(reading.Records, res)
		}
		return testing.AllocsPerRun(3, func() {
			if out, err := Catalog(reading, nil, Options{Inputs: []string{"a"}}); err != nil || out.Points != n {
				t.Fatal(out, err)
			}
		})
	}
	if a := (count(many) - count(few)) / (many - few); a > 17.5 {
		t.Errorf("normalizing takes %.1f allocations a point, 17.5 are allowed", a)
	} else {
		t.Logf("%.1f allocations a point", a)
	}
}
