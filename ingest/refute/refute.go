// Package refute recomputes what a site claims from the points of its catalog alone. It shares no code with
// the packages that make the claims: how points form a workload, what is highest, what an interval is and
// how a number reads in a text is written here a second time, so that a mistake there is seen.
package refute

import (
	"fmt"

	"github.com/inferdex/inferdex/ingest/catalog"
)

// Check returns the statements that the catalog refutes, in their order.
func (k *Checker) Check(all []Statement) []Refuted {
	var out []Refuted
	for i, s := range all {
		if err := k.Follows(s); err != nil {
			out = append(out, Refuted{s, i + 1, err.Error()})
		}
	}
	return out
}

// made is a claim of a kind as it was read.
type made interface {
	// cites are the operands: the first n of them must be of the run that the statement stands at.
	cites() (all []operand, n int)
	// holds recomputes the claim. The places are those of the operands, in their order.
	holds(k *Checker, r *catalog.Run, at []place) error
	// reads is how its text is worded.
	reads(k *Checker, r *catalog.Run, at []place) wording
}

// kinds are how each kind of claim is recomputed.
var kinds = map[string]func(k *Checker, s Statement) error{
	"sweet-spot":  recompute[sweetClaim],
	"peak":        recompute[peakClaim],
	"knee":        recompute[kneeClaim],
	"scaling":     recompute[scalingClaim],
	"drop":        recompute[dropClaim],
	"kept-speed":  recompute[keptClaim],
	"pace":        recompute[paceClaim],
	"version":     recompute[versionClaim],
	"tail":        recompute[tailClaim],
	"steady":      recompute[steadyClaim],
	"phase":       recompute[phaseClaim],
	"kv-full":     recompute[kvClaim],
	"completion":  recompute[completionClaim],
	"few-prompts": recompute[promptsClaim],
	"replication": recompute[replicationClaim],
	"half":        recompute[halfClaim],
	"fit":         recompute[fitClaim],
	"full":        recompute[fullClaim],
	"capacity":    recompute[capacityClaim],
	"tally":       tally,
	"lengths":     lengths,
	"named":       func(_ *Checker, s Statement) error { return named(s) },
}

// recompute reads a claim strictly, for a member that nobody checks could say anything; it finds its operands
// in the catalog, then holds what is claimed of them against it.
func recompute[C made](k *Checker, s Statement) error {
	c, err := read[C](s)
	if err != nil {
		return err
	}
	r := k.runs[s.Run]
	if r == nil {
		return fmt.Errorf("the run %q is not in the catalog", s.Run)
	}
	cited, own := c.cites()
	at := make([]place, len(cited))
	for i, o := range cited {
		of := ""
		if i < own {
			of = r.ID
		}
		var err error
		if at[i], err = k.locate(o, of); err != nil {
			return err
		}
	}
	if err := c.holds(k, r, at); err != nil {
		return err
	}
	w := c.reads(k, r, at)
	return reads(s, either(w, then(k.title(s, r), w)))
}

// Follows says why a statement does not follow from the catalog; nil where it does.
func (k *Checker) Follows(s Statement) error {
	check := kinds[s.Kind]
	if needed[s.Kind] != nil {
		check = stated
	}
	if check == nil {
		return fmt.Errorf("nobody can check a claim of the kind %q", s.Kind)
	}
	return check(k, s)
}
