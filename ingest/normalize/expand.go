package normalize

import (
	"slices"

	"github.com/inferdex/inferdex/ingest/reading"

	"github.com/inferdex/inferdex/ingest"
	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/record"
	"github.com/inferdex/inferdex/ingest/redact"
)

// expand adds to records what the formats of the group compute of them together. The computed
// records come last and are marked: they are never stored.
func expand(records []*entry, formats []*reading.Format, hide *redact.Redactor) []*entry {
	used := map[string]bool{}
	digests := map[string]string{} // of a file by its path
	group := make([]record.Record, len(records))
	for i, r := range records {
		used[r.Header().Format] = true
		digests[r.path] = r.key.digest
		group[i] = r.Record
	}
	out := slices.Clone(records)
	for _, f := range formats {
		if f.Finish == nil || !used[f.Name] {
			continue
		}
		open(records)
		f.Finish(group, func(rec record.Record) {
			if !record.Stays(rec) {
				return
			}
			if what := ingest.Immeasurable(rec); what != "" {
				base := rec.Header().Beside()
				base.At = rec.Pos()
				rec = &record.Note{Base: base, Code: catalog.CodeImplausible, Severity: record.Error,
					Text: what + ", computed of several records: no measurement is that, and it is left out"}
			}
			rec = hide.Record(rec)
			b := rec.Header()
			if b.Format == "" {
				b.Format = f.Name
			}
			if b.Digest == "" {
				b.Digest = digests[b.At.File]
			}
			r := &entry{Record: rec, path: b.At.File, computed: true,
				key: recordKey{digest: b.Digest, line: b.At.Line, col: b.At.Col, kind: rec.Kind()}}
			if r.key.digest == "" && len(records) > 0 { // a note on the whole group
				r.key.digest = records[0].key.digest
			}
			out = append(out, r)
		})
	}
	return out
}

// ofKind are the records of one kind.
func ofKind(records []*entry, kind string) []*entry {
	var out []*entry
	for _, r := range records {
		if r.key.kind == kind {
			out = append(out, r)
		}
	}
	return out
}

// unmapped are the keys that a record keeps and its format did not use.
func unmapped(rec record.Record) []string {
	if kept := record.Source(rec); kept != nil {
		return kept.Unmapped
	}
	return nil
}
