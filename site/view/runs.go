package view

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/claim"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
	"github.com/inferdex/inferdex/ingest/settings"
	"github.com/inferdex/inferdex/site/page"
)

// runsPage is a page of the list of all runs, the newest first.
func (g *Site) runsPage(all []listPart[*figure.Run], i int) *draft {
	part := all[i]
	title, caption := "Runs", "All runs"
	about := claim.Plain("Every run of the catalog by date; those without one stand behind.")
	if len(all) > 1 {
		caption = "The newest runs"
	}
	if i > 0 {
		title, about = runsTitle(part), runsAbout(part)
		caption = "Runs of " + daysText(part)
	}
	d := g.draft(part.path, "runs", "runs", title, about)
	if i == 0 {
		d.view.Lede = d.lede(claim.NewTally(claim.All, part.list...).Much(claim.RunCount, "run").
			Say(" by date; those without one stand behind. A run keeps its address for ever.").Sentence(), nil).
			And(d.unidentified())
	} else {
		d.view.Crumbs = []page.Link{{Text: "Runs", Href: d.Place.To(page.PathRuns, "")}, {Text: title}}
		d.view.Lede = d.lede(about, nil)
	}
	if len(part.rows) == 0 {
		return d.none()
	}
	var blocks []page.Block
	if slices.ContainsFunc(part.rows, func(r *figure.Run) bool {
		_, p, _ := PeakOf(r)
		if p == nil {
			return false
		}
		_, counted := r.PerAccelerator(p)
		return !counted
	}) {
		blocks = append(blocks, page.Paragraph(inAllNote))
	}
	here := page.Parts{}
	if i == 0 && len(all) > 1 {
		here = page.Text("The newest " + metric.Count(len(part.rows)) + " stand here, older runs on the pages named below " +
			"the table. ")
	}
	// The filter of the table is a script's, and of one page: these lists need none.
	blocks = append(blocks, here.Text("The runs of one ").Link("model", d.Place.To(page.PathModels, "")).
		Text(", ").Link("accelerator", d.Place.To(page.PathHardware, "")).Text(" or ").
		Link("engine", d.Place.To(PathEngines, "")).Text(" stand on its own page too.").Block())
	blocks = append(blocks, d.table("runs", func() *page.Grid { return d.runsTable(caption, part.rows) }),
		turn(d.Place, all, i, "Newer runs", "Older runs", daysText))
	d.section("all", caption, blocks...)
	return d.done()
}

// runsTitle is the title of a further page of the list of runs. It counts from the oldest, whose place no new run changes.
func runsTitle(p listPart[*figure.Run]) string {
	last := len(p.list) - p.begin
	return "Runs " + metric.Count(last-len(p.rows)+1) + " to " + metric.Count(last) + ", counted from the oldest"
}

func runsAbout(p listPart[*figure.Run]) claim.Sentence {
	c := claim.NewTally(claim.Chosen, p.rows...).Much(claim.RunCount, "run")
	if day := c.NewestDay(); day != "" {
		c.Say(", the newest of ").Name(day)
	}
	return c.Say(".").Sentence()
}

// daysText are the days of a page of runs, which begins with the newest: "2025-03-01 to 2025-04-02". Runs without a date
// stand behind all others.
func daysText(p listPart[*figure.Run]) string {
	dated := slices.IndexFunc(p.rows, func(r *figure.Run) bool { return r.Started == "" })
	switch dated {
	case 0:
		return "not dated"
	case -1:
		dated = len(p.rows)
	}
	text := page.Day(p.rows[0].Started)
	if from := page.Day(p.rows[dated-1].Started); from != text {
		text = from + " to " + text
	}
	if dated < len(p.rows) {
		text += " and not dated"
	}
	return text
}

