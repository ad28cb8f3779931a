package change_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/change"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
	"github.com/inferdex/inferdex/ingest/settings"
)

// Whatever part of a run differs is named with what it was and is.
func TestParts(t *testing.T) {
	number := func(v float64) *float64 { return &v }
	sources := func(digit string) []catalog.Source {
		return []catalog.Source{{Path: "a.json", SHA256: strings.Repeat(digit, 64), Format: "vllm"}}
	}
	point := func(p catalog.Point) []catalog.Point {
		p.Metrics = map[metric.ID]catalog.Stat{metric.OutputThroughput: {Value: number(5)}}
		return []catalog.Point{p}
	}
	profile := func(y float64) []catalog.Profile {
		return []catalog.Profile{{Curves: record.Curves{Name: "kv cache", X: []float64{1},
			Lines: []record.Line{{Y: []float64{y}}}}}}
	}
	distribution := func(v float64) map[metric.ID]catalog.Distribution {
		return map[metric.ID]catalog.Distribution{metric.TTFT: {N: 9, Quantiles: []catalog.Percentile{{P: 50, Value: v}}}}
	}
	for _, c := range []struct {
		name          string
		before, after catalog.Run
		want          change.Difference
	}{
		{"source", catalog.Run{Sources: sources("a")}, catalog.Run{Sources: sources("b")},
			change.Difference{What: "source file a.json", Before: "content with SHA-256 aaaaaaaaaaaa",
				After: "content with SHA-256 bbbbbbbbbbbb"}},
		{"new source", catalog.Run{}, catalog.Run{Sources: sources("a")},
			change.Difference{What: "source file a.json", After: "content with SHA-256 aaaaaaaaaaaa"}},
		{"start", catalog.Run{Started: "2025-01-01"}, catalog.Run{}, change.Difference{What: "start", Before: "2025-01-01"}},
		{"id", catalog.Run{}, catalog.Run{IDFrom: catalog.FromOverride},
			change.Difference{What: "origin of the id", Before: "tool, session and model", After: "a run.toml"}},
		{"device", catalog.Run{Devices: []record.Device{{Name: "A", MemoryMiB: number(80)}}},
			catalog.Run{Devices: []record.Device{{Name: "B"}}},
			change.Difference{What: "device 1", Before: "A, 80 MiB", After: "B"}},
		{"figure", catalog.Run{Figures: []catalog.Figure{{Metric: metric.OutputThroughput, Value: number(1), Unit: "tok/s"}}},
			catalog.Run{Figures: []catalog.Figure{{Metric: metric.OutputThroughput, Published: "2"}}},
			change.Difference{What: "Output throughput of the whole run", Before: "1 tok/s", After: "2"}},
		{"profile", catalog.Run{Profiles: profile(1)}, catalog.Run{Profiles: profile(2)},
			change.Difference{What: "profile kv cache", Before: "1 line of 1 value",
				After: "1 line of 1 value, some of which differ"}},
		{"key", catalog.Run{Unmapped: map[string]int{"k": 1}}, catalog.Run{Unmapped: map[string]int{"k": 2}},
			change.Difference{What: "key k, which is kept and not used", Before: "1 time", After: "2 times"}},
		{"accept", catalog.Run{}, catalog.Run{Accept: []string{"incomplete"}},
			change.Difference{What: "accepted codes of findings", After: "incomplete"}},
		{"statement", catalog.Run{Attributes: map[string]catalog.Attribute{"engine": {Value: "vLLM", From: catalog.FromFlag}}},
			catalog.Run{Attributes: map[string]catalog.Attribute{"engine": {Value: "vLLM", File: "run.toml"}}},
			change.Difference{What: "engine is stated by", Before: "--set", After: "run.toml"}},
		{"duration", catalog.Run{Points: point(catalog.Point{Duration: number(2)})},
			catalog.Run{Points: point(catalog.Point{Duration: number(3)})},
			change.Difference{What: "duration, lengths not recorded", Before: "2 s", After: "3 s"}},
		{"errors", catalog.Run{Points: point(catalog.Point{})},
			catalog.Run{Points: point(catalog.Point{Errors: []record.ErrorCount{{Text: "timeout", Count: 3}}})},
			change.Difference{What: "errors, lengths not recorded", After: "3 of timeout"}},
		{"distribution", catalog.Run{Points: point(catalog.Point{Distributions: distribution(1)})},
			catalog.Run{Points: point(catalog.Point{Distributions: distribution(2)})},
			change.Difference{What: "distribution of TTFT, lengths not recorded", Before: "9 values",
				After: "9 values, some of which differ"}},
		{"point", catalog.Run{}, catalog.Run{Points: point(catalog.Point{})},
			change.Difference{What: "every value, lengths not recorded", After: "1 metric"}},
		{"raw records", catalog.Run{}, catalog.Run{Records: strings.Repeat("c", 64)},
			change.Difference{What: "raw records", After: "content with SHA-256 cccccccccccc"}},
		{"line", catalog.Run{Attributes: map[string]catalog.Attribute{"engine": {Value: "vLLM", Line: 1}}},
			catalog.Run{Attributes: map[string]catalog.Attribute{"engine": {Value: "vLLM", Line: 2}}},
			change.Difference{What: "no value differs: what is noted beside them does, such as the lines they stand in"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			index := func(r catalog.Run) *figure.Index {
				r.ID, r.Identity = "aaaaaaaaaaaa", record.Identity{Tool: "vllm-bench-serve", Model: "org/m"}
				return figure.NewIndex(&catalog.Catalog{Runs: []*catalog.Run{&r}}, &settings.Names{})
			}
			changes, _ := change.Between(index(c.before), index(c.after))
			if len(changes) != 1 || !slices.Contains(changes[0].Differs, c.want) {
				t.Errorf("got %+v, want %+v", changes, c.want)
			}
		})
	}
}
