package figuretest

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
)

// Invented makes a catalog of runs of one model on up to five cards with random metrics, many of
// them missing.
func Invented(rnd *rand.Rand) *catalog.Catalog {
	in := invention{rnd}
	c := &catalog.Catalog{}
	hw := []string{"1x H100 SXM", "1x MI300X", "L40S", "H200 SXM", "2x H200 SXM"}
	var ws []workload
	for range 1 + rnd.IntN(6) {
		ws = append(ws, workload{float64(100 * (1 + rnd.IntN(40))), float64(100 * (1 + rnd.IntN(40))),
			rnd.IntN(4) == 0})
	}
	for i := range 1 + rnd.IntN(6) {
		r := &catalog.Run{ID: fmt.Sprintf("run%d", i),
			Identity: record.Identity{Tool: "vllm-bench-serve", Session: fmt.Sprint(i), Model: "org/some-model"},
			Started:  fmt.Sprintf("2025-01-%02d", 1+rnd.IntN(28)),
			Attributes: map[string]catalog.Attribute{"hardware": {Value: hw[rnd.IntN(len(hw))]},
				"engine":         {Value: "vLLM"},
				"engine_version": {Value: fmt.Sprintf("0.%d.0", 5+rnd.IntN(4))}}}
		if i%3 > 0 { // some have an author, who has more than one run
			r.Sources = []catalog.Source{{Path: r.ID, SHA256: "0123456789ab", Author: "Author " + string(rune('A'+i%4))}}
		}
		if rnd.IntN(9) == 0 {
			r.Withdrawn = "measured by mistake"
		}
		for _, w := range ws {
			if rnd.IntN(3) == 0 {
				continue
			}
			tput := 50 + 500*rnd.Float64()
			repeats := 1
			if rnd.IntN(3) == 0 {
				repeats = 1 + rnd.IntN(8)
			}
			for _, load := range []int64{1, 2, 4, 8, 16, 32}[rnd.IntN(3) : 3+rnd.IntN(4)] {
				tput *= 0.7 + 1.2*rnd.Float64()
				for rep := range repeats {
					r.Points = append(r.Points, in.point(w, load, rep, tput))
				}
			}
		}
		c.Runs = append(c.Runs, r)
	}
	return c
}

// workload is how many tokens its requests have, and whether its loads are rates.
type workload struct {
	in, out float64
	rate    bool
}

// invention makes random measurements.
type invention struct{ *rand.Rand }

// often is true seven times out of eight.
func (in invention) often() bool { return in.IntN(8) > 0 }

// latency has some statistics of a time around base, in seconds.
func (in invention) latency(base float64) catalog.Stat {
	med := base * math.Exp(in.NormFloat64())
	s := catalog.Stat{Unit: "s"}
	if in.often() {
		s.Mean = Num(med * (0.9 + in.Float64()))
	}
	if in.often() {
		s.Median = Num(med)
	}
	if in.often() {
		s.Percentiles = []catalog.Percentile{{P: 99, Value: med * (1 + math.Abs(in.NormFloat64())*1.5)}}
	}
	if in.IntN(4) == 0 {
		s.Percentiles = []catalog.Percentile{{P: 99, Value: med * 1.001}}
	}
	return s
}

// point is a repetition of a load of a workload that gives about so many tokens a second.
func (in invention) point(w workload, load int64, rep int, tput float64) catalog.Point {
	p := catalog.Point{Repetition: rep,
		Workload: record.Workload{Name: "Invented", Dataset: "random",
			Nominal: record.Lengths{Input: Num(w.in), Output: Num(w.out)}},
		Load: record.Load{MaxConcurrency: Whole(load)}, Metrics: map[metric.ID]catalog.Stat{}}
	if w.rate {
		rate := record.Float(load)
		if load == 32 {
			rate = record.Float(math.Inf(1))
		}
		p.Load = record.Load{Rate: &rate}
	}
	if in.often() {
		p.Workload.Actual = record.Lengths{Input: Num(w.in * (1 + 0.1*in.Float64())),
			Output: Num(w.out)}
	}
	if in.often() {
		p.Metrics["output_throughput"] = Value(tput * (1 + 0.03*in.NormFloat64()))
	}
	if w.rate && in.often() { // without a served length, of which tokens a second would follow
		p.Metrics["request_throughput"] = Value(min(float64(load), 12) * (0.85 + 0.2*in.Float64()))
		p.Workload.Actual.Output = nil
	}
	if in.often() {
		p.Metrics["ttft"] = in.latency(0.3)
	}
	if in.often() {
		p.Metrics["tpot"] = in.latency(0.02)
	}
	if in.IntN(3) == 0 {
		p.Metrics["e2e_latency"] = in.latency(2)
		fit(&p)
	}
	if w.in < 2000 {
		p.Metrics["speed_per_request"] = catalog.Stat{Median: Num(100 / float64(load) * w.in / 1000),
			Unit: "tok/s"}
	}
	if in.IntN(3) == 0 {
		p.Metrics["kv_cache_usage"] = catalog.Stat{Value: Num(min(1, 1.2*in.Float64())),
			Unit: "fraction"}
	}
	if in.often() {
		n := int64(5 + in.IntN(60))
		p.Workload.NumPrompts, p.Submitted, p.Completed = Whole(n), Whole(n), Whole(n)
		if in.IntN(12) == 0 {
			p.Completed = Whole(1 + in.Int64N(n)) // of none that completed no number would count
		}
		if in.IntN(12) == 0 {
			p.NoOutput = Whole(1 + in.Int64N(*p.Completed))
		}
	}
	return p
}

// fit makes the mean end-to-end latency of a point what its parts give: one that is not makes all three suspect.
func fit(p *catalog.Point) {
	r, _, ok := p.Consistency()
	if !ok {
		return
	}
	s := p.Metrics["e2e_latency"]
	scaled := func(v *float64) {
		if v != nil {
			*v *= r
		}
	}
	scaled(s.Mean)
	scaled(s.Median)
	for i := range s.Percentiles {
		s.Percentiles[i].Value *= r
	}
}
