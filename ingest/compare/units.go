package compare

import (
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
)

// Units are the units that the numbers of a quantity are shown in, whatever runs are chosen. As JSON they tell a
// browser, which reads a run that is in no catalog, in which units the runs of the catalog stand.
type Units struct {
	// Usual are those of most classes, by the key of a quantity.
	Usual map[string]string `json:"usual"`
	// Of are the others, by the key of a class; each class of a catalog is there. A figure of a whole run is a class
	// of its own with one quantity, "".
	Of map[string]map[string]string `json:"of"`
	// Runs are the runs of a catalog by their ids, with what [catalog.Run.Measured] gives of each, to tell which of them
	// a browser reads again; nil where nobody asks.
	Runs map[string]string `json:"runs,omitempty"`
}

// with adds what runs measured: a class that is not known gets units by all of their numbers of a quantity.
func (u Units) with(runs []*figure.Run) Units {
	type place struct{ class, quantity, base string }
	values := map[place][]*float64{}
	for _, r := range runs {
		for _, s := range r.Scenarios {
			class := ClassKey(s)
			for _, q := range MemberQuantities {
				info, _ := metric.Lookup(q.metric)
				at := place{class, q.Key, info.Unit}
				for _, p := range s.Points {
					if v, ok := figure.Get(p, q.metric, q.stat); ok {
						values[at] = append(values[at], &v)
					}
				}
			}
		}
		for _, f := range believed(r) {
			at := place{figureKey(r, f), "", f.Unit}
			values[at] = append(values[at], f.Value)
		}
	}
	out := Units{Usual: u.Usual, Of: map[string]map[string]string{}}
	for at, vs := range values {
		if u.Of[at.class] != nil && (at.quantity == "" || u.name(at.class, at.quantity) != "") {
			continue
		}
		if out.Of[at.class] == nil {
			out.Of[at.class] = map[string]string{}
		}
		out.Of[at.class][at.quantity] = metric.ScaleFor(at.base, vs).Unit
	}
	for class, of := range u.Of {
		if out.Of[class] == nil {
			out.Of[class] = map[string]string{}
		}
		for q, unit := range of {
			out.Of[class][q] = unit
		}
	}
	return out
}

// name is the unit of a quantity of a class; "" where none is known.
func (u Units) name(class, quantity string) string {
	of, known := u.Of[class]
	if unit := of[quantity]; unit != "" || !known {
		return unit
	}
	return u.Usual[quantity]
}

// scale turns numbers of a base unit into those of the quantity.
func (u Units) scale(class, quantity, base string) metric.Scale {
	return metric.ScaleIn(base, u.name(class, quantity))
}

// Short are the units with what most classes have said once.
func (u Units) Short() Units {
	counts := map[string]map[string]int{}
	for _, of := range u.Of {
		for q, unit := range of {
			if counts[q] == nil {
				counts[q] = map[string]int{}
			}
			counts[q][unit]++
		}
	}
	out := Units{Usual: map[string]string{}, Of: map[string]map[string]string{}}
	for q, of := range counts {
		if q == "" {
			continue // figures are of any kind
		}
		for unit, n := range of {
			if most := out.Usual[q]; n > of[most] || n == of[most] && unit < most {
				out.Usual[q] = unit
			}
		}
	}
	for class, of := range u.Of {
		out.Of[class] = map[string]string{}
		for q, unit := range of {
			if unit != out.Usual[q] {
				out.Of[class][q] = unit
			}
		}
	}
	return out
}
