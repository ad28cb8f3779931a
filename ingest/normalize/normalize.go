package normalize

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest"
	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/record"
	"github.com/inferdex/inferdex/ingest/redact"
	"github.com/inferdex/inferdex/ingest/settings"
)

// Options are what records alone do not say. The zero Options add nothing.
type Options struct {
	// Config has the path rules, Sidecars what run.toml and SOURCE.toml say, Notes what
	// data/notes says of runs by their ids, Set the --set flags.
	Config   *settings.Config
	Sidecars *settings.Sidecars
	Notes    settings.Notes
	Set      []settings.Fact
	// CI is where the inputs were produced; nil without --ci.
	CI *catalog.CI
	// Formats are those that read the records: their Finish computes what several records say.
	Formats []*ingest.Format
	// Names understands hardware texts, to find contradictions. No name of it enters the catalog.
	Names *settings.Names
	// Inputs are the names of the inputs as given to [ingest.Read].
	Inputs []string
}

// Outcome is what an ingest changes.
type Outcome struct {
	// Runs are all runs that the reading has records of, as they are now.
	Runs []*catalog.Run
	// Raw has the raw records of each of Runs by id.
	Raw map[string][]catalog.RawRecord
	// Inputs say what became of each input.
	Inputs []*catalog.Input
	// Update is what has to be written: the runs and inputs that differ from the stored ones.
	Update catalog.Update
	// Points counts the points of Runs that the reading has a record of: new ones, those with
	// other numbers than the stored too, and unchanged ones. NewRuns counts runs that were not stored.
	NewRuns, Points, NewPoints, UnchangedPoints int
	// Unattached are records that describe no run.
	Unattached []record.Record
}

// Catalog turns a reading into runs and joins them with those of a catalog. stored may be nil.
// Neither argument is changed. The error is about the stored catalog alone: what is wrong with
// records is a finding of their run.
func Catalog(reading *ingest.Reading, stored *catalog.Catalog, o Options) (*Outcome, error) {
	names := make([]string, len(o.Inputs))
	for i, n := range o.Inputs {
		names[i] = path.Clean(n) // as paths in records have it
	}
	o.Inputs = names
	j := &joiner{o: &o, hide: &redact.Redactor{Inputs: o.Inputs}, stored: newIndex(stored)}
	var rest []record.Record
	j.sessions, rest = sessions(reading, j.hide)
	j.sidecars()
	plans, err := j.plans()
	if err != nil {
		return nil, err
	}
	out := &Outcome{Raw: map[string][]catalog.RawRecord{}, Unattached: rest}
	byPath := map[string][]string{} // ids of runs
	stale := map[string]bool{}
	for _, p := range plans {
		run := o.build(p, j.hide)
		if len(run.Points) == 0 && len(run.Figures) == 0 && len(run.Profiles) == 0 && p.stored == nil {
			// Nothing was measured: parameters that no result goes with.
			for _, r := range p.records {
				if !r.attached {
					out.Unattached = append(out.Unattached, r.Record)
				}
			}
			continue
		}
		raws := make([]catalog.RawRecord, 0, len(p.records))
		for _, r := range p.records {
			x, err := encode(r)
			if err != nil {
				return nil, fmt.Errorf("run %s: %w", run.ID, err)
			}
			raws = append(raws, x)
		}
		for _, s := range p.sessions {
			for _, q := range s.origin {
				if !slices.Contains(byPath[q], run.ID) {
					byPath[q] = append(byPath[q], run.ID)
				}
			}
		}
		changed, err := j.changed(p, run, raws)
		if err != nil {
			return nil, err
		}
		for _, old := range p.replaced {
			if old.Path() != run.Path() {
				stale[old.Path()], stale[old.RawPath()] = true, true
			}
		}
		if len(p.sessions) > 0 {
			out.count(p, run)
			out.Runs = append(out.Runs, run)
			out.Raw[run.ID] = raws
		}
		if changed {
			out.Update.Runs = append(out.Update.Runs, run)
			if out.Update.Raw == nil {
				out.Update.Raw = map[string][]catalog.RawRecord{}
			}
			out.Update.Raw[run.ID] = raws
		}
	}
	out.Inputs = inputs(reading, &o, byPath, out.Unattached, j.hide)
	if stored != nil {
		old := map[string]*catalog.Input{}
		for _, in := range stored.Inputs {
			old[in.SHA256] = in
			// A folder that has changed is the same input still.
			for _, x := range out.Inputs {
				if x.Kind == kindFolder && in.Kind == kindFolder && x.Path == in.Path && x.SHA256 != in.SHA256 && ci(x.CI) == ci(in.CI) {
					stale[in.File()] = true
				}
			}
		}
		for _, in := range out.Inputs {
			if was := old[in.SHA256]; was != nil && in.CI == nil {
				in.CI = was.CI
			}
			if !equalJSON(in, old[in.SHA256]) {
				out.Update.Inputs = append(out.Update.Inputs, in)
			}
		}
	} else {
		out.Update.Inputs = out.Inputs
	}
	for _, r := range out.Update.Runs {
		delete(stale, r.Path())
		delete(stale, r.RawPath())
	}
	for name := range stale {
		out.Update.Remove = append(out.Update.Remove, name)
	}
	slices.Sort(out.Update.Remove)
	sortRuns(out.Runs)
	sortRuns(out.Update.Runs)
	return out, nil
}

