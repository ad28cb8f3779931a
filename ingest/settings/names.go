package settings

import (
	"io/fs"
	"sort"
	"strings"

	"github.com/inferdex/inferdex/ingest/record"
)

// Names knows what models, accelerators, engines and quantizations are called and what is known
// of them: the data/names/*.toml of the program and of a catalog. A nil *Names knows nothing.
type Names struct {
	models       []Model
	modelKeys    map[string]int // normalised spelling to index
	modelBases   map[string]int // normalised name without organisation; -1 where two share it
	modelSlugs   map[string]int
	accelerators []Accelerator
	accKeys      map[string]int
	engines      []engine
	engineKeys   map[string]int
	wrappers     []wrapper
	notArguments map[string]string
	prices       []Price
	changes      []Change

	quantizations []Quantization
	quantKeys     map[string]int
}

// namesTable is one entry of a names file with the layer it stands in.
type namesTable struct {
	*table
	layer int
}

// LoadNames reads names/*.toml of each layer: the program's own first, then a catalog's. An
// entry of a later layer changes, key by key, the entry of the same id before it, and adds its
// aliases to the others; where two layers use one alias, the later wins.
//
// A file may hold [[model]], [[accelerator]], [[engine]], [[wrapper]], [[quantization]], [[price]]
// and [[change]] tables, whatever its name is. Layers may be nil.
func LoadNames(layers ...fs.FS) (*Names, []Diagnostic) {
	n := &Names{
		modelKeys: map[string]int{}, modelBases: map[string]int{}, modelSlugs: map[string]int{},
		accKeys: map[string]int{}, engineKeys: map[string]int{}, notArguments: map[string]string{}, quantKeys: map[string]int{},
	}
	var diags []Diagnostic
	var docs []*document
	var models, accelerators, engines, wrappers, prices, changes, quantizations []namesTable
	var tops []*table
	for layer, fsys := range layers {
		if fsys == nil {
			continue
		}
		files, err := fs.Glob(fsys, "names/*.toml")
		if err != nil {
			continue
		}
		sort.Strings(files)
		for _, name := range files {
			data, err := fs.ReadFile(fsys, name)
			if err != nil {
				diags = append(diags, Diagnostic{File: "data/" + name, Message: err.Error()})
				continue
			}
			doc, t := parse("data/"+name, data)
			docs, tops = append(docs, doc), append(tops, t)
			for _, k := range []struct {
				key string
				to  *[]namesTable
			}{{"model", &models}, {"accelerator", &accelerators}, {"engine", &engines}, {"wrapper", &wrappers}, {"price", &prices}, {"change", &changes}, {"quantization", &quantizations}} {
				for _, e := range t.tables(k.key) {
					*k.to = append(*k.to, namesTable{e, layer})
				}
			}
		}
	}
	n.readAccelerators(accelerators)
	n.readModels(models)
	n.readEngines(engines)
	n.readWrappers(wrappers)
	n.readPrices(prices)
	n.readChanges(changes)
	n.readQuantizations(quantizations)
	for _, t := range tops {
		t.close()
	}
	for _, d := range docs {
		diags = append(diags, d.sorted()...)
	}
	return n, diags
}

// id reads the id of an entry. It reports entries without one and entries that stand twice in
// one layer; seen holds the layer of each id by index.
func (t namesTable) id(seen map[string]int) string {
	id := t.text("id")
	if id == "" {
		t.doc.report(t.path, "an entry without id: write id = \"...\"")
		return ""
	}
	if layer, ok := seen[id]; ok && layer == t.layer {
		t.doc.report(t.at("id"), "%q has two entries: join them", id)
	}
	seen[id] = t.layer
	return id
}

// spellings is a table of what leads to an entry, with the layer each was stated in.
type spellings struct {
	to    map[string]int
	layer map[string]int
}

func newSpellings(to map[string]int) *spellings {
	return &spellings{to: to, layer: map[string]int{}}
}

// add states a spelling. It reports one that leads elsewhere in the same layer.
func (s *spellings) add(t namesTable, at, key string, index int, written string, name func(int) string) {
	if key == "" {
		t.doc.report(at, "%q has no letter and no digit", written)
		return
	}
	if old, ok := s.to[key]; ok && old != index && s.layer[key] == t.layer {
		t.doc.report(at, "%q already means %q: a spelling leads to one entry", written, name(old))
		return
	}
	s.to[key], s.layer[key] = index, t.layer
}

// unlistedSlug is the slug of a name that nobody listed, of at most 105 bytes. Where the rule changed more than
// case, 4 characters of the name's digest keep it apart.
func unlistedSlug(name string) string {
	s := record.Slug(clip(name, 100))
	if s == strings.ToLower(name) && s != "" {
		return record.PathName(s)
	}
	return record.DistinctSlug(s, name)
}

// clip bounds a foreign name that goes into a slug or a title.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xC0 == 0x80 {
		n--
	}
	return s[:n]
}
