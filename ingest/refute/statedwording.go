package refute

import (
	"math"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/metric"
)

// wordings are how the sentences of a kind that states numbers are read.
var wordings = map[string]func(f facts, s Statement) wording{
	"span":       facts.span,
	"spread":     facts.spread,
	"top":        facts.top,
	"lead":       facts.lead,
	"trade":      facts.trade,
	"wins":       func(f facts, _ Statement) wording { return f.wins() },
	"everywhere": facts.everywhere,
	"pair":       facts.pair,
	"hardware":   facts.hardware,
	"step":       facts.step,
	"few-runs":   facts.fewRuns,
	"level":      facts.since,
	"depth":      facts.depth,
	"turn":       facts.choice,
	"switch":     facts.faster,
	"length":     facts.keptLength,
	"fall":       facts.falling,
	"frontier":   facts.frontier,
	"use":        facts.use,
	"limits":     facts.limits,
	"close":      facts.close,
	"again":      facts.again,
	"beyond":     facts.beyond,
	"beside":     facts.apart,
	"cost":       facts.cheap,
	"energy":     facts.thrifty,
}

// the gives the relation of a name, the one of some numbers where they are given; ok is false where there is none.
func (f facts) the(name string, among ...int) (r relation, ok bool) {
	for _, r := range f.Relations {
		if r.Is == name && (len(among) == 0 || slices.Equal(r.Among, among)) {
			return r, true
		}
	}
	return r, false
}

func (f facts) has(name string, among ...int) bool {
	_, ok := f.the(name, among...)
	return ok
}

// worth is the value that a relation computes; a relation that the claim lacks is worth no number.
func (f facts) worth(name string, among ...int) float64 {
	if r, ok := f.the(name, among...); ok && r.Value != nil {
		return *r.Value
	}
	return math.NaN()
}

// order are the numbers of a claim as it ranks them; of one alone that one.
func (f facts) order() []int {
	if r, ok := f.the("ranked"); ok {
		return r.Among
	}
	if len(f.Of) == 1 {
		return []int{0}
	}
	return nil
}

// much reads a number in the unit of its metric, rate without one.
func (f facts) much(i int) wording { return f.Of[i].much(f.Of[i].Is) }

func (f facts) rate(i int) wording { return num(f.Of[i].Is) }

func (f facts) called(i int) wording { return f.Of[i].calls() }

func (f facts) span(Statement) wording {
	if len(f.Of) != 2 {
		return nothing()
	}
	both := func(rest string) (left []string) { // what reads as either of the two
		for _, l := range f.much(0)(rest) {
			if slices.Contains(f.much(1)(rest), l) {
				left = append(left, l)
			}
		}
		return left
	}
	return either(says("% goes from % % to % %", f.Of[0].statistic(), f.much(0), f.Of[0].at(), f.much(1), f.Of[1].at()),
		says("% is % % and %", f.Of[0].statistic(), both, f.Of[0].at(), f.Of[1].at()))
}

func (f facts) spread(Statement) wording {
	o := f.order()
	if len(o) < 2 {
		return nothing()
	}
	lo, hi := o[0], o[len(o)-1]
	return says("% time to first token runs from % (%) to % (%)", capital(f.Of[lo].at()), f.much(lo), f.Of[lo].titled(),
		f.much(hi), f.Of[hi].titled())
}

// unit reads what a throughput is counted in.
func (n number) unit() string {
	if n.Metric == "request_throughput" {
		return "requests/s"
	}
	return "tok/s"
}

// each reads that a sum is that of one accelerator.
func (n number) each() wording { return also(n.Over > 0, say(" per accelerator")) }

