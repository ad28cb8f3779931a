package normalize

import (
	"fmt"
	"io"
	"path"
	"runtime"
	"slices"
	"sync"

	"github.com/inferdex/inferdex/ingest"
	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/record"
	"github.com/inferdex/inferdex/ingest/redact"
)

// Outcome is what an ingest changes.
type Outcome struct {
	// Runs are all runs that the reading has records of, as they are now.
	Runs []*catalog.Run
	// Inputs say what became of each input.
	Inputs []*catalog.Input
	// Update is what has to be written: the runs and inputs that differ from the stored ones.
	Update catalog.Update
	// Points counts the points of Runs that the reading has a record of: new ones, those with
	// other numbers than the stored too, and unchanged ones. NewRuns counts runs that were not stored.
	NewRuns, Points, NewPoints, UnchangedPoints int
	// PointsOf is how many points each of Runs has, by its id.
	PointsOf map[string]int
	// Unattached are records that describe no run.
	Unattached []record.Record

	lonely map[string]bool // the paths of Unattached as read
	left   []*entry        // records that describe no run, fresh and stored
	used   map[place]bool  // where descriptions lie that a run has
}

// Catalog turns a reading into runs and joins them with those of a catalog. stored may be nil.
// Neither argument is changed, but for a reading that is given away: see [Options.Take]. The error is about the
// stored catalog, or of Take: what is wrong with records is a finding of their run.
//
// The result is a function of the records: those read and those stored that the reading does not
// replace are put together and divided anew. So the order in which files are ingested, and how many
// at a time, decide nothing.
func Catalog(reading *ingest.Reading, stored *catalog.Catalog, o Options) (*Outcome, error) {
	j := o.joiner(stored)
	if stored != nil {
		j.joining = j
	}
	return j.catalog(reading)
}

// Alone is [Catalog] where nothing is stored.
func Alone(reading *ingest.Reading, o Options) (*Outcome, error) {
	return o.joiner(nil).catalog(reading)
}

func (j *joiner) catalog(reading *ingest.Reading) (*Outcome, error) {
	told, given := Told(reading), *reading
	if j.o.Take != nil {
		*reading = *told
	}
	if j.joining != nil {
		j.joining.begin(&given)
	}
	out, byPath, err := j.outcome(&given)
	if err != nil {
		return nil, err
	}
	loose, err := out.loose(j)
	if err != nil {
		return nil, err
	}
	if j.joining != nil {
		j.joining.tell(byPath, out.lonely)
	}
	out.Inputs = inputs(told, j.o, byPath, out.lonely, j.hide)
	if j.joining != nil {
		out.Update.Inputs, out.Update.Remove = j.joining.end(out.Inputs, loose)
	} else {
		for in, list := range placed(loose, out.Inputs) {
			in.Loose = list
		}
		out.Update.Inputs = out.Inputs
	}
	sortRuns(out.Runs)
	sortRuns(out.Update.Runs)
	return out, nil
}

// joiner begins a call.
func (o Options) joiner(stored *catalog.Catalog) *joiner {
	names := make([]string, len(o.Inputs))
	for i, n := range o.Inputs {
		names[i] = path.Clean(n) // as paths in records have it
	}
	o.Inputs = names
	return &joiner{o: &o, hide: &redact.Redactor{Inputs: o.Inputs}, store: newStore(stored, o.Damaged), models: map[string]*model{}}
}

// outcome makes the runs of a reading. byPath are the ids of the runs that have a record of a file.
func (j *joiner) outcome(reading *ingest.Reading) (out *Outcome, byPath map[string][]string, err error) {
	rest, err := j.gather(reading)
	if err != nil {
		return nil, nil, err
	}
	out = &Outcome{used: map[place]bool{}, lonely: map[string]bool{}, PointsOf: map[string]int{},
		Update: catalog.Update{Written: j.o.Take != nil}}
	for _, e := range rest {
		out.leave(e)
	}
	byPath = map[string][]string{}
	groups, err := j.group()
	if err != nil {
		return nil, nil, err
	}
	plans, err := j.plans(groups)
	if err != nil {
		return nil, nil, err
	}
	j.o.dispute(plans)
	err = j.built(plans, func(p *plan, b built) error {
		switch {
		case b.run == nil:
			return b.err // nobody waits for it any more
		case b.err != nil:
			return fmt.Errorf("run %s: %w", b.run.ID, b.err)
		}
		return j.settle(p, b, out, byPath)
	})
	if err != nil {
		return nil, nil, err
	}
	return out, byPath, nil
}

