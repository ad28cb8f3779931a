package refute

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
)

// tokens are how many a place's tests read and write.
func (p place) tokens() (in, out float64) {
	n := p.run.Points[p.points[0]].Workload.Nominal
	if n.Input != nil {
		in = *n.Input
	}
	if n.Output != nil {
		out = *n.Output
	}
	return in, out
}

// turn holds the time of a turn against the tokens and the speeds of two tests of one run.
func (f facts) turn(r relation) error {
	pp, tg := r.Among[0], r.Among[1]
	in, _ := f.at[pp].tokens() // a test may have both: its prompt is read and its answer written
	_, out := f.at[tg].tokens()
	switch {
	case f.Of[pp].Metric != "pp_speed" || f.Of[tg].Metric != "tg_speed":
		return fmt.Errorf("%s and %s make no turn", f.Of[pp].Metric, f.Of[tg].Metric)
	case f.at[pp].run != f.at[tg].run:
		return fmt.Errorf("the two speeds are of two runs")
	case !near(in/f.Of[pp].Is+out/f.Of[tg].Is, *r.Value):
		return fmt.Errorf("it is %v, not %v", in/f.Of[pp].Is+out/f.Of[tg].Is, *r.Value)
	}
	return nil
}

// reach are the ends of a speed with the standard deviations of its measurements.
func (m *measured) reach(id string) (low, high float64) {
	low, high = math.Inf(1), 0
	for n, i := range m.points {
		s := m.run.Points[i].Metrics[metric.ID(id)]
		v, ok := statistic(s, "central")
		if !ok || m.doubted(n)[metric.ID(id)] {
			continue
		}
		std := 0.0
		if s.Std != nil {
			std = *s.Std
		}
		low, high = min(low, v-std), max(high, v+std)
	}
	return low, high
}

// lasts is the time of a turn with the least and the most that it may take.
type lasts struct{ time, least, most float64 }

func turnOf(pp, tg *measured, in, out, mean float64) lasts {
	slowPP, fastPP := pp.reach("pp_speed")
	slowTG, fastTG := tg.reach("tg_speed")
	t := lasts{mean, in/fastPP + out/fastTG, math.Inf(1)}
	if slowPP > 0 && slowTG > 0 {
		t.most = in/slowPP + out/slowTG
	}
	return t
}

// apart reports a turn that is longer than another one by 2 % at least and whose range does not touch it.
func (t lasts) apart(best lasts) bool { return t.least > best.most && best.time <= 0.98*t.time }

// turns are those of a claim, in its order.
func (f facts) turns() (of []int, all []lasts) {
	for _, r := range f.Relations {
		if r.Is == "turn" && len(r.Among) == 2 && r.Value != nil {
			pp, tg := f.at[r.Among[0]], f.at[r.Among[1]]
			in, _ := pp.tokens()
			_, out := tg.tokens()
			of, all = append(of, r.Among[0]), append(all, turnOf(pp.measured, tg.measured, in, out, *r.Value))
		}
	}
	return of, all
}

// firstTurn is the first of them; there must be one.
func (f facts) firstTurn() relation {
	r, _ := f.the("turn")
	return r
}

// shortest holds which turns are not told apart, and that no run of the version is left out that is quicker.
func (f facts) shortest(r relation) error {
	of, all := f.turns()
	if len(all) < 2 {
		return fmt.Errorf("fewer than two turns are compared")
	}
	var same []int
	open := true
	for i, t := range all {
		if i > 0 && t.time < all[i-1].time && !near(t.time, all[i-1].time) {
			return fmt.Errorf("%v stands behind %v", t.time, all[i-1].time)
		}
		if open = open && (i == 0 || !t.apart(all[0])); open {
			same = append(same, of[i])
		}
		if f.at[of[i]].of.unlike(f.at[of[0]].of) || f.at[of[i]].run.Withdrawn != "" {
			return fmt.Errorf("run %q was measured with other tests, or is withdrawn", f.at[of[i]].run.ID)
		}
	}
	if !slices.Equal(same, r.Among) {
		return fmt.Errorf("not told apart are %v, not %v", same, r.Among)
	}
	return f.noneQuicker(of)
}

// unlike reports two curves of other tests.
func (c *curve) unlike(o *curve) bool {
	a, b := &c.loads[0].run.Points[c.loads[0].points[0]], &o.loads[0].run.Points[o.loads[0].points[0]]
	return a.Workload.Name != b.Workload.Name || !alike(a, b)
}

