package compare

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
)

// Gate is a limit on how much a quantity may change from one side of a comparison to the other.
type Gate struct {
	// Text is the limit as it was written.
	Text   string
	Metric metric.ID
	// Stat is the statistic, "" the one that stands for the metric: its value, else its median,
	// else its mean.
	Stat string
	// Above says that changes above Change exceed the limit; otherwise those below it do.
	Above bool
	// Change is a fraction of the first side: −0.05 is 5 % less.
	Change float64
}

// ParseGates reads a list of limits such as "output_throughput<-5%,ttft.p99>+10%": a metric, with
// a statistic behind a dot, and a percentage with its sign. A limit that only an improvement
// exceeds is refused: it is a slip of the sign.
func ParseGates(list string) ([]Gate, error) {
	var gates []Gate
	for text := range strings.SplitSeq(list, ",") {
		text = strings.TrimSpace(text)
		if text == "" {
			continue
		}
		g, err := parseGate(text)
		if err != nil {
			return nil, fmt.Errorf("%q: %w", text, err)
		}
		gates = append(gates, g)
	}
	if len(gates) == 0 {
		return nil, fmt.Errorf("%q: no limit; write one like output_throughput<-5%%", list)
	}
	return gates, nil
}

func parseGate(text string) (Gate, error) {
	g := Gate{Text: text}
	i := strings.IndexAny(text, "<>")
	if i < 0 {
		return g, fmt.Errorf("no < or >; write a limit like output_throughput<-5%%")
	}
	g.Above = text[i] == '>'
	name, stat, dotted := strings.Cut(strings.TrimSpace(text[:i]), ".")
	g.Metric, g.Stat = metric.ID(name), stat
	info, known := metric.Lookup(g.Metric)
	if !known {
		return g, fmt.Errorf("no metric %q; pairs are compared by %s", name, metricNames())
	}
	if dotted && !knownStat(stat) {
		return g, fmt.Errorf("no statistic %q; there are value, mean, median, std, min, max and percentiles such "+
			"as p99", stat)
	}
	if stat == "p50" {
		g.Stat = metric.Median
	}
	number, ok := strings.CutSuffix(strings.TrimSpace(text[i+1:]), "%")
	number = strings.TrimSpace(number)
	if !ok {
		return g, fmt.Errorf("limits are percentages of the first side; write a %% at the end")
	}
	v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if err != nil || !figure.Finite(v) {
		return g, fmt.Errorf("%q is no number", number)
	}
	if v != 0 && number[0] != '+' && number[0] != '-' {
		return g, fmt.Errorf("a change needs its sign; write %s%c+%s%% or %s%c-%s%%", text[:i], text[i], number,
			text[:i], text[i], number)
	}
	g.Change = metric.Round12(v / 100)
	switch {
	case !g.Above && g.Change <= -1:
		return g, fmt.Errorf("nothing falls by more than 100 %%; write a limit above -100%%")
	case !g.Above && v > 0 || g.Above && v < 0:
		return g, fmt.Errorf("no change at all exceeds this limit; write < with a minus, > with a plus")
	case g.Above && info.Better == metric.Higher:
		return g, fmt.Errorf("%s is better high, so only an improvement exceeds this limit; write < with a minus",
			name)
	case !g.Above && info.Better == metric.Lower:
		return g, fmt.Errorf("%s is better low, so only an improvement exceeds this limit; write > with a plus", name)
	}
	return g, nil
}

func knownStat(s string) bool {
	if slices.Contains([]string{metric.Value, metric.Mean, metric.Median, metric.Std, metric.Min, metric.Max}, s) {
		return true
	}
	p, ok := strings.CutPrefix(s, "p")
	v, err := strconv.ParseFloat(p, 64)
	return ok && err == nil && v > 0 && v < 100
}

// metricNames are the metrics of the tables of pairs.
func metricNames() string {
	var names []string
	for _, i := range metric.Shown(metric.Pair) {
		names = append(names, string(i.ID))
	}
	return strings.Join(names, ", ")
}

// GateState is what a comparison says of a limit.
type GateState int

// The states, the worst last.
const (
	// GateKept: the medians are within the limit.
	GateKept GateState = iota
	// GateNotDistinguishable: the medians are outside, but their intervals overlap.
	GateNotDistinguishable
	// GateNoClaim: the medians are outside, and a side has fewer than MinSamples measurements.
	GateNoClaim
	// GateMissing: the first side has the quantity and the second has not, or neither has it; or the second side
	// could not be read.
	GateMissing
	// GateExceeded: the medians are outside, and distinguishable; or what should be high is zero.
	GateExceeded
)

// String is the state in the words that the command prints.
func (s GateState) String() string {
	switch s {
	case GateNotDistinguishable:
		return "not distinguishable"
	case GateNoClaim:
		return "no claim"
	case GateMissing:
		return "missing"
	case GateExceeded:
		return "exceeded"
	}
	return "kept"
}

// MarshalText writes what String says.
func (s GateState) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// GateResult is a limit held against one load of one workload.
type GateResult struct {
	Load record.Float `json:"load"` // +Inf for all requests at once
	// At is a point of the first side at the load.
	At *catalog.Point `json:"-"`
	// Stat is the statistic that was compared, also where the Gate leaves it open.
	Stat  string    `json:"stat"`
	State GateState `json:"state"`
	// Change is the relative change; ±Inf where the first side is 0 and the second is not, nil where
	// State is GateMissing.
	Change *record.Float `json:"change"`
	// Past is the level of the runs that the first side stands for, nil where it is one run.
	Past *Level `json:"past,omitempty"`
	// Why says in a clause what the state rests on.
	Why string `json:"why"`
}

