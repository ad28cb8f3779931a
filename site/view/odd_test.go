package view

import (
	"flag"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figuretest"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
	"github.com/inferdex/inferdex/ingest/refute"
	"github.com/inferdex/inferdex/ingest/settings"
)

var (
	oddCatalogs = flag.Int("odd", 40, "how many catalogs of odd runs TestOddRunsHold makes")
	oddFrom     = flag.Uint64("odd-from", 0, "the seed of these catalogs, 0 for some that found something")
)

// TestOddRunsHold checks the sentences of all pages where runs lack what others have, or have what is seldom.
func TestOddRunsHold(t *testing.T) {
	names, _ := settings.LoadNames(os.DirFS("../../data"))
	seeds := []uint64{15, 1111, 2037, 2199, 3354, 3586}
	if *oddFrom > 0 {
		seeds = []uint64{*oddFrom}
	}
	for _, seed := range seeds {
		rnd := rand.New(rand.NewPCG(seed, 16))
		figuretest.Holds(t, rnd, *oddCatalogs, 0, func(c *catalog.Catalog) []refute.Statement {
			odd{rnd}.catalog(c)
			return said(t, c, names)
		})
	}
}

// odd changes runs at random.
type odd struct{ *rand.Rand }

func (o odd) one(of ...string) string { return of[o.IntN(len(of))] }

// catalog changes some of the runs of a catalog in some ways.
func (o odd) catalog(c *catalog.Catalog) {
	for _, r := range c.Runs {
		r.Identity.Tool = "tool" // which has no other name
	}
	for _, change := range o.all() {
		if o.IntN(3) > 0 {
			continue
		}
		for i, r := range c.Runs {
			if o.IntN(2) == 0 {
				change(r, i)
			}
		}
	}
}

// set makes an attribute another one, or takes it away.
func (o odd) set(r *catalog.Run, key, value string) {
	if delete(r.Attributes, key); value != "" {
		r.Attributes[key] = catalog.Attribute{Value: value}
	}
}

