package data

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/xml"
	"io"
	"iter"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/export"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/site/page"
	"github.com/inferdex/inferdex/site/view"
)

// NewSet is the data of a catalog whose pages are made by g. From then on the pages name its files.
func NewSet(g *view.Site, last Last) *Set {
	if last.Content == nil {
		last.Content = func(string, string) ([]byte, bool) { return nil, false }
	}
	if last.Size == nil {
		last.Size = func(string, string) (int64, bool) { return 0, false }
	}
	s := &Set{Site: g, about: export.Describe(g.Index, &g.Config), before: last}
	s.same.models = map[*figure.Model]bool{}
	s.models = sync.OnceValue(func() map[string]*figure.Model {
		models := map[string]*figure.Model{}
		for _, m := range g.Index.Models {
			models[m.Slug] = m
		}
		return models
	})
	s.last = sync.OnceValue(func() *lastSaid {
		if packed := s.lastFile(ClaimsPath); packed != nil {
			return readSaid(packed)
		}
		return nil
	})
	s.lastMembers = sync.OnceValue(func() map[string][]byte { return membersOf(s.lastFile(ClaimsPath)) })
	s.Silence()
	g.Beside = view.Beside{Downloads: s.downloads(), Dataset: s.writeDataset, Badges: s.badgesOf, Stated: s.state}
	return s
}

// Files are the files beside pages: those of each run, what scripts load, badges and feeds. An
// error ends the sequence.
func (g *Set) Files() iter.Seq2[page.File, error] {
	return func(yield func(page.File, error) bool) {
		send := func(f page.File) bool { return yield(f, nil) }
		all := func(files []page.File) bool {
			return !slices.ContainsFunc(files, func(f page.File) bool { return !send(f) })
		}
		if !all(g.ReaderFiles()) || !all(g.limitsFiles()) || !all(g.apiFiles()) || !g.shardFiles(send) {
			return
		}
		for _, r := range g.Index.Runs {
			of := func() ([]page.File, error) { return g.runFiles(r) }
			if !together(page.File{Path: view.PathRun(r.ID), Of: g.OfRun(r), All: of}, yield) {
				return
			}
		}
		for _, c := range g.Index.Cards {
			if g.Base() == "" {
				break
			}
			of := func() ([]page.File, error) { return g.badgeFiles(c), nil }
			if !together(page.File{Path: pathBadges + c.Slug, Of: g.OfCard(c), All: of}, yield) {
				return
			}
		}
		for _, f := range g.feeds() {
			if !send(page.File{Path: view.PathFeed(f.page), Write: func(w io.Writer) error {
				return g.writeFeed(w, f)
			}}) {
				return
			}
		}
	}
}

// together gives files that are made together on, as one where it is known what they are made of.
func together(f page.File, yield func(page.File, error) bool) bool {
	if f.Of != "" {
		return yield(f, nil)
	}
	files, err := f.All()
	if err != nil {
		return yield(f, err) && false
	}
	return !slices.ContainsFunc(files, func(f page.File) bool { return !yield(f, nil) })
}

// mostPlainRows is how many points.csv may have, some 2.5 MB, to be published unpacked too, for programs that unpack
// nothing: of more it would weigh as much as all pages.
const mostPlainRows = 10_000

// fewRows reports whether the points have no more than that.
func (g *Set) fewRows() bool {
	n := 0
	for range export.Rows(g.Index.Runs) {
		if n++; n > mostPlainRows {
			return false
		}
	}
	return n > 0
}

