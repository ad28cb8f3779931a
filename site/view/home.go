package view

import (
	"cmp"
	"slices"

	"github.com/inferdex/inferdex/ingest/claim"
	"github.com/inferdex/inferdex/ingest/record"
	"github.com/inferdex/inferdex/site/page"

	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
)

// home is the front page: the scorecard of the class with most cards, what the results show, the
// newest runs, what to read before quoting, and what is covered.
func (g *Site) home() *draft {
	title := g.Config.Title
	if title == "" {
		title = "inferdex"
	}
	d := g.draft(page.PathHome, "home", "scorecard", title,
		claim.Plain("Measured throughput, latency and KV-cache capacity of LLM serving, model by hardware, with the "+
			"command and the file behind every number."))
	d.view.Heading = "LLM inference benchmarks, by model and hardware"
	d.view.Lede = d.lede(g.held(), nil).And(d.unidentified())
	v := page.HomeView{Frame: d.view.Frame, Answer: d.topResult()}
	if g.scores.front != nil {
		v.Scorecard = g.scorecard(d, g.scores.front, nil)
	}
	d.findModel()
	d.section("shows", "What the results show", page.Block{List: d.strip()})
	d.workloads()
	if len(g.Index.Runs) > 0 {
		// What has no date is not called new, and what lacks model or hardware stands beside no other.
		title, runs := "Newest runs", newestRuns(Dated(g.Index.Identified))
		if len(runs) == 0 {
			title, runs = "Runs", newestRuns(g.Index.Identified)
		}
		var blocks []page.Block
		if len(runs) > 0 {
			blocks = append(blocks, d.table("newest", func() *page.Grid { return d.runsTable(title, runs) }))
		}
		if len(runs) < len(g.Index.Runs) {
			blocks = append(blocks, page.Linked(metric.Noun(len(g.Index.Runs), "The run", "All "+metric.Count(len(g.Index.Runs))+" runs"),
				d.Place.To(page.PathRuns, "")).
				Block())
		}
		d.section("runs", title, blocks...)
	}
	v.Sections, d.sections = d.sections, nil
	d.section("attention", "Read before you quote", d.attention()...)
	d.section("coverage", "Coverage", d.coverageBlocks()...)
	v.Columns = d.sections
	d.page.Params = v
	return d
}

// newestRuns are the newest of some runs, given in that order: of each model and hardware the fullest of its newest
// day, and none that is for show while there are others.
func newestRuns(runs []*figure.Run) (out []*figure.Run) {
	const most = 10
	at := map[*figure.Card]int{}
	for _, show := range []bool{false, true} {
		for _, r := range runs {
			if r.Demo != show {
				continue
			}
			i, ok := at[r.Card]
			switch {
			case !ok && len(out) < most:
				at[r.Card] = len(out)
				out = append(out, r)
			case ok && page.Day(out[i].Started) == page.Day(r.Started) && len(r.Points) > len(out[i].Points):
				out[i] = r
			}
		}
	}
	return out
}

// findModel leads from each model to the hardware that it was measured on, with its best result.
func (d *draft) findModel() {
	const most = 24 // with a link for each hardware: more would be most of the page
	models := slices.Clone(d.g.Index.Models)
	if len(models) == 0 {
		return
	}
	more := len(models) - most
	intro := page.Text("Choose a model, then the hardware: a count leads to its card. The output is that of the best " +
		"hardware, at the load with the highest one.")
	if more > 0 {
		slices.SortStableFunc(models, func(a, b *figure.Model) int { return cmp.Compare(len(b.Cards), len(a.Cards)) })
		models = models[:most]
		intro = intro.Text(" These are the "+metric.Count(most)+" with most hardware; ").
			Link("all "+metric.Plural(most+more, "model"), d.Place.To(page.PathModels, "")).Text(".")
	}
	rows := bestRows(d.g, models, func(m *figure.Model) []*figure.Card { return m.Cards },
		func(m *figure.Model) string { return m.Name })
	slices.SortStableFunc(rows, func(a, b bestRow[*figure.Model]) int { return byName(a.of.Name, b.of.Name) })
	if note := inAllOf(rows); note != "" {
		intro = intro.Text(" " + note)
	}
	d.section("find", "Find a model", intro.Block(), d.table("find", func() *page.Grid {
		t := page.NewTable("Models and the hardware they were measured on", "find list", rows)
		t.Head("Model", func(r bestRow[*figure.Model]) (string, string) {
			return r.of.Name, d.Place.To(page.PathModel(r.of.Slug), "")
		})
		t.Add(page.Column{Title: "Hardware", Front: true}, func(r bestRow[*figure.Model]) page.Cell {
			return page.Cell{Parts: d.hardwareLinks(r.of.Cards)}
		})
		bestOutput(d, t, rows)
		return t.Done()
	}))
}

