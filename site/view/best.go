package view

import (
	"cmp"
	"io"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/claim"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/site/chart"
	"github.com/inferdex/inferdex/site/page"
)

// bestPoint is the load at which a card writes most tokens under a class of workload: one measured point, of which
// lists show all that they say of the card.
type bestPoint struct {
	result
	card  *figure.Card
	class *scoreClass
	point *catalog.Point
	total float64 // tokens a second of all accelerators
	each  float64 // of one, 0 where their number is not recorded
}

// bestOn is the best load of a card in the class, ok is false where none has an output throughput.
func (s *scoreClass) bestOn(c *figure.Card) (b bestPoint, ok bool) {
	r := s.runs[c]
	if r == nil || s.scenario(r) == nil {
		return b, false
	}
	b = bestPoint{result: result{c.Hardware.Name, r, s.scenario(r)}, card: c, class: s}
	if b.point, b.total, ok = b.scenario.Peak(metric.OutputThroughput); ok {
		b.each, _ = r.PerAccelerator(b.point)
	}
	return b, ok
}

// bestPoints are those of some cards in the first class of workload that has any of a known number of accelerators,
// else in the first that has any: the best accelerator first, those of an unrecorded number behind. Of classes that
// fill equally many cells and differ in how load was set alone it is the one that most of the cards have, else the one
// with the highest output.
func (g *Site) bestPoints(cards []*figure.Card) (out []bestPoint) {
	for _, s := range g.scores.class {
		cells := len(s.first.cells)
		if len(out) > 0 && out[0].each > 0 && cells < len(out[0].class.first.cells) {
			break
		}
		var found []bestPoint
		for _, c := range cards {
			if b, ok := s.bestOn(c); ok {
				found = append(found, b)
			}
		}
		slices.SortStableFunc(found, func(a, b bestPoint) int { return cmp.Or(higher(a, b), cmp.Compare(a.name, b.name)) })
		switch {
		case len(found) == 0:
		case len(out) == 0, found[0].each > 0 && out[0].each == 0,
			s.otherwiseLoaded(out[0].class) && found[0].each > 0 == (out[0].each > 0) && cells == len(out[0].class.first.cells) &&
				cmp.Or(cmp.Compare(len(found), len(out)), -higher(found[0], out[0])) > 0:
			out = found
		}
	}
	return out
}

// otherwiseLoaded says of two classes that they differ in how load was set, by rate or by parallel requests, alone.
func (s *scoreClass) otherwiseLoaded(o *scoreClass) bool {
	return s.axis != o.axis && s.tool == o.tool && s.dataset == o.dataset &&
		strings.TrimSuffix(s.title, s.byAxis) == strings.TrimSuffix(o.title, o.byAxis)
}

// higher orders by the output of one accelerator, the highest first, and then by that of all.
func higher(a, b bestPoint) int {
	return cmp.Or(cmp.Compare(b.each, a.each), cmp.Compare(b.total, a.total))
}

// number is the best load as an operand: of one accelerator where each is set.
func (b bestPoint) number(each bool) claim.Number {
	n := claim.Number{Operand: claim.Central(b.run, b.scenario, figure.LoadOf(b.point), metric.OutputThroughput)}
	if each {
		n.Over = b.run.Hardware.Count
	}
	return n
}

// topResult says of the class with most cells which model on which hardware has the highest output throughput of one
// accelerator. Runs for show, unrecorded numbers of accelerators and other divisions than the one that is ranked do not
// compete; it is empty where none does.
func (d *draft) topResult() page.Said {
	for _, s := range d.g.scores.class {
		var all []bestPoint
		for _, c := range d.g.Index.Cards {
			if b, ok := s.bestOn(c); ok && b.each > 0 && !b.run.Demo {
				all = append(all, b)
			}
		}
		if len(all) == 0 {
			continue
		}
		var runs []*figure.Run
		for _, b := range all {
			runs = append(runs, b.run)
		}
		division := figure.RankedDivision(runs)
		all = slices.DeleteFunc(all, func(b bestPoint) bool { return b.run.Outside(division) })
		slices.SortStableFunc(all, func(a, b bestPoint) int { return cmp.Compare(b.each, a.each) })
		c := claim.State(claim.KindTop)
		var refs []claim.Ref
		for _, b := range all {
			refs = append(refs, c.Of(b.number(true)))
		}
		c.Is(claim.Highest, refs...)
		if len(refs) > 1 {
			c.Is(claim.Ranked, refs...)
		}
		top, closing := all[0], ""
		if s.byAxis != "" {
			closing = ","
		}
		c.Calls(refs[0], top.card.Hardware.Name).Say("The highest output with ").Name(top.scenario.Title+s.byAxis).Say("%s%s is ", closing,
			d.older(s, top, division)).
			Cite(refs[0], "%s tok/s", metric.Format(top.each)).Say(" per accelerator: ").Name(top.card.Model.Name).
			Say(" on ").Run(refs[0])
		if at := figure.LoadPhrase(top.point); at != "" {
			c.Say(", %s", at)
		}
		if e := engineShort(top.run.Engine); e != "" {
			c.Say(", ").Name(e)
		}
		alike := 0 // all is sorted
		for _, b := range all[1:] {
			if b.each != top.each {
				break
			}
			alike++
		}
		if alike > 0 {
			c.Say("; %s as much", metric.Plural(alike, "other gives", "others give"))
		}
		return d.lede(c.Say(".").Sentence(), map[string]string{
			top.card.Model.Name:    d.Place.To(page.PathModel(top.card.Model.Slug), ""),
			top.card.Hardware.Name: d.Place.To(page.PathCard(top.card.Slug), "")})
	}
	return page.Said{}
}

