package refute

import (
	"fmt"
	"math"

	"github.com/inferdex/inferdex/ingest/catalog"
)

const output = "output_throughput"

// highest is the smallest load with the highest value of a metric.
func (c *curve) highest(metric string) (best *measured, value float64) {
	for _, m := range c.loads {
		if v, ok := m.central(metric); ok && (best == nil || v > value && !near(v, value)) {
			best, value = m, v
		}
	}
	return best, value
}

// top reports an operand that is not the highest output throughput of its workload.
func (p place) top(o operand) error {
	if best, v := p.of.highest(output); o.Metric != output || best != p.measured {
		return fmt.Errorf("the highest output throughput is %v at %v", v, best.load)
	}
	return nil
}

type peakClaim struct {
	At      operand `json:"at"`
	Prompts int64   `json:"prompts"`
	Rising  bool    `json:"rising"`
}

func (c peakClaim) cites() ([]operand, int) { return []operand{c.At}, 1 }

func (c peakClaim) holds(_ *Checker, _ *catalog.Run, at []place) error {
	loads := at[0].of.loads
	rising := at[0].measured == loads[len(loads)-1] && len(loads) > 1 && !math.IsInf(at[0].load, 1)
	switch {
	case at[0].top(c.At) != nil:
		return at[0].top(c.At)
	case c.Prompts != at[0].prompts():
		return fmt.Errorf("%d prompts were sent, not %d", at[0].prompts(), c.Prompts)
	case c.Rising != rising:
		return fmt.Errorf("whether the peak is the largest load measured is stated wrongly")
	}
	return nil
}

type kneeClaim struct {
	At    operand `json:"at"`
	Peak  operand `json:"peak"`
	Share float64 `json:"share"`
}

func (c kneeClaim) cites() ([]operand, int) { return []operand{c.At, c.Peak}, 2 }

func (c kneeClaim) holds(_ *Checker, _ *catalog.Run, at []place) error {
	if at[0].of != at[1].of || at[0].measured == at[1].measured || !near(c.Share, c.At.Value/c.Peak.Value) {
		return fmt.Errorf("%v is not %v of %v of the same workload at another load", c.At.Value, c.Share, c.Peak.Value)
	}
	for _, m := range at[0].of.loads {
		v, ok := m.central(output)
		enough := ok && v >= 0.95*c.Peak.Value
		if enough != (m == at[0].measured) && m.load <= at[0].load {
			return fmt.Errorf("the smallest load with 95 %% of the peak is not %v", at[0].load)
		}
	}
	return at[1].top(c.Peak)
}

type scalingClaim struct {
	At         operand `json:"at"`
	From       operand `json:"from"`
	Efficiency float64 `json:"efficiency"`
}

func (c scalingClaim) cites() ([]operand, int) { return []operand{c.At, c.From}, 2 }

func (c scalingClaim) holds(_ *Checker, _ *catalog.Run, at []place) error {
	for _, m := range at[1].of.loads {
		if v, ok := m.value(output, "value"); ok && v > 0 && m.load > 0 {
			if m != at[1].measured {
				return fmt.Errorf("the smallest load is %v, not %v", m.load, at[1].load)
			}
			break
		}
	}
	want := c.At.Value / c.From.Value * at[1].load / at[0].load
	if at[0].of != at[1].of || c.At.Metric != output || c.From.Metric != output || !near(want, c.Efficiency) {
		return fmt.Errorf("the efficiency is %v, not %v", want, c.Efficiency)
	}
	return nil
}

type sweetClaim struct {
	At      operand `json:"at"`
	PerUser float64 `json:"per_user"`
	None    bool    `json:"none_keeps_limits"`
	TTFT    float64 `json:"ttft_limit"`
	TPOT    float64 `json:"tpot_limit"`
}

func (c sweetClaim) cites() ([]operand, int) { return []operand{c.At}, 1 }

// served is what a load gives one user, with the latencies that its limits are about.
type served struct{ ttft, tpot, each float64 }