// scorecardPage is the scorecard of a class in a metric, or a part of it.
func (g *Site) scorecardPage(v *scoreView, part *scorePart) *draft {
	s := v.class
	path, title := v.path, v.title()
	crumbs := []page.Link{{Text: title}}
	if part != nil {
		crumbs = []page.Link{{Text: title, Href: page.Place(part.path).To(v.path, "")}, {Text: part.title}}
		path, title = part.path, title+", "+part.title
	}
	description := v.label() + " by model and hardware"
	if !s.whole {
		description += ", measured with " + s.by(" by ")
	}
	d := g.draft(path, "scorecard", "scorecard", "Scorecard: "+title,
		claim.Plain(description+".", v.label(), s.title, s.tool))
	d.view.Heading = page.Glue(title)
	d.view.Crumbs = append([]page.Link{{Text: "Scorecard", Href: d.Place.To(page.PathScorecards, "")}},
		crumbs...)
	lede := "Models by hardware. The figure is of a whole run, whatever its workloads."
	if !s.whole {
		lede = "Models by hardware under one workload: " + s.by(", measured by ") + "."
	}
	for _, c := range g.Index.Cards {
		if r := s.runs[c]; r != nil {
			if sc := s.scenario(r); sc != nil && len(sc.NotRecorded) > 0 {
				lede += " Not recorded for every run: " + page.Enumerate(sc.NotRecorded) + "; compare with care."
				break
			}
		}
	}
	d.view.Lede = d.lede(claim.Plain(lede, s.title, s.tool), nil)
	d.page.Params = page.HomeView{Frame: d.view.Frame, Scorecard: g.scorecard(d, v, part)}
	return d
}

// strip is a few sentences: first what comparing hardware and series shows, then what the newest
// runs say of themselves.
func (d *draft) strip() [][]page.Part {
	const most = 6
	seen := map[*figure.Card]bool{}
	out := append(d.hardwareStrip(), d.seriesStrip(seen)...)
	out = out[:min(most-1, len(out))]
	// What is covered best speaks first, what is for show last.
	runs := figure.Active(d.g.Index.Identified)
	slices.SortStableFunc(runs, func(a, b *figure.Run) int {
		return cmp.Or(compareBool(a.Demo, b.Demo), cmp.Compare(len(b.Card.OfModel()), len(a.Card.OfModel())),
			cmp.Compare(len(b.Points), len(a.Points)))
	})
	models := map[string]bool{}
	for _, r := range runs {
		if seen[r.Card] || models[r.Model.Slug] || r != r.Card.Head() {
			continue
		}
		for _, in := range claim.Sentences(r, d.g.Arguments) {
			if in.Caution {
				continue
			}
			seen[r.Card], models[r.Model.Slug] = true, true
			before := []string{r.Card.Title()}
			if r.Named {
				before = append(before, ", "+r.Series)
			}
			names := map[string]string{r.Card.Title(): d.Place.To(page.PathCard(r.Card.Slug), "")}
			out = append(out, withLinks(d.stated(in.Behind(append(before, ": ")...)), names))
			break
		}
		if len(out) >= max(4, most-1) {
			break
		}
	}
	return out
}

