package ingest

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/inferdex/inferdex/ingest/record"
)

// Kind names the kind of a record in words: "result", "syntax error".
func Kind(r record.Record) string {
	switch r.(type) {
	case *record.Result:
		return "result"
	case *record.Figure:
		return "figure"
	case *record.Profile:
		return "profile"
	case *record.Samples:
		return "samples"
	case *record.Params:
		return "params"
	case *record.System:
		return "system"
	case *record.Facts:
		return "facts"
	case *record.Note:
		return "note"
	case *record.Ignored:
		return "ignored"
	case *record.SyntaxError:
		return "syntax error"
	}
	return fmt.Sprintf("%T", r)
}

// ReadFile reads one file that is wholly in memory and no archive. It returns the file's
// records and the name of the format that read it, which is empty where none did: then the one
// record is *Ignored, or a *SyntaxError where two formats claim the file.
func ReadFile(name string, data []byte, formats []*Format) (records []record.Record, format string) {
	sum := sha256.Sum256(data)
	digest := hex.EncodeToString(sum[:])
	src := NewSource(name, data)
	f, verdict := choose(src.Head, data[:min(len(data), HeadSize)], formats, false)
	if f == nil && worthSearching(src.Head, verdict, formats) {
		if late, v, h := search(name, src.Data, formats, false); h != nil {
			f, verdict, src.Head = late, v, h
		}
	}
	if f == nil {
		return []record.Record{stamp(verdict, name, digest, "")}, ""
	}
	return readSource(src, digest, f, false), f.Name
}

// choose finds the one format that claims a file. Where there is none it returns what becomes
// of the file instead: *Ignored or *SyntaxError. First is the beginning as it lies in the file,
// before a byte order mark is taken off.
func choose(h *Head, first []byte, formats []*Format, panics bool) (f *Format, verdict record.Record) {
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
				f, verdict = nil, failed(asked, r)
			}
		}()
	}
	var names []string
	for _, c := range formats {
		if asked = c.Name; c.Match(h) {
			f = c
			names = append(names, c.Name)
		}
	}
	switch len(names) {
	case 0:
		if e := cutShort(h); e != nil {
			return nil, e
		}
		return nil, &record.Ignored{Reason: unknown(h)}
	case 1:
		return f, nil
	}
	return nil, severalClaim(names)
}

// maxLog is how large a log may be that is searched for marks.
const maxLog = 64 << 20

// worthSearching reports whether a file that no format claims by its beginning may hold a mark
// behind it.
func worthSearching(h *Head, verdict record.Record, formats []*Format) bool {
	if _, ignored := verdict.(*record.Ignored); !ignored || h.Kind != 't' || len(h.Data) < HeadSize || h.Size > maxLog {
		return false
	}
	return slices.ContainsFunc(formats, func(f *Format) bool { return len(f.Marks) > 0 })
}

// search finds the one format that claims a log from the line of one of its marks on, and the head
// that convinced it. The head is nil where there is none: then the verdict over the beginning of the
// file stands. Where two claim it, it is an error as it is by the beginning.
func search(path string, data []byte, formats []*Format, panics bool) (f *Format, verdict record.Record, h *Head) {
	const longest = 4 << 10 // bytes of a line that tells a format
	for _, c := range formats {
		found := false
		for _, mark := range c.Marks {
			for at := 0; !found; {
				i := bytes.Index(data[at:], []byte(mark))
				if i < 0 {
					break
				}
				line := bytes.LastIndexByte(data[:at+i], '\n') + 1
				end := at + i + len(mark)
				late := NewHead(path, data[line:])
				late.Size = int64(len(data))
				got, v := choose(late, late.Data, []*Format{c}, panics)
				if e, failed := v.(*record.SyntaxError); failed {
					return nil, e, late
				}
				if got == nil { // nor does anything in what it saw make it one
					at = max(end, line+len(late.Data)-longest)
					continue
				}
				if found = true; f != nil {
					return nil, severalClaim([]string{f.Name, c.Name}), late
				}
				f, h = got, late
			}
		}
	}
	return f, nil, h
}

func severalClaim(names []string) *record.SyntaxError {
	slices.Sort(names)
	return &record.SyntaxError{Text: fmt.Sprintf("several formats claim this file: %s; where results of two tools were put in one, part them, else please report it", strings.Join(names, ", "))}
}

// readSource lets f read a file. A panic of f becomes an error record, unless panics is set:
// one bad file must not cost all others.
func readSource(src *Source, digest string, f *Format, panics bool) (records []record.Record) {
	malformed, last := 0, record.Pos{}
	emit := func(r record.Record) {
		r = stamp(r, src.Path(), digest, f.Name)
		if id := identity(r); id != nil && max(len(id.Model), len(id.Suite)) > maxName {
			what, n := "model", len(id.Model)
			if n <= maxName {
				what, n = "suite", len(id.Suite)
			}
			long := &record.SyntaxError{Text: fmt.Sprintf("the name of the %s has %d bytes, more than %d: the record is left out", what, n, maxName)}
			long.At = r.Pos()
			r = stamp(long, src.Path(), digest, f.Name)
		}
		if _, ok := r.(*record.SyntaxError); ok {
			if malformed++; malformed > maxErrors {
				last = r.Pos()
				return
			}
		}
		records = append(records, r)
	}
	defer func() {
		if n := malformed - maxErrors; n > 0 {
			more := &record.SyntaxError{Text: fmt.Sprintf("and %d further errors in this file up to here", n)}
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

// maxErrors is how many errors of one file are listed one by one.
const maxErrors = 100

// maxName is how many bytes the name of a model or a suite may have. It stands in every table,
// title and address of the site.
const maxName = 1000

// identity is what a record says it belongs to, nil for records that say nothing.
func identity(r record.Record) *record.Identity {
	switch r := r.(type) {
	case *record.Result:
		return &r.Identity
	case *record.Figure:
		return &r.Identity
	case *record.Profile:
		return &r.Identity
	case *record.Samples:
		return &r.Identity
	case *record.Params:
		return &r.Identity
	case *record.System:
		return &r.Identity
	case *record.Facts:
		return &r.Identity
	case *record.Note:
		return &r.Identity
	}
	return nil
}

func failed(format string, panicked any) record.Record {
	return &record.SyntaxError{Text: fmt.Sprintf("the reader of %s failed, please report it with the file: %s", format, firstLine(fmt.Sprint(panicked)))}
}

// stamp sets what is known of a record without its format.
func stamp(r record.Record, name, digest, format string) record.Record {
	if h, ok := r.(interface{ Header() *record.Base }); ok {
		b := h.Header()
		b.Digest, b.Format = digest, format
		if b.At.File == "" {
			b.At.File = name
		}
	}
	return r
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	return s
}

func sortedKeys(m map[string]bool) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}