// served are the loads of a curve that have all three.
func (c *curve) served() map[float64]served {
	out := map[float64]served{}
	for _, m := range c.loads {
		a, ok1 := m.value("ttft", "p99")
		b, ok2 := m.value("tpot", "p99")
		v, ok3 := m.value(output, "value")
		if ok1 && ok2 && ok3 && m.load > 0 {
			out[m.load] = served{a, b, v / m.load}
		}
	}
	return out
}

func (c sweetClaim) holds(_ *Checker, _ *catalog.Run, at []place) error {
	loads := at[0].of.served()
	ttft, tpot := math.Inf(1), math.Inf(1)
	for _, l := range loads {
		ttft, tpot = min(ttft, 2*l.ttft), min(tpot, 2*l.tpot)
	}
	own, there := loads[at[0].load]
	if !there || c.At.Metric != output || at[0].of.axis != "concurrency" || !near(own.each, c.PerUser) ||
		!near(ttft, c.TTFT) || !near(tpot, c.TPOT) {
		return fmt.Errorf("at %v it is %v a user within %v s and %v s", at[0].load, own.each, ttft, tpot)
	}
	within := func(v, most float64) bool { return v <= most || near(v, most) }
	keeps := func(l served) bool { return within(l.ttft, ttft) && within(l.tpot, tpot) }
	any := false
	for _, l := range loads {
		any = any || keeps(l)
	}
	if any == c.None || any && !keeps(own) {
		return fmt.Errorf("which loads keep the limits is stated wrongly")
	}
	for load, l := range loads {
		same := near(l.each, own.each)
		if (keeps(l) || !any) && (l.each > own.each && !same || same && load < at[0].load) {
			return fmt.Errorf("a load of %v serves each user faster: %v", load, l.each)
		}
	}
	return nil
}

type dropClaim struct {
	From   operand `json:"from"`
	To     operand `json:"to"`
	Fall   float64 `json:"fall"`
	Others int     `json:"others"`
}

func (c dropClaim) cites() ([]operand, int) { return []operand{c.From, c.To}, 2 }

// steepest is the largest fall of output throughput between neighbouring loads, but for all requests at once.
func (c *curve) steepest() (most float64, from, to *measured) {
	var had []*measured
	for _, m := range c.loads {
		if _, ok := m.central(output); ok && !math.IsInf(m.load, 1) {
			had = append(had, m)
		}
	}
	for i := 1; i < len(had); i++ {
		before, _ := had[i-1].central(output)
		after, _ := had[i].central(output)
		if fall := 1 - after/before; before > 0 && fall > most && !near(fall, most) {
			most, from, to = fall, had[i-1], had[i]
		}
	}
	return most, from, to
}

func (c dropClaim) holds(k *Checker, r *catalog.Run, at []place) error {
	most, from, to := at[0].of.steepest()
	if from != at[0].measured || to != at[1].measured || c.From.Metric != output || c.To.Metric != output ||
		math.Abs(most-c.Fall) > 1e-9 || most < 0.2 {
		return fmt.Errorf("the largest fall of the workload is %v", most)
	}
	others := 0
	for _, o := range k.curvesOf(r) {
		fall, _, _ := o.steepest()
		if fall > most+1e-9 {
			return fmt.Errorf("another workload falls by %v", fall)
		}
		if o != at[0].of && fall >= 0.2 {
			others++
		}
	}
	if others != c.Others {
		return fmt.Errorf("%d more workloads fall by a fifth, not %d", others, c.Others)
	}
	return nil
}

type keptClaim struct {
	At      operand `json:"at"`
	None    bool    `json:"none"`
	Largest bool    `json:"largest"`
	Limit   float64 `json:"limit"`
}

func (c keptClaim) cites() ([]operand, int) { return []operand{c.At}, 1 }

