package figure

import (
	"fmt"
	"slices"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/settings"
)

// PreviousVersion is the newest run on the same card of the highest earlier version of the same
// engine that shares a workload with this one; nil where there is none.
func (r *Run) PreviousVersion() *Run {
	if r.Card == nil || r.Withdrawn != "" || r.Engine.Version == "" {
		return nil
	}
	var best *Run
	for _, o := range r.Card.Runs {
		if o.Withdrawn != "" || o.Engine.Slug != r.Engine.Slug || o.Engine.Version == "" ||
			settings.CompareVersions(o.Engine.Version, r.Engine.Version) >= 0 {
			continue
		}
		if _, ok := r.meet(o); !ok {
			continue
		}
		if best == nil {
			best = o
			continue
		}
		if d := settings.CompareVersions(o.Engine.Version, best.Engine.Version); d > 0 || d == 0 && newestFirst(o, best) < 0 {
			best = o
		}
	}
	return best
}

// meeting is the one place at which two runs are held against each other in a sentence.
type meeting struct {
	Match
	// difference is of output throughput, A is this run's.
	difference Difference
	a, b       *catalog.Point
}

// meet finds where a sentence compares the output throughput of two runs: of the workloads they
// share the one with the most common loads, of equals the one in which this run gives most, and
// there the common load at which it does. ok is false where they share none.
func (r *Run) meet(o *Run) (best meeting, ok bool) {
	most := 0
	for _, m := range matches(r, o) {
		var here meeting
		loads := 0
		for _, l := range SharedLoads(m.A, m.B) {
			as, bs := m.A.AllAt(l), m.B.AllAt(l)
			d, has := Differ(metric.OutputThroughput, "central", Samples(as, metric.OutputThroughput, "central"), Samples(bs, metric.OutputThroughput, "central"))
			if !has || d.A.Median <= 0 || d.B.Median <= 0 {
				continue
			}
			loads++
			if here.a == nil || d.A.Median > here.difference.A.Median {
				here = meeting{Match: m, difference: d, a: with(as), b: with(bs)}
			}
		}
		if loads > most || loads == most && loads > 0 && here.difference.A.Median > best.difference.A.Median {
			best, most, ok = here, loads, true
		}
	}
	return best, ok
}

// with is the first of the points that has an output throughput.
func with(ps []*catalog.Point) *catalog.Point {
	i := slices.IndexFunc(ps, func(p *catalog.Point) bool { _, _, ok := Central(p, metric.OutputThroughput); return ok })
	return ps[i]
}

// caution is what a compared workload needs to be told, in brackets.
func (m meeting) caution() string {
	if m.Amber {
		return "; " + m.Cautions[0]
	}
	return ""
}

// againstPrevious compares with the previous engine version on the same card.
func (r *Run) againstPrevious(add adder) {
	o := r.PreviousVersion()
	if o == nil {
		return
	}
	m, _ := r.meet(o)
	d := m.difference
	here, there := numbers(d.A.Median, d.B.Median)
	s := new(sentence).say("Against %s, with %s %s, output throughput is ", engineName(o), m.A.Title, loadPhrase(m.a))
	s.say("%s: ", changeWords(d)).cite(m.A, m.a, "%s tok/s", here).say(" against ").citeOf(o, m.B, m.b, "%s", there)
	add("Version", m.Amber, s.say(" (%s%s).", d.Words(), m.caution()))
}

// changeWords says how a's median stands to b's: "5.2 % higher", "the same", and no more than
// "not distinguishable" where the samples do not tell them apart.
func changeWords(d Difference) string {
	if d.Certainty == NotDistinguishable {
		return "not distinguishable"
	}
	change := metric.Round12((d.A.Median - d.B.Median) / d.B.Median)
	switch {
	case change == 0:
		return "the same"
	case change > 0:
		return percent(change) + " higher"
	}
	return percent(-change) + " lower"
}

func engineName(r *Run) string {
	if r.Engine.Version == "" {
		return r.Engine.Name
	}
	return fmt.Sprintf("%s %s", r.Engine.Name, r.Engine.Version)
}

// againstHardware compares with the best other hardware of the same model under the same
// workload: the one with the highest throughput at a load that both were measured at. Of each
// card the newest run of this run's engine version speaks, else the newest that shares a workload.
func (r *Run) againstHardware(add adder) {
	if r.Card == nil || r.Card.of == nil || r.Withdrawn != "" {
		return
	}
	var best *Run
	var at meeting
	others := 0
	for _, c := range r.Card.of.Cards {
		if c == r.Card || c.Hardware.Accelerator.Slug == settings.NotRecorded {
			continue
		}
		if o, m, ok := r.speaker(c); ok {
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
	case d.Certainty != NotDistinguishable && d.Delta < 0:
		s.say("None of %d other hardware configurations measured with this workload gives more; %s comes nearest: ", others, name)
	default:
		s.say("Of %d other hardware configurations measured with this workload, %s gives most: ", others, name)
	}
	s.citeOf(best, at.B, at.b, "%s tok/s", there).say(" against ").cite(at.A, at.a, "%s", here).
		say(" here, %s with %s", loadPhrase(at.a), at.A.Title)
	switch {
	case d.Certainty == NotDistinguishable:
	case d.Ratio != nil && *d.Ratio >= 1.995:
		s.say(", %s", metric.Ratio(*d.Ratio))
	case d.Change != nil && *d.Change > 0:
		s.say(", %s more", percent(*d.Change))
	case d.Change != nil && *d.Change < 0:
		s.say(", %s less", percent(-*d.Change))
	}
	if a, ok := r.PerAccelerator(at.a); ok && best.Hardware.Count != r.Hardware.Count {
		if b, ok := best.PerAccelerator(at.b); ok {
			x, y := numbers(a, b)
			s.say("; an accelerator, ").citeOf(best, at.B, at.b, "%s", y).say(" against ").cite(at.A, at.a, "%s", x)
		}
	}
	if engineName(best) != engineName(r) {
		s.say("; engines differ: %s there, %s here", engineWords(best), engineWords(r))
	}
	add("Hardware", at.Amber, s.say(" (%s%s).", d.Words(), at.caution()))
}

// speaker is the run of another card that this run is held against.
func (r *Run) speaker(c *Card) (o *Run, m meeting, ok bool) {
	for _, sameVersion := range []bool{true, false} {
		for _, o := range c.Runs {
			same := o.Engine.Slug == r.Engine.Slug && o.Engine.Version == r.Engine.Version
			if o.Withdrawn != "" || sameVersion && !same {
				continue
			}
			if m, ok := r.meet(o); ok {
				return o, m, true
			}
		}
	}
	return nil, meeting{}, false
}

func ratioOf(m meeting) float64 { return m.difference.B.Median / m.difference.A.Median }

func engineWords(r *Run) string {
	if n := engineName(r); n != "" {
		return n
	}
	return "not recorded"
}