// older says that a run of an older engine version had a higher output under the class than the best of the newest
// versions; empty where none had.
func (d *draft) older(s *scoreClass, top bestPoint, division string) string {
	for _, c := range d.g.Index.Cards {
		runs := figure.Active(c.Runs)
		newest := figure.Current(runs)
		for _, r := range runs {
			sc := s.scenario(r)
			if sc == nil || r.Demo || r.Outside(division) ||
				slices.ContainsFunc(newest, func(o *figure.Run) bool { return o.Engine == r.Engine }) {
				continue
			}
			if p, _, ok := sc.Peak(metric.OutputThroughput); ok {
				if v, ok := r.PerAccelerator(p); ok && v > top.each {
					return " by the newest engine version of each card"
				}
			}
		}
	}
	return ""
}

// eachCell is the output of one accelerator at a best load, the total of several below it.
func (d *draft) eachCell(b bestPoint) page.Cell {
	if b.each == 0 {
		c := page.Number(b.total, metric.Scale{})
		c.Sub, c.Href = "in all", d.pointHref(b.run, b.scenario, b.point)
		c.Unit = metric.TokensPerSecond
		return c
	}
	c := page.Number(b.each, metric.Scale{})
	c.Href = d.pointHref(b.run, b.scenario, b.point)
	if n := b.run.Hardware.Count; n > 1 {
		c.Sub = "on " + itoa(n) + "×, " + metric.Format(b.total) + " in all"
		c.Unit = metric.TokensPerSecond + " each"
	} else {
		c.Unit = metric.TokensPerSecond
	}
	incompleteWarning(&c, b.point)
	return c
}

// mostBeside is how many other accelerators a row names: with more a page of mostRows rows, or of maxOrdered in every
// order, goes over its budget of elements.
const mostBeside = 12

// beside are the best loads on other accelerators as links with their figures, the best of each; those that are not
// named stand on the page at path.
func (d *draft) beside(bs []bestPoint, path string) (parts page.Parts) {
	seen, more := map[string]bool{}, 0
	for i, b := range bs {
		slug := b.run.Hardware.Accelerator.Slug
		switch was := seen[slug]; {
		case i == 0 || was:
		case len(seen) > mostBeside:
			more++
		default:
			if len(parts) > 0 {
				parts = parts.Text(", ")
			}
			value := metric.Format(b.each)
			if b.each == 0 {
				value = metric.Format(b.total) + " in all"
			}
			parts = parts.Link(page.Clip(hardwareShort(b.run.Hardware), 60),
				d.Place.To(page.PathCard(b.card.Slug), "")).Text("\u00a0" + value)
		}
		seen[slug] = true
	}
	if more > 0 {
		parts = parts.Text(", ").Link(metric.Count(more)+" more", d.Place.To(path, ""))
	}
	return parts
}

// at is the workload and the load of a best load.
func (b bestPoint) at() page.Cell {
	return page.Cell{Text: lengthsTitle(b.scenario), Exact: b.scenario.Title, Sub: loadShort(b.point)}
}

// perUser is the speed of one user at a best load.
func (b bestPoint) perUser() page.Cell {
	v, _, ok := figure.SpeedPerUser(b.point)
	return page.NumberIf(v, ok, metric.Scale{})
}

