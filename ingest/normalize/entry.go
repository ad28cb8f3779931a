package normalize

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/record"
)

// recordKey tells the records of a run apart: the file by its digest, the place in it, the kind,
// and for records of one kind at one place which of them it is.
type recordKey struct {
	digest    string
	line, col int
	kind      string
	n         int
}

// place is a record at one of the paths of its file.
type place struct {
	path string
	key  recordKey
}

// entry is a record on its way into a run.
type entry struct {
	record.Record
	key recordKey
	// path is where the record was found, redacted: the first path in order where its file was
	// found at several.
	path string
	// paths are all paths at which this ingest found the file for this run. Empty: the record
	// is a stored one.
	paths []string
	// attached says that the record names no session and describes what lies beside and below it.
	attached bool
	// found are the same paths as they were read.
	found []string
	// stored is the run that a stored record was read from, without what it measured, and old the paths it was stored with.
	stored *catalog.Run
	old    []string
	// known are the stored files of a record that lies at several places, some of which this ingest found.
	known []catalog.Source
	// loose is the file that a record is of which no run had so far.
	loose *catalog.Loose
	// computed says that a format's Finish made the record; such records are not stored.
	computed bool
}

// alsoAt notes that this ingest found the file of a record at a path, published and as read.
func (e *entry) alsoAt(published, found string) {
	if !slices.Contains(e.found, found) {
		e.paths, e.found = append(e.paths, published), append(e.found, found)
	}
}

// encoder writes records as they are stored: the raw text beside the rest, not in it. What it gives holds until the next
// record. Its zero value is ready.
type encoder struct {
	text    record.JSON
	raw     []byte
	compact catalog.Compacter
}

// encode is a record as it is stored.
func (x *encoder) encode(r *entry) (catalog.RawRecord, error) {
	b, err := x.bare(r.Record)
	if err != nil {
		return catalog.RawRecord{}, fmt.Errorf("%s: %w", r.Pos(), err)
	}
	out := catalog.RawRecord{Kind: r.key.kind, File: r.path, Source: short(r.key.digest), Line: r.key.line,
		Col: r.key.col, Record: b}
	if r.keyless() {
		out.Also = slices.DeleteFunc(slices.Clone(r.places()), func(p string) bool { return p == r.path })
		slices.Sort(out.Also)
		out.Also = slices.Compact(out.Also)
	}
	if res, ok := r.Record.(*record.Result); ok {
		x.raw = res.AppendRaw(x.raw[:0])
		out.Raw = x.raw
	} else if source := record.Source(r.Record); source != nil && len(source.Raw) > 0 {
		out.Raw = source.Raw // redaction leaves no blanks in it
	}
	return out, nil
}

// bare is a record without its raw text, as [catalog.Compact] writes it.
func (x *encoder) bare(r record.Record) ([]byte, error) {
	if res, ok := r.(*record.Result); ok {
		x.text.Text, x.text.Bad = x.text.Text[:0], false
		if x.text.Result(res); !x.text.Bad {
			return x.text.Text, nil
		}
	}
	if source := record.Source(r); source != nil {
		r = record.Clone(r)
		if res, ok := r.(*record.Result); ok {
			res.Open()
		}
		record.Source(r).Raw = nil
	}
	return x.compact.Compact(r)
}

// keyless reports whether a record is of a run only by where it lies: it names none. Of equal bytes at two
// places each may be of another run.
func (e *entry) keyless() bool { return e.Header().Key == "" }

// decode reads what encode wrote: an entry for each place of the record. An error is a [catalog.Problem] of the file of
// the catalog that has it as its record n, without a place in it.
func decode(file string, n int, stored catalog.RawRecord) ([]*entry, error) {
	damaged := func(what string) error {
		return &catalog.Problem{File: file, Message: fmt.Sprintf(
			"raw record %d: damaged: %s: restore it or ingest its sources again", n+1, what)}
	}
	rec := record.New(stored.Kind)
	if rec == nil {
		return nil, damaged(fmt.Sprintf("it is of the unknown kind %q", stored.Kind))
	}
	if !record.Unmarshal(stored.Record, rec) {
		rec = record.New(stored.Kind)
		if err := json.Unmarshal(stored.Record, rec); err != nil {
			return nil, damaged(err.Error())
		}
	}
	if kept := record.Source(rec); kept != nil {
		kept.Raw = stored.Raw
	}
	b := rec.Header()
	first := entry{
		Record: rec, path: b.At.File, old: []string{b.At.File}, attached: b.Key == "" && stored.Kind != "samples",
		key: recordKey{digest: b.Digest, line: b.At.Line, col: b.At.Col, kind: stored.Kind},
	}
	out := []*entry{&first}
	for _, p := range stored.Also {
		e := first.at(p)
		e.old = e.paths
		e.paths = nil
		out = append(out, e)
	}
	return out, nil
}

// at is the entry as it lies at one of its places alone.
func (e *entry) at(published string) *entry {
	c := *e
	c.Record, c.path, c.paths = record.Clone(e.Record), published, []string{published}
	c.Header().At.File = published
	return &c
}

