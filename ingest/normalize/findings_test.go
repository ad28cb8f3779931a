package normalize

import (
	"fmt"
	"testing"

	"github.com/inferdex/inferdex/ingest/catalog"
)

// A request of 11 tokens, the first after 0.2 s, the others 0.08 s apart, takes 1 s.
func TestTimesThatDoNotFit(t *testing.T) {
	num := func(f float64) *float64 { return &f }
	served, asked := catalog.Lengths{Output: num(11)}, catalog.Lengths{Output: num(21)}
	for _, c := range []struct {
		what     string
		e2e      float64
		workload catalog.Workload
		want     string // code and severity, "" for none
		r        string
	}{
		{"they fit", 1, catalog.Workload{Actual: served}, "", ""},
		{"the products of means lose a tenth", 1.1, catalog.Workload{Actual: served}, "", ""},
		{"half of it is missing", 2, catalog.Workload{Actual: served}, "latencies-disagree note", "0.5"},
		{"TTFT and TPOT in ms read as s", 0.001, catalog.Workload{Actual: served}, "unit-suspected error", "1000"},
		{"end-to-end latency in ms read as s", 1000, catalog.Workload{Actual: served}, "unit-suspected error", "0.001"},
		{"fewer tokens than asked for", 1, catalog.Workload{Nominal: asked}, "", ""},
		{"far fewer tokens than asked for", 0.8, catalog.Workload{Nominal: asked}, "latencies-disagree note", "2.2"},
		{"no length", 1000, catalog.Workload{}, "", ""},
	} {
		p := catalog.Point{Workload: c.workload, Metrics: map[catalog.Metric]catalog.Stat{
			"ttft": {Mean: num(0.2)}, "tpot": {Mean: num(0.08)}, "e2e_latency": {Mean: num(c.e2e)}}}
		f := &findings{}
		judge([]catalog.Point{p}, nil, f)
		got, message := "", ""
		for _, fd := range f.all {
			got += fmt.Sprintf("%s %s", fd.Code, fd.Severity)
			message = fd.Message
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
		head := "the times do not fit together: "
		if c.want == "unit-suspected error" {
			head = "the times do not fit together, a unit is probably wrong: "
		}
		head += "TTFT + (n - 1) x TPOT, of n output tokens, is " + c.r + " of the end-to-end latency: the point"
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
		p := catalog.Point{Workload: catalog.Workload{Actual: catalog.Lengths{Output: num(11)}}, Metrics: map[catalog.Metric]catalog.Stat{
			"ttft": {Mean: num(0.2)}, "tpot": {Mean: c.tpot}, "ntpot": {Mean: num(c.ntpot)}, "e2e_latency": {Mean: num(1.1)}}}
		f := &findings{}
		judge([]catalog.Point{p}, nil, f)
		got := ""
		for _, fd := range f.all {
			got += fd.Code
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
	}
}
