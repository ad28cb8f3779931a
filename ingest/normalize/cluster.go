package normalize

import (
	"maps"
	"math"
	"slices"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/record"
)

// cluster is the records of one load that state one measurement: the record that says most, and the point
// that all of them give.
type cluster struct {
	first *candidate
	point catalog.Point
	own   bool // the maps of the point are no more those of the first record's
}

// join adds what another record of the measurement states.
func (cl *cluster) join(c *candidate, f *findings) {
	if !cl.own {
		cl.point.Metrics, cl.point.Distributions = maps.Clone(cl.point.Metrics), maps.Clone(cl.point.Distributions)
		cl.own = true
	}
	join(&cl.point, cl.first, c, f)
}

// clusters are those of one load, in the order of their first records, with their numbers by what the
// records of one measurement have in common.
type clusters struct {
	all     []*cluster
	byPlace map[catalog.Place]int
	byDate  map[string]*bucket
	byTurn  map[int]*bucket // by the tool's own number of a repetition
	byBoth  map[turn]*bucket
}

// bucket is the numbers of clusters that may state what another record does, in ascending order. A load that was
// measured ten thousand times is not compared in pairs: results of one format that agree have a trace in common.
type bucket struct {
	all    []int
	firsts []*candidate
	// What follows is made when there are more than fewClusters.
	byTrace map[trace][]int
	byMark  map[mark][]int
	byStats map[int][]int // by how many statistics the first record has
	formats map[string]bool
}

// fewClusters are compared in pairs: to look them up takes longer.
const fewClusters = 16

// add notes a cluster that begins with a record.
func (b *bucket) add(i int, c *candidate) {
	b.all, b.firsts = append(b.all, i), append(b.firsts, c)
	switch n := len(b.all); {
	case n == fewClusters+1:
		b.byTrace, b.byMark = map[trace][]int{}, map[mark][]int{}
		b.byStats, b.formats = map[int][]int{}, map[string]bool{}
		for k, i := range b.all {
			b.index(i, b.firsts[k])
		}
	case n > fewClusters:
		b.index(i, c)
	}
}

func (b *bucket) index(i int, c *candidate) {
	b.byMark[c.mark] = append(b.byMark[c.mark], i)
	b.byStats[c.stats] = append(b.byStats[c.stats], i)
	b.formats[c.record.Header().Format] = true
	for _, t := range c.traces {
		b.byTrace[t] = append(b.byTrace[t], i)
	}
}

// likely are the clusters that a record may belong to, in ascending order: all but those that state another
// number of its mark and no more than it does.
func (b *bucket) likely(c *candidate) []int {
	if b == nil {
		return nil
	}
	format := c.record.Header().Format
	if len(b.all) <= fewClusters || c.mark == (mark{}) || c.record.computed || c.same != nil || len(b.formats) > 1 ||
		!b.formats[format] {
		return b.all
	}
	var out []int
	for m, of := range b.byMark {
		if m != c.mark {
			out = append(out, of...)
		}
	}
	for n, of := range b.byStats {
		if n > c.stats {
			out = append(out, of...)
		}
	}
	for _, t := range c.traces {
		out = append(out, b.byTrace[t]...)
	}
	slices.Sort(out)
	return out
}

// turn is when a record of one load was measured, as far as it says.
type turn struct {
	repetition int
	date       string
}

func (c *candidate) turn() turn { return turn{c.result.Repetition, c.date} }

// apart are the clusters of records of one load that each have a date of their own, which is all that needs to be known
// of them; nil where one has none, or that of another.
func apart(group []*candidate) []*cluster {
	dates := make(map[string]bool, len(group))
	for _, c := range group {
		if c.record.computed || c.date == "" || dates[c.date] {
			return nil
		}
		dates[c.date] = true
	}
	all := make([]cluster, len(group))
	out := make([]*cluster, len(group))
	for i, c := range group {
		all[i] = cluster{first: c, point: c.point}
		out[i] = &all[i]
	}
	return out
}

// clustered divides records of one load, those that say most first, into the measurements they state.
func clustered(group []*candidate, f *findings) []*cluster {
	in := &clusters{byPlace: map[catalog.Place]int{}, byDate: map[string]*bucket{}, byTurn: map[int]*bucket{},
		byBoth: map[turn]*bucket{}}
	for _, c := range group {
		if i := in.find(c); i >= 0 {
			in.all[i].join(c, f)
		} else {
			in.begin(c)
		}
	}
	return in.all
}

// begin makes a cluster of a record.
func (in *clusters) begin(c *candidate) {
	i, at, t := len(in.all), c.record.place(), c.turn()
	in.all = append(in.all, &cluster{first: c, point: c.point})
	if _, taken := in.byPlace[at]; !taken {
		in.byPlace[at] = i
	}
	note(in.byDate, t.date, i, c)
	note(in.byTurn, t.repetition, i, c)
	note(in.byBoth, t, i, c)
}

