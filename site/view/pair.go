package view

import (
	"cmp"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/compare"

	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/site/page"
)

// pairPage holds two runs side by side.
func (g *Site) pairPage(c *comparison) *draft {
	about := c.title + "."
	at, e, ok := c.verdict()
	d := g.draft(pathPair(c.Slug), "compare", "compare", c.title, about)
	for _, r := range []*figure.Run{c.base.Run, c.other.Run} {
		d.modified = max(d.modified, page.Day(r.Started))
	}
	d.view.Crumbs = []page.Link{{Text: "Compare", Href: d.Place.To(PathCompare, "")},
		{Text: c.of, Href: d.Place.To(c.ofPath, "")}, {Text: c.otherName + " against " + c.baseName}}
	if ok {
		d.view.Lede = d.difference(c, at, e, true)
		d.page.Description = Plain(d.view.Lede)
	}
	diff := g.Arguments.Diff(c.base.Run, c.other.Run)
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

// expected are the parts of the system that differ by the question of a pair.
var expected = map[compare.PairKind][]string{
	compare.PairHardware:     {"hardware", "gpu_memory", "driver", "power_limit", "topology"},
	compare.PairVersion:      {"engine", "engine_version", "engine_commit", "image", "wrapper"},
	compare.PairQuantization: {"model", "precision", "tokenizer"},
	compare.PairModel:        {"model", "precision", "tokenizer"},
}

// sentences are collected one by one.
type sentences []page.Sentence

func (s *sentences) say(topic string, warn bool, parts ...page.Part) {
	*s = append(*s, page.Sentence{Topic: topic, Warn: warn, Parts: parts})
}

// pairSays are the sentences of a pair, each with its certainty.
func (d *draft) pairSays(c *comparison, at compare.Row, verdict compare.Difference, ok bool,
	diff compare.ParameterDiff) {
	var ss sentences
	if ok {
		if ps := d.everywhere(c, verdict.Metric); ps != nil {
			ss.say("Everywhere", false, ps...)
		}
		for _, m := range []struct {
			topic  string
			metric metric.ID
		}{{"First token", metric.TTFT}, {"Each user", metric.SpeedPerRequest}, {"Each token", metric.TPOT}} {
			if e, has := at.Typical(m.metric); has && m.metric != verdict.Metric {
				ss.say(m.topic, false, d.difference(c, at, e, false)...)
				if ps := d.everywhere(c, m.metric); ps != nil {
					ss.say(m.topic, false, ps...)
				}
			}
		}
	}
	b, o := c.base.Run, c.other.Run
	if ok && b.Hardware.Count != o.Hardware.Count {
		if ps := d.perAccelerator(c, at); ps != nil {
			ss.say("Each accelerator", false, ps...)
		}
	}
	if x, has := b.KVCacheTokens(); has && x > 0 {
		if y, has := o.KVCacheTokens(); has {
			v := metric.Round12((y - x) / x)
			ss.say("Memory", false, page.Part{Text: "The KV cache holds " + moreText(v) + " tokens " + c.with() + " " +
				c.otherName + ": "},
				page.Part{Text: metric.Format(y), Href: d.Place.To(PathRun(o.ID), ""),
					Title: metric.Exact(y) + " tokens"}, page.Part{Text: " against "},
				page.Part{Text: metric.Format(x), Href: d.Place.To(PathRun(b.ID), ""),
					Title: metric.Exact(x) + " tokens"}, page.Part{Text: " (one figure each)."})
		}
	}
	if ok && !slices.ContainsFunc(c.comp.Loads(), func(l compare.Row) bool {
		e, has := l.Typical(verdict.Metric)
		return has && e.Certainty != compare.NoClaim
	}) {
		ss.say("Certainty", false, page.Part{Text: "No load was measured six times on both sides, so the " +
			"difference of " + labelOf(c) + " is not claimed to be more than chance. Medians over requests are " +
			"judged by the requests of the two measurements, which says nothing of how far repeated " +
			"runs lie apart. "}, page.Part{Text: "Why six", Href: d.Place.To(page.PathMethodology, "certainty")})
	}
	d.pairWarnings(c, diff, &ss)
	if len(ss) > 0 {
		slices.SortStableFunc(ss, func(a, b page.Sentence) int { return compareBool(a.Warn, b.Warn) })
		d.section("says", "What the numbers say", page.Block{Says: ss})
	}
}

// pairWarnings are what to know before quoting a pair.
func (d *draft) pairWarnings(c *comparison, diff compare.ParameterDiff, ss *sentences) {
	var also []string
	for _, row := range compare.Of(diff.Differs, compare.KindSystem) {
		if !slices.Contains(expected[c.Kind], row.Name) {
			values := row.Cells[1].Effective + " against " + row.Cells[0].Effective
			also = append(also, strings.ToLower(AttributeLabel(row.Name))+" ("+values+")")
		}
	}
	if len(also) > 0 {
		ss.say("Differs too", true, page.Part{Text: page.Capital(page.Enumerate(also)) + ". The difference cannot be " +
			"put down to one cause."})
	}
	if text, warn := argumentWords(c, diff); text != "" {
		ss.say("Arguments", warn, page.Part{Text: text + ": "}, page.Part{Text: "parameters", Href: "#parameters"},
			page.Part{Text: "."})
	}
	for i, r := range []*figure.Run{c.other.Run, c.base.Run} {
		if done, sent := Requests(r); sent > done {
			ss.say("Not completed", true, page.Part{Text: metric.Count(sent-done) + " of " + metric.Count(sent) +
				" requests were not completed " + c.with() + " " + []string{c.otherName, c.baseName}[i] + ": "},
				page.Part{Text: "points", Href: d.Place.To(PathRun(r.ID), "data")}, page.Part{Text: "."})
		}
	}
	var forms []page.Part
	for _, r := range []*figure.Run{c.other.Run, c.base.Run} {
		if a := r.Hardware.Accelerator; a.FormFactorUnknown &&
			!slices.ContainsFunc(forms, func(p page.Part) bool { return p.Text == a.Name }) {
			if len(forms) > 0 {
				forms = append(forms, page.Part{Text: " and "})
			}
			forms = append(forms, page.Part{Text: a.Name, Href: d.Place.To(page.PathAccelerator(a.Slug),
				"specification")})
		}
	}
	if len(forms) > 0 {
		ss.say("Form factor", true, append(append([]page.Part{{Text: "Not recorded for "}}, forms...),
			page.Part{Text: ": the variants differ in bandwidth and power, some in memory."})...)
	}
	for _, m := range c.comp.Matches {
		if m.Amber {
			ss.say("Lengths differ", true, page.Part{Text: page.Glue(m.A.Title) + ": " + m.Cautions[0] + "."})
		}
	}
}

// everywhere says how a metric compares over all loads that both sides have; nil below three.
func (d *draft) everywhere(c *comparison, m metric.ID) []page.Part {
	type at struct {
		l compare.Row
		e compare.Difference
	}
	var all []at
	var ratios []float64
	better, worse, sure, within := 0, 0, 0, false
	for _, l := range c.comp.Loads() {
		e, ok := l.Typical(m)
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
	n, label := metric.Plural(len(all), "load"), labelWithin(info)
	head := ""
	switch {
	case better == len(all):
		head = c.otherName + " has the better " + label + " at all " + n
	case worse == len(all):
		head = c.baseName + " has the better " + label + " at all " + n
	case better >= worse:
		head = c.otherName + " has the better " + label + " at " + itoa(better) + " of " + n + ", " + c.baseName +
			" at " + itoa(worse)
	default:
		head = c.baseName + " has the better " + label + " at " + itoa(worse) + " of " + n + ", " + c.otherName +
			" at " + itoa(better)
	}
	v := metric.Round12(mid - 1)
	ps := []page.Part{{Text: head + ". The difference of " + c.otherName + " runs from "},
		d.rowLink(lo.l, changeText(lo.e.Change)), {Text: " (" + loadWithWorkload(lo.l) + ") to "},
		d.rowLink(hi.l, changeText(hi.e.Change)), {Text: " (" + loadWithWorkload(hi.l) + "), median " + changeText(&v)}}
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
		what := metric.Plural(n, "workload has", "workloads have") + " no equal on the other side; the nearest one " +
			"and what differs:"
		if n > most {
			what = metric.Plural(n, "workload has", "workloads have") + " no equal on the other side; the nearest " +
				itoa(most) + " and what differs:"
		}
		blocks = append(blocks, page.Paragraph(what), d.table("mismatches", func() *page.Grid {
			t := page.NewTable("Workloads that are not compared", "", c.comp.Mismatches[:min(most, n)])
			side := func(name string, of func(compare.Mismatch) *figure.Scenario) {
				t.Text(name, "none", func(m compare.Mismatch) string {
					if s := of(m); s != nil {
						return s.Title
					}
					return ""
				})
			}
			side(c.otherName, func(m compare.Mismatch) *figure.Scenario { return m.B })
			side(c.baseName, func(m compare.Mismatch) *figure.Scenario { return m.A })
			t.Col("What differs", func(m compare.Mismatch) page.Cell {
				return page.Cell{Text: strings.Join(m.Reasons, "; "), Class: "wrap-any"}
			})
			return t.Done()
		}))
	}
	if len(blocks) == 0 {
		return
	}
	blocks = append(blocks, page.Block{Text: []page.Part{{Text: "When workloads are equal",
		Href: d.Place.To(page.PathMethodology, "workload-class")}}})
	d.section("not", "Assumed, and not comparable", blocks...)
}

// others lead to the other comparisons of both cards.
func (d *draft) others(c *comparison) {
	list := d.g.pairs.with(func(o *figure.Card) bool { return o == c.base.Card || o == c.other.Card })
	list = slices.DeleteFunc(list, func(o *comparison) bool { return o == c })
	if len(list) == 0 {
		return
	}
	var links [][]page.Part
	for _, o := range list[:min(12, len(list))] {
		links = append(links, []page.Part{{Text: o.title, Href: d.Place.To(pathPair(o.Slug), "")}})
	}
	links = append(links, []page.Part{{Text: "All comparisons", Href: d.Place.To(PathCompare, "")}})
	d.section("others", "Other comparisons of the two", page.Block{List: links})
}

// difference writes a difference at a load in words, with its direction and, where it can be told or
// always is set, its certainty. Numbers lead to the rows they were read from.
func (d *draft) difference(c *comparison, l compare.Row, e compare.Difference, always bool) []page.Part {
	info, _ := metric.Lookup(e.Metric)
	name := page.Capital(info.Label)
	if e.Stat != metric.Value {
		name = e.Stat + " " + labelWithin(info)
		name = page.Upper(name)
	}
	number := func(r *figure.Run, s *figure.Scenario, p *catalog.Point, v float64) page.Part {
		return page.Part{Text: metricText(info, v), Href: d.pointHref(r, s, p),
			Title: metric.Exact(v) + " " + info.Unit}
	}
	more, less := comparative(info)
	what := " is " + magnitude(e, more, less)
	if e.Certainty == compare.NotDistinguishable {
		what = " is not distinguishable"
	}
	direction := ""
	if e.Winner != 0 && e.Certainty != compare.NotDistinguishable {
		direction = "worse"
		if e.Winner > 0 {
			direction = "better"
		}
		direction = ", which is " + direction
	}
	var certainty []page.Part
	switch {
	case always:
		certainty = []page.Part{{Text: " (" + e.Words() + ")"}}
	case e.Certainty != compare.NoClaim:
		certainty = []page.Part{{Text: " ("}, {Text: shortCertainty(e), Title: e.Words()}, {Text: ")"}}
	}
	ps := []page.Part{{Text: name + what + " " + c.with() + " " + c.otherName + direction + ": "},
		number(c.other.Run, l.Match.B, l.B[0], e.B.Median), {Text: " against "}, number(c.base.Run, l.Match.A, l.A[0],
			e.A.Median),
		{Text: " " + c.with() + " " + c.baseName + " " + loadWithWorkload(l)}}
	return append(append(ps, certainty...), page.Part{Text: "."})
}
