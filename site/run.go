package site

import (
	"cmp"
	"encoding/json"
	"io"
	"maps"
	"math"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/claim"
	"github.com/inferdex/inferdex/ingest/compare"
	"github.com/inferdex/inferdex/ingest/record"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/site/chart"
	"github.com/inferdex/inferdex/site/page"
)

// runPages are the page of a run and, where its raw records are too large to stand on it, the
// pages of those.
func (g *generator) runPages(r *figure.Run) ([]*draft, error) {
	raw, err := g.rawRecords(r)
	if err != nil {
		return nil, err
	}
	out := []*draft{g.runPage(r, raw)}
	if len(r.Points) > maxAcross && len(acrossList(r)) > 0 {
		out = append(out, g.acrossPage(r))
	}
	if manySources(r) {
		out = append(out, g.sourcesPage(r))
	}
	return append(out, g.rawPages(r, raw)...), nil
}

func (g *generator) runPage(r *figure.Run, raw *rawSet) *draft {
	title := r.Card.Title()
	name := title
	if r.Named {
		name += ", " + r.Series
	}
	d := g.draft(pathRun(r.ID), "run", "models", name+", run "+r.ID, runDescription(r))
	d.view.Heading = name
	d.view.Crumbs = []page.Link{
		{Text: "Models", Href: d.Place.To(page.PathModels, "")},
		{Text: r.Model.Name, Href: d.Place.To(page.PathModel(r.Model.Slug), "")},
		{Text: "on " + r.Hardware.Name, Href: d.Place.To(page.PathCard(r.Card.Slug), "")},
		{Text: "run " + r.ID},
	}
	d.view.Lede = append(page.Text(runDescription(r)), d.compareWith(r)...)
	d.runFacts(r)
	d.stats(r)
	if r.Withdrawn != "" {
		d.section("withdrawn", "Withdrawn", page.Block{Says: []page.Sentence{{Topic: "Do not use", Warn: true, Parts: page.Text(page.FullStop(r.Withdrawn))}}})
	}
	d.says(r)
	d.charts(r)
	d.distributions(r)
	d.summary(r)
	d.efficiency(r)
	d.pointTables(r, true)
	d.profiles(r)
	d.figuresTable(r, true)
	d.utilization(r)
	d.system(r)
	d.parameters(r, true)
	d.reproduce(r)
	d.provenance(r)
	d.findings(r)
	d.rawSection(r, raw)
	d.runPager(r)
	d.reportLinks(r)
	return d.done()
}

// reportLinks puts a prefilled issue with the chart's anchor below each chart, where the repository is
// set.
func (d *draft) reportLinks(r *figure.Run) {
	for i := range d.sections {
		for j := range d.sections[i].Blocks {
			b := &d.sections[i].Blocks[j]
			add := func(f *page.Figure) {
				if u := d.g.issueAddress(r, f.ID); u != "" {
					f.Files = append(f.Files, page.Link{Text: "Report a wrong number", Href: u})
				}
			}
			if b.Figure != nil {
				add(b.Figure)
			}
			for k := range b.Pair {
				add(&b.Pair[k])
			}
		}
	}
}

// runPager leads to the runs of the card before and after this one, in the order of its table.
func (d *draft) runPager(r *figure.Run) {
	link := func(o *figure.Run) *page.Link {
		name := "run " + o.ID
		if day := page.Day(o.Started); day != "" {
			name = "run of " + day
		}
		if own := ownName(o); own != "" {
			name = own + ", " + name
		} else if e, versioned := engineText(o.Engine); versioned {
			name = e + ", " + name
		}
		return &page.Link{Text: name, Href: d.Place.To(pathRun(o.ID), ""), Title: "run " + o.ID}
	}
	i := slices.Index(r.Card.Runs, r)
	if i < 0 || len(r.Card.Runs) < 2 {
		return
	}
	pg := page.Pager{Of: "Runs of " + r.Card.Title()}
	if i > 0 {
		pg.Previous = link(r.Card.Runs[i-1])
	}
	if i+1 < len(r.Card.Runs) {
		pg.Next = link(r.Card.Runs[i+1])
	}
	d.view.Pagers = append(d.view.Pagers, pg)
}

// maxSources is how many source files stand on the page of their run; more have a page of their own.
const maxSources = 12

func manySources(r *figure.Run) bool { return len(r.Sources) > maxSources }

// pathSources is the page that lists the source files of a run.
func pathSources(r *figure.Run) string {
	if manySources(r) {
		return pathRun(r.ID) + "/sources"
	}
	return pathRun(r.ID)
}

// sourcesPage lists the source files of a run of many.
func (g *generator) sourcesPage(r *figure.Run) *draft {
	title := r.Card.Title() + ", run " + r.ID + ": source files"
	d := g.draft(pathSources(r), "records", "models", title, "The "+page.Plural(len(r.Sources), "file", "files")+" that run "+r.ID+" was read from, with their digests.")
	d.view.Heading = "Source files"
	d.view.Crumbs = []page.Link{{Text: "Models", Href: d.Place.To(page.PathModels, "")}, {Text: r.Card.Title(), Href: d.Place.To(page.PathCard(r.Card.Slug), "")},
		{Text: "run " + r.ID, Href: d.Place.To(pathRun(r.ID), "provenance")}, {Text: "source files"}}
	d.view.Lede = page.Text("The " + page.Plural(len(r.Sources), "file", "files") + " that this run was read from, with their digests.")
	d.section("sources", "Source files", d.table("sources", func() *page.Grid { return d.sourcesTable(r) }))
	return d.done()
}

// runDescription says in one sentence what a run is.
func runDescription(r *figure.Run) string {
	s := toolText(r)
	if s == "" {
		s = "Run"
	}
	if day := page.Day(r.Started); day != "" {
		s += " of " + day
	}
	if len(r.Points) == 0 {
		s += ": headline figures only, no single measured point is recorded"
	} else {
		s += ": " + page.Plural(len(r.Scenarios), "workload", "workloads")
		if lo, hi, ok := loadRange(r); ok {
			s += ", " + lo + " to " + hi
		}
		s += ", " + page.Plural(len(r.Points), "point", "points")
	}
	e, versioned := engineText(r.Engine)
	switch {
	case versioned:
		s += ", " + e
	case e != "":
		s += ", " + e + " of unrecorded version"
	}
	return s + "."
}

// loadRange is the smallest and largest load of a run with one axis, the largest in words.
func loadRange(r *figure.Run) (lo, hi string, ok bool) {
	axis, first := "", true
	var min, max *catalog.Point
	for _, s := range r.Scenarios {
		if s.Axis == "" || !first && s.Axis != axis {
			return "", "", false
		}
		axis, first = s.Axis, false
		for _, p := range s.Points {
			if min == nil || figure.LoadOf(p) < figure.LoadOf(min) {
				min = p
			}
			if max == nil || figure.LoadOf(p) > figure.LoadOf(max) {
				max = p
			}
		}
	}
	if min == nil || figure.LoadOf(min) == figure.LoadOf(max) {
		return "", "", false
	}
	hi = figure.LoadText(max) + axisUnit(axis)
	if hi == "inf requests/s" {
		hi = "inf requests/s (all at once)"
	}
	return figure.LoadText(min), hi, true
}

// runFacts are the six facts below the heading.
func (d *draft) runFacts(r *figure.Run) {
	written := r.Attr("model")
	if written == "" {
		written = r.Identity.Model
	}
	if written == "" {
		written = "not recorded"
	}
	hw := page.Fact{Name: "Hardware"}
	switch h := r.Attr("hardware"); {
	case h == "":
		hw.Parts = page.Text("not recorded")
	default:
		hw.Parts = page.Text(itoa(r.Hardware.Count) + " × " + r.Hardware.Accelerator.Name)
		if r.Hardware.CountAssumed {
			hw.Parts = page.Text(r.Hardware.Accelerator.Name)
		}
	}
	switch {
	case r.Attributes["hardware"].Was != "":
		hw.Flag = &page.Link{Text: "overridden", Href: d.Place.To(pathRun(r.ID), "provenance")}
	case r.Hardware.Accelerator.FormFactorUnknown:
		hw.Flag = &page.Link{Text: "form factor not recorded", Href: d.Place.To(pathRun(r.ID), "findings")}
	case r.Hardware.CountAssumed && r.Attr("hardware") != "":
		hw.Flag = &page.Link{Text: "count not recorded", Href: d.Place.To(pathRun(r.ID), "findings")}
	}
	engine := page.Fact{Name: "Engine"}
	e, versioned := engineText(r.Engine)
	if w := r.Attr("wrapper"); w != "" && e != "" {
		engine.Parts = page.Text(e + ", " + w)
	} else {
		engine.Parts = page.Text(cmp.Or(e, "not recorded"))
	}
	if e != "" && !versioned {
		engine.Flag = &page.Link{Text: "version not recorded"}
	}
	tool := toolText(r)
	if v := r.Attr("tool_version"); v != "" {
		tool += " " + v
	}
	started := page.Fact{Name: "Started", Parts: page.Text(cmp.Or(strings.Replace(r.Started, "T", " ", 1), "not recorded"))}
	if s := r.Started; len(s) > 10 && !strings.ContainsAny(s[10:], "Z+") && !strings.Contains(s[10:], "-") {
		started.Parts = append(started.Parts, page.Part{Text: ", zone not recorded"})
	}
	points := page.Fact{Name: "Points"}
	if len(r.Points) == 0 {
		points.Parts = page.Text("none recorded")
	} else {
		t := page.Plural(len(r.Points), "point", "points")
		var done, sent int64
		for i := range r.Points {
			if _, c, n, ok := figure.Success(&r.Points[i]); ok {
				done, sent = done+c, sent+n
			}
		}
		if sent > 0 {
			t += ", " + metric.Count(sent) + " requests"
		}
		points.Parts = page.Text(t)
		if sent > done {
			points.Flag = &page.Link{Text: metric.Count(sent-done) + " not completed", Href: d.Place.To(pathRun(r.ID), "data")}
		}
	}
	hw, engine = d.traced(r, hw, "hardware"), d.traced(r, engine, "engine_version", "engine")
	d.view.Facts = append(d.view.Facts, d.traced(r, page.Fact{Name: "Model", Parts: page.Text(written)}, "model"), hw, engine, page.Fact{Name: "Tool", Parts: page.Text(cmp.Or(tool, "not recorded"))}, started, points)
	if v := r.Param("max_model_len"); v != "" {
		d.view.Facts = append(d.view.Facts, page.Fact{Name: "Context limit", Parts: page.Text(page.Thousands(v) + " tokens")})
	}
	if in, out := longestServed([]*figure.Run{r}); in > 0 {
		d.view.Facts = append(d.view.Facts, page.Fact{Name: "Longest context served", Parts: page.Text(countText(in) + " in + " + countText(out) + " out tokens on average")})
	}
	if f, ok := sourceFact([]*figure.Run{r}); ok {
		d.view.Facts = append(d.view.Facts, f)
	}
	if labels := runLabels(r); labels != "" {
		d.view.Facts = append(d.view.Facts, page.Fact{Name: "Labels", Parts: page.Text(labels)})
	}
}

