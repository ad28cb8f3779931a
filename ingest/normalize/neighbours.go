package normalize

import (
	"math"
	"slices"
	"sort"
	"strings"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/metric"
)

// neighbours are points of one workload and load. Those that may be one measurement with another one are found
// without a look at each: a load that is measured every night has thousands.
type neighbours struct {
	points  []*catalog.Point
	numbers []int // what whoever added them calls them
	// kinds are the points by the names of the statistics they state, made when there are more than fewClusters.
	kinds map[string]*alike
	kind  []*alike // of each point
	room  []number // of a point that is looked at
}

// alike are points that state the same statistics.
type alike struct {
	all []int // as in neighbours.points, ascending
	// different is how many numbers each statistic has, of the first points.
	different map[mark]int
	// sorted are the points by the number of a statistic, for each number of decimals those that have so many. They
	// are made when they are asked for.
	sorted map[mark][]byValue
	// starts are the points by the second in which they began, unread those whose date nobody can read, by its text, and
	// undated all others, which do not say the second.
	starts  byValue
	unread  map[string][]int
	undated []int
}

// located is a point by a number of it.
type located struct {
	value float64
	point int
}

// byValue are points in the order of a number. It is a sort.Interface: the reader of files in a browser has one function
// that sorts such, and would have another of each type for slices.SortFunc.
type byValue []located

func (l byValue) Len() int           { return len(l) }
func (l byValue) Less(i, j int) bool { return l[i].value < l[j].value }
func (l byValue) Swap(i, j int)      { l[i], l[j] = l[j], l[i] }

// between are those of a sorted list whose numbers are at least one and at most another.
func (l byValue) between(least, most float64) byValue {
	from := sort.Search(len(l), func(i int) bool { return l[i].value >= least })
	to := from
	for to < len(l) && l[to].value <= most {
		to++
	}
	return l[from:to]
}

// mark is a statistic of a metric.
type mark struct {
	metric metric.ID
	stat   string
}

// number is what a point states of a statistic.
type number struct {
	of    mark
	value float64
}

// numbersOf are those that a point states, in any order, in room.
func numbersOf(p *catalog.Point, room []number) []number {
	room = room[:0]
	for m, s := range p.Metrics {
		for x := range s.Each() {
			room = append(room, number{mark{m, x.Name}, x.Value})
		}
	}
	return room
}

// byMark are numbers in the order of what they are of, as byValue sorts points.
type byMark []number

func (l byMark) Len() int { return len(l) }
func (l byMark) Less(i, j int) bool {
	a, b := l[i].of, l[j].of
	return a.metric < b.metric || a.metric == b.metric && a.stat < b.stat
}
func (l byMark) Swap(i, j int) { l[i], l[j] = l[j], l[i] }

// add puts in another point, by the number that the caller has for it. All points are added before one is looked for.
func (n *neighbours) add(p *catalog.Point, number int) {
	n.points, n.numbers = append(n.points, p), append(n.numbers, number)
}

// near are the points, in the order in which they were added, of which [commonStats] may not be 0: those that a
// statistic in common, or their start, does not tell apart from p.
func (n *neighbours) near(p *catalog.Point) (out []int) {
	switch {
	case len(n.points) <= fewClusters:
		for i := range n.points {
			out = append(out, i)
		}
		return out
	case n.kinds == nil:
		n.divide()
	}
	n.room = numbersOf(p, n.room)
	for _, k := range n.kinds {
		out = append(out, k.near(p, n.room, n.points)...)
	}
	slices.Sort(out)
	return out
}

// kindOf is the kind of a point, nil for all where there are few.
func (n *neighbours) kindOf(i int) *alike {
	if len(n.points) <= fewClusters {
		return nil
	}
	if n.kinds == nil {
		n.divide()
	}
	return n.kind[i]
}

// divide makes the kinds.
func (n *neighbours) divide() {
	n.kinds = map[string]*alike{}
	for i, p := range n.points {
		var names []string
		n.room = numbersOf(p, n.room)
		for _, x := range n.room {
			names = append(names, string(x.of.metric)+" "+x.of.stat)
		}
		slices.Sort(names)
		name := strings.Join(names, "\n")
		if n.kinds[name] == nil {
			n.kinds[name] = &alike{unread: map[string][]int{}}
		}
		n.kinds[name].add(p, i)
		n.kind = append(n.kind, n.kinds[name])
	}
	for _, k := range n.kinds {
		sort.Sort(k.starts)
		k.different, k.sorted = map[mark]int{}, map[mark][]byValue{}
		seen := map[number]bool{}
		for _, i := range k.all[:min(len(k.all), fewClusters)] {
			n.room = numbersOf(n.points[i], n.room)
			for _, x := range n.room {
				if !seen[x] {
					seen[x] = true
					k.different[x.of]++
				}
			}
		}
	}
}

// add puts in a point by its number in neighbours.points.
func (k *alike) add(p *catalog.Point, i int) {
	k.all = append(k.all, i)
	switch start, _, ok := moment(p.Date); {
	case ok:
		k.starts = append(k.starts, located{float64(start.Unix()), i})
	case unreadable(p.Date):
		k.unread[p.Date] = append(k.unread[p.Date], i)
	default:
		k.undated = append(k.undated, i)
	}
}

// near are the points of a kind that may be one measurement with p, which states these numbers, in any order.
func (k *alike) near(p *catalog.Point, numbers []number, points []*catalog.Point) []int {
	var best number
	most := 0
	for _, x := range numbers {
		if n := k.different[x.of]; n > most {
			best, most = x, n
		}
	}
	if most == 0 {
		return nil // they state nothing in common
	}
	if k.sorted[best.of] == nil {
		k.sort(best.of, points)
	}
	var found []byValue
	count, mine := 0, decimals(best.value)
	for n, all := range k.sorted[best.of] {
		// As far apart as agree allows, and a little more.
		apart := max(1.1e-9*math.Abs(best.value), 0.51*math.Pow10(-min(n, mine)))
		some := all.between(best.value-apart, best.value+apart)
		found, count = append(found, some), count+len(some)
	}
	var out []int
	switch start, _, ok := moment(p.Date); {
	case ok:
		at := float64(start.Unix())
		if some := k.starts.between(at-zones.Seconds(), at+zones.Seconds()); len(some)+len(k.undated) < count {
			found, out = []byValue{some}, slices.Clone(k.undated)
		}
	case unreadable(p.Date):
		if some := k.unread[p.Date]; len(some)+len(k.undated) < count {
			found, out = nil, slices.Concat(some, k.undated)
		}
	}
	for _, some := range found {
		for _, l := range some {
			out = append(out, l.point)
		}
	}
	return out
}

// sort makes the lists of a statistic.
func (k *alike) sort(by mark, points []*catalog.Point) {
	var lists []byValue
	for _, i := range k.all {
		v, _ := points[i].Metrics[by.metric].Get(by.stat)
		n := decimals(v)
		for len(lists) <= n {
			lists = append(lists, nil)
		}
		lists[n] = append(lists[n], located{v, i})
	}
	for _, list := range lists {
		sort.Sort(list)
	}
	k.sorted[by] = lists
}
