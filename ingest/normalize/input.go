package normalize

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"path"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest"
	"github.com/inferdex/inferdex/ingest/catalog"
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

// inputs says what became of each input. runs are the ids of the runs by the path of each file
// that gave one of their records; unattached are records that describe nothing.
func inputs(reading *ingest.Reading, o *Options, runs map[string][]string, unattached []record.Record, hide *redact.Redactor) []*catalog.Input {
	names := o.Inputs
	if len(names) == 0 {
		names = []string{"."}
	}
	type gathered struct {
		in    *catalog.Input
		sums  []string
		files []ingest.FileStatus
		ids   map[string]bool
	}
	all := map[string]*gathered{}
	of := func(p string) *gathered {
		n, ok := inputOf(names, p)
		if !ok {
			n = names[0]
		}
		g := all[n]
		if g == nil {
			g = &gathered{in: &catalog.Input{Version: catalog.FormatVersion, Path: hide.Path(n), CI: o.CI}, ids: map[string]bool{}}
			all[n] = g
		}
		return g
	}
	lonely := map[string]bool{}
	for _, r := range unattached {
		lonely[r.Pos().File] = true
	}
	for _, f := range reading.Files {
		g := of(f.Path)
		g.files = append(g.files, f)
		if f.Format == ingest.SidecarFormat {
			continue // what people write about results is none
		}
		n, _ := inputOf(names, f.Path)
		g.sums = append(g.sums, strings.TrimPrefix(f.Path, n)+"\x00"+f.SHA256+"\n")
		p := hide.Path(f.Path)
		switch {
		case f.Ignored != "":
			g.in.Ignored = append(g.in.Ignored, catalog.InputFile{Path: p, Reason: hide.Text(f.Ignored)})
		case f.Format != "":
			file := catalog.InputFile{Path: p, Format: f.Format}
			if lonely[f.Path] && len(runs[f.Path]) == 0 {
				file.Reason = "describes no run that lies beside or below it"
			}
			g.in.Read = append(g.in.Read, file)
		}
		for _, id := range runs[f.Path] {
			g.ids[id] = true
		}
	}
	archives := map[string]ingest.FileStatus{}
	for _, a := range reading.Archives {
		archives[a.Path] = a
	}
	for _, rec := range reading.Records {
		switch r := rec.(type) {
		case *record.SyntaxError:
			in := of(r.At.File).in
			in.Rejected = append(in.Rejected, catalog.Rejected{Path: hide.Path(r.At.File), Line: r.At.Line, Col: r.At.Col, Message: hide.Text(r.Text)})
		default:
			at := rec.Header()
			in := of(at.At.File).in
			for _, key := range unmapped(rec) {
				if in.Unmapped == nil {
					in.Unmapped = map[string]map[string]int{}
				}
				if in.Unmapped[at.Format] == nil {
					in.Unmapped[at.Format] = map[string]int{}
				}
				in.Unmapped[at.Format][hide.Text(key)]++
			}
		}
	}
	var out []*catalog.Input
	for _, n := range names {
		g := all[n]
		if g == nil || slices.ContainsFunc(out, func(x *catalog.Input) bool { return x == g.in }) {
			continue
		}
		switch {
		case n == "-":
			g.in.Kind = kindStdin
		case archives[n].SHA256 != "":
			g.in.Kind, g.in.SHA256 = kindArchive, archives[n].SHA256
		case len(g.files) == 1 && g.files[0].Path == n:
			g.in.Kind, g.in.SHA256 = kindFile, g.files[0].SHA256
		default:
			g.in.Kind = kindFolder
		}
		if g.in.SHA256 == "" {
			slices.Sort(g.sums)
			sum := sha256.Sum256([]byte(strings.Join(g.sums, "")))
			g.in.SHA256 = hex.EncodeToString(sum[:])
		}
		for id := range g.ids {
			g.in.Runs = append(g.in.Runs, id)
		}
		slices.Sort(g.in.Runs)
		byPath := func(a, b catalog.InputFile) int { return cmp.Compare(a.Path, b.Path) }
		slices.SortStableFunc(g.in.Read, byPath)
		slices.SortStableFunc(g.in.Ignored, byPath)
		slices.SortStableFunc(g.in.Rejected, func(a, b catalog.Rejected) int {
			return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col))
		})
		out = append(out, g.in)
	}
	return out
}
