package view

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/claim"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/site/page"
)

// provenance is where each piece of metadata comes from, and the list of files.
func (d *draft) provenance(r *figure.Run) {
	var blocks []page.Block
	if len(r.Origins) > 0 {
		blocks = append(blocks, originsBlock(r.Origins))
	}
	if len(r.Attributes) > 0 {
		blocks = append(blocks, d.table("provenance", func() *page.Grid {
			list := byFile(statements(r.Attributes))
			t := page.NewTable("Where each value comes from", "prov", list)
			t.Each(func(i int, s statement, row *page.Row) {
				if s.first && i > 0 {
					row.Class = "sep"
				}
				if row.ID = "attr-" + catalog.Slug(s.key); s.lost {
					row.ID, row.Class = "", strings.TrimSpace(row.Class+" lost")
				}
			})
			t.Head("Value", func(s statement) (string, string) {
				if s.lost {
					return AttributeLabel(s.key) + ", overruled", ""
				}
				return AttributeLabel(s.key), ""
			})
			t.Col("As recorded", func(s statement) page.Cell {
				if s.lost {
					return page.Cell{Was: page.Clip(s.a.Value, 400), Class: "wrap-any"}
				}
				return page.Cell{Text: page.Clip(s.a.Value, 400), Was: s.a.Was, Class: "wrap-any", Sub: s.a.Reason,
					SubWarn: true}
			})
			t.Col("Read from", func(s statement) page.Cell { return d.statedAt(r, s) })
			t.Add(page.Column{Title: "Kind", Unit: "rank", Note: "1 overrules all others"}, statement.rank)
			return t.Done()
		}))
	}
	if n := metric.Plural(len(r.Sources), "source file"); d.g.manySources(r) {
		blocks = append(blocks, page.Linked(n, d.Place.To(d.g.pathSources(r), "")).Text(", with their digests.").Block())
	} else if len(r.Sources) > 0 {
		blocks = append(blocks, page.Block{Heading: &page.Heading{ID: "sources", Text: n}},
			d.table("sources", func() *page.Grid { return d.sourcesTable(r, span{end: len(r.Sources)}) }))
	}
	if u := d.issueAddress(r, ""); u != "" {
		blocks = append(blocks, page.Linked("Report a wrong number", u).Block())
	}
	d.section("provenance", "Provenance", blocks...)
}

// originsBlock says which catalogs have a run.
func originsBlock(of []catalog.Origin) page.Block {
	parts := page.Text("Published by ")
	var gone []string
	for i, o := range of {
		if o.Gone {
			gone = append(gone, cmp.Or(o.Title, o.Catalog, "this catalog"))
			continue
		}
		if i > 0 && i > len(gone) {
			parts = parts.Text(", ")
		}
		switch name, at := cmp.Or(o.Title, o.Catalog), page.WebAddress(o.Page); {
		case o.Catalog == "":
			parts = parts.Text("this catalog")
		case at != "":
			parts = parts.Link(name, at)
		default:
			parts = parts.Text(name)
		}
		if o.Differs {
			parts = parts.Text(" (with other measurements)")
		}
		if o.Withdrawn != "" {
			parts = parts.Text(" (withdrawn there)")
		}
	}
	if len(gone) > 0 {
		parts = parts.Text("; withdrawn by " + page.Enumerate(gone))
	}
	return parts.Text(".").Block()
}

// statement is what a source says about a run; lost where another one overrules it.
type statement struct {
	key  string
	a    catalog.Attribute
	lost bool
	// first says that it is the first of those of one file.
	first bool
}

// statements are the attributes of a run, those that lost below the one that holds.
func statements(as map[string]catalog.Attribute) (list []statement) {
	for _, k := range sortedAttributes(as) {
		list = append(list, statement{key: k, a: as[k]})
		for _, o := range as[k].Others {
			list = append(list,
				statement{key: k, lost: true,
					a: catalog.Attribute{Value: o.Value, From: o.From, File: o.File, Line: o.Line}})
		}
	}
	return list
}

// byFile puts the statements of one file together, the file of the first statement first.
func byFile(list []statement) (out []statement) {
	var files []string
	of := map[string][]statement{}
	for _, s := range list {
		if of[s.a.File] == nil {
			files, s.first = append(files, s.a.File), true
		}
		of[s.a.File] = append(of[s.a.File], s)
	}
	for _, f := range files {
		out = append(out, of[f]...)
	}
	return out
}

