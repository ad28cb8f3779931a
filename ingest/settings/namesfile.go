package settings

import (
	"strings"

	"github.com/inferdex/inferdex/ingest/record"
)

// namesTable is one entry of a names file with the layer it stands in.
type namesTable struct {
	*table
	layer int
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

// entries are those of one kind that data/names lists, with the spellings that lead to them. T points to an entry: one
// function reads the entries of all kinds.
type entries[T any] struct {
	all []T
	ids []string // of all
	// keys are spellings in the form that key gives them, with the index of the entry each leads to, layers the
	// layer each was stated in.
	keys, layers map[string]int
	key          func(written string) string
}

func newEntries[T any](key func(written string) string) entries[T] {
	return entries[T]{keys: map[string]int{}, layers: map[string]int{}, key: key}
}

// read reads the entries of one kind. Blank makes one of which only the id is known, and fill puts in what a table
// says: a table of a later layer completes the entry of the same id. Done, if it is not nil, is called for each
// table once its entry is listed by its id.
func (e *entries[T]) read(tables []namesTable, blank func(id string) T, fill func(namesTable, T),
	done func(t namesTable, index int, aliases []string)) {
	seen, index := map[string]int{}, map[string]int{}
	for _, t := range tables {
		id := t.id(seen)
		i, known := index[id]
		entry := blank(id)
		if known {
			entry = e.all[i]
		}
		fill(t, entry)
		aliases, _ := t.texts("aliases")
		t.close()
		if id == "" {
			continue
		}
		if !known {
			i = len(e.all)
			index[id], e.all, e.ids = i, append(e.all, entry), append(e.ids, id)
		}
		e.spell(t, t.at("id"), id, i)
		if done != nil {
			done(t, i, aliases)
		}
		for j, a := range aliases {
			e.spell(t, element(t.at("aliases"), j), a, i)
		}
	}
}

// spell lets a spelling lead to an entry. It reports one that leads elsewhere in the same layer.
func (e *entries[T]) spell(t namesTable, at, written string, index int) {
	key := e.key(written)
	if key == "" {
		t.doc.report(at, "%q has no letter and no digit", written)
		return
	}
	if old, ok := e.keys[key]; ok && old != index && e.layers[key] == t.layer {
		t.doc.report(at, "%q already means %q: a spelling leads to one entry", written, e.ids[old])
		return
	}
	e.keys[key], e.layers[key] = index, t.layer
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

// longestName is how much of a foreign name is looked at, in bytes.
const longestName = 1000