// traced gives the first part of a fact the place it was read from as its title. Of several keys
// the first recorded one counts.
func (d *draft) traced(r *figure.Run, f page.Fact, keys ...string) page.Fact {
	for _, k := range keys {
		a, ok := r.Attributes[k]
		if !ok || len(f.Parts) == 0 || f.Parts[0].Title != "" {
			continue
		}
		t := string(a.From)
		if a.File != "" {
			t += ", " + a.File
			if a.Line > 0 {
				t += ":" + itoa(a.Line)
			}
		}
		if a.Value != f.Parts[0].Text {
			t += ": " + strconv.Quote(page.Clip(a.Value, 80))
		}
		if a.Was != "" {
			t += ", before " + strconv.Quote(page.Clip(a.Was, 80))
		}
		f.Parts = slices.Clone(f.Parts)
		f.Parts[0].Title = t
		return f
	}
	return f
}

// sourceFact is where the results were published, by whom and under which licence.
func sourceFact(runs []*figure.Run) (page.Fact, bool) {
	f := page.Fact{Name: "Source"}
	seen := map[string]bool{}
	for _, r := range runs {
		for _, s := range r.Sources {
			title := cmp.Or(s.Title, s.Address)
			if title == "" || seen[title] {
				continue
			}
			seen[title] = true
			if len(seen) > 2 {
				continue
			}
			if len(f.Parts) > 0 {
				f.Parts = append(f.Parts, page.Part{Text: " · "})
			}
			f.Parts = append(f.Parts, page.Part{Text: page.Clip(title, 60), Href: page.WebAddress(s.Address), Title: s.Date})
			if s.Author != "" && !strings.Contains(title, s.Author) {
				f.Parts = append(f.Parts, page.Part{Text: " by " + page.Clip(s.Author, 40)})
			}
			f.Parts = append(f.Parts, page.Part{Text: "; licence: " + page.Clip(cmp.Or(s.License, "not recorded"), 40)})
		}
	}
	if n := len(seen) - 2; n > 0 {
		f.Parts = append(f.Parts, page.Part{Text: " and " + itoa(n) + " more"})
	}
	return f, len(seen) > 0
}

// runLabels are the labels of a run: "region eu, batch 3".
func runLabels(r *figure.Run) string {
	var ls []string
	for _, k := range slices.Sorted(maps.Keys(r.Attributes)) {
		if name, ok := strings.CutPrefix(k, "labels."); ok {
			ls = append(ls, name+" "+r.Attributes[k].Value)
		}
	}
	return strings.Join(ls, ", ")
}

// stats are the headline figures of a run, at most four.
func (d *draft) stats(r *figure.Run) {
	for i, h := range r.Headlines() {
		if i == 4 {
			break
		}
		s := page.Stat{ID: "h-" + strings.ReplaceAll(h.Name, "_", "-"), Name: page.Glue(h.Label), Unit: h.Unit}
		var note []string
		if h.Value != nil {
			s.Value, s.Exact = metric.Format(*h.Value), metric.Exact(*h.Value)
			if h.Published != "" {
				if h.FromPage {
					note = append(note, "published “"+strings.TrimSpace(h.Published)+"”")
				} else {
					note = append(note, "its card rounds it to “"+strings.TrimSpace(h.Published)+"”")
				}
				note = append(note, "exact "+shortExact(*h.Value))
			}
		} else {
			s.Value, s.Unit = publishedShort(h.Published), publishedUnit(h.Published, h.Unit)
			note = append(note, "as published: “"+strings.TrimSpace(h.Published)+"”; the exact value is not recorded")
		}
		if len(note) > 0 {
			s.Note = page.Text(strings.Join(note, "; "))
		}
		if h.Detail != "" {
			part := page.Part{Text: h.Detail}
			if h.Point != nil {
				part.Href = d.pointHref(r, h.Scenario, h.Point)
			}
			if len(note) > 0 {
				s.Note = append(s.Note, page.Part{Text: "; "})
			}
			s.Note = append(s.Note, part)
		}
		d.view.Stats = append(d.view.Stats, s)
	}
	d.moreStats(r)
}

// moreStats fill the strip up to four with what the longest series of a run says, for tools that
// have no headline figures of their own.
func (d *draft) moreStats(r *figure.Run) {
	if len(d.view.Stats) == 0 || len(d.view.Stats) >= 4 || len(r.SuiteHeadlines()) > 0 {
		return
	}
	var s *figure.Scenario
	for _, o := range r.Scenarios {
		if s == nil || len(o.Points) > len(s.Points) {
			s = o
		}
	}
	if len(s.Points) < 2 {
		return
	}
	first := s.Points[0]
	add := func(id, name string, v float64, value, u string, p *catalog.Point) {
		if len(d.view.Stats) < 4 {
			d.view.Stats = append(d.view.Stats, page.Stat{ID: id, Name: page.Glue(name), Value: value, Unit: u, Exact: metric.Exact(v), Note: []page.Part{{Text: figure.LoadPhrase(p), Href: d.pointHref(r, s, p)}}})
		}
	}
	if p, v, ok := s.Peak(metric.RequestThroughput); ok && s.Axis == record.AxisRate {
		add("h-requests", "Most requests completed a second, "+s.Title, v, metric.Format(v), "req/s", p)
	}
	if v, stat, ok := figure.Central(first, metric.TTFT); ok {
		t := strings.Split(figure.Seconds(v), metric.ThinSpace)
		add("h-ttft", strings.ToUpper(stat[:1])+stat[1:]+" TTFT, "+s.Title, v, strings.Join(t[:len(t)-1], metric.ThinSpace), t[len(t)-1], first)
	}
	if v, basis, ok := figure.SpeedPerUser(first); ok {
		add("h-user", "Speed per user (1 / "+basis+"), "+s.Title, v, metric.Format(v), "tok/s", first)
	}
}

// shortExact writes a number with at most seven significant digits; the whole of it is in the
// title beside.
func shortExact(v float64) string {
	if v == math.Trunc(v) {
		return metric.Exact(v)
	}
	e := metric.Exact(v)
	if i := strings.IndexByte(e, '.'); i > 0 && len(e) > i+4 {
		return e[:i+4]
	}
	return e
}

// publishedUnit is the unit of a published text, "t/s", in the words of this site.
func publishedUnit(s, base string) string {
	if _, rest, ok := strings.Cut(strings.TrimSpace(s), " "); ok && strings.HasPrefix(rest, "t/s") {
		return "tok/s"
	}
	return base
}

// says are the sentences written from the numbers.
func (d *draft) says(r *figure.Run) {
	var ss []page.Sentence
	for _, in := range claim.Insights(r) {
		ss = append(ss, page.Sentence{Topic: in.Label, Warn: in.Caution, Parts: d.insightParts(r, in)})
	}
	if len(ss) > 0 {
		d.section("says", "What the numbers say", page.Block{Says: ss})
	}
}