func (f facts) top(s Statement) wording {
	o := f.order()
	if len(o) == 0 { // several peaks that nothing puts in an order
		all := []wording{say("peak ")}
		for i := range f.Of {
			all = append(all, also(i > 0, say(" / ")), f.rate(i))
		}
		return then(all...)
	}
	first := f.Of[o[0]]
	peak := "Peak of"
	if first.Metric == "total_generation_speed" {
		peak = "Total generation speed peaks at"
	}
	own := says("% % %% with %%", say(peak), f.rate(o[0]), say(first.unit()), first.placed(), first.titled(), either(
		where(f.has("prompts"), says(", with only % prompts sent", num(f.worth("prompts"))), nothing()),
		where(f.has("last"), say(", still rising at the largest load"), nothing()),
		where(f.has("last") || f.has("prompts"), nothing(), say(""))))
	user := where(first.Inverse || first.Metric == "speed_per_request",
		says("% gives one user up to % tok/s", f.called(o[0]), f.rate(o[0])), nothing())
	tied := f.tied(o[0], o)
	all := says("The highest output with %%% is % tok/s per accelerator: % on %%%%.", first.among(), either(say(""), say(",")),
		either(say(""), say(" by the newest engine version of each card")), f.rate(o[0]),
		f.model(s, o[0]), f.called(o[0]), also(first.Axis != "", says(", %", first.at())),
		either(say(""), f.engines(s, o[0], o[0])), also(tied > 0, says("; % as much", many(tied, "other gives", "others give"))))
	if first.Over == 0 {
		all = nothing()
	}
	return either(own, all, user, f.peaks(o), f.timesAsMany(o, s), also(len(o) == 1, says("peak %", f.rate(o[0]))))
}

// peaks reads which of some runs has the highest peak, and what the next one has.
func (f facts) peaks(o []int) wording {
	first := f.Of[o[0]]
	if first.Metric == "request_throughput" && first.Inverse {
		return nothing()
	}
	verb := either(say("gives"), say("reaches"))
	if first.unit() == "requests/s" {
		verb = say("completes at most")
	}
	share := func(n number) wording {
		switch n.Over {
		case 0:
			return say("")
		case 1:
			return say(" on one accelerator")
		}
		return says(" for each of %", many(n.Over, "accelerator", "accelerators"))
	}
	subject := f.called(o[0])
	if first.unit() == "requests/s" && len(o) == 1 && first.Called == "" { // the only one
		subject = say("The server")
	}
	w := says("% % % %%%", subject, verb, f.rate(o[0]), say(first.unit()), share(first),
		either(first.placed(), says(", %", first.at())))
	if len(o) > 1 {
		next := f.Of[o[1]]
		w = then(w, says(", % %%", f.called(o[1]), f.rate(o[1]), share(next)),
			also(first.Over*next.Over > 1, says("; in all % and %", num(first.Value), num(next.Value))),
			also(f.has("open", o[0], o[1]), say("; the two are not told apart")))
	}
	return then(w, either(say("."), say("")))
}

// timesAsMany reads how many times as many tokens the first of some runs generates.
func (f facts) timesAsMany(o []int, s Statement) wording {
	if len(o) < 2 {
		return nothing()
	}
	first := f.Of[o[0]]
	return says("% generates % times as many tokens a second% on % as on %: % against % tok/s% at the best load, %%.",
		f.model(s, o[0]), num(f.worth("ratio", o[0], o[1])), first.each(), f.called(o[0]), f.called(o[1]),
		f.rate(o[0]), f.rate(o[1]),
		first.each(), first.among(), f.engines(s, o[0], o[1]))
}

// model reads the name of the model of the run of a number, or that of its card: the one that lists give it. Without
// lists it is a name that shares a word with what the run records.
func (f facts) model(s Statement, i int) wording {
	r := f.at[i].run
	listed, recorded := f.k.nameOf("model", r), wordsOf(model(r))
	is := func(n string) bool {
		return slices.ContainsFunc(listed, func(m string) bool {
			return n == m || strings.HasPrefix(n, m+" on ") ||
				strings.HasPrefix(n, m+", ")
		})
	}
	return func(rest string) (left []string) {
		for _, n := range s.Names {
			after, ok := strings.CutPrefix(rest, spaced(n))
			if ok && (is(n) || len(listed) == 0 && common(wordsOf(n), recorded)) {
				left = append(left, after)
			}
		}
		return left
	}
}

