package view

import (
	"math"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/site/page"
)

// tooClose is the part of the best below which one measurement each still tells two results apart.
const tooClose = 0.95

// take is the first section of a model's page: which hardware to take, for most throughput and for
// each use, a sentence each with the numbers behind it. With one hardware there is no choice.
func (d *draft) take(m *figure.Model, es []entry, class string, sc *figure.Scenario) {
	if len(m.Cards) < 2 {
		return
	}
	var says []page.Sentence
	if sc != nil {
		says = d.takeFastest(es, class, sc)
	}
	unanswered := map[string][]string{}
	var order []string
	var saving []page.Sentence
	for _, p := range figure.SLOPresets {
		r := d.g.uses.ranking(p, m)
		switch {
		case len(r.rows) == 0:
		case r.passes > 0:
			says = append(says, page.Sentence{Topic: p.Name, Parts: d.takeFor(p, r)})
			if len(saving) == 0 {
				saving = d.takeSaving(p, r)
			}
		default:
			why := "no hardware keeps the limits at any load measured"
			if r.fails == 0 {
				why = reasons(r.rows)[0].text
			} else if r.untried > 0 {
				why = "nothing that can be judged keeps the limits"
			}
			if unanswered[why] == nil {
				order = append(order, why)
			}
			unanswered[why] = append(unanswered[why], p.Name)
		}
	}
	says = append(says, saving...)
	for _, why := range order {
		says = append(says, page.Sentence{Topic: page.Capital(strings.ToLower(page.Enumerate(unanswered[why]))), Parts: []page.Part{{Text: "Not answered: " + page.Glue(why) + ". "}, {Text: "Set limits that can be judged", Href: d.ownHref(m)}, {Text: "."}}})
	}
	if len(says) > 0 {
		d.section("take", "Which one to take", page.Block{Says: says})
	}
}

// takeFastest names the hardware with the highest peak, in all and for one accelerator.
func (d *draft) takeFastest(es []entry, class string, sc *figure.Scenario) []page.Sentence {
	type peak struct {
		e entry
		p *catalog.Point
		v float64
	}
	var all, each peak
	n := 0
	for _, e := range es {
		s := e.run.Scenario(class)
		if s == nil {
			continue
		}
		p, v, ok := s.Peak(metric.OutputThroughput)
		if !ok {
			continue
		}
		n++
		if v > all.v {
			all = peak{e, p, v}
		}
		if x, ok := e.run.PerAccelerator(p); ok && x > each.v {
			each = peak{e, p, x}
		}
	}
	if n < 2 {
		return nil
	}
	part := func(k peak) []page.Part {
		return []page.Part{{Text: k.e.card.Hardware.Name, Href: d.Place.To(page.PathCard(k.e.card.Slug), "")},
			{Text: ": "}, {Text: metric.Format(k.v) + metric.ThinSpace + "tok/s", Title: metric.Exact(k.v), Href: d.pointHref(k.e.run, k.e.run.Scenario(class), k.p)}, {Text: strings.TrimSuffix(atLoad(k.p), ",")}}
	}
	parts := append(part(all), page.Part{Text: ", " + page.Glue(sc.Title) + "."})
	switch {
	case each.e.run == nil:
	case each.e.card == all.e.card:
		if c := all.e.run.Hardware.Count; c > 1 && !all.e.run.Hardware.CountAssumed {
			parts = append(parts, page.Part{Text: " It has the most for each accelerator too: " + metric.Format(each.v) + metric.ThinSpace + "tok/s."})
		}
	default:
		parts = append(parts, page.Part{Text: " For each accelerator "})
		parts = append(parts, part(each)...)
		parts = append(parts, page.Part{Text: "."})
	}
	return []page.Sentence{{Topic: "Most throughput", Parts: parts}}
}

