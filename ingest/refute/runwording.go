package refute

import (
	"math"
	"regexp"
	"slices"
	"strconv"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/record"
)

func (c sweetClaim) reads(*Checker, *catalog.Run, []place) wording {
	user := say(" serve each user fastest")
	if c.None {
		return says("With %, no load keeps TTFT p99 and TPOT p99 within twice their minima; of all loads, %%: % "+
			"tok/s a user.",
			c.At.titled(), c.At.load(), user, num(c.PerUser))
	}
	return says("With %, %% while TTFT p99 and TPOT p99 stay within twice their minima: % tok/s a user.", c.At.titled(),
		c.At.load(), user, num(c.PerUser))
}

func (c peakClaim) reads(*Checker, *catalog.Run, []place) wording {
	more := also(c.Rising, say(", the largest load measured: the maximum may lie beyond"))
	if c.Prompts > 0 {
		more = says("; only % prompts were sent, so no more than % ran at once", whole(c.Prompts), whole(c.Prompts))
	}
	return says("Output throughput peaks at % tok/s% with %%.", num(c.At.Value), c.At.behind(), c.At.titled(), more)
}

func (c kneeClaim) reads(*Checker, *catalog.Run, []place) wording {
	return says("With %, % already give % tok/s, % of the peak.", c.At.titled(), c.At.load(), num(c.At.Value),
		percent(c.Share))
}

func (c scalingClaim) reads(*Checker, *catalog.Run, []place) wording {
	return says("With %, scaling efficiency at % is % against %: throughput rose % while the load rose %.",
		c.At.titled(),
		c.At.load(), percent(c.Efficiency), num(float64(c.From.Load)), ratio(c.At.Value/c.From.Value),
		ratio(float64(c.At.Load)/float64(c.From.Load)))
}

func (c dropClaim) reads(*Checker, *catalog.Run, []place) wording {
	return says("With %, output throughput falls by % from % to %: from % to % tok/s%.", c.From.titled(), percent(c.Fall),
		num(float64(c.From.Load)), c.To.load(), num(c.From.Value), num(c.To.Value), also(c.Others > 0,
			says("; it falls by a fifth or more in %", many(c.Others, "more workload", "more workloads"))))
}

func (c keptClaim) reads(*Checker, *catalog.Run, []place) wording {
	if c.None {
		return says("With %, a median request gets % tok/s at no load measured: % tok/s%, time to first token included.",
			c.At.titled(), num(c.Limit), num(c.At.Value), c.At.afterwards())
	}
	return says("With %, a median request gets at least % tok/s, time to first token included, up to %%.",
		c.At.titled(), num(c.Limit), c.At.load(), also(c.Largest, say(", the largest load measured")))
}

func (c kvClaim) reads(*Checker, *catalog.Run, []place) wording {
	return says("With %, the KV cache is % full %, before throughput peaks at % tok/s %%.", c.Usage.titled(),
		percent(c.Usage.Value), c.Usage.at(), num(c.Peak.Value), c.Peak.at(),
		also(c.Others > 0, then(say("; so it is in "), many(c.Others, "more workload", "more workloads"))))
}

func (c completionClaim) reads(*Checker, *catalog.Run, []place) wording {
	const few = 3
	without := func(n int64, end string) wording {
		return also(n > 0, says(", % of them without output%", whole(n), say(end)))
	}
	if len(c.Points) > few {
		worst := c.Points[0]
		return says("% of % requests completed%; % points are incomplete, most of all % of %% with %%.",
			whole(c.Completed), whole(c.Submitted), without(c.NoOutput, ""), whole(len(c.Points)),
			whole(worst.Completed), whole(worst.Submitted), without(worst.NoOutput, ","), worst.At.titled(),
			worst.At.afterwards())
	}
	var all []wording
	end, zeros := "", ""
	for i, p := range c.Points {
		if p.Completed > 0 {
			end = "; the latencies there describe the completed requests alone"
		}
		if p.NoOutput > 0 {
			zeros = ", and may have zeros for those without output"
		}
		words := then(say(" completed"), without(p.NoOutput, ","), say(" with "), p.At.titled())
		if i > 0 && p.At.Workload == c.Points[i-1].At.Workload { // said before
			words = without(p.NoOutput, ",")
		}
		all = append(all, also(i > 0, say(", ")),
			says("% of %%%", whole(p.Completed), whole(p.Submitted), words, p.At.afterwards()))
	}
	return then(append(all, say(end+zeros+"."))...)
}

func (c promptsClaim) reads(*Checker, *catalog.Run, []place) wording {
	return says("Concurrency % with % was measured with % prompts: no more than those ran at once.",
		num(float64(c.At.Load)), c.At.titled(), whole(c.Prompts))
}

func (c tailClaim) reads(_ *Checker, _ *catalog.Run, at []place) wording {
	more := also(c.Above == 0 && c.Within > 0, say("; at larger loads p99 stays within twice the median"))
	if at[0].measured != at[2].measured {
		more = says("; from there on the tail is longest %: %", c.Worst.at(), ratio(c.WorstRatio))
	}
	others := also(c.Others > 0, says("; it exceeds twice the median in %",
		many(c.Others, "more workload", "more workloads")))
	return says("With %%, TTFT p99 is % against a median of % (%)%%.", c.P99.titled(),
		also(c.P99.Axis != "", says(", %", c.P99.at())), seconds(c.P99.Value), seconds(c.Median.Value),
		ratio(c.Ratio), more, others)
}