// common reports a word that is among both.
func common(a, b []string) bool {
	return slices.ContainsFunc(a, func(w string) bool { return slices.Contains(b, w) })
}

// engines reads the engines of the runs of two numbers, once where it is one; nothing where none is recorded.
func (f facts) engines(s Statement, i, j int) wording {
	r, o := f.at[i].run, f.at[j].run
	return func(rest string) (left []string) {
		if attribute(r, "engine") == "" && attribute(o, "engine") == "" {
			return []string{rest}
		}
		rest, ok := strings.CutPrefix(rest, ", ")
		if !ok {
			return nil
		}
		all := append([]string{"an unrecorded engine"}, s.Names...)
		for _, a := range all {
			after, ok := strings.CutPrefix(rest, spaced(a))
			if !ok || f.k.fits(f.k.name(a), r) == 0 && attribute(r, "engine") != "" {
				continue
			}
			left = append(left, after)
			for _, b := range all {
				if last, ok := strings.CutPrefix(after, " and "+spaced(b)); ok && f.k.exchanged(f.k.name(a), r, f.k.name(b), o) == nil {
					left = append(left, last)
				}
			}
		}
		return left
	}
}

func (f facts) lead(s Statement) wording {
	o := f.order()
	if len(o) < 2 {
		return nothing()
	}
	a, b := o[0], o[1]
	two := says("%: % against % of %, % with %", f.called(a), f.much(a), f.much(b), f.called(b), f.Of[a].at(),
		f.Of[a].titled())
	all := []wording{either(says("%: ", f.model(s, a)), say("")), says("% gives the first token after % (%) %",
		f.called(a), f.much(a), say(f.Of[a].Stat), f.Of[a].at())}
	for i, j := range o[1:] {
		all = append(all, comma(i, len(o)-1), f.called(j), say(" "), f.much(j))
	}
	return either(two, where(f.Of[a].Metric == "ttft", then(append(all, says("; %.", f.Of[a].titled()))...), nothing()))
}

// trade reads who gives more at the best load and who less at one load that both have: four numbers of two runs under
// one workload, of which the third is of the run of the second.
func (f facts) trade(Statement) wording {
	if len(f.Of) != 4 || !f.has("won", 0, 1) || !f.has("won", 2, 3) || !f.has("together", 2, 3) ||
		!f.has("highest", 0, 1) || f.at[0].of != f.at[3].of || f.at[1].of != f.at[2].of || f.Of[0].Metric != output ||
		f.Of[2].info().Unit != metric.Seconds {
		return nothing()
	}
	return says("% gives up to % tok/s against % of %; % has the lower % %: % against % % with %.", f.called(0),
		f.rate(0), f.rate(1), f.called(1), f.called(2), say(f.Of[2].Stat), say(f.Of[2].info().Label), f.much(2),
		f.much(3), f.Of[2].at(), f.Of[2].titled())
}

// among reads the name of a workload that may stand beside one of the same name on another axis.
func (o operand) among() wording {
	return then(o.titled(), either(say(""), says(", by %", oneOf(o.Axis, axes[o.Axis]))))
}

// toolBehind reads the same with the tool that measured it.
func (f facts) toolBehind(i int) wording {
	tool := say(f.at[i].run.Identity.Tool)
	for _, name := range f.k.nameOf("tool", f.at[i].run) {
		tool = either(tool, say(name))
	}
	return says("%, %", f.Of[i].among(), tool)
}

// axes are what tells workloads of one name apart.
var axes = map[string]string{"concurrency": "parallel requests", "rate": "request rate",
	"batch": "batch size", "": "load"}

// comma reads what stands before one of several that follow a comma.
func comma(i, of int) wording {
	if i > 0 && i == of-1 {
		return say(" and ")
	}
	return say(", ")
}

