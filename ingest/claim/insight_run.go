package claim

import (
	"cmp"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/record"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/metric"
)

// mainScenario is the scenario with the most loads, of equals the one with the highest peak.
func mainScenario(r *figure.Run) *figure.Scenario {
	var best *figure.Scenario
	var bestPeak float64
	for _, s := range r.Scenarios {
		_, v, ok := s.Peak(metric.OutputThroughput)
		if !ok || len(s.Loads()) < 2 {
			continue
		}
		if best == nil || len(s.Loads()) > len(best.Loads()) || len(s.Loads()) == len(best.Loads()) && v > bestPeak {
			best, bestPeak = s, v
		}
	}
	return best
}

func sweetInsight(r *figure.Run, add adder) {
	sw, sc, ok := r.SweetSpot()
	if !ok {
		return
	}
	s := new(sentence).say("With %s, ", sc.Title)
	if sw.AllPass {
		s.say("no load keeps TTFT p99 and TPOT p99 within twice their minima; of all loads, ").
			cite(sc, sw.Point, "%s", figure.LoadNoun(sw.Point)).say(" serve each user fastest: ")
	} else {
		s.cite(sc, sw.Point, "%s", figure.LoadNoun(sw.Point)).
			say(" serve each user fastest while TTFT p99 and TPOT p99 stay within twice their minima: ")
	}
	add("Sweet spot", false, s.cite(sc, sw.Point, "%s tok/s a user", metric.Format(sw.PerUser)).say("."))
}

// peakInsights are the peak, the knee and the scaling efficiency of a scenario of several loads.
func peakInsights(sc *figure.Scenario, add adder) {
	peak, v, ok := sc.Peak(metric.OutputThroughput)
	if !ok {
		return
	}
	s := new(sentence).say("Output throughput peaks at ").cite(sc, peak, "%s tok/s", number(v)).
		say("%s with %s", afterwards(peak), sc.Title)
	prompts, above := figure.AboveNumPrompts(peak)
	switch {
	case above:
		s.say("; only %s prompts were sent, so no more than %s ran at once", metric.Count(prompts), metric.Count(prompts))
	case sc.StillRising(metric.OutputThroughput):
		s.say(", the largest load measured: the maximum may lie beyond")
	}
	add("Peak", above, s.say("."))
	target := peak
	if knee, ratio, ok := sc.Knee(metric.OutputThroughput); ok && knee != peak {
		target = knee
		kv, _, _ := figure.Central(knee, metric.OutputThroughput)
		add("Knee", false, new(sentence).say("With %s, %s already give ", sc.Title, figure.LoadNoun(knee)).
			cite(sc, knee, "%s tok/s", number(kv)).say(", %s of the peak.", figure.PercentText(ratio)))
	}
	if e, c0, ok := sc.Scaling(target); ok && sc.Axis == record.AxisConcurrency {
		add("Scaling", false, new(sentence).say("With %s, scaling efficiency at %s is ", sc.Title, figure.LoadNoun(target)).
			cite(sc, target, "%s", figure.PercentText(e)).say(" against ").cite(sc, c0, "%s", figure.LoadText(c0)).
			say(": throughput rose %s while the load rose %s.", metric.Ratio(metric.Round12(e*figure.LoadOf(target)/figure.LoadOf(c0))), metric.Exact(metric.Round12(figure.LoadOf(target)/figure.LoadOf(c0)))+"×"))
	}
}

// mostTails is how many workloads with a long tail get a sentence of their own.
const mostTails = 4

