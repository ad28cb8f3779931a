package figure

import (
	"fmt"
	"math"
	"strings"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/unit"
)

// Insight is one sentence written from the numbers. It is made only where its condition holds.
type Insight struct {
	Label string
	// Caution marks what a reader has to know before quoting.
	Caution bool
	Parts   []Part
}

// Part is a piece of a sentence. Where Point is set, the text is a number read at that point.
type Part struct {
	Text     string
	Scenario *Scenario
	Point    *catalog.Point
}

// Text is the sentence without its links.
func (in Insight) Text() string {
	var b strings.Builder
	for _, p := range in.Parts {
		b.WriteString(p.Text)
	}
	return b.String()
}

// sentence builds the parts of an Insight.
type sentence struct{ parts []Part }

func (s *sentence) say(format string, args ...any) *sentence {
	s.parts = append(s.parts, Part{Text: fmt.Sprintf(format, args...)})
	return s
}

func (s *sentence) cite(sc *Scenario, p *catalog.Point, format string, args ...any) *sentence {
	s.parts = append(s.parts, Part{Text: fmt.Sprintf(format, args...), Scenario: sc, Point: p})
	return s
}

// Insights are the sentences of a run, in the order of their use to a reader.
func (r *Run) Insights() []Insight {
	var out []Insight
	add := func(label string, caution bool, s *sentence) {
		out = append(out, Insight{Label: label, Caution: caution, Parts: s.parts})
	}
	if sw, sc, ok := r.SweetSpot(); ok {
		s := new(sentence).say("With %s, ", sc.Title).cite(sc, sw.Point, "%s parallel requests", LoadText(sw.Point)).
			say(" serve each user fastest while TTFT p99 and TPOT p99 stay within twice their minima: %s tok/s a user", unit.Format(sw.PerUser))
		if sw.AllPass {
			s.say(" (no load keeps both limits, so all were candidates)")
		}
		add("Sweet spot", false, s.say("."))
	}
	main := r.mainScenario()
	if main != nil {
		r.peakInsights(main, add)
	}
	r.tailInsights(add)
	r.phaseInsights(add)
	for _, sc := range r.Scenarios {
		if p := sc.KVFull(); p != nil {
			usage, _, _ := Central(p, kvCacheUsage)
			peak, peakValue, ok := sc.Peak(outputThroughput)
			if ok && LoadOf(p) <= LoadOf(peak) {
				add("KV cache", true, new(sentence).say("With %s the KV cache is %s full from ", sc.Title, percent(usage)).
					cite(sc, p, "%s", LoadText(p)).say(" on, before throughput peaks at ").
					cite(sc, peak, "%s tok/s", unit.Format(peakValue)).say("."))
				break
			}
		}
	}
	r.completionInsights(add)
	return out
}

// mainScenario is the scenario with the most loads, of equals the one with the highest peak.
func (r *Run) mainScenario() *Scenario {
	var best *Scenario
	var bestPeak float64
	for _, s := range r.Scenarios {
		_, v, ok := s.Peak(outputThroughput)
		if !ok || len(s.Points) < 2 {
			continue
		}
		if best == nil || len(s.Points) > len(best.Points) || len(s.Points) == len(best.Points) && v > bestPeak {
			best, bestPeak = s, v
		}
	}
	return best
}

func (r *Run) peakInsights(sc *Scenario, add func(string, bool, *sentence)) {
	peak, v, ok := sc.Peak(outputThroughput)
	if !ok {
		return
	}
	s := new(sentence).cite(sc, peak, "%s tok/s", number(v)).say(" %s with %s", loadPhrase(peak), sc.Title)
	prompts, above := AboveNumPrompts(peak)
	switch {
	case above:
		s.say("; only %s prompts were sent, so no more than %s ran at once", unit.Count(prompts), unit.Count(prompts))
	case sc.StillRising(outputThroughput):
		s.say(", the largest load measured: the maximum may lie beyond")
	}
	add("Peak", above, s.say("."))
	if knee, ratio, ok := sc.Knee(outputThroughput); ok && knee != peak {
		kv, _, _ := Central(knee, outputThroughput)
		add("Knee", false, new(sentence).say("With %s, ", sc.Title).cite(sc, knee, "%s", LoadText(knee)).
			say(" already give %s tok/s, %s of the peak.", number(kv), percent(ratio)))
	}
	target := peak
	if knee, _, ok := sc.Knee(outputThroughput); ok {
		target = knee
	}
	if e, c0, ok := sc.Scaling(target); ok && sc.Axis == catalog.AxisConcurrency {
		add("Scaling", false, new(sentence).say("Scaling efficiency at ").cite(sc, target, "%s parallel requests", LoadText(target)).
			say(" is %s against %s.", percent(e), LoadText(c0)))
	}
}