// charts are the drawings of a run by what it measured.
func (d *draft) charts(r *figure.Run) {
	byRate := slices.ContainsFunc(r.Scenarios, func(s *figure.Scenario) bool { return s.Axis == record.AxisRate && loads(s) > 1 })
	if byRate {
		for _, s := range r.Scenarios {
			if s.Axis == record.AxisRate && loads(s) > 1 {
				d.byRate(r, s, len(r.Scenarios) > 1)
			}
		}
		return
	}
	if f := d.throughputFigure(r); f != nil {
		title := "Throughput against load"
		if speedMetric(r) == metric.TotalGenerationSpeed {
			title = "Total generation speed"
		}
		d.section("throughput", title, page.Block{Figure: d.withData(f, r)})
	}
	// One series by concurrency has room for all its numbers; several have them by workload.
	var several []*figure.Scenario
	for _, s := range r.Scenarios {
		if loads(s) > 1 {
			several = append(several, s)
		}
	}
	if len(several) == 1 {
		s := several[0]
		d.section("by-load", "By load", d.named("by-load-"+s.Key, func() *page.Grid { return d.byLoadTable(r, s) }))
	}
	if f := d.scenarioFigure(r); f != nil {
		d.section("latency", "Speed and latency by workload", page.Block{Figure: d.withData(f, r)})
	}
}

// byRate is a workload of one run by request rate: the latencies as small charts side by side, and one
// table of all.
func (d *draft) byRate(r *figure.Run, s *figure.Scenario, named bool) {
	suffix, key := "", ""
	if named {
		suffix, key = ", "+s.Title, "-"+s.Key
	}
	runs := []*figure.Run{r}
	var blocks []page.Block
	var figs []page.Figure
	alike := tokenTimesAlike(runs, s.Class)
	for _, info := range metric.Shown(metric.Series) {
		pv, stat, ok := pivotOf(runs, s.Class, info.ID)
		if !ok || info.ID == metric.ITL && alike != "" {
			continue
		}
		f := d.pivotFigure(pv, stat, key, chart.Half, chart.HalfNarrow)
		f.Notes = nil // a pair has no room beside its charts
		figs = append(figs, *f)
	}
	if f := d.rateFigure(runs, s.Class, key, chart.Half, chart.HalfNarrow); f != nil {
		figs = append(figs, *f)
	}
	for len(figs) > 1 {
		blocks = append(blocks, page.Block{Pair: figs[:2:2]})
		figs = figs[2:]
	}
	if len(figs) == 1 {
		blocks = append(blocks, page.Block{Figure: &figs[0]})
	}
	note := "inf, all prompts at once, is a category of its own: not on the scale of rates, not joined to the lines."
	if !math.IsInf(figure.LoadOf(s.Largest()), 1) {
		note = ""
	}
	if alike != "" {
		note = strings.TrimSpace(note + " " + alike)
	}
	if t := meaningNote(r, metric.TPOT); t != "" && has(s, metric.TPOT) {
		note = strings.TrimSpace(note + " " + t + ".")
	}
	if note != "" {
		blocks = append(blocks, page.Paragraph(note))
	}
	blocks = append(blocks, d.named("by-load-"+s.Key, func() *page.Grid { return d.byLoadTable(r, s) }))
	d.section("by-load"+key, "Latency and throughput by request rate"+suffix, blocks...)
}

// tokenTimesAlike says that the mean time per output token and the mean inter-token latency hardly
// differ, so that one chart shows both; "" where they differ or one is missing.
func tokenTimesAlike(runs []*figure.Run, class string) string {
	a, stat, ok1 := pivotOf(runs, class, metric.TPOT)
	b, other, ok2 := pivotOf(runs, class, metric.ITL)
	if !ok1 || !ok2 || stat != other || len(a.Rows) != len(b.Rows) {
		return ""
	}
	most := 0.0
	for i := range a.Rows {
		for j := range a.Rows[i].Values {
			x, y := a.Rows[i].Values[j], b.Rows[i].Values[j]
			if (x == nil) != (y == nil) || x != nil && *x <= 0 {
				return ""
			}
			if x != nil {
				most = max(most, math.Abs(*y-*x) / *x)
			}
		}
	}
	const alike = 0.02
	if most > alike {
		return ""
	}
	by := "by less than 0.1" + metric.ThinSpace + "%"
	if most >= 0.001 {
		by = "by at most " + metric.Percent(most)
	}
	return "The " + stat + " ITL differs from the " + stat + " TPOT " + by + " at every load: one chart shows both."
}

// byLoadTable is a workload of one run by load with all latencies and throughputs, their 99th
// percentile below.
func (d *draft) byLoadTable(r *figure.Run, s *figure.Scenario) *page.Grid {
	t := &page.Grid{Caption: s.Title + " by " + loadNoun(s.Axis), Class: "pivot fit", Columns: []page.Column{loadColumn(s.Axis), {Title: "Completed", Unit: "of submitted", Num: true}}}
	sweet, hasSweet := s.SweetSpot()
	peak, _, hasPeak := s.Peak(metric.OutputThroughput)
	knee, _, hasKnee := s.Knee(metric.OutputThroughput)
	counted := slices.ContainsFunc(s.Points, func(p *catalog.Point) bool { return p.Completed != nil })
	if !counted {
		t.Columns = t.Columns[:1]
	}
	t.Rows = make([]page.Row, len(s.Points))
	for i, p := range s.Points {
		load := figure.LoadText(p)
		if p.Repetition > 0 {
			load += ", repetition " + itoa(p.Repetition+1)
		}
		t.Rows[i].Cells = append(t.Rows[i].Cells, page.Cell{Text: load, Head: true, Exact: infTitle(figure.LoadOf(p)), Href: d.pointHref(r, s, p)})
		if counted {
			t.Rows[i].Cells = append(t.Rows[i].Cells, completedCell([]*catalog.Point{p}))
		}
		if _, _, short := incomplete([]*catalog.Point{p}); short {
			t.Rows[i].Class = "amber"
		}
	}
	for _, info := range metric.Shown(metric.Loads) {
		m := info.ID
		vs := make([]*float64, len(s.Points))
		stats := make([]string, len(s.Points))
		any, stat, charted := false, "", ""
		if _, st, ok := pivotOf([]*figure.Run{r}, s.Class, m); ok && s.Axis == record.AxisRate {
			charted = st // the statistic of the chart above
		}
		for i, p := range s.Points {
			v, ok := 0.0, false
			st := charted
			if st != "" {
				v, ok = figure.Get(p, m, st)
			}
			if !ok {
				v, st, ok = figure.Central(p, m)
			}
			if ok {
				vs[i], stats[i], any = &v, st, true
				if stat == "" {
					stat = st
				}
			}
		}
		if !any {
			continue
		}
		scale := pivotScale(info, vs)
		c := page.Column{Title: info.Label, Unit: scale.Unit, Num: true, Note: meaningNote(r, m)}
		if stat != metric.Value && stat != "" {
			c.Unit = stat + ", " + scale.Unit
		}
		t.Columns = append(t.Columns, c)
		for i, txt := range scale.Column(vs) {
			if vs[i] == nil {
				t.Rows[i].Cells = append(t.Rows[i].Cells, page.Missing(""))
				continue
			}
			cl := page.Cell{Text: txt, Exact: scale.Exact(*vs[i])}
			if stats[i] != stat {
				cl.Sub = stats[i]
			}
			if p99, ok := figure.Get(s.Points[i], m, metric.P99); ok {
				cl.Sub = strings.TrimLeft(cl.Sub+" p99 "+scale.Format(p99), " ")
			}
			t.Rows[i].Cells = append(t.Rows[i].Cells, cl)
		}
	}
	if len(s.Points) > 2 {
		t.Columns = append(t.Columns, page.Column{Title: "Remark"})
		for i, p := range s.Points {
			var ws []string
			if hasSweet && sweet.Point == p {
				ws = append(ws, "sweet spot")
			}
			if hasKnee && knee == p && (!hasPeak || knee != peak) {
				ws = append(ws, "knee")
			}
			if hasPeak && peak == p {
				ws = append(ws, "peak")
			}
			c := page.Cell{Text: strings.Join(ws, ", "), Class: "nw"}
			if n, above := figure.AboveNumPrompts(p); above {
				c.Sub, c.SubWarn = "only "+metric.Count(n)+" prompts", true
			}
			t.Rows[i].Cells = append(t.Rows[i].Cells, c)
		}
	}
	return t
}

// loadColumn is the heading of a column of loads.
func loadColumn(axis string) page.Column {
	switch axis {
	case record.AxisRate:
		return page.Column{Title: "Rate", Unit: "req/s", Num: true}
	case record.AxisConcurrency:
		return page.Column{Title: "Parallel", Num: true}
	}
	return page.Column{Title: "Load", Num: true}
}

// maxAcross is how many points a run has at most whose tables across workloads stand on its page.
const maxAcross = 60

// pathAcross is the page that sets the workloads of a large run side by side.
func pathAcross(r *figure.Run) string { return pathRun(r.ID) + "/workloads" }

// acrossBlock is the tables across workloads, or the link to their page where a run is large.
func (d *draft) acrossBlock(r *figure.Run) page.Block {
	if len(r.Points) <= maxAcross {
		return page.Block{Group: d.across(r)}
	}
	if len(acrossList(r)) == 0 {
		return page.Block{}
	}
	return page.Block{Text: []page.Part{{Text: "All loads, the workloads side by side", Href: d.Place.To(pathAcross(r), "")}}}
}

