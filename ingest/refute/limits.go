package refute

import (
	"fmt"
	"slices"

	"github.com/inferdex/inferdex/ingest/metric"
)

// keeps reports whether each measurement of a load keeps all limits; what is not recorded keeps none.
func (m *measured) keeps(limits []limit) bool {
	for one := range m.each() {
		for _, l := range limits {
			if v, ok := one.value(l.Metric, l.Stat); !ok || l.broken(v) {
				return false
			}
		}
	}
	return true
}

// broken reports whether a value is beyond a limit.
func (l limit) broken(v float64) bool {
	return l.Most != nil && v > *l.Most || l.Least != nil && v < *l.Least && !near(v, *l.Least)
}

// lacks is the first limit of which a load that breaks none records nothing; of several such loads that of the
// smallest, and nil where there is none.
func (c *curve) lacks(limits []limit) *limit {
	for _, m := range c.loads {
		var missing *limit
		broken := false
		for one := range m.each() {
			for i, l := range limits {
				v, ok := one.value(l.Metric, l.Stat)
				broken = broken || ok && l.broken(v)
				if !ok && missing == nil {
					missing = &limits[i]
				}
			}
		}
		if !broken && missing != nil {
			return missing
		}
	}
	return nil
}

// mostKeeping is the load of a workload with the highest output throughput of those that keep limits, of equal ones
// the smallest; the highest load where none has a throughput, and nil where none keeps them.
func (c *curve) mostKeeping(limits []limit) (best *measured) {
	top := -1.0
	for _, m := range c.loads {
		v, ok := m.value(output, "value")
		if !m.keeps(limits) || top >= 0 && !(ok && v > top) {
			continue
		}
		if best = m; ok {
			top = v
		}
	}
	return best
}

// graded are the statistics that limits are of, each beside those that are nearest to it.
var graded = []string{"p99", "p95", "p90", "p75", "median", "mean"}

// inPlaceOfTPOT are the metrics that may be held against a limit of TPOT that no load records; rates as their
// reciprocals, the highest speed for the shortest time.
var inPlaceOfTPOT = []string{"itl", "ntpot", "speed_per_request"}

// has reports whether some load has one of some statistics.
func (c *curve) has(id string, stats ...string) bool {
	return slices.ContainsFunc(c.loads, func(m *measured) bool {
		return slices.ContainsFunc(stats, func(stat string) bool { _, ok := m.value(id, stat); return ok })
	})
}

// standsWell reports a limit that stands for one that is recorded, or for which another one is nearer.
func (c *curve) standsWell(l limit) error {
	if l.For == nil {
		return nil
	}
	if l.For.Stat == "" {
		at := slices.Index(inPlaceOfTPOT, l.Metric)
		if l.For.Metric != "tpot" || at < 0 || (l.Least != nil) != (l.Metric == "speed_per_request") {
			return fmt.Errorf("%s does not stand for %s", l.Metric, l.For.Metric)
		}
		for _, id := range append([]string{"tpot"}, inPlaceOfTPOT[:at]...) {
			if c.has(id, graded...) {
				return fmt.Errorf("%s is recorded", id)
			}
		}
		return nil
	}
	want, got := slices.Index(graded, l.For.Stat), slices.Index(graded, l.Stat)
	if l.For.Metric != l.Metric || want < 0 || got < 0 || want == got {
		return fmt.Errorf("%s %s does not stand for %s %s", l.Metric, l.Stat, l.For.Metric, l.For.Stat)
	}
	for i, stat := range graded {
		if far := max(want-got, got-want); max(want-i, i-want) < far && c.has(l.Metric, stat) {
			return fmt.Errorf("%s %s is recorded", l.Metric, stat)
		}
	}
	return nil
}

// standWell reports a limit of a relation that stands for another wrongly.
func (f facts) standWell(r relation) error {
	for _, l := range r.Limits {
		if err := f.at[r.Among[0]].of.standsWell(l); err != nil {
			return err
		}
	}
	return nil
}

func (f facts) keeps(r relation) error {
	if err := f.standWell(r); err != nil {
		return err
	}
	at := f.at[r.Among[0]]
	if best := at.of.mostKeeping(r.Limits); len(r.Limits) == 0 || best != at.measured {
		return fmt.Errorf("%v is not the load that yields most of those that keep the limits", at.load)
	}
	return nil
}

func (f facts) breaks(r relation) error {
	if err := f.standWell(r); err != nil {
		return err
	}
	if m := f.at[r.Among[0]].of.mostKeeping(r.Limits); len(r.Limits) == 0 || m != nil {
		return fmt.Errorf("a load keeps the limits")
	}
	return nil
}

