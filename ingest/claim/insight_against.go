package claim

import (
	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/compare"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/settings"
)

// PreviousVersion is the newest run on the same card of the highest earlier version of the same
// engine that shares a workload with this one; nil where there is none.
func PreviousVersion(r *figure.Run) *figure.Run {
	if r.Card == nil || r.Withdrawn != "" || r.Engine.Version == "" {
		return nil
	}
	var best *figure.Run
	for _, o := range r.Card.Runs {
		if o.Withdrawn != "" || o.Engine.Slug != r.Engine.Slug || o.Engine.Version == "" ||
			settings.CompareVersions(o.Engine.Version, r.Engine.Version) >= 0 {
			continue
		}
		if _, ok := meet(r, o); !ok {
			continue
		}
		if best == nil {
			best = o
			continue
		}
		if d := settings.CompareVersions(o.Engine.Version, best.Engine.Version); d > 0 || d == 0 && figure.NewestFirst(o, best) < 0 {
			best = o
		}
	}
	return best
}

// meeting is the one place at which two runs are held against each other in a sentence.
type meeting struct {
	compare.Match
	// difference is of output throughput, A is this run's.
	difference compare.Difference
	a, b       *catalog.Point
}

// meet finds where a sentence compares the output throughput of two runs: of the workloads they
// share the one with the most common loads, of equals the one in which this run gives most, and
// there the common load at which it does. ok is false where they share none.
func meet(r, o *figure.Run) (best meeting, ok bool) {
	most := 0
	for _, m := range compare.Matches(r, o) {
		var here meeting
		loads := 0
		for _, l := range compare.SharedLoads(m.A, m.B) {
			as, bs := m.A.AllAt(l), m.B.AllAt(l)
			d, has := compare.Differ(metric.OutputThroughput, "central", figure.Samples(as, metric.OutputThroughput, "central"), figure.Samples(bs, metric.OutputThroughput, "central"))
			if !has || d.A.Median <= 0 || d.B.Median <= 0 {
				continue
			}
			loads++
			if here.a == nil || d.A.Median > here.difference.A.Median {
				here = meeting{Match: m, difference: d, a: m.A.At(l), b: m.B.At(l)}
			}
		}
		if loads > most || loads == most && loads > 0 && here.difference.A.Median > best.difference.A.Median {
			best, most, ok = here, loads, true
		}
	}
	return best, ok
}

// caution is what a compared workload needs to be told, in brackets.
func (m meeting) caution() string {
	if m.Amber {
		return "; " + m.Cautions[0]
	}
	return ""
}

// againstPrevious compares with the previous engine version on the same card.
func againstPrevious(r *figure.Run, add adder) {
	o := PreviousVersion(r)
	if o == nil {
		return
	}
	m, _ := meet(r, o)
	d := m.difference
	here, there := numbers(d.A.Median, d.B.Median)
	s := new(sentence).say("Against %s, with %s %s, output throughput is ", o.EngineName(), m.A.Title, figure.LoadPhrase(m.a))
	s.say("%s: ", changeWords(d)).cite(m.A, m.a, "%s tok/s", here).say(" against ").citeOf(o, m.B, m.b, "%s", there)
	add("Version", m.Amber, s.say(" (%s%s).", d.Words(), m.caution()))
}

// changeWords says how a's median stands to b's: "5.2 % higher", "the same", and no more than
// "not distinguishable" where the samples do not tell them apart.
func changeWords(d compare.Difference) string {
	if d.Certainty == compare.NotDistinguishable {
		return "not distinguishable"
	}
	change := metric.Round12((d.A.Median - d.B.Median) / d.B.Median)
	switch {
	case change == 0:
		return "the same"
	case change > 0:
		return figure.PercentText(change) + " higher"
	}
	return figure.PercentText(-change) + " lower"
}

// againstHardware compares with the best other hardware of the same model under the same
// workload: the one with the highest throughput at a load that both were measured at. Of each
// card the newest run of this run's engine version speaks, else the newest that shares a workload.
func againstHardware(r *figure.Run, add adder) {
	if r.Card == nil || r.Withdrawn != "" {
		return
	}
	var best *figure.Run
	var at meeting
	others := 0
	for _, c := range r.Card.OfModel() {
		if c == r.Card || c.Hardware.Accelerator.Slug == settings.NotRecorded {
			continue
		}
		if o, m, ok := speaker(r, c); ok {
			others++
			if best == nil || ratioOf(m) > ratioOf(at) {
				best, at = o, m
			}
		}
	}
	if best == nil {
		return
	}
	d := at.difference
	here, there := numbers(d.A.Median, d.B.Median)
	s := new(sentence)
	name := best.Card.Hardware.Name
	switch {
	case others == 1:
		s.say("The only other hardware measured with this workload, %s, gives ", name)
	case d.Certainty != compare.NotDistinguishable && d.Delta < 0:
		s.say("None of %d other hardware configurations measured with this workload gives more; %s comes nearest: ", others, name)
	default:
		s.say("Of %d other hardware configurations measured with this workload, %s gives most: ", others, name)
	}
	s.citeOf(best, at.B, at.b, "%s tok/s", there).say(" against ").cite(at.A, at.a, "%s", here).
		say(" here, %s with %s", figure.LoadPhrase(at.a), at.A.Title)
	switch {
	case d.Certainty == compare.NotDistinguishable:
	case d.Ratio != nil && *d.Ratio >= 1.995:
		s.say(", %s", metric.Ratio(*d.Ratio))
	case d.Change != nil && *d.Change > 0:
		s.say(", %s more", figure.PercentText(*d.Change))
	case d.Change != nil && *d.Change < 0:
		s.say(", %s less", figure.PercentText(-*d.Change))
	}
	if a, ok := r.PerAccelerator(at.a); ok && best.Hardware.Count != r.Hardware.Count {
		if b, ok := best.PerAccelerator(at.b); ok {
			x, y := numbers(a, b)
			s.say("; an accelerator, ").citeOf(best, at.B, at.b, "%s", y).say(" against ").cite(at.A, at.a, "%s", x)
		}
	}
	if best.EngineName() != r.EngineName() {
		s.say("; engines differ: %s there, %s here", engineWords(best), engineWords(r))
	}
	add("Hardware", at.Amber, s.say(" (%s%s).", d.Words(), at.caution()))
}

// speaker is the run of another card that this run is held against.
func speaker(r *figure.Run, c *figure.Card) (o *figure.Run, m meeting, ok bool) {
	for _, sameVersion := range []bool{true, false} {
		for _, o := range c.Runs {
			same := o.Engine.Slug == r.Engine.Slug && o.Engine.Version == r.Engine.Version
			if o.Withdrawn != "" || sameVersion && !same {
				continue
			}
			if m, ok := meet(r, o); ok {
				return o, m, true
			}
		}
	}
	return nil, meeting{}, false
}

func ratioOf(m meeting) float64 { return m.difference.B.Median / m.difference.A.Median }

func engineWords(r *figure.Run) string {
	if n := r.EngineName(); n != "" {
		return n
	}
	return "not recorded"
}
