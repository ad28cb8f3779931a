package figure

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strconv"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/metric"
)

// Phase is the part of a request that a workload times alone.
type Phase string

// The phases, in the order in which a request has them. Most workloads time both: "".
const (
	Prefill Phase = "prefill"
	Decode  Phase = "decode"
)

// Tools that run one sequence give a workload a name that says its lengths and its depth: "pp512", "tg128 @ d4096",
// "context of 4096", "12 in, 99 out".
var (
	testName = regexp.MustCompile(`^(?:pp[0-9]+)?(?:\+?tg[0-9]+)?(?: @ d([0-9]+))?$|` +
		`^[0-9]+ in(?:, [0-9]+ out)?$|^[0-9]+ out$`)
	contextName = regexp.MustCompile(`^context of ([0-9]+)$`)
)

// locate sets the phase and the depth of a scenario. named reports that its name says nothing else.
func (s *Scenario) locate() (named bool) {
	for _, pattern := range []*regexp.Regexp{testName, contextName} {
		if m := pattern.FindStringSubmatch(s.Name); m != nil {
			s.Depth, _ = strconv.ParseFloat("0"+m[1], 64)
			named = true
			break
		}
	}
	n, only := s.Workload.Nominal, func(m, other metric.ID) bool {
		return slices.ContainsFunc(s.Measured, func(p *catalog.Point) bool { _, ok := p.Metrics[m]; return ok }) &&
			!slices.ContainsFunc(s.Measured, func(p *catalog.Point) bool { _, ok := p.Metrics[other]; return ok })
	}
	switch {
	case absent(n.Output) && !absent(n.Input) && only(metric.PPSpeed, metric.TGSpeed):
		s.Phase = Prefill
	case absent(n.Input) && !absent(n.Output) && only(metric.TGSpeed, metric.PPSpeed):
		s.Phase = Decode
	}
	return named
}

func absent(n catalog.Number) bool { return n == nil || *n == 0 }

// phaseTitle names a workload of one phase by its length, and any by its depth: "prefill 512", "decode 128 at
// depth 4 096".
func (s *Scenario) phaseTitle(in, out float64) string {
	t := lengthText(in) + " → " + lengthText(out)
	switch s.Phase {
	case Prefill:
		t = string(Prefill) + " " + lengthText(in)
	case Decode:
		t = string(Decode) + " " + lengthText(out)
	}
	if s.Depth > 0 {
		t += " at depth " + lengthText(s.Depth)
	}
	return t
}

// inOrder sorts the workloads of a tool that runs one sequence: prefill before decode before both, then by
// lengths and by depth. Those of all other tools stay in the order of their files.
func inOrder(all []*Scenario) {
	if !slices.ContainsFunc(all, func(s *Scenario) bool { return s.Phase != "" || s.Depth > 0 }) {
		return
	}
	rank := map[Phase]int{Prefill: 0, Decode: 1, "": 2}
	number := func(n catalog.Number) float64 {
		if n == nil {
			return math.Inf(1)
		}
		return *n
	}
	slices.SortStableFunc(all, func(a, b *Scenario) int {
		x, y := a.Workload.Nominal, b.Workload.Nominal
		return cmp.Or(cmp.Compare(rank[a.Phase], rank[b.Phase]), cmp.Compare(number(x.Input), number(y.Input)),
			cmp.Compare(number(x.Output), number(y.Output)), cmp.Compare(a.Depth, b.Depth))
	})
}

// Depths are workloads of a run that differ in nothing but how many tokens stand in the context before them.
type Depths struct {
	// Metric is [metric.PPSpeed] or [metric.TGSpeed].
	Metric metric.ID
	// Length is how many tokens are read or written at each depth.
	Length float64
	// Scenarios have the metric, the least depth first.
	Scenarios []*Scenario
}

// Title names the line: "prefill 2 048".
func (d Depths) Title() string {
	phase := Prefill
	if d.Metric == metric.TGSpeed {
		phase = Decode
	}
	return string(phase) + " " + lengthText(d.Length)
}

// fewestDepths is how many depths a curve needs: two points are a table.
const fewestDepths = 3

