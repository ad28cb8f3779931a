package quantile

import (
	"testing"

	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

// valueOf is a value of a result, 0 for none.
func valueOf(res *record.Result, q metric.ID, stat string) (v float64) {
	for _, x := range res.Values {
		if x.Quantity == q && x.Stat == stat {
			v = x.Number
		}
	}
	return v
}

// Of ten requests that "completed" three have no token and a time of 0. Percentiles are of the requests that
// the tool's own mean and median are of, or there are none.
func TestPercentilesAreOfTheToolsRequests(t *testing.T) {
	v, _ := reading.Parse(
		[]byte(`{"output_lens": [0, 0, 0, 5, 5, 5, 5, 5, 5, 5], "ttfts": [0, 0, 0, 1, 2, 3, 4, 5, 6, 7]}`))
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
			{Quantity: metric.TTFT, Stat: metric.Mean, Number: c.mean, Unit: "ms"},
			{Quantity: metric.TTFT, Stat: metric.Median, Number: c.median, Unit: "ms"}}}
		Arrays(res, func(key string) reading.Value { return v.Get(key) }, func(text string) { t.Error(text) })
		if got := valueOf(res, metric.TTFT, "p75"); got != c.p75 {
			t.Errorf("%s: p75 is %v, want %v", c.name, got, c.p75)
		}
	}
}

// Whatever is computed of the arrays is of the requests that the tool's own statistics are of: what they do not
// give is left out, and the result is doubted.
func TestEveryQuantityIsHeldAgainstTheTool(t *testing.T) {
	// Six requests of three tokens, gaps of 0.1 and 0.3 s, the first token after 1 s; two have no token.
	v, err := reading.Parse([]byte(`{"output_lens": [3, 3, 3, 3, 3, 3, 0, 0], "ttfts": [1, 1, 1, 1, 1, 1, 0, 0],
		"itls": [[0.1, 0.3], [0.1, 0.3], [0.1, 0.3], [0.1, 0.3], [0.1, 0.3], [0.1, 0.3], [], []]}`))
	if err != nil {
		t.Fatal(err)
	}
	completed := int64(8)
	for _, c := range []struct {
		name     string
		quantity metric.ID
		mean     float64 // stated, in ms; 0 states nothing
		p90      float64 // in s; 0 is none
		doubts   int     // beside that of the requests without a token
	}{
		{"ITL that fits", metric.ITL, 200, 0.3, 0},
		{"ITL of others", metric.ITL, 250, 0, 1},
		{"TPOT that fits", metric.TPOT, 200, 0.2, 0},
		{"TPOT of others", metric.TPOT, 150, 0, 1},
		{"TPOT of which nothing is stated", metric.TPOT, 0, 0.2, 0},
		{"latency of those with a token", metric.E2ELatency, 1400, 1.4, 0},
		{"latency of others", metric.E2ELatency, 1200, 0, 1},
		{"latency of which nothing is stated", metric.E2ELatency, 0, 0, 0},
		{"first token of all", metric.TTFT, 750, 1, 0},
	} {
		res := &record.Result{Completed: &completed}
		if c.mean > 0 {
			res.Values = []record.Value{{Quantity: c.quantity, Stat: metric.Mean, Number: c.mean, Unit: "ms"}}
		}
		Arrays(res, v.Get, func(text string) { t.Error(text) })
		if got := valueOf(res, c.quantity, "p90"); got != c.p90 {
			t.Errorf("%s: p90 is %v, want %v", c.name, got, c.p90)
		}
		if len(res.Doubts) != 1+c.doubts || res.Doubts[0].Code != record.DoubtNoOutput ||
			res.Doubts[0].Text != "2 of 8" || *res.NoOutput != 2 {
			t.Errorf("%s: doubts %+v", c.name, res.Doubts)
		}
	}
}

// Requests that failed are not such that completed without a token, though both have none.
func TestFailedRequestsDidNotComplete(t *testing.T) {
	v, _ := reading.Parse(
		[]byte(`{"output_lens": [5, 5, 0, 0, 0], "ttfts": [1, 1, 0, 0, 0], "errors": ["", "", "", "refused", ""]}`))
	for completed, want := range map[int64]string{2: "", 3: "1 of 3", 4: "2 of 4"} {
		res := &record.Result{Completed: &completed}
		Arrays(res, v.Get, func(text string) { t.Error(text) })
		got := ""
		for _, d := range res.Doubts {
			got += d.Text
		}
		if got != want {
			t.Errorf("of %d that completed: %q, want %q", completed, got, want)
		}
	}
}