// runsTable lists runs with what they are best known by.
func (d *draft) runsTable(caption string, runs []*figure.Run) *page.Grid {
	t := page.NewTable(caption, "runs list", runs)
	t.Col("Date", dateCell)
	t.Col("Model", func(r *figure.Run) page.Cell {
		return page.Cell{Text: r.Model.Name, Href: d.Place.To(PathRun(r.ID), ""), Head: true, Sub: r.OwnName()}
	})
	t.Add(page.Column{Title: "Result", Unit: resultUnit(runs), Num: true, Front: true,
		Note: "Peak output throughput; where a run has none, what the next column names"}, d.resultCell)
	t.Add(page.Column{Title: "Workload and load", Unit: "tokens in → out"}, func(r *figure.Run) page.Cell {
		text, exact := resultAt(r, true)
		return page.Cell{Text: text, Exact: exact}
	})
	t.Add(page.Column{Title: "Hardware", Front: true}, func(r *figure.Run) page.Cell {
		if r.Hardware.Accelerator.Slug == settings.NotRecorded {
			return page.Missing("not recorded")
		}
		return page.Cell{Text: r.Hardware.Name, Href: d.cardHref(r)}
	})
	t.Col("Engine, tool", func(r *figure.Run) page.Cell {
		c := page.Cell{Text: engineShort(r.Engine), Sub: r.Tool.Name}
		switch {
		case c.Text == "":
			c = page.Missing("not recorded")
			c.Sub = r.Tool.Name
		case r.Engine.Version == "":
			c.Text += ", no version"
		}
		return c
	})
	t.Num("Points", "", func(r *figure.Run) page.Cell { return page.Count(len(r.Points)) })
	t.Col("Remarks", d.remark)
	fromColumn(t, runs)
	return t.Done()
}

// fromColumn says which catalog published a run, in a table with runs that this one does not have.
func fromColumn(t *page.Table[*figure.Run], runs []*figure.Run) {
	if slices.ContainsFunc(runs, func(r *figure.Run) bool { return r.Elsewhere() != "" }) {
		t.Col("From", func(r *figure.Run) page.Cell {
			from := r.From()
			if from.Page == "" {
				return page.Cell{Text: "this catalog"}
			}
			return page.Cell{Text: cmp.Or(from.Title, from.Catalog), Href: page.WebAddress(from.Page)}
		})
	}
}

// runColumns are the engine and the tool of each run of a table, and how many points there are.
func runColumns(t *page.Table[*figure.Run]) {
	t.Col("Engine", func(r *figure.Run) page.Cell {
		e, versioned := EngineText(r.Engine)
		switch {
		case e == "":
			return page.Missing("not recorded")
		case !versioned:
			return page.Cell{Text: e, Note: "version not recorded"}
		}
		return page.Cell{Text: e, Class: "nw"}
	})
	t.Col("Tool", func(r *figure.Run) page.Cell { return page.Cell{Text: r.Tool.Name, Class: "nw"} })
	t.Num("Points", "", func(r *figure.Run) page.Cell { return page.Count(len(r.Points)) })
}

// unbroken keeps a name that is short enough on one line.
func unbroken(c page.Cell) page.Cell {
	if utf8.RuneCountInString(c.Text+c.Note) <= 40 {
		c.Class = "nw"
	}
	return c
}

// dateCell is the day of a run.
func dateCell(r *figure.Run) page.Cell {
	if r.Started == "" {
		return page.Missing("not dated")
	}
	return page.Cell{Text: page.Day(r.Started), Class: "nw"}
}

// headlineOf is the number that stands for a run without a peak in a list: its decode speed, else its speed per
// request, else the first of its headlines.
func headlineOf(r *figure.Run) (h figure.Headline, ok bool) {
	hs := r.Headlines()
	if len(hs) == 0 {
		return h, false
	}
	for _, name := range []string{figure.DecodeSpeed, figure.SuiteSpeed} {
		for _, h := range hs {
			if h.Name == name {
				return h, true
			}
		}
	}
	return hs[0], true
}

// resultUnit is what the results of some runs are counted in: of accelerators only where some run records how many it
// has.
func resultUnit(runs []*figure.Run) string {
	for _, r := range runs {
		if _, p, _ := PeakOf(r); p != nil {
			if _, ok := r.PerAccelerator(p); ok {
				return "tok/s per accelerator"
			}
		}
	}
	return "tok/s"
}

// resultCell is the highest output throughput of a run for each of its accelerators, else the number that stands for
// it.
func (d *draft) resultCell(r *figure.Run) page.Cell {
	if s, p, v := PeakOf(r); p != nil {
		b := bestPoint{result: result{run: r, scenario: s}, point: p, total: v}
		b.each, _ = r.PerAccelerator(p)
		return d.eachCell(b)
	}
	h, ok := headlineOf(r)
	if !ok {
		return page.Missing("no figure")
	}
	return d.headlineCell(r, h)
}

