package claim

import (
	"math"

	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
)

// Pace: up to this rate a server completes at least nine tenths of the requests that are asked of it a second.
type Pace struct {
	// At is the request throughput at the highest rate up to which it is so, Share the same divided by that rate.
	At    Operand `json:"at"`
	Share float64 `json:"share"`
	// Beyond is the request throughput at the next rate, BeyondShare its part of that rate; nil and 0 where At is of
	// the largest rate measured.
	Beyond      *Operand `json:"beyond,omitempty"`
	BeyondShare float64  `json:"beyond_share,omitempty"`
}

func (Pace) head() (Kind, bool) { return KindPace, false }

// keepsPace is the part of a rate that is completed by a server which keeps up with it. It is not the whole: the time
// of a measurement ends with its last answer, so even an idle server completes fewer a second than were sent.
const keepsPace = 0.9 // "nine tenths"

// pace says it of the main workload, by request rate and with two rates or more.
func pace(r *figure.Run) []Claim {
	sc := mainScenario(r)
	if sc == nil || sc.Axis != record.AxisRate {
		return nil
	}
	var c Pace
	rates := 0
	for _, p := range sc.Points {
		done, rate := central(r, sc, p, metric.RequestThroughput), figure.LoadOf(p)
		if done.Stat == "" || rate <= 0 || math.IsInf(rate, 1) {
			continue
		}
		rates++
		share := metric.Round12(done.Value / rate)
		switch {
		case c.Beyond != nil:
		case share >= keepsPace:
			c.At, c.Share = done, share
		default:
			c.Beyond, c.BeyondShare = &done, share
		}
	}
	if rates < 2 || c.At.Run == nil {
		return nil
	}
	return []Claim{c}
}

func (c Pace) write(s *sentence) {
	s.say("With %s, the server completes at least nine tenths of each request rate up to %s", c.At.Scenario.Title,
		figure.LoadNoun(c.At.Point))
	if c.Beyond == nil {
		s.say(", the largest measured")
	}
	s.say(": ").cite(c.At, "%s a second", metric.Format(c.At.Value)).
		say(", %s", metric.Percent(c.Share))
	if c.Beyond != nil {
		s.say("; of %s it completes ", figure.LoadNoun(c.Beyond.Point)).
			cite(*c.Beyond, "%s", metric.Format(c.Beyond.Value)).say(", %s", metric.Percent(c.BeyondShare))
	}
	s.say(".")
}
