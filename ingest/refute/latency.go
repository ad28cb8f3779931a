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
	Others     int     `json:"others"`
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
		case first == nil && (x <= 2 || near(x, 2)):
			continue
		case first == nil:
			first = m
		case x > 2 && !near(x, 2):
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

func (c tailClaim) cites() ([]operand, int) { return []operand{c.P99, c.Median, c.Worst}, 3 }

// stretched reports whether two operands are p99 and median of a metric at one place, and a ratio theirs.
func stretched(p99, median operand, ratio float64, metric string, at []place) bool {
	return at[0] == at[1] && p99.Stat == "p99" && median.Stat == "median" && p99.Metric == metric &&
		median.Metric == metric && near(ratio, p99.Value/median.Value)
}

func (c tailClaim) holds(k *Checker, r *catalog.Run, at []place) error {
	others := 0
	for _, cv := range k.curvesOf(r) {
		from, longest, _, _ := cv.long()
		if from == nil || cv == at[0].of {
			continue
		}
		others++
		if most, _ := longest.stretch("ttft"); most > c.WorstRatio && !near(most, c.WorstRatio) {
			return fmt.Errorf("another workload has the tail %v", most)
		}
	}
	if others != c.Others {
		return fmt.Errorf("%d more workloads have such a tail, not %d", others, c.Others)
	}
	first, worst, above, within := at[0].of.long()
	if first != at[0].measured || !stretched(c.P99, c.Median, c.Ratio, "ttft", at) {
		return fmt.Errorf("the tail does not begin at %v with %v", at[0].load, c.Ratio)
	}
	most, _ := worst.stretch("ttft")
	if worst != at[2].measured || c.Worst.Metric != "ttft" || c.Worst.Stat != "p99" || !near(most, c.WorstRatio) {
		return fmt.Errorf("the tail is longest at %v: %v", worst.load, most)
	}
	if above != c.Above || within != c.Within {
		return fmt.Errorf("%d larger loads are above twice the median and %d within, not %d and %d", above, within,
			c.Above, c.Within)
	}
	return nil
}

type steadyClaim struct {
	P99    operand `json:"p99"`
	Median operand `json:"median"`
	Ratio  float64 `json:"ratio"`
}

func (c steadyClaim) cites() ([]operand, int) { return []operand{c.P99, c.Median}, 2 }

func (c steadyClaim) holds(_ *Checker, _ *catalog.Run, at []place) error {
	if !stretched(c.P99, c.Median, c.Ratio, "tpot", at) || c.P99.Axis != "concurrency" || c.P99.Load != 1 ||
		c.Ratio >= 1.02 {
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

func (c phaseClaim) cites() ([]operand, int) { return []operand{c.Most.TTFT, c.Least.TTFT}, 2 }

func (c phaseClaim) holds(k *Checker, r *catalog.Run, at []place) error {
	for i, s := range []share{c.Most, c.Least} {
		if got, ok := at[i].of.loads[0].first(); !ok || s.TTFT.Load != 1 || s.TTFT.Metric != "ttft" ||
			!near(got, s.Share) {
			return fmt.Errorf("%v of the time passes before the first token, not %v", got, s.Share)
		}
	}
	beyond := func(v float64) bool {
		return v > c.Most.Share && !near(v, c.Most.Share) || v < c.Least.Share && !near(v, c.Least.Share)
	}
	for _, cv := range k.curvesOf(r) {
		if cv.axis != "concurrency" || cv.loads[0].load != 1 {
			continue
		}
		if got, ok := cv.loads[0].first(); ok && beyond(got) {
			return fmt.Errorf("a workload has the share %v, beyond %v and %v", got, c.Least.Share, c.Most.Share)
		}
	}
	return nil
}
