package catalog

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/inferdex/inferdex/ingest/metric"
)

// Codes of findings that say of single numbers that they cannot be believed.
const (
	CodeImplausible = "implausible"    // statistics that cannot be
	CodeAllFailed   = "all-failed"     // no request completed, of which times and rates could be
	CodeUnit        = "unit-suspected" // times differ as seconds and milliseconds do
	// CodeTimes says that TTFT, TPOT and end-to-end latency cannot be of the same requests.
	CodeTimes = "latencies-impossible"
	// CodeRates says that a rate is not what its count and its time give.
	CodeRates = "rates-impossible"
	// CodeContext says that requests are longer than the server takes, which no number of the point survives.
	CodeContext = "context-exceeded"
	// CodeMemory says it of all numbers of a run: its model, or what it kept of it, does not fit the recorded
	// accelerators. It needs data/names, so that no catalog stores it.
	CodeMemory = "memory-impossible"
)

// CodeLatencies says that TTFT, TPOT and end-to-end latency do not quite fit together: no reason to doubt one.
const CodeLatencies = "latencies-disagree"

// CodeIncomplete is the code of a finding that fewer requests completed than were submitted.
const CodeIncomplete = "incomplete"

// The limits of [Point.Consistency]. Means that belong to each other are within the first two: a mean of products is
// no product of means. Beyond the next two one of the times is not of the same requests, and beyond the last two it
// is wrong by a thousand: in the wrong unit.
const (
	leastConsistent, mostConsistent = 0.9, 1.1
	leastPossible, mostPossible     = 0.5, 2
	leastUnit, mostUnit             = 0.02, 50
)

// TimesMismatch says in words why the latencies of a point do not fit together, with the code of the finding that
// tells it; both are empty where they do. Of a length that was only asked for less is known than of one served.
func (p *Point) TimesMismatch() (code, why string) {
	r, served, ok := p.Consistency()
	formula := "TTFT + (n - 1) x TPOT"
	if !ok {
		r, served, ok = p.NormalizedConsistency()
		formula = "n x NTPOT"
	}
	misfit := func() string {
		return fmt.Sprintf("%s, of n output tokens, is %s of the end-to-end latency", formula, metric.Rough(r))
	}
	possible := r >= leastPossible && r <= mostPossible
	late := p.firstAfterLast()
	switch {
	case ok && (r < leastUnit || r > mostUnit):
		return CodeUnit, misfit()
	case late != "":
		return CodeTimes, late
	case !ok:
	case p.fitsWithITL():
	case !served && !possible:
		return CodeLatencies, misfit() + ", with the output length that was asked for"
	case served && !possible:
		return CodeTimes, misfit()
	case served && (r < leastConsistent || r > mostConsistent):
		return CodeLatencies, misfit()
	}
	return "", ""
}

// firstAfterLast says in words that requests end before their first token: their mean or median TTFT is so far above
// that of the end-to-end latency that no requests which one of the two leaves out explain it. It is empty where it is
// not, and where one is not recorded.
func (p *Point) firstAfterLast() string {
	first, all := p.Metrics[metric.TTFT], p.Metrics[metric.E2ELatency]
	for _, name := range []string{metric.Mean, metric.Median} {
		a, known := first.Get(name)
		b, both := all.Get(name)
		if known && both && b > 0 && a > mostPossible*b {
			return fmt.Sprintf("a %s TTFT of %s s is longer than a %[1]s end-to-end latency of %[3]s s", name, metric.Rough(a),
				metric.Rough(b))
		}
	}
	return ""
}

// AllFailed reports whether no request completed of those that were sent.
func (p *Point) AllFailed() bool {
	asked := cmp.Or(p.Submitted, p.Workload.NumPrompts)
	return p.Completed != nil && *p.Completed == 0 && (asked == nil || *asked > 0)
}

// fitsWithITL reports whether the times fit together with the gaps between pieces of text for the time of a
// token: a tool may leave requests out of one and not of the other.
func (p *Point) fitsWithITL() bool {
	itl, ok := p.Metrics[metric.ITL]
	if !ok || itl.Mean == nil {
		return false
	}
	q := *p
	q.Metrics = map[metric.ID]Stat{
		metric.TTFT: p.Metrics[metric.TTFT], metric.TPOT: itl, metric.E2ELatency: p.Metrics[metric.E2ELatency],
	}
	r, _, ok := q.Consistency()
	return ok && r >= leastConsistent && r <= mostConsistent
}

// moreThanContext is how much longer than the server's limit requests may seem to be: clients count tokens with a
// tokenizer of their own.
const moreThanContext = 1.05

