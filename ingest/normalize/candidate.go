package normalize

import (
	"maps"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
)

// What Stat.Computed says.
const (
	computedHere  = "computed from per-request data or other values of the record"
	computedFiles = "computed from several records of the run"
)

// candidate is one record's account of a point.
type candidate struct {
	record *entry
	result *record.Result
	point  catalog.Point
	date   string        // when it was measured, as a source of the same measurement wrote it
	same   *[]*candidate // what several files tell of one measurement; nil for most
	// Which of several accounts says more: how many statistics it has, and how many digits all of them.
	stats, digits int
}

// weigh counts what an account says.
func (c *candidate) weigh() {
	c.stats, c.digits = 0, 0
	var room [32]byte
	for _, s := range c.point.Metrics {
		for x := range s.Each() {
			c.stats++
			c.digits += len(strconv.AppendFloat(room[:0], metric.Round(x.Value), 'e', -1, 64))
		}
	}
}

// pointOf turns a result into a point in base units. What cannot be turned is told.
func pointOf(r *entry, f *findings) *candidate {
	res := r.Record.(*record.Result)
	p := catalog.Point{
		Workload: res.Workload, Load: res.Load,
		Repetition: max(0, res.Repetition), Date: res.Date,
		Submitted: count(res.Submitted), Completed: count(res.Completed), NoOutput: count(res.NoOutput),
		Failed: count(res.Failed), TimedOut: count(res.TimedOut),
		At: r.place(),
	}
	if rate := p.Load.Rate; rate != nil && !(*rate >= 0) {
		f.add("unusable-load", record.Warning, r, "rate %v cannot be and was left out", float64(*rate))
		p.Load.Rate = nil
	}
	p.Errors = joinErrors(res.Errors)
	p.Metrics = metrics(r, res, f)
	p.Distributions = distributions(res)
	if d, ok := p.Metrics[metric.Duration]; ok && d.Value != nil {
		p.Duration = d.Value
		delete(p.Metrics, metric.Duration)
	}
	// The lengths served follow from the totals, which count completed requests only.
	if p.Completed != nil && *p.Completed > 0 {
		mean := func(m metric.ID, into *catalog.Number) {
			if *into != nil {
				return
			}
			if s := p.Metrics[m]; s.Value != nil {
				v := metric.Round(*s.Value / float64(*p.Completed))
				*into = &v
			}
		}
		mean(metric.InputTokens, &p.Workload.Actual.Input)
		mean(metric.OutputTokens, &p.Workload.Actual.Output)
	}
	if len(p.Metrics) == 0 {
		p.Metrics = nil
	}
	c := &candidate{record: r, result: res, point: p, date: res.Date}
	for _, n := range []*catalog.Number{&c.point.Workload.Actual.Input, &c.point.Workload.Actual.Output} {
		if *n != nil && **n > mostTokens {
			*n = nil // of a count that cannot be, which is told
		}
	}
	f.doubt(r, &c.point, slices.Concat(res.Doubts, impossible(res, &c.point)))
	return c
}

// candidates are the accounts of results.
func candidates(results []*entry, f *findings) []*candidate {
	all := make([]*candidate, len(results))
	for i, r := range results {
		all[i] = pointOf(r, f)
	}
	return all
}

// count drops numbers of requests that cannot be.
func count(n *int64) *int64 {
	if n != nil && *n < 0 {
		return nil
	}
	return n
}

// joinErrors adds up equal errors, which differ no more once cut and redacted.
func joinErrors(in []record.ErrorCount) []record.ErrorCount {
	if len(in) == 0 {
		return nil
	}
	sums := map[string]int64{}
	for _, e := range in {
		sums[e.Text] += e.Count
	}
	var out []record.ErrorCount
	for _, t := range slices.Sorted(maps.Keys(sums)) {
		out = append(out, record.ErrorCount{Text: t, Count: sums[t]})
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].Count > out[j].Count })
	return out
}

// measure is what a result says of one metric.
type measure struct {
	stat  catalog.Stat
	info  *metric.Info
	total bool     // one of computed is the total
	names []string // of the statistics that the format computed
}

// metrics converts the values of a result to base units and leaves out what is missing.
func metrics(r *entry, res *record.Result, f *findings) map[metric.ID]catalog.Stat {
	var room [16]measure // most have no more
	all := room[:0]
	numbers := make([]float64, 0, res.Count()) // one allocation for all of them
	at := -1                                   // the metric of the last value is mostly that of the next one
	for v := range res.Each() {
		m := v.Quantity
		if at < 0 || all[at].info.ID != m {
			at = slices.IndexFunc(all, func(x measure) bool { return x.info.ID == m })
		}
		var info *metric.Info
		if at >= 0 {
			info = all[at].info
		} else if info = metric.Known(m); info == nil {
			f.add("unknown-metric", record.Remark, r,
				"quantity %q is not known and was left out: name one of package metric", string(m))
			continue
		}
		n, err := metric.ToBase(m, v.Number, v.Unit)
		if err != nil {
			f.add("unknown-unit", record.Warning, r, "%s was left out: %v", v.Quantity, err)
			continue
		}
		if at < 0 {
			at = len(all)
			all = append(all, measure{info: info, stat: catalog.Stat{Unit: info.Unit}})
		}
		x := &all[at]
		// "p50" beside "median", or both in an edited file. Formats leave the first of what one name has twice too.
		if before, twice := x.stat.Get(v.Stat); twice {
			if math.Abs(n-before) > 0.01*math.Abs(before) && !agree(before, n) {
				shown := metric.Texts(info.Unit, before, n)
				f.contradiction(r, r, statName(m, v.Stat)+" is "+shown[0]+" and "+shown[1]+" in one record")
			}
			continue
		}
		numbers = append(numbers, n)
		if !x.stat.SetTo(v.Stat, &numbers[len(numbers)-1]) {
			f.add("unknown-statistic", record.Warning, r, "%s was left out: %q is no statistic", v.Quantity, v.Stat)
			continue
		}
		if v.Unit != info.Unit {
			x.stat.OrigUnit = v.Unit
		}
		x.stat.N = max(x.stat.N, v.N)
		if v.Key == "" {
			x.names, x.total = append(x.names, v.Stat), x.total || v.Stat == metric.Total
		}
	}
	out := make(map[metric.ID]catalog.Stat, len(all))
	for i := range all {
		x := &all[i]
		s := &x.stat
		present(x.info, s)
		n := s.Count()
		if n == 0 || n == 1 && s.Std != nil { // a deviation from nothing says nothing
			continue
		}
		if len(x.names) > 0 {
			s.Computed = x.computed(r.computed)
		}
		out[x.info.ID] = *s
	}
	return out
}

