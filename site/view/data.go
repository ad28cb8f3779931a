package view

import (
	"cmp"
	"net/url"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/inferdex/inferdex/site/page"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/claim"
	"github.com/inferdex/inferdex/ingest/metric"
)

// dataPage has the downloads, what was read, and what was not recognised.
func (g *Site) dataPage() *draft {
	d := g.draft(page.PathData, "data", "data", "Data",
		claim.Plain("Downloads of the whole catalog, what it was read from, and what was not recognised."))
	d.view.Lede = d.lede(
		claim.Plain("The whole catalog to download, what it was read from, and what was not recognised."),
		nil)
	if len(g.Index.Runs) > 0 {
		const most = 500
		files := g.Beside.Downloads
		blocks := []page.Block{
			page.Paragraph("Numbers are exact: the shortest decimal that reads back to " +
				"the same float64, in base units (seconds, tokens a second). Missing values are empty, never zero."),
			d.table("downloads", d.downloadsTable(files[:min(most, len(files))]))}
		if n := len(files) - most; n > 0 {
			blocks = append(blocks, page.Text(metric.Plural(n, "more file is", "more files are")+" named in ").
				Link(path.Base(PathPackage), d.File(PathPackage)).Text(".").Block())
		}
		d.section("downloads", "Downloads", append(blocks, g.queryable()...)...)
	}
	d.snapshots()
	d.coverageByHardware()
	d.inputs()
	if lack := d.unidentified(); !lack.IsZero() {
		d.section("not-recorded", "Not recorded", lack.Block())
	}
	d.notRecognised()
	d.allFindings()
	if len(d.sections) == 0 {
		return d.none()
	}
	return d.done()
}

// queryable is a link that opens the tables in Datasette Lite, which loads a CSV from its address alone and unpacks
// nothing. There is none without the site's address.
func (g *Site) queryable() []page.Block {
	if !strings.HasPrefix(g.Base(), "https://") {
		return nil
	}
	query := url.Values{}
	for _, f := range g.Beside.Downloads {
		if path.Ext(f.Path) == ".csv" {
			query.Add("csv", g.Base()+f.Path)
		}
	}
	if len(query) == 0 {
		return nil
	}
	return []page.Block{page.Linked("Query the tables with SQL in Datasette Lite", "https://lite.datasette.io/?"+
		query.Encode()).Text(", which runs in the browser. It can read them where the server lets other sites do so " +
		"(CORS), as GitHub Pages does.").Block()}
}

func (d *draft) downloadsTable(files []Download) func() *page.Grid {
	return func() *page.Grid {
		sizes := downloadSizes(files)
		t := page.NewTable("Downloads", "", files)
		t.Head("File", func(f Download) (string, string) { return f.Path, d.File(f.Path) })
		t.Text("What", "", func(f Download) string { return f.What })
		t.Num("Size", "", func(f Download) page.Cell {
			n, err := sizes[f.Path]()
			if err != nil {
				return page.Missing("not readable")
			}
			return page.Cell{Text: sizeText(n), Exact: metric.Exact(float64(n)) + " bytes"}
		})
		return t.Done()
	}
}

