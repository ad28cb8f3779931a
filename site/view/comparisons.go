package view

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/claim"
	"github.com/inferdex/inferdex/ingest/compare"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/site/page"
)

// comparePage lists all pairs by model and question.
func (g *Site) comparePage() *draft {
	d := g.draft(PathCompare, "comparisons", "compare", "Compare",
		claim.Plain("Pairs of models, hardware, engine versions and quantizations that share a workload, side by "+
			"side."))
	all := g.pairs.all()
	for _, r := range g.Index.Runs {
		d.modified = max(d.modified, page.Day(r.Started))
	}
	if len(all) == 0 {
		d.view.Lede = d.lede(claim.Plain("Two results are compared where they share a workload and a load of it; the "+
			"catalog holds no such pair yet."), nil)
		d.section("pairs", "Pairs", page.Paragraph("A pair appears here once one model is measured on two kinds of "+
			"hardware, under two engine versions, or beside another model of like size, with the same tool and the "+
			"same workload."))
		return d.besideYours()
	}
	l := newPairList(g.Index.Models, all)
	const how = "How pairs are chosen"
	d.view.Lede = d.lede(
		claim.Plain("Pairs of results that share a workload: metrics side by side with difference and "+
			"certainty, charts overlaid, and the parameters that differ."), nil).
		And(d.leadsTo("", how, d.formula("pairs")))
	if len(g.pairs.paged()) < len(all) {
		d.view.Lede = d.view.Lede.And(
			d.lede(claim.Plain("Some pairs have a page; a script shows any other here. Without it, "+
				"the pages of the two runs have the numbers."), nil))
	}
	if l.same.most != "" {
		d.view.Lede = d.view.Lede.And(d.lede(l.same.said(), nil))
	}
	if l.fold {
		d.foldedPairs(l)
	} else {
		for _, m := range l.models {
			d.section("m-"+m.Slug, m.Name, d.pairsOf(l, m)...)
		}
	}
	if refused := d.refusals(g.Index.Models, 3, 60); len(refused) > 0 {
		d.section("refused", "Not compared", append([]page.Block{{Text: page.Text("Results of one model "+
			"that share no workload stand on no common page, because the same words would mean different work. ").
			Link("When workloads are equal", d.formula("workload-class")).Text(".")}}, refused...)...)
	}
	return d.besideYours()
}

// besideYours closes the page of comparisons, on which readers set runs of their own beside those of the catalog.
func (d *draft) besideYours() *draft {
	d.close()
	if r := d.reader(); r != nil {
		r.Units = d.Place.File(PathUnits)
		d.page.Params = page.DropView{ReportView: d.view, Reader: r}
	}
	return d
}

// refusals list results of one model that are not compared with the reasons: at most some of each
// model, and all of at most so many models as fit. Many are one line to open.
func (d *draft) refusals(models []*figure.Model, each, all int) []page.Block {
	type refusal struct{ results, why page.Parts }
	var list []refusal
	more := 0
	for _, m := range models {
		rs, n := compare.Refusals(m, max(0, min(each, all-len(list))))
		more += n - len(rs)
		for _, r := range rs {
			side := func(s compare.Side) page.Part {
				return page.Part{Text: s.Title + " (" + s.Run.Tool.Name + ")", Href: d.Place.To(PathRun(s.Run.ID), "")}
			}
			var results page.Parts
			if r.A.Card == r.B.Card {
				results = page.Text(r.A.Card.Title() + ": ")
			}
			list = append(list, refusal{append(results, side(r.A), page.Part{Text: " and "}, side(r.B)),
				page.Text(r.Reason + "." + labels(r.Labels))})
		}
	}
	if len(list) == 0 {
		return nil
	}
	var blocks []page.Block
	if len(list) > mostOpenRefusals {
		blocks = []page.Block{{Details: d.details("refused", metric.Plural(len(list), "pair")+" of results",
			func() *page.Grid {
				t := page.NewTable("Results that are not compared", "list", list)
				t.Col("Results", func(r refusal) page.Cell { return page.Cell{Parts: r.results} })
				t.Col("Why", func(r refusal) page.Cell { return page.Cell{Parts: r.why} })
				return t.Done()
			})}}
	} else {
		items := make([][]page.Part, len(list))
		for i, r := range list {
			items[i] = slices.Concat(r.results, page.Text(": "), r.why)
		}
		blocks = []page.Block{{List: items}}
	}
	if more > 0 {
		blocks = append(blocks, page.Paragraph(metric.Plural(more, "more pair of results shares",
			"more pairs of results share")+" no workload."))
	}
	return blocks
}

// labels are sentences on words that two tools use for different things.
func labels(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return " " + strings.Join(list, ". ") + "."
}

// mostOpenRefusals is how many results that are not compared the page of all pairs shows without a click.
const mostOpenRefusals = 6

// largestPairs is how many pairs of a longer list stand open: those with the largest differences.
const largestPairs = 5

