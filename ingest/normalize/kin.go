package normalize

import (
	"slices"

	"github.com/inferdex/inferdex/ingest/record"
)

// kin are sessions of one identity and all that these are joined with. Thousands may have one, such as all runs of a
// day: which of them share a measurement is found once for all.
type kin struct {
	j       *joiner
	u       *groups
	named   map[record.Identity][]*session // by their identity in one spelling
	spelled map[*session]record.Identity
	// shares are the sessions that hold a measurement of a session; a session that was not looked at has no entry.
	shares   map[*session][]*session
	measured map[*group]*measured
}

// measured is what a group measured when it had so many sessions.
type measured struct {
	sessions         int
	workloads, loads map[string]bool
}

// conflict reports whether two groups of one identity are two runs: both have points, and in the
// workloads that both measured none is in common. Where the tool names the session itself, loads
// that only one of the two has are a part each of the same session.
func (k *kin) conflict(a, b *group, suite bool) bool {
	x, y := k.of(a), k.of(b)
	if len(x.loads) == 0 || len(y.loads) == 0 || k.sharePoint(a, b) {
		return false
	}
	return oneOf(x.loads, y.loads) || !suite && oneOf(x.workloads, y.workloads)
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

// sharePoint reports whether two groups hold one measurement both: equal workload, load, and every statistic that
// both have.
func (k *kin) sharePoint(a, b *group) bool {
	if len(b.sessions) < len(a.sessions) {
		a, b = b, a
	}
	for _, s := range a.sessions {
		if _, known := k.shares[s]; !known {
			k.compare(k.family(s))
		}
		if slices.ContainsFunc(k.shares[s], func(t *session) bool { return k.u.of[t] == b }) {
			return true
		}
	}
	return false
}

// family are all sessions that may come to one group with s by their identities.
func (k *kin) family(s *session) []*session {
	seen := map[*session]bool{s: true}
	out := []*session{s}
	for i := 0; i < len(out); i++ {
		for _, of := range [][]*session{k.named[k.spelled[out[i]]], k.u.of[out[i]].sessions} {
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

// compare finds which sessions share a measurement.
func (k *kin) compare(sessions []*session) {
	for _, s := range sessions {
		k.shares[s] = []*session{}
	}
	all := k.j.byLoad(sessions)
	for n, x := range all {
		for _, i := range x.of.near(x.point) {
			if x.of.numbers[i] >= n {
				break
			}
			y := all[x.of.numbers[i]]
			if k.u.of[y.s] != k.u.of[x.s] && commonStats(y.point, x.point) > 0 { // what is one group stays one
				k.shares[x.s], k.shares[y.s] = append(k.shares[x.s], y.s), append(k.shares[y.s], x.s)
			}
		}
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
