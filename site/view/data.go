package view

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/site/page"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/metric"
)

// dataPage has the downloads, what was read, and what was not recognised.
func (g *Site) dataPage() *draft {
	d := g.draft(page.PathData, "data", "data", "Data", "Downloads of the whole catalog, what it was read from, and what was not recognised.")
	d.view.Lede = page.Text("The whole catalog to download, what it was read from, and what was not recognised.")
	if len(g.Index.Runs) > 0 {
		d.section("downloads", "Downloads", page.Paragraph("Numbers are exact: the shortest decimal that reads back to the same float64, in base units (seconds, tokens a second). Missing values are empty, never zero."),
			d.table("downloads", g.downloadsTable(d)))
	}
	d.coverageByHardware()
	d.inputs()
	d.notRecognised()
	d.allFindings()
	if len(d.sections) == 0 {
		d.section("downloads", "Downloads", page.Paragraph("The catalog holds no run yet."))
	}
	return d.done()
}

func (g *Site) downloadsTable(d *draft) func() *page.Grid {
	return func() *page.Grid {
		t := &page.Grid{Caption: "Downloads", Columns: []page.Column{{Title: "File"}, {Title: "What"}, {Title: "Size", Num: true}}}
		for _, f := range g.Beside.Downloads {
			n, err := size(f.Write)
			c := page.Cell{Text: sizeText(n), Exact: metric.Exact(float64(n)) + " bytes"}
			if err != nil {
				c = page.Missing("not readable")
			}
			t.Rows = append(t.Rows, page.Row{Cells: []page.Cell{{Text: f.Path, Href: d.File(f.Path), Head: true}, {Text: f.What}, c}})
		}
		return t
	}
}

// inputs lists what ingest was given.
func (d *draft) inputs() {
	ins := d.g.inputList()
	if len(ins) == 0 {
		return
	}
	const most = 200
	shown := ins[:min(most, len(ins))]
	blocks := []page.Block{d.table("inputs", func() *page.Grid {
		t := &page.Grid{Caption: "Inputs", Class: "compact", Columns: []page.Column{{Title: "Input"}, {Title: "SHA-256"}, {Title: "Files read", Num: true}, {Title: "Ignored", Num: true}, {Title: "Rejected records", Num: true}, {Title: "Runs"}}}
		for _, in := range shown {
			rw := page.Row{Cells: []page.Cell{{Text: in.Path, Head: true, Class: "wrap-any"}, {Text: in.SHA256[:min(12, len(in.SHA256))], Code: true, Exact: in.SHA256, Class: "nw"},
				{Text: metric.Count(int64(len(in.Read)))}, {Text: metric.Count(int64(len(in.Ignored)))}, {Text: metric.Count(int64(len(in.Rejected)))}}}
			if len(in.Rejected) > 0 {
				rw.Cells[4].Class = "warn"
			}
			c := page.Cell{Text: page.Plural(len(in.Runs), "run", "runs"), Class: "nw"}
			if len(in.Runs) == 1 {
				c.Href, c.Text = d.Place.To(PathRun(in.Runs[0]), ""), in.Runs[0]
			}
			rw.Cells = append(rw.Cells, c)
			t.Rows = append(t.Rows, rw)
		}
		return t
	})}
	if n := len(ins) - most; n > 0 {
		blocks = append(blocks, page.Paragraph(page.Plural(n, "more input is", "more inputs are")+" in the catalog download."))
	}
	d.section("inputs", "What was read", blocks...)
}

func (g *Site) inputList() []*catalog.Input {
	if g.Catalog == nil {
		return nil
	}
	return g.Catalog.Inputs
}

