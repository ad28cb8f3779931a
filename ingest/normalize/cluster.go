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
	// points are all records of the load by their numbers, and began the cluster that each of them began, -1 for none.
	points neighbours
	began  []int
}

// bucket is the numbers of clusters that may state what another record does, in ascending order.
type bucket struct {
	all     []int
	formats map[string]bool
	// kinds is the first cluster of those whose first records state the same statistics.
	kinds map[*alike]int
}

// fewClusters are compared in pairs: to look them up takes longer.
const fewClusters = 16

// note adds a cluster that begins with a record of a format and kind to the bucket of a key.
func note[K comparable](to map[K]*bucket, k K, i int, format string, kind *alike) {
	b := to[k]
	if b == nil {
		b = &bucket{formats: map[string]bool{}, kinds: map[*alike]int{}}
		to[k] = b
	}
	b.all, b.formats[format] = append(b.all, i), true
	if _, ok := b.kinds[kind]; !ok {
		b.kinds[kind] = i
	}
}

// likely are the clusters of a bucket that a record may belong to, in ascending order. A load that was measured ten
// thousand times is not compared in pairs: results of one format are one measurement where they agree, or where one states
// nothing or is an extract of the other, and of those that state the same statistics the first is enough to say so.
func (in *clusters) likely(b *bucket, c *candidate) []int {
	if b == nil {
		return nil
	}
	if len(b.all) <= fewClusters || c.record.computed || c.same != nil || len(b.formats) > 1 ||
		!b.formats[c.record.Header().Format] {
		return b.all
	}
	var out []int
	for _, n := range in.points.near(undated(c)) {
		if i := in.began[n]; i >= 0 {
			if _, ok := slices.BinarySearch(b.all, i); ok {
				out = append(out, i)
			}
		}
	}
	for _, i := range b.kinds {
		if a := in.all[i].first; a.stats == 0 || extract(a, c) {
			out = append(out, i)
		}
	}
	slices.Sort(out)
	return out
}

// undated is the point of a record without its date: dates are compared as a source of the same measurement wrote them.
func undated(c *candidate) *catalog.Point {
	p := c.point
	p.Date = ""
	return &p
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
	in := clustersOf(group)
	for n, c := range group {
		if i := in.find(c); i >= 0 {
			in.all[i].join(c, f)
		} else {
			in.begin(n, c)
		}
	}
	return in.all
}

// clustersOf is made for records of one load, and has no cluster yet.
func clustersOf(group []*candidate) *clusters {
	in := &clusters{byPlace: map[catalog.Place]int{}, byDate: map[string]*bucket{}, byTurn: map[int]*bucket{},
		byBoth: map[turn]*bucket{}, began: make([]int, len(group))}
	for n, c := range group {
		if in.began[n] = -1; len(group) > fewClusters { // fewer are not looked up
			in.points.add(undated(c), n)
		}
	}
	return in
}

// begin makes a cluster of the nth record.
func (in *clusters) begin(n int, c *candidate) {
	i, at, t := len(in.all), c.record.place(), c.turn()
	in.all, in.began[n] = append(in.all, &cluster{first: c, point: c.point}), i
	if _, taken := in.byPlace[at]; !taken {
		in.byPlace[at] = i
	}
	format, kind := c.record.Header().Format, in.points.kindOf(n)
	note(in.byDate, t.date, i, format, kind)
	note(in.byTurn, t.repetition, i, format, kind)
	note(in.byBoth, t, i, format, kind)
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
		some, others = in.likely(in.byDate[t.date], c), in.likely(in.byDate[""], c)
	case t.date == "":
		some = in.likely(in.byTurn[t.repetition], c)
	default:
		some, others = in.likely(in.byBoth[t], c), in.likely(in.byBoth[turn{t.repetition, ""}], c)
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
	if b.stats >= a.stats {
		return false
	}
	for m, s := range b.point.Metrics {
		for _, x := range s.All() {
			if !has(a.point.Metrics[m], x.Name) {
				return false
			}
		}
	}
	return true
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
