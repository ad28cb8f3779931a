package normalize

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/internal/order"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
)

// points makes the points of a run of its results. Several records of one point (a sweep's
// summary and its runs, a page and the raw file, what Finish computed) become one: what says
// more stands, what others add is taken over, what they contradict is told with both places.
// Records of one load that were measured at different times, or contradict each other with equal
// authority, are repetitions.
func points(results []*entry, f *findings) []catalog.Point {
	all := candidates(results, f)
	fill(all)
	loads := adopted(byLoad(all))
	merged := make([][]*catalog.Point, 0, len(loads)) // points are large, and sorting moves them often
	room := make([]*catalog.Point, 0, len(all))
	for _, g := range loads {
		begin := len(room)
		if room = mergeLoad(room, g.all, f); len(room) > begin {
			merged = append(merged, room[begin:len(room):len(room)])
		}
	}
	f.tell()
	if len(room) == 0 {
		return nil
	}
	out := make([]catalog.Point, 0, len(room))
	for _, p := range ordered(merged) {
		out = append(out, *p)
	}
	return out
}

// ordered are the points of loads in their order. Those of one load are mostly in order, and between those of another
// and the next: then it is enough to order the loads, of which there are fewer.
func ordered(loads [][]*catalog.Point) []*catalog.Point {
	var all []catalog.Order
	type block struct{ from, to int } // the points of a load
	blocks := make([]block, len(loads))
	for i, l := range loads {
		blocks[i].from = len(all)
		for _, p := range l {
			all = append(all, p.Order())
		}
		blocks[i].to = len(all)
	}
	order.Stable(blocks, func(a, b block) int { return all[a.from].Compare(&all[b.from]) })
	out := make([]*catalog.Point, 0, len(all))
	last := -1
	for _, b := range blocks {
		for i := b.from; i < b.to; i++ {
			if last >= 0 {
				// Of equal ones the first stays first.
				if c := all[last].Compare(&all[i]); c > 0 || c == 0 && i == b.from {
					out = slices.Concat(loads...)
					slices.SortStableFunc(out, (*catalog.Point).Compare)
					return out
				}
			}
			out, last = append(out, all[i].Point), i
		}
	}
	return out
}

// authority orders accounts of one point: raw records first, then pages and reports, then what was
// computed; among equals what says more, then what says it in more digits, then by date and place.
func authority(a, b *candidate) int {
	rank := func(c *candidate) int {
		switch {
		case c.record.computed:
			return 2
		case !c.result.Told():
			return 1
		}
		return 0
	}
	if order := cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(b.stats, a.stats),
		cmp.Compare(b.digits, a.digits)); order != 0 {
		return order // the others cost more
	}
	return byDate(a, b)
}

// byDate orders accounts by date and place.
func byDate(a, b *candidate) int {
	if a.result.Date != b.result.Date {
		return cmp.Or(cmp.Compare(started(a.result.Date), started(b.result.Date)),
			cmp.Compare(a.result.Date, b.result.Date))
	}
	return byPlace(a.record, b.record)
}

// mergeLoad adds the points of one workload and load.
func mergeLoad(out []*catalog.Point, group []*candidate, f *findings) []*catalog.Point {
	if len(group) == 1 {
		return append(out, &group[0].point)
	}
	clusters := apart(group)
	if clusters == nil {
		for _, c := range group {
			c.weigh()
		}
		slices.SortStableFunc(group, authority)
		clusters = clustered(group, f)
	}
	if len(clusters) == 1 {
		return append(out, &clusters[0].point)
	}
	slices.SortStableFunc(clusters, func(a, b *cluster) int {
		return cmp.Or(cmp.Compare(a.point.Repetition, b.point.Repetition),
			cmp.Compare(started(a.first.result.Date), started(b.first.result.Date)),
			byPlace(a.first.record, b.first.record))
	})
	taken, next := map[int]bool{}, map[int]int{} // next: below it all from that number on are taken
	renumbered := false
	for _, cl := range clusters {
		n := max(cl.point.Repetition, next[cl.point.Repetition])
		for taken[n] {
			n++
		}
		taken[n], next[cl.point.Repetition] = true, n+1
		renumbered = renumbered || n != cl.point.Repetition
		cl.point.Repetition = n
		out = append(out, &cl.point)
	}
	if !renumbered {
		return out
	}
	for _, alike := range ofSameLengths(clusters) {
		if len(alike) == 1 {
			continue
		}
		a, b := alike[0], alike[1]
		severity, why := record.Remark, "at different times"
		if a.first.result.Date == b.first.result.Date || a.first.result.Date == "" || b.first.result.Date == "" {
			severity, why = record.Warning, "with different results"
		}
		load := a.point
		load.Repetition = a.first.result.Repetition // as its file has it
		f.repeated(severity, a.first.record,
			fmt.Sprintf("%s: measured %d times %s, in %s and %s", describe(&load), len(alike), why,
				where(a.first.record), where(b.first.record)))
	}
	return out
}

