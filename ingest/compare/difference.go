package compare

import (
	"fmt"
	"math"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
)

// Certainty says what samples allow to be claimed of a difference.
type Certainty int

// The certainties. NoClaim is the zero value: nothing is claimed of single measurements.
const (
	NoClaim            Certainty = iota // a side has fewer than MinSamples samples
	NotDistinguishable                  // the intervals of the two medians overlap
	Distinguishable                     // they do not
)

// String is the certainty in the words that pages and the command print.
func (c Certainty) String() string {
	switch c {
	case Distinguishable:
		return "distinguishable"
	case NotDistinguishable:
		return "not distinguishable"
	}
	return "no claim: fewer than six samples"
}

// MarshalText writes what String says.
func (c Certainty) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// Difference compares one quantity of two sides, a and b, at equal loads.
type Difference struct {
	Metric metric.ID `json:"metric"`
	// Stat is the statistic that was compared: "value", "median", "p99".
	Stat string `json:"stat"`
	// Unit is the metric's base unit, Better its direction.
	Unit   string           `json:"unit"`
	Better metric.Direction `json:"-"`
	A      figure.Summary   `json:"a"`
	B      figure.Summary   `json:"b"`
	// Delta is b − a.
	Delta float64 `json:"delta"`
	// Ratio is b / a and Change (b − a) / a; nil where a is 0. A drop to zero is a Change of −1, and of two zeros it is 0.
	Ratio  catalog.Number `json:"ratio"`
	Change catalog.Number `json:"change"`
	// Winner is −1 where a is better, 1 where b is, 0 where they are equal or neither direction
	// is better. It says nothing of chance: see Certainty.
	Winner    Winner    `json:"better,omitzero"`
	Certainty Certainty `json:"certainty"`
}

// Winner says which side is better: see [Difference].
type Winner int

// MarshalText writes "a" or "b".
func (w Winner) MarshalText() ([]byte, error) {
	if w < 0 {
		return []byte("a"), nil
	}
	return []byte("b"), nil
}

// Differ compares the measurements of a metric's statistic of two sides; ok is false where one
// has none. Each side's measurements are repetitions of one thing: points of one load of one
// workload, of one run or of runs that nothing tells apart.
func Differ(m metric.ID, stat string, a, b []float64) (d Difference, ok bool) {
	return difference(m, stat, figure.Summarize(a), figure.Summarize(b))
}

// differPoints compares the points of two sides at one load, as [Differ] does their repetitions.
// Where a side was measured fewer than MinSamples times, the median over requests has the interval
// that the requests of its measurements give: see [figure.SummarizePoints].
func differPoints(m metric.ID, stat string, a, b []*catalog.Point) (d Difference, ok bool) {
	sa, sb := figure.SummarizePoints(a, m, stat), figure.SummarizePoints(b, m, stat)
	_, _, ok1 := sa.Ends()
	_, _, ok2 := sb.Ends()
	if !ok1 || !ok2 { // the interval of one side alone says nothing
		sa.Requests, sa.RequestLo, sa.RequestHi = 0, 0, 0
		sb.Requests, sb.RequestLo, sb.RequestHi = 0, 0, 0
	}
	return difference(m, stat, sa, sb)
}

func difference(m metric.ID, stat string, a, b figure.Summary) (d Difference, ok bool) {
	info, _ := metric.Lookup(m)
	d = Difference{Metric: m, Stat: stat, Unit: info.Unit, Better: info.Better, A: a, B: b}
	if a.N == 0 || b.N == 0 {
		return d, false
	}
	d.Delta = metric.Round12(b.Median - a.Median)
	if a.Median != 0 {
		ratio, change := metric.Round12(b.Median/a.Median), metric.Round12((b.Median-a.Median)/a.Median)
		if figure.Finite(ratio) && figure.Finite(change) {
			d.Ratio, d.Change = &ratio, &change
		}
	} else if b.Median == 0 {
		d.Change = new(float64)
	}
	switch {
	case d.Delta > 0:
		d.Winner = Winner(d.Better)
	case d.Delta < 0:
		d.Winner = -Winner(d.Better)
	}
	alo, ahi, ok1 := a.Ends()
	blo, bhi, ok2 := b.Ends()
	switch {
	case !ok1 || !ok2:
	case ahi < blo || bhi < alo:
		d.Certainty = Distinguishable
	case (a.Requests == 0 || a.Exact) && (b.Requests == 0 || b.Exact):
		d.Certainty = NotDistinguishable
	}
	return d, true
}

// Inverse is the same difference seen from the other side: a held against b.
func (d Difference) Inverse() Difference {
	i, _ := difference(d.Metric, d.Stat, d.B, d.A)
	return i
}

// Settled reports whether one side is better by more than chance: the intervals of the medians lie apart, or,
// where too few measurements allow no interval, b is more than 5 % away from a.
func (d Difference) Settled() bool {
	if d.Certainty != NoClaim || d.Delta == 0 {
		return d.Certainty == Distinguishable
	}
	return d.Change == nil || math.Abs(*d.Change) > changeAbove
}

// Verdict says in a word what the difference means for b: "better", "worse", "equal", "not
// distinguishable"; "" where neither direction is better.
func (d Difference) Verdict() string {
	switch {
	case d.Certainty == NotDistinguishable:
		return d.Certainty.String()
	case d.Winner > 0:
		return "better"
	case d.Winner < 0:
		return "worse"
	case d.Delta == 0:
		return "equal"
	}
	return ""
}

// Words says a difference's certainty with its reason, for the end of a sentence that names a first: "one
// measurement each: nothing is claimed".
func (d Difference) Words() string { return d.words(d.A, d.B) }

// WordsAgainst says the same at the end of a sentence that names b first: its counts have that order.
func (d Difference) WordsAgainst() string { return d.words(d.B, d.A) }

func (d Difference) words(first, second figure.Summary) string {
	requests := d.A.Requests > 0 || d.B.Requests > 0
	switch {
	case requests && d.Certainty == Distinguishable:
		return fmt.Sprintf("distinguishable within the runs: the 95\u202f%% intervals of the median over %s do not "+
			"overlap; how far repeated runs lie apart is not known", requestWords(first, second))
	case requests && d.Certainty == NotDistinguishable:
		return fmt.Sprintf("not distinguishable: the 95\u202f%% intervals of the median over %s overlap",
			requestWords(first, second))
	case requests:
		return fmt.Sprintf("the percentiles around the median of %s overlap: whether it is chance cannot be told",
			requestWords(first, second))
	case d.Certainty == Distinguishable:
		return fmt.Sprintf("distinguishable: the 95\u202f%% intervals of %d and %d measurements do not overlap",
			first.N, second.N)
	case d.Certainty == NotDistinguishable:
		return fmt.Sprintf("not distinguishable: the 95\u202f%% intervals of %d and %d measurements overlap", first.N,
			second.N)
	case first.N == 1 && second.N == 1:
		return "one measurement each: whether it is chance cannot be told"
	}
	return fmt.Sprintf("%d and %d measurements, fewer than six on a side: whether it is chance cannot be told", first.N,
		second.N)
}

// requestWords name what the intervals of a difference rest on.
func requestWords(first, second figure.Summary) string {
	side := func(s figure.Summary) string {
		if s.Requests > 0 {
			return metric.Count(s.Requests) + " requests"
		}
		return metric.Count(int64(s.N)) + " measurements"
	}
	if first.Requests > 0 && second.Requests > 0 {
		return metric.Count(first.Requests) + " and " + metric.Count(second.Requests) + " requests"
	}
	return side(first) + " and " + side(second)
}
