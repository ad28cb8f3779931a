package view

import (
	"math"
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
		rw.Cells = append(rw.Cells, page.Cell{Text: s.Title, Href: d.Place.To(PathRun(r.ID), "data-"+s.Key), Head: true})
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
