package view

import (
	"math"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
)

// scoreMetric is one state of the scorecard.
type scoreMetric struct {
	id, label string    // id is also the end of the page's path
	metric    metric.ID // decides unit and direction
	define    func(s *scoreClass) string
	formula   string // anchor on the methodology page
	// whole says that the figure is of a whole run: it has one scorecard, not one a workload.
	whole bool
	// value reads the cell of a run; ok is false where the metric is missing.
	value func(s *scoreClass, r *figure.Run) (scoreCell, bool)
}

// shownUnit is the unit of a heading above cells that differ much in size.
func (m scoreMetric) shownUnit() string {
	info, _ := metric.Lookup(m.metric)
	return info.Shown
}

// scoreCell is what a cell says.
type scoreCell struct {
	value     catalog.Number // nil: only the published text is known
	published string
	at        string // "at 38"
	scenario  *figure.Scenario
	point     *catalog.Point
}

// scoreMetrics are the states in the order of the switch.
var scoreMetrics = []scoreMetric{
	{id: "peak-output", label: "Peak output throughput", metric: metric.OutputThroughput, formula: "output-throughput",
		define: func(s *scoreClass) string {
			return "Output tokens over wall time at the best load measured, all accelerators together. Higher is better."
		},
		value: func(s *scoreClass, r *figure.Run) (scoreCell, bool) {
			sc := s.scenario(r)
			if sc == nil {
				return scoreCell{}, false
			}
			p, v, ok := sc.Peak(metric.OutputThroughput)
			if !ok {
				return scoreCell{}, false
			}
			return scoreCell{value: &v, at: "at " + figure.LoadText(p), scenario: sc, point: p}, true
		}},
	{id: "speed-per-request", label: "Speed per request", metric: metric.SpeedPerRequest, formula: "speed-per-user",
		define: func(s *scoreClass) string {
			if s.suite {
				return "Median speed of one request, time to first token included, at 10 parallel requests. Higher is better."
			}
			return "1 / median TPOT, what one user sees once text appears, " + s.loadPhrase() + ". Higher is better."
		},
		value: func(s *scoreClass, r *figure.Run) (scoreCell, bool) {
			sc := s.scenario(r)
			if c, ok := headlineCell(r, suiteSpeed); ok && (sc == nil || Preferred(sc)) {
				if sc != nil {
					c.scenario, c.point = sc, sc.At(10)
				}
				return c, true
			}
			if sc == nil {
				return scoreCell{}, false
			}
			p := sc.At(s.load)
			if p == nil {
				return scoreCell{}, false
			}
			v, _, ok := figure.SpeedPerUser(p)
			return scoreCell{value: &v, scenario: sc, point: p}, ok
		}},
	{id: "ttft", label: "Time to first token", metric: metric.TTFT, formula: "",
		define: func(s *scoreClass) string {
			return "Median time to first token (mean where no median is recorded) " + s.loadPhrase() + ". Lower is better."
		},
		value: func(s *scoreClass, r *figure.Run) (scoreCell, bool) {
			sc := s.scenario(r)
			if sc == nil {
				return scoreCell{}, false
			}
			p := sc.At(s.load)
			if p == nil {
				return scoreCell{}, false
			}
			v, stat, ok := figure.Central(p, metric.TTFT)
			c := scoreCell{value: &v, scenario: sc, point: p}
			if stat == metric.Mean {
				c.at = metric.Mean
			}
			return c, ok
		}},
	{id: "prompt-ingestion", label: "Prompt ingestion", metric: metric.PromptIngestionSpeed, formula: "prompt-ingestion-speed", whole: true,
		define: func(*scoreClass) string {
			return "Prompt tokens a second of one request, from a fit of time to first token over prompt length. Higher is better."
		},
		value: func(_ *scoreClass, r *figure.Run) (scoreCell, bool) { return headlineCell(r, "prompt_ingestion_speed") }},
	{id: "kv-cache", label: "KV-cache capacity", metric: metric.KVCacheTokens, formula: "kv-cache-capacity", whole: true,
		define: func(*scoreClass) string {
			return "Tokens the KV cache holds beside the weights. Higher is better."
		},
		value: func(_ *scoreClass, r *figure.Run) (scoreCell, bool) { return headlineCell(r, "kv_cache_tokens") }},
}

// suiteSpeed is the headline figure that a suite says of speed, whatever its workloads.
const suiteSpeed = "generation_speed_10_parallel"

// suite says whether a run has the headline figures of a suite.
func suite(r *figure.Run) bool {
	_, ok := headlineCell(r, suiteSpeed)
	return ok
}

// headlineCell is the suite figure of a name as a cell.
func headlineCell(r *figure.Run, name string) (scoreCell, bool) {
	for _, h := range r.SuiteHeadlines() {
		if h.Name == name {
			return scoreCell{value: h.Value, published: h.Published}, h.Value != nil || h.Published != ""
		}
	}
	return scoreCell{}, false
}

// shortNumber writes the limit of a class without zeros that say nothing: 8.00 is 8.
func shortNumber(v float64) string {
	if v == math.Trunc(v) {
		return metric.Count(int64(v))
	}
	return metric.Exact(metric.Round12(v))
}

func pointers(vs []float64) []*float64 {
	out := make([]*float64, len(vs))
	for i := range vs {
		out[i] = &vs[i]
	}
	return out
}
