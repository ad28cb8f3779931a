package main

import (
	"bytes"
	"errors"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/normalize"
	"github.com/inferdex/inferdex/ingest/record"
	"github.com/inferdex/inferdex/site/publish"
)

// outlines are what an ingest takes of stored runs that it does not touch ([normalize.Outline]), kept in .inferdex so that
// one file more costs itself and no reading of all runs. An outline counts as long as the system tells the same of the
// file of its run, and of the program that made it alone: see [sums]. One that is damaged costs the reading of its run.
type outlines struct {
	app  *app
	file string
	of   string // what makes outlines
	// known are the lines that were kept, by the names of files, and next those that hold now. Each is what the system
	// told, the name and the outline as JSON, divided by tabs.
	known map[string][]byte
	mu    sync.Mutex
	next  map[string][]byte
	fresh bool // next has what known has not
	clock int64
}

// openOutlined is the catalog for an ingest: runs of files that did not change may be outlines.
func (a *app) openOutlined(fsys fs.FS) (*catalog.Catalog, []error, error) {
	o := a.outlines()
	if a.decoded != nil || o == nil {
		return a.decoded.OpenSound(fsys)
	}
	c, damaged, err := catalog.OpenOutlined(fsys, o)
	o.keep()
	return c, damaged, err
}

// openWhole is the catalog with all that its runs say, which are outlined for the next ingest on the way.
func (a *app) openWhole(fsys fs.FS) (*catalog.Catalog, error) {
	o := a.outlines()
	if a.decoded != nil || o == nil {
		return a.decoded.Open(fsys)
	}
	c, damaged, err := catalog.OpenOutlined(fsys, outliner{o})
	if err = errors.Join(append(damaged, err)...); err != nil {
		return nil, err
	}
	o.keep()
	return c, nil
}

// outliner has outlines made and uses none.
type outliner struct{ *outlines }

// Outline implements [catalog.Outlines].
func (outliner) Outline(string, fs.DirEntry) *catalog.Run { return nil }

// Read implements [catalog.Outlines].
func (u outliner) Read(name string, e fs.DirEntry, r *catalog.Run) *catalog.Run {
	if u.current(name, e) == nil {
		u.outlines.Read(name, e, r)
	}
	return r
}

// outlines are those that are kept; nil where none can be.
func (a *app) outlines() *outlines {
	program, err := thisProgram()
	if err != nil {
		return nil
	}
	o := &outlines{app: a, file: a.path(filepath.Join(stateDir, "lists", "outlines")), of: record.Digest([]byte(program)),
		known: map[string][]byte{}, next: map[string][]byte{}}
	if o.clock = (&sums{app: a, file: o.file}).clockOfDisk(); o.clock == 0 {
		return nil
	}
	kept, err := readFile(o.file)
	if err != nil {
		return o
	}
	head, text, _ := bytes.Cut(kept, []byte("\n"))
	if string(head) != listingHead(o.of, text) {
		return o
	}
	for line := range bytes.Lines(text) {
		if _, rest, ok := bytes.Cut(line, []byte("\t")); ok {
			name, _, _ := bytes.Cut(rest, []byte("\t"))
			o.known[string(name)] = line
		}
	}
	return o
}

// Outline implements [catalog.Outlines].
func (o *outlines) Outline(name string, e fs.DirEntry) *catalog.Run {
	r := &catalog.Run{}
	if text := o.current(name, e); text == nil || !record.Unmarshal(text, r) || r.Path() != name {
		return nil
	}
	return r
}

// current is the text of the outline of a file that is as it was, nil where it is not.
func (o *outlines) current(name string, e fs.DirEntry) []byte {
	line := o.known[name]
	if line == nil {
		return nil
	}
	told, rest, _ := bytes.Cut(line, []byte("\t"))
	_, text, _ := bytes.Cut(rest, []byte("\t"))
	info, err := e.Info()
	if err != nil || len(told) == 0 || publish.ToldOf(info).String() != string(told) {
		return nil
	}
	o.mu.Lock()
	o.next[name] = line
	o.mu.Unlock()
	return text
}

// Read implements [catalog.Outlines].
func (o *outlines) Read(name string, e fs.DirEntry, r *catalog.Run) *catalog.Run {
	outline := normalize.Outline(r)
	info, err := e.Info()
	if err != nil || strings.ContainsAny(name, "\t\n") {
		return outline
	}
	told := publish.ToldOf(info)
	if !told.Rested(o.clock) {
		return outline
	}
	text, err := catalog.Compact(outline)
	if err != nil {
		return outline
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.next[name] = []byte(told.String() + "\t" + name + "\t" + string(text) + "\n")
	o.fresh = true
	return outline
}

// keep keeps the outlines that hold, where they are not those that were kept.
func (o *outlines) keep() {
	if !o.fresh && len(o.next) == len(o.known) {
		return
	}
	var text []byte
	for _, name := range slices.Sorted(maps.Keys(o.next)) {
		text = append(text, o.next[name]...)
	}
	o.app.keep(o.file, append([]byte(listingHead(o.of, text)+"\n"), text...))
}
