package view

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/site/page"
)

// provenance is where each piece of metadata comes from, and the list of files.
func (d *draft) provenance(r *figure.Run) {
	var blocks []page.Block
	if len(r.Attributes) > 0 {
		blocks = append(blocks, d.table("provenance", func() *page.Grid {
			t := page.NewTable("Where each value comes from", "prov", statements(r.Attributes))
			t.Each(func(_ int, s statement, row *page.Row) {
				if row.ID = "attr-" + catalog.Slug(s.key); s.lost {
					row.ID, row.Class = "", "lost"
				}
			})
			t.Head("Value", func(s statement) (string, string) {
				if s.lost {
					return "overruled", ""
				}
				return AttributeLabel(s.key), ""
			})
			t.Col("As recorded", func(s statement) page.Cell {
				if s.lost {
					return page.Cell{Was: page.Clip(s.a.Value, 400), Class: "wrap-any"}
				}
				return page.Cell{Text: page.Clip(s.a.Value, 400), Was: s.a.Was, Class: "wrap-any", Sub: s.a.Reason, SubWarn: true}
			})
			t.Col("Read from", statement.place)
			t.Add(page.Column{Title: "Kind", Unit: "rank", Note: "1 overrules all others"}, statement.rank)
			return t.Done()
		}))
	}
	if n := metric.Plural(len(r.Sources), "source file"); manySources(r) {
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

// statement is what a source says about a run; lost where another one overrules it.
type statement struct {
	key  string
	a    catalog.Attribute
	lost bool
}

// statements are the attributes of a run, those that lost below the one that holds.
func statements(as map[string]catalog.Attribute) (list []statement) {
	for _, k := range sortedAttributes(as) {
		list = append(list, statement{k, as[k], false})
		for _, o := range as[k].Others {
			list = append(list, statement{k, catalog.Attribute{Value: o.Value, From: o.From, File: o.File, Line: o.Line}, true})
		}
	}
	return list
}

// place is where a statement stands.
func (s statement) place() page.Cell {
	switch {
	case s.a.File != "" || s.lost:
		return page.Cell{Text: placeText(s.a.File, s.a.Line), Class: "wrap-any"}
	case s.a.From == catalog.FromCI:
		return page.Missing("environment")
	}
	return page.Missing("command line")
}

// rank names the kind of a statement with its rank.
func (s statement) rank() page.Cell {
	c := page.Cell{Text: string(s.a.From), Class: "nw"}
	if i := slices.Index(authorities, s.a.From); i >= 0 {
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
