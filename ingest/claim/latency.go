package claim

import (
	"cmp"
	"slices"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
)

// Tail: at the smallest load where it is so, the slowest percent of requests waits more than twice as long for
// the first token as the typical one.
type Tail struct {
	P99    Operand `json:"p99"`
	Median Operand `json:"median"`
	Ratio  float64 `json:"ratio"`
	// Worst is the load with the highest ratio, WorstRatio; the same as P99 where it is the first one.
	Worst      Operand `json:"worst"`
	WorstRatio float64 `json:"worst_ratio"`
	// Within and Above are how many larger loads stay within twice the median, and how many do not.
	Within int `json:"within"`
	Above  int `json:"above"`
	// Others is how many further workloads have such a tail, none of them a longer one.
	Others int `json:"others,omitempty"`
}

func (Tail) head() (Kind, bool) { return KindTail, false }

// tails are the longest tail of all workloads, and in how many more there is one.
func tails(r *figure.Run) []Claim {
	var list []Tail
	for _, sc := range r.Scenarios {
		if t, ok := tailOf(r, sc); ok {
			list = append(list, t)
		}
	}
	if len(list) == 0 {
		return nil
	}
	longest := slices.MaxFunc(list, func(a, b Tail) int { return cmp.Compare(a.WorstRatio, b.WorstRatio) })
	longest.Others = len(list) - 1
	return []Claim{longest}
}

func tailOf(r *figure.Run, sc *figure.Scenario) (t Tail, ok bool) {
	for _, p := range sc.Points {
		ratio, has := figure.TailRatio(p, metric.TTFT)
		switch {
		case !has:
			continue
		case figure.Above(ratio, 2) && !ok:
			at := operand(r, sc, p, metric.TTFT, metric.P99)
			t, ok = Tail{P99: at, Median: operand(r, sc, p, metric.TTFT, metric.Median), Ratio: ratio, Worst: at,
				WorstRatio: ratio}, true
			continue
		case !ok || figure.LoadOf(p) == t.P99.load():
		case figure.Above(ratio, 2):
			t.Above++
		default:
			t.Within++
		}
		if ok && figure.Above(ratio, t.WorstRatio) {
			t.Worst, t.WorstRatio = operand(r, sc, p, metric.TTFT, metric.P99), ratio
		}
	}
	return t, ok
}

func (c Tail) write(s *sentence) {
	long, short := times(c.P99.Value, c.Median.Value)
	s.say("With %s", c.P99.Scenario.Title)
	if ph := figure.LoadPhrase(c.P99.Point); ph != "" {
		s.say(", %s", ph)
	}
	s.say(", TTFT p99 is ").cite(c.P99, "%s", long).say(" against a median of ").cite(c.Median, "%s", short).
		say(" (%s)", metric.Ratio(c.Ratio))
	switch {
	case c.Worst.Point != c.P99.Point:
		s.say("; from there on the tail is longest %s: ", figure.LoadPhrase(c.Worst.Point)).cite(c.Worst, "%s",
			metric.Ratio(c.WorstRatio))
	case c.Above == 0 && c.Within > 0:
		s.say("; at larger loads p99 stays within twice the median")
	}
	if c.Others > 0 {
		s.say("; it exceeds twice the median in %s", metric.Plural(c.Others, "more workload"))
	}
	s.say(".")
}

// Steady: with a workload of long answers, one request at a time, the slowest percent of requests writes
// within 2 % as fast as the typical one.
type Steady struct {
	P99    Operand `json:"p99"`
	Median Operand `json:"median"`
	Ratio  float64 `json:"ratio"`
}

func (Steady) head() (Kind, bool) { return KindSteady, false }

func steady(r *figure.Run) (claims []Claim) {
	for _, sc := range r.Scenarios {
		in, out, _ := sc.Lengths()
		if in <= 0 || out <= 4*in {
			continue
		}
		for _, p := range sc.Points {
			t, ok := figure.TailRatio(p, metric.TPOT)
			if !ok || t >= 1.02 || figure.LoadOf(p) != 1 || sc.Axis != record.AxisConcurrency {
				continue
			}
			claims = append(claims, Steady{operand(r, sc, p, metric.TPOT, metric.P99),
				operand(r, sc, p, metric.TPOT, metric.Median), t})
			break
		}
	}
	return claims
}