func ci(c *catalog.CI) catalog.CI {
	if c == nil {
		return catalog.CI{}
	}
	return *c
}

func sortRuns(runs []*catalog.Run) {
	c := catalog.Catalog{Runs: runs}
	c.Sort()
}

func equalJSON[T any](a, b *T) bool {
	if a == nil || b == nil {
		return a == b
	}
	x, err1 := catalog.Compact(a)
	y, err2 := catalog.Compact(b)
	return err1 == nil && err2 == nil && bytes.Equal(x, y)
}

// count adds the points of a run to the summary.
func (out *Outcome) count(p *plan, run *catalog.Run) {
	fresh := map[catalog.Place]bool{}
	for _, r := range p.records {
		if len(r.paths) > 0 {
			fresh[r.place()] = true
		}
	}
	old := map[string]*catalog.Point{}
	if p.stored == nil {
		out.NewRuns++
	} else {
		for i := range p.stored.Points {
			x := &p.stored.Points[i]
			old[pointKey(x)] = x
		}
	}
	for i := range run.Points {
		x := &run.Points[i]
		was := old[pointKey(x)]
		if was != nil && !fresh[x.At] {
			continue
		}
		out.Points++
		if was != nil && samePlain(was, x) {
			out.UnchangedPoints++
		} else {
			out.NewPoints++
		}
	}
}

func pointKey(p *catalog.Point) string {
	return fmt.Sprintf("%s|%s|%d", p.Workload.Key(), p.Load.Key(), p.Repetition)
}

// samePlain reports whether two points state the same, wherever they stand.
func samePlain(a, b *catalog.Point) bool {
	x, y := *a, *b
	x.At, y.At = catalog.Place{}, catalog.Place{}
	return equalJSON(&x, &y)
}

// index finds stored runs.
type index struct {
	catalog  *catalog.Catalog
	byID     map[string]*catalog.Run // former ids too
	byFamily map[[2]string][]*catalog.Run
	byFile   map[string][]*catalog.Run // by the beginning of the digest of a source
	raw      map[string][]*entry
	text     map[string][sha256.Size]byte // digest of the text of the raw records of a run
}

