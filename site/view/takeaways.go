package view

import (
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/claim"
	"github.com/inferdex/inferdex/ingest/compare"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/site/page"
)

// setLimits are the words that lead to limits of the reader's own.
const setLimits = "Set limits that can be judged"

// take is the first section of a model's page: which hardware to take, for most throughput and for
// each use, a sentence each with the numbers behind it. With one hardware there is no choice.
func (d *draft) take(m *figure.Model, es []entry, class string, sc *figure.Scenario) {
	if len(m.Cards) < 2 {
		return
	}
	names := map[string]string{}
	for _, c := range m.Cards {
		names[c.Hardware.Name] = d.Place.To(page.PathCard(c.Slug), "")
		for _, p := range d.g.Index.Names.Prices(c.Hardware.Accelerator.ID) {
			if p.Address != "" {
				names[priceText(p)] = page.WebAddress(p.Address)
			}
		}
	}
	division := rankedDivision(es, class)
	ranked := slices.DeleteFunc(slices.Clone(es), func(e entry) bool { return e.run.Outside(division) })
	newest := newestOf(ranked, class)
	var says []page.Sentence
	say := func(topic string, s claim.Sentence) {
		says = append(says, page.Sentence{Topic: topic, Parts: withLinks(d.stated(s), names)})
	}
	if sc != nil {
		if s, rs, ok := takeFastest(newest, class); ok {
			say("Most throughput", s)
			for _, r := range rs {
				if words, few := fewServed(r); few {
					says = append(says, page.Sentence{Topic: "Not all served", Warn: true, Parts: withLinks(page.Text(r.name+": at its "+
						"peak "+words+". The throughput is that of the others."), names)})
				}
			}
		}
	}
	unanswered := map[string][]string{}
	var order []string
	saving := func() {}
	saved, fallen := false, false
	for _, p := range figure.SLOPresets {
		r := d.g.uses.ranking(p, m)
		if len(r.rows) == 0 {
			continue
		}
		if s, ok := takeFor(r, ""); ok {
			say(p.Name, s)
			firmness(r.rows[0], func(topic string, s claim.Sentence) {
				if topic != "Falls" || !fallen {
					say(p.Name+", "+strings.ToLower(topic), s)
				}
				fallen = fallen || topic == "Falls"
			})
			if !saved {
				saved, saving = true, func() { takeSaving(p, r, say) }
			}
			continue
		}
		if r.passes == 0 && r.fails > 0 {
			for _, s := range judged(r.rows) {
				say(p.Name, s)
			}
			continue
		}
		why := "throughput is not known where the limits are kept"
		if r.passes == 0 {
			why = reasons(r.rows)[0].text
		}
		if unanswered[why] == nil {
			order = append(order, why)
		}
		unanswered[why] = append(unanswered[why], p.Name)
	}
	saving()
	for _, why := range order {
		parts := d.stated(claim.Plain("Not judged: "+why+". "+setLimits+".", why))
		says = append(says, page.Sentence{Topic: page.Capital(strings.ToLower(page.Enumerate(unanswered[why]))),
			Parts: linked(parts, setLimits, d.ownHref(m))})
	}
	if len(says) == 0 {
		return
	}
	blocks := []page.Block{{Says: says}}
	if len(newest) < len(resultsOf(ranked, class)) {
		blocks = append(blocks, page.Paragraph("Each hardware is judged by the newest version of each engine; older "+
			"versions are in the lists below."))
	}
	d.section("take", "Which one to take", blocks...)
}

// newestOf are the entries of a class that speak for their cards: those of the newest version of each engine.
func newestOf(es []entry, class string) (out []entry) {
	runs := map[*figure.Card][]*figure.Run{}
	for _, e := range es {
		if e.run.Scenario(class) != nil {
			runs[e.card] = append(runs[e.card], e.run)
		}
	}
	current := map[*figure.Run]bool{}
	for _, of := range runs {
		for _, r := range figure.Current(of) {
			current[r] = true
		}
	}
	for _, e := range es {
		if current[e.run] {
			out = append(out, e)
		}
	}
	return out
}

// fewServed says how many requests were completed at the peak of a result where more than the hundredth that batch allows
// were not, or had no output.
func fewServed(r result) (words string, few bool) {
	p, _, ok := r.scenario.Peak(metric.OutputThroughput)
	if !ok {
		return "", false
	}
	o, short := figure.Incomplete([]*catalog.Point{p})
	return o.Words("requests"), short && o.Ratio() < 0.99
}

