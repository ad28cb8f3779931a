package main

import (
	"cmp"
	"io/fs"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/record"
	"github.com/inferdex/inferdex/ingest/settings"
)

const (
	// partMark stands in --part-url for the name of a part.
	partMark = "{part}"
	// otherPart has the models whose names have no organisation.
	otherPart = "other"
)

// part is a part of a site that is split: a site of its own, of the runs of one organisation's models.
type part struct {
	slug  string   // the folder that it lies in
	names []string // of the organisations, as their models have them; one but where two are written almost alike
	// base is the address of the part, front that of the front page; "" is not known.
	base, front string
	runs        map[string]bool  // by id
	catalog     *catalog.Catalog // of these runs
	models      []string         // their names, sorted
	cards       int
	best        string // the highest peak of output throughput of the runs that head its cards, "" where none has one
	peak        float64
}

// title is what readers call the part.
func (p *part) title() string {
	if len(p.names) == 0 {
		return "Other models"
	}
	return strings.Join(p.names, ", ")
}

// of leaves the runs of the part in a catalog, and of its inputs what is said of them.
func (p *part) of(c *catalog.Catalog) *catalog.Catalog {
	out := &catalog.Catalog{Raw: c.Raw}
	for _, r := range c.Runs {
		if p.runs[r.ID] {
			out.Runs = append(out.Runs, r)
		}
	}
	for _, in := range c.Inputs {
		mine := *in
		mine.Runs = slices.DeleteFunc(slices.Clone(in.Runs), func(id string) bool { return !p.runs[id] })
		if len(mine.Runs) > 0 {
			out.Inputs = append(out.Inputs, &mine)
		}
	}
	return out
}

// partFiles are the files of a catalog of the runs of a part.
type partFiles struct {
	fs.FS
	part *part
}

// ReadDir implements fs.ReadDirFS.
func (f partFiles) ReadDir(name string) ([]fs.DirEntry, error) {
	list, err := fs.ReadDir(f.FS, name)
	return slices.DeleteFunc(list, func(e fs.DirEntry) bool {
		id := strings.TrimSuffix(strings.TrimSuffix(e.Name(), ".raw.jsonl.gz"), ".json")
		return !e.IsDir() && !f.part.runs[id]
	}), err
}

// configure gives the settings of the part.
func (p *part) configure(c *settings.Config) {
	c.Title = cmp.Or(c.Title, "inferdex") + ": " + p.title()
	c.BaseURL = p.base
	if p.front != "" {
		c.Site.Menu = append(c.Site.Menu, settings.MenuEntry{Text: "All organisations", Address: p.front})
	}
}

// also is a sorted list of words with another one, once.
func also(list []string, word string) []string {
	i, has := slices.BinarySearch(list, word)
	if has || word == "" {
		return list
	}
	return slices.Insert(list, i, word)
}

// partSlug is the folder of an organisation; none is called as the front page is ([record.ReservedSlug]).
func partSlug(org string) string {
	if org == "" {
		return otherPart
	}
	slug := record.PathName(org)
	if slug == otherPart {
		return record.DistinctSlug(slug, slug)
	}
	return slug
}

func partBase(pattern, base, slug string) string {
	switch {
	case pattern != "":
		return strings.TrimSuffix(strings.ReplaceAll(pattern, partMark, slug), "/") + "/"
	case base != "":
		return strings.TrimSuffix(base, "/") + "/" + slug + "/"
	}
	return ""
}