// statedAt is where a statement stands: its file at the first one of it, with links to the file among the sources and
// to the records, and the line at the others.
func (d *draft) statedAt(r *figure.Run, s statement) page.Cell {
	switch {
	case s.a.File == "" && s.a.From == catalog.FromCI:
		return page.Missing("environment")
	case s.a.File == "" && !s.lost:
		return page.Missing("command line")
	case !s.first && s.a.Line > 0:
		return page.Cell{Text: "line " + metric.Count(int64(s.a.Line)), Exact: placeText(s.a.File, s.a.Line)}
	case !s.first:
		return page.Cell{Text: "the same file", Exact: s.a.File, Class: "mut"}
	}
	c := page.Cell{Text: placeText(s.a.File, s.a.Line), Class: "wrap-any"}
	if i := slices.IndexFunc(r.Sources, func(o catalog.Source) bool { return o.Path == s.a.File }); i >= 0 {
		c.Href = d.Place.To(d.g.pathSource(r, r.Sources[i].ID()), "src-"+r.Sources[i].ID())
		c.Parts = page.Text(" ").Link("records", "#raw")
	}
	return c
}

// rank names the kind of a statement with its rank.
func (s statement) rank() page.Cell {
	c := page.Cell{Text: string(s.a.From), Class: "nw"}
	if i := slices.Index(catalog.Authorities, s.a.From); i >= 0 {
		c.Text += ", " + itoa(i+1)
	}
	return c
}

// attributeOrder puts what identifies a run first.
var attributeOrder = []string{"model", "hardware", "count", "engine", "engine_version", "engine_commit", "wrapper",
	"image", "series", "baseline", "precision", "date", "command", "client_command"}

func sortedAttributes(as map[string]catalog.Attribute) []string {
	rank := func(k string) int {
		if i := slices.Index(attributeOrder, k); i >= 0 {
			return i
		}
		return len(attributeOrder)
	}
	return slices.SortedFunc(maps.Keys(as), func(a,
		b string) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a, b))
	})
}

// AttributeLabel is a key in words: "engine_version" is "Engine version".
func AttributeLabel(k string) string {
	switch k {
	case "os":
		return "Operating system"
	case "cpu", "ram", "cuda":
		return strings.ToUpper(k)
	case "rocm":
		return "ROCm"
	case "gpu_memory":
		return "GPU memory"
	case "":
		return "Value"
	}
	if name, ok := strings.CutPrefix(k, "labels."); ok {
		return "Label " + name
	}
	s := strings.ReplaceAll(k, "_", " ")
	return page.Upper(s)
}

func sourcesTitle(r *figure.Run) string { return r.Card.Title() + ", run " + r.ID + ": source files" }

func sourcesAbout(r *figure.Run) claim.Sentence { return readFrom(r, "run "+r.ID) }

// moreSourcesPage is a further page of the source files of a run.
func (g *Site) moreSourcesPage(r *figure.Run, i int) *draft {
	all := g.sourceSpans(r)
	d := g.spanPage(r, all, i, "provenance", sourcesName)
	d.section("sources", "Source files", further(d.Place, all, i),
		d.table("sources", func() *page.Grid { return d.sourcesTable(r, all[i]) }))
	return d.done()
}

// sourcesPage lists the source files of a run of many.
func (g *Site) sourcesPage(r *figure.Run) *draft {
	d := g.draft(g.pathSources(r), "records", "models", sourcesTitle(r), sourcesAbout(r))
	d.view.Heading = "Source files"
	d.view.Crumbs = append(d.crumbsTo(r), page.Link{Text: "run " + r.ID, Href: d.Place.To(PathRun(r.ID), "provenance")},
		page.Link{Text: "source files"})
	d.view.Lede = d.lede(readFrom(r, "this run"), nil)
	var blocks []page.Block
	if s := r.Sources[0]; alike(r.Sources) {
		of := publishedCell(s)
		said := page.Text("Each of them has the format "+s.Format+" and is published as ").Link(of.Text, of.Href)
		if of.Sub != "" {
			said = said.Text(", " + of.Sub)
		}
		blocks = append(blocks, said.Text(". Licence: "+cmp.Or(s.License, "not recorded")+".").Block())
	}
	all := g.sourceSpans(r)
	blocks = append(blocks, further(d.Place, all, 0),
		d.table("sources", func() *page.Grid { return d.sourcesTable(r, all[0]) }))
	d.section("sources", "Source files", blocks...)
	return d.done()
}

