package view

import (
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
	"github.com/inferdex/inferdex/site/page"
)

// summary is one line for each workload with several loads: peak, knee, scaling, limits.
func (d *draft) summary(r *figure.Run) {
	list := summarized(r)
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
	d.section("summary", "Summary", page.Text(intro+" ").Link("Formulas", d.formula("saturation-knee")).Block(),
		further(d.Place, d.summarySpans(r, list), 0),
		d.table("summary", func() *page.Grid { return d.summaryTable(r, list, d.summarySpans(r, list)[0]) }), d.acrossBlock(r))
}

// summarySpans are the pages of the summary of a run, the first that of the page itself.
func (d *draft) summarySpans(r *figure.Run, list []*figure.Scenario) []span {
	if d.whole {
		return []span{{path: string(d.Place), end: len(list)}}
	}
	return summarySpans(r, string(d.Place), list)
}

// summarySpans are the pages of the summary of a run that begins on the page at path.
func summarySpans(r *figure.Run, path string, list []*figure.Scenario) []span {
	return spans(path, PathRun(r.ID)+"/summary", len(list), mostTogether, even)
}

// pathSummary is the page of the summary of a run: that of the card where the run is its only one.
func pathSummary(r *figure.Run) string {
	if aloneOnCard(r) {
		return page.PathCard(r.Card.Slug)
	}
	return PathRun(r.ID)
}

// summaryPage is a further page of the summary of a run.
func (g *Site) summaryPage(r *figure.Run, i int) *draft {
	list := summarized(r)
	all := summarySpans(r, pathSummary(r), list)
	d := g.spanPage(r, all, i, "", summaryName)
	d.section("summary", "Summary", further(d.Place, all, i),
		d.table("summary", func() *page.Grid { return d.summaryTable(r, list, all[i]) }))
	return d.done()
}

// summarized are the workloads of a run that have a peak; without one its page has no summary.
func summarized(r *figure.Run) (list []*figure.Scenario) {
	for _, s := range r.Scenarios {
		if loads(s) > 1 && (has(s, metric.OutputThroughput) || has(s, metric.TotalGenerationSpeed)) {
			list = append(list, s)
		}
	}
	return list
}

func (d *draft) summaryTable(r *figure.Run, list []*figure.Scenario, here span) *page.Grid {
	m := speedMetric(r)
	at := strings.TrimSpace(kindOf(list[0].Axis).unit)
	if at == "parallel requests" {
		at = "parallel"
	}
	t := page.NewTable("Workloads: peak, knee, scaling and limits", "sumt", list)
	t.Only(here.rows())
	t.Each(func(i int, s *figure.Scenario, row *page.Row) {
		row.ID = "sum-" + s.Key
		if i > 0 {
			in, _, _ := s.Lengths()
			if before, _, _ := list[i-1].Lengths(); in != before {
				row.Class = "sep"
			}
		}
	})
	load := func(p *catalog.Point, ok bool) page.Cell {
		if !ok {
			return page.Missing("")
		}
		return page.Cell{Text: figure.LoadText(p)}
	}
	t.Col("Workload", func(s *figure.Scenario) page.Cell {
		return page.Cell{Text: s.Title, Href: d.Place.To(d.g.pathPoint(r, anchorOf(s)), anchorOf(s)), Head: true}
	})
	t.Num("Prompt", "tokens, actual", func(s *figure.Scenario) page.Cell {
		a, _ := s.ActualLengths()
		if a <= 0 {
			return page.Missing("")
		}
		return page.Cell{Text: countText(a), Exact: metric.Exact(a)}
	})
	t.Num("Largest load", at, func(s *figure.Scenario) page.Cell { return load(s.Largest(), true) })
	peak := "Peak output"
	if m == metric.TotalGenerationSpeed {
		peak = "Peak total generation"
	}
	t.Num(peak, "tok/s", func(s *figure.Scenario) page.Cell {
		p, v, ok := s.Peak(m)
		c := page.NumberIf(v, ok, metric.Scale{})
		if ok {
			c.Href = d.pointHref(r, s, p)
		}
		return c
	})
	t.Num("At", at, func(s *figure.Scenario) page.Cell {
		p, _, ok := s.Peak(m)
		c := load(p, ok)
		if ok && !promptsWarning(&c, p) && s.StillRising(m) {
			c.Text += ", still rising"
		}
		return c
	})
	t.Num("Knee", at, func(s *figure.Scenario) page.Cell {
		k, _, ok := s.Knee(m)
		return load(k, ok)
	})
	t.Num("Scaling", "%, largest", func(s *figure.Scenario) page.Cell {
		e, _, ok := s.Scaling(s.Largest())
		return page.NumberIf(metric.Round12(e*100), ok && s.Axis != record.AxisRate, metric.Scale{})
	})
	t.Num("Sweet spot", at, func(s *figure.Scenario) page.Cell {
		sw, ok := s.SweetSpot()
		c := load(sw.Point, ok)
		if ok {
			c.Href, c.Sub = d.pointHref(r, s, sw.Point), metric.Format(sw.PerUser)+" tok/s a user"
		}
		return c
	})
	t.Num("≥ 20 tok/s", "up to", func(s *figure.Scenario) page.Cell { return limitCell(s.KeepsSpeed(20)) })
	t.Num("KV < 95 %", "up to", func(s *figure.Scenario) page.Cell { return limitCell(keepsKV(s)) })
	t.Num("Highest KV", "%", highestKV)
	requestColumns(t)
	return t.Done()
}

// requestColumns are how many requests of each workload were sent, how many not completed and, where some are known to
// be, how many completed without output.
func requestColumns(t *page.Table[*figure.Scenario]) {
	counted := func(title string, f func(figure.Outcome) page.Cell) {
		t.Num(title, "", func(s *figure.Scenario) page.Cell {
			o := figure.Requests(s.Points)
			if o.Submitted == 0 {
				return page.Missing("")
			}
			return f(o)
		})
	}
	counted("Requests", func(o figure.Outcome) page.Cell { return page.Count(o.Submitted) })
	counted("Not completed", func(o figure.Outcome) page.Cell {
		c := page.Count(o.Submitted - o.Completed)
		if o.Submitted > o.Completed {
			c.Class = "warn"
		}
		return c
	})
	counted("Without output", func(o figure.Outcome) page.Cell {
		if o.NoOutput == 0 {
			return page.Missing("")
		}
		c := page.Count(o.NoOutput)
		c.Class = "warn"
		return c
	})
}

// highestKV is how full the KV cache was at most under a workload.
func highestKV(s *figure.Scenario) page.Cell {
	top, ok := 0.0, false
	for _, p := range s.Points {
		if v, _, has := figure.Central(p, metric.KVCacheUsage); has {
			top, ok = max(top, v), true
		}
	}
	c := page.NumberIf(top, ok, metric.ScaleIn(metric.Fraction, metric.Percents))
	if ok {
		c.Exact += " %"
	}
	return c
}

// limitCell writes the largest load that keeps a limit.
func limitCell(load float64, measured, ok bool) page.Cell {
	switch {
	case !ok:
		return page.Missing("")
	case load == 0:
		return page.Cell{Text: "none", Class: "na"}
	case measured:
		return page.Cell{Text: "≥ " + metric.Chosen(load)}
	}
	return page.Cell{Text: metric.Chosen(load)}
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
