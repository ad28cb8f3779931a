package claim

import (
	"cmp"
	"slices"

	"github.com/inferdex/inferdex/ingest/compare"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
)

// hardware compares with the best other hardware of the same model by output throughput, of each accelerator where
// their numbers differ: at one load of one workload, that at which most other hardware was measured as well. Of
// each card the best of this run's engine version at that load speaks, else that of the newest version that has the load. A run that records
// its number of accelerators is not held against one that does not.
func hardware(r *figure.Run) []Claim {
	if r.Card == nil || r.Withdrawn != "" {
		return nil
	}
	here, others := rivals(r)
	if len(others) == 0 {
		return nil
	}
	// Of machines whose numbers nobody recorded, as of two kinds in one, no figure is of each accelerator.
	byEach := !r.Hardware.CountAssumed &&
		slices.ContainsFunc(others, func(o rival) bool { return o.run.Hardware.Count != r.Hardware.Count })
	for i, o := range others {
		others[i].gives = o.number(byEach).Is()
	}
	slices.SortStableFunc(others, func(a, b rival) int { return cmp.Compare(b.gives, a.gives) })
	return []Claim{against(here, others, byEach)}
}

// rival is a run on other hardware at the place where this run is held against it.
type rival struct {
	run     *figure.Run
	a, b    *figure.Scenario // the workload of this run, and its equal of the other
	load    float64
	samples []float64 // output throughput
	median  float64
	gives   float64 // what others are sorted by: the median, of each accelerator or in all
}

// number is the output throughput, of each accelerator or in all.
func (o rival) number(byEach bool) Number {
	n := Number{Operand: Operand{o.run, o.b, o.b.At(o.load), metric.OutputThroughput, "central", o.median},
		Called: o.run.Card.Hardware.Name}
	if byEach {
		n.Over = o.run.Hardware.Count
	}
	return n
}

// newRival is ok where a run has the output throughput at a load of a workload that another run shares.
func newRival(o *figure.Run, a, b *figure.Scenario, load float64) (rival, bool) {
	vs := figure.Samples(b.AllAt(load), metric.OutputThroughput, "central")
	x := rival{run: o, a: a, b: b, load: load, samples: vs, median: figure.Summarize(vs).Median}
	return x, len(vs) > 0 && x.median > 0
}

// rivals are the runs of other cards of the model at one load of a workload of this run, one a card: the load that
// most cards have, of equals the one at which this run gives most. here is this run there.
func rivals(r *figure.Run) (here rival, others []rival) {
	type place struct {
		of   *figure.Scenario
		load float64
	}
	found := map[place][]rival{}
	var order []place
	places := 0
	for _, s := range r.Scenarios {
		places += len(s.Loads())
	}
	for _, card := range r.Card.OfModel() {
		if card == r.Card {
			continue
		}
		spoken := map[place]bool{}
		for _, version := range speakers(r, card) {
			if len(spoken) == places { // no older version has anything to add
				break
			}
			best := map[place]rival{}
			for _, o := range version {
				for _, e := range compare.Equals(r, o) {
					for _, l := range compare.SharedLoads(e[0], e[1]) {
						at := place{e[0], l}
						x, ok := newRival(o, e[0], e[1], l)
						if !ok || spoken[at] || best[at].run != nil && x.median <= best[at].median {
							continue
						}
						if found[at] == nil {
							order, found[at] = append(order, at), []rival{}
						}
						best[at] = x
					}
				}
			}
			for at, x := range best {
				spoken[at], found[at] = true, append(found[at], x)
			}
		}
	}
	for _, at := range order {
		own, ok := newRival(r, at.of, at.of, at.load)
		if d := len(found[at]) - len(others); ok && (d > 0 || d == 0 && own.median > here.median) {
			here, others = own, found[at]
		}
	}
	return here, others
}

// speakers are the runs of a card by version, in the order in which versions speak for it: that of a run, then the
// newest. Where the run records its number of accelerators they do, and else they do not.
func speakers(r *figure.Run, c *figure.Card) (out [][]*figure.Run) {
	runs := slices.DeleteFunc(slices.Clone(figure.Active(c.Runs)),
		func(o *figure.Run) bool { return o.Hardware.CountAssumed != r.Hardware.CountAssumed })
	same := func(a, b *figure.Run) bool {
		return a.Engine.Slug == b.Engine.Slug && a.Engine.Version == b.Engine.Version
	}
	own := slices.DeleteFunc(slices.Clone(runs), func(o *figure.Run) bool { return !same(o, r) })
	if len(own) > 0 {
		out = append(out, figure.Current(own))
	}
	for _, first := range runs {
		if same(first, r) || slices.ContainsFunc(out, func(v []*figure.Run) bool { return same(v[0], first) }) {
			continue
		}
		out = append(out, figure.Current(slices.DeleteFunc(slices.Clone(runs),
			func(o *figure.Run) bool { return !same(o, first) })))
	}
	return out
}

