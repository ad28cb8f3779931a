package claim

import (
	"math"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
)

// Choices are sentences on the configurations of one engine version: which one to take, what a parameter does,
// where a backend loses speed. name is what the page calls a run.
func Choices(cs figure.Configurations, name func(*figure.Run) string) (out []Sentence) {
	out = append(out, turn(cs, name))
	for _, s := range cs.Switches() {
		if c, ok := faster(cs, s); ok {
			out = append(out, topical(c, s.Key))
		}
		if c, ok := kept(cs, s); ok {
			out = append(out, topical(c, s.Key))
		}
	}
	for _, f := range cs.Falls() {
		out = append(out, topical(fall(f), f.Backend))
	}
	return out
}

func topical(c *Stated, topic string) Sentence {
	s := c.Sentence()
	s.Label = topic
	return s
}

// timed is the number that a run gave in a test.
func (c *Stated) timed(t figure.Test, s figure.Speed, r *figure.Run) Ref {
	o := Central(r, s.Scenario, figure.LoadOf(s.Scenario.Points[0]), t.Metric)
	o.Stat = "central" // one run may have the mean of repetitions, another one a single number
	return c.At(o)
}

// mostNamed is how many configurations a sentence names that are not told apart.
const mostNamed = 4

// turn says which configuration takes least time for a turn, or which are not told apart.
func turn(cs figure.Configurations, name func(*figure.Run) string) Sentence {
	c := State(KindTurn)
	var prefill []Ref
	for _, x := range cs.Ranked {
		pp, tg := c.timed(cs.Prefill, x.Prefill, x.Run), c.timed(cs.Decode, x.Decode, x.Run)
		c.Calls(pp, name(x.Run))
		c.Makes(Turn, x.Turn, pp, tg)
		prefill = append(prefill, pp)
	}
	same := cs.Shortest()
	c.Is(Shortest, prefill[:len(same)]...)
	first, last := cs.Ranked[0], cs.Ranked[len(same)-1]
	work := func() {
		c.Say("reading %s tokens and writing %s ", metric.Chosen(cs.Prefill.Tokens), metric.Chosen(cs.Decode.Tokens))
		switch pp, tg := first.Prefill.Scenario, first.Decode.Scenario; {
		case pp.Depth == 0 && tg.Depth == 0:
		case pp == tg:
			c.Say("(%s) ", pp.Title)
		default:
			c.Say("(%s, %s) ", pp.Title, tg.Title)
		}
		c.Say("takes ").Cite(prefill[0], "%s", figure.Seconds(first.Turn))
	}
	switch n := len(same); {
	case n == 1:
		next := cs.Ranked[1]
		c.Say("Take ").Run(prefill[0]).Say(": ")
		work()
		c.Say(", %s less than with ", figure.PercentText(1-first.Turn/next.Turn)).Run(prefill[1]).Say(", the next, at ").
			Cite(prefill[1], "%s", figure.Seconds(next.Turn)).Say(".")
	default:
		for i := range min(n, mostNamed) {
			switch {
			case i == 0:
			case n == 2:
				c.Say(" and ")
			case i == n-1:
				c.Say("; and ")
			default: // names of configurations have commas in them
				c.Say("; ")
			}
			c.Run(prefill[i])
		}
		if n > mostNamed {
			c.Say("; and %s more", metric.Count(n-mostNamed))
		}
		c.Say(" are not told apart: ")
		work()
		if most := figure.Seconds(last.Turn); most != figure.Seconds(first.Turn) {
			c.Say(" to ").Cite(prefill[n-1], "%s", most)
		}
		c.Say(".")
	}
	s := c.Sentence()
	s.Label = "Turn"
	return s
}

// unchanged is by which part decode may differ where it is said to be unchanged, and changed by which factor prefill
// has to, in all pairs.
const (
	unchanged = 0.01
	changed   = 1.05
)

// faster says what a parameter does to prefill where it does nothing to decode.
func faster(cs figure.Configurations, s figure.Switch) (*Stated, bool) {
	c := State(KindSwitch)
	var factors []float64
	most := 0.0
	for _, p := range s.Pairs {
		factor, decode := p.On.Prefill.Mean/p.Off.Prefill.Mean, p.On.Decode.Mean/p.Off.Decode.Mean
		factors, most = append(factors, factor), max(most, math.Abs(decode-1))
		offPP, onPP := c.timed(cs.Prefill, p.Off.Prefill, p.Off.Run), c.timed(cs.Prefill, p.On.Prefill, p.On.Run)
		offTG, onTG := c.timed(cs.Decode, p.Off.Decode, p.Off.Run), c.timed(cs.Decode, p.On.Decode, p.On.Run)
		c.IsOnly(s.Key, offPP, onPP).Makes(Ratio, metric.Round12(factor), onPP, offPP).
			Makes(Ratio, metric.Round12(decode), onTG, offTG)
	}
	least, highest := slices.Min(factors), slices.Max(factors)
	if most > unchanged || least < changed && highest > 1/changed {
		return nil, false
	}
	c.Say("With %s ", switched(s)).Name(cs.Prefill.Title).Say(" is %s times as fast and ", between(metric.Format, "", least, highest)).
		Name(cs.Decode.Title).Say(" is unchanged, within %s, ", figure.PercentText(most)).inPairs(len(s.Pairs))
	return c, true
}

