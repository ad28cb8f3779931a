package lmdeploy

import (
	"strings"
	"testing"

	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

// A table that ends inside of a number gives no part of it for the whole, and keeps what stands before it.
func TestTornTable(t *testing.T) {
	const head = "batch,num_prompts,RPS,RPM,FTL(ave)(s),throughput(out tok/s),throughput(total tok/s)\r\n"
	const row = "32,1000,5.500,330.000,0.285,1000.000,2100.000\r\n"
	for text, want := range map[string]int{
		head + row:                        4,
		head + strings.TrimSpace(row):     3,
		head + row[:len(row)-7]:           3,
		head + "32,1000,5":                0,
		head + row + "64,1000,6.000,36":   5,
		head + row + "64,1000,6.000,360.": 5,
	} {
		values, wrong := 0, 0
		err := read(reading.NewSource("torn.csv", []byte(text)), func(r record.Record) {
			switch r := r.(type) {
			case *record.Result:
				values += len(r.Values)
				for _, v := range r.Values {
					if v.Quantity == metric.TotalThroughput && v.Number != 2100 {
						t.Errorf("%q: %v", text, v)
					}
				}
			case *record.SyntaxError:
				wrong++
			}
		})
		if torn := !strings.HasSuffix(text, "\n"); err != nil || values != want || (wrong > 0) != torn {
			t.Errorf("%q: %d values and %d errors (%v), want %d values", text, values, wrong, err, want)
		}
	}
}
