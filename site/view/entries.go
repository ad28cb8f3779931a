package view

import (
	"slices"

	"github.com/inferdex/inferdex/ingest/figure"
)

// entry is a card under one engine version: a row of a ranking, a line of an overlaid chart.
type entry struct {
	card *figure.Card
	run  *figure.Run
	name string // tells it from the others: hardware or model, with the version where needed
}

// entries are the newest active run of each engine version and series of some cards. name says
// what differs between the cards.
func entries(cards []*figure.Card, name func(*figure.Card) string) []entry {
	var out []entry
	class := sharedClass(cards)
	for _, c := range cards {
		var mine []entry
		seen := map[string]bool{}
		// Where each workload is a run of its own, the run of the workload that most cards share
		// stands for its engine version.
		runs := figure.Active(c.Runs)
		slices.SortStableFunc(runs, func(a, b *figure.Run) int {
			x, y := a.Scenario(class) != nil, b.Scenario(class) != nil
			switch {
			case x == y:
				return 0
			case x:
				return -1
			}
			return 1
		})
		for _, r := range runs {
			e, _ := EngineText(r.Engine)
			key := e + "|" + r.Identity.Tool
			if r.Named {
				key += "|" + r.Series
			}
			if !seen[key] {
				seen[key] = true
				mine = append(mine, entry{card: c, run: r})
			}
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
// one that cards are compared by, else the one with most points.
func sharedClass(cards []*figure.Card) string {
	type count struct {
		class         string
		cards, points int
		preferred     bool
	}
	by := map[string]*count{}
	var order []*count
	for _, c := range cards {
		seen := map[string]bool{}
		for _, r := range figure.Active(c.Runs) {
			for _, s := range r.Scenarios {
				n := by[s.Class]
				if n == nil {
					n = &count{class: s.Class, preferred: Preferred(s)}
					by[s.Class] = n
					order = append(order, n)
				}
				if !seen[s.Class] {
					seen[s.Class] = true
					n.cards++
				}
				n.points += len(s.Points)
			}
		}
	}
	var best *count
	for _, n := range order {
		if best == nil || n.cards > best.cards || n.cards == best.cards && (n.preferred && !best.preferred || n.preferred == best.preferred && n.points > best.points) {
			best = n
		}
	}
	if best == nil {
		return ""
	}
	return best.class
}

// commonClass is the class of workload that most entries have, of equals the one with most
// points; "" where no entry has a point.
func commonClass(es []entry) (class string, s *figure.Scenario, n int) {
	type count struct {
		entries, points int
		s               *figure.Scenario
	}
	by := map[string]*count{}
	var order []string
	for _, e := range es {
		for _, sc := range e.run.Scenarios {
			c := by[sc.Class]
			if c == nil {
				c = &count{s: sc}
				by[sc.Class] = c
				order = append(order, sc.Class)
			}
			c.entries++
			c.points += len(sc.Points)
		}
	}
	for _, k := range order {
		c := by[k]
		best := by[class]
		better := best == nil || c.entries > best.entries || c.entries == best.entries && (Preferred(c.s) && !Preferred(best.s) || Preferred(c.s) == Preferred(best.s) && c.points > best.points)
		if better {
			class = k
		}
	}
	if c := by[class]; c != nil {
		return class, c.s, c.entries
	}
	return "", nil, 0
}