// noneQuicker reports a run of the same version on the same hardware that has a shorter turn in the same tests.
func (f facts) noneQuicker(of []int) error {
	first := f.firstTurn()
	pp, tg := f.at[first.Among[0]], f.at[first.Among[1]]
	in, _ := pp.tokens()
	_, out := tg.tokens()
	for _, r := range f.k.besides(pp.run) {
		read, wrote := f.k.test(r, pp.of), f.k.test(r, tg.of)
		if read == nil || wrote == nil || f.repeated(r, of) || mixed(r) {
			continue
		}
		a, ok := read.central("pp_speed")
		b, too := wrote.central("tg_speed")
		if ok && too && (in/a+out/b)*1.0001 < *first.Value {
			return fmt.Errorf("run %q takes %v", r.ID, in/a+out/b)
		}
	}
	return nil
}

// besides are the runs of the same version, model and hardware by the same tool, which nobody withdrew.
func (k *Checker) besides(r *catalog.Run) (out []*catalog.Run) {
	for _, o := range k.runs {
		same := o != r && o.Withdrawn == "" && o.Identity.Tool == r.Identity.Tool && o.Identity.Model == r.Identity.Model
		for _, key := range []string{"model", "hardware", "accelerator", "count", "engine", "engine_version", "demo"} {
			same = same && attribute(o, key) == attribute(r, key)
		}
		if same {
			out = append(out, o)
		}
	}
	return out
}

// test is what a run measured in the workload of a curve with one sequence.
func (k *Checker) test(r *catalog.Run, of *curve) *measured {
	for _, c := range k.curvesOf(r) {
		if !c.unlike(of) && c.axis == of.axis && len(c.loads) > 0 {
			return c.loads[0]
		}
	}
	return nil
}

// repeated reports a run that records the same parameters as one of some numbers, or is one of them.
func (f facts) repeated(r *catalog.Run, of []int) bool {
	return slices.ContainsFunc(of, func(i int) bool {
		return f.at[i].run == r || len(differing(f.at[i].run, r)) == 0
	})
}

// mixed reports a run of which one test was measured so differently that it may be of several configurations.
func mixed(r *catalog.Run) bool {
	for _, c := range curves(r) {
		for _, m := range c.loads {
			for _, id := range []string{"pp_speed", "tg_speed"} {
				vs := m.samples(id, "central")
				if len(vs) > 1 && slices.Max(vs) > 1.25*slices.Min(vs) {
					return true
				}
			}
		}
	}
	return false
}

// abbreviated are parameters by the short names that scripts keep them under.
var abbreviated = map[string]string{"fa": "flash_attn", "b": "n_batch", "ub": "n_ubatch", "ngl": "n_gpu_layers",
	"t": "n_threads", "mmp": "use_mmap", "ctk": "type_k", "ctv": "type_v"}

// differing are what two runs record differently, but for when they were made and how they are called: a label that says
// what a parameter says is that parameter.
func differing(a, b *catalog.Run) (names []string) {
	found := map[string]bool{}
	add := func(name string) {
		if long := abbreviated[name]; long != "" {
			name = long
		}
		found[name] = true
	}
	for _, r := range []*catalog.Run{a, b} {
		for name := range r.Parameters {
			if !record.PerLaunch(name) && parameter(a, name) != parameter(b, name) {
				add(name)
			}
		}
		for name := range r.Attributes {
			switch name {
			case "date", "notes", "series", "command", "client_command":
				continue
			}
			if attribute(a, name) != attribute(b, name) {
				add(strings.TrimPrefix(name, "labels."))
			}
		}
	}
	for name := range found {
		names = append(names, name)
	}
	return names
}

// parameter is a parameter of a run as text, "" where it is not recorded.
func parameter(r *catalog.Run, name string) string {
	p, ok := r.Parameters[name]
	if !ok || string(p.Value) == "null" {
		return ""
	}
	return strings.Trim(string(p.Value), `"`)
}

// only holds that two runs of one version differ in one parameter and nothing else.
func (f facts) only(r relation) error {
	a, b := f.at[r.Among[0]].run, f.at[r.Among[1]].run
	if names := differing(a, b); !slices.Equal(names, []string{r.Key}) || r.Key == "" {
		return fmt.Errorf("they differ in %q, not in %q alone", names, r.Key)
	}
	return f.alike(r.Among)
}

