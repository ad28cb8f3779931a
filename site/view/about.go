package view

import (
	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/site/page"
)

// methodologyPage lists every formula behind a hand-written introduction, which is the Markdown
// of content/about/methodology.md.
func (g *Site) methodologyPage() *draft {
	d := g.draft(page.PathMethodology, "methodology", "about", "Methodology", "How runs are read, compared and summarised, and the formula of every derived figure.")
	d.view.Crumbs = []page.Link{{Text: "About", Href: d.Place.To("about", "")}, {Text: "Methodology"}}
	var blocks []page.Block
	for _, f := range figure.Formulas {
		blocks = append(blocks, page.Block{Heading: &page.Heading{ID: f.ID, Text: f.Name}}, page.Block{Text: []page.Part{{Text: f.Text, Code: true}}})
		if f.Note != "" {
			blocks = append(blocks, page.Paragraph(f.Note))
		}
	}
	d.section("formulas", "Formulas", blocks...)
	d.section("metrics", "Metrics", page.Paragraph("Everything is stored in these units; tables choose a unit for each column and name it in the head."), d.table("metrics", func() *page.Grid {
		t := &page.Grid{Caption: "Metrics", Class: "compact", Columns: []page.Column{{Title: "Metric"}, {Title: "Name in downloads"}, {Title: "What it is"}, {Title: "Unit"}, {Title: "Better"}}}
		for _, i := range metric.All() {
			better := ""
			switch i.Better {
			case metric.Higher:
				better = "higher"
			case metric.Lower:
				better = "lower"
			}
			t.Rows = append(t.Rows, page.Row{ID: "metric-" + IdOf(i.ID), Cells: []page.Cell{{Text: i.Label, Head: true}, {Text: string(i.ID), Code: true}, {Text: i.Long}, {Text: i.Unit, Class: "nw"}, {Text: better}}})
		}
		return t
	}))
	var as [][]page.Part
	for _, a := range []struct {
		a    catalog.Authority
		what string
	}{
		{catalog.FromOverride, "an [override] table with its reason, in run.toml or in data/notes; the page shows the old value struck through"},
		{catalog.FromRecord, "what the result itself states"},
		{catalog.FromMetadata, "a metadata file beside it: launch parameters, nvidia-smi, rocm-smi, lscpu"},
		{catalog.FromSidecar, "the nearest run.toml upwards"},
		{catalog.FromRule, "a path rule of inferdex.toml"},
		{catalog.FromFlag, "a flag on the command line"},
		{catalog.FromCI, "the environment of a CI job, where asked for"},
		{catalog.FromName, "the nearest folder or file whose name names exactly one accelerator"},
	} {
		as = append(as, []page.Part{{Text: string(a.a), Code: true}, {Text: ": " + a.what}})
	}
	d.section("authority", "Where metadata comes from", page.Paragraph("In order of authority. Two statements of one rank that disagree are a finding with both places."), page.Block{List: as})
	return d.done()
}

// formatsPage lists what can be read, from the formats' own documentation.
func (g *Site) formatsPage() *draft {
	d := g.draft(page.PathFormats, "formats", "about", "Formats", "Which files of which tools can be read, and what cannot be known from them.")
	d.view.Crumbs = []page.Link{{Text: "About", Href: d.Place.To("about", "")}, {Text: "Formats"}}
	d.view.Lede = page.Text("Which files of which tools can be read, and what cannot be known from them.")
	if len(g.Options.Formats) == 0 {
		return d.done()
	}
	d.section("formats", "Formats", d.table("formats", func() *page.Grid {
		t := &page.Grid{Caption: "Formats", Class: "formats", Columns: []page.Column{{Title: "Format"}, {Title: "Tool"}, {Title: "Command"}, {Title: "Files"}, {Title: "What is read"}, {Title: "What cannot be known"}}}
		for _, f := range g.Options.Formats {
			name := page.Cell{Text: page.Capital(f.Title), Head: true, Sub: f.Name}
			tool := page.Cell{Text: f.Tool, Sub: f.Versions, Soft: true}
			cmd := page.Cell{Text: f.Command, Code: true, Soft: true}
			if f.Command == "" {
				cmd = page.Cell{}
			}
			t.Rows = append(t.Rows, page.Row{ID: "format-" + catalog.Slug(f.Name), Cells: []page.Cell{name, tool, cmd, {Text: f.Files, Soft: true}, {Text: page.Capital(f.Reads)}, {Text: page.Capital(f.Unknown)}}})
		}
		return t
	}))
	return d.done()
}

// notFoundPage is what a server shows for an address without a page.
func (g *Site) notFoundPage() *draft {
	d := g.draft("404.html", "notfound", "", "Page not found", "There is no page at this address.")
	d.page.Params = d.view
	return d
}
