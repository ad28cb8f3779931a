package normalize

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest"
	"github.com/inferdex/inferdex/ingest/internal/sessions"
	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
	"github.com/inferdex/inferdex/ingest/settings"
)

// Mark is what the records of one file say that may tie them to those of another, without what they measured.
type Mark struct {
	Path   string `json:"path"` // as read
	Folder string `json:"folder,omitempty"`
	Digest string `json:"digest,omitempty"`
	// Sessions are those that the file has records of, format by format. Samples that name no session have one
	// without a key.
	Sessions []SessionMark `json:"sessions,omitempty"`
	// Loose says that the file has records of no session, Hardware that one of them names an accelerator.
	Loose    bool `json:"loose,omitempty"`
	Hardware bool `json:"hardware,omitempty"`
}

// SessionMark is what records of one session and format say of their run.
type SessionMark struct {
	Key    string `json:"key,omitempty"`
	Format string `json:"format"`
	// Families are pairs of tool and model. Names are what the session may be called by: its own name, dates, and
	// what a record without both says. Started are the dates of its results.
	Families [][2]string `json:"families,omitempty"`
	Names    []string    `json:"names,omitempty"`
	Started  []string    `json:"started,omitempty"`
	// Undated says that a measurement may have no date to the second, Named that the model stands in a name alone.
	Undated bool `json:"undated,omitempty"`
	Named   bool `json:"named,omitempty"`
}

// MarkOf marks the records of one file; nil where none of them stays.
func MarkOf(reading *ingest.Reading, o Options) *Mark {
	records := staying(reading.Records, nil)
	if len(records) == 0 {
		return nil
	}
	j := o.joiner(nil)
	first := records[0].Header()
	m := &Mark{Path: first.At.File, Digest: first.Digest, Folder: treeDir(j.hide.Path(first.At.File))}
	for _, r := range records {
		h := r.Header()
		_, part := r.(*record.Samples)
		if h.Key == "" {
			m.Loose = true
			for f := range record.Stated(r) {
				m.Hardware = m.Hardware || f.Key == record.FactHardware
			}
			if !part {
				continue
			}
		}
		i := slices.IndexFunc(m.Sessions, func(s SessionMark) bool { return s.Key == h.Key && s.Format == h.Format })
		if i < 0 {
			i, m.Sessions = len(m.Sessions), append(m.Sessions, SessionMark{Key: h.Key, Format: h.Format})
		}
		m.Sessions[i].add(r)
	}
	return m
}

// add notes what one record says.
func (s *SessionMark) add(r record.Record) {
	h := r.Header()
	family := [2]string{cmp.Or(h.Identity.Tool, h.Format), h.Identity.Model}
	if !slices.Contains(s.Families, family) {
		s.Families = append(s.Families, family)
	}
	name := func(n string) {
		for _, form := range []string{n, started(n)} {
			if form != "" && !slices.Contains(s.Names, form) {
				s.Names = append(s.Names, form)
			}
		}
	}
	name(h.Identity.Session)
	name(h.Date)
	if h.Identity.Session == "" && h.Date == "" {
		name(content(r))
	}
	switch r.(type) {
	case *record.Result:
		if !dated(h.Date) {
			s.Undated = true
		} else if !slices.Contains(s.Started, h.Date) {
			s.Started = append(s.Started, h.Date)
		}
	case *record.Samples: // a format may make undated results of them
		s.Undated = true
	}
	for f := range record.Stated(r) {
		s.Named = s.Named || f.Key == record.FactModel && f.Named
	}
}

// Tie says that two files, by their paths as read, go into one part.
type Tie struct{ A, B string }

