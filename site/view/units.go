package view

import (
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/site/page"
)

// unitsPage lists the metrics that pages show, each with its unit.
func (g *Site) unitsPage() *draft {
	d := g.draft("data/units", "units", "data", "Units", "The metrics of this site and their units.")
	d.view.Lede = page.Text("Each number of this site is one of these metrics, in this unit or a multiple of it.")
	t := page.NewTable("Metrics", "", metric.Shown(metric.Scorecard))
	t.Head("Metric", func(m metric.Info) (text, href string) { return m.Label, "" })
	t.Text("Unit", "", func(m metric.Info) string { return m.Unit })
	d.section("metrics", "Metrics", d.table("metrics", t.Done))
	return d
}
