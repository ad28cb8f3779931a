package site

import (
	"cmp"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/compare"
	"github.com/inferdex/inferdex/ingest/record"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/site/chart"
	"github.com/inferdex/inferdex/site/page"
)

// pairPage holds two runs side by side.
func (g *generator) pairPage(c *comparison) *draft {
	about := c.title + "."
	at, e, ok := c.verdict()
	d := g.draft(pathPair(c.Slug), "compare", "compare", c.title, about)
	for _, r := range []*figure.Run{c.base.Run, c.other.Run} {
		d.modified = max(d.modified, page.Day(r.Started))
	}
	d.view.Crumbs = []page.Link{{Text: "Compare", Href: d.Place.To(pathCompare, "")}, {Text: c.of, Href: d.Place.To(c.ofPath, "")}, {Text: c.otherName + " against " + c.baseName}}
	if ok {
		d.view.Lede = d.difference(c, at, e, true)
		d.page.Description = plain(d.view.Lede)
	}
	diff := g.args.Diff(c.base.Run, c.other.Run)
	d.pairStats(c, at, e, ok, diff)
	d.pairSays(c, at, e, ok, diff)
	d.section("sides", "The two runs", d.table("sides", func() *page.Grid { return d.sidesTable(c) }))
	d.sideBySide(c, at, ok)
	d.everyLoad(c)
	d.pairCharts(c)
	d.parameterDiff(c, diff)
	d.pairUse(c)
	d.loadTables(c)
	d.notComparable(c)
	d.others(c)
	return d.done()
}

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
		return page.Cell{Text: s.Run.ID, Href: d.Place.To(pathRun(s.Run.ID), ""), Code: true, Note: ownName(s.Run)}
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
		e, versioned := engineText(s.Run.Engine)
		x := fact(e)
		if e != "" && !versioned {
			x.Flag = "version not recorded"
		}
		return x
	})
	add("Measured with", func(s compare.Side) page.Cell {
		return fact(strings.TrimSpace(toolText(s.Run) + " " + s.Run.Attr("tool_version")))
	})
	add("Started", func(s compare.Side) page.Cell { return fact(strings.Replace(s.Run.Started, "T", " ", 1)) })
	add("Points, requests", func(s compare.Side) page.Cell {
		x := page.Cell{Text: metric.Count(int64(len(s.Run.Points)))}
		if done, sent := requests(s.Run); sent > 0 {
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

// requests are how many requests of a run were completed, of how many.
func requests(r *figure.Run) (done, sent int64) {
	for i := range r.Points {
		if _, c, n, ok := figure.Success(&r.Points[i]); ok {
			done, sent = done+c, sent+n
		}
	}
	return done, sent
}

// expected are the parts of the system that differ by the question of a pair.
var expected = map[compare.PairKind][]string{
	compare.PairHardware:     {"hardware", "gpu_memory", "driver", "power_limit", "topology"},
	compare.PairVersion:      {"engine", "engine_version", "engine_commit", "image", "wrapper"},
	compare.PairQuantization: {"model", "precision", "tokenizer"},
	compare.PairModel:        {"model", "precision", "tokenizer"},
}

// pairSays are the sentences of a pair, each with its certainty.
func (d *draft) pairSays(c *comparison, at measuredLoad, verdict compare.Difference, ok bool, diff compare.ParameterDiff) {
	var ss []page.Sentence
	say := func(topic string, warn bool, parts ...page.Part) {
		ss = append(ss, page.Sentence{Topic: topic, Warn: warn, Parts: parts})
	}
	if ok {
		if ps := d.everywhere(c, verdict.Metric); ps != nil {
			say("Everywhere", false, ps...)
		}
		for _, m := range []struct {
			topic  string
			metric metric.ID
		}{{"First token", metric.TTFT}, {"Each user", metric.SpeedPerRequest}, {"Each token", metric.TPOT}} {
			if e, has := at.typical(m.metric); has && m.metric != verdict.Metric {
				say(m.topic, false, d.difference(c, at, e, false)...)
				if ps := d.everywhere(c, m.metric); ps != nil {
					say(m.topic, false, ps...)
				}
			}
		}
	}
	b, o := c.base.Run, c.other.Run
	if ok && b.Hardware.Count != o.Hardware.Count {
		if ps := d.perAccelerator(c, at); ps != nil {
			say("Each accelerator", false, ps...)
		}
	}
	if x, has := b.KVCacheTokens(); has && x > 0 {
		if y, has := o.KVCacheTokens(); has {
			v := metric.Round12((y - x) / x)
			say("Memory", false, page.Part{Text: "The KV cache holds " + moreText(v) + " tokens " + c.with() + " " + c.otherName + ": "},
				page.Part{Text: metric.Format(y), Href: d.Place.To(pathRun(o.ID), ""), Title: metric.Exact(y) + " tokens"}, page.Part{Text: " against "}, page.Part{Text: metric.Format(x), Href: d.Place.To(pathRun(b.ID), ""), Title: metric.Exact(x) + " tokens"}, page.Part{Text: " (one figure each)."})
		}
	}
	if ok && !slices.ContainsFunc(c.every(), func(l measuredLoad) bool {
		e, has := l.typical(verdict.Metric)
		return has && e.Certainty != compare.NoClaim
	}) {
		say("Certainty", false, page.Part{Text: "No load was measured six times on both sides, so the difference of " + labelOf(c) + " is not claimed to be more than chance. Medians over requests are judged by the requests of the two measurements, which says nothing of how far repeated runs lie apart. "}, page.Part{Text: "Why six", Href: d.Place.To(page.PathMethodology, "certainty")})
	}
	var also []string
	for _, row := range compare.Of(diff.Differs, compare.KindSystem) {
		if !slices.Contains(expected[c.Kind], row.Name) {
			also = append(also, strings.ToLower(attributeLabel(row.Name))+" ("+row.Cells[1].Effective+" against "+row.Cells[0].Effective+")")
		}
	}
	if len(also) > 0 {
		say("Differs too", true, page.Part{Text: page.Capital(page.Enumerate(also)) + ". The difference cannot be put down to one cause."})
	}
	if text, warn := argumentWords(c, diff); text != "" {
		say("Arguments", warn, page.Part{Text: text + ": "}, page.Part{Text: "parameters", Href: "#parameters"}, page.Part{Text: "."})
	}
	for i, r := range []*figure.Run{o, b} {
		if done, sent := requests(r); sent > done {
			say("Not completed", true, page.Part{Text: metric.Count(sent-done) + " of " + metric.Count(sent) + " requests were not completed " + c.with() + " " + []string{c.otherName, c.baseName}[i] + ": "}, page.Part{Text: "points", Href: d.Place.To(pathRun(r.ID), "data")}, page.Part{Text: "."})
		}
	}
	var forms []page.Part
	for _, r := range []*figure.Run{o, b} {
		if a := r.Hardware.Accelerator; a.FormFactorUnknown && !slices.ContainsFunc(forms, func(p page.Part) bool { return p.Text == a.Name }) {
			if len(forms) > 0 {
				forms = append(forms, page.Part{Text: " and "})
			}
			forms = append(forms, page.Part{Text: a.Name, Href: d.Place.To(page.PathAccelerator(a.Slug), "specification")})
		}
	}
	if len(forms) > 0 {
		say("Form factor", true, append(append([]page.Part{{Text: "Not recorded for "}}, forms...), page.Part{Text: ": the variants differ in bandwidth and power, some in memory."})...)
	}
	for _, m := range c.comp.Matches {
		if m.Amber {
			say("Lengths differ", true, page.Part{Text: page.Glue(m.A.Title) + ": " + m.Cautions[0] + "."})
		}
	}
	if len(ss) > 0 {
		slices.SortStableFunc(ss, func(a, b page.Sentence) int { return boolRank(a.Warn) - boolRank(b.Warn) })
		d.section("says", "What the numbers say", page.Block{Says: ss})
	}
}

func boolRank(b bool) int {
	if b {
		return 1
	}
	return 0
}

// everywhere says how a metric compares over all loads that both sides have; nil below three.
func (d *draft) everywhere(c *comparison, m metric.ID) []page.Part {
	type at struct {
		l measuredLoad
		e compare.Difference
	}
	var all []at
	var ratios []float64
	better, worse, sure, within := 0, 0, 0, false
	for _, l := range c.every() {
		e, ok := l.typical(m)
		if !ok || e.Ratio == nil {
			continue
		}
		all, ratios = append(all, at{l, e}), append(ratios, *e.Ratio)
		switch e.Winner {
		case 1:
			better++
		case -1:
			worse++
		}
		if e.Certainty == compare.Distinguishable {
			sure++
			within = within || e.A.Requests > 0 || e.B.Requests > 0
		}
	}
	if len(all) < 3 {
		return nil
	}
	lo := slices.MinFunc(all, func(a, b at) int { return cmp.Compare(*a.e.Ratio, *b.e.Ratio) })
	hi := slices.MaxFunc(all, func(a, b at) int { return cmp.Compare(*a.e.Ratio, *b.e.Ratio) })
	slices.Sort(ratios)
	mid := ratios[len(ratios)/2]
	if len(ratios)%2 == 0 {
		mid = (mid + ratios[len(ratios)/2-1]) / 2
	}
	info, _ := metric.Lookup(m)
	n, label := page.Plural(len(all), "load", "loads"), labelWithin(info)
	head := ""
	switch {
	case better == len(all):
		head = c.otherName + " has the better " + label + " at all " + n
	case worse == len(all):
		head = c.baseName + " has the better " + label + " at all " + n
	case better >= worse:
		head = c.otherName + " has the better " + label + " at " + itoa(better) + " of " + n + ", " + c.baseName + " at " + itoa(worse)
	default:
		head = c.baseName + " has the better " + label + " at " + itoa(worse) + " of " + n + ", " + c.otherName + " at " + itoa(better)
	}
	v := metric.Round12(mid - 1)
	ps := []page.Part{{Text: head + ". The difference of " + c.otherName + " runs from "}, d.rowLink(lo.l, changeText(lo.e.Change)), {Text: " (" + lo.l.words() + ") to "}, d.rowLink(hi.l, changeText(hi.e.Change)), {Text: " (" + hi.l.words() + "), median " + changeText(&v)}}
	tail := "."
	switch {
	case sure > 0 && within:
		tail = "; " + itoa(sure) + " of the differences are distinguishable within the runs."
	case sure > 0:
		tail = "; " + itoa(sure) + " of the differences are distinguishable from chance."
	}
	return append(ps, page.Part{Text: tail})
}

// moreText is a relative difference in words: "20 % more".
func moreText(v float64) string {
	if v < 0 {
		return percentText(-v) + " fewer"
	}
	return percentText(v) + " more"
}

// loadID is the anchor of a load's row in the tables of all loads.
func loadID(l measuredLoad) string { return "l-" + l.match.A.Key + "-" + rowLoad(l.load) }

func (d *draft) rowLink(l measuredLoad, text string) page.Part {
	return page.Part{Text: text, Href: "#" + loadID(l)}
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
			rw := page.Row{ID: "m-" + idOf(ln.e.Metric) + "-" + ln.e.Stat + "-" + rowLoad(ln.l.load), Cells: []page.Cell{name, o, b, {Text: changeText(ln.e.Change), Exact: deltaText(sc, ln.e)}, who, ratioCell(ln.e, slot, limit), {Text: shortCertainty(ln.e), Exact: ln.e.Words(), Class: "cert"}}}
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

// everyLoad is the difference of throughput and of TTFT at each load of each shared workload, as
// matrices.
func (d *draft) everyLoad(c *comparison) {
	_, m, ok := c.main()
	if !ok || len(c.comp.Matches) < 2 {
		return
	}
	var blocks []page.Block
	for _, m := range slices.Compact([]metric.ID{m, metric.TTFT}) {
		var axis string
		var matches []compare.Match
		var loads []float64
		n := 0
		for _, x := range c.comp.Matches {
			var ls []float64
			for _, l := range loadsOf(x) {
				if e, ok := l.typical(m); ok && e.Change != nil {
					ls = append(ls, l.load)
				}
			}
			if len(ls) == 0 || axis != "" && x.A.Axis != axis {
				continue
			}
			axis, n = x.A.Axis, n+len(ls)
			matches = append(matches, x)
			for _, l := range ls {
				if !slices.Contains(loads, l) {
					loads = append(loads, l)
				}
			}
		}
		if len(matches) < 2 || len(loads) > 24 || len(matches) > 40 || n < 4 {
			continue
		}
		slices.Sort(loads)
		info, _ := metric.Lookup(m)
		good := "higher is better"
		if info.Better == metric.Lower {
			good = "lower is better"
		}
		name := "each-" + idOf(m)
		blocks = append(blocks, page.Block{Heading: &page.Heading{ID: name + "-h", Text: info.Label}},
			page.Paragraph("Difference in % of "+c.otherName+" against "+c.baseName+"; "+good+", and the colour says by how many times. Columns: "+axisNoun(axis)+". Each number leads to its row."),
			page.Block{Table: d.fragment(name, func(mk *page.Markup) { writeEach(mk, c, m, info, matches, loads) })})
	}
	if len(blocks) > 0 {
		d.section("each", "Difference at every load", blocks...)
	}
}

func axisNoun(axis string) string {
	switch axis {
	case record.AxisConcurrency:
		return "parallel requests"
	case record.AxisRate:
		return "requests a second"
	case record.AxisBatch:
		return "batch size"
	}
	return "load"
}

// betterLimits divide by how many times something is better; they are the same on all pages.
var betterLimits = []float64{1.1, 1.25, 1.5, 2}

// closeBy is the relative difference below which neither side is coloured as better.
const closeBy = 0.01

// betterClass is the class of a cell: "h1" to "h5" where the side that is held against the base is
// better, "lo" where it is worse, "" where they lie within closeBy of each other.
func betterClass(e compare.Difference) string {
	if e.Change != nil && math.Abs(*e.Change) < closeBy || e.Certainty == compare.NotDistinguishable {
		return ""
	}
	if e.Winner < 0 {
		return "lo"
	}
	if e.Winner == 0 || e.Ratio == nil || *e.Ratio <= 0 {
		return "h1"
	}
	r := math.Max(*e.Ratio, 1 / *e.Ratio)
	i := 0
	for i < len(betterLimits) && r >= betterLimits[i] {
		i++
	}
	return "h" + itoa(i+1)
}

func writeEach(mk *page.Markup, c *comparison, m metric.ID, info metric.Info, matches []compare.Match, loads []float64) {
	t := &page.Grid{Caption: "Difference of " + info.Label + " in %, " + c.otherName + " against " + c.baseName, Class: "heat compact", Columns: []page.Column{{Title: "Workload"}}}
	for _, l := range loads {
		t.Columns = append(t.Columns, page.Column{Title: rowLoad(l), Num: true})
	}
	worse := false
	for _, x := range matches {
		rw := page.Row{Cells: []page.Cell{{Text: x.A.Title, Head: true, Class: "nw"}}}
		of := loadsOf(x)
		for _, load := range loads {
			i := slices.IndexFunc(of, func(l measuredLoad) bool { return l.load == load })
			if i < 0 {
				rw.Cells = append(rw.Cells, page.Missing(""))
				continue
			}
			e, ok := of[i].typical(m)
			if !ok || e.Change == nil {
				rw.Cells = append(rw.Cells, page.Missing(""))
				continue
			}
			worse = worse || betterClass(e) == "lo"
			text := strings.TrimSuffix(changeText(e.Change), metric.ThinSpace+"%")
			if e.Certainty == compare.NotDistinguishable {
				text = "≈" + text
			}
			rw.Cells = append(rw.Cells, page.Cell{Text: text, Href: "#" + loadID(of[i]), Class: betterClass(e), Exact: metricText(info, e.B.Median) + " against " + metricText(info, e.A.Median) + ", " + betterWord(e) + "; " + e.Words()})
		}
		t.Rows = append(t.Rows, rw)
	}
	t.Write(mk)
	mk.Raw(`<ul class="legend"><li>`)
	mk.Text(c.otherName + " better by ")
	mk.Raw(`<span class="ramp">`)
	for i := 0; i <= len(betterLimits); i++ {
		s := ""
		switch i {
		case 0:
			s = "< " + metric.Exact(betterLimits[0]) + "×"
		case len(betterLimits):
			s = "≥ " + metric.Exact(betterLimits[i-1]) + "×"
		default:
			s = metric.Exact(betterLimits[i-1]) + "–" + metric.Exact(betterLimits[i]) + "×"
		}
		mk.Raw(`<i class="h`, itoa(i+1), `">`)
		mk.Text(s)
		mk.Raw("</i>")
	}
	mk.Raw("</span></li>")
	if worse {
		mk.Raw(`<li><span class="ramp"><i class="lo">`)
		mk.Text(c.baseName + " better")
		mk.Raw("</i></span></li>")
	}
	mk.Raw("<li>")
	mk.Text("without colour: less than " + metric.Exact(closeBy*100) + metric.ThinSpace + "% apart, or not distinguishable")
	mk.Raw("</li></ul>")
}

// pairCharts overlay the two runs: the other side is the first series on every chart.
func (d *draft) pairCharts(c *comparison) {
	x, _, ok := c.main()
	if !ok {
		return
	}
	if len(compare.SharedLoads(x.A, x.B)) > 1 {
		var figs []page.Figure
		for _, info := range metric.Shown(metric.PairChart) {
			if len(figs) == 3 {
				break
			}
			if f := d.pairFigure(c, x, info.ID); f != nil {
				figs = append(figs, *f)
			}
		}
		if f := d.pairFrontier(c, x); f != nil {
			figs = append(figs, *f)
		}
		var blocks []page.Block
		for i := 0; i < len(figs); i += 2 {
			if i+1 < len(figs) {
				blocks = append(blocks, page.Block{Pair: figs[i : i+2]})
			} else {
				blocks = append(blocks, page.Block{Figure: &figs[i]})
			}
		}
		if x.Amber {
			blocks = append([]page.Block{{Says: []page.Sentence{{Topic: "Lengths differ", Warn: true, Parts: page.Text(page.Capital(x.Cautions[0]) + ".")}}}}, blocks...)
		}
		if len(blocks) > 0 {
			d.section("charts", "Overlaid, "+x.A.Title, blocks...)
		}
	}
	var many []compare.Match
	for _, m := range c.comp.Matches {
		if len(compare.SharedLoads(m.A, m.B)) > 1 && m.A.Axis == x.A.Axis {
			many = append(many, m)
		}
	}
	if len(many) < 2 {
		return
	}
	var blocks []page.Block
	for _, m := range []metric.ID{metric.OutputThroughput, metric.TTFT} {
		if f := d.pairPanels(c, many, m); f != nil {
			blocks = append(blocks, page.Block{Figure: f})
		}
	}
	d.section("workloads", "All shared workloads", blocks...)
}

// series are the two lines of a metric under a workload, in fixed colours.
func (c *comparison) series(x compare.Match, m metric.ID, scale metric.Scale) []chart.Series {
	var out []chart.Series
	for i, s := range []*figure.Scenario{x.B, x.A} {
		if ps := curve(s, m, "", scale); len(ps) > 0 {
			out = append(out, chart.Series{Name: []string{c.otherName, c.baseName}[i], Slot: i + 1, Points: ps})
		}
	}
	return out
}

// bestLoad is the load of a workload where a metric is compared in a caption: the largest finite
// one that both sides have.
func bestLoad(x compare.Match, m metric.ID) (l measuredLoad, e compare.Difference, ok bool) {
	for _, o := range loadsOf(x) {
		if f, has := o.typical(m); has && (!ok || !math.IsInf(o.load, 0)) {
			l, e, ok = o, f, true
		}
	}
	return l, e, ok
}

func (c *comparison) finding(x compare.Match, m metric.ID) string {
	l, e, ok := bestLoad(x, m)
	if !ok {
		return ""
	}
	info, _ := metric.Lookup(m)
	more, less := comparative(info)
	return info.Label + " " + magnitude(e, more, less) + " " + c.with() + " " + c.otherName + " " + figure.LoadPhrase(l.a[0]) + ": " + metricText(info, e.B.Median) + " against " + metricText(info, e.A.Median)
}

func (d *draft) pairFigure(c *comparison, x compare.Match, m metric.ID) *page.Figure {
	scale := scaleOf(m, []*figure.Scenario{x.A, x.B})
	if len(c.series(x, m, scale)) < 2 {
		return nil
	}
	info, _ := metric.Lookup(m)
	id := "fig-" + idOf(m)
	f := &page.Figure{ID: id, Finding: page.Glue(c.finding(x, m)), What: page.Capital(info.Long) + ", " + scale.Unit + ". " + loadWords(x.A.Axis) + "."}
	f.Chart = d.fragment("chart-"+id, func(mk *page.Markup) {
		pn := chart.Panel{Y: chart.Axis{Title: info.Label, Unit: scale.Unit}, Series: c.series(x, m, scale)}
		ch := hollowText(&chart.Chart{Kind: chart.Lines, Title: info.Label + " against load, " + c.title, Desc: describe(pn.Series, scale.Unit), X: loadAxis(x.A.Axis), Panels: []chart.Panel{pn}})
		mk.Draw(func(w io.Writer) error { return ch.Inline(w, id, chart.Half.High(340), chart.HalfNarrow) })
	})
	return f
}

// pairFrontier is speed per user against throughput per accelerator of both sides.
func (d *draft) pairFrontier(c *comparison, x compare.Match) *page.Figure {
	each := true
	for _, r := range []*figure.Run{c.base.Run, c.other.Run} {
		each = each && !r.Hardware.CountAssumed && r.Hardware.Count > 0
	}
	basis := ""
	series := func() []chart.Series {
		var out []chart.Series
		for i, s := range []*figure.Scenario{x.B, x.A} {
			r := []*figure.Run{c.other.Run, c.base.Run}[i]
			se := chart.Series{Name: []string{c.otherName, c.baseName}[i], Slot: i + 1}
			for j, p := range s.Points {
				v, b, ok1 := figure.SpeedPerUser(p)
				y, ok2 := figure.Throughput(p)
				if each {
					y, ok2 = r.PerAccelerator(p)
				}
				if !ok1 || !ok2 || math.IsInf(figure.LoadOf(p), 0) {
					continue
				}
				basis = b
				q := chart.Point{X: v, Y: y}
				if j == 0 || j == len(s.Points)-1 || j == len(s.Points)/2 {
					q.Label = figure.LoadText(p)
				}
				se.Points = append(se.Points, q)
			}
			if len(se.Points) > 1 {
				out = append(out, se)
			}
		}
		return out
	}
	list := series()
	if len(list) < 2 {
		return nil
	}
	y := "Output throughput"
	if each {
		y += " per accelerator"
	}
	const id = "fig-frontier"
	tops := make([]float64, 2)
	for i, s := range list {
		for _, p := range s.Points {
			tops[i] = max(tops[i], p.X)
		}
	}
	f := &page.Figure{ID: id, Finding: "One user gets up to " + metric.Format(tops[0]) + " tok/s " + c.with() + " " + c.otherName + ", up to " + metric.Format(tops[1]) + " " + c.with() + " " + c.baseName,
		What: y + " against speed per user (" + basis + "). Up and to the right is better; numbers are loads."}
	f.Chart = d.fragment("chart-"+id, func(mk *page.Markup) {
		pn := chart.Panel{Y: chart.Axis{Title: y, Unit: "tok/s"}, Series: series()}
		ch := &chart.Chart{Kind: chart.Frontier, Title: y + " against speed per user, " + c.title, Desc: describe(pn.Series, "tok/s"), X: chart.Axis{Title: "speed per user", Unit: "tok/s"}, Panels: []chart.Panel{pn}}
		mk.Draw(func(w io.Writer) error { return ch.Inline(w, id, chart.Half.High(340), chart.HalfNarrow) })
	})
	return f
}

// pairPanels is a metric under all shared workloads, at most twelve.
func (d *draft) pairPanels(c *comparison, list []compare.Match, m metric.ID) *page.Figure {
	var all []*figure.Scenario
	list = slices.DeleteFunc(slices.Clone(list), func(x compare.Match) bool { return !has(x.A, m) || !has(x.B, m) })
	const most = 12
	more := len(list) - most
	list = list[:min(most, len(list))]
	if len(list) < 2 {
		return nil
	}
	for _, x := range list {
		all = append(all, x.A, x.B)
	}
	scale := scaleOf(m, all)
	info, _ := metric.Lookup(m)
	id := "all-" + idOf(m)
	better := 0
	for _, x := range list {
		if _, e, ok := bestLoad(x, m); ok && e.Winner > 0 {
			better++
		}
	}
	f := &page.Figure{ID: id, What: page.Capital(info.Long) + ", " + scale.Unit + ". " + loadWords(list[0].A.Axis) + "."}
	f.Finding = info.Label + " at the largest load is better " + c.with() + " " + c.otherName + " under " + itoa(better) + " of " + page.Plural(len(list), "workload", "workloads")
	if more > 0 {
		f.What += " The first " + itoa(most) + "; " + itoa(more) + " more are in the tables."
	}
	f.Chart = d.fragment("chart-"+id, func(mk *page.Markup) {
		var cs []*chart.Chart
		byInput := map[float64][]*chart.Chart{}
		for _, x := range list {
			pn := chart.Panel{Y: chart.Axis{Unit: scale.Unit}, Series: c.series(x, m, scale)}
			ch := hollowText(&chart.Chart{Kind: chart.Lines, Title: info.Label + ", " + x.A.Title + ", " + c.title, Desc: describe(pn.Series, scale.Unit), X: loadAxis(x.A.Axis), Panels: []chart.Panel{pn}})
			cs = append(cs, ch)
			in, _, _ := x.A.Lengths()
			byInput[in] = append(byInput[in], ch)
		}
		chart.ShareX(cs...)
		for _, group := range byInput {
			chart.ShareY(group...)
		}
		mk.Draw(func(w io.Writer) error { return chart.WriteKey(w, chart.KeyOf(cs...)) })
		mk.Raw(`<div class="panels">`)
		for i, x := range list {
			pid := id + "-" + x.A.Key
			mk.Raw(`<div class="panel"`)
			mk.Attr("id", pid)
			mk.Raw(">")
			mk.Elem("h3", "", x.A.Title)
			mk.Elem("p", "what", panelWords(x, m))
			mk.Draw(func(w io.Writer) error { return cs[i].InlineKeyless(w, "c-"+pid, chart.PanelLow) })
			mk.Raw("</div>")
		}
		mk.Raw("</div>")
	})
	return f
}

// panelWords is the difference of a small chart at its largest load.
func panelWords(x compare.Match, m metric.ID) string {
	l, e, ok := bestLoad(x, m)
	if !ok {
		return ""
	}
	return changeText(e.Change) + " " + figure.LoadPhrase(l.a[0])
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
		if _, _, short := incomplete(append(slices.Clone(l.a), l.b...)); short {
			rw.Class = "amber"
			rw.Cells[0].Sub = "not all completed"
		}
		rw.Cells = append(rw.Cells, page.Cell{Text: itoa(len(l.b)) + " and " + itoa(len(l.a))})
		t.Rows = append(t.Rows, rw)
	}
	return t
}

// kindWords name what a row of the parameter diff is about.
var kindWords = map[compare.ParameterKind]string{
	compare.KindSystem: "system", compare.KindArgument: "launch argument", compare.KindWrapper: "wrapper", compare.KindEnvironment: "environment", compare.KindClient: "measurement",
}

// parameterDiff is what both runs were started with: only what differs is open.
func (d *draft) parameterDiff(c *comparison, diff compare.ParameterDiff) {
	if len(diff.Differs)+len(diff.OneVersion)+len(diff.Unclear)+len(diff.Same) == 0 {
		return
	}
	recorded := len(c.base.Run.Parameters) > 0 && len(c.other.Run.Parameters) > 0
	var intro []page.Part
	args := len(compare.Of(diff.Differs, compare.KindArgument))
	switch {
	case !recorded:
		var who []string
		if len(c.other.Run.Parameters) == 0 {
			who = append(who, c.otherName)
		}
		if len(c.base.Run.Parameters) == 0 {
			who = append(who, c.baseName)
		}
		intro = page.Text("No launch arguments are recorded " + c.with() + " " + page.Enumerate(who) + ", so they cannot be compared.")
	case args == 0:
		intro = page.Text("No launch argument has another effective value.")
	default:
		intro = page.Text(page.Plural(args, "launch argument has", "launch arguments have") + " another effective value.")
	}
	if n := len(diff.OneVersion); n > 0 {
		intro = append(intro, page.Part{Text: " " + page.Plural(n, "argument is", "arguments are") + " known to one of the two versions only."})
	}
	intro = append(intro, page.Part{Text: " " + page.Plural(len(diff.Same), "value is", "values are") + " equal. "}, page.Part{Text: "What counts as a difference", Href: d.Place.To(page.PathMethodology, "parameter-diff")})
	blocks := []page.Block{{Text: intro}}
	if len(diff.Differs) > 0 {
		blocks = append(blocks, d.table("diff", func() *page.Grid { return d.diffTable(c, "Parameters that differ", diff.Differs, "par-") }))
	} else {
		blocks = append(blocks, page.Paragraph("Nothing that is recorded on both sides differs."))
	}
	if n := len(diff.OneVersion); n > 0 {
		blocks = append(blocks, page.Block{Heading: &page.Heading{ID: "one-version", Text: page.Plural(n, "argument", "arguments") + " of one version only"}},
			page.Paragraph("One of the two engine versions has no such argument, so these cannot have been set alike, and are not counted as differences."),
			d.table("one-version", func() *page.Grid { return d.diffTable(c, "Arguments of one version only", diff.OneVersion, "par-") }))
	}
	var group []page.Details
	if n := len(diff.Unclear); n > 0 {
		s := page.Plural(n, "value that cannot be compared", "values that cannot be compared")
		group = append(group, *d.details("unclear", s, func() *page.Grid { return d.diffTable(c, s, diff.Unclear, "par-") }))
	}
	if n := len(diff.Same); n > 0 {
		s := page.Plural(n, "equal value", "equal values")
		group = append(group, *d.details("same", s, func() *page.Grid { return d.diffTable(c, s, diff.Same, "") }))
	}
	if len(group) > 0 {
		blocks = append(blocks, page.Block{Group: group})
	}
	d.section("parameters", "Parameters", blocks...)
}

func (d *draft) diffTable(c *comparison, caption string, rows []compare.ParameterRow, anchor string) *page.Grid {
	t := &page.Grid{Caption: caption, Class: "pdiff", Columns: []page.Column{{Title: "Parameter"}, {Title: c.otherName}, {Title: c.baseName}, {Title: "Sources"}}}
	if anchor == "" {
		t.Class = "pdiff compact"
	}
	for _, r := range rows {
		name := page.Cell{Text: r.Name, Head: true, Code: r.Kind != compare.KindSystem, Soft: true, Sub: kindWords[r.Kind]}
		if r.Owner != "" {
			name.Sub = "of " + r.Owner
		}
		if r.Kind == compare.KindSystem {
			name.Text = attributeLabel(r.Name)
		}
		rw := page.Row{Cells: []page.Cell{name, valueCell(r.Cells[1]), valueCell(r.Cells[0])}}
		if anchor != "" {
			rw.ID = anchor + string(r.Kind) + "-" + catalog.Slug(r.Name)
		}
		rw.Cells = append(rw.Cells, page.Cell{Before: d.sourceLinks(c, r)})
		t.Rows = append(t.Rows, rw)
	}
	return t
}

// valueCell is one side of a parameter by its state.
func valueCell(p compare.ParameterCell) page.Cell {
	switch p.State {
	case compare.StateRedacted:
		return page.Cell{Text: "redacted", Class: "na"}
	case compare.StateUnknownToVersion:
		return page.Cell{Text: "not an argument of this version", Class: "na"}
	case compare.StateAbsent:
		if p.Default {
			return page.Cell{Text: page.Clip(p.Effective, 300), Code: true, Class: "wrap-any", Sub: "not set: default of this version"}
		}
		return page.Missing("not recorded")
	case compare.StateNull:
		if p.Default {
			return page.Cell{Text: page.Clip(p.Effective, 300), Code: true, Class: "wrap-any", Sub: "null: default of this version"}
		}
		return page.Cell{Text: "null", Code: true, Sub: "chosen by the engine"}
	}
	if p.Effective == "" {
		return page.Cell{Text: `""`, Code: true, Sub: "empty text"}
	}
	return page.Cell{Text: page.Clip(p.Effective, 600), Code: true, Class: "wrap-any"}
}

// sourceLinks lead from a row of the diff to where both sides were recorded.
func (d *draft) sourceLinks(c *comparison, r compare.ParameterRow) func(w io.Writer) error {
	return func(w io.Writer) error {
		return page.FragmentOf(func(m *page.Markup) {
			n := 0
			for i := range r.Cells {
				i = len(r.Cells) - 1 - i // in the order of the columns
				run, p := []*figure.Run{c.base.Run, c.other.Run}[i], r.Cells[i]
				var s page.Cell
				switch {
				case p.At.Source != "":
					s = d.sourceCell(run, p.At)
				case p.File != "":
					s = page.Cell{Text: baseName(p.File), Exact: p.File, Href: d.Place.To(pathRun(run.ID), "provenance")}
					if p.Line > 0 {
						s.Text += ":" + itoa(p.Line)
					}
				}
				if s.Text == "" || s.Href == "" {
					continue
				}
				if n > 0 {
					m.Raw("<br>")
				}
				n++
				m.Raw(`<a class="src"`)
				m.Attr("href", s.Href)
				m.Attr("title", []string{c.baseName, c.otherName}[i]+": "+cmp.Or(s.Exact, s.Text))
				m.Raw(">")
				m.Text(page.Clip(s.Text, 28))
				m.Raw("</a>")
			}
			if n == 0 {
				m.Raw(`<span aria-hidden="true">·</span><span class="vh">not recorded</span>`)
			}
		})(w)
	}
}

// notComparable says what of the two runs does not stand on one axis, and what has to be assumed
// of what does.
func (d *draft) notComparable(c *comparison) {
	var list [][]page.Part
	seen := map[string]bool{}
	for _, m := range c.comp.Matches {
		for _, caution := range m.Cautions {
			if !seen[caution] {
				seen[caution] = true
				s := page.Capital(caution) + "."
				if m.Amber && caution == m.Cautions[0] {
					s = page.Glue(m.A.Title) + ": " + caution + "."
				}
				list = append(list, page.Text(s))
			}
		}
	}
	for _, l := range c.comp.Labels {
		list = append(list, page.Text(l+"."))
	}
	var blocks []page.Block
	if len(list) > 0 {
		blocks = append(blocks, page.Block{List: list[:min(20, len(list))]})
	}
	if n := len(c.comp.Mismatches); n > 0 {
		const most = 40
		what := page.Plural(n, "workload has", "workloads have") + " no equal on the other side; the nearest one and what differs:"
		if n > most {
			what = page.Plural(n, "workload has", "workloads have") + " no equal on the other side; the nearest " + itoa(most) + " and what differs:"
		}
		blocks = append(blocks, page.Paragraph(what), d.table("mismatches", func() *page.Grid {
			t := &page.Grid{Caption: "Workloads that are not compared", Columns: []page.Column{{Title: c.otherName}, {Title: c.baseName}, {Title: "What differs"}}}
			name := func(s *figure.Scenario) page.Cell {
				if s == nil {
					return page.Missing("none")
				}
				return page.Cell{Text: s.Title}
			}
			for _, m := range c.comp.Mismatches[:min(most, n)] {
				t.Rows = append(t.Rows, page.Row{Cells: []page.Cell{name(m.B), name(m.A), {Text: strings.Join(m.Reasons, "; "), Class: "wrap-any"}}})
			}
			return t
		}))
	}
	if len(blocks) == 0 {
		return
	}
	blocks = append(blocks, page.Block{Text: []page.Part{{Text: "When workloads are equal", Href: d.Place.To(page.PathMethodology, "workload-class")}}})
	d.section("not", "Assumed, and not comparable", blocks...)
}

// others lead to the other comparisons of both cards.
func (d *draft) others(c *comparison) {
	list := d.g.pairsWith(func(o *figure.Card) bool { return o == c.base.Card || o == c.other.Card })
	list = slices.DeleteFunc(list, func(o *comparison) bool { return o == c })
	if len(list) == 0 {
		return
	}
	var links [][]page.Part
	for _, o := range list[:min(12, len(list))] {
		links = append(links, []page.Part{{Text: o.title, Href: d.Place.To(pathPair(o.Slug), "")}})
	}
	links = append(links, []page.Part{{Text: "All comparisons", Href: d.Place.To(pathCompare, "")}})
	d.section("others", "Other comparisons of the two", page.Block{List: links})
}