// ContextMismatch says in words why requests of a point cannot have been as long as they are said to be: their mean
// is above the limit that the server was started with. It is empty where they can, and where one is not recorded.
func (r *Run) ContextMismatch(p *Point) string {
	in, out := p.Workload.Actual.Input, p.Workload.Actual.Output
	if in == nil {
		return ""
	}
	tokens := *in
	if out != nil {
		tokens += *out
	}
	for _, name := range []string{"max_model_len", "context_length", "max_seq_len"} {
		v, ok := r.Parameters[name]
		if !ok || v.Null() {
			continue
		}
		limit, err := strconv.ParseFloat(Plain(v.Value), 64)
		if err == nil && limit > 0 && tokens > moreThanContext*limit {
			return fmt.Sprintf("a request has %s tokens on average, %s of the server is %s",
				metric.Count(int64(math.Round(tokens))), name, metric.Count(int64(limit)))
		}
	}
	return ""
}

// The limits of [Point.Occupancy], which is known less well: clients count the time in a
// queue of their own in or not, and pause between the turns of a conversation. A request cannot
// last longer than the run; more requests than the load allows cannot be under way; and where the
// client sends the next request as soon as one ends, one is under way at all times.
const (
	mostOfRun       = 2     // latency / duration
	mostOfPlaces    = 50    // requests under way / places
	leastOfPlaces   = 0.005 // the same, of a client that keeps all places busy
	leastConcurrent = 1     // requests under way, of such a client
)

// UnitMismatch says in words why the latencies of a point cannot be in the unit they are taken for,
// seen against the time of the run. It is empty where they can.
func (p *Point) UnitMismatch() string {
	busy, latency, ok := p.Occupancy()
	if first := p.typical(metric.TTFT); !ok && first != nil && p.Duration != nil && *p.Duration > 0 &&
		*first > mostOfRun**p.Duration {
		return fmt.Sprintf("the first token takes %s s, the whole run %s s", metric.Rough(*first),
			metric.Rough(*p.Duration))
	}
	if !ok {
		return ""
	}
	if p.Duration != nil && latency > mostOfRun**p.Duration {
		return fmt.Sprintf("a request takes %s s, the whole run %s s", metric.Rough(latency), metric.Rough(*p.Duration))
	}
	c := p.Load.MaxConcurrency
	if c == nil || *c <= 0 {
		return ""
	}
	places := float64(*c)
	if p.Completed != nil {
		places = math.Min(places, float64(*p.Completed))
	}
	// A client that waits for requests that never come back keeps its places busy all the same.
	all := (p.Failed == nil || *p.Failed == 0) && (p.TimedOut == nil || *p.TimedOut == 0) &&
		(p.Completed == nil || p.Submitted == nil || *p.Completed >= *p.Submitted) &&
		(p.Completed == nil || p.Workload.NumPrompts == nil || *p.Completed >= *p.Workload.NumPrompts)
	closed := p.Load.Rate == nil || math.IsInf(float64(*p.Load.Rate), 1)
	if busy > mostOfPlaces*places || all && closed && busy < leastOfPlaces*places && busy < leastConcurrent {
		return fmt.Sprintf("so many requests a second that take %s s each keep %s places busy, not %d",
			metric.Rough(latency), metric.Rough(busy), *c)
	}
	return ""
}

// beyondUnits reports whether a request lasts so much longer than the run, or so many are under way, that latencies a
// thousand times too large do not explain it: the time of the run is as doubtful, and all that was divided by it.
func (p *Point) beyondUnits() bool {
	busy, latency, ok := p.Occupancy()
	if !ok {
		return false
	}
	c := p.Load.MaxConcurrency
	return p.Duration != nil && latency/1000 > mostOfRun**p.Duration ||
		c != nil && *c > 0 && busy/1000 > mostOfPlaces*float64(*c)
}

// The limits of a stated rate / the rate that counts and time give. Tools that leave out a beginning and an end, or
// count tokens of their own, stay well within. Rates are printed with two decimals.
const (
	leastRate, mostRate = 0.5, 2
	rateRounding        = 0.01
)

