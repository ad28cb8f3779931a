package normalize

import (
	"fmt"
	"maps"
	"slices"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/internal/sessions"
	"github.com/inferdex/inferdex/ingest/record"
)

// byRepetition joins what repeats one measurement in folders or files that a number of the repetition tells apart,
// as run1 and run2, and that differ in nothing that is recorded of model, machine, engine and parameters. A tool's
// own name of a session tells runs apart.
func (j *joiner) byRepetition(u *groups) {
	first := map[string]*session{}
	for _, s := range j.sessions {
		if s.suite || s.own() {
			continue
		}
		key := j.repeats(s)
		if first[key] == nil {
			first[key] = s
			continue
		}
		if a, b := u.of[first[key]], u.of[s]; a != b && !oneOf(a.files, b.files) {
			u.join(a, b)
		}
	}
}

// repeats is what sessions have in common that repeat each other.
func (j *joiner) repeats(s *session) string {
	parts := []string{s.id.Tool, s.id.Model, sessions.Unnumbered(s.firstResult().Header().Key)}
	stated := names{j.o.Names}.stated(s)
	for _, key := range slices.Sorted(maps.Keys(stated)) {
		parts = append(parts, key, fmt.Sprint(slices.Sorted(slices.Values(stated[key]))))
	}
	parameters := map[string]bool{}
	for _, e := range s.records {
		if p, ok := e.Record.(*record.Params); ok {
			for _, x := range p.Params {
				if !record.PerLaunch(x.Name) {
					parameters[p.Of+" "+x.Name+" "+string(x.Value)] = true
				}
			}
		}
	}
	parts = append(parts, slices.Sorted(maps.Keys(parameters))...)
	beside := map[string]bool{}
	for _, c := range j.beside(s) {
		beside[c.key+" "+j.hide.Fact(c.key, c.value)] = true
	}
	parts = append(parts, slices.Sorted(maps.Keys(beside))...)
	return record.SessionKey(parts...)
}

// beside is what sidecars, path rules and flags say of a session: of this ingest, else what an earlier one kept.
func (j *joiner) beside(s *session) (out []claim) {
	for _, a := range s.applied {
		out = append(out, claimsFrom(a)...)
	}
	out = append(out, s.rules...)
	of := map[*catalog.Run]bool{}
	for _, e := range s.records {
		if e.stored != nil {
			of[e.stored] = true
		}
	}
	if len(of) == 0 {
		for _, x := range j.o.Set {
			out = append(out, claim{key: x.Key, value: x.Value})
		}
	}
	if len(out) > 0 {
		return out
	}
	for r := range of {
		out = append(out, kept(r)...)
	}
	return out
}
