package ingest

import (
	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

// SessionLevels is how many directories above its own a record without a session is looked for.
const SessionLevels = 3

// Sessions groups records by session. Keys are in the order in which sessions first appear, and
// the records of each keep their order.
//
// A *Samples without a session is a part of a report that does not name its run. It belongs to
// the session of the records of the same format in the nearest directory: its own, or one of the
// three above it. Where that directory holds several sessions it belongs to none. Such samples
// and all other records without a session are returned as rest.
func Sessions(records []record.Record) (keys []string, groups map[string][]record.Record, rest []record.Record) {
	type place struct{ dir, format string }
	at := map[place]string{}
	several := map[place]bool{}
	groups = map[string][]record.Record{}
	for _, r := range records {
		if r.Session() == "" {
			continue
		}
		p := place{reading.Dir(r.Pos().File), r.Header().Format}
		if s, ok := at[p]; ok && s != r.Session() {
			several[p] = true
		}
		at[p] = r.Session()
	}
	sessionOf := func(r record.Record) string {
		if _, ok := r.(*record.Samples); !ok || r.Session() != "" {
			return r.Session()
		}
		dir := reading.Dir(r.Pos().File)
		for range SessionLevels + 1 {
			p := place{dir, r.Header().Format}
			if s, ok := at[p]; ok {
				if several[p] {
					return ""
				}
				return s
			}
			if dir == "" {
				break
			}
			dir = reading.Dir(dir)
		}
		return ""
	}
	for _, r := range records {
		s := sessionOf(r)
		if s == "" {
			rest = append(rest, r)
			continue
		}
		if groups[s] == nil {
			keys = append(keys, s)
		}
		groups[s] = append(groups[s], r)
	}
	return keys, groups, rest
}
