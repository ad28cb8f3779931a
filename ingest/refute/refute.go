// Package refute recomputes what a site claims from the points of its catalog alone. It shares no code with
// the packages that make the claims: how points form a workload, what is highest, what an interval is and
// how a number reads in a text is written here a second time, so that a mistake there is seen.
package refute

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/record"
)

// Statement is a sentence of a site with the claim that it was made of, as the site writes it.
type Statement struct {
	// Run is the run that the sentence stands at.
	Run  string `json:"run"`
	Kind string `json:"kind"`
	Text string `json:"text"`
	// Claim has operands, numbers and conditions; what it holds depends on the kind.
	Claim json.RawMessage `json:"claim"`
	// Names are words of the text that may hold digits and are no numbers: of hardware and engines.
	Names []string `json:"names,omitempty"`
}

// Refuted is a statement that does not follow from the catalog.
type Refuted struct {
	Statement
	// Line is the statement's place among those that were checked, from 1.
	Line int
	Why  string
}

// Read reads statements, one JSON object a line.
func Read(r io.Reader) ([]Statement, error) {
	var out []Statement
	for dec := json.NewDecoder(r); ; {
		var s Statement
		switch err := dec.Decode(&s); err {
		case nil:
			out = append(out, s)
		case io.EOF:
			return out, nil
		default:
			return out, fmt.Errorf("statement %d: %w", len(out)+1, err)
		}
	}
}

// Checker holds statements against a catalog.
type Checker struct {
	runs map[string]*catalog.Run
}

// New returns a checker for a catalog.
func New(c *catalog.Catalog) *Checker {
	k := &Checker{runs: map[string]*catalog.Run{}}
	for _, r := range c.Runs {
		k.runs[r.ID] = r
	}
	return k
}

// Check returns the statements that the catalog refutes, in their order.
func (k *Checker) Check(all []Statement) []Refuted {
	var out []Refuted
	for i, s := range all {
		if err := k.check(s); err != nil {
			out = append(out, Refuted{s, i + 1, err.Error()})
		}
	}
	return out
}

// kinds are how each kind of claim is recomputed.
var kinds = map[string]func(k *Checker, s Statement) error{
	"sweet-spot":  claimOf((*Checker).sweetSpot),
	"peak":        claimOf((*Checker).peak),
	"knee":        claimOf((*Checker).knee),
	"scaling":     claimOf((*Checker).scaling),
	"version":     claimOf((*Checker).version),
	"hardware":    claimOf((*Checker).hardware),
	"tail":        claimOf((*Checker).tail),
	"more-tails":  claimOf((*Checker).moreTails),
	"steady":      claimOf((*Checker).steady),
	"phase":       claimOf((*Checker).phase),
	"kv-full":     claimOf((*Checker).kvFull),
	"completion":  claimOf((*Checker).completion),
	"few-prompts": claimOf((*Checker).fewPrompts),
}

// claimOf reads a claim strictly: a member that nobody checks is an error, for it could say anything.
func claimOf[T any](check func(*Checker, *catalog.Run, T) error) func(*Checker, Statement) error {
	return func(k *Checker, s Statement) error {
		var c T
		dec := json.NewDecoder(bytes.NewReader(s.Claim))
		dec.DisallowUnknownFields()
		if err := dec.Decode(&c); err != nil {
			return fmt.Errorf("the claim cannot be read: %w", err)
		}
		r := k.runs[s.Run]
		if r == nil {
			return fmt.Errorf("the run %q is not in the catalog", s.Run)
		}
		return check(k, r, c)
	}
}

func (k *Checker) check(s Statement) error {
	check := kinds[s.Kind]
	if check == nil {
		return fmt.Errorf("nobody can check a claim of the kind %q", s.Kind)
	}
	if err := check(k, s); err != nil {
		return err
	}
	return k.numbersOf(s)
}

// operand is a number of the catalog that a claim is about.
type operand struct {
	Run      string       `json:"run"`
	Workload string       `json:"workload"`
	Points   []int        `json:"points"`
	Axis     string       `json:"axis"`
	Load     record.Float `json:"load"`
	Metric   string       `json:"metric"`
	Stat     string       `json:"stat"`
	Value    float64      `json:"value"`
}

// same reports whether two operands are of the same place.
func (o operand) same(p operand) bool {
	return o.Run == p.Run && o.Load == p.Load && len(o.Points) > 0 && len(p.Points) > 0 && o.Points[0] == p.Points[0]
}

// curve is the measurements of the workload of an operand by load, after the operand itself was held
// against them: that its points are all of its load, and that its value is theirs.
func (k *Checker) curve(o operand, of string) (*curve, error) {
	if of != "" && o.Run != of {
		return nil, fmt.Errorf("it cites run %q, which is not %q", o.Run, of)
	}
	r := k.runs[o.Run]
	if r == nil {
		return nil, fmt.Errorf("the run %q is not in the catalog", o.Run)
	}
	if len(o.Points) == 0 {
		return nil, fmt.Errorf("it cites no point of %q", o.Workload)
	}
	for _, i := range o.Points {
		if i < 0 || i >= len(r.Points) {
			return nil, fmt.Errorf("run %q has no point %d", o.Run, i)
		}
	}
	c := curveOf(r, o.Points[0])
	at := c.at(float64(o.Load))
	if at == nil || c.axis != o.Axis {
		return nil, fmt.Errorf("%q was not measured at %s %v", o.Workload, o.Axis, float64(o.Load))
	}
	if !sameInts(at.points, o.Points) {
		return nil, fmt.Errorf("%q was measured at %s %v by the points %v, not %v", o.Workload, o.Axis, float64(o.Load), at.points, o.Points)
	}
	if o.Stat == "" { // the place is cited, and has no such number
		if v, ok := at.central(o.Metric); ok || o.Value != 0 || o.Metric != output {
			return nil, fmt.Errorf("%s of %q at %v is %v", o.Metric, o.Workload, float64(o.Load), v)
		}
		return c, nil
	}
	if got, ok := at.value(o.Metric, o.Stat); !ok || !near(got, o.Value) {
		return nil, fmt.Errorf("%s %s of %q at %v is %v, not %v", o.Stat, o.Metric, o.Workload, float64(o.Load), got, o.Value)
	}
	return c, nil
}