func (c Steady) write(s *sentence) {
	s.say("With %s, TPOT is steady from request to request: a median of ", c.Median.Scenario.Title).
		cite(c.Median, "%s", figure.Seconds(c.Median.Value)).say(", p99/median ").cite(c.Median, "%s",
		metric.Format(c.Ratio)).say(".")
}

// A request one at a time is bound by prefill where more than half of its time passes before the
// first token, and by decode where less than a fifth does.
const (
	prefillBound = 0.5
	decodeBound  = 0.2
)

// Phase: which share of its time one request at a time spends before the first token, with the workload of the
// largest share and with that of the smallest, which is the same where one alone is known.
type Phase struct {
	Most  PrefillShare `json:"most"`
	Least PrefillShare `json:"least"`
}

// PrefillShare is TTFT / E2E latency of a typical request.
type PrefillShare struct {
	TTFT  Operand `json:"ttft"`
	Share float64 `json:"share"`
}

// bound says what the time of a request is bound by.
func (p PrefillShare) bound() string {
	switch {
	case p.Share > prefillBound:
		return "prefill-bound"
	case p.Share < decodeBound:
		return "decode-bound"
	}
	return "bound by both"
}

func (Phase) head() (Kind, bool) { return KindPhase, false }

func phase(r *figure.Run) []Claim {
	var c Phase
	found := false
	for _, sc := range r.Scenarios {
		p := sc.Points[0]
		if figure.LoadOf(p) != 1 || sc.Axis != record.AxisConcurrency {
			continue
		}
		share, ok := prefillShare(p)
		if !ok {
			continue
		}
		here := PrefillShare{central(r, sc, p, metric.TTFT), share}
		if !found || share > c.Most.Share {
			c.Most = here
		}
		if !found || share < c.Least.Share {
			c.Least = here
		}
		found = true
	}
	if !found || c.alone() && c.Most.bound() == "bound by both" {
		return nil
	}
	return []Claim{c}
}

func (c Phase) alone() bool { return c.Most.TTFT.Scenario == c.Least.TTFT.Scenario }

func (c Phase) write(s *sentence) {
	hi, lo := c.Most, c.Least
	s.say("One request at a time spends ").cite(hi.TTFT, "%s", figure.PercentText(hi.Share)).
		say(" of its time before the first token with %s", hi.TTFT.Scenario.Title)
	switch {
	case c.alone():
		s.say(": it is %s", hi.bound())
	case hi.bound() == lo.bound():
		s.say(" and ").cite(lo.TTFT, "%s", figure.PercentText(lo.Share)).say(" with %s: both are %s",
			lo.TTFT.Scenario.Title, hi.bound())
	default:
		s.say(" (%s) and ", hi.bound()).cite(lo.TTFT, "%s", figure.PercentText(lo.Share)).say(" with %s (%s)",
			lo.TTFT.Scenario.Title, lo.bound())
	}
	s.say(".")
}

// prefillShare is TTFT / E2E latency of a typical request; E2E is computed as TTFT + TPOT ×
// (output − 1) where it is not recorded and the output length is. It describes the work only at
// one request at a time: above, TTFT holds time in the queue.
func prefillShare(p *catalog.Point) (float64, bool) {
	first, stat, ok := figure.Central(p, metric.TTFT)
	if !ok {
		return 0, false
	}
	whole, ok := figure.Get(p, metric.E2ELatency, stat)
	if !ok {
		t, has := figure.Get(p, metric.TPOT, stat)
		n := p.Workload.Actual.Output
		if n == nil {
			n = p.Workload.Nominal.Output
		}
		if !has || n == nil || *n <= 1 {
			return 0, false
		}
		whole = first + t*(*n-1)
	}
	if whole <= 0 || first > whole {
		return 0, false
	}
	return metric.Round12(first / whole), true
}
