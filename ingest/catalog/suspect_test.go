package catalog

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
)

// 200 requests of 1,024 tokens in and 128 out in 25.6 s are 7.8125 requests, 1,000 tokens out and 9,000 in all a second.
func TestRatesMismatch(t *testing.T) {
	num := func(v float64) *float64 { return &v }
	done, places := int64(200), int64(16)
	point := func(change func(p *Point)) *Point {
		p := &Point{
			Workload:  record.Workload{Actual: record.Lengths{Input: num(1024), Output: num(128)}},
			Load:      record.Load{MaxConcurrency: &places},
			Completed: &done, Duration: num(25.6),
			Metrics: map[metric.ID]Stat{
				metric.RequestThroughput: {Value: num(7.8125), Unit: "req/s"},
				metric.OutputThroughput:  {Value: num(1000), Unit: "tok/s"},
				metric.InputThroughput:   {Value: num(8000), Unit: "tok/s"},
				metric.TotalThroughput:   {Value: num(9000), Unit: "tok/s"},
				metric.OutputTokens:      {Value: num(25600), Unit: "tokens"},
				metric.InputTokens:       {Value: num(204800), Unit: "tokens"},
				metric.E2ELatency:        {Mean: num(1.5), Unit: "s"},
			}}
		change(p)
		return p
	}
	set := func(m metric.ID, v float64) func(*Point) {
		return func(p *Point) { p.Metrics[m] = Stat{Value: num(v), Unit: p.Metrics[m].Unit} }
	}
	all := "input_throughput output_throughput request_throughput total_throughput"
	for _, c := range []struct {
		what   string
		change func(*Point)
		want   string
	}{
		{"as they are", func(*Point) {}, ""},
		{"a warm-up left out of the time", set(metric.OutputThroughput, 1900), ""},
		{"more than twice", set(metric.OutputThroughput, 2001), "output_throughput"},
		{"less than half", set(metric.RequestThroughput, 3.9), "request_throughput"},
		{"a count of 12 tokens", set(metric.OutputTokens, 12), "output_throughput"},
		{"a hundred times", set(metric.TotalThroughput, 900000), "total_throughput"},
		{"ten times the requests", func(p *Point) { n := int64(2000); p.Completed = &n }, "request_throughput"},
		{"a third of the time", func(p *Point) { p.Duration = num(76.8) }, all},
		{"no time", func(p *Point) {
			p.Duration = num(0)
			delete(p.Metrics, metric.E2ELatency)
		}, all},
		{"zero", set(metric.OutputThroughput, 0), ""},
		{"rounded to two decimals", func(p *Point) {
			p.Duration = num(90000)
			p.Metrics = map[metric.ID]Stat{metric.RequestThroughput: {Value: num(0), Unit: "req/s"}}
		}, ""},
		{"no time, rates that fit", func(p *Point) { p.Duration = nil }, ""},
		{"no time, tokens that do not fit the requests", func(p *Point) {
			p.Duration = nil
			set(metric.OutputThroughput, 100000)(p)
		}, "output_throughput request_throughput"},
		{"no counts", func(p *Point) {
			p.Completed, p.Workload.Actual = nil, record.Lengths{}
			p.Metrics = map[metric.ID]Stat{metric.OutputThroughput: {Value: num(1e6), Unit: "tok/s"}}
		}, ""},
		{"no request completed", func(p *Point) { n := int64(0); p.Completed = &n }, ""},
	} {
		p := point(c.change)
		got := p.RatesMismatch()
		if s := join(got); s != c.want {
			t.Errorf("%s: %q, want %q: %q", c.what, s, c.want, got)
		}
		suspects := (&Run{}).Suspects(p)
		for m := range got {
			if suspects[m] != CodeRates {
				t.Errorf("%s: %s is suspect for %q", c.what, m, suspects[m])
			}
		}
		if s := (&Run{Accept: []string{CodeRates, CodeAllFailed}}).Suspects(p); len(s) > 0 {
			t.Errorf("%s: acknowledged, and suspect all the same: %q", c.what, s)
		}
	}
	// The time of the run is a millionth: no unit of a latency explains it, and the rates were divided by it.
	short := point(func(p *Point) {
		p.Duration = num(25.6e-6)
		for _, m := range strings.Fields(all) {
			set(metric.ID(m), *p.Metrics[metric.ID(m)].Value*1e6)(p)
		}
	})
	if got := join((&Run{}).Suspects(short)); got != "e2e_latency "+all {
		t.Errorf("of a run of 25.6 µs are suspect: %q", got)
	}
}