// all are the changes that may be made to a run.
func (o odd) all() []func(r *catalog.Run, i int) {
	attr := func(key string, values ...string) func(*catalog.Run, int) {
		return func(r *catalog.Run, i int) { o.set(r, key, o.one(values...)) }
	}
	points := func(change func(p *catalog.Point)) func(*catalog.Run, int) {
		return func(r *catalog.Run, i int) {
			for k := range r.Points {
				change(&r.Points[k])
			}
		}
	}
	each := func(change func(s *catalog.Stat)) func(*catalog.Run, int) {
		return points(func(p *catalog.Point) {
			for _, m := range slices.Sorted(maps.Keys(p.Metrics)) {
				s := p.Metrics[m]
				change(&s)
				p.Metrics[m] = s
			}
		})
	}
	value := func(s *catalog.Stat, f func(float64) float64) {
		for _, v := range []*catalog.Number{&s.Value, &s.Mean, &s.Median} {
			if *v != nil {
				*v = figuretest.Num(f(**v))
			}
		}
		for i := range s.Percentiles {
			s.Percentiles[i].Value = f(s.Percentiles[i].Value)
		}
	}
	return []func(r *catalog.Run, i int){
		attr("hardware", "MI300X", "H100 SXM", "RTX 4090 + RTX 3090", "CPU", "Some Board", "", "H200 SXM", "<b>Z&quot;</b>"),
		func(r *catalog.Run, i int) {
			if !strings.Contains(r.Attr("hardware"), "x ") { // which says how many
				o.set(r, "count", o.one("", "1", "2", "8"))
			}
		},
		attr("engine", "", "vLLM", "SGLang", "tgi", "home-made"),
		attr("engine_version", "", "0.6.3", "latest", "nightly", "0.6.3.post1", "abc1234"),
		attr("quantization", "", "fp8", "awq", "none"),
		attr("precision", "bfloat16", "fp8", ""),
		attr("division", "closed", "open", ""),
		attr("labels.variant", "a", "b", "", "v0 <x>"),
		attr("tokenizer", "x", ""),
		func(r *catalog.Run, i int) {
			r.Identity.Model = o.one("org/some-model", "org/other-model-7b", "other-model-7b-awq", "Some Model")
			o.set(r, "model", r.Identity.Model)
		},
		func(r *catalog.Run, i int) { r.Started = "" },
		func(r *catalog.Run, i int) { r.Started = "2025-01-01" },
		func(r *catalog.Run, i int) { r.Started = "2025-01-01T00:00:00Z" },
		func(r *catalog.Run, i int) { r.Identity.Tool = "other" },
		func(r *catalog.Run, i int) { r.Withdrawn = "x" },
		func(r *catalog.Run, i int) { r.Points = r.Points[:min(len(r.Points), o.IntN(3))] },
		func(r *catalog.Run, i int) {
			var kept []catalog.Point
			for _, p := range r.Points {
				if o.IntN(3) > 0 {
					kept = append(kept, p)
				}
			}
			r.Points = kept
		},
		points(func(p *catalog.Point) { p.Load = record.Load{} }),
		points(func(p *catalog.Point) {
			if n := p.Load.MaxConcurrency; n != nil {
				p.Load = record.Load{Batch: n}
			}
		}),
		points(func(p *catalog.Point) {
			if p.Load.Rate != nil && o.IntN(2) == 0 {
				rate := record.Float(math.Inf(1))
				p.Load.Rate = &rate
			}
		}),
		points(func(p *catalog.Point) { p.Load.Rate = nil }),
		points(func(p *catalog.Point) { p.Workload.Nominal = record.Lengths{} }),
		points(func(p *catalog.Point) { p.Workload.Actual = record.Lengths{} }),
		points(func(p *catalog.Point) { p.Workload.Name, p.Workload.Dataset = "", "" }),
		points(func(p *catalog.Point) { p.Workload.Name = "" }),
		points(func(p *catalog.Point) {
			p.Workload.NumPrompts, p.Submitted, p.Completed, p.NoOutput = nil, nil, nil, nil
		}),
		points(func(p *catalog.Point) { p.Submitted = nil }),
		points(func(p *catalog.Point) {
			if p.Completed != nil {
				p.Completed = figuretest.Whole(*p.Completed / 2)
			}
		}),
		points(func(p *catalog.Point) { p.Repetition = 0 }),
		points(func(p *catalog.Point) { delete(p.Metrics, "output_throughput") }),
		points(func(p *catalog.Point) { delete(p.Metrics, "ttft"); delete(p.Metrics, "tpot") }),
		points(func(p *catalog.Point) {
			if s, ok := p.Metrics["tpot"]; ok {
				p.Metrics[metric.ITL] = s
				delete(p.Metrics, "tpot")
			}
		}),
		points(func(p *catalog.Point) {
			if s, ok := p.Metrics["output_throughput"]; ok {
				p.Metrics[metric.TotalThroughput] = catalog.Stat{Unit: s.Unit, Value: figuretest.Num(*s.Value * 3)}
			}
		}),
		points(func(p *catalog.Point) {
			if o.IntN(3) == 0 {
				p.Metrics = map[metric.ID]catalog.Stat{}
			}
		}),
		each(func(s *catalog.Stat) { value(s, func(v float64) float64 { return float64(int(v*10)) / 10 }) }),
		each(func(s *catalog.Stat) { value(s, func(v float64) float64 { return 1 }) }),
		each(func(s *catalog.Stat) { value(s, func(v float64) float64 { return 0 }) }),
		each(func(s *catalog.Stat) { value(s, func(v float64) float64 { return v * 1e6 }) }),
		each(func(s *catalog.Stat) { value(s, func(v float64) float64 { return v / 1e6 }) }),
		each(func(s *catalog.Stat) { s.Mean = nil }),
		each(func(s *catalog.Stat) {
			if s.Mean != nil {
				s.Median = nil
			}
		}),
		each(func(s *catalog.Stat) { s.Percentiles = nil }),
		each(func(s *catalog.Stat) { s.N = 3 }),
	}
}
