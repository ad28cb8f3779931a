package normalize

import (
	"maps"
	"slices"

	"github.com/inferdex/inferdex/ingest/record"
)

// kin are sessions of one identity and all that these are joined with. Thousands may have one, such as all runs of a
// day: which of them share a measurement is found once for all.
type kin struct {
	j       *joiner
	u       *groups
	named   map[record.Identity]*namesakes // by their identity in one spelling
	spelled map[*session]record.Identity
	// points are the numbers of what a session measured, one for points that are equal; a session that was not looked at
	// has no entry. holders are the sessions that have a point, and related the points that may be one measurement with it.
	points   map[*session][]int
	holders  [][]*session
	related  [][]int
	measured map[*group]*measured
	joins    int // so far
}

// namesakes are the sessions of an identity.
type namesakes struct {
	sessions []*session
	// What follows is of the groups that they were in when so many joins were made; counted says that it is known.
	counted          bool
	joins, groups    int
	empty            bool           // one of the groups measured nothing
	workloads, loads map[string]int // how many of the groups measured it
}

// measured is what a group measured.
type measured struct {
	sessions         int // that it had
	workloads, loads map[string]bool
	points           map[int]bool // as in kin.points; nil where nobody asked
	// lone says that it shared no measurement with another group when so many joins were made; asked that it is known.
	asked, lone bool
	joins       int
}

// kin finds the sessions of each identity.
func (j *joiner) kin(u *groups) *kin {
	k := &kin{j: j, u: u, named: map[record.Identity]*namesakes{}, spelled: make(map[*session]record.Identity, len(j.sessions)),
		points: map[*session][]int{}, measured: map[*group]*measured{}}
	for _, s := range j.sessions {
		id := j.spelled(s.id)
		k.spelled[s] = id
		if k.named[id] == nil {
			k.named[id] = &namesakes{}
		}
		k.named[id].sessions = append(k.named[id].sessions, s)
	}
	return k
}

// single reports whether a session is in a group with no other, and no other has its identity.
func (k *kin) single(s *session) bool {
	return len(k.u.of[s].sessions) == 1 && len(k.named[k.spelled[s]].sessions) == 1
}

// alone reports whether no session of the identity of s can come to its group: all are in it, or all others measured
// what it measured too, and none of their measurements is one of its own. It saves a look at each.
func (k *kin) alone(mine *group, s *session) bool {
	if len(k.named[k.spelled[s]].sessions) == 1 {
		return true
	}
	n := k.namesakes(s)
	switch {
	case n.groups == 1:
		return true
	case n.empty:
		return false
	}
	m, common := k.of(mine), false
	for l := range m.loads {
		common = common || n.loads[l] == n.groups
	}
	for w := range m.workloads {
		common = common || !s.suite && n.workloads[w] == n.groups
	}
	if !common {
		return false
	}
	if !m.asked || m.joins != k.joins {
		m.asked, m.joins, m.lone = true, k.joins, k.shareNone(mine)
	}
	return m.lone
}

// namesakes are the sessions of the identity of s, counted.
func (k *kin) namesakes(s *session) *namesakes {
	n := k.named[k.spelled[s]]
	if n.counted && n.joins == k.joins {
		return n
	}
	n.counted, n.joins, n.empty, n.workloads, n.loads = true, k.joins, false, map[string]int{}, map[string]int{}
	seen := map[*group]bool{}
	for _, t := range n.sessions {
		if g := k.u.of[t]; !seen[g] {
			seen[g] = true
			m := k.of(g)
			n.empty = n.empty || len(m.loads) == 0
			for w := range m.workloads {
				n.workloads[w]++
			}
			for l := range m.loads {
				n.loads[l]++
			}
		}
	}
	n.groups = len(seen)
	return n
}

// join makes one group of two and returns it.
func (k *kin) join(a, b *group) *group {
	x, y := k.of(a), k.of(b)
	if x.points != nil || y.points != nil {
		x.points, y.points = union(k.pointsOf(a), k.pointsOf(b)), nil
	}
	one := k.u.join(a, b)
	k.joins++
	k.measured[one] = &measured{sessions: len(one.sessions), workloads: union(x.workloads, y.workloads),
		loads: union(x.loads, y.loads), points: x.points}
	return one
}

