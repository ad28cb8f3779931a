package view

import (
	"cmp"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/site/page"
)

// modelsPage lists all models.
func (g *Site) modelsPage() *draft {
	d := g.draft(page.PathModels, "models", "models", "Models", "Every model of the catalog with the hardware it was measured on.")
	d.view.Lede = page.Text(page.Plural(len(g.Index.Models), "model", "models") + ", each with the hardware it was measured on. Sizes come from the model's configuration, or from its name where that is all there is.")
	if len(g.Index.Models) == 0 {
		d.section("models", "Models", page.Paragraph("The catalog holds no run yet."))
		return d.done()
	}
	d.section("all", "All models", d.table("models", func() *page.Grid {
		t := &page.Grid{Caption: "Models", Columns: []page.Column{{Title: "Model"}, {Title: "Parameters", Unit: "10⁹", Num: true}, {Title: "Precision"}, {Title: "Hardware"}, {Title: "Runs", Num: true}, {Title: "Points", Num: true}, {Title: "Newest"}}}
		models := slices.Clone(g.Index.Models)
		slices.SortStableFunc(models, func(a, b *figure.Model) int { return cmp.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)) })
		for _, m := range models {
			name := page.Cell{Text: m.Name, Href: d.Place.To(page.PathModel(m.Slug), ""), Head: true}
			if m.ID != m.Name {
				name.Sub = m.ID
			}
			size := page.Missing("not known")
			if m.ParamsB != nil {
				size = page.Cell{Text: metric.Format(*m.ParamsB), Exact: metric.Exact(*m.ParamsB)}
				if slices.Contains(m.Parsed, "params_b") {
					size.Sub = "from the name"
				}
			}
			prec := page.Cell{Text: precisionText(m.Model)}
			if prec.Text == "" {
				prec = page.Missing("not known")
			}
			t.Rows = append(t.Rows, page.Row{Cells: []page.Cell{name, size, prec, hardwareList(m.Cards), {Text: metric.Count(int64(len(m.Runs())))}, {Text: metric.Count(Points(m.Runs()))}, newestCell(m.Runs())}})
		}
		return t
	}))
	return d.done()
}

// hardwareList names the hardware of some cards.
func hardwareList(cards []*figure.Card) page.Cell {
	var ws []string
	for i, c := range cards {
		if i == 6 {
			ws = append(ws, itoa(len(cards)-i)+" more")
			break
		}
		ws = append(ws, c.Hardware.Name)
	}
	return page.Cell{Text: page.Enumerate(ws)}
}

func Points(runs []*figure.Run) int64 {
	n := 0
	for _, r := range runs {
		n += len(r.Points)
	}
	return int64(n)
}

func newestCell(runs []*figure.Run) page.Cell {
	newest := ""
	for _, r := range runs {
		newest = max(newest, page.Day(r.Started))
	}
	if newest == "" {
		return page.Missing("not recorded")
	}
	return page.Cell{Text: newest, Class: "nw"}
}
