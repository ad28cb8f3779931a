package refute

import (
	"fmt"
	"slices"
)

// heldAt holds that everything measured at a load keeps limits.
func (f facts) heldAt(r relation) error {
	if err := f.standWell(r); err != nil {
		return err
	}
	if at := f.at[r.Among[0]]; len(r.Limits) == 0 || !at.keeps(r.Limits) {
		return fmt.Errorf("%v does not keep the limits", at.load)
	}
	return nil
}

// exceeds holds that something measured at a load breaks limits.
func (f facts) exceeds(r relation) error {
	if err := f.standWell(r); err != nil {
		return err
	}
	at := f.at[r.Among[0]]
	for one := range at.each() {
		for _, l := range r.Limits {
			if v, ok := one.value(l.Metric, l.Stat); ok && l.broken(v) {
				return nil
			}
		}
	}
	return fmt.Errorf("%v breaks no limit", at.load)
}

// limitOf is the highest value that a number may have.
func (f facts) limitOf(i int) (most float64, ok bool) {
	for _, l := range f.held() {
		if l.Metric == f.Of[i].Metric && l.Stat == f.Of[i].Stat && l.Most != nil {
			return *l.Most, true
		}
	}
	return 0, false
}

func (f facts) margin(r relation) error {
	most, ok := f.limitOf(r.Among[0])
	if want := 1 - f.Of[r.Among[0]].Is/most; !ok || !near(want, *r.Value) {
		return fmt.Errorf("it is not %v", *r.Value)
	}
	return nil
}

// before holds that no load between two of a workload was measured.
func (f facts) before(r relation) error {
	a, b := f.at[r.Among[0]], f.at[r.Among[1]]
	loads := a.of.loads
	i := slices.Index(loads, a.measured)
	if a.of != b.of || i < 0 || i+1 >= len(loads) || loads[i+1] != b.measured {
		return fmt.Errorf("%v is not the next load after %v", b.load, a.load)
	}
	return nil
}

// close reads that what keeps a limit is at most 3 % below it, in one measurement.
func (f facts) close(Statement) wording {
	held := f.of("held")
	i := held[0]
	n, margin := f.Of[i], f.worth("margin", i)
	most, ok := f.limitOf(i)
	if len(held) != 1 || len(f.held()) != 1 || !ok || !(margin <= 0.03) || f.worth("measured", i) != 1 {
		return nothing()
	}
	w := says("%: % % is % %, % below its limit of %, in one measurement; another one may be over it.", f.called(i),
		limit{}.label(n.Metric), say(n.Stat), seconds(n.Is), n.at(), percent(margin), seconds(most))
	r, ok := f.the("before")
	if !ok || r.Among[1] != i {
		return w
	}
	before := f.Of[r.Among[0]]
	if before.Metric != n.Metric || before.Stat != n.Stat {
		return nothing()
	}
	return says("% % it is % below.", w, capital(before.at()), percent(f.worth("margin", r.Among[0])))
}

// again reads that a load keeps limits that a smaller one of the same workload breaks.
func (f facts) again(Statement) wording {
	broken, kept := f.of("exceeds")[0], f.of("held")[0]
	a, b := f.at[broken], f.at[kept]
	if a.of != b.of || a.load >= b.load {
		return nothing()
	}
	again := say(" again")
	if a.load == a.of.loads[0].load {
		again = say("")
	}
	return says("% breaks the limits % and keeps them% %.", f.called(kept), f.Of[broken].at(), again, f.Of[kept].at())
}

// beyond reads that output falls by at least three tenths from one load to the next.
func (f facts) beyond(Statement) wording {
	r, _ := f.the("before")
	from, to := r.Among[0], r.Among[1]
	change := f.worth("change", to, from)
	if n := f.Of[from]; !(change <= -0.3) || n.Metric != output || n.Over != 0 {
		return nothing()
	}
	return says("%: output falls by %, from % tok/s % to % tok/s %.", f.called(from), percent(-change), f.rate(from),
		f.Of[from].at(), f.rate(to), f.Of[to].at())
}
