package view

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/claim"
	"github.com/inferdex/inferdex/ingest/compare"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/site/page"
)

// resultsOf are the results of entries under a class of workload, in their order.
func resultsOf(es []entry, class string) (out []result) {
	for _, e := range es {
		if s := e.run.Scenario(class); s != nil {
			out = append(out, result{e.name, e.run, s})
		}
	}
	return out
}

// peaks are the peaks of a metric of results, the best first: of each accelerator where each is set.
func peaks(rs []result, m metric.ID, each bool) (of []result, ns []claim.Number) {
	type peak struct {
		result
		claim.Number
	}
	var ps []peak
	for _, r := range rs {
		p, _, ok := r.scenario.Peak(m)
		if !ok {
			continue
		}
		n := claim.Number{Operand: claim.Central(r.run, r.scenario, figure.LoadOf(p), m)}
		if each {
			n.Over = r.run.Hardware.Count
		}
		ps = append(ps, peak{r, n})
	}
	slices.SortStableFunc(ps, func(a, b peak) int { return cmp.Compare(b.Is(), a.Is()) })
	for _, p := range ps {
		of, ns = append(of, p.result), append(ns, p.Number)
	}
	return of, ns
}

// topFinding says which of some results has the highest peak of a throughput, and what the next one has.
func topFinding(rs []result, verb, unit string, m metric.ID) claim.Sentence {
	if !slices.ContainsFunc(rs, func(r result) bool { return has(r.scenario, m) }) {
		return claim.Plain("By load")
	}
	return topOf(rs, verb, unit, m).Sentence()
}

// topOf is the claim of [topFinding]; some result must have the metric. Of other numbers of accelerators each
// one is compared, and the totals are said behind.
func topOf(rs []result, verb, unit string, m metric.ID) *claim.Stated {
	each, ok := perAccelerator(rs)
	of, ns := peaks(rs, m, each && ok)
	c := claim.State(claim.KindTop)
	served := len(rs) == 1 && m == metric.RequestThroughput // a series of one run is called by its day or a label
	var refs []claim.Ref
	for i, n := range ns[:min(len(ns), 9)] {
		if ok || i == 0 {
			if n.Called = of[i].name; served {
				n.Called = ""
			}
			refs = append(refs, c.Of(n))
		}
	}
	c.Is(claim.Highest, refs...)
	if len(refs) > 1 {
		c.Is(claim.Ranked, refs...)
	}
	share := func(i int) string {
		switch n := ns[i].Over; n {
		case 0:
			return ""
		case 1:
			return " on one accelerator"
		default:
			return " for each of " + metric.Plural(n, "accelerator")
		}
	}
	if served {
		c.Say("The server")
	} else {
		c.Run(refs[0])
	}
	c.Say(" %s ", verb).Cite(refs[0], "%s", metric.Format(ns[0].Is())).Say(" %s%s%s", unit, share(0),
		afterUnit(figure.LoadPhrase(ns[0].Point)))
	for i := range refs[1:min(len(refs), 2)] {
		c.Say(", ").Run(refs[i+1]).Say(" ").Cite(refs[i+1], "%s", metric.Format(ns[i+1].Is())).Say("%s", share(i+1))
	}
	if len(refs) > 1 && each && ns[0].Over*ns[1].Over > 1 {
		c.Say("; in all ").Cite(refs[0], "%s", metric.Format(ns[0].Value)).Say(" and ").
			Cite(refs[1], "%s", metric.Format(ns[1].Value))
	}
	info, _ := metric.Lookup(m)
	if two := (contest{of, ns[:min(len(refs), 2)]}); len(refs) > 1 && two.settled(info) < 0 {
		c.Is(claim.Open, refs[:2]...).Say("; the two are not told apart")
	}
	return c
}

// afterUnit is the phrase of a load behind a number and its unit: " at 8 parallel requests", ", all requests at once".
func afterUnit(phrase string) string {
	if strings.HasPrefix(phrase, "at ") {
		return " " + phrase
	}
	if phrase == "" {
		return ""
	}
	return ", " + phrase
}

