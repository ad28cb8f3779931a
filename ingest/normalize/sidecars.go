package normalize

import (
	"cmp"
	"slices"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/redact"
	"github.com/inferdex/inferdex/ingest/settings"
)

// side is what a run has from other places than its records.
type side struct {
	claims    []claim
	accepted  map[string]bool
	withdrawn string
	fresh     bool // the sidecars of this ingest count, not those stored
}

// add takes over what a sidecar or a note says.
func (s *side) add(a settings.Applied) {
	s.claims = append(s.claims, claimsFrom(a)...)
	for _, code := range a.Accept {
		s.accepted[code] = true
	}
	s.withdrawn = cmp.Or(s.withdrawn, a.Withdrawn)
}

// sidecars decides what sidecars, path rules, flags and notes say of a run. What an earlier ingest
// found stays where this one cannot know better: where it brings no sidecar for the run and did not
// read all of its files again. Flags stay until another value is given.
func (o *Options) sidecars(p *plan, hide *redact.Redactor) side {
	s := side{accepted: map[string]bool{}, fresh: p.whole()}
	notes, noted := o.note(p)
	if noted {
		s.add(notes)
	}
	for _, x := range p.sessions {
		for _, a := range x.applied {
			s.fresh = s.fresh || len(a.Facts) > 0 || len(a.Overrides) > 0 || a.Accept != nil || a.Withdrawn != "" ||
				a.ID != "" || a.SameAs != ""
			s.add(a)
		}
		s.claims = append(s.claims, x.rules...)
	}
	flags := map[string]bool{}
	if p.fresh() {
		for _, x := range o.Set {
			flags[x.Key] = true
			s.claims = append(s.claims, claim{key: x.Key, value: x.Value, from: catalog.FromFlag})
		}
	}
	for _, r := range p.replaced {
		s.keep(r, flags, o.Notes != nil)
	}
	// What people write by hand is published like what tools write.
	for i, c := range s.claims {
		c.value, c.reason, c.file = hide.Fact(c.key, c.value), hide.Text(c.reason), hide.Path(c.file)
		s.claims[i] = c
	}
	s.withdrawn = hide.Text(s.withdrawn)
	// One statement is one, from however many places it reaches the run.
	seen := map[claim]bool{}
	s.claims = slices.DeleteFunc(s.claims, func(c claim) bool {
		was := seen[c]
		seen[c] = true
		return was
	})
	return s
}

// keep takes over what earlier ingests found of a stored run. flags are the keys that this one sets;
// noted says that notes are read anew.
func (s *side) keep(r *catalog.Run, flags map[string]bool, noted bool) {
	for _, c := range kept(r) {
		switch {
		case noted && c.noteOn(r.ID):
		case c.from == catalog.FromFlag:
			if !flags[c.key] {
				s.claims = append(s.claims, c)
			}
		case !s.fresh:
			s.claims = append(s.claims, c)
		}
	}
	if !s.fresh {
		for _, code := range r.Accept {
			s.accepted[code] = true
		}
		s.withdrawn = cmp.Or(s.withdrawn, r.Withdrawn)
	}
}

// note is what data/notes says of a run, by its id or one it had before.
func (o *Options) note(p *plan) (settings.Applied, bool) {
	if a, ok := o.Notes[p.id]; ok {
		return a, true
	}
	for _, id := range p.formerly {
		if a, ok := o.Notes[id]; ok {
			return a, true
		}
	}
	return settings.Applied{}, false
}