// join adds to p what c states beyond it and tells what it contradicts.
func join(p *catalog.Point, first, c *candidate, f *findings) {
	q := &c.point
	for _, m := range slices.Sorted(maps.Keys(q.Metrics)) {
		t := q.Metrics[m]
		s, ok := p.Metrics[m]
		if !ok {
			if p.Metrics == nil {
				p.Metrics = map[metric.ID]catalog.Stat{}
			}
			p.Metrics[m] = t
			continue
		}
		s.Percentiles = slices.Clone(s.Percentiles)
		for _, x := range t.All() {
			if !has(s, x.Name) {
				s.Set(x.Name, x.Value)
				continue
			}
			y, _ := s.Get(x.Name)
			switch {
			case derived(s, x.Name) && derived(t, x.Name): // of numbers that were rounded before
			case !agreeAs(x.Value, y, t.OrigUnit, s.OrigUnit):
				shown := metric.Texts(s.Unit, y, x.Value)
				f.contradiction(first.record, c.record,
					fmt.Sprintf("%s: %s is %s in %s and %s in %s", describe(p), statName(m, x.Name),
						shown[0], where(first.record), shown[1], where(c.record)))
			case !derived(t, x.Name) && significant(x.Value) > significant(y): // the more exact source wins
				s.Set(x.Name, x.Value)
			}
		}
		s.N = max(s.N, t.N)
		p.Metrics[m] = s
	}
	for _, m := range slices.Sorted(maps.Keys(q.Distributions)) {
		if d, ok := p.Distributions[m]; !ok || d.N < q.Distributions[m].N { // of two the one with more values
			if p.Distributions == nil {
				p.Distributions = map[metric.ID]catalog.Distribution{}
			}
			p.Distributions[m] = q.Distributions[m]
		}
	}
	for _, n := range []struct {
		name string
		p    **int64
		q    *int64
	}{{"submitted", &p.Submitted, q.Submitted}, {"completed", &p.Completed, q.Completed},
		{"completed without output", &p.NoOutput, q.NoOutput},
		{"failed", &p.Failed, q.Failed}, {"timed out", &p.TimedOut, q.TimedOut}} {
		switch {
		case *n.p == nil:
			*n.p = n.q
		case n.q != nil && **n.p != *n.q:
			f.contradiction(first.record, c.record,
				fmt.Sprintf("%s: %s %s in %s and %d in %s", describe(p), metric.Plural(**n.p, "request"), n.name, where(first.record),
					*n.q, where(c.record)))
		}
	}
	if p.Duration == nil {
		p.Duration = q.Duration
	} else if q.Duration != nil && !agree(*p.Duration, *q.Duration) {
		shown := metric.Texts(metric.Seconds, *p.Duration, *q.Duration)
		f.contradiction(first.record, c.record,
			fmt.Sprintf("%s: duration is %s in %s and %s in %s", describe(p), shown[0], where(first.record), shown[1],
				where(c.record)))
	}
	if p.Workload.Actual.Input == nil {
		p.Workload.Actual.Input = q.Workload.Actual.Input
	}
	if p.Workload.Actual.Output == nil {
		p.Workload.Actual.Output = q.Workload.Actual.Output
	}
	if p.Workload.Warmup == nil {
		p.Workload.Warmup = q.Workload.Warmup
	}
	if p.Date == "" {
		p.Date = q.Date
	}
	if len(p.Errors) == 0 {
		p.Errors = q.Errors
	}
}