// Check holds a limit against the loads of the first of two scenarios of one workload; b is nil where the second
// side did not measure it. Where the first side lacks the quantity at a load, that load is left out; where the
// second does, it is missing.
//
// A limit is exceeded where the change of the medians is outside it and the two medians are
// distinguishable: see [differPoints]. With fewer than [MinSamples] measurements on a side, and no
// interval over requests, nothing is claimed, but of one case: a rate of zero is no noise.
func (g Gate) Check(a, b *figure.Scenario) []GateResult {
	var out []GateResult
	for _, l := range a.Loads() {
		pa := a.AllAt(l)
		var pb []*catalog.Point
		if b != nil {
			pb = b.AllAt(l)
		}
		stat := g.stat(pa, pb)
		va, vb := measurements(pa, g.Metric, stat), measurements(pb, g.Metric, stat)
		if len(va) == 0 {
			continue
		}
		r := g.result(a, l, stat)
		d, ok := differPoints(g.Metric, stat, pa, pb)
		if g.Metric == metric.SuccessRate {
			d, ok = Differ(g.Metric, stat, va, vb) // counted, not stored
		}
		if !ok {
			r.State, r.Why = GateMissing, "B has no such figure here"
			switch {
			case b == nil:
				r.Why = "B did not measure this workload"
			case !slices.Contains(b.Loads(), l):
				r.Why = "B was not measured here"
			}
			out = append(out, r)
			continue
		}
		change := g.change(&r, d.A.Median, d.B.Median)
		switch {
		case !g.outside(change):
		case d.Better == metric.Higher && d.B.Median == 0:
			r.State, r.Why = GateExceeded, droppedToZero
		case d.Certainty == Distinguishable:
			r.State, r.Why = GateExceeded, d.Words()
		case d.Certainty == NotDistinguishable:
			r.State, r.Why = GateNotDistinguishable, d.Words()
		default:
			r.State, r.Why = GateNoClaim, d.Words()
		}
		out = append(out, r)
	}
	return out
}

const droppedToZero = "a drop to zero"

// result is a limit at a load, of which nothing is said so far.
func (g Gate) result(a *figure.Scenario, load float64, stat string) GateResult {
	return GateResult{Load: record.Float(load), At: a.MeasuredAt(load)[0], Stat: stat}
}

// change is the relative change from one value to another, which it remembers: ±Inf where the first is 0 and the
// second is not.
func (g Gate) change(r *GateResult, from, to float64) float64 {
	change := metric.Round12((to - from) / from)
	switch {
	case from == to:
		change = 0
	case from == 0:
		change = math.Inf(int(math.Copysign(1, to)))
	}
	r.Change = (*record.Float)(&change)
	return change
}

// outside reports whether a change exceeds the limit.
func (g Gate) outside(change float64) bool {
	return g.Above && change > g.Change || !g.Above && change < g.Change
}

// stat is the statistic of the limit; where it is left open, the first that both sides have.
func (g Gate) stat(a, b []*catalog.Point) string {
	if g.Stat != "" {
		return g.Stat
	}
	first := ""
	for _, s := range []string{metric.Value, metric.Median, metric.Mean} {
		if len(measurements(a, g.Metric, s)) == 0 {
			continue
		}
		if first == "" {
			first = s
		}
		if len(measurements(b, g.Metric, s)) > 0 {
			return s
		}
	}
	return first
}

// measurements are [Samples], and for the success rate, which is counted and not stored, that of each point.
func measurements(points []*catalog.Point, m metric.ID, stat string) []float64 {
	if m != metric.SuccessRate || stat != metric.Value {
		return figure.Samples(points, m, stat)
	}
	var vs []float64
	for _, p := range points {
		if o, ok := figure.Success(p); ok {
			vs = append(vs, o.Ratio())
		}
	}
	return vs
}

// pool is one run of the measurements of several that repeat each other: the first of them with the
// measurements of all, so that they are samples of one thing. Which runs repeat each other is for the
// caller to say: see [Arguments.Repeat].
func pool(runs []*figure.Run) *figure.Run {
	if len(runs) == 1 {
		return runs[0]
	}
	pooled := *runs[0]
	pooled.Scenarios = nil
	for _, r := range runs {
		own := map[*figure.Scenario]bool{} // one run's scenarios are never joined with each other
		for _, s := range r.Scenarios {
			i := slices.IndexFunc(pooled.Scenarios,
				func(o *figure.Scenario) bool { return o.Class == s.Class && !own[o] })
			if i < 0 {
				i = len(pooled.Scenarios)
				pooled.Scenarios = append(pooled.Scenarios, s)
			} else {
				pooled.Scenarios[i] = pooled.Scenarios[i].With(s.Measured)
			}
			own[pooled.Scenarios[i]] = true
		}
	}
	return &pooled
}

// Repeat reports whether nothing is known to tell two runs of one card apart but their date and
// settings of the measuring client, such as a seed.
func (args *Arguments) Repeat(a, b *figure.Run) bool {
	if a.Card == nil || b.Card == nil || a.Card.Slug != b.Card.Slug || a.Named != b.Named ||
		a.Named && a.Series != b.Series ||
		a.Engine.Slug != b.Engine.Slug || a.Engine.Version != b.Engine.Version ||
		(a.Withdrawn != "") != (b.Withdrawn != "") {
		return false
	}
	d := args.Diff(a, b)
	client := func(r ParameterRow) bool { return r.Kind == KindClient }
	return !slices.ContainsFunc(d.Differs, func(r ParameterRow) bool { return !client(r) }) &&
		!slices.ContainsFunc(d.OneVersion, func(r ParameterRow) bool { return !client(r) })
}
