package compare

import (
	"github.com/inferdex/inferdex/ingest/figure"
)

// Refusal is two cards of a model, or two series of one card, that are not compared.
type Refusal struct {
	A, B Side
	// Reason completes "A and B: ".
	Reason string
	// Labels say where the tools of the two mean different things by one word.
	Labels []string
}

// Refusals are results of a model that a reader might want side by side and that share no load of
// a workload: two cards, or on one card each series with the one before it. At most most are given
// with their reasons; n is how many there are.
func Refusals(m *figure.Model, most int) (list []Refusal, n int) {
	add := func(a, b Side) {
		if n++; len(list) >= most {
			return
		}
		p := NewPair(NewMeasured(a.Run), NewMeasured(b.Run))
		if len(p.Workloads) > 0 {
			p.Refused = "they share a workload and no load of it"
		}
		list = append(list, Refusal{a, b, p.Refused, p.Labels})
	}
	for _, c := range m.Cards {
		runs := seriesOf(c)
		for i := 0; i+1 < len(runs); i++ {
			if sharedLoads(runs[i], runs[i+1]) == 0 {
				add(Side{Card: c, Run: runs[i], Title: runs[i].Series},
					Side{Card: c, Run: runs[i+1], Title: runs[i+1].Series})
			}
		}
	}
	said := speakers{}
	for i, a := range m.Cards {
		for _, b := range m.Cards[i+1:] {
			ra, rb := seriesOf(a), seriesOf(b)
			if len(ra) == 0 || len(rb) == 0 {
				continue
			}
			if _, ok := pairOfCards(PairHardware, a, b, said); !ok {
				add(Side{Card: a, Run: ra[0], Slug: a.Slug, Title: a.Title()},
					Side{Card: b, Run: rb[0], Slug: b.Slug, Title: b.Title()})
			}
		}
	}
	return list, n
}
