package view

import (
	"cmp"
	"slices"

	"github.com/inferdex/inferdex/ingest/figure"
)

// entry is a card under one engine version: a row of a ranking, a line of an overlaid chart.
type entry struct {
	card *figure.Card
	run  *figure.Run
	name string // tells it from the others: hardware or model, with the version where needed
}

// entries are the active run of each engine version and series of some cards that stands for it: the best under the
// workload that most cards share ([figure.Best]), else the newest. name says what differs between the cards.
func entries(cards []*figure.Card, name func(*figure.Card) string) []entry {
	var out []entry
	class := sharedClass(cards)
	for _, c := range cards {
		var mine []entry
		var keys []string
		alike := map[string][]*figure.Run{}
		// Where each workload is a run of its own, the run of the workload that most cards share
		// stands for its engine version.
		runs := figure.Active(c.Runs)
		slices.SortStableFunc(runs, func(a, b *figure.Run) int {
			return compareBool(b.Scenario(class) != nil, a.Scenario(class) != nil)
		})
		for _, r := range runs {
			e, _ := EngineText(r.Engine)
			key := e + "|" + r.Identity.Tool
			if r.Named {
				key += "|" + r.Series
			}
			if alike[key] == nil {
				keys = append(keys, key)
			}
			alike[key] = append(alike[key], r)
		}
		for _, k := range keys {
			mine = append(mine, entry{card: c, run: cmp.Or(figure.Best(alike[k], class), alike[k][0])})
		}
		for i := range mine {
			mine[i].name = name(c)
			if len(mine) > 1 {
				mine[i].name += ", " + seriesName(mine[i].run, runsOf(mine))
			}
		}
		out = append(out, mine...)
	}
	return out
}

func runsOf(es []entry) []*figure.Run {
	var out []*figure.Run
	for _, e := range es {
		out = append(out, e.run)
	}
	return out
}

// sharedClass is the class of workload that most of some cards were measured under, of equals the
// one that cards are compared by, else that of the headline where there is one card, else the one with most points.
func sharedClass(cards []*figure.Card) string {
	v := votes{headline: headlineClass(cards)}
	for _, c := range cards {
		seen := map[string]bool{}
		for _, r := range figure.Active(c.Runs) {
			for _, s := range r.Scenarios {
				v.add(s, !seen[s.Class])
				seen[s.Class] = true
			}
		}
	}
	return v.best().class()
}

// commonClass is the class of workload that most entries have, of equals as [sharedClass] has it;
// "" where no entry has a point.
func commonClass(es []entry) (class string, s *figure.Scenario, n int) {
	var cards []*figure.Card
	for _, e := range es {
		if !slices.Contains(cards, e.card) {
			cards = append(cards, e.card)
		}
	}
	v := votes{headline: headlineClass(cards)}
	for _, e := range es {
		for _, sc := range e.run.Scenarios {
			v.add(sc, true)
		}
	}
	best := v.best()
	return best.class(), best.s, best.votes
}

// vote is how many cards or entries have a class of workload, with the first of its scenarios.
type vote struct {
	s             *figure.Scenario
	votes, points int
}

func (v vote) class() string {
	if v.s == nil {
		return ""
	}
	return v.s.Class
}

// headlineClass is the class of the peak that heads a page of one card; "" where there are several or it has none.
func headlineClass(cards []*figure.Card) string {
	if len(cards) != 1 {
		return ""
	}
	for _, h := range cards[0].Head().Headlines() {
		if h.Name == figure.PeakThroughput {
			return h.Scenario.Class
		}
	}
	return ""
}

// votes count the classes of workload, in the order in which they come.
type votes struct {
	of       []*vote
	headline string // the class that is the first of equals
}

func (v *votes) add(s *figure.Scenario, votes bool) {
	i := slices.IndexFunc(v.of, func(o *vote) bool { return o.s.Class == s.Class })
	if i < 0 {
		i = len(v.of)
		v.of = append(v.of, &vote{s: s})
	}
	of := v.of[i]
	of.points += len(s.Points)
	if votes {
		of.votes++
	}
}

// best is the class with most votes, of equals the one that cards are compared by, else the headline's, else of tests of
// one phase the one that is quoted, else the one with most points, else the first.
func (v votes) best() (best vote) {
	for _, o := range v.of {
		preferred := compareBool(o.s.Preferred(), best.s != nil && best.s.Preferred())
		headline := compareBool(o.s.Class == v.headline, best.class() == v.headline)
		quoted := 0
		if best.s != nil {
			quoted = cmp.Compare(best.s.OffQuoted(), o.s.OffQuoted())
		}
		if cmp.Or(cmp.Compare(o.votes, best.votes), preferred, headline, quoted, cmp.Compare(o.points, best.points)) > 0 {
			best = *o
		}
	}
	return best
}