// computed says which of the statistics were computed, and by whom.
func (x *measure) computed(finish bool) string {
	var which []string
	n := 0
	for s := range x.stat.Each() {
		if n++; slices.Contains(x.names, s.Name) || s.Name == metric.Value && x.total {
			which = append(which, s.Name)
		}
	}
	how := computedHere
	if finish {
		how = computedFiles
	}
	switch len(which) {
	case n:
		return how
	case 0:
		return ""
	}
	return strings.Join(which, ", ") + " " + how
}

// distributions converts those of a result to base units. What cannot be one is left out: what is not
// ascending, or in a unit that does not fit, which metrics has told of.
func distributions(res *record.Result) map[metric.ID]catalog.Distribution {
	if len(res.Distributions) == 0 {
		return nil
	}
	out := map[metric.ID]catalog.Distribution{}
	for _, d := range res.Distributions {
		m := d.Quantity
		info, known := metric.Lookup(m)
		if !known || d.N < 1 || len(d.Quantiles) == 0 || len(d.Quantiles) > record.MaxQuantiles {
			continue
		}
		sound := true
		convert := func(v float64) float64 {
			b, err := metric.ToBase(m, v, d.Unit)
			sound = sound && err == nil
			return metric.Round(b)
		}
		c := catalog.Distribution{N: d.N, Unit: info.Unit}
		for i, q := range d.Quantiles {
			x := catalog.Percentile{P: q[0], Value: convert(q[1])}
			sound = sound && x.P >= 0 && x.P <= 100 && x.Value >= 0
			if i > 0 {
				sound = sound && x.P > c.Quantiles[i-1].P && x.Value >= c.Quantiles[i-1].Value
			}
			c.Quantiles = append(c.Quantiles, x)
		}
		if d.MedianLow != nil && d.MedianHigh != nil {
			lo, hi := convert(*d.MedianLow), convert(*d.MedianHigh)
			c.MedianLow, c.MedianHigh = &lo, &hi
		}
		if old, twice := out[m]; sound && (!twice || old.N < c.N) {
			out[m] = c
		}
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

// present leaves out of a Stat what was not measured. A mean or median of a latency that is zero or
// negative is missing, whatever the counts say; a smallest value and a percentile of zero are those of
// requests that got nothing, where the mean or the median is above zero; zeros of ITL are missing only
// when all of its statistics are zero; a standard deviation of zero is a value, but none that
// stands alone beside missing ones.
func present(info *metric.Info, s *catalog.Stat) {
	all, zeros := s.Count(), s.Zero()
	missing := func(v float64) bool { return v < 0 }
	switch {
	case info.Latency:
		missing = func(v float64) bool { return v <= 0 }
	case info.ID == metric.ITL:
		missing = func(v float64) bool { return v < 0 || zeros }
	}
	for _, n := range []*catalog.Number{&s.Value, &s.Mean, &s.Median, &s.Max} {
		if *n != nil && missing(**n) {
			*n = nil
		}
	}
	// Below the median, and below every percentile above zero, zero is what requests got that completed
	// with nothing.
	some := s.Mean != nil || s.Median != nil
	least := 50.0
	for _, p := range s.Percentiles {
		if p.Value > 0 {
			least = min(least, p.P)
		}
	}
	low := func(p, v float64) bool { return v == 0 && some && p < least && !zeros }
	for _, n := range []*catalog.Number{&s.Min, &s.MedianLow, &s.MedianHigh} {
		if *n != nil && missing(**n) && !low(0, **n) {
			*n = nil
		}
	}
	s.Percentiles = slices.DeleteFunc(s.Percentiles,
		func(p catalog.Percentile) bool { return missing(p.Value) && !low(p.P, p.Value) })
	if len(s.Percentiles) == 0 {
		s.Percentiles = nil
	}
	if left := s.Count(); left < all && left == 1 && s.Std != nil {
		s.Std = nil
	}
}

// has reports whether s holds a statistic.
func has(s catalog.Stat, name string) bool {
	_, ok := s.Get(name)
	return ok
}

// derived reports whether a statistic was computed here and not read.
func derived(s catalog.Stat, name string) bool {
	which, partly := strings.CutSuffix(s.Computed, " "+computedHere)
	return s.Computed == computedHere || s.Computed == computedFiles || partly &&
		slices.Contains(strings.Split(which, ", "), name)
}

// mostTokens is more than a request has: a thousand times the longest context.
const mostTokens = 1e9
