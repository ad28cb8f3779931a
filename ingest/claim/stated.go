package claim

import (
	"encoding/json"

	"github.com/inferdex/inferdex/ingest/compare"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
)

// The kinds of sentences that pages state beside those of a run: captions, the strip of the home page, answers,
// findings of pairs. All are [Stated].
const (
	KindSpan       Kind = "span"       // from where to where a number goes
	KindSpread     Kind = "spread"     // the lowest and the highest of several workloads at one load
	KindTop        Kind = "top"        // the highest values of curves, the best first
	KindLead       Kind = "lead"       // who is best at one load, and who comes next
	KindTrade      Kind = "trade"      // more throughput of one against lower latency of another
	KindWins       Kind = "wins"       // who is best at how many of several places
	KindPair       Kind = "pair"       // how two sides differ at one load
	KindEverywhere Kind = "everywhere" // how two sides differ over all loads
	KindStep       Kind = "step"       // how a result differs from the one before it
	KindLevel      Kind = "level"      // how the level of a history differs from the one before it
	KindFrontier   Kind = "frontier"   // throughput at a speed that one user sees
	KindUse        Kind = "use"        // who is best within limits
	KindLimits     Kind = "limits"     // how many keep limits
	KindBeside     Kind = "beside"     // how far two metrics of the same places lie apart at most
	KindCost       Kind = "cost"       // who is cheapest within limits
	KindEnergy     Kind = "energy"     // who needs least energy within limits
	KindDepth      Kind = "depth"      // what is left of a speed with a full context
	KindTurn       Kind = "turn"       // which configuration takes least time for a turn
	KindSwitch     Kind = "switch"     // what a parameter does to prefill where it does nothing to decode
	KindLength     Kind = "length"     // what is left of decode with a full context, with and without a parameter
	KindFall       Kind = "fall"       // what prefill loses where the prompt is twice as long
	KindFewRuns    Kind = "few-runs"   // that nothing was measured often enough
	KindClose      Kind = "close"      // that what keeps a limit is hardly below it
	KindAgain      Kind = "again"      // that a load keeps limits that a smaller one breaks
	KindBeyond     Kind = "beyond"     // what is lost from one load to the next
	KindCapacity   Kind = "capacity"   // how two KV-cache capacities differ
	KindNamed      Kind = "named"      // nothing but names
)

// Relation is how some numbers of a claim stand to one another.
type Relation string