// gather makes the sessions of a reading and of what it touches in the catalog. rest are records
// that describe nothing.
func (j *joiner) gather(reading *ingest.Reading) (rest []*entry, err error) {
	fresh, loose, err := grouped(reading, j.left, j.hide, j.o.Take != nil, j.o.ended)
	if err != nil {
		return nil, err
	}
	j.sessions = fresh
	for _, s := range fresh {
		s.settle() // the identity says which stored runs may be the same
	}
	j.sidecars()
	var left []*entry
	if j.joining != nil {
		if left, err = j.joining.remaining(fresh, loose); err != nil {
			return nil, err
		}
	}
	var old []*entry
	j.sessions, old = joined(fresh, left)
	if len(left) > 0 {
		loose, old = adopt(j.sessions, append(loose, old...))
	}
	rest = attach(j.sessions, loose, old)
	for _, s := range j.sessions {
		s.settle()
	}
	slices.SortStableFunc(j.sessions, func(a, b *session) int { return byPlace(a.records[0], b.records[0]) })
	return rest, nil
}

// built is what became of a plan.
type built struct {
	run      *catalog.Run
	measured bool   // it has something to say; otherwise nothing else is set
	changed  bool   // it is to be written, and packed is its raw file
	packed   []byte // nil where nobody packs
	err      error
}

// mostTogether is how many records runs have that are made at one time: a larger one is made alone.
const mostTogether = 24_000

// built builds the runs of plans, which have nothing to do with each other any more, and hands over what became of
// each in their order; then nobody has its records any more. Each processor builds one at a time, with a redactor of
// its own, since one remembers what it did.
func (j *joiner) built(plans []*plan, each func(*plan, built) error) error {
	finish := func(i int, b built) error {
		err := each(plans[i], b)
		for _, s := range plans[i].sessions {
			s.records, s.points = nil, nil
		}
		plans[i] = nil
		return err
	}
	workers := min(runtime.GOMAXPROCS(0), len(plans))
	if workers <= 1 {
		for i, p := range plans {
			if err := finish(i, j.build(p, j.hide)); err != nil {
				return err
			}
		}
		return nil
	}
	var (
		wg    sync.WaitGroup
		mu    sync.Mutex // of what follows
		wake  = sync.NewCond(&mu)
		next  int
		held  int // records of the runs that are being made or wait to be handed over
		sizes = make([]int, len(plans))
		done  = make([]chan built, len(plans))
	)
	for i, p := range plans {
		sizes[i], done[i] = len(p.records), make(chan built, 1)
	}
	take := func() (i int, ok bool) { // in their order, so that the one that is waited for has room
		mu.Lock()
		defer mu.Unlock()
		for next < len(plans) && held > 0 && held+sizes[next] > mostTogether {
			wake.Wait()
		}
		if next == len(plans) {
			return 0, false
		}
		held += sizes[next]
		next++
		return next - 1, true
	}
	release := func(n, from int) { // from: the next one that is made, at least
		mu.Lock()
		held, next = held-n, max(next, from)
		mu.Unlock()
		wake.Broadcast()
	}
	defer wg.Wait()
	for range workers {
		wg.Go(func() {
			hide := &redact.Redactor{Inputs: j.o.Inputs}
			for i, ok := take(); ok; i, ok = take() {
				done[i] <- j.build(plans[i], hide)
			}
		})
	}
	for i := range plans {
		if err := finish(i, <-done[i]); err != nil {
			release(sizes[i], len(plans)) // no further one is made
			return err
		}
		release(sizes[i], 0)
	}
	return nil
}