// ByDepth are the speeds of a run against the depth, prefill first.
func (r *Run) ByDepth() []Depths {
	var out []Depths
	for _, m := range []metric.ID{metric.PPSpeed, metric.TGSpeed} {
		start := len(out)
		for _, s := range r.Scenarios {
			if _, _, ok := Central(s.Points[0], m); !ok || s.Axis != "" && LoadOf(s.Points[0]) != 1 {
				continue
			}
			length := s.Workload.Nominal.Input
			if m == metric.TGSpeed {
				length = s.Workload.Nominal.Output
			}
			if absent(length) {
				continue
			}
			i := slices.IndexFunc(out[start:], func(d Depths) bool {
				first := d.Scenarios[0]
				return d.Length == *length && first.Phase == s.Phase && first.Workload.SameLengths(s.Workload) &&
					!slices.ContainsFunc(d.Scenarios, func(o *Scenario) bool { return o.Depth == s.Depth })
			})
			if i < 0 {
				out = append(out, Depths{Metric: m, Length: *length, Scenarios: []*Scenario{s}})
				continue
			}
			out[start+i].Scenarios = append(out[start+i].Scenarios, s)
		}
	}
	return slices.DeleteFunc(out, func(d Depths) bool { return len(d.Scenarios) < fewestDepths })
}

// OneLength is how many tokens a test of one phase reads or writes; 0 for any other workload.
func (s *Scenario) OneLength() float64 {
	n := map[Phase]catalog.Number{Prefill: s.Workload.Nominal.Input, Decode: s.Workload.Nominal.Output}[s.Phase]
	if n == nil {
		return 0
	}
	return *n
}

// OffQuoted is by which factor a test of one phase is longer or shorter than the one that such tools are quoted by: 1 for
// what no phase has, infinite with tokens in the context before it.
func (s *Scenario) OffQuoted() float64 {
	n := s.OneLength()
	switch {
	case s.Depth > 0:
		return math.Inf(1)
	case n == 0:
		return 1
	case s.Phase == Prefill:
		return off(n, QuotedPrompt)
	}
	return off(n, QuotedAnswer)
}

// off is by which factor a length differs from the one that is quoted.
func off(length, quoted float64) float64 { return max(length/quoted, quoted/length) }

// Phased reports whether a tool measured a run that times prefill and decode by themselves, or by depth.
func (r *Run) Phased() bool {
	return slices.ContainsFunc(r.Scenarios, func(s *Scenario) bool { return s.Phase != "" || s.Depth > 0 })
}

// The lengths of the two tests that tools which time prefill and decode by themselves are quoted by: llama-bench runs
// them where it is told of no others.
const (
	QuotedPrompt = 512 // tokens of the prompt
	QuotedAnswer = 128 // tokens of the answer
)

// quoted reports whether a run has the two tests that such a tool is quoted by: prefill of 512 and decode of 128 tokens,
// from an empty context.
func (r *Run) quoted() bool {
	has := func(phase Phase, length float64) bool {
		return slices.ContainsFunc(r.Scenarios, func(s *Scenario) bool {
			return s.Phase == phase && s.Depth == 0 && s.OneLength() == length
		})
	}
	return has(Prefill, QuotedPrompt) && has(Decode, QuotedAnswer)
}

// mixedTest is by which factor two measurements of one test may differ before they may be of two configurations.
const mixedTest = 1.25

// Mixed reports whether two measurements of one test of a run lie farther apart than repetitions do: one is more than a
// quarter higher, and their standard deviations do not touch. Then what tells the two apart is not recorded.
func (r *Run) Mixed() bool {
	return r.Phased() && slices.ContainsFunc(r.Scenarios, func(s *Scenario) bool {
		return s.mixed(metric.PPSpeed) || s.mixed(metric.TGSpeed)
	})
}

// mixed is [Run.Mixed] of one speed of a test.
func (s *Scenario) mixed(m metric.ID) bool {
	type speed struct{ load, mean, low, high float64 }
	var all []speed
	for _, p := range s.Believed {
		if mean, _, ok := Central(p, m); ok {
			std, _ := Get(p, m, metric.Std)
			all = append(all, speed{LoadOf(p), mean, mean - std, mean + std})
		}
	}
	slices.SortFunc(all, func(a, b speed) int { return cmp.Or(cmp.Compare(a.load, b.load), cmp.Compare(a.mean, b.mean)) })
	// Of each load, those before next are more than a quarter below x, and least is the lowest of their upper ends.
	next, least := 0, math.Inf(1)
	for i, x := range all {
		if x.load != all[next].load {
			next, least = i, math.Inf(1)
		}
		for ; next < i && mixedTest*all[next].mean < x.mean; next++ {
			least = min(least, all[next].high)
		}
		if least < x.low {
			return true
		}
	}
	return false
}