// downloads are the files of the whole catalog.
func (g *Set) downloads() []view.Download {
	if len(g.Index.Runs) == 0 {
		return nil
	}
	points := func(w io.Writer) error { return export.WritePoints(w, g.Index.Runs) }
	file := func(name, what string, write func(io.Writer) error) view.Download {
		return view.Download{File: page.File{Path: "data/" + name, Write: write}, What: what}
	}
	list := []view.Download{
		{File: page.File{Path: view.PathCatalog, Write: g.writeCatalog}, What: "the whole catalog as one JSON document: runs " +
			"with points, figures, parameters, sources and findings"},
		{File: page.File{Path: view.PathPoints, Write: g.writePoints}, What: export.PointsAbout},
	}
	few := g.fewRows()
	if few {
		list = append(list, file("points.csv", "the same rows unpacked, those of the newest run first", points))
	}
	list = append(list,
		file("runs.csv", export.RunsAbout, func(w io.Writer) error { return export.WriteRuns(w, g.Index.Runs) }),
		view.Download{File: page.File{Path: ClaimsPath, Write: g.WriteClaims},
			What: "all sentences that are written from numbers, one a line, each with its operands and their places " +
				"in the catalog"},
		file("catalog.schema.json", "JSON Schema of catalog.json", func(w io.Writer) error {
			return writeJSON(w, catalogSchema())
		}),
		view.Download{File: page.File{Path: view.PathPackage, Write: func(w io.Writer) error {
			return writeJSON(w, g.dataPackage())
		}}, What: "Data Package: all files with their columns"})
	if few && len(g.about.Missing()) == 0 {
		list = append(list, file("croissant.json", "points and runs described in Croissant 1.1", g.croissant))
	}
	if g.about.Creator != "" {
		list = append(list, file("CITATION.cff", "how to cite the data", func(w io.Writer) error {
			data, err := export.Citation(g.about)
			if err == nil {
				_, err = w.Write(data)
			}
			return err
		}))
	}
	for _, m := range g.Index.Models {
		if view.Points(m.Runs()) == 0 {
			continue
		}
		f := page.File{Path: view.PathModelPoints(m.Slug), Of: g.OfModel(m)}
		f.Write = g.again(f, packed(func(w io.Writer) error { return export.WritePoints(w, m.Runs()) }))
		list = append(list, view.Download{File: f, What: "points of " + m.Name,
			Known: func() (int64, bool) { return g.lastSize(f) }})
	}
	for i := range list {
		if list[i].Path != ClaimsPath { // packed as pages are made
			list[i].Write = kept(list[i].Write)
		}
	}
	return list
}

// again writes the content of a file of the last site that is made of the same, else what write writes.
func (g *Set) again(f page.File, write func(io.Writer) error) func(io.Writer) error {
	return func(w io.Writer) error {
		if f.Of != "" {
			if text, ok := g.before.Content(f.Path, f.Of); ok {
				_, err := w.Write(text)
				return err
			}
		}
		return write(w)
	}
}

// runFiles are the downloads of one run, and the scripts that show its raw records. Its points as a table and what
// is known of it are in the files of its model and of the catalog, which its page links.
func (g *Set) runFiles(r *figure.Run) ([]page.File, error) {
	base := view.PathRun(r.ID)
	files := []page.File{g.apiRunFile(r)}
	records, err := g.Raw(r.ID)
	if err != nil || len(records) == 0 {
		return files, err
	}
	parts := view.RawParts(records)
	if len(parts) == 0 {
		return append(files, page.File{Path: base + "/records.jsonl.gz", Write: packed(writeRecords(records))}), nil
	}
	// Each part is packed once: the parts one after the other are the download.
	var all []byte
	for i, part := range parts {
		var b bytes.Buffer
		if err := packed(writeRecords(part))(&b); err != nil {
			return nil, err
		}
		all = append(all, b.Bytes()...)
		text := base64.StdEncoding.EncodeToString(b.Bytes())
		files = append(files, page.File{Path: view.PathRecords(r.ID, i),
			Write: func(w io.Writer) error { return writeCall(w, "records", text) }})
	}
	return append(files, page.File{Path: base + "/records.jsonl.gz", Write: func(w io.Writer) error {
		_, err := w.Write(all)
		return err
	}}), nil
}

// writeRecords writes raw records one a line.
func writeRecords(records []catalog.RawRecord) func(io.Writer) error {
	return func(w io.Writer) error {
		b := bufio.NewWriter(w)
		for i := range records {
			b.Write(records[i].Raw)
			b.WriteByte('\n')
		}
		return b.Flush()
	}
}

// Plain are the small files at the root; pages are all pages of the site, by their paths, with the
// days of their newest runs. What needs absolute addresses is left out where no
// base URL is set.
func (g *Set) Plain(pages map[string]string) []page.File {
	fixed := func(s string) func(io.Writer) error {
		return func(w io.Writer) error { _, err := io.WriteString(w, s); return err }
	}
	base := g.Base()
	robots := "User-agent: *\nAllow: /\n"
	if base != "" {
		robots += "Sitemap: " + base + "sitemap.xml\n"
	}
	files := []page.File{
		{Path: ".nojekyll", Write: fixed("")},
		{Path: "favicon.svg", Write: fixed(favicon)},
		{Path: "robots.txt", Write: fixed(robots)},
		{Path: pathSearch, Write: g.writeSearch},
		{Path: "llms.txt", Write: func(w io.Writer) error { return g.writeLLMs(w, base) }},
		{Path: pathSkill, Write: g.writeSkill},
	}
	if base != "" {
		files = append(files, page.File{Path: view.PathEmbedStyle, Write: fixed(view.EmbedStyle)})
		files = append(files, sitemaps(base, pages, sitemapPages)...)
	}
	return files
}