// kept says what is left of decode with a full context, with and without a parameter, where that tells the two apart.
func kept(cs figure.Configurations, s figure.Switch) (*Stated, bool) {
	long, ok := cs.Longest(s.Pairs)
	if !ok {
		return nil, false
	}
	c := State(KindLength)
	var on, off, cost []float64
	for _, p := range s.Pairs {
		longOff, _ := long.Of(p.Off.Run)
		longOn, _ := long.Of(p.On.Run)
		offShort, onShort := c.timed(cs.Decode, p.Off.Decode, p.Off.Run), c.timed(cs.Decode, p.On.Decode, p.On.Run)
		offLong, onLong := c.timed(long, longOff, p.Off.Run), c.timed(long, longOn, p.On.Run)
		x, y := longOn.Mean/p.On.Decode.Mean, longOff.Mean/p.Off.Decode.Mean
		short := p.On.Decode.Mean / p.Off.Decode.Mean
		on, off, cost = append(on, x), append(off, y), append(cost, 1-short)
		c.IsOnly(s.Key, offShort, onShort).Makes(Ratio, metric.Round12(x), onLong, onShort).
			Makes(Ratio, metric.Round12(y), offLong, offShort).Makes(Ratio, metric.Round12(short), onShort, offShort)
	}
	if slices.Min(on) <= slices.Max(off) && slices.Min(off) <= slices.Max(on) {
		return nil, false
	}
	share := func(vs []float64) string {
		return between(figure.PercentText, "\u202f%", slices.Min(vs), slices.Max(vs))
	}
	c.Say("With %s ", switched(s)).Name(long.Title).Say(" keeps %s of the speed of ", share(on)).Name(cs.Decode.Title).
		Say(", else %s. ", share(off))
	switch lowest, highest := slices.Min(cost), slices.Max(cost); {
	case lowest > 0:
		c.Say("At %s it costs %s, ", cs.Decode.Title, share(cost))
	case highest > 0:
		c.Say("At %s it costs at most %s, ", cs.Decode.Title, figure.PercentText(highest))
	default:
		c.Say("At %s it costs nothing, ", cs.Decode.Title)
	}
	c.Called(cs.Decode.Title)
	c.inPairs(len(s.Pairs))
	return c, true
}

// fall says what prefill loses between a prompt and one twice as long.
func fall(f figure.Fall) *Stated {
	c := State(KindFall)
	var all []Ref
	var lost []float64
	for _, r := range f.Runs {
		short, _ := f.Short.Of(r)
		long, _ := f.Long.Of(r)
		a, b := c.timed(f.Short, short, r), c.timed(f.Long, long, r)
		ratio := metric.Round12(long.Mean / short.Mean)
		c.Makes(Ratio, ratio, b, a)
		all, lost = append(all, a), append(lost, 1-ratio)
	}
	c.Is(Backend, all...)
	c.Name(f.Backend).Say(" loses %s of its prefill speed between prompts of %s and %s tokens, in all %s configurations.",
		between(figure.PercentText, "\u202f%", slices.Min(lost), slices.Max(lost)), metric.Chosen(f.Short.Tokens),
		metric.Chosen(f.Long.Tokens), metric.Count(len(f.Runs)))
	return c
}

// switched is what a sentence calls a switch: "flash_attn true instead of false".
func switched(s figure.Switch) string {
	if s.Off == "" {
		return s.Key + " " + s.On + ", else not recorded,"
	}
	return s.Key + " " + s.On + " instead of " + s.Off
}

// inPairs says how many pairs of runs a sentence is of.
func (c *Stated) inPairs(n int) {
	if n == 1 {
		c.Say("in one pair of runs that differ in nothing else that is recorded.")
		return
	}
	c.Say("in %s pairs of runs that differ in nothing else that is recorded.", metric.Count(n))
}

// between writes the least and the most of some values, once where both read the same: "70 to 81 %".
func between(write func(float64) string, unit string, least, most float64) string {
	a, b := write(least), write(most)
	if a == b {
		return a
	}
	return strings.TrimSuffix(a, unit) + " to " + b
}
