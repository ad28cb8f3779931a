package ingest

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/internal/order"
	"github.com/inferdex/inferdex/ingest/reading"

	"github.com/inferdex/inferdex/ingest/record"
)

// ReadFile reads one file that is wholly in memory and no archive. It returns the file's
// records and the name of the format that read it, which is empty where none did: then the one
// record is *Ignored, or a *SyntaxError where two formats claim the file. Of a text that several
// formats read block by block it returns all their names, joined with ", ".
func ReadFile(name string, data []byte, formats []*reading.Format) (records []record.Record, format string) {
	sum := sha256.Sum256(data)
	digest := hex.EncodeToString(sum[:])
	if order := reading.UTF16(data[:min(len(data), reading.HeadSize)]); order != nil {
		data = reading.UTF8(data, order)
	}
	if reading.Logged(data[:min(len(data), reading.HeadSize)]) {
		data = reading.Unlogged(data)
	}
	data = reading.Unkeyed(data)
	src := reading.NewSource(name, data)
	chosen, verdict := choose(src.Head, data[:min(len(data), reading.HeadSize)], formats, false)
	parts := whole(src, chosen)
	if worthSearching(src.Head, chosen, verdict, formats) {
		parts, verdict = search(src, chosen, verdict, formats, false)
	}
	if len(parts) == 0 {
		return []record.Record{stamp(verdict, name, digest, "")}, ""
	}
	records = readParts(parts, digest, false)
	for _, r := range records {
		if res, ok := r.(*record.Result); ok {
			res.Open()
		}
	}
	return records, formatNames(parts)
}

// part is what one format reads of a file: all of it, or a text that lies in it.
type part struct {
	*reading.Format
	src *reading.Source
	// at is where a text stands that lies in a JSON value; its records stand there too.
	at record.Pos
}

// whole gives each of the formats the whole file.
func whole(src *reading.Source, formats []*reading.Format) (parts []part) {
	for _, f := range formats {
		parts = append(parts, part{Format: f, src: src})
	}
	return parts
}

