package site

import (
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
)

// utilizationRow is one load of a workload with what could be computed for it.
type utilizationRow struct {
	s        *figure.Scenario
	p        *catalog.Point
	mbu, mfu *figure.Utilization
}

// utilization is how much of bandwidth, compute and memory a run used, with what was assumed.
func (d *draft) utilization(r *figure.Run) {
	var rows []utilizationRow
	for _, s := range r.Scenarios {
		points := []*catalog.Point{s.Points[0]}
		if p, _, ok := s.Peak(metric.OutputThroughput); ok && p != s.Points[0] {
			points = append(points, p)
		}
		for _, p := range points {
			w := utilizationRow{s: s, p: p}
			if u, ok := d.g.ix.MBU(r, p); ok {
				w.mbu = &u
			}
			if u, ok := d.g.ix.MFU(r, p); ok {
				w.mfu = &u
			}
			if w.mbu != nil || w.mfu != nil {
				rows = append(rows, w)
			}
		}
	}
	k, hasKV := r.KVCapacity()
	if len(rows) == 0 && !hasKV {
		return
	}
	const most = 18
	more := len(rows) - most
	rows = rows[:min(most, len(rows))]
	var warn []Sentence
	var assumed [][]Part
	seen := map[string]bool{}
	assume := func(what, anchor string, list []string) {
		list = slices.DeleteFunc(slices.Clone(list), func(s string) bool { return seen[what+s] })
		for _, s := range list {
			seen[what+s] = true
		}
		if len(list) > 0 {
			assumed = append(assumed, []Part{{Text: what, Href: d.place.page(pathMethodology, anchor)}, {Text: ": " + strings.Join(list, "; ") + "."}})
		}
	}
	warning := func(s *figure.Scenario, p *catalog.Point, text string) {
		if text != "" && !seen[text] {
			seen[text] = true
			ps := []Part{{Text: sentenceCase(text) + ": "}, {Text: glue(s.Title) + " " + figure.LoadPhrase(p), Href: d.pointHref(r, s, p)}, {Text: "."}}
			warn = append(warn, Sentence{Topic: "Above 100" + metric.ThinSpace + "%", Warn: true, Parts: ps})
		}
	}
	// What is assumed is said for the row of the highest load; the others differ in their loads.
	for i := len(rows) - 1; i >= 0; i-- {
		if u := rows[i].mbu; u != nil {
			if !seen["MBU"] {
				assume("MBU", "mbu", u.Assumptions)
				seen["MBU"] = true
			}
			warning(rows[i].s, rows[i].p, u.Warning)
		}
		if u := rows[i].mfu; u != nil {
			if !seen["MFU"] {
				assume("MFU", "mfu", u.Assumptions)
				seen["MFU"] = true
			}
			warning(rows[i].s, rows[i].p, u.Warning)
		}
	}
	var blocks []Block
	if hasKV {
		line := []Part{{Text: "KV-cache capacity", Href: d.place.page(pathMethodology, "kv-capacity-estimate")}, {Text: ": "}}
		if k.Measured != nil {
			line = append(line, Part{Text: metric.Format(*k.Measured) + " tokens measured", Title: metric.Exact(*k.Measured)}, Part{Text: ", at most "})
		} else {
			line = append(line, Part{Text: "not measured, at most "})
		}
		line = append(line, Part{Text: metric.Format(k.Estimated) + " tokens estimated", Title: metric.Exact(k.Estimated)})
		if k.Share != nil {
			line = append(line, Part{Text: ", of which the measured are " + percentText(*k.Share)})
		}
		blocks = append(blocks, Block{Text: append(line, Part{Text: "."})})
		assume("KV-cache estimate", "kv-capacity-estimate", k.Assumptions)
		if k.Warning != "" {
			warn = append(warn, Sentence{Topic: "KV cache", Warn: true, Parts: text(sentenceCase(k.Warning) + ".")})
		}
	}
	if len(warn) > 0 {
		blocks = append(blocks, Block{Says: warn})
	}
	if len(rows) > 0 {
		blocks = append(blocks, d.table("utilization", func() *table {
			mbu := slices.ContainsFunc(rows, func(w utilizationRow) bool { return w.mbu != nil })
			mfu := slices.ContainsFunc(rows, func(w utilizationRow) bool { return w.mfu != nil })
			t := &table{caption: "Share of bandwidth and compute that was used", class: "compact fit", columns: []column{{title: "Workload"}, {title: "Load"}}}
			if mbu {
				t.columns = append(t.columns, column{title: "MBU", unit: "of bandwidth", num: true})
			}
			if mfu {
				t.columns = append(t.columns, column{title: "MFU", unit: "of dense peak", num: true})
			}
			for _, w := range rows {
				rw := row{cells: []cell{{text: w.s.Title, head: true}, {text: loadShort(w.p), href: d.pointHref(r, w.s, w.p), class: "nw"}}}
				if mbu {
					rw.cells = append(rw.cells, utilizationCell(w.mbu))
				}
				if mfu {
					rw.cells = append(rw.cells, utilizationCell(w.mfu))
				}
				t.rows = append(t.rows, rw)
			}
			return t
		}))
	}
	if more > 0 {
		blocks = append(blocks, paragraph("The first "+itoa(most)+" of "+itoa(most+more)+" loads."))
	}
	if len(assumed) > 0 {
		blocks = append(blocks, Block{List: assumed})
	}
	d.section("utilization", "Use of bandwidth, compute and memory", blocks...)
}

// utilizationCell is a share or, where a factor is not one number, its range.
func utilizationCell(u *figure.Utilization) cell {
	if u == nil {
		return missing("")
	}
	c := cell{text: metric.Percent(u.Lo), exact: metric.Exact(u.Lo)}
	if u.Range() {
		c = cell{text: strings.TrimSuffix(metric.Percent(u.Lo), metric.ThinSpace+"%") + "–" + metric.Percent(u.Hi), exact: metric.Exact(u.Lo) + " to " + metric.Exact(u.Hi)}
	}
	if u.Warning != "" {
		c.class = "warn"
	}
	return c
}
