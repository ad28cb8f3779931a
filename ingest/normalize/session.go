package normalize

import (
	"cmp"
	"slices"

	"github.com/inferdex/inferdex/ingest/reading"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/record"
	"github.com/inferdex/inferdex/ingest/redact"
	"github.com/inferdex/inferdex/ingest/settings"
)

// session is what is known of one session of measuring: what an ingest found of it and what
// earlier ones left.
type session struct {
	key     string
	records []*entry // in order of place
	id      record.Identity
	suite   bool // the identity's session is the tool's own name for it, not a date
	points  []catalog.Point
	ready   bool // points are made
	// applied is what sidecars say, one a place at which the session was found.
	applied []settings.Applied
	// rules is what path rules say, and origin the paths as given by their published forms.
	rules  []claim
	origin map[string]string
}

// settle orders the records of a session and says what makes the run the same run wherever its
// files are found again: the tool, its own name for the session, else the date of the earliest
// record, else the digest of the first, and the model as written.
func (s *session) settle() {
	s.records = unique(s.records)
	var id record.Identity
	earliest := ""
	var first *entry
	for _, r := range s.records {
		if r.attached {
			continue
		}
		if first == nil && record.Measures(r.Record) {
			first = r
		}
		of, date := r.Header().Identity, r.Header().Date
		if id.Tool == "" {
			id = of
		}
		if of.Tool == id.Tool { // a part of a measurement may say less than its whole
			id.Session, id.Model = cmp.Or(id.Session, of.Session), cmp.Or(id.Model, of.Model)
		}
		if date != "" && (earliest == "" || earlier(date, earliest)) {
			earliest = date
		}
	}
	if id.Tool == "" && len(s.records) > 0 {
		id.Tool = s.records[0].Header().Format
	}
	s.suite = id.Session != ""
	s.id = record.Identity{Tool: id.Tool, Session: cmp.Or(id.Session, earliest), Model: id.Model}
	if s.id.Session == "" && len(s.records) > 0 {
		s.id.Session = content(cmp.Or(first, s.records[0]).Record)
	}
}

// unique leaves each record once: sessions that are one run may both have what lies beside them.
func unique(in []*entry) []*entry {
	sortByPlace(in)
	if ofOneFile(in) {
		return in
	}
	byKey := make(map[recordKey]int, len(in)) // their numbers in out
	out := make([]*entry, 0, len(in))
	own := map[int]bool{} // of these nobody else has the entry
	for _, r := range in {
		i, twice := byKey[r.key]
		if !twice {
			byKey[r.key] = len(out)
			out = append(out, r)
			continue
		}
		if !own[i] {
			c := *out[i]
			c.paths, c.found, c.old = slices.Clone(c.paths), slices.Clone(c.found), slices.Clone(c.old)
			if c.keyless() {
				c.known = slices.Clone(c.sources())
			}
			out[i], own[i] = &c, true
		}
		if r.keyless() {
			out[i].known = append(out[i].known, r.sources()...)
		}
		for n, q := range r.paths {
			out[i].alsoAt(q, r.found[n])
		}
		out[i].old = append(out[i].old, r.old...)
	}
	return out
}

// ofOneFile reports whether sorted records were found at one path, each once.
func ofOneFile(sorted []*entry) bool {
	for i := 1; i < len(sorted); i++ {
		if sorted[i].path != sorted[0].path || sorted[i].key == sorted[i-1].key {
			return false
		}
	}
	return true
}

// measured are the points of a session as it would be alone: what sessions are compared by.
func (s *session) measured(formats []*reading.Format, hide *redact.Redactor) []catalog.Point {
	if !s.ready {
		s.points = points(ofKind(expand(s.records, formats, hide), "result"), &findings{})
		s.ready = true
	}
	return s.points
}

// firstResult is the first record that a session is found by: a result, else a figure, else
// whatever comes first. Records of this ingest come before stored ones.
func (s *session) firstResult() *entry {
	for _, fresh := range []bool{true, false} {
		for _, want := range []string{"result", "figure", "samples"} {
			for _, r := range s.records {
				if r.key.kind == want && !r.attached && len(r.paths) > 0 == fresh {
					return r
				}
			}
		}
	}
	return s.records[0]
}

// earlier reports whether the date text a is before b. Texts that are no dates come last, in
// their own order.
func earlier(a, b string) bool {
	if i, ok := plainDate(a); ok && record.PossibleYear(i) {
		if j, ok := plainDate(b); ok && record.PossibleYear(j) {
			return a < b
		}
	}
	x, y := started(a), started(b)
	switch {
	case x != "" && y != "" && x != y:
		return x < y
	case (x == "") != (y == ""):
		return x != ""
	}
	return a < b
}

// files are the digests of those that a session was read from, without those that only lie beside its results.
func (s *session) files() map[string]bool {
	files := map[string]bool{}
	for _, r := range s.records {
		if !r.attached {
			files[r.key.digest] = true
		}
	}
	return files
}

// own reports whether inferdex wrote the results of a session: its identity is that of a run.
func (s *session) own() bool {
	return slices.ContainsFunc(s.records, func(e *entry) bool { return e.Header().Own })
}
