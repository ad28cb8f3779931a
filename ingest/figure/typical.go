package figure

import (
	"fmt"
	"slices"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
)

// typical is the point that stands for the measurements of one workload and load: the only one, or of
// several the median of each statistic over those that state it. Counts of requests are sums, so that
// what failed in one of them is not lost; the number of prompts is that of the largest. Its place and its distributions
// are those of the measurement whose throughput is the median (the lower of two), since no record states the medians.
func typical(all []*catalog.Point) *catalog.Point {
	if len(all) == 1 {
		return all[0]
	}
	middle := middleOf(all)
	p := *middle
	p.Repetition = 0
	p.Workload.Actual = record.Lengths{
		Input:  medianNumber(all, func(q *catalog.Point) catalog.Number { return q.Workload.Actual.Input }),
		Output: medianNumber(all, func(q *catalog.Point) catalog.Number { return q.Workload.Actual.Output }),
	}
	p.Submitted = sum(all, func(q *catalog.Point) *int64 {
		if q.Submitted == nil {
			return q.Workload.NumPrompts
		}
		return q.Submitted
	})
	p.Completed = sum(all, func(q *catalog.Point) *int64 { return q.Completed })
	p.NoOutput = sum(slices.DeleteFunc(slices.Clone(all), func(q *catalog.Point) bool { return q.NoOutput == nil }),
		func(q *catalog.Point) *int64 { return q.NoOutput }) // only where there are some is it recorded
	p.Failed = sum(all, func(q *catalog.Point) *int64 { return q.Failed })
	p.TimedOut = sum(all, func(q *catalog.Point) *int64 { return q.TimedOut })
	p.Workload.NumPrompts = mostPrompts(all)
	p.Duration = medianNumber(all, func(q *catalog.Point) catalog.Number { return q.Duration })
	p.Metrics = map[metric.ID]catalog.Stat{}
	for _, q := range all {
		for m := range q.Metrics {
			if _, done := p.Metrics[m]; !done {
				p.Metrics[m] = medianStat(all, m)
			}
		}
	}
	return &p
}

// middleOf is the measurement with the median throughput; the first where none is recorded.
func middleOf(all []*catalog.Point) *catalog.Point {
	var known []*catalog.Point
	for _, q := range all {
		if _, ok := Throughput(q); ok {
			known = append(known, q)
		}
	}
	if len(known) == 0 {
		return all[0]
	}
	slices.SortStableFunc(known, func(a, b *catalog.Point) int {
		x, _ := Throughput(a)
		y, _ := Throughput(b)
		switch {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	})
	return known[(len(known)-1)/2]
}

// medianStat is the median of each statistic of a metric over the measurements that state it. The
// interval of a median within one measurement says nothing of several and is left out.
func medianStat(all []*catalog.Point, m metric.ID) catalog.Stat {
	var out catalog.Stat
	var ps []float64
	n := 0
	for _, q := range all {
		s, ok := q.Metrics[m]
		if !ok {
			continue
		}
		n++
		out.Unit, out.OrigUnit = s.Unit, s.OrigUnit
		out.N += s.N
		for _, pc := range s.Percentiles {
			if !slices.Contains(ps, pc.P) {
				ps = append(ps, pc.P)
			}
		}
	}
	number := func(get func(*catalog.Stat) catalog.Number) catalog.Number {
		return medianNumber(all, func(q *catalog.Point) catalog.Number {
			if s, ok := q.Metrics[m]; ok {
				return get(&s)
			}
			return nil
		})
	}
	out.Value = number(func(s *catalog.Stat) catalog.Number { return s.Value })
	out.Mean = number(func(s *catalog.Stat) catalog.Number { return s.Mean })
	out.Median = number(func(s *catalog.Stat) catalog.Number { return s.Median })
	out.Std = number(func(s *catalog.Stat) catalog.Number { return s.Std })
	out.Min = number(func(s *catalog.Stat) catalog.Number { return s.Min })
	out.Max = number(func(s *catalog.Stat) catalog.Number { return s.Max })
	slices.Sort(ps)
	for _, at := range ps {
		v := number(func(s *catalog.Stat) catalog.Number {
			for i := range s.Percentiles {
				if s.Percentiles[i].P == at {
					return &s.Percentiles[i].Value
				}
			}
			return nil
		})
		out.Percentiles = append(out.Percentiles, catalog.Percentile{P: at, Value: *v})
	}
	out.Computed = fmt.Sprintf("median of %d measurements", n)
	return out
}

// medianNumber is the median over the measurements that have a number; nil where none has.
func medianNumber(all []*catalog.Point, get func(*catalog.Point) catalog.Number) catalog.Number {
	var vs []float64
	for _, q := range all {
		if v := get(q); v != nil {
			vs = append(vs, *v)
		}
	}
	if len(vs) == 0 {
		return nil
	}
	v := median(vs)
	return &v
}

// mostPrompts is how many prompts the largest of the measurements sent; nil where none records it.
func mostPrompts(all []*catalog.Point) (most *int64) {
	for _, q := range all {
		n := q.Workload.NumPrompts
		if n == nil {
			n = q.Submitted
		}
		if n != nil && (most == nil || *n > *most) {
			most = n
		}
	}
	return most
}

// sum adds counts; nil where one is not recorded, and of nothing.
func sum(all []*catalog.Point, get func(*catalog.Point) *int64) *int64 {
	if len(all) == 0 {
		return nil
	}
	var total int64
	for _, q := range all {
		n := get(q)
		if n == nil {
			return nil
		}
		total += *n
	}
	return &total
}

func median(vs []float64) float64 {
	if len(vs) == 0 {
		return 0
	}
	vs = slices.Clone(vs)
	slices.Sort(vs)
	if n := len(vs); n%2 == 0 {
		return metric.Round12((vs[n/2-1] + vs[n/2]) / 2)
	}
	return vs[len(vs)/2]
}
