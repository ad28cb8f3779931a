package view

import (
	"unicode/utf8"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
	"github.com/inferdex/inferdex/site/page"
)

// runsPage lists all runs, the newest first.
func (g *Site) runsPage() *draft {
	d := g.draft(page.PathRuns, "runs", "runs", "Runs", "Every run of the catalog, the newest first.")
	n := len(g.Index.Runs)
	d.view.Lede = page.Text(page.Plural(n, "run", "runs") + ", the newest first. A run keeps its address for ever.")
	if n == 0 {
		d.section("runs", "Runs", page.Paragraph("The catalog holds no run yet."))
		return d.done()
	}
	// A table of more rows is slow to lay out on a phone.
	const most = 500
	runs := g.Index.Runs[:min(most, n)]
	blocks := []page.Block{d.table("runs", func() *page.Grid { return d.runsTable("All runs", runs) })}
	if n > most {
		blocks = append(blocks, page.Block{Text: []page.Part{{Text: metric.Count(int64(n-most)) + " older runs are on the pages of their "}, {Text: "models", Href: d.Place.To(page.PathModels, "")}, {Text: " and in "}, {Text: "runs.csv", Href: d.File("data/runs.csv")}, {Text: "."}}})
	}
	d.section("all", "All runs", blocks...)
	return d.done()
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
	href := d.Place.To(PathRun(r.ID), "")
	if names {
		cs = append(cs, date)
		c := page.Cell{Text: r.Model.Name, Href: href, Head: true}
		c.Note = OwnName(r)
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
	e, versioned := EngineText(r.Engine)
	engine := page.Cell{Text: e, Class: "nw"}
	if e == "" {
		engine = page.Missing("not recorded")
	} else if !versioned {
		engine.Note, engine.Class = "version not recorded", ""
	}
	cs = append(cs, engine, page.Cell{Text: ToolText(r), Class: "nw"})
	cs = append(cs, page.Cell{Text: metric.Count(int64(len(r.Points)))})
	peak, at := page.Missing("not recorded"), page.Cell{}
	if len(r.Points) == 0 {
		peak = page.Missing("figures only")
	}
	if s, p, v := PeakOf(r); p != nil {
		peak = page.Cell{Text: metric.Format(v), Exact: metric.Exact(v), Href: d.pointHref(r, s, p)}
		at = page.Cell{Text: lengthsTitle(s) + ", " + loadShort(p), Exact: s.Title, Class: "nw"}
	} else if hs := r.SuiteHeadlines(); len(hs) > 0 {
		at = page.Cell{Text: headlineShort(hs[0]), Class: "nw"}
	}
	cs = append(cs, peak, at, d.remark(r))
	return page.Row{Cells: cs}
}

// PeakOf is the point of a run with the highest output throughput.
func PeakOf(r *figure.Run) (s *figure.Scenario, p *catalog.Point, v float64) {
	for _, sc := range r.Scenarios {
		if q, w, ok := sc.Peak(metric.OutputThroughput); ok && (p == nil || w > v) {
			s, p, v = sc, q, w
		}
	}
	return s, p, v
}

// remark is what a reader of a list has to know first about a run.
func (d *draft) remark(r *figure.Run) page.Cell {
	if r.Withdrawn != "" {
		return page.Cell{Text: "withdrawn", Href: d.Place.To(PathRun(r.ID), "findings"), Class: "warn"}
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
			return page.Cell{Text: findingTopic(f.Code), Href: d.Place.To(PathRun(r.ID), "findings"), Class: "warn"}
		}
	}
	if points > 0 {
		return page.Cell{Text: metric.Count(sent-done) + " of " + metric.Count(sent) + " failed", Href: href, Class: "warn"}
	}
	for _, f := range r.Findings {
		if f.Severity == record.Warning && !f.Accepted {
			return page.Cell{Text: findingTopic(f.Code), Href: d.Place.To(PathRun(r.ID), "findings"), Class: "warn"}
		}
	}
	return page.Cell{}
}
