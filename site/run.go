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

	"github.com/inferdex/inferdex/ingest/record"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/site/chart"
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
	d.view.Crumbs = []Link{
		{Text: "Models", Href: d.place.page(pathModels, "")},
		{Text: r.Model.Name, Href: d.place.page(pathModel(r.Model.Slug), "")},
		{Text: "on " + r.Hardware.Name, Href: d.place.page(pathCard(r.Card.Slug), "")},
		{Text: "run " + r.ID},
	}
	d.view.Lede = append(text(runDescription(r)), d.compareWith(r)...)
	d.runFacts(r)
	d.stats(r)
	if r.Withdrawn != "" {
		d.section("withdrawn", "Withdrawn", Block{Says: []Sentence{{Topic: "Do not use", Warn: true, Parts: text(sentenceText(r.Withdrawn))}}})
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
			add := func(f *Figure) {
				if u := d.g.issueAddress(r, f.ID); u != "" {
					f.Files = append(f.Files, Link{Text: "Report a wrong number", Href: u})
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
	link := func(o *figure.Run) *Link {
		name := "run " + o.ID
		if day := dateText(o.Started); day != "" {
			name = "run of " + day
		}
		if own := ownName(o); own != "" {
			name = own + ", " + name
		} else if e, versioned := engineText(o.Engine); versioned {
			name = e + ", " + name
		}
		return &Link{Text: name, Href: d.place.page(pathRun(o.ID), ""), Title: "run " + o.ID}
	}
	i := slices.Index(r.Card.Runs, r)
	if i < 0 || len(r.Card.Runs) < 2 {
		return
	}
	pg := Pager{Of: "Runs of " + r.Card.Title()}
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
	d := g.draft(pathSources(r), "records", "models", title, "The "+plural(len(r.Sources), "file", "files")+" that run "+r.ID+" was read from, with their digests.")
	d.view.Heading = "Source files"
	d.view.Crumbs = []Link{{Text: "Models", Href: d.place.page(pathModels, "")}, {Text: r.Card.Title(), Href: d.place.page(pathCard(r.Card.Slug), "")},
		{Text: "run " + r.ID, Href: d.place.page(pathRun(r.ID), "provenance")}, {Text: "source files"}}
	d.view.Lede = text("The " + plural(len(r.Sources), "file", "files") + " that this run was read from, with their digests.")
	d.section("sources", "Source files", d.table("sources", func() *table { return d.sourcesTable(r) }))
	return d.done()
}

// runDescription says in one sentence what a run is.
func runDescription(r *figure.Run) string {
	s := toolText(r)
	if s == "" {
		s = "Run"
	}
	if day := dateText(r.Started); day != "" {
		s += " of " + day
	}
	if len(r.Points) == 0 {
		s += ": headline figures only, no single measured point is recorded"
	} else {
		s += ": " + plural(len(r.Scenarios), "workload", "workloads")
		if lo, hi, ok := loadRange(r); ok {
			s += ", " + lo + " to " + hi
		}
		s += ", " + plural(len(r.Points), "point", "points")
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
	hw := Fact{Name: "Hardware"}
	switch h := r.Attr("hardware"); {
	case h == "":
		hw.Parts = text("not recorded")
	default:
		hw.Parts = text(itoa(r.Hardware.Count) + " × " + r.Hardware.Accelerator.Name)
		if r.Hardware.CountAssumed {
			hw.Parts = text(r.Hardware.Accelerator.Name)
		}
	}
	switch {
	case r.Attributes["hardware"].Was != "":
		hw.Flag = &Link{Text: "overridden", Href: d.place.page(pathRun(r.ID), "provenance")}
	case r.Hardware.Accelerator.FormFactorUnknown:
		hw.Flag = &Link{Text: "form factor not recorded", Href: d.place.page(pathRun(r.ID), "findings")}
	case r.Hardware.CountAssumed && r.Attr("hardware") != "":
		hw.Flag = &Link{Text: "count not recorded", Href: d.place.page(pathRun(r.ID), "findings")}
	}
	engine := Fact{Name: "Engine"}
	e, versioned := engineText(r.Engine)
	if w := r.Attr("wrapper"); w != "" && e != "" {
		engine.Parts = text(e + ", " + w)
	} else {
		engine.Parts = text(cmp.Or(e, "not recorded"))
	}
	if e != "" && !versioned {
		engine.Flag = &Link{Text: "version not recorded"}
	}
	tool := toolText(r)
	if v := r.Attr("tool_version"); v != "" {
		tool += " " + v
	}
	started := Fact{Name: "Started", Parts: text(cmp.Or(strings.Replace(r.Started, "T", " ", 1), "not recorded"))}
	if s := r.Started; len(s) > 10 && !strings.ContainsAny(s[10:], "Z+") && !strings.Contains(s[10:], "-") {
		started.Parts = append(started.Parts, Part{Text: ", zone not recorded"})
	}
	points := Fact{Name: "Points"}
	if len(r.Points) == 0 {
		points.Parts = text("none recorded")
	} else {
		t := plural(len(r.Points), "point", "points")
		var done, sent int64
		for i := range r.Points {
			if _, c, n, ok := figure.Success(&r.Points[i]); ok {
				done, sent = done+c, sent+n
			}
		}
		if sent > 0 {
			t += ", " + metric.Count(sent) + " requests"
		}
		points.Parts = text(t)
		if sent > done {
			points.Flag = &Link{Text: metric.Count(sent-done) + " not completed", Href: d.place.page(pathRun(r.ID), "data")}
		}
	}
	hw, engine = d.traced(r, hw, "hardware"), d.traced(r, engine, "engine_version", "engine")
	d.view.Facts = append(d.view.Facts, d.traced(r, Fact{Name: "Model", Parts: text(written)}, "model"), hw, engine, Fact{Name: "Tool", Parts: text(cmp.Or(tool, "not recorded"))}, started, points)
	if v := r.Param("max_model_len"); v != "" {
		d.view.Facts = append(d.view.Facts, Fact{Name: "Context limit", Parts: text(thousands(v) + " tokens")})
	}
	if in, out := longestServed([]*figure.Run{r}); in > 0 {
		d.view.Facts = append(d.view.Facts, Fact{Name: "Longest context served", Parts: text(countText(in) + " in + " + countText(out) + " out tokens on average")})
	}
	if f, ok := sourceFact([]*figure.Run{r}); ok {
		d.view.Facts = append(d.view.Facts, f)
	}
	if labels := runLabels(r); labels != "" {
		d.view.Facts = append(d.view.Facts, Fact{Name: "Labels", Parts: text(labels)})
	}
}

// traced gives the first part of a fact the place it was read from as its title. Of several keys
// the first recorded one counts.
func (d *draft) traced(r *figure.Run, f Fact, keys ...string) Fact {
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
			t += ": " + strconv.Quote(clip(a.Value, 80))
		}
		if a.Was != "" {
			t += ", before " + strconv.Quote(clip(a.Was, 80))
		}
		f.Parts = slices.Clone(f.Parts)
		f.Parts[0].Title = t
		return f
	}
	return f
}

// sourceFact is where the results were published, by whom and under which licence.
func sourceFact(runs []*figure.Run) (Fact, bool) {
	f := Fact{Name: "Source"}
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
				f.Parts = append(f.Parts, Part{Text: " · "})
			}
			f.Parts = append(f.Parts, Part{Text: clip(title, 60), Href: webAddress(s.Address), Title: s.Date})
			if s.Author != "" && !strings.Contains(title, s.Author) {
				f.Parts = append(f.Parts, Part{Text: " by " + clip(s.Author, 40)})
			}
			f.Parts = append(f.Parts, Part{Text: "; licence: " + clip(cmp.Or(s.License, "not recorded"), 40)})
		}
	}
	if n := len(seen) - 2; n > 0 {
		f.Parts = append(f.Parts, Part{Text: " and " + itoa(n) + " more"})
	}
	return f, len(seen) > 0
}