// acrossPage sets the workloads of a large run side by side, a table a metric.
func (g *generator) acrossPage(r *figure.Run) *draft {
	title := r.Card.Title() + ", run " + r.ID + ": workloads side by side"
	d := g.draft(pathAcross(r), "records", "models", title, "Latency, speed and throughput of run "+r.ID+" by load, its workloads side by side.")
	d.view.Heading = "Workloads side by side"
	d.view.Crumbs = []page.Link{{Text: "Models", Href: d.Place.To(page.PathModels, "")}, {Text: r.Card.Title(), Href: d.Place.To(page.PathCard(r.Card.Slug), "")},
		{Text: "run " + r.ID, Href: d.Place.To(pathRun(r.ID), "summary")}, {Text: "workloads"}}
	d.view.Lede = page.Text("Rows are loads, columns are workloads. Each number leads to its point.")
	list := acrossList(r)
	for _, info := range acrossMetrics(r, list) {
		id := idOf(info.ID)
		d.section(id, info.Label, page.Paragraph(strings.ToUpper(info.Long[:1])+info.Long[1:]+"."), d.table("across-"+id, func() *page.Grid {
			t := d.acrossTable(r, list, info)
			t.Link = id
			return t
		}))
	}
	return d.done()
}

// acrossList are the workloads of a run that tables across workloads have as columns; none where
// there is nothing to set side by side.
func acrossList(r *figure.Run) []*figure.Scenario {
	var list []*figure.Scenario
	for _, s := range r.Scenarios {
		if loads(s) > 1 && (len(list) == 0 || s.Axis == list[0].Axis) {
			list = append(list, s)
		}
	}
	if len(list) < 2 || len(list) > 12 {
		return nil
	}
	return list
}

// acrossMetrics are what the workloads of a run are compared by, load by load.
func acrossMetrics(r *figure.Run, list []*figure.Scenario) []metric.Info {
	return slices.DeleteFunc(metric.Shown(metric.Workloads), func(info metric.Info) bool {
		if info.ID == metric.OutputThroughput && len(curves(r, metric.TotalGenerationSpeed)) > 0 {
			return true // nearly the same number
		}
		return !slices.ContainsFunc(list, func(s *figure.Scenario) bool { return has(s, info.ID) })
	})
}

// across are tables of one metric each: rows are loads, columns the workloads of a run. Each value
// leads to its point, which has the exact number.
func (d *draft) across(r *figure.Run) []page.Details {
	list := acrossList(r)
	var out []page.Details
	for _, info := range acrossMetrics(r, list) {
		out = append(out, *d.fold("across-"+idOf(info.ID), info.Label+" by load and workload", func() *page.Grid { return d.acrossTable(r, list, info) }))
	}
	return out
}

func (d *draft) acrossTable(r *figure.Run, list []*figure.Scenario, info metric.Info) *page.Grid {
	m := info.ID
	scale := scaleOf(m, list)
	stat := ""
	var at []float64
	for _, s := range list {
		for _, p := range s.Points {
			if _, st, ok := figure.Central(p, m); ok {
				stat = cmp.Or(stat, st)
				if !slices.Contains(at, figure.LoadOf(p)) {
					at = append(at, figure.LoadOf(p))
				}
			}
		}
	}
	slices.Sort(at)
	caption := info.Label + ", " + scale.Unit
	if stat != metric.Value && stat != "" {
		caption = stat + " " + caption
	}
	t := &page.Grid{Caption: strings.ToUpper(caption[:1]) + caption[1:] + ", by load and workload", Class: "compact fit", Columns: []page.Column{loadColumn(list[0].Axis)}}
	for _, l := range at {
		t.Rows = append(t.Rows, page.Row{Cells: []page.Cell{{Text: rowLoad(l), Head: true, Exact: infTitle(l)}}})
	}
	for _, s := range list {
		t.Columns = append(t.Columns, page.Column{Title: s.Title, Num: true})
		vs := make([]*float64, len(at))
		for i, l := range at {
			if p := s.At(l); p != nil {
				if v, _, ok := figure.Central(p, m); ok {
					vs[i] = &v
				}
			}
		}
		for i, txt := range scale.Column(vs) {
			if vs[i] == nil {
				t.Rows[i].Cells = append(t.Rows[i].Cells, page.Missing(""))
			} else {
				t.Rows[i].Cells = append(t.Rows[i].Cells, page.Cell{Text: txt, Href: d.pointHref(r, s, s.At(at[i]))})
			}
		}
	}
	return t
}

// pivots compare runs under one workload: for each latency a chart and a table of loads by
// series, then throughput and completion. With several workloads on a page the titles name it;
// group tells the ids of several sets of runs apart, "" for the first.
func (d *draft) pivots(runs []*figure.Run, s *figure.Scenario, named bool, group string) {
	suffix, key := "", group
	if named {
		suffix, key = ", "+s.Title, "-"+s.Key+group
	}
	for _, info := range metric.Shown(metric.Series) {
		pv, stat, ok := pivotOf(runs, s.Class, info.ID)
		if !ok {
			continue
		}
		id := idOf(info.ID) + key
		pivot := d.named("pivot-"+id, func() *page.Grid { return d.pivotTable(pv, stat, id) })
		if info.ID == metric.ITL {
			if alike := tokenTimesAlike(runs, s.Class); alike != "" {
				d.section(id, info.Name+suffix, page.Paragraph(alike), pivot)
				continue
			}
		}
		fig := d.pivotFigure(pv, stat, key)
		d.section(id, info.Name+suffix, page.Block{Figure: fig}, pivot)
	}
	if pv, ok := compare.NewPivot(runs, s.Class, metric.OutputThroughput, metric.Value); ok {
		id := "throughput" + key
		var blocks []page.Block
		if f := d.rateFigure(runs, s.Class, key); f != nil {
			blocks = append(blocks, page.Block{Figure: f})
		}
		blocks = append(blocks, d.named("pivot-"+id, func() *page.Grid { return d.pivotTable(pv, metric.Value, id) }))
		d.section(id, "Output throughput"+suffix, blocks...)
	}
}

// pivotOf is the pivot of the mean where each series has it, which is what published pages show,
// else of the median.
func pivotOf(runs []*figure.Run, class string, m metric.ID) (compare.Pivot, string, bool) {
	count := func(pv compare.Pivot) int {
		n := 0
		for _, row := range pv.Rows {
			for _, v := range row.Values {
				if v != nil {
					n++
				}
			}
		}
		return n
	}
	mean, ok1 := compare.NewPivot(runs, class, m, metric.Mean)
	median, ok2 := compare.NewPivot(runs, class, m, metric.Median)
	switch {
	case ok1 && (!ok2 || count(mean) >= count(median)):
		return mean, metric.Mean, true
	case ok2:
		return median, metric.Median, true
	}
	return compare.Pivot{}, "", false
}

// pivotTable is a pivot with the best of each row, and by how much it beats the baseline.
func (d *draft) pivotTable(pv compare.Pivot, stat, id string) *page.Grid {
	info, _ := metric.Lookup(pv.Metric)
	var all []*float64
	for _, row := range pv.Rows {
		all = append(all, row.Values...)
	}
	scale := pivotScale(info, all)
	statLabel := stat + " " + info.Label
	if stat == metric.Value {
		statLabel = info.Label
	}
	t := &page.Grid{Caption: statLabel + " by " + loadNoun(pv.Axis), Class: "pivot"}
	if len(pv.Series) == 1 {
		t.Class = "pivot fit"
	}
	first := page.Column{Title: "Load", Num: true}
	switch pv.Axis {
	case record.AxisRate:
		first = page.Column{Title: "Rate", Unit: "req/s", Num: true}
	case record.AxisConcurrency:
		first = page.Column{Title: "Parallel", Num: true}
	}
	t.Columns = append(t.Columns, first, page.Column{Title: "Completed", Unit: "of submitted", Num: true})
	several := len(pv.Series) > 1
	for _, r := range pv.Series {
		if several {
			t.Columns = append(t.Columns, page.Column{Title: seriesName(r, pv.Series), Unit: statLabel + ", " + scale.Unit, Num: true})
		} else {
			t.Columns = append(t.Columns, page.Column{Title: strings.ToUpper(statLabel[:1]) + statLabel[1:], Unit: scale.Unit, Num: true})
		}
	}
	word := "Fastest"
	by := "Faster by"
	if info.Better == metric.Higher {
		word, by = "Highest", "Higher by"
	}
	if several {
		t.Columns = append(t.Columns, page.Column{Title: word}, page.Column{Title: by, Unit: "against " + seriesName(pv.Series[pv.Base], pv.Series), Num: true}, page.Column{Title: by + ", as a bar", Hidden: true})
	}
	texts := make([][]string, len(pv.Series))
	for i := range pv.Series {
		var vs []*float64
		for _, row := range pv.Rows {
			vs = append(vs, row.Values[i])
		}
		texts[i] = scale.Column(vs)
	}
	for j, row := range pv.Rows {
		rw := rowOf(row, id)
		rw.Cells = append(rw.Cells, page.Cell{Text: rowLoad(row.Load), Head: true, Exact: infTitle(row.Load)})
		rw.Cells = append(rw.Cells, completedCell(row.Points))
		if _, _, short := incomplete(row.Points); short {
			rw.Class = "amber"
		}
		for i, v := range row.Values {
			if v == nil {
				rw.Cells = append(rw.Cells, page.Missing(""))
				continue
			}
			c := page.Cell{Text: texts[i][j], Exact: scale.Exact(*v), Href: d.pointHref(pv.Series[i], pv.Series[i].ScenarioOf(row.Points[i]), row.Points[i])}
			if row.Fastest == i {
				c.Class = "best"
			}
			if p99, ok := figure.Get(row.Points[i], pv.Metric, metric.P99); ok {
				c.Sub = "p99 " + scale.Format(p99)
			}
			rw.Cells = append(rw.Cells, c)
		}
		if several {
			if row.Fastest < 0 {
				rw.Cells = append(rw.Cells, page.Missing("one series"), page.Cell{}, page.Cell{})
			} else {
				slot := row.Fastest%9 + 1
				rw.Cells = append(rw.Cells, page.Cell{Text: seriesName(pv.Series[row.Fastest], pv.Series), Class: "nw", Before: func(w io.Writer) error { return chart.Mark(w, slot) }})
				if row.FasterBy != nil {
					share := math.Min(1, math.Abs(*row.FasterBy))
					rw.Cells = append(rw.Cells, page.Cell{Text: metric.Percent(*row.FasterBy), Exact: metric.Exact(metric.Round12(*row.FasterBy*100)) + " %"},
						page.Cell{After: func(w io.Writer) error { return chart.HBar(w, slot, share) }})
				} else {
					rw.Cells = append(rw.Cells, page.Cell{Text: "–", Exact: "the baseline is the best, or is missing"}, page.Cell{})
				}
			}
		}
		t.Rows = append(t.Rows, rw)
	}
	return t
}

