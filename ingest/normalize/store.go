package normalize

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"github.com/inferdex/inferdex/ingest"
	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/record"
	"github.com/inferdex/inferdex/ingest/settings"
)

// store finds the stored runs that an ingest may change. It loads the records of no others.
type store struct {
	catalog  *catalog.Catalog
	byID     map[string]*catalog.Run // former ids too
	byFamily map[[2]string][]*catalog.Run
	byFile   map[string][]*catalog.Run // by the beginning of the digest of a source
	byPath   map[string][]*catalog.Run // by the path of a source
	mu       sync.Mutex                // of what follows, while runs are loaded
	loaded   map[*catalog.Run][]*entry
	again    map[*catalog.Run]bool // runs that were not loaded, or are no more: see rereading
	text     map[string]string     // digest of the text of the raw records of a run by its id
	damaged  func(run string, err error)
}

func newStore(c *catalog.Catalog, damaged func(run string, err error)) *store {
	x := &store{catalog: c, damaged: damaged, byID: map[string]*catalog.Run{}, byFamily: map[[2]string][]*catalog.Run{},
		byFile: map[string][]*catalog.Run{}, byPath: map[string][]*catalog.Run{},
		loaded: map[*catalog.Run][]*entry{}, again: map[*catalog.Run]bool{}, text: map[string]string{}}
	if c == nil {
		return x
	}
	for _, r := range c.Runs {
		for _, id := range r.Formerly {
			if x.byID[id] == nil {
				x.byID[id] = r
			}
		}
		f := family(r.Identity)
		x.byFamily[f] = append(x.byFamily[f], r)
		for _, s := range r.Sources {
			x.byPath[s.Path] = append(x.byPath[s.Path], r)
			if of := x.byFile[s.ID()]; len(of) == 0 || of[len(of)-1] != r {
				x.byFile[s.ID()] = append(of, r)
			}
		}
	}
	for _, r := range c.Runs { // an id in use wins over a former one
		x.byID[r.ID] = r
	}
	return x
}

// family is what runs must have in common to be compared by their points.
func family(id record.Identity) [2]string { return [2]string{id.Tool, id.Model} }

// read is what an ingest has seen of files: digests by the published paths of files.
type read struct {
	digests map[string]bool
	paths   map[string]string // the digest of the file that lies there now
	gone    func(path, digest string) bool
	// copied reports whether bytes that were read lie at a path too that was not, and moved whether it is known that they
	// do no more: of a member of an archive it is not.
	copied, moved func(path, digest string) bool
}

// whole is all of a run.
func (x *store) whole(r *catalog.Run) (*catalog.Run, error) {
	if x.catalog.Whole == nil {
		return r, nil
	}
	return x.catalog.Whole(r)
}

// load reads a run and its records. Runs may be loaded several at a time.
func (x *store) load(r *catalog.Run) (whole *catalog.Run, err error) {
	if whole, err = x.whole(r); err != nil || x.catalog.Raw == nil {
		return whole, err
	}
	records, sum, err := x.records(whole)
	x.mu.Lock()
	defer x.mu.Unlock()
	var pe *fs.PathError
	if x.damaged != nil && len(records) == 0 && !errors.As(err, &pe) {
		x.damaged(r.ID, err)
		records, sum, err = nil, "", nil
	}
	x.loaded[r], x.text[r.ID] = records, sum
	return whole, err
}

// each does something for the numbers below n, several at a time. The error is that of the first number that has one.
func each(n int, do func(i int) error) error {
	errs := make([]error, n)
	catalog.Each(n, func(i int) { errs[i] = do(i) })
	return cmp.Or(errs...)
}

// records are the stored records of a whole run, with the digest of their text; none where their file is missing.
func (x *store) records(whole *catalog.Run) (out []*entry, sum string, err error) {
	stored, err := x.catalog.Raw(whole.ID)
	if err != nil {
		return nil, "", err
	}
	// What they measured is not asked of it.
	r := &catalog.Run{ID: whole.ID, Attributes: whole.Attributes, Sources: whole.Sources}
	for i, s := range stored {
		d, err := decode(whole.RawPath(), i, s)
		if err != nil {
			return nil, "", err
		}
		for _, e := range d {
			e.stored = r
		}
		out = append(out, d...)
	}
	numbered(out)
	if sum, err = catalog.RawSum(stored); err != nil {
		return nil, "", fmt.Errorf("run %s: %w", r.ID, err)
	}
	return out, sum, nil
}

