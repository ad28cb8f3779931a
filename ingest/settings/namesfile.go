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

// longestName is how much of a foreign name is looked at, in bytes.
const longestName = 1000
