package normalize

import (
	"cmp"
	"slices"

	"github.com/inferdex/inferdex/ingest"
	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/redact"
	"github.com/inferdex/inferdex/ingest/settings"
)

// joiner is one call of Catalog.
type joiner struct {
	o        *Options
	hide     *redact.Redactor
	store    *store
	joining  joining // nil where nothing is stored
	read     *read
	left     map[string]string // see unchanged
	sessions []*session
	waiting  []catalog.Loose   // stored files that describe nothing, and that no record of this ingest is near
	runs     []*catalog.Run    // stored runs that this ingest may change
	current  []*catalog.Run    // what they and the reading give
	models   map[string]*model // see modelOf
}

// joining is what an ingest does to join a reading with what is stored. It is an interface, which [Catalog] alone sets, so
// that a program that reads files and has no catalog, as the reader in a browser, has none of it.
type joining interface {
	// begin notes which files were read.
	begin(*ingest.Reading)
	// remaining are the stored records that the ingest may have to do with and does not replace.
	remaining(fresh []*session, loose []*entry) ([]*entry, error)
	// tell completes what is known of files, by their paths: see unchanged.tell.
	tell(runs map[string][]string, lonely map[string]bool)
	// end gives what describes no run to the inputs, and says which inputs are to be written and which files must go.
	end(inputs []*catalog.Input, loose []catalog.Loose) (write []*catalog.Input, remove []string)
}

// sidecars asks sidecars and path rules what they say of each session, at each place it was found.
func (j *joiner) sidecars() {
	type first struct {
		line, col int
		number    int // among the sessions of the file, from 1
	}
	byFile := map[string][]*first{}
	places := make([][]*first, len(j.sessions))
	for i, s := range j.sessions {
		r := s.firstResult()
		for _, q := range r.paths {
			f := &first{line: r.key.line, col: r.key.col}
			byFile[q], places[i] = append(byFile[q], f), append(places[i], f)
		}
	}
	for _, list := range byFile {
		slices.SortStableFunc(list, func(a, b *first) int {
			return cmp.Or(cmp.Compare(a.line, b.line), cmp.Compare(a.col, b.col))
		})
		for i, f := range list {
			f.number = i + 1
		}
	}
	for i, s := range j.sessions {
		r := s.firstResult()
		for n, q := range r.paths {
			real := cmp.Or(s.origin[q], q)
			s.applied = append(s.applied, j.o.Sidecars.For(
				settings.RunMatch{Path: real, Index: places[i][n].number, Model: s.id.Model, Date: r.Header().Date}))
			for _, f := range j.o.Config.Rule(relative(j.o.Inputs, real)) {
				s.rules = append(s.rules,
					claim{key: f.Key, value: f.Value, from: catalog.FromRule, file: f.File, line: f.Line})
			}
		}
	}
}

// modelOf is what a text says of a model. Sessions have few models: each is looked up once.
func (j *joiner) modelOf(text string) *model {
	m := j.models[text]
	if m == nil {
		of := names{j.o.Names}.modelOf(text)
		m = &of
		j.models[text] = m
	}
	return m
}

// pointsOf are the points of a session as it would be alone.
func (j *joiner) pointsOf(s *session) []catalog.Point { return s.measured(j.o.Formats, j.hide) }
