package compare

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/aclements/go-moremath/stats"

	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
)

// changePValue is the probability below which a step of a series is a change point. The first pass takes
// candidates at ten times that, because a step between two near ones looks weak before both are known;
// what stays weak is merged away again.
const (
	changePValue = 0.001
	firstPass    = 10
	confidence   = 0.95 // of the interval that the next result is expected in
)

// ChangePoints are the places at which a series in the order of time changes its level: the indexes of the first
// result of each new level, ascending. The candidate of a part is the split with the largest energy distance
// between its two sides (E-divisive), and Student's t-test of equal variances decides whether it is one.
// A level has at least two results.
func ChangePoints(series []float64) []int {
	points := split(series, 0)
	// chances are the probabilities of the points; each depends on its neighbours alone.
	chances := make([]float64, len(points))
	test := func(i int) {
		if i < 0 || i >= len(points) {
			return
		}
		from, to := 0, len(series)
		if i > 0 {
			from = points[i-1]
		}
		if i+1 < len(points) {
			to = points[i+1]
		}
		chances[i] = tTest(series[from:points[i]], series[points[i]:to])
	}
	for i := range points {
		test(i)
	}
	for len(points) > 0 {
		p := slices.Max(chances)
		if p < changePValue {
			break
		}
		weakest := slices.Index(chances, p)
		points, chances = slices.Delete(points, weakest, weakest+1), slices.Delete(chances, weakest, weakest+1)
		test(weakest - 1)
		test(weakest)
	}
	return points
}

// split are the candidates of a part of a series, which begins at an index of the whole. A weak one stays where a
// side of it has another: a level that rose and fell again lies near the first on average.
func split(part []float64, begin int) []int {
	at := candidate(part)
	if at == 0 {
		return nil
	}
	left, right := split(part[:at], begin), split(part[at:], begin+at)
	if len(left)+len(right) == 0 && tTest(part[:at], part[at:]) >= firstPass*changePValue {
		return nil
	}
	return slices.Concat(left, []int{begin + at}, right)
}

// candidate is the split of a part with the largest energy distance between its sides, times m·n / (m + n) for
// sides of m and n results; 0 where there is none. Of splits that differ by no more than rounding the first is taken.
func candidate(part []float64) (best int) {
	// The distance of a result from those before it, and from those behind it, summed up over the results.
	before, behind := make([]float64, len(part)), make([]float64, len(part))
	all := 0.0
	for i, x := range part {
		for j, y := range part[:i] {
			d := math.Abs(x - y)
			before[i] += d
			behind[j] += d
		}
		all += before[i]
	}
	most, rounding := 0.0, 1e-12*all/float64(max(1, len(part)))
	left, right := 0.0, all // the distances within each side
	for at := 0; at+2 <= len(part); at++ {
		if at >= 2 {
			m, n := float64(at), float64(len(part)-at)
			distance := 2*(all-left-right)/(m*n) - 2*left/(m*(m-1)) - 2*right/(n*(n-1))
			if d := distance * m * n / (m + n); d > most+rounding {
				best, most = at, d
			}
		}
		left, right = left+before[at], right-behind[at]
	}
	return best
}

// tTest is the probability of two samples whose means lie as far apart, or farther, by chance.
func tTest(a, b []float64) float64 {
	r, err := stats.TwoSampleTTest(&stats.Sample{Xs: a}, &stats.Sample{Xs: b}, stats.LocationDiffers)
	switch {
	case err == nil && !math.IsNaN(r.P):
		return r.P
	case a[0] == b[0]:
		return 1
	}
	return 0 // two levels without any noise
}

// Level is where the next result of a series is to be expected.
type Level struct {
	// Runs of the present level, the latest of Before that a change point does not part.
	Runs   int `json:"runs"`
	Before int `json:"before"`
	// Mean is that of the runs.
	Mean float64 `json:"mean"`
	// Low and High hold the next result with a probability of 95 %, if results are distributed normally; nil with
	// fewer than [figure.MinSamples] runs.
	Low  *float64 `json:"low"`
	High *float64 `json:"high"`
}

// LevelOf is the present level of a series in the order of time: that behind its last change point. ok is false
// where the series is empty.
func LevelOf(series []float64) (l Level, ok bool) {
	if len(series) == 0 {
		return l, false
	}
	now := series
	if points := ChangePoints(series); len(points) > 0 {
		now = series[points[len(points)-1]:]
	}
	s := stats.Sample{Xs: now}
	l = Level{Runs: len(now), Before: len(series), Mean: metric.Round12(s.Mean())}
	if !figure.Finite(l.Mean) {
		return l, false
	}
	if l.Runs >= figure.MinSamples {
		n := float64(l.Runs)
		t := stats.InvCDF(stats.TDist{V: n - 1})(1 - (1-confidence)/2)
		reach := t * s.StdDev() * math.Sqrt(1+1/n)
		low, high := metric.Round12(l.Mean-reach), metric.Round12(l.Mean+reach)
		l.Low, l.High = &low, &high
	}
	return l, true
}

