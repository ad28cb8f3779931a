package data

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"slices"

	"github.com/klauspost/compress/gzip"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/claim"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/site/view"
)

// ClaimsPath is the file of a site that has its claims.
const ClaimsPath = "data/claims.jsonl.gz"

// stated are the sentences of pages, packed: large sites have many.
type stated struct {
	packed bytes.Buffer
	z      *gzip.Writer
	err    error
	again  map[string]bool // the pages that state what they stated in the last build
	file   []byte          // of claims, nil where something was stated since it was written
}

// write packs lines.
func (s *stated) write(lines []byte, err error) {
	if s.file = nil; s.z == nil {
		s.z = packer(&s.packed)
	}
	if err == nil {
		_, err = s.z.Write(lines)
	}
	s.err = cmp.Or(s.err, err)
}

// Silence forgets what pages stated: they are made anew.
func (g *Set) Silence() { g.said = stated{again: map[string]bool{}} }

// State notes the sentences that a page states, for the file of claims.
func (g *Set) State(page string, said []claim.Sentence) {
	for _, c := range said {
		g.said.write(line(&page, c))
	}
}

// line is a sentence with its claim as one line of the file: with the page that states it, nil for a sentence of a run
// wherever it stands, and the run that it is on.
func line(page *string, s claim.Sentence) ([]byte, error) {
	b, err := json.Marshal(s)
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

// readLast reads the claims of the last build; nil where they are not known.
func readLast(content func(name string) ([]byte, bool)) *lastSaid {
	if content == nil {
		return nil
	}
	packed, ok := content(ClaimsPath)
	if !ok {
		return nil
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

// StateAgain notes what a page stated in the last build, which it states again, and with the page of a run the
// sentences of the run; false where that is not known.
func (g *Set) StateAgain(page string) bool {
	s := &g.said
	last := g.last()
	if last == nil {
		return false
	}
	s.again[page] = true
	if lines := last.pages[page]; len(lines) > 0 {
		s.write(lines, nil)
	}
	return true
}

// writeClaimsFile writes the file of claims, which is made once: its size is asked for, and it is written.
func (g *Set) writeClaimsFile(w io.Writer) error {
	g.claims.Lock()
	defer g.claims.Unlock()
	if g.said.file == nil {
		var b bytes.Buffer
		if err := packed(g.writeClaims)(&b); err != nil {
			return err
		}
		g.said.file = b.Bytes()
	}
	_, err := w.Write(g.said.file)
	return err
}

// writeClaims writes every sentence of runs and of pages with the claim that it was made of, one a line: what
// package refute holds against the catalog. The pages must have been made.
func (g *Set) writeClaims(w io.Writer) error {
	for _, r := range g.Index.Runs {
		if g.said.again[view.PathRun(r.ID)] {
			if _, err := w.Write(g.last().runs[r.ID]); err != nil {
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
	if g.said.z != nil {
		// What is stated later goes into a packing of its own: packings one after the other are one.
		err := g.said.z.Close()
		g.said.z, g.said.err = nil, cmp.Or(g.said.err, err)
	}
	if g.said.packed.Len() == 0 || g.said.err != nil {
		return g.said.err
	}
	z, err := gzip.NewReader(bytes.NewReader(g.said.packed.Bytes()))
	if err != nil {
		return err
	}
	_, err = io.Copy(w, z)
	return err
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