// tailInsights say of each workload whose slowest percent waits more than twice as long as the
// typical request at which load that begins and where it is worst, the worst workloads first.
func tailInsights(r *figure.Run, add adder) {
	type tail struct {
		sc           *figure.Scenario
		first, worst *catalog.Point
		at           float64 // the ratio at first
		ratio        float64 // the ratio at worst
		within       int     // loads above first that stay within twice the median
		above        int     // loads above first that do not
	}
	var list []tail
	for _, sc := range r.Scenarios {
		var t tail
		for _, p := range sc.Points {
			ratio, ok := figure.TailRatio(p, metric.TTFT)
			switch {
			case !ok:
				continue
			case ratio > 2 && t.first == nil:
				t = tail{sc: sc, first: p, at: ratio, worst: p, ratio: ratio}
				continue
			case t.first == nil || figure.LoadOf(p) == figure.LoadOf(t.first):
			case ratio > 2:
				t.above++
			default:
				t.within++
			}
			if t.first != nil && ratio > t.ratio {
				t.worst, t.ratio = p, ratio
			}
		}
		if t.first != nil {
			list = append(list, t)
		}
	}
	slices.SortStableFunc(list, func(a, b tail) int { return cmp.Compare(b.ratio, a.ratio) })
	for i, t := range list {
		if i == mostTails {
			add("Tail", false, new(sentence).say("TTFT p99 exceeds twice the median in %s.", counted(len(list)-mostTails, "more workload")))
			break
		}
		p99, _ := figure.Get(t.first, metric.TTFT, metric.P99)
		med, _ := figure.Get(t.first, metric.TTFT, metric.Median)
		long, short := times(p99, med)
		s := new(sentence).say("With %s", t.sc.Title)
		if ph := figure.LoadPhrase(t.first); ph != "" {
			s.say(", %s", ph)
		}
		s.say(", TTFT p99 is ").cite(t.sc, t.first, "%s", long).say(" against a median of ").cite(t.sc, t.first, "%s", short).
			say(" (%s)", metric.Ratio(t.at))
		switch {
		case t.worst != t.first:
			s.say("; from there on the tail is longest %s: ", figure.LoadPhrase(t.worst)).cite(t.sc, t.worst, "%s", metric.Ratio(t.ratio))
		case t.above == 0 && t.within > 0:
			s.say("; at larger loads p99 stays within twice the median")
		}
		add("Tail", false, s.say("."))
	}
}

// steadyInsights name the workloads of long answers, one request at a time, whose slowest
// percent writes within 2 % as fast as the typical request.
func steadyInsights(r *figure.Run, add adder) {
	for _, sc := range r.Scenarios {
		in, out, _ := sc.Lengths()
		if in <= 0 || out <= 4*in {
			continue
		}
		for _, p := range sc.Points {
			t, ok := figure.TailRatio(p, metric.TPOT)
			if !ok || t >= 1.02 || figure.LoadOf(p) != 1 || sc.Axis != record.AxisConcurrency {
				continue
			}
			v, _ := figure.Get(p, metric.TPOT, metric.Median)
			add("Steady", false, new(sentence).say("With %s, TPOT is steady from request to request: a median of ", sc.Title).
				cite(sc, p, "%s", figure.Seconds(v)).say(", p99/median ").cite(sc, p, "%s", metric.Format(t)).say("."))
			break
		}
	}
}

// A request one at a time is bound by prefill where more than half of its time passes before the
// first token, and by decode where less than a fifth does.
const (
	prefillBound = 0.5
	decodeBound  = 0.2
)

// phaseInsight says whether one request at a time is bound by prefill or by decode, for the
// workload with the largest and the one with the smallest share of prefill.
func phaseInsight(r *figure.Run, add adder) {
	var hi, lo *figure.Scenario
	var hiP, loP *catalog.Point
	var hiShare, loShare float64
	for _, sc := range r.Scenarios {
		p := sc.Points[0]
		if figure.LoadOf(p) != 1 || sc.Axis != record.AxisConcurrency {
			continue
		}
		share, ok := PrefillShare(p)
		if !ok {
			continue
		}
		if hi == nil || share > hiShare {
			hi, hiP, hiShare = sc, p, share
		}
		if lo == nil || share < loShare {
			lo, loP, loShare = sc, p, share
		}
	}
	bound := func(share float64) string {
		switch {
		case share > prefillBound:
			return "prefill-bound"
		case share < decodeBound:
			return "decode-bound"
		}
		return "bound by both"
	}
	if hi == nil || lo == hi && bound(hiShare) == "bound by both" {
		return
	}
	s := new(sentence).say("One request at a time spends ").cite(hi, hiP, "%s", figure.PercentText(hiShare)).
		say(" of its time before the first token with %s", hi.Title)
	switch {
	case lo == hi:
		s.say(": it is %s", bound(hiShare))
	case bound(hiShare) == bound(loShare):
		s.say(" and ").cite(lo, loP, "%s", figure.PercentText(loShare)).say(" with %s: both are %s", lo.Title, bound(hiShare))
	default:
		s.say(" (%s) and ", bound(hiShare)).cite(lo, loP, "%s", figure.PercentText(loShare)).say(" with %s (%s)", lo.Title, bound(loShare))
	}
	add("Phase", false, s.say("."))
}

