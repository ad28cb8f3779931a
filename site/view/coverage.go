package view

import (
	"slices"

	"github.com/inferdex/inferdex/ingest/claim"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/site/page"
)

// covered counts pairs of model and hardware. The first three members make the total; the others
// count measured pairs, some of them twice.
type covered struct {
	measured, unfit, never int
	// stale: the newest run began over a year before the newest of the catalog. failed: in the run
	// that stands for the pair requests failed. figures: no point of any run is recorded.
	// withdrawn: no run but withdrawn ones.
	stale, failed, figures, withdrawn int
}

func (c *covered) total() int { return c.measured + c.unfit + c.never }

// coverage counts all pairs, and the same by column of the scorecard.
func (g *Site) coverage() (all covered, columns []covered) {
	columns = make([]covered, len(g.scores.cols))
	limit := ""
	if len(g.Index.Identified) > 0 {
		if s := page.Day(g.Index.Identified[0].Started); len(s) == 10 {
			limit = yearBefore(s)
		}
	}
	for _, row := range g.scores.rows {
		for i, card := range row.cards {
			for _, c := range []*covered{&all, &columns[i]} {
				if card == nil {
					if fits, known := figure.Fits(row.model, g.scores.cols[i].Hardware); known && !fits {
						c.unfit++
					} else {
						c.never++
					}
					continue
				}
				c.measured++
				runs := figure.Active(card.Runs)
				if len(runs) == 0 {
					c.withdrawn++
					continue
				}
				newest := ""
				points := 0
				for _, r := range runs {
					newest = max(newest, page.Day(r.Started))
					points += len(r.Points)
				}
				if newest != "" && newest < limit {
					c.stale++
				}
				if points == 0 {
					c.figures++
				}
				if failures(card.Head()) {
					c.failed++
				}
			}
		}
	}
	return all, columns
}

// failures says whether requests of a run failed, were not completed or had no output.
func failures(r *figure.Run) bool { return r.Requests().Short() }

// coverageBlocks are a bar of all pairs and what its parts mean.
func (d *draft) coverageBlocks() []page.Block {
	all, _ := d.g.coverage()
	total := all.total()
	if total == 0 {
		return nil
	}
	name := d.fragment("coverage", func(m *page.Markup) {
		const w = 384
		x := 0.0
		m.Raw(`<svg class=ch viewBox="0 0 384 14" width=384 height=14 aria-hidden=true>`)
		for _, p := range []struct {
			class string
			n     int
		}{{"cv-h5", all.measured}, {"cv-h2", all.unfit}, {"cv-z", all.never}} {
			if p.n == 0 {
				continue
			}
			width := float64(p.n) / float64(total) * w
			m.Raw(`<rect class="`, p.class, `" x="`, metric.Format(x), `" y=0 width="`,
				metric.Format(max(width-1.5, 1)),
				`" height="14"/>`)
			x += width
		}
		m.Raw("</svg>")
		all.table(total).Write(m)
	})
	c := claim.NewTally(claim.Listed, d.g.Index.Identified...)
	tested := c.Count(claim.PairCount)
	c.Say("%s of ", metric.Count(tested)).Much(claim.CellCount, "pair").
		Say(" of model and hardware %s tested.", metric.Noun(tested, "is", "are"))
	return []page.Block{page.Parts(d.stated(c.Sentence())).Text(" ").
		Link("By hardware", d.Place.To(page.PathData, "coverage")).Block(), {Table: name}}
}

// table says how many pairs are tested, and of what there are none is left out.
func (c covered) table(total int) *page.Grid {
	type line struct {
		n                    int
		name, remark, swatch string
	}
	lines := slices.DeleteFunc([]line{
		{c.measured, "tested", "", "cv-h5"},
		{c.stale, "stale", "of the tested: newest run over a year older than the newest of all", ""},
		{c.failed, "failed", "of the tested: requests failed, were not completed or had no output", ""},
		{c.figures, "figures only", "of the tested: no single point is recorded", ""},
		{c.withdrawn, "withdrawn", "of the tested: every run is withdrawn", ""},
		{c.unfit, "does not fit", "weights exceed the memory", "cv-h2"},
		{c.never, "never run", "", "cv-z"},
	}, func(l line) bool { return l.n == 0 })
	t := page.NewTable("Coverage of "+metric.Plural(total, "pair"), "compact cov", lines)
	t.Add(page.Column{Title: "Pairs", Hidden: true}, func(l line) page.Cell {
		x := page.Cell{Text: l.name, Head: true}
		if l.swatch != "" {
			x.Before = page.Swatch(l.swatch)
		}
		return x
	})
	t.Add(page.Column{Title: "Count", Hidden: true, Num: true}, func(l line) page.Cell { return page.Count(l.n) })
	t.Add(page.Column{Title: "Remark", Hidden: true}, func(l line) page.Cell { return page.Cell{Text: l.remark} })
	return t.Done()
}

// coverageByHardware is the same as a table, a row for each column of the scorecard.
func (d *draft) coverageByHardware() {
	g := d.g
	all, columns := g.coverage()
	if all.total() == 0 {
		return
	}
	d.section("coverage", "Coverage",
		page.Paragraph("Pairs of model and hardware. Stale: the newest run began over a year before the newest of the "+
			"catalog. Failed: in the run that stands for the pair requests failed, were not completed or had no output. Does not "+
			"fit: the weights alone exceed the memory."),
		d.table("coverage", func() *page.Grid {
			const most = 500
			type line struct {
				name, href string
				covered
			}
			var lines []line
			for i, c := range g.scores.cols[:min(most, len(g.scores.cols))] {
				lines = append(lines,
					line{page.Clip(c.Name, 90), d.Place.To(page.PathAccelerator(c.Accelerator.Slug), ""),
						columns[i]})
			}
			t := page.NewTable("Coverage by hardware", "compact", append(lines, line{"all", "", all}))
			t.Rows[len(lines)].Class = "sep"
			t.Head("Hardware", func(l line) (string, string) { return l.name, l.href })
			t.Count("Tested", func(l line) int { return l.measured })
			t.Count("Stale", func(l line) int { return l.stale })
			t.Count("Failed", func(l line) int { return l.failed })
			t.Count("Figures only", func(l line) int { return l.figures })
			t.Count("Does not fit", func(l line) int { return l.unfit })
			t.Count("Never run", func(l line) int { return l.never })
			return t.Done()
		}))
}
