package compare

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
)

// Verdict is what a comparison comes to.
type Verdict string

// The verdicts.
const (
	Compared  Verdict = "compared"  // no limits were given
	Kept      Verdict = "kept"      // all limits are kept
	Uncertain Verdict = "uncertain" // a limit is exceeded by medians that the data cannot tell apart
	Exceeded  Verdict = "exceeded"  // a limit is exceeded or cannot be held
	Refused   Verdict = "refused"   // nothing of the two can be compared
	// NoBaseline: the first side has nothing to compare with. The first change of all is not refused for that.
	NoBaseline Verdict = "no baseline"
)

// Comparison is all that is said of two sides. Its JSON is that of `inferdex compare --format json`; numbers are
// in base units.
type Comparison struct {
	A       *Subject     `json:"a"`
	B       *Subject     `json:"b"`
	Verdict Verdict      `json:"verdict"`
	Refused string       `json:"refused,omitempty"`
	Pairs   []PairOfRuns `json:"pairs"`
	Limits  []Held       `json:"limits,omitempty"`
	Notes   []string     `json:"notes,omitempty"`
}

// PairOfRuns is what is said of two runs: one value for the terminal, for programs and for the page of the pair.
// Only scenarios of equal class may share an axis; everything else is listed with the fields that differ.
type PairOfRuns struct {
	A Measured `json:"a"`
	B Measured `json:"b"`
	// Refused is why nothing of the two is compared.
	Refused string `json:"refused,omitempty"`
	// Labels say where the tools of the two mean different things by one word.
	Labels    []string    `json:"labels,omitempty"`
	Workloads []*Workload `json:"workloads"`
	// Alone are workloads that only one of the two has, with what the nearest differs in.
	Alone []Mismatch `json:"not_compared,omitempty"`
	// Parameters are those of the two where somebody asked for them: see [PairOfRuns.WithParameters].
	Parameters ParameterDiff `json:"parameters"`
}

// Held is one limit with the places it was held against.
type Held struct {
	Limit string    `json:"limit"`
	State GateState `json:"state"`
	// Places are all loads where it is not kept; KeptAt counts the others.
	Places []HeldAt `json:"places,omitempty"`
	KeptAt int      `json:"kept_at"`
	// Unreadable are the places of the second side that could not be read: what they hold is missing.
	Unreadable []string `json:"unreadable,omitempty"`
}

// HeldAt is one load of a workload of a pair, which is named by its card.
type HeldAt struct {
	Pair     string `json:"pair"`
	Workload string `json:"workload"`
	GateResult
}

// Sides compares two sides: it pairs their runs, compares each pair, and holds limits against them. Of a
// distribution it keeps median and p99, the mean where there is no median, and what a limit names; with
// all every statistic.
func Sides(a, b *Subject, gates []Gate, all bool) *Comparison {
	c := &Comparison{A: a, B: b, Pairs: []PairOfRuns{}, Notes: slices.Concat(a.Notes, b.Notes)}
	pairs, onlyA, onlyB := pairUp(a, b)
	for _, only := range []struct {
		s    *Subject
		runs []Measured
	}{{a, onlyA}, {b, onlyB}} {
		if len(only.runs) > 0 {
			c.Notes = append(c.Notes, fmt.Sprintf("only %q has %s", only.s.Name,
				strings.Join(firstOf(titles(only.runs), 10), "; ")))
		}
	}
	// What both sides teach of the arguments of engine versions.
	args := NewArguments(a.Index.Names, slices.Concat(a.Index.Runs, b.Index.Runs))
	for _, g := range gates {
		c.Limits = append(c.Limits, Held{Limit: g.Text, State: GateMissing})
	}
	for _, p := range pairs {
		o := NewPair(p[0], p[1]).WithParameters(args)
		for _, w := range o.Workloads {
			for i, row := range w.Loads {
				w.Loads[i].Differences = shown(row, gates, all)
			}
		}
		c.Pairs = append(c.Pairs, o)
		c.hold(gates, p[0], o.Workloads)
	}
	if a.whole(b) {
		for _, r := range onlyA {
			c.hold(gates, r, nil)
		}
	}
	for i := range c.Limits {
		c.Limits[i].Unreadable = b.Unreadable
	}
	c.judge()
	return c
}

// hold holds limits against what a run measured, in the workloads that the run beside it shares.
func (c *Comparison) hold(gates []Gate, a Measured, shared []*Workload) {
	for _, s := range a.Scenarios {
		var other *figure.Scenario
		if i := slices.IndexFunc(shared, func(w *Workload) bool { return w.A == s }); i >= 0 {
			other = shared[i].B
		}
		for i, g := range gates {
			results := g.Check
			if len(a.Past) > 0 && other != nil {
				results = func(s, other *figure.Scenario) []GateResult { return g.checkPast(a.Past, s, other) }
			}
			for _, r := range results(s, other) {
				c.Limits[i].add(HeldAt{a.Card.Title(), s.Title, r})
			}
		}
	}
}

func (h *Held) add(at HeldAt) {
	if h.KeptAt == 0 && len(h.Places) == 0 {
		h.State = at.State
	}
	h.State = max(h.State, at.State)
	if at.State == GateKept {
		h.KeptAt++
		return
	}
	h.Places = append(h.Places, at)
}

