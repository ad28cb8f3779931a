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
	try := func(seed uint64, changes func(o odd) []func(*catalog.Run, int)) {
		o := odd{rand.New(rand.NewPCG(seed, 16))}
		figuretest.Holds(t, o.Rand, *oddCatalogs, 0, func(c *catalog.Catalog) []refute.Statement {
			o.catalog(c, changes(o))
			return said(t, c, names)
		})
	}
	both := func(o odd) []func(*catalog.Run, int) { return append(o.all(), o.more()...) }
	if *oddFrom > 0 {
		try(*oddFrom, both)
		return
	}
	for _, seed := range []uint64{15, 1111, 2037, 2199, 3354, 3586} {
		try(seed, odd.all)
	}
	for _, seed := range []uint64{101, 103} {
		try(seed, both)
	}
}

// odd changes runs at random.
type odd struct{ *rand.Rand }

func (o odd) one(of ...string) string { return of[o.IntN(len(of))] }

// catalog makes some of the changes to some of the runs of a catalog.
func (o odd) catalog(c *catalog.Catalog, changes []func(r *catalog.Run, i int)) {
	for _, r := range c.Runs {
		r.Identity.Tool = "tool" // which has no other name
	}
	for _, change := range changes {
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

// attr makes an attribute of a run one of some values.
func (o odd) attr(key string, values ...string) func(*catalog.Run, int) {
	return func(r *catalog.Run, i int) { o.set(r, key, o.one(values...)) }
}

// points changes each point of a run.
func points(change func(p *catalog.Point)) func(*catalog.Run, int) {
	return func(r *catalog.Run, i int) {
		for k := range r.Points {
			change(&r.Points[k])
		}
	}
}

// all are the changes that may be made to what every run has.
func (o odd) all() []func(r *catalog.Run, i int) {
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
		o.attr("hardware", "MI300X", "H100 SXM", "RTX 4090 + RTX 3090", "CPU", "Some Board", "", "H200 SXM", "<b>Z&quot;</b>"),
		func(r *catalog.Run, i int) {
			if !strings.Contains(r.Attr("hardware"), "x ") { // which says how many
				o.set(r, "count", o.one("", "1", "2", "8"))
			}
		},
		o.attr("engine", "", "vLLM", "SGLang", "tgi", "home-made"),
		o.attr("engine_version", "", "0.6.3", "latest", "nightly", "0.6.3.post1", "abc1234"),
		o.attr("quantization", "", "fp8", "awq", "none"),
		o.attr("precision", "bfloat16", "fp8", ""),
		o.attr("division", "closed", "open", ""),
		o.attr("labels.variant", "a", "b", "", "v0 <x>"),
		o.attr("tokenizer", "x", ""),
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

// more are the changes that give a run what few have.
func (o odd) more() []func(r *catalog.Run, i int) {
	seldom := func(m metric.ID, unit string, least, most float64) func(*catalog.Run, int) {
		return points(func(p *catalog.Point) {
			if o.IntN(4) > 0 {
				p.Metrics[m] = catalog.Stat{Value: figuretest.Num(least + (most-least)*o.Float64()), Unit: unit}
			}
		})
	}
	spread := func(m metric.ID, median float64) func(*catalog.Run, int) {
		return points(func(p *catalog.Point) {
			if v := median * (0.5 + o.Float64()); o.IntN(4) > 0 {
				p.Metrics[m] = figuretest.Dist(v*1.1, v, v*(1+3*o.Float64()))
			}
		})
	}
	return []func(r *catalog.Run, i int){
		seldom(metric.Power, "W", 50, 6000),
		seldom(metric.EnergyPerToken, "J/tok", 0.01, 10),
		seldom(metric.Goodput, "req/s", 0, 5),
		seldom(metric.PeakOutputThroughput, "tok/s", 100, 3000),
		seldom(metric.TotalGenerationSpeed, "tok/s", 50, 900),
		seldom(metric.InputThroughput, "tok/s", 100, 9000),
		seldom(metric.KVCacheUsage, "fraction", 0, 1),
		seldom(metric.PrefixCacheHits, "fraction", 0, 1),
		seldom(metric.KVCacheTokens, "tokens", 1000, 1e6),
		seldom(metric.SpecDecodeAcceptance, "fraction", 0, 1),
		seldom(metric.AcceptanceLength, "tokens", 1, 5),
		seldom(metric.RequestsRunning, "requests", 0, 300),
		seldom(metric.RequestsWaiting, "requests", 0, 300),
		seldom(metric.AchievedConcurrency, "requests", 0.5, 40),
		seldom(metric.PeakConcurrency, "requests", 1, 40),
		seldom(metric.Duration, "s", 1, 1000),
		seldom(metric.PPSpeed, "tok/s", 100, 9000),
		seldom(metric.TGSpeed, "tok/s", 10, 200),
		spread(metric.QueueTime, 0.2),
		spread(metric.E2ELatency, 5),
		spread(metric.NTPOT, 0.03),
		spread(metric.TTFO, 2),
		func(r *catalog.Run, i int) {
			r.Figures = append(r.Figures,
				catalog.Figure{Metric: metric.Accuracy, Of: "gsm8k", Value: figuretest.Num(o.Float64()), Unit: "fraction",
					Score: &record.Score{StdErr: figuretest.Num(o.Float64() / 20)}},
				catalog.Figure{Metric: metric.ThresholdSpeed, Of: "1000/100", Value: figuretest.Num(float64(1 + o.IntN(40))), Unit: "requests"},
				catalog.Figure{Metric: metric.ThresholdKVCache, Of: "1000/100", Value: figuretest.Num(float64(1 + o.IntN(40))), Unit: "requests"})
		},
		func(r *catalog.Run, i int) {
			r.Parameters = figuretest.Params("tensor_parallel_size", o.one("1", "2", "8"), "max_num_seqs", o.one("8", "256"),
				"gpu_memory_utilization", o.one("0.9", "0.5"), "max_model_len", o.one("4096", "32768"),
				"enable_prefix_caching", o.one("true", "false"))
		},
		o.attr("gpu_memory", "", "24 GB", "80 GB", "192 GB"),
		o.attr("tool_version", "", "1.0", "2.0"),
		o.attr("wrapper", "", "happy_vllm", "wrap"),
		o.attr("series", "", "nightly", "v0"),
		o.attr("max_model_len", "", "4096"),
		func(r *catalog.Run, i int) {
			r.Started = o.one("2024-12-31T23:59:59+05:00", "2025-01-01T00:00:00", "2025-02")
		},
		func(r *catalog.Run, i int) { r.Sources = nil },
		o.attr("labels.software", "vLLM 0.6.3, CUDA 12.4", "SGLang nightly"), // which may be of another run's engine
		func(r *catalog.Run, i int) { // what cannot be: none of it is believed
			r.Identity.Model = "meta-llama/Llama-3.1-405B-Instruct"
			o.set(r, "model", r.Identity.Model)
			o.set(r, "hardware", o.one("RTX 4090", "8x H200 SXM"))
		},
		points(func(p *catalog.Point) { // as tools have it that time prefill and decode of one request
			p.Workload.Name, p.Load = o.one("pp1024+tg128", "pp1024+tg128 @ d4096"), record.Load{MaxConcurrency: figuretest.Whole(1)}
			p.Metrics = map[metric.ID]catalog.Stat{}
			for _, m := range []metric.ID{metric.PPSpeed, metric.TGSpeed} {
				mean := figuretest.Num(20 + 20*o.Float64())
				if p.Metrics[m] = (catalog.Stat{Value: mean, Unit: "tok/s"}); o.IntN(4) > 0 {
					p.Metrics[m] = catalog.Stat{Mean: mean, Std: figuretest.Num(o.Float64()), Unit: "tok/s"}
				}
			}
		}),
		points(func(p *catalog.Point) {
			if p.Submitted != nil && o.IntN(2) == 0 {
				p.Failed, p.Completed = figuretest.Whole(*p.Submitted/3), figuretest.Whole(*p.Submitted-*p.Submitted/3)
			}
		}),
		points(func(p *catalog.Point) {
			if p.Submitted != nil && o.IntN(2) == 0 {
				p.Completed = figuretest.Whole(0)
			}
		}),
		points(func(p *catalog.Point) {
			if n := p.Load.MaxConcurrency; n != nil && o.IntN(2) == 0 {
				rate := record.Float(*n)
				p.Load.Rate = &rate
			}
		}),
	}
}
