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
// directories a description was read, and whatever is touched by one of these. All are loaded but those that are read again.
func (x *store) touched(j *joiner, loose []*entry) ([]*catalog.Run, error) {
	if len(x.catalog.Runs) == 0 {
		return nil, nil
	}
	t := touching{store: x, modelOf: j.modelOf, all: map[*catalog.Run]bool{}, seen: map[string]bool{},
		fresh: map[trace]bool{}, models: map[string]bool{}}
	t.byFiles(j)
	if !t.done() {
		t.byWhatWasRead(j, loose)
		t.besideWhatWasRead(j)
	}
	reread := x.rereading(j.read)
	for !t.done() {
		if len(t.queue) == 0 {
			twins, err := t.telling()
			if err != nil {
				return nil, err
			}
			t.add(twins...)
			clear(t.fresh)
			clear(t.models)
		}
		if len(t.queue) == 0 {
			break
		}
		found := t.queue[:min(len(t.queue), mostLoaded)]
		t.queue = t.queue[len(found):]
		whole := make([]*catalog.Run, len(found))
		err := each(len(found), func(i int) (err error) {
			whole[i], err = t.load(found[i])
			return err
		})
		if err != nil {
			return nil, err
		}
		for i, r := range found {
			t.by(r, whole[i])
			if reread(r) && x.text[r.ID] == whole[i].Records {
				x.again[r] = true
				delete(x.loaded, r)
			}
		}
	}
	out := slices.Collect(maps.Keys(t.all))
	slices.SortFunc(out, func(a, b *catalog.Run) int { return strings.Compare(a.ID, b.ID) })
	return out, x.loadAll(out, reread)
}

// mostLoaded is how many runs are loaded at one time.
const mostLoaded = 256

// loadAll loads runs that are not loaded yet, but for those that are read again.
func (x *store) loadAll(runs []*catalog.Run, reread func(*catalog.Run) bool) error {
	var left []*catalog.Run
	for _, r := range runs {
		if _, known := x.loaded[r]; !known && !x.again[r] {
			left = append(left, r)
		}
	}
	return each(len(left), func(i int) error {
		r := left[i]
		if x.catalog.Intact != nil && reread(r) && x.catalog.Intact(r) {
			x.mu.Lock()
			x.again[r], x.text[r.ID] = true, r.Records
			x.mu.Unlock()
			return nil
		}
		_, err := x.load(r)
		return err
	})
}

// rereading says of which runs an ingest read all files where they lay, with the bytes that they had, and none of these
// bytes are those of a file that it did not read. Where the records of such a run are those that it was made of, all of
// them are of these files: the reading replaces them, and they are decoded where it gives others alone.
func (x *store) rereading(seen *read) func(*catalog.Run) bool {
	elsewhere := map[string]bool{} // the beginnings of digests of files that were not read, or lie there no more
	for _, r := range x.catalog.Runs {
		for i := range r.Sources {
			if s := &r.Sources[i]; seen.paths[s.Path] != s.SHA256 {
				elsewhere[s.ID()] = true
			}
		}
	}
	return func(r *catalog.Run) bool {
		return len(r.Sources) > 0 && r.Records != "" &&
			!slices.ContainsFunc(r.Sources, func(s catalog.Source) bool { return elsewhere[s.ID()] })
	}
}

// touching collects the stored runs that an ingest may change.
type touching struct {
	*store
	modelOf func(string) *model
	all     map[*catalog.Run]bool
	// queue are those of all that have not been asked what they touch.
	queue []*catalog.Run
	// seen are the directories whose runs were added.
	seen map[string]bool
	// fresh are the traces of measurements that no stored run was looked up for yet, models the forms of the
	// names of their models.
	fresh  map[trace]bool
	models map[string]bool
}

func (t *touching) add(runs ...*catalog.Run) {
	for _, r := range runs {
		if r != nil && !t.all[r] {
			t.all[r] = true
			t.queue = append(t.queue, r)
		}
	}
}

// addIf adds the runs that a condition holds for.
func (t *touching) addIf(holds func(*catalog.Run) bool) {
	for _, r := range t.catalog.Runs {
		if !t.all[r] && holds(r) {
			t.add(r)
		}
	}
}

// below adds the runs in and below the directory that an entry describes.
func (t *touching) below(e *entry) {
	d := treeDir(e.path)
	if t.seen[d] {
		return
	}
	t.seen[d] = true
	dir := attachRoot(d)
	t.addIf(func(r *catalog.Run) bool {
		return slices.ContainsFunc(r.Sources, func(s catalog.Source) bool { return within(dir, treePath(s.Path)) })
	})
}

// note keeps a trace of a measurement: runs that have it too may be one run with it, whatever they are called.
func (t *touching) note(of trace) { t.fresh[of] = true }

// called keeps the models of the measurements whose traces are kept.
func (t *touching) called(models ...string) {
	for _, m := range models {
		for _, form := range t.modelOf(m).forms() {
			t.models[form] = true
		}
	}
}

// done reports whether all runs are added: nobody has to be asked what it touches.
func (t *touching) done() bool { return len(t.all) == len(t.catalog.Runs) }

// byFiles adds the runs of the files of an ingest.
func (t *touching) byFiles(j *joiner) {
	for d := range j.read.digests {
		t.add(t.byFile[short(d)]...)
	}
	for p := range j.read.paths {
		t.add(t.byPath[p]...)
	}
}