// takeFastest names the hardware with the highest peak: of each accelerator where their numbers differ; rs are the
// results that it compares. ok is false where fewer than two were measured, or where a number is not known.
func takeFastest(es []entry, class string) (s claim.Sentence, rs []result, ok bool) {
	// Of several results on one hardware the best speaks for it.
	best := map[string]float64{}
	for _, r := range resultsOf(es, class) {
		_, v, has := r.scenario.Peak(metric.OutputThroughput)
		r.name = r.run.Hardware.Name
		if most, seen := best[r.name]; has && (!seen || v > most) {
			rs = append(slices.DeleteFunc(rs, func(o result) bool { return o.name == r.name }), r)
			best[r.name] = v
		}
	}
	if len(rs) < 2 {
		return s, nil, false
	}
	if _, known := perAccelerator(rs); !known {
		return s, nil, false
	}
	return topOf(rs, "gives", "tok/s", metric.OutputThroughput).Say(".").Sentence(), rs, true
}

// kept is the throughput of a row at its best load that keeps the limits, of each accelerator where their
// number is known.
func kept(row figure.SLORow) claim.Number {
	n := claim.Number{Operand: claim.Statistic(row.Run, row.Scenario, row.Load, metric.OutputThroughput, metric.Value)}
	if row.PerAccelerator != nil {
		n.Over = row.Run.Hardware.Count
	}
	return n
}

// takeFor is the best hardware within the limits of a use, what comes next and what is not judged; ok is false where no
// throughput of the best is known. Limits that the page says for all its sentences are not repeated: said is their text,
// or "".
func takeFor(r *ranked, said string) (s claim.Sentence, ok bool) {
	if r.passes == 0 || r.rows[0].Throughput == nil {
		return s, false
	}
	c := claim.State(claim.KindUse).Called(r.workload())
	var refs, each []claim.Ref
	best := r.rows[0]
	for _, row := range r.leading() {
		if row.Throughput == nil {
			continue
		}
		ref := c.Of(kept(row))
		c.Within(claim.Keeps, best.Held, ref)
		refs = append(refs, ref)
		if row.PerAccelerator != nil {
			each = append(each, ref)
		}
	}
	if len(each) > 1 {
		c.Is(claim.Ranked, each...)
	}
	unit := " tok/s"
	if best.PerAccelerator != nil {
		unit += " per accelerator"
	}
	silent := unjudged(c, r)
	c.Calls(refs[0], best.Card.Hardware.Name).Run(refs[0]).Say(": ").Cite(refs[0], "%s%s",
		metric.Format(c.Numbers[refs[0]].Is()), unit).
		Say("%s, %s.", placed(best.Point)+limitsBut(best.Held, said), r.workload())
	if r.passes == 1 {
		if r.fails > 0 && breaking(c, r) == r.fails {
			was := "measured"
			if len(silent) > 0 {
				was = "judged"
			}
			c.Say(" No other that was %s keeps the limits.", was)
		}
	} else {
		takeNext(c, r, each)
		if n := breaking(c, r); n > 0 {
			c.Makes(claim.Fails, float64(n)).Say(" %s them at no load.", metric.Plural(n, "other keeps", "others keep"))
		}
	}
	for _, s := range silent {
		c.Say(" Not judged on ")
		listed(c, s.of)
		c.Say(": %s.", s.why)
	}
	return c.Sentence(), true
}

// silence is hardware that was measured under the workload of a use, and why it is not judged.
type silence struct {
	why string
	of  []claim.Ref
}

// unjudged adds the rows that were measured under the workload and cannot be held against the limits to a claim, by what
// they do not record. Each of them may be better than the best of those that can.
func unjudged(c *claim.Stated, r *ranked) (out []silence) {
	for _, why := range reasons(r.rows) {
		s := silence{why: why.text}
		for _, row := range why.rows {
			if row.Run == nil {
				continue
			}
			for _, l := range row.Scenario.Loads() {
				if o := limited(row, l); o.Stat != "" {
					ref := c.At(o)
					c.Within(claim.Unjudged, row.Held, ref).Calls(ref, row.Card.Hardware.Name)
					s.of = append(s.of, ref)
					break
				}
			}
		}
		if len(s.of) > 0 {
			out = append(out, s)
		}
	}
	return out
}

// limitsBut are limits behind a load, "" where they are those that were said.
func limitsBut(held []figure.Held, said string) string {
	if words := figure.HeldWords(held); words != said {
		return " within " + words
	}
	return ""
}

// breaking adds the rows that keep the limits of the best row at no load to a claim, and says how many they are.
func breaking(c *claim.Stated, r *ranked) (n int) {
	for _, row := range r.rows {
		if row.Verdict != figure.Fails || !r.asBest(row) {
			continue
		}
		for _, l := range row.Scenario.Loads() {
			if o := claim.Central(row.Run, row.Scenario, l, metric.OutputThroughput); o.Stat != "" {
				c.Within(claim.Breaks, r.rows[0].Held, c.At(o))
				n++
				break
			}
		}
	}
	return n
}

