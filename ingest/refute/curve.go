package refute

import (
	"cmp"
	"iter"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
)

// near allows for what rounding to 12 digits and the order of a sum change.
func near(a, b float64) bool {
	return a == b || math.Abs(a-b) <= 1e-9*max(math.Abs(a), math.Abs(b))
}

// nearChange does so for changes: that of two numbers of 12 digits that lie close together has fewer, their ratio as many.
func nearChange(a, b float64) bool { return near(a, b) || near(1+a, 1+b) }

func sameInts(a, b []int) bool {
	a, b = slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b))
	return slices.Equal(a, b)
}

// curve is one workload of a run: what was measured at each load.
type curve struct {
	axis  string
	loads []*measured // in ascending order
}

// measured are the points of one load.
type measured struct {
	run    *catalog.Run
	load   float64
	points []int
	// counts are the numbers of accelerators that the run may mean.
	counts []int
	// suspect are the metrics of each point that cannot be; none before they are asked for.
	suspect []map[metric.ID]bool
}

// each gives the measurements of a load one by one.
func (m *measured) each() iter.Seq[*measured] {
	return func(yield func(*measured) bool) {
		for _, p := range m.points {
			one := m
			if len(m.points) > 1 {
				one = &measured{run: m.run, load: m.load, points: []int{p}, counts: m.counts}
			}
			if !yield(one) {
				return
			}
		}
	}
}

// doubted are the metrics of the n-th point that cannot be.
func (m *measured) doubted(n int) map[metric.ID]bool {
	if len(m.suspect) < len(m.points) {
		m.suspect = make([]map[metric.ID]bool, len(m.points))
		for i, p := range m.points {
			m.suspect[i] = map[metric.ID]bool{}
			for id := range m.run.Suspects(&m.run.Points[p]) {
				m.suspect[i][id] = true
			}
		}
	}
	return m.suspect[n]
}

// curves are the workloads of a run. Its points are put together in their order: each belongs to the first
// workload whose first point agrees with it.
func curves(r *catalog.Run) []*curve {
	var out []*curve
	var first []int
	counts := accelerators(r)
	for i := range r.Points {
		p := &r.Points[i]
		axis, load := loadOf(p.Load)
		j := slices.IndexFunc(out, func(c *curve) bool {
			q := &r.Points[first[slices.Index(out, c)]]
			if c.axis != axis || !alike(q, p) {
				return false
			}
			// Other numbers of requests are no repetitions where they are the load.
			m := c.at(load)
			return m == nil || r.Points[m.points[0]].SameLoad(p)
		})
		if j < 0 {
			j = len(out)
			out, first = append(out, &curve{axis: axis}), append(first, i)
		}
		c := out[j]
		if m := c.at(load); m != nil {
			m.points = append(m.points, i)
		} else {
			c.loads = append(c.loads, &measured{run: r, load: load, points: []int{i}, counts: counts})
		}
	}
	for _, c := range out {
		slices.SortFunc(c.loads, func(a, b *measured) int { return cmp.Compare(a.load, b.load) })
	}
	return out
}

// loadOf is how hard the server was driven: concurrency, else requests a second with a limit, else the batch, else
// all requests at once.
func loadOf(l record.Load) (axis string, value float64) {
	switch {
	case l.MaxConcurrency != nil:
		return "concurrency", float64(*l.MaxConcurrency)
	case l.Rate != nil && *l.Rate <= math.MaxFloat64:
		return "rate", float64(*l.Rate)
	case l.Batch != nil:
		return "batch", float64(*l.Batch)
	case l.Rate != nil:
		return "rate", float64(*l.Rate)
	}
	return "", 0
}

// loadInName is the load as some tools write it behind the name of a scenario.
var loadInName = regexp.MustCompile(`\s*\((c|concurrency|rate|qps|n)\s*=\s*[0-9.]+\)\s*$`)

// alike reports whether two points are of one workload, by the lengths of each; of whole workloads see sizes.
func alike(a, b *catalog.Point) bool {
	v, w := a.Workload, b.Workload
	return oneKind(a, b) && closeBy(v.Nominal.Input, w.Nominal.Input, v.Actual.Input, w.Actual.Input, 0.05) &&
		closeBy(v.Nominal.Output, w.Nominal.Output, v.Actual.Output, w.Actual.Output, 0.2)
}

