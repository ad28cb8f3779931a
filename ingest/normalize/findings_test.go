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