// bestRow is a row of a list of models or accelerators: its best loads, the best first.
type bestRow[T any] struct {
	of   T
	best []bestPoint
	// run stands for the row where it has no output throughput: see [bestHeadline].
	run *figure.Run
}

// top is the best load of a row, nil where there is none.
func (r bestRow[T]) top() *bestPoint {
	if len(r.best) == 0 {
		return nil
	}
	return &r.best[0]
}

// bestRows are the rows of a list, best covered workload first and the best of each first; without a result they
// stand last, by name.
func bestRows[T any](g *Site, list []T, cards func(T) []*figure.Card, name func(T) string) []bestRow[T] {
	place := map[*scoreClass]int{}
	for i, k := range g.scores.class {
		place[k] = i
	}
	var rows []bestRow[T]
	for _, x := range list {
		r := bestRow[T]{of: x, best: g.bestPoints(cards(x)), run: bestHeadline(cards(x))}
		if b := r.top(); b != nil {
			r.run = b.run
		}
		rows = append(rows, r)
	}
	slices.SortStableFunc(rows, func(a, b bestRow[T]) int {
		x, y := a.top(), b.top()
		switch {
		case x == nil || y == nil:
			return cmp.Or(compareBool(x == nil, y == nil), byName(name(a.of), name(b.of)))
		}
		return cmp.Or(cmp.Compare(place[x.class], place[y.class]), cmp.Compare(y.each, x.each),
			cmp.Compare(y.total, x.total),
			byName(name(a.of), name(b.of)))
	})
	return rows
}

// bestHardware is what the best load of a row was measured on, with its engine.
func bestHardware[T any](d *draft, r bestRow[T]) page.Cell {
	return page.Cell{Text: page.Clip(hardwareShort(r.run.Hardware), 60), Href: d.cardHref(r.run),
		Sub: divided(engineShort(r.run.Engine), r.run)}
}

// prefillOf is the prefill speed that a tool measured by itself; ok is false where it has none.
func prefillOf(r *figure.Run) (h figure.Headline, ok bool) {
	hs := r.Headlines()
	i := slices.IndexFunc(hs, func(h figure.Headline) bool { return h.Name == figure.PrefillSpeed })
	if i < 0 {
		return h, false
	}
	return hs[i], true
}

// prefillAlone says that the number that stands for a run is a prefill speed, which is no output.
func prefillAlone(r *figure.Run) bool {
	h, ok := headlineOf(r)
	return ok && h.Name == figure.PrefillSpeed
}

// The titles of columns that a list is ordered by.
const (
	outputTitle = "Output per accelerator"
	userTitle   = "Per user"
	ttftTitle   = "TTFT"
	newestTitle = "Newest"
)

// bestOutput says of each row what its best load gives, under which workload. Rows of the first one's workload have
// bars, if there are more than two.
func bestOutput[T any](d *draft, t *page.Table[bestRow[T]], rows []bestRow[T]) {
	alike, most := map[*scoreClass]int{}, map[*scoreClass]float64{}
	for _, r := range rows {
		if b := r.top(); b != nil {
			alike[b.class], most[b.class] = alike[b.class]+1, max(most[b.class], b.each)
		}
	}
	t.Add(page.Column{Title: outputTitle, Unit: "tok/s, best load", Num: true, Front: true}, func(r bestRow[T]) page.Cell {
		b := r.top()
		if b == nil {
			if prefillAlone(r.run) {
				return page.Missing("only prefill was measured")
			}
			return d.resultCell(r.run)
		}
		c := d.eachCell(*b)
		if first := d.g.scores.class[0]; b.class == first && alike[first] > 2 && b.each > 0 {
			c.Before = func(w io.Writer) error { return chart.HBar(w, chart.Neutral, b.each/most[first]) }
		}
		return c
	})
	t.Num("Prefill", "tok/s", func(r bestRow[T]) page.Cell {
		if r.top() != nil {
			return page.Cell{}
		}
		if h, ok := prefillOf(r.run); ok {
			return d.headlineCell(r.run, h)
		}
		return page.Cell{}
	})
	t.Add(page.Column{Title: "Workload and load", Unit: "tokens in → out"}, func(r bestRow[T]) page.Cell {
		if b := r.top(); b != nil {
			return b.at()
		}
		text, exact := resultAt(r.run, false)
		return page.Cell{Text: text, Exact: exact}
	})
}