// spanFinding says from where to where a statistic goes over the finite loads of a workload; a name of the
// quantity where it has fewer than two.
func spanFinding(r *figure.Run, s *figure.Scenario, info metric.Info, stat string) claim.Sentence {
	var loads []float64
	for _, p := range s.Points {
		if _, ok := figure.Get(p, info.ID, stat); ok && !math.IsInf(figure.LoadOf(p), 1) {
			loads = append(loads, figure.LoadOf(p))
		}
	}
	what := info.Label
	if stat != metric.Value {
		what = page.Upper(stat) + " " + info.Label
	}
	if len(loads) < 2 {
		return claim.Plain(what + " by " + kindOf(s.Axis).noun)
	}
	c := claim.State(claim.KindSpan)
	from := c.At(claim.Statistic(r, s, loads[0], info.ID, stat))
	to := c.At(claim.Statistic(r, s, loads[len(loads)-1], info.ID, stat))
	c.Is(claim.First, from).Is(claim.Last, to).Say("%s", what)
	if v := metricText(info, c.Numbers[from].Value); v == metricText(info, c.Numbers[to].Value) {
		return c.Say(" is ").Cite(from, "%s", v).Say(" %s and %s", figure.LoadPhrase(c.Numbers[from].Point),
			figure.LoadPhrase(c.Numbers[to].Point)).Sentence()
	}
	c.Say(" goes")
	for i, ref := range []claim.Ref{from, to} {
		n := c.Numbers[ref]
		c.Say("%s", []string{" from ", " to "}[i]).Cite(ref, "%s", metricText(info, n.Value)).
			Say(" %s", figure.LoadPhrase(n.Point))
	}
	return c.Sentence()
}

// spreadFinding compares the workloads of a run at the load that most of them have; of equally common
// ones 10, else the largest.
func spreadFinding(r *figure.Run, list []*figure.Scenario) claim.Sentence {
	count := map[float64]int{}
	for _, s := range list {
		for _, p := range s.Points {
			count[figure.LoadOf(p)]++
		}
	}
	load, n := 0.0, 0
	for l, c := range count {
		if c > n || c == n && (l == 10 || load != 10 && l > load) {
			load, n = l, c
		}
	}
	var os []claim.Operand
	for _, s := range list {
		if s.At(load) == nil {
			continue
		}
		if o := claim.Central(r, s, load, metric.TTFT); o.Stat != "" && (len(os) == 0 || o.Stat == os[0].Stat) {
			os = append(os, o)
		}
	}
	if len(os) < 2 {
		return claim.Plain("Time to first token and speed by load")
	}
	slices.SortStableFunc(os, func(a, b claim.Operand) int { return cmp.Compare(a.Value, b.Value) })
	c := claim.State(claim.KindSpread)
	var refs []claim.Ref
	for _, o := range os {
		refs = append(refs, c.At(o))
	}
	lo, hi := refs[0], refs[len(refs)-1]
	c.Is(claim.Ranked, refs...).Is(claim.Together, refs...)
	c.Say("%s time to first token runs", page.Capital(figure.LoadPhrase(os[0].Point)))
	for i, ref := range []claim.Ref{lo, hi} {
		c.Say("%s", []string{" from ", " to "}[i]).Cite(ref, "%s", figure.Seconds(c.Numbers[ref].Value)).
			Say(" (%s)", c.Numbers[ref].Scenario.Title)
	}
	return c.Sentence()
}

// contest is one place at which results are held against one another, each by a number.
type contest struct {
	of []result
	ns []claim.Number
}

// number is one of a contest with the name of its result.
func (c contest) number(i int) claim.Number {
	n := c.ns[i]
	n.Called = c.of[i].name
	return n
}

// settled is which number of a contest is better than all others by more than chance, or by more than 5 %
// where too few measurements allow no more; -1 where none is.
func (c contest) settled(info metric.Info) int {
	best := 0
	for i := range c.ns {
		if d := c.ns[i].Is() - c.ns[best].Is(); d*float64(info.Better) > 0 {
			best = i
		}
	}
	for i, n := range c.ns {
		if i == best {
			continue
		}
		d, ok := compare.Differ(info.ID, n.Stat, measured(n), measured(c.ns[best]))
		if !ok || d.Winner <= 0 || !d.Settled() {
			return -1
		}
	}
	return best
}

