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

// Folders that measured one load again and again are not held against each other in pairs: eight times as many take eight
// times as much, whether their dates tell them apart or their numbers.
func TestAllocationsOfManySessions(t *testing.T) {
	for name, date := range map[string]func(i int) string{
		"every night":    func(i int) string { return fmt.Sprintf("2025%02d%02d-030000", 1+i/28%12, 1+i%28) },
		"in one second":  func(int) string { return "20250101-030000" },
		"without a date": func(int) string { return "" },
	} {
		count := func(n int) float64 {
			reading := &ingest.Reading{}
			for i := range n {
				file, clients := fmt.Sprintf("%d/a", i), int64(4)
				reading.Files = append(reading.Files, ingest.FileStatus{Path: file, SHA256: file, Format: "f"})
				res := &record.Result{Base: record.Base{At: record.Pos{File: file, Line: 1}, Key: file, Digest: file, Format: "f",
					Identity: record.Identity{Tool: "t", Model: "m"}, Date: date(i)}}
				res.Raw = []byte(`{}`)
				res.Load.MaxConcurrency = &clients
				res.Values = []record.Value{
					{Quantity: metric.TTFT, Stat: metric.Mean, Number: 100 + float64(i)/7, Unit: "ms", Key: "a"},
					{Quantity: metric.OutputThroughput, Stat: metric.Value, Number: 500 + float64(i)/3, Unit: "tok/s", Key: "b"}}
				reading.Records = append(reading.Records, res)
			}
			return testing.AllocsPerRun(1, func() {
				if out, err := Catalog(reading, nil, Options{Inputs: []string{"."}}); err != nil || out.Points == 0 {
					t.Fatal(out, err)
				}
			})
		}
		if few, many := count(150), count(1200); many > 12*few {
			t.Errorf("%s: 150 folders take %.0f allocations and 1200 take %.0f", name, few, many)
		} else {
			t.Logf("%s: %.0f and %.0f allocations", name, few, many)
		}
	}
}
