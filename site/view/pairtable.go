package view

import (
	"io"
	"math"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/claim"
	"github.com/inferdex/inferdex/ingest/compare"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/site/chart"
	"github.com/inferdex/inferdex/site/page"
)

// sidesTable is what the two runs are, as columns.
func (d *draft) sidesTable(c *comparison) *page.Grid {
	names := map[*figure.Run]string{c.base.Run: c.baseName, c.other.Run: c.otherName}
	t := page.NewTransposed("The two runs", "sides", page.Column{Title: "What", Hidden: true},
		[]compare.Side{c.other, c.base},
		func(s compare.Side) page.Column { return page.Column{Title: names[s.Run]} })
	fact := func(s string) page.Cell { return page.TextOr(s, "not recorded") }
	t.Row("Card", func(s compare.Side) page.Cell {
		return page.Cell{Text: s.Card.Title(), Href: d.Place.To(page.PathCard(s.Card.Slug), "")}
	})
	t.Row("Run", func(s compare.Side) page.Cell {
		return page.Cell{Text: s.Run.ID, Href: d.Place.To(PathRun(s.Run.ID), ""), Code: true, Note: s.Run.OwnName()}
	})
	t.Row("Hardware", func(s compare.Side) page.Cell {
		h := s.Run.Hardware
		x := page.Cell{Text: itoa(h.Count) + " × " + h.Accelerator.Name}
		switch {
		case h.CountAssumed:
			x = page.Cell{Text: h.Accelerator.Name, Flag: "count not recorded"}
		case h.Accelerator.FormFactorUnknown:
			x.Flag = "form factor not recorded"
		}
		return x
	})
	t.Row("Engine", func(s compare.Side) page.Cell {
		e, versioned := EngineText(s.Run.Engine)
		x := fact(e)
		if e != "" && !versioned {
			x.Flag = "version not recorded"
		}
		return x
	})
	t.Row("Measured with", func(s compare.Side) page.Cell {
		return fact(strings.TrimSpace(s.Run.Tool.Name + " " + s.Run.Attr("tool_version")))
	})
	t.Row("Started", func(s compare.Side) page.Cell { return fact(strings.Replace(s.Run.Started, "T", " ", 1)) })
	t.Row("Points, requests", func(s compare.Side) page.Cell {
		x := page.Cell{Text: metric.Count(len(s.Run.Points))}
		if o := s.Run.Requests(); o.Submitted > 0 {
			x.Text += ", " + metric.Count(o.Submitted)
			x.Flag = o.Lacks()
		}
		return x
	})
	t.Row("Shared", func(compare.Side) page.Cell {
		loads := metric.Plural(len(c.runs.Loads()), "load")
		return page.Cell{Text: metric.Plural(len(c.runs.Workloads), "workload") + ", " + loads}
	})
	return &t.Grid
}

// sideBySide is the table of the workload that the pair is judged by, at its smallest load and at
// the one of the verdict.
func (d *draft) sideBySide(c *comparison, at compare.Row, ok bool) {
	if !ok {
		return
	}
	all := at.Of.Loads
	loads := []compare.Row{at}
	if all[0].Load != at.Load {
		loads = append([]compare.Row{all[0]}, loads...)
	}
	var lines []pairLine
	limit := 2.0
	for _, l := range loads {
		first := true
		for _, e := range l.Shown(metric.Pair) {
			lines = append(lines, newPairLine(l, e, first && len(lines) > 0))
			first = false
			if e.Ratio != nil && *e.Ratio > 0 {
				limit = max(limit, math.Ceil(math.Max(*e.Ratio, 1 / *e.Ratio)))
			}
		}
	}
	if len(lines) == 0 {
		return
	}
	limit = min(limit, 10)
	intro := "Workload " + page.Glue(at.Of.A.Title) + ", at the smallest load that both measured and at the one " +
		"where the better side has its best " + labelOf(c) + ". The difference is " + c.otherName + " against " +
		c.baseName + "; bars to the right are better for " + c.otherName + "."
	if len(loads) == 1 {
		intro = "Workload " + page.Glue(at.Of.A.Title) + behind(figure.LoadPhrase(at.A[0])) +
			". The difference is " + c.otherName + " against " + c.baseName + "; bars to the right are better for " +
			c.otherName + "."
	}
	var sure []string
	for _, ln := range lines {
		sure = append(sure, shortCertainty(ln.e))
	}
	same := commonCaveat(sure)
	says := page.Text(intro)
	if same.most != "" {
		says = append(append(says, page.Part{Text: " "}), d.stated(same.said())...)
	}
	d.section("metrics", "Side by side", page.Block{Text: says},
		d.table("metrics", func() *page.Grid { return d.pairLines(c, lines, limit, same) }))
}

