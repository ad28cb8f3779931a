package normalize

import (
	"encoding/json"
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/inferdex/inferdex/ingest/record"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/metric"
)

// A request of 11 tokens, the first after 0.2 s, the others 0.08 s apart, takes 1 s.
func TestTimesThatDoNotFit(t *testing.T) {
	num := func(f float64) *float64 { return &f }
	served, asked := record.Lengths{Output: num(11)}, record.Lengths{Output: num(21)}
	for _, c := range []struct {
		what     string
		e2e      float64
		workload record.Workload
		want     string // code and severity, "" for none
		r        string
	}{
		{"they fit", 1, record.Workload{Actual: served}, "", ""},
		{"the products of means lose a tenth", 1.1, record.Workload{Actual: served}, "", ""},
		{"half of it is missing", 2, record.Workload{Actual: served}, "latencies-disagree note", "0.5"},
		{"more than half of it is missing", 2.5, record.Workload{Actual: served}, "latencies-impossible error", "0.4"},
		{"TTFT and TPOT in ms read as s", 0.001, record.Workload{Actual: served}, "unit-suspected error", "1000"},
		{"end-to-end latency in ms read as s", 1000, record.Workload{Actual: served}, "unit-suspected error", "0.001"},
		{"fewer tokens than asked for", 1, record.Workload{Nominal: asked}, "", ""},
		{"far fewer tokens than asked for", 0.8, record.Workload{Nominal: asked}, "latencies-disagree note", "2.2"},
		{"no length", 1000, record.Workload{}, "", ""},
	} {
		p := catalog.Point{Workload: c.workload, Metrics: map[metric.ID]catalog.Stat{
			"ttft": {Mean: num(0.2)}, "tpot": {Mean: num(0.08)}, "e2e_latency": {Mean: num(c.e2e)}}}
		f := &findings{}
		judge(&catalog.Run{Points: []catalog.Point{p}}, nil, f)
		got, message := "", ""
		for _, fd := range f.all {
			got += fmt.Sprintf("%s %s", fd.Code, fd.Severity)
			message = fd.Message
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
		head := "the times do not fit together: "
		switch c.want {
		case "unit-suspected error":
			head = "the times do not fit together, a unit is probably wrong: "
		case "latencies-impossible error":
			head = "the times cannot be of the same requests: "
		}
		head += "TTFT + (n - 1) x TPOT, of n output tokens, is " + c.r + " of the end-to-end latency"
		if c.workload.Nominal.Output != nil {
			head += ", with the output length that was asked for"
		}
		head += ": the point"
		if c.want != "" && (len(message) < len(head) || message[:len(head)] != head) {
			t.Errorf("%s: message %q, want %q", c.what, message, head)
		}
	}
}

// Tools that count the first token in: 11 tokens of 0.1 s each are 1.1 s. TPOT, where it is there,
// decides.
func TestNormalizedTimesThatDoNotFit(t *testing.T) {
	num := func(f float64) *float64 { return &f }
	for _, c := range []struct {
		what  string
		ntpot float64
		tpot  *float64
		want  string
	}{
		{"they fit", 0.1, nil, ""},
		{"NTPOT in ms read as s", 100, nil, "unit-suspected"},
		{"something is counted twice", 0.2, nil, "latencies-disagree"},
		{"TPOT fits", 100, num(0.09), ""},
	} {
		p := catalog.Point{Workload: record.Workload{Actual: record.Lengths{Output: num(11)}},
			Metrics: map[metric.ID]catalog.Stat{
				"ttft": {Mean: num(0.2)}, "tpot": {Mean: c.tpot}, "ntpot": {Mean: num(c.ntpot)},
				"e2e_latency": {Mean: num(1.1)}}}
		f := &findings{}
		judge(&catalog.Run{Points: []catalog.Point{p}}, nil, f)
		got := ""
		for _, fd := range f.all {
			got += fd.Code
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
	}
}

// All latencies in one wrong unit agree with each other, but not with the clock: 100 requests of
// 1 s each in 10 s keep 10 places busy.
func TestTimesThatDoNotFitTheRun(t *testing.T) {
	num := func(f float64) *float64 { return &f }
	count := func(n int64) *int64 { return &n }
	inf, two := record.Float(math.Inf(1)), record.Float(2)
	for _, c := range []struct {
		what  string
		e2e   float64
		load  record.Load
		alter func(*catalog.Point)
		want  string
	}{
		{"they fit", 1, record.Load{MaxConcurrency: count(10)}, nil, ""},
		{"half of the places are busy", 0.5, record.Load{Rate: &inf, MaxConcurrency: count(10)}, nil, ""},
		{"ms read as s", 1000, record.Load{MaxConcurrency: count(10)}, nil,
			"a request takes 1000 s, the whole run 10 s"},
		{"ms read as s at a rate", 1000, record.Load{Rate: &two}, nil, "a request takes 1000 s, the whole run 10 s"},
		{"s read as ms", 0.001, record.Load{Rate: &inf, MaxConcurrency: count(10)}, nil,
			"so many requests a second that take 0.001 s each keep 0.01 places busy, not 10"},
		{"a client that pauses", 0.001, record.Load{Rate: &two, MaxConcurrency: count(10)}, nil, ""},
		{"requests that never came back", 0.001, record.Load{MaxConcurrency: count(10)},
			func(p *catalog.Point) { p.Submitted = count(120) }, ""},
		{"a rate instead of a duration", 1000, record.Load{MaxConcurrency: count(10)},
			func(p *catalog.Point) {
				p.Duration, p.Metrics["request_throughput"] = nil, catalog.Stat{Value: num(10)}
			}, "so many requests a second that take 1000 s each keep 10000 places busy, not 10"},
		{"only TTFT and TPOT, of 11 tokens", 0, record.Load{MaxConcurrency: count(10)},
			func(p *catalog.Point) {
				p.Workload.Actual.Output = num(11)
				p.Metrics = map[metric.ID]catalog.Stat{"ttft": {Median: num(200)}, "tpot": {Median: num(80)}}
			}, "a request takes 1000 s, the whole run 10 s"},
	} {
		p := catalog.Point{Load: c.load, Completed: count(100), Duration: num(10),
			Metrics: map[metric.ID]catalog.Stat{"e2e_latency": {Mean: num(c.e2e)}}}
		if c.alter != nil {
			c.alter(&p)
		}
		if got := p.UnitMismatch(); got != c.want {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
	}
}

// Where TPOT leaves requests out, the gaps between pieces of text may fit: then nothing disagrees. Gaps that do not
// fit say nothing of a TPOT that does.
func TestTimesFitWithTheGapsBetweenPieces(t *testing.T) {
	num := func(f float64) *float64 { return &f }
	for _, c := range []struct {
		tpot, itl float64
		want      string
	}{
		{0.08, 0.08, ""},
		{0.08, 0.2, ""},
		{0.15, 0.08, ""},
		{0.15, 0.2, "latencies-disagree"},
		{0.2, 0.08, ""},
		{0.2, 0.2, "latencies-impossible"},
		{80, 0.08, "unit-suspected"},
	} {
		p := catalog.Point{Workload: record.Workload{Actual: record.Lengths{Output: num(11)}},
			Metrics: map[metric.ID]catalog.Stat{
				"ttft": {Mean: num(0.2)}, "tpot": {Mean: num(c.tpot)}, "itl": {Mean: num(c.itl)},
				"e2e_latency": {Mean: num(1)}}}
		f := &findings{}
		r := &catalog.Run{Points: []catalog.Point{p}}
		judge(r, nil, f)
		got := ""
		for _, fd := range f.all {
			got += fd.Code
		}
		if got != c.want {
			t.Errorf("TPOT of %v s with gaps of %v s: %q, want %q", c.tpot, c.itl, got, c.want)
		}
		if suspects := r.Suspects(&p); (len(suspects) > 0) != (c.want == catalog.CodeTimes ||
			c.want == catalog.CodeUnit) {
			t.Errorf("TPOT of %v s with gaps of %v s: %v cannot be believed", c.tpot, c.itl, suspects)
		}
	}
}

// A mean request that is longer than the server takes makes all numbers of its point suspect, unless a person has
// acknowledged it.
func TestContextAboveTheLimit(t *testing.T) {
	num := func(f float64) *float64 { return &f }
	for _, c := range []struct {
		limit   string
		in, out *float64
		want    bool
	}{
		{"4096", num(4000), num(500), true},
		{"4096", num(4500), nil, true},
		{`"4096"`, num(4000), num(500), true},
		{"4096", num(4000), num(100), false}, // counted with another tokenizer
		{"4096", nil, num(9000), false},      // no length of the input
		{"null", num(4000), num(500), false},
		{"-1", num(4000), num(500), false},
		{`"auto"`, num(4000), num(500), false},
	} {
		r := &catalog.Run{Parameters: map[string]catalog.Parameter{"max_model_len": {Value: json.RawMessage(c.limit)}},
			Points: []catalog.Point{{Workload: record.Workload{Actual: record.Lengths{Input: c.in, Output: c.out}},
				Metrics: map[metric.ID]catalog.Stat{"output_throughput": {Value: num(90)}}}}}
		f := &findings{}
		judge(r, nil, f)
		got := len(f.all) == 1 && f.all[0].Code == catalog.CodeContext && f.all[0].Severity == record.Error
		if suspect := len(r.Suspects(&r.Points[0])) == 1; got != c.want || suspect != c.want {
			t.Errorf("limit %s: finding %v, suspect %v, want %v", c.limit, f.all, suspect, c.want)
		}
		if r.Accept = []string{catalog.CodeContext}; len(r.Suspects(&r.Points[0])) > 0 {
			t.Errorf("limit %s: acknowledged and still suspect", c.limit)
		}
	}
}

// A low percentile of zero, below others that are above it, is of requests that got nothing; a zero that stands
// where a larger number must is not measured.
func TestZeroPercentiles(t *testing.T) {
	num := func(f float64) *float64 { return &f }
	s := catalog.Stat{Mean: num(2), Median: num(1), Min: num(0), Max: num(0),
		Percentiles: []catalog.Percentile{{P: 5, Value: 0}, {P: 10, Value: 0.5}, {P: 25, Value: 0}, {P: 90, Value: 0},
			{P: 99, Value: 8}}}
	present(metric.Known(metric.TTFT), &s)
	if diff := cmp.Diff([]catalog.Percentile{{P: 5, Value: 0}, {P: 10, Value: 0.5}, {P: 99, Value: 8}},
		s.Percentiles); diff != "" {
		t.Errorf("percentiles (-want +got):\n%s", diff)
	}
	if s.Min == nil || s.Max != nil {
		t.Errorf("min %v and max %v, want 0 and none", s.Min, s.Max)
	}
	s = catalog.Stat{Mean: num(0), Percentiles: []catalog.Percentile{{P: 25, Value: 0}}}
	if present(metric.Known(metric.TTFT), &s); s.Percentiles != nil {
		t.Errorf("nothing was measured, and %v stays", s.Percentiles)
	}
}
