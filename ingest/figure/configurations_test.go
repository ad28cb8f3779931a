package figure

import (
	"math"
	"testing"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
	"github.com/inferdex/inferdex/ingest/settings"
)

// speeds is a run of a version that measured prefill of 512 and decode of 128 tokens, each with a standard deviation;
// zero is a test that it lacks.
func speeds(id, version string, pp, ppStd, tg, tgStd float64) *catalog.Run {
	r := &catalog.Run{ID: id, Identity: record.Identity{Tool: "llama-bench", Session: id, Model: "m"},
		Sources: []catalog.Source{{Path: id + "/r.jsonl"}}, Attributes: map[string]catalog.Attribute{
			"model": {Value: "m"}, "accelerator": {Value: "H100"}, "engine": {Value: "llama.cpp"},
			"engine_version": {Value: version}}}
	add := func(name string, m metric.ID, in, out, mean, std float64) {
		if mean > 0 {
			r.Points = append(r.Points, catalog.Point{
				Workload: record.Workload{Name: name, Nominal: record.Lengths{Input: &in, Output: &out}},
				Metrics:  map[metric.ID]catalog.Stat{m: {Mean: &mean, Std: &std, Unit: metric.TokensPerSecond}}})
		}
	}
	add("pp512", metric.PPSpeed, 512, 0, pp, ppStd)
	add("tg128", metric.TGSpeed, 0, 128, tg, tgStd)
	return r
}

func configurationsOf(runs ...*catalog.Run) []Configurations {
	names, _ := settings.LoadNames()
	c := &Card{Runs: NewIndex(&catalog.Catalog{Runs: runs}, names).Runs}
	return c.Configurations()
}

// 512 / 1024 + 128 / 64 is 2.5 s, 512 / 512 + 128 / 80 is 2.6 s and 512 / 500 + 128 / 80 is 2.624 s: the fastest prefill
// stands first although it decodes a fifth slower, and the run of another version is in no rank with them.
func TestConfigurations(t *testing.T) {
	all := configurationsOf(speeds("slow", "2", 500, 20, 80, 1), speeds("prefill", "2", 1024, 4, 64, 0.1),
		speeds("decode", "2", 512, 4, 80, 0.5), speeds("half", "2", 512, 4, 0, 0), speeds("old", "1", 4096, 1, 90, 1))
	if len(all) != 1 {
		t.Fatalf("%d tables, want that of version 2 alone", len(all))
	}
	cs := all[0]
	if len(cs.Ranked) != 3 || len(cs.Left) != 1 || cs.Left[0].ID != "half" || cs.Deep != nil || len(cs.Runs()) != 4 {
		t.Fatalf("%d ranked, left %v, deep %v", len(cs.Ranked), cs.Left, cs.Deep)
	}
	for i, want := range []struct {
		id   string
		turn float64
	}{{"prefill", 2.5}, {"decode", 2.6}, {"slow", 2.624}} {
		if c := cs.Ranked[i]; c.Run.ID != want.id || math.Abs(c.Turn-want.turn) > 1e-9 {
			t.Errorf("rank %d is %s with %v s, want %s with %v s", i+1, c.Run.ID, c.Turn, want.id, want.turn)
		}
	}
	first, second, third := cs.Ranked[0], cs.Ranked[1], cs.Ranked[2]
	// 512 / 516 + 128 / 80.5 is 2.58 s, more than 512 / 1020 + 128 / 63.9, which is 2.505 s.
	if !second.Apart(first) || third.Apart(second) {
		t.Error("the second is to be apart from the first, the third not from the second")
	}
	// 500 ± 20 reaches 512 ± 4, and 64 ± 0.1 does not reach 80 ± 1.
	if third.Prefill.Apart(second.Prefill) || !first.Decode.Apart(third.Decode) {
		t.Error("ranges that touch are to be not apart, others apart")
	}
}

// One configuration is no choice, and neither are two of which one lacks decode.
func TestConfigurationsNeedTwo(t *testing.T) {
	if all := configurationsOf(speeds("a", "2", 500, 1, 80, 1), speeds("b", "2", 500, 1, 0, 0)); len(all) != 0 {
		t.Errorf("%d tables of one ranked run", len(all))
	}
}