// downloadSizes are the sizes of the downloads by their paths, most of which are made for it: several at once.
func downloadSizes(files []Download) map[string]func() (int64, error) {
	sizes := map[string]func() (int64, error){}
	next := make(chan func() (int64, error))
	var all sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		all.Go(func() {
			for size := range next {
				func() {
					defer func() { _ = recover() }() // it stops again where the size is asked for
					_, _ = size()
				}()
			}
		})
	}
	for _, f := range files {
		sizes[f.Path] = sync.OnceValues(f.size)
		next <- sizes[f.Path]
	}
	close(next)
	all.Wait()
	return sizes
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
		t := page.NewTable("Inputs", "compact", shown)
		t.Col("Input", func(in *catalog.Input) page.Cell {
			return page.Cell{Text: in.Path, Head: true, Class: "wrap-any"}
		})
		t.Col("SHA-256", func(in *catalog.Input) page.Cell {
			return page.Cell{Text: in.SHA256[:min(12, len(in.SHA256))], Code: true, Exact: in.SHA256, Class: "nw"}
		})
		t.Count("Files read", func(in *catalog.Input) int { return len(in.Read) })
		t.Count("Ignored", func(in *catalog.Input) int { return len(in.Ignored) })
		t.Num("Rejected records", "", func(in *catalog.Input) page.Cell {
			c := page.Count(len(in.Rejected))
			if len(in.Rejected) > 0 {
				c.Class = "warn"
			}
			return c
		})
		t.Col("Runs", func(in *catalog.Input) page.Cell {
			if len(in.Runs) == 1 {
				return page.Cell{Text: in.Runs[0], Href: d.Place.To(PathRun(in.Runs[0]), ""), Class: "nw"}
			}
			return page.Cell{Text: metric.Plural(len(in.Runs), "run"), Class: "nw"}
		})
		return t.Done()
	})}
	if n := len(ins) - most; n > 0 {
		blocks = append(blocks, page.Paragraph(metric.Plural(n, "more input is",
			"more inputs are")+" in the catalog download."))
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
	blocks := d.unlistedNames()
	if keys := d.g.unusedKeys(); len(keys) > 0 {
		summary := metric.Plural(len(keys), "key that is", "keys that are") + " kept in the raw records and not used"
		blocks = append(blocks, page.Block{Details: d.details("unmapped-keys", summary,
			func() *page.Grid { return unusedKeysTable(keys) })})
	}
	var rejected []catalog.Rejected
	var ignored []catalog.InputFile
	for _, in := range d.g.inputList() {
		rejected = append(rejected, in.Rejected...)
		ignored = append(ignored, in.Ignored...)
	}
	if n := len(rejected); n > 0 {
		heading := &page.Heading{ID: "rejected", Text: metric.Plural(n, "rejected record")}
		blocks = append(blocks, page.Block{Heading: heading},
			d.table("rejected", func() *page.Grid { return rejectedTable(rejected[:min(500, n)]) }))
	}
	if n := len(ignored); n > 0 {
		summary := metric.Plural(n, "file that is no result", "files that are no results")
		blocks = append(blocks, page.Block{Details: d.details("ignored", summary, func() *page.Grid {
			t := page.NewTable("Ignored files", "compact", ignored[:min(1000, n)])
			t.Col("File", func(f catalog.InputFile) page.Cell {
				return page.Cell{Text: f.Path, Head: true, Class: "wrap-any"}
			})
			t.Col("Why", func(f catalog.InputFile) page.Cell { return page.Cell{Text: f.Reason} })
			return t.Done()
		})})
	}
	if len(blocks) == 0 {
		blocks = append(blocks, page.Paragraph("Nothing: every file, record, key and name was recognised."))
	}
	d.section("not-recognised", "Not recognised", blocks...)
}

// unlistedNames are the names that are in no list, with the lines to add.
func (d *draft) unlistedNames() []page.Block {
	all := d.g.Index.Unlisted()
	if len(all) == 0 {
		return nil
	}
	var code []page.CodeLine
	counts := map[string]int{}
	var kinds, words []string
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
	for _, k := range kinds {
		words = append(words, metric.Plural(counts[k], k))
	}
	const most = 120
	if len(code) > most {
		code = append(code[:most], page.CodeLine{Text: "and so on: " + metric.Plural(len(all), "name") + " in all",
			Comment: true})
	} else {
		code = code[:len(code)-1]
	}
	return []page.Block{{Heading: &page.Heading{ID: "unmapped-names", Text: "Names in no list: " +
		page.Enumerate(words)}},
		page.Paragraph("These lines go to the files of data/names; inferdex names suggest prints them, with the runs " +
			"that have the names. Fill in what is known. Where a name is another spelling of a listed one, add it to " +
			"that one's aliases instead."),
		{Code: code}}
}

// unusedKey is a key of a format that ingest kept and nothing reads, with how many records have it.
type unusedKey struct {
	format, key string
	records     int
}

// unusedKeys are those of all inputs, and those of runs that no input counts: a run counts the keys
// of all its records, an input those of what it was given, by format.
func (g *Site) unusedKeys() []unusedKey {
	type key struct{ format, key string }
	keys, known := map[key]int{}, map[string]bool{}
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
	var list []unusedKey
	for k, n := range keys {
		list = append(list, unusedKey{k.format, k.key, n})
	}
	slices.SortFunc(list, func(a, b unusedKey) int {
		return cmp.Or(cmp.Compare(a.format, b.format), cmp.Compare(b.records, a.records), cmp.Compare(a.key, b.key))
	})
	return list
}