// bestAt reads what somebody is best at.
func (f facts) bestAt(i int) wording {
	n, word := f.Of[i], "lowest"
	if n.info().Better > 0 {
		word = "highest"
	}
	peak := nothing()
	if n.Metric == output && f.peaked() {
		each := slices.ContainsFunc(f.Of, func(n number) bool { return n.Over > 0 })
		peak = then(say("highest peak"), also(each, say(" per accelerator")))
	}
	return either(peak, says("better %%", say(n.label()), n.each()),
		says("% % %", say(word), say(n.Stat), say(n.info().Label)))
}

// peaked reports whether every number that a place is won by is the peak of its workload.
func (f facts) peaked() bool {
	for _, r := range f.contests(false) {
		for _, i := range r.Among {
			if f.highest(i) != nil {
				return false
			}
		}
	}
	return true
}

// wins reads who is best at how many places.
func (f facts) wins() wording {
	type win struct{ at, n int }
	var wins []win
	for _, r := range f.contests(true) {
		i := slices.IndexFunc(wins, func(w win) bool { return f.at[w.at].run == f.at[r.Among[0]].run })
		if i < 0 {
			i, wins = len(wins), append(wins, win{r.Among[0], 0})
		}
		wins[i].n++
	}
	slices.SortStableFunc(wins, func(a, b win) int { return b.n - a.n })
	places := f.contests(false)
	if len(places) == 0 {
		return nothing()
	}
	noun := either(many(len(places), "load", "loads"), many(len(places), "workload", "workloads"))
	what := f.bestAt(places[0].Among[0])
	if len(wins) == 0 {
		return says("Which has the % cannot be told%", what, also(len(places) > 1, says(" at any of %", noun)))
	}
	w := says("% has the % at % of %", f.called(wins[0].at), what, whole(wins[0].n), noun)
	if wins[0].n == len(places) && len(places) > 1 {
		w = says("% has the % at all %", f.called(wins[0].at), what, noun)
	}
	for i, other := range wins[1:] {
		w = then(w, comma(i, len(wins)-1), says("% at %", f.called(other.at), whole(other.n)))
	}
	open := len(places) - len(f.contests(true))
	return then(w, also(open > 0, says("; at % the best are not told apart", whole(open))))
}

// differences are the relations that say how two numbers differ.
func (f facts) differences() (out []relation) {
	for _, r := range f.Relations {
		if slices.Contains([]string{"change", "equal", "unequal"}, r.Is) {
			out = append(out, r)
		}
	}
	return out
}

// by is how much two numbers differ: 0 where they are equal.
func (r relation) by() float64 {
	if r.Value != nil {
		return *r.Value
	}
	return 0
}

// where reads load and workload of a number.
func (o operand) where() wording {
	return either(says("% with %", o.at(), o.titled()), where(o.Axis == "", says("with %", o.titled()), nothing()))
}

func (f facts) everywhere(Statement) wording {
	all := f.differences()
	if len(all) == 0 {
		return nothing()
	}
	end := func(name string) wording {
		var at []wording
		for _, r := range all {
			if near(r.by(), f.worth(name)) {
				at = append(at, f.Of[r.Among[1]].where()) // as the base calls it
			}
		}
		return says("% (%)", signed(f.worth(name)), either(at...))
	}
	sure := say("")
	if n := f.worth("sure"); n > 0 {
		how := " from chance"
		if f.has("clear-within") {
			how = " within the runs"
		}
		sure = says("; % of the differences are distinguishable%", num(n), say(how))
	}
	return says("%. The difference of % runs from % to %, median %%.", f.wins(), f.called(all[0].Among[0]),
		end("least"),
		end("most"), signed(f.worth("middle")), sure)
}

// magnitude reads how far the first of two numbers is from the second.
func (f facts) magnitude(r relation) wording {
	n := f.Of[r.Among[0]]
	more, less := "higher", "lower"
	if n.info().Unit == "s" {
		more, less = "longer", "shorter"
	}
	v := r.by()
	switch {
	case r.Is == "unequal":
		return say("not zero any more")
	case v == 0:
		return say("equal")
	case v >= 1:
		return says("% times as "+strings.TrimSuffix(more, "er"), num(1+v))
	case math.Abs(v) < 0.0005:
		return say("equal to a thousandth")
	case v > 0:
		return says("% "+more, percent(v))
	}
	return says("% "+less, percent(-v))
}

