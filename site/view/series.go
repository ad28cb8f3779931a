package view

import (
	"cmp"
	"math"
	"slices"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/claim"
	"github.com/inferdex/inferdex/ingest/compare"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/site/page"
)

// mostSeries is how many series one sentence holds against one another.
const mostSeries = 6

// seriesSays are the sentences on the series of a card: at which load they lie furthest apart, and what one of them
// gives up for its throughput. Of several workloads they are of the first one that has such.
func (d *draft) seriesSays(c *figure.Card) (out sentences) {
	for _, runs := range c.Compares() {
		if len(runs) > mostSeries {
			continue
		}
		for _, s := range runs[0].Scenarios {
			pv, _, ok := pivotOf(runs, s.Class, metric.TTFT)
			if !ok {
				continue
			}
			if at, ok := furthestApart(pv); ok {
				out.say(page.Capital(figure.LoadNoun(at.ns[0].Point)), false, d.stated(at.firstTokens("", pv.Stat))...)
			}
			if s, ok := trade(runs, s.Class); ok {
				out.say("Trade", false, d.stated(s)...)
			}
			if len(out) > 0 {
				return out
			}
		}
	}
	return out
}

// trade says of two series that one gives more tokens a second at its best load and the other a lower latency at
// some load, where that of the first is longest beside it; ok is false where the highest peak has no such price.
// Points of which requests are missing are not held against others.
func trade(runs []*figure.Run, class string) (s claim.Sentence, ok bool) {
	var rs []result
	for _, r := range runs {
		if o := r.Scenario(class); o != nil && len(o.Loads()) > 1 {
			rs = append(rs, result{seriesName(r, runs), r, o})
		}
	}
	of, tops := peaks(rs, metric.OutputThroughput, false)
	if len(of) < 2 {
		return s, false
	}
	var at contest // the latency of the other one, and of the one with the highest peak
	var better contest
	most := 1.0
	for _, m := range []metric.ID{metric.TTFT, metric.TPOT} {
		info, _ := metric.Lookup(m)
		for i := range of[1:] {
			pair := contest{[]result{of[0], of[i+1]}, []claim.Number{tops[0], tops[i+1]}}
			each, _ := perAccelerator(pair.of) // then one of the card's runs records a number that is assumed of the other
			if info, _ := metric.Lookup(metric.OutputThroughput); each || pair.settled(info) != 0 {
				continue
			}
			for _, l := range of[0].scenario.Loads() {
				here, ok := latencies(of[i+1], of[0], l, m)
				if !ok || here.settled(info) != 0 {
					continue
				}
				if r := here.ns[1].Value / here.ns[0].Value; r > most {
					at, better, most = here, pair, r
				}
			}
		}
	}
	if len(at.ns) == 0 {
		return s, false
	}
	return at.tradeOf(better), true
}

// latencies are those of two results at a finite load that both completed; ok is false where one is not known.
func latencies(a, b result, load float64, m metric.ID) (at contest, ok bool) {
	for _, r := range []result{a, b} {
		p := r.scenario.At(load)
		if p == nil || math.IsInf(load, 1) {
			return at, false
		}
		if _, short := figure.Incomplete([]*catalog.Point{p}); short {
			return at, false
		}
		o := claim.Central(r.run, r.scenario, load, m)
		if o.Stat == "" || o.Value <= 0 || len(at.ns) > 0 && o.Stat != at.ns[0].Stat {
			return at, false
		}
		at.of, at.ns = append(at.of, r), append(at.ns, claim.Number{Operand: o})
	}
	return at, true
}

// tradeOf is the sentence of a latency and of the peaks of the same two results, there in the other order.
func (p contest) tradeOf(peaks contest) claim.Sentence {
	c := claim.State(claim.KindTrade)
	most, less := c.Of(peaks.number(0)), c.Of(peaks.number(1))
	low, high := c.Of(p.number(0)), c.Of(p.number(1))
	info, _ := metric.Lookup(p.ns[0].Metric)
	c.Is(claim.Highest, most, less).Is(claim.Won, most, less).Is(claim.Together, low, high).Is(claim.Won, low, high)
	return c.Run(most).Say(" gives up to ").Cite(most, "%s tok/s", metric.Format(peaks.ns[0].Value)).
		Say(" against ").Cite(less, "%s", metric.Format(peaks.ns[1].Value)).Say(" of ").Run(less).
		Say("; ").Run(low).Say(" has the lower %s %s: ", p.ns[0].Stat, info.Label).
		Cite(low, "%s", figure.Seconds(p.ns[0].Value)).Say(" against ").Cite(high, "%s", figure.Seconds(p.ns[1].Value)).
		Say(" %s with %s.", figure.LoadPhrase(p.ns[0].Point), p.ns[0].Scenario.Title).Sentence()
}

// furthestApart is the row of a pivot whose values lie furthest apart, by more than twice; ok is false where
// none does.
func furthestApart(pv compare.Pivot) (at contest, ok bool) {
	most := 2.0
	for _, row := range pv.Rows {
		var here contest
		lo, hi := math.Inf(1), 0.0
		for i, v := range row.Values {
			if v == nil || math.IsInf(row.Load, 1) {
				break
			}
			r := pv.Series[i]
			s := r.ScenarioOf(row.Points[i])
			here.of = append(here.of, result{seriesName(r, pv.Series), r, s})
			here.ns = append(here.ns, claim.Number{Operand: claim.Statistic(r, s, row.Load, pv.Metric, pv.Stat)})
			lo, hi = min(lo, *v), max(hi, *v)
		}
		if len(here.ns) == len(pv.Series) && lo > 0 && hi/lo > most {
			at, most, ok = here, hi/lo, true
		}
	}
	return at, ok
}

// firstTokens says after which times the series of a contest give the first token, the soonest first; on a page of
// many cards it begins with the name of theirs, which is "" on the card's own.
func (p contest) firstTokens(card, stat string) claim.Sentence {
	order := make([]int, len(p.ns))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p.ns[a].Value, p.ns[b].Value) })
	c := claim.State(claim.KindLead)
	var refs []claim.Ref
	for _, i := range order {
		refs = append(refs, c.Of(p.number(i)))
	}
	c.Is(claim.Ranked, refs...).Is(claim.Together, refs...)
	first := p.ns[order[0]]
	if card != "" {
		c.Name(card).Say(": ")
	}
	c.Run(refs[0]).Say(" gives the first token after ").
		Cite(refs[0], "%s", figure.Seconds(first.Value)).Say(" (%s) %s", stat, figure.LoadPhrase(first.Point))
	for i, ref := range refs[1:] {
		c.Say("%s%s ", before(i, len(refs)-1), p.of[order[i+1]].name).
			Cite(ref, "%s", figure.Seconds(c.Numbers[ref].Value))
	}
	return c.Say("; %s.", first.Scenario.Title).Sentence()
}