// The relations. A relation is of one or more numbers in an order that matters.
const (
	// Highest says of each number that no load of its workload has more, and no smaller one the same.
	Highest Relation = "highest"
	// Best says of each number that no finite load of its workload has a better one.
	Best Relation = "best"
	// First and Last say of each number that its load is the smallest, or the largest finite one, at which
	// the workload has such a number.
	First Relation = "first"
	Last  Relation = "last"
	// Ranked says that each number is at least as good as the next: higher, or lower where lower is better.
	Ranked Relation = "ranked"
	// Together says that all numbers are of one load.
	Together Relation = "together"
	// Won says that the first number is better than all others by more than chance or 5 %: see
	// [figure.Settled]. Open says that it is not.
	Won  Relation = "won"
	Open Relation = "open"
	// Ratio is the first number / the second, Change (the first − the second) / the second.
	Ratio Relation = "ratio"
	// Equal and Unequal are for what has no change: numbers that are equal, and one that is from zero.
	Change  Relation = "change"
	Equal   Relation = "equal"
	Unequal Relation = "unequal"
	// Count is how many relations Won begin with a number of the same run as this one; Places how many
	// relations Won or Open there are, OpenPlaces how many Open.
	Count      Relation = "count"
	Places     Relation = "places"
	OpenPlaces Relation = "open-places"
	// Clear, Same and Few say what the measurements allow to be claimed of the change from the second
	// number to the first: the intervals of their medians lie apart, overlap, or do not exist.
	Clear Relation = "clear"
	Same  Relation = "same"
	Few   Relation = "few"
	// ClearWithin and SameWithin say the same of the requests of single measurements, Unclear that their
	// intervals overlap and are too wide to say more; Interval gives the ends of one side, Requests how many
	// requests it is of.
	ClearWithin Relation = "clear-within"
	SameWithin  Relation = "same-within"
	Unclear     Relation = "unclear"
	Interval    Relation = "interval"
	Requests    Relation = "requests"
	// Measured is how many measurements a number is the median of.
	Measured Relation = "measured"
	// Sure is how many relations Clear or ClearWithin there are; Least, Most and Middle are the smallest, the
	// largest and the median of all relations Change and Equal.
	Sure   Relation = "sure"
	Least  Relation = "least"
	Most   Relation = "most"
	Middle Relation = "middle"
	// Counts is how many times the accelerators of the second number the first one has.
	Counts Relation = "counts"
	// Configurations is of how many hardware configurations, each one of its own, all numbers but the first are.
	Configurations Relation = "configurations"
	// Keeps says that a number's load yields most of those of its workload that keep limits, Breaks that none does;
	// Fails is how many relations Breaks there are.
	Keeps  Relation = "keeps"
	Breaks Relation = "breaks"
	// Unjudged says that no load of a number's workload is known to keep limits, and that at one nothing that is
	// recorded breaks them and something is not recorded.
	Unjudged Relation = "unjudged"
	// Kept is how many relations Keeps.
	Fails Relation = "fails"
	Kept  Relation = "kept"
	// Held says that all that was measured at a number's load keeps limits, Exceeds that something there breaks them.
	Held    Relation = "held"
	Exceeds Relation = "exceeds"
	// Margin is how far a number lies below its limit, as a share of the limit. Before says that the first number's load
	// is the next smaller one of the workload that was measured to that of the second.
	Margin Relation = "margin"
	Before Relation = "before"
	// Cost is what a million tokens cost at a price of an accelerator for an hour, Joule how many tokens a joule
	// yields at a power in watts, 0 for a measured energy; Cheapest and Thriftiest are the best of all such.
	// Unpriced is how many relations Keeps are of a number without a Cost, Unpowered how many without a Joule.
	Cost       Relation = "cost"
	Cheapest   Relation = "cheapest"
	Unpriced   Relation = "unpriced"
	Joule      Relation = "joule"
	Thriftiest Relation = "thriftiest"
	Unpowered  Relation = "unpowered"
	// Beside is how far the second of two metrics at one place lies from the first, as a share of the first;
	// Farthest is the most of all of them, at all loads of their workloads that have both.
	Beside   Relation = "beside"
	Farthest Relation = "farthest"
	// Prompts is how many requests were sent at a number's load, fewer than it asks for at once.
	Prompts Relation = "prompts"
	// Level is of the results of a history in the order of time: how far the mean of those from the place At on, which
	// are the last level, lies from that of the level before, as a share of this one.
	Level Relation = "level"
	// Turn is how many seconds the prompt of the first number, a prefill speed, and the answer of the second, a decode
	// speed, take together. Shortest says of prefill speeds that their turns are all that are not told apart from the
	// shortest of the claim, and that no other run of that version on that hardware has a shorter one.
	Turn     Relation = "turn"
	Shortest Relation = "shortest"
	// Only says that the runs of two numbers differ in nothing that is recorded but the parameter Key.
	Only Relation = "only"
	// Backend says that the runs of all numbers have one backend, and that no other run of that version and backend on
	// that hardware is left out that measured the same.
	Backend Relation = "backend"
	// Between is the value at the speed Value between two points, of a number and its speed each:
	// throughput and speed below, throughput and speed above.
	Between Relation = "between"
)

// Number is an operand as a text has it.
type Number struct {
	Operand
	// Over is how many accelerators the value is divided by; 0 is none.
	Over int
	// Inverse says that 1 / value is meant: tokens a second of the time for one.
	Inverse bool
	// Called is what the text calls the run, "" where it does not name it.
	Called string
}

// Is is the number that the text has.
func (n Number) Is() float64 {
	v := n.Value
	if n.Inverse && v != 0 {
		v = 1 / v
	}
	if n.Over > 0 {
		v /= float64(n.Over)
	}
	return v
}

// relation is one of a claim's.
type relation struct {
	Is Relation `json:"is"`
	// Among are places in the list of numbers, from 0.
	Among []int `json:"among,omitempty"`
	// Value is what the relation computes.
	Value *float64 `json:"value,omitempty"`
	// At is what a relation [Between] is read at, and where a [Level] begins; Low and High are the ends of an [Interval].
	At   *float64 `json:"at,omitempty"`
	Low  *float64 `json:"low,omitempty"`
	High *float64 `json:"high,omitempty"`
	// Limits are what a relation Keeps, Breaks or Unjudged is about.
	Limits []Limit `json:"limits,omitempty"`
	// Key is the parameter of a relation Only.
	Key string `json:"key,omitempty"`
}

