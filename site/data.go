package site

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/record"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
)

// runsPage lists all runs, the newest first.
func (g *generator) runsPage() *draft {
	d := g.draft(pathRuns, "runs", "runs", "Runs", "Every run of the catalog, the newest first.")
	n := len(g.ix.Runs)
	d.view.Lede = text(plural(n, "run", "runs") + ", the newest first. A run keeps its address for ever.")
	if n == 0 {
		d.section("runs", "Runs", paragraph("The catalog holds no run yet."))
		return d.done()
	}
	// A table of more rows is slow to lay out on a phone.
	const most = 500
	runs := g.ix.Runs[:min(most, n)]
	blocks := []Block{d.table("runs", func() *table { return d.runsTable("All runs", runs) })}
	if n > most {
		blocks = append(blocks, Block{Text: []Part{{Text: metric.Count(int64(n-most)) + " older runs are on the pages of their "}, {Text: "models", Href: d.place.page(pathModels, "")}, {Text: " and in "}, {Text: "runs.csv", Href: d.file("data/runs.csv")}, {Text: "."}}})
	}
	d.section("all", "All runs", blocks...)
	return d.done()
}

// dataPage has the downloads, what was read, and what was not recognised.
func (g *generator) dataPage() *draft {
	d := g.draft(pathData, "data", "data", "Data", "Downloads of the whole catalog, what it was read from, and what was not recognised.")
	d.view.Lede = text("The whole catalog to download, what it was read from, and what was not recognised.")
	if len(g.ix.Runs) > 0 {
		d.section("downloads", "Downloads", paragraph("Numbers are exact: the shortest decimal that reads back to the same float64, in base units (seconds, tokens a second). Missing values are empty, never zero."),
			d.table("downloads", g.downloadsTable(d)))
	}
	d.coverageByHardware()
	d.inputs()
	d.notRecognised()
	d.allFindings()
	if len(d.sections) == 0 {
		d.section("downloads", "Downloads", paragraph("The catalog holds no run yet."))
	}
	return d.done()
}

