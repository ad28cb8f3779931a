package normalize

import (
	"slices"

	"github.com/inferdex/inferdex/ingest"
	"github.com/inferdex/inferdex/ingest/catalog"
)

// unchanged are the digests of files of a reading whose records are in the catalog as they were read, by their paths as read:
// see [Options.Unchanged]. They take no part in an ingest, as if it had read the other files alone.
type unchanged map[string]string

// unchanged finds them. What nobody finds in the catalog is put into it again.
func (j *joiner) unchanged(reading *ingest.Reading) unchanged {
	if j.o.Unchanged == nil || j.o.Prune {
		return nil
	}
	loose := map[string]string{} // digests of files that describe nothing, by their published paths
	for _, in := range j.store.catalog.Inputs {
		for i := range in.Loose {
			loose[in.Loose[i].Source.Path] = in.Loose[i].Source.SHA256
		}
	}
	out := unchanged{}
	for i := range reading.Files {
		f := &reading.Files[i]
		p := j.hide.Path(f.Path)
		stored := loose[p] == f.SHA256
		for _, r := range j.store.byPath[p] {
			stored = stored || readFrom(r, p, f.SHA256)
		}
		if stored && f.SHA256 != "" && j.o.Unchanged(f.Path) {
			out[f.Path] = f.SHA256
		}
	}
	return out
}

// readFrom reports whether a run has records of a file.
func readFrom(r *catalog.Run, path, digest string) bool {
	for i := range r.Sources {
		if r.Sources[i].Path == path && r.Sources[i].SHA256 == digest {
			return true
		}
	}
	return false
}

// tell says of which runs they are now that the others are ingested, by their published paths, and which of them are of none.
func (files unchanged) tell(j *joiner, runs map[string][]string, lonely map[string]bool) {
	if len(files) == 0 {
		return
	}
	before := map[*catalog.Run]bool{} // what they were is not what they are
	for _, r := range j.runs {
		before[r] = true
	}
	digests := map[string]string{}
	for file, digest := range files {
		digests[j.hide.Path(file)] = digest
	}
	for _, r := range slices.Concat(j.current, j.store.catalog.Runs) {
		for i := range r.Sources {
			if s := &r.Sources[i]; !before[r] && digests[s.Path] == s.SHA256 {
				runs[s.Path] = append(runs[s.Path], r.ID)
			}
		}
	}
	for file := range files {
		if len(runs[j.hide.Path(file)]) == 0 {
			lonely[file] = true
		}
	}
}
