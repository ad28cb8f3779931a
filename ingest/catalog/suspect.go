package catalog

import (
	"fmt"
	"math"

	"github.com/inferdex/inferdex/ingest/metric"
)

// Codes of findings that say of single numbers that they cannot be believed.
const (
	CodeImplausible = "implausible"    // statistics that cannot be
	CodeUnit        = "unit-suspected" // times differ as seconds and milliseconds do
	// CodeMemory says it of all numbers of a run: its model, or what it kept of it, does not fit the recorded
	// accelerators. It needs data/names, so that no catalog stores it.
	CodeMemory = "memory-impossible"
)

// The limits of [Point.Consistency] beyond which a time is in the wrong unit: it is wrong by a thousand.
const LeastUnit, MostUnit = 0.02, 50

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

// Suspects are the metrics of the point that cannot be believed, with the code of the finding that says
// why; nil for most. Where the unit of a time is probably wrong all times are suspect, since nobody knows
// which one it is.
func (p *Point) Suspects() map[metric.ID]string {
	var out map[metric.ID]string
	add := func(m metric.ID, code string) {
		if out == nil {
			out = map[metric.ID]string{}
		}
		out[m] = code
	}
	r, _, ok := p.Consistency()
	if !ok {
		r, _, ok = p.NormalizedConsistency()
	}
	unit := ok && (r < LeastUnit || r > MostUnit) || p.UnitMismatch() != ""
	for m, s := range p.Metrics {
		switch info, _ := metric.Lookup(m); {
		case len(s.Implausible()) > 0:
			add(m, CodeImplausible)
		case unit && (info.Unit == "s" || m == metric.SpeedPerRequest):
			add(m, CodeUnit)
		}
	}
	return out
}
