package figure_test

import (
	"encoding/json"
	"testing"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/figuretest"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
)

// A score stands beside the speeds of the same model, precision and engine, and of nothing that differs or is
// not recorded.
func TestScores(t *testing.T) {
	value := 0.5
	run := func(id string, attrs map[string]string, params map[string]string) *catalog.Run {
		r := &catalog.Run{ID: id, Attributes: map[string]catalog.Attribute{},
			Parameters: map[string]catalog.Parameter{}}
		for k, v := range attrs {
			r.Attributes[k] = catalog.Attribute{Value: v}
		}
		for k, v := range params {
			r.Parameters[k] = catalog.Parameter{Value: json.RawMessage(v)}
		}
		return r
	}
	scores := run("scores", map[string]string{"model": "o/Dense-10B", "engine": "serve", "engine_version": "1.0"},
		map[string]string{"dtype": `"bf16"`})
	scores.Figures = []catalog.Figure{{Metric: metric.Accuracy, Of: "quiz, acc", Value: &value,
		Score: &record.Score{Task: "quiz", Metric: "acc"}}}
	bf16 := map[string]string{"dtype": `"auto"`, "quantization": "null"}
	for _, c := range []struct {
		what   string
		attrs  map[string]string
		params map[string]string
		joined bool
	}{
		{"the same", map[string]string{"model": "o/Dense-10B", "engine": "serve", "engine_version": "1.0"}, bf16, true},
		{"a version that is not recorded", map[string]string{"model": "o/Dense-10B", "engine": "serve"}, bf16, true},
		{"a precision in words", map[string]string{"model": "o/Dense-10B", "engine": "serve",
			"precision": "bf16"}, nil, true},
		{"another version", map[string]string{"model": "o/Dense-10B", "engine": "serve", "engine_version": "1.1"},
			bf16, false},
		{"another engine", map[string]string{"model": "o/Dense-10B", "engine": "other", "engine_version": "1.0"},
			bf16, false},
		{"no engine", map[string]string{"model": "o/Dense-10B"}, bf16, false},
		{"another model", map[string]string{"model": "o/Other-15B", "engine": "serve"}, bf16, false},
		{"no model", map[string]string{"engine": "serve"}, bf16, false},
		{"a quantized checkpoint", map[string]string{"model": "o/Dense-10B-FP8", "engine": "serve"}, nil, false},
		{"quantized when it was loaded", map[string]string{"model": "o/Dense-10B", "engine": "serve"},
			map[string]string{"quantization": `"fp8"`}, false},
		{"another type of the weights", map[string]string{"model": "o/Dense-10B", "engine": "serve"},
			map[string]string{"dtype": `"float32"`}, false},
		{"another type of the cache", map[string]string{"model": "o/Dense-10B", "engine": "serve"},
			map[string]string{"dtype": `"auto"`, "kv_cache_dtype": `"fp8"`}, false},
		{"no word on the precision", map[string]string{"model": "o/Dense-10B", "engine": "serve"}, nil, false},
	} {
		c.attrs["hardware"], c.attrs["count"] = "big", "1"
		r := run("speeds", c.attrs, c.params)
		r.Points = []catalog.Point{{Metrics: map[metric.ID]catalog.Stat{metric.OutputThroughput: {Value: &value,
			Unit: "tok/s"}}}}
		ix := figure.NewIndex(&catalog.Catalog{Runs: []*catalog.Run{scores, r}}, figuretest.Names(t))
		for _, r := range ix.Runs {
			if got := len(ix.Scores(r)); r.ID == "speeds" && (got == 1) != c.joined {
				t.Errorf("%s: %d scores, want them joined: %v", c.what, got, c.joined)
			}
			if r.ID == "scores" && (r.Listed() || !r.OnlyScores()) {
				t.Errorf("%s: a run of scores is listed: %v", c.what, r.Listed())
			}
		}
		if len(ix.Cards) > 0 && len(ix.Cards[0].Runs) != 1 {
			t.Errorf("%s: the card has %d runs, the scores are none of them", c.what, len(ix.Cards[0].Runs))
		}
	}
}
