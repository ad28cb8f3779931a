package normalize

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/inferdex/inferdex/ingest/record"
)

// twin is a result of a session, with the results of other files that are of the same measurement.
type twin struct {
	session *session
	entry   *entry
	c       *candidate
	start   *time.Time // where its date says the second
	of      []*twin
	model   *model // of the session
	traced  bool   // another one has a trace of it too
}

// near reports whether two paths have one name but for its end: "07-office.json" and "07-office.log".
func near(a, b string) bool {
	a, b = treePath(a), treePath(b)
	return a != b && path.Dir(a) == path.Dir(b) && stem(a) == stem(b)
}

// pair are two sessions, and the results that they may have in common.
type pair struct {
	a, b   *session
	links  [][2]*twin
	digits int
}

// twins finds the results that several files tell, session by session. Only sessions that may be one run
// are looked at, and only results that have a trace in common.
func (j *joiner) twins() []*pair {
	if j.oneFile() {
		return nil
	}
	byTrace := map[trace][]*twin{}
	var all []*twin
	for _, s := range j.sessions {
		m := j.modelOf(s.id.Model)
		for _, e := range s.records {
			res, ok := e.Record.(*record.Result)
			if !ok || e.attached || res.Own {
				continue
			}
			t := &twin{session: s, entry: e, model: m}
			if start, _, ok := moment(res.Date); ok {
				t.start = &start
			}
			all = append(all, t)
			last := trace{}
			tracedRecord(res, func(x trace) {
				if of := byTrace[x]; x != last && (len(of) == 0 || of[len(of)-1] != t) {
					byTrace[x] = append(of, t)
					if len(of) > 0 {
						of[0].traced, t.traced = true, true
					}
				}
				last = x
			})
		}
	}
	x := &matcher{n: names{j.o.Names}, pairs: map[[2]*session]*pair{}, seen: map[[2]*twin]bool{},
		says: map[*session]map[string][]string{}}
	for _, t := range all {
		if !t.traced {
			continue
		}
		tracedRecord(t.entry.Record.(*record.Result), func(k trace) {
			if j.o.Crowded != nil && j.o.Crowded[k.String()] {
				return
			}
			for _, o := range uncommon(byTrace[k]) {
				x.look(t, o)
			}
		})
	}
	return x.proven()
}

// oneFile reports whether all results are of one file: then no other one tells them.
func (j *joiner) oneFile() bool {
	digest := ""
	for _, s := range j.sessions {
		for _, e := range s.records {
			if digest = cmp.Or(digest, e.key.digest); e.key.kind == "result" && e.key.digest != digest {
				return false
			}
		}
	}
	return true
}

// matcher gathers what two sessions have in common.
type matcher struct {
	n     names
	pairs map[[2]*session]*pair
	order []*pair
	seen  map[[2]*twin]bool
	says  map[*session]map[string][]string // what [names.stated] gives
}

// stated are the values that a session gives, which many others are held against.
func (x *matcher) stated(s *session) map[string][]string {
	if x.says[s] == nil {
		x.says[s] = x.n.stated(s)
	}
	return x.says[s]
}

// look weighs two results, the earlier one first.
func (x *matcher) look(a, b *twin) {
	if a.session == b.session || a.start != nil && b.start != nil && a.start.Sub(*b.start).Abs() >= zones ||
		a.entry.key.digest == b.entry.key.digest || !a.model.same(*b.model) ||
		byPlace(a.entry, b.entry) >= 0 || x.seen[[2]*twin{a, b}] {
		return
	}
	x.seen[[2]*twin{a, b}] = true
	k := [2]*session{a.session, b.session}
	p, known := x.pairs[k]
	if !known {
		if o := x.pairs[[2]*session{b.session, a.session}]; o != nil {
			p = o
		} else if x.n.sameModel(a.session.id.Model, b.session.id.Model) && x.n.agree(x.stated(a.session), x.stated(b.session)) {
			p = &pair{a: a.session, b: b.session}
			x.order = append(x.order, p)
		}
		x.pairs[k] = p
	}
	if p == nil {
		return
	}
	for _, t := range []*twin{a, b} {
		if t.c == nil {
			t.c = pointOf(t.entry, &findings{})
		}
	}
	if digits, ok := common(a.c, b.c); ok && digits > 0 {
		p.links = append(p.links, [2]*twin{a, b})
		p.digits += digits
	}
}