func (g *generator) downloadsTable(d *draft) func() *table {
	return func() *table {
		t := &table{caption: "Downloads", columns: []column{{title: "File"}, {title: "What"}, {title: "Size", num: true}}}
		for _, f := range g.downloads() {
			n, err := size(f.Write)
			c := cell{text: sizeText(n), exact: metric.Exact(float64(n)) + " bytes"}
			if err != nil {
				c = missing("not readable")
			}
			t.rows = append(t.rows, row{cells: []cell{{text: f.Path, href: d.file(f.Path), head: true}, {text: f.what}, c}})
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
	blocks := []Block{d.table("inputs", func() *table {
		t := &table{caption: "Inputs", class: "compact", columns: []column{{title: "Input"}, {title: "SHA-256"}, {title: "Files read", num: true}, {title: "Ignored", num: true}, {title: "Rejected records", num: true}, {title: "Runs"}}}
		for _, in := range shown {
			rw := row{cells: []cell{{text: in.Path, head: true, class: "wrap-any"}, {text: in.SHA256[:min(12, len(in.SHA256))], code: true, exact: in.SHA256, class: "nw"},
				{text: metric.Count(int64(len(in.Read)))}, {text: metric.Count(int64(len(in.Ignored)))}, {text: metric.Count(int64(len(in.Rejected)))}}}
			if len(in.Rejected) > 0 {
				rw.cells[4].class = "warn"
			}
			c := cell{text: plural(len(in.Runs), "run", "runs"), class: "nw"}
			if len(in.Runs) == 1 {
				c.href, c.text = d.place.page(pathRun(in.Runs[0]), ""), in.Runs[0]
			}
			rw.cells = append(rw.cells, c)
			t.rows = append(t.rows, rw)
		}
		return t
	})}
	if n := len(ins) - most; n > 0 {
		blocks = append(blocks, paragraph(plural(n, "more input is", "more inputs are")+" in the catalog download."))
	}
	d.section("inputs", "What was read", blocks...)
}

func (g *generator) inputList() []*catalog.Input {
	if g.c == nil {
		return nil
	}
	return g.c.Inputs
}

// notRecognised is what ingest could not map: names that are in no list, with the lines to add;
// keys, files and records that were not used.
func (d *draft) notRecognised() {
	g := d.g
	var blocks []Block
	if all := g.ix.Unlisted(); len(all) > 0 {
		var code []CodeLine
		counts := map[string]int{}
		var kinds []string
		for _, u := range all {
			if counts[u.Kind]++; counts[u.Kind] == 1 {
				kinds = append(kinds, u.Kind)
			}
			for line := range strings.SplitSeq(u.TOML, "\n") {
				code = append(code, CodeLine{Text: line})
			}
			if len(u.Near) > 0 {
				code = append(code, CodeLine{Text: "spelled alike: " + strings.Join(u.Near, ", "), Comment: true})
			}
			code = append(code, CodeLine{})
		}
		var ws []string
		for _, k := range kinds {
			ws = append(ws, plural(counts[k], k, k+"s"))
		}
		const most = 120
		if len(code) > most {
			code = append(code[:most], CodeLine{Text: "and so on: " + plural(len(all), "name", "names") + " in all", Comment: true})
		} else {
			code = code[:len(code)-1]
		}
		blocks = append(blocks, Block{Heading: &Heading{ID: "unmapped-names", Text: "Names in no list: " + enumerate(ws)}},
			paragraph("These lines go to the files of data/names; inferdex names suggest prints them, with the runs that have the names. Fill in what is known. Where a name is another spelling of a listed one, add it to that one's aliases instead."), Block{Code: code})
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
	for _, r := range g.ix.Runs {
		for k, n := range r.Unmapped {
			if !known[k] {
				keys[key{"", k}] += n
			}
		}
	}
	if len(keys) > 0 {
		blocks = append(blocks, Block{Details: d.details("unmapped-keys", plural(len(keys), "key that is kept in the raw records and not used", "keys that are kept in the raw records and not used"), func() *table {
			t := &table{caption: "Keys that are not used", class: "compact fit", columns: []column{{title: "Format"}, {title: "Key"}, {title: "Records", num: true}}}
			list := slices.SortedFunc(maps.Keys(keys), func(a, b key) int {
				return cmp.Or(cmp.Compare(a.format, b.format), cmp.Compare(keys[b], keys[a]), cmp.Compare(a.key, b.key))
			})
			for _, k := range list[:min(1000, len(list))] {
				t.rows = append(t.rows, row{cells: []cell{{text: k.format, code: k.format != ""}, {text: clip(k.key, 120), code: true, head: true}, {text: metric.Count(int64(keys[k]))}}})
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
		blocks = append(blocks, Block{Heading: &Heading{ID: "rejected", Text: plural(len(rejected), "rejected record", "rejected records")}}, d.table("rejected", func() *table {
			t := &table{caption: "Rejected records", class: "compact", columns: []column{{title: "Place"}, {title: "What is wrong"}}}
			for _, r := range rejected[:min(500, len(rejected))] {
				place := r.Path
				if r.Line > 0 {
					place += ":" + itoa(r.Line)
				}
				if r.Col > 0 {
					place += ":" + itoa(r.Col)
				}
				t.rows = append(t.rows, row{cells: []cell{{text: place, head: true, class: "wrap-any"}, {text: clip(r.Message, 400)}}})
			}
			return t
		}))
	}
	if len(ignored) > 0 {
		blocks = append(blocks, Block{Details: d.details("ignored", plural(len(ignored), "file that is no result", "files that are no results"), func() *table {
			t := &table{caption: "Ignored files", class: "compact", columns: []column{{title: "File"}, {title: "Why"}}}
			for _, f := range ignored[:min(1000, len(ignored))] {
				t.rows = append(t.rows, row{cells: []cell{{text: f.Path, head: true, class: "wrap-any"}, {text: f.Reason}}})
			}
			return t
		})})
	}
	if len(blocks) == 0 {
		blocks = append(blocks, paragraph("Nothing: every file, record, key and name was recognised."))
	}
	d.section("not-recognised", "Not recognised", blocks...)
}

// allFindings lists the findings of all runs, errors first.
func (d *draft) allFindings() {
	type item struct {
		r *figure.Run
		f catalog.Finding
	}
	var items []item
	for _, r := range d.g.ix.Runs {
		for _, f := range r.Findings {
			items = append(items, item{r, f})
		}
	}
	if len(items) == 0 {
		return
	}
	slices.SortStableFunc(items, func(a, b item) int { return cmp.Compare(severityRank(a.f.Severity), severityRank(b.f.Severity)) })
	const most = 300
	blocks := []Block{d.table("findings", func() *table {
		t := &table{caption: "Findings", class: "compact attn", columns: []column{{title: "Finding"}, {title: "Severity"}, {title: "Run"}, {title: "What"}}}
		for _, it := range items[:min(most, len(items))] {
			sev := cell{text: string(it.f.Severity), class: "nw"}
			if it.f.Severity != record.Remark && !it.f.Accepted {
				sev.class = "nw warn"
			}
			if it.f.Accepted {
				sev.sub = "acknowledged"
			}
			t.rows = append(t.rows, row{cells: []cell{{text: findingTopic(it.f.Code), head: true}, sev,
				{text: it.r.Card.Title(), href: d.place.page(pathRun(it.r.ID), "findings")}, {text: sentenceText(it.f.Message), class: "wrap-any"}}})
		}
		return t
	})}
	if n := len(items) - most; n > 0 {
		blocks = append(blocks, paragraph(plural(n, "more is", "more are")+" on the pages of their runs."))
	}
	d.section("findings", "Findings", blocks...)
}
