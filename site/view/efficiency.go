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
		d.section("prices", "Prices", page.Block{Text: []page.Part{{Text: "No price of this hardware is stated in "},
			{Text: "data/names/prices.toml", Code: true}, {Text: ", so no page shows a cost. "},
			{Text: "How cost is computed",
				Href: d.formula("cost-per-million-tokens")}, {Text: "."}}})
		return
	}
	d.section("prices", "Prices", page.Text("Costs are computed from these rows alone, and each names its own. ").
		Link("How cost is computed", d.formula("cost-per-million-tokens")).Text(".").Block(),
		d.table("prices", func() *page.Grid {
			t := page.NewTable("Stated prices of one accelerator for an hour", "fit", list)
			t.Head("Accelerator", func(p settings.Price) (string, string) {
				h := names[p.Accelerator]
				return h.Accelerator.Name, d.Place.To(page.PathAccelerator(h.Slug), "")
			})
			t.Text("Provider", "", func(p settings.Price) string { return p.Provider })
			t.Num("Price an hour", "", func(p settings.Price) page.Cell {
				return page.Cell{Text: metric.Exact(p.PerHour) + metric.ThinSpace + p.Currency,
					Sort: metric.Exact(p.PerHour)}
			})
			t.Text("Read on", "", func(p settings.Price) string { return p.Date })
			t.Col("Where", func(p settings.Price) page.Cell {
				if p.Address == "" {
					return page.Cell{Text: "internal price"}
				}
				return page.Cell{Text: "source",
					Href: page.WebAddress(p.Address)}
			})
			return t.Done()
		}))
}

// peakUse is what a workload takes at its peak of output throughput.
type peakUse struct {
	s      *figure.Scenario
	p      *catalog.Point
	v      float64
	energy *figure.Energy
	costs  []figure.Cost
}

// efficiency is the section of a card or a run on energy and cost: each workload at its peak.
// Without power and price there is none.
func (d *draft) efficiency(r *figure.Run) {
	var lines []peakUse
	anyEnergy, prices := false, []settings.Price(nil)
	for _, s := range r.Scenarios {
		p, v, ok := s.Peak(metric.OutputThroughput)
		if !ok || len(lines) == 40 {
			continue
		}
		l := peakUse{s: s, p: p, v: v, costs: d.g.Index.Costs(r, p)}
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
	title, parts := "Cost and energy", page.Text("Each workload at its peak throughput. ")
	if len(prices) > 0 {
		parts = append(parts, page.Part{Text: "How cost is computed", Href: d.formula("cost-per-million-tokens")},
			page.Part{Text: ". "})
	} else {
		title = "Energy"
	}
	if anyEnergy {
		parts = append(parts, page.Part{Text: "How tokens per joule are computed", Href: d.formula("tokens-per-joule")},
			page.Part{Text: "."})
	} else {
		title = "Cost"
	}
	if anyEnergy && slices.ContainsFunc(lines,
		func(l peakUse) bool { return l.energy != nil && l.energy.Basis == figure.BoardPower }) {
		parts = append(parts,
			page.Part{Text: " Power was not measured: it is that of the boards' specification, so the " +
				"true figure is higher wherever they draw less."})
	}
	d.section("efficiency", title, page.Block{Text: parts},
		d.table("efficiency", func() *page.Grid { return d.efficiencyTable(r, title, lines, prices) }))
}

func (d *draft) efficiencyTable(r *figure.Run, title string, lines []peakUse, prices []settings.Price) *page.Grid {
	t := page.NewTable(title, "compact fit", lines)
	t.Col("Workload", func(l peakUse) page.Cell { return page.Cell{Text: l.s.Title, Head: true} })
	t.Num("Load", "", func(l peakUse) page.Cell {
		return page.Cell{Text: figure.LoadText(l.p), Exact: infTitle(figure.LoadOf(l.p)),
			Href: d.pointHref(r, l.s, l.p)}
	})
	t.Num("Output", "tok/s", func(l peakUse) page.Cell { return page.Number(l.v, metric.Scale{}) })
	if slices.ContainsFunc(lines, func(l peakUse) bool { return l.energy != nil }) {
		t.Num("Power", "W", func(l peakUse) page.Cell {
			switch {
			case l.energy == nil:
				return dot("no power is known")
			case l.energy.Watts <= 0:
				return dot("only energy is recorded")
			}
			c := page.Number(l.energy.Watts, metric.Scale{})
			c.Sub = BasisText(l.energy.Basis)
			return c
		})
		t.Num("Tokens per joule", "", func(l peakUse) page.Cell { return energyCell(l.energy, false) })
	}
	for _, p := range prices {
		group := page.Clip(p.Provider, 60) + ", " + p.Date
		column := func(title, unit string, f func(figure.Cost) page.Cell) {
			t.Add(page.Column{Title: title, Unit: unit, Num: true, Note: priceText(p), Group: group},
				func(l peakUse) page.Cell {
					i := slices.IndexFunc(l.costs, func(c figure.Cost) bool { return c.Price == p })
					if i < 0 {
						return dot("no price is stated")
					}
					return f(l.costs[i])
				})
		}
		column("Cost", p.Currency+" per 10⁶", func(c figure.Cost) page.Cell {
			n := page.Number(c.PerMillion, metric.Scale{})
			n.Href = page.WebAddress(p.Address)
			return n
		})
		column("Tokens", "per "+p.Currency, func(c figure.Cost) page.Cell {
			return page.Number(c.TokensPerUnit,
				metric.Scale{})
		})
	}
	return t.Done()
}

// PriceNote says at which price a cost is, and how many more prices the card has.
func PriceNote(p settings.Price, more int) string {
	if more > 0 {
		return "at " + priceText(p) + "; " + metric.Plural(more, "more price") + " on the card"
	}
	return "at " + priceText(p)
}

// BasisText names where watts come from, short enough for the head of a column.
func BasisText(basis string) string {
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
		c.Sub = BasisText(e.Basis)
	}
	return c
}

// costCells are the cheapest cost with its source, and what a unit of the currency buys.
func costCells(costs []figure.Cost) []page.Cell {
	if len(costs) == 0 {
		return []page.Cell{dot("no price is stated"), dot("no price is stated")}
	}
	c := costs[0]
	return []page.Cell{{Text: metric.Format(c.PerMillion) + metric.ThinSpace + c.Price.Currency,
		Exact: metric.Exact(c.PerMillion) + " " +
			c.Price.Currency, Sort: metric.Exact(c.PerMillion), Sub: PriceNote(c.Price, len(costs)-1), Href: page.WebAddress(c.Price.Address),
		Class: "priced"},
		{Text: metric.Format(c.TokensPerUnit), Exact: metric.Exact(c.TokensPerUnit), Sub: "for 1" + metric.ThinSpace +
			c.Price.Currency}}
}

// priceText names a price row: "2.5 USD an hour on 2025-03-26, Example Cloud". One that stands nowhere to be looked up
// is marked as internal.
func priceText(p settings.Price) string {
	text := metric.Exact(p.PerHour) + metric.ThinSpace + p.Currency + " an hour on " + p.Date + ", " +
		page.Clip(p.Provider, 60)
	if p.Address == "" {
		text += " (internal price)"
	}
	return text
}
