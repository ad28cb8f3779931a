package refute

import (
	"fmt"
	"math"
	"slices"

	"github.com/inferdex/inferdex/ingest/metric"
)

type statedClaim struct {
	Of        []number   `json:"of"`
	Relations []relation `json:"relations"`
}

// number is an operand with what is made of it: its inverse, or its share of each accelerator.
type number struct {
	operand
	Over    int     `json:"over"`
	Inverse bool    `json:"inverse"`
	Is      float64 `json:"is"`
	// Called is what the text calls the run.
	Called string `json:"called"`
}

type relation struct {
	Is    string   `json:"is"`
	Among []int    `json:"among"`
	Value *float64 `json:"value"`
	At    *float64 `json:"at"`
	Low   *float64 `json:"low"`
	High  *float64 `json:"high"`
	// Limits are what a load has to keep.
	Limits []limit `json:"limits"`
	// Key is the parameter of a relation "only".
	Key string `json:"key"`
}

// facts are the numbers of a claim with their places.
type facts struct {
	*statedClaim
	k  *Checker
	at []place
}

// made recomputes what a number makes of its value.
func (n number) made(at place) error {
	v := n.Value
	if n.Inverse {
		v = 1 / v
	}
	if n.Over != 0 {
		if n.Over < 1 || !slices.Contains(at.counts, n.Over) {
			return fmt.Errorf("run %q has not %d accelerators", n.Run, n.Over)
		}
		v /= float64(n.Over)
	}
	if !near(v, n.Is) {
		return fmt.Errorf("it is %v, not %v", v, n.Is)
	}
	return nil
}

// having are the finite loads of a workload that have an operand's statistic.
func (f facts) having(i int) (out []*measured) {
	for _, m := range f.at[i].of.loads {
		if _, ok := m.value(f.Of[i].Metric, f.Of[i].Stat); ok && !math.IsInf(m.load, 1) {
			out = append(out, m)
		}
	}
	return out
}

// alike reports numbers that must not be held against one another: of other metrics, of one place, of runs
// that are withdrawn, and totals of other numbers of accelerators of which only one side is divided.
func (f facts) alike(among []int) error {
	for n, i := range among {
		a, b := f.Of[i], f.Of[among[0]]
		switch {
		case a.Metric != b.Metric || a.Stat != b.Stat || a.Inverse != b.Inverse || (a.Over == 0) != (b.Over == 0):
			return fmt.Errorf("%s and %s are two things", a.Metric, b.Metric)
		case n > 0 && f.at[i] == f.at[among[0]]:
			return fmt.Errorf("a place is held against itself")
		case f.at[i].run != f.at[among[0]].run && (f.at[i].run.Withdrawn != "") != (f.at[among[0]].run.Withdrawn != ""):
			return fmt.Errorf("a withdrawn run is compared")
		}
		if err := f.counted(i, among[0]); err != nil {
			return err
		}
	}
	return nil
}

// sums are the metrics that are sums over the accelerators.
var sums = []string{"output_throughput", "input_throughput", "total_throughput", "request_throughput"}

// counted reports two sums over other numbers of accelerators that are compared, and nothing is said of the
// numbers: neither is divided, and their ratio is not stated.
func (f facts) counted(i, j int) error {
	if f.Of[i].Over > 0 || !slices.Contains(sums, f.Of[i].Metric) {
		return nil
	}
	for _, r := range f.Relations {
		if r.Is == "counts" && slices.Contains(r.Among, i) && slices.Contains(r.Among, j) {
			return nil
		}
	}
	return asMany(f.at[i].counts, f.at[j].counts)
}

// asMany reports runs that may mean no common number of accelerators.
func asMany(a, b []int) error {
	common := slices.ContainsFunc(a, func(n int) bool { return slices.Contains(b, n) })
	if common || len(a) == 0 || len(b) == 0 {
		return nil
	}
	return fmt.Errorf("%v accelerators are compared with %v, and nothing is said of their numbers", a[0], b[0])
}

// recorded reports sums that are put in an order where one run records its number of accelerators and another one
// does not.
func (f facts) recorded(among []int) error {
	first := f.at[among[0]]
	for _, i := range among[1:] {
		unknown := len(f.at[i].counts) == 0
		if slices.Contains(sums, f.Of[i].Metric) && f.Of[i].Over == 0 && unknown != (len(first.counts) == 0) {
			return fmt.Errorf("how many accelerators %q or %q has is not recorded", first.run.ID, f.at[i].run.ID)
		}
	}
	return nil
}

// better says by how much a number is better than another in its metric's direction: below zero where it is
// worse.
func (f facts) better(i, j int) float64 {
	info, _ := metric.Lookup(metric.ID(f.Of[i].Metric))
	d := f.Of[i].Is - f.Of[j].Is
	if info.Better == metric.Lower && !f.Of[i].Inverse {
		return -d
	}
	return d
}

// samples are the measurements of a number, divided as it is.
func (f facts) samples(i int) []float64 {
	vs := f.at[i].samples(f.Of[i].Metric, f.Of[i].Stat)
	for j := range vs {
		vs[j] /= float64(max(1, f.Of[i].Over))
	}
	return vs
}

// limit is the most that a statistic may be, or the least. For is what it stands for.
type limit struct {
	Metric string   `json:"metric"`
	Stat   string   `json:"stat"`
	Most   *float64 `json:"most"`
	Least  *float64 `json:"least"`
	For    *instead `json:"for"`
}

// instead is a statistic that is not recorded, or with no stat a metric.
type instead struct {
	Metric string `json:"metric"`
	Stat   string `json:"stat"`
}

func (l limit) same(o limit) bool {
	equal := func(a, b *float64) bool { return (a == nil) == (b == nil) && (a == nil || *a == *b) }
	stand := (l.For == nil) == (o.For == nil) && (l.For == nil || *l.For == *o.For)
	return l.Metric == o.Metric && l.Stat == o.Stat && equal(l.Most, o.Most) && equal(l.Least, o.Least) && stand
}
