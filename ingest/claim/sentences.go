package claim

import "github.com/inferdex/inferdex/ingest/figure"

// Sentences are what can be claimed of a run, in the order of their use to a reader. Those that compare
// with other runs are made for runs of a [figure.Index] alone.
func Sentences(r *figure.Run) []Sentence {
	var out []Sentence
	for _, find := range []func(*figure.Run) []Claim{sweetSpot, peak, version, hardware, tails, steady, phase, kvFull,
		completion, fewPrompts} {
		for _, c := range find(r) {
			s := New(c)
			s.Run = r
			out = append(out, s)
		}
	}
	return out
}
