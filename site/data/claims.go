package data

import (
	"encoding/json"
	"io"
	"slices"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/claim"
	"github.com/inferdex/inferdex/ingest/figure"
)

// ClaimsPath is the file of a site that has its claims.
const ClaimsPath = "data/claims.jsonl.gz"

// writeClaims writes every sentence of every run with the claim that it was made of, one a line: what
// package refute holds against the catalog.
func (g *Set) writeClaims(w io.Writer) error {
	for _, r := range g.Index.Runs {
		for _, s := range claim.Sentences(r) {
			b, err := json.Marshal(s)
			if err != nil {
				return err
			}
			line, err := catalog.Compact(struct {
				Run   string   `json:"run"`
				Names []string `json:"names,omitempty"`
			}{r.ID, namesIn(r, s)})
			if err != nil {
				return err
			}
			// Both are objects: the second goes on where the first ends.
			line = append(append(line[:len(line)-1], ','), append(b[1:], '\n')...)
			if _, err := w.Write(line); err != nil {
				return err
			}
		}
	}
	return nil
}

// namesIn are the names of hardware and engines in a sentence, which may hold digits.
func namesIn(r *figure.Run, s claim.Sentence) []string {
	var names []string
	add := func(r *figure.Run) {
		for _, n := range []string{r.Hardware.Name, r.EngineName()} {
			if n != "" && !slices.Contains(names, n) {
				names = append(names, n)
			}
		}
	}
	add(r)
	for _, p := range s.Parts {
		if p.Of != nil && p.Of.Run != nil {
			add(p.Of.Run)
		}
	}
	return names
}