// pairLine is a metric at a load that both sides measured; first is the first of a further load.
// Both values have the same unit.
type pairLine struct {
	l           compare.Row
	e           compare.Difference
	first       bool
	info        metric.Info
	scale       metric.Scale
	other, base string
}

func newPairLine(l compare.Row, e compare.Difference, first bool) pairLine {
	info, _ := metric.Lookup(e.Metric)
	scale := metric.ScaleFor(info.Unit, []*float64{&e.A.Median, &e.B.Median})
	return pairLine{l, e, first, info, scale, scale.Format(e.B.Median), scale.Format(e.A.Median)}
}

// pairLines is a table of metrics with both sides, their difference and which one is better.
func (d *draft) pairLines(c *comparison, lines []pairLine, limit float64, same caveat) *page.Grid {
	t := page.NewTable(c.title, "cmp", lines)
	t.Each(func(_ int, ln pairLine, row *page.Row) {
		row.ID = "m-" + IdOf(ln.e.Metric) + "-" + ln.e.Stat + "-" + metric.Exact(float64(ln.l.Load))
		if ln.first {
			row.Class = "sep"
		}
	})
	t.Col("Metric", func(ln pairLine) page.Cell {
		what := strings.TrimPrefix(ln.e.Stat+", ", "value, ") + ln.scale.Unit + behind(figure.LoadPhrase(ln.l.A[0]))
		return page.Cell{Text: ln.info.Label, Head: true, Sub: what}
	})
	t.Num(c.otherName, "", func(ln pairLine) page.Cell { return d.otherCell(c, ln.l, ln.e, ln.other, ln.scale) })
	t.Num(c.baseName, "", func(ln pairLine) page.Cell { return d.baseCell(c, ln.l, ln.e, ln.base, ln.scale) })
	t.Num("Difference", "", func(ln pairLine) page.Cell {
		return page.Cell{Text: changeText(ln.e.Change), Exact: deltaText(ln.scale, ln.e)}
	})
	t.Col("Better", func(ln pairLine) page.Cell {
		switch better := betterSide(ln.e); {
		case ln.e.Certainty == compare.NotDistinguishable:
			return page.Cell{Text: "cannot be told", Class: "mut"}
		case better > 0:
			return page.Cell{Text: c.otherName}
		case better < 0:
			return page.Cell{Text: c.baseName}
		case ln.e.Delta == 0:
			return page.Cell{Text: "equal"}
		}
		return page.Cell{Text: "neither"}
	})
	axis := func(w io.Writer) error { return chart.RatioAxis(w, limit) }
	t.Add(page.Column{Title: "Better by", Draw: axis}, func(ln pairLine) page.Cell {
		slot := 3 // the colour of neither side
		switch better := betterSide(ln.e); {
		case better > 0:
			slot = 1
		case better < 0:
			slot = 2
		}
		return ratioCell(ln.e, slot, limit)
	})
	if !same.all {
		t.Col("Certainty", func(ln pairLine) page.Cell {
			cell := same.cell(shortCertainty(ln.e))
			if cell.Class = "cert"; cell.Text != "" {
				cell.Exact = ln.e.Words()
			}
			return cell
		})
	}
	return t.Done()
}

// otherCell is the value of the side that is held against the base, linked to its row.
func (d *draft) otherCell(c *comparison, l compare.Row, e compare.Difference, text string, s metric.Scale) page.Cell {
	x := page.Cell{Text: text, Exact: s.Exact(e.B.Median), Href: d.pointHref(c.other.Run, l.Of.B, l.B[0])}
	if betterSide(e) > 0 {
		x.Class = "best"
	}
	return x
}