// Stated is a claim of numbers and of how they stand to one another.
type Stated struct {
	kind      Kind
	caution   bool
	Numbers   []Number   `json:"of"`
	Relations []relation `json:"relations"`
	text      sentence
	names     []string
	called    map[string]bool // the same; a claim may name each of a thousand configurations
}

func (c *Stated) head() (Kind, bool) { return c.kind, c.caution }

func (c *Stated) write(s *sentence) { *s = c.text }

// State begins a claim of a kind.
func State(k Kind) *Stated { return &Stated{kind: k} }

// Ref is a number's place in its claim.
type Ref int

// Of adds a number.
func (c *Stated) Of(n Number) Ref {
	c.Numbers = append(c.Numbers, n)
	c.Called(n.Called)
	return Ref(len(c.Numbers) - 1)
}

// At adds the operand that stands for a metric at a point.
func (c *Stated) At(o Operand) Ref { return c.Of(Number{Operand: o}) }

// Is adds a relation of some numbers.
func (c *Stated) Is(r Relation, of ...Ref) *Stated {
	c.Relations = append(c.Relations, relation{Is: r, Among: places(of)})
	return c
}

// Makes adds a relation that computes a value.
func (c *Stated) Makes(r Relation, v float64, of ...Ref) *Stated {
	c.Relations = append(c.Relations, relation{Is: r, Among: places(of), Value: &v})
	return c
}

// ReadAt adds a relation that computes a value at another one: a speed, a price, a power.
func (c *Stated) ReadAt(r Relation, at, v float64, of ...Ref) *Stated {
	c.Relations = append(c.Relations, relation{Is: r, Among: places(of), Value: &v, At: &at})
	return c
}

// IsOnly adds a relation [Only] of two numbers.
func (c *Stated) IsOnly(key string, of ...Ref) *Stated {
	c.Relations = append(c.Relations, relation{Is: Only, Among: places(of), Key: key})
	return c
}

// Limit is the most that a statistic may be, or the least; the other one is nil. For is what it stands for where
// no load of the workload records that.
type Limit struct {
	Metric metric.ID  `json:"metric"`
	Stat   string     `json:"stat"`
	Most   *float64   `json:"most,omitempty"`
	Least  *float64   `json:"least,omitempty"`
	For    *StandsFor `json:"for,omitempty"`
}

// StandsFor is a statistic of a metric, or without Stat all that limits may be of.
type StandsFor struct {
	Metric metric.ID `json:"metric"`
	Stat   string    `json:"stat,omitempty"`
}

// Within adds a relation [Keeps], [Breaks] or [Unjudged].
func (c *Stated) Within(r Relation, held []figure.Held, of Ref) *Stated {
	var limits []Limit
	for _, h := range held {
		limit := Limit{Metric: h.Metric, Stat: h.Stat, Most: h.Most, Least: h.Least}
		if h.For.Metric != "" {
			limit.For = &StandsFor{h.For.Metric, h.For.Stat}
		}
		limits = append(limits, limit)
	}
	c.Relations = append(c.Relations, relation{Is: r, Among: places([]Ref{of}), Limits: limits})
	return c
}

func places(of []Ref) (out []int) {
	for _, r := range of {
		out = append(out, int(r))
	}
	return out
}

// Say adds words.
func (c *Stated) Say(format string, args ...any) *Stated {
	c.text.say(format, args...)
	return c
}

// Name adds a name, whose digits are no numbers.
func (c *Stated) Name(name string) *Stated {
	c.Called(name)
	c.text.say("%s", name)
	return c
}

// Calls says what the text calls the run of a number.
func (c *Stated) Calls(of Ref, name string) *Stated {
	c.Numbers[of].Called = name
	return c.Called(name)
}

// Run adds what the run of a number is called.
func (c *Stated) Run(of Ref) *Stated { return c.Say("%s", c.Numbers[of].Called) }