// proven are the pairs of sessions that share a measurement, each with the results in common.
func (x *matcher) proven() []*pair {
	var out []*pair
	for _, p := range x.order {
		var links [][2]*twin
		for _, l := range p.links {
			if p.proves(l[0], l[1]) {
				links = append(links, l)
				l[0].of, l[1].of = append(l[0].of, l[1]), append(l[1].of, l[0])
			}
		}
		if p.links = links; len(links) > 0 {
			out = append(out, p)
		}
	}
	return out
}

// proves reports whether two results that agree are one measurement, by themselves or with the others
// of their sessions: a table of short numbers proves it row by row.
func (p *pair) proves(a, b *twin) bool {
	digits, _ := common(a.c, b.c)
	need := proof
	switch x, y := a.c.point.Date, b.c.point.Date; {
	case dated(x) && dated(y):
		need = proofDated
	case near(a.entry.path, b.entry.path):
		need = proofNear
	}
	return digits >= need || len(p.links) > 1 && p.digits >= proof && digits >= telling && !p.disputed()
}

// disputed reports whether of both sessions more than one result in five is not what the other one says.
func (p *pair) disputed() bool {
	told := map[*entry]bool{}
	for _, l := range p.links {
		told[l[0].entry], told[l[1].entry] = true, true
	}
	most := func(s *session) bool {
		all, missing := 0, 0
		for _, e := range s.records {
			if e.key.kind == "result" && !e.attached {
				all++
				if !told[e] {
					missing++
				}
			}
		}
		return missing*5 > all
	}
	return most(p.a) && most(p.b)
}

// machine are the keys of facts in which the accounts of one run do not differ, beside labels.
var machine = []string{record.FactHardware, record.FactCount, record.FactEngine, record.FactEngineVersion,
	record.FactEngineCommit,
	record.FactImage, record.FactPrecision}

// oneRun reports whether two sessions may be one run by what they say of model, machine and engine: what
// both state does not differ.
func (n names) oneRun(a, b *session) bool {
	return n.sameModel(a.id.Model, b.id.Model) && n.agree(n.stated(a), n.stated(b))
}

// agree reports whether what two sessions state does not differ where both do.
func (n names) agree(x, y map[string][]string) bool {
	for key, values := range x {
		if others := y[key]; len(others) > 0 && !slices.ContainsFunc(values, func(v string) bool {
			return slices.ContainsFunc(others, func(w string) bool { return n.same(key, v, w) })
		}) {
			return false
		}
	}
	return true
}

// stated are the values that the records of a session give of machine, engine and labels. Of the hardware
// what lies beside them counts where they are silent, and then the name of the folder.
func (n names) stated(s *session) map[string][]string {
	out := map[string][]string{}
	add := func(key, value string) {
		if !slices.Contains(out[key], value) {
			out[key] = append(out[key], value)
		}
	}
	var beside []string
	for _, e := range s.records {
		for f := range record.Stated(e.Record) {
			switch {
			case e.attached && f.Key == record.FactHardware && states(f.Key, f.Value):
				beside = append(beside, f.Value)
			case e.attached:
			case slices.Contains(machine, f.Key) || strings.HasPrefix(f.Key, "labels.") &&
				f.Key != "labels.client_backend":
				add(f.Key, f.Value)
			}
		}
	}
	if len(out[record.FactHardware]) == 0 {
		for _, v := range beside {
			add(record.FactHardware, v)
		}
	}
	if len(out[record.FactHardware]) == 0 {
		if w, ok := n.folderWord(s.records); ok {
			add(record.FactHardware, w.Text())
		}
	}
	return out
}
