package refute

import (
	"fmt"
	"slices"

	"github.com/inferdex/inferdex/ingest/metric"
)

// interval holds the ends of an interval of a median against what is recorded: both are recorded numbers of the
// metric, and the value lies between them.
func (f facts) interval(r relation) error {
	i := r.Among[0]
	n, at := f.Of[i], f.at[i]
	if *r.Low > n.Value && !near(*r.Low, n.Value) || *r.High < n.Value && !near(*r.High, n.Value) {
		return fmt.Errorf("%v does not lie between %v and %v", n.Value, *r.Low, *r.High)
	}
	recorded := at.samples(n.Metric, n.Stat)
	for _, p := range at.points {
		s := at.run.Points[p].Metrics[metric.ID(n.Metric)]
		d := at.run.Points[p].Distributions[metric.ID(n.Metric)]
		for _, v := range []*float64{s.Min, s.Max, s.MedianLow, s.MedianHigh, d.MedianLow, d.MedianHigh} {
			if v != nil {
				recorded = append(recorded, *v)
			}
		}
		for _, q := range s.Percentiles {
			recorded = append(recorded, q.Value)
		}
	}
	for _, end := range []float64{*r.Low, *r.High} {
		if !slices.ContainsFunc(recorded, func(v float64) bool { return near(v, end) }) {
			return fmt.Errorf("%v is recorded nowhere", end)
		}
	}
	return nil
}

func (f facts) measurements(r relation) error {
	if n := len(f.samples(r.Among[0])); *r.Value != float64(n) {
		return fmt.Errorf("they are %d, not %v", n, *r.Value)
	}
	return nil
}

// requests are those that the statistics of a place are of.
func (f facts) requests(r relation) error {
	n, at := f.Of[r.Among[0]], f.at[r.Among[0]]
	total := int64(0)
	for _, p := range at.points {
		d := at.run.Points[p].Distributions[metric.ID(n.Metric)]
		if d.MedianLow != nil {
			total += d.N
		} else {
			total += at.run.Points[p].Metrics[metric.ID(n.Metric)].N
		}
	}
	if *r.Value != float64(total) {
		return fmt.Errorf("they are %d, not %v", total, *r.Value)
	}
	return nil
}

// within holds what is said of two intervals over requests: that they lie apart, or overlap.
func within(apart bool) func(facts, relation) error {
	return func(f facts, r relation) error {
		var ends []relation
		for _, i := range r.Among {
			for _, o := range f.Relations {
				if o.Is == "interval" && slices.Equal(o.Among, []int{i}) {
					ends = append(ends, o)
				}
			}
		}
		if len(ends) != 2 || ends[0].Low == nil || ends[0].High == nil || ends[1].Low == nil || ends[1].High == nil {
			return fmt.Errorf("two intervals are needed")
		}
		if lie := *ends[0].High < *ends[1].Low || *ends[1].High < *ends[0].Low; lie != apart {
			return fmt.Errorf("whether the intervals lie apart is stated wrongly")
		}
		return f.alike(r.Among)
	}
}

// changes are the relative differences of all pairs of a claim.
func (f facts) changes() (out []float64) {
	for _, r := range f.Relations {
		switch {
		case r.Is == "equal":
			out = append(out, 0)
		case r.Is == "change" && r.Value != nil:
			out = append(out, *r.Value)
		}
	}
	return out
}

// ofChanges holds a number against all changes of a claim.
func ofChanges(what func([]float64) float64) func(facts, relation) error {
	return func(f facts, r relation) error {
		all := f.changes()
		if len(all) == 0 || !near(what(all), *r.Value) {
			return fmt.Errorf("it is not %v", *r.Value)
		}
		return nil
	}
}

func (f facts) sure(r relation) error {
	n := 0
	for _, o := range f.Relations {
		if o.Is == "clear" || o.Is == "clear-within" {
			n++
		}
	}
	if *r.Value != float64(n) {
		return fmt.Errorf("%d differences are told apart, not %v", n, *r.Value)
	}
	return nil
}

// counts holds the ratio of two numbers of accelerators against what the runs record.
func (f facts) counts(r relation) error {
	for _, a := range f.at[r.Among[0]].counts {
		for _, b := range f.at[r.Among[1]].counts {
			if near(float64(a)/float64(b), *r.Value) {
				return nil
			}
		}
	}
	return fmt.Errorf("the accelerators are not %v times as many", *r.Value)
}
