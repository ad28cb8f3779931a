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
)

// ClaimsPath is the file of a site that has its claims.
const ClaimsPath = "data/claims.jsonl.gz"

// stated are the sentences of pages, packed: large sites have many.
type stated struct {
	packed bytes.Buffer
	z      *gzip.Writer
	err    error
}

// Silence forgets what pages stated: they are made anew.
func (g *Set) Silence() { g.said = stated{} }

// State notes the sentences that a page states, for the file of claims.
func (g *Set) State(page string, said []claim.Sentence) {
	s := &g.said
	if s.z == nil {
		s.z = packer(&s.packed)
	}
	for _, c := range said {
		b, err := line(page, c)
		if err == nil {
			_, err = s.z.Write(b)
		}
		if err != nil && s.err == nil {
			s.err = err
		}
	}
}

// line is a sentence with its claim as one line of the file: at the page that states it, or at the run that it
// is on.
func line(page string, s claim.Sentence) ([]byte, error) {
	b, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	at := struct {
		Run   string   `json:"run"`
		Page  string   `json:"page,omitempty"`
		Names []string `json:"names,omitempty"`
	}{Page: page, Names: namesIn(s)}
	if s.Run != nil {
		at.Run, at.Page = s.Run.ID, ""
	}
	head, err := catalog.Compact(at)
	if err != nil {
		return nil, err
	}
	// Both are objects: the second goes on where the first ends.
	return append(append(head[:len(head)-1], ','), append(b[1:], '\n')...), nil
}

// writeClaims writes every sentence of runs and of pages with the claim that it was made of, one a line: what
// package refute holds against the catalog. The pages must have been made.
func (g *Set) writeClaims(w io.Writer) error {
	for _, r := range g.Index.Runs {
		for _, s := range claim.Sentences(r, g.Arguments) {
			b, err := line("", s)
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
