package data

import (
	"bytes"
	"encoding/json"
	"io"
	"slices"
	"sync"

	"github.com/klauspost/compress/gzip"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/claim"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/site/page"
	"github.com/inferdex/inferdex/site/view"
)

// ClaimsPath is the file of a site that has its claims.
const ClaimsPath = "data/claims.jsonl.gz"

// stated are the sentences of pages. Pages are made in any order, by several at once; the file of claims has them by
// model, in the order of the site.
type stated struct {
	mu    sync.Mutex
	pages []*page.Page
	// lines are what each page states, by its path, packed: large sites have many.
	lines map[string][]byte
	// again are the pages that state what they stated in the last build.
	again map[string]bool
}

// Follow notes the page that is the next of the site. One that states nothing until the file of claims is written is
// that of the last build.
func (g *Set) Follow(p *page.Page) {
	g.said.mu.Lock()
	defer g.said.mu.Unlock()
	g.said.pages = append(g.said.pages, &page.Page{Path: p.Path, Of: p.Of, Make: p.Make}) // not with all that is on it
}

// Silence forgets what pages stated: they are made anew.
func (g *Set) Silence() {
	g.said.mu.Lock()
	defer g.said.mu.Unlock()
	g.said.pages, g.said.lines, g.said.again = nil, map[string][]byte{}, map[string]bool{}
	g.claims = sync.OnceValues(g.packClaims)
}

// state notes the sentences that a page states, for the file of claims.
func (g *Set) state(path string, said []claim.Sentence) {
	var b bytes.Buffer
	if len(said) == 0 {
		g.keep(path, nil)
		return
	}
	err := packedBy(holders, func(w io.Writer) error {
		for _, s := range said {
			l, err := line(&path, s)
			if err != nil {
				return err
			}
			if _, err := w.Write(l); err != nil {
				return err
			}
		}
		return nil
	})(&b)
	if err != nil {
		panic(err) // a sentence is text and numbers, and a buffer takes all
	}
	g.keep(path, b.Bytes())
}

func (g *Set) keep(path string, lines []byte) {
	g.said.mu.Lock()
	defer g.said.mu.Unlock()
	g.said.lines[path] = lines
}

// line is a sentence with its claim as one line of the file: with the page that states it, nil for a sentence of a run
// wherever it stands, and the run that it is on.
func line(page *string, s claim.Sentence) ([]byte, error) {
	b, err := json.Marshal(s.Object())
	if err != nil {
		return nil, err
	}
	at := struct {
		Run   string   `json:"run"`
		Page  *string  `json:"page,omitempty"`
		Names []string `json:"names,omitempty"`
	}{Page: page, Names: namesIn(s)}
	if s.Run != nil {
		at.Run = s.Run.ID
	}
	head, err := catalog.Compact(at)
	if err != nil {
		return nil, err
	}
	// Both are objects: the second goes on where the first ends.
	return append(append(head[:len(head)-1], ','), append(b[1:], '\n')...), nil
}

// lastSaid is what the last build's file of claims says, in lines: of runs by their ids, and of pages by their paths.
type lastSaid struct{ runs, pages map[string][]byte }

// lastOf is what the last build said of a model, nil where that is not known. Where the file of claims has it apart, as
// that of a build without slices has, nothing else is unpacked.
func (g *Set) lastOf(m *figure.Model) func() *lastSaid {
	return sync.OnceValue(func() *lastSaid {
		members := g.lastMembers()
		if _, whole := members[""]; m == nil || whole && len(members) == 1 || len(members) == 0 {
			return g.last()
		}
		return readSaid(members[m.Slug])
	})
}

// readSaid reads a file of claims, or members of it; nil where they are damaged.
func readSaid(packed []byte) *lastSaid {
	if len(packed) == 0 {
		return &lastSaid{}
	}
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil
	}
	text, err := io.ReadAll(z)
	if err != nil {
		return nil
	}
	last := &lastSaid{map[string][]byte{}, map[string][]byte{}}
	for l := range bytes.Lines(text) {
		rest, ok := bytes.CutPrefix(l, []byte(`{"run":"`))
		name, rest, _ := bytes.Cut(rest, []byte(`"`))
		list := last.runs
		if page, of := bytes.CutPrefix(rest, []byte(`,"page":"`)); of {
			list = last.pages
			name, _, _ = bytes.Cut(page, []byte(`"`))
		}
		if !ok || bytes.ContainsRune(name, '\\') {
			return nil
		}
		list[string(name)] = append(list[string(name)], l...)
	}
	return last
}

// statedOn are what some pages state, in their order: lines of the last build, or packed ones. A page that was not made
// and of which nothing is known is made here.
func (g *Set) statedOn(pages []*page.Page, last func() *lastSaid) (list []statement, err error) {
	of := func(path string) (statement, bool) {
		g.said.mu.Lock()
		defer g.said.mu.Unlock()
		lines, ok := g.said.lines[path]
		return statement{packed: lines}, ok
	}
	for _, p := range pages {
		s, ok := of(p.Path)
		if !ok && last() != nil {
			s.again, ok = last().pages[p.Path], true
			g.said.again[p.Path] = true
		}
		if !ok {
			if _, err := p.Make(); err != nil {
				return nil, err
			}
			s, _ = of(p.Path)
		}
		list = append(list, s)
	}
	return list, nil
}

