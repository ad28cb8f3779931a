package normalize

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest"
	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/internal/order"
	"github.com/inferdex/inferdex/ingest/record"
	"github.com/inferdex/inferdex/ingest/redact"
)

// Kinds of inputs.
const (
	kindFile    = "file"
	kindArchive = "archive"
	kindFolder  = "folder"
	kindStdin   = "stdin"
)

// describesNothing is said of a file that was read and whose records are of no run.
const describesNothing = "describes no run that lies beside or below it"

// belongs reports whether a path as read lies in the input of that name.
func belongs(name, p string) bool {
	if name == "." || name == "" {
		return !strings.HasPrefix(p, "/") && !strings.HasPrefix(p, "../")
	}
	if rest, ok := strings.CutPrefix(p, name); ok {
		return rest == "" || rest[0] == '/' || rest[0] == '!' || strings.HasSuffix(name, "/")
	}
	return false
}

// inputOf is the input that a path belongs to: the longest name that fits.
func inputOf(names []string, p string) (string, bool) {
	best, ok := "", false
	for _, n := range names {
		if belongs(n, p) && (!ok || len(n) > len(best)) {
			best, ok = n, true
		}
	}
	return best, ok
}

// relative is a path relative to the input it belongs to.
func relative(names []string, p string) string {
	n, ok := inputOf(names, p)
	if !ok || n == "." || n == "" {
		return p
	}
	rel := strings.TrimLeft(strings.TrimPrefix(p, n), "/!")
	if rel == "" { // the input is the file itself
		return path.Base(p)
	}
	return rel
}

// manifests gathers what became of each input.
type manifests struct {
	names    []string
	archives map[string]ingest.FileStatus
	hide     *redact.Redactor
	ci       *record.CI
	all      map[string]*manifest
}

// manifest is what became of one input, or of one directory or archive below a folder.
type manifest struct {
	in    *catalog.Input
	path  string // as read
	sums  []string
	files []ingest.FileStatus
	ids   map[string]bool
}

// of is the manifest that a file belongs to. Each directory has one of its own, without those below it, so that
// two people who each add a directory add a file each.
func (m *manifests) of(p string) *manifest {
	n, ok := inputOf(m.names, p)
	if !ok {
		n = m.names[0]
	}
	if _, archive := m.archives[n]; !archive && n != p && n != "-" {
		rel := strings.TrimPrefix(strings.TrimPrefix(p, n), "/")
		if n == "." || n == "" {
			rel = p
		}
		end := strings.IndexByte(rel, '!')
		if end < 0 {
			end = strings.LastIndexByte(rel, '/')
		}
		if end > 0 {
			n = p[:len(p)-len(rel)+end]
		}
	}
	x := m.all[n]
	if x == nil {
		x = &manifest{path: n, ids: map[string]bool{},
			in: &catalog.Input{Version: catalog.FormatVersion, Path: m.hide.Path(n), CI: m.ci}}
		m.all[n] = x
	}
	return x
}

// file notes what became of a file. runs are the ids of the runs that have one of its records.
func (m *manifests) file(f ingest.FileStatus, runs []string, lonely bool) {
	x := m.of(f.Path)
	x.files = append(x.files, f)
	if f.Format == ingest.SidecarFormat {
		return // what people write about results is none
	}
	x.sums = append(x.sums, strings.TrimPrefix(f.Path, x.path)+"\x00"+f.SHA256+"\n")
	p := m.hide.Path(f.Path)
	switch {
	case f.Ignored != "":
		x.in.Ignored = append(x.in.Ignored, catalog.InputFile{Path: p, Reason: m.hide.Message(f.Ignored)})
	case f.Format != "":
		file := catalog.InputFile{Path: p, Format: f.Format}
		if lonely && len(runs) == 0 {
			file.Reason = describesNothing
		}
		x.in.Read = append(x.in.Read, file)
	}
	for _, id := range runs {
		x.ids[id] = true
	}
}

// record notes what could not be read of a file, and which keys were not used.
func (m *manifests) record(rec record.Record) {
	at := rec.Header()
	in := m.of(at.At.File).in
	if r, ok := rec.(*record.SyntaxError); ok {
		in.Rejected = append(in.Rejected,
			catalog.Rejected{Path: m.hide.Path(at.At.File), Line: at.At.Line, Col: at.At.Col,
				Message: m.hide.Message(r.Text)})
	}
	for _, key := range unmapped(rec) {
		if in.Unmapped == nil {
			in.Unmapped = map[string]map[string]int{}
		}
		if in.Unmapped[at.Format] == nil {
			in.Unmapped[at.Format] = map[string]int{}
		}
		in.Unmapped[at.Format][m.hide.KeyName(key)]++
	}
}

// finish says what kind of input it was and puts its lists in order.
func (m *manifests) finish(x *manifest) *catalog.Input {
	in := x.in
	switch archive := m.archives[x.path]; {
	case x.path == "-":
		in.Kind = kindStdin
	case archive.SHA256 != "" && slices.Contains(m.names, x.path):
		in.Kind, in.SHA256 = kindArchive, archive.SHA256
	case len(x.files) == 1 && x.files[0].Path == x.path:
		in.Kind, in.SHA256 = kindFile, x.files[0].SHA256
	default:
		in.Kind = kindFolder
	}
	if in.SHA256 == "" {
		slices.Sort(x.sums)
		sum := sha256.Sum256([]byte(strings.Join(x.sums, "")))
		in.SHA256 = hex.EncodeToString(sum[:])
	}
	in.Runs = slices.Sorted(maps.Keys(x.ids))
	byPath := func(a, b catalog.InputFile) int { return cmp.Compare(a.Path, b.Path) }
	order.Stable(in.Read, byPath)
	order.Stable(in.Ignored, byPath)
	order.Stable(in.Rejected, func(a, b catalog.Rejected) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col))
	})
	return in
}

// Told is what [Inputs] needs of a reading: what became of each file, what could not be read, and the keys that
// nobody used.
func Told(reading *ingest.Reading) *ingest.Reading {
	out := *reading
	out.Records, out.Sidecars = nil, nil
	for _, r := range reading.Records {
		switch keys := unmapped(r); {
		case r.Kind() == (*record.SyntaxError)(nil).Kind():
			out.Records = append(out.Records, r)
		case len(keys) > 0:
			out.Records = append(out.Records, &record.Samples{
				Base: record.Base{At: r.Pos(), Format: r.Header().Format}, Kept: record.Kept{Unmapped: keys}})
		}
	}
	return &out
}

// inputs says what became of each input. runs are the ids of the runs by the published path of each
// file that gave one of their records; lonely are the files whose records describe nothing.
func inputs(reading *ingest.Reading, o *Options, runs map[string][]string, lonely map[string]bool,
	hide *redact.Redactor) []*catalog.Input {
	m := &manifests{names: o.Inputs, archives: map[string]ingest.FileStatus{}, hide: hide, ci: o.CI,
		all: map[string]*manifest{}}
	if len(m.names) == 0 {
		m.names = []string{"."}
	}
	for _, a := range reading.Archives {
		m.archives[a.Path] = a
	}
	for _, f := range reading.Files {
		m.file(f, runs[hide.Path(f.Path)], lonely[f.Path])
	}
	for _, rec := range reading.Records {
		m.record(rec)
	}
	var out []*catalog.Input
	for _, n := range slices.Sorted(maps.Keys(m.all)) {
		if x := m.all[n]; len(x.sums) > 0 || len(x.in.Rejected) > 0 {
			out = append(out, m.finish(x))
		}
	}
	return out
}