// alike says whether all that is said of where many sources come from is the same of each, and is recorded.
func alike(list []catalog.Source) bool {
	a := list[0]
	return len(list) > maxSources && cmp.Or(a.Title, a.Address) != "" && !slices.ContainsFunc(list, func(b catalog.Source) bool {
		return b.CI != nil || b.Format != a.Format || b.Title != a.Title || b.Address != a.Address || b.Date != a.Date ||
			b.License != a.License
	})
}

// readFrom says how many files a run was read from.
func readFrom(r *figure.Run, name string) claim.Sentence {
	return claim.NewTally(claim.Chosen, r).Say("The ").Much(claim.SourceCount, "file").Say(" that ").Name(name).
		Say(" was read from, with their digests.").Sentence()
}

// folderOf is the folder or the archive that more than one file lie in, with what parts it from their names: the page of
// many files would be a third longer with it before each name.
func folderOf(list []catalog.Source) string {
	if len(list) < 2 {
		return ""
	}
	common := list[0].Path
	for _, s := range list[1:] {
		n := 0
		for n < min(len(common), len(s.Path)) && common[n] == s.Path[n] {
			n++
		}
		common = common[:n]
	}
	return common[:strings.LastIndexAny(common, "/!")+1]
}

// sourcesTable lists the files a run was read from: where they are published, by whom and under
// which licence.
func (d *draft) sourcesTable(r *figure.Run, here span) *page.Grid {
	t := page.NewTable("Source files", "prov compact", r.Sources)
	t.Only(here.rows())
	seen := map[string]bool{}
	t.Each(func(_ int, s catalog.Source, row *page.Row) {
		// The same bytes may lie at two paths: links lead to the first.
		if !seen[s.ID()] {
			row.ID, seen[s.ID()] = "src-"+s.ID(), true
		}
	})
	within := folderOf(r.Sources)
	if within != "" {
		t.Intro = page.Parts{{Text: "All of them are in "}, {Text: within, Code: true}, {Text: "."}}
	}
	t.Col("File", func(s catalog.Source) page.Cell {
		return page.Cell{Text: s.Path[len(within):], Head: true, Class: "wrap-any"}
	})
	each := !d.g.manySources(r) || !alike(r.Sources) // else it is said above
	if each {
		t.Col("Format", func(s catalog.Source) page.Cell { return page.Cell{Text: s.Format, Class: "nw"} })
	}
	t.Col("SHA-256", func(s catalog.Source) page.Cell {
		return page.Cell{Text: s.ID(), Code: true, Exact: s.SHA256, Class: "nw"}
	})
	if each {
		t.Col("Published as", publishedCell)
		t.Text("Licence", "not recorded", func(s catalog.Source) string { return s.License })
	}
	if !d.g.manySources(r) {
		return t.Done()
	}
	points := map[string][]pointRow{}
	for _, s := range r.Scenarios {
		for _, p := range s.Measured {
			points[p.At.Source] = append(points[p.At.Source], pointRow{s, p})
		}
	}
	t.Col("Points", func(s catalog.Source) page.Cell {
		// Each point's anchor stands here too; the first file of equal ones has it.
		ps := points[s.ID()]
		delete(points, s.ID())
		return page.Cell{Class: "wrap-any", After: page.FragmentOf(func(m *page.Markup) {
			for i, q := range ps {
				if i > 0 {
					m.Raw("; ")
				}
				m.Raw("<a")
				m.Attr("id", PointID(q.s, q.p))
				m.Attr("href", d.pointHref(r, q.s, q.p))
				m.Raw(">")
				m.Text(q.s.Title + ", " + loadShort(q.p))
				m.Raw("</a>")
			}
		})}
	})
	return t.Done()
}

// publishedCell is where a source is published: its address, else the CI run that made it.
func publishedCell(s catalog.Source) page.Cell {
	c := page.Cell{Text: cmp.Or(s.Title, s.Address), Href: page.WebAddress(s.Address), Class: "wrap-any", Sub: s.Date}
	if s.CI != nil {
		if u := page.WebAddress(s.CI.URL); u != "" && c.Href == "" {
			c.Text, c.Href = cmp.Or(s.CI.Workflow, "CI run"), u
		}
		for _, said := range []struct{ what, value string }{
			{"commit", s.CI.Commit}, {"branch", s.CI.Branch}, {"pull request", s.CI.PullRequest}, {"fork", s.CI.Fork},
		} {
			if said.value != "" {
				c.Sub = strings.TrimSpace(c.Sub + " " + said.what + " " + said.value)
			}
		}
	}
	if c.Text == "" {
		return page.Missing("not recorded")
	}
	return c
}
