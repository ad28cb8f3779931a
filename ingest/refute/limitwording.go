package refute

import (
	"slices"
	"strings"
)

func (f facts) frontier(Statement) wording {
	var all []wording
	for _, r := range f.Relations {
		if r.Is != "between" {
			continue
		}
		if len(all) == 0 {
			all = append(all, says("At % tok/s per user, % gives % tok/s per accelerator", num(*r.At),
				f.called(r.Among[0]),
				num(*r.Value)))
		} else {
			all = append(all, says(", % %", f.called(r.Among[0]), num(*r.Value)))
		}
		if n := f.Of[r.Among[0]]; n.Over < 1 {
			return nothing()
		}
	}
	return then(all...)
}

// limitsOf reads limits.
func limitsOf(limits []limit) wording {
	var all []wording
	for i, l := range limits {
		all = append(all, also(i > 0, say(", ")), l.reads())
	}
	if len(all) == 0 {
		return say("no limits")
	}
	return then(all...)
}

// reads reads a limit, with what it stands for.
func (l limit) reads() wording {
	stat := says("% %", l.label(l.Metric), say(l.Stat))
	missing := say("")
	if l.For != nil {
		missing = where(l.For.Stat != "", says(" (% is not recorded)", say(l.For.Stat)),
			says(" (% is not known)", l.label(l.For.Metric)))
	}
	switch {
	case l.Metric == "success_rate" && l.Stat == "value" && l.Least != nil:
		return says("errors ≤ %", percent(1-*l.Least))
	case l.Most != nil:
		return says("% ≤ %%", stat, seconds(*l.Most), missing)
	case l.Metric == "speed_per_request" && l.Least != nil:
		return says("% ≥ % tok/s%", stat, num(*l.Least), missing)
	}
	return nothing()
}

// label reads a metric's label within a sentence.
func (l limit) label(id string) wording {
	label := operand{Metric: id}.info().Label
	return where(strings.Contains(label, " "), say(strings.ToLower(label[:1])+label[1:]), say(label))
}

// saidOnce are the limits that a page says once for all its sentences.
var saidOnce = map[string]string{
	"rankings/chat":            "TTFT p99 ≤ 2\u202fs, TPOT p99 ≤ 50\u202fms, errors ≤ 1\u202f%",
	"rankings/code-completion": "TTFT p99 ≤ 500\u202fms, TPOT p99 ≤ 20\u202fms, errors ≤ 1\u202f%",
	"rankings/batch":           "errors ≤ 1\u202f%",
}

// within reads the limits of a claim behind a load, or nothing where the page says these.
func (f facts) within(page string) wording {
	held := f.limitsHeld()
	unsaid := where(slices.Contains(held(saidOnce[page]), ""), say(""), nothing())
	return either(unsaid, says(" within %", held))
}

// limitsHeld reads the limits of a claim.
func (f facts) limitsHeld() wording {
	if held := f.held(); held != nil {
		return limitsOf(held)
	}
	return nothing()
}

func (f facts) limits(Statement) wording {
	kept, broken := f.many("keeps"), f.many("breaks")
	if kept == 0 {
		return says("No result keeps % at any load measured.", f.limitsHeld())
	}
	return says("% % at some load%.", many(kept, "result keeps", "results keep"), f.limitsHeld(),
		also(broken > 0, says(", % at none", whole(broken))))
}

// of are the first numbers of the relations of a name.
func (f facts) of(name string) (out []int) {
	for _, r := range f.Relations {
		if r.Is == name {
			out = append(out, r.Among[0])
		}
	}
	return out
}

func (f facts) use(s Statement) wording {
	keeps := f.of("keeps")
	best := keeps[0]
	n := f.Of[best]
	w := says("%: % tok/s%%%, %.", f.called(best), f.rate(best), n.each(), n.afterwards(), f.within(s.Page),
		either(n.among(), f.toolBehind(best)))
	broken := f.many("breaks")
	was := "measured"
	if f.has("unjudged") {
		was = "judged"
	}
	if len(keeps) == 1 {
		w = then(w, either(say(""), where(broken > 0,
			says(" No other that was % keeps the limits.", say(was)), nothing())))
	}
	share := func(i int) wording { return says("% of it", percent(f.worth("ratio", i, best))) }
	// Those that are named beside the best are all that are not told apart from it, or the next where all are.
	var equal []wording
	once, open, shut := len(f.samples(best)) == 1, true, true
	for _, i := range keeps[1:] {
		sure, possible := f.settled(best, i)
		if named := f.has("ratio", i, best); named {
			equal = append(equal, says("% (%)", f.called(i), share(i)))
			once, open, shut = once && len(f.samples(i)) == 1, open && !sure, shut && possible
		} else if f.Of[i].Over > 0 {
			open, shut = open && possible, shut && possible
		}
	}
	next := say("")
	if len(equal) > 0 {
		r, _ := f.the("ratio")
		begin := " It is not told apart from "
		if once {
			begin = " Measured once each, it is not told apart from "
		}
		all := []wording{say(begin)}
		for i, e := range equal {
			switch {
			case i == 0:
			case i == len(equal)-1:
				all = append(all, say(" and "))
			default:
				all = append(all, say(", "))
			}
			all = append(all, e)
		}
		next = either(where(open, then(append(all, say("."))...), nothing()),
			where(shut && len(equal) == 1 && second(f.order(), r.Among[0]),
				says(" Next: % with %.", f.called(r.Among[0]), share(r.Among[0])), nothing()))
	}
	return then(w, next, also(f.has("fails"), says(" % them at no load.", many(broken, "other keeps", "others keep"))),
		f.silent())
}