// pairs are the numbers that stand in the relations Only, what is off before what is on, with the parameter and its values.
func (f facts) pairs() (off, on []int, key, from, to string, err error) {
	for _, r := range f.Relations {
		if r.Is != "only" {
			continue
		}
		x, y := parameter(f.at[r.Among[0]].run, r.Key), parameter(f.at[r.Among[1]].run, r.Key)
		if len(off) > 0 && (key != r.Key || from != x || to != y) {
			return nil, nil, "", "", "", fmt.Errorf("the pairs differ in two things")
		}
		off, on, key, from, to = append(off, r.Among[0]), append(on, r.Among[1]), r.Key, x, y
	}
	return off, on, key, from, to, nil
}

// backend holds that all runs have one backend, and that none of it was left out.
func (f facts) backend(r relation) error {
	const key = "labels.backend"
	first := f.at[r.Among[0]]
	for _, i := range r.Among {
		if attribute(f.at[i].run, key) != attribute(first.run, key) || f.at[i].of.unlike(first.of) {
			return fmt.Errorf("the runs %q and %q have two backends or tests", first.run.ID, f.at[i].run.ID)
		}
	}
	for _, o := range f.k.besides(first.run) {
		if attribute(o, key) == attribute(first.run, key) && f.k.test(o, first.of) != nil && !f.repeated(o, r.Among) {
			return fmt.Errorf("run %q is left out", o.ID)
		}
	}
	return f.alike(r.Among)
}

// ends reads the least and the most of some values, one of them where both read the same.
func ends(read func(float64) wording, vs []float64) wording {
	if len(vs) == 0 {
		return nothing()
	}
	least, most := slices.Min(vs), slices.Max(vs)
	bare := func(v float64) wording { return either(read(v), scaled(v, 100)) }
	return either(both(read(least), read(most)), then(bare(least), say(" to "), read(most)))
}

// both reads what two wordings read.
func both(a, b wording) wording {
	return func(rest string) (left []string) {
		for _, l := range a(rest) {
			if slices.Contains(b(rest), l) {
				left = append(left, l)
			}
		}
		return left
	}
}

// choice reads which configuration a turn is shortest with.
func (f facts) choice(Statement) wording {
	of, all := f.turns()
	same, ok := f.the("shortest")
	if !ok || len(all) < 2 {
		return nothing()
	}
	first := f.firstTurn()
	in, _ := f.at[first.Among[0]].tokens()
	_, out := f.at[first.Among[1]].tokens()
	deep := say("")
	switch pp, tg := f.Of[first.Among[0]], f.Of[first.Among[1]]; {
	case !strings.Contains(pp.Workload+tg.Workload, " at depth "):
	case pp.Workload == tg.Workload:
		deep = says(" (%)", pp.titled())
	default:
		deep = says(" (%, %)", pp.titled(), tg.titled())
	}
	work := func(time wording) wording {
		return says("reading % tokens and writing %% takes %", num(in), num(out), deep, time)
	}
	least := seconds(all[0].time)
	if len(same.Among) == 1 {
		return says("Take %: %, % less than with %, the next, at %.", f.called(of[0]), work(least),
			percent(1-all[0].time/all[1].time), f.called(of[1]), seconds(all[1].time))
	}
	const named = 4
	var names []wording
	n := len(same.Among)
	for i := range min(n, named) {
		switch {
		case i > 0 && n == 2:
			names = append(names, say(" and "))
		case i > 0 && i == n-1:
			names = append(names, say("; and "))
		case i > 0:
			names = append(names, say("; "))
		}
		names = append(names, f.called(of[i]))
	}
	if n > named {
		names = append(names, says("; and % more", whole(n-named)))
	}
	most := seconds(all[n-1].time)
	return says("% are not told apart: %.", then(names...),
		either(work(both(least, most)), then(work(least), says(" to %", most))))
}

// ratios are the values of the relations Ratio whose numbers stand at some places.
func (f facts) ratios(above, below func(i int) bool) (vs []float64) {
	for _, r := range f.Relations {
		if r.Is == "ratio" && above(r.Among[0]) && below(r.Among[1]) {
			vs = append(vs, *r.Value)
		}
	}
	return vs
}

// byPairs reads of how many pairs a sentence is.
func byPairs(n int) wording {
	return where(n == 1, say("in one pair of runs that differ in nothing else that is recorded."),
		says("in % pairs of runs that differ in nothing else that is recorded.", whole(n)))
}

// switched reads a parameter with the value that it has in the second run of each pair, and that in the first.
func switched(key, from, to string) wording {
	return where(from == "", says("With % %, else not recorded, ", say(key), say(to)),
		says("With % % instead of % ", say(key), say(to), say(from)))
}

