package site

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/inferdex/inferdex/ingest/record"

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
	d := g.draft(pathHome, "home", "scorecard", title, "Measured throughput, latency and KV-cache capacity of LLM serving, model by hardware, with the command and the file behind every number.")
	d.view.Heading = "LLM inference benchmarks, by model and hardware"
	points := 0
	for _, r := range g.ix.Runs {
		points += len(r.Points)
	}
	lede := plural(len(g.ix.Models), "model", "models") + " on " + plural(len(g.cols), "hardware configuration", "hardware configurations") + ": " +
		plural(len(g.ix.Runs), "run", "runs")
	if points > 0 {
		lede += ", " + plural(points, "measured point", "measured points")
	}
	lede += ", each traced to the file it came from."
	if len(g.ix.Runs) > 0 && g.ix.Runs[0].Started != "" {
		lede += " Newest result: " + dateText(g.ix.Runs[0].Started) + "."
	}
	if len(g.ix.Runs) == 0 {
		lede = "This catalog holds no run yet: read result files with inferdex ingest, then build the site again."
	}
	d.view.Lede = text(lede)
	v := HomeView{Frame: d.view.Frame}
	if g.front != nil {
		v.Scorecard = g.scorecard(d, g.front, nil)
	}
	d.section("shows", "What the results show", Block{List: d.strip()})
	if len(g.ix.Runs) > 0 {
		runs := g.ix.Runs[:min(10, len(g.ix.Runs))]
		blocks := []Block{d.table("newest", func() *table { return d.runsTable("Newest runs", runs) })}
		if len(runs) < len(g.ix.Runs) {
			blocks = append(blocks, Block{Text: []Part{{Text: "All " + metric.Count(int64(len(g.ix.Runs))) + " runs", Href: d.place.page(pathRuns, "")}}})
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
	crumbs := []Link{{Text: title}}
	if part != nil {
		crumbs = []Link{{Text: title, Href: place(part.path).page(v.path, "")}, {Text: part.title}}
		path, title = part.path, title+", "+part.title
	}
	description := v.metric.label + " by model and hardware"
	if !s.whole {
		description += ", measured with " + s.title + " by " + s.tool
	}
	d := g.draft(path, "scorecard", "scorecard", "Scorecard: "+title, description+".")
	d.view.Heading = glue(title)
	d.view.Crumbs = append([]Link{{Text: "Scorecard", Href: d.place.page(pathHome, "")}}, crumbs...)
	lede := "Models by hardware. The figure is of a whole run, whatever its workloads."
	if !s.whole {
		lede = "Models by hardware under one workload: " + s.title + ", measured by " + s.tool + "."
	}
	for _, c := range g.ix.Cards {
		if r := s.runs[c]; r != nil {
			if sc := s.scenario(r); sc != nil && len(sc.NotRecorded) > 0 {
				lede += " Not recorded for every run: " + enumerate(sc.NotRecorded) + "; compare with care."
				break
			}
		}
	}
	d.view.Lede = text(lede)
	d.page.Params = HomeView{Frame: d.view.Frame, Scorecard: g.scorecard(d, v, part)}
	return d
}

// strip is a few sentences: first what comparing hardware and series shows, then what the newest
// runs say of themselves.
func (d *draft) strip() [][]Part {
	const most = 6
	seen := map[*figure.Card]bool{}
	out := append(d.hardwareStrip(), d.seriesStrip(seen)...)
	out = out[:min(most-1, len(out))]
	for _, r := range active(d.g.ix.Runs) {
		if seen[r.Card] {
			continue
		}
		for _, in := range r.Insights() {
			if in.Caution {
				continue
			}
			seen[r.Card] = true
			parts := []Part{{Text: r.Card.Title(), Href: d.place.page(pathCard(r.Card.Slug), "")}}
			if r.Named {
				parts = append(parts, Part{Text: ", " + r.Series})
			}
			parts = append(parts, Part{Text: ": "})
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
func (d *draft) hardwareStrip() [][]Part {
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
	var out [][]Part
	for _, p := range pairs[:min(3, len(pairs))] {
		engine, _ := engineText(p.a.run.Engine)
		if other, _ := engineText(p.b.run.Engine); other != engine {
			engine = cmp.Or(engine, "an unrecorded engine") + " and " + cmp.Or(other, "an unrecorded engine")
		}
		if engine != "" {
			engine = ", " + engine
		}
		out = append(out, []Part{
			{Text: p.m.Name, Href: d.place.page(pathModel(p.m.Slug), "")},
			{Text: " generates " + metric.Format(metric.Round12(p.a.v/p.b.v)) + " times as many tokens a second on " + p.a.card.Hardware.Name + " as on " + p.b.card.Hardware.Name + ": "},
			{Text: metric.Format(p.a.v), Href: d.pointHref(p.a.run, s.scenario(p.a.run), p.a.p)},
			{Text: " against "},
			{Text: metric.Format(p.b.v), Href: d.pointHref(p.b.run, s.scenario(p.b.run), p.b.p)},
			{Text: glue(" tok/s at the best load, " + s.title + engine + ".")},
		})
	}
	return out
}

// seriesStrip says of up to two cards with several series by request rate where their mean times
// to first token lie furthest apart, and notes the cards.
func (d *draft) seriesStrip(seen map[*figure.Card]bool) [][]Part {
	var out [][]Part
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
				out = append(out, []Part{
					{Text: c.Title(), Href: d.place.page(pathCard(c.Slug), "")},
					{Text: ": " + seriesName(best, pv.Series) + " gives the first token after "},
					{Text: figure.Seconds(*w.Values[w.Fastest]), Href: d.pointHref(best, best.ScenarioOf(w.Points[w.Fastest]), w.Points[w.Fastest])},
					{Text: glue(" (" + stat + ") " + figure.LoadPhrase(w.Points[w.Fastest]) + ", " + enumerate(others) + "; " + s.Title + ".")},
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
func (d *draft) runsTable(caption string, runs []*figure.Run) *table {
	t := &table{caption: caption, class: "runs dense", columns: []column{{title: "Date"}, {title: "Model"}, {title: "Hardware"}, {title: "Engine"}, {title: "Tool"},
		{title: "Points", num: true}, {title: "Peak output", unit: "tok/s", num: true}, {title: "At"}, {title: "Remarks"}}}
	for _, r := range runs {
		t.rows = append(t.rows, d.runRow(r, true))
	}
	return t
}

// runRow is a run as a row of a list. Without names, model and hardware are left out: a card's
// own list.
func (d *draft) runRow(r *figure.Run, names bool) row {
	var cs []cell
	date := cell{text: dateText(r.Started), class: "nw"}
	if r.Started == "" {
		date = missing("not recorded")
	}
	href := d.place.page(pathRun(r.ID), "")
	if names {
		cs = append(cs, date)
		c := cell{text: r.Model.Name, href: href, head: true}
		c.note = ownName(r)
		if utf8.RuneCountInString(c.text+c.note) <= 40 {
			c.class = "nw"
		}
		cs = append(cs, c, cell{text: r.Hardware.Name, href: d.place.page(pathCard(r.Card.Slug), ""), class: "nw"})
	} else {
		name := r.Series
		if dateText(r.Started) == name {
			name = r.ID
		}
		series := cell{text: name, href: href, head: true}
		if utf8.RuneCountInString(name) <= 40 {
			series.class = "nw"
		}
		cs = append(cs, series, date)
	}
	e, versioned := engineText(r.Engine)
	engine := cell{text: e, class: "nw"}
	if e == "" {
		engine = missing("not recorded")
	} else if !versioned {
		engine.note, engine.class = "version not recorded", ""
	}
	cs = append(cs, engine, cell{text: toolText(r), class: "nw"})
	cs = append(cs, cell{text: metric.Count(int64(len(r.Points)))})
	peak, at := missing("not recorded"), cell{}
	if len(r.Points) == 0 {
		peak = missing("figures only")
	}
	if s, p, v := peakOf(r); p != nil {
		peak = cell{text: metric.Format(v), exact: metric.Exact(v), href: d.pointHref(r, s, p)}
		at = cell{text: lengthsTitle(s) + ", " + loadShort(p), exact: s.Title, class: "nw"}
	} else if hs := r.SuiteHeadlines(); len(hs) > 0 {
		at = cell{text: headlineShort(hs[0]), class: "nw"}
	}
	cs = append(cs, peak, at, d.remark(r))
	return row{cells: cs}
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
func (d *draft) remark(r *figure.Run) cell {
	if r.Withdrawn != "" {
		return cell{text: "withdrawn", href: d.place.page(pathRun(r.ID), "findings"), class: "warn"}
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
		return cell{text: worstText, href: href, class: "warn"}
	}
	for _, s := range r.Scenarios {
		if p, _, ok := s.Peak(metric.OutputThroughput); ok {
			if n, above := figure.AboveNumPrompts(p); above {
				return cell{text: metric.Count(n) + " prompts at concurrency " + figure.LoadText(p), href: d.pointHref(r, s, p), class: "warn"}
			}
		}
	}
	for _, f := range r.Findings {
		if f.Severity == record.Error && !f.Accepted {
			return cell{text: findingTopic(f.Code), href: d.place.page(pathRun(r.ID), "findings"), class: "warn"}
		}
	}
	if points > 0 {
		return cell{text: metric.Count(sent-done) + " of " + metric.Count(sent) + " failed", href: href, class: "warn"}
	}
	for _, f := range r.Findings {
		if f.Severity == record.Warning && !f.Accepted {
			return cell{text: findingTopic(f.Code), href: d.place.page(pathRun(r.ID), "findings"), class: "warn"}
		}
	}
	return cell{}
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
func (d *draft) attention() []Block {
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
	var says []Sentence
	for _, it := range items[:min(most, len(items))] {
		says = append(says, Sentence{Topic: findingTopic(it.f.Code), Warn: true, Parts: []Part{
			{Text: it.r.Card.Title() + inRuns(it.n) + ": " + sentenceText(it.f.Message) + " "},
			{Text: "Evidence", Href: d.place.page(pathRun(it.r.ID), "findings")},
		}})
	}
	blocks := []Block{paragraph("What reading the files turned up. Each is also stated on the page of its run."), {Says: says}}
	if n := len(items) - most; n > 0 {
		blocks = append(blocks, Block{Text: []Part{{Text: plural(n, "more finding", "more findings"), Href: d.place.page(pathData, "findings")}}})
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

// sentenceText makes a message of the program, lower case without a full stop, a sentence.
func sentenceText(s string) string {
	if s == "" || strings.ContainsAny(s[len(s)-1:], ".!?") {
		return s
	}
	return s + "."
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
