package view

import (
	"cmp"
	"math"
	"slices"

	"github.com/inferdex/inferdex/ingest/claim"
	"github.com/inferdex/inferdex/ingest/record"
	"github.com/inferdex/inferdex/site/page"

	"github.com/inferdex/inferdex/ingest/catalog"
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
	d := g.draft(page.PathHome, "home", "scorecard", title, "Measured throughput, latency and KV-cache capacity of LLM serving, model by hardware, with the command and the file behind every number.")
	d.view.Heading = "LLM inference benchmarks, by model and hardware"
	points := 0
	for _, r := range g.Index.Identified {
		points += len(r.Points)
	}
	lede := metric.Plural(len(g.Index.Models), "model") + " on " + metric.Plural(len(g.scores.cols), "hardware configuration") + ": " +
		metric.Plural(len(g.Index.Identified), "run")
	if points > 0 {
		lede += ", " + metric.Plural(points, "measured point")
	}
	lede += ", each traced to the file it came from."
	if rs := g.Index.Identified; len(rs) > 0 && rs[0].Started != "" {
		lede += " Newest result: " + page.Day(rs[0].Started) + "."
	}
	if len(g.Index.Identified) == 0 {
		lede = "No run of this catalog says both which model and which hardware was measured."
	}
	if len(g.Index.Runs) == 0 {
		lede = "This catalog holds no run yet: read result files with inferdex ingest, then build the site again."
	}
	d.view.Lede = append(page.Text(lede), d.unidentified()...)
	v := page.HomeView{Frame: d.view.Frame}
	if g.scores.front != nil {
		v.Scorecard = g.scorecard(d, g.scores.front, nil)
	}
	d.section("shows", "What the results show", page.Block{List: d.strip()})
	if len(g.Index.Identified) > 0 {
		runs := g.Index.Identified[:min(10, len(g.Index.Identified))]
		blocks := []page.Block{d.table("newest", func() *page.Grid { return d.runsTable("Newest runs", runs) })}
		if len(runs) < len(g.Index.Runs) {
			blocks = append(blocks, page.Block{Text: []page.Part{{Text: "All " + metric.Count(len(g.Index.Runs)) + " runs", Href: d.Place.To(page.PathRuns, "")}}})
		}
		d.section("runs", "Newest runs", blocks...)
	}
	v.Sections, d.sections = d.sections, nil
	d.section("attention", "Read before you quote", d.attention()...)
	d.section("coverage", "Coverage", d.coverageBlocks()...)
	v.Columns = d.sections
	d.page.Params = v
	return d
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
	description := v.metric.label + " by model and hardware"
	if !s.whole {
		description += ", measured with " + s.title + " by " + s.tool
	}
	d := g.draft(path, "scorecard", "scorecard", "Scorecard: "+title, description+".")
	d.view.Heading = page.Glue(title)
	d.view.Crumbs = append([]page.Link{{Text: "Scorecard", Href: d.Place.To(page.PathHome, "")}}, crumbs...)
	lede := "Models by hardware. The figure is of a whole run, whatever its workloads."
	if !s.whole {
		lede = "Models by hardware under one workload: " + s.title + ", measured by " + s.tool + "."
	}
	for _, c := range g.Index.Cards {
		if r := s.runs[c]; r != nil {
			if sc := s.scenario(r); sc != nil && len(sc.NotRecorded) > 0 {
				lede += " Not recorded for every run: " + page.Enumerate(sc.NotRecorded) + "; compare with care."
				break
			}
		}
	}
	d.view.Lede = page.Text(lede)
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
	for _, r := range figure.Active(d.g.Index.Identified) {
		if seen[r.Card] {
			continue
		}
		for _, in := range claim.Sentences(r) {
			if in.Caution {
				continue
			}
			seen[r.Card] = true
			parts := []page.Part{{Text: r.Card.Title(), Href: d.Place.To(page.PathCard(r.Card.Slug), "")}}
			if r.Named {
				parts = append(parts, page.Part{Text: ", " + r.Series})
			}
			parts = append(parts, page.Part{Text: ": "})
			out = append(out, append(parts, d.claimParts(in)...))
			break
		}
		if len(out) >= max(4, most-1) {
			break
		}
	}
	return out
}