// statement is what a page states, as lines: again, or packed.
type statement struct{ again, packed []byte }

func (s statement) writeTo(w io.Writer) error {
	if len(s.packed) == 0 {
		_, err := w.Write(s.again)
		return err
	}
	z := unpackers.Get().(*gzip.Reader)
	defer unpackers.Put(z)
	if err := z.Reset(bytes.NewReader(s.packed)); err != nil {
		return err
	}
	_, err := io.Copy(w, z)
	return err
}

// unpackers are used again: one takes more memory than what most pages state.
var unpackers = sync.Pool{New: func() any { return new(gzip.Reader) }}

// WriteClaims writes the file of claims, which is made once: its size is asked for, and it is written. The pages
// must have been made, or be those of the last build. That of a slice (view.Options.Slice) has its pages and runs; those
// of all slices, one after the other, are such a file to [NewSet], in another order.
func (g *Set) WriteClaims(w io.Writer) error {
	file, err := g.claims()
	if err == nil {
		_, err = w.Write(file)
	}
	return err
}

func (g *Set) packClaims() ([]byte, error) {
	var b bytes.Buffer
	err := g.writeClaims(&b)
	return b.Bytes(), err
}

// writeClaims writes every sentence of runs and of pages with the claim that it was made of, one a line: what
// package refute holds against the catalog. Those about a model stand together, and those of the page of an accelerator.
func (g *Set) writeClaims(w io.Writer) error {
	g.said.mu.Lock()
	pages := g.said.pages
	g.said.mu.Unlock()
	models := map[string]*figure.Model{}
	for _, m := range g.Index.Models {
		if of := g.OfModel(m); of != "" {
			models[of] = m
			for _, c := range m.Cards {
				models[g.OfCard(c)] = m
			}
		}
	}
	runsOf, pagesOf := g.runsOf(), map[*figure.Model][]*page.Page{}
	var alone []*page.Page // of which is known what they are made of, and which are about no model
	for _, p := range pages {
		m := models[p.Of]
		if m == nil && p.Of != "" {
			alone = append(alone, p)
			continue
		}
		pagesOf[m] = append(pagesOf[m], p)
	}
	claims := func(m *figure.Model) func(io.Writer) error {
		return func(w io.Writer) error { return g.writeClaimsOf(w, runsOf[m], pagesOf[m], g.lastOf(m)) }
	}
	var list []member
	for _, m := range g.Index.Models {
		list = append(list, member{m.Slug, g.unchanged(m), claims(m)})
	}
	for _, p := range alone {
		list = append(list, member{p.Path, !g.stated(p.Path),
			func(w io.Writer) error { return g.writeClaimsOf(w, nil, []*page.Page{p}, g.lastOf(nil)) }})
	}
	if g.Options.Slice != nil {
		for i := range list {
			list[i].name = "" // it has some of them
		}
	}
	return writeMembers(w, g.lastFile(ClaimsPath), append(list, member{write: claims(nil)}))
}

// stated says whether a page was made, and said what it states.
func (g *Set) stated(path string) bool {
	g.said.mu.Lock()
	defer g.said.mu.Unlock()
	_, ok := g.said.lines[path]
	return ok
}

// writeClaimsOf writes the sentences of some runs and pages; last is what the last build said of them.
func (g *Set) writeClaimsOf(w io.Writer, runs []*figure.Run, pages []*page.Page, last func() *lastSaid) error {
	said, err := g.statedOn(pages, last)
	if err != nil {
		return err
	}
	for _, r := range runs {
		if !g.InSlice(view.PathRun(r.ID), g.OfRun(r)) {
			continue
		}
		if g.said.again[view.PathRun(r.ID)] { // as its page does, the run says what it said
			if _, err := w.Write(last().runs[r.ID]); err != nil {
				return err
			}
			continue
		}
		for _, s := range claim.Sentences(r, g.Arguments) {
			b, err := line(nil, s)
			if err != nil {
				return err
			}
			if _, err := w.Write(b); err != nil {
				return err
			}
		}
	}
	for _, s := range said {
		if err := s.writeTo(w); err != nil {
			return err
		}
	}
	return nil
}

// namesIn are the names in a sentence that may hold digits: its own, and those of hardware and engines.
func namesIn(s claim.Sentence) []string {
	names := slices.Clone(s.Names)
	add := func(r *figure.Run) {
		for _, n := range []string{r.Hardware.Name, r.EngineName()} {
			if n != "" && !slices.Contains(names, n) {
				names = append(names, n)
			}
		}
	}
	if s.Run != nil {
		add(s.Run)
	}
	for _, p := range s.Parts {
		if p.Of != nil && p.Of.Run != nil {
			add(p.Of.Run)
		}
	}
	return names
}
