package site

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/inferdex/inferdex/ingest/claim"
	"github.com/inferdex/inferdex/ingest/record"
	"github.com/inferdex/inferdex/site/page"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
)

// home is the front page: the scorecard of the class with most cards, what the results show, the
// newest runs, what to read before quoting, and what is covered.
func (g *generator) home() *draft {
	title := g.conf.Title
	if title == "" {
		title = "inferdex"
	}
	d := g.draft(page.PathHome, "home", "scorecard", title, "Measured throughput, latency and KV-cache capacity of LLM serving, model by hardware, with the command and the file behind every number.")
	d.view.Heading = "LLM inference benchmarks, by model and hardware"
	points := 0
	for _, r := range g.ix.Runs {
		points += len(r.Points)
	}
	lede := page.Plural(len(g.ix.Models), "model", "models") + " on " + page.Plural(len(g.cols), "hardware configuration", "hardware configurations") + ": " +
		page.Plural(len(g.ix.Runs), "run", "runs")
	if points > 0 {
		lede += ", " + page.Plural(points, "measured point", "measured points")
	}
	lede += ", each traced to the file it came from."
	if len(g.ix.Runs) > 0 && g.ix.Runs[0].Started != "" {
		lede += " Newest result: " + page.Day(g.ix.Runs[0].Started) + "."
	}
	if len(g.ix.Runs) == 0 {
		lede = "This catalog holds no run yet: read result files with inferdex ingest, then build the site again."
	}
	d.view.Lede = page.Text(lede)
	v := page.HomeView{Frame: d.view.Frame}
	if g.front != nil {
		v.Scorecard = g.scorecard(d, g.front, nil)
	}
	d.section("shows", "What the results show", page.Block{List: d.strip()})
	if len(g.ix.Runs) > 0 {
		runs := g.ix.Runs[:min(10, len(g.ix.Runs))]
		blocks := []page.Block{d.table("newest", func() *page.Grid { return d.runsTable("Newest runs", runs) })}
		if len(runs) < len(g.ix.Runs) {
			blocks = append(blocks, page.Block{Text: []page.Part{{Text: "All " + metric.Count(int64(len(g.ix.Runs))) + " runs", Href: d.Place.To(page.PathRuns, "")}}})
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
func (g *generator) scorecardPage(v *scoreView, part *scorePart) *draft {
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
	for _, c := range g.ix.Cards {
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
	for _, r := range active(d.g.ix.Runs) {
		if seen[r.Card] {
			continue
		}
		for _, in := range claim.Insights(r) {
			if in.Caution {
				continue
			}
			seen[r.Card] = true
			parts := []page.Part{{Text: r.Card.Title(), Href: d.Place.To(page.PathCard(r.Card.Slug), "")}}
			if r.Named {
				parts = append(parts, page.Part{Text: ", " + r.Series})
			}
			parts = append(parts, page.Part{Text: ": "})
			out = append(out, append(parts, d.insightParts(r, in)...))
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
	if len(d.g.class) == 0 {
		return nil
	}
	s := d.g.class[0]
	type one struct {
		card *figure.Card
		run  *figure.Run
		p    *catalog.Point
		v    float64
	}
	type pair struct {
		m    *figure.Model
		n    int
		a, b one
	}
	var pairs []pair
	for _, m := range d.g.ix.Models {
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
		if len(list) < 2 {
			continue
		}
		slices.SortStableFunc(list, func(a, b one) int { return cmp.Compare(b.v, a.v) })
		if list[0].v > list[1].v*1.05 {
			pairs = append(pairs, pair{m, len(list), list[0], list[1]})
		}
	}
	slices.SortStableFunc(pairs, func(a, b pair) int { return cmp.Compare(b.n, a.n) })
	var out [][]page.Part
	for _, p := range pairs[:min(3, len(pairs))] {
		engine, _ := engineText(p.a.run.Engine)
		if other, _ := engineText(p.b.run.Engine); other != engine {
			engine = cmp.Or(engine, "an unrecorded engine") + " and " + cmp.Or(other, "an unrecorded engine")
		}
		if engine != "" {
			engine = ", " + engine
		}
		out = append(out, []page.Part{
			{Text: p.m.Name, Href: d.Place.To(page.PathModel(p.m.Slug), "")},
			{Text: " generates " + metric.Format(metric.Round12(p.a.v/p.b.v)) + " times as many tokens a second on " + p.a.card.Hardware.Name + " as on " + p.b.card.Hardware.Name + ": "},
			{Text: metric.Format(p.a.v), Href: d.pointHref(p.a.run, s.scenario(p.a.run), p.a.p)},
			{Text: " against "},
			{Text: metric.Format(p.b.v), Href: d.pointHref(p.b.run, s.scenario(p.b.run), p.b.p)},
			{Text: page.Glue(" tok/s at the best load, " + s.title + engine + ".")},
		})
	}
	return out
}

// seriesStrip says of up to two cards with several series by request rate where their mean times
// to first token lie furthest apart, and notes the cards.
func (d *draft) seriesStrip(seen map[*figure.Card]bool) [][]page.Part {
	var out [][]page.Part
	for _, c := range d.g.ix.Cards {
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

// runsTable lists runs with what they are best known by.
func (d *draft) runsTable(caption string, runs []*figure.Run) *page.Grid {
	t := &page.Grid{Caption: caption, Class: "runs dense", Columns: []page.Column{{Title: "Date"}, {Title: "Model"}, {Title: "Hardware"}, {Title: "Engine"}, {Title: "Tool"},
		{Title: "Points", Num: true}, {Title: "Peak output", Unit: "tok/s", Num: true}, {Title: "At"}, {Title: "Remarks"}}}
	for _, r := range runs {
		t.Rows = append(t.Rows, d.runRow(r, true))
	}
	return t
}

// runRow is a run as a row of a list. Without names, model and hardware are left out: a card's
// own list.
func (d *draft) runRow(r *figure.Run, names bool) page.Row {
	var cs []page.Cell
	date := page.Cell{Text: page.Day(r.Started), Class: "nw"}
	if r.Started == "" {
		date = page.Missing("not recorded")
	}
	href := d.Place.To(pathRun(r.ID), "")
	if names {
		cs = append(cs, date)
		c := page.Cell{Text: r.Model.Name, Href: href, Head: true}
		c.Note = ownName(r)
		if utf8.RuneCountInString(c.Text+c.Note) <= 40 {
			c.Class = "nw"
		}
		cs = append(cs, c, page.Cell{Text: r.Hardware.Name, Href: d.Place.To(page.PathCard(r.Card.Slug), ""), Class: "nw"})
	} else {
		name := r.Series
		if page.Day(r.Started) == name {
			name = r.ID
		}
		series := page.Cell{Text: name, Href: href, Head: true}
		if utf8.RuneCountInString(name) <= 40 {
			series.Class = "nw"
		}
		cs = append(cs, series, date)
	}
	e, versioned := engineText(r.Engine)
	engine := page.Cell{Text: e, Class: "nw"}
	if e == "" {
		engine = page.Missing("not recorded")
	} else if !versioned {
		engine.Note, engine.Class = "version not recorded", ""
	}
	cs = append(cs, engine, page.Cell{Text: toolText(r), Class: "nw"})
	cs = append(cs, page.Cell{Text: metric.Count(int64(len(r.Points)))})
	peak, at := page.Missing("not recorded"), page.Cell{}
	if len(r.Points) == 0 {
		peak = page.Missing("figures only")
	}
	if s, p, v := peakOf(r); p != nil {
		peak = page.Cell{Text: metric.Format(v), Exact: metric.Exact(v), Href: d.pointHref(r, s, p)}
		at = page.Cell{Text: lengthsTitle(s) + ", " + loadShort(p), Exact: s.Title, Class: "nw"}
	} else if hs := r.SuiteHeadlines(); len(hs) > 0 {
		at = page.Cell{Text: headlineShort(hs[0]), Class: "nw"}
	}
	cs = append(cs, peak, at, d.remark(r))
	return page.Row{Cells: cs}
}

// peakOf is the point of a run with the highest output throughput.
func peakOf(r *figure.Run) (s *figure.Scenario, p *catalog.Point, v float64) {
	for _, sc := range r.Scenarios {
		if q, w, ok := sc.Peak(metric.OutputThroughput); ok && (p == nil || w > v) {
			s, p, v = sc, q, w
		}
	}
	return s, p, v
}

// lengthsTitle names a workload by its lengths alone where they are recorded: lists have no
// room for the names of scenarios.
func lengthsTitle(s *figure.Scenario) string {
	in, out, _ := s.Lengths()
	if in <= 0 || out <= 0 {
		return s.Title
	}
	return countText(in) + " → " + countText(out)
}

// loadShort is a point's load in a table: "38 parallel", "11 req/s", "inf".
func loadShort(p *catalog.Point) string {
	axis, _, ok := p.Load.Axis()
	t := figure.LoadText(p)
	switch {
	case !ok:
		return "load not recorded"
	case t == "inf":
		return "inf"
	case axis == record.AxisConcurrency:
		return t + " parallel"
	case axis == record.AxisRate:
		return t + " req/s"
	}
	return "batch " + t
}

// headlineShort is a headline in one line: "ingestion ~8500 t/s".
func headlineShort(h figure.Headline) string {
	label := map[string]string{"prompt_ingestion_speed": "ingestion", "generation_speed_10_parallel": "speed", "kv_cache_tokens": "KV cache"}[h.Name]
	if h.Value != nil {
		return label + " " + metric.Format(*h.Value) + " " + h.Unit
	}
	return label + " " + publishedShort(h.Published) + " " + publishedUnit(h.Published, h.Unit)
}

// remark is what a reader of a list has to know first about a run.
func (d *draft) remark(r *figure.Run) page.Cell {
	if r.Withdrawn != "" {
		return page.Cell{Text: "withdrawn", Href: d.Place.To(pathRun(r.ID), "findings"), Class: "warn"}
	}
	var done, sent int64
	worst, points := 1.0, 0
	var worstText, href string
	for _, s := range r.Scenarios {
		for _, p := range s.Points {
			ratio, c, n, ok := figure.Success(p)
			if !ok {
				continue
			}
			done, sent = done+c, sent+n
			if ratio < 1 {
				points++
				if ratio < worst {
					worst = ratio
					worstText = metric.Count(c) + " of " + metric.Count(n) + " completed at " + figure.LoadText(p)
					href = d.pointHref(r, s, p)
				}
			}
		}
	}
	if points > 0 && worst < 0.95 {
		return page.Cell{Text: worstText, Href: href, Class: "warn"}
	}
	for _, s := range r.Scenarios {
		if p, _, ok := s.Peak(metric.OutputThroughput); ok {
			if n, above := figure.AboveNumPrompts(p); above {
				return page.Cell{Text: metric.Count(n) + " prompts at concurrency " + figure.LoadText(p), Href: d.pointHref(r, s, p), Class: "warn"}
			}
		}
	}
	for _, f := range r.Findings {
		if f.Severity == record.Error && !f.Accepted {
			return page.Cell{Text: findingTopic(f.Code), Href: d.Place.To(pathRun(r.ID), "findings"), Class: "warn"}
		}
	}
	if points > 0 {
		return page.Cell{Text: metric.Count(sent-done) + " of " + metric.Count(sent) + " failed", Href: href, Class: "warn"}
	}
	for _, f := range r.Findings {
		if f.Severity == record.Warning && !f.Accepted {
			return page.Cell{Text: findingTopic(f.Code), Href: d.Place.To(pathRun(r.ID), "findings"), Class: "warn"}
		}
	}
	return page.Cell{}
}

// findingTopic turns a code into words: "report-differs" is "Report differs".
func findingTopic(code string) string {
	s := strings.ReplaceAll(code, "-", " ")
	if s == "" {
		return "Finding"
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// attention lists what reading the files turned up, errors first, one sentence for each kind of
// finding and run.
func (d *draft) attention() []page.Block {
	type item struct {
		r *figure.Run
		f catalog.Finding
		n int // runs of the card that say the same
	}
	var items []item
	for _, r := range d.g.ix.Runs {
		if r.Withdrawn != "" {
			items = append(items, item{r, catalog.Finding{Code: "withdrawn", Severity: record.Error, Message: r.Withdrawn}, 1})
		}
		seen := map[string]bool{}
		for _, f := range r.Findings {
			if f.Severity != record.Remark && !f.Accepted && !seen[f.Code] {
				seen[f.Code] = true
				if i := slices.IndexFunc(items, func(o item) bool { return o.r.Card == r.Card && o.f.Code == f.Code && o.f.Message == f.Message }); i >= 0 {
					items[i].n++
					continue
				}
				items = append(items, item{r, f, 1})
			}
		}
	}
	if len(items) == 0 {
		return nil
	}
	slices.SortStableFunc(items, func(a, b item) int {
		return cmp.Compare(severityRank(a.f.Severity), severityRank(b.f.Severity))
	})
	const most = 8
	var says []page.Sentence
	for _, it := range items[:min(most, len(items))] {
		says = append(says, page.Sentence{Topic: findingTopic(it.f.Code), Warn: true, Parts: []page.Part{
			{Text: it.r.Card.Title() + inRuns(it.n) + ": " + page.FullStop(it.f.Message) + " "},
			{Text: "Evidence", Href: d.Place.To(pathRun(it.r.ID), "findings")},
		}})
	}
	blocks := []page.Block{page.Paragraph("What reading the files turned up. Each is also stated on the page of its run."), {Says: says}}
	if n := len(items) - most; n > 0 {
		blocks = append(blocks, page.Block{Text: []page.Part{{Text: page.Plural(n, "more finding", "more findings"), Href: d.Place.To(page.PathData, "findings")}}})
	}
	return blocks
}

// inRuns says in how many runs of a card a finding occurs, where that is more than one.
func inRuns(n int) string {
	if n < 2 {
		return ""
	}
	return ", " + itoa(n) + " runs"
}

func severityRank(s record.Severity) int {
	switch s {
	case record.Error:
		return 0
	case record.Warning:
		return 1
	}
	return 2
}

// yearBefore is the same day a year earlier, for comparison as text.
func yearBefore(day string) string {
	y := 0
	for _, c := range day[:4] {
		if c < '0' || c > '9' {
			return ""
		}
		y = y*10 + int(c-'0')
	}
	s := itoa(y - 1)
	return strings.Repeat("0", max(0, 4-len(s))) + s + day[4:]
}
