package refute

import (
	"fmt"
	"math"

	"github.com/inferdex/inferdex/ingest/catalog"
)

const output = "output_throughput"

// highest is the smallest load with the highest output throughput.
func (c *curve) highest() (best *measured, value float64) {
	for _, m := range c.loads {
		if v, ok := m.central(output); ok && (best == nil || v > value) {
			best, value = m, v
		}
	}
	return best, value
}

type peakClaim struct {
	At      operand `json:"at"`
	Prompts int64   `json:"prompts"`
	Rising  bool    `json:"rising"`
}

func (k *Checker) peak(r *catalog.Run, c peakClaim) error {
	cv, err := k.curve(c.At, r.ID)
	if err != nil {
		return err
	}
	top, v := cv.highest()
	last := cv.loads[len(cv.loads)-1]
	switch {
	case c.At.Metric != output || top.load != float64(c.At.Load):
		return fmt.Errorf("the highest output throughput is %v at %v", v, top.load)
	case c.Prompts != top.prompts():
		return fmt.Errorf("%d prompts were sent, not %d", top.prompts(), c.Prompts)
	case c.Rising != (top == last && len(cv.loads) > 1 && !math.IsInf(top.load, 1)):
		return fmt.Errorf("whether the peak is the largest load measured is stated wrongly")
	}
	return nil
}

type kneeClaim struct {
	At    operand `json:"at"`
	Peak  operand `json:"peak"`
	Share float64 `json:"share"`
}

func (k *Checker) knee(r *catalog.Run, c kneeClaim) error {
	if err := k.peakOf(r, c.Peak); err != nil {
		return err
	}
	cv, err := k.curve(c.At, r.ID)
	if err != nil {
		return err
	}
	if curveOf(r, c.Peak.Points[0]).at(float64(c.At.Load)) == nil || !near(c.Share, c.At.Value/c.Peak.Value) || c.At.same(c.Peak) {
		return fmt.Errorf("%v is not %v of %v of the same workload at another load", c.At.Value, c.Share, c.Peak.Value)
	}
	for _, m := range cv.loads {
		v, ok := m.central(output)
		enough := ok && v >= 0.95*c.Peak.Value
		if enough != (m.load == float64(c.At.Load)) && m.load <= float64(c.At.Load) {
			return fmt.Errorf("the smallest load with 95 %% of the peak is not %v", float64(c.At.Load))
		}
	}
	return nil
}

// peakOf holds an operand that is said to be the peak of its workload against it.
func (k *Checker) peakOf(r *catalog.Run, o operand) error {
	cv, err := k.curve(o, r.ID)
	if err != nil {
		return err
	}
	if top, v := cv.highest(); o.Metric != output || top.load != float64(o.Load) {
		return fmt.Errorf("the highest output throughput is %v at %v", v, top.load)
	}
	return nil
}

type scalingClaim struct {
	At         operand `json:"at"`
	From       operand `json:"from"`
	Efficiency float64 `json:"efficiency"`
}