// notRecognised is what ingest could not map: names that are in no list, with the lines to add;
// keys, files and records that were not used.
func (d *draft) notRecognised() {
	g := d.g
	var blocks []page.Block
	if all := g.Index.Unlisted(); len(all) > 0 {
		var code []page.CodeLine
		counts := map[string]int{}
		var kinds []string
		for _, u := range all {
			if counts[u.Kind]++; counts[u.Kind] == 1 {
				kinds = append(kinds, u.Kind)
			}
			for line := range strings.SplitSeq(u.TOML, "\n") {
				code = append(code, page.CodeLine{Text: line})
			}
			if len(u.Near) > 0 {
				code = append(code, page.CodeLine{Text: "spelled alike: " + strings.Join(u.Near, ", "), Comment: true})
			}
			code = append(code, page.CodeLine{})
		}
		var ws []string
		for _, k := range kinds {
			ws = append(ws, page.Plural(counts[k], k, k+"s"))
		}
		const most = 120
		if len(code) > most {
			code = append(code[:most], page.CodeLine{Text: "and so on: " + page.Plural(len(all), "name", "names") + " in all", Comment: true})
		} else {
			code = code[:len(code)-1]
		}
		blocks = append(blocks, page.Block{Heading: &page.Heading{ID: "unmapped-names", Text: "Names in no list: " + page.Enumerate(ws)}},
			page.Paragraph("These lines go to the files of data/names; inferdex names suggest prints them, with the runs that have the names. Fill in what is known. Where a name is another spelling of a listed one, add it to that one's aliases instead."), page.Block{Code: code})
	}
	// A run counts the keys of all its records, an input those of what it was given, by format.
	type key struct{ format, key string }
	keys := map[key]int{}
	known := map[string]bool{}
	for _, in := range g.inputList() {
		for format, counts := range in.Unmapped {
			for k, n := range counts {
				keys[key{format, k}] += n
				known[k] = true
			}
		}
	}
	for _, r := range g.Index.Runs {
		for k, n := range r.Unmapped {
			if !known[k] {
				keys[key{"", k}] += n
			}
		}
	}
	if len(keys) > 0 {
		blocks = append(blocks, page.Block{Details: d.details("unmapped-keys", page.Plural(len(keys), "key that is kept in the raw records and not used", "keys that are kept in the raw records and not used"), func() *page.Grid {
			t := &page.Grid{Caption: "Keys that are not used", Class: "compact fit", Columns: []page.Column{{Title: "Format"}, {Title: "Key"}, {Title: "Records", Num: true}}}
			list := slices.SortedFunc(maps.Keys(keys), func(a, b key) int {
				return cmp.Or(cmp.Compare(a.format, b.format), cmp.Compare(keys[b], keys[a]), cmp.Compare(a.key, b.key))
			})
			for _, k := range list[:min(1000, len(list))] {
				t.Rows = append(t.Rows, page.Row{Cells: []page.Cell{{Text: k.format, Code: k.format != ""}, {Text: page.Clip(k.key, 120), Code: true, Head: true}, {Text: metric.Count(int64(keys[k]))}}})
			}
			return t
		})})
	}
	var rejected []catalog.Rejected
	var ignored []catalog.InputFile
	for _, in := range g.inputList() {
		rejected = append(rejected, in.Rejected...)
		ignored = append(ignored, in.Ignored...)
	}
	if len(rejected) > 0 {
		blocks = append(blocks, page.Block{Heading: &page.Heading{ID: "rejected", Text: page.Plural(len(rejected), "rejected record", "rejected records")}}, d.table("rejected", func() *page.Grid {
			t := &page.Grid{Caption: "Rejected records", Class: "compact", Columns: []page.Column{{Title: "Place"}, {Title: "What is wrong"}}}
			for _, r := range rejected[:min(500, len(rejected))] {
				place := r.Path
				if r.Line > 0 {
					place += ":" + itoa(r.Line)
				}
				if r.Col > 0 {
					place += ":" + itoa(r.Col)
				}
				t.Rows = append(t.Rows, page.Row{Cells: []page.Cell{{Text: place, Head: true, Class: "wrap-any"}, {Text: page.Clip(r.Message, 400)}}})
			}
			return t
		}))
	}
	if len(ignored) > 0 {
		blocks = append(blocks, page.Block{Details: d.details("ignored", page.Plural(len(ignored), "file that is no result", "files that are no results"), func() *page.Grid {
			t := &page.Grid{Caption: "Ignored files", Class: "compact", Columns: []page.Column{{Title: "File"}, {Title: "Why"}}}
			for _, f := range ignored[:min(1000, len(ignored))] {
				t.Rows = append(t.Rows, page.Row{Cells: []page.Cell{{Text: f.Path, Head: true, Class: "wrap-any"}, {Text: f.Reason}}})
			}
			return t
		})})
	}
	if len(blocks) == 0 {
		blocks = append(blocks, page.Paragraph("Nothing: every file, record, key and name was recognised."))
	}
	d.section("not-recognised", "Not recognised", blocks...)
}