// rowOf begins a row of a pivot with its anchor: "ttft-9".
func rowOf(r compare.PivotRow, id string) page.Row {
	return page.Row{ID: id + "-at-" + rowLoad(r.Load)}
}

func infTitle(v float64) string {
	if math.IsInf(v, 1) {
		return "infinite rate: all requests were sent at once"
	}
	return ""
}

// completedCell says how many of the submitted requests were completed; series that differ each
// have their count.
func completedCell(points []*catalog.Point) page.Cell {
	var texts, subs []string
	for _, p := range points {
		if p == nil {
			continue
		}
		_, c, n, ok := figure.Success(p)
		if !ok {
			if p.Completed == nil {
				continue
			}
			c = *p.Completed
		}
		t, s := metric.Count(c), ""
		if ok {
			s = "of " + metric.Count(n)
		}
		if !slices.Contains(texts, t) {
			texts = append(texts, t)
		}
		if !slices.Contains(subs, s) {
			subs = append(subs, s)
		}
	}
	if len(texts) == 0 {
		return page.Missing("")
	}
	_, _, short := incomplete(points)
	return page.Cell{Text: strings.Join(texts, " / "), Sub: strings.Join(subs, " / "), SubWarn: short}
}

// summary is one line for each workload with several loads: peak, knee, scaling, limits.
func (d *draft) summary(r *figure.Run) {
	var list []*figure.Scenario
	for _, s := range r.Scenarios {
		if loads(s) > 1 && (has(s, metric.OutputThroughput) || has(s, metric.TotalGenerationSpeed)) {
			list = append(list, s)
		}
	}
	if len(list) == 0 {
		return
	}
	intro := "Peak and knee are of output throughput, tokens over wall time."
	if speedMetric(r) == metric.TotalGenerationSpeed {
		intro = "Peak and knee are of total generation speed, the quantity that happy_vllm cards publish."
	}
	if slices.ContainsFunc(list, func(s *figure.Scenario) bool { _, _, ok := s.KeepsSpeed(20); return ok }) {
		intro += " ≥ means that the largest load measured still meets the limit."
	}
	d.section("summary", "Summary", page.Block{Text: []page.Part{{Text: intro + " "}, {Text: "Formulas", Href: d.Place.To(page.PathMethodology, "saturation-knee")}}},
		d.table("summary", func() *page.Grid { return d.summaryTable(r, list) }), d.acrossBlock(r))
}

func (d *draft) summaryTable(r *figure.Run, list []*figure.Scenario) *page.Grid {
	m := speedMetric(r)
	any := func(f func(*figure.Scenario) bool) bool { return slices.ContainsFunc(list, f) }
	actual := any(func(s *figure.Scenario) bool { in, _ := s.ActualLengths(); return in > 0 })
	speed := any(func(s *figure.Scenario) bool { _, _, ok := s.KeepsSpeed(20); return ok })
	kv := any(func(s *figure.Scenario) bool { return has(s, metric.KVCacheUsage) })
	sweet := any(func(s *figure.Scenario) bool { _, ok := s.SweetSpot(); return ok })
	unitOfLoad := strings.TrimSpace(axisUnit(list[0].Axis))
	if unitOfLoad == "parallel requests" {
		unitOfLoad = "parallel"
	}
	t := &page.Grid{Caption: "Workloads: peak, knee, scaling and limits", Class: "sumt", Columns: []page.Column{{Title: "Workload"}}}
	if actual {
		t.Columns = append(t.Columns, page.Column{Title: "Prompt", Unit: "tokens, actual", Num: true})
	}
	t.Columns = append(t.Columns, page.Column{Title: "Largest load", Unit: unitOfLoad, Num: true}, page.Column{Title: "Peak", Unit: "tok/s", Num: true},
		page.Column{Title: "At", Unit: unitOfLoad, Num: true}, page.Column{Title: "Knee", Unit: unitOfLoad, Num: true}, page.Column{Title: "Scaling", Unit: "%, largest", Num: true})
	if sweet {
		t.Columns = append(t.Columns, page.Column{Title: "Sweet spot", Unit: unitOfLoad, Num: true})
	}
	if speed {
		t.Columns = append(t.Columns, page.Column{Title: "≥ 20 tok/s", Unit: "up to", Num: true})
	}
	if kv {
		t.Columns = append(t.Columns, page.Column{Title: "KV < 95 %", Unit: "up to", Num: true}, page.Column{Title: "Highest KV", Unit: "%", Num: true})
	}
	counted := any(func(s *figure.Scenario) bool {
		return slices.ContainsFunc(s.Points, func(p *catalog.Point) bool { _, _, _, ok := figure.Success(p); return ok })
	})
	if counted {
		t.Columns = append(t.Columns, page.Column{Title: "Requests", Num: true}, page.Column{Title: "Not completed", Num: true})
	}
	input := math.NaN()
	for _, s := range list {
		in, _, _ := s.Lengths()
		rw := page.Row{ID: "sum-" + s.Key}
		if !math.IsNaN(input) && in != input {
			rw.Class = "sep"
		}
		input = in
		rw.Cells = append(rw.Cells, page.Cell{Text: s.Title, Href: d.Place.To(pathRun(r.ID), "data-"+s.Key), Head: true})
		if actual {
			if a, _ := s.ActualLengths(); a > 0 {
				rw.Cells = append(rw.Cells, page.Cell{Text: countText(a), Exact: metric.Exact(a)})
			} else {
				rw.Cells = append(rw.Cells, page.Missing(""))
			}
		}
		rw.Cells = append(rw.Cells, page.Cell{Text: figure.LoadText(s.Largest())})
		p, v, ok := s.Peak(m)
		if !ok {
			rw.Cells = append(rw.Cells, page.Missing(""), page.Missing(""), page.Missing(""))
		} else {
			at := figure.LoadText(p)
			c := page.Cell{Text: at}
			if n, above := figure.AboveNumPrompts(p); above {
				c.Sub, c.SubWarn = "only "+metric.Count(n)+" prompts", true
			} else if s.StillRising(m) {
				c.Text += ", still rising"
			}
			rw.Cells = append(rw.Cells, page.Cell{Text: metric.Format(v), Exact: metric.Exact(v), Href: d.pointHref(r, s, p)}, c)
			if k, _, ok := s.Knee(m); ok {
				rw.Cells = append(rw.Cells, page.Cell{Text: figure.LoadText(k)})
			} else {
				rw.Cells = append(rw.Cells, page.Missing(""))
			}
		}
		if e, _, ok := s.Scaling(s.Largest()); ok && s.Axis != record.AxisRate {
			rw.Cells = append(rw.Cells, page.Cell{Text: metric.Format(metric.Round12(e * 100)), Exact: metric.Exact(metric.Round12(e * 100))})
		} else {
			rw.Cells = append(rw.Cells, page.Missing(""))
		}
		if sweet {
			if sw, ok := s.SweetSpot(); ok {
				rw.Cells = append(rw.Cells, page.Cell{Text: figure.LoadText(sw.Point), Href: d.pointHref(r, s, sw.Point), Sub: metric.Format(sw.PerUser) + " tok/s a user"})
			} else {
				rw.Cells = append(rw.Cells, page.Missing(""))
			}
		}
		if speed {
			rw.Cells = append(rw.Cells, limitCell(s.KeepsSpeed(20)))
		}
		if kv {
			load, reached, ok := keepsKV(s)
			rw.Cells = append(rw.Cells, limitCell(load, reached, ok))
			top, got := 0.0, false
			for _, p := range s.Points {
				if v, _, ok := figure.Central(p, metric.KVCacheUsage); ok && (!got || v > top) {
					top, got = v, true
				}
			}
			if got {
				rw.Cells = append(rw.Cells, page.Cell{Text: metric.Format(metric.Round12(top * 100)), Exact: metric.Exact(metric.Round12(top*100)) + " %"})
			} else {
				rw.Cells = append(rw.Cells, page.Missing(""))
			}
		}
		var done, sent int64
		for _, p := range s.Points {
			if _, c, n, ok := figure.Success(p); ok {
				done, sent = done+c, sent+n
			}
		}
		if sent > 0 {
			c := page.Cell{Text: metric.Count(sent - done)}
			if sent > done {
				c.Class = "warn"
			}
			rw.Cells = append(rw.Cells, page.Cell{Text: metric.Count(sent)}, c)
		} else if counted {
			rw.Cells = append(rw.Cells, page.Missing(""), page.Missing(""))
		}
		t.Rows = append(t.Rows, rw)
	}
	return t
}

