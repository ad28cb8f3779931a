package view

import (
	"math"

	"github.com/inferdex/inferdex/ingest/claim"
	"github.com/inferdex/inferdex/ingest/compare"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/site/page"
)

// sides are the two sides of a comparison under a workload, the one that is held against the base first.
func (c *comparison) sides(x *compare.Workload) []result {
	return []result{{c.otherName, c.other.Run, x.B}, {c.baseName, c.base.Run, x.A}}
}

// each reports whether a metric is compared for each accelerator, and whether it may be compared at all: of
// sums where the numbers of accelerators differ and one is not known, it may not.
func (c *comparison) each(m metric.ID) (each, ok bool) {
	if info, _ := metric.Lookup(m); !info.Sums {
		return false, true
	}
	return perAccelerator([]result{{run: c.other.Run}, {run: c.base.Run}})
}

// numbers are a statistic of both sides at a load, of each accelerator where each is set.
func (c *comparison) numbers(l compare.Row, m metric.ID, stat string, each bool) (ns [2]claim.Number) {
	for i, r := range c.sides(l.Of) {
		ns[i].Operand = claim.Statistic(r.run, r.scenario, float64(l.Load), m, stat)
		if each {
			ns[i].Over = r.run.Hardware.Count
		}
	}
	return ns
}

// held adds the numbers of both sides at a load to a claim, with what their difference is and what may be
// said of it.
func (c *comparison) held(to *claim.Stated, l compare.Row, e compare.Difference, each bool) (other, base claim.Ref) {
	ns := c.numbers(l, e.Metric, e.Stat, each)
	other, base = to.Of(ns[0]), to.Of(ns[1])
	to.Calls(other, c.otherName).Calls(base, c.baseName).Differs(e, other, base)
	if differ, known := c.each(e.Metric); differ && known && !each {
		to.Makes(claim.Counts, float64(c.other.Run.Hardware.Count)/float64(c.base.Run.Hardware.Count), other, base)
	}
	return other, base
}

// bestLoad is the load of a workload where a metric is compared in a caption: the largest finite
// one that both sides have.
func bestLoad(x *compare.Workload, m metric.ID) (l compare.Row, e compare.Difference, ok bool) {
	for _, o := range x.Loads {
		if f, has := o.Typical(m); has && (!ok || !math.IsInf(float64(o.Load), 0)) {
			l, e, ok = o, f, true
		}
	}
	return l, e, ok
}

// finding is the caption of a metric's chart.
func (c *comparison) finding(x *compare.Workload, m metric.ID) claim.Sentence {
	l, e, ok := bestLoad(x, m)
	info, _ := metric.Lookup(m)
	if !ok {
		return claim.Plain(info.Label + " by " + kindOf(x.A.Axis).noun)
	}
	more, less := comparative(info)
	s := claim.State(claim.KindPair)
	other, base := c.held(s, l, e, false)
	return s.Say("%s %s %s %s %s: ", info.Label, magnitude(e, more, less), c.with(), c.otherName,
		figure.LoadPhrase(l.A[0])).Cite(other, "%s", metricText(info, e.B.Median)).Say(" against ").
		Cite(base, "%s", metricText(info, e.A.Median)).Say("%s", c.times(e.Metric)).Sentence()
}

// times says how many times the accelerators of the base the other side has, where a sum over them is compared.
func (c *comparison) times(m metric.ID) string { return c.timesOf(m, c.other.Run, c.base.Run) }

func (c *comparison) timesOf(m metric.ID, first, second *figure.Run) string {
	differ, known := c.each(m)
	switch {
	case !differ:
		return ""
	case !known:
		return ", of a number of accelerators that is not recorded on both sides"
	}
	return ", with " + metric.Format(float64(first.Hardware.Count)/float64(second.Hardware.Count)) +
		" times the accelerators"
}

