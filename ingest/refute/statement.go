package refute

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"iter"

	"github.com/inferdex/inferdex/ingest/record"
)

// Statement is a sentence of a site with the claim that it was made of, as the site writes it.
type Statement struct {
	// Run is the run that the sentence stands at, Page the page where it is of several runs.
	Run  string `json:"run"`
	Page string `json:"page,omitempty"`
	// Names are words of the text that may hold digits and are no numbers: of runs, hardware and engines.
	Names []string `json:"names,omitempty"`
	Kind  string   `json:"kind"`
	Text  string   `json:"text"`
	// Claim has operands, numbers and conditions; what it holds depends on the kind.
	Claim json.RawMessage `json:"claim"`
}

// statement reads one.
func statement(line []byte) (s Statement, err error) {
	if !record.Unmarshal(line, &s) {
		s = Statement{} // it may be half made
		err = json.Unmarshal(line, &s)
	}
	return s, err
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
		lines := bufio.NewReader(r)
		for n := 1; ; n++ {
			line, end := lines.ReadBytes('\n')
			if len(bytes.TrimSpace(line)) == 0 && end == io.EOF {
				return
			}
			s, err := statement(line)
			if end != nil && end != io.EOF {
				err = end
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