// favicon is three bars of the palette's first colour, light on dark in dark themes.
const favicon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><style>rect{fill:#1c449b}@media(prefers-color-scheme:dark){rect{fill:#6aa5fb}}</style><rect x="2" y="9" width="3" height="5"/><rect x="6.5" y="5" width="3" height="9"/><rect x="11" y="2" width="3" height="12"/></svg>
`

// sitemapPages is how many pages one sitemap may list.
const sitemapPages = 50_000

// sitemaps list the pages in directory form, each with the day of its newest run where that is
// known. More pages than one sitemap may have are divided, and sitemap.xml lists the parts.
func sitemaps(base string, pages map[string]string, most int) []page.File {
	paths := slices.Sorted(maps.Keys(pages))
	part := func(paths []string) func(io.Writer) error {
		return func(w io.Writer) error {
			return writeSitemap(w, "urlset", "url", paths, func(p string) (string, string) {
				if p != "" && path.Ext(p) != ".html" {
					return base + p + "/", pages[p]
				}
				return base + p, pages[p]
			})
		}
	}
	if len(paths) <= most {
		return []page.File{{Path: "sitemap.xml", Write: part(paths)}}
	}
	var files []page.File
	var names []string
	for chunk := range slices.Chunk(paths, most) {
		name := "sitemap-" + strconv.Itoa(len(files)+1) + ".xml"
		names = append(names, name)
		files = append(files, page.File{Path: name, Write: part(chunk)})
	}
	return append(files, page.File{Path: "sitemap.xml", Write: func(w io.Writer) error {
		return writeSitemap(w, "sitemapindex", "sitemap", names, func(p string) (string, string) {
			return base + p, ""
		})
	}})
}

func writeSitemap(w io.Writer, root, entry string, paths []string, at func(string) (loc, day string)) error {
	b := bufio.NewWriter(w)
	b.WriteString("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<" + root +
		" xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n")
	for _, p := range paths {
		loc, day := at(p)
		b.WriteString("<" + entry + "><loc>")
		if err := xml.EscapeText(b, []byte(loc)); err != nil {
			return err
		}
		b.WriteString("</loc>")
		if _, err := time.Parse(time.DateOnly, day); err == nil {
			b.WriteString("<lastmod>" + day + "</lastmod>")
		}
		b.WriteString("</" + entry + ">\n")
	}
	b.WriteString("</" + root + ">\n")
	return b.Flush()
}

// writeLLMs writes llms.txt: what the site is and where its data lies, for programs that read.
func (g *Set) writeLLMs(w io.Writer, base string) error {
	b := bufio.NewWriter(w)
	plain := func(s string) string { return strings.Join(strings.Fields(view.PrintableXML(s)), " ") }
	line := func(s string) { b.WriteString(plain(s) + "\n") }
	link := func(text, path, what string) {
		text = strings.NewReplacer("[", "(", "]", ")").Replace(plain(text))
		b.WriteString("- [" + text + "](" + base + path + ")")
		if what != "" {
			b.WriteString(": " + plain(what))
		}
		b.WriteByte('\n')
	}
	line("# " + cmp.Or(g.Config.Title, "inferdex"))
	b.WriteByte('\n')
	line("> " + "LLM inference benchmarks by model and hardware; each number is traced to the file it was read from.")
	if g.Config.Notice != "" {
		b.WriteByte('\n')
		line("Notice: " + g.Config.Notice)
	}
	b.WriteString("\n## Data\n\n")
	for _, d := range g.Downloads() {
		if strings.HasPrefix(d.Path, "data/models/") {
			link("Points by model", page.PathData+"/index.html", "one CSV file for each model")
			break
		}
		link(d.Path, d.Path, d.What)
	}
	if len(g.Index.Runs) > 0 {
		link("API", apiOpen, "OpenAPI of the plain JSON of cards and runs, at addresses that stay")
		link("How to quote", pathSkill, "how numbers are quoted, and when to refuse")
	}
	if base != "" {
		link("Feed", view.PathFeed(page.PathHome), "newest runs with their figures, Atom")
	}
	b.WriteString("\nEach run has a JSON file of the API with all of its numbers, and mostly records.jsonl.gz beside its page.\n")
	b.WriteString("\n## Cards\n\n")
	for i, c := range g.Index.Cards {
		if i == 500 {
			link("All models", page.PathModels+"/index.html", metric.Plural(len(g.Index.Cards)-i, "more card"))
			break
		}
		link(c.Title(), page.PathCard(c.Slug)+"/index.html", view.CardDescription(c))
	}
	b.WriteString("\n## About\n\n")
	link("Methodology", page.PathMethodology+"/index.html", "the formula of every derived figure")
	link("Glossary", page.PathGlossary+"/index.html", "")
	return b.Flush()
}
