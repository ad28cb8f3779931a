package refute

import (
	"fmt"

	"github.com/inferdex/inferdex/ingest/catalog"
)

type tailClaim struct {
	P99        operand `json:"p99"`
	Median     operand `json:"median"`
	Ratio      float64 `json:"ratio"`
	Worst      operand `json:"worst"`
	WorstRatio float64 `json:"worst_ratio"`
	Within     int     `json:"within"`
	Above      int     `json:"above"`
}

// stretch is p99 / median of a metric at a load.
func (m *measured) stretch(id string) (float64, bool) {
	p99, ok1 := m.value(id, "p99")
	typical, ok2 := m.value(id, "median")
	return p99 / typical, ok1 && ok2 && typical > 0
}

// long is the smallest load at which TTFT p99 is more than twice the median, what is above and within
// behind it, and the longest tail; nil where there is none.
func (c *curve) long() (first, worst *measured, above, within int) {
	most := 0.0
	for _, m := range c.loads {
		x, ok := m.stretch("ttft")
		switch {
		case !ok:
			continue
		case first == nil && x <= 2:
			continue
		case first == nil:
			first = m
		case x > 2:
			above++
		default:
			within++
		}
		if x > most && !near(x, most) {
			worst, most = m, x
		}
	}
	return first, worst, above, within
}

func (k *Checker) tail(r *catalog.Run, c tailClaim) error {
	cv, err := k.curve(c.P99, r.ID)
	if err != nil {
		return err
	}
	for _, o := range []operand{c.Median, c.Worst} {
		if _, err := k.curve(o, r.ID); err != nil {
			return err
		}
	}
	first, worst, above, within := cv.long()
	if first == nil || first.load != float64(c.P99.Load) || !c.P99.same(c.Median) || c.P99.Stat != "p99" || c.Median.Stat != "median" ||
		c.P99.Metric != "ttft" || c.Median.Metric != "ttft" || !near(c.Ratio, c.P99.Value/c.Median.Value) {
		return fmt.Errorf("the tail does not begin at %v with %v", float64(c.P99.Load), c.Ratio)
	}
	if most, _ := worst.stretch("ttft"); worst.load != float64(c.Worst.Load) || c.Worst.Metric != "ttft" || c.Worst.Stat != "p99" || cv.at(float64(c.Worst.Load)).points[0] != c.Worst.Points[0] || !near(most, c.WorstRatio) {
		return fmt.Errorf("the tail is longest at %v: %v", worst.load, most)
	}
	if above != c.Above || within != c.Within {
		return fmt.Errorf("%d larger loads are above twice the median and %d within, not %d and %d", above, within, c.Above, c.Within)
	}
	return nil
}

func (k *Checker) moreTails(r *catalog.Run, c struct {
	N int `json:"n"`
}) error {
	n := 0
	for _, cv := range curves(r) {
		if first, _, _, _ := cv.long(); first != nil {
			n++
		}
	}
	const named = 4 // have a sentence of their own
	if n-named != c.N {
		return fmt.Errorf("%d workloads beyond the first %d have such a tail, not %d", n-named, named, c.N)
	}
	return nil
}

type steadyClaim struct {
	P99    operand `json:"p99"`
	Median operand `json:"median"`
	Ratio  float64 `json:"ratio"`
}

func (k *Checker) steady(r *catalog.Run, c steadyClaim) error {
	for _, o := range []operand{c.P99, c.Median} {
		if _, err := k.curve(o, r.ID); err != nil {
			return err
		}
	}
	if !c.P99.same(c.Median) || c.P99.Metric != "tpot" || c.Median.Metric != "tpot" || c.P99.Stat != "p99" || c.Median.Stat != "median" ||
		c.P99.Axis != "concurrency" || c.P99.Load != 1 || !near(c.Ratio, c.P99.Value/c.Median.Value) || c.Ratio >= 1.02 {
		return fmt.Errorf("TPOT p99 is %v times the median", c.P99.Value/c.Median.Value)
	}
	return nil
}

type phaseClaim struct {
	Most  share `json:"most"`
	Least share `json:"least"`
}

type share struct {
	TTFT  operand `json:"ttft"`
	Share float64 `json:"share"`
}

// first is which share of the time of one request alone passes before its first token.
func (m *measured) first() (float64, bool) {
	for _, stat := range []string{"value", "median", "mean", "max"} {
		ttft, ok := m.value("ttft", stat)
		if !ok {
			continue
		}
		whole, ok := m.value("e2e_latency", stat)
		if !ok {
			tpot, has := m.value("tpot", stat)
			n := m.outputLength()
			if !has || n <= 1 {
				return 0, false
			}
			whole = ttft + tpot*(n-1)
		}
		return ttft / whole, whole > 0 && ttft <= whole
	}
	return 0, false
}

// outputLength are the tokens out of a request: those served, else those asked for; 0 is not recorded.
func (m *measured) outputLength() float64 {
	var served []float64
	for _, i := range m.points {
		if n := m.run.Points[i].Workload.Actual.Output; n != nil {
			served = append(served, *n)
		}
	}
	if len(served) > 0 {
		return middle(served)
	}
	if n := m.run.Points[m.points[0]].Workload.Nominal.Output; n != nil {
		return *n
	}
	return 0
}

func (k *Checker) phase(r *catalog.Run, c phaseClaim) error {
	for _, s := range []share{c.Most, c.Least} {
		cv, err := k.curve(s.TTFT, r.ID)
		if err != nil {
			return err
		}
		if got, ok := cv.loads[0].first(); !ok || s.TTFT.Load != 1 || s.TTFT.Metric != "ttft" || !near(got, s.Share) {
			return fmt.Errorf("%v of the time passes before the first token, not %v", got, s.Share)
		}
	}
	for _, cv := range curves(r) {
		if cv.axis != "concurrency" || cv.loads[0].load != 1 {
			continue
		}
		if got, ok := cv.loads[0].first(); ok && (got > c.Most.Share && !near(got, c.Most.Share) || got < c.Least.Share && !near(got, c.Least.Share)) {
			return fmt.Errorf("a workload has the share %v, beyond %v and %v", got, c.Least.Share, c.Most.Share)
		}
	}
	return nil
}
