package refute

import (
	"fmt"
	"math"
	"slices"
)

// beside holds how far two metrics of one place lie apart.
func (f facts) beside(r relation) error {
	i, j := r.Among[0], r.Among[1]
	a, b := f.Of[i], f.Of[j]
	switch {
	case f.at[i] != f.at[j] || a.Stat != b.Stat || a.Metric == b.Metric || a.Over+b.Over > 0 || a.Inverse || b.Inverse:
		return fmt.Errorf("%s and %s are not of one place", a.Metric, b.Metric)
	case a.Value <= 0 || !near(math.Abs(b.Value-a.Value)/a.Value, *r.Value):
		return fmt.Errorf("%v and %v do not lie %v apart", a.Value, b.Value, *r.Value)
	}
	return nil
}

// farthest holds the most of all relations beside: every load of their workloads that has both is one of them.
func (f facts) farthest(r relation) error {
	most, places := -1.0, []place{}
	var metrics []string
	for _, o := range f.Relations {
		if o.Is != "beside" || len(o.Among) != 2 || o.Value == nil {
			continue
		}
		a, b := f.Of[o.Among[0]], f.Of[o.Among[1]]
		these := []string{a.Metric, b.Metric, a.Stat}
		if metrics != nil && !slices.Equal(metrics, these) {
			return fmt.Errorf("%s is held beside two metrics", a.Metric)
		}
		metrics, places, most = these, append(places, f.at[o.Among[0]]), max(most, *o.Value)
	}
	if !near(most, *r.Value) {
		return fmt.Errorf("the most is %v", most)
	}
	for _, p := range places {
		for _, m := range p.of.loads {
			_, first := m.value(metrics[0], metrics[2])
			_, second := m.value(metrics[1], metrics[2])
			if first && second && !slices.ContainsFunc(places, func(q place) bool { return q.measured == m }) {
				return fmt.Errorf("the load %v is left out", m.load)
			}
		}
	}
	return nil
}

// lengthsClaim is how many tokens the prompts of a workload held with several runs, the fewest first.
type lengthsClaim struct {
	Of []struct {
		operand
		Input  float64 `json:"input"`
		Called string  `json:"called"`
	} `json:"of"`
}

// lengths holds what prompts held against the records, and reports lengths that hardly differ.
func lengths(k *Checker, s Statement) error {
	c, err := read[lengthsClaim](s)
	if err != nil {
		return err
	}
	if len(c.Of) < 2 {
		return fmt.Errorf("one length differs from none")
	}
	var before *measured
	for i, o := range c.Of {
		o.Metric = output // the place alone is cited
		at, err := k.cited(o.operand)
		if err != nil {
			return err
		}
		var held []float64
		for _, m := range at.of.loads {
			for _, j := range m.points {
				if v := m.run.Points[j].Workload.Actual.Input; v != nil {
					held = append(held, *v)
				}
			}
		}
		switch {
		case len(held) == 0 || !near(middle(held), o.Input):
			return fmt.Errorf("prompts of %q held %v tokens, not %v", o.Run, held, o.Input)
		case before != nil && (before.run == at.run || o.Input < c.Of[i-1].Input):
			return fmt.Errorf("%q is out of order, or stands twice", o.Run)
		}
		before = at.measured
	}
	if least, most := c.Of[0].Input, c.Of[len(c.Of)-1].Input; most <= least*1.05 {
		return fmt.Errorf("%v and %v tokens hardly differ", least, most)
	}
	first, last := c.Of[0], c.Of[len(c.Of)-1]
	if err := k.exchanged(k.name(first.Called), k.runs[first.Run], k.name(last.Called), k.runs[last.Run]); err != nil {
		return err
	}
	return reads(s,
		says("Prompts held % tokens on average on % and % on %: another tokenizer, or another set of prompts.",
			num(math.Round(first.Input)), say(spaced(first.Called)), num(math.Round(last.Input)), say(spaced(last.Called))))
}
