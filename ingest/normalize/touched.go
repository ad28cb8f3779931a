package normalize

import (
	"maps"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/record"
)

// touched are the stored runs that the sessions, files and sidecars of an ingest may change, by
// their ids: runs of the same files, those that could be one run with a session, those in whose
// directories a description was read, and whatever is touched by one of these.
func (x *store) touched(j *joiner, loose []*entry) ([]*catalog.Run, error) {
	if x.catalog == nil {
		return nil, nil
	}
	all := map[*catalog.Run]bool{}
	var queue []*catalog.Run
	add := func(runs ...*catalog.Run) {
		for _, r := range runs {
			if r != nil && !all[r] {
				all[r] = true
				queue = append(queue, r)
			}
		}
	}
	below := func(e *entry) {
		dir := attachRoot(treeDir(e.path))
		for _, r := range x.catalog.Runs {
			if !all[r] && slices.ContainsFunc(r.Sources, func(s catalog.Source) bool { return within(dir, treePath(s.Path)) }) {
				add(r)
			}
		}
	}
	for d := range j.read.digests {
		add(x.byFile[short(d)]...)
	}
	for p := range j.read.paths {
		add(x.byPath[p]...)
	}
	for _, s := range j.sessions {
		add(x.byFamily[family(s.id)]...)
		for _, a := range s.applied {
			add(x.byID[a.SameAs])
		}
	}
	for _, id := range sortedIDs(j.o.Notes) {
		add(x.byID[id], x.byID[j.o.Notes[id].SameAs])
	}
	for _, r := range x.catalog.Runs {
		if noted(r) || slices.ContainsFunc(r.Sources, func(s catalog.Source) bool { return j.read.gone(s.Path) }) {
			add(r)
		}
	}
	add(j.reached()...)
	seen := map[string]bool{}
	for _, e := range loose {
		if d := treeDir(e.path); !seen[d] {
			seen[d] = true
			below(e)
		}
	}
	// Runs that tell of a measurement which was read may be one run with it, whatever they are called.
	fresh, models := map[trace]bool{}, map[string]bool{}
	note := func(t trace) { fresh[t] = true }
	n := names{j.o.Names}
	called := func(texts []string) {
		for _, t := range texts {
			for _, form := range n.modelOf(t).forms() {
				models[form] = true
			}
		}
	}
	for _, s := range j.sessions {
		called([]string{s.id.Model})
		for _, e := range s.records {
			if res, ok := e.Record.(*record.Result); ok {
				tracedRecord(res, note)
			}
		}
	}
	// What knows its model from a name asks the results beside it.
	folders := map[string]bool{}
	for p := range j.read.paths {
		folders[treeDir(p)] = true
	}
	asks := slices.ContainsFunc(j.sessions, (*session).namedModel)
	for _, r := range x.catalog.Runs {
		if (asks || r.Attributes[record.FactModel].From == catalog.FromName) && liesIn(r, folders) {
			add(r)
		}
	}
	for {
		if len(queue) == 0 {
			add(x.telling(fresh, models, n, all)...)
			clear(fresh)
			clear(models)
		}
		if len(queue) == 0 {
			break
		}
		r := queue[0]
		queue = queue[1:]
		for i := range r.Points {
			traced(&r.Points[i], note)
		}
		called(modelsOf(r))
		add(x.byFamily[family(r.Identity)]...)
		if r.Attributes[record.FactModel].From == catalog.FromName {
			own := map[string]bool{}
			for _, s := range r.Sources {
				own[treeDir(s.Path)] = true
			}
			for _, o := range x.catalog.Runs {
				if !all[o] && liesIn(o, own) {
					add(o)
				}
			}
		}
		known, err := x.records(r)
		if err != nil {
			return nil, err
		}
		for _, e := range known {
			add(x.byFamily[family(e.Header().Identity)]...)
			if d := treeDir(e.path); (e.attached || e.unnamed()) && !seen[d] {
				seen[d] = true
				below(e)
			}
		}
	}
	out := slices.Collect(maps.Keys(all))
	slices.SortFunc(out, func(a, b *catalog.Run) int { return strings.Compare(a.ID, b.ID) })
	return out, nil
}

// modelsOf are the models that the records of a run state.
func modelsOf(r *catalog.Run) []string {
	stated := r.Attributes[record.FactModel]
	out := []string{r.Identity.Model}
	if stated.Value != "" {
		out = append(out, stated.Value)
	}
	for _, o := range stated.Others {
		out = append(out, o.Value)
	}
	return out
}

// telling are the runs, but for those known, with a point that has one of the traces and of a model that may be
// one of those of the forms.
func (x *store) telling(of map[trace]bool, models map[string]bool, n names, known map[*catalog.Run]bool) []*catalog.Run {
	var out []*catalog.Run
	if len(of) == 0 {
		return nil
	}
	asked := map[string]bool{}
	may := func(text string) bool {
		fits, known := asked[text]
		if !known {
			fits = slices.ContainsFunc(n.modelOf(text).forms(), func(form string) bool { return form == "" || models[form] })
			asked[text] = fits
		}
		return fits
	}
	for _, r := range x.catalog.Runs {
		if known[r] || !models[""] && !slices.ContainsFunc(modelsOf(r), may) {
			continue
		}
		found := false
		for i := range r.Points {
			traced(&r.Points[i], func(t trace) { found = found || of[t] })
			if found {
				out = append(out, r)
				break
			}
		}
	}
	return out
}

// liesIn reports whether a source of a run lies in one of some folders.
func liesIn(r *catalog.Run, folders map[string]bool) bool {
	return slices.ContainsFunc(r.Sources, func(s catalog.Source) bool { return folders[treeDir(s.Path)] })
}