// limitCell writes the largest load that keeps a limit.
func limitCell(load float64, measured, ok bool) page.Cell {
	switch {
	case !ok:
		return page.Missing("")
	case load == 0:
		return page.Cell{Text: "none", Class: "na"}
	case measured:
		return page.Cell{Text: "≥ " + rowLoad(load)}
	}
	return page.Cell{Text: rowLoad(load)}
}

// keepsKV is the highest load at which the KV cache stays below 95 %.
func keepsKV(s *figure.Scenario) (load float64, measured, ok bool) {
	for _, p := range s.Points {
		if v, _, has := figure.Central(p, metric.KVCacheUsage); has {
			ok = true
			if v < 0.95 {
				load, measured = figure.LoadOf(p), p == s.Largest()
			}
		}
	}
	return load, measured, ok
}

// pointTables are all points of a run. Workloads of one load each share a table; the others
// have one of their own, collapsed where there are several.
func (d *draft) pointTables(r *figure.Run, ids bool) {
	if len(r.Points) == 0 {
		return
	}
	var single, several []*figure.Scenario
	for _, s := range r.Scenarios {
		if len(s.Points) == 1 {
			single = append(single, s)
		} else {
			several = append(several, s)
		}
	}
	var blocks []page.Block
	if len(single) > 0 {
		blocks = append(blocks, d.table("points-single", func() *page.Grid {
			var ps []pointRow
			for _, s := range single {
				ps = append(ps, pointRow{s, s.Points[0]})
			}
			return d.pointTable(r, "Workloads measured at one load", ps, true, ids)
		}))
	}
	if len(several) == 1 {
		s := several[0]
		blocks = append(blocks, page.Block{Heading: &page.Heading{ID: "data-" + s.Key, Text: s.Title + ", " + page.Plural(loads(s), "load", "loads")}}, d.table("points-"+s.Key, func() *page.Grid { return d.scenarioTable(r, s, ids) }))
	} else if len(several) > 1 {
		var group []page.Details
		for _, s := range several {
			de := d.details("points-"+s.Key, s.Title+", "+page.Plural(loads(s), "load", "loads"), func() *page.Grid { return d.scenarioTable(r, s, ids) })
			de.ID = "data-" + s.Key
			group = append(group, *de)
		}
		blocks = append(blocks, page.Block{Group: group})
	}
	where := "Exact numbers are in the title of each cell and in "
	if len(r.Points) > maxAcross {
		where = "Exact numbers are in the titles of medians and single values, and all of them in "
	}
	intro := page.Block{Text: []page.Part{{Text: where}, {Text: "points.csv.gz", Href: d.File(pathRun(r.ID) + "/points.csv.gz")}, {Text: ", with all other statistics."}}}
	d.section("data", "Measured points", append([]page.Block{intro}, blocks...)...)
}

type pointRow struct {
	s *figure.Scenario
	p *catalog.Point
}

func (d *draft) scenarioTable(r *figure.Run, s *figure.Scenario, ids bool) *page.Grid {
	var ps []pointRow
	for _, p := range s.Points {
		ps = append(ps, pointRow{s, p})
	}
	return d.pointTable(r, s.Title+" by load", ps, false, ids)
}

// pointTable is some points with all metrics that any of them has. With named, each row is
// headed by its workload; else by its load.
func (d *draft) pointTable(r *figure.Run, caption string, ps []pointRow, named, ids bool) *page.Grid {
	t := &page.Grid{Caption: caption, Class: "compact"}
	if named {
		t.Columns = append(t.Columns, page.Column{Title: "Workload"}, page.Column{Title: "Load"})
	} else {
		switch ps[0].s.Axis {
		case record.AxisConcurrency:
			t.Columns = append(t.Columns, page.Column{Title: "Parallel", Num: true})
		case record.AxisRate:
			t.Columns = append(t.Columns, page.Column{Title: "Rate", Unit: "req/s", Num: true})
		default:
			t.Columns = append(t.Columns, page.Column{Title: "Load", Num: true})
		}
	}
	t.Rows = make([]page.Row, len(ps))
	for i, q := range ps {
		if ids {
			t.Rows[i].ID = pointID(q.s, q.p)
		}
		if ratio, _, _, ok := figure.Success(q.p); ok && ratio < 0.95 {
			t.Rows[i].Class = "amber"
		}
		load := figure.LoadText(q.p)
		if named {
			t.Rows[i].Cells = append(t.Rows[i].Cells, page.Cell{Text: q.s.Title, Head: true}, page.Cell{Text: loadShort(q.p), Class: "nw"})
		} else {
			if q.p.Repetition > 0 {
				load += ", repetition " + itoa(q.p.Repetition+1)
			}
			t.Rows[i].Cells = append(t.Rows[i].Cells, page.Cell{Text: load, Head: true, Exact: infTitle(figure.LoadOf(q.p))})
		}
	}
	for _, info := range metric.Shown(metric.Run) {
		m, columns := info.ID, info.Columns(metric.Run)
		medians := len(r.Points) > maxAcross && has(ps[0].s, m) && slices.ContainsFunc(columns, func(c []string) bool { return c[0] == metric.Median })
		first := true
		var all []*float64
		for _, q := range ps {
			if v, _, ok := figure.Central(q.p, m); ok {
				all = append(all, &v)
			}
		}
		if len(all) == 0 {
			continue
		}
		scale := pivotScale(info, all)
		for _, stats := range columns {
			if _, ok := figure.Get(ps[0].p, m, metric.Median); ok && medians && stats[0] == metric.Mean {
				continue // the page of a large run is long enough with medians
			}
			stat, vs := statColumn(ps, m, stats)
			if vs == nil {
				continue
			}
			c := page.Column{Num: true, Title: info.Label, Unit: scale.Unit}
			if first {
				c.Note = statNote(r, ps, m, info, scale.Unit)
			}
			if stat != metric.Value && stat != metric.Max {
				c.Unit = stat + ", " + scale.Unit
			}
			if !first {
				c.Title, c.Unit = stat, scale.Unit
			}
			first = false
			if m == metric.KVCacheUsage {
				c.Title = "KV max"
			}
			t.Columns = append(t.Columns, c)
			for i, txt := range scale.Column(vs) {
				if vs[i] == nil {
					t.Rows[i].Cells = append(t.Rows[i].Cells, page.Missing(""))
				} else {
					c := page.Cell{Text: txt, Exact: scale.Exact(*vs[i])}
					if stat != metric.Median && stat != metric.Value && stat != metric.Max && len(r.Points) > maxAcross {
						c.Exact = "" // in the file: digits that nothing compresses are most of a large page
					}
					t.Rows[i].Cells = append(t.Rows[i].Cells, c)
				}
			}
		}
	}
	// What one request sees of prefill and decode, where the tool does not say it itself.
	if named && !slices.ContainsFunc(ps, func(q pointRow) bool { return len(q.p.Metrics) > 0 && has(q.s, metric.PPSpeed) }) &&
		slices.ContainsFunc(ps, func(q pointRow) bool { a, b := figure.PrefillDecode(q.p); return a > 0 && b > 0 }) {
		t.Columns = append(t.Columns, page.Column{Title: "Prefill", Unit: "tok/s, one request", Num: true}, page.Column{Title: "Decode", Unit: "tok/s, one request", Num: true})
		for i, q := range ps {
			a, b := figure.PrefillDecode(q.p)
			t.Rows[i].Cells = append(t.Rows[i].Cells, numberCell(a, a > 0, metric.Scale{}), numberCell(b, b > 0, metric.Scale{}))
		}
	}
	if slices.ContainsFunc(ps, func(q pointRow) bool { _, ok := figure.TailRatio(q.p, metric.TTFT); return ok }) {
		t.Columns = append(t.Columns, page.Column{Title: "TTFT tail", Unit: "p99 / median", Num: true})
		for i, q := range ps {
			if v, ok := figure.TailRatio(q.p, metric.TTFT); ok {
				t.Rows[i].Cells = append(t.Rows[i].Cells, page.Cell{Text: metric.Format(v)}) // of two cells beside it
			} else {
				t.Rows[i].Cells = append(t.Rows[i].Cells, page.Missing(""))
			}
		}
	}
	counted := slices.ContainsFunc(ps, func(q pointRow) bool { return q.p.Completed != nil })
	if counted {
		t.Columns = append(t.Columns, page.Column{Title: "Completed", Unit: "of submitted", Num: true})
	}
	t.Columns = append(t.Columns, page.Column{Title: "Source"})
	for i, q := range ps {
		c := completedCell([]*catalog.Point{q.p})
		if q.p.Errors != nil {
			var es []string
			for _, e := range q.p.Errors {
				es = append(es, metric.Count(e.Count)+" × "+e.Text)
			}
			c.Exact = strings.Join(es, "; ")
		}
		if c.Text == "" {
			c = page.Missing("")
		}
		if counted {
			t.Rows[i].Cells = append(t.Rows[i].Cells, c)
		}
		src := d.sourceCell(r, q.p.At)
		if manySources(r) && src.Href != "" {
			// Names and digests of many files would be most of the page. The page of the files has the
			// anchors of the points too.
			src = page.Cell{Text: "file", Href: d.Place.To(pathSources(r), pointID(q.s, q.p)), Class: "nw"}
		}
		t.Rows[i].Cells = append(t.Rows[i].Cells, src)
	}
	return t
}

