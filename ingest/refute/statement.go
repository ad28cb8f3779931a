package refute

import (
	"encoding/json"
	"fmt"
	"io"
	"iter"
)

// Statement is a sentence of a site with the claim that it was made of, as the site writes it.
type Statement struct {
	// Run is the run that the sentence stands at, Page the page where it is of several runs.
	Run  string `json:"run"`
	Page string `json:"page,omitempty"`
	Kind string `json:"kind"`
	Text string `json:"text"`
	// Claim has operands, numbers and conditions; what it holds depends on the kind.
	Claim json.RawMessage `json:"claim"`
	// Names are words of the text that may hold digits and are no numbers: of runs, hardware and engines.
	Names []string `json:"names,omitempty"`
}

// Refuted is a statement that does not follow from the catalog.
type Refuted struct {
	Statement
	// Line is the statement's place among those that were checked, from 1.
	Line int
	Why  string
}

// Read reads statements, one JSON object a line. An error is the last thing it gives.
func Read(r io.Reader) iter.Seq2[Statement, error] {
	return func(yield func(Statement, error) bool) {
		dec := json.NewDecoder(r)
		for n := 1; ; n++ {
			var s Statement
			err := dec.Decode(&s)
			if err == io.EOF {
				return
			}
			if err != nil {
				err = fmt.Errorf("statement %d: %w", n, err)
			}
			if !yield(s, err) || err != nil {
				return
			}
		}
	}
}
