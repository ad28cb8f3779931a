package data

import (
	"bytes"
	"encoding/binary"
	"io"

	"github.com/klauspost/compress/gzip"

	"github.com/inferdex/inferdex/ingest/export"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/site/page"
	"github.com/inferdex/inferdex/site/view"
)

// A file about all models is packed model by model: it is several gzip members, one after the other, which programs
// read as one file. A member says in its header what it is about and how long it is, so that the next build takes the
// members of models that did not change as they are, and neither writes nor packs what they say.

// member is a part of a packed file.
type member struct {
	// name says what the part is about, once in a file: the slug of a model. "" is not taken from the last build.
	name string
	// again says that it is what it was in the last build.
	again bool
	write func(io.Writer) error
}

// The header of a member has one extra field, as RFC 1952 describes them: two letters, the length of what follows,
// the length of the member, the name.
const (
	fieldID    = "ix"
	fieldHead  = 4  // the letters and the length
	lengthSize = 4  // of the length of the member
	fieldAt    = 12 // where the field stands in a member: behind the fixed header and its own length
	extraFlag  = 1 << 2
	flagsAt    = 3
)

// writeMembers writes a file of members; last is the file of the last build, nil where it is not known.
func writeMembers(w io.Writer, last []byte, list []member) error {
	known := membersOf(last)
	for _, m := range list {
		text := known[m.name]
		if text == nil || m.name == "" || !m.again {
			var err error
			if text, err = m.pack(); err != nil {
				return err
			}
		}
		if _, err := w.Write(text); err != nil {
			return err
		}
	}
	return nil
}

// pack is the member as it stands in a file.
func (m member) pack() ([]byte, error) {
	var b bytes.Buffer
	z := packers.Get().(*gzip.Writer)
	defer packers.Put(z)
	z.Reset(&b)
	field := append([]byte(fieldID), 0, 0)
	binary.LittleEndian.PutUint16(field[len(fieldID):], uint16(lengthSize+len(m.name)))
	z.Extra = append(append(field, make([]byte, lengthSize)...), m.name...)
	if err := m.write(z); err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	binary.LittleEndian.PutUint32(b.Bytes()[fieldAt+fieldHead:], uint32(b.Len())) // it is known by now
	return b.Bytes(), nil
}

// membersOf are the members of a file by their names, up to the first that does not say its own. The file is known to be
// what a build wrote.
func membersOf(file []byte) map[string][]byte {
	all := map[string][]byte{}
	for len(file) > fieldAt+fieldHead+lengthSize && file[flagsAt] == extraFlag {
		field := file[fieldAt:]
		size := int(binary.LittleEndian.Uint16(field[len(fieldID):]))
		if string(field[:len(fieldID)]) != fieldID || size < lengthSize || len(field) < fieldHead+size {
			break
		}
		length := int(binary.LittleEndian.Uint32(field[fieldHead:]))
		if length <= 0 || length > len(file) {
			break
		}
		all[string(field[fieldHead+lengthSize:fieldHead+size])] = file[:length]
		file = file[length:]
	}
	return all
}

// modelOf is the model whose pages are made of a run, nil where there is none.
func (g *Set) modelOf(r *figure.Run) *figure.Model {
	if !r.Listed() {
		return nil
	}
	return g.models()[r.Model.Slug]
}

// runsOf are the runs of a model in the order of the index, with nil those of none.
func (g *Set) runsOf() map[*figure.Model][]*figure.Run {
	of := map[*figure.Model][]*figure.Run{}
	for _, r := range g.Index.Runs {
		m := g.modelOf(r)
		of[m] = append(of[m], r)
	}
	return of
}

// unchanged says whether all that is made of a model is what it was in the last build: the file of its points, which is
// made of the same as its pages, is.
func (g *Set) unchanged(m *figure.Model) bool {
	if m == nil {
		return false
	}
	g.same.Lock()
	defer g.same.Unlock()
	is, known := g.same.models[m]
	if !known {
		_, is = g.lastSize(page.File{Path: view.PathModelPoints(m.Slug), Of: g.OfModel(m)})
		g.same.models[m] = is
	}
	return is
}

// writePoints writes the points of all runs, packed, those of a model together.
func (g *Set) writePoints(w io.Writer) error {
	runs, merged := g.Index.Runs, export.Merged(g.Index.Runs)
	of := g.runsOf()
	rows := func(m *figure.Model) func(io.Writer) error {
		return func(w io.Writer) error { return export.WritePointRows(w, of[m], merged) }
	}
	list := []member{{write: func(w io.Writer) error { return export.WritePointsHead(w, runs) }}}
	for _, m := range g.Index.Models {
		list = append(list, member{m.Slug, g.unchanged(m), rows(m)})
	}
	if len(of[nil]) > 0 {
		list = append(list, member{write: rows(nil)})
	}
	return writeMembers(w, g.lastFile(view.PathPoints), list)
}

// writeCatalog writes the catalog as one document, packed.
func (g *Set) writeCatalog(w io.Writer) error {
	doc := export.NewWhole(g.Index, g.Catalog)
	list := []member{{write: doc.WriteHead}}
	byID := map[string]*figure.Run{}
	for _, r := range g.Index.Runs {
		byID[r.ID] = r
	}
	of := make([]*figure.Model, len(doc.Runs))
	all := map[*figure.Model]int{}
	for i, c := range doc.Runs {
		if r := byID[c.ID]; r != nil {
			of[i] = g.modelOf(r)
		}
		all[of[i]]++
	}
	for next := 0; next < len(doc.Runs); {
		from, to := next, next+1
		m := of[from]
		for to < len(doc.Runs) && of[to] == m {
			to++
		}
		part := member{again: g.unchanged(m), write: func(w io.Writer) error { return doc.WriteRuns(w, from, to) }}
		// Where other runs stand between those of a model, it is they that say which of its runs are together: such a part
		// has no name.
		if m != nil && to-from == all[m] {
			part.name = m.Slug
			if from == 0 { // no comma stands before it
				part.name += " first"
			}
		}
		list, next = append(list, part), to
	}
	list = append(list, member{write: doc.WriteTail})
	return writeMembers(w, g.lastFile(view.PathCatalog), list)
}