// Parts puts together what is tied, by marks or by numbers ([Alike]), and says of each path of a mark which part it
// belongs to: the first path of it. A path without a mark has no runs. It holds all marks at once.
func Parts(marks []*Mark, ties []Tie, o Options) map[string]string {
	slices.SortFunc(marks, func(a, b *Mark) int { return cmp.Compare(a.Path, b.Path) })
	t := &tying{marks: marks, root: make([]int, len(marks)), asks: map[string][]int{}, answers: map[string][]int{}}
	byPath := map[string]int{}
	for i, m := range marks {
		t.root[i], byPath[m.Path] = i, i
	}
	for _, x := range ties {
		a, here := byPath[x.A]
		if b, there := byPath[x.B]; here && there {
			t.tie(a, b)
		}
	}
	all := t.sessions(byPath)
	for _, s := range all {
		t.session(s)
	}
	t.descriptions(all)
	wanted := map[string]bool{}
	for _, id := range sortedIDs(o.Notes) {
		a := o.Notes[id]
		for _, w := range []string{a.ID, a.SameAs} {
			if w != "" { // a note speaks of the run of its own id too
				wanted[id], wanted[w] = true, true
			}
		}
	}
	t.identified(all, wanted, o.Sidecars)
	t.follow()
	out := make(map[string]string, len(marks))
	for i, m := range marks {
		out[m.Path] = marks[t.of(i)].Path
	}
	return out
}

// tying joins marks, by their numbers in the order of paths.
type tying struct {
	marks []*Mark
	root  []int
	// Who asks is tied to all who have the same word in asks or answers; those who answer are not tied to each other.
	asks, answers map[string][]int
}

func (t *tying) of(i int) int {
	for t.root[i] != i {
		t.root[i] = t.root[t.root[i]]
		i = t.root[i]
	}
	return i
}

func (t *tying) tie(a, b int) {
	if a, b = t.of(a), t.of(b); a != b {
		t.root[max(a, b)] = min(a, b)
	}
}

func (t *tying) ask(i int, words ...string)    { add(t.asks, i, words) }
func (t *tying) answer(i int, words ...string) { add(t.answers, i, words) }

func add(to map[string][]int, i int, words []string) {
	for _, w := range words {
		if of := to[w]; len(of) == 0 || of[len(of)-1] != i {
			to[w] = append(of, i)
		}
	}
}

// follow ties those who ask.
func (t *tying) follow() {
	for w, of := range t.asks {
		for _, i := range slices.Concat(of, t.answers[w]) {
			t.tie(of[0], i)
		}
	}
}

// markedSession is a session with the marks of its files.
type markedSession struct {
	mark  int // one of its files: all are tied
	paths []string
	parts []SessionMark
	// unnamed says that some of its samples do not name it.
	unnamed bool
}

// sessions puts sessions together, as [ingest.Sessions] does, and ties their files.
func (t *tying) sessions(byPath map[string]int) (all []*markedSession) {
	var stubs []record.Record
	part := map[record.Record]SessionMark{}
	for _, m := range t.marks {
		for _, s := range m.Sessions {
			base := record.Base{At: record.Pos{File: m.Path}, Key: s.Key, Format: s.Format}
			stub := record.Record(&record.Facts{Base: base})
			if s.Key == "" {
				stub = &record.Samples{Base: base}
				dir := reading.Dir(m.Path)
				for range ingest.SessionLevels + 1 {
					t.ask(byPath[m.Path], record.SessionKey("unnamed", s.Format, dir))
					dir = reading.Dir(dir)
				}
			} else {
				t.answer(byPath[m.Path], record.SessionKey("unnamed", s.Format, reading.Dir(m.Path)))
			}
			stubs, part[stub] = append(stubs, stub), s
		}
	}
	keys, groups, _ := ingest.Sessions(stubs)
	for _, key := range keys {
		s := &markedSession{mark: byPath[groups[key][0].Pos().File]}
		for _, stub := range groups[key] {
			t.tie(s.mark, byPath[stub.Pos().File])
			s.paths = append(s.paths, stub.Pos().File)
			s.parts = append(s.parts, part[stub])
			s.unnamed = s.unnamed || stub.Session() == ""
		}
		all = append(all, s)
	}
	return all
}

