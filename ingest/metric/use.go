package metric

import (
	"slices"
	"sort"
)

// Use is a place that shows some of the metrics in an order of its own.
type Use string

// The uses.
const (
	// Of one run.
	Run       Use = "the tables of all points of a run"
	Loads     Use = "the table of a workload by load"
	Workloads Use = "the tables that set the workloads of a run side by side"
	Series    Use = "the charts and tables of latency by load, a series a run"
	Spread    Use = "the charts of how requests are distributed"
	// Of two runs.
	Verdict   Use = "what a pair is judged by: the first that both sides measured"
	Headline  Use = "the figures beside the verdict of a pair"
	Pair      Use = "the short table of a pair"
	PairLoads Use = "the tables of all loads of a pair"
	PairChart Use = "the charts that overlay a pair"
	// Of many runs.
	History   Use = "history of a card and of an engine"
	Scorecard Use = "scorecards"
	Limits    Use = "limits on latency that readers set"
	Shard     Use = "the files that the browser compares runs from"

	// Listed is the use of a metric without a place of its own: lists of all metrics show it, such as
	// downloads and the command line.
	Listed Use = "lists of all metrics"
	// Derived is the use of a metric that is computed where it is shown and never stored.
	Derived Use = "derived figures"
)

// In are the places in which a metric is shown.
type In []Place

// Place is how one place shows a metric.
type Place struct {
	Use Use
	// Rank is the metric's position there, counted from 1; 0 where the place has no order.
	Rank int
	// Columns are the columns or rows that the place has of the metric, each with the statistics
	// that are tried in turn. Empty in the table is what [Use] usually shows.
	Columns [][]string
}

// Of is how a use shows the metric, nil where it does not.
func (in In) Of(u Use) *Place {
	for i := range in {
		if in[i].Use == u {
			return &in[i]
		}
	}
	return nil
}

// at is a place of a rank that shows what it usually shows of a metric; with is one that has columns of its own.
func at(u Use, rank int) Place                       { return Place{u, rank, nil} }
func with(u Use, rank int, columns [][]string) Place { return Place{u, rank, columns} }

// Statistics that several rows of the table name.
var (
	typical     = []string{Value, Median, Mean} // one that stands for the metric
	tail        = []string{P99, P95, P90}       // the slow end
	typicalTail = [][]string{typical, tail}
	highest     = [][]string{{Max, Value}}
	spread      = [][]string{{Mean}, {Median}, {P99}}
	limits      = [][]string{{P99}, {P95}, {P90}, {P75}, {Median}, {Mean}}

	shard      = [][]string{{Value}, {Median}, {Mean}}
	shardTails = [][]string{{P99}, {P95}, {P90}, {Value}, {Median}, {Mean}}
	shardMax   = [][]string{{Max}, {Value}, {Median}, {Mean}}
)

// Typical are the statistics that stand for a metric, the best first.
func Typical() []string { return slices.Clone(typical) }

// shown are the metrics of each use.
var shown = func() map[Use][]Info {
	m := map[Use][]Info{}
	for _, i := range metrics {
		for _, p := range i.In {
			m[p.Use] = append(m[p.Use], i)
		}
	}
	for u := range m {
		in := m[u]
		sort.SliceStable(in, func(i, j int) bool { return in[i].In.Of(u).Rank < in[j].In.Of(u).Rank })
	}
	return m
}()

// Shown are the metrics of a use in the order in which the place shows them.
func Shown(u Use) []Info { return slices.Clone(shown[u]) }

// Columns are the columns or rows that a use has of a metric, each with the statistics that are
// tried in turn; none where the metric is not shown there.
func (i Info) Columns(u Use) [][]string {
	switch p := i.In.Of(u); {
	case p == nil:
		return nil
	case len(p.Columns) > 0:
		return p.Columns
	}
	return usual(u)
}

// usual are the columns of a place that shows the same statistics of most metrics.
func usual(u Use) [][]string {
	switch u {
	case Run, Verdict, Headline, Pair, PairLoads:
		return [][]string{typical}
	case Limits:
		return limits
	case Shard:
		return shard
	}
	return nil
}