// sureness reads what the measurements allow to be said of a difference.
func (f facts) sureness(r relation, brief bool) wording {
	i, j := r.Among[0], r.Among[1]
	side := func(i int) wording {
		if n := f.worth("requests", i); n > 0 {
			return either(says("% requests", num(n)), num(n))
		}
		return says("% measurements", num(f.worth("measured", i)))
	}
	both := func() wording {
		return then(side(i), say(" and "), side(j))
	}
	n, m := f.worth("measured", i), f.worth("measured", j)
	of := says("% and % measurements", num(n), num(m))
	switch {
	case brief && f.has("clear-within", i, j):
		return say("distinguishable within the runs")
	case brief && f.has("clear", i, j):
		return say("distinguishable")
	case brief && (f.has("same", i, j) || f.has("same-within", i, j)):
		return say("not distinguishable")
	case f.has("clear-within", i, j):
		return says("distinguishable within the runs: the 95\u202f% intervals of the median over % do not overlap; "+
			"how far repeated runs lie apart is not known", say("%"), both())
	case f.has("same-within", i, j):
		return says("not distinguishable: the 95\u202f% intervals of the median over % overlap", say("%"), both())
	case f.has("unclear", i, j):
		return says("the percentiles around the median of % overlap: whether it is chance cannot be told", both())
	case f.has("clear", i, j):
		return says("distinguishable: the 95\u202f% intervals of % do not overlap", say("%"), of)
	case f.has("same", i, j):
		return says("not distinguishable: the 95\u202f% intervals of % overlap", say("%"), of)
	case n == 1 && m == 1:
		return say("one measurement each: whether it is chance cannot be told")
	}
	return says("%, fewer than six on a side: whether it is chance cannot be told", of)
}

// countsOf reads how many times the accelerators one side has, where a sum over them is compared.
func (f facts) countsOf(r relation, first int) wording {
	if f.has("counts", r.Among...) {
		n := f.worth("counts", r.Among...)
		if first != r.Among[0] {
			n = 1 / n
		}
		return says(", with % times the accelerators", num(n))
	}
	return either(say(""), where(f.recorded(r.Among) != nil || f.unrecorded(r.Among),
		say(", of a number of accelerators that is not recorded on both sides"), nothing()))
}

// told reports whether one of two numbers is better by more than chance, or by more than 5 % where too few
// measurements allow nothing to be claimed.
func (f facts) told(r relation) bool {
	if f.has("few", r.Among...) || f.has("unclear", r.Among...) {
		return r.Is == "unequal" || math.Abs(r.by()) > 0.05
	}
	return f.has("clear", r.Among...) || f.has("clear-within", r.Among...)
}

// unrecorded reports numbers of which one stands at a run that does not record how many accelerators it has.
func (f facts) unrecorded(among []int) bool {
	return slices.ContainsFunc(among, func(i int) bool { return len(f.at[i].counts) == 0 })
}

func (f facts) pair(Statement) wording {
	all := f.differences()
	if len(all) != 1 {
		return nothing()
	}
	r := all[0]
	i, j := r.Among[0], r.Among[1]
	a, b := f.Of[i], f.Of[j]
	with := oneOf("on", "with", "for")
	if a.Over > 0 {
		return either(f.answer(r, with),
			says("Throughput per accelerator is % % %: % on each of % against % on each of % %.", f.magnitude(r), with,
				f.called(i), f.much(i), whole(a.Over), f.much(j), whole(b.Over), b.where()))
	}
	answer := f.answer(r, with)
	caption := says("% % % % %: % against %%", say(a.info().Label), f.magnitude(r), with, f.called(i),
		a.at(), f.much(i),
		f.much(j), f.countsOf(r, i))
	how := f.magnitude(r)
	same := f.has("same", i, j) || f.has("same-within", i, j)
	if same {
		how = say("not distinguishable")
	}
	direction := say("")
	if f.told(r) {
		switch better := f.better(i, j); {
		case a.info().Better == 0:
		case better > 0:
			direction = say(", which is better")
		default:
			direction = say(", which is worse")
		}
	}
	return either(answer, caption, says("% is % % %%: % against % % % %%%.", a.statistic(), how, with,
		f.called(i), direction,
		f.much(i), f.much(j), with, f.called(j), b.where(), f.countsOf(r, i),
		either(say(""), says(" (%)", f.sureness(r, false)), says(" (%)", f.sureness(r, true)))))
}

