package normalize

import (
	"maps"
	"slices"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/record"
	"github.com/inferdex/inferdex/ingest/settings"
)

// apart reports whether two sessions that are told together elsewhere are two runs all the same: their
// format told them apart in one file, they state different things, or they measured the same loads.
func (j *joiner) apart(a, b *session) bool {
	if oneOf(a.files(), b.files()) || !(names{j.o.Names}).oneRun(a, b) {
		return true
	}
	loads := map[string]bool{}
	for _, p := range j.pointsOf(a) {
		loads[p.Workload.Key()+"|"+p.Load.Key()] = true
	}
	return slices.ContainsFunc(j.pointsOf(b),
		func(p catalog.Point) bool { return loads[p.Workload.Key()+"|"+p.Load.Key()] })
}

// divide gives the results of a session that other sessions tell too, and tell apart, to these: a file of
// raw results does not say which build each was of, and the table beside it does. It returns the pairs of
// sessions that are one run as a whole.
func (j *joiner) divide(pairs []*pair) []*pair {
	partners := map[*session][]*pair{}
	for _, p := range pairs {
		partners[p.a], partners[p.b] = append(partners[p.a], p), append(partners[p.b], p)
	}
	several := map[*session]bool{}
	for s, of := range partners {
		several[s] = j.severalRuns(s, of)
	}
	var whole []*pair
	moved := map[*session]map[*entry]*session{}
	for _, p := range pairs {
		switch {
		case several[p.a] && several[p.b]: // each tells the other apart: nothing says which is right
		case !several[p.a] && !several[p.b]:
			whole = append(whole, p)
		default:
			from, to, i := p.a, p.b, 0
			if several[p.b] {
				from, to, i = p.b, p.a, 1
			}
			if moved[from] == nil {
				moved[from] = map[*entry]*session{}
			}
			for _, l := range p.links {
				if moved[from][l[i].entry] == nil && !j.disagree(l[i], to) {
					moved[from][l[i].entry] = to
				}
			}
		}
	}
	for _, s := range slices.Clone(j.sessions) {
		if len(moved[s]) > 0 {
			j.move(s, moved[s])
		}
	}
	return whole
}

// severalRuns reports whether a session tells of runs that others tell apart.
func (j *joiner) severalRuns(s *session, of []*pair) bool {
	own := func(p *pair) (other *session, mine map[*entry]bool) {
		mine = map[*entry]bool{}
		i := 0
		if other = p.b; p.b == s {
			other, i = p.a, 1
		}
		for _, l := range p.links {
			mine[l[i].entry] = true
		}
		return other, mine
	}
	for i, p := range of {
		x, mine := own(p)
		for _, q := range of[:i] {
			y, others := own(q)
			shared := false
			for e := range mine {
				shared = shared || others[e]
			}
			if !shared && j.apart(x, y) {
				return true
			}
		}
	}
	return false
}

// disagree reports whether a result is told by a session that is another run than the one given.
func (j *joiner) disagree(t *twin, to *session) bool {
	return slices.ContainsFunc(t.of,
		func(o *twin) bool { return o.session != to && o.session != t.session && j.apart(o.session, to) })
}

// move takes records out of a session. What describes them goes along.
func (j *joiner) move(s *session, to map[*entry]*session) {
	rest := slices.DeleteFunc(slices.Clone(s.records), func(e *entry) bool { return to[e] != nil })
	emptied := !slices.ContainsFunc(rest, func(e *entry) bool { return !e.attached && record.Measures(e.Record) })
	var targets []*session
	for _, e := range s.records {
		if t := to[e]; t != nil {
			t.records = append(t.records, e)
			if !slices.Contains(targets, t) {
				targets = append(targets, t)
			}
		}
	}
	for _, t := range targets {
		for _, e := range rest {
			if e.attached || emptied {
				t.records = append(t.records, e)
			}
		}
		for _, a := range s.applied {
			t.applied = append(t.applied, settings.Applied{Facts: a.Facts, Overrides: a.Overrides, Accept: a.Accept})
		}
		t.rules = append(t.rules, s.rules...)
		maps.Copy(t.origin, s.origin)
		t.settle()
		t.ready = false
	}
	if s.records, s.ready = rest, false; !emptied {
		s.settle()
		return
	}
	j.sessions = slices.DeleteFunc(j.sessions, func(x *session) bool { return x == s })
}
