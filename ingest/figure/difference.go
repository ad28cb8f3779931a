package figure

import (
	"fmt"
	"slices"

	"golang.org/x/perf/benchmath"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/metric"
)

// MinSamples is how many samples a side must have before a difference is called anything: an
// order-statistics interval of the median at 95 % does not exist below six.
const MinSamples = 6

const confidence = 0.95

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

// Summary is what repeated measurements of one quantity say.
type Summary struct {
	// N is how many measurements there are; 0 is none, and then all else is zero.
	N int
	// Median of the measurements; the measurement itself where N is 1.
	Median float64
	// Lo and Hi are the order-statistics interval of the median where Confidence is set, else
	// the smallest and the largest measurement.
	Lo, Hi float64
	// Confidence is that of the interval, at least 0.95; 0 below MinSamples measurements.
	Confidence float64
	// RequestLo and RequestHi are the interval of the median over the requests of too few
	// measurements, and Requests how many there are; 0 where [DifferPoints] found none.
	Requests             int64
	RequestLo, RequestHi float64
}

// Summarize gives the median of measurements with its 95 % order-statistics interval, which
// assumes nothing of their distribution. Below MinSamples measurements Lo and Hi are the smallest
// and the largest. Values that are no finite numbers are left out.
func Summarize(values []float64) Summary {
	vs := slices.DeleteFunc(slices.Clone(values), func(v float64) bool { return !finite(v) })
	if len(vs) == 0 {
		return Summary{}
	}
	slices.Sort(vs)
	s := Summary{N: len(vs), Median: median(vs), Lo: vs[0], Hi: vs[len(vs)-1]}
	if s.N < MinSamples {
		return s
	}
	in := benchmath.AssumeNothing.Summary(benchmath.NewSample(vs, &benchmath.DefaultThresholds), confidence)
	if finite(in.Lo) && finite(in.Hi) {
		s.Lo, s.Hi, s.Confidence = in.Lo, in.Hi, metric.Round12(in.Confidence)
	}
	return s
}

// Difference compares one quantity of two sides, a and b, at equal loads.
type Difference struct {
	Metric metric.ID
	// Stat is the statistic that was compared: "value", "median", "p99".
	Stat   string
	Better metric.Direction
	A, B   Summary
	// Delta is b − a in the metric's base unit.
	Delta float64
	// Ratio is b / a and Change (b − a) / a; nil where a is 0. A drop to zero is a Change of −1.
	Ratio, Change catalog.Number
	// Winner is −1 where a is better, 1 where b is, 0 where they are equal or neither direction
	// is better. It says nothing of chance: see Certainty.
	Winner    int
	Certainty Certainty
}

// Differ compares the measurements of a metric's statistic of two sides; ok is false where one
// has none. Each side's measurements are repetitions of one thing: points of one load of one
// workload, of one run or of runs that nothing tells apart.
func Differ(m metric.ID, stat string, a, b []float64) (d Difference, ok bool) {
	info, _ := metric.Lookup(m)
	d = Difference{Metric: m, Stat: stat, Better: info.Better, A: Summarize(a), B: Summarize(b)}
	if d.A.N == 0 || d.B.N == 0 {
		return d, false
	}
	d.Delta = metric.Round12(d.B.Median - d.A.Median)
	if d.A.Median != 0 {
		ratio, change := metric.Round12(d.B.Median/d.A.Median), metric.Round12((d.B.Median-d.A.Median)/d.A.Median)
		if finite(ratio) && finite(change) {
			d.Ratio, d.Change = &ratio, &change
		}
	}
	switch {
	case d.Delta > 0:
		d.Winner = int(d.Better)
	case d.Delta < 0:
		d.Winner = -int(d.Better)
	}
	switch {
	case d.A.Confidence == 0 || d.B.Confidence == 0:
	case d.A.Hi < d.B.Lo || d.B.Hi < d.A.Lo:
		d.Certainty = Distinguishable
	default:
		d.Certainty = NotDistinguishable
	}
	return d, true
}

