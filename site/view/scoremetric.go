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
	// sum says that the figure is a sum over the accelerators: of different numbers of them each one is shown first.
	sum     bool
	define  func(s *scoreClass) string
	formula string // anchor on the methodology page
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
	// total is the sum over the accelerators where value is that of one, or nil because nobody recorded their number.
	total    catalog.Number
	scenario *figure.Scenario
	point    *catalog.Point
}

// number is the value of a cell, and how it is shown; ok is false where it has none that others may be held against.
func (c scoreCell) number() (v float64, text string, ok bool) {
	if c.value != nil {
		return *c.value, metric.Format(*c.value), true
	}
	v, ok = publishedNumber(c.published)
	return v, publishedShort(c.published), ok
}

// scoreMetrics are the states of the switch, in the order that the table of metrics gives them.
func scoreMetrics() []scoreMetric {
	var out []scoreMetric
	for _, info := range metric.Shown(metric.Scorecard) {
		if m, ok := scoreStates[info.ID]; ok {
			m.metric = info.ID
			out = append(out, m)
		}
	}
	return out
}

// scoreStates are what a scorecard says of a metric.
var scoreStates = map[metric.ID]scoreMetric{
	metric.OutputThroughput: {id: "peak-output", label: "Peak output throughput", formula: "output-throughput",
		sum: true,
		define: func(s *scoreClass) string {
			if s.single {
				return "Output tokens over wall time " + s.loadPhrase()
			}
			return "Output tokens over wall time at the best load measured"
		},
		value: func(s *scoreClass, r *figure.Run) (c scoreCell, ok bool) {
			sc := s.scenario(r)
			if sc == nil {
				return c, false
			}
			p, v, ok := sc.Peak(metric.OutputThroughput)
			if !ok {
				return c, false
			}
			c = scoreCell{value: &v, scenario: sc, point: p}
			if load := figure.LoadText(p); load != "" && !s.single {
				c.at = "at " + load
			}
			return c, true
		}},
	metric.SpeedPerRequest: {id: "speed-per-request", label: "Speed per request", formula: "speed-per-user",
		define: func(s *scoreClass) string {
			if s.suite {
				return "Median speed of one request, time to first token included, at 10 parallel requests. Higher " +
					"is better."
			}
			return "1 / median TPOT, what one user sees once text appears, " + s.loadPhrase() + ". Higher is better."
		},
		value: func(s *scoreClass, r *figure.Run) (scoreCell, bool) {
			sc := s.scenario(r)
			if c, ok := headlineCell(r, figure.SuiteSpeed); ok && (sc == nil || sc.Preferred()) {
				if sc != nil {
					c.scenario, c.point = sc, sc.At(10)
				}
				return c, true
			}
			return s.atLoad(r, figure.SpeedPerUser)
		}},
	metric.TTFT: {id: "ttft", label: "Time to first token",
		define: func(s *scoreClass) string {
			return "Median time to first token (mean where no median is recorded) " + s.loadPhrase() +
				". Lower is better."
		},
		value: func(s *scoreClass, r *figure.Run) (scoreCell, bool) {
			stat := ""
			c, ok := s.atLoad(r, func(p *catalog.Point) (v float64, _ string, ok bool) {
				v, stat, ok = figure.Central(p, metric.TTFT)
				return v, stat, ok
			})
			if stat == metric.Mean {
				c.at = metric.Mean
			}
			return c, ok
		}},
	metric.TGSpeed: {id: "decode-speed", label: "Decode speed",
		define: func(s *scoreClass) string {
			return "Output tokens a second of one request after the first token, " + s.loadPhrase() +
				". Higher is better."
		},
		value: func(s *scoreClass, r *figure.Run) (scoreCell, bool) { return s.speedOf(r, metric.TGSpeed) }},
	metric.PPSpeed: {id: "prefill-speed", label: "Prefill speed",
		define: func(s *scoreClass) string {
			return "Prompt tokens a second of one request, " + s.loadPhrase() + ". Higher is better."
		},
		value: func(s *scoreClass, r *figure.Run) (scoreCell, bool) { return s.speedOf(r, metric.PPSpeed) }},
	metric.PromptIngestionSpeed: ofWholeRun(metric.PromptIngestionSpeed, scoreMetric{id: "prompt-ingestion",
		label: "Prompt ingestion", formula: "prompt-ingestion-speed"},
		"Prompt tokens a second of one request, from a fit of time to first token over prompt length. Higher is "+
			"better."),
	metric.KVCacheTokens: ofWholeRun(metric.KVCacheTokens, scoreMetric{id: "kv-cache",
		label: "KV-cache capacity", formula: "kv-cache-capacity", sum: true},
		"Tokens the KV cache holds beside the weights"),
}

// speedOf reads the speed of a phase. With tokens in the context before it there is none: each depth would be
// a scorecard of its own, and the pages of runs and cards draw them.
func (s *scoreClass) speedOf(r *figure.Run, m metric.ID) (scoreCell, bool) {
	if sc := s.scenario(r); sc == nil || sc.Depth > 0 {
		return scoreCell{}, false
	}
	return s.atLoad(r, func(p *catalog.Point) (float64, string, bool) { return figure.Central(p, m) })
}

// ofWholeRun is the state of a headline figure, which has the name of its metric.
func ofWholeRun(id metric.ID, m scoreMetric, definition string) scoreMetric {
	m.whole = true
	m.define = func(*scoreClass) string { return definition }
	m.value = func(_ *scoreClass, r *figure.Run) (scoreCell, bool) { return headlineCell(r, string(id)) }
	return m
}

// atLoad reads a figure of a run at the load of its class.
func (s *scoreClass) atLoad(r *figure.Run, read func(*catalog.Point) (float64, string, bool)) (scoreCell, bool) {
	sc := s.scenario(r)
	if sc == nil {
		return scoreCell{}, false
	}
	p := sc.At(s.load)
	if p == nil {
		return scoreCell{}, false
	}
	v, _, ok := read(p)
	return scoreCell{value: &v, scenario: sc, point: p}, ok
}

// suite says whether a run has the headline figures of a suite.
func suite(r *figure.Run) bool {
	_, ok := headlineCell(r, figure.SuiteSpeed)
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