// second reports the second of some numbers.
func second(of []int, i int) bool { return len(of) > 1 && of[1] == i }

// silent reads which hardware is not judged, by what it does not record.
func (f facts) silent() wording {
	var order []instead
	of := map[instead][]int{}
	for _, i := range f.of("unjudged") {
		r, _ := f.the("unjudged", i)
		l := f.at[i].of.lacks(r.Limits)
		what := instead{l.Metric, l.Stat}
		if of[what] == nil {
			order = append(order, what)
		}
		of[what] = append(of[what], i)
	}
	var all []wording
	for _, what := range order {
		missing := where(what.Metric == "success_rate", say("failures are"),
			says("% % is", limit{}.label(what.Metric), say(what.Stat)))
		all = append(all, says(" Not judged on %: % not known.", f.listed(of[what]), missing))
	}
	return then(all...)
}

func (f facts) apart(Statement) wording {
	if len(f.Of) < 2 {
		return nothing()
	}
	return says("The % ITL differs from the % TPOT by at most % at every load: one chart shows both.",
		say(f.Of[0].Stat),
		say(f.Of[0].Stat), percent(f.worth("farthest")))
}

// bestOf is the number of the relation of a name that computes a value.
func (f facts) bestOf(name string, v float64) int {
	for _, r := range f.Relations {
		if r.Is == name && r.Value != nil && *r.Value == v {
			return r.Among[0]
		}
	}
	return 0
}

func (f facts) cheap(s Statement) wording {
	least := f.worth("cheapest")
	i := f.bestOf("cost", least)
	r, _ := f.the("cost", i)
	if r.At == nil {
		return nothing()
	}
	at := *r.At
	price := func(rest string) (left []string) {
		for _, n := range s.Names {
			if after, ok := strings.CutPrefix(rest, spaced(n)); ok && len(num(at)(spaced(n))) > 0 {
				left = append(left, after)
			}
		}
		return left
	}
	return says("%: % % per 10⁶ output tokens%, within the limits of %, at %%.%", f.called(i), num(least), word,
		f.Of[i].afterwards(), until(", at "), price, f.asLittle("cost", least, "costs", "cost"), f.lacking("cost", " No price is stated of %."))
}

// asLittle reads how many more have the best value of a relation.
func (f facts) asLittle(is string, best float64, one, more string) wording {
	n := -1
	for _, r := range f.Relations {
		if r.Is == is && *r.Value == best {
			n++
		}
	}
	return also(n > 0, says("; % as little", many(n, "other "+one, "others "+more)))
}

// lacking reads which of the numbers that keep limits have no cost or no energy: those of a known number of
// accelerators for want of a price or a power, the others for want of that number.
func (f facts) lacking(is, words string) wording {
	var counted, uncounted []int
	for _, i := range f.without(is) {
		if f.Of[i].Over > 0 {
			counted = append(counted, i)
		} else {
			uncounted = append(uncounted, i)
		}
	}
	return then(also(len(counted) > 0, says(words, f.listed(counted))),
		also(len(uncounted) > 0, says(" The number of accelerators is not recorded of %.", f.listed(uncounted))))
}

// listed reads the names of numbers, the first four and how many more.
func (f facts) listed(of []int) wording {
	var all []wording
	for i, n := range of {
		switch {
		case i == 4:
			return then(append(all, says(" and %", many(len(of)-i, "other", "others")))...)
		case i > 0 && i == len(of)-1:
			all = append(all, say(" and "))
		case i > 0:
			all = append(all, say(", "))
		}
		all = append(all, f.called(n))
	}
	return then(all...)
}

// word reads a word.
func word(rest string) []string {
	if i := strings.IndexByte(rest, ' '); i > 0 && !strings.ContainsAny(rest[:i], "0123456789") {
		return []string{rest[i:]}
	}
	return nil
}

// until reads words without a digit that end where another text begins.
func until(end string) wording {
	return func(rest string) []string {
		i := strings.Index(rest, end)
		if i < 0 || strings.ContainsAny(rest[:i], "0123456789") {
			return nil
		}
		return []string{rest[i:]}
	}
}

// afterwards reads a load at the end of a part of a sentence.
func (o operand) afterwards() wording {
	return either(also(o.Axis == "", say("")), says(" %", o.at()), says(", %", o.at()))
}

func (f facts) thrifty(Statement) wording {
	most := f.worth("thriftiest")
	i := f.bestOf("joule", most)
	r, _ := f.the("joule", i)
	if r.At == nil {
		return nothing()
	}
	by := oneOf(" by the boards' specified power, which was not measured", " by measured power")
	if *r.At == 0 {
		by = say(" by measured power")
	}
	return says("%: % output tokens per joule%, within the limits of %,%%.%", f.called(i), num(most), f.Of[i].afterwards(),
		until(", by"), by, f.asLittle("joule", most, "takes", "take"), f.lacking("joule", " No power is known of %."))
}
