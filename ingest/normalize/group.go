package normalize

import (
	"cmp"
	"maps"
	"slices"

	"github.com/inferdex/inferdex/ingest/record"
	"github.com/inferdex/inferdex/ingest/settings"
)

// group is sessions that are one run. It has at least one.
type group struct {
	sessions []*session
	order    int             // of the first session
	files    map[string]bool // that they were read from
	sameAs   *record.Identity
	former   []string // ids of runs that a sidecar says are this one
	findings findings
}

// groups is a union of sets of sessions.
type groups struct{ of map[*session]*group }

// newGroups puts each session into a group of its own.
func newGroups(all []*session) *groups {
	u := &groups{of: map[*session]*group{}}
	for i, s := range all {
		u.of[s] = &group{sessions: []*session{s}, order: i, files: s.files()}
	}
	return u
}

// join makes one group of two and returns it.
func (u *groups) join(a, b *group) *group {
	if a == b {
		return a
	}
	if b.order < a.order {
		a, b = b, a
	}
	a.sessions = append(a.sessions, b.sessions...)
	a.findings.all = append(a.findings.all, b.findings.all...)
	a.former = append(a.former, b.former...)
	if a.sameAs == nil {
		a.sameAs = b.sameAs
	}
	for _, s := range b.sessions {
		u.of[s] = a
	}
	if len(a.files) < len(b.files) {
		a.files, b.files = b.files, a.files
	}
	maps.Copy(a.files, b.files)
	return a
}

// list returns the groups in the order of their first sessions.
func (u *groups) list() []*group {
	seen := map[*group]bool{}
	var out []*group
	for _, g := range u.of {
		if !seen[g] {
			seen[g] = true
			slices.SortStableFunc(g.sessions, func(a, b *session) int { return byPlace(a.records[0], b.records[0]) })
			out = append(out, g)
		}
	}
	slices.SortStableFunc(out, func(a, b *group) int { return cmp.Compare(a.order, b.order) })
	return out
}

// identity is that of a group: of the run that same_as names, else of the session that began first.
// A part of a measurement that names no model leaves it to the others.
func (g *group) identity() record.Identity {
	if g.sameAs != nil {
		return *g.sameAs
	}
	best := g.sessions[0].id
	for _, s := range g.sessions[1:] {
		switch {
		case best.Model == "" && s.id.Model != "":
			best = s.id
		case (best.Model == "") == (s.id.Model == "") && earlier(s.id.Session, best.Session):
			best = s.id
		}
	}
	return best
}

// group decides which sessions are one run: those that share a measurement, those of one identity,
// and those of which a sidecar says so. What a format told apart in one file stays apart, whatever
// else it has in common. Sessions are in order of place, so that the order of ingests decides nothing.
func (j *joiner) group() ([]*group, error) {
	whole := j.divide(j.twins())
	u := newGroups(j.sessions)
	for _, p := range whole {
		if a, b := u.of[p.a], u.of[p.b]; !oneOf(a.files, b.files) {
			u.join(a, b)
		}
	}
	k := j.kin(u)
	if err := j.byPoint(u, k); err != nil {
		return nil, err
	}
	j.byIdentity(u, k)
	j.byRepetition(u)
	j.bySidecar(u)
	return u.list(), nil
}

// byPoint joins what shares a measurement.
func (j *joiner) byPoint(u *groups, k *kin) error {
	families := map[[2]string][]*session{}
	var order [][2]string
	for _, s := range j.sessions {
		f := family(s.id)
		if families[f] == nil {
			order = append(order, f)
		}
		families[f] = append(families[f], s)
	}
	for _, f := range order {
		if len(families[f]) < 2 {
			continue
		}
		for _, s := range families[f] {
			if err := j.o.ended(); err != nil {
				return err
			}
			j.pointsOf(s) // which keeps them for all that ask
		}
		all, unequal := j.equalPoints(families[f], onlyFile)
		for n, x := range all {
			if err := j.o.ended(); err != nil {
				return err
			}
			for _, i := range x.of.before(n, unequal) {
				y := all[i]
				a, b := u.of[y.s], u.of[x.s]
				if a == b || oneOf(a.files, b.files) {
					continue
				}
				if y.s.id != x.s.id && (y.s.own() || x.s.own()) {
					continue // it says which run it is of
				}
				if samePoint(y.of.point, x.of.point) {
					u.join(a, b)
				}
			}
		}
		for _, s := range families[f] {
			if k.single(s) { // nobody asks for its points any more
				s.points, s.ready = nil, false
			}
		}
	}
	return nil
}

// byIdentity joins what has one identity, unless it is two runs all the same.
func (j *joiner) byIdentity(u *groups, k *kin) {
	for _, s := range j.sessions {
		mine := u.of[s]
		if k.alone(mine, s) {
			continue
		}
		for _, t := range k.named[k.spelled[s]].sessions {
			if g := u.of[t]; g != mine && (names{j.o.Names}).sameModel(s.id.Model, t.id.Model) && !k.conflict(g, mine, s.suite) {
				mine = k.join(g, mine)
			}
		}
	}
}

// spelled is an identity in one spelling: a session that is called by the second in which it began is the same in a
// table that writes this date in another form, and a model with its organisation may be the one without.
func (j *joiner) spelled(id record.Identity) record.Identity {
	if dated(id.Session) {
		id.Session = started(id.Session)
		if id.Model != "" {
			m := j.modelOf(id.Model)
			id.Model = cmp.Or(m.id, m.base)
		}
	}
	return id
}

// bySidecar joins what same_as names.
func (j *joiner) bySidecar(u *groups) {
	target := func(id string) *group {
		for _, s := range j.sessions {
			if s.id.ID() == id || slices.ContainsFunc(s.applied, func(a settings.Applied) bool { return a.ID == id }) {
				return u.of[s]
			}
		}
		if r := j.store.byID[id]; r != nil {
			if i := slices.IndexFunc(j.sessions, func(s *session) bool { return s.id == r.Identity }); i >= 0 {
				return u.of[j.sessions[i]]
			}
		}
		return nil
	}
	same := func(g *group, a settings.Applied, at claim) {
		to := target(a.SameAs)
		switch {
		case to == nil:
			g.findings.at(CodeSameAs, record.Warning, at.file, at.line,
				"same_as is %q, and there is no run of this id", a.SameAs)
		case to != g:
			id, former := to.identity(), g.identity().ID()
			one := u.join(to, g)
			one.sameAs, one.former = &id, append(one.former, former)
		}
	}
	for _, s := range j.sessions {
		for _, a := range s.applied {
			if a.SameAs != "" {
				r := s.firstResult()
				same(u.of[s], a, claim{file: r.path, line: r.key.line})
			}
		}
	}
	for _, id := range sortedIDs(j.o.Notes) {
		if a := j.o.Notes[id]; a.SameAs != "" {
			if g := target(id); g != nil {
				same(g, a, claim{})
			}
		}
	}
}