// hardwareStrip compares the best two hardware configurations of a model under the workload of
// the scorecard, for the three models with most of them: of each accelerator where their numbers differ.
func (d *draft) hardwareStrip() [][]page.Part {
	if len(d.g.scores.class) == 0 {
		return nil
	}
	s := d.g.scores.class[0]
	type pair struct {
		m  *figure.Model
		of []result
		ns []claim.Number
	}
	var pairs []pair
	for _, m := range d.g.Index.Models {
		var rs []result
		for _, c := range m.Cards {
			if r := s.runs[c]; r != nil && s.scenario(r) != nil {
				rs = append(rs, result{c.Hardware.Name, r, s.scenario(r)})
			}
		}
		if len(rs) < 2 {
			continue
		}
		// What has no known number of accelerators is not compared with what has another one.
		each, ok := perAccelerator(rs)
		if !ok {
			rs = slices.DeleteFunc(rs, func(r result) bool { return count(r.run) == 0 })
			each, _ = perAccelerator(rs)
		}
		p := pair{m: m}
		p.of, p.ns = peaks(rs, metric.OutputThroughput, each)
		if len(p.ns) > 1 && p.ns[1].Is() > 0 && p.ns[0].Is() > p.ns[1].Is()*1.05 {
			pairs = append(pairs, p)
		}
	}
	slices.SortStableFunc(pairs, func(a, b pair) int { return cmp.Compare(len(b.ns), len(a.ns)) })
	var out [][]page.Part
	for _, p := range pairs[:min(3, len(pairs))] {
		names := map[string]string{p.m.Name: d.Place.To(page.PathModel(p.m.Slug), "")}
		out = append(out, withLinks(d.stated(timesAsMany(p.m.Name, p.of, p.ns, p.of[0].scenario.Title+s.byAxis)), names))
	}
	return out
}

// timesAsMany says how many times as many tokens the first of some peaks has as the second.
func timesAsMany(model string, of []result, ns []claim.Number, workload string) claim.Sentence {
	c := claim.State(claim.KindTop).Called(workload)
	var refs []claim.Ref
	for i, n := range ns {
		n.Called = of[i].name
		refs = append(refs, c.Of(n))
	}
	c.Is(claim.Highest, refs...).Is(claim.Ranked, refs...)
	ratio := metric.Round12(ns[0].Is() / ns[1].Is())
	engine := of[0].run.EngineName()
	if other := of[1].run.EngineName(); other != engine {
		engine = cmp.Or(engine, "an unrecorded engine") + " and " + cmp.Or(other, "an unrecorded engine")
	}
	each := ""
	if ns[0].Over > 0 {
		each = " per accelerator"
	}
	c.Makes(claim.Ratio, ratio, refs[0], refs[1]).Called(engine).Name(model).
		Say(" generates %s times as many tokens a second%s on %s as on %s: ", metric.Format(ratio), each, of[0].name,
			of[1].name).
		Cite(refs[0], "%s", metric.Format(ns[0].Is())).Say(" against ").Cite(refs[1], "%s", metric.Format(ns[1].Is())).
		Say(" tok/s%s at the best load, %s", each, workload)
	if engine != "" {
		c.Say(", ").Name(engine)
	}
	return c.Say(".").Sentence()
}

// seriesStrip says of up to two cards with several series by request rate where their mean times
// to first token lie furthest apart, and notes the cards.
func (d *draft) seriesStrip(seen map[*figure.Card]bool) [][]page.Part {
	var out [][]page.Part
	for _, c := range d.g.Index.Cards {
		for _, runs := range c.Compares() {
			if len(runs) < 2 || len(runs) > 4 ||
				!slices.ContainsFunc(runs, func(r *figure.Run) bool { return r.Named }) {
				continue
			}
			for _, s := range runs[0].Scenarios {
				pv, _, ok := pivotOf(runs, s.Class, metric.TTFT)
				if !ok || pv.Axis != record.AxisRate {
					continue
				}
				if at, ok := furthestApart(pv); ok {
					seen[c] = true
					names := map[string]string{c.Title(): d.Place.To(page.PathCard(c.Slug), "")}
					out = append(out, withLinks(d.stated(at.firstTokens(c.Title(), pv.Stat)), names))
					break
				}
			}
			break
		}
		if len(out) == 2 {
			break
		}
	}
	return out
}