// answer reads which of two numbers is better, that one first.
func (f facts) answer(r relation, with wording) wording {
	i, j := r.Among[0], r.Among[1]
	begin, better := say(""), f.better(i, j)
	same := f.has("same", i, j) || f.has("same-within", i, j)
	switch {
	case r.Is == "equal":
		begin = say("equal: ")
	case same || f.Of[i].info().Better == 0:
	default:
		begin = say("better: ")
		if better < 0 {
			i, j = j, i
		}
	}
	sure := says("; %", f.sureness(r, true))
	if f.has("few", r.Among...) || f.has("unclear", r.Among...) {
		n, m := f.worth("measured", i), f.worth("measured", j)
		counts := says("no claim: % and % measurements", num(n), num(m))
		// Of single measurements a page says it once, and no more where it is silent.
		once := either(say(""), say("; no claim: measured once each"))
		sure = either(where(n == 1 && m == 1, once, says("; %", counts)),
			where(f.has("unclear", r.Among...), say("; no claim: percentiles overlap"), nothing()))
	}
	side := func(i int) wording {
		return says("%% % %", f.much(i), f.Of[i].each(), with, f.called(i))
	}
	return says("%% against %%%", begin, side(i), side(j), also(f.Of[i].Over == 0, f.countsOf(r, i)), sure)
}

// hardware reads how the best of some other hardware stands to that of a run: the first number is the run's, the
// second that of the best.
func (f facts) hardware(s Statement) wording {
	if len(f.Of) < 2 {
		return nothing()
	}
	own, there := f.Of[0], f.Of[1]
	r, ok := f.the("configurations")
	if !ok {
		return nothing()
	}
	others, name, same := len(r.Among)-1, f.called(1), f.has("same", 1, 0)
	begin := says("Of % other hardware configurations measured at this load, % gives most%: ", whole(others), name,
		there.each())
	switch {
	case others == 1:
		only := says("he only other hardware measured at this load, %, gives ", name)
		begin = where(there.Over > 0, then(say("Per accelerator, t"), only), then(say("T"), only))
	case there.Is <= own.Is && f.tied(1, r.Among[1:]) > 0:
		begin = says("None of % other hardware configurations measured at this load gives more%, or comes nearer than %: ",
			whole(others), there.each(), name)
	case there.Is <= own.Is:
		begin = says("None of % other hardware configurations measured at this load gives more%; % comes nearest: ",
			whole(others), there.each(), name)
	case f.tied(1, r.Among[1:]) > 0:
		begin = says("Of % other hardware configurations measured at this load, none gives more% than %: ",
			whole(others), there.each(), name)
	}
	change := f.differences()[0].by()
	how := say("")
	switch {
	case same:
	case there.Is/own.Is >= 1.995:
		how = says(", %", ratio(f.worth("ratio", 1, 0)))
	case change > 0:
		how = says(", % more", percent(change))
	case change < 0:
		how = says(", % less", percent(-change))
	}
	inAll := say("")
	if c, ok := f.the("counts"); ok && there.Over > 0 {
		inAll = says("; in all, % against %", num(f.Of[c.Among[0]].Value), num(f.Of[c.Among[1]].Value))
	}
	caution := says("; %", names(s.Names))
	return says("%% tok/s against % here, % with %%%% (%%).", begin, f.rate(1), f.rate(0), own.at(),
		own.titled(), how, inAll,
		f.enginesApart(s), f.sureness(relation{Among: []int{1, 0}}, false), either(say(""), caution))
}

