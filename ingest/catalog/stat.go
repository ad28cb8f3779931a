package catalog

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/metric"
)

// Statistic is one number of a Stat: "mean", "p99".
type Statistic struct {
	Name  string
	Value float64
}

// named are the names of the statistics that are no percentile, in the order in which [Stat.All] lists them.
var named = []string{
	metric.Value, metric.Mean, metric.Median, metric.Std, metric.Min, metric.Max, metric.MedianLow, metric.MedianHigh,
}

// number is where a Stat keeps a statistic that is no percentile; nil for any other name.
func (s *Stat) number(name string) *Number {
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
func (s *Stat) Set(name string, v float64) (ok bool) {
	if n := s.number(name); n != nil {
		*n = &v
		return true
	}
	p, ok := percentile(name)
	if !ok {
		return false
	}
	i, found := slices.BinarySearchFunc(s.Percentiles, p, func(q Percentile, p float64) int { return cmp.Compare(q.P, p) })
	if found {
		s.Percentiles[i].Value = v
	} else {
		s.Percentiles = slices.Insert(s.Percentiles, i, Percentile{P: p, Value: v})
	}
	return true
}

// All lists the statistics that a Stat has, the percentiles last.
func (s Stat) All() []Statistic {
	var out []Statistic
	for _, name := range named {
		if v, ok := s.Get(name); ok {
			out = append(out, Statistic{name, v})
		}
	}
	for _, p := range s.Percentiles {
		out = append(out, Statistic{"p" + strconv.FormatFloat(p.P, 'f', -1, 64), p.Value})
	}
	return out
}
