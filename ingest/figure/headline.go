package figure

import (
	"math"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/internal/order"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
)

// The names of headlines that pages tell from others.
const (
	PeakThroughput = "peak_output_throughput"
	// The speeds of one request.
	PrefillSpeed = "prefill_speed"
	DecodeSpeed  = "decode_speed"
)

// Headline is one of the numbers a run is known by.
type Headline struct {
	// Name is the name in `inferdex list`: "prompt_ingestion_speed".
	Name  string
	Label string // "Prompt ingestion, one request"
	// Value is exact, in Unit; nil where only the published text is known.
	Value catalog.Number
	Unit  string
	// Std is the standard deviation of Value over repetitions, of a score its standard error; nil where none is
	// recorded.
	Std catalog.Number
	// Published is the text of the card that publishes the run, or the text its tool would
	// print; FromPage says which.
	Published string
	FromPage  bool
	// Score is the score that the number is, whose label begins with the name of a task as its file writes it; nil for
	// what is none.
	Score *record.Score
	// Detail says at which load and workload.
	Detail string
	Basis  string
	// Scenario and Point are where the number stands; nil for figures of the whole run.
	Scenario *Scenario
	Point    *catalog.Point
}

// SuiteSpeed is the headline figure that a suite says of speed, whatever its workloads.
const SuiteSpeed = "generation_speed_10_parallel"

// suiteFigures are the three headline figures of a happy_vllm card, in its order.
var suiteFigures = []struct {
	metric      metric.ID
	name, label string
	of          string
}{
	{metric.PromptIngestionSpeed, "prompt_ingestion_speed", "Prompt ingestion, one request", ""},
	{metric.SpeedPerRequest, SuiteSpeed, "Speed per request, 10 parallel, 1\u202f024 in, 128 out",
		""},
	{metric.KVCacheTokens, string(metric.KVCacheTokens), "KV-cache capacity", ""},
}

// Text is the value for readers, with its standard deviation, and its unit: "336.1 ± 1.1" and "tok/s". The value is
// "" where only the published text is known.
func (h Headline) Text() (value, unit string) {
	if h.Value == nil {
		return "", h.Unit
	}
	v, std, unit := *h.Value, 0.0, h.Unit
	if h.Std != nil {
		std = *h.Std
	}
	switch {
	case unit == metric.Seconds && v < 1:
		v, std, unit = v*1000, std*1000, metric.Milliseconds
	case unit == metric.Fraction:
		v, std, unit = v*100, std*100, metric.Percents
	}
	if h.Std == nil {
		return metric.Format(v), unit
	}
	a, b := metric.Deviation(v, std)
	return a + " ± " + b, unit
}

// Headlines are the numbers a run is known by: the figures of its card where it has one, and
// the peak output throughput with its load. Where a run has neither, they are the speed of each phase,
// or the first of what else it measured. What a cache holds is no speed: where the card has nothing else, it comes last.
func (r *Run) Headlines() []Headline {
	hs, capacity := r.SuiteHeadlines(), []Headline(nil)
	if len(hs) == 1 && hs[0].Name == string(metric.KVCacheTokens) {
		hs, capacity = nil, hs
	}
	var best *Scenario
	var bestPoint *catalog.Point
	var bestValue float64
	for _, s := range r.Scenarios {
		for _, p := range s.Points {
			if v, ok := Throughput(p); ok && (bestPoint == nil || v > bestValue) {
				best, bestPoint, bestValue = s, p, v
			}
		}
	}
	if bestPoint == nil {
		if measured := firstOf(hs, r.speeds(), r.others()); len(measured) > 0 {
			return append(measured, capacity...)
		}
		return firstOf(capacity, r.wholes())
	}
	hs = append(hs, Headline{
		Name: PeakThroughput, Label: "Peak output throughput, " + best.Title,
		Value: &bestValue, Unit: "tok/s", Detail: LoadPhrase(bestPoint),
		Basis: "output tokens / wall time", Scenario: best, Point: bestPoint,
	})
	if sw, sc, ok := r.SweetSpot(); ok {
		hs = append(hs, Headline{
			Name: "sweet_spot_speed_per_user", Label: "Interactive sweet spot, " + sc.Title,
			Value: &sw.PerUser, Unit: "tok/s a user", Detail: LoadPhrase(sw.Point),
			Basis:    "output throughput / concurrency where TTFT p99 and TPOT p99 stay within twice their minima",
			Scenario: sc, Point: sw.Point,
		})
	}
	return append(hs, capacity...)
}

// mostHeadlines is how many numbers a run is known by at most where its tool has no headline of its own.
const mostHeadlines = 4

// firstOf is the first list that is not empty.
func firstOf(lists ...[]Headline) []Headline {
	for _, hs := range lists {
		if len(hs) > 0 {
			return hs
		}
	}
	return nil
}

// headlineAt is the number that stands for a metric at a point as a headline.
func headlineAt(s *Scenario, p *catalog.Point, m metric.ID, name, label string) Headline {
	v, stat, _ := Stated(p, m)
	info, _ := metric.Lookup(m)
	if _, _, ok := Central(p, m); !ok {
		label += " " + stat
	}
	h := Headline{Name: name, Label: strings.TrimPrefix(label+", "+s.Title, ", "), Value: &v, Unit: info.Unit,
		Detail: LoadPhrase(p),
		Basis:  info.Long, Scenario: s, Point: p}
	if stat != metric.Value {
		h.Basis = stat + " of " + h.Basis
	}
	if std, ok := Get(p, m, metric.Std); ok {
		h.Std = &std
	}
	return h
}

