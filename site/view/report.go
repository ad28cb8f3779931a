package view

import (
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/site/page"
)

// Report is the page of a run or a card as one that stands alone, of a site whose Options.SelfContained is set. name is
// the name of a card, or a run's id or the beginning of one.
func (g *Site) Report(name string) (*page.Page, error) {
	_, d, err := g.named(name)
	if err != nil {
		return nil, err
	}
	d.view.SelfContained = true
	d.view.Feed, d.view.Preview = nil, nil
	for i := range d.sections {
		s := &d.sections[i]
		for j := range s.Blocks {
			b := &s.Blocks[j]
			if b.Figure != nil {
				b.Figure.Files, b.Figure.SVGs = nil, nil // the drawing is in the file
			}
			for k := range b.Pair {
				b.Pair[k].Files, b.Pair[k].SVGs = nil, nil
			}
			if g.Base() == "" {
				b.Text = withoutWay(b.Text)
			}
		}
		s.Blocks = d.nonEmpty(s.Blocks)
	}
	d.page.Params = d.view
	return d.page, nil
}

// withoutWay is a paragraph without the link at its end that is a sentence of its own, and says nothing where it leads
// nowhere.
func withoutWay(parts []page.Part) []page.Part {
	n := len(parts) - 1
	if n < 0 || parts[n].Href == "" || strings.HasPrefix(parts[n].Href, "#") || page.WebAddress(parts[n].Href) != "" ||
		n > 0 && !strings.HasSuffix(strings.TrimSpace(parts[n-1].Text), ".") {
		return parts
	}
	if n == 0 {
		return nil
	}
	return parts[:n]
}

// named is the page of a card, with the run that heads it, or of a run.
func (g *Site) named(name string) (*figure.Run, *draft, error) {
	c, r, err := g.Index.Find(name)
	switch {
	case err != nil:
		return nil, nil, err
	case c != nil:
		return r, g.cardPage(c), nil
	}
	d, err := g.runPage(r)
	return r, d, err
}

// MaxReported bounds the raw records of a file of its own, in bytes of text: mail carries about ten million bytes
// everywhere.
const MaxReported = 4 << 20

// rawWithin is the last section of a page that stands alone: the records of its runs, collapsed. Where they are larger
// than MaxReported, those that come last are left out, and it is said how many.
func (d *draft) rawWithin(runs []*figure.Run) {
	name := d.fragment("raw", func(m *page.Markup) {
		room := MaxReported
		for _, r := range runs {
			records, err := d.g.Raw(r.ID)
			if err != nil {
				m.Err = err
				return
			}
			shown := within(records, room)
			for i := range shown {
				room -= len(shown[i].Raw) + 1
			}
			d.writeWithin(m, r, records, len(shown))
		}
	})
	d.section("raw", "Raw records", page.Paragraph("What the runs were read from. Prompts and generated texts are "+
		"not in it, and long arrays are summarised."), page.Block{Table: name})
}

// within are the first of some records, as many as have room in so many bytes of text.
func within(records []catalog.RawRecord, room int) []catalog.RawRecord {
	over := slices.IndexFunc(records, func(r catalog.RawRecord) bool {
		room -= len(r.Raw) + 1
		return room < 0
	})
	if over < 0 {
		return records
	}
	return records[:over]
}

// writeWithin writes the first records of a run, collapsed, and what is left out of them.
func (d *draft) writeWithin(m *page.Markup, r *figure.Run, records []catalog.RawRecord, shown int) {
	title := "Run " + r.ID
	for _, s := range []string{page.Day(r.Started), OwnName(r)} {
		if s != "" {
			title += ", " + s
		}
	}
	if len(records) == 0 {
		m.Elem("p", "", title+": its records are not in the catalog.")
		return
	}
	if shown > 0 {
		m.Raw(`<details class="data records"><summary>`)
		m.Text(title + ": " + metric.Plural(len(records), "record") + ", one a line")
		m.Raw("</summary>")
		writeRaw(m, records[:shown])
		m.Raw("</details>")
	}
	if left := records[shown:]; len(left) > 0 {
		bytes := 0
		for i := range left {
			bytes += len(left[i].Raw) + 1
		}
		m.Raw("<p>")
		m.Text(title + ": left out " + metric.Plural(len(left), "record") + " of " +
			metric.Count(int64(len(records))) + " (" + sizeText(int64(bytes)) + "), because this file holds at most " +
			sizeText(MaxReported) + " of records. ")
		m.Text("All are in ")
		m.Link(d.File(PathRun(r.ID)+"/records.jsonl.gz"), "records.jsonl.gz")
		m.Text(" of the site.")
		m.Raw("</p>")
	}
}