// Samples are the measurements of a statistic at points that repeat each other, in their order;
// points that lack it are left out. The statistic "central" is what [Central] gives.
func Samples(points []*catalog.Point, m metric.ID, stat string) []float64 {
	var vs []float64
	for _, p := range points {
		if stat == "central" {
			if v, _, ok := Central(p, m); ok {
				vs = append(vs, v)
			}
		} else if v, ok := Get(p, m, stat); ok {
			vs = append(vs, v)
		}
	}
	return vs
}

// AllAt are the points at a load: more than one where a run repeats its measurements.
func (s *Scenario) AllAt(load float64) []*catalog.Point {
	var ps []*catalog.Point
	for _, p := range s.Points {
		if LoadOf(p) == load {
			ps = append(ps, p)
		}
	}
	return ps
}

// Loads are the loads of a scenario in ascending order, each once; an infinite rate is last.
func (s *Scenario) Loads() []float64 {
	var ls []float64
	for _, p := range s.Points {
		ls = append(ls, LoadOf(p))
	}
	slices.Sort(ls)
	return slices.Compact(ls)
}

// SharedLoads are the loads that both scenarios were measured at, in ascending order.
func SharedLoads(a, b *Scenario) []float64 {
	var ls []float64
	for _, l := range a.Loads() {
		if slices.Contains(b.Loads(), l) {
			ls = append(ls, l)
		}
	}
	return ls
}

// Row is one load of a comparison: each quantity that both sides have there.
type Row struct {
	Load float64 // +Inf for all requests at once
	// A and B are the points of each side at this load, several where measurements repeat.
	A, B        []*catalog.Point
	Differences []Difference
}

// comparedStats are the statistics that are compared of a metric that is a distribution.
var comparedStats = []string{metric.Value, metric.Mean, metric.Median, metric.P90, metric.P95, metric.P99}

// Rows compares two scenarios load by load, metric by metric in the order of [metric.All], each
// statistic that both sides have. They should be of one class: see [Comparable].
func Rows(a, b *Scenario) []Row {
	var rows []Row
	for _, l := range SharedLoads(a, b) {
		row := Row{Load: l, A: a.AllAt(l), B: b.AllAt(l)}
		for _, info := range metric.All() {
			for _, stat := range comparedStats {
				if d, ok := DifferPoints(info.Metric, stat, row.A, row.B); ok {
					row.Differences = append(row.Differences, d)
				}
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// Words says a difference's certainty with its reason, for the end of a sentence: "one
// measurement each: nothing is claimed".
func (d Difference) Words() string {
	requests := d.A.Requests > 0 || d.B.Requests > 0
	switch {
	case requests && d.Certainty == Distinguishable:
		return fmt.Sprintf("distinguishable within the runs: the 95\u202f%% intervals of the median over %s do not overlap; how far repeated runs lie apart is not known", d.requestWords())
	case requests && d.Certainty == NotDistinguishable:
		return fmt.Sprintf("not distinguishable: the 95\u202f%% intervals of the median over %s overlap", d.requestWords())
	case requests:
		return fmt.Sprintf("the percentiles around the median of %s overlap: whether it is chance cannot be told", d.requestWords())
	case d.Certainty == Distinguishable:
		return fmt.Sprintf("distinguishable: the 95\u202f%% intervals of %d and %d measurements do not overlap", d.A.N, d.B.N)
	case d.Certainty == NotDistinguishable:
		return fmt.Sprintf("not distinguishable: the 95\u202f%% intervals of %d and %d measurements overlap", d.A.N, d.B.N)
	case d.A.N == 1 && d.B.N == 1:
		return "one measurement each: whether it is chance cannot be told"
	}
	return fmt.Sprintf("%d and %d measurements, fewer than six on a side: whether it is chance cannot be told", d.A.N, d.B.N)
}