// difference writes a difference at a load in words, with its direction where it is settled and, where it can
// be told or always is set, its certainty.
func (c *comparison) difference(l compare.Row, e compare.Difference, always bool) claim.Sentence {
	info, _ := metric.Lookup(e.Metric)
	name := page.Capital(info.Label)
	if e.Stat != metric.Value {
		name = e.Stat + " " + labelWithin(info)
		name = page.Upper(name)
	}
	more, less := comparative(info)
	what := " is " + magnitude(e, more, less)
	if e.Certainty == compare.NotDistinguishable {
		what = " is not distinguishable"
	}
	direction := ""
	if e.Winner != 0 && e.Settled() {
		direction = ", which is worse"
		if e.Winner > 0 {
			direction = ", which is better"
		}
	}
	s := claim.State(claim.KindPair)
	other, base := c.held(s, l, e, false)
	s.Say("%s%s %s %s%s: ", name, what, c.with(), c.otherName, direction).
		Cite(other, "%s", metricText(info, e.B.Median)).Say(" against ").
		Cite(base, "%s", metricText(info, e.A.Median)).Say(" %s %s %s%s", c.with(), c.baseName, loadWithWorkload(l),
		c.times(e.Metric))
	switch {
	case always:
		s.Say(" (%s)", e.WordsAgainst())
	case e.Certainty != compare.NoClaim:
		s.Say(" (").Say("%s", shortCertainty(e)).Say(")")
	}
	return s.Say(".").Sentence()
}

// answer says which side is better at a load, that one first; of neither the one that is held against the base. How sure
// that is stands at its end, but for a single measurement of each where the page said so before.
func (c *comparison) answer(l compare.Row, e compare.Difference, before bool) claim.Sentence {
	total := e
	each := e.Metric == metric.ThroughputPerAccelerator
	if each {
		total.Metric = metric.OutputThroughput
	}
	info, _ := metric.Lookup(e.Metric)
	s := claim.State(claim.KindPair)
	other, base := c.held(s, l, total, each)
	text := map[claim.Ref]string{other: metricText(info, e.B.Median), base: metricText(info, e.A.Median)}
	first, second, certainty := other, base, certaintyOf(e, e.B, e.A)
	if e.Winner < 0 && e.Certainty != compare.NotDistinguishable {
		first, second, certainty = base, other, certaintyOf(e, e.A, e.B)
	}
	switch {
	case e.Delta == 0:
		s.Say("equal: ")
	case e.Winner != 0 && e.Certainty != compare.NotDistinguishable:
		s.Say("better: ")
	}
	side := func(ref claim.Ref) {
		s.Cite(ref, "%s", text[ref]).Say(" %s ", c.with()).Run(ref)
	}
	side(first)
	s.Say(" against ")
	side(second)
	if !each {
		s.Say("%s", c.timesOf(e.Metric, s.Numbers[first].Run, s.Numbers[second].Run))
	}
	if !before || certainty != measuredOnce {
		s.Say("; %s", certainty)
	}
	return s.Sentence()
}

// outcome is what a pair comes to at a load: for each accelerator where that can be told, and on the whole.
func (c *comparison) outcome(l compare.Row, e compare.Difference) (list []claim.Sentence) {
	if each, ok := c.perAccelerator(l); ok {
		list = append(list, each)
	}
	return append(list, c.difference(l, e, true))
}

// perAccelerator says how sides with different numbers of accelerators compare for each of them; ok is false
// where a number is assumed or no throughput was measured.
func (c *comparison) perAccelerator(l compare.Row) (s claim.Sentence, ok bool) {
	each, known := c.each(metric.OutputThroughput)
	if !each || !known {
		return s, false
	}
	ns := c.numbers(l, metric.OutputThroughput, metric.Value, true)
	e, ok := compare.Differ(metric.OutputThroughput, metric.Value, measured(ns[1]), measured(ns[0]))
	if !ok {
		return s, false
	}
	info, _ := metric.Lookup(metric.OutputThroughput)
	more, less := comparative(info)
	st := claim.State(claim.KindPair)
	other, base := c.held(st, l, e, true)
	return st.Say("Throughput per accelerator is %s %s %s: ", magnitude(e, more, less), c.with(), c.otherName).
		Cite(other, "%s", metricText(info, e.B.Median)).Say(" on each of %d against ", ns[0].Over).
		Cite(base, "%s", metricText(info, e.A.Median)).Say(" on each of %d %s.", ns[1].Over,
		loadWithWorkload(l)).Sentence(), true
}

