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
	d.view.Lede = page.Text(metric.Plural(len(g.Index.Models), "model") + ", each with the hardware it was measured on. Sizes come from the model's configuration, or from its name where that is all there is.")
	if len(g.Index.Models) == 0 {
		d.section("models", "Models", page.Paragraph("The catalog holds no run yet."))
		return d.done()
	}
	d.section("all", "All models", d.table("models", func() *page.Grid {
		t := page.NewTable("Models", "", slices.SortedStableFunc(slices.Values(g.Index.Models), func(a, b *figure.Model) int {
			return cmp.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name))
		}))
		t.Col("Model", func(m *figure.Model) page.Cell {
			c := page.Cell{Text: m.Name, Href: d.Place.To(page.PathModel(m.Slug), ""), Head: true}
			if m.ID != m.Name {
				c.Sub = m.ID
			}
			return c
		})
		t.Num("Parameters", "10⁹", sizeCell)
		t.Text("Precision", "not known", func(m *figure.Model) string { return precisionText(m.Model) })
		t.Text("Hardware", "", func(m *figure.Model) string { return hardwareList(m.Cards) })
		t.Count("Runs", func(m *figure.Model) int { return len(m.Runs()) })
		t.Count("Points", func(m *figure.Model) int { return Points(m.Runs()) })
		t.Col("Newest", func(m *figure.Model) page.Cell { return newestCell(m.Runs()) })
		return t.Done()
	}))
	return d.done()
}

// sizeCell is how many parameters a model has.
func sizeCell(m *figure.Model) page.Cell {
	if m.ParamsB == nil {
		return page.Missing("not known")
	}
	c := page.Number(*m.ParamsB, metric.Scale{})
	if slices.Contains(m.Parsed, "params_b") {
		c.Sub = "from the name"
	}
	return c
}

// hardwareList names the hardware of some cards.
func hardwareList(cards []*figure.Card) string {
	var names []string
	for _, c := range cards {
		names = append(names, c.Hardware.Name)
	}
	return page.Enumerate(firstNames(names, 6))
}

// Points is how many points some runs have.
func Points(runs []*figure.Run) int {
	n := 0
	for _, r := range runs {
		n += len(r.Points)
	}
	return n
}
