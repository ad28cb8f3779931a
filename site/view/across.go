package view

import (
	"cmp"
	"slices"

	"github.com/inferdex/inferdex/ingest/claim"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/site/page"
)

// acrossMetrics are what the workloads of a run are compared by, load by load.
func acrossMetrics(r *figure.Run, list []*figure.Scenario) []metric.Info {
	return slices.DeleteFunc(metric.Shown(metric.Workloads), func(info metric.Info) bool {
		if info.ID == metric.OutputThroughput && len(curves(r, metric.TotalGenerationSpeed)) > 0 {
			return true // nearly the same number
		}
		return !slices.ContainsFunc(list, func(s *figure.Scenario) bool { return has(s, info.ID) })
	})
}

// maxAcross is how many points a run has at most whose tables across workloads stand on its page.
const maxAcross = 60

// acrossBlock is the tables across workloads, or the link to their page where a run is large.
func (d *draft) acrossBlock(r *figure.Run) page.Block {
	if len(r.Points) <= maxAcross || d.g.Options.SelfContained {
		return page.Block{Group: d.across(r)}
	}
	if len(acrossList(r)) == 0 {
		return page.Block{}
	}
	return page.Linked("All loads, the workloads side by side", d.Place.To(pathAcross(r), "")).Block()
}

func acrossTitle(r *figure.Run) string {
	return r.Card.Title() + ", run " + r.ID + ": workloads side by side"
}

func acrossAbout(r *figure.Run) claim.Sentence {
	return claim.Plain("Latency, speed and throughput of run "+r.ID+" by load, its workloads side by side.", r.ID)
}

// mostAcrossCells is how many cells the tables of a page across workloads have at most.
const mostAcrossCells = 6000

// acrossSpans are the pages of the tables across workloads of a large run, each with some loads.
func acrossSpans(r *figure.Run) []span {
	list := acrossList(r)
	cells := (1 + len(list)) * len(acrossMetrics(r, list))
	return spans(pathAcross(r), pathAcross(r), len(loadsOf(list)), max(mostAcrossCells, cells), func(int) int { return cells })
}

// acrossPage sets the workloads of a large run side by side, a table a metric.
func (g *Site) acrossPage(r *figure.Run, i int) *draft {
	all := acrossSpans(r)
	var d *draft
	if i == 0 {
		d = g.draft(pathAcross(r), "records", "models", acrossTitle(r), acrossAbout(r))
		d.view.Heading = "Workloads side by side"
		back := d.Place.To(PathRun(r.ID), "summary")
		if aloneOnCard(r) || len(summarized(r)) == 0 {
			back = d.Place.To(PathRun(r.ID), "")
		}
		d.view.Crumbs = append(d.crumbsTo(r), page.Link{Text: "run " + r.ID, Href: back}, page.Link{Text: "workloads"})
		d.view.Lede = d.lede(claim.Plain("Rows are loads, columns are workloads. Each number leads to its point."), nil)
	} else {
		d = g.spanPage(r, all, i, "", acrossName)
	}
	list := acrossList(r)
	for _, info := range acrossMetrics(r, list) {
		id := IdOf(info.ID)
		d.section(id, info.Label, page.Paragraph(page.Upper(info.Long)+"."), further(d.Place, all, i),
			d.table("across-"+id, func() *page.Grid {
				t := d.acrossTable(r, list, info, all[i])
				t.Link = id
				return t
			}))
	}
	return d.done()
}

// loadsOf are the loads of some workloads.
func loadsOf(list []*figure.Scenario) (at []float64) {
	for _, s := range list {
		at = append(at, s.Loads()...)
	}
	slices.Sort(at)
	return slices.Compact(at)
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

// across are tables of one metric each: rows are loads, columns the workloads of a run. Each value
// leads to its point, which has the exact number.
func (d *draft) across(r *figure.Run) []page.Details {
	list := acrossList(r)
	var out []page.Details
	for _, info := range acrossMetrics(r, list) {
		out = append(out, *d.fold("across-"+IdOf(info.ID), info.Label+" by load and workload",
			func() *page.Grid { return d.acrossTable(r, list, info, span{end: len(loadsOf(list))}) }))
	}
	return out
}

func (d *draft) acrossTable(r *figure.Run, list []*figure.Scenario, info metric.Info, here span) *page.Grid {
	m := info.ID
	scale := scaleOf(m, list)
	stat := ""
	for _, s := range list {
		for _, p := range s.Points {
			if _, st, ok := figure.Central(p, m); ok {
				stat = cmp.Or(stat, st)
			}
		}
	}
	at := loadsOf(list)
	caption := info.Label + ", " + scale.Unit
	if stat != metric.Value && stat != "" {
		caption = stat + " " + caption
	}
	t := page.NewTable(page.Upper(caption)+", by load and workload", "compact fit", at)
	t.Only(slices.DeleteFunc(here.rows(), func(i int) bool {
		return !slices.ContainsFunc(list, func(s *figure.Scenario) bool {
			p := s.At(at[i])
			if p == nil {
				return false
			}
			_, _, ok := figure.Central(p, m)
			return ok
		})
	}))
	t.Add(kindOf(list[0].Axis).column, loadHead)
	for _, s := range list {
		vs := make([]*float64, len(at))
		for i, l := range at {
			if p := s.At(l); p != nil {
				if v, _, ok := figure.Central(p, m); ok {
					vs[i] = &v
				}
			}
		}
		t.Scaled(page.Column{Title: s.Title}, scale, vs, func(i int, c *page.Cell) {
			c.Exact, c.Href = "", d.pointHref(r, s, s.At(at[i]))
		})
	}
	return t.Done()
}
