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
	c := &catalog.Catalog{}
	hw := []string{"1x H100 SXM", "1x MI300X", "L40S", "H200 SXM", "2x H200 SXM"}
	type workload struct {
		in, out float64
		rate    bool
	}
	var ws []workload
	for range 1 + rnd.IntN(6) {
		ws = append(ws, workload{float64(100 * (1 + rnd.IntN(40))), float64(100 * (1 + rnd.IntN(40))),
			rnd.IntN(4) == 0})
	}
	maybe := func() bool { return rnd.IntN(8) > 0 }
	latency := func(base float64) catalog.Stat {
		med := base * math.Exp(rnd.NormFloat64())
		s := catalog.Stat{Unit: "s"}
		if maybe() {
			s.Mean = Num(med * (0.9 + rnd.Float64()))
		}
		if maybe() {
			s.Median = Num(med)
		}
		if maybe() {
			s.Percentiles = []catalog.Percentile{{P: 99, Value: med * (1 + math.Abs(rnd.NormFloat64())*1.5)}}
		}
		if rnd.IntN(4) == 0 {
			s.Percentiles = []catalog.Percentile{{P: 99, Value: med * 1.001}}
		}
		return s
	}
	for i := range 1 + rnd.IntN(6) {
		r := &catalog.Run{ID: fmt.Sprintf("run%d", i),
			Identity: record.Identity{Tool: "vllm-bench-serve", Session: fmt.Sprint(i), Model: "org/some-model"},
			Started:  fmt.Sprintf("2025-01-%02d", 1+rnd.IntN(28)),
			Attributes: map[string]catalog.Attribute{"hardware": {Value: hw[rnd.IntN(len(hw))]},
				"engine":         {Value: "vLLM"},
				"engine_version": {Value: fmt.Sprintf("0.%d.0", 5+rnd.IntN(4))}}}
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
				tput *= 0.9 + rnd.Float64()
				for rep := range repeats {
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
					if maybe() {
						p.Workload.Actual = record.Lengths{Input: Num(w.in * (1 + 0.1*rnd.Float64())),
							Output: Num(w.out)}
					}
					if maybe() {
						p.Metrics["output_throughput"] = Value(tput * (1 + 0.03*rnd.NormFloat64()))
					}
					if maybe() {
						p.Metrics["ttft"] = latency(0.3)
					}
					if maybe() {
						p.Metrics["tpot"] = latency(0.02)
					}
					if rnd.IntN(3) == 0 {
						p.Metrics["e2e_latency"] = latency(2)
						fit(&p)
					}
					if rnd.IntN(3) == 0 {
						p.Metrics["kv_cache_usage"] = catalog.Stat{Value: Num(min(1, 1.2*rnd.Float64())),
							Unit: "fraction"}
					}
					if maybe() {
						n := int64(5 + rnd.IntN(60))
						p.Workload.NumPrompts, p.Submitted, p.Completed = Whole(n), Whole(n), Whole(n)
						if rnd.IntN(12) == 0 {
							p.Completed = Whole(rnd.Int64N(n + 1))
						}
					}
					r.Points = append(r.Points, p)
				}
			}
		}
		c.Runs = append(c.Runs, r)
	}
	return c
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