// takeNext says which hardware follows the best one, or is not told apart from it.
func takeNext(c *claim.Stated, r *ranked, each []claim.Ref) {
	if len(each) < 2 || r.rows[0].PerAccelerator == nil || c.Numbers[each[0]].Is() == 0 { // nothing is a share of nothing
		return
	}
	best, of := c.Numbers[each[0]].Is(), measured(c.Numbers[each[0]])
	var equal []claim.Ref
	once := len(of) == 1
	for _, ref := range each[1:] {
		vs := measured(c.Numbers[ref])
		d, ok := compare.Differ(metric.OutputThroughput, metric.Value, vs, of)
		if !ok || d.Winner <= 0 || !d.Settled() {
			equal, once = append(equal, ref), once && len(vs) == 1
		}
	}
	share := func(ref claim.Ref) {
		n := c.Numbers[ref]
		c.Makes(claim.Ratio, n.Is()/best, ref, each[0])
		c.Calls(ref, n.Run.Hardware.Name).Run(ref)
	}
	percent := func(ref claim.Ref) string { return percentOf(c.Numbers[ref].Is(), best) }
	if len(equal) == 0 {
		c.Say(" Next: ")
		share(each[1])
		c.Say(" with %s of it.", percent(each[1]))
		return
	}
	if once {
		c.Say(" Measured once each, it is not told apart from ")
	} else {
		c.Say(" It is not told apart from ")
	}
	for i, ref := range equal {
		switch {
		case i == 0:
		case i == len(equal)-1:
			c.Say(" and ")
		default:
			c.Say(", ")
		}
		share(ref)
		c.Say(" (%s of it)", percent(ref))
	}
	c.Say(".")
}

// uncertain says what results that were measured so often leave open, behind the sentence that puts them in an order; ""
// where all have an interval.
func uncertain(often []int) string {
	switch most, least := slices.Max(often), slices.Min(often); {
	case most == 1:
		return " One run each: no interval, so differences of a few per cent carry no claim."
	case least < figure.MinSamples:
		return " What was measured fewer than " + itoa(figure.MinSamples) + " times has no interval: differences of a few " +
			"per cent from it carry no claim."
	}
	return ""
}

// timesMeasured is how often the output throughput at a load was measured; what has none was measured once.
func timesMeasured(s *figure.Scenario, load float64) int {
	return max(1, len(figure.Samples(s.AllAt(load), metric.OutputThroughput, metric.Value)))
}

// placed is a load behind a name or a number: " at 8 parallel requests", ", all requests at once".
func placed(p *catalog.Point) string {
	s := figure.LoadPhrase(p)
	switch {
	case s == "":
		return ""
	case strings.HasPrefix(s, "at "):
		return " " + s
	}
	return ", " + s
}

// spaced is a text with a space before it; "" stays.
func spaced(s string) string {
	if s == "" {
		return ""
	}
	return " " + s
}

func percentOf(v, of float64) string {
	return metric.Decimals(100*v/of, 0) + metric.ThinSpace + "%"
}

// takeSaving names what is cheapest, in each currency, and what takes least energy within the
// limits of a use.
func takeSaving(p figure.SLOPreset, r *ranked, say func(topic string, s claim.Sentence)) {
	type offer struct {
		row  figure.SLORow
		cost figure.Cost
	}
	offers := map[string][]offer{}
	var currencies []string
	var unpriced []figure.SLORow
	for _, row := range r.leading() {
		if len(row.Costs) == 0 && row.Throughput != nil {
			unpriced = append(unpriced, row)
		}
		for _, c := range row.Costs {
			if offers[c.Price.Currency] == nil {
				currencies = append(currencies, c.Price.Currency)
			}
			offers[c.Price.Currency] = append(offers[c.Price.Currency], offer{row, c})
		}
	}
	for i, currency := range currencies {
		c := claim.State(claim.KindCost)
		best, alike := offers[currency][0], 0 // how many cost as little as the best
		var ref claim.Ref
		for j, o := range offers[currency] {
			at := c.Of(kept(o.row))
			c.Within(claim.Keeps, r.rows[0].Held, at).ReadAt(claim.Cost, o.cost.Price.PerHour, o.cost.PerMillion, at)
			switch {
			case j == 0 || o.cost.PerMillion < best.cost.PerMillion:
				best, ref, alike = o, at, 0
			case o.cost.PerMillion == best.cost.PerMillion:
				alike++
			}
		}
		c.Called(priceText(best.cost.Price), "10⁶").Makes(claim.Cheapest, best.cost.PerMillion)
		c.Calls(ref, best.row.Card.Hardware.Name).Run(ref).Say(": ").
			Cite(ref, "%s %s", metric.Format(best.cost.PerMillion), page.Clip(currency, 12)).
			Say(" per 10⁶ output tokens%s, within the limits of %s, at ",
				placed(best.row.Point),
				strings.ToLower(p.Name)).Name(priceText(best.cost.Price)).Say("%s.", asLittle(alike, "costs", "cost"))
		if i == len(currencies)-1 && len(unpriced) > 0 {
			c.Makes(claim.Unpriced, float64(len(unpriced)))
			lacking(c, " No price is stated of ", r, unpriced)
		}
		say("Cheapest", c.Sentence())
	}
	if s, ok := takeThriftiest(p, r); ok {
		say("Least energy", s)
	}
}