// measured are the measurements that a number stands for.
func measured(n claim.Number) []float64 {
	vs := figure.Samples(n.Scenario.AllAt(figure.LoadOf(n.Point)), n.Metric, n.Stat)
	if n.Over > 0 {
		for i := range vs {
			vs[i] /= float64(n.Over)
		}
	}
	return vs
}

// winsFinding says which result is best at how many of some places, and at how many none is told apart;
// nothing is said of a place where fewer than two were measured.
func winsFinding(places []contest, info metric.Info, what, noun, nouns string) claim.Sentence {
	if !slices.ContainsFunc(places, func(p contest) bool { return len(p.ns) > 1 }) {
		return claim.Plain(page.Capital(info.Label) + " by " + noun)
	}
	return winsOf(claim.KindWins, places, info, what, noun, nouns).Sentence()
}

// winsOf is the claim of [winsFinding]; some place must have two numbers.
func winsOf(k claim.Kind, places []contest, info metric.Info, what, noun, nouns string) *claim.Stated {
	c := claim.State(k)
	type win struct {
		result
		ref claim.Ref
		n   int
	}
	var wins []win
	open, all := 0, 0
	for _, p := range places {
		if len(p.ns) < 2 {
			continue
		}
		all++
		var refs []claim.Ref
		for i := range p.ns {
			refs = append(refs, c.Of(p.number(i)))
		}
		w := p.settled(info)
		if w < 0 {
			open++
			c.Is(claim.Open, refs...)
			continue
		}
		refs[0], refs[w] = refs[w], refs[0]
		c.Is(claim.Won, refs...)
		i := slices.IndexFunc(wins, func(o win) bool { return o.run == p.of[w].run })
		if i < 0 {
			i = len(wins)
			wins = append(wins, win{p.of[w], refs[0], 0})
		}
		wins[i].n++
	}
	slices.SortStableFunc(wins, func(a, b win) int { return cmp.Compare(b.n, a.n) })
	c.Makes(claim.Places, float64(all))
	for _, w := range wins {
		c.Makes(claim.Count, float64(w.n), w.ref)
	}
	of := metric.Plural(all, noun, nouns)
	switch {
	case len(wins) == 0:
		c.Say("Which has the %s cannot be told", what)
		if all > 1 {
			c.Say(" at any of %s", of)
		}
		return c
	case wins[0].n == all && all > 1:
		c.Run(wins[0].ref).Say(" has the %s at all %s", what, of)
	default:
		c.Run(wins[0].ref).Say(" has the %s at %d of %s", what, wins[0].n, of)
	}
	for i, w := range wins[1:] {
		c.Say("%s", before(i, len(wins)-1)).Run(w.ref).Say(" at %d", w.n)
	}
	if open > 0 {
		c.Makes(claim.OpenPlaces, float64(open)).Say("; at %d the best are not told apart", open)
	}
	return c
}

// before is what stands before an item of several that follow a comma.
func before(i, n int) string {
	if i > 0 && i == n-1 {
		return " and "
	}
	return ", "
}

// leadFinding names the best of some results at the largest load of a workload that at least two have, and the
// next one; ok is false where no two share one.
func leadFinding(of []result, info metric.Info, loads []float64) (s claim.Sentence, ok bool) {
	for _, l := range slices.Backward(loads) {
		var p contest
		for _, r := range of {
			// On one card some runs may record the number of accelerators that is assumed of others: their sums are not
			// held against each other.
			if r.scenario.At(l) == nil || info.Sums && len(p.of) > 0 &&
				p.of[0].run.Hardware.CountAssumed != r.run.Hardware.CountAssumed {
				continue
			}
			o := claim.Central(r.run, r.scenario, l, info.ID)
			if o.Stat != "" && (len(p.ns) == 0 || o.Stat == p.ns[0].Stat) {
				p.of, p.ns = append(p.of, r), append(p.ns, claim.Number{Operand: o})
			}
		}
		if len(p.ns) > 1 {
			return p.lead(info), true
		}
	}
	return s, false
}