// hardwareStrip compares the best two hardware configurations of a model under the workload of
// the scorecard, for the three models with most of them. Shares of accelerators are not compared:
// numbers that differ are said.
func (d *draft) hardwareStrip() [][]page.Part {
	if len(d.g.scores.class) == 0 {
		return nil
	}
	s := d.g.scores.class[0]
	type one struct {
		card *figure.Card
		run  *figure.Run
		p    *catalog.Point
		v    float64
	}
	type pair struct {
		m    *figure.Model
		n    int
		per  bool // accelerator
		a, b one
	}
	var pairs []pair
	for _, m := range d.g.Index.Models {
		var list []one
		for _, c := range m.Cards {
			r := s.runs[c]
			if r == nil || s.scenario(r) == nil {
				continue
			}
			if p, v, ok := s.scenario(r).Peak(metric.OutputThroughput); ok {
				list = append(list, one{c, r, p, v})
			}
		}
		// Shares of other numbers of accelerators are compared per accelerator.
		per := slices.ContainsFunc(list, func(o one) bool { return o.card.Hardware.Count != list[0].card.Hardware.Count })
		if per {
			list = slices.DeleteFunc(list, func(o one) bool { return o.card.Hardware.CountAssumed })
			for i, o := range list {
				list[i].v, _ = o.run.PerAccelerator(o.p)
			}
		}
		if len(list) < 2 {
			continue
		}
		slices.SortStableFunc(list, func(a, b one) int { return cmp.Compare(b.v, a.v) })
		if list[0].v > list[1].v*1.05 {
			pairs = append(pairs, pair{m, len(list), per, list[0], list[1]})
		}
	}
	slices.SortStableFunc(pairs, func(a, b pair) int { return cmp.Compare(b.n, a.n) })
	var out [][]page.Part
	for _, p := range pairs[:min(3, len(pairs))] {
		engine, _ := EngineText(p.a.run.Engine)
		if other, _ := EngineText(p.b.run.Engine); other != engine {
			engine = cmp.Or(engine, "an unrecorded engine") + " and " + cmp.Or(other, "an unrecorded engine")
		}
		if engine != "" {
			engine = ", " + engine
		}
		each, unit := "", " tok/s"
		if p.per {
			each, unit = " per accelerator", " tok/s per accelerator"
		}
		out = append(out, []page.Part{
			{Text: p.m.Name, Href: d.Place.To(page.PathModel(p.m.Slug), "")},
			{Text: " generates " + metric.Format(metric.Round12(p.a.v/p.b.v)) + " times as many tokens a second" + each + " on " + p.a.card.Hardware.Name + " as on " + p.b.card.Hardware.Name + ": "},
			{Text: metric.Format(p.a.v), Href: d.pointHref(p.a.run, s.scenario(p.a.run), p.a.p)},
			{Text: " against "},
			{Text: metric.Format(p.b.v), Href: d.pointHref(p.b.run, s.scenario(p.b.run), p.b.p)},
			{Text: page.Glue(unit + " at the best load, " + s.title + engine + ".")},
		})
	}
	return out
}

// seriesStrip says of up to two cards with several series by request rate where their mean times
// to first token lie furthest apart, and notes the cards.
func (d *draft) seriesStrip(seen map[*figure.Card]bool) [][]page.Part {
	var out [][]page.Part
	for _, c := range d.g.Index.Cards {
		for _, runs := range c.Compares() {
			if len(runs) < 2 || len(runs) > 4 || !slices.ContainsFunc(runs, func(r *figure.Run) bool { return r.Named }) {
				continue
			}
			for _, s := range runs[0].Scenarios {
				pv, stat, ok := pivotOf(runs, s.Class, metric.TTFT)
				if !ok || pv.Axis != record.AxisRate {
					continue
				}
				row, ratio := -1, 2.0
				for i, w := range pv.Rows {
					lo, hi := 0.0, 0.0
					for _, v := range w.Values {
						if v == nil {
							lo = 0
							break
						}
						if lo == 0 || *v < lo {
							lo = *v
						}
						hi = max(hi, *v)
					}
					if lo > 0 && !math.IsInf(w.Load, 1) && hi/lo > ratio {
						row, ratio = i, hi/lo
					}
				}
				if row < 0 || pv.Rows[row].Fastest < 0 {
					continue
				}
				w := pv.Rows[row]
				best := pv.Series[w.Fastest]
				seen[c] = true
				var others []string
				for i, v := range w.Values {
					if i != w.Fastest {
						others = append(others, seriesName(pv.Series[i], pv.Series)+" "+figure.Seconds(*v))
					}
				}
				out = append(out, []page.Part{
					{Text: c.Title(), Href: d.Place.To(page.PathCard(c.Slug), "")},
					{Text: ": " + seriesName(best, pv.Series) + " gives the first token after "},
					{Text: figure.Seconds(*w.Values[w.Fastest]), Href: d.pointHref(best, best.ScenarioOf(w.Points[w.Fastest]), w.Points[w.Fastest])},
					{Text: page.Glue(" (" + stat + ") " + figure.LoadPhrase(w.Points[w.Fastest]) + ", " + page.Enumerate(others) + "; " + s.Title + ".")},
				})
				break
			}
			break
		}
		if len(out) == 2 {
			break
		}
	}
	return out
}