// unjudged holds a workload against limits that it can neither keep nor break: the limits of the claim, or what stands
// for them.
func (f facts) unjudged(r relation) error {
	if err := f.standWell(r); err != nil {
		return err
	}
	if !slices.EqualFunc(r.Limits, f.held(), limit.asSet) {
		return fmt.Errorf("other limits than those that are kept")
	}
	if of := f.at[r.Among[0]].of; of.mostKeeping(r.Limits) != nil || of.lacks(r.Limits) == nil {
		return fmt.Errorf("what is recorded keeps or breaks the limits")
	}
	return nil
}

// held are the limits that a claim is about.
func (f facts) held() []limit {
	for _, r := range f.Relations {
		if len(r.Limits) > 0 && r.Is != "unjudged" {
			return r.Limits
		}
	}
	return nil
}

// asSet reports whether two limits are the same or stand for the same.
func (l limit) asSet(o limit) bool {
	metricL, statL, valueL := l.set()
	metricO, statO, valueO := o.set()
	return metricL == metricO && (statL == statO || statL == "" || statO == "") && near(valueL, valueO)
}

// set is a limit as it was set: of a rate that stands for a time it is that of the time, and the statistic is not known
// where another metric stands for one.
func (l limit) set() (id, stat string, value float64) {
	id, stat = l.Metric, l.Stat
	if l.For != nil {
		id, stat = l.For.Metric, l.For.Stat
	}
	switch {
	case l.Most != nil:
		value = *l.Most
	case l.Least != nil && l.For != nil && *l.Least > 0:
		value = 1 / *l.Least
	case l.Least != nil:
		value = *l.Least
	}
	return id, stat, value
}

// counts reports a relation whose value is not how many there are.
func (r relation) counts(n int, what string) error {
	if *r.Value != float64(n) {
		return fmt.Errorf("%d %s, not %v", n, what, *r.Value)
	}
	return nil
}

func (f facts) fails(r relation) error { return r.counts(f.many("breaks"), "break the limits") }

func (f facts) kept(r relation) error { return r.counts(f.many("keeps"), "keep the limits") }

// many is how many relations of a kind there are.
func (f facts) many(is string) (n int) {
	for _, o := range f.Relations {
		if o.Is == is {
			n++
		}
	}
	return n
}

// cost is what a million tokens cost at a price of one accelerator for an hour.
func (f facts) cost(r relation) error {
	n := f.Of[r.Among[0]]
	if want := 1e6 * *r.At / (3600 * n.Is); n.Over == 0 || n.Metric != output || !near(want, *r.Value) {
		return fmt.Errorf("they cost %v, not %v", want, *r.Value)
	}
	return nil
}

// keptWithout counts the numbers that keep limits and of which a relation computes nothing.
func keptWithout(is string) func(facts, relation) error {
	return func(f facts, r relation) error { return r.counts(len(f.without(is)), "have no "+is) }
}

// without are the numbers that keep limits and of which a relation computes nothing, in the order in which the limits
// name them.
func (f facts) without(is string) (left []int) {
	computed := map[int]bool{}
	for _, o := range f.Relations {
		if o.Is == is {
			computed[o.Among[0]] = true
		}
	}
	for _, o := range f.Relations {
		if o.Is == "keeps" && !computed[o.Among[0]] && !slices.Contains(left, o.Among[0]) {
			left = append(left, o.Among[0])
		}
	}
	return left
}

// joule is how many tokens a joule yields at a power in watts; 0 says that energy was measured.
func (f facts) joule(r relation) error {
	n := f.Of[r.Among[0]]
	want := n.Is
	if *r.At > 0 {
		want = n.Value / *r.At
		if m := f.at[r.Among[0]]; n.Metric != output {
			return fmt.Errorf("%s at %v is no throughput", n.Metric, m.load)
		}
		if w, ok := f.at[r.Among[0]].central(string(metric.Power)); ok && !near(w, *r.At) {
			return fmt.Errorf("the power is %v, not %v", w, *r.At)
		}
	}
	if !near(want, *r.Value) {
		return fmt.Errorf("they are %v, not %v", want, *r.Value)
	}
	return nil
}

// ofAll holds a number against what all relations of a name compute.
func ofAll(name string, what func([]float64) float64) func(facts, relation) error {
	return func(f facts, r relation) error {
		var all []float64
		for _, o := range f.Relations {
			if o.Is == name && o.Value != nil {
				all = append(all, *o.Value)
			}
		}
		if len(all) == 0 || !slices.Contains(all, *r.Value) || !near(what(all), *r.Value) {
			return fmt.Errorf("it is not %v", *r.Value)
		}
		return nil
	}
}
