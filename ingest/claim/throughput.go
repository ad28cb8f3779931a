package claim

import (
	"math"
	"strings"

	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
)

// SweetSpot: of the loads that keep the limits, or of all where AllPass is set because none does, this one has
// the highest output throughput a user.
type SweetSpot struct {
	// At is the output throughput, PerUser the same divided by the load.
	At      Operand `json:"at"`
	PerUser float64 `json:"per_user"`
	AllPass bool    `json:"none_keeps_limits"`
	// TTFTLimit and TPOTLimit are twice the smallest p99 of the workload, in seconds.
	TTFTLimit float64 `json:"ttft_limit"`
	TPOTLimit float64 `json:"tpot_limit"`
}

func (SweetSpot) head() (Kind, bool) { return KindSweetSpot, false }

func sweetSpot(r *figure.Run) []Claim {
	sw, sc, ok := r.SweetSpot()
	if !ok {
		return nil
	}
	at := operand(r, sc, sw.Point, metric.OutputThroughput, metric.Value)
	return []Claim{SweetSpot{at, sw.PerUser, sw.AllPass, sw.TTFTLimit, sw.TPOTLimit}}
}

func (c SweetSpot) write(s *sentence) {
	s.say("With %s, ", c.At.Scenario.Title)
	if c.AllPass {
		s.say("no load keeps TTFT p99 and TPOT p99 within twice their minima; of all loads, ").
			cite(c.At, "%s", figure.LoadNoun(c.At.Point)).say(" serve each user fastest: ")
	} else {
		s.cite(c.At, "%s", figure.LoadNoun(c.At.Point)).
			say(" serve each user fastest while TTFT p99 and TPOT p99 stay within twice their minima: ")
	}
	s.cite(c.At, "%s tok/s a user", metric.Format(c.PerUser)).say(".")
}

// Peak: no load of the workload has a higher output throughput, and no smaller one the same.
type Peak struct {
	At Operand `json:"at"`
	// Prompts is how many were sent where that is fewer than the concurrency; 0 otherwise.
	Prompts int64 `json:"prompts,omitempty"`
	// Rising says that it is the largest of several loads: the maximum may lie beyond.
	Rising bool `json:"rising,omitempty"`
}

func (c Peak) head() (Kind, bool) { return KindPeak, c.Prompts > 0 }

// mainScenario is the scenario with the most loads, of equals the one with the highest peak.
func mainScenario(r *figure.Run) *figure.Scenario {
	var best *figure.Scenario
	var bestPeak float64
	for _, s := range r.Scenarios {
		_, v, ok := s.Peak(metric.OutputThroughput)
		if !ok || len(s.Loads()) < 2 {
			continue
		}
		if best == nil || len(s.Loads()) > len(best.Loads()) || len(s.Loads()) == len(best.Loads()) && v > bestPeak {
			best, bestPeak = s, v
		}
	}
	return best
}

// peak gives the peak, the knee and the scaling efficiency of the main scenario.
func peak(r *figure.Run) []Claim {
	sc := mainScenario(r)
	if sc == nil {
		return nil
	}
	top, _, ok := sc.Peak(metric.OutputThroughput)
	if !ok {
		return nil
	}
	p := Peak{At: central(r, sc, top, metric.OutputThroughput), Rising: sc.StillRising(metric.OutputThroughput)}
	if n, above := figure.AboveNumPrompts(top); above {
		p.Prompts = n
	}
	claims := []Claim{p}
	target := p.At
	if knee, share, ok := sc.Knee(metric.OutputThroughput); ok && knee != top {
		target = central(r, sc, knee, metric.OutputThroughput)
		claims = append(claims, Knee{target, p.At, share})
	}
	if e, c0, ok := sc.Scaling(target.Point); ok && sc.Axis == record.AxisConcurrency {
		claims = append(claims, Scaling{target, operand(r, sc, c0, metric.OutputThroughput, metric.Value), e})
	}
	return claims
}

func (c Peak) write(s *sentence) {
	s.say("Output throughput peaks at ").cite(c.At, "%s tok/s", metric.Format(c.At.Value)).
		say("%s with %s", afterwards(c.At), c.At.Scenario.Title)
	switch {
	case c.Prompts > 0:
		n := metric.Count(c.Prompts)
		s.say("; only %s prompts were sent, so no more than %s ran at once", n, n)
	case c.Rising:
		s.say(", the largest load measured: the maximum may lie beyond")
	}
	s.say(".")
}

// Knee: the smallest load with at least 95 % of the peak, where that is another one.
type Knee struct {
	At   Operand `json:"at"`
	Peak Operand `json:"peak"`
	// Share is At / Peak.
	Share float64 `json:"share"`
}

func (Knee) head() (Kind, bool) { return KindKnee, false }

func (c Knee) write(s *sentence) {
	s.say("With %s, %s already give ", c.At.Scenario.Title, figure.LoadNoun(c.At.Point)).
		cite(c.At, "%s tok/s", metric.Format(c.At.Value)).say(", %s of the peak.", figure.PercentText(c.Share))
}