func unusedKeysTable(keys []unusedKey) *page.Grid {
	t := page.NewTable("Keys that are not used", "compact fit", keys[:min(1000, len(keys))])
	t.Col("Format", func(k unusedKey) page.Cell { return page.Cell{Text: k.format, Code: k.format != ""} })
	t.Col("Key", func(k unusedKey) page.Cell { return page.Cell{Text: page.Clip(k.key, 120), Code: true, Head: true} })
	t.Num("Records", "", func(k unusedKey) page.Cell { return page.Count(k.records) })
	return t.Done()
}

func rejectedTable(list []catalog.Rejected) *page.Grid {
	t := page.NewTable("Rejected records", "compact", list)
	t.Col("Place", func(r catalog.Rejected) page.Cell {
		return page.Cell{Text: placeText(r.Path, r.Line, r.Col), Head: true, Class: "wrap-any"}
	})
	t.Col("What is "+
		"wrong", func(r catalog.Rejected) page.Cell { return page.Cell{Parts: page.Quoting(page.Clip(r.Message, 400))} })
	return t.Done()
}

// countBytes is a writer that only counts.
type countBytes struct{ n int64 }

func (c *countBytes) Write(p []byte) (int, error) { c.n += int64(len(p)); return len(p), nil }

// size is what the file has in bytes.
func (f Download) size() (int64, error) {
	if f.Known != nil {
		if n, ok := f.Known(); ok {
			return n, nil
		}
	}
	var c countBytes
	err := f.Write(&c)
	return c.n, err
}

// unidentifiedPage lists, folder by folder, the runs that lack model or hardware, with the lines
// that would supply it.
func (g *Site) unidentifiedPage() *draft {
	d := g.draft(pathUnidentified, "unidentified", "data", "Not recorded",
		claim.Plain("Runs whose files do not say which model or which hardware was measured, with the lines that "+
			"would."))
	d.view.Crumbs = []page.Link{{Text: "Data", Href: d.Place.To(page.PathData, "")}, {Text: "Not recorded"}}
	d.view.Lede = d.lede(claim.Plain("The files of these runs do not say which model or which hardware was measured. "+
		"Nobody can know what they may be compared with, so they stand in the list of runs and on pages of their "+
		"own, in no ranking, no pair and no sentence about others."), nil)
	const mostFolders, mostRuns, mostLines = 200, 100, 120
	gaps := g.Index.Gaps()
	for i, gap := range gaps[:min(len(gaps), mostFolders)] {
		id := "folder-" + itoa(i+1)
		code := []page.CodeLine{{Text: gap.File, Comment: true}}
		lines := strings.Split(gap.TOML, "\n")
		for _, line := range lines[:min(len(lines), mostLines)] {
			code = append(code, page.CodeLine{Text: line})
		}
		if more := len(lines) - mostLines; more > 0 {
			code = append(code, page.CodeLine{Text: "and so on: " + metric.Plural(more, "more line"), Comment: true})
		}
		title := gap.Folder
		if title == "." {
			title = "Files in no folder"
		}
		d.section(id, page.Clip(title, 120), page.Paragraph(metric.Plural(len(gap.Runs), "run lacks ",
			"runs lack ")+page.Enumerate(gap.Missing)+". These lines beside the files would say it:"),
			page.Block{Code: code},
			d.table(id, func() *page.Grid {
				return d.runsTable("Runs of "+title, gap.Runs[:min(len(gap.Runs), mostRuns)])
			}))
	}
	if more := len(gaps) - mostFolders; more > 0 {
		d.section("more", "More folders", page.Paragraph(metric.Plural(more, "more folder has",
			"more folders have")+" such runs; inferdex ingest -v prints the lines for all."))
	}
	d.section("rules", "A whole scheme of folders",
		page.Paragraph("Where folders are named after models or machines, one rule in inferdex.toml says it for all "+
			"of them:"),
		page.Block{Code: []page.CodeLine{{Text: "inferdex.toml", Comment: true}, {Text: "[[ingest.path]]"},
			{Text: `pattern = "{hardware}/{model}/**"`}}})
	return d.done()
}