// standAt has a record stand at another place of its file, the first one in order. Facts that results share are shared
// again: by the first of them as it was, they are in shared.
func (e *entry) standAt(published string, shared map[*record.Fact][]record.Fact) {
	was := e.path
	moved := func(at record.Pos) record.Pos {
		if at.File == was {
			at.File = published
		}
		return at
	}
	facts := func(in []record.Fact) []record.Fact {
		out := slices.Clone(in)
		for i := range out {
			out[i].At = moved(out[i].At)
		}
		return out
	}
	h := e.Header()
	h.At, h.Facts, e.path = moved(h.At), facts(h.Facts), published
	switch c := e.Record.(type) {
	case *record.Result:
		if of := c.Shared(); len(of) > 0 {
			if shared[&of[0]] == nil {
				shared[&of[0]] = facts(of)
			}
			c.Share(shared[&of[0]])
		}
	case *record.Params:
		c.Params = slices.Clone(c.Params)
		for i := range c.Params {
			c.Params[i].At = moved(c.Params[i].At)
		}
	}
}

// places are the published paths at which a record was found, now or before.
func (e *entry) places() []string {
	out := e.paths
	if len(out) == 0 {
		out = []string{e.path}
	}
	for _, s := range e.sources() {
		if !slices.Contains(out, s.Path) {
			out = append(slices.Clip(out), s.Path)
		}
	}
	return out
}

// sources are the files of a stored record; those that this ingest did not read of one that it found.
func (e *entry) sources() []catalog.Source {
	switch {
	case len(e.known) > 0:
		return e.known
	case len(e.paths) > 0:
		return nil
	case e.loose != nil:
		return []catalog.Source{e.loose.Source}
	case e.stored == nil:
		return nil
	}
	var out []catalog.Source
	for _, x := range e.stored.Sources {
		if x.SHA256 == e.key.digest && (!e.keyless() || slices.Contains(e.old, x.Path)) {
			out = append(out, x)
		}
	}
	return out
}

// short is the beginning of a digest as places have it.
func short(digest string) string { return digest[:min(12, len(digest))] }

// place is where a record stands, in the words of the catalog.
func (r *entry) place() catalog.Place {
	at := r.Pos()
	return catalog.Place{Source: short(r.key.digest), Line: at.Line, Col: at.Col}
}

// open gives results their values that were read folded: see [ingest.Options].
func open(records []*entry) {
	for _, e := range records {
		if r, ok := e.Record.(*record.Result); ok {
			r.Open()
		}
	}
}

func equalJSON[T any](a, b *T) bool {
	if a == nil || b == nil {
		return a == b
	}
	x, err1 := catalog.Compact(a)
	y, err2 := catalog.Compact(b)
	return err1 == nil && err2 == nil && bytes.Equal(x, y)
}

// content is a digest of what a record says, wherever it says it.
func content(rec record.Record) string {
	c := record.Clone(rec)
	if r, ok := c.(*record.Result); ok {
		r.Open()
	}
	h := c.Header()
	*h = record.Base{Identity: h.Identity, Date: h.Date, Facts: nowhere(h.Facts)}
	if p, ok := c.(*record.Params); ok {
		p.Params = slices.Clone(p.Params)
		for i := range p.Params {
			p.Params[i].At = record.Pos{}
		}
	}
	b, err := catalog.Compact(c)
	if err != nil { // a number JSON has not: formats do not emit any
		b = []byte(rec.Pos().String())
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// nowhere are facts without their places, and without those that describe a result and are read in the text around it: a
// report may quote a log.
func nowhere(facts []record.Fact) (out []record.Fact) {
	for _, f := range facts {
		if f.Key != record.FactClientCommand && (!f.Head || f.Key == record.FactHardware || f.Key == record.FactModel) {
			f.At = record.Pos{}
			out = append(out, f)
		}
	}
	return out
}

// byPlace orders records by path and place; records of one place keep the order they were read in.
func byPlace(a, b *entry) int {
	if a.path != b.path {
		return cmp.Compare(a.path, b.path)
	}
	if a.key.line != b.key.line { // most differ in it
		return cmp.Compare(a.key.line, b.key.line)
	}
	return cmp.Or(cmp.Compare(a.key.col, b.key.col), cmp.Compare(a.key.digest, b.key.digest),
		cmp.Compare(a.key.kind, b.key.kind), cmp.Compare(a.key.n, b.key.n))
}

// sortByPlace sorts records, most of which are sorted already.
func sortByPlace(records []*entry) {
	if !slices.IsSortedFunc(records, byPlace) {
		slices.SortStableFunc(records, byPlace)
	}
}

// ascending reports whether each record stands behind the one before it.
func ascending(records []*entry) bool {
	for i, r := range records {
		if r.key.n != 0 || i > 0 && (r.path != records[i-1].path || r.key.line <= records[i-1].key.line) {
			return false
		}
	}
	return true
}

// numbered numbers the records of one place of a file, kind by kind, in the order in which they stand.
func numbered(records []*entry) {
	if ascending(records) {
		return // one at each place
	}
	seen := map[place]int{}
	for _, r := range records {
		k := place{r.path, r.key}
		k.key.n = 0
		r.key.n = seen[k]
		seen[k]++
	}
}
