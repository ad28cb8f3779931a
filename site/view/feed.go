package view

import (
	"cmp"
	"slices"
	"time"

	"github.com/inferdex/inferdex/ingest/figure"
)

// FeedEntries bounds a feed.
const FeedEntries = 50

// Dated are the newest runs whose date is known: an entry must have one.
func Dated(runs []*figure.Run) []*figure.Run {
	runs = slices.DeleteFunc(slices.Clone(runs), func(r *figure.Run) bool { return AtomTime(r.Started) == "" })
	slices.SortStableFunc(runs, func(a, b *figure.Run) int {
		return cmp.Or(cmp.Compare(AtomTime(b.Started), AtomTime(a.Started)), cmp.Compare(a.ID, b.ID))
	})
	return runs[:min(FeedEntries, len(runs))]
}

// AtomTime is a run's beginning as RFC 3339 in UTC, which feeds ask for; "" where it is not known.
// A time without a zone is taken as UTC, a day as its beginning: feeds have no other way to say it.
func AtomTime(started string) string {
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04Z07:00", "2006-01-02T15:04",
		time.DateOnly} {
		if t, err := time.Parse(layout, started); err == nil && t.Year() > 0 && t.Year() < 10000 {
			return t.UTC().Format(time.RFC3339)
		}
	}
	return ""
}