// headlineCell is a headline figure of a run with its unit where that is none of a speed, and a link to its point. A
// throughput that is none of output alone is named, since it stands in columns of output, and is that of all accelerators.
func (d *draft) headlineCell(r *figure.Run, h figure.Headline) page.Cell {
	c := headlineRankCell(h, true)
	if h.Value != nil {
		text, unit := h.Text()
		if c.Text = text; unit != metric.TokensPerSecond {
			c.Text += metric.ThinSpace + unit
		}
	}
	if info, ok := metric.Lookup(metric.ID(h.Name)); ok && info.Sums && c.Sub == "" {
		if c.Sub = strings.ToLower(info.Label); r.Hardware.Count > 1 {
			c.Sub += ", in all"
		}
	}
	c.Unit = metric.TokensPerSecond
	if c.Class = "nw"; h.Point != nil {
		c.Href = d.pointHref(r, h.Scenario, h.Point)
	}
	return c
}

// resultAt says what the result of a run is of, and in full. Beside a decode speed it has the prefill speed too, unless
// that has a column of its own.
func resultAt(r *figure.Run, prefill bool) (text, exact string) {
	if s, p, _ := PeakOf(r); p != nil {
		return lengthsTitle(s) + ", " + loadShort(p), s.Title
	}
	h, ok := headlineOf(r)
	switch {
	case !ok:
		return "", ""
	case h.Scenario == nil:
		return cmp.Or(suiteWords[h.Name], h.Label), ""
	case h.Name != figure.DecodeSpeed:
		return h.Label, ""
	}
	for _, other := range r.Headlines() {
		if other.Name != figure.PrefillSpeed {
			continue
		}
		v, _ := other.Text()
		if !prefill && other.Scenario == h.Scenario {
			return "decode, prefill; " + h.Scenario.Title, h.Basis
		}
		if !prefill {
			return h.Label + "; " + other.Label, h.Basis
		}
		if other.Scenario == h.Scenario {
			return "decode, prefill " + v + "; " + h.Scenario.Title, h.Basis
		}
		return h.Label + "; " + other.Label + ": " + v, h.Basis
	}
	return h.Label, h.Basis
}

// PeakOf is the point of a run with the highest output throughput.
func PeakOf(r *figure.Run) (*figure.Scenario, *catalog.Point, float64) { return r.Peak() }

// remark is what a reader of a list has to know first about a run.
func (d *draft) remark(r *figure.Run) page.Cell {
	if r.Demo {
		return page.Cell{Text: "for show"}
	}
	if r.Withdrawn != "" {
		return page.Cell{Text: "withdrawn", Href: d.Place.To(PathRun(r.ID), "withdrawn"), Class: "warn"}
	}
	var all, worst figure.Outcome
	points := 0
	var worstText, href string
	for _, s := range r.Scenarios {
		for _, p := range s.Points {
			o, ok := figure.Success(p)
			if !ok {
				continue
			}
			all = all.Add(o)
			if o.Short() {
				points++
				if points == 1 || o.Ratio() < worst.Ratio() {
					worst = o
					worstText = o.Words("") + placed(p)
					href = d.pointHref(r, s, p)
				}
			}
		}
	}
	if points > 0 && worst.Ratio() < 0.95 {
		return page.Cell{Text: worstText, Href: href, Class: "warn"}
	}
	for _, s := range r.Scenarios {
		if p, _, ok := s.Peak(metric.OutputThroughput); ok {
			if n, above := figure.AboveNumPrompts(p); above {
				return page.Cell{Text: metric.Count(n) + " prompts at concurrency " + figure.LoadText(p),
					Href: d.pointHref(r, s, p), Class: "warn"}
			}
		}
	}
	for _, f := range r.Findings {
		if f.Severity == record.Error && !f.Accepted {
			return page.Cell{Text: findingTopic(f.Code), Href: d.Place.To(PathRun(r.ID), "findings"), Class: "warn"}
		}
	}
	if points > 0 {
		return page.Cell{Text: metric.Count(all.Submitted-all.Completed+all.NoOutput) + " of " +
			metric.Count(all.Submitted) + " failed", Href: href, Class: "warn"}
	}
	for _, f := range r.Findings {
		if f.Severity == record.Warning && !f.Accepted {
			return page.Cell{Text: findingTopic(f.Code), Href: d.Place.To(PathRun(r.ID), "findings"), Class: "warn"}
		}
	}
	if s := r.Card.Stale; s != nil && s.Newest == page.Day(r.Started) {
		return page.Cell{Text: "stale", Href: d.Place.To(page.PathCard(r.Card.Slug), "stale"), Class: "warn"}
	}
	return page.Cell{}
}