func (c steadyClaim) reads(*Checker, *catalog.Run, []place) wording {
	return says("With %, TPOT is steady from request to request: a median of %, p99/median %.", c.Median.titled(),
		seconds(c.Median.Value), num(c.Ratio))
}

// bound is what the time of a request is spent on, by its share before the first token.
func (s share) bound() string {
	switch {
	case s.Share > 0.5:
		return "prefill-bound"
	case s.Share < 0.2:
		return "decode-bound"
	}
	return "bound by both"
}

func (c phaseClaim) reads(_ *Checker, _ *catalog.Run, at []place) wording {
	most, least := c.Most, c.Least
	end := says(" (%) and % with % (%).", say(most.bound()), percent(least.Share), least.TTFT.titled(),
		say(least.bound()))
	switch {
	case at[0].of == at[1].of:
		end = says(": it is %.", say(most.bound()))
	case most.bound() == least.bound():
		end = says(" and % with %: both are %.", percent(least.Share), least.TTFT.titled(), say(most.bound()))
	}
	return says("One request at a time spends % of its time before the first token with %%", percent(most.Share),
		most.TTFT.titled(), end)
}

// words reads what is said of how sure a difference is.
func (d difference) words() wording {
	both := says("% and % measurements", whole(d.A.N), whole(d.B.N))
	switch {
	case d.Certainty == "distinguishable":
		return says("distinguishable: the 95\u202f% intervals of % do not overlap", say("%"), both)
	case d.Certainty == "not distinguishable":
		return says("not distinguishable: the 95\u202f% intervals of % overlap", say("%"), both)
	case d.A.N == 1 && d.B.N == 1:
		return say("one measurement each: whether it is chance cannot be told")
	}
	return says("%, fewer than six on a side: whether it is chance cannot be told", both)
}

// basis reads what a comparison rests on.
func (c versusClaim) basis() wording {
	return says(" (%%).", c.Difference.words(), also(c.Amber && len(c.Cautions) > 0, func(rest string) []string {
		return says("; %", say(spaced(c.Cautions[0])))(rest)
	}))
}

// of is how much more the median of this run is than that of the other.
func (c versusClaim) of() float64 { return (c.Here.Value - c.There.Value) / c.There.Value }

func (c versionClaim) reads(*Checker, *catalog.Run, []place) wording {
	change := c.of()
	how := say("not distinguishable")
	switch {
	case c.Difference.Certainty == "not distinguishable":
	case math.Abs(change) < 1e-12:
		how = say("the same")
	case change > 0:
		how = says("% higher", percent(change))
	default:
		how = says("% lower", percent(-change))
	}
	return says("Against %, with % %, output throughput is %: % tok/s against %%", say(spaced(c.Called)),
		c.Here.titled(),
		c.Here.at(), how, num(c.Here.Value), num(c.There.Value), c.basis())
}

func (c halfClaim) reads(k *Checker, r *catalog.Run, _ []place) wording {
	if len(c.Spreads) == 0 {
		return nothing()
	}
	first, last := c.Spreads[0], c.Spreads[len(c.Spreads)-1]
	load := func(point int) wording { return k.operandOf(r, point).at() }
	of := say("the requests")
	gaps := first.Metric == "itl"
	much := func(v float64) wording { return operand{Metric: string(first.Metric)}.much(v) }
	switch {
	case len(c.Spreads) == 1 && gaps:
		of = says("the %", many(int(first.N), "gap between chunks", "gaps between chunks"))
	case len(c.Spreads) == 1:
		of = says("the %", many(int(first.N), "request", "requests"))
	case gaps:
		of = say("the gaps between chunks")
	}
	begin := says("% of half of % is at most %", say(operand{Metric: string(first.Metric)}.info().Label), of,
		much(first.Median))
	if gaps {
		begin = says("Half of % are at most % long", of, much(first.Median))
	}
	switch {
	case len(c.Spreads) > 1:
		return says("% %, % %", begin, load(first.Point), much(last.Median), load(last.Point))
	case first.P99 != nil:
		return says("%, of 99 in 100 at most %", begin, much(*first.P99))
	}
	return begin
}

// operandOf is the load at which a point of a run was measured.
func (k *Checker) operandOf(r *catalog.Run, point int) (o operand) {
	if c := k.curveOf(r, point); c != nil {
		for _, m := range c.loads {
			if slices.Contains(m.points, point) {
				o.Axis, o.Load = c.axis, record.Float(m.load)
			}
		}
	}
	return o
}

func (c fitClaim) reads(*Checker, *catalog.Run, []place) wording {
	return says("One request's prompt is read at % tok/s%", num(c.Speed),
		also(c.Cost > 0, says(", after % of fixed cost", seconds(c.Cost))))
}

// inAndOut is the name of a profile that was measured under one workload.
var inAndOut = regexp.MustCompile(`^(?:kv cache, )?(\d+) in, (\d+) out$`)

func (c fullClaim) reads(*Checker, *catalog.Run, []place) wording {
	name := say(spaced(c.In))
	if m := inAndOut.FindStringSubmatch(c.In); m != nil {
		in, _ := strconv.Atoi(m[1])
		out, _ := strconv.Atoi(m[2])
		name = says("% → %", whole(in), whole(out))
	}
	return says("The KV cache is at most % full, with %", percent(c.Usage), name)
}

func (c capacityClaim) reads(*Checker, *catalog.Run, []place) wording {
	how := says("% more", percent(c.Change))
	if c.Change < 0 {
		how = says("% fewer", percent(-c.Change))
	}
	return says("The KV cache holds % tokens %: % against % (one figure each).", how, say(spaced(c.Called)),
		num(c.Here),
		num(c.There))
}
