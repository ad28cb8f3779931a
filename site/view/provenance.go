package view

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/site/page"
)

// provenance is where each piece of metadata comes from, and the list of files.
func (d *draft) provenance(r *figure.Run) {
	var blocks []page.Block
	if len(r.Attributes) > 0 {
		blocks = append(blocks, d.table("provenance", func() *page.Grid {
			t := &page.Grid{Caption: "Where each value comes from", Class: "prov", Columns: []page.Column{{Title: "Value"}, {Title: "As recorded"}, {Title: "Read from"}, {Title: "Kind", Unit: "rank", Note: "1 overrules all others"}}}
			for _, k := range sortedAttributes(r.Attributes) {
				a := r.Attributes[k]
				from := page.Cell{Text: a.File, Class: "wrap-any"}
				if a.Line > 0 && a.File != "" {
					from.Text += ":" + itoa(a.Line)
				}
				if a.File == "" {
					from = page.Cell{Text: "command line", Class: "na"}
					if a.From == catalog.FromCI {
						from.Text = "environment"
					}
				}
				v := page.Cell{Text: page.Clip(a.Value, 400), Was: a.Was, Class: "wrap-any"}
				if a.Reason != "" {
					v.Sub, v.SubWarn = a.Reason, true
				}
				t.Rows = append(t.Rows, page.Row{ID: "attr-" + catalog.Slug(k), Cells: []page.Cell{{Text: AttributeLabel(k), Head: true}, v, from, rankCell(a.From)}})
				for _, o := range a.Others {
					// A statement that lost stands below the one that holds.
					place := page.Cell{Text: o.File, Class: "wrap-any"}
					if o.File != "" && o.Line > 0 {
						place.Text += ":" + itoa(o.Line)
					}
					t.Rows = append(t.Rows, page.Row{Class: "lost", Cells: []page.Cell{{Text: "overruled", Head: true}, {Was: page.Clip(o.Value, 400), Class: "wrap-any"}, place, rankCell(o.From)}})
				}
			}
			return t
		}))
	}
	if n := page.Plural(len(r.Sources), "source file", "source files"); manySources(r) {
		blocks = append(blocks, page.Block{Text: []page.Part{{Text: n, Href: d.Place.To(pathSources(r), "")}, {Text: ", with their digests."}}})
	} else if len(r.Sources) > 0 {
		blocks = append(blocks, page.Block{Heading: &page.Heading{ID: "sources", Text: n}}, d.table("sources", func() *page.Grid { return d.sourcesTable(r) }))
	}
	if u := d.g.issueAddress(r, ""); u != "" {
		blocks = append(blocks, page.Block{Text: []page.Part{{Text: "Report a wrong number", Href: u}}})
	}
	d.section("provenance", "Provenance", blocks...)
}

// authorities are the kinds of statement about a run, the one that overrules all others first.
var authorities = []catalog.Authority{catalog.FromOverride, catalog.FromRecord, catalog.FromMetadata, catalog.FromSidecar, catalog.FromRule, catalog.FromFlag, catalog.FromCI, catalog.FromName}

// rankCell names the kind of a statement with its rank.
func rankCell(a catalog.Authority) page.Cell {
	c := page.Cell{Text: string(a), Class: "nw"}
	if i := slices.Index(authorities, a); i >= 0 {
		c.Text += ", " + itoa(i+1)
	}
	return c
}

// attributeOrder puts what identifies a run first.
var attributeOrder = []string{"model", "hardware", "count", "engine", "engine_version", "engine_commit", "wrapper", "image", "series", "baseline", "precision", "date", "command", "client_command"}

func sortedAttributes(as map[string]catalog.Attribute) []string {
	rank := func(k string) int {
		if i := slices.Index(attributeOrder, k); i >= 0 {
			return i
		}
		return len(attributeOrder)
	}
	return slices.SortedFunc(maps.Keys(as), func(a, b string) int { return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a, b)) })
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
	return strings.ToUpper(s[:1]) + s[1:]
}
