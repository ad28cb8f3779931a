package claim

import (
	"fmt"
	"testing"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/figuretest"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
	"github.com/inferdex/inferdex/ingest/refute"
)

// build is a run of llama-bench by one build, with the prefill speeds of 512, 2 048 and 4 096 tokens and the decode
// speeds of 128 and of 4 096 tokens, all ± 1 %.
func build(id, backend string, parameters map[string]catalog.Parameter, pp512, pp2048, pp4096, tg128, tg4096 float64) *catalog.Run {
	r := &catalog.Run{ID: id, Identity: record.Identity{Tool: "llama-bench", Session: id, Model: "o/Dense-10B"},
		Parameters: parameters, Attributes: map[string]catalog.Attribute{"model": {Value: "o/Dense-10B"},
			"hardware": {Value: "1x big"}, "engine": {Value: "llama.cpp"}, "engine_version": {Value: "9"},
			"series": {Value: id}, "labels.backend": {Value: backend}}}
	add := func(m metric.ID, phase string, in, out, mean float64) {
		std := mean / 100
		r.Points = append(r.Points, catalog.Point{
			Workload: record.Workload{Name: fmt.Sprintf("%s%v", phase, in+out), Nominal: record.Lengths{Input: &in, Output: &out}},
			Load:     record.Load{MaxConcurrency: figuretest.Whole(1)},
			Metrics:  map[metric.ID]catalog.Stat{m: {Mean: &mean, Std: &std, N: 5, Unit: metric.TokensPerSecond}}})
	}
	add(metric.PPSpeed, "pp", 512, 0, pp512)
	add(metric.PPSpeed, "pp", 2048, 0, pp2048)
	add(metric.PPSpeed, "pp", 4096, 0, pp4096)
	add(metric.TGSpeed, "tg", 0, 128, tg128)
	add(metric.TGSpeed, "tg", 0, 4096, tg4096)
	return r
}

func choices(t *testing.T, c *catalog.Catalog) (out []refute.Statement) {
	t.Helper()
	for _, card := range figure.NewIndex(c, figuretest.Names(t)).Cards {
		for _, cs := range card.Configurations() {
			for _, s := range Choices(cs, func(r *figure.Run) string { return r.Series }) {
				st := figuretest.Statement(t, s)
				st.Names = s.Names
				out = append(out, st)
			}
		}
	}
	return out
}

// Of two backends, each with and without flash attention, one backend also with a library: 512 / 1000 + 128 / 50 is
// 3.072 s, 512 / 900 + 128 / 40 is 3.769 s, so that the first takes 18 % less. The library makes prefill 1000 / 400 and 900 / 300 times as
// fast; flash attention leaves 40 of 50 with the library and 32 of 40 in the other, and of what is without it 20 of 50.
func TestChoices(t *testing.T) {
	on, off := figuretest.Params("flash_attn", "true", "fast", "1"), figuretest.Params("flash_attn", "false", "fast", "1")
	c := &catalog.Catalog{Runs: []*catalog.Run{
		build("quick, fa", "ROCm", on, 900, 600, 240, 40, 32),
		build("quick", "ROCm", off, 1000, 600, 300, 50, 20),
		build("slow", "ROCm", figuretest.Params("flash_attn", "false", "fast", "0"), 400, 350, 200, 50.2, 20),
		build("slow, fa", "ROCm", figuretest.Params("flash_attn", "true", "fast", "0"), 300, 200, 140, 40, 32),
		build("other", "Vulkan", figuretest.Params("flash_attn", "false"), 500, 450, 400, 45, 40),
	}}
	want := []string{
		"Take quick: reading 512 tokens and writing 128 takes 3.07\u202fs, 18\u202f% less than with quick, fa, the next, at 3.77\u202fs.",
		"With fast 1 instead of 0 prefill 512 is 2.50 to 3.00 times as fast and decode 128 is unchanged, within 0.40\u202f%, in 2 pairs of runs that differ in nothing else that is recorded.",
		"With flash_attn true instead of false decode 4\u202f096 keeps 80\u202f% of the speed of decode 128, else 40\u202f%. At decode 128 it costs 20\u202f%, in 2 pairs of runs that differ in nothing else that is recorded.",
		"ROCm loses 30 to 60\u202f% of its prefill speed between prompts of 2\u202f048 and 4\u202f096 tokens, in all 4 configurations.",
	}
	chosen(t, c, want)
	// A run that is left out and is quicker refutes the first sentence, and one that falls otherwise the last.
	all := choices(t, c)
	for i, left := range map[int]*catalog.Run{
		0: build("left out", "Vulkan", figuretest.Params("flash_attn", "true"), 2000, 450, 400, 60, 40),
		3: build("left out", "ROCm", figuretest.Params("fast", "2"), 400, 300, 300, 50, 40)} {
		more := &catalog.Catalog{Runs: append([]*catalog.Run{left}, c.Runs...)}
		if len(refute.New(more).Check(all[i:i+1])) == 0 {
			t.Errorf("%q holds beside %q", all[i].Text, left.ID)
		}
	}
}

