package view

import (
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/claim"
	"github.com/inferdex/inferdex/ingest/compare"

	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/site/page"
)

// about says what a pair is of.
func (c *comparison) about() claim.Sentence { return claim.Plain(c.title+".", c.title) }

// description is what the page of a pair leads with: what it comes to, where it comes to anything.
func (c *comparison) description() (said page.Said) {
	at, e, ok := c.verdict()
	if !ok {
		return page.Say(c.about())
	}
	for _, s := range c.outcome(at, e) {
		said = said.And(page.Say(s))
	}
	return said
}

// pairPage holds two runs side by side.
func (g *Site) pairPage(c *comparison) *draft {
	at, e, ok := c.verdict()
	d := g.draft(pathPair(c.Slug), "compare", "compare", c.title, c.about())
	d.modified = newest(c.base.Run, c.other.Run)
	d.view.Crumbs = []page.Link{{Text: "Compare", Href: d.Place.To(PathCompare, "")},
		{Text: c.of, Href: d.Place.To(c.ofPath, "")}, {Text: c.otherName + " against " + c.baseName}}
	if ok {
		for _, s := range c.outcome(at, e) {
			d.view.Lede = d.view.Lede.And(d.lede(s, nil))
		}
		d.page.Description = d.view.Lede
	}
	diff := c.runs.WithParameters(g.Arguments).Parameters
	d.distrust(c.other.Run, c.base.Run)
	d.pairStats(c, at, e, ok, diff)
	d.pairSays(c, at, e, ok, diff)
	d.section("sides", "The two runs", d.table("sides", func() *page.Grid { return d.sidesTable(c) }))
	d.sideBySide(c, at, ok)
	d.everyLoad(c)
	d.pairCharts(c)
	d.parameterDiff(c, diff)
	d.pairUse(c)
	d.loads(c)
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
	state := func(topic string, s claim.Sentence, ok bool) {
		if ok {
			ss.say(topic, false, d.stated(s)...)
		}
	}
	if ok {
		each, has := c.perAccelerator(at)
		state("Each accelerator", each, has)
		all, has := c.everywhere(verdict.Metric)
		state("Everywhere", all, has)
		for _, m := range []struct {
			topic  string
			metric metric.ID
		}{{"First token", metric.TTFT}, {"Each user", metric.SpeedPerRequest}, {"Each token", metric.TPOT}} {
			if e, has := at.Typical(m.metric); has && m.metric != verdict.Metric {
				parts := d.stated(c.difference(at, e, false))
				for i, p := range parts {
					if p.Text == shortCertainty(e) {
						parts[i].Title = e.Words()
					}
				}
				ss.say(m.topic, false, parts...)
				all, has := c.everywhere(m.metric)
				state(m.topic, all, has)
			}
		}
	}
	memory, has := c.memory()
	state("Memory", memory, has)
	if ok {
		if few, has := c.few(verdict.Metric); has {
			ss.say("Certainty", false,
				linked(d.stated(few), whySix, d.formula("certainty"))...)
		}
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
		const list = "parameters"
		parts := d.stated(claim.Plain(text+": "+list+".", text))
		ss.say("Arguments", warn, linked(parts, list, "#parameters")...)
	}
	for i, r := range []*figure.Run{c.other.Run, c.base.Run} {
		o := r.Requests()
		for _, lack := range []struct {
			topic string
			n     int64
			what  string
		}{{"Not completed", o.Submitted - o.Completed, "not completed"},
			{"Without output", o.NoOutput, "completed without output"}} {
			if lack.n <= 0 {
				continue
			}
			ss.say(lack.topic, true, page.Part{Text: metric.Count(lack.n) + " of " + metric.Count(o.Submitted) +
				" requests were " + lack.what + " " + c.with() + " " + []string{c.otherName, c.baseName}[i] + ": "},
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
		ss.say("Form factor", true, append(append(page.Text("Not recorded for "), forms...),
			page.Part{Text: ": the variants differ in bandwidth and power, some in memory."})...)
	}
	for _, m := range c.runs.Workloads {
		if m.Amber {
			ss.say(m.Topic(), true, page.Part{Text: page.Glue(m.A.Title) + ": " + m.Cautions[0] + "."})
		}
	}
}

// notComparable says what of the two runs does not stand on one axis, and what has to be assumed
// of what does.
func (d *draft) notComparable(c *comparison) {
	var list [][]page.Part
	seen := map[string]bool{}
	for _, m := range c.runs.Workloads {
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
	for _, l := range c.runs.Labels {
		list = append(list, page.Text(l+"."))
	}
	var blocks []page.Block
	if len(list) > 0 {
		blocks = append(blocks, page.Block{List: list[:min(20, len(list))]})
	}
	if n := len(c.runs.Alone); n > 0 {
		const most = 40
		what := metric.Plural(n, "workload has", "workloads have") + " no equal on the other side; the nearest one " +
			"and what differs:"
		if n > most {
			what = metric.Plural(n, "workload has", "workloads have") + " no equal on the other side; the nearest " +
				itoa(most) + " and what differs:"
		}
		blocks = append(blocks, page.Paragraph(what), d.table("mismatches", func() *page.Grid {
			t := page.NewTable("Workloads that are not compared", "", c.runs.Alone[:min(most, n)])
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
	blocks = append(blocks, page.Linked("When workloads are equal", d.formula("workload-class")).Block())
	d.section("not", "Assumed, and not comparable", blocks...)
}

// others lead to the other comparisons of both cards.
func (d *draft) others(c *comparison) {
	list := d.g.pairs.with(c.base.Card, c.other.Card)
	list = slices.DeleteFunc(list, func(o *comparison) bool { return o == c })
	if len(list) == 0 {
		return
	}
	var links [][]page.Part
	for _, o := range list[:min(12, len(list))] {
		links = append(links, page.Linked(o.title, o.href(d.Place)))
	}
	links = append(links, page.Linked("All comparisons", d.Place.To(PathCompare, "")))
	d.section("others", "Other comparisons of the two", page.Block{List: links})
}