// baseCell is the value of the base, linked to its row.
func (d *draft) baseCell(c *comparison, l compare.Row, e compare.Difference, text string, s metric.Scale) page.Cell {
	x := page.Cell{Text: text, Exact: s.Exact(e.A.Median), Href: d.pointHref(c.base.Run, l.Of.A, l.A[0])}
	if betterSide(e) < 0 {
		x.Class = "best"
	}
	return x
}

// betterSide is above 0 where the side that is held against the base is better, below 0 where the
// base is, 0 where neither is or where they cannot be told apart.
func betterSide(e compare.Difference) compare.Winner {
	if e.Certainty == compare.NotDistinguishable {
		return 0
	}
	return e.Winner
}

// labelOf is the metric that a pair is judged by, within a sentence.
func labelOf(c *comparison) string {
	_, m, _ := c.main()
	info, _ := metric.Lookup(m)
	return labelWithin(info)
}

// deltaText is the difference in the unit of its row.
func deltaText(sc metric.Scale, e compare.Difference) string {
	sign := ""
	if e.Delta > 0 {
		sign = "+"
	}
	return sign + sc.Exact(e.Delta) + " " + sc.Unit
}

// ratioCell draws how many times better the better side is: to the right where it is the one that
// is held against the base.
func ratioCell(e compare.Difference, slot int, limit float64) page.Cell {
	if e.Ratio == nil || *e.Ratio <= 0 || e.Better == metric.Neutral {
		return page.Cell{}
	}
	ratio, lo, hi := *e.Ratio, 0.0, 0.0
	alo, ahi, _ := e.A.Ends()
	blo, bhi, _ := e.B.Ends()
	if alo > 0 && blo > 0 && alo < ahi && blo < bhi {
		lo, hi = blo/ahi, bhi/alo
	}
	if e.Better == metric.Lower {
		ratio = 1 / ratio
		if lo > 0 {
			lo, hi = 1/hi, 1/lo
		}
	}
	return page.Cell{Before: func(w io.Writer) error { return chart.RatioBar(w, slot, ratio, lo, hi, limit) }}
}

// loads are all loads of the workload that the pair is judged by. Those of the others are shown where
// the two runs are chosen, and stand on their pages.
func (d *draft) loads(c *comparison) {
	x, _, ok := c.main()
	if !ok {
		return
	}
	text := page.Text("Both sides at each load that both measured, and the difference of " + c.otherName + " against " +
		c.baseName +
		". Bold is better. The numbers of measurements lead to rows on the pages of the runs, where file " +
		"and line stand.")
	if more := len(c.runs.Workloads) - 1; more > 0 {
		text = append(text, page.Part{Text: " " + metric.Plural(more, "more workload", "more workloads") + ": "},
			page.Part{Text: "both runs, side by side", Href: d.Place.To(PathCompare, c.chosen())},
			page.Part{Text: " by a script, or each on its own page."})
	}
	all := loadSpans(c, x)
	d.section("loads", "All shared loads", page.Block{Text: text}, further(d.Place, all, 0),
		d.table("loads", func() *page.Grid { return d.loadTable(c, x, all[0]) }))
}

func loadsTitle(x *compare.Workload) string {
	return page.Glue(x.A.Title) + ", " + metric.Plural(len(x.Loads), "load")
}

// loadSpans are the pages of all loads of the workload that a pair is judged by.
func loadSpans(c *comparison, x *compare.Workload) []span {
	return spans(pathPair(c.Slug), pathPair(c.Slug)+"/loads", len(x.Loads), mostTogether, even)
}

// pairLoadsPage is a further page of the loads of a pair.
func (g *Site) pairLoadsPage(c *comparison, i int) *draft {
	x, _, _ := c.main()
	all := loadSpans(c, x)
	title, about := pairLoadsHead(c, all[i])
	d := g.draft(all[i].path, "records", "compare", title, about)
	d.view.Heading = "Shared loads, rows " + all[i].text()
	d.view.Crumbs = []page.Link{{Text: "Compare", Href: d.Place.To(PathCompare, "")},
		{Text: c.title, Href: d.Place.To(pathPair(c.Slug), "loads")}, {Text: "rows " + all[i].text()}}
	d.view.Lede = d.lede(about, nil)
	d.section("loads", loadsTitle(x), further(d.Place, all, i),
		d.table("loads", func() *page.Grid { return d.loadTable(c, x, all[i]) }))
	return d.done()
}

