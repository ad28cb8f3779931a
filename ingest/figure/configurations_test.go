package figure

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
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

// Without a test of 512 tokens the prefill speed is that of the length nearest to it: of 1, 256 and 2048 that of 256, which
// is off by the factor 2.
func TestNearestSpeed(t *testing.T) {
	r := speeds("r", "2", 0, 0, 64, 1)
	for _, in := range []float64{1, 256, 2048} {
		zero := 0.0
		r.Points = append(r.Points, catalog.Point{
			Workload: record.Workload{Name: fmt.Sprint("pp", in), Nominal: record.Lengths{Input: &in, Output: &zero}},
			Metrics:  map[metric.ID]catalog.Stat{metric.PPSpeed: {Mean: &in, Unit: metric.TokensPerSecond}}})
	}
	names, _ := settings.LoadNames()
	hs := NewIndex(&catalog.Catalog{Runs: []*catalog.Run{r}}, names).Runs[0].speeds()
	if len(hs) != 2 || hs[0].Name != PrefillSpeed || *hs[0].Value != 256 || *hs[1].Value != 64 {
		t.Errorf("the speeds are %+v, want prefill of 256 tokens at 256 tok/s and decode at 64", hs)
	}
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

// A card is headed by the configuration that its ranking has first, whatever else was measured of another one, and by
// none of an older version; a workload is that of the one which is fastest there. What is mixed is neither.
func TestHeadIsTheFirstConfiguration(t *testing.T) {
	full := speeds("full", "2", 500, 20, 80, 1)
	for i, more := range []float64{1024, 2048, 4096} {
		in, out, v := more, 0.0, 400-float64(i)
		full.Points = append(full.Points, catalog.Point{
			Workload: record.Workload{Name: "pp", Nominal: record.Lengths{Input: &in, Output: &out}},
			Metrics:  map[metric.ID]catalog.Stat{metric.PPSpeed: {Mean: &v, Unit: metric.TokensPerSecond}}})
	}
	mixed := speeds("mixed", "2", 9000, 1, 900, 1)
	mixed.Points = append(mixed.Points, speeds("mixed", "2", 3000, 1, 300, 1).Points...)
	names, _ := settings.LoadNames()
	runs := NewIndex(&catalog.Catalog{Runs: []*catalog.Run{full, speeds("prefill", "2", 1024, 4, 64, 0.1),
		speeds("decode", "2", 512, 4, 90, 0.5), speeds("old", "1", 4096, 1, 95, 1), mixed}}, names).Runs
	// 512 / 512 + 128 / 90 is 2.42 s, 512 / 1024 + 128 / 64 is 2.5 s.
	if head := Head(runs); head.ID != "decode" {
		t.Errorf("the card is headed by %s", head.ID)
	}
	at := slices.IndexFunc(runs, func(r *Run) bool { return r.ID == "full" })
	for _, s := range runs[at].Scenarios {
		want := map[Phase]string{Prefill: "prefill", Decode: "decode"}[s.Phase]
		if s.OneLength() > 512 {
			want = "full" // no other has it
		}
		if best := Best(runs, s.Class); best.ID != want {
			t.Errorf("%s: %s is best, want %s", s.Title, best.ID, want)
		}
	}
}

// One configuration is no choice, and neither are two of which one lacks decode.
func TestConfigurationsNeedTwo(t *testing.T) {
	if all := configurationsOf(speeds("a", "2", 500, 1, 80, 1), speeds("b", "2", 500, 1, 0, 0)); len(all) != 0 {
		t.Errorf("%d tables of one ranked run", len(all))
	}
}

// deep adds a decode test of 32 tokens at a depth.
func deep(r *catalog.Run, depth string, tg float64) *catalog.Run {
	in, out := 0.0, 32.0
	r.Points = append(r.Points, catalog.Point{
		Workload: record.Workload{Name: "tg32 @ d" + depth, Nominal: record.Lengths{Input: &in, Output: &out}},
		Metrics:  map[metric.ID]catalog.Stat{metric.TGSpeed: {Mean: &tg, Unit: metric.TokensPerSecond}}})
	return r
}

// The column of decode with a full context is the deepest test that all ranked runs have: one run alone went to 65 536.
func TestConfigurationsDeep(t *testing.T) {
	a := deep(deep(deep(speeds("alpha", "2", 1000, 1, 80, 1), "4096", 60), "32768", 20), "65536", 9)
	b := deep(deep(speeds("beta", "2", 500, 1, 80, 1), "32768", 30), "4096", 50)
	all := configurationsOf(a, b)
	if len(all) != 1 || all[0].Deep == nil {
		t.Fatalf("%d tables, want one with a column of the depth", len(all))
	}
	cs := all[0]
	if cs.Deep.Title != "decode 32 at depth 32\u202f768" || cs.Deep.Tokens != 32 {
		t.Errorf("the column is %q of %v tokens", cs.Deep.Title, cs.Deep.Tokens)
	}
	for i, want := range []float64{20, 30} {
		if c := cs.Ranked[i]; c.Deep == nil || c.Deep.Mean != want || c.Deep.Spread {
			t.Errorf("%s has %+v there, want %v without a spread", c.Run.ID, c.Deep, want)
		}
	}
	if !cs.Ranked[0].Deep.Apart(*cs.Ranked[1].Deep) {
		t.Error("20 tok/s are to be apart from 30")
	}
}

// A run is mixed where any two of its measurements are, however many there are: held against all pairs.
func TestMixedIsOfAnyPair(t *testing.T) {
	draw := rand.New(rand.NewPCG(1, 2))
	found := map[bool]int{}
	for range 2000 {
		s := &Scenario{Phase: Prefill}
		want := false
		for range 2 + draw.IntN(4) {
			mean, std, load := float64(draw.IntN(8))*50, float64(draw.IntN(4))*20, int64(1+draw.IntN(2))
			for _, o := range s.Believed {
				other, _ := Get(o, metric.PPSpeed, metric.Std)
				low, high := mean, *o.Metrics[metric.PPSpeed].Mean
				stds := std + other
				low, high = min(low, high), max(low, high)
				want = want || *o.Load.MaxConcurrency == load && high > mixedTest*low && high-low > stds
			}
			s.Believed = append(s.Believed, &catalog.Point{Load: record.Load{MaxConcurrency: &load},
				Metrics: map[metric.ID]catalog.Stat{metric.PPSpeed: {Mean: &mean, Std: &std, Unit: metric.TokensPerSecond}}})
		}
		if got := (&Run{Scenarios: []*Scenario{s}}).Mixed(); got != want {
			t.Fatalf("mixed: %v, want %v", got, want)
		}
		found[want]++
	}
	if found[true] < 100 || found[false] < 100 {
		t.Errorf("%d runs are mixed and %d are not: the test looks at one kind", found[true], found[false])
	}
}

// Two measurements of one test, of which one is twice the other, are of no one configuration: the run has no rank.
func TestConfigurationsMixed(t *testing.T) {
	mixed := speeds("mixed", "2", 2000, 1, 90, 1)
	mixed.Points = append(mixed.Points, speeds("", "2", 1000, 1, 0, 0).Points...)
	all := configurationsOf(speeds("alpha", "2", 1000, 1, 80, 1), speeds("beta", "2", 500, 1, 80, 1), mixed)
	if len(all) != 1 || len(all[0].Ranked) != 2 || len(all[0].Mixed) != 1 || all[0].Mixed[0].ID != "mixed" {
		t.Fatalf("%+v", all)
	}
	if r := Representative(all[0].Runs()); r.ID == "mixed" {
		t.Error("a run of which nobody knows the configuration stands for others")
	}
	repeated := speeds("repeated", "2", 2000, 1, 90, 1)
	repeated.Points = append(repeated.Points, speeds("", "2", 1800, 1, 0, 0).Points...)
	if all = configurationsOf(speeds("alpha", "2", 1000, 1, 80, 1), repeated); len(all) != 1 || len(all[0].Ranked) != 2 {
		t.Error("repetitions that lie a tenth apart have no rank")
	}
}

// A run with both tests that are quoted stands for a card before one with more points that lacks one.
func TestRepresentativeIsQuoted(t *testing.T) {
	long := deep(deep(speeds("long", "2", 500, 1, 0, 0), "4096", 50), "32768", 30)
	all := configurationsOf(long, speeds("alpha", "2", 400, 1, 70, 1), speeds("beta", "2", 300, 1, 60, 1))
	if r := Representative(all[0].Runs()); r.ID != "alpha" && r.ID != "beta" {
		t.Errorf("%s stands for the card", r.ID)
	}
	if r := Representative(append(slices.Clone(all[0].Left), all[0].Ranked[1].Run)); r.ID == "long" {
		t.Error("the run with most points stands for the card without decode of 128 tokens")
	}
}