// note adds a cluster to the bucket of a key.
func note[K comparable](to map[K]*bucket, k K, i int, c *candidate) {
	if to[k] == nil {
		to[k] = &bucket{}
	}
	to[k].add(i, c)
}

// find is the number of the first cluster that a record belongs to, -1 where there is none.
func (in *clusters) find(c *candidate) int {
	t := c.turn()
	var some, others []int // those whose dates fit
	switch {
	case c.record.computed:
		if i, ok := in.byPlace[c.record.place()]; ok { // it belongs to the record it was computed for
			return i
		}
		if t.date == "" {
			return min(0, len(in.all)-1)
		}
		some, others = in.byDate[t.date].likely(c), in.byDate[""].likely(c)
	case t.date == "":
		some = in.byTurn[t.repetition].likely(c)
	default:
		some, others = in.byBoth[t].likely(c), in.byBoth[turn{t.repetition, ""}].likely(c)
	}
	fits := func(i int) bool { return oneMeasurement(in.all[i].first, c) }
	a, b := slices.IndexFunc(some, fits), slices.IndexFunc(others, fits)
	switch {
	case a < 0 && b < 0:
		return -1
	case b < 0:
		return some[a]
	case a < 0:
		return others[b]
	}
	return min(some[a], others[b])
}

// oneMeasurement reports whether two records of one load state one measurement: neither their
// dates nor the tool's own numbers of repetitions differ, and either their values agree, or one
// is plainly an extract of the other or of another format, whose contradiction is then told.
func oneMeasurement(a, b *candidate) bool {
	if a.result.Repetition != b.result.Repetition && !b.record.computed {
		return false
	}
	if x, y := a.date, b.date; x != "" && y != "" && x != y {
		return false
	}
	if b.record.computed || a.record.computed || a.same != nil && a.same == b.same {
		return true
	}
	common, equal := 0, true
	for m, s := range b.point.Metrics {
		if t, ok := a.point.Metrics[m]; ok {
			n, same := compareStats(s, t)
			common += n
			equal = equal && same
		}
	}
	other := a.record.Header().Format != b.record.Header().Format
	if equal {
		// Nothing in common: one failed, or they complete each other.
		return common > 0 || other || a.stats == 0 || b.stats == 0
	}
	return other && saysWhat(a.point) || extract(a, b)
}

// saysWhat reports whether a point says which of several measurements it is: of two that do not, other
// values are of another measurement.
func saysWhat(p catalog.Point) bool {
	w := p.Workload
	return p.Load != (record.Load{}) || w.Name != "" || w.Nominal != (record.Lengths{})
}

// extract reports whether b states nothing that a does not state too, and less.
func extract(a, b *candidate) bool {
	for m, s := range b.point.Metrics {
		for _, x := range s.All() {
			if !has(a.point.Metrics[m], x.Name) {
				return false
			}
		}
	}
	return b.stats < a.stats
}

// ofSameLengths are the clusters of one load by the lengths that they share with the first of each group: other lengths
// are other workloads, where none is nominal, and no load was repeated. One whose lengths nobody knows is of the first.
func ofSameLengths(all []*cluster) [][]*cluster {
	var groups [][]*cluster
	near := map[[2]float64][]int{} // groups
	var unclear []*cluster
	for _, c := range all {
		w := &c.point.Workload
		in, knownIn := lengthCell(w.Nominal.Input, w.Actual.Input)
		out, knownOut := lengthCell(w.Nominal.Output, w.Actual.Output)
		if !knownIn || !knownOut {
			unclear = append(unclear, c)
			continue
		}
		found := len(groups)
		for i := range 9 {
			for _, g := range near[[2]float64{in + float64(i/3-1), out + float64(i%3-1)}] {
				if g < found && groups[g][0].repeatedBy(c) {
					found = g
				}
			}
		}
		if found == len(groups) {
			groups = append(groups, nil)
			near[[2]float64{in, out}] = append(near[[2]float64{in, out}], found)
		}
		groups[found] = append(groups[found], c)
	}
	for _, c := range unclear {
		if g := slices.IndexFunc(groups, func(g []*cluster) bool { return g[0].repeatedBy(c) }); g >= 0 {
			groups[g] = append(groups[g], c)
		} else {
			groups = append(groups, []*cluster{c})
		}
	}
	return groups
}

// repeatedBy reports whether another cluster is of the same workload and load.
func (c *cluster) repeatedBy(o *cluster) bool {
	return c.point.Workload.SameLengths(o.point.Workload) && c.point.SameLoad(&o.point)
}

// lengthCell is a number of a length that differs by one at most from that of any length that
// [record.Workload.SameLengths] takes for the same; all nominal lengths of one load have one.
func lengthCell(nominal, actual *float64) (cell float64, known bool) {
	const width = 0.2232 // more than the logarithm of a length and one 20 % below it differ by
	switch {
	case nominal != nil:
		return 0, true
	case actual == nil:
		return 0, false
	}
	return math.Floor(math.Log(*actual) / width), true
}
