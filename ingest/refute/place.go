package refute

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/record"
)

// Checker holds statements against a catalog.
type Checker struct {
	runs   map[string]*catalog.Run
	curves map[*catalog.Run][]*curve
	// recorded are the words that runs record, and names what claims call runs.
	recorded map[*catalog.Run]map[string]bool
	names    map[string]*name
	// said are what runs state, by what it is, and groups the listed runs by what they share and their ids.
	said   map[string]map[*catalog.Run]string
	groups map[string]map[string]map[string]*catalog.Run
	lists  Lists
}

// name is what a claim calls a run.
type name struct {
	text string
	// phrases are its words, alone and up to four in a row, without numbers alone: those say too little.
	phrases []string
	fitting map[*catalog.Run]int // how many of the phrases a run records
}

// New returns a checker for a catalog.
func New(c *catalog.Catalog) *Checker {
	k := &Checker{runs: map[string]*catalog.Run{}, curves: map[*catalog.Run][]*curve{},
		recorded: map[*catalog.Run]map[string]bool{}, names: map[string]*name{}, said: map[string]map[*catalog.Run]string{},
		groups: map[string]map[string]map[string]*catalog.Run{}}
	for _, r := range c.Runs {
		k.runs[r.ID] = r
	}
	return k
}

// Lists say what the lists of names call the "model", the "hardware", the "engine" or the "tool" that a run records, each
// way that a text may call it.
type Lists func(what string, r *catalog.Run) []string

// With gives the checker the lists of names. Without them a name has to share a word with what a run records.
func (k *Checker) With(l Lists) *Checker {
	k.lists = l
	return k
}

// nameOf is what the lists call something that a run records, nil where there are no lists.
func (k *Checker) nameOf(what string, r *catalog.Run) []string {
	if k.lists == nil {
		return nil
	}
	return k.lists(what, r)
}

// read reads a claim strictly: a member that nobody checks could say anything.
func read[C any](s Statement) (C, error) {
	var c C
	if record.Unmarshal(s.Claim, &c) {
		return c, nil
	}
	c = *new(C) // it may be half made
	dec := json.NewDecoder(bytes.NewReader(s.Claim))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&c); err != nil {
		return c, fmt.Errorf("the claim cannot be read: %w", err)
	}
	return c, nil
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

// driven is the load of an operand as messages name it.
func (o operand) driven() string { return fmt.Sprintf("%s %v", o.Axis, float64(o.Load)) }

// place is where an operand stands: what was measured at its load, among all loads of its workload.
type place struct {
	*measured
	of *curve
}

// locate finds an operand and holds it against the catalog: its points must be all of its load, and its value
// theirs.
func (k *Checker) locate(o operand, of string) (place, error) {
	no := func(format string, args ...any) (place, error) { return place{}, fmt.Errorf(format, args...) }
	if of != "" && o.Run != of {
		return no("it cites run %q, which is not %q", o.Run, of)
	}
	at, err := k.cited(o)
	if err != nil {
		return place{}, err
	}
	if err := o.named(at); err != nil {
		return place{}, err
	}
	switch {
	case o.Stat == "": // the place is cited, and has no such number
		if v, ok := at.central(o.Metric); ok || o.Value != 0 || o.Metric != output {
			return no("%s of %q at %s is %v", o.Metric, o.Workload, o.driven(), v)
		}
	default:
		if got, ok := at.value(o.Metric, o.Stat); !ok || !near(got, o.Value) {
			return no("%s %s of %q at %s is %v, not %v", o.Stat, o.Metric, o.Workload, o.driven(), got, o.Value)
		}
	}
	return at, nil
}

// cited finds the place of an operand: its points must be all of its load.
func (k *Checker) cited(o operand) (place, error) {
	no := func(format string, args ...any) (place, error) { return place{}, fmt.Errorf(format, args...) }
	r := k.runs[o.Run]
	if r == nil {
		return no("the run %q is not in the catalog", o.Run)
	}
	if len(o.Points) == 0 {
		return no("it cites no point of %q", o.Workload)
	}
	for _, i := range o.Points {
		if i < 0 || i >= len(r.Points) {
			return no("run %q has no point %d", o.Run, i)
		}
	}
	c := k.curveOf(r, o.Points[0])
	at := c.at(float64(o.Load))
	switch {
	case at == nil || c.axis != o.Axis:
		return no("%q was not measured at %s", o.Workload, o.driven())
	case !sameInts(at.points, o.Points):
		return no("%q was measured at %s by the points %v, not %v", o.Workload, o.driven(), at.points, o.Points)
	}
	return place{at, c}, nil
}

// curveOf is the workload that a point of a run belongs to. The points of a run are put together in their
// order: each belongs to the first workload whose first point agrees with it.
func (k *Checker) curveOf(r *catalog.Run, point int) *curve {
	for _, c := range k.curvesOf(r) {
		for _, m := range c.loads {
			if slices.Contains(m.points, point) {
				return c
			}
		}
	}
	return nil
}

// curvesOf are the workloads of a run.
func (k *Checker) curvesOf(r *catalog.Run) []*curve {
	if k.curves[r] == nil {
		k.curves[r] = curves(r)
	}
	return k.curves[r]
}
