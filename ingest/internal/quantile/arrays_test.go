package quantile

import (
	"testing"

	"github.com/inferdex/inferdex/ingest/internal/jsonval"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
)

// Of ten requests that "completed" three have no token and a time of 0. Percentiles are of the requests that
// the tool's own mean and median are of, or there are none.
func TestPercentilesAreOfTheToolsRequests(t *testing.T) {
	v, _ := jsonval.Parse([]byte(`{"output_lens": [0, 0, 0, 5, 5, 5, 5, 5, 5, 5], "ttfts": [0, 0, 0, 1, 2, 3, 4, 5, 6, 7]}`))
	for _, c := range []struct {
		name         string
		mean, median float64 // in ms
		p75          float64 // in s; 0 is none
	}{
		{"with zeros", 2800, 2500, 4.75}, // 28 / 10; between 2 and 3; rank 6.75 between 4 and 5
		{"without", 4000, 4000, 5.5},     // 28 / 7; rank 4.5 of seven, between 5 and 6
		{"of others", 3300, 3000, 0},
	} {
		res := &record.Result{Values: []record.Value{
			{Quantity: metric.TTFT, Stat: metric.Mean, Number: c.mean, Unit: "ms"}, {Quantity: metric.TTFT, Stat: metric.Median, Number: c.median, Unit: "ms"}}}
		Arrays(res, func(key string) jsonval.Value { return v.Get(key) }, func(text string) { t.Error(text) })
		got := 0.0
		for _, x := range res.Values {
			if x.Quantity == metric.TTFT && x.Stat == "p75" {
				got = x.Number
			}
		}
		if got != c.p75 {
			t.Errorf("%s: p75 is %v, want %v", c.name, got, c.p75)
		}
	}
}