// lead is the sentence of the best of a contest and the next one.
func (p contest) lead(info metric.Info) claim.Sentence {
	order := make([]int, len(p.ns))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(p.ns[b].Is()*float64(info.Better), p.ns[a].Is()*float64(info.Better))
	})
	c := claim.State(claim.KindLead)
	var refs []claim.Ref
	for _, i := range order {
		refs = append(refs, c.Of(p.number(i)))
	}
	first, second := order[0], order[1]
	return c.Is(claim.Ranked, refs...).Is(claim.Together, refs...).
		Run(refs[0]).Say(": ").Cite(refs[0], "%s", metricText(info, p.ns[first].Is())).Say(" against ").
		Cite(refs[1], "%s", metricText(info, p.ns[second].Is())).Say(" of ").Run(refs[1]).
		Say(", %s with %s", figure.LoadPhrase(p.ns[first].Point), p.ns[first].Scenario.Title).Sentence()
}

// speedAt is the speed of one user at a load of a result, as [figure.SpeedPerUser] computes it.
func speedAt(r result, load float64) (n claim.Number, ok bool) {
	p := r.scenario.At(load)
	for _, stat := range []string{metric.Median, metric.Mean} {
		if t, has := figure.Get(p, metric.TPOT, stat); has && t > 0 {
			return claim.Number{Operand: claim.Statistic(r.run, r.scenario, load, metric.TPOT, stat),
				Inverse: true}, true
		}
	}
	n.Operand = claim.Statistic(r.run, r.scenario, load, metric.SpeedPerRequest, metric.Median)
	_, ok = figure.Get(p, metric.SpeedPerRequest, metric.Median)
	return n, ok
}

// fastest is the highest speed that one user gets at a finite load of a result, computed as at the first load
// that has one; ok is false where none has.
func fastest(r result) (best claim.Number, ok bool) {
	for _, p := range r.scenario.Points {
		load := figure.LoadOf(p)
		if math.IsInf(load, 1) {
			continue
		}
		n, has := speedAt(r, load)
		if ok {
			n.Operand, n.Inverse = claim.Statistic(r.run, r.scenario, load, best.Metric, best.Stat), best.Inverse
			v, recorded := figure.Get(p, best.Metric, best.Stat)
			has = recorded && v > 0
		}
		if has && (!ok || n.Is() > best.Is()) {
			best, ok = n, true
		}
	}
	return best, ok
}

// speedFinding says how fast one user is served at best with each of two results, the first of some where of
// is false: then the fastest alone.
func speedFinding(rs []result, say func(c *claim.Stated, of []result, ns []claim.Number,
	refs []claim.Ref)) claim.Sentence {
	c := claim.State(claim.KindTop)
	var of []result
	var ns []claim.Number
	var refs []claim.Ref
	for _, r := range rs {
		n, ok := fastest(r)
		if !ok || len(ns) > 0 && (n.Metric != ns[0].Metric || n.Stat != ns[0].Stat) {
			continue
		}
		n.Called = r.name
		of, ns, refs = append(of, r), append(ns, n), append(refs, c.Of(n))
	}
	if len(ns) == 0 {
		return claim.Plain("Throughput against speed per user")
	}
	c.Is(claim.Best, refs...)
	say(c, of, ns, refs)
	return c.Sentence()
}

// fastestFinding names the result that serves one user fastest.
func fastestFinding(rs []result) claim.Sentence {
	return speedFinding(rs, func(c *claim.Stated, of []result, ns []claim.Number, refs []claim.Ref) {
		order := slices.Clone(refs)
		slices.SortStableFunc(order, func(a, b claim.Ref) int { return cmp.Compare(ns[b].Is(), ns[a].Is()) })
		if len(order) > 1 {
			c.Is(claim.Ranked, order...)
		}
		top := order[0]
		c.Run(top).Say(" gives one user up to ").Cite(top, "%s tok/s", metric.Format(ns[top].Is()))
	})
}