// union adds the smaller of two sets to the larger.
func union[K comparable](a, b map[K]bool) map[K]bool {
	if len(a) < len(b) {
		a, b = b, a
	}
	maps.Copy(a, b)
	return a
}

// conflict reports whether two groups of one identity are two runs: both have points, and in the
// workloads that both measured none is in common. Where the tool names the session itself, loads
// that only one of the two has are a part each of the same session.
func (k *kin) conflict(a, b *group, suite bool) bool {
	x, y := k.of(a), k.of(b)
	if len(x.loads) == 0 || len(y.loads) == 0 {
		return false
	}
	return (oneOf(x.loads, y.loads) || !suite && oneOf(x.workloads, y.workloads)) && !k.sharePoint(a, b)
}

// of is what a group measured.
func (k *kin) of(g *group) *measured {
	if m := k.measured[g]; m != nil && m.sessions == len(g.sessions) {
		return m
	}
	m := &measured{sessions: len(g.sessions), workloads: map[string]bool{}, loads: map[string]bool{}}
	for _, s := range g.sessions {
		for _, p := range k.j.pointsOf(s) {
			w := p.Workload.Key()
			m.workloads[w], m.loads[w+"|"+p.Load.Key()] = true, true
		}
	}
	k.measured[g] = m
	return m
}

// pointsOf are the numbers of what a group measured.
func (k *kin) pointsOf(g *group) map[int]bool {
	m := k.of(g)
	if m.points == nil {
		m.points = map[int]bool{}
		for _, s := range g.sessions {
			if _, known := k.points[s]; !known {
				k.compare(k.family(s))
			}
			for _, p := range k.points[s] {
				m.points[p] = true
			}
		}
	}
	return m.points
}

// sharePoint reports whether two groups hold one measurement both: equal workload, load, and every statistic that
// both have.
func (k *kin) sharePoint(a, b *group) bool {
	few, many := k.pointsOf(a), k.pointsOf(b)
	if len(many) < len(few) {
		few, many = many, few
	}
	for p := range few {
		if slices.ContainsFunc(k.related[p], func(q int) bool { return many[q] }) {
			return true
		}
	}
	return false
}

// shareNone reports whether no other group holds a measurement of g.
func (k *kin) shareNone(g *group) bool {
	for p := range k.pointsOf(g) {
		for _, q := range k.related[p] {
			if slices.ContainsFunc(k.holders[q], func(s *session) bool { return k.u.of[s] != g }) {
				return false
			}
		}
	}
	return true
}

// family are all sessions that may come to one group with s by their identities.
func (k *kin) family(s *session) []*session {
	seen := map[*session]bool{s: true}
	out := []*session{s}
	for i := 0; i < len(out); i++ {
		for _, of := range [][]*session{k.named[k.spelled[out[i]]].sessions, k.u.of[out[i]].sessions} {
			for _, t := range of {
				if !seen[t] {
					seen[t] = true
					out = append(out, t)
				}
			}
		}
	}
	return out
}

// compare finds which points of sessions may be one measurement.
func (k *kin) compare(sessions []*session) {
	for _, s := range sessions {
		k.points[s] = []int{}
	}
	all, unequal := k.j.equalPoints(sessions, nil)
	first := len(k.related)
	for _, e := range unequal {
		var holders []*session
		for _, i := range e.members {
			s := all[i].s
			holders, k.points[s] = append(holders, s), append(k.points[s], len(k.related))
		}
		var related []int
		for _, i := range e.all.near(e.point) {
			if n := e.all.numbers[i]; commonStats(unequal[n].point, e.point) > 0 {
				related = append(related, first+n)
			}
		}
		k.holders, k.related = append(k.holders, holders), append(k.related, related)
	}
}

// oneOf reports whether two sets have a text in common.
func oneOf(a, b map[string]bool) bool {
	if len(b) < len(a) {
		a, b = b, a
	}
	for text := range a {
		if b[text] {
			return true
		}
	}
	return false
}
