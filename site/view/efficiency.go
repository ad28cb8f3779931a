package view

import (
	"slices"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/settings"
	"github.com/inferdex/inferdex/site/page"
)

// prices is the section of stated prices: only accelerators that the catalog has.
func (d *draft) prices() {
	var list []settings.Price
	names := map[string]*figure.Hardware{}
	for _, h := range d.g.Index.Hardware {
		names[h.Accelerator.ID] = h
	}
	for _, p := range d.g.Index.Names.Prices("") {
		if names[p.Accelerator] != nil {
			list = append(list, p)
		}
	}
	if len(list) == 0 {
		d.section("prices", "Prices", page.Block{Text: []page.Part{{Text: "No price of this hardware is stated in "}, {Text: "data/names/prices.toml", Code: true}, {Text: ", so no page shows a cost. "}, {Text: "How cost is computed", Href: d.Place.To(page.PathMethodology, "cost-per-million-tokens")}, {Text: "."}}})
		return
	}
	d.section("prices", "Prices", page.Block{Text: []page.Part{{Text: "Costs are computed from these rows alone, and each names its own. "}, {Text: "How cost is computed", Href: d.Place.To(page.PathMethodology, "cost-per-million-tokens")}, {Text: "."}}},
		d.table("prices", func() *page.Grid {
			t := &page.Grid{Caption: "Stated prices of one accelerator for an hour", Class: "fit", Columns: []page.Column{{Title: "Accelerator"}, {Title: "Provider"}, {Title: "Price an hour", Num: true}, {Title: "Read on"}, {Title: "Where"}}}
			for _, p := range list {
				where := page.Cell{Text: "source", Href: page.WebAddress(p.Address)}
				t.Rows = append(t.Rows, page.Row{Cells: []page.Cell{{Text: names[p.Accelerator].Accelerator.Name, Href: d.Place.To(page.PathAccelerator(names[p.Accelerator].Slug), ""), Head: true}, {Text: p.Provider}, {Text: metric.Exact(p.PerHour) + metric.ThinSpace + p.Currency, Sort: metric.Exact(p.PerHour)}, {Text: p.Date}, where}})
			}
			return t
		}))
}

