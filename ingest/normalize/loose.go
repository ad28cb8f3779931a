package normalize

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"sort"

	"github.com/inferdex/inferdex/ingest/catalog"
)

// looseNear are the stored records that describe nothing so far and may describe a session of this ingest:
// one that lies within their reach, or has their key. All others keep waiting, but for those of files that
// were read again, have moved or are gone.
func (j *joiner) looseNear() ([]*entry, error) {
	above, keys := map[string]bool{}, map[string]bool{}
	for _, s := range j.sessions {
		keys[s.key] = true
		for _, e := range s.records {
			for _, p := range e.paths {
				directoriesAbove(p, above)
			}
		}
	}
	var out []*entry
	for _, in := range j.store.catalog.Inputs {
		for _, l := range in.Loose {
			_, there := j.read.paths[l.Source.Path]
			if there || j.read.gone(l.Source.Path, l.Source.SHA256) || j.read.moved(l.Source.Path, l.Source.SHA256) {
				continue
			}
			entries, err := decodeLoose(in, l)
			if err != nil && j.o.Damaged != nil {
				j.o.Damaged("", err)
				j.waiting = append(j.waiting, l)
				continue
			}
			if err != nil {
				return nil, err
			}
			near := above[attachRoot(treeDir(l.Source.Path))] ||
				slices.ContainsFunc(entries, func(e *entry) bool { return keys[e.Header().Key] })
			if near {
				out = append(out, entries...)
			} else {
				j.waiting = append(j.waiting, l)
			}
		}
	}
	return out, nil
}

// decodeLoose are the records of a file that describe nothing so far.
func decodeLoose(in *catalog.Input, l catalog.Loose) ([]*entry, error) {
	var out []*entry
	for i, r := range l.Records {
		if len(r.Raw) > 0 { // a file of an input has blanks in it
			var b bytes.Buffer
			if err := json.Compact(&b, r.Raw); err != nil {
				return nil, err
			}
			r.Raw = b.Bytes()
		}
		read, err := decode(in.File(), i, r)
		if err != nil {
			return nil, err
		}
		for _, e := range read {
			e.loose = &l
		}
		out = append(out, read...)
	}
	numbered(out)
	return out, nil
}

// loose are the records that describe no run, by the files they stand in, sorted by path.
func (out *Outcome) loose(j *joiner) ([]catalog.Loose, error) {
	files := map[[2]string]*catalog.Loose{}
	for _, l := range j.waiting {
		files[[2]string{l.Source.Path, l.Source.SHA256}] = &l
	}
	slices.SortStableFunc(out.left, byPlace)
	several := ambiguous(out.left)
	for _, e := range out.left {
		if several[e.key.digest] { // it never will describe one
			continue
		}
		sources := e.sources()
		for i, p := range e.paths {
			sources = append(sources, j.o.source(e, p, e.found[i], j.hide))
		}
		for _, s := range sources {
			if out.used[place{s.Path, e.key}] { // it describes another run
				continue
			}
			raw, err := new(encoder).encode(e.at(s.Path))
			if err != nil {
				return nil, err
			}
			k := [2]string{s.Path, s.SHA256}
			if files[k] == nil {
				files[k] = &catalog.Loose{Source: s}
			}
			files[k].Records = append(files[k].Records, raw)
		}
	}
	var list []catalog.Loose
	for _, l := range files {
		list = append(list, *l)
	}
	sortLoose(list)
	return list, nil
}

func sortLoose(list []catalog.Loose) {
	sort.SliceStable(list, func(i, j int) bool {
		a, b := &list[i].Source, &list[j].Source
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.SHA256, b.SHA256)) < 0
	})
}

// placed says which input each file with loose records belongs to.
func placed(list []catalog.Loose, all []*catalog.Input) map[*catalog.Input][]catalog.Loose {
	of := map[*catalog.Input][]catalog.Loose{}
	for _, l := range list {
		if in := inputAt(all, l.Source.Path); in != nil {
			of[in] = append(of[in], l)
		}
	}
	return of
}

// keep leaves the records that describe no run with the inputs that they came from, those of this ingest and stored ones. It
// returns what the latter become.
func (j *joiner) keep(inputs []*catalog.Input, loose []catalog.Loose) (changed []*catalog.Input) {
	all := slices.Clone(inputs)
	current := map[string]bool{}
	for _, in := range all {
		current[in.File()] = true
	}
	for _, in := range j.store.catalog.Inputs {
		if !current[in.File()] {
			all = append(all, in)
		}
	}
	of := placed(loose, all)
	for i, in := range all {
		switch list := of[in]; {
		case i < len(inputs):
			in.Loose = list
		case len(list)+len(in.Loose) > 0:
			changed = append(changed, j.described(in, list)...)
		}
	}
	return changed
}

// inputAt is the input that a published path belongs to, nil where there is none; of several the first.
func inputAt(all []*catalog.Input, p string) *catalog.Input {
	var best *catalog.Input
	for _, in := range all {
		if belongs(in.Path, p) && (best == nil || len(in.Path) > len(best.Path)) {
			best = in
		}
	}
	return best
}

// described is a stored input with the records of it that still describe nothing, where they are others
// than before: what of them describes a run now is told as of any file.
func (j *joiner) described(stored *catalog.Input, loose []catalog.Loose) []*catalog.Input {
	in := *stored
	in.Loose = loose
	in.Read, in.Runs = slices.Clone(in.Read), slices.Clone(in.Runs)
	for i := range in.Read {
		f := &in.Read[i]
		if f.Reason != describesNothing ||
			slices.ContainsFunc(loose, func(l catalog.Loose) bool { return l.Source.Path == f.Path }) {
			continue
		}
		for _, r := range j.current {
			if slices.ContainsFunc(r.Sources, func(s catalog.Source) bool { return s.Path == f.Path }) {
				f.Reason = ""
				in.Runs = append(in.Runs, r.ID)
			}
		}
	}
	slices.Sort(in.Runs)
	in.Runs = slices.Compact(in.Runs)
	if equalJSON(&in, stored) {
		return nil
	}
	return []*catalog.Input{&in}
}

// reached are the stored runs that hold a description which may be of a session of this ingest too: one
// that lies at it or below it, or beside what it was attached to from a directory above.
func (j *joiner) reached() []*catalog.Run {
	above, inParts := map[string]bool{}, map[string]bool{}
	for _, f := range j.o.Formats {
		inParts[f.Name] = f.Finish != nil // parts of a report may name no run, and measure all the same
	}
	for _, s := range j.sessions {
		for _, e := range s.records {
			for _, p := range e.paths {
				directoriesAbove(p, above)
			}
		}
	}
	var out []*catalog.Run
	for _, r := range j.store.catalog.Runs {
		measured := map[string]bool{}
		for i := range r.Points {
			measured[r.Points[i].At.Source] = true
		}
		describes := func(s catalog.Source) bool {
			if measured[s.ID()] && !inParts[s.Format] {
				return false
			}
			dir := treeDir(s.Path)
			below := slices.ContainsFunc(r.Sources, func(o catalog.Source) bool {
				return o.Path != s.Path && measured[o.ID()] && within(dir, treePath(o.Path))
			})
			if !below {
				dir = attachRoot(dir)
			}
			return above[dir]
		}
		if slices.ContainsFunc(r.Sources, describes) {
			out = append(out, r)
		}
	}
	return out
}

// unnamed reports whether a record is a part of a report that does not name its run.
func (e *entry) unnamed() bool { return e.key.kind == "samples" && e.Header().Key == "" }