// remaining are the records of touched runs that an ingest leaves in place. The bytes of a file
// that is seen again replace what was stored of it, and so does a file that was corrected.
//
// Of results that were read at one place and lie at another one still, the fresh record knows both: what stood beside the
// one that was not read goes on describing the run.
func (x *store) remaining(runs []*catalog.Run, seen *read, fresh []*entry) []*entry {
	now := accounts(fresh)
	copies := map[string][]catalog.Source{} // by their digest
	var out []*entry
	for _, r := range runs {
		known := x.loaded[r]
		old, moved := accounts(known), movedFrom(known, seen)
		for _, e := range known {
			there, read := seen.paths[e.path]
			if of := e.key.digest; !e.keyless() && seen.digests[of] && copies[of] == nil {
				copies[of] = slices.DeleteFunc(e.sources(), func(s catalog.Source) bool { return !seen.copied(s.Path, of) })
			}
			again := func() bool {
				return read || !e.keyless() || moved(treeDir(e.path)) && !seen.copied(e.path, e.key.digest)
			}
			switch {
			case seen.digests[e.key.digest] && again(), seen.gone(e.path, e.key.digest):
			case read && there != e.key.digest && (e.attached || now[e.path].corrects(old[e.path])):
			default:
				out = append(out, e)
			}
		}
	}
	shared := map[*record.Fact][]record.Fact{}
	for _, e := range fresh {
		if e.keyless() {
			continue
		}
		if e.known = copies[e.key.digest]; len(e.known) > 0 && e.known[0].Path < e.path {
			e.standAt(e.known[0].Path, shared)
		}
	}
	sortByPlace(out)
	// What lies beside several runs is stored with each.
	known := map[place]bool{}
	return slices.DeleteFunc(out, func(e *entry) bool {
		c := place{e.path, e.key}
		again := known[c]
		known[c] = true
		return again
	})
}

// movedFrom says of a directory whether descriptions that lay in it, and whose bytes were seen elsewhere, were moved there:
// the results of their run that lie in and below it were, or all of them where none lies there. Else the folder that was
// read has a copy, as each folder of a machine has of what describes the machine.
func movedFrom(known []*entry, seen *read) func(dir string) bool {
	stayed, went := map[string]bool{}, map[string]bool{} // directories above results
	for _, e := range known {
		switch {
		case e.keyless():
		case seen.digests[e.key.digest]:
			directoriesAbove(e.path, went)
		default:
			directoriesAbove(e.path, stayed)
		}
	}
	return func(dir string) bool { return !stayed[dir] && (went[dir] || len(stayed) == 0) }
}

// account is what a file says it measured.
type account struct{ models, dates map[string]bool }

func accounts(entries []*entry) map[string]*account {
	out := map[string]*account{}
	for _, e := range entries {
		if e.attached || !record.Measures(e.Record) {
			continue
		}
		paths := e.paths
		if len(paths) == 0 {
			paths = []string{e.path}
		}
		for _, p := range paths {
			if out[p] == nil {
				out[p] = &account{map[string]bool{}, map[string]bool{}}
			}
			h := e.Header()
			if h.Identity.Model != "" {
				out[p].models[h.Identity.Model] = true
			}
			if d := cmpDate(h); d != "" {
				out[p].dates[d] = true
			}
		}
	}
	return out
}

func cmpDate(h *record.Base) string {
	if h.Date != "" {
		return h.Date
	}
	return h.Identity.Session
}

// corrects reports whether a file is a later version of an older one at its place, and not another
// measurement that took over its name: they have a model in common and a date, as far as both say.
func (a *account) corrects(old *account) bool {
	if a == nil || old == nil {
		return a == nil && old == nil
	}
	common := func(x, y map[string]bool) bool {
		if len(x) == 0 || len(y) == 0 {
			return true
		}
		for k := range x {
			if y[k] {
				return true
			}
		}
		return false
	}
	return common(a.models, old.models) && common(a.dates, old.dates)
}

// noted reports whether a note on the run is among what it states.
func noted(r *catalog.Run) bool {
	return slices.ContainsFunc(kept(r), func(c claim) bool { return c.noteOn(r.ID) })
}

// seenIn lists what a reading has seen, by published paths. With prune, what lay below the inputs
// and was not read is gone, and so is what a file said whose bytes are others now. Nobody knows what is gone of a folder
// that cannot be read, or of an archive that is not read whole.
func seenIn(reading *ingest.Reading, left map[string]string, o *Options, publish func(string) string) *read {
	out := &read{digests: map[string]bool{}, paths: map[string]string{}}
	inputs := make([]string, len(o.Inputs))
	for i, n := range o.Inputs {
		inputs[i] = publish(n)
	}
	for _, f := range reading.Files {
		if left[f.Path] != "" {
			continue
		}
		if f.SHA256 != "" { // a file that was not read has none
			out.digests[f.SHA256] = true
		}
		if f.Path != "-" {
			out.paths[publish(f.Path)] = f.SHA256
		}
	}
	closed := map[string]bool{}
	for _, f := range slices.Concat(reading.Files, reading.Archives) {
		closed[publish(f.Path)] = f.Errors > 0
	}
	out.gone = func(p, digest string) bool {
		if !o.Prune {
			return false
		}
		for i := range len(p) {
			if (p[i] == '/' || p[i] == '!') && closed[p[:i]] {
				return false
			}
		}
		_, mine := inputOf(inputs, p)
		now, there := out.paths[p]
		return mine && (!there || now != "" && now != digest && !out.digests[digest])
	}
	out.copied = func(p, digest string) bool {
		_, read := out.paths[p]
		return !read && o.Holds != nil && !out.gone(p, digest) && o.Holds(p, digest)
	}
	out.moved = func(p, digest string) bool {
		return out.digests[digest] && o.Holds != nil && !strings.Contains(p, "!") && !o.Holds(p, digest)
	}
	return out
}

func sortedIDs(n settings.Notes) []string {
	out := make([]string, 0, len(n))
	for id := range n {
		out = append(out, id)
	}
	slices.Sort(out)
	return out
}
