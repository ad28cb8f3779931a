package site

import (
	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
)

// methodologyPage lists every formula behind a hand-written introduction, which is the Markdown
// of content/about/methodology.md.
func (g *generator) methodologyPage() *draft {
	d := g.draft(pathMethodology, "methodology", "about", "Methodology", "How runs are read, compared and summarised, and the formula of every derived figure.")
	d.view.Crumbs = []Link{{Text: "About", Href: d.place.page("about", "")}, {Text: "Methodology"}}
	var blocks []Block
	for _, f := range figure.Formulas {
		blocks = append(blocks, Block{Heading: &Heading{ID: f.ID, Text: f.Name}}, Block{Text: []Part{{Text: f.Text, Code: true}}})
		if f.Note != "" {
			blocks = append(blocks, paragraph(f.Note))
		}
	}
	d.section("formulas", "Formulas", blocks...)
	d.section("metrics", "Metrics", paragraph("Everything is stored in these units; tables choose a unit for each column and name it in the head."), d.table("metrics", func() *table {
		t := &table{caption: "Metrics", class: "compact", columns: []column{{title: "Metric"}, {title: "Name in downloads"}, {title: "What it is"}, {title: "Unit"}, {title: "Better"}}}
		for _, i := range metric.All() {
			better := ""
			switch i.Better {
			case metric.Higher:
				better = "higher"
			case metric.Lower:
				better = "lower"
			}
			t.rows = append(t.rows, row{id: "metric-" + idOf(i.Metric), cells: []cell{{text: i.Label, head: true}, {text: string(i.Metric), code: true}, {text: i.Long}, {text: i.Unit, class: "nw"}, {text: better}}})
		}
		return t
	}))
	var as [][]Part
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
	} {
		as = append(as, []Part{{Text: string(a.a), Code: true}, {Text: ": " + a.what}})
	}
	d.section("authority", "Where metadata comes from", paragraph("In order of authority. Two statements of one rank that disagree are a finding with both places."), Block{List: as})
	return d.done()
}

// formatsPage lists what can be read, from the formats' own documentation.
func (g *generator) formatsPage() *draft {
	d := g.draft(pathFormats, "formats", "about", "Formats", "Which files of which tools can be read, and what cannot be known from them.")
	d.view.Crumbs = []Link{{Text: "About", Href: d.place.page("about", "")}, {Text: "Formats"}}
	d.view.Lede = text("Which files of which tools can be read, and what cannot be known from them.")
	if len(g.o.Formats) == 0 {
		return d.done()
	}
	d.section("formats", "Formats", d.table("formats", func() *table {
		t := &table{caption: "Formats", class: "formats", columns: []column{{title: "Format"}, {title: "Tool"}, {title: "Command"}, {title: "Files"}, {title: "What is read"}, {title: "What cannot be known"}}}
		for _, f := range g.o.Formats {
			name := cell{text: sentenceCase(f.Title), head: true, sub: f.Name}
			tool := cell{text: f.Tool, sub: f.Versions, soft: true}
			cmd := cell{text: f.Command, code: true, soft: true}
			if f.Command == "" {
				cmd = cell{}
			}
			t.rows = append(t.rows, row{id: "format-" + catalog.Slug(f.Name), cells: []cell{name, tool, cmd, {text: f.Files, soft: true}, {text: sentenceCase(f.Reads)}, {text: sentenceCase(f.Unknown)}}})
		}
		return t
	}))
	return d.done()
}

// notFoundPage is what a server shows for an address without a page.
func (g *generator) notFoundPage() *draft {
	d := g.draft("404.html", "notfound", "", "Page not found", "There is no page at this address.")
	d.page.Params = d.view
	return d
}