// sizes are the lengths of a workload as those of several runs are held against each other: what was asked for, else the
// medians of what was served, to two digits.
func (c *curve) sizes() [2]string {
	var ins, outs []float64
	var asked record.Lengths
	for _, m := range c.loads {
		for _, i := range m.points {
			w := m.run.Points[i].Workload
			asked = w.Nominal
			if w.Actual.Input != nil {
				ins = append(ins, *w.Actual.Input)
			}
			if w.Actual.Output != nil {
				outs = append(outs, *w.Actual.Output)
			}
		}
	}
	size := func(asked *float64, served []float64) string {
		switch {
		case asked != nil:
			return strconv.FormatFloat(*asked, 'g', -1, 64)
		case len(served) > 0:
			return "about " + strconv.FormatFloat(middle(served), 'g', 2, 64)
		}
		return ""
	}
	return [2]string{size(asked.Input, ins), size(asked.Output, outs)}
}

// oneKind reports whether two points are of one workload but for its lengths.
func oneKind(a, b *catalog.Point) bool {
	v, w := a.Workload, b.Workload
	text := v.Dataset == w.Dataset && v.Distribution == w.Distribution && v.LengthSemantics == w.LengthSemantics &&
		v.TokenCounting == w.TokenCounting &&
		(v.Name == w.Name || loadInName.ReplaceAllString(v.Name, "") == loadInName.ReplaceAllString(w.Name, ""))
	return text && sameBool(v.PrefixCache, w.PrefixCache) && sameBool(v.IgnoreEOS, w.IgnoreEOS) &&
		sameBool(v.Streaming, w.Streaming)
}

func sameBool(a, b *bool) bool { return (a == nil) == (b == nil) && (a == nil || *a == *b) }

// closeBy compares lengths: those asked for must be equal, those served close by.
func closeBy(askedA, askedB, servedA, servedB *float64, tolerance float64) bool {
	if askedA != nil || askedB != nil {
		return askedA != nil && askedB != nil && *askedA == *askedB
	}
	return servedA == nil || servedB == nil || math.Abs(*servedA-*servedB) <= tolerance*max(*servedA, *servedB)
}

// at is what was measured at a load, nil for nothing.
func (c *curve) at(load float64) *measured {
	for _, m := range c.loads {
		if m.load == load {
			return m
		}
	}
	return nil
}

// samples are the values of a statistic, one a point that has it; nothing may follow from a value that cannot be.
func (m *measured) samples(id, stat string) []float64 {
	var vs []float64
	for n, i := range m.points {
		if s, ok := m.run.Points[i].Metrics[metric.ID(id)]; ok && !m.doubted(n)[metric.ID(id)] {
			if v, ok := statistic(s, stat); ok {
				vs = append(vs, v)
			}
		}
	}
	return vs
}

// value is what stands for a statistic at a load: the median of its measurements. The success rate is
// counted over all of them; what completed without output is none.
func (m *measured) value(id, stat string) (float64, bool) {
	if id == "success_rate" && stat == "value" {
		done, none, sent, ok := m.completed()
		if !ok {
			return 0, false
		}
		return float64(done-none) / float64(sent), true
	}
	vs := m.samples(id, stat)
	if len(vs) == 0 {
		return 0, false
	}
	return middle(vs), true
}

// central is the statistic that stands for a metric at a load: its value, else median, mean, maximum. Of
// several measurements it is the first of these that any of them has.
func (m *measured) central(id string) (float64, bool) {
	for _, stat := range []string{"value", "median", "mean", "max"} {
		if v, ok := m.value(id, stat); ok {
			return v, true
		}
	}
	return 0, false
}

// completed counts the requests of a load over all its measurements, and how many of those that completed have no output.
func (m *measured) completed() (done, none, sent int64, ok bool) {
	failed := int64(0)
	known := true
	for _, i := range m.points {
		p := &m.run.Points[i]
		if p.Completed == nil {
			return 0, 0, 0, false
		}
		done += *p.Completed
		if p.NoOutput != nil {
			none += *p.NoOutput
		}
		switch {
		case p.Submitted != nil:
			sent += *p.Submitted
		case p.Workload.NumPrompts != nil:
			sent += *p.Workload.NumPrompts
		case p.Failed != nil:
			failed += *p.Failed + *p.Completed
			sent += *p.Failed + *p.Completed
		default:
			known = false
		}
	}
	return done, min(none, done), sent, known && sent > 0
}

