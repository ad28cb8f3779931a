package normalize

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/catalog"
)

// neighbours are points of one workload and load. Those that may be one measurement with another one are found
// without a look at each: a load that is measured every night has thousands.
type neighbours struct {
	points  []*catalog.Point
	numbers []int // what whoever added them calls them
	// kinds are the points by the names of the statistics they state, made when there are more than fewClusters.
	kinds map[string]*alike
}

// alike are points that state the same statistics.
type alike struct {
	all []int // as in neighbours.points, ascending
	// different is how many numbers each statistic has, of the first points.
	different map[mark]int
	// sorted are the points by the number of a statistic, those of as many decimals together. They are made when they
	// are asked for.
	sorted map[mark]map[int][]located
	// starts are the points by the second in which they began, and undated those that do not say it.
	starts  []located
	undated []int
}

// located is a point by a number of it.
type located struct {
	value float64
	point int
}

// add puts in another point, by the number that the caller has for it. All points are added before one is looked for.
func (n *neighbours) add(p *catalog.Point, number int) {
	n.points, n.numbers = append(n.points, p), append(n.numbers, number)
}

// near are the points, in the order in which they were added, of which [commonStats] may not be 0: those that a
// statistic in common, or their start, does not tell apart from p.
func (n *neighbours) near(p *catalog.Point) []int {
	if n == nil {
		return nil
	}
	if len(n.points) > fewClusters && n.kinds == nil {
		n.divide()
	}
	var out []int
	if n.kinds == nil {
		for i := range n.points {
			out = append(out, i)
		}
		return out
	}
	for _, k := range n.kinds {
		out = append(out, k.near(p, n.points)...)
	}
	slices.Sort(out)
	return out
}

// divide makes the kinds.
func (n *neighbours) divide() {
	n.kinds = map[string]*alike{}
	for i, p := range n.points {
		marks := marksOf(p)
		var names strings.Builder
		for _, m := range marks {
			names.WriteString(string(m.metric) + " " + m.stat + "\n")
		}
		k := n.kinds[names.String()]
		if k == nil {
			k = &alike{different: map[mark]int{}, sorted: map[mark]map[int][]located{}}
			n.kinds[names.String()] = k
		}
		k.all = append(k.all, i)
		if start, _, ok := moment(p.Date); ok {
			k.starts = append(k.starts, located{float64(start.Unix()), i})
		} else {
			k.undated = append(k.undated, i)
		}
	}
	for _, k := range n.kinds {
		slices.SortFunc(k.starts, located.compare)
		first := k.all[:min(len(k.all), fewClusters)]
		for _, m := range marksOf(n.points[first[0]]) {
			values := map[float64]bool{}
			for _, i := range first {
				v, _ := n.points[i].Metrics[m.metric].Get(m.stat)
				values[v] = true
			}
			k.different[m] = len(values)
		}
	}
}

// marksOf are the statistics that a point states, sorted.
func marksOf(p *catalog.Point) []mark {
	var out []mark
	for m, s := range p.Metrics {
		for x := range s.Each() {
			out = append(out, mark{m, x.Name})
		}
	}
	slices.SortFunc(out, func(a, b mark) int { return cmp.Or(cmp.Compare(a.metric, b.metric), cmp.Compare(a.stat, b.stat)) })
	return out
}

func (a located) compare(b located) int {
	return cmp.Or(cmp.Compare(a.value, b.value), cmp.Compare(a.point, b.point))
}

// near are the points of a kind that may be one measurement with p, in any order.
func (k *alike) near(p *catalog.Point, points []*catalog.Point) []int {
	by, number, most := mark{}, 0.0, 0
	for m, s := range p.Metrics {
		for x := range s.Each() {
			if n := k.different[mark{m, x.Name}]; n > most {
				by, number, most = mark{m, x.Name}, x.Value, n
			}
		}
	}
	if most == 0 {
		return nil // they state nothing in common
	}
	if k.sorted[by] == nil {
		k.sort(by, points)
	}
	var windows [][]located
	found, mine := 0, decimals(number)
	for n, all := range k.sorted[by] {
		// As far apart as agree allows, and a little more.
		apart := max(1.1e-9*math.Abs(number), 0.51*math.Pow10(-min(n, mine)))
		w := between(all, number-apart, number+apart)
		windows, found = append(windows, w), found+len(w)
	}
	var out []int
	if start, _, ok := moment(p.Date); ok {
		at := float64(start.Unix())
		if w := between(k.starts, at-zones.Seconds(), at+zones.Seconds()); len(w)+len(k.undated) < found {
			windows, out = [][]located{w}, slices.Clone(k.undated)
		}
	}
	for _, w := range windows {
		for _, l := range w {
			out = append(out, l.point)
		}
	}
	return out
}

// sort makes the lists of a statistic.
func (k *alike) sort(by mark, points []*catalog.Point) {
	lists := map[int][]located{}
	for _, i := range k.all {
		v, _ := points[i].Metrics[by.metric].Get(by.stat)
		n := decimals(v)
		lists[n] = append(lists[n], located{v, i})
	}
	for _, list := range lists {
		slices.SortFunc(list, located.compare)
	}
	k.sorted[by] = lists
}

// between are those of a sorted list whose numbers are at least one and at most another.
func between(sorted []located, least, most float64) []located {
	from, _ := slices.BinarySearchFunc(sorted, least, func(l located, v float64) int { return cmp.Compare(l.value, v) })
	to := from
	for to < len(sorted) && sorted[to].value <= most {
		to++
	}
	return sorted[from:to]
}