// Past are at most n runs of a card that were measured before r with the same engine and under the same name of a
// series, in the order of time. What has no date has no place in it, and of the card itself r need not be.
func Past(c *figure.Card, r *figure.Run, n int) []*figure.Run {
	var past []*figure.Run
	mine := line(r)
	for _, o := range c.Runs {
		if o.Started == "" || r.Started != "" && o.Started >= r.Started || o.Withdrawn != "" || o.ID == r.ID ||
			o.Engine.Slug != r.Engine.Slug || line(o) != mine {
			continue
		}
		at, _ := slices.BinarySearchFunc(past, o, inOrder)
		if past = slices.Insert(past, at, o); len(past) > n {
			past = past[len(past)-n:]
		}
	}
	return past
}

// inOrder orders runs by when they began.
func inOrder(a, b *figure.Run) int {
	return cmp.Or(cmp.Compare(a.Started, b.Started), cmp.Compare(a.ID, b.ID))
}

// mostOfPast is how many past runs a level is made of where nobody asks for another number.
const mostOfPast = 20

// Moved is which way the runs that were measured before r let a statistic go from one of them, o, to r: 1 up, −1 down,
// 0 neither. It goes where a change point lies between them, and where r is outside of what the present level lets
// expect. ok is false where they are too few for levels, or o is not among them.
func Moved(o, r *figure.Run, class string, load float64, m metric.ID, stat string) (direction int, ok bool) {
	at := -1
	var series []float64
	median := func(r *figure.Run) (float64, bool) {
		s := r.Scenario(class)
		if s == nil {
			return 0, false
		}
		sum := figure.Summarize(figure.Samples(s.AllAt(load), m, stat))
		return sum.Median, sum.N > 0
	}
	for _, p := range Past(r.Card, r, mostOfPast) {
		if v, has := median(p); has {
			if p == o {
				at = len(series)
			}
			series = append(series, v)
		}
	}
	now, has := median(r)
	level, known := LevelOf(series)
	if at < 0 || !has || len(series) < fewestOfHistory || !known || level.Low == nil {
		return 0, false
	}
	points := slices.Concat([]int{0}, ChangePoints(series), []int{len(series)})
	own := 0 // the level of o
	for points[own+1] <= at {
		own++
	}
	outside := now < *level.Low || now > *level.High
	before := series[points[own]:points[own+1]]
	switch {
	case own == len(points)-2 && !outside:
		return 0, true
	case len(before) < fewestOfLevel:
		return 0, false
	case !outside:
		now = level.Mean
	}
	return cmp.Compare(now, stats.Mean(before)), true
}

// checkPast holds a limit against what the past runs of a card let expect of b at each load that the newest of
// them was measured at.
func (g Gate) checkPast(past []*figure.Run, a, b *figure.Scenario) (out []GateResult) {
	for _, load := range a.Loads() {
		pb := b.AllAt(load)
		stat := g.stat(a.AllAt(load), pb)
		var series []float64
		for _, r := range past {
			if s := r.Scenario(a.Class); s != nil {
				if sum := figure.Summarize(measurements(s.AllAt(load), g.Metric, stat)); sum.N > 0 {
					series = append(series, sum.Median)
				}
			}
		}
		level, ok := LevelOf(series)
		if !ok {
			continue
		}
		out = append(out, g.expect(level, g.result(a, load, stat), figure.Summarize(measurements(pb, g.Metric, stat))))
	}
	return out
}

// expect says of a limit what b is against the level of a series.
func (g Gate) expect(level Level, r GateResult, b figure.Summary) GateResult {
	r.Past = &level
	if b.N == 0 {
		r.State, r.Why = GateMissing, "B has no such figure here"
		return r
	}
	info, _ := metric.Lookup(g.Metric)
	runs := metric.Plural(level.Runs, "run")
	if level.Runs < level.Before {
		runs += " since the last change point"
	}
	switch outside := g.outside(g.change(&r, level.Mean, b.Median)); {
	case !outside:
	case info.Better == metric.Higher && b.Median == 0:
		r.State, r.Why = GateExceeded, droppedToZero
	case level.Low == nil:
		r.State, r.Why = GateNoClaim, runs+", fewer than six: whether it is chance cannot be told"
	default:
		scale := metric.ScaleFor(info.Unit, []*float64{level.Low, level.High})
		between := fmt.Sprintf("%s to %s %s that %s let expect with 95\u202f%%", scale.Format(*level.Low),
			scale.Format(*level.High), scale.Unit, runs)
		if b.Median < *level.Low || b.Median > *level.High {
			r.State, r.Why = GateExceeded, "outside of the "+between
		} else {
			r.State, r.Why = GateNotDistinguishable, "not distinguishable: within the "+between
		}
	}
	return r
}