// A first token cannot come after the last one, nor after the end of the run, and requests of which none completed have
// no times and no rates; counts, shares and a rate of zero remain.
func TestImpossibleTimes(t *testing.T) {
	num := func(v float64) *float64 { return &v }
	count := func(n int64) *int64 { return &n }
	times := func(ttft, e2e float64) map[metric.ID]Stat {
		return map[metric.ID]Stat{metric.TTFT: {Mean: num(ttft), Unit: "s"}, metric.E2ELatency: {Mean: num(e2e), Unit: "s"}}
	}
	for _, c := range []struct {
		what string
		p    Point
		want string
	}{
		{"a first token before the last", Point{Metrics: times(0.08, 3.3)}, ""},
		{"other requests in the one than in the other", Point{Metrics: times(4, 3.3)}, ""},
		{"milliseconds for seconds", Point{Metrics: times(80, 3.3)}, "e2e_latency:latencies-impossible ttft:latencies-impossible"},
		{"medians alone", Point{Metrics: map[metric.ID]Stat{metric.TTFT: {Median: num(80)}, metric.E2ELatency: {Median: num(3.3)},
			metric.TPOT: {Median: num(0.02)}}}, "e2e_latency:latencies-impossible ttft:latencies-impossible"},
		{"a mean beside a median", Point{Metrics: map[metric.ID]Stat{metric.TTFT: {Median: num(80)},
			metric.E2ELatency: {Mean: num(3.3)}}}, ""},
		{"a length that was only asked for", Point{Workload: record.Workload{Nominal: record.Lengths{Output: num(128)}},
			Metrics: map[metric.ID]Stat{metric.TTFT: {Mean: num(80)}, metric.E2ELatency: {Mean: num(3.3)},
				metric.TPOT: {Mean: num(0.025)}}},
			"e2e_latency:latencies-impossible tpot:latencies-impossible ttft:latencies-impossible"},
		{"a first token after the run", Point{Duration: num(20), Metrics: map[metric.ID]Stat{metric.TTFT: {Mean: num(80)}}},
			"ttft:unit-suspected"},
		{"a first token within the run", Point{Duration: num(90), Metrics: map[metric.ID]Stat{metric.TTFT: {Mean: num(80)}}},
			""},
		{"none of 8 completed", Point{Completed: count(0), Submitted: count(8), Metrics: map[metric.ID]Stat{
			metric.TTFT: {Mean: num(0.1)}, metric.OutputThroughput: {Value: num(0)}, metric.RequestThroughput: {Value: num(3)},
			metric.SuccessRate: {Value: num(0)}, metric.InputTokens: {Value: num(9)}}},
			"request_throughput:all-failed ttft:all-failed"},
		{"none was sent", Point{Completed: count(0), Submitted: count(0), Metrics: times(0.1, 3)}, ""},
	} {
		var got []string
		suspects := (&Run{}).Suspects(&c.p)
		for _, m := range slices.Sorted(maps.Keys(suspects)) {
			got = append(got, string(m)+":"+suspects[m])
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s: %q, want %q", c.what, s, c.want)
		}
		if s := (&Run{Accept: []string{CodeTimes, CodeUnit, CodeAllFailed}}).Suspects(&c.p); len(s) > 0 {
			t.Errorf("%s: acknowledged, and suspect all the same: %q", c.what, s)
		}
	}
}

func join(of map[metric.ID]string) string {
	var out []string
	for _, m := range slices.Sorted(maps.Keys(of)) {
		out = append(out, string(m))
	}
	return strings.Join(out, " ")
}