// PrefillShare is TTFT / E2E latency of a typical request; E2E is computed as TTFT + TPOT ×
// (output − 1) where it is not recorded and the output length is. It describes the work only at
// one request at a time: above, TTFT holds time in the queue.
func PrefillShare(p *catalog.Point) (float64, bool) {
	first, stat, ok := figure.Central(p, metric.TTFT)
	if !ok {
		return 0, false
	}
	whole, ok := figure.Get(p, metric.E2ELatency, stat)
	if !ok {
		t, has := figure.Get(p, metric.TPOT, stat)
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
	return metric.Round12(first / whole), true
}

// kvInsight says where the KV cache is full before throughput peaks: more load then waits for
// memory. Of several workloads the first is told and the others are counted.
func kvInsight(r *figure.Run, add adder) {
	var s *sentence
	others := 0
	for _, sc := range r.Scenarios {
		p := sc.KVFull()
		peak, v, ok := sc.Peak(metric.OutputThroughput)
		if p == nil || !ok || figure.LoadOf(p) >= figure.LoadOf(peak) {
			continue
		}
		if s != nil {
			others++
			continue
		}
		usage, _, _ := figure.Central(p, metric.KVCacheUsage)
		s = new(sentence).say("With %s, the KV cache is ", sc.Title).cite(sc, p, "%s full", figure.PercentText(usage)).
			say(" %s, before throughput peaks at ", figure.LoadPhrase(p)).cite(sc, peak, "%s tok/s", number(v)).say(" %s", figure.LoadPhrase(peak))
	}
	if s == nil {
		return
	}
	if others > 0 {
		s.say("; so it is in %s", counted(others, "more workload"))
	}
	add("KV cache", true, s.say("."))
}

// completionInsight says where requests did not complete.
func completionInsight(r *figure.Run, add adder) {
	type place struct {
		sc   *figure.Scenario
		p    *catalog.Point
		c, n int64
	}
	var submitted, completed int64
	var failed []place
	for _, sc := range r.Scenarios {
		for _, p := range sc.Points {
			ratio, c, n, ok := figure.Success(p)
			if !ok {
				continue
			}
			submitted, completed = submitted+n, completed+c
			if ratio < 1 {
				failed = append(failed, place{sc, p, c, n})
			}
		}
	}
	if len(failed) == 0 {
		return
	}
	s := new(sentence)
	if len(failed) <= 3 {
		for i, f := range failed {
			if i > 0 {
				s.say(", ")
			}
			s.cite(f.sc, f.p, "%s of %s", metric.Count(f.c), metric.Count(f.n)).say(" completed with %s", f.sc.Title)
			s.say("%s", strings.TrimSuffix(afterwards(f.p), ","))
		}
		s.say("; the latencies there describe the completed requests alone.")
	} else {
		slices.SortStableFunc(failed, func(a, b place) int {
			return cmp.Compare(float64(a.c)/float64(a.n), float64(b.c)/float64(b.n))
		})
		f := failed[0]
		s.say("%s of %s requests completed; %d points are incomplete, most of all ", metric.Count(completed), metric.Count(submitted), len(failed)).
			cite(f.sc, f.p, "%s of %s", metric.Count(f.c), metric.Count(f.n)).say(" with %s", f.sc.Title)
		s.say("%s.", strings.TrimSuffix(afterwards(f.p), ","))
	}
	add("Completion", true, s)
}

// loadInsights name the points that were measured with fewer prompts than their concurrency. The
// sentence on the peak says it of the peak itself.
func loadInsights(r *figure.Run, add adder) {
	main := mainScenario(r)
	for _, sc := range r.Scenarios {
		peak, _, _ := sc.Peak(metric.OutputThroughput)
		for _, p := range sc.Points {
			if n, above := figure.AboveNumPrompts(p); above && (sc != main || p != peak) {
				add("Load", true, new(sentence).say("Concurrency ").cite(sc, p, "%s", figure.LoadText(p)).
					say(" with %s was measured with ", sc.Title).cite(sc, p, "%s prompts", metric.Count(n)).say(": no more than those ran at once."))
				break // one sentence a workload: the smallest such load
			}
		}
	}
}

// counted writes a number of things: "1 more workload", "2 more workloads".
func counted(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return metric.Count(int64(n)) + " " + thing
}

// afterwards is the phrase of a load behind a number within a sentence: " at 8 parallel requests",
// ", all requests at once,".
func afterwards(p *catalog.Point) string {
	switch ph := figure.LoadPhrase(p); {
	case ph == "":
		return ""
	case strings.HasPrefix(ph, "at "):
		return " " + ph
	default:
		return ", " + ph + ","
	}
}