func (k *Checker) scaling(r *catalog.Run, c scalingClaim) error {
	cv, err := k.curve(c.At, r.ID)
	if err != nil {
		return err
	}
	from, err := k.curve(c.From, r.ID)
	if err != nil {
		return err
	}
	for _, m := range from.loads {
		if v, ok := m.value(output, "value"); ok && v > 0 && m.load > 0 {
			if m.load != float64(c.From.Load) {
				return fmt.Errorf("the smallest load is %v, not %v", m.load, float64(c.From.Load))
			}
			break
		}
	}
	want := c.At.Value / c.From.Value * float64(c.From.Load) / float64(c.At.Load)
	if cv.at(from.loads[0].load) == nil || c.At.Metric != output || c.From.Metric != output || !near(want, c.Efficiency) {
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

func (k *Checker) sweetSpot(r *catalog.Run, c sweetClaim) error {
	cv, err := k.curve(c.At, r.ID)
	if err != nil {
		return err
	}
	type load struct{ ttft, tpot, per float64 }
	loads := map[float64]load{}
	ttft, tpot := math.Inf(1), math.Inf(1)
	for _, m := range cv.loads {
		a, ok1 := m.value("ttft", "p99")
		b, ok2 := m.value("tpot", "p99")
		v, ok3 := m.value(output, "value")
		if ok1 && ok2 && ok3 && m.load > 0 {
			loads[m.load] = load{a, b, v / m.load}
			ttft, tpot = min(ttft, 2*a), min(tpot, 2*b)
		}
	}
	own, there := loads[float64(c.At.Load)]
	if !there || c.At.Metric != output || cv.axis != "concurrency" || !near(own.per, c.PerUser) || !near(ttft, c.TTFT) || !near(tpot, c.TPOT) {
		return fmt.Errorf("at %v it is %v a user within %v s and %v s", float64(c.At.Load), own.per, ttft, tpot)
	}
	keeps := func(l load) bool { return l.ttft <= ttft && l.tpot <= tpot }
	any := false
	for _, l := range loads {
		any = any || keeps(l)
	}
	if any == c.None || any && !keeps(own) {
		return fmt.Errorf("which loads keep the limits is stated wrongly")
	}
	for at, l := range loads {
		if (keeps(l) || !any) && (l.per > own.per && !near(l.per, own.per) || near(l.per, own.per) && at < float64(c.At.Load)) {
			return fmt.Errorf("a load of %v serves each user faster: %v", at, l.per)
		}
	}
	return nil
}

type kvClaim struct {
	Usage  operand `json:"usage"`
	Peak   operand `json:"peak"`
	Others int     `json:"others"`
}

// full is the smallest load at which the KV cache is full before the peak of the workload; nil for none.
func (c *curve) full() *measured {
	top, _ := c.highest()
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

func (k *Checker) kvFull(r *catalog.Run, c kvClaim) error {
	if err := k.peakOf(r, c.Peak); err != nil {
		return err
	}
	cv, err := k.curve(c.Usage, r.ID)
	if err != nil {
		return err
	}
	if m := cv.full(); m == nil || m.load != float64(c.Usage.Load) || c.Usage.Metric != "kv_cache_usage" || cv.at(float64(c.Peak.Load)) == nil {
		return fmt.Errorf("the KV cache is not full first at %v", float64(c.Usage.Load))
	}
	n := 0
	for _, o := range curves(r) {
		if o.full() != nil {
			n++
		}
	}
	if n-1 != c.Others {
		return fmt.Errorf("%d more workloads fill it, not %d", n-1, c.Others)
	}
	return nil
}

type completionClaim struct {
	Points []struct {
		At        operand `json:"at"`
		Completed int64   `json:"completed"`
		Submitted int64   `json:"submitted"`
	} `json:"points"`
	Completed int64 `json:"completed"`
	Submitted int64 `json:"submitted"`
}

func (k *Checker) completion(r *catalog.Run, c completionClaim) error {
	var done, sent int64
	short := 0
	for _, cv := range curves(r) {
		for _, m := range cv.loads {
			if d, s, ok := m.completed(); ok {
				done, sent = done+d, sent+s
				if d < s {
					short++
				}
			}
		}
	}
	if done != c.Completed || sent != c.Submitted || short != len(c.Points) {
		return fmt.Errorf("%d of %d completed, %d points are incomplete", done, sent, short)
	}
	seen := map[int]bool{}
	for _, p := range c.Points {
		cv, err := k.curve(p.At, r.ID)
		if err != nil {
			return err
		}
		d, s, _ := cv.at(float64(p.At.Load)).completed()
		if d != p.Completed || s != p.Submitted || d >= s || seen[p.At.Points[0]] || p.At.Metric != "success_rate" || p.At.Stat != "value" {
			return fmt.Errorf("%d of %d completed at %v, not %d of %d", d, s, float64(p.At.Load), p.Completed, p.Submitted)
		}
		seen[p.At.Points[0]] = true
	}
	return nil
}

type promptsClaim struct {
	At      operand `json:"at"`
	Prompts int64   `json:"prompts"`
}

func (k *Checker) fewPrompts(r *catalog.Run, c promptsClaim) error {
	cv, err := k.curve(c.At, r.ID)
	if err != nil {
		return err
	}
	if n := cv.at(float64(c.At.Load)).prompts(); n == 0 || n != c.Prompts {
		return fmt.Errorf("%d prompts were fewer than the concurrency, not %d", n, c.Prompts)
	}
	return nil
}
