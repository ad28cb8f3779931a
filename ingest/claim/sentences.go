package claim

import (
	"iter"

	"github.com/inferdex/inferdex/ingest/compare"
	"github.com/inferdex/inferdex/ingest/figure"
)

// Sentences are what can be claimed of a run, in the order of their use to a reader. Those that compare
// with other runs are made for runs of a [figure.Index] alone. Known says in which arguments runs differ; nil
// knows what the runs state and no defaults.
func Sentences(r *figure.Run, known *compare.Arguments) []Sentence {
	var out []Sentence
	for claims := range found(r, known) {
		for _, c := range claims {
			s := New(c)
			if stated, ok := c.(*Stated); ok {
				s = stated.Sentence()
			}
			s.Run = r
			out = append(out, s)
		}
	}
	return out
}

// Says reports whether [Sentences] are any.
func Says(r *figure.Run, known *compare.Arguments) bool {
	for claims := range found(r, known) {
		if len(claims) > 0 {
			return true
		}
	}
	return false
}

// found are the claims that can be made of a run, those of a kind together.
func found(r *figure.Run, known *compare.Arguments) iter.Seq[[]Claim] {
	return func(yield func([]Claim) bool) {
		versions := func(r *figure.Run) []Claim { return version(r, known) }
		others := func(r *figure.Run) []Claim { return replications(r, known) }
		for _, find := range []func(*figure.Run) []Claim{sweetSpot, peak, drop, keptSpeed, pace, versions, hardware, others,
			tails, steady, phase, kvFull, completion, fewPrompts} {
			if !yield(find(r)) {
				return
			}
		}
	}
}