// speeds are the prefill and the decode speed of one request: with an empty context of the lengths that are quoted,
// 512 tokens in and 128 out, else of those nearest to them, at the smallest load; then decode at the greatest depth.
func (r *Run) speeds() []Headline {
	var hs []Headline
	for _, of := range []struct {
		metric      metric.ID
		name, label string
		length      func(*Scenario) catalog.Number
		quoted      float64
	}{
		{metric.PPSpeed, PrefillSpeed, "Prefill",
			func(s *Scenario) catalog.Number { return s.Workload.Nominal.Input }, QuotedPrompt},
		{metric.TGSpeed, DecodeSpeed, "Decode",
			func(s *Scenario) catalog.Number { return s.Workload.Nominal.Output }, QuotedAnswer},
	} {
		var best, deepest *Scenario
		less := func(a, b *Scenario) bool {
			far := func(s *Scenario) float64 {
				if n := of.length(s); n != nil && *n > 0 {
					return off(*n, of.quoted)
				}
				return math.Inf(1)
			}
			switch {
			case a.Depth != b.Depth:
				return a.Depth < b.Depth
			case LoadOf(a.Points[0]) != LoadOf(b.Points[0]):
				return LoadOf(a.Points[0]) < LoadOf(b.Points[0])
			}
			return far(a) < far(b)
		}
		for _, s := range r.Scenarios {
			if _, _, ok := Central(s.Points[0], of.metric); !ok {
				continue
			}
			if best == nil || less(s, best) {
				best = s
			}
			if deepest == nil || s.Depth > deepest.Depth {
				deepest = s
			}
		}
		if best == nil {
			continue
		}
		label := func(s *Scenario) string {
			if s.Phase != "" { // the title says it
				return ""
			}
			return of.label
		}
		hs = append(hs, headlineAt(best, best.Points[0], of.metric, of.name, label(best)))
		if of.metric == metric.TGSpeed && deepest.Depth > best.Depth {
			hs = append(hs, headlineAt(deepest, deepest.Points[0], of.metric, DecodeSpeed+"_at_depth", label(deepest)))
		}
	}
	return hs
}

// others are the first of what a run measured that is no speed: of each metric the highest, or that of the smallest
// load where lower is better.
func (r *Run) others() []Headline {
	var hs []Headline
	for _, info := range metric.All() {
		if info.Describes || info.Better == metric.Neutral || len(hs) == mostHeadlines {
			continue
		}
		var best Headline
		for _, s := range r.Scenarios {
			for _, p := range s.Points {
				v, _, ok := Stated(p, info.ID)
				if !ok || best.Point != nil && (info.Better != metric.Higher || v <= *best.Value) {
					continue
				}
				best = headlineAt(s, p, info.ID, string(info.ID), info.Label)
			}
		}
		if best.Point != nil {
			hs = append(hs, best)
		}
	}
	return hs
}

// wholes are the first figures of a run that has no points: scores, those of parts of a group after the others, and what
// is read from a table of figures.
func (r *Run) wholes() []Headline {
	var hs []Headline
	part := func(f catalog.Figure) int {
		if f.Score != nil && f.Score.Group != "" {
			return 1
		}
		return 0
	}
	figures := slices.Clone(r.Figures)
	order.Stable(figures, func(a, b catalog.Figure) int { return part(a) - part(b) })
	for _, f := range figures {
		if !r.quotable(f) || len(hs) == mostHeadlines {
			continue
		}
		info, _ := metric.Lookup(f.Metric)
		h := Headline{Name: string(f.Metric), Label: info.Label, Value: f.Value, Unit: f.Unit, Published: f.Published,
			FromPage: f.PublishedAt != (catalog.Place{}), Basis: f.Basis}
		switch {
		case f.Score != nil:
			h.Label = strings.TrimSuffix(f.Score.Task+", "+f.Score.Metric+", "+f.Score.Filter, ", ")
			h.Score, h.Std = f.Score, f.Score.StdErr
		case f.Of != "":
			h.Label += ", " + f.Of
		}
		hs = append(hs, h)
	}
	return hs
}

// quotable reports whether a figure is one that a run can be known by: a number, or a text with one ("~750 t/s"), and
// nothing that cannot be believed. "NA" is published, and is no figure.
func (r *Run) quotable(f catalog.Figure) bool {
	return (f.Value != nil || strings.ContainsAny(f.Published, "0123456789")) && r.Doubt(f) == ""
}

// SuiteHeadlines are the three figures of a happy_vllm card; empty for runs of other tools, and of those that
// cannot be believed.
func (r *Run) SuiteHeadlines() []Headline {
	var hs []Headline
	if r.Forbidden != "" {
		return nil
	}
	for _, w := range suiteFigures {
		for _, f := range r.Figures {
			if f.Metric != w.metric || !r.quotable(f) {
				continue
			}
			hs = append(hs, Headline{Name: w.name, Label: w.label, Value: f.Value, Unit: f.Unit,
				Published: f.Published, FromPage: f.PublishedAt != (catalog.Place{}), Basis: f.Basis})
			break
		}
	}
	return hs
}

// SweetSpot is the sweet spot of the run's scenario with the most loads that has one, of equals of the one that cards are
// compared by.
func (r *Run) SweetSpot() (Sweet, *Scenario, bool) {
	var best Sweet
	var in *Scenario
	for _, s := range r.Scenarios {
		if sw, ok := s.SweetSpot(); ok && (in == nil || len(s.Points) > len(in.Points) ||
			len(s.Points) == len(in.Points) && s.Preferred() && !in.Preferred()) {
			best, in = sw, s
		}
	}
	return best, in, in != nil
}