// 512 / 1000 + 128 / 50 is 3.072 s and 512 / 980 + 128 / 50 3.082 s, a third of a per cent more. With a parameter that is
// recorded of one run alone prefill is unchanged, and nothing is said of it.
func TestChoicesNotToldApart(t *testing.T) {
	c := &catalog.Catalog{Runs: []*catalog.Run{
		build("one", "ROCm", figuretest.Params("fast", "1"), 1000, 900, 800, 50, 45),
		build("two", "ROCm", nil, 980, 900, 800, 50, 45),
	}}
	chosen(t, c, []string{"one and two are not told apart: reading 512 tokens and writing 128 takes 3.07\u202fs to 3.08\u202fs."})
	c.Runs = append(c.Runs, build("six", "ROCm", figuretest.Params("fast", "6"), 2000, 1900, 1800, 10, 9))
	for _, id := range []string{"three", "four", "five"} {
		c.Runs = append(c.Runs, build(id, "ROCm", figuretest.Params("is", `"`+id+`"`), 1000, 900, 800, 50, 45))
	}
	chosen(t, c, []string{"five; four; one; three; and 1 more are not told apart: reading 512 tokens and writing 128 " +
		"takes 3.07\u202fs to 3.08\u202fs."})
}

// A switch that is not recorded where it is off, in one pair: prefill is twice as fast.
func TestChoicesOfOnePair(t *testing.T) {
	c := &catalog.Catalog{Runs: []*catalog.Run{
		build("with", "ROCm", figuretest.Params("fast", "1"), 1000, 900, 800, 50, 45),
		build("without", "ROCm", nil, 500, 450, 400, 50, 45),
	}}
	chosen(t, c, []string{
		"Take with: reading 512 tokens and writing 128 takes 3.07\u202fs, 14\u202f% less than with without, the next, at 3.58\u202fs.",
		"With fast 1, else not recorded, prefill 512 is 2.00 times as fast and decode 128 is unchanged, within 0\u202f%, " +
			"in one pair of runs that differ in nothing else that is recorded.",
	})
}

// A tool may time the prompt and the answer of one request in one test, with a context that is full before it, and give
// the mean of repetitions or one number: 2048 / 1000 + 512 / 50 is 12.288 s, 2048 / 1000 + 512 / 49.99 is 12.290 s.
func TestChoicesOfBothPhases(t *testing.T) {
	both := func(id string, stat func(v float64) catalog.Stat, tg float64) *catalog.Run {
		r := build(id, "", nil, 1, 1, 1, 1, 1)
		r.Points = []catalog.Point{{Workload: record.Workload{Name: "pp2048+tg512 @ d4096",
			Nominal: record.Lengths{Input: figuretest.Num(2048), Output: figuretest.Num(512)}},
			Load:    record.Load{MaxConcurrency: figuretest.Whole(1)},
			Metrics: map[metric.ID]catalog.Stat{metric.PPSpeed: stat(1000), metric.TGSpeed: stat(tg)}}}
		return r
	}
	mean := func(v float64) catalog.Stat {
		return catalog.Stat{Mean: &v, Std: figuretest.Num(v / 100), N: 3, Unit: metric.TokensPerSecond}
	}
	chosen(t, &catalog.Catalog{Runs: []*catalog.Run{both("one", mean, 50), both("other", figuretest.Value, 49.99)}}, []string{
		"one and other are not told apart: reading 2\u202f048 tokens and writing 512 (2\u202f048 → 512 at depth 4\u202f096) takes 12.3\u202fs.",
	})
}

// chosen checks the sentences on the configurations of a catalog, and that each holds and no lie made of it does.
func chosen(t *testing.T, c *catalog.Catalog, want []string) {
	t.Helper()
	k := refute.New(c)
	all := choices(t, c)
	for i, s := range all {
		if i >= len(want) || s.Text != want[i] {
			t.Errorf("%s: %q", s.Kind, s.Text)
		}
		for _, f := range k.Check([]refute.Statement{s}) {
			t.Errorf("%s: %q is refuted: %s", s.Kind, s.Text, f.Why)
		}
		figuretest.Lies(t, k, s)
	}
	if len(all) != len(want) {
		t.Errorf("%d sentences, want %d", len(all), len(want))
	}
}
