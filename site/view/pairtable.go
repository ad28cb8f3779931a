package view

import (
	"io"
	"math"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/compare"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/site/chart"
	"github.com/inferdex/inferdex/site/page"
)

// sidesTable is what the two runs are, as columns.
func (d *draft) sidesTable(c *comparison) *page.Grid {
	t := &page.Grid{Caption: "The two runs", Class: "sides", Columns: []page.Column{{Title: "What", Hidden: true}, {Title: c.otherName}, {Title: c.baseName}}}
	sides := []compare.Side{c.other, c.base}
	add := func(label string, f func(s compare.Side) page.Cell) {
		rw := page.Row{Cells: []page.Cell{{Text: label, Head: true}}}
		for _, s := range sides {
			rw.Cells = append(rw.Cells, f(s))
		}
		t.Rows = append(t.Rows, rw)
	}
	fact := func(s string) page.Cell {
		if s == "" {
			return page.Missing("not recorded")
		}
		return page.Cell{Text: s}
	}
	add("Card", func(s compare.Side) page.Cell {
		return page.Cell{Text: s.Card.Title(), Href: d.Place.To(page.PathCard(s.Card.Slug), "")}
	})
	add("Run", func(s compare.Side) page.Cell {
		return page.Cell{Text: s.Run.ID, Href: d.Place.To(PathRun(s.Run.ID), ""), Code: true, Note: OwnName(s.Run)}
	})
	add("Hardware", func(s compare.Side) page.Cell {
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
	add("Engine", func(s compare.Side) page.Cell {
		e, versioned := EngineText(s.Run.Engine)
		x := fact(e)
		if e != "" && !versioned {
			x.Flag = "version not recorded"
		}
		return x
	})
	add("Measured with", func(s compare.Side) page.Cell {
		return fact(strings.TrimSpace(ToolText(s.Run) + " " + s.Run.Attr("tool_version")))
	})
	add("Started", func(s compare.Side) page.Cell { return fact(strings.Replace(s.Run.Started, "T", " ", 1)) })
	add("Points, requests", func(s compare.Side) page.Cell {
		x := page.Cell{Text: metric.Count(int64(len(s.Run.Points)))}
		if done, sent := Requests(s.Run); sent > 0 {
			x.Text += ", " + metric.Count(sent)
			if sent > done {
				x.Flag = metric.Count(sent-done) + " not completed"
			}
		}
		return x
	})
	add("Shared", func(compare.Side) page.Cell {
		return page.Cell{Text: page.Plural(len(c.comp.Matches), "workload", "workloads") + ", " + page.Plural(len(c.every()), "load", "loads")}
	})
	return t
}

// sideBySide is the table of the workload that the pair is judged by, at its smallest load and at
// the one of the verdict.
func (d *draft) sideBySide(c *comparison, at measuredLoad, ok bool) {
	if !ok {
		return
	}
	all := loadsOf(at.match)
	loads := []measuredLoad{at}
	if all[0].load != at.load {
		loads = append([]measuredLoad{all[0]}, loads...)
	}
	type line struct {
		l     measuredLoad
		e     compare.Difference
		first bool
	}
	var lines []line
	limit := 2.0
	for _, l := range loads {
		first := true
		for _, e := range l.shown(metric.Pair) {
			lines = append(lines, line{l, e, first})
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
	intro := "Workload " + page.Glue(at.match.A.Title) + ", at the smallest load that both measured and at the one where the better side has its best " + labelOf(c) + ". The difference is " + c.otherName + " against " + c.baseName + "; bars to the right are better for " + c.otherName + "."
	if len(loads) == 1 {
		intro = "Workload " + page.Glue(at.match.A.Title) + ", " + strings.TrimSpace(figure.LoadPhrase(at.a[0])) + ". The difference is " + c.otherName + " against " + c.baseName + "; bars to the right are better for " + c.otherName + "."
	}
	d.section("metrics", "Side by side", page.Paragraph(intro), d.table("metrics", func() *page.Grid {
		t := &page.Grid{Caption: c.title, Class: "cmp", Columns: []page.Column{{Title: "Metric"}, {Title: c.otherName, Num: true}, {Title: c.baseName, Num: true}, {Title: "Difference", Num: true}, {Title: "Better"},
			{Title: "Better by", Draw: func(w io.Writer) error { return chart.RatioAxis(w, limit) }}, {Title: "Certainty"}}}
		for i, ln := range lines {
			info, _ := metric.Lookup(ln.e.Metric)
			sc := metric.ScaleFor(info.Unit, []*float64{&ln.e.A.Median, &ln.e.B.Median})
			name := page.Cell{Text: info.Label, Head: true, Sub: strings.TrimPrefix(ln.e.Stat+", ", "value, ") + sc.Unit + ", " + figure.LoadPhrase(ln.l.a[0])}
			values := sc.Column([]*float64{&ln.e.B.Median, &ln.e.A.Median})
			o := page.Cell{Text: values[0], Exact: sc.Exact(ln.e.B.Median), Href: d.pointHref(c.other.Run, ln.l.match.B, ln.l.b[0])}
			b := page.Cell{Text: values[1], Exact: sc.Exact(ln.e.A.Median), Href: d.pointHref(c.base.Run, ln.l.match.A, ln.l.a[0])}
			who := page.Cell{Text: "neither"}
			slot := 3
			switch {
			case ln.e.Certainty == compare.NotDistinguishable:
				who = page.Cell{Text: "cannot be told", Class: "mut"}
			case ln.e.Winner > 0:
				o.Class, who, slot = "best", page.Cell{Text: c.otherName}, 1
			case ln.e.Winner < 0:
				b.Class, who, slot = "best", page.Cell{Text: c.baseName}, 2
			case ln.e.Delta == 0:
				who = page.Cell{Text: "equal"}
			}
			rw := page.Row{ID: "m-" + IdOf(ln.e.Metric) + "-" + ln.e.Stat + "-" + rowLoad(ln.l.load), Cells: []page.Cell{name, o, b, {Text: changeText(ln.e.Change), Exact: deltaText(sc, ln.e)}, who, ratioCell(ln.e, slot, limit), {Text: shortCertainty(ln.e), Exact: ln.e.Words(), Class: "cert"}}}
			if ln.first && i > 0 {
				rw.Class = "sep"
			}
			t.Rows = append(t.Rows, rw)
		}
		return t
	}))
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

// loadTables are all loads of all shared workloads with both sides and their difference.
func (d *draft) loadTables(c *comparison) {
	if len(c.comp.Matches) == 0 {
		return
	}
	main, _, _ := c.main()
	var blocks []page.Block
	var group []page.Details
	for _, x := range c.comp.Matches {
		if len(compare.SharedLoads(x.A, x.B)) == 0 {
			continue
		}
		title := page.Glue(x.A.Title) + ", " + page.Plural(len(compare.SharedLoads(x.A, x.B)), "load", "loads")
		name := "loads-" + x.A.Key
		if x.A == main.A {
			blocks = append(blocks, page.Block{Heading: &page.Heading{ID: name + "-h", Text: title}}, d.table(name, func() *page.Grid { return d.loadTable(c, x, title) }))
			continue
		}
		group = append(group, *d.details(name, title, func() *page.Grid { return d.loadTable(c, x, title) }))
	}
	if len(group) > 0 {
		blocks = append(blocks, page.Block{Group: group})
	}
	d.section("loads", "All shared loads", append([]page.Block{page.Paragraph("Both sides at each load that both measured, and the difference of " + c.otherName + " against " + c.baseName + ". Bold is better. Numbers of the tables lead to their rows on the pages of the runs, where file and line stand.")}, blocks...)...)
}

func (d *draft) loadTable(c *comparison, x compare.Match, title string) *page.Grid {
	t := &page.Grid{Caption: title, Class: "compact loads", Groups: []page.Group{{Span: 1}}, Columns: []page.Column{{Title: loadNoun(x.A.Axis), Num: true}}}
	all := loadsOf(x)
	type col struct {
		metric metric.ID
		stats  []string
		scale  metric.Scale
		info   metric.Info
	}
	var cols []col
	add := func(info metric.Info, stats []string) {
		var values []*float64
		stat := ""
		for _, l := range all {
			if e, ok := l.differ(info.ID, stats...); ok {
				values, stat = append(values, &e.A.Median, &e.B.Median), e.Stat
			}
		}
		if len(values) == 0 || len(cols) == 5 {
			return
		}
		k := col{info.ID, []string{stat}, metric.ScaleFor(info.Unit, values), info}
		cols = append(cols, k)
		head := info.Label
		if stat != metric.Value {
			head += ", " + stat
		}
		t.Groups = append(t.Groups, page.Group{Title: head + ", " + k.scale.Unit, Span: 3})
		t.Columns = append(t.Columns, page.Column{Title: c.otherName, Num: true}, page.Column{Title: c.baseName, Num: true}, page.Column{Title: "difference", Num: true})
	}
	for _, info := range metric.Shown(metric.PairLoads) {
		for _, stats := range info.Columns(metric.PairLoads) {
			add(info, stats)
		}
	}
	t.Groups = append(t.Groups, page.Group{Span: 1})
	t.Columns = append(t.Columns, page.Column{Title: "Measured", Unit: "times", Num: true})
	for _, l := range all {
		load := page.Cell{Text: rowLoad(l.load), Head: true, Exact: infTitle(l.load)}
		rw := page.Row{ID: loadID(l), Cells: []page.Cell{load}}
		for _, k := range cols {
			e, ok := l.differ(k.metric, k.stats...)
			if !ok {
				rw.Cells = append(rw.Cells, page.Missing(""), page.Missing(""), page.Missing(""))
				continue
			}
			o := page.Cell{Text: k.scale.Format(e.B.Median), Exact: k.scale.Exact(e.B.Median), Href: d.pointHref(c.other.Run, x.B, l.b[0])}
			b := page.Cell{Text: k.scale.Format(e.A.Median), Exact: k.scale.Exact(e.A.Median), Href: d.pointHref(c.base.Run, x.A, l.a[0])}
			diff := page.Cell{Text: changeText(e.Change), Exact: deltaText(k.scale, e) + "; " + e.Words()}
			if e.Certainty == compare.NotDistinguishable || e.Certainty == compare.Distinguishable && e.A.Requests == 0 && e.B.Requests == 0 {
				diff.Sub = e.Certainty.String()
			}
			if e.Certainty != compare.NotDistinguishable {
				switch {
				case e.Winner > 0:
					o.Class = "best"
				case e.Winner < 0:
					b.Class = "best"
				}
			}
			rw.Cells = append(rw.Cells, o, b, diff)
		}
		if _, _, short := Incomplete(append(slices.Clone(l.a), l.b...)); short {
			rw.Class = "amber"
			rw.Cells[0].Sub = "not all completed"
		}
		rw.Cells = append(rw.Cells, page.Cell{Text: itoa(len(l.b)) + " and " + itoa(len(l.a))})
		t.Rows = append(t.Rows, rw)
	}
	return t
}

// loadID is the anchor of a load's row in the tables of all loads.
func loadID(l measuredLoad) string { return "l-" + l.match.A.Key + "-" + rowLoad(l.load) }

func (d *draft) rowLink(l measuredLoad, text string) page.Part {
	return page.Part{Text: text, Href: "#" + loadID(l)}
}