// statColumn are the values of the first of some statistics that any point has, nil where none has one.
func statColumn(ps []pointRow, m metric.ID, stats []string) (stat string, values []*float64) {
	for _, stat := range stats {
		vs := make([]*float64, len(ps))
		any := false
		for i, q := range ps {
			if v, ok := figure.Get(q.p, m, stat); ok {
				vs[i], any = &v, true
			}
		}
		if any {
			return stat, vs
		}
	}
	return "", nil
}

// statNote is the title of a metric's heading: what it is, the unit its sources have it in and
// whether it was computed here.
func statNote(r *figure.Run, ps []pointRow, m metric.ID, info metric.Info, shown string) string {
	s := strings.ToUpper(info.Long[:1]) + info.Long[1:]
	if t := meaningNote(r, m); t != "" {
		s = t
	}
	for _, q := range ps {
		st, ok := q.p.Metrics[m]
		if !ok {
			continue
		}
		if st.Computed != "" {
			return s + "; computed by inferdex: " + st.Computed
		}
		if u := cmp.Or(st.OrigUnit, st.Unit); u != shown && u != "" {
			return s + "; recorded in " + u
		}
		break
	}
	return s
}

// meaningNote says what a tool measures by the name of a metric, where it uses it in a way of its own.
func meaningNote(r *figure.Run, m metric.ID) string {
	for _, x := range compare.Meanings(r.Identity.Tool) {
		if x.Metric == m {
			info, _ := metric.Lookup(m)
			return info.Label + " is " + x.Text
		}
	}
	return ""
}

// sourceCell is the file and line a value was read from, linked to the run's list of sources.
func (d *draft) sourceCell(r *figure.Run, at catalog.Place) page.Cell {
	if at.Source == "" {
		return page.Missing("")
	}
	for _, s := range r.Sources {
		if strings.HasPrefix(s.SHA256, at.Source) {
			t := baseName(s.Path)
			if at.Line > 0 {
				t += ":" + itoa(at.Line)
			}
			full := s.Path
			if manySources(r) {
				full = "" // the page that the link leads to has it
			}
			return page.Cell{Text: page.Clip(t, 28), Exact: full, Href: d.Place.To(pathSources(r), "src-"+s.ID()), Class: "nw"}
		}
	}
	return page.Cell{Text: at.Source, Code: true}
}

// baseName is the last part of a path, archives included.
func baseName(p string) string {
	if i := strings.LastIndexByte(p, '!'); i >= 0 && i < len(p)-1 {
		p = p[i+1:]
	}
	return path.Base(p)
}

// profiles are the scatters and time lines of a run: the fit of prompt ingestion and the filling
// of the KV cache.
func (d *draft) profiles(r *figure.Run) {
	var scatter []page.Block
	var times []*catalog.Profile
	for i := range r.Profiles {
		p := &r.Profiles[i]
		switch {
		case len(p.X) == 0 || len(p.Lines) == 0:
		case p.Kind == "scatter":
			scatter = append(scatter, page.Block{Figure: d.profileFigure(r, p)})
		default:
			times = append(times, p)
		}
	}
	d.section("ingestion", "Prompt ingestion", scatter...)
	d.section("kv", "KV-cache profile", page.Block{Figure: d.timelineFigure(r, times)})
}

// wholeFigures are the quantities of a whole run but for the loads within a limit, of which each
// workload has its own.
func wholeFigures(r *figure.Run) []catalog.Figure {
	return slices.DeleteFunc(slices.Clone(r.Figures), isThreshold)
}

func isThreshold(f catalog.Figure) bool { return strings.HasPrefix(string(f.Metric), "threshold_") }

// figureOf matches what a figure of a suite is of: "1024/128 at 10".
var figureOf = regexp.MustCompile(`^(\d+)/(\d+)(?: at (\d+))?$`)

func figureOfText(s string) string {
	m := figureOf.FindStringSubmatch(s)
	if m == nil {
		return s
	}
	t := page.Thousands(m[1]) + " → " + page.Thousands(m[2])
	if m[3] != "" {
		t += ", " + m[3] + " parallel"
	}
	return t
}

// figuresTable is every quantity of the whole run, with how it was computed. The loads within a
// limit, which the summary has too, open on demand; a card leaves them out.
func (d *draft) figuresTable(r *figure.Run, all bool) {
	var blocks []page.Block
	if whole := wholeFigures(r); len(whole) > 0 {
		blocks = append(blocks, d.table("figures", func() *page.Grid { return d.figureRows(r, "Figures of the whole run", whole) }))
	}
	limits := slices.DeleteFunc(slices.Clone(r.Figures), func(f catalog.Figure) bool { return !isThreshold(f) })
	if all && len(limits) > 0 {
		blocks = append(blocks, page.Block{Details: d.details("limits", page.Plural(len(limits), "load", "loads")+" within a limit, by workload", func() *page.Grid {
			return d.figureRows(r, "Loads within a limit, by workload", limits)
		})})
	}
	d.section("figures", "Figures of the whole run", blocks...)
}

func (d *draft) figureRows(r *figure.Run, caption string, list []catalog.Figure) *page.Grid {
	t := &page.Grid{Caption: caption, Columns: []page.Column{{Title: "Figure"}, {Title: "Value", Num: true}, {Title: "Unit"}, {Title: "Published"}, {Title: "How"}, {Title: "Source"}}}
	for _, f := range list {
		info, _ := metric.Lookup(f.Metric)
		name := page.Cell{Text: info.Label, Head: true, Sub: figureOfText(f.Of)}
		v := page.Missing("not recorded")
		if f.Value != nil {
			v = page.Cell{Text: metric.Format(*f.Value), Exact: metric.Exact(*f.Value)}
			if isThreshold(f) {
				v.Text = metric.Exact(*f.Value)
			}
		}
		pub := page.Cell{Text: strings.TrimSpace(f.Published), Class: "nw"}
		if f.Published != "" && f.PublishedAt == (catalog.Place{}) && f.Value != nil {
			pub.Sub = "rounded as its card would"
		}
		at := f.At
		if f.PublishedAt != (catalog.Place{}) {
			at = f.PublishedAt
		}
		t.Rows = append(t.Rows, page.Row{Cells: []page.Cell{name, v, {Text: f.Unit}, pub, {Text: f.Basis}, d.sourceCell(r, at)}})
	}
	return t
}

// systemKeys are the attributes that describe the machine, in the order of the table.
var systemKeys = []struct{ key, label string }{
	{"hardware", "Accelerators"}, {"gpu_memory", "Memory of one"}, {"power_limit", "Power limit"}, {"topology", "Topology"}, {"driver", "Driver"}, {"cuda", "CUDA"}, {"rocm", "ROCm"},
	{"cpu", "CPU"}, {"ram", "RAM"}, {"os", "Operating system"}, {"kernel", "Kernel"}, {"image", "Image"}, {"engine_commit", "Engine commit"}, {"tokenizer", "Tokenizer"}, {"precision", "Precision"},
}

// system is the machine a run was measured on, as far as its sources say.
func (d *draft) system(r *figure.Run) {
	n := 0
	for _, k := range systemKeys {
		if r.Attr(k.key) != "" && k.key != "hardware" {
			n++
		}
	}
	if n == 0 && len(r.Devices) == 0 {
		return
	}
	d.section("system", "System", d.table("system", func() *page.Grid {
		t := &page.Grid{Caption: "System configuration", Class: "fit", Columns: []page.Column{{Title: "Component"}, {Title: "As recorded"}, {Title: "From"}}}
		for _, k := range systemKeys {
			if a := r.Attributes[k.key]; a.Value != "" {
				t.Rows = append(t.Rows, page.Row{Cells: []page.Cell{{Text: k.label, Head: true}, {Text: a.Value, Was: a.Was, Class: "wrap-any"}, fromCell(a)}})
			}
		}
		for i, v := range r.Devices {
			s := v.Name
			if v.MemoryMiB != nil {
				s += ", " + metric.Exact(*v.MemoryMiB) + " MiB"
			}
			if v.PowerLimit != nil {
				s += ", limit " + metric.Exact(*v.PowerLimit) + " W"
			}
			t.Rows = append(t.Rows, page.Row{Cells: []page.Cell{{Text: "Device " + itoa(i), Head: true}, {Text: s}, {}}})
		}
		return t
	}))
}

// fromCell names the authority and the file of an attribute.
func fromCell(a catalog.Attribute) page.Cell {
	c := page.Cell{Text: string(a.From)}
	if a.File != "" {
		c.Sub = a.File
		if a.Line > 0 {
			c.Sub += ":" + itoa(a.Line)
		}
	}
	return c
}

