package claim

import (
	"cmp"
	"slices"

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
	runs := r.Card.Runs // those of its engine stand together, the highest version first
	for _, o := range runs[slices.Index(runs, r)+1:] {
		switch {
		case o.Withdrawn != "" || o.Engine.Slug != r.Engine.Slug:
			return nil
		case o.Engine.Version == "" || settings.CompareVersions(o.Engine.Version, r.Engine.Version) >= 0:
			continue
		}
		if _, ok := meet(r, o); ok {
			return o
		}
	}
	return nil
}

// Version: how the output throughput stands to that of the previous version of the engine on the same card, at one
// load of a workload that both have.
type Version struct {
	Here  Operand `json:"here"`
	There Operand `json:"there"`
	// Difference has the medians and what may be claimed of them: A is this run's.
	Difference compare.Difference `json:"difference"`
	// Amber says that Cautions, which hold of the workload, are about what was measured.
	Amber    bool     `json:"amber,omitempty"`
	Cautions []string `json:"cautions,omitempty"`
	// Called is what the text calls the other version.
	Called string `json:"called"`
	load   float64
}

// meet finds where a sentence compares the output throughput of two runs: of the workloads they
// share the one with the most common loads, of equals the one in which this run gives most, and
// there the common load at which it does. ok is false where they share none.
func meet(r, o *figure.Run) (best Version, ok bool) {
	most := 0
	for _, m := range compare.Matches(r, o) {
		var here Version
		loads := 0
		for _, l := range compare.SharedLoads(m.A, m.B) {
			sample := func(s *figure.Scenario) []float64 {
				return figure.Samples(s.AllAt(l), metric.OutputThroughput, "central")
			}
			d, has := compare.Differ(metric.OutputThroughput, "central", sample(m.A), sample(m.B))
			if !has || d.A.Median <= 0 || d.B.Median <= 0 {
				continue
			}
			loads++
			if here.Here.Run == nil || d.A.Median > here.Difference.A.Median {
				here = Version{
					Here:       Operand{r, m.A, m.A.At(l), metric.OutputThroughput, "central", d.A.Median},
					There:      Operand{o, m.B, m.B.At(l), metric.OutputThroughput, "central", d.B.Median},
					Difference: d, Amber: m.Amber, Cautions: m.Cautions, Called: o.EngineName(), load: l,
				}
			}
		}
		if loads > most || loads == most && loads > 0 && here.Difference.A.Median > best.Difference.A.Median {
			best, most, ok = here, loads, true
		}
	}
	return best, ok
}

func (c Version) head() (Kind, bool) { return KindVersion, c.Amber }

// version compares with an earlier version where nothing else is known to differ: arguments, topology, driver. It says
// nothing where the runs before this one, if they are enough for levels, say otherwise than the two alone.
func version(r *figure.Run, known *compare.Arguments) []Claim {
	o := PreviousVersion(r)
	if o == nil {
		return nil
	}
	if known == nil {
		known = compare.NewArguments(nil, []*figure.Run{r, o})
	}
	if len(known.Besides(r, o)) > 0 {
		return nil
	}
	m, _ := meet(r, o)
	moved, ok := compare.Moved(o, r, m.Here.Scenario.Class, m.load, metric.OutputThroughput, "central")
	if ok && moved != direction(m.Difference) {
		return nil
	}
	return []Claim{m}
}

func (c Version) write(s *sentence) {
	here, there := metric.Format(c.Difference.A.Median), metric.Format(c.Difference.B.Median)
	s.say("Against %s, with %s %s, output throughput is ", c.Called, c.Here.Scenario.Title,
		figure.LoadPhrase(c.Here.Point)).
		say("%s: ", changeWords(c.Difference)).cite(c.Here, "%s tok/s", here).say(" against ").cite(c.There, "%s",
		there)
	caution := ""
	if c.Amber {
		caution = "; " + c.Cautions[0]
	}
	s.say(" (%s%s).", c.Difference.Words(), caution)
}

// direction is 1 where a is more than b, −1 where it is less, 0 where they are the same or not distinguishable.
func direction(d compare.Difference) int {
	if d.Certainty == compare.NotDistinguishable {
		return 0
	}
	return cmp.Compare(d.A.Median, d.B.Median)
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