// tailInsights say where the slowest percent waits more than twice as long as the typical
// request, the worst load of each scenario, and where there is no tail at all.
func (r *Run) tailInsights(add func(string, bool, *sentence)) {
	type worst struct {
		sc    *Scenario
		p     *catalog.Point
		ratio float64
	}
	var list []worst
	for _, sc := range r.Scenarios {
		var w worst
		for _, p := range sc.Points {
			if t, ok := TailRatio(p, ttft); ok && t > w.ratio {
				w = worst{sc, p, t}
			}
		}
		if w.ratio >= 2 {
			list = append(list, w)
		}
	}
	const most = 4
	for i, w := range list {
		if i == most {
			add("Tail", false, new(sentence).say("In %d more workloads TTFT p99 is above twice the median.", len(list)-most))
			break
		}
		p99, _ := Get(w.p, ttft, "p99")
		med, _ := Get(w.p, ttft, "median")
		s := new(sentence).say("With %s", w.sc.Title)
		if ph := loadPhrase(w.p); ph != "" {
			s.say(" %s", ph)
		}
		add("Tail", false, s.say(" TTFT p99 is ").cite(w.sc, w.p, "%s", Seconds(p99)).
			say(" against a median of %s (%s times).", Seconds(med), unit.Format(w.ratio)))
	}
	for _, sc := range r.Scenarios {
		if len(sc.Points) != 1 {
			continue
		}
		p := sc.Points[0]
		if t, ok := TailRatio(p, tpot); ok && t < 1.02 && LoadOf(p) == 1 {
			in, out, _ := sc.Lengths()
			if out > 4*in && in > 0 {
				v, _ := Get(p, tpot, "median")
				add("Steady", false, new(sentence).say("With %s TPOT stays at ", sc.Title).cite(sc, p, "%s", Seconds(v)).
					say(" to the end of each answer (p99/median %.2f).", t))
			}
		}
	}
}

// phaseInsights name the scenarios in which most of a request is prefill, and most is decode.
func (r *Run) phaseInsights(add func(string, bool, *sentence)) {
	var hi, lo *Scenario
	var hiP, loP *catalog.Point
	hiShare, loShare := -1.0, 2.0
	for _, sc := range r.Scenarios {
		p := sc.Points[0]
		if LoadOf(p) != 1 {
			continue
		}
		share, ok := prefillShare(p)
		if !ok {
			continue
		}
		if share > hiShare {
			hi, hiP, hiShare = sc, p, share
		}
		if share < loShare {
			lo, loP, loShare = sc, p, share
		}
	}
	if hi == nil || lo == hi || hiShare < 0.25 {
		return
	}
	kind := "mostly decode"
	if hiShare > 0.5 {
		kind = "prefill-bound"
	}
	add("Prefill", false, new(sentence).say("One request at a time spends ").cite(hi, hiP, "%s", percent(hiShare)).
		say(" of its time before the first token with %s (%s), and ", hi.Title, kind).
		cite(lo, loP, "%s", percent(loShare)).say(" with %s (decode-bound).", lo.Title))
}

// prefillShare is TTFT / E2E of a typical request; E2E is computed from TPOT where it is not
// recorded and the output length is.
func prefillShare(p *catalog.Point) (float64, bool) {
	first, stat, ok := Central(p, ttft)
	if !ok {
		return 0, false
	}
	whole, ok := Get(p, e2eLatency, stat)
	if !ok {
		t, has := Get(p, tpot, stat)
		n := p.Workload.Actual.Output
		if n == nil {
			n = p.Workload.Nominal.Output
		}
		if !has || n == nil || *n <= 1 {
			return 0, false
		}
		whole = first + t*(*n-1)
	}
	if whole <= 0 || first > whole {
		return 0, false
	}
	return first / whole, true
}

func (r *Run) completionInsights(add func(string, bool, *sentence)) {
	var submitted, completed int64
	var where []Part
	failedPoints := 0
	for _, sc := range r.Scenarios {
		for _, p := range sc.Points {
			ratio, c, n, ok := Success(p)
			if !ok {
				continue
			}
			submitted, completed = submitted+n, completed+c
			if ratio < 1 {
				failedPoints++
				if len(where) < 3 {
					where = append(where, Part{Text: fmt.Sprintf("%s of %s", unit.Count(c), unit.Count(n)), Scenario: sc, Point: p})
				}
			}
		}
	}
	if failedPoints == 0 {
		return
	}
	s := new(sentence)
	if failedPoints <= len(where) {
		for i, w := range where {
			if i > 0 {
				s.say(", ")
			}
			s.parts = append(s.parts, w)
			s.say(" completed with %s %s", w.Scenario.Title, loadPhrase(w.Point))
		}
		s.say("; the latencies there describe the completed requests alone.")
	} else {
		s.say("%s of %s requests completed; %d points are incomplete, first ", unit.Count(completed), unit.Count(submitted), failedPoints)
		s.parts = append(s.parts, where[0])
		s.say(" with %s %s.", where[0].Scenario.Title, loadPhrase(where[0].Point))
	}
	add("Completion", true, s)
	for _, sc := range r.Scenarios {
		for _, p := range sc.Points {
			if n, above := AboveNumPrompts(p); above {
				if peak, _, ok := sc.Peak(outputThroughput); ok && peak == p {
					continue // the sentence on the peak says it
				}
				add("Load", true, new(sentence).say("Concurrency ").cite(sc, p, "%s", LoadText(p)).
					say(" with %s was measured with %s prompts: no more than those ran at once.", sc.Title, unit.Count(n)))
			}
		}
	}
}

func percent(v float64) string {
	p := v * 100
	switch {
	case p >= 99.95 && v < 1:
		return "just under 100\u202f%"
	case p >= 10:
		return fmt.Sprintf("%.0f\u202f%%", math.Round(p))
	case p >= 1:
		return fmt.Sprintf("%.1f\u202f%%", p)
	}
	return unit.Format(p) + "\u202f%"
}

// number writes a rate with one more digit than three where that is how people quote it: below
// 1000 with one decimal.
func number(v float64) string {
	if v >= 100 && v < 1000 {
		return fmt.Sprintf("%.1f", v)
	}
	return unit.Format(v)
}

// Seconds writes a time in the unit people read: "36.2 µs", "646 ms", "26.7 s".
func Seconds(v float64) string {
	switch {
	case v < 0.001:
		return unit.Format(v*1e6) + "\u202fµs"
	case v < 1:
		return unit.Format(v*1e3) + "\u202fms"
	}
	return unit.Format(v) + "\u202fs"
}