// Called says which words of the text are names.
func (c *Stated) Called(names ...string) *Stated {
	for _, n := range names {
		if n == "" || c.called[n] {
			continue
		}
		if c.called == nil {
			c.called = map[string]bool{}
		}
		c.names, c.called[n] = append(c.names, n), true
	}
	return c
}

// Cite adds a text that was read at a number.
func (c *Stated) Cite(of Ref, format string, args ...any) *Stated {
	c.text.cite(c.Numbers[of].Operand, format, args...)
	return c
}

// Warn says that a reader has to know the sentence before quoting anything else.
func (c *Stated) Warn() *Stated {
	c.caution = true
	return c
}

// Sentence is the claim with its text.
func (c *Stated) Sentence() Sentence {
	for _, n := range c.Numbers {
		c.Called(n.Scenario.Title, n.Run.Hardware.Name, n.Run.EngineName())
	}
	s := New(c)
	s.Names = c.names
	return s
}

// Central is the operand that stands for a metric at one of the points of a scenario; a scenario that lacks it
// there gives the value 0 and no statistic.
func Central(r *figure.Run, s *figure.Scenario, load float64, m metric.ID) Operand {
	return central(r, s, s.At(load), m)
}

// Statistic is a statistic of a metric at one of the points of a scenario.
func Statistic(r *figure.Run, s *figure.Scenario, load float64, m metric.ID, stat string) Operand {
	return operand(r, s, s.At(load), m, stat)
}

// Named is a text that names something and states nothing of numbers: a caption without a finding.
type Named struct{ text string }

func (Named) head() (Kind, bool) { return KindNamed, false }

func (c Named) write(s *sentence) { s.say("%s", c.text) }

// Plain is a text that states nothing of numbers; names are the words of it that may hold digits.
func Plain(text string, names ...string) Sentence {
	s := New(Named{text})
	s.Names = names
	return s
}

// Capacity is how the KV-cache capacity of a run stands to that of another, in tokens.
type Capacity struct {
	Base        *figure.Run
	Here, There float64
	Change      float64
	// OtherName says which run is meant: "on H100".
	OtherName string
}

func (Capacity) head() (Kind, bool) { return KindCapacity, false }

// MarshalJSON writes the numbers with the run that is compared with.
func (c Capacity) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string]any{"base": c.Base.ID, "here": c.Here, "there": c.There, "change": c.Change,
		"called": c.OtherName})
}

func (c Capacity) write(s *sentence) {
	more := figure.PercentText(c.Change) + " more"
	if c.Change < 0 {
		more = figure.PercentText(-c.Change) + " fewer"
	}
	s.say("The KV cache holds %s tokens %s: %s against %s (one figure each).", more, c.OtherName,
		metric.Format(c.Here), metric.Format(c.There))
}

// Sentence is the claim with its text at a run.
func (c Capacity) Sentence(r *figure.Run) Sentence { return at(c, r, []string{c.OtherName}) }

// Differs adds how the first of two numbers differs from the second, and what the measurements allow to be
// said of it. The difference is of the second as its a and the first as its b.
func (c *Stated) Differs(d compare.Difference, first, second Ref) *Stated {
	c.Makes(Measured, float64(d.B.N), first).Makes(Measured, float64(d.A.N), second)
	switch {
	case d.Change != nil && *d.Change != 0:
		c.Makes(Change, *d.Change, first, second)
	case d.Delta == 0:
		c.Is(Equal, first, second)
	default:
		c.Is(Unequal, first, second)
	}
	switch {
	case d.A.Requests > 0 || d.B.Requests > 0:
		c.within(d.B, first)
		c.within(d.A, second)
		return c.Is([]Relation{Unclear, SameWithin, ClearWithin}[d.Certainty], first, second)
	case d.Certainty == compare.Distinguishable:
		return c.Is(Clear, first, second)
	case d.Certainty == compare.NotDistinguishable:
		return c.Is(Same, first, second)
	}
	return c.Is(Few, first, second)
}

// within adds the interval that a side is judged by.
func (c *Stated) within(s figure.Summary, of Ref) {
	lo, hi, _ := s.Ends()
	c.Relations = append(c.Relations, relation{Is: Interval, Among: places([]Ref{of}), Low: &lo, High: &hi})
	if s.Requests > 0 {
		c.Makes(Requests, float64(s.Requests), of)
	}
}