// formatNames are the names of the formats of parts, each once.
func formatNames(parts []part) string {
	var names []string
	for _, p := range parts {
		if !slices.Contains(names, p.Name) {
			names = append(names, p.Name)
		}
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

// readParts reads the parts of a file; the records of several stand in the order of their places.
func readParts(parts []part, digest string, panics bool) (records []record.Record) {
	for _, p := range parts {
		read := readSource(p.src, digest, p.Format, panics)
		typed(p.src, p.Clients, read)
		under(headed(p.src), read)
		if len(parts) == 1 { // of several nobody knows which one left it out
			read = unsaid(p.src, read)
			if len(read) == 0 {
				read = append(read, &record.SyntaxError{Text: "it begins as a file of " + p.Name + " does, and nothing stands in it " +
					"that is read: it may have been cut short"})
			}
			records = make([]record.Record, 0, len(read))
		}
		for _, r := range outcome(p.src, read) {
			if p.at.File != "" {
				place(r, p.at)
			}
			records = append(records, stamp(r, p.src.Path(), digest, p.Name))
		}
	}
	if e := padded(parts); e != nil {
		records = append(records, stamp(e, parts[0].src.Path(), digest, parts[0].Name))
	}
	if len(parts) > 1 {
		records = describing(records)
		order.Stable(records, func(a, b record.Record) int { return cmp.Compare(a.Pos().Line, b.Pos().Line) })
	}
	return records
}

// padded says that a file ends with zero bytes; it is nil where it does not.
func padded(parts []part) *record.SyntaxError {
	if len(parts) == 0 || parts[0].src.Padding == 0 {
		return nil
	}
	src := parts[0].src
	e := &record.SyntaxError{Text: fmt.Sprintf("zero bytes behind the text are left out, %d in all: a crash leaves them "+
		"where the last lines were to be", src.Padding)}
	e.At.Line, e.At.Col = reading.NewText(src.Data).Place(len(src.Data))
	return e
}

// describing lets the description of a machine that stands in one file with results be of these
// results and of no others: a log that begins with the table of nvidia-smi.
func describing(records []record.Record) []record.Record {
	var of []*record.Result // one of each session
	known := map[string]bool{}
	for _, r := range records {
		if res, ok := r.(*record.Result); ok && !known[res.Key] {
			known[res.Key] = true
			of = append(of, res)
		}
	}
	if len(of) == 0 {
		return records
	}
	var out []record.Record
	for _, r := range records {
		s, ok := r.(*record.System)
		if !ok || s.Key != "" {
			out = append(out, r)
			continue
		}
		for _, res := range of {
			c := *s
			c.Key, c.Identity = res.Key, res.Identity
			out = append(out, &c)
		}
	}
	return out
}

// choose finds the formats that claim a file: one, or several of those that find their results
// among other text by their [reading.Format.Marks]. Where there is none it returns what becomes of the file
// instead: *Ignored or *SyntaxError. First is the beginning as it lies in the file, before a byte
// order mark is taken off.
func choose(h *reading.Head, first []byte, formats []*reading.Format, panics bool) (chosen []*reading.Format,
	verdict record.Record) {
	if reason := unreadable(first); reason != "" {
		return nil, &record.Ignored{Reason: reason}
	}
	if len(h.Data) == 0 {
		return nil, &record.Ignored{Reason: "empty file"}
	}
	asked := ""
	if !panics {
		defer func() {
			if r := recover(); r != nil {
				chosen, verdict = nil, failed(asked, r)
			}
		}()
	}
	for _, c := range formats {
		if len(c.Marks) > 0 && c.MaxSize > 0 && h.Size > c.MaxSize {
			continue // what stands in it beside other text is not worth its size
		}
		if asked = c.Name; c.Match(h) {
			chosen = append(chosen, c)
		}
	}
	switch {
	case len(chosen) == 0:
		if e := cmp.Or(cutShort(h), damaged(h, formats), parted(h, formats)); e != nil {
			return nil, e
		}
		return nil, &record.Ignored{Reason: unknown(h)}
	case len(chosen) > 1 && !(h.Kind == 't' && allMarked(chosen)):
		return nil, severalClaim(chosen)
	}
	return chosen, nil
}

// damaged is what is missing in a text that no format claims and that can be of one alone; nil for all else, and for a
// text of which only the beginning is known.
func damaged(h *reading.Head, formats []*reading.Format) *record.SyntaxError {
	if h.Kind != 't' || h.Size >= 0 && h.Size != int64(len(h.Data)) {
		return nil
	}
	for _, f := range formats {
		if f.Damaged != nil {
			if e := f.Damaged(h); e != nil {
				return e
			}
		}
	}
	return nil
}

// allMarked reports whether all formats find their results among other text.
func allMarked(formats []*reading.Format) bool {
	return !slices.ContainsFunc(formats, func(f *reading.Format) bool { return len(f.Marks) == 0 })
}

// marked are the formats that have marks, without those of another list.
func marked(formats, without []*reading.Format) (out []*reading.Format) {
	for _, f := range formats {
		if len(f.Marks) > 0 && !slices.Contains(without, f) {
			out = append(out, f)
		}
	}
	return out
}

const (
	// maxLog is how large a log may be that is searched for marks, and a text that is read in another form than it has.
	maxLog = 64 << 20
	// maxWrapped is how large JSON may be that is searched for texts with marks.
	maxWrapped = 16 << 20
)

// worthSearching reports whether more than the beginning of a file has to be seen: no format
// claims it and a mark may stand behind its beginning, or in a text inside of its JSON; or those
// that claim it read blocks, and a block of another may follow.
func worthSearching(h *reading.Head, chosen []*reading.Format, verdict record.Record, formats []*reading.Format) bool {
	if len(marked(formats, chosen)) == 0 {
		return false
	}
	_, ignored := verdict.(*record.Ignored)
	switch h.Kind {
	case 't':
		return len(h.Data) == reading.HeadSize && h.Size <= maxLog && (ignored || len(chosen) > 0 && allMarked(chosen))
	case '{', '[':
		return ignored && h.Size <= maxWrapped
	}
	return false
}

// search finds the formats that read a text from the line of one of their marks on, beside those
// that were chosen by its beginning, and those that read a text inside of JSON. Where it finds none
// the verdict over the beginning of the file stands.
func search(src *reading.Source, chosen []*reading.Format, verdict record.Record, formats []*reading.Format,
	panics bool) ([]part, record.Record) {
	if src.Head.Kind != 't' {
		parts, failed := wrapped(src, marked(formats, nil), panics)
		if len(parts) > 0 || failed != nil {
			return parts, failed
		}
		return nil, verdict
	}
	parts, from := whole(src, chosen), 0
	if len(chosen) > 0 { // its beginning is judged
		from = bytes.LastIndexByte(src.Head.Data, '\n') + 1
	}
	for _, c := range marked(formats, chosen) {
		late, failed := claimsLate(c, src, from, panics)
		if failed != nil {
			return nil, failed
		}
		if late != nil {
			parts = append(parts, part{Format: c, src: &reading.Source{Head: late, Data: src.Data, Padding: src.Padding}})
		}
	}
	if len(parts) > 0 {
		verdict = nil
	}
	return parts, verdict
}

// claimsLate is the head that begins with the line of a mark, from an offset on, by which a format
// claims a text; nil where none does.
func claimsLate(f *reading.Format, src *reading.Source, from int, panics bool) (*reading.Head, *record.SyntaxError) {
	const longest = 4 << 10 // bytes of a line that tells a format
	for _, mark := range f.Marks {
		for at, last := from, -1; ; {
			i := bytes.Index(src.Data[at:], []byte(mark))
			if i < 0 {
				break
			}
			line := bytes.LastIndexByte(src.Data[:at+i], '\n') + 1
			end := at + i + len(mark)
			if line == last { // it was judged by its beginning: a line of a million marks is asked about once
				next := bytes.IndexByte(src.Data[end:], '\n')
				if next < 0 {
					break
				}
				at = end + next
				continue
			}
			last = line
			late := reading.NewHead(src.Path(), src.Data[line:])
			late.Size = int64(len(src.Data))
			got, verdict := choose(late, late.Data, []*reading.Format{f}, panics)
			if e, failed := verdict.(*record.SyntaxError); failed {
				return nil, e
			}
			if len(got) > 0 {
				return late, nil
			}
			at = max(end, line+len(late.Data)-longest) // nor does anything in what it saw make it one
		}
	}
	return nil, nil
}

func severalClaim(formats []*reading.Format) *record.SyntaxError {
	var names []string
	for _, f := range formats {
		names = append(names, f.Name)
	}
	slices.Sort(names)
	return &record.SyntaxError{Text: fmt.Sprintf("several formats claim this file: %s; where results of two tools "+
		"were put in one, part them, else please report it", strings.Join(names, ", "))}
}

// readSource lets f read a file. A panic of f becomes an error record, unless panics is set:
// one bad file must not cost all others.
func readSource(src *reading.Source, digest string, f *reading.Format, panics bool) (records []record.Record) {
	malformed, last := 0, record.Pos{}
	var emit func(record.Record)
	emit = func(r record.Record) {
		r = stamp(r, src.Path(), digest, f.Name)
		for _, what := range measurable(r) {
			emit(misread(r, what))
		}
		if why := unfit(r); why != "" {
			r = stamp(misread(r, why), src.Path(), digest, f.Name)
		}
		if _, ok := r.(*record.SyntaxError); ok {
			if malformed++; malformed > maxErrors {
				last = r.Pos()
				return
			}
		}
		if res, ok := r.(*record.Result); ok && cap(res.Values) > len(res.Values)*5/4 {
			res.Values = slices.Clone(res.Values) // what a list grew by is wanted no more
		}
		records = append(records, r)
	}
	defer func() {
		if n := malformed - maxErrors; n > 0 {
			more := &record.SyntaxError{Text: fmt.Sprintf("further errors in this file up to here: %d", n)}
			more.At = last
			records = append(records, stamp(more, src.Path(), digest, f.Name))
		}
	}()
	if !panics {
		defer func() {
			if r := recover(); r != nil {
				emit(failed(f.Name, r))
			}
		}()
	}
	if err := f.Read(src, emit); err != nil {
		emit(&record.SyntaxError{Text: "reading stopped: " + firstLine(err.Error())})
	}
	return records
}

// misread is what is wrong at the place of a record.
func misread(r record.Record, what string) *record.SyntaxError {
	e := &record.SyntaxError{Text: what}
	e.At = r.Pos()
	return e
}

// maxErrors is how many errors of one file are listed one by one.
const maxErrors = 100

const (
	// maxName is how many bytes the name of a model or a suite may have. It stands in every table,
	// title and address of the site.
	maxName = 1000
	// maxMembers is how many settings and unknown members a result may have. Each one is searched for secrets.
	maxMembers = 20_000
)

// unfit says why a record is left out, "" for one that is not.
func unfit(r record.Record) string {
	id := r.Header().Identity
	for _, name := range []struct{ what, text string }{{"model", id.Model}, {"suite", id.Session}} {
		if n := len(name.text); n > maxName {
			return fmt.Sprintf("the name of the %s has %d bytes, more than %d: the record is left out", name.what, n, maxName)
		}
	}
	if res, ok := r.(*record.Result); ok {
		if n := len(res.Setup) + len(res.Unmapped); n > maxMembers {
			return fmt.Sprintf("the record has %d settings and members that no reader knows, more than %d: it is left out",
				n, maxMembers)
		}
	}
	if what := Immeasurable(r); what != "" {
		return what + ": no measurement is that, and the record is left out"
	}
	return ""
}

func failed(format string, panicked any) record.Record {
	return &record.SyntaxError{Text: fmt.Sprintf("the reader of %s failed, please report it with the file: %s", format,
		firstLine(fmt.Sprint(panicked)))}
}

// stamp sets what is known of a record without its format.
func stamp(r record.Record, name, digest, format string) record.Record {
	b := r.Header()
	b.Digest, b.Format = digest, format
	if b.At.File == "" {
		b.At.File = name
	}
	return r
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	return s
}
