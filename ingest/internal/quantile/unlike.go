package quantile

import (
	"fmt"
	"math"

	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
)

// Tools print few digits, and some cut where others round: numbers this far apart are the same.
const (
	relative = 0.005
	absolute = 1e-5 // in the base unit: 0.01 ms
)

// span is between which two numbers a statistic of samples lies: tools take one of two samples for a
// percentile, or a value between them.
type span struct{ least, value, most float64 }

// Unlike says in words which of mean, median and p99 that values state of a quantity is not what computed
// values give, "" where none differs. Known is false where they have none of them in common.
func Unlike(stated, computed []record.Value, q metric.ID) (why string, known bool) {
	return unlike(stated, q, func(stat string) (at span, unit string, n int64) {
		for _, v := range computed {
			if v.Quantity == q && typical(v.Stat) == stat {
				at, unit, n = span{v.Number, v.Number, v.Number}, v.Unit, v.N
			}
		}
		return at, unit, n
	})
}

// unlike is [Unlike] for the samples, which are in unit.
func (s *Samples) unlike(stated []record.Value, q metric.ID, unit string) (why string, known bool) {
	return unlike(stated, q, func(stat string) (span, string, int64) {
		switch stat {
		case metric.Mean:
			return span{s.Mean(), s.Mean(), s.Mean()}, unit, s.N()
		case metric.Median:
			return s.around(50), unit, s.N()
		default:
			return s.around(99), unit, s.N()
		}
	})
}

// around is a percentile with the two samples beside it, zeros where there is no sample.
func (s *Samples) around(p float64) span {
	if s.n == 0 {
		return span{}
	}
	lower, upper, between := around(s.n, p)
	least, most := s.at(lower), s.at(upper)
	return span{least, least + (most-least)*between, most}
}

// around are the ranks of the two of n samples beside a percentile, and how far it lies from the one to the other.
func around(n int, p float64) (lower, upper int, between float64) {
	pos := float64(n-1) * min(max(p, 0), 100) / 100
	return int(math.Floor(pos)), int(math.Ceil(pos)), pos - math.Floor(pos)
}

// typical is the name of a statistic that all tools compute alike: mean, median or p99; "" for others.
func typical(stat string) string {
	switch stat {
	case "p50", metric.Median:
		return metric.Median
	case metric.Mean, metric.P99:
		return stat
	}
	return ""
}

// unlike holds what is stated against what own gives, in a unit, of n values.
func unlike(
	stated []record.Value, q metric.ID, own func(stat string) (at span, unit string, n int64),
) (why string, known bool) {
	for _, v := range stated {
		stat := typical(v.Stat)
		if v.Quantity != q || stat == "" {
			continue
		}
		at, unit, n := own(stat)
		says, err := metric.ToBase(q, v.Number, v.Unit)
		if n == 0 || err != nil {
			continue
		}
		value, err := metric.ToBase(q, at.value, unit)
		least, _ := metric.ToBase(q, at.least, unit)
		most, _ := metric.ToBase(q, at.most, unit)
		if err != nil {
			continue
		}
		known = true
		if slack := relative*math.Abs(says) + absolute; says < least-slack || says > most+slack {
			info, _ := metric.Lookup(q)
			shown := metric.Texts(info.Unit, says, value)
			return fmt.Sprintf("%s of %s is stated as %s, and %s %s", stat, info.Label, shown[0],
				metric.Plural(n, "value gives", "values give"), shown[1]), true
		}
	}
	return "", known
}
