package figure

import (
	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/metric"
)

// Headline is one of the numbers a run is known by.
type Headline struct {
	// Name is the name in `inferdex list`: "prompt_ingestion_speed".
	Name  string
	Label string // "Prompt ingestion, one request"
	// Value is exact, in Unit; nil where only the published text is known.
	Value catalog.Number
	Unit  string
	// Published is the text of the card that publishes the run, or the text its tool would
	// print; FromPage says which.
	Published string
	FromPage  bool
	// Detail says at which load and workload.
	Detail string
	Basis  string
	// Scenario and Point are where the number stands; nil for figures of the whole run.
	Scenario *Scenario
	Point    *catalog.Point
}

// suiteFigures are the three headline figures of a happy_vllm card, in its order.
var suiteFigures = []struct {
	metric      metric.ID
	name, label string
	of          string
}{
	{metric.PromptIngestionSpeed, "prompt_ingestion_speed", "Prompt ingestion, one request", ""},
	{metric.SpeedPerRequest, "generation_speed_10_parallel", "Speed per request, 10 parallel, 1\u202f024 in, 128 out",
		""},
	{metric.KVCacheTokens, "kv_cache_tokens", "KV-cache capacity", ""},
}

// Headlines are the numbers a run is known by: the figures of its card where it has one, and
// the peak output throughput with its load.
func (r *Run) Headlines() []Headline {
	hs := r.SuiteHeadlines()
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
		return hs
	}
	hs = append(hs, Headline{
		Name: "peak_output_throughput", Label: "Peak output throughput, " + best.Title,
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
	return hs
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
			if f.Metric != w.metric {
				continue
			}
			hs = append(hs, Headline{Name: w.name, Label: w.label, Value: f.Value, Unit: f.Unit,
				Published: f.Published, FromPage: f.PublishedAt != (catalog.Place{}), Basis: f.Basis})
			break
		}
	}
	return hs
}

// SweetSpot is the sweet spot of the run's scenario with the most loads that has one.
func (r *Run) SweetSpot() (Sweet, *Scenario, bool) {
	var best Sweet
	var in *Scenario
	for _, s := range r.Scenarios {
		if sw, ok := s.SweetSpot(); ok && (in == nil || len(s.Points) > len(in.Points)) {
			best, in = sw, s
		}
	}
	return best, in, in != nil
}
