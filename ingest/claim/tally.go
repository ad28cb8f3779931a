package claim

import (
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
)

// KindTally is the kind of sentences that say how many there are of what: "26 models, 247 runs".
const KindTally Kind = "tally"

// Scope says which runs of a catalog a tally is of.
type Scope string

// The scopes. A listed run is one of known model and hardware: see [figure.Run.Listed].
const (
	All      Scope = "all"      // every run
	Listed   Scope = "listed"   // every listed run
	Unlisted Scope = "unlisted" // every run that lacks model or hardware
	// SameModel and those below it are of every listed run with what all runs of the tally have in common.
	SameModel       Scope = "model"
	SameCard        Scope = "card"
	SameAccelerator Scope = "accelerator"
	SameEngine      Scope = "engine"
	Chosen          Scope = "chosen" // these runs and no others
)

// Thing is what a tally counts.
type Thing string

// The things. RunCount to ScoreCount are sums over the runs, the others how many different ones there are.
const (
	RunCount         Thing = "runs"
	PointCount       Thing = "points"
	SourceCount      Thing = "sources"
	WorkloadCount    Thing = "workloads"
	ScoreCount       Thing = "scores"
	ModelCount       Thing = "models"
	HardwareCount    Thing = "hardware" // in its number
	AcceleratorCount Thing = "accelerators"
	EngineCount      Thing = "engines"
	VersionCount     Thing = "versions" // of engines; an unrecorded one is none
	PairCount        Thing = "pairs"    // of model and hardware in its number
	// CellCount is how many pairs the models and the hardware of the runs could make.
	CellCount Thing = "cells"
)

// Tally is a claim of how many there are of some things among some runs.
type Tally struct {
	Of     Scope     `json:"of"`
	Runs   []tallied `json:"runs"`
	Counts []counted `json:"counts"`
	// Newest is the day of the newest run that has a date.
	Newest string `json:"newest,omitempty"`
	// Loads are the smallest and the largest load of all workloads, which have one axis.
	Loads []record.Float `json:"loads,omitempty"`
	// Shared are places of one workload, each of another run.
	Shared []place `json:"shared,omitempty"`

	runs  []*figure.Run
	text  sentence
	names []string
}

// tallied is a run with what it is counted by.
type tallied struct {
	Run string `json:"run"`
	// By has what the run is one of, as names resolve it.
	By map[Thing]string `json:"by,omitempty"`
	// Has is how many of a thing the run has.
	Has map[Thing]int `json:"has,omitempty"`
	// Count is the number of its accelerators where the text has it; 0 otherwise.
	Count int `json:"count,omitempty"`
}

type counted struct {
	What Thing `json:"what"`
	N    int   `json:"n"`
}

func (*Tally) head() (Kind, bool) { return KindTally, false }

func (c *Tally) write(s *sentence) { *s = c.text }

// NewTally begins a tally of runs.
func NewTally(of Scope, runs ...*figure.Run) *Tally {
	c := &Tally{Of: of, runs: runs, Runs: make([]tallied, len(runs))}
	for i, r := range runs {
		c.Runs[i] = tallied{Run: r.ID, By: map[Thing]string{}, Has: map[Thing]int{}}
	}
	return c
}

// is what a run is one of.
func is(r *figure.Run, what Thing) string {
	switch what {
	case ModelCount:
		return r.Model.Slug
	case HardwareCount:
		return r.Hardware.Slug
	case PairCount:
		return r.Model.Slug + " on " + r.Hardware.Slug
	case AcceleratorCount:
		return r.Hardware.Accelerator.Slug
	case EngineCount:
		return r.Engine.Slug
	case VersionCount:
		if r.Engine.Version != "" {
			return r.Engine.Slug + " " + strings.ToLower(r.Engine.Version)
		}
	}
	return ""
}

// has is how many of a thing a run has; ok is false for what it is one of.
func has(r *figure.Run, what Thing) (n int, ok bool) {
	switch what {
	case RunCount:
		return 1, true
	case PointCount:
		return len(r.Points), true
	case SourceCount:
		return len(r.Sources), true
	case WorkloadCount:
		return len(r.Scenarios), true
	case ScoreCount:
		return len(r.Figures), true
	}
	return 0, false
}

// Count counts a thing, for the text to say: its numbers have the order of the counts.
func (c *Tally) Count(what Thing) int {
	n := c.sum(what)
	c.Counts = append(c.Counts, counted{what, n})
	return n
}

// sum is how many there are of a thing, and notes at each run what it is counted by.
func (c *Tally) sum(what Thing) int {
	if what == CellCount {
		return c.sum(ModelCount) * c.sum(HardwareCount)
	}
	sum, different := 0, map[string]bool{}
	for i, r := range c.runs {
		if n, ok := has(r, what); ok {
			if what != RunCount {
				c.Runs[i].Has[what] = n
			}
			sum += n
		} else if key := is(r, what); key != "" {
			c.Runs[i].By[what] = key
			different[key] = true
		}
	}
	return sum + len(different)
}

// NewestDay is the day of the newest run, "" where none has a date.
func (c *Tally) NewestDay() string {
	for _, r := range c.runs {
		if len(r.Started) >= 10 {
			c.Newest = max(c.Newest, r.Started[:10])
		}
	}
	return c.Newest
}

// CountedIn are the numbers of accelerators that the runs record, each once, the smallest first.
func (c *Tally) CountedIn() (ns []int) {
	for i, r := range c.runs {
		if r.Hardware.CountAssumed {
			continue
		}
		c.Runs[i].Count = r.Hardware.Count
		ns = append(ns, r.Hardware.Count)
	}
	slices.Sort(ns)
	return slices.Compact(ns)
}

// Between says which is the smallest and the largest load of the runs.
func (c *Tally) Between(least, most float64) {
	c.Loads = []record.Float{record.Float(least), record.Float(most)}
}

// Shares says that the workload of an operand is that of the other ones.
func (c *Tally) Shares(o Operand) { c.Shared = append(c.Shared, placeOf(o)) }

// Sharing counts the runs that share a workload.
func (c *Tally) Sharing() int {
	c.Counts = append(c.Counts, counted{"shared", len(c.Shared)})
	return len(c.Shared)
}

// Say adds words.
func (c *Tally) Say(format string, args ...any) *Tally {
	c.text.say(format, args...)
	return c
}

// Much adds how many there are of a thing, with its noun.
func (c *Tally) Much(what Thing, noun string, plural ...string) *Tally {
	return c.Say("%s", metric.Plural(c.Count(what), noun, plural...))
}

// Name adds a name, whose digits are no numbers.
func (c *Tally) Name(name string) *Tally {
	c.names = append(c.names, name)
	return c.Say("%s", name)
}

// Sentence is the claim with its text.
func (c *Tally) Sentence() Sentence {
	s := New(c)
	s.Names = c.names
	return s
}