// everywhere says how a metric compares over all loads that both sides have; ok is false below three.
func (c *comparison) everywhere(m metric.ID) (s claim.Sentence, ok bool) {
	each, known := c.each(m)
	info, _ := metric.Lookup(m)
	type at struct {
		l    compare.Row
		e    compare.Difference
		refs [2]claim.Ref
	}
	var all []at
	var places []contest
	for _, l := range c.runs.Loads() {
		e, has := l.Typical(m)
		if has && each {
			ns := c.numbers(l, m, e.Stat, true)
			e, has = compare.Differ(m, e.Stat, measured(ns[1]), measured(ns[0]))
		}
		if has && e.Change != nil {
			ns := c.numbers(l, m, e.Stat, each)
			all = append(all, at{l: l, e: e})
			places = append(places, contest{c.sides(l.Of), ns[:]})
		}
	}
	if len(all) < 3 || !known {
		return s, false
	}
	label := labelWithin(info)
	if each {
		label += " per accelerator"
	}
	st := winsOf(claim.KindEverywhere, places, info, "better "+label, "load", "loads")
	sure, within := 0, false
	var changes []float64
	lo, hi := all[0], all[0]
	for i := range all {
		all[i].refs = [2]claim.Ref{st.Of(places[i].number(0)), st.Of(places[i].number(1))}
		st.Differs(all[i].e, all[i].refs[0], all[i].refs[1])
		x := all[i]
		changes = append(changes, *x.e.Change)
		if *x.e.Change < *lo.e.Change {
			lo = x
		}
		if *x.e.Change > *hi.e.Change {
			hi = x
		}
		if x.e.Certainty == compare.Distinguishable {
			sure++
			within = within || x.e.A.Requests > 0 || x.e.B.Requests > 0
		}
	}
	mid := figure.Summarize(changes).Median
	st.Makes(claim.Least, *lo.e.Change).Makes(claim.Most, *hi.e.Change).Makes(claim.Middle, mid)
	st.Say(". The difference of ").Run(all[0].refs[0]).Say(" runs from ").Cite(lo.refs[0], "%s",
		changeText(lo.e.Change)).
		Say(" (%s) to ", loadWithWorkload(lo.l)).Cite(hi.refs[0], "%s", changeText(hi.e.Change)).
		Say(" (%s), median %s", loadWithWorkload(hi.l), changeText(&mid))
	switch {
	case sure > 0 && within:
		st.Makes(claim.Sure, float64(sure)).Say("; %d of the differences are distinguishable within the runs", sure)
	case sure > 0:
		st.Makes(claim.Sure, float64(sure)).Say("; %d of the differences are distinguishable from chance", sure)
	}
	return st.Say(".").Sentence(), true
}

// few says that no load was measured often enough on both sides to claim anything; ok is false where one was.
func (c *comparison) few(m metric.ID) (s claim.Sentence, ok bool) {
	st := claim.State(claim.KindFewRuns)
	for _, l := range c.runs.Loads() {
		e, has := l.Typical(m)
		if !has {
			continue
		}
		if e.Certainty != compare.NoClaim {
			return s, false
		}
		ns := c.numbers(l, m, e.Stat, false)
		st.Is(claim.Few, st.Of(ns[0]), st.Of(ns[1]))
	}
	return st.Say("No load was measured six times on both sides, so the difference of %s is not claimed to be more "+
		"than chance. Medians over requests are judged by the requests of the two measurements, which says nothing "+
		"of how far repeated runs lie apart. %s", labelOf(c), whySix).Sentence(), true
}

// whySix leads to the reason why fewer than six measurements allow no claim.
const whySix = "Why six"

// memory says how the measured capacities of the KV cache differ; ok is false where one side has none, or another
// number of accelerators.
func (c *comparison) memory() (s claim.Sentence, ok bool) {
	x, ok1 := c.base.Run.KVCacheTokens()
	y, ok2 := c.other.Run.KVCacheTokens()
	each, _ := perAccelerator([]result{{run: c.other.Run}, {run: c.base.Run}})
	if !ok1 || !ok2 || x <= 0 || each {
		return s, false
	}
	return claim.Capacity{Base: c.base.Run, Here: y, There: x, Change: metric.Round12((y - x) / x),
		OtherName: c.with() + " " + c.otherName}.Sentence(c.other.Run), true
}