// pairBlocks are some pairs: the largest differences, and all others behind a disclosure. same is what the page says once
// of how sure they are.
func (d *draft) pairBlocks(name, caption string, list []*comparison, same caveat) []page.Block {
	if len(list) <= largestPairs+1 {
		return []page.Block{d.table(name, func() *page.Grid { return d.pairTable(caption, list, same) })}
	}
	first := largest(list)
	rest := slices.DeleteFunc(slices.Clone(list), func(c *comparison) bool { return slices.Contains(first, c) })
	return []page.Block{
		page.Paragraph("The " + itoa(largestPairs) + " largest differences of " + metric.Count(len(list)) + "."),
		d.table(name, func() *page.Grid { return d.pairTable(caption+", the largest differences", first, same) }),
		{Details: d.details(name+"-rest", "All "+metric.Count(len(rest))+" others",
			func() *page.Grid { return d.pairTable(caption+", all others", rest, same) })},
	}
}

// distance is how far apart the sides of a pair lie in the difference that lists show: the logarithm of their ratio
// without its sign, so that half as much is as far as twice as much. It is 0 where nothing is in common.
func (c *comparison) distance() float64 {
	if _, e, ok := c.listed(); ok && e.Change != nil {
		return math.Abs(math.Log1p(*e.Change))
	}
	return 0
}

// largest are the pairs of a list that lie farthest apart, at most [largestPairs] of them.
func largest(list []*comparison) []*comparison {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b *comparison) int { return cmp.Compare(b.distance(), a.distance()) })
	return list[:min(largestPairs, len(list))]
}

// caveatOf is that of the differences that a list of pairs shows.
func caveatOf(list []*comparison) caveat {
	var texts []string
	for _, c := range list {
		if _, e, ok := c.listed(); ok {
			texts = append(texts, shortCertainty(e))
		}
	}
	return commonCaveat(texts)
}

// pairTable lists pairs with what they say in one number. Its rows have the class "pair" and, on the page of all pairs,
// the id of the pair, for scripts that filter them.
func (d *draft) pairTable(caption string, list []*comparison, same caveat) *page.Grid {
	t := page.NewTable(caption, "pairs list", list)
	t.Each(func(_ int, c *comparison, row *page.Row) {
		if row.Class = "pair"; d.page.Path == PathCompare {
			row.ID = "pair-" + c.Slug
		}
	})
	t.Col("Comparison", func(c *comparison) page.Cell {
		name := page.Cell{Text: c.otherName + " against " + c.baseName, Href: c.href(d.Place),
			Head: true, Sub: c.of}
		if c.Kind != compare.PairHardware && c.Kind != compare.PairVersion {
			name.Sub = "on " + c.base.Card.Hardware.Name
		}
		return name
	})
	t.Text("Question", "", func(c *comparison) string { return question(c.Kind) })
	verdict := func(col page.Column, none page.Cell, f func(compare.Row, compare.Difference) page.Cell) {
		t.Add(col, func(c *comparison) page.Cell {
			if l, e, ok := c.listed(); ok {
				return f(l, e)
			}
			return none
		})
	}
	verdict(page.Column{Title: "In short"}, page.Cell{Text: "no figure in common"},
		func(l compare.Row, e compare.Difference) page.Cell {
			info, _ := metric.Lookup(e.Metric)
			return page.Cell{Text: info.Label + placed(l.A[0]), Sub: l.Of.A.Title}
		})
	verdict(page.Column{Title: "Difference", Num: true}, page.Missing(""),
		func(_ compare.Row, e compare.Difference) page.Cell {
			info, _ := metric.Lookup(e.Metric)
			return page.Cell{Text: changeText(e.Change), Exact: againstText(info, e), Sub: e.Verdict()}
		})
	if !same.all {
		verdict(page.Column{Title: "Certainty"}, page.Cell{}, func(_ compare.Row, e compare.Difference) page.Cell {
			c := same.cell(shortCertainty(e))
			c.Class = "mut"
			return c
		})
	}
	t.Num("Shared", "workloads, loads", func(c *comparison) page.Cell {
		return page.Cell{Text: itoa(len(c.runs.Workloads)) + ", " + metric.Count(len(c.runs.Loads()))}
	})
	return t.Done()
}

// question is what a pair answers, in a cell.
func question(k compare.PairKind) string {
	switch k {
	case compare.PairHardware:
		return "hardware"
	case compare.PairVersion:
		return "version or series"
	case compare.PairQuantization:
		return "quantization"
	}
	return "model"
}

// pairs adds the list of a page's comparisons.
func (d *draft) pairs(title string, cards ...*figure.Card) {
	list := d.g.pairs.with(cards...)
	const most = compare.MostPairs
	more := len(list) - most
	if len(list) == 0 {
		return
	}
	list = list[:min(most, len(list))]
	rest := "All comparisons"
	if more > 0 {
		rest = metric.Plural(more, "more comparison")
	}
	same := caveatOf(list)
	blocks := d.pairBlocks("pairs", title, list, same)
	if same.most != "" {
		blocks = append([]page.Block{{Text: d.stated(same.said())}}, blocks...)
	}
	d.section("pairs", title, append(blocks, page.Linked(rest, d.Place.To(PathCompare, "")).Block())...)
}

// compareWith is the end of a lede: a link to the choice of runs to compare one with. Without a
// script it leads to the list of pairs. What is withdrawn, has no card, or has no other
// run beside it, has none.
func (d *draft) compareWith(r *figure.Run) (said page.Said) {
	if r.Withdrawn != "" || !r.Listed() || len(d.g.Index.Identified) < 2 || d.g.Options.SelfContained {
		return said
	}
	const words = "Compare with other runs"
	return d.lede(claim.Plain(words), map[string]string{words: d.Place.To(PathCompare, catalog.Slug(r.ID))})
}
