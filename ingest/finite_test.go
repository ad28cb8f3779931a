package ingest

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/inferdex/inferdex/ingest/reading"

	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
)

// A number that cannot be measured costs its record, which says so at its place; the others are read.
func TestBeyond(t *testing.T) {
	number := func(n float64) *float64 { return &n }
	rate := func(n float64) *record.Float { f := record.Float(n); return &f }
	for name, c := range map[string]struct {
		r    record.Record
		want string
	}{
		"infinite value": {&record.Result{
			Values: []record.Value{{Quantity: metric.TTFT, Stat: metric.Mean, Number: math.Inf(1)}}},
			"ttft mean is +Inf"},
		"no number": {&record.Result{
			Values: []record.Value{{Quantity: metric.TTFT, Stat: "p99", Number: math.NaN()}}}, "ttft p99 is NaN"},
		"a huge value": {&record.Result{
			Values: []record.Value{{Quantity: metric.TTFT, Stat: metric.Mean, Number: -1e300}}},
			"ttft mean is -1e+300"},
		"a tiny value": {&record.Result{
			Values: []record.Value{{Quantity: metric.Duration, Stat: metric.Value, Number: -1.234e-310}}},
			"duration value is -1.234e-310"},
		"the deviation of equal numbers": {&record.Result{
			Values: []record.Value{{Quantity: metric.TTFT, Stat: "std", Number: 1e-23}}}, ""},
		"a time in ns": {&record.Result{
			Values: []record.Value{{Quantity: metric.TTFT, Stat: metric.Mean, Number: 1.8e18}}}, ""},
		"all at once": {&record.Result{Load: record.Load{Rate: rate(math.Inf(1))}}, ""},
		"an odd rate": {&record.Result{Load: record.Load{Rate: rate(math.NaN())}}, "the rate of requests is NaN"},
		"an odd length": {&record.Result{
			Workload: record.Workload{Nominal: record.Lengths{Input: number(math.Inf(1))}}},
			"a length of inputs is +Inf"},
		"an odd figure": {&record.Figure{Quantity: metric.Power, Value: number(math.NaN())}, "power is NaN"},
		"an odd sample": {&record.Samples{Nums: map[string]float64{"b": 1, "a": math.Inf(-1)}}, `"a" is -Inf`},
		"an odd device": {&record.System{Devices: []record.Device{{MemoryMiB: number(math.Inf(1))}}},
			"the memory of a device is +Inf"},
		"an odd curve": {&record.Profile{
			Curves: record.Curves{Lines: []record.Line{{Label: "speed", Y: []float64{1, math.NaN()}}}}},
			"speed is NaN"},
		"an odd interval": {&record.Result{Distributions: []record.Distribution{{MedianLow: number(math.NaN())}}},
			"the interval of a median is NaN"},
	} {
		if got := Immeasurable(c.r); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	f := &reading.Format{Name: "x", Match: func(*reading.Head) bool { return true },
		Read: func(_ *reading.Source, emit func(record.Record)) error {
			for line, n := range []float64{1, math.NaN(), 2} {
				emit(&record.Figure{Base: record.Base{At: record.Pos{Line: line + 1}}, Quantity: metric.Power, Value: &n})
			}
			return nil
		}}
	records, _ := ReadFile("x", []byte("x"), []*reading.Format{f})
	if len(records) != 3 || records[1].Pos().Line != 2 {
		t.Fatalf("%v", records)
	}
	if e, ok := records[1].(*record.SyntaxError); !ok ||
		e.Error() != "x:2: power is NaN: no measurement is that, and the record is left out" {
		t.Errorf("%v", records[1])
	}
}

// A number that nothing can be costs no more than itself where the others of its record say something.
func TestBeyondInAResult(t *testing.T) {
	number := func(n float64) *float64 { return &n }
	f := &reading.Format{Name: "x", Match: func(*reading.Head) bool { return true },
		Read: func(_ *reading.Source, emit func(record.Record)) error {
			emit(&record.Result{Base: record.Base{At: record.Pos{Line: 7}},
				Values: []record.Value{
					{Quantity: metric.TTFT, Stat: metric.Mean, Number: 20, Key: "mean_ttft_ms"},
					{Quantity: metric.OutputThroughput, Stat: metric.Value, Number: 1e22, Key: "tokens per s"},
					{Quantity: metric.ITL, Stat: metric.Mean, Number: 1e-200},
				},
				Workload:      record.Workload{Nominal: record.Lengths{Input: number(1e30), Output: number(128)}},
				Distributions: []record.Distribution{{Quantity: metric.TTFT, Quantiles: [][2]float64{{50, 1e25}}}, {Quantity: metric.ITL}}})
			emit(&record.System{Base: record.Base{At: record.Pos{Line: 9}},
				Devices: []record.Device{{Name: "X1", MemoryMiB: number(1e40), PowerLimit: number(300)}}})
			return nil
		}}
	records, _ := ReadFile("x", []byte("x"), []*reading.Format{f})
	var got []string
	for _, r := range records {
		switch r := r.(type) {
		case *record.SyntaxError:
			got = append(got, r.Error())
		case *record.Result:
			if len(r.Values) != 1 || r.Values[0].Number != 20 || len(r.Distributions) != 1 || r.Workload.Nominal.Input != nil ||
				*r.Workload.Nominal.Output != 128 {
				t.Errorf("%+v", r)
			}
		case *record.System:
			if d := r.Devices[0]; d.Name != "X1" || d.MemoryMiB != nil || *d.PowerLimit != 300 {
				t.Errorf("%+v", r)
			}
		}
	}
	const left = ": no measurement is that, and the value is left out"
	want := []string{`x:7: "tokens per s" is 1e+22` + left, "x:7: itl mean is 1e-200" + left,
		"x:7: ttft p50 is 1e+25: no measurement is that, and the distribution is left out",
		"x:7: a length of inputs is 1e+30" + left, "x:9: the memory of a device is 1e+40" + left}
	if !slices.Equal(got, want) || len(records) != len(want)+2 {
		t.Errorf("%d records, %q, want %q", len(records), got, want)
	}
}

// A result whose settings and unknown members nobody could search through is left out, and the one behind it is not.
func TestResultsOfMillionsOfMembers(t *testing.T) {
	f := &reading.Format{Name: "x", Match: func(*reading.Head) bool { return true },
		Read: func(_ *reading.Source, emit func(record.Record)) error {
			for line, n := range []int{maxMembers / 2, maxMembers/2 + 1} {
				emit(&record.Result{Base: record.Base{At: record.Pos{Line: line + 1}},
					Setup: make([]record.KV, maxMembers/2), Kept: record.Kept{Unmapped: make([]string, n)}})
			}
			return nil
		}}
	records, _ := ReadFile("x", []byte("x"), []*reading.Format{f})
	if len(records) != 2 {
		t.Fatalf("%v", records)
	}
	if e, ok := records[1].(*record.SyntaxError); !ok || !strings.HasPrefix(e.Error(), "x:2: the record has 20001 settings") {
		t.Errorf("%v", records[1])
	}
	if _, ok := records[0].(*record.Result); !ok {
		t.Errorf("%v", records[0])
	}
}
