package figure

import (
	"cmp"
	"math"
	"slices"

	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/settings"
)

// Configurations are the ways in which one version of an engine was run on one card, by one tool that times prefill
// and decode by themselves: what a reader who has the machine can choose among.
type Configurations struct {
	// Prefill and Decode are the tests that all of Ranked have. Deep is decode with the fullest context that all of
	// them have, nil where there is none.
	Prefill, Decode Test
	Deep            *Test
	// Ranked are ordered by their turns, the shortest first. There are at least two.
	Ranked []Configuration
	// Left are runs of the same engine version and tool that lack one of the two tests, Mixed those whose measurements
	// of one test lie so far apart that they may be of several configurations: see [Run.Mixed].
	Left, Mixed []*Run
}

// Runs are all of them, ranked or not.
func (cs Configurations) Runs() (out []*Run) {
	for _, c := range cs.Ranked {
		out = append(out, c.Run)
	}
	return append(append(out, cs.Left...), cs.Mixed...)
}

// Test is what is measured of each configuration.
type Test struct {
	Metric metric.ID
	// Title and Class are those of the scenarios.
	Title, Class string
	// Tokens are read, or written, in the test.
	Tokens float64
	depth  float64
}

// Speed is what a run gave in a test.
type Speed struct {
	Scenario *Scenario
	// Mean is in tok/s; Low and High are its ends with the standard deviation of the repetitions, both Mean where none
	// is recorded. Where the test was measured several times, they are the ends of all measurements.
	Mean, Low, High float64
	// Spread says that Low and High are more than Mean.
	Spread bool
}

// Apart reports whether a speed lies below another one and their ranges do not touch.
func (s Speed) Apart(best Speed) bool { return s.High < best.Low }

// Configuration is a run with its speeds.
type Configuration struct {
	Run             *Run
	Prefill, Decode Speed
	// Deep is nil where [Configurations] has no such test.
	Deep *Speed
	// Turn is how many seconds it takes to read the tokens of the prefill test and to write those of the decode test, by
	// the means; TurnLow is the least by the ranges of both. Computed, not measured.
	Turn, TurnLow, TurnHigh float64
}

// Apart reports whether the turn of a configuration is longer than another one and their ranges do not touch.
func (c Configuration) Apart(best Configuration) bool { return c.TurnLow > best.TurnHigh }

// Configurations are those of a card, the newest version of an engine first. Versions and tools are never ranked
// together. Of runs that repeat each other one stands, because the better one of them is chance.
func (c *Card) Configurations() (out []Configurations) {
	var groups [][]*Run
	for _, r := range standing(Active(c.Runs)) {
		if r.Demo || !r.Phased() {
			continue
		}
		i := slices.IndexFunc(groups, func(g []*Run) bool {
			return g[0].Engine == r.Engine && g[0].Identity.Tool == r.Identity.Tool
		})
		if i < 0 {
			i, groups = len(groups), append(groups, nil)
		}
		groups[i] = append(groups[i], r)
	}
	slices.SortStableFunc(groups, func(a, b []*Run) int {
		return cmp.Or(cmp.Compare(a[0].Engine.Slug, b[0].Engine.Slug),
			settings.CompareVersions(b[0].Engine.Version, a[0].Engine.Version))
	})
	for _, runs := range groups {
		if cs, ok := rank(runs); ok {
			out = append(out, cs)
		}
	}
	return out
}

// rank orders runs by their turns; ok is false where fewer than two have one.
func rank(runs []*Run) (cs Configurations, ok bool) {
	for _, r := range runs {
		if r.Mixed() {
			cs.Mixed = append(cs.Mixed, r)
		}
	}
	runs = slices.DeleteFunc(slices.Clone(runs), func(r *Run) bool { return slices.Contains(cs.Mixed, r) })
	var has [2]bool
	cs.Prefill, has[0] = commonTest(runs, metric.PPSpeed, QuotedPrompt)
	cs.Decode, has[1] = commonTest(runs, metric.TGSpeed, QuotedAnswer)
	if !has[0] || !has[1] {
		return cs, false
	}
	for _, r := range runs {
		pp, read := cs.Prefill.Of(r)
		tg, wrote := cs.Decode.Of(r)
		if !read || !wrote {
			cs.Left = append(cs.Left, r)
			continue
		}
		turn := func(pp, tg float64) float64 { return metric.Round12(cs.Prefill.Tokens/pp + cs.Decode.Tokens/tg) }
		c := Configuration{Run: r, Prefill: pp, Decode: tg, Turn: turn(pp.Mean, tg.Mean), TurnLow: turn(pp.High, tg.High),
			TurnHigh: math.Inf(1)}
		if pp.Low > 0 && tg.Low > 0 {
			c.TurnHigh = turn(pp.Low, tg.Low)
		}
		cs.Ranked = append(cs.Ranked, c)
	}
	slices.SortStableFunc(cs.Ranked, func(a, b Configuration) int { return cmp.Compare(a.Turn, b.Turn) })
	cs.deepest()
	return cs, len(cs.Ranked) > 1
}