// provenance is where each piece of metadata comes from, and the list of files.
func (d *draft) provenance(r *figure.Run) {
	var blocks []page.Block
	if len(r.Attributes) > 0 {
		blocks = append(blocks, d.table("provenance", func() *page.Grid {
			t := &page.Grid{Caption: "Where each value comes from", Class: "prov", Columns: []page.Column{{Title: "Value"}, {Title: "As recorded"}, {Title: "Read from"}, {Title: "Kind", Unit: "rank", Note: "1 overrules all others"}}}
			for _, k := range sortedAttributes(r.Attributes) {
				a := r.Attributes[k]
				from := page.Cell{Text: a.File, Class: "wrap-any"}
				if a.Line > 0 && a.File != "" {
					from.Text += ":" + itoa(a.Line)
				}
				if a.File == "" {
					from = page.Cell{Text: "command line", Class: "na"}
					if a.From == catalog.FromCI {
						from.Text = "environment"
					}
				}
				v := page.Cell{Text: page.Clip(a.Value, 400), Was: a.Was, Class: "wrap-any"}
				if a.Reason != "" {
					v.Sub, v.SubWarn = a.Reason, true
				}
				t.Rows = append(t.Rows, page.Row{ID: "attr-" + catalog.Slug(k), Cells: []page.Cell{{Text: attributeLabel(k), Head: true}, v, from, rankCell(a.From)}})
				for _, o := range a.Others {
					// A statement that lost stands below the one that holds.
					place := page.Cell{Text: o.File, Class: "wrap-any"}
					if o.File != "" && o.Line > 0 {
						place.Text += ":" + itoa(o.Line)
					}
					t.Rows = append(t.Rows, page.Row{Class: "lost", Cells: []page.Cell{{Text: "overruled", Head: true}, {Was: page.Clip(o.Value, 400), Class: "wrap-any"}, place, rankCell(o.From)}})
				}
			}
			return t
		}))
	}
	if n := page.Plural(len(r.Sources), "source file", "source files"); manySources(r) {
		blocks = append(blocks, page.Block{Text: []page.Part{{Text: n, Href: d.Place.To(pathSources(r), "")}, {Text: ", with their digests."}}})
	} else if len(r.Sources) > 0 {
		blocks = append(blocks, page.Block{Heading: &page.Heading{ID: "sources", Text: n}}, d.table("sources", func() *page.Grid { return d.sourcesTable(r) }))
	}
	if u := d.g.issueAddress(r, ""); u != "" {
		blocks = append(blocks, page.Block{Text: []page.Part{{Text: "Report a wrong number", Href: u}}})
	}
	d.section("provenance", "Provenance", blocks...)
}

// sourcesTable lists the files a run was read from: where they are published, by whom and under
// which licence.
func (d *draft) sourcesTable(r *figure.Run) *page.Grid {
	t := &page.Grid{Caption: "Source files", Class: "prov compact", Columns: []page.Column{{Title: "File"}, {Title: "Format"}, {Title: "SHA-256"}, {Title: "Published as"}, {Title: "Licence"}}}
	points := map[string][]pointRow{}
	if manySources(r) {
		t.Columns = append(t.Columns, page.Column{Title: "Points"})
		for _, s := range r.Scenarios {
			for _, p := range s.Points {
				points[p.At.Source] = append(points[p.At.Source], pointRow{s, p})
			}
		}
	}
	seen := map[string]bool{}
	for _, s := range r.Sources {
		// The same bytes may lie at two paths: links lead to the first.
		id := "src-" + s.ID()
		if seen[id] {
			id = ""
		}
		seen["src-"+s.ID()] = true
		c := page.Cell{Text: s.Title, Href: page.WebAddress(s.Address), Class: "wrap-any", Sub: s.Date}
		if s.Title == "" && s.Address != "" {
			c.Text = s.Address
		}
		if s.CI != nil {
			if u := page.WebAddress(s.CI.URL); u != "" && c.Href == "" {
				c.Text, c.Href = cmp.Or(s.CI.Workflow, "CI run"), u
			}
			if s.CI.Commit != "" {
				c.Sub = strings.TrimSpace(c.Sub + " commit " + s.CI.Commit)
			}
		}
		if c.Text == "" {
			c = page.Missing("not recorded")
		}
		lic := page.Cell{Text: s.License}
		if s.License == "" {
			lic = page.Missing("not recorded")
		}
		rw := page.Row{ID: id, Cells: []page.Cell{{Text: s.Path, Head: true, Class: "wrap-any"}, {Text: s.Format, Class: "nw"}, {Text: s.ID(), Code: true, Exact: s.SHA256, Class: "nw"}, c, lic}}
		if manySources(r) {
			// Each point's anchor stands here too; the first file of equal ones has it.
			ps := points[s.ID()]
			delete(points, s.ID())
			rw.Cells = append(rw.Cells, page.Cell{Class: "wrap-any", After: page.FragmentOf(func(m *page.Markup) {
				for i, q := range ps {
					if i > 0 {
						m.Raw("; ")
					}
					m.Raw("<a")
					m.Attr("id", pointID(q.s, q.p))
					m.Attr("href", d.pointHref(r, q.s, q.p))
					m.Raw(">")
					m.Text(q.s.Title + ", " + loadShort(q.p))
					m.Raw("</a>")
				}
			})})
		}
		t.Rows = append(t.Rows, rw)
	}
	return t
}

// authorities are the kinds of statement about a run, the one that overrules all others first.
var authorities = []catalog.Authority{catalog.FromOverride, catalog.FromRecord, catalog.FromMetadata, catalog.FromSidecar, catalog.FromRule, catalog.FromFlag, catalog.FromCI}

// rankCell names the kind of a statement with its rank.
func rankCell(a catalog.Authority) page.Cell {
	c := page.Cell{Text: string(a), Class: "nw"}
	if i := slices.Index(authorities, a); i >= 0 {
		c.Text += ", " + itoa(i+1)
	}
	return c
}

// attributeOrder puts what identifies a run first.
var attributeOrder = []string{"model", "hardware", "count", "engine", "engine_version", "engine_commit", "wrapper", "image", "series", "baseline", "precision", "date", "command", "client_command"}

func sortedAttributes(as map[string]catalog.Attribute) []string {
	rank := func(k string) int {
		if i := slices.Index(attributeOrder, k); i >= 0 {
			return i
		}
		return len(attributeOrder)
	}
	return slices.SortedFunc(maps.Keys(as), func(a, b string) int { return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a, b)) })
}

// attributeLabel is a key in words: "engine_version" is "Engine version".
func attributeLabel(k string) string {
	switch k {
	case "os":
		return "Operating system"
	case "cpu", "ram", "cuda":
		return strings.ToUpper(k)
	case "rocm":
		return "ROCm"
	case "gpu_memory":
		return "GPU memory"
	case "":
		return "Value"
	}
	if name, ok := strings.CutPrefix(k, "labels."); ok {
		return "Label " + name
	}
	s := strings.ReplaceAll(k, "_", " ")
	return strings.ToUpper(s[:1]) + s[1:]
}

// findings are what a reader has to know before quoting, errors first.
func (d *draft) findings(r *figure.Run) {
	fs := slices.Clone(r.Findings)
	if len(fs) == 0 {
		return
	}
	slices.SortStableFunc(fs, func(a, b catalog.Finding) int { return cmp.Compare(severityRank(a.Severity), severityRank(b.Severity)) })
	var ss []page.Sentence
	for _, f := range fs {
		parts := page.Text(page.Capital(parted(page.FullStop(f.Message))))
		if f.Path != "" {
			place := f.Path
			if f.Line > 0 {
				place += ":" + itoa(f.Line)
			}
			parts = append(parts, page.Part{Text: " "}, page.Part{Text: place, Code: true})
		}
		if f.Accepted {
			parts = append(parts, page.Part{Text: " Acknowledged in a sidecar."})
		}
		ss = append(ss, page.Sentence{Topic: findingTopic(f.Code), Warn: f.Severity != record.Remark && !f.Accepted, Parts: parts})
	}
	d.section("findings", "Findings", page.Paragraph("What reading the sources turned up: contradictions, gaps and overrides."), page.Block{Says: ss})
}

// messageNumbers are the counts and lengths that messages hold: "1015 of 2000", "4096 in, 128 out".
var messageNumbers = regexp.MustCompile(`\b\d{4,9} (?:of|in|out|requests|prompts|tokens)\b|\bof \d{4,9}\b`)

// parted parts the thousands of counts and lengths in a message as everywhere else on the page.
func parted(s string) string {
	return messageNumbers.ReplaceAllStringFunc(s, func(m string) string {
		ws := strings.Split(m, " ")
		for i, w := range ws {
			ws[i] = page.Thousands(w)
		}
		return strings.Join(ws, " ")
	})
}

// jsonText is a JSON value as people read it: strings without quotes where that is safe.
func jsonText(v json.RawMessage) string {
	if string(v) == "null" {
		return "null" // which would unmarshal into a string
	}
	var s string
	if json.Unmarshal(v, &s) == nil {
		if s == "" {
			return `""`
		}
		return s
	}
	return string(v)
}
