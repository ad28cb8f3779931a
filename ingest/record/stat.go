package record

import (
	"cmp"
	"encoding/json"
	"fmt"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/metric"
)

// Stat is what is known of one metric at one point, in the metric's base unit. Every member is
// optional.
type Stat struct {
	// Value is set where the metric is one number and no distribution (a throughput).
	Value  *float64 `json:"value,omitempty"`
	Mean   *float64 `json:"mean,omitempty"`
	Median *float64 `json:"median,omitempty"`
	Std    *float64 `json:"std,omitempty"`
	Min    *float64 `json:"min,omitempty"`
	Max    *float64 `json:"max,omitempty"`
	// Percentiles are in ascending order and hold no 50: that is Median.
	Percentiles []Percentile `json:"percentiles,omitempty"`
	// MedianLow and MedianHigh are the order-statistics interval of the median at 95 %, where the
	// values of all samples were read; it is of one measurement and says nothing of repetitions.
	MedianLow  *float64 `json:"median_low,omitempty"`
	MedianHigh *float64 `json:"median_high,omitempty"`
	// N is the number of samples; 0 is not known.
	N int64 `json:"n,omitempty"`
	// Unit is the base unit the numbers are in, OrigUnit the source's own where it differed.
	Unit     string `json:"unit"`
	OrigUnit string `json:"orig_unit,omitempty"`
	// Computed says that inferdex computed the numbers, from per-request data or from other
	// metrics of the point; empty means read.
	Computed string `json:"computed,omitempty"`
	// Suspect is the code of the finding that says why the numbers cannot be believed, in what is published. A
	// catalog does not store it: a person may acknowledge the finding later.
	Suspect string `json:"suspect,omitempty"`
}

// Percentile is one percentile of a Stat. In JSON it is the pair [P, Value].
type Percentile struct{ P, Value float64 }

// MarshalJSON writes the pair [P, Value].
func (p Percentile) MarshalJSON() ([]byte, error) {
	return json.Marshal([2]float64{p.P, p.Value})
}

// UnmarshalJSON reads the pair [P, Value].
func (p *Percentile) UnmarshalJSON(b []byte) error {
	var pair []float64
	if err := json.Unmarshal(b, &pair); err != nil || len(pair) != 2 {
		return fmt.Errorf("%q is no percentile: write [P, value]", b)
	}
	p.P, p.Value = pair[0], pair[1]
	return nil
}

// Statistic is one number of a Stat: "mean", "p99".
type Statistic struct {
	Name  string
	Value float64
}

// Count is how many statistics a Stat has.
func (s *Stat) Count() int {
	n := len(s.Percentiles)
	for _, v := range s.numbers() {
		if v != nil {
			n++
		}
	}
	return n
}

// Zero reports whether all statistics are 0.
func (s *Stat) Zero() bool {
	for _, v := range s.numbers() {
		if v != nil && *v != 0 {
			return false
		}
	}
	return !slices.ContainsFunc(s.Percentiles, func(p Percentile) bool { return p.Value != 0 })
}

// numbers are the statistics that are no percentile, in the order of their names.
func (s *Stat) numbers() [8]*float64 {
	return [...]*float64{s.Value, s.Mean, s.Median, s.Std, s.Min, s.Max, s.MedianLow, s.MedianHigh}
}

// named are the names of the statistics that are no percentile, in the order in which [Stat.All] lists them.
var named = []string{
	metric.Value, metric.Mean, metric.Median, metric.Std, metric.Min, metric.Max, metric.MedianLow, metric.MedianHigh,
}

// number is where a Stat keeps a statistic that is no percentile; nil for any other name.
func (s *Stat) number(name string) **float64 {
	switch name {
	case metric.Value, metric.Total:
		return &s.Value
	case metric.Mean:
		return &s.Mean
	case metric.Median, "p50":
		return &s.Median
	case metric.Std:
		return &s.Std
	case metric.Min, "p0":
		return &s.Min
	case metric.Max, "p100":
		return &s.Max
	case metric.MedianLow:
		return &s.MedianLow
	case metric.MedianHigh:
		return &s.MedianHigh
	}
	return nil
}

// percentile is the number of a percentile's name; ok is false for a name that is none.
func percentile(name string) (p float64, ok bool) {
	switch name { // every point has these
	case "p90":
		return 90, true
	case "p95":
		return 95, true
	case metric.P99:
		return 99, true
	}
	digits, ok := strings.CutPrefix(name, "p")
	p, err := strconv.ParseFloat(digits, 64)
	return p, ok && err == nil && p > 0 && p < 100
}

// Get returns a statistic by its name: "value", "mean", "p99"; "p50" is the median. ok is false where it is
// missing.
func (s Stat) Get(name string) (v float64, ok bool) {
	if n := s.number(name); n != nil {
		if *n == nil {
			return 0, false
		}
		return **n, true
	}
	if p, ok := percentile(name); ok {
		for _, q := range s.Percentiles {
			if q.P == p {
				return q.Value, true
			}
		}
	}
	return 0, false
}