// prompts is how many requests the largest of the measurements sent where that is fewer than the
// concurrency, which was then never reached; 0 otherwise.
func (m *measured) prompts() int64 {
	most := int64(-1)
	for _, i := range m.points {
		p := &m.run.Points[i]
		switch {
		case p.Workload.NumPrompts != nil:
			most = max(most, *p.Workload.NumPrompts)
		case p.Submitted != nil:
			most = max(most, *p.Submitted)
		}
	}
	if c := m.run.Points[m.points[0]].Load.MaxConcurrency; c == nil || most < 0 || most >= *c {
		return 0
	}
	return most
}

func statistic(s catalog.Stat, name string) (float64, bool) {
	of := func(all ...*float64) (float64, bool) {
		for _, v := range all {
			if v != nil {
				return *v, true
			}
		}
		return 0, false
	}
	switch name {
	case "central":
		return of(s.Value, s.Median, s.Mean, s.Max)
	case "value":
		return of(s.Value)
	case "mean":
		return of(s.Mean)
	case "median", "p50":
		return of(s.Median)
	case "std":
		return of(s.Std)
	case "min":
		return of(s.Min)
	case "max":
		return of(s.Max)
	}
	at, err := strconv.ParseFloat(strings.TrimPrefix(name, "p"), 64)
	if err != nil {
		return 0, false
	}
	for _, p := range s.Percentiles {
		if p.P == at {
			return p.Value, true
		}
	}
	return 0, false
}

func middle(vs []float64) float64 {
	vs = slices.Clone(vs)
	slices.Sort(vs)
	if n := len(vs); n%2 == 0 {
		return (vs[n/2-1] + vs[n/2]) / 2
	}
	return vs[len(vs)/2]
}

// fewestForInterval is how many values an interval of their median at 95 % needs at least: of five, not even
// the smallest and the largest hold it so surely.
const fewestForInterval = 6

// interval is a pair of ordered values with the probability that the median lies between them.
type interval struct{ low, high, confidence float64 }

// intervals are the pairs of values between which the median lies with at least 95 %, by the binomial
// distribution, that no pair of closer ranks holds so surely; none of fewer than six values.
func intervals(vs []float64) (out []interval) {
	n := len(vs)
	vs = slices.Sorted(slices.Values(vs))
	exactly := make([]float64, n+1) // the probability that k of n values lie below the median
	ln := func(k int) float64 { v, _ := math.Lgamma(float64(k + 1)); return v }
	for k := range exactly { // of a thousand values, none is the smallest number that there is
		exactly[k] = math.Exp(ln(n) - ln(k) - ln(n-k) - float64(n)*math.Ln2)
	}
	for width := 1; width < n && len(out) == 0; width++ {
		for l := 1; l+width <= n; l++ {
			covered := 0.0 // by the values of the ranks l to l + width, from 1
			for k := l; k < l+width; k++ {
				covered += exactly[k]
			}
			if covered >= 0.95 {
				out = append(out, interval{vs[l-1], vs[l+width-1], covered})
			}
		}
	}
	return out
}

// holds reports whether lo and hi are such an interval with the stated confidence.
func holds(vs []float64, lo, hi, confidence float64) bool {
	return slices.ContainsFunc(intervals(vs), func(i interval) bool {
		return near(i.low, lo) && near(i.high, hi) && near(i.confidence, confidence)
	})
}

// apart reports whether the intervals of two medians lie apart. Of some counts there are several intervals:
// sure says that all of them do, and possible that two of them do. Both are false where there are none.
func apart(as, bs []float64) (sure, possible bool) {
	sure = true
	for _, a := range intervals(as) {
		for _, b := range intervals(bs) {
			lie := a.high < b.low || b.high < a.low
			sure, possible = sure && lie, possible || lie
		}
	}
	return sure && possible, possible
}

// attribute is what a run records of itself, "" for nothing.
func attribute(r *catalog.Run, key string) string { return r.Attributes[key].Value }

// count is the number of accelerators, 0 where it is not recorded.
func count(r *catalog.Run) string { return attribute(r, "count") }