// continuing is what [joining] does for plans that have a stored run.
type continuing interface {
	// hold makes the stored runs of a plan whole.
	hold(*plan) error
	// same reports whether a run that was built is the stored one of its plan, as it is stored. Where it is not, the plan
	// is held.
	same(*plan, *catalog.Run) (bool, error)
	// count adds the points of what the plan became to the summary.
	count(*Outcome, *plan, *built)
}

// build builds the run of a plan and packs its records, where they are to be written.
func (j *joiner) build(p *plan, hide *redact.Redactor) (b built) {
	if b.err = j.o.ended(); b.err != nil {
		return b
	}
	stored, _ := j.joining.(continuing)
	if p.stored != nil && !p.whole() { // else their outlines have all that the run takes over of them
		if b.err = stored.hold(p); b.err != nil {
			return b
		}
	}
	b.run = j.o.build(p, hide)
	b.measured = len(b.run.Points) > 0 || len(b.run.Figures) > 0 || len(b.run.Profiles) > 0
	if !b.measured {
		return b
	}
	if p.stored != nil {
		if b.run.Records = p.sum; p.sum == "" {
			if b.run.Records, _, b.err = p.pack(nil); b.err != nil {
				return b
			}
		}
		if same, err := stored.same(p, b.run); err != nil || same {
			b.err = err
			return b
		}
	}
	b.changed = true
	b.run.Records, b.packed, b.err = p.pack(j.o.Pack)
	return b
}

// settle notes what became of a plan, and what is to be written.
func (j *joiner) settle(p *plan, b built, out *Outcome, byPath map[string][]string) error {
	run := b.run
	if !b.measured { // parameters that no result goes with
		for _, r := range p.records {
			if r.attached {
				out.left = append(out.left, r)
			} else {
				out.leave(r)
			}
		}
		return nil
	}
	last := ""
	for _, r := range p.records {
		if r.key.kind != "result" { // no result is left over
			for _, p := range r.places() {
				out.used[place{p, r.key}] = true
			}
		}
		for _, q := range r.paths {
			if q != last && !slices.Contains(byPath[q], run.ID) {
				byPath[q] = append(byPath[q], run.ID)
			}
			last = q
		}
	}
	if p.fresh() {
		if p.stored == nil {
			out.NewRuns++
			out.Points, out.NewPoints = out.Points+len(run.Points), out.NewPoints+len(run.Points)
		} else {
			j.joining.(continuing).count(out, p, &b)
		}
		out.Runs, out.PointsOf[run.ID] = append(out.Runs, run), len(run.Points)
	}
	j.current = append(j.current, run)
	if b.changed {
		out.Update.Runs = append(out.Update.Runs, run)
	}
	switch {
	case j.o.Take != nil:
		if b.changed {
			if err := j.o.Take(run, b.packed); err != nil {
				return err
			}
		}
		run.Points = slices.Clone(run.Points[:min(1, len(run.Points))])
	case b.changed:
		if out.Update.Raw == nil {
			out.Update.Raw = map[string][]byte{}
		}
		out.Update.Raw[run.ID] = b.packed
	}
	return nil
}

// pack is the raw file of the records of a plan, made by with, and the digest of its text; with nil, the digest alone.
func (p *plan) pack(with func(io.Writer) io.WriteCloser) (sum string, file []byte, err error) {
	w := catalog.NewRawWriter(with)
	var text encoder
	for _, r := range p.records {
		x, err := text.encode(r)
		if err != nil {
			return "", nil, err
		}
		if err := w.Add(&x); err != nil {
			return "", nil, err
		}
	}
	return w.Close()
}

// leave notes a record of this ingest that describes no run.
func (out *Outcome) leave(e *entry) {
	out.left = append(out.left, e)
	if len(e.paths) > 0 {
		out.Unattached = append(out.Unattached, e.Record)
		out.lonely[e.found[0]] = true
	}
}

func sortRuns(runs []*catalog.Run) {
	c := catalog.Catalog{Runs: runs}
	c.Sort()
}
