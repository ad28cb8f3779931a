package normalize

import (
	"path"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/record"
	"github.com/inferdex/inferdex/ingest/redact"

	"github.com/inferdex/inferdex/ingest"
)

// grouped makes sessions of the records of a reading. loose are the descriptions: records that name
// no session. Each record is redacted; the reading has none of them any more where they are given away.
func grouped(reading *ingest.Reading, left map[string]string, hide *redact.Redactor, given bool, ended func() error) (
	found []*session, loose []*entry, err error,
) {
	keys, groups, rest := ingest.Sessions(staying(reading.Records, left))
	if given {
		reading.Records = nil
	}
	for _, key := range keys {
		s := &session{key: key, origin: map[string]string{}}
		if s.records, err = collect(groups[key], hide, s.origin, given, ended); err != nil {
			return nil, nil, err
		}
		delete(groups, key) // the records as read
		found = append(found, s)
	}
	loose, err = collect(rest, hide, map[string]string{}, given, ended)
	return found, loose, err
}

// staying are the records that stay with a run; of the others the inputs tell, and those of files that are left are stored.
func staying(records []record.Record, left map[string]string) (kept []record.Record) {
	kept = make([]record.Record, 0, len(records))
	for _, r := range records {
		if !record.Stays(r) || left[r.Pos().File] != "" {
			continue
		}
		if r.Session() == "" && r.Kind() == "result" {
			// A result belongs to a run whatever its format forgot: its file is one.
			c := *r.(*record.Result)
			c.Key = record.SessionKey("file", c.At.File)
			r = &c
		}
		kept = append(kept, r)
	}
	return kept
}

// collect redacts the records of one session: each file counts once, however often it was found.
// origin is given the paths as read by their published forms. The records themselves are changed where they are given
// away.
func collect(in []record.Record, hide *redact.Redactor, origin map[string]string, given bool, ended func() error) ([]*entry, error) {
	byKey := map[recordKey]*entry{}
	// The numbers of records at one place are counted path by path.
	byPath := map[string][]*entry{}
	var paths []string
	for _, rec := range in {
		b := rec.Header()
		r := &entry{Record: rec, path: b.At.File, attached: b.Key == "" && rec.Kind() != "samples",
			key: recordKey{digest: b.Digest, line: b.At.Line, col: b.At.Col, kind: rec.Kind()}}
		if byPath[r.path] == nil {
			paths = append(paths, r.path)
		}
		byPath[r.path] = append(byPath[r.path], r)
	}
	slices.Sort(paths)
	out := make([]*entry, 0, len(in))
	for _, p := range paths {
		numbered(byPath[p])
		q := hide.Path(p)
		origin[q] = p
		published, found := []string{q}, []string{p} // of all records of the file, until one is found elsewhere too
		for _, r := range byPath[p] {
			if len(paths) > 1 {
				if known := byKey[r.key]; known != nil && !r.keyless() {
					known.alsoAt(q, p)
					continue
				}
				byKey[r.key] = r
			}
			if err := ended(); err != nil {
				return nil, err
			}
			if given {
				hide.Redact(r.Record)
			} else {
				r.Record = hide.Record(r.Record)
			}
			r.path, r.paths, r.found = q, published, found
			out = append(out, r)
		}
	}
	sortByPlace(out)
	return out, nil
}

// joined adds what remains of stored runs to the sessions of an ingest: records of an equal session
// key are of one session, whenever they were read. loose are the stored descriptions.
func joined(fresh []*session, stored []*entry) (all []*session, loose []*entry) {
	byKey := map[string][]*session{}
	for _, s := range fresh {
		if k := s.records[0].Header().Key; k != "" {
			byKey[k] = append(byKey[k], s)
		}
	}
	back := make(map[record.Record]*entry, len(stored))
	records := make([]record.Record, len(stored))
	for i, e := range stored {
		records[i], back[e.Record] = e.Record, e
	}
	entries := func(rs []record.Record) []*entry {
		out := make([]*entry, len(rs))
		for i, r := range rs {
			out[i] = back[r]
		}
		return out
	}
	all = fresh
	keys, groups, rest := ingest.Sessions(records)
	for _, key := range keys {
		old := entries(groups[key])
		if same := byKey[key]; len(same) == 1 {
			same[0].records = append(same[0].records, old...)
			continue
		}
		all = append(all, &session{key: key, origin: map[string]string{}, records: old})
	}
	return all, entries(rest)
}

// adopt gives parts of reports that do not name their run to the session they are of, as
// [ingest.Sessions] does, now that fresh and stored records are known together. It returns what is
// left of loose records, fresh and stored.
func adopt(all []*session, loose []*entry) (fresh, stored []*entry) {
	owner := map[record.Record]*session{}
	back := map[record.Record]*entry{}
	var records []record.Record
	for _, s := range all {
		s.records = slices.DeleteFunc(s.records, func(e *entry) bool {
			if e.unnamed() {
				loose = append(loose, e)
				return true
			}
			for _, p := range e.places() {
				at := record.Clone(e.Record)
				at.Header().At.File = p
				owner[at] = s
				records = append(records, at)
			}
			return false
		})
	}
	for _, e := range loose {
		if e.unnamed() {
			back[e.Record] = e
			records = append(records, e.Record)
		}
	}
	keys, groups, _ := ingest.Sessions(records)
	for _, key := range keys {
		s := owner[groups[key][slices.IndexFunc(groups[key], func(r record.Record) bool { return owner[r] != nil })]]
		for _, r := range groups[key] {
			if e := back[r]; e != nil {
				s.records = append(s.records, e)
				delete(back, r)
			}
		}
	}
	for _, e := range loose {
		switch {
		case e.unnamed() && back[e.Record] == nil:
		case len(e.paths) == 0:
			stored = append(stored, e)
		default:
			fresh = append(fresh, e)
		}
	}
	return fresh, stored
}