func pairLoadsHead(c *comparison, s span) (title string, about claim.Sentence) {
	title = c.title + ": shared loads, rows " + s.text()
	return title, claim.Plain(title+".", c.title, s.text())
}

// behind puts a comma before a text that may be empty: no load is recorded of some workloads.
func behind(text string) string {
	if text = strings.TrimSpace(text); text == "" {
		return ""
	}
	return ", " + text
}

func (d *draft) loadTable(c *comparison, x *compare.Workload, here span) *page.Grid {
	title := loadsTitle(x)
	all := x.Loads
	t := page.NewTable(title, "compact loads", all)
	t.Only(here.rows())
	t.Each(func(i int, l compare.Row, row *page.Row) {
		row.ID = loadID(l)
		if _, short := figure.Incomplete(append(slices.Clone(l.A), l.B...)); short {
			row.Class = "amber"
		}
	})
	t.Num(kindOf(x.A.Axis).noun, "", func(l compare.Row) page.Cell {
		if x.A.Axis == "" {
			return page.Missing("not recorded")
		}
		load := page.Cell{Text: metric.Chosen(float64(l.Load)), Head: true, Exact: infTitle(float64(l.Load))}
		if _, short := figure.Incomplete(append(slices.Clone(l.A), l.B...)); short {
			load.Sub = "not all completed with output"
		}
		return load
	})
	n := 0
	for _, info := range metric.Shown(metric.PairLoads) {
		for _, stats := range info.Columns(metric.PairLoads) {
			if n < 5 && d.loadColumns(t, c, info, all, stats) {
				n++
			}
		}
	}
	t.Num("Measured", c.otherName, func(l compare.Row) page.Cell {
		return page.Cell{Text: itoa(len(l.B)), Href: d.pointHref(c.other.Run, l.Of.B, l.B[0])}
	})
	t.Num("Measured", c.baseName, func(l compare.Row) page.Cell {
		return page.Cell{Text: itoa(len(l.A)), Href: d.pointHref(c.base.Run, l.Of.A, l.A[0])}
	})
	return t.Done()
}

// loadColumns adds both sides of a metric and their difference; false where no load has it.
func (d *draft) loadColumns(t *page.Table[compare.Row], c *comparison, info metric.Info, all []compare.Row,
	stats []string) bool {
	var values []*float64
	stat := ""
	for _, l := range all {
		if e, ok := l.Differ(info.ID, stats...); ok {
			values, stat = append(values, &e.A.Median, &e.B.Median), e.Stat
		}
	}
	if len(values) == 0 {
		return false
	}
	scale := metric.ScaleFor(info.Unit, values)
	group := info.Label
	if stat != metric.Value {
		group += ", " + stat
	}
	column := func(title string, f func(compare.Row, compare.Difference) page.Cell) {
		t.Add(page.Column{Title: title, Num: true, Group: group + ", " + scale.Unit}, func(l compare.Row) page.Cell {
			if e, ok := l.Differ(info.ID, stat); ok {
				return f(l, e)
			}
			return page.Missing("")
		})
	}
	column(c.otherName, func(l compare.Row, e compare.Difference) page.Cell {
		x := d.otherCell(c, l, e, scale.Format(e.B.Median), scale)
		x.Href = ""
		return x
	})
	column(c.baseName, func(l compare.Row, e compare.Difference) page.Cell {
		x := d.baseCell(c, l, e, scale.Format(e.A.Median), scale)
		x.Href = ""
		return x
	})
	column("difference", func(_ compare.Row, e compare.Difference) page.Cell {
		diff := page.Cell{Text: changeText(e.Change), Exact: deltaText(scale, e) + "; " + e.Words()}
		if e.Certainty == compare.NotDistinguishable || e.Certainty == compare.Distinguishable && e.A.Requests == 0 &&
			e.B.Requests == 0 {
			diff.Sub = e.Certainty.String()
		}
		return diff
	})
	return true
}

// loadID is the anchor of a load's row in the tables of all loads.
func loadID(l compare.Row) string { return "l-" + l.Of.A.Key + "-" + metric.Exact(float64(l.Load)) }
