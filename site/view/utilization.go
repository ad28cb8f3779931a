package view

import (
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/site/page"
)

// utilizationRow is one load of a workload with what could be computed for it.
type utilizationRow struct {
	s        *figure.Scenario
	p        *catalog.Point
	mbu, mfu *figure.Utilization
}

// utilizationRows are the first load and the peak of each workload of which a share is known.
func (g *Site) utilizationRows(r *figure.Run) []utilizationRow {
	var rows []utilizationRow
	for _, s := range r.Scenarios {
		points := []*catalog.Point{s.Points[0]}
		if p, _, ok := s.Peak(metric.OutputThroughput); ok && p != s.Points[0] {
			points = append(points, p)
		}
		for _, p := range points {
			w := utilizationRow{s: s, p: p}
			if u, ok := g.Index.MBU(r, p); ok {
				w.mbu = &u
			}
			if u, ok := g.Index.MFU(r, p); ok {
				w.mfu = &u
			}
			if w.mbu != nil || w.mfu != nil {
				rows = append(rows, w)
			}
		}
	}
	return rows
}

// utilization is how much of bandwidth, compute and memory a run used, with what was assumed.
func (d *draft) utilization(r *figure.Run) {
	rows := d.g.utilizationRows(r)
	k, hasKV := r.KVCapacity()
	if len(rows) == 0 && !hasKV {
		return
	}
	const most = 18
	more := len(rows) - most
	rows = rows[:min(most, len(rows))]
	var warn []page.Sentence
	var assumed [][]page.Part
	seen := map[string]bool{}
	assume := func(what, anchor string, list []string) {
		list = slices.DeleteFunc(slices.Clone(list), func(s string) bool { return seen[what+s] })
		for _, s := range list {
			seen[what+s] = true
		}
		if len(list) > 0 {
			assumed = append(assumed, page.Linked(what, d.formula(anchor)).Text(": "+strings.Join(list, "; ")+"."))
		}
	}
	// What is assumed is said for the row of the highest load; the others differ in their loads.
	share := func(w utilizationRow, what, anchor string, u *figure.Utilization) {
		if u == nil {
			return
		}
		if !seen[what] {
			assume(what, anchor, u.Assumptions)
			seen[what] = true
		}
		if u.Warning != "" && !seen[u.Warning] {
			seen[u.Warning] = true
			ps := page.Text(page.Capital(u.Warning)+": ").
				Link(page.Glue(w.s.Title)+" "+figure.LoadPhrase(w.p), d.pointHref(r, w.s, w.p)).Text(".")
			warn = append(warn, page.Sentence{Topic: "Above 100" + metric.ThinSpace + "%", Warn: true, Parts: ps})
		}
	}
	for _, w := range slices.Backward(rows) {
		share(w, "MBU", "mbu", w.mbu)
		share(w, "MFU", "mfu", w.mfu)
	}
	var blocks []page.Block
	if hasKV {
		blocks = append(blocks, page.Block{Text: d.cacheLine(k)})
		assume("KV-cache estimate", "kv-capacity-estimate", k.Assumptions)
		if k.Warning != "" {
			warn = append(warn, page.Sentence{Topic: "KV cache", Warn: true,
				Parts: page.Text(page.Capital(k.Warning) + ".")})
		}
	}
	if len(warn) > 0 {
		blocks = append(blocks, page.Block{Says: warn})
	}
	if len(rows) > 0 {
		blocks = append(blocks, d.table("utilization", func() *page.Grid { return d.utilizationTable(r, rows) }))
	}
	if more > 0 {
		blocks = append(blocks, page.Paragraph("The first "+itoa(most)+" of "+itoa(most+more)+" loads."))
	}
	if len(assumed) > 0 {
		blocks = append(blocks, page.Block{List: assumed})
	}
	d.section("utilization", "Use of bandwidth, compute and memory", blocks...)
}

// cacheLine is how many tokens the KV cache holds, as measured and as estimated.
func (d *draft) cacheLine(k figure.KVCapacity) []page.Part {
	line := page.Linked("KV-cache capacity", d.formula("kv-capacity-estimate")).Text(": ")
	if k.Measured != nil {
		line = append(line, page.Part{Text: metric.Format(*k.Measured) + " tokens measured",
			Title: metric.Exact(*k.Measured)}, page.Part{Text: ", at most "})
	} else {
		line = append(line, page.Part{Text: "not measured, at most "})
	}
	line = append(line, page.Part{Text: metric.Format(k.Estimated) + " tokens estimated",
		Title: metric.Exact(k.Estimated)})
	if k.Share != nil {
		line = append(line, page.Part{Text: ", of which the measured are " + percentText(*k.Share)})
	}
	return append(line, page.Part{Text: "."})
}

// utilizationTable has a row a load with the shares that are known of it.
func (d *draft) utilizationTable(r *figure.Run, rows []utilizationRow) *page.Grid {
	t := page.NewTable("Share of bandwidth and compute that was used", "compact fit", rows)
	t.Head("Workload", func(w utilizationRow) (string, string) { return w.s.Title, "" })
	t.Col("Load", func(w utilizationRow) page.Cell {
		return page.Cell{Text: loadShort(w.p), Href: d.pointHref(r, w.s, w.p), Class: "nw"}
	})
	t.Num("MBU", "of bandwidth", func(w utilizationRow) page.Cell { return utilizationCell(w.mbu) })
	t.Num("MFU", "of dense peak", func(w utilizationRow) page.Cell { return utilizationCell(w.mfu) })
	return t.Done()
}

// utilizationCell is a share or, where a factor is not one number, its range.
func utilizationCell(u *figure.Utilization) page.Cell {
	if u == nil {
		return page.Missing("")
	}
	c := page.Cell{Text: metric.Percent(u.Lo), Exact: metric.Exact(u.Lo)}
	if u.Range() {
		c = page.Cell{Text: strings.TrimSuffix(metric.Percent(u.Lo), metric.ThinSpace+"%") + "–" + metric.Percent(u.Hi),
			Exact: metric.Exact(u.Lo) + " to " + metric.Exact(u.Hi)}
	}
	if u.Warning != "" {
		c.Class = "warn"
	}
	return c
}