// places says where the results of sessions lie.
type places struct {
	byDir map[string][]spot
	dirs  []string // sorted
	below map[string][]int
}

// spot is a file of a session in a directory.
type spot struct {
	session int
	stem    string
}

// newPlaces lists the files of sessions. at is the path of an entry, "" for one that does not count.
func newPlaces(all []*session, at func(*entry) []string) *places {
	x := &places{byDir: map[string][]spot{}, below: map[string][]int{}}
	for i, s := range all {
		seen := map[string]bool{}
		for _, e := range s.records {
			for _, p := range at(e) {
				if p = treePath(p); seen[p] {
					continue
				}
				seen[p] = true
				d := path.Dir(p)
				if x.byDir[d] == nil {
					x.dirs = append(x.dirs, d)
				}
				x.byDir[d] = append(x.byDir[d], spot{i, stem(p)})
			}
		}
	}
	slices.Sort(x.dirs)
	return x
}

// within are the sessions that have a file in a directory or below it.
func (x *places) within(dir string) []int {
	if out, ok := x.below[dir]; ok {
		return out
	}
	var out []int
	// Sorted paths that begin with dir are not all adjacent ("a", "a-b", "a/b"): look at each.
	for _, d := range x.dirs {
		if within(dir, d) {
			for _, sp := range x.byDir[d] {
				out = append(out, sp.session)
			}
		}
	}
	slices.Sort(out)
	out = slices.Compact(out)
	x.below[dir] = out
	return out
}

// named are the sessions of the files beside a path that share its stem, "x.commands" beside "x.json", or
// the part of it before the last word: "08-telemetry.csv" beside "08-sharegpt.json".
func (x *places) named(p string) []int {
	var same, lead []int
	own := stem(p)
	begins := ""
	if i := strings.LastIndexAny(own, "-_."); i > strings.LastIndexByte(own, '/')+1 {
		begins = own[:i+1]
	}
	for _, sp := range x.byDir[path.Dir(p)] {
		switch {
		case sp.stem == own:
			same = append(same, sp.session)
		case begins != "" && (strings.HasPrefix(sp.stem, begins) || sp.stem == begins[:len(begins)-1]):
			lead = append(lead, sp.session)
		}
	}
	if len(same) == 0 {
		same = lead
	}
	slices.Sort(same)
	return slices.Compact(same)
}

// attachment is how a description comes to what it describes.
type attachment int

const (
	byName     attachment = iota // its file is called as the results
	byFolder                     // it lies beside or above them
	fromBeside                   // it lies in a folder beside theirs
)

// described are the sessions that a description at a path is of: those of the files that share its
// name, else those beside and below it, else the one that lies below a directory near above.
func (x *places) described(p string) ([]int, attachment) {
	p = treePath(p)
	d := path.Dir(p)
	if same := x.named(p); len(same) > 0 {
		return same, byName
	}
	out, by := x.within(d), byFolder
	for up, level := d, 0; len(out) == 0 && level < attachLevels && up != "." && up != "/"; level++ {
		up, by = path.Dir(up), fromBeside
		if out = x.within(up); len(out) > 1 {
			return nil, by
		}
	}
	return out, by
}

// attach gives each description to the sessions it is of. rest are those that describe nothing.
//
// What was read in one ingest is compared by the paths of its files, which say more than the
// published ones; those are all that is known of what was stored.
func attach(all []*session, fresh, stored []*entry) (rest []*entry) {
	read := newPlaces(all, func(e *entry) []string { return e.found })
	published := newPlaces(all, (*entry).places)
	old := published
	if len(stored) == 0 && !slices.ContainsFunc(all, func(s *session) bool {
		return slices.ContainsFunc(s.records, func(e *entry) bool { return len(e.paths) == 0 })
	}) {
		old = read
	}
	several := ambiguous(append(slices.Clone(fresh), stored...))
	give := func(e *entry, to []int, by attachment) {
		if several[e.key.digest] || e.key.kind == "profile" && len(to) > 1 && by != byName {
			to = nil // samples of a machine do not say which of several runs they were taken in
		}
		if len(to) == 0 {
			rest = append(rest, e)
		}
		for _, i := range to {
			all[i].records = append(all[i].records, e)
		}
	}
	for _, e := range fresh {
		to, by := read.described(e.found[0])
		if old != read {
			switch too, its := old.described(e.path); {
			case its == byName && by != byName, by == fromBeside: // stored sessions may be nearer
				to, by = too, its
			case its == byName || by != byName:
				to = append(slices.Clone(to), too...)
				slices.Sort(to)
				to = slices.Compact(to)
			}
		}
		give(e, to, by)
	}
	for _, e := range stored {
		of, by := published.described(e.path)
		give(e, of, by)
	}
	return rest
}
