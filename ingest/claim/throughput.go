package claim

import (
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
	s.say("Output throughput peaks at ").cite(c.At, "%s tok/s", number(c.At.Value)).
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
		cite(c.At, "%s tok/s", number(c.At.Value)).say(", %s of the peak.", figure.PercentText(c.Share))
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