// RatesMismatch says in words why rates of a point cannot be what they are called: completed requests, or the tokens
// of those, by the time of the run, in which something took place; without that time, the tokens of a request at the
// stated requests a second. It holds the rates that do not fit; nil where all do, or what they are made of is not
// recorded. Zero is left as it is: it is what a tool says of a server that served nothing, and no rank is won by it.
func (p *Point) RatesMismatch() map[metric.ID]string {
	var out map[metric.ID]string // most points need none
	tell := func(m metric.ID, stated float64, but string) {
		if out == nil {
			out = map[metric.ID]string{}
		}
		info, _ := metric.Lookup(m)
		out[m] = fmt.Sprintf("%s is %s %s, and %s", info.Label, metric.Rough(stated), info.Unit, but)
	}
	hold := func(m metric.ID, want float64, of func() string) bool {
		stated := p.Metrics[m].Value
		if stated == nil || *stated == 0 || !(want > 0) || math.Abs(*stated-want) <= rateRounding {
			return true
		}
		if r := *stated / want; r >= leastRate && r <= mostRate {
			return true
		}
		tell(m, *stated, of()+" are "+metric.Rough(want))
		return false
	}
	if p.Duration != nil && *p.Duration == 0 {
		for _, m := range []metric.ID{metric.RequestThroughput, metric.InputThroughput, metric.OutputThroughput,
			metric.TotalThroughput} {
			if stated := p.Metrics[m].Value; stated != nil && *stated > 0 {
				tell(m, *stated, "the run took 0 s")
			}
		}
		return out
	}
	requests := p.Metrics[metric.RequestThroughput].Value
	timed := p.Completed != nil && p.Duration != nil && *p.Duration > 0
	if timed {
		hold(metric.RequestThroughput, float64(*p.Completed) / *p.Duration, func() string {
			return fmt.Sprintf("%s in %s s", metric.Plural(int(*p.Completed), "request"), metric.Rough(*p.Duration))
		})
	}
	sum := func(m metric.ID, each Number) (tokens float64, ok bool) {
		switch total := p.Metrics[m].Value; {
		case total != nil:
			return *total, true
		case each != nil && p.Completed != nil:
			return *each * float64(*p.Completed), true
		}
		return 0, false
	}
	in, knowsIn := sum(metric.InputTokens, p.Workload.Actual.Input)
	made, knowsMade := sum(metric.OutputTokens, p.Workload.Actual.Output)
	for _, r := range []struct {
		rate   metric.ID
		tokens float64
		known  bool
		each   Number
	}{
		{metric.InputThroughput, in, knowsIn, p.Workload.Actual.Input},
		{metric.OutputThroughput, made, knowsMade, p.Workload.Actual.Output},
		{metric.TotalThroughput, in + made, knowsIn && knowsMade, nil},
	} {
		switch {
		case p.Duration != nil && *p.Duration > 0 && r.known:
			hold(r.rate, r.tokens / *p.Duration, func() string {
				return fmt.Sprintf("%s tokens in %s s", metric.Count(int64(r.tokens)), metric.Rough(*p.Duration))
			})
		case requests != nil && r.each != nil && !timed:
			of := func() string {
				return fmt.Sprintf("%s requests a second of %s tokens", metric.Rough(*requests), metric.Rough(*r.each))
			}
			if !hold(r.rate, *requests**r.each, of) {
				out[metric.RequestThroughput] = out[r.rate]
			}
		}
	}
	return out
}

// ofRequests are the units of what requests have that completed.
var ofRequests = map[string]bool{metric.Seconds: true, metric.TokensPerSecond: true, metric.RequestsPerSecond: true}

// Suspects are the metrics of a point of the run that cannot be believed, with the code of the finding that says
// why; nil for most. What a person has acknowledged is none. Where the unit of a time is probably wrong all times
// are suspect, since nobody knows which one it is, and the rates too where no unit explains it.
func (r *Run) Suspects(p *Point) map[metric.ID]string {
	out := map[metric.ID]string{}
	add := func(m metric.ID, code string) {
		if !slices.Contains(r.Accept, code) {
			out[m] = code
		}
	}
	code, _ := p.TimesMismatch()
	times := map[metric.ID]bool{}
	if code == CodeTimes {
		_, _, ok := p.Consistency()
		late := p.firstAfterLast() != ""
		times = map[metric.ID]bool{metric.TTFT: ok || late, metric.TPOT: ok, metric.NTPOT: !ok && !late,
			metric.E2ELatency: true}
	}
	unit := code == CodeUnit || p.UnitMismatch() != ""
	beyond, rates := p.beyondUnits(), p.RatesMismatch()
	context, failed := r.ContextMismatch(p) != "", p.AllFailed()
	for m, s := range p.Metrics {
		info, _ := metric.Lookup(m)
		// A rate of zero is what a server that served nothing has.
		if failed && ofRequests[info.Unit] && (s.Value == nil || *s.Value != 0) {
			add(m, CodeAllFailed)
		}
		if times[m] {
			add(m, CodeTimes)
		}
		if unit && (info.Unit == "s" || m == metric.SpeedPerRequest) {
			add(m, CodeUnit)
		}
		if unit && beyond && info.Sums {
			add(m, CodeUnit)
		}
		if rates[m] != "" {
			add(m, CodeRates)
		}
		if context {
			add(m, CodeContext)
		}
		if len(s.Implausible()) > 0 {
			add(m, CodeImplausible)
		}
	}
	if len(out) == 0 {
		return nil
	}
	return out
}