// thousands parts the digits of a whole number that a source wrote without.
func thousands(s string) string {
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		return metric.Count(n)
	}
	return s
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
		s := Stat{ID: "h-" + strings.ReplaceAll(h.Name, "_", "-"), Name: glue(h.Label), Unit: h.Unit}
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
			s.Note = text(strings.Join(note, "; "))
		}
		if h.Detail != "" {
			part := Part{Text: h.Detail}
			if h.Point != nil {
				part.Href = d.pointHref(r, h.Scenario, h.Point)
			}
			if len(note) > 0 {
				s.Note = append(s.Note, Part{Text: "; "})
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
			d.view.Stats = append(d.view.Stats, Stat{ID: id, Name: glue(name), Value: value, Unit: u, Exact: metric.Exact(v), Note: []Part{{Text: figure.LoadPhrase(p), Href: d.pointHref(r, s, p)}}})
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
	var ss []Sentence
	for _, in := range r.Insights() {
		ss = append(ss, Sentence{Topic: in.Label, Warn: in.Caution, Parts: d.insightParts(r, in)})
	}
	if len(ss) > 0 {
		d.section("says", "What the numbers say", Block{Says: ss})
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
		d.section("throughput", title, Block{Figure: d.withData(f, r)})
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
		d.section("by-load", "By load", d.named("by-load-"+s.Key, func() *table { return d.byLoadTable(r, s) }))
	}
	if f := d.scenarioFigure(r); f != nil {
		d.section("latency", "Speed and latency by workload", Block{Figure: d.withData(f, r)})
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
	var blocks []Block
	var figs []Figure
	alike := tokenTimesAlike(runs, s.Class)
	for _, pm := range pivotMetrics {
		pv, stat, ok := pivotOf(runs, s.Class, pm.metric)
		if !ok || pm.metric == metric.ITL && alike != "" {
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
		blocks = append(blocks, Block{Pair: figs[:2:2]})
		figs = figs[2:]
	}
	if len(figs) == 1 {
		blocks = append(blocks, Block{Figure: &figs[0]})
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
		blocks = append(blocks, paragraph(note))
	}
	blocks = append(blocks, d.named("by-load-"+s.Key, func() *table { return d.byLoadTable(r, s) }))
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
func (d *draft) byLoadTable(r *figure.Run, s *figure.Scenario) *table {
	t := &table{caption: s.Title + " by " + loadNoun(s.Axis), class: "pivot fit", columns: []column{loadColumn(s.Axis), {title: "Completed", unit: "of submitted", num: true}}}
	sweet, hasSweet := s.SweetSpot()
	peak, _, hasPeak := s.Peak(metric.OutputThroughput)
	knee, _, hasKnee := s.Knee(metric.OutputThroughput)
	counted := slices.ContainsFunc(s.Points, func(p *catalog.Point) bool { return p.Completed != nil })
	if !counted {
		t.columns = t.columns[:1]
	}
	t.rows = make([]row, len(s.Points))
	for i, p := range s.Points {
		load := figure.LoadText(p)
		if p.Repetition > 0 {
			load += ", repetition " + itoa(p.Repetition+1)
		}
		t.rows[i].cells = append(t.rows[i].cells, cell{text: load, head: true, exact: infTitle(figure.LoadOf(p)), href: d.pointHref(r, s, p)})
		if counted {
			t.rows[i].cells = append(t.rows[i].cells, completedCell([]*catalog.Point{p}))
		}
		if _, _, short := incomplete([]*catalog.Point{p}); short {
			t.rows[i].class = "amber"
		}
	}
	for _, m := range []metric.ID{metric.OutputThroughput, metric.RequestThroughput, metric.TTFT, metric.TPOT, metric.ITL, metric.E2ELatency} {
		info, _ := metric.Lookup(m)
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
		c := column{title: info.Label, unit: scale.Unit, num: true, note: meaningNote(r, m)}
		if stat != metric.Value && stat != "" {
			c.unit = stat + ", " + scale.Unit
		}
		t.columns = append(t.columns, c)
		for i, txt := range scale.Column(vs) {
			if vs[i] == nil {
				t.rows[i].cells = append(t.rows[i].cells, missing(""))
				continue
			}
			cl := cell{text: txt, exact: scale.Exact(*vs[i])}
			if stats[i] != stat {
				cl.sub = stats[i]
			}
			if p99, ok := figure.Get(s.Points[i], m, metric.P99); ok {
				cl.sub = strings.TrimLeft(cl.sub+" p99 "+scale.Format(p99), " ")
			}
			t.rows[i].cells = append(t.rows[i].cells, cl)
		}
	}
	if len(s.Points) > 2 {
		t.columns = append(t.columns, column{title: "Remark"})
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
			c := cell{text: strings.Join(ws, ", "), class: "nw"}
			if n, above := figure.AboveNumPrompts(p); above {
				c.sub, c.subWarn = "only "+metric.Count(n)+" prompts", true
			}
			t.rows[i].cells = append(t.rows[i].cells, c)
		}
	}
	return t
}

// loadColumn is the heading of a column of loads.
func loadColumn(axis string) column {
	switch axis {
	case record.AxisRate:
		return column{title: "Rate", unit: "req/s", num: true}
	case record.AxisConcurrency:
		return column{title: "Parallel", num: true}
	}
	return column{title: "Load", num: true}
}

// acrossMetrics are what the workloads of a run are compared by, load by load.
var acrossMetrics = []metric.ID{metric.TotalGenerationSpeed, metric.OutputThroughput, metric.SpeedPerRequest, metric.TTFT, metric.TPOT, metric.ITL, metric.E2ELatency, metric.KVCacheUsage}

// maxAcross is how many points a run has at most whose tables across workloads stand on its page.
const maxAcross = 60

// pathAcross is the page that sets the workloads of a large run side by side.
func pathAcross(r *figure.Run) string { return pathRun(r.ID) + "/workloads" }

// acrossBlock is the tables across workloads, or the link to their page where a run is large.
func (d *draft) acrossBlock(r *figure.Run) Block {
	if len(r.Points) <= maxAcross {
		return Block{Group: d.across(r)}
	}
	if len(acrossList(r)) == 0 {
		return Block{}
	}
	return Block{Text: []Part{{Text: "All loads, the workloads side by side", Href: d.place.page(pathAcross(r), "")}}}
}

// acrossPage sets the workloads of a large run side by side, a table a metric.
func (g *generator) acrossPage(r *figure.Run) *draft {
	title := r.Card.Title() + ", run " + r.ID + ": workloads side by side"
	d := g.draft(pathAcross(r), "records", "models", title, "Latency, speed and throughput of run "+r.ID+" by load, its workloads side by side.")
	d.view.Heading = "Workloads side by side"
	d.view.Crumbs = []Link{{Text: "Models", Href: d.place.page(pathModels, "")}, {Text: r.Card.Title(), Href: d.place.page(pathCard(r.Card.Slug), "")},
		{Text: "run " + r.ID, Href: d.place.page(pathRun(r.ID), "summary")}, {Text: "workloads"}}
	d.view.Lede = text("Rows are loads, columns are workloads. Each number leads to its point.")
	list := acrossList(r)
	for _, m := range acrossMetricsOf(r, list) {
		info, _ := metric.Lookup(m)
		id := idOf(m)
		d.section(id, info.Label, paragraph(strings.ToUpper(info.Long[:1])+info.Long[1:]+"."), d.table("across-"+id, func() *table {
			t := d.acrossTable(r, list, m, info)
			t.link = id
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

func acrossMetricsOf(r *figure.Run, list []*figure.Scenario) []metric.ID {
	var out []metric.ID
	for _, m := range acrossMetrics {
		if m == metric.OutputThroughput && len(curves(r, metric.TotalGenerationSpeed)) > 0 {
			continue // nearly the same number
		}
		if slices.ContainsFunc(list, func(s *figure.Scenario) bool { return has(s, m) }) {
			out = append(out, m)
		}
	}
	return out
}

// across are tables of one metric each: rows are loads, columns the workloads of a run. Each value
// leads to its point, which has the exact number.
func (d *draft) across(r *figure.Run) []Details {
	list := acrossList(r)
	var out []Details
	for _, m := range acrossMetricsOf(r, list) {
		info, _ := metric.Lookup(m)
		out = append(out, *d.fold("across-"+idOf(m), info.Label+" by load and workload", func() *table { return d.acrossTable(r, list, m, info) }))
	}
	return out
}

func (d *draft) acrossTable(r *figure.Run, list []*figure.Scenario, m metric.ID, info metric.Info) *table {
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
	t := &table{caption: strings.ToUpper(caption[:1]) + caption[1:] + ", by load and workload", class: "compact fit", columns: []column{loadColumn(list[0].Axis)}}
	for _, l := range at {
		t.rows = append(t.rows, row{cells: []cell{{text: rowLoad(l), head: true, exact: infTitle(l)}}})
	}
	for _, s := range list {
		t.columns = append(t.columns, column{title: s.Title, num: true})
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
				t.rows[i].cells = append(t.rows[i].cells, missing(""))
			} else {
				t.rows[i].cells = append(t.rows[i].cells, cell{text: txt, href: d.pointHref(r, s, s.At(at[i]))})
			}
		}
	}
	return t
}

// pivotMetrics are what series of one workload are compared by.
var pivotMetrics = []struct {
	metric metric.ID
	title  string
}{{metric.TTFT, "Time to first token"}, {metric.TPOT, "Time per output token"}, {metric.ITL, "Inter-token latency"}, {metric.E2ELatency, "End-to-end latency"}}

// pivots compare runs under one workload: for each latency a chart and a table of loads by
// series, then throughput and completion. With several workloads on a page the titles name it;
// group tells the ids of several sets of runs apart, "" for the first.
func (d *draft) pivots(runs []*figure.Run, s *figure.Scenario, named bool, group string) {
	suffix, key := "", group
	if named {
		suffix, key = ", "+s.Title, "-"+s.Key+group
	}
	for _, pm := range pivotMetrics {
		pv, stat, ok := pivotOf(runs, s.Class, pm.metric)
		if !ok {
			continue
		}
		id := idOf(pm.metric) + key
		pivot := d.named("pivot-"+id, func() *table { return d.pivotTable(pv, stat, id) })
		if pm.metric == metric.ITL {
			if alike := tokenTimesAlike(runs, s.Class); alike != "" {
				d.section(id, pm.title+suffix, paragraph(alike), pivot)
				continue
			}
		}
		fig := d.pivotFigure(pv, stat, key)
		d.section(id, pm.title+suffix, Block{Figure: fig}, pivot)
	}
	if pv, ok := figure.NewPivot(runs, s.Class, metric.OutputThroughput, metric.Value); ok {
		id := "throughput" + key
		var blocks []Block
		if f := d.rateFigure(runs, s.Class, key); f != nil {
			blocks = append(blocks, Block{Figure: f})
		}
		blocks = append(blocks, d.named("pivot-"+id, func() *table { return d.pivotTable(pv, metric.Value, id) }))
		d.section(id, "Output throughput"+suffix, blocks...)
	}
}

// pivotOf is the pivot of the mean where each series has it, which is what published pages show,
// else of the median.
func pivotOf(runs []*figure.Run, class string, m metric.ID) (figure.Pivot, string, bool) {
	count := func(pv figure.Pivot) int {
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
	mean, ok1 := figure.NewPivot(runs, class, m, metric.Mean)
	median, ok2 := figure.NewPivot(runs, class, m, metric.Median)
	switch {
	case ok1 && (!ok2 || count(mean) >= count(median)):
		return mean, metric.Mean, true
	case ok2:
		return median, metric.Median, true
	}
	return figure.Pivot{}, "", false
}

// pivotTable is a pivot with the best of each row, and by how much it beats the baseline.
func (d *draft) pivotTable(pv figure.Pivot, stat, id string) *table {
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
	t := &table{caption: statLabel + " by " + loadNoun(pv.Axis), class: "pivot"}
	if len(pv.Series) == 1 {
		t.class = "pivot fit"
	}
	first := column{title: "Load", num: true}
	switch pv.Axis {
	case record.AxisRate:
		first = column{title: "Rate", unit: "req/s", num: true}
	case record.AxisConcurrency:
		first = column{title: "Parallel", num: true}
	}
	t.columns = append(t.columns, first, column{title: "Completed", unit: "of submitted", num: true})
	several := len(pv.Series) > 1
	for _, r := range pv.Series {
		if several {
			t.columns = append(t.columns, column{title: seriesName(r, pv.Series), unit: statLabel + ", " + scale.Unit, num: true})
		} else {
			t.columns = append(t.columns, column{title: strings.ToUpper(statLabel[:1]) + statLabel[1:], unit: scale.Unit, num: true})
		}
	}
	word := "Fastest"
	by := "Faster by"
	if info.Better == metric.Higher {
		word, by = "Highest", "Higher by"
	}
	if several {
		t.columns = append(t.columns, column{title: word}, column{title: by, unit: "against " + seriesName(pv.Series[pv.Base], pv.Series), num: true}, column{title: by + ", as a bar", hidden: true})
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
		rw.cells = append(rw.cells, cell{text: rowLoad(row.Load), head: true, exact: infTitle(row.Load)})
		rw.cells = append(rw.cells, completedCell(row.Points))
		if _, _, short := incomplete(row.Points); short {
			rw.class = "amber"
		}
		for i, v := range row.Values {
			if v == nil {
				rw.cells = append(rw.cells, missing(""))
				continue
			}
			c := cell{text: texts[i][j], exact: scale.Exact(*v), href: d.pointHref(pv.Series[i], pv.Series[i].ScenarioOf(row.Points[i]), row.Points[i])}
			if row.Fastest == i {
				c.class = "best"
			}
			if p99, ok := figure.Get(row.Points[i], pv.Metric, metric.P99); ok {
				c.sub = "p99 " + scale.Format(p99)
			}
			rw.cells = append(rw.cells, c)
		}
		if several {
			if row.Fastest < 0 {
				rw.cells = append(rw.cells, missing("one series"), cell{}, cell{})
			} else {
				slot := row.Fastest%9 + 1
				rw.cells = append(rw.cells, cell{text: seriesName(pv.Series[row.Fastest], pv.Series), class: "nw", before: func(w io.Writer) error { return chart.Mark(w, slot) }})
				if row.FasterBy != nil {
					share := math.Min(1, math.Abs(*row.FasterBy))
					rw.cells = append(rw.cells, cell{text: metric.Percent(*row.FasterBy), exact: metric.Exact(metric.Round12(*row.FasterBy*100)) + " %"},
						cell{after: func(w io.Writer) error { return chart.HBar(w, slot, share) }})
				} else {
					rw.cells = append(rw.cells, cell{text: "–", exact: "the baseline is the best, or is missing"}, cell{})
				}
			}
		}
		t.rows = append(t.rows, rw)
	}
	return t
}

// rowOf begins a row of a pivot with its anchor: "ttft-9".
func rowOf(r figure.PivotRow, id string) row { return row{id: id + "-at-" + rowLoad(r.Load)} }

func infTitle(v float64) string {
	if math.IsInf(v, 1) {
		return "infinite rate: all requests were sent at once"
	}
	return ""
}

// completedCell says how many of the submitted requests were completed; series that differ each
// have their count.
func completedCell(points []*catalog.Point) cell {
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
		return missing("")
	}
	_, _, short := incomplete(points)
	return cell{text: strings.Join(texts, " / "), sub: strings.Join(subs, " / "), subWarn: short}
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
	d.section("summary", "Summary", Block{Text: []Part{{Text: intro + " "}, {Text: "Formulas", Href: d.place.page(pathMethodology, "saturation-knee")}}},
		d.table("summary", func() *table { return d.summaryTable(r, list) }), d.acrossBlock(r))
}

func (d *draft) summaryTable(r *figure.Run, list []*figure.Scenario) *table {
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
	t := &table{caption: "Workloads: peak, knee, scaling and limits", class: "sumt", columns: []column{{title: "Workload"}}}
	if actual {
		t.columns = append(t.columns, column{title: "Prompt", unit: "tokens, actual", num: true})
	}
	t.columns = append(t.columns, column{title: "Largest load", unit: unitOfLoad, num: true}, column{title: "Peak", unit: "tok/s", num: true},
		column{title: "At", unit: unitOfLoad, num: true}, column{title: "Knee", unit: unitOfLoad, num: true}, column{title: "Scaling", unit: "%, largest", num: true})
	if sweet {
		t.columns = append(t.columns, column{title: "Sweet spot", unit: unitOfLoad, num: true})
	}
	if speed {
		t.columns = append(t.columns, column{title: "≥ 20 tok/s", unit: "up to", num: true})
	}
	if kv {
		t.columns = append(t.columns, column{title: "KV < 95 %", unit: "up to", num: true}, column{title: "Highest KV", unit: "%", num: true})
	}
	counted := any(func(s *figure.Scenario) bool {
		return slices.ContainsFunc(s.Points, func(p *catalog.Point) bool { _, _, _, ok := figure.Success(p); return ok })
	})
	if counted {
		t.columns = append(t.columns, column{title: "Requests", num: true}, column{title: "Not completed", num: true})
	}
	input := math.NaN()
	for _, s := range list {
		in, _, _ := s.Lengths()
		rw := row{id: "sum-" + s.Key}
		if !math.IsNaN(input) && in != input {
			rw.class = "sep"
		}
		input = in
		rw.cells = append(rw.cells, cell{text: s.Title, href: d.place.page(pathRun(r.ID), "data-"+s.Key), head: true})
		if actual {
			if a, _ := s.ActualLengths(); a > 0 {
				rw.cells = append(rw.cells, cell{text: countText(a), exact: metric.Exact(a)})
			} else {
				rw.cells = append(rw.cells, missing(""))
			}
		}
		rw.cells = append(rw.cells, cell{text: figure.LoadText(s.Largest())})
		p, v, ok := s.Peak(m)
		if !ok {
			rw.cells = append(rw.cells, missing(""), missing(""), missing(""))
		} else {
			at := figure.LoadText(p)
			c := cell{text: at}
			if n, above := figure.AboveNumPrompts(p); above {
				c.sub, c.subWarn = "only "+metric.Count(n)+" prompts", true
			} else if s.StillRising(m) {
				c.text += ", still rising"
			}
			rw.cells = append(rw.cells, cell{text: metric.Format(v), exact: metric.Exact(v), href: d.pointHref(r, s, p)}, c)
			if k, _, ok := s.Knee(m); ok {
				rw.cells = append(rw.cells, cell{text: figure.LoadText(k)})
			} else {
				rw.cells = append(rw.cells, missing(""))
			}
		}
		if e, _, ok := s.Scaling(s.Largest()); ok && s.Axis != record.AxisRate {
			rw.cells = append(rw.cells, cell{text: metric.Format(metric.Round12(e * 100)), exact: metric.Exact(metric.Round12(e * 100))})
		} else {
			rw.cells = append(rw.cells, missing(""))
		}
		if sweet {
			if sw, ok := s.SweetSpot(); ok {
				rw.cells = append(rw.cells, cell{text: figure.LoadText(sw.Point), href: d.pointHref(r, s, sw.Point), sub: metric.Format(sw.PerUser) + " tok/s a user"})
			} else {
				rw.cells = append(rw.cells, missing(""))
			}
		}
		if speed {
			rw.cells = append(rw.cells, limitCell(s.KeepsSpeed(20)))
		}
		if kv {
			load, reached, ok := keepsKV(s)
			rw.cells = append(rw.cells, limitCell(load, reached, ok))
			top, got := 0.0, false
			for _, p := range s.Points {
				if v, _, ok := figure.Central(p, metric.KVCacheUsage); ok && (!got || v > top) {
					top, got = v, true
				}
			}
			if got {
				rw.cells = append(rw.cells, cell{text: metric.Format(metric.Round12(top * 100)), exact: metric.Exact(metric.Round12(top*100)) + " %"})
			} else {
				rw.cells = append(rw.cells, missing(""))
			}
		}
		var done, sent int64
		for _, p := range s.Points {
			if _, c, n, ok := figure.Success(p); ok {
				done, sent = done+c, sent+n
			}
		}
		if sent > 0 {
			c := cell{text: metric.Count(sent - done)}
			if sent > done {
				c.class = "warn"
			}
			rw.cells = append(rw.cells, cell{text: metric.Count(sent)}, c)
		} else if counted {
			rw.cells = append(rw.cells, missing(""), missing(""))
		}
		t.rows = append(t.rows, rw)
	}
	return t
}

// limitCell writes the largest load that keeps a limit.
func limitCell(load float64, measured, ok bool) cell {
	switch {
	case !ok:
		return missing("")
	case load == 0:
		return cell{text: "none", class: "na"}
	case measured:
		return cell{text: "≥ " + rowLoad(load)}
	}
	return cell{text: rowLoad(load)}
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
	var blocks []Block
	if len(single) > 0 {
		blocks = append(blocks, d.table("points-single", func() *table {
			var ps []pointRow
			for _, s := range single {
				ps = append(ps, pointRow{s, s.Points[0]})
			}
			return d.pointTable(r, "Workloads measured at one load", ps, true, ids)
		}))
	}
	if len(several) == 1 {
		s := several[0]
		blocks = append(blocks, Block{Heading: &Heading{ID: "data-" + s.Key, Text: s.Title + ", " + plural(loads(s), "load", "loads")}}, d.table("points-"+s.Key, func() *table { return d.scenarioTable(r, s, ids) }))
	} else if len(several) > 1 {
		var group []Details
		for _, s := range several {
			de := d.details("points-"+s.Key, s.Title+", "+plural(loads(s), "load", "loads"), func() *table { return d.scenarioTable(r, s, ids) })
			de.ID = "data-" + s.Key
			group = append(group, *de)
		}
		blocks = append(blocks, Block{Group: group})
	}
	where := "Exact numbers are in the title of each cell and in "
	if len(r.Points) > maxAcross {
		where = "Exact numbers are in the titles of medians and single values, and all of them in "
	}
	intro := Block{Text: []Part{{Text: where}, {Text: "points.csv.gz", Href: d.file(pathRun(r.ID) + "/points.csv.gz")}, {Text: ", with all other statistics."}}}
	d.section("data", "Measured points", append([]Block{intro}, blocks...)...)
}

type pointRow struct {
	s *figure.Scenario
	p *catalog.Point
}

func (d *draft) scenarioTable(r *figure.Run, s *figure.Scenario, ids bool) *table {
	var ps []pointRow
	for _, p := range s.Points {
		ps = append(ps, pointRow{s, p})
	}
	return d.pointTable(r, s.Title+" by load", ps, false, ids)
}

// shownStats are the statistics a table of points shows of each metric, as far as they are
// recorded; all others are in the downloads.
var shownStats = []struct {
	metric metric.ID
	stats  []string
}{
	{metric.TotalGenerationSpeed, []string{metric.Value}}, {metric.OutputThroughput, []string{metric.Value}}, {metric.TotalThroughput, []string{metric.Value}}, {metric.RequestThroughput, []string{metric.Value}}, {metric.Goodput, []string{metric.Value}},
	{metric.PeakOutputThroughput, []string{metric.Value}},
	{metric.SpeedPerRequest, []string{metric.P25, metric.Median, metric.P75}},
	{metric.TTFT, []string{metric.Mean, metric.Median, metric.P99}}, {metric.TPOT, []string{metric.Mean, metric.Median, metric.P99}}, {metric.ITL, []string{metric.Mean, metric.Median, metric.P99}}, {metric.E2ELatency, []string{metric.Mean, metric.Median, metric.P99}}, {metric.NTPOT, []string{metric.Median, metric.P99}},
	{metric.PPSpeed, []string{metric.Value}}, {metric.TGSpeed, []string{metric.Value}},
	{metric.KVCacheUsage, []string{metric.Max, metric.Value}}, {metric.AchievedConcurrency, []string{metric.Value}}, {metric.PeakConcurrency, []string{metric.Value}}, {metric.RequestsRunning, []string{metric.Max, metric.Value}}, {metric.RequestsWaiting, []string{metric.Max, metric.Value}}, {metric.SpecDecodeAcceptance, []string{metric.Value}}, {metric.Power, []string{metric.Value, metric.Mean}}, {metric.EnergyPerToken, []string{metric.Value}},
	{metric.Duration, []string{metric.Value}},
}

// pointTable is some points with all metrics that any of them has. With named, each row is
// headed by its workload; else by its load.
func (d *draft) pointTable(r *figure.Run, caption string, ps []pointRow, named, ids bool) *table {
	t := &table{caption: caption, class: "compact"}
	if named {
		t.columns = append(t.columns, column{title: "Workload"}, column{title: "Load"})
	} else {
		switch ps[0].s.Axis {
		case record.AxisConcurrency:
			t.columns = append(t.columns, column{title: "Parallel", num: true})
		case record.AxisRate:
			t.columns = append(t.columns, column{title: "Rate", unit: "req/s", num: true})
		default:
			t.columns = append(t.columns, column{title: "Load", num: true})
		}
	}
	t.rows = make([]row, len(ps))
	for i, q := range ps {
		if ids {
			t.rows[i].id = pointID(q.s, q.p)
		}
		if ratio, _, _, ok := figure.Success(q.p); ok && ratio < 0.95 {
			t.rows[i].class = "amber"
		}
		load := figure.LoadText(q.p)
		if named {
			t.rows[i].cells = append(t.rows[i].cells, cell{text: q.s.Title, head: true}, cell{text: loadShort(q.p), class: "nw"})
		} else {
			if q.p.Repetition > 0 {
				load += ", repetition " + itoa(q.p.Repetition+1)
			}
			t.rows[i].cells = append(t.rows[i].cells, cell{text: load, head: true, exact: infTitle(figure.LoadOf(q.p))})
		}
	}
	for _, sh := range shownStats {
		info, _ := metric.Lookup(sh.metric)
		first := true
		var all []*float64
		for _, q := range ps {
			if v, _, ok := figure.Central(q.p, sh.metric); ok {
				all = append(all, &v)
			}
		}
		if len(all) == 0 {
			continue
		}
		scale := pivotScale(info, all)
		for _, stat := range sh.stats {
			if stat == metric.Mean && slices.Contains(sh.stats, metric.Median) && len(r.Points) > maxAcross && has(ps[0].s, sh.metric) {
				if _, ok := figure.Get(ps[0].p, sh.metric, metric.Median); ok {
					continue // the page of a large run is long enough with medians
				}
			}
			vs := make([]*float64, len(ps))
			any := false
			for i, q := range ps {
				if v, ok := figure.Get(q.p, sh.metric, stat); ok {
					vs[i] = &v
					any = true
				}
			}
			if !any {
				continue
			}
			c := column{num: true, title: info.Label, unit: scale.Unit}
			if first {
				c.note = statNote(r, ps, sh.metric, info, scale.Unit)
			}
			if stat != metric.Value && stat != metric.Max {
				c.unit = stat + ", " + scale.Unit
			}
			if !first {
				c.title, c.unit = stat, scale.Unit
			}
			first = false
			if sh.metric == metric.KVCacheUsage {
				c.title = "KV max"
			}
			t.columns = append(t.columns, c)
			for i, txt := range scale.Column(vs) {
				if vs[i] == nil {
					t.rows[i].cells = append(t.rows[i].cells, missing(""))
				} else {
					c := cell{text: txt, exact: scale.Exact(*vs[i])}
					if stat != metric.Median && stat != metric.Value && stat != metric.Max && len(r.Points) > maxAcross {
						c.exact = "" // in the file: digits that nothing compresses are most of a large page
					}
					t.rows[i].cells = append(t.rows[i].cells, c)
				}
			}
			if stat == metric.Max {
				break
			}
		}
	}
	// What one request sees of prefill and decode, where the tool does not say it itself.
	if named && !slices.ContainsFunc(ps, func(q pointRow) bool { return len(q.p.Metrics) > 0 && has(q.s, metric.PPSpeed) }) &&
		slices.ContainsFunc(ps, func(q pointRow) bool { a, b := figure.PrefillDecode(q.p); return a > 0 && b > 0 }) {
		t.columns = append(t.columns, column{title: "Prefill", unit: "tok/s, one request", num: true}, column{title: "Decode", unit: "tok/s, one request", num: true})
		for i, q := range ps {
			a, b := figure.PrefillDecode(q.p)
			t.rows[i].cells = append(t.rows[i].cells, numberCell(a, a > 0, metric.Scale{}), numberCell(b, b > 0, metric.Scale{}))
		}
	}
	if slices.ContainsFunc(ps, func(q pointRow) bool { _, ok := figure.TailRatio(q.p, metric.TTFT); return ok }) {
		t.columns = append(t.columns, column{title: "TTFT tail", unit: "p99 / median", num: true})
		for i, q := range ps {
			if v, ok := figure.TailRatio(q.p, metric.TTFT); ok {
				t.rows[i].cells = append(t.rows[i].cells, cell{text: metric.Format(v)}) // of two cells beside it
			} else {
				t.rows[i].cells = append(t.rows[i].cells, missing(""))
			}
		}
	}
	counted := slices.ContainsFunc(ps, func(q pointRow) bool { return q.p.Completed != nil })
	if counted {
		t.columns = append(t.columns, column{title: "Completed", unit: "of submitted", num: true})
	}
	t.columns = append(t.columns, column{title: "Source"})
	for i, q := range ps {
		c := completedCell([]*catalog.Point{q.p})
		if q.p.Errors != nil {
			var es []string
			for _, e := range q.p.Errors {
				es = append(es, metric.Count(e.Count)+" × "+e.Text)
			}
			c.exact = strings.Join(es, "; ")
		}
		if c.text == "" {
			c = missing("")
		}
		if counted {
			t.rows[i].cells = append(t.rows[i].cells, c)
		}
		src := d.sourceCell(r, q.p.At)
		if manySources(r) && src.href != "" {
			// Names and digests of many files would be most of the page. The page of the files has the
			// anchors of the points too.
			src = cell{text: "file", href: d.place.page(pathSources(r), pointID(q.s, q.p)), class: "nw"}
		}
		t.rows[i].cells = append(t.rows[i].cells, src)
	}
	return t
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
	for _, x := range figure.Meanings(r.Identity.Tool) {
		if x.Metric == m {
			info, _ := metric.Lookup(m)
			return info.Label + " is " + x.Text
		}
	}
	return ""
}

// sourceCell is the file and line a value was read from, linked to the run's list of sources.
func (d *draft) sourceCell(r *figure.Run, at catalog.Place) cell {
	if at.Source == "" {
		return missing("")
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
			return cell{text: clip(t, 28), exact: full, href: d.place.page(pathSources(r), "src-"+s.ID()), class: "nw"}
		}
	}
	return cell{text: at.Source, code: true}
}

// baseName is the last part of a path, archives included.
func baseName(p string) string {
	if i := strings.LastIndexByte(p, '!'); i >= 0 && i < len(p)-1 {
		p = p[i+1:]
	}
	return path.Base(p)
}

// clip shortens foreign text in the middle, where both ends tell things apart.
func clip(s string, n int) string {
	rs := []rune(s)
	if len(rs) <= n {
		return s
	}
	half := (n - 1) / 2
	return string(rs[:half]) + "…" + string(rs[len(rs)-(n-1-half):])
}

// profiles are the scatters and time lines of a run: the fit of prompt ingestion and the filling
// of the KV cache.
func (d *draft) profiles(r *figure.Run) {
	var scatter []Block
	var times []*catalog.Profile
	for i := range r.Profiles {
		p := &r.Profiles[i]
		switch {
		case len(p.X) == 0 || len(p.Lines) == 0:
		case p.Kind == "scatter":
			scatter = append(scatter, Block{Figure: d.profileFigure(r, p)})
		default:
			times = append(times, p)
		}
	}
	d.section("ingestion", "Prompt ingestion", scatter...)
	d.section("kv", "KV-cache profile", Block{Figure: d.timelineFigure(r, times)})
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
	t := thousands(m[1]) + " → " + thousands(m[2])
	if m[3] != "" {
		t += ", " + m[3] + " parallel"
	}
	return t
}

// figuresTable is every quantity of the whole run, with how it was computed. The loads within a
// limit, which the summary has too, open on demand; a card leaves them out.
func (d *draft) figuresTable(r *figure.Run, all bool) {
	var blocks []Block
	if whole := wholeFigures(r); len(whole) > 0 {
		blocks = append(blocks, d.table("figures", func() *table { return d.figureRows(r, "Figures of the whole run", whole) }))
	}
	limits := slices.DeleteFunc(slices.Clone(r.Figures), func(f catalog.Figure) bool { return !isThreshold(f) })
	if all && len(limits) > 0 {
		blocks = append(blocks, Block{Details: d.details("limits", plural(len(limits), "load", "loads")+" within a limit, by workload", func() *table {
			return d.figureRows(r, "Loads within a limit, by workload", limits)
		})})
	}
	d.section("figures", "Figures of the whole run", blocks...)
}

func (d *draft) figureRows(r *figure.Run, caption string, list []catalog.Figure) *table {
	t := &table{caption: caption, columns: []column{{title: "Figure"}, {title: "Value", num: true}, {title: "Unit"}, {title: "Published"}, {title: "How"}, {title: "Source"}}}
	for _, f := range list {
		info, _ := metric.Lookup(f.Metric)
		name := cell{text: info.Label, head: true, sub: figureOfText(f.Of)}
		v := missing("not recorded")
		if f.Value != nil {
			v = cell{text: metric.Format(*f.Value), exact: metric.Exact(*f.Value)}
			if isThreshold(f) {
				v.text = metric.Exact(*f.Value)
			}
		}
		pub := cell{text: strings.TrimSpace(f.Published), class: "nw"}
		if f.Published != "" && f.PublishedAt == (catalog.Place{}) && f.Value != nil {
			pub.sub = "rounded as its card would"
		}
		at := f.At
		if f.PublishedAt != (catalog.Place{}) {
			at = f.PublishedAt
		}
		t.rows = append(t.rows, row{cells: []cell{name, v, {text: f.Unit}, pub, {text: f.Basis}, d.sourceCell(r, at)}})
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
	d.section("system", "System", d.table("system", func() *table {
		t := &table{caption: "System configuration", class: "fit", columns: []column{{title: "Component"}, {title: "As recorded"}, {title: "From"}}}
		for _, k := range systemKeys {
			if a := r.Attributes[k.key]; a.Value != "" {
				t.rows = append(t.rows, row{cells: []cell{{text: k.label, head: true}, {text: a.Value, was: a.Was, class: "wrap-any"}, fromCell(a)}})
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
			t.rows = append(t.rows, row{cells: []cell{{text: "Device " + itoa(i), head: true}, {text: s}, {}}})
		}
		return t
	}))
}

// fromCell names the authority and the file of an attribute.
func fromCell(a catalog.Attribute) cell {
	c := cell{text: string(a.From)}
	if a.File != "" {
		c.sub = a.File
		if a.Line > 0 {
			c.sub += ":" + itoa(a.Line)
		}
	}
	return c
}

// provenance is where each piece of metadata comes from, and the list of files.
func (d *draft) provenance(r *figure.Run) {
	var blocks []Block
	if len(r.Attributes) > 0 {
		blocks = append(blocks, d.table("provenance", func() *table {
			t := &table{caption: "Where each value comes from", class: "prov", columns: []column{{title: "Value"}, {title: "As recorded"}, {title: "Read from"}, {title: "Kind", unit: "rank", note: "1 overrules all others"}}}
			for _, k := range sortedAttributes(r.Attributes) {
				a := r.Attributes[k]
				from := cell{text: a.File, class: "wrap-any"}
				if a.Line > 0 && a.File != "" {
					from.text += ":" + itoa(a.Line)
				}
				if a.File == "" {
					from = cell{text: "command line", class: "na"}
					if a.From == catalog.FromCI {
						from.text = "environment"
					}
				}
				v := cell{text: clip(a.Value, 400), was: a.Was, class: "wrap-any"}
				if a.Reason != "" {
					v.sub, v.subWarn = a.Reason, true
				}
				t.rows = append(t.rows, row{id: "attr-" + catalog.Slug(k), cells: []cell{{text: attributeLabel(k), head: true}, v, from, rankCell(a.From)}})
				for _, o := range a.Others {
					// A statement that lost stands below the one that holds.
					place := cell{text: o.File, class: "wrap-any"}
					if o.File != "" && o.Line > 0 {
						place.text += ":" + itoa(o.Line)
					}
					t.rows = append(t.rows, row{class: "lost", cells: []cell{{text: "overruled", head: true}, {was: clip(o.Value, 400), class: "wrap-any"}, place, rankCell(o.From)}})
				}
			}
			return t
		}))
	}
	if n := plural(len(r.Sources), "source file", "source files"); manySources(r) {
		blocks = append(blocks, Block{Text: []Part{{Text: n, Href: d.place.page(pathSources(r), "")}, {Text: ", with their digests."}}})
	} else if len(r.Sources) > 0 {
		blocks = append(blocks, Block{Heading: &Heading{ID: "sources", Text: n}}, d.table("sources", func() *table { return d.sourcesTable(r) }))
	}
	if u := d.g.issueAddress(r, ""); u != "" {
		blocks = append(blocks, Block{Text: []Part{{Text: "Report a wrong number", Href: u}}})
	}
	d.section("provenance", "Provenance", blocks...)
}

// sourcesTable lists the files a run was read from: where they are published, by whom and under
// which licence.
func (d *draft) sourcesTable(r *figure.Run) *table {
	t := &table{caption: "Source files", class: "prov compact", columns: []column{{title: "File"}, {title: "Format"}, {title: "SHA-256"}, {title: "Published as"}, {title: "Licence"}}}
	points := map[string][]pointRow{}
	if manySources(r) {
		t.columns = append(t.columns, column{title: "Points"})
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
		c := cell{text: s.Title, href: webAddress(s.Address), class: "wrap-any", sub: s.Date}
		if s.Title == "" && s.Address != "" {
			c.text = s.Address
		}
		if s.CI != nil {
			if u := webAddress(s.CI.URL); u != "" && c.href == "" {
				c.text, c.href = cmp.Or(s.CI.Workflow, "CI run"), u
			}
			if s.CI.Commit != "" {
				c.sub = strings.TrimSpace(c.sub + " commit " + s.CI.Commit)
			}
		}
		if c.text == "" {
			c = missing("not recorded")
		}
		lic := cell{text: s.License}
		if s.License == "" {
			lic = missing("not recorded")
		}
		rw := row{id: id, cells: []cell{{text: s.Path, head: true, class: "wrap-any"}, {text: s.Format, class: "nw"}, {text: s.ID(), code: true, exact: s.SHA256, class: "nw"}, c, lic}}
		if manySources(r) {
			// Each point's anchor stands here too; the first file of equal ones has it.
			ps := points[s.ID()]
			delete(points, s.ID())
			rw.cells = append(rw.cells, cell{class: "wrap-any", after: fragment(func(m *markup) {
				for i, q := range ps {
					if i > 0 {
						m.raw("; ")
					}
					m.raw("<a")
					m.attr("id", pointID(q.s, q.p))
					m.attr("href", d.pointHref(r, q.s, q.p))
					m.raw(">")
					m.text(q.s.Title + ", " + loadShort(q.p))
					m.raw("</a>")
				}
			})})
		}
		t.rows = append(t.rows, rw)
	}
	return t
}

// authorities are the kinds of statement about a run, the one that overrules all others first.
var authorities = []catalog.Authority{catalog.FromOverride, catalog.FromRecord, catalog.FromMetadata, catalog.FromSidecar, catalog.FromRule, catalog.FromFlag, catalog.FromCI}

// rankCell names the kind of a statement with its rank.
func rankCell(a catalog.Authority) cell {
	c := cell{text: string(a), class: "nw"}
	if i := slices.Index(authorities, a); i >= 0 {
		c.text += ", " + itoa(i+1)
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
	var ss []Sentence
	for _, f := range fs {
		parts := text(sentenceCase(parted(sentenceText(f.Message))))
		if f.Path != "" {
			place := f.Path
			if f.Line > 0 {
				place += ":" + itoa(f.Line)
			}
			parts = append(parts, Part{Text: " "}, Part{Text: place, Code: true})
		}
		if f.Accepted {
			parts = append(parts, Part{Text: " Acknowledged in a sidecar."})
		}
		ss = append(ss, Sentence{Topic: findingTopic(f.Code), Warn: f.Severity != record.Remark && !f.Accepted, Parts: parts})
	}
	d.section("findings", "Findings", paragraph("What reading the sources turned up: contradictions, gaps and overrides."), Block{Says: ss})
}

// messageNumbers are the counts and lengths that messages hold: "1015 of 2000", "4096 in, 128 out".
var messageNumbers = regexp.MustCompile(`\b\d{4,9} (?:of|in|out|requests|prompts|tokens)\b|\bof \d{4,9}\b`)

// parted parts the thousands of counts and lengths in a message as everywhere else on the page.
func parted(s string) string {
	return messageNumbers.ReplaceAllStringFunc(s, func(m string) string {
		ws := strings.Split(m, " ")
		for i, w := range ws {
			ws[i] = thousands(w)
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