// bestColumns say of the best load of each row what else was measured there: speed of one user, time to first token,
// cost where a price is known.
func bestColumns[T any](d *draft, t *page.Table[bestRow[T]], rows []bestRow[T]) {
	bestOutput(d, t, rows)
	var ttfts []*float64
	for _, r := range rows {
		if b := r.top(); b != nil {
			if v, _, ok := figure.Central(b.point, metric.TTFT); ok {
				ttfts = append(ttfts, &v)
			}
		}
	}
	number := func(c page.Column, f func(b bestPoint) page.Cell) {
		c.Num = true
		t.Add(c, func(r bestRow[T]) page.Cell {
			if b := r.top(); b != nil {
				return f(*b)
			}
			return page.Missing("")
		})
	}
	number(page.Column{Title: userTitle, Unit: "tok/s", Note: "Speed of one user at that load"}, bestPoint.perUser)
	scale := metric.ScaleFor(metric.Seconds, ttfts)
	number(page.Column{Title: ttftTitle, Unit: scale.Unit, Note: "Median at that load, mean where no median is recorded"},
		func(b bestPoint) page.Cell {
			v, _, ok := figure.Central(b.point, metric.TTFT)
			return page.NumberIf(v, ok, scale)
		})
	number(page.Column{Title: "Cost", Unit: "of 10⁶ output tokens",
		Note: "At the lowest price of the accelerator that is stated"},
		func(b bestPoint) page.Cell {
			cs := d.g.Index.Costs(b.run, b.point)
			if len(cs) == 0 {
				return page.Cell{}
			}
			return page.Cell{Text: metric.Format(cs[0].PerMillion) + " " + cs[0].Price.Currency,
				Exact: metric.Exact(cs[0].PerMillion)}
		})
}

// bestHeadline is of the runs that stand for some cards the one with the highest headline figure, among those known
// by the same as the first.
func bestHeadline(cards []*figure.Card) *figure.Run {
	best := cards[0].Head()
	top, _ := headlineOf(best)
	for _, c := range cards[1:] {
		h, _ := headlineOf(c.Head())
		if h.Name == top.Name && headlineValue(h) > headlineValue(top) {
			best, top = c.Head(), h
		}
	}
	return best
}

// hardwareLinks are the accelerators of some cards, each with its numbers as links to the cards.
func (d *draft) hardwareLinks(cards []*figure.Card) (parts page.Parts) {
	cards = slices.Clone(cards)
	slices.SortStableFunc(cards, func(a, b *figure.Card) int {
		x, y := a.Hardware, b.Hardware
		return cmp.Or(cmp.Compare(x.Accelerator.Name, y.Accelerator.Name), cmp.Compare(x.Count, y.Count))
	})
	for i, c := range cards {
		h, href := c.Hardware, d.Place.To(page.PathCard(c.Slug), "")
		if i > 0 && cards[i-1].Hardware.Accelerator.Slug == h.Accelerator.Slug {
			parts = parts.Text(" ").Link(itoa(h.Count)+"×", href)
			continue
		}
		if i > 0 {
			parts = parts.Text(", ")
		}
		several := i+1 < len(cards) && cards[i+1].Hardware.Accelerator.Slug == h.Accelerator.Slug
		if !several {
			parts = parts.Link(page.Clip(hardwareShort(h), 60), href)
			continue
		}
		parts = parts.Text(page.Clip(acceleratorShort(h.Accelerator), 60)+" ").Link(itoa(h.Count)+"×", href)
	}
	return parts
}

// inAllNote says what a figure in all is, of which lists do not say in each row why it is that.
const inAllNote = "Where the number of accelerators is not recorded, the output is that of all together."

// inAllOf is that note where a row has such a figure, else empty.
func inAllOf[T any](rows []bestRow[T]) string {
	if slices.ContainsFunc(rows, func(r bestRow[T]) bool {
		return slices.ContainsFunc(r.best, func(b bestPoint) bool { return b.each == 0 })
	}) {
		return inAllNote
	}
	return ""
}

// under ends a sentence on the best result of each row of a list: its workload is that of [Site.bestPoints].
func (s *scorecards) under() string {
	if len(s.class) > 1 {
		return " under the most common of its workloads."
	}
	return "."
}

// bestIntro says what the figures of a list of best loads are.
func bestIntro[T any](s *scorecards, rows []bestRow[T], more string) string {
	out := "All figures of a row are of one measured point: the load with the highest output, of the newest engine " +
		"version. "
	if len(s.class) > 1 {
		out += "Rows of one workload stand together, the best first; those of two are not compared. "
	}
	if note := inAllOf(rows); note != "" {
		out += note + " "
	}
	return out + more
}