// takeFor is the best hardware for a use, and what comes next.
func (d *draft) takeFor(p figure.SLOPreset, r *ranked) []page.Part {
	best := r.rows[0]
	amount := func(row figure.SLORow) string {
		switch {
		case row.PerAccelerator != nil:
			return metric.Format(*row.PerAccelerator) + metric.ThinSpace + "tok/s per accelerator"
		case row.Throughput != nil:
			return metric.Format(*row.Throughput) + metric.ThinSpace + "tok/s"
		}
		return "throughput not recorded"
	}
	parts := []page.Part{{Text: best.Card.Hardware.Name, Href: d.Place.To(page.PathCard(best.Card.Slug), "")}, {Text: ": "},
		{Text: amount(best), Href: d.pointHref(best.Run, best.Scenario, best.Point)},
		{Text: atLoad(best.Point) + " within "}, {Text: p.Limits.Words(), Href: "#within-" + p.ID}, {Text: ", " + page.Glue(r.title) + "."}}
	if r.passes == 1 {
		s := " No other hardware keeps the limits."
		if r.untried > 0 {
			s = " No other that was measured keeps the limits."
		}
		return append(parts, page.Part{Text: s})
	}
	var equal []string
	for _, row := range r.rows[1:r.passes] {
		if best.PerAccelerator != nil && row.PerAccelerator != nil && *row.PerAccelerator >= tooClose**best.PerAccelerator {
			equal = append(equal, row.Card.Hardware.Name+" ("+percentOf(*row.PerAccelerator, *best.PerAccelerator)+" of it)")
		}
	}
	next := r.rows[1]
	switch {
	case len(equal) > 0:
		parts = append(parts, page.Part{Text: " Measured once each, it is not told apart from " + page.Enumerate(equal) + "."})
	case best.PerAccelerator != nil && next.PerAccelerator != nil:
		parts = append(parts, page.Part{Text: " Next: " + next.Card.Hardware.Name + " with " + percentOf(*next.PerAccelerator, *best.PerAccelerator) + " of it."})
	}
	if n := r.fails; n > 0 {
		parts = append(parts, page.Part{Text: " " + itoa(n) + " of " + itoa(len(r.rows)) + " cannot keep them."})
	}
	return parts
}

// atLoad is a load behind a number: " at 8 parallel requests", ", all requests at once".
func atLoad(p *catalog.Point) string {
	s := figure.LoadPhrase(p)
	switch {
	case s == "":
		return ""
	case strings.HasPrefix(s, "at "):
		return " " + s
	}
	return ", " + s + ","
}

func percentOf(v, of float64) string {
	return itoa(int(math.Round(100*v/of))) + metric.ThinSpace + "%"
}

// takeSaving names what is cheapest, in each currency, and what takes least energy within the
// limits of a use.
func (d *draft) takeSaving(p figure.SLOPreset, r *ranked) []page.Sentence {
	var out []page.Sentence
	where := func(row figure.SLORow) page.Part {
		return page.Part{Text: row.Card.Hardware.Name, Href: d.Place.To(page.PathCard(row.Card.Slug), "efficiency")}
	}
	type offer struct {
		row  figure.SLORow
		cost figure.Cost
	}
	var offers []offer
	priced := 0
	for _, row := range r.rows[:r.passes] {
		if len(row.Costs) > 0 {
			priced++
		}
		for _, c := range row.Costs {
			i := slices.IndexFunc(offers, func(o offer) bool { return o.cost.Price.Currency == c.Price.Currency })
			if i < 0 {
				offers = append(offers, offer{row, c})
			} else if c.PerMillion < offers[i].cost.PerMillion {
				offers[i] = offer{row, c}
			}
		}
	}
	for _, o := range offers {
		price := page.Part{Text: priceText(o.cost.Price), Href: page.WebAddress(o.cost.Price.Address)}
		parts := []page.Part{where(o.row), {Text: ": "}, {Text: metric.Format(o.cost.PerMillion) + metric.ThinSpace + page.Clip(o.cost.Price.Currency, 12), Title: metric.Exact(o.cost.PerMillion)},
			{Text: " per 10⁶ output tokens" + strings.TrimSuffix(atLoad(o.row.Point), ",") + ", within the limits of " + strings.ToLower(p.Name) + ", at "}, price, {Text: "."}}
		out = append(out, page.Sentence{Topic: "Cheapest", Parts: parts})
	}
	if n := r.passes - priced; priced > 0 && n > 0 {
		out[len(out)-1].Parts = append(out[len(out)-1].Parts, page.Part{Text: " No price is stated of " + itoa(n) + " of the " + itoa(r.passes) + " that keep the limits."})
	}
	var least figure.SLORow
	var best figure.Energy
	known, bases := 0, map[string]bool{}
	for _, row := range r.rows[:r.passes] {
		if e, ok := row.Run.TokensPerJoule(row.Point); ok {
			known++
			bases[e.Basis] = true
			if e.TokensPerJoule > best.TokensPerJoule {
				least, best = row, e
			}
		}
	}
	// Measured power and that of a specification are not held against each other.
	if known > 1 && len(bases) == 1 {
		of := " by measured power"
		if best.Basis == figure.BoardPower {
			of = " by the boards' specified power, which was not measured"
		}
		out = append(out, page.Sentence{Topic: "Least energy", Parts: []page.Part{where(least), {Text: ": " + metric.Format(best.TokensPerJoule) + " output tokens per joule" + strings.TrimSuffix(atLoad(least.Point), ",") + ", within the limits of " + strings.ToLower(p.Name) + "," + of + "."}}})
	}
	return out
}