// faster reads what a parameter does to prefill alone: in all pairs 5 % at least, and to decode 1 % at most.
func (f facts) faster(Statement) wording {
	off, on, key, from, to, err := f.pairs()
	prefill := func(i int) bool { return f.Of[i].Metric == "pp_speed" }
	decode := func(i int) bool { return f.Of[i].Metric == "tg_speed" }
	factors, others := f.ratios(prefill, prefill), f.ratios(decode, decode)
	if err != nil || len(off) == 0 || len(factors) != len(off) || len(others) != len(off) || !prefill(off[0]) {
		return nothing()
	}
	most := 0.0
	for _, v := range others {
		most = max(most, math.Abs(v-1))
	}
	written := -1
	for _, r := range f.Relations {
		if r.Is != "ratio" {
			continue
		}
		i := slices.IndexFunc(off, func(i int) bool { return f.at[i].run == f.at[r.Among[1]].run })
		if i < 0 || f.at[on[i]].run != f.at[r.Among[0]].run || f.at[r.Among[0]].of.unlike(f.at[r.Among[1]].of) {
			return nothing()
		}
		if decode(r.Among[0]) {
			written = r.Among[0]
		}
	}
	if most > 0.01 || slices.Min(factors) < 1.05 && slices.Max(factors) > 1/1.05 {
		return nothing()
	}
	return says("%% is % times as fast and % is unchanged, within %, %", switched(key, from, to), f.Of[off[0]].titled(),
		ends(num, factors), f.Of[written].titled(), percent(most), byPairs(len(off)))
}

// keptLength reads what is left of decode with a full context, and what a parameter costs with an empty one.
func (f facts) keptLength(Statement) wording {
	off, on, key, from, to, err := f.pairs()
	if err != nil || len(off) == 0 {
		return nothing()
	}
	var with, without, cost []float64
	long := -1
	for _, r := range f.Relations {
		if r.Is != "ratio" {
			continue
		}
		over, under := r.Among[0], r.Among[1]
		switch {
		case slices.Contains(on, over) && slices.Contains(off, under) && slices.Index(on, over) == slices.Index(off, under):
			cost = append(cost, 1-*r.Value)
			continue
		case f.at[over].run != f.at[under].run || f.Of[over].Metric != "tg_speed":
			return nothing()
		case slices.Contains(on, under):
			with = append(with, *r.Value)
		case slices.Contains(off, under):
			without = append(without, *r.Value)
		default:
			return nothing()
		}
		if long >= 0 && f.at[long].of.unlike(f.at[over].of) || f.at[under].of.unlike(f.at[off[0]].of) {
			return nothing()
		}
		long = over
	}
	if len(with) != len(off) || len(without) != len(off) || len(cost) != len(off) ||
		slices.Min(with) <= slices.Max(without) && slices.Min(without) <= slices.Max(with) {
		return nothing()
	}
	short := f.Of[off[0]].titled()
	price := says("costs %", ends(percent, cost))
	switch {
	case slices.Min(cost) > 0:
	case slices.Max(cost) > 0:
		price = says("costs at most %", percent(slices.Max(cost)))
	default:
		price = say("costs nothing")
	}
	return says("%% keeps % of the speed of %, else %. At % it %, %", switched(key, from, to), f.Of[long].titled(),
		ends(percent, with), short, ends(percent, without), short, price, byPairs(len(off)))
}

// falling reads what prefill loses where the prompt is twice as long: more than a quarter in each configuration.
func (f facts) falling(Statement) wording {
	all, ok := f.the("backend")
	var lost []float64
	var to float64
	for _, r := range f.Relations {
		if r.Is != "ratio" {
			continue
		}
		over, under := f.at[r.Among[0]], f.at[r.Among[1]]
		long, none := over.tokens()
		short, _ := under.tokens()
		if !ok || !slices.Contains(all.Among, r.Among[1]) || over.run != under.run || long != 2*short || short < 32 || none != 0 ||
			*r.Value >= 0.75 || f.Of[r.Among[0]].Metric != "pp_speed" {
			return nothing()
		}
		lost, to = append(lost, 1-*r.Value), long
	}
	if len(lost) < 2 || len(lost) != len(all.Among) {
		return nothing()
	}
	return says("% loses % of its prefill speed between prompts of % and % tokens, in all % configurations.",
		say(attribute(f.at[all.Among[0]].run, "labels.backend")), ends(percent, lost), num(to/2), num(to), whole(len(lost)))
}