// Set gives a statistic its value; ok is false for a name that is none. It writes into the Percentiles that
// s has: a copy of a Stat needs a copy of them first.
func (s *Stat) Set(name string, v float64) (ok bool) { return s.SetTo(name, &v) }

// SetTo is as [Stat.Set]; a statistic that is no percentile keeps the place of the number, which nobody may change then.
func (s *Stat) SetTo(name string, v *float64) (ok bool) {
	if n := s.number(name); n != nil {
		*n = v
		return true
	}
	p, ok := percentile(name)
	if !ok {
		return false
	}
	i, found := slices.BinarySearchFunc(s.Percentiles, p,
		func(q Percentile, p float64) int { return cmp.Compare(q.P, p) })
	if found {
		s.Percentiles[i].Value = *v
	} else {
		s.Percentiles = append(s.Percentiles, Percentile{}) // a browser would load a slices.Insert for each type
		copy(s.Percentiles[i+1:], s.Percentiles[i:])
		s.Percentiles[i] = Percentile{P: p, Value: *v}
	}
	return true
}

// All lists the statistics that a Stat has, the percentiles last.
func (s Stat) All() []Statistic {
	return slices.AppendSeq(make([]Statistic, 0, s.Count()), s.Each())
}

// Each is All without a list of it.
func (s *Stat) Each() iter.Seq[Statistic] {
	return func(yield func(Statistic) bool) {
		for i, n := range s.numbers() {
			if n != nil && !yield(Statistic{named[i], *n}) {
				return
			}
		}
		for _, p := range s.Percentiles {
			if !yield(Statistic{p.name(), p.Value}) {
				return
			}
		}
	}
}

// name is the name of a percentile: "p99", "p99.9".
func (p Percentile) name() string {
	switch p.P { // every point has these
	case 90:
		return "p90"
	case 95:
		return "p95"
	case 99:
		return metric.P99
	}
	return "p" + strconv.FormatFloat(p.P, 'f', -1, 64)
}

// What no measurement reaches: three years, and more of anything else than is counted one by one.
const mostSeconds, mostOther = 1e8, 1e15

// leastOfMedian is the least that a mean can be of the median, a half, with room for numbers that were rounded.
const leastOfMedian = 0.45

// values are the numbers of statistics.
func values(of []Statistic) []float64 {
	out := make([]float64, len(of))
	for i, x := range of {
		out[i] = x.Value
	}
	return out
}

// Implausible says in words what in the statistics cannot be: a percentile below a smaller one,
// a median above the maximum, a negative spread, a count of 2^63, a share of more than the whole.
func (s Stat) Implausible() []string {
	var room [12]Statistic // most have no more
	row := room[:0]        // in ascending order, if all is well
	add := func(name string, n *float64) {
		if n != nil {
			row = append(row, Statistic{name, *n})
		}
	}
	add("min", s.Min)
	median := func() { add("median", s.Median) }
	done := false
	for _, p := range s.Percentiles {
		if p.P > 50 && !done {
			median()
			done = true
		}
		row = append(row, Statistic{p.name(), p.Value})
	}
	if !done {
		median()
	}
	add("max", s.Max)
	var out []string
	say := func(a Statistic, is string, b ...Statistic) {
		shown := metric.Texts(s.Unit, values(append(b, a))...)
		text := a.Name + " " + shown[len(b)] + is
		if len(b) > 0 {
			text += " " + b[0].Name + " " + shown[0]
		}
		out = append(out, text)
	}
	for i := 1; i < len(row); i++ {
		a, b := row[i-1], row[i]
		// The last bits of two computations of one number may differ.
		if b.Value < a.Value && a.Value-b.Value > 1e-9*math.Abs(a.Value) {
			say(a, " is above", b)
		}
	}
	// Half of the values are the median or more, and none is below zero.
	if s.Mean != nil && s.Median != nil && *s.Mean >= 0 && *s.Mean < leastOfMedian**s.Median {
		say(Statistic{"mean", *s.Mean}, " is below half the", Statistic{"median", *s.Median})
	}
	most := mostOther
	if s.Unit == metric.Seconds {
		most = mostSeconds
	}
	for x := range s.Each() {
		if x.Value > most {
			say(x, " is more than anything that is measured")
		} else if s.Unit == metric.Fraction && x.Value > 1+1e-9 {
			say(x, " is more than all there is")
		}
	}
	if s.Std != nil && *s.Std < 0 {
		say(Statistic{"standard deviation", *s.Std}, " is negative")
	}
	slack := func(v float64) float64 { return 1e-9 * math.Abs(v) }
	if s.Mean != nil && s.Min != nil && *s.Mean < *s.Min-slack(*s.Min) {
		say(Statistic{metric.Mean, *s.Mean}, " is below", Statistic{metric.Min, *s.Min})
	}
	if s.Mean != nil && s.Max != nil && *s.Mean > *s.Max+slack(*s.Max) {
		say(Statistic{metric.Mean, *s.Mean}, " is above", Statistic{metric.Max, *s.Max})
	}
	return out
}