// judge gives the verdict.
func (c *Comparison) judge() {
	c.Verdict = Compared
	if len(c.Limits) > 0 {
		c.Verdict = Kept
	}
	for i := range c.Limits {
		l := &c.Limits[i]
		if len(l.Unreadable) > 0 {
			l.State = max(l.State, GateMissing)
		}
		switch {
		case l.State == GateExceeded || l.State == GateMissing:
			c.Verdict = Exceeded
		case l.State != GateKept && c.Verdict == Kept:
			c.Verdict = Uncertain
		}
	}
	if !slices.ContainsFunc(c.Pairs, func(p PairOfRuns) bool { return p.Refused == "" }) {
		c.Verdict, c.Refused = Refused, "no model on one hardware is in both"
		switch {
		case len(c.Pairs) > 0:
			c.Refused = c.Pairs[0].Refused
		case len(c.A.Runs) == 0 && len(c.B.Unreadable) == 0:
			c.Verdict, c.Refused, c.Limits = NoBaseline, "", nil
		}
	}
}

// NewPair compares two runs, without their parameters and without the differences of their loads, which are
// many: [Row.Differ] makes one, and [Sides] all.
func NewPair(a, b Measured) PairOfRuns {
	p := PairOfRuns{A: a, B: b, Labels: meaningLabels(a.Identity.Tool, b.Identity.Tool), Workloads: []*Workload{}}
	matches := Matches(a.Run, b.Run)
	for _, m := range matches {
		p.Workloads = append(p.Workloads, newWorkload(m, a.Run, b.Run))
	}
	p.Alone = unequal(a.Run, b.Run, matches)
	switch {
	case len(p.Workloads) > 0 && len(p.Loads()) == 0:
		p.Refused = "no load in common"
	case len(p.Workloads) > 0:
	case len(p.Alone) == 0 || p.Alone[0].A == nil || p.Alone[0].B == nil:
		p.Refused = "no points were measured on one of the two sides"
	default:
		p.Refused = "no workload in common; the nearest differ in " + strings.Join(p.Alone[0].Reasons, "; ")
	}
	return p
}

// Counts says that the sides have other numbers of accelerators, over which throughput is a sum, or that one side
// alone says how many; "" where neither is so.
func (p PairOfRuns) Counts() string {
	sides := []struct {
		name string
		n    int
	}{{"A", recordedCount(p.A.Run)}, {"B", recordedCount(p.B.Run)}}
	if sides[0].n < sides[1].n {
		slices.Reverse(sides)
	}
	switch most, least := sides[0], sides[1]; {
	case most.n == least.n:
		return ""
	case least.n == 0:
		return fmt.Sprintf("%s has %s, and how many %s has is not recorded: throughput is the sum over all of them",
			most.name, metric.Plural(most.n, "accelerator"), least.name)
	default:
		return fmt.Sprintf("%s has %s and %s %d, %s times as many: throughput is the sum over all of them", most.name,
			metric.Plural(most.n, "accelerator"), least.name, least.n, metric.Format(float64(most.n)/float64(least.n)))
	}
}

// recordedCount is how many accelerators a run says it used, 0 where it does not.
func recordedCount(r *figure.Run) int {
	if r.Hardware.CountAssumed {
		return 0
	}
	return r.Hardware.Count
}

// WithParameters is the pair with the parameters of both runs side by side.
func (p PairOfRuns) WithParameters(args *Arguments) PairOfRuns {
	p.Parameters = args.Diff(p.A.Run, p.B.Run)
	return p
}

// Loads are those of all workloads that both runs have, workload by workload.
func (p PairOfRuns) Loads() (rows []Row) {
	for _, w := range p.Workloads {
		rows = append(rows, w.Loads...)
	}
	return rows
}

// shown are the differences of a load that a comparison keeps: see [Sides].
func shown(row Row, gates []Gate, all bool) []Difference {
	out, every := []Difference{}, row.all()
	has := func(m metric.ID, stat string) bool {
		return slices.ContainsFunc(every, func(d Difference) bool { return d.Metric == m && d.Stat == stat })
	}
	for _, d := range every {
		info, _ := metric.Lookup(d.Metric)
		wanted := d.Stat == metric.Value || d.Stat == metric.Median || d.Stat == metric.P99 ||
			d.Stat == metric.Mean && !has(d.Metric, metric.Median) ||
			slices.ContainsFunc(gates, func(g Gate) bool { return g.Metric == d.Metric && g.Stat == d.Stat })
		if all || wanted && !info.Describes {
			out = append(out, d)
		}
	}
	for _, g := range gates {
		if has(g.Metric, g.Stat) || g.Stat == "" {
			continue
		}
		if d, ok := row.Differ(g.Metric, g.Stat); ok {
			out = append(out, d)
		}
	}
	rate := func(ps []*catalog.Point) []float64 { return measurements(ps, metric.SuccessRate, metric.Value) }
	if d, ok := Differ(metric.SuccessRate, metric.Value, rate(row.A), rate(row.B)); ok && (all || d.A.Lo < 1 ||
		d.B.Lo < 1) {
		out = append(out, d)
	}
	return out
}

// MarshalJSON writes the parameters that differ, and how many the others are.
func (d ParameterDiff) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Differs    []ParameterRow `json:"differs"`
		OneVersion []ParameterRow `json:"one_version,omitempty"`
		Unclear    int            `json:"unclear"`
		Same       int            `json:"same"`
	}{append([]ParameterRow{}, d.Differs...), d.OneVersion, len(d.Unclear), len(d.Same)})
}

// MarshalJSON writes the effective values of the first two runs, null where not known.
func (r ParameterRow) MarshalJSON() ([]byte, error) {
	var values [2]*string
	for i := range values {
		if r.Cells[i].Known {
			values[i] = &r.Cells[i].Effective
		}
	}
	return json.Marshal(struct {
		Kind ParameterKind `json:"kind"`
		Name string        `json:"name"`
		A    *string       `json:"a"`
		B    *string       `json:"b"`
	}{r.Kind, r.Name, values[0], values[1]})
}