// asLittle says how many others cost or take as little as what a sentence names, "" of none.
func asLittle(n int, one, more string) string {
	if n == 0 {
		return ""
	}
	return "; " + metric.Plural(n, "other "+one, "others "+more) + " as little"
}

// mostLacking is how many names a sentence has of what stands in no order.
const mostLacking = 4

// listed says what the runs of some numbers are called, of many the first and how many more.
func listed(c *claim.Stated, refs []claim.Ref) {
	for i, ref := range refs {
		switch {
		case i == 0:
		case i == mostLacking:
			c.Say(" and %s", metric.Plural(len(refs)-i, "other", "others"))
			return
		case i == len(refs)-1:
			c.Say(" and ")
		default:
			c.Say(", ")
		}
		c.Run(ref)
	}
}

// lacking says which rows keep the limits and have no place by cost or energy: for want of what the words say, or of
// the number of accelerators.
func lacking(c *claim.Stated, words string, r *ranked, rows []figure.SLORow) {
	var counted, uncounted []claim.Ref
	for _, row := range rows {
		ref := c.Of(kept(row))
		c.Within(claim.Keeps, r.rows[0].Held, ref).Calls(ref, row.Card.Hardware.Name)
		if row.PerAccelerator != nil {
			counted = append(counted, ref)
		} else {
			uncounted = append(uncounted, ref)
		}
	}
	list := func(words string, refs []claim.Ref) {
		if len(refs) > 0 {
			c.Say("%s", words)
			listed(c, refs)
			c.Say(".")
		}
	}
	list(words, counted)
	list(" The number of accelerators is not recorded of ", uncounted)
}

// takeThriftiest names what needs least energy within the limits of a use; ok is false where fewer than two
// are known. Measured power and that of a specification are not held against each other.
func takeThriftiest(p figure.SLOPreset, r *ranked) (s claim.Sentence, ok bool) {
	c := claim.State(claim.KindEnergy)
	var least figure.SLORow
	var best figure.Energy
	var ref claim.Ref
	bases := map[string]bool{}
	known, alike := 0, 0
	var unpowered []figure.SLORow
	for _, row := range r.leading() {
		e, has := row.Run.TokensPerJoule(row.Point)
		if !has {
			if row.Throughput != nil {
				unpowered = append(unpowered, row)
			}
			continue
		}
		known++
		bases[e.Basis] = true
		n := claim.Number{Operand: claim.Statistic(row.Run, row.Scenario, row.Load, metric.OutputThroughput,
			metric.Value)}
		if e.Basis == figure.MeasuredEnergy {
			n = claim.Number{Operand: claim.Central(row.Run, row.Scenario, row.Load, metric.EnergyPerToken),
				Inverse: true}
		}
		at := c.Of(n)
		c.Within(claim.Keeps, r.rows[0].Held, at).ReadAt(claim.Joule, e.Watts, e.TokensPerJoule, at)
		switch {
		case e.TokensPerJoule > best.TokensPerJoule:
			least, best, ref, alike = row, e, at, 0
		case e.TokensPerJoule == best.TokensPerJoule:
			alike++
		}
	}
	if known < 2 || len(bases) != 1 {
		return s, false
	}
	by := " by measured power"
	if best.Basis == figure.BoardPower {
		by = " by the boards' specified power, which was not measured"
	}
	c.Makes(claim.Thriftiest, best.TokensPerJoule).Calls(ref, least.Card.Hardware.Name).Run(ref).Say(": ").
		Cite(ref, "%s output tokens per joule", metric.Format(best.TokensPerJoule)).
		Say("%s, within the limits of %s,%s%s.", placed(least.Point), strings.ToLower(p.Name), by,
			asLittle(alike, "takes", "take"))
	if len(unpowered) > 0 {
		c.Makes(claim.Unpowered, float64(len(unpowered)))
		lacking(c, " No power is known of ", r, unpowered)
	}
	return c.Sentence(), true
}