// tied is how many of some numbers beside one of them are the same.
func (f facts) tied(i int, among []int) (n int) {
	for _, j := range among {
		if j != i && f.Of[j].Is == f.Of[i].Is {
			n++
		}
	}
	return n
}

// enginesApart reads which engines the runs of the first two numbers have, where they differ.
func (f facts) enginesApart(s Statement) wording {
	here, there := f.at[0].run, f.at[1].run
	engine := func(r, other *catalog.Run) wording {
		stated := wordsOf(strings.Join(append(f.k.nameOf("engine", r), attribute(r, "engine")), " "))
		return func(rest string) (left []string) {
			for _, n := range s.Names {
				after, ok := strings.CutPrefix(rest, spaced(n))
				if ok && common(wordsOf(n), stated) && f.k.fits(f.k.name(n), r) >= f.k.fits(f.k.name(n), other) {
					left = append(left, after)
				}
			}
			return left
		}
	}
	a, b := attribute(there, "engine"), attribute(here, "engine")
	switch {
	case a == "" && b == "":
		return say("")
	case a == "":
		return says("; the engine there is not recorded, here it is %", engine(here, there))
	case b == "":
		return says("; the engine here is not recorded, there it is %", engine(there, here))
	}
	return either(say(""), says("; engines differ: % there, % here", engine(there, here), engine(here, there)))
}

func (f facts) step(s Statement) wording {
	all := f.differences()
	if len(all) == 0 {
		return nothing()
	}
	r := all[0]
	i, j := r.Among[0], r.Among[1]
	change := say("from zero")
	if r.Is != "unequal" {
		change = where(r.by() == 0, say("0\u202f%"), signed(r.by()))
	}
	how := ", with too few measurements for a claim"
	switch {
	case f.has("clear", i, j) && len(all) > 1:
		how = ", and no change since"
	case f.has("clear", i, j):
		how = ", distinguishable"
	case f.has("same", i, j):
		how = ", not distinguishable"
	}
	w := says("%: % against % % %, %%", f.called(i), f.much(i), f.much(j), oneOf("with", "on"), f.called(j),
		change, say(how))
	title := f.model(s, i)
	return then(either(w, then(title, w), says("%, %", names(s.Names), w),
		then(title, says("%, %", names(s.Names), w))),
		either(say(""), says("; differing too: %", names(s.Names))))
}

func (f facts) since(s Statement) wording {
	r, ok := f.the("level")
	if !ok || r.Value == nil || r.At == nil {
		return nothing()
	}
	first := int(*r.At)
	before := first
	if levels := levelsOf(f.series(r)); len(levels) > 1 {
		before = first - levels[len(levels)-2]
	}
	w := says("% since %: %, the mean of % against % before.", say(f.Of[0].info().Label), f.called(r.Among[first]),
		signed(*r.Value), many(len(r.Among)-first, "run", "runs"), whole(before))
	return either(w, says("%, %", names(s.Names), w))
}

func (f facts) fewRuns(s Statement) wording {
	label := ""
	for _, n := range f.Of {
		label = n.label()
	}
	return says("No load was measured six times on both sides, so the difference of % is not claimed to be more than "+
		"chance. Medians over requests are judged by the requests of the two measurements, which says nothing of how "+
		"far repeated runs lie apart. Why six", say(label))
}

func (f facts) depth(Statement) wording {
	r, ok := f.the("ratio")
	if !ok {
		return nothing()
	}
	last, first := r.Among[0], r.Among[1]
	label := either(say(""), says("%: ", say(f.Of[last].info().Label)))
	if name := f.Of[last].Called; name != "" {
		label = says("%: ", f.called(last))
	}
	return says("%% runs at % tok/s, % of the % tok/s of %", label, capital(f.Of[last].titled()), f.rate(last),
		percent(*r.Value),
		f.rate(first), f.Of[first].titled())
}
