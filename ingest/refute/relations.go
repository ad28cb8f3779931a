package refute

import (
	"errors"
	"fmt"
	"math"

	"github.com/inferdex/inferdex/ingest/metric"
)

func (f facts) highest(i int) error {
	if best, v := f.at[i].of.highest(f.Of[i].Metric); best != f.at[i].measured {
		return fmt.Errorf("the highest is %v at %v", v, best.load)
	}
	return nil
}

func (f facts) best(i int) error {
	info, _ := metric.Lookup(metric.ID(f.Of[i].Metric))
	for _, m := range f.having(i) {
		v, _ := m.value(f.Of[i].Metric, f.Of[i].Stat)
		if f.Of[i].Inverse && v <= 0 { // no speed follows from no time
			continue
		}
		if d := v - f.Of[i].Value; d*float64(info.Better) > 0 && !near(v, f.Of[i].Value) {
			return fmt.Errorf("%v at %v is better", v, m.load)
		}
	}
	return nil
}

func (f facts) first(i int) error {
	if ms := f.having(i); len(ms) == 0 || ms[0] != f.at[i].measured {
		return fmt.Errorf("%v is not the smallest load", f.at[i].load)
	}
	return nil
}

func (f facts) last(i int) error {
	if ms := f.having(i); len(ms) == 0 || ms[len(ms)-1] != f.at[i].measured {
		return fmt.Errorf("%v is not the largest load", f.at[i].load)
	}
	return nil
}

func (f facts) ranked(r relation) error {
	for n, i := range r.Among[1:] {
		if b := f.better(r.Among[n], i); b < 0 && !near(f.Of[i].Is, f.Of[r.Among[n]].Is) {
			return fmt.Errorf("%v is not as good as %v", f.Of[r.Among[n]].Is, f.Of[i].Is)
		}
	}
	return errors.Join(f.alike(r.Among), f.recorded(r.Among))
}

func (f facts) together(r relation) error {
	for _, i := range r.Among {
		if a, b := f.at[i], f.at[r.Among[0]]; a.load != b.load || a.of.axis != b.of.axis {
			return fmt.Errorf("%v and %v are two loads", a.load, b.load)
		}
	}
	return nil
}

// settled reports whether a number is better than another by more than chance, or by more than 5 % where too
// few measurements allow nothing to be claimed; possible says that it may be.
func (f facts) settled(i, j int) (sure, possible bool) {
	better := f.better(i, j)
	if better <= 0 {
		return false, false
	}
	if as, bs := f.samples(i), f.samples(j); claimable(as, bs) {
		return apart(as, bs)
	}
	by := better / math.Abs(f.Of[j].Is)
	far := f.Of[j].Is == 0 || by > 0.05 && !near(by, 0.05) // 19 against 20 is 5 %, whatever binary fractions make of it
	return far, far
}

func claimable(as, bs []float64) bool {
	return len(as) >= fewestForInterval && len(bs) >= fewestForInterval
}

func (f facts) won(r relation) error {
	for _, i := range r.Among[1:] {
		if _, possible := f.settled(r.Among[0], i); !possible {
			return fmt.Errorf("%v is not told apart from %v", f.Of[r.Among[0]].Is, f.Of[i].Is)
		}
	}
	return errors.Join(f.alike(r.Among), f.recorded(r.Among))
}

func (f facts) open(r relation) error {
	for _, i := range r.Among {
		best := true
		for _, j := range r.Among {
			if i != j {
				sure, _ := f.settled(i, j)
				best = best && sure
			}
		}
		if best {
			return fmt.Errorf("%v is told apart from all others", f.Of[i].Is)
		}
	}
	return f.alike(r.Among)
}

// computes holds the value of a relation of two numbers against its formula.
func (f facts) computes(r relation, formula func(a, b float64) float64) error {
	want := formula(f.Of[r.Among[0]].Is, f.Of[r.Among[1]].Is)
	if !near(*r.Value, want) && !(r.Is == "change" && nearChange(*r.Value, want)) {
		return fmt.Errorf("it is %v, not %v", want, *r.Value)
	}
	return f.alike(r.Among)
}