func (c keptClaim) holds(_ *Checker, _ *catalog.Run, at []place) error {
	const id, stat = "speed_per_request", "median"
	loads := at[0].of.loads
	var first, keeps *measured
	for _, m := range loads {
		v, ok := m.value(id, stat)
		if ok && first == nil {
			first = m
		}
		if ok && v >= c.Limit {
			keeps = m
		}
	}
	want := keeps
	if keeps == nil {
		want = first
	}
	if c.At.Metric != id || c.At.Stat != stat || c.At.Axis != "concurrency" || c.Limit != 20 ||
		want != at[0].measured || c.None != (keeps == nil) || c.Largest != (keeps == loads[len(loads)-1]) {
		return fmt.Errorf("the highest load that keeps %v tok/s is another one", c.Limit)
	}
	return nil
}

type kvClaim struct {
	Usage  operand `json:"usage"`
	Peak   operand `json:"peak"`
	Others int     `json:"others"`
}

func (c kvClaim) cites() ([]operand, int) { return []operand{c.Usage, c.Peak}, 2 }

// full is the smallest load at which the KV cache is full before the peak of the workload; nil for none.
func (c *curve) full() *measured {
	top, _ := c.highest(output)
	for _, m := range c.loads {
		if v, ok := m.central("kv_cache_usage"); ok && v >= 0.95 {
			if top != nil && m.load < top.load {
				return m
			}
			return nil
		}
	}
	return nil
}

func (c kvClaim) holds(k *Checker, r *catalog.Run, at []place) error {
	if at[0].of.full() != at[0].measured || c.Usage.Metric != "kv_cache_usage" || at[0].of != at[1].of {
		return fmt.Errorf("the KV cache is not full first at %v", at[0].load)
	}
	n := 0
	for _, o := range k.curvesOf(r) {
		if o.full() != nil {
			n++
		}
	}
	if n-1 != c.Others {
		return fmt.Errorf("%d more workloads fill it, not %d", n-1, c.Others)
	}
	return at[1].top(c.Peak)
}

type completionClaim struct {
	Points []struct {
		At        operand `json:"at"`
		Completed int64   `json:"completed"`
		NoOutput  int64   `json:"no_output"`
		Submitted int64   `json:"submitted"`
	} `json:"points"`
	Completed int64 `json:"completed"`
	NoOutput  int64 `json:"no_output"`
	Submitted int64 `json:"submitted"`
}

func (c completionClaim) cites() (all []operand, n int) {
	for _, p := range c.Points {
		all = append(all, p.At)
	}
	return all, len(all)
}

func (c completionClaim) holds(k *Checker, r *catalog.Run, at []place) error {
	var done, none, sent int64
	short := 0
	for _, cv := range k.curvesOf(r) {
		for _, m := range cv.loads {
			if d, n, s, ok := m.completed(); ok {
				done, none, sent = done+d, none+n, sent+s
				if d-n < s {
					short++
				}
			}
		}
	}
	if done != c.Completed || none != c.NoOutput || sent != c.Submitted || short != len(c.Points) {
		return fmt.Errorf("%d of %d completed, %d of them without output, %d points are incomplete", done, sent, none, short)
	}
	seen := map[*measured]bool{}
	for i, p := range c.Points {
		d, n, s, _ := at[i].completed()
		if d != p.Completed || n != p.NoOutput || s != p.Submitted || d-n >= s || seen[at[i].measured] ||
			p.At.Metric != "success_rate" || p.At.Stat != "value" {
			return fmt.Errorf("%d of %d completed at %v, %d of them without output, not %d of %d and %d", d, s, at[i].load, n,
				p.Completed, p.Submitted, p.NoOutput)
		}
		seen[at[i].measured] = true
	}
	return nil
}

type promptsClaim struct {
	At      operand `json:"at"`
	Prompts int64   `json:"prompts"`
}

func (c promptsClaim) cites() ([]operand, int) { return []operand{c.At}, 1 }

func (c promptsClaim) holds(_ *Checker, _ *catalog.Run, at []place) error {
	if n := at[0].prompts(); n == 0 || n != c.Prompts {
		return fmt.Errorf("%d prompts were fewer than the concurrency, not %d", n, c.Prompts)
	}
	return nil
}
