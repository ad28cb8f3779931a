package normalize

import (
	"maps"
	"slices"

	"github.com/inferdex/inferdex/ingest"
	"github.com/inferdex/inferdex/ingest/catalog"
)

func (j *joiner) begin(reading *ingest.Reading) {
	j.left = j.unchanged(reading)
	j.read = seenIn(reading, j.left, j.o, j.hide.Path)
}

func (j *joiner) remaining(fresh []*session, loose []*entry) ([]*entry, error) {
	known, err := j.looseNear()
	if err != nil {
		return nil, err
	}
	if j.runs, err = j.store.touched(j, append(slices.Clone(loose), known...)); err != nil {
		return nil, err
	}
	entries := slices.Clone(loose)
	for _, s := range fresh {
		entries = append(entries, s.records...)
	}
	left := j.store.remaining(j.runs, j.read, entries)
	for _, s := range fresh {
		sortByPlace(s.records) // some stand at the first place of their file now
	}
	return append(left, known...), nil
}

func (j *joiner) tell(runs map[string][]string, lonely map[string]bool) {
	unchanged(j.left).tell(j, runs, lonely)
}

func (j *joiner) end(inputs []*catalog.Input, loose []catalog.Loose) (write []*catalog.Input, remove []string) {
	write = j.keep(inputs, loose)
	files := map[string]bool{}
	for _, r := range j.runs {
		if len(j.store.loaded[r]) > 0 || j.reread(r) {
			files[r.Path()], files[r.RawPath()] = true, true
		}
	}
	for _, r := range j.current {
		delete(files, r.Path())
		delete(files, r.RawPath())
	}
	old, current := map[string]*catalog.Input{}, map[string]bool{}
	for _, in := range inputs {
		current[in.File()] = true
	}
	names := make([]string, len(j.o.Inputs))
	for i, n := range j.o.Inputs {
		names[i] = j.hide.Path(n)
	}
	for _, in := range j.store.catalog.Inputs {
		old[in.File()] = in
		// A folder that has changed is the same input still.
		if _, mine := inputOf(names, in.Path); mine && in.Kind == kindFolder && !current[in.Name()] {
			files[in.Name()] = true
		}
	}
	for _, in := range inputs {
		was := old[in.File()]
		if was != nil && in.CI == nil {
			in.CI = was.CI
		}
		if !equalJSON(in, was) {
			write = append(write, in)
		}
	}
	return write, slices.Sorted(maps.Keys(files))
}

// reread reports whether all files of a run were read again, or are gone.
func (j *joiner) reread(r *catalog.Run) bool {
	return !slices.ContainsFunc(r.Sources, func(s catalog.Source) bool {
		_, there := j.read.paths[s.Path]
		return !j.read.digests[s.SHA256] && !there && !j.read.gone(s.Path, s.SHA256)
	})
}