func (f facts) ratio(r relation) error {
	return f.computes(r, func(a, b float64) float64 { return a / b })
}

func (f facts) change(r relation) error {
	return f.computes(r, func(a, b float64) float64 { return (a - b) / b })
}

func (f facts) equal(r relation) error {
	if a, b := f.Of[r.Among[0]].Is, f.Of[r.Among[1]].Is; a != b {
		return fmt.Errorf("%v is not %v", a, b)
	}
	return f.alike(r.Among)
}

func (f facts) unequal(r relation) error {
	if a, b := f.Of[r.Among[0]].Is, f.Of[r.Among[1]].Is; a == b || b != 0 {
		return fmt.Errorf("%v and %v have a change", a, b)
	}
	return f.alike(r.Among)
}

// contests are the relations that say who won, or that nobody did.
func (f facts) contests(won bool) (out []relation) {
	for _, r := range f.Relations {
		if r.Is == "won" || r.Is == "open" && !won {
			out = append(out, r)
		}
	}
	return out
}

func (f facts) count(r relation) error {
	n := 0
	for _, c := range f.contests(true) {
		if f.at[c.Among[0]].run == f.at[r.Among[0]].run {
			n++
		}
	}
	if *r.Value != float64(n) {
		return fmt.Errorf("%d places are won, not %v", n, *r.Value)
	}
	return nil
}

func (f facts) places(r relation) error {
	if n := len(f.contests(false)); *r.Value != float64(n) {
		return fmt.Errorf("%d places are compared, not %v", n, *r.Value)
	}
	return nil
}

func (f facts) openPlaces(r relation) error {
	if n := len(f.contests(false)) - len(f.contests(true)); *r.Value != float64(n) {
		return fmt.Errorf("%d places are open, not %v", n, *r.Value)
	}
	return nil
}

// configurations holds that each number is of a run on hardware of its own.
func (f facts) configurations(r relation) error {
	known := map[string]bool{}
	first := f.at[r.Among[0]].counts
	for _, i := range r.Among {
		m := f.at[i].measured
		if (len(m.counts) == 0) != (len(first) == 0) {
			return fmt.Errorf("how many accelerators %q has is not recorded", m.run.ID)
		}
		known[fmt.Sprint(attribute(m.run, "hardware"), m.counts)] = true
	}
	if len(known) != len(r.Among) || *r.Value != float64(len(known)-1) {
		return fmt.Errorf("there are %d configurations beside the first, not %v", len(known)-1, *r.Value)
	}
	return nil
}

func (f facts) prompts(r relation) error {
	if n := f.at[r.Among[0]].prompts(); n == 0 || *r.Value != float64(n) {
		return fmt.Errorf("%d prompts were sent, not %v", n, *r.Value)
	}
	return nil
}

// between reads a throughput at a speed on the line between two points.
func (f facts) between(r relation) error {
	y0, x0, y1, x1 := f.Of[r.Among[0]].Is, f.Of[r.Among[1]].Is, f.Of[r.Among[2]].Is, f.Of[r.Among[3]].Is
	want := y0
	if x1 != x0 {
		want += (y1 - y0) * (*r.At - x0) / (x1 - x0)
	}
	if *r.At < min(x0, x1) || *r.At > max(x0, x1) || !near(want, *r.Value) {
		return fmt.Errorf("at %v it is %v, not %v", *r.At, want, *r.Value)
	}
	return nil
}

// certain holds what is claimed of a change against the measurements of both sides.
func certain(words string) func(facts, relation) error {
	return func(f facts, r relation) error {
		as, bs := f.samples(r.Among[0]), f.samples(r.Among[1])
		sure, possible := apart(as, bs)
		allowed := "few"
		switch {
		case claimable(as, bs) && (sure || possible && words == "clear"):
			allowed = "clear"
		case claimable(as, bs):
			allowed = "same"
		}
		if allowed != words {
			return fmt.Errorf("the measurements allow %q", allowed)
		}
		if words == "few" { // nothing is compared
			return nil
		}
		return f.alike(r.Among)
	}
}