// session says what may tie a session to others: one family and start, one name, one number of repetition less, and
// the model that another one beside it states in full.
func (t *tying) session(s *markedSession) {
	for _, p := range s.parts {
		for _, f := range p.Families {
			family := record.SessionKey(f[0], f[1])
			t.answer(s.mark, "family "+family)
			for _, d := range p.Started {
				t.ask(s.mark, starts(family, d)...)
			}
			if p.Undated {
				t.ask(s.mark, "family "+family)
			}
			repeats := sessions.Unnumbered(p.Key)
			if s.unnamed {
				repeats = ""
			}
			t.ask(s.mark, "repeats "+record.SessionKey(family, repeats))
			for _, n := range p.Names {
				t.ask(s.mark, "name "+record.SessionKey(f[0], n))
			}
			for _, path := range s.paths {
				m := t.marks[t.indexOf(path)]
				if p.Named {
					t.ask(s.mark, "beside "+record.SessionKey(m.Folder, f[1]))
				}
				if strings.Contains(f[1], "/") {
					t.answer(s.mark, "beside "+record.SessionKey(m.Folder, strings.ReplaceAll(f[1], "/", "_")))
				}
			}
		}
	}
}

func (t *tying) indexOf(path string) int {
	i, _ := slices.BinarySearchFunc(t.marks, path, func(m *Mark, p string) int { return cmp.Compare(m.Path, p) })
	return i
}

// starts are words of which two dates have one in common where [oneStart] may hold of them and both say the second.
func starts(family, date string) (out []string) {
	const zones = 15 * 3600 // seconds that clocks without a zone may differ by
	const step = 1800       // which are then half hours
	at, _, _ := moment(date)
	sec := at.Unix()
	window := int64(math.Floor(float64(sec) / zones))
	for w := range int64(2) {
		for s := range int64(2) {
			out = append(out, "start "+record.SessionKey(family, strconv.FormatInt(window+w, 10),
				strconv.FormatInt(((sec+s)%step+step)%step, 10)))
		}
	}
	return out
}

// descriptions ties files with records of no session to the sessions that they may describe.
func (t *tying) descriptions(all []*markedSession) {
	stubs := make([]*session, len(all))
	for i, s := range all {
		stubs[i] = &session{}
		for _, p := range s.paths {
			stubs[i].records = append(stubs[i].records, &entry{found: []string{p}})
		}
	}
	x := newPlaces(stubs, func(e *entry) []string { return e.found })
	for i, m := range t.marks {
		if !m.Loose {
			continue
		}
		of, _ := x.described(m.Path)
		nothing := len(of) == 0
		if nothing { // of several above it, two are as many as all
			of = x.above(m.Path)
			of = of[:min(2, len(of))]
		}
		for _, s := range of {
			t.tie(i, all[s].mark)
		}
		copies := "copies " + m.Digest
		if nothing || m.Hardware { // what becomes of it depends on what its copies describe
			t.ask(i, copies)
		} else {
			t.answer(i, copies)
		}
	}
}

// above are the sessions in the nearest directory, of those above a path that it is tried at, that has any.
func (x *places) above(p string) []int {
	up := treeDir(p)
	for range attachLevels {
		if out := x.within(up); len(out) > 0 {
			return out
		}
		up = treeDir(up)
	}
	return x.within(up)
}

// identified ties runs of which one is called by the id of another, by sidecars or by notes. Wanted are the ids that
// notes speak of.
func (t *tying) identified(all []*markedSession, wanted map[string]bool, sidecars *settings.Sidecars) {
	for i, m := range t.marks {
		for _, id := range sidecars.Identified(m.Path) {
			wanted[id] = true
			t.ask(i, "id "+id)
		}
	}
	if len(wanted) == 0 {
		return
	}
	first := -1 // what notes say of a run they say of any that may have its id
	for _, s := range all {
		for _, p := range s.parts {
			for _, id := range p.ids() {
				if !wanted[id] {
					continue
				}
				if t.ask(s.mark, "id "+id); first < 0 {
					first = s.mark
				}
				t.tie(first, s.mark)
			}
		}
	}
}

// ids are those that a run of these records may have.
func (s *SessionMark) ids() (out []string) {
	for _, f := range s.Families {
		for _, n := range s.Names {
			for _, model := range []string{f[1], ""} {
				out = append(out, record.Identity{Tool: f[0], Session: n, Model: model}.ID())
			}
		}
	}
	return out
}
