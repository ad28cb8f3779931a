package normalize

import (
	"cmp"
	"slices"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/redact"
	"github.com/inferdex/inferdex/ingest/settings"
)

// joiner is one call of Catalog.
type joiner struct {
	o        *Options
	hide     *redact.Redactor
	store    *store
	read     *read
	sessions []*session
	waiting  []catalog.Loose // stored files that describe nothing, and that no record of this ingest is near
	runs     []*catalog.Run  // stored runs that this ingest may change
	current  []*catalog.Run  // what they and the reading give
}

// sidecars asks sidecars and path rules what they say of each session, at each place it was found.
func (j *joiner) sidecars() {
	type first struct {
		s    *session
		line int
		col  int
	}
	byFile := map[string][]first{}
	number := map[string]map[*session]int{}
	for _, s := range j.sessions {
		r := s.firstResult()
		for _, q := range r.paths {
			byFile[q] = append(byFile[q], first{s, r.key.line, r.key.col})
		}
	}
	for file, list := range byFile {
		slices.SortStableFunc(list, func(a, b first) int {
			return cmp.Or(cmp.Compare(a.line, b.line), cmp.Compare(a.col, b.col))
		})
		number[file] = make(map[*session]int, len(list))
		for i, f := range list {
			number[file][f.s] = i + 1
		}
	}
	for _, s := range j.sessions {
		r := s.firstResult()
		for _, q := range r.paths {
			real := cmp.Or(s.origin[q], q)
			s.applied = append(s.applied,
				j.o.Sidecars.For(settings.RunMatch{Path: real, Index: number[q][s], Model: s.id.Model, Date: r.Header().Date}))
			for _, f := range j.o.Config.Rule(relative(j.o.Inputs, real)) {
				s.rules = append(s.rules,
					claim{key: f.Key, value: f.Value, from: catalog.FromRule, file: f.File, line: f.Line})
			}
		}
	}
}

// pointsOf are the points of a session as it would be alone.
func (j *joiner) pointsOf(s *session) []catalog.Point { return s.measured(j.o.Formats, j.hide) }