// against says how the best of some other hardware, which stands first, stands to a run.
func against(here rival, others []rival, byEach bool) *Stated {
	c := State(KindHardware)
	own := c.Of(here.number(byEach))
	all := []Ref{own}
	for _, x := range others {
		all = append(all, c.Of(x.number(byEach)))
	}
	o, there := others[0], all[1]
	if len(others) > 1 {
		c.Is(Ranked, all[1:]...)
	}
	c.Is(Together, all...).Makes(Configurations, float64(len(others)), all...)
	d, _ := compare.Differ(metric.OutputThroughput, "central", here.scaled(byEach), o.scaled(byEach))
	c.Differs(d, there, own)
	o.lead(c, here, others[1:], byEach)
	c.Cite(there, "%s tok/s", metric.Format(d.B.Median)).Say(" against ").Cite(own, "%s", metric.Format(d.A.Median)).
		Say(" here, %s with %s", figure.LoadPhrase(here.number(byEach).Point), here.a.Title)
	switch {
	case d.Certainty == compare.NotDistinguishable:
	case d.Ratio != nil && *d.Ratio >= 1.995:
		c.Makes(Ratio, *d.Ratio, there, own).Say(", %s", metric.Ratio(*d.Ratio))
	case d.Change != nil && *d.Change > 0:
		c.Say(", %s more", figure.PercentText(*d.Change))
	case d.Change != nil && *d.Change < 0:
		c.Say(", %s less", figure.PercentText(-*d.Change))
	}
	if byEach && o.run.Hardware.Count*here.run.Hardware.Count > 1 {
		o.inAll(c, here)
	}
	switch a, b := o.run.EngineName(), here.run.EngineName(); {
	case a == b:
	case a == "": // whether it differs is not known
		c.Say("; the engine there is not recorded, here it is %s", b)
	case b == "":
		c.Say("; the engine here is not recorded, there it is %s", a)
	default:
		c.Say("; engines differ: %s there, %s here", a, b)
	}
	return o.caution(c, here, d)
}

// scaled are the measurements, of each accelerator or in all.
func (o rival) scaled(byEach bool) (vs []float64) {
	n := float64(max(1, o.number(byEach).Over))
	for _, v := range o.samples {
		vs = append(vs, v/n)
	}
	return vs
}

// lead says which hardware is meant, up to its number; next are the others behind it.
func (o rival) lead(c *Stated, here rival, next []rival, byEach bool) {
	most, others := o.number(byEach).Is(), len(next)+1
	more := most > here.number(byEach).Is()
	tied := len(next) > 0 && next[0].number(byEach).Is() == most
	name, each := o.run.Card.Hardware.Name, ""
	if byEach {
		each = " per accelerator"
	}
	switch {
	case others == 1 && byEach:
		c.Say("Per accelerator, the only other hardware measured at this load, ").Name(name).Say(", gives ")
	case others == 1:
		c.Say("The only other hardware measured at this load, ").Name(name).Say(", gives ")
	case !more && tied:
		c.Say("None of %d other hardware configurations measured at this load gives more%s, or comes nearer than ",
			others, each).Name(name).Say(": ")
	case !more:
		c.Say("None of %d other hardware configurations measured at this load gives more%s; ", others, each).
			Name(name).Say(" comes nearest: ")
	case tied:
		c.Say("Of %d other hardware configurations measured at this load, none gives more%s than ", others, each).
			Name(name).Say(": ")
	default:
		c.Say("Of %d other hardware configurations measured at this load, ", others).Name(name).
			Say(" gives most%s: ", each)
	}
}

// inAll adds the sums over all accelerators.
func (o rival) inAll(c *Stated, here rival) {
	there, own := c.Of(o.number(false)), c.Of(here.number(false))
	c.Makes(Counts, float64(o.run.Hardware.Count)/float64(here.run.Hardware.Count), there, own)
	c.Say("; in all, ").Cite(there, "%s", metric.Format(o.median)).Say(" against ").
		Cite(own, "%s", metric.Format(here.median))
}

// caution says what the comparison rests on, in brackets, and what a reader needs to be told.
func (o rival) caution(c *Stated, here rival, d compare.Difference) *Stated {
	for _, m := range compare.Matches(here.run, o.run) {
		if m.B == o.b && m.Amber {
			return c.Called(m.Cautions[0]).Warn().Say(" (%s; %s).", d.WordsAgainst(), m.Cautions[0])
		}
	}
	return c.Say(" (%s).", d.WordsAgainst())
}