// deepest adds decode with the fullest context in which all ranked runs were measured.
func (cs *Configurations) deepest() {
	for _, c := range cs.Ranked {
		for _, t := range c.Run.tests(metric.TGSpeed) {
			shared := !slices.ContainsFunc(cs.Ranked, func(o Configuration) bool { _, ok := t.Of(o.Run); return !ok })
			if shared && t.depth > cs.Decode.depth && (cs.Deep == nil || t.depth > cs.Deep.depth) {
				cs.Deep = &t
			}
		}
	}
	if cs.Deep == nil {
		return
	}
	for i := range cs.Ranked {
		s, _ := cs.Deep.Of(cs.Ranked[i].Run)
		cs.Ranked[i].Deep = &s
	}
}

// commonTest is the test of a metric that runs are compared by: with an empty context of the length that is quoted,
// where at least half of the runs have it, else the one that most have, of those the one of the emptiest context and
// then the longest.
func commonTest(runs []*Run, m metric.ID, quoted float64) (best Test, ok bool) {
	count := map[string]int{}
	var all []Test
	for _, r := range runs {
		for _, t := range r.tests(m) {
			if count[t.Class] == 0 {
				all = append(all, t)
			}
			count[t.Class]++
		}
	}
	if len(all) == 0 {
		return best, false
	}
	usual := func(t Test) int {
		if t.Tokens == quoted && t.depth == 0 && 2*count[t.Class] >= len(runs) {
			return 0
		}
		return 1
	}
	return slices.MinFunc(all, func(a, b Test) int {
		return cmp.Or(cmp.Compare(usual(a), usual(b)), cmp.Compare(count[b.Class], count[a.Class]),
			cmp.Compare(a.depth, b.depth), cmp.Compare(b.Tokens, a.Tokens))
	}), true
}

// tests are those of a run of one sequence at a time that have a metric, one a class.
func (r *Run) tests(m metric.ID) (out []Test) {
	for _, s := range r.Scenarios {
		length := s.Workload.Nominal.Input
		if m == metric.TGSpeed {
			length = s.Workload.Nominal.Output
		}
		t := Test{Metric: m, Title: s.Title, Class: s.Class, depth: s.Depth}
		if _, ok := t.Of(r); !ok || absent(length) ||
			slices.ContainsFunc(out, func(o Test) bool { return o.Class == t.Class }) {
			continue
		}
		t.Tokens = *length
		out = append(out, t)
	}
	return out
}

// ByLength are the tests of one phase that begin with an empty context, the shortest first: prefill by the length of the
// prompt, decode by that of the answer. Fewer than three make no curve: nil.
func (r *Run) ByLength(m metric.ID) (out []*Scenario) {
	for _, t := range r.tests(m) {
		if s := r.Scenario(t.Class); t.depth == 0 && s.Phase != "" {
			out = append(out, s)
		}
	}
	if len(out) < fewestDepths {
		return nil
	}
	slices.SortStableFunc(out, func(a, b *Scenario) int { return cmp.Compare(a.OneLength(), b.OneLength()) })
	return out
}

// Of is the speed of a run in the test; ok is false where it has none above zero.
func (t Test) Of(r *Run) (s Speed, ok bool) {
	sc := r.Scenario(t.Class)
	if sc == nil {
		return s, false
	}
	p := sc.Points[0]
	v, _, ok := Central(p, t.Metric)
	if !ok || v <= 0 || sc.Axis != "" && LoadOf(p) != 1 {
		return s, false
	}
	s = Speed{Scenario: sc, Mean: v, Low: v, High: v}
	for _, q := range sc.Believed {
		one, _, ok := Central(q, t.Metric)
		if !ok || LoadOf(q) != LoadOf(p) {
			continue
		}
		std, _ := Get(q, t.Metric, metric.Std)
		s.Low, s.High = min(s.Low, one-std), max(s.High, one+std)
	}
	s.Spread = s.Low < s.High
	return s, true
}