// Scaling: how the output throughput at a load stands to that at the smallest load.
type Scaling struct {
	At   Operand `json:"at"`
	From Operand `json:"from"`
	// Efficiency is the ratio of throughputs / the ratio of loads.
	Efficiency float64 `json:"efficiency"`
}

func (Scaling) head() (Kind, bool) { return KindScaling, false }

func (c Scaling) write(s *sentence) {
	rose := metric.Round12(c.Efficiency * c.At.load() / c.From.load())
	s.say("With %s, scaling efficiency at %s is ", c.At.Scenario.Title, figure.LoadNoun(c.At.Point)).
		cite(c.At, "%s", figure.PercentText(c.Efficiency)).say(" against ").cite(c.From, "%s",
		figure.LoadText(c.From.Point)).
		say(": throughput rose %s while the load rose %s.", metric.Ratio(rose),
			metric.Exact(metric.Round12(c.At.load()/c.From.load()))+"×")
}

// Drop: from one load to the next larger one output throughput falls by at least a fifth, and no step of any
// workload of the run falls by more. All requests at once are no next load.
type Drop struct {
	From Operand `json:"from"`
	To   Operand `json:"to"`
	// Fall is (From - To) / From.
	Fall float64 `json:"fall"`
	// Others is how many further workloads have such a step.
	Others int `json:"others,omitempty"`
}

func (Drop) head() (Kind, bool) { return KindDrop, false }

// leastDrop is the fall of throughput between two loads that is said.
const leastDrop = 0.2

func drop(r *figure.Run) []Claim {
	var c Drop
	workloads := 0
	for _, sc := range r.Scenarios {
		most, from, to := sc.Drop(metric.OutputThroughput)
		if most < leastDrop {
			continue
		}
		if workloads++; most > c.Fall {
			c.Fall = most
			c.From = central(r, sc, from, metric.OutputThroughput)
			c.To = central(r, sc, to, metric.OutputThroughput)
		}
	}
	if workloads == 0 {
		return nil
	}
	c.Others = workloads - 1
	return []Claim{c}
}

func (c Drop) write(s *sentence) {
	s.say("With %s, output throughput falls by ", c.From.Scenario.Title).cite(c.To, "%s", figure.PercentText(c.Fall)).
		say(" from %s to %s: from ", figure.LoadText(c.From.Point), figure.LoadNoun(c.To.Point)).
		cite(c.From, "%s", metric.Format(c.From.Value)).say(" to ").
		cite(c.To, "%s tok/s", metric.Format(c.To.Value))
	if c.Others > 0 {
		s.say("; it falls by a fifth or more in %s", metric.Plural(c.Others, "more workload"))
	}
	s.say(".")
}

// KeptSpeed: up to which load the median request of the main workload gets a speed, time to first token included; and
// the workload of which it does at the smallest load alone.
type KeptSpeed struct {
	// At is the speed at the highest load that keeps it, or at the smallest one where None says that none does.
	At   Operand `json:"at"`
	None bool    `json:"none,omitempty"`
	// Largest says that it is the largest load measured.
	Largest bool    `json:"largest,omitempty"`
	Limit   float64 `json:"limit"` // tok/s
}

func (KeptSpeed) head() (Kind, bool) { return KindKept, false }

// readable is the speed in tok/s that readers of an answer want.
const readable = 20

// keptSpeed says it of the main workload, by concurrency and with two loads or more.
func keptSpeed(r *figure.Run) []Claim {
	sc := mainScenario(r)
	if sc == nil || sc.Axis != record.AxisConcurrency {
		return nil
	}
	load, largest, ok := sc.KeepsSpeed(readable)
	if !ok || math.IsInf(load, 1) {
		return nil
	}
	c := KeptSpeed{None: load == 0, Largest: largest, Limit: readable}
	at := sc.At(load)
	if c.None {
		for _, p := range sc.Points {
			if _, has := figure.Get(p, metric.SpeedPerRequest, metric.Median); has {
				at = p
				break
			}
		}
	}
	c.At = operand(r, sc, at, metric.SpeedPerRequest, metric.Median)
	return []Claim{c}
}

func (c KeptSpeed) write(s *sentence) {
	limit := metric.Exact(c.Limit)
	if c.None {
		s.say("With %s, a median request gets %s tok/s at no load measured: ", c.At.Scenario.Title, limit).
			cite(c.At, "%s tok/s", metric.Format(c.At.Value)).say("%s, time to first token included.",
			strings.TrimSuffix(afterwards(c.At), ","))
		return
	}
	s.say("With %s, a median request gets at least %s tok/s, time to first token included, up to ",
		c.At.Scenario.Title, limit).cite(c.At, "%s", figure.LoadNoun(c.At.Point))
	if c.Largest {
		s.say(", the largest load measured")
	}
	s.say(".")
}
