package view

import (
	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/claim"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/site/page"
)

// methodologyPage lists every formula behind a hand-written introduction, which is the Markdown
// of content/about/methodology.md.
func (g *Site) methodologyPage() *draft {
	d := g.draft(page.PathMethodology, "methodology", "about", "Methodology",
		claim.Plain("How runs are read, compared and summarised, and the formula of every derived figure."))
	d.view.Crumbs = []page.Link{{Text: "About", Href: d.Place.To("about", "")}, {Text: "Methodology"}}
	var blocks []page.Block
	for _, f := range figure.Formulas {
		blocks = append(blocks, page.Block{Heading: &page.Heading{ID: f.ID, Text: f.Name}},
			page.Block{Text: []page.Part{{Text: f.Text, Code: true}}})
		if f.Note != "" {
			blocks = append(blocks, page.Paragraph(f.Note))
		}
	}
	d.section("formulas", "Formulas", blocks...)
	d.section("metrics", "Metrics", page.Paragraph("Everything is stored in these units; tables choose a unit for "+
		"each column and name it in the head."), d.table("metrics", func() *page.Grid {
		t := page.NewTable("Metrics", "compact", metric.All())
		t.Each(func(_ int, i metric.Info, row *page.Row) { row.ID = "metric-" + IdOf(i.ID) })
		t.Head("Metric", func(i metric.Info) (string, string) { return i.Label, "" })
		t.Col("Name in downloads", func(i metric.Info) page.Cell { return page.Cell{Text: string(i.ID), Code: true, Class: "nw"} })
		t.Text("What it is", "", func(i metric.Info) string { return i.Long })
		t.Col("Unit", func(i metric.Info) page.Cell { return page.Cell{Text: i.Unit, Class: "nw"} })
		t.Text("Better", "", func(i metric.Info) string {
			return map[metric.Direction]string{metric.Higher: "higher", metric.Lower: "lower"}[i.Better]
		})
		return t.Done()
	}))
	var as [][]page.Part
	for _, a := range []struct {
		a    catalog.Authority
		what string
	}{
		{catalog.FromOverride,
			"an [override] table with its reason, in run.toml or in data/notes; the page shows the " +
				"old value struck through"},
		{catalog.FromRecord, "what the result itself states"},
		{catalog.FromMetadata, "a metadata file beside it: launch parameters, nvidia-smi, rocm-smi, lscpu"},
		{catalog.FromSidecar, "the nearest run.toml upwards"},
		{catalog.FromRule, "a path rule of inferdex.toml"},
		{catalog.FromFlag, "a flag on the command line"},
		{catalog.FromCI, "the environment of a CI job, where asked for"},
		{catalog.FromHead, "the lines below the title of a report in Markdown, such as \"**Hardware:** 2x H100\" or \"Engine: vLLM 0.9.1\""},
		{catalog.FromName, "the nearest folder or file whose name names exactly one accelerator"},
	} {
		as = append(as, []page.Part{{Text: string(a.a), Code: true}, {Text: ": " + a.what}})
	}
	d.section("authority", "Where metadata comes from",
		page.Paragraph("In order of authority. Two statements of one rank that disagree are a finding with both "+
			"places."), page.Block{List: as})
	return d.done()
}

// formatsPage lists what can be read, from the formats' own documentation.
func (g *Site) formatsPage() *draft {
	d := g.draft(page.PathFormats, "formats", "about", "Formats",
		claim.Plain("Which files of which tools can be read, and what cannot be known from them."))
	d.view.Crumbs = []page.Link{{Text: "About", Href: d.Place.To("about", "")}, {Text: "Formats"}}
	d.view.Lede = d.lede(
		claim.Plain("Which files of which tools can be read, and what cannot be known from them."), nil)
	if len(g.Options.Formats) == 0 {
		return d.done()
	}
	d.section("formats", "Formats", d.table("formats", func() *page.Grid {
		t := page.NewTable("Formats", "formats list", g.Options.Formats)
		t.Each(func(_ int, f FormatDoc, row *page.Row) { row.ID = "format-" + catalog.Slug(f.Name) })
		t.Col("Format", func(f FormatDoc) page.Cell {
			return page.Cell{Text: page.Capital(f.Title), Head: true,
				Sub: f.Name}
		})
		t.Col("Tool", func(f FormatDoc) page.Cell { return page.Cell{Text: f.Tool, Sub: f.Versions, Soft: true} })
		t.Col("Command", func(f FormatDoc) page.Cell {
			return page.Cell{Text: f.Command, Code: f.Command != "", Soft: f.Command != ""}
		})
		t.Col("Files", func(f FormatDoc) page.Cell { return page.Cell{Text: f.Files, Soft: true} })
		t.Text("What is read", "", func(f FormatDoc) string { return page.Capital(f.Reads) })
		t.Text("What cannot be known", "", func(f FormatDoc) string { return page.Capital(f.Unknown) })
		return t.Done()
	}))
	return d.done()
}

// notFoundPage is what a server shows for an address without a page.
func (g *Site) notFoundPage() *draft {
	d := g.draft("404.html", "notfound", "", "Page not found",
		claim.Plain("There is no page at this address."))
	d.page.Params = d.view
	return d
}