func newIndex(c *catalog.Catalog) *index {
	x := &index{catalog: c, byID: map[string]*catalog.Run{}, byFamily: map[[2]string][]*catalog.Run{}, byFile: map[string][]*catalog.Run{}, raw: map[string][]*entry{}, text: map[string][sha256.Size]byte{}}
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
		seen := map[string]bool{}
		for _, s := range r.Sources {
			if id := s.ID(); !seen[id] {
				seen[id] = true
				x.byFile[id] = append(x.byFile[id], r)
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

// records are the stored records of a run.
func (x *index) records(r *catalog.Run) ([]*entry, error) {
	if out, ok := x.raw[r.ID]; ok || x.catalog.Raw == nil {
		return out, nil
	}
	stored, err := x.catalog.Raw(r.ID)
	if err != nil {
		return nil, err
	}
	var out []*entry
	for i, s := range stored {
		d, err := decode(r.ID, i, s)
		if err != nil {
			return nil, err
		}
		out = append(out, d)
	}
	numbered(out)
	text, err := catalog.RawText(stored)
	if err != nil {
		return nil, fmt.Errorf("run %s: %w", r.ID, err)
	}
	x.raw[r.ID], x.text[r.ID] = out, sha256.Sum256(text)
	return out, nil
}

// joiner is one call of Catalog.
type joiner struct {
	o        *Options
	hide     *redact.Redactor
	stored   *index
	sessions []*session
}

// sidecars asks sidecars and path rules what they say of each session, at each place it was found.
func (j *joiner) sidecars() {
	type first struct {
		s    *session
		line int
		col  int
	}
	byFile := map[string][]first{}
	for _, s := range j.sessions {
		r := s.firstResult()
		for _, q := range r.paths {
			byFile[q] = append(byFile[q], first{s, r.key.line, r.key.col})
		}
	}
	for _, list := range byFile {
		slices.SortStableFunc(list, func(a, b first) int { return cmp.Or(cmp.Compare(a.line, b.line), cmp.Compare(a.col, b.col)) })
	}
	for _, s := range j.sessions {
		r := s.firstResult()
		for _, q := range r.paths {
			i := slices.IndexFunc(byFile[q], func(f first) bool { return f.s == s })
			real := cmp.Or(s.origin[q], q)
			s.applied = append(s.applied, j.o.Sidecars.For(settings.RunMatch{Path: real, Index: i + 1, Model: s.id.Model, Date: r.Header().Date}))
			for _, f := range j.o.Config.Rule(relative(j.o.Inputs, real)) {
				s.rules = append(s.rules, claim{key: f.Key, value: f.Value, from: catalog.FromRule, file: f.File, line: f.Line})
			}
		}
	}
}

// pointsOf are the points of a session as it would be alone: what sessions are compared by.
func (j *joiner) pointsOf(s *session) []catalog.Point {
	if !s.ready {
		s.points = points(ofKind(expand(s.records, j.o.Formats, j.hide), "result"), &findings{})
		s.ready = true
	}
	return s.points
}

// group is sessions and stored runs that are one run.
type group struct {
	sessions []*session
	stored   []*catalog.Run
	order    int // of the first session; stored runs come before all
	sameAs   *record.Identity
	findings findings
}

// plans decides which sessions and stored runs are one run.
//
// A session is a stored run, or another session, where it has a record of it, shares a
// measurement with it, has its identity, or a sidecar says so. What a format told apart in one
// file stays apart, whatever else it has in common.
func (j *joiner) plans() ([]*plan, error) {
	u := &groups{of: map[any]*group{}}
	for i, s := range j.sessions {
		u.add(s, &group{sessions: []*session{s}, order: i})
	}
	if err := j.byRecord(u); err != nil {
		return nil, err
	}
	j.byPoint(u)
	j.byIdentity(u)
	j.bySidecar(u)
	j.noted(u)
	return j.assign(u.list())
}

// groups is a union of sets whose members are *session and *catalog.Run.
type groups struct{ of map[any]*group }

func (u *groups) add(member any, g *group) { u.of[member] = g }

// run is the group of a stored run, made where there is none yet.
func (u *groups) run(r *catalog.Run) *group {
	g := u.of[r]
	if g == nil {
		g = &group{stored: []*catalog.Run{r}, order: -1}
		u.of[r] = g
	}
	return g
}

// join makes one group of two and returns it.
func (u *groups) join(a, b *group) *group {
	if a == b {
		return a
	}
	if b.order < a.order {
		a, b = b, a
	}
	a.sessions = append(a.sessions, b.sessions...)
	a.stored = append(a.stored, b.stored...)
	a.findings.all = append(a.findings.all, b.findings.all...)
	if a.sameAs == nil {
		a.sameAs = b.sameAs
	}
	for _, s := range b.sessions {
		u.of[s] = a
	}
	for _, r := range b.stored {
		u.of[r] = a
	}
	return a
}

// list returns the groups, those with stored runs by their ids, then the others by their first
// sessions.
func (u *groups) list() []*group {
	seen := map[*group]bool{}
	var out []*group
	for _, g := range u.of {
		if !seen[g] {
			seen[g] = true
			slices.SortFunc(g.stored, func(a, b *catalog.Run) int { return cmp.Compare(a.ID, b.ID) })
			slices.SortStableFunc(g.sessions, func(a, b *session) int { return byPlace(a.records[0], b.records[0]) })
			out = append(out, g)
		}
	}
	slices.SortFunc(out, func(a, b *group) int {
		id := func(g *group) string {
			if len(g.stored) > 0 {
				return g.stored[0].ID
			}
			return "~" // behind all ids
		}
		return cmp.Or(cmp.Compare(id(a), id(b)), cmp.Compare(a.order, b.order))
	})
	return out
}

// byRecord joins sessions with the stored runs that have their records already.
func (j *joiner) byRecord(u *groups) error {
	type claimed struct {
		run  *catalog.Run
		file string
	}
	taken := map[claimed]*session{}
	// Sessions whose identity is the run's come first: of two that a format tells apart in one
	// file only one can be the stored run.
	for _, exact := range []bool{true, false} {
		for _, s := range j.sessions {
			for _, r := range s.records {
				if r.attached || !record.Measures(r.Record) {
					continue
				}
				for _, run := range j.stored.byFile[short(r.key.digest)] {
					if (run.Identity == s.id) != exact || u.of[s] == u.run(run) {
						continue
					}
					c := claimed{run, r.key.digest}
					if other := taken[c]; other != nil && other != s {
						continue
					}
					known, err := j.stored.records(run)
					if err != nil {
						return err
					}
					if slices.ContainsFunc(known, func(k *entry) bool { return k.key == r.key }) {
						u.join(u.of[s], u.run(run))
					}
				}
			}
			// A file counts as taken once the session is through.
			for _, r := range s.records {
				for _, run := range j.stored.byFile[short(r.key.digest)] {
					if c := (claimed{run, r.key.digest}); !r.attached && taken[c] == nil && u.of[s] == u.of[run] {
						taken[c] = s
					}
				}
			}
		}
	}
	return nil
}

// oneFile reports whether two groups have sessions that were read from one file.
func oneFile(a, b *group) bool {
	files := map[string]bool{}
	for _, s := range a.sessions {
		for _, r := range s.records {
			if !r.attached {
				files[r.key.digest] = true
			}
		}
	}
	for _, s := range b.sessions {
		for _, r := range s.records {
			if !r.attached && files[r.key.digest] {
				return true
			}
		}
	}
	return false
}

// byPoint joins what shares a measurement.
func (j *joiner) byPoint(u *groups) {
	families := map[[2]string][]*session{}
	var order [][2]string
	for _, s := range j.sessions {
		f := family(s.id)
		if families[f] == nil {
			order = append(order, f)
		}
		families[f] = append(families[f], s)
	}
	for _, f := range order {
		all := map[*group]bool{}
		for _, s := range families[f] {
			all[u.of[s]] = true
		}
		for _, r := range j.stored.byFamily[f] {
			all[u.run(r)] = true
		}
		if len(all) < 2 {
			continue
		}
		type at struct {
			g func() *group
			p *catalog.Point
		}
		byLoad := map[string][]at{}
		add := func(points []catalog.Point, g func() *group) {
			for i := range points {
				p := &points[i]
				k := p.Workload.Key() + "|" + p.Load.Key()
				for _, x := range byLoad[k] {
					a, b := x.g(), g()
					if a != b && (len(a.sessions) > 0 || len(b.sessions) > 0) && samePoint(x.p, p) && !oneFile(a, b) {
						u.join(a, b)
					}
				}
				byLoad[k] = append(byLoad[k], at{g, p})
			}
		}
		for _, r := range j.stored.byFamily[f] {
			add(r.Points, func() *group { return u.of[r] })
		}
		for _, s := range families[f] {
			add(j.pointsOf(s), func() *group { return u.of[s] })
		}
	}
}

// points are those of all members of a group.
func (j *joiner) points(g *group) []catalog.Point {
	var out []catalog.Point
	for _, s := range g.sessions {
		out = append(out, j.pointsOf(s)...)
	}
	for _, r := range g.stored {
		out = append(out, r.Points...)
	}
	return out
}

// byIdentity joins what has one identity, unless it is two runs all the same.
func (j *joiner) byIdentity(u *groups) {
	sessions := map[record.Identity][]*session{}
	for _, s := range j.sessions {
		sessions[s.id] = append(sessions[s.id], s)
	}
	for _, s := range j.sessions {
		var same []*group
		add := func(g *group) {
			if !slices.Contains(same, g) {
				same = append(same, g)
			}
		}
		for _, r := range j.stored.byFamily[family(s.id)] {
			if r.Identity == s.id {
				add(u.run(r))
			}
		}
		for _, t := range sessions[s.id] {
			add(u.of[t])
		}
		mine := u.of[s]
		for _, g := range same {
			if g == mine || len(g.stored) > 0 && len(mine.stored) > 0 {
				continue // two stored runs stay two: that was decided when they were stored
			}
			if !conflict(j.points(g), j.points(mine), s.suite) {
				mine = u.join(g, mine)
			}
		}
	}
}

// bySidecar joins what same_as names.
func (j *joiner) bySidecar(u *groups) {
	target := func(id string) *group {
		if r := j.stored.byID[id]; r != nil {
			return u.run(r)
		}
		for _, s := range j.sessions {
			if s.id.ID() == id || slices.ContainsFunc(s.applied, func(a settings.Applied) bool { return a.ID == id }) {
				return u.of[s]
			}
		}
		return nil
	}
	same := func(g *group, a settings.Applied, at claim) {
		to := target(a.SameAs)
		switch {
		case to == nil:
			g.findings.at(CodeSameAs, record.Warning, at.file, at.line, "same_as is %q, and there is no run of this id", a.SameAs)
		case to != g:
			id := to.sameAs
			if id == nil {
				x := to.identity()
				id = &x
			}
			u.join(to, g).sameAs = id
		}
	}
	for _, s := range j.sessions {
		for _, a := range s.applied {
			if a.SameAs != "" {
				r := s.firstResult()
				same(u.of[s], a, claim{file: r.path, line: r.key.line})
			}
		}
	}
	for _, id := range sortedIDs(j.o.Notes) {
		if a := j.o.Notes[id]; a.SameAs != "" {
			if g := target(id); g != nil {
				same(g, a, claim{})
			}
		}
	}
}

func sortedIDs(n settings.Notes) []string {
	out := make([]string, 0, len(n))
	for id := range n {
		out = append(out, id)
	}
	slices.Sort(out)
	return out
}

// noted brings in stored runs of which only a note has news: one that was written, changed or
// taken away.
func (j *joiner) noted(u *groups) {
	if j.stored.catalog == nil || j.o.Notes == nil {
		return
	}
	for _, r := range j.stored.catalog.Runs {
		if _, ok := j.o.Notes[r.ID]; ok {
			u.run(r)
			continue
		}
		for _, c := range kept(r) {
			if path.Base(c.file) == r.ID+".toml" {
				u.run(r)
			}
		}
	}
}

// identity is that of a group: of the run that same_as names, else of the stored run, else of the
// session that began first. A part of a measurement that names no model leaves it to the others.
func (g *group) identity() record.Identity {
	if g.sameAs != nil {
		return *g.sameAs
	}
	stored := len(g.stored) > 0
	var best record.Identity
	if stored {
		best = g.winner().Identity
	} else {
		best = g.sessions[0].id
	}
	for _, s := range g.sessions {
		switch {
		case best.Model == "" && s.id.Model != "" && s.id.Tool == best.Tool:
			best, stored = s.id, false
		case !stored && (best.Model == "") == (s.id.Model == "") && earlier(s.id.Session, best.Session):
			best = s.id
		}
	}
	return best
}

// winner is the stored run whose id a group keeps: the one that began first.
func (g *group) winner() *catalog.Run {
	best := g.stored[0]
	if g.sameAs != nil {
		for _, r := range g.stored {
			if r.Identity == *g.sameAs {
				return r
			}
		}
	}
	for _, r := range g.stored[1:] {
		if r.Started != "" && (best.Started == "" || r.Started < best.Started) {
			best = r
		}
	}
	return best
}

// assign gives each group its id and its records.
func (j *joiner) assign(all []*group) ([]*plan, error) {
	type owner struct{ stored bool }
	taken := map[string]owner{}
	if j.stored.catalog != nil {
		for _, r := range j.stored.catalog.Runs {
			taken[r.ID] = owner{true}
		}
	}
	var plans []*plan
	for _, g := range all {
		if len(g.sessions) == 0 && !j.news(g) {
			continue // a stored run that was only looked at
		}
		p := &plan{identity: g.identity(), sessions: g.sessions, replaced: g.stored, findings: g.findings}
		var old []*entry
		free := map[string]bool{} // ids that are the group's own
		for _, r := range g.stored {
			free[r.ID] = true
			known, err := j.stored.records(r)
			if err != nil {
				return nil, err
			}
			old = append(old, known...)
		}
		if len(g.stored) > 0 {
			p.stored = g.winner()
		}
		var fresh []*entry
		for _, s := range g.sessions {
			fresh = append(fresh, s.records...)
		}
		p.records = union(old, unique(fresh))

		wanted, from := j.wanted(g)
		usable := func(id string) bool { _, used := taken[id]; return !used || free[id] }
		natural := p.identity.ID()
		switch {
		case wanted != "" && !catalog.ValidID(wanted):
			p.findings.at(CodeID, record.Warning, from.file, 0, "id %q cannot be used: write 1 to 64 lower-case letters, digits and -", wanted)
			wanted = ""
		case wanted != "" && !usable(wanted):
			p.findings.at(CodeID, record.Warning, from.file, 0, "id %q belongs to another run: it names one run only", wanted)
			wanted = ""
		}
		switch base := ""; {
		case wanted != "":
			p.id, p.idFrom = wanted, catalog.FromOverride
		case p.stored != nil && p.stored.IDFrom != "" && !j.recomputed(g, p.stored):
			p.id, p.idFrom = p.stored.ID, p.stored.IDFrom
		default:
			if p.stored != nil {
				base, _ = catalog.SplitID(p.stored.ID)
			}
			switch {
			case base == natural:
				p.id = p.stored.ID
			case usable(natural):
				p.id = natural
			default:
				// Two runs of one identity: the digest of the second's first record tells them apart.
				digest := record.Digest([]byte(content(p.first())))
				for i := 0; i+4 <= len(digest); i++ {
					p.id = natural + "-" + digest[i:i+4]
					if usable(p.id) {
						break
					}
				}
			}
		}
		if _, suffix := catalog.SplitID(p.id); suffix != "" && p.idFrom == "" {
			p.findings.at(CodeIdentity, record.Warning, p.records[0].path, p.records[0].key.line,
				"run %s has the same tool, session and model and other results: these are two runs", natural)
		}
		taken[p.id] = owner{}
		former := map[string]bool{}
		for _, r := range g.stored {
			former[r.ID] = true
			for _, id := range r.Formerly {
				former[id] = true
			}
		}
		delete(former, p.id)
		for id := range former {
			p.formerly = append(p.formerly, id)
		}
		slices.Sort(p.formerly)
		plans = append(plans, p)
	}
	return plans, nil
}

// first is the first record of a run that measures something.
func (p *plan) first() record.Record {
	for _, r := range p.records {
		if !r.attached && r.key.kind == "result" {
			return r.Record
		}
	}
	return p.records[0].Record
}

// news reports whether a group without sessions is there for more than being looked at.
func (j *joiner) news(g *group) bool {
	if len(g.stored) > 1 {
		return true
	}
	if j.o.Notes == nil {
		return false
	}
	for _, r := range g.stored {
		if _, ok := j.o.Notes[r.ID]; ok {
			return true
		}
		for _, c := range kept(r) {
			if path.Base(c.file) == r.ID+".toml" {
				return true
			}
		}
	}
	return false
}

// wanted is the id that a sidecar asks for, and where.
func (j *joiner) wanted(g *group) (string, claim) {
	for _, s := range g.sessions {
		for _, a := range s.applied {
			if a.ID != "" {
				return a.ID, claim{file: s.firstResult().path}
			}
		}
	}
	for _, r := range g.stored {
		if a, ok := j.o.Notes[r.ID]; ok && a.ID != "" {
			return a.ID, claim{}
		}
	}
	return "", claim{}
}

// recomputed reports whether the sidecars of this ingest decide the id of a stored run anew.
func (j *joiner) recomputed(g *group, r *catalog.Run) bool {
	p := &plan{stored: r, sessions: g.sessions}
	return len(g.sessions) > 0 && j.o.sidecars(p, j.hide).fresh
}

// unique leaves each record once: sessions that are one run may both have what lies beside them.
func unique(in []*entry) []*entry {
	byKey := map[recordKey]*entry{}
	var out []*entry
	slices.SortStableFunc(in, byPlace)
	for _, r := range in {
		known := byKey[r.key]
		if known == nil {
			c := *r
			c.paths = slices.Clone(r.paths)
			byKey[r.key] = &c
			out = append(out, &c)
			continue
		}
		for _, q := range r.paths {
			if !slices.Contains(known.paths, q) {
				known.paths = append(known.paths, q)
			}
		}
	}
	return out
}

// changed reports whether a run differs from the stored one.
func (j *joiner) changed(p *plan, run *catalog.Run, raws []catalog.RawRecord) (bool, error) {
	if p.stored == nil || len(p.replaced) > 1 || p.stored.ID != run.ID || !equalJSON(p.stored, run) {
		return true, nil
	}
	text, err := catalog.RawText(raws)
	if err != nil {
		return false, err
	}
	return j.stored.text[run.ID] != sha256.Sum256(text), nil
}

// Difference is something that --check found: a file of the catalog that is not what its inputs
// give.
type Difference struct {
	// File is the name in the catalog's directory, Message what differs.
	File, Message string
}

// Check derives again what a catalog says came from the inputs at hand and returns what differs,
// in the order of file names. Runs of other inputs are not looked at.
func Check(reading *ingest.Reading, stored *catalog.Catalog, o Options) ([]Difference, *Outcome, error) {
	out, err := Catalog(reading, stored, o)
	if err != nil {
		return nil, nil, err
	}
	var diffs []Difference
	old := map[string]*catalog.Run{}
	for _, r := range stored.Runs {
		old[r.ID] = r
	}
	touched := map[string]bool{}
	for _, r := range out.Runs {
		touched[r.ID] = true
	}
	for _, r := range out.Update.Runs {
		was := old[r.ID]
		if was == nil {
			diffs = append(diffs, Difference{r.Path(), "is missing: the inputs give this run"})
			continue
		}
		message, err := firstDifference(was, r)
		if err != nil {
			return nil, nil, err
		}
		if message == "" {
			diffs = append(diffs, Difference{r.RawPath(), "the raw records are not those of the inputs"})
		} else {
			diffs = append(diffs, Difference{r.Path(), message})
		}
	}
	for _, name := range out.Update.Remove {
		diffs = append(diffs, Difference{name, "is stale: the inputs give it under another name"})
	}
	for _, in := range out.Update.Inputs {
		diffs = append(diffs, Difference{in.File(), fmt.Sprintf("does not tell what became of %q", in.Path)})
	}
	// What was once read from a path below these inputs must still be there.
	digests := map[string]bool{}
	for _, f := range reading.Files {
		digests[f.SHA256] = true
	}
	for _, r := range stored.Runs {
		for _, s := range r.Sources {
			if _, ok := inputOf(o.Inputs, s.Path); ok && !digests[s.SHA256] {
				diffs = append(diffs, Difference{r.Path(), fmt.Sprintf("source %q is no more what was read there", s.Path)})
				break
			}
		}
		if !touched[r.ID] && len(r.Sources) > 0 && !slices.ContainsFunc(r.Sources, func(s catalog.Source) bool { return !digests[s.SHA256] }) {
			diffs = append(diffs, Difference{r.Path(), "the inputs give no such run"})
		}
	}
	slices.SortStableFunc(diffs, func(a, b Difference) int { return cmp.Compare(a.File, b.File) })
	return slices.Compact(diffs), out, nil
}

// firstDifference names the first line in which two runs differ, "" where none does.
func firstDifference(a, b *catalog.Run) (string, error) {
	x, err := catalog.Marshal(a)
	if err != nil {
		return "", err
	}
	y, err := catalog.Marshal(b)
	if err != nil {
		return "", err
	}
	if bytes.Equal(x, y) {
		return "", nil
	}
	p, q := strings.Split(string(x), "\n"), strings.Split(string(y), "\n")
	for i := range p {
		if i >= len(q) || p[i] != q[i] {
			got := ""
			if i < len(q) {
				got = q[i]
			}
			return fmt.Sprintf("line %d is %q, and the inputs give %q", i+1, clip(p[i]), clip(got)), nil
		}
	}
	return fmt.Sprintf("ends at line %d, and the inputs give more", len(p)), nil
}

func clip(s string) string {
	s = strings.TrimSpace(s)
	if r := []rune(s); len(r) > 120 {
		return string(r[:120]) + "…"
	}
	return s
}