// efficiency is the section of a card or a run on energy and cost: each workload at its peak.
// Without power and price there is none.
func (d *draft) efficiency(r *figure.Run) {
	type line struct {
		s      *figure.Scenario
		p      *catalog.Point
		v      float64
		energy *figure.Energy
		costs  []figure.Cost
	}
	var lines []line
	anyEnergy, prices := false, []settings.Price(nil)
	for _, s := range r.Scenarios {
		p, v, ok := s.Peak(metric.OutputThroughput)
		if !ok || len(lines) == 40 {
			continue
		}
		l := line{s: s, p: p, v: v, costs: d.g.Index.Costs(r, p)}
		if e, ok := r.TokensPerJoule(p); ok {
			l.energy, anyEnergy = &e, true
		}
		for _, c := range l.costs {
			if !slices.Contains(prices, c.Price) && len(prices) < 6 {
				prices = append(prices, c.Price)
			}
		}
		if l.energy != nil || len(l.costs) > 0 {
			lines = append(lines, l)
		}
	}
	if len(lines) == 0 {
		return
	}
	title, parts := "Cost and energy", []page.Part{{Text: "Each workload at its peak throughput. "}}
	if len(prices) > 0 {
		parts = append(parts, page.Part{Text: "How cost is computed", Href: d.Place.To(page.PathMethodology, "cost-per-million-tokens")}, page.Part{Text: ". "})
	} else {
		title = "Energy"
	}
	if anyEnergy {
		parts = append(parts, page.Part{Text: "How tokens per joule are computed", Href: d.Place.To(page.PathMethodology, "tokens-per-joule")}, page.Part{Text: "."})
	} else {
		title = "Cost"
	}
	if anyEnergy && slices.ContainsFunc(lines, func(l line) bool { return l.energy != nil && l.energy.Basis == figure.BoardPower }) {
		parts = append(parts, page.Part{Text: " Power was not measured: it is that of the boards' specification, so the true figure is higher wherever they draw less."})
	}
	d.section("efficiency", title, page.Block{Text: parts}, d.table("efficiency", func() *page.Grid {
		t := &page.Grid{Caption: title, Class: "compact fit", Columns: []page.Column{{Title: "Workload"}, {Title: "Load", Num: true}, {Title: "Output", Unit: "tok/s", Num: true}}}
		if anyEnergy {
			t.Columns = append(t.Columns, page.Column{Title: "Power", Unit: "W", Num: true}, page.Column{Title: "Tokens per joule", Num: true})
		}
		t.Groups = append(t.Groups, page.Group{Span: len(t.Columns)})
		for _, p := range prices {
			t.Groups = append(t.Groups, page.Group{Title: page.Clip(p.Provider, 60) + ", " + p.Date, Span: 2})
			t.Columns = append(t.Columns, page.Column{Title: "Cost", Unit: p.Currency + " per 10⁶", Num: true, Note: priceText(p)}, page.Column{Title: "Tokens", Unit: "per " + p.Currency, Num: true, Note: priceText(p)})
		}
		if len(prices) == 0 {
			t.Groups = nil
		}
		for _, l := range lines {
			rw := page.Row{Cells: []page.Cell{{Text: l.s.Title, Head: true}, {Text: figure.LoadText(l.p), Exact: infTitle(figure.LoadOf(l.p)), Href: d.pointHref(r, l.s, l.p)}, {Text: metric.Format(l.v), Exact: metric.Exact(l.v)}}}
			if anyEnergy {
				power := dot("only energy is recorded")
				if l.energy == nil {
					power = dot("no power is known")
				} else if l.energy.Watts > 0 {
					power = page.Cell{Text: metric.Format(l.energy.Watts), Exact: metric.Exact(l.energy.Watts), Sub: basisText(l.energy.Basis)}
				}
				rw.Cells = append(rw.Cells, power, energyCell(l.energy, false))
			}
			for _, p := range prices {
				i := slices.IndexFunc(l.costs, func(c figure.Cost) bool { return c.Price == p })
				if i < 0 {
					rw.Cells = append(rw.Cells, dot("no price is stated"), dot("no price is stated"))
					continue
				}
				c := l.costs[i]
				rw.Cells = append(rw.Cells, page.Cell{Text: metric.Format(c.PerMillion), Exact: metric.Exact(c.PerMillion), Href: page.WebAddress(p.Address)}, page.Cell{Text: metric.Format(c.TokensPerUnit), Exact: metric.Exact(c.TokensPerUnit)})
			}
			t.Rows = append(t.Rows, rw)
		}
		return t
	}))
}

// basisText names where watts come from, short enough for the head of a column.
func basisText(basis string) string {
	switch basis {
	case figure.BoardPower:
		return "board power"
	case figure.MeasuredPower, figure.MeasuredEnergy:
		return "measured"
	}
	return ""
}

// energyCell is tokens per joule; each cell names its basis where the column does not.
func energyCell(e *figure.Energy, named bool) page.Cell {
	if e == nil {
		return dot("no power is known")
	}
	c := page.Cell{Text: metric.Format(e.TokensPerJoule), Exact: metric.Exact(e.TokensPerJoule)}
	if named {
		c.Sub = basisText(e.Basis)
	}
	return c
}

// costCells are the cheapest cost with its source, and what a unit of the currency buys.
func costCells(costs []figure.Cost) []page.Cell {
	if len(costs) == 0 {
		return []page.Cell{dot("no price is stated"), dot("no price is stated")}
	}
	c := costs[0]
	sub := "at " + priceText(c.Price)
	if n := len(costs) - 1; n > 0 {
		sub += "; " + page.Plural(n, "more price", "more prices") + " on the card"
	}
	return []page.Cell{{Text: metric.Format(c.PerMillion) + metric.ThinSpace + c.Price.Currency, Exact: metric.Exact(c.PerMillion) + " " + c.Price.Currency, Sort: metric.Exact(c.PerMillion), Sub: sub, Href: page.WebAddress(c.Price.Address), Class: "priced"},
		{Text: metric.Format(c.TokensPerUnit), Exact: metric.Exact(c.TokensPerUnit), Sub: "for 1" + metric.ThinSpace + c.Price.Currency}}
}

// priceText names a price row: "2.5 USD an hour on 2025-03-26, Example Cloud".
func priceText(p settings.Price) string {
	return metric.Exact(p.PerHour) + metric.ThinSpace + p.Currency + " an hour on " + p.Date + ", " + page.Clip(p.Provider, 60)
}
