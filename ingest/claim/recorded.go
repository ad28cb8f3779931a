package claim

import (
	"math"

	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
)

// The kinds of sentences on what a record holds beside its statistics: distributions over requests, fits and
// time lines.
const (
	KindHalf Kind = "half" // what half of the requests stay within
	KindFit  Kind = "fit"  // the speed that a line through single requests gives
	KindFull Kind = "full" // how full the KV cache was at most
	// KindLengths is how many tokens the prompts of one workload held with several runs.
	KindLengths Kind = "lengths"
)

// Half is what half of the values of a distribution stay within.
type Half struct {
	Spreads []Spread `json:"spreads"`
	text    sentence
}

// Spread is the distribution of a metric at one point of a run.
type Spread struct {
	// Point is the measurement's place in the run's list of points, from 0.
	Point  int       `json:"point"`
	Metric metric.ID `json:"metric"`
	// N is how many values there are.
	N int64 `json:"n"`
	// Median and P99 are in the metric's base unit; P99 is nil where it is not stated.
	Median float64  `json:"median"`
	P99    *float64 `json:"p99,omitempty"`
}

func (*Half) head() (Kind, bool) { return KindHalf, false }

func (c *Half) write(s *sentence) { *s = c.text }

// Say adds words.
func (c *Half) Say(format string, args ...any) *Half {
	c.text.say(format, args...)
	return c
}

// Sentence is the claim with its text at a run.
func (c *Half) Sentence(r *figure.Run, names ...string) Sentence { return at(c, r, names) }

// Fit is the line through the requests of a scatter: value = Cost + input / Speed.
type Fit struct {
	Profile string `json:"profile"`
	// Speed is in tokens a second, Cost in seconds; a cost of 0 is none.
	Speed float64 `json:"speed"`
	Cost  float64 `json:"cost,omitempty"`
}

func (Fit) head() (Kind, bool) { return KindFit, false }

func (c Fit) write(s *sentence) {
	s.say("One request's prompt is read at %s tok/s", metric.Format(c.Speed))
	if c.Cost > 0 {
		s.say(", after %s of fixed cost", figure.Seconds(c.Cost))
	}
}

// Sentence is the claim with its text at a run.
func (c Fit) Sentence(r *figure.Run) Sentence { return at(c, r, nil) }

// Full is how full the KV cache was at most over some time lines.
type Full struct {
	// Profiles are the names of all time lines that were looked at, In the fullest.
	Profiles []string `json:"profiles"`
	In       string   `json:"in"`
	Usage    float64  `json:"usage"`
	// Title is the name as a reader reads it.
	Title string `json:"-"`
}

func (Full) head() (Kind, bool) { return KindFull, false }

func (c Full) write(s *sentence) {
	s.say("The KV cache is at most %s full, with %s", metric.Percent(c.Usage), c.Title)
}

// Sentence is the claim with its text at a run.
func (c Full) Sentence(r *figure.Run) Sentence { return at(c, r, []string{c.Title}) }

// Lengths are how many tokens prompts of one workload held with several runs, the fewest first.
type Lengths struct {
	Of    []served `json:"of"`
	names []string
}

type served struct {
	place
	Input float64 `json:"input"`
	// Called is what the text calls the run.
	Called string `json:"called"`
}

func (*Lengths) head() (Kind, bool) { return KindLengths, true }

func (c *Lengths) write(s *sentence) {
	count := func(v float64) string { return metric.Count(int64(math.Round(v))) }
	last := len(c.Of) - 1
	s.say("Prompts held %s tokens on average on %s and %s on %s: another tokenizer, or another set of prompts.",
		count(c.Of[0].Input), c.Of[0].Called, count(c.Of[last].Input), c.Of[last].Called)
}

// Held adds the tokens that prompts held with a run, which has a name.
func (c *Lengths) Held(tokens float64, o Operand, name string) {
	c.Of, c.names = append(c.Of, served{placeOf(o), tokens, name}), append(c.names, name)
}

// Sentence is the claim with its text; ok is false where the lengths differ by no more than 5 %.
func (c *Lengths) Sentence() (s Sentence, ok bool) {
	if last := len(c.Of) - 1; last < 1 || c.Of[last].Input <= c.Of[0].Input*1.05 {
		return s, false
	}
	s = New(c)
	s.Names = c.names
	return s, true
}

func at(c Claim, r *figure.Run, names []string) Sentence {
	s := New(c)
	s.Run, s.Names = r, names
	return s
}