// byWhatWasRead adds the runs of the sessions, notes, sidecars and descriptions of an ingest.
func (t *touching) byWhatWasRead(j *joiner, loose []*entry) {
	for _, s := range j.sessions {
		t.add(t.byFamily[family(s.id)]...)
		for _, a := range s.applied {
			t.add(t.byID[a.SameAs])
		}
		t.called(s.id.Model)
		for _, e := range s.records {
			if res, ok := e.Record.(*record.Result); ok {
				tracedRecord(res, t.note)
			}
		}
	}
	for _, id := range sortedIDs(j.o.Notes) {
		t.add(t.byID[id], t.byID[j.o.Notes[id].SameAs])
	}
	t.addIf(func(r *catalog.Run) bool {
		return noted(r) || slices.ContainsFunc(r.Sources,
			func(s catalog.Source) bool { return j.read.gone(s.Path, s.SHA256) })
	})
	t.add(j.reached()...)
	for _, e := range loose {
		t.below(e)
	}
}

// besideWhatWasRead adds the runs in the folders that were read, where one knows its model from a name: it
// takes it from the results beside it.
func (t *touching) besideWhatWasRead(j *joiner) {
	folders := map[string]bool{}
	for p := range j.read.paths {
		folders[treeDir(p)] = true
	}
	asks := slices.ContainsFunc(j.sessions, (*session).namedModel)
	t.addIf(func(r *catalog.Run) bool { return (asks || namedModel(r)) && liesIn(r, folders) })
}

// namedModel reports whether a run knows its model from a name.
func namedModel(r *catalog.Run) bool {
	return r.Attributes[record.FactModel].From == catalog.FromName
}

// by adds the runs that a touched one touches, which is there as it is held and whole.
func (t *touching) by(r, whole *catalog.Run) {
	for i := range whole.Points {
		traced(&whole.Points[i], t.note)
	}
	t.called(modelsOf(r)...)
	t.add(t.byFamily[family(r.Identity)]...)
	if namedModel(r) {
		own := map[string]bool{}
		for _, s := range r.Sources {
			own[treeDir(s.Path)] = true
		}
		t.addIf(func(o *catalog.Run) bool { return liesIn(o, own) })
	}
	for _, e := range t.loaded[r] {
		t.add(t.byFamily[family(e.Header().Identity)]...)
		if e.attached || e.unnamed() {
			t.below(e)
		}
	}
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

// telling are the further runs that may be of one of the models that are kept, with a point that has one of the
// traces.
func (t *touching) telling() (out []*catalog.Run, _ error) {
	if len(t.fresh) == 0 {
		return nil, nil
	}
	asked := map[string]bool{}
	may := func(text string) bool {
		fits, known := asked[text]
		if !known {
			fits = slices.ContainsFunc(t.modelOf(text).forms(), func(form string) bool {
				return form == "" || t.models[form]
			})
			asked[text] = fits
		}
		return fits
	}
	var named []*catalog.Run
	for _, r := range t.catalog.Runs {
		if !t.all[r] && (t.models[""] || slices.ContainsFunc(modelsOf(r), may)) {
			named = append(named, r)
		}
	}
	tells := make([]bool, len(named))
	err := each(len(named), func(n int) error {
		whole, err := t.whole(named[n])
		if err != nil {
			return err
		}
		for i := range whole.Points {
			traced(&whole.Points[i], func(of trace) { tells[n] = tells[n] || t.fresh[of] })
			if tells[n] {
				break
			}
		}
		return nil
	})
	for n, r := range named {
		if tells[n] {
			out = append(out, r)
		}
	}
	return out, err
}

// Outline is what an ingest asks of a stored run to know whether it may touch it: which run and model it is of, what it was
// read from, and which notes are among what it states. A point stands for all of one source. It also has what a run takes
// over of the stored one that it continues where all of it was read again: what flags stated, and the jobs of its sources.
func Outline(r *catalog.Run) *catalog.Run {
	o := &catalog.Run{Version: r.Version, ID: r.ID, IDFrom: r.IDFrom, Formerly: r.Formerly, Identity: r.Identity,
		Started: r.Started, Records: r.Records}
	for key, a := range r.Attributes {
		alone := catalog.Run{ID: r.ID, Attributes: map[string]catalog.Attribute{key: a}}
		if key == record.FactModel || noted(&alone) || flagged(&alone) {
			if o.Attributes == nil {
				o.Attributes = map[string]catalog.Attribute{}
			}
			o.Attributes[key] = a
		}
	}
	for _, s := range r.Sources {
		o.Sources = append(o.Sources, catalog.Source{Path: s.Path, SHA256: s.SHA256, Format: s.Format, CI: s.CI})
	}
	measured := map[string]bool{}
	for _, p := range r.Points {
		if of := p.At.Source; !measured[of] {
			measured[of] = true
			o.Points = append(o.Points, catalog.Point{At: catalog.Place{Source: of}})
		}
	}
	return o
}

// flagged reports whether a flag is among what a run states.
func flagged(r *catalog.Run) bool {
	return slices.ContainsFunc(kept(r), func(c claim) bool { return c.from == catalog.FromFlag })
}

// liesIn reports whether a source of a run lies in one of some folders.
func liesIn(r *catalog.Run, folders map[string]bool) bool {
	return slices.ContainsFunc(r.Sources, func(s catalog.Source) bool { return folders[treeDir(s.Path)] })
}
