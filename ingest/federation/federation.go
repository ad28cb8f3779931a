// Package federation is what published catalogs give one another: an index of the runs of a catalog with the digest
// of each file, archives that hold these files, and the union of several catalogs.
//
// What another catalog publishes is as hostile as any file: sizes are bounded before anything is unpacked, a file
// without the digest that the index states refuses the whole catalog, and a run that breaks a rule of a catalog is
// left out.
package federation

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/klauspost/compress/flate"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/record"
)

// IndexFile is the name of the index below the address of a catalog.
const IndexFile = "index.json"

// What a catalog may have. A run of which the records have more than maxRecords bytes packed is published without them.
const (
	MaxIndex   = 32 << 20 // bytes of an index
	MaxPart    = 64 << 20 // bytes of an archive
	maxRuns    = 100_000
	maxRun     = 32 << 20  // bytes of a run's file
	maxRecords = 32 << 20  // bytes of a run's raw records as packed
	maxText    = 256 << 20 // bytes of them unpacked
	maxAll     = 1 << 30   // bytes of all files of runs, and of all archives
	maxWords   = 300       // characters of a title or a reason
)

// Index is what a catalog says of the runs that it gives to others: its own ones.
type Index struct {
	Version int `json:"inferdex"` // catalog.FormatVersion
	// Title and License are those of the catalog's inferdex.toml; empty is not said.
	Title   string `json:"title,omitempty"`
	License string `json:"license,omitempty"`
	// Parts are zip archives, each with the files of some runs.
	Parts []File  `json:"parts"`
	Runs  []Entry `json:"runs"`
	// Withdrawn are runs that were taken out of the catalog, with the reason.
	Withdrawn []Withdrawal `json:"withdrawn,omitempty"`
}

// File is a file by its content. The path of a part is below the address of the index, that of a run's file within
// the archive, and both are as in a catalog: with forward slashes. The digest is in lower-case hex.
type File struct {
	Path   string `json:"path"`
	SHA256 string `json:"sha256"`
	Bytes  int64  `json:"bytes"`
}

// Entry is a run of an index.
type Entry struct {
	ID   string `json:"id"`
	Part int    `json:"part"` // which of the parts has the files, from 0
	File
	// Records are the run's raw records; nil where they are too large to be given on.
	Records *File `json:"records,omitempty"`
}

// Withdrawal says why a run must not be used any more.
type Withdrawal struct {
	ID     string `json:"id"`
	Reason string `json:"reason"`
}

// Withdrawals are those of reasons by ids, sorted; what is no id is left out.
func Withdrawals(reasons map[string]string) (list []Withdrawal) {
	for _, id := range slices.Sorted(maps.Keys(reasons)) {
		if catalog.ValidID(id) {
			list = append(list, Withdrawal{id, words(reasons[id])})
		}
	}
	return list
}

// Published is a file of a site: what a catalog gives to others.
type Published struct {
	Path string // below the folder of the index
	// Of is the digest of all that an archive is made of; "" of the index.
	Of   string
	Data []byte
}

// Last is the content of a file that was published last, where it was made of what of says, "" for anything; false
// where that is not what was written.
type Last func(path, of string) ([]byte, bool)

// Publish makes the files that a catalog gives to others, the index last: archives of its runs and their raw records,
// one, 32 or 1024, so that each has some megabytes and a new run changes one of them. Head has what the index says
// beside the runs. An archive whose files are those of the last one is not made again; a nil last knows none. Known is the
// SHA-256 of a file in hex where it is known without reading it, "" where it is not, and may be nil. The same
// catalog gives the same bytes; an empty one gives nothing.
func Publish(fsys fs.FS, head Index, known func(name string) string, last Last) iter.Seq2[Published, error] {
	return func(yield func(Published, error) bool) {
		ix := head
		ix.Version, ix.Parts, ix.Runs = catalog.FormatVersion, []File{}, []Entry{}
		parts, err := divide(fsys)
		if err != nil {
			yield(Published{}, err)
			return
		}
		if len(parts) == 0 && len(ix.Withdrawn) == 0 {
			return
		}
		for _, p := range parts {
			data, of, err := ix.add(fsys, p, known, last)
			if err != nil {
				yield(Published{}, err)
				return
			}
			if !yield(Published{p.name, of, data}, nil) {
				return
			}
		}
		slices.SortFunc(ix.Runs, func(a, b Entry) int { return strings.Compare(a.ID, b.ID) })
		data, err := catalog.Marshal(ix)
		yield(Published{Path: IndexFile, Data: data}, err)
	}
}

// part is an archive to be made: its name, the names of the files of runs, and the sizes of plain files of the catalog.
type part struct {
	name  string
	files []string
	sizes map[string]int64
}

// size is that of a file of the catalog.
func (p part) size(fsys fs.FS, name string) (int64, error) {
	if n, ok := p.sizes[name]; ok {
		return n, nil
	}
	info, err := fs.Stat(fsys, name)
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// wantPart is how many bytes an archive has about.
const wantPart = 16 << 20

// divide puts the runs of a catalog into archives by the digest of their ids.
func divide(fsys fs.FS) (parts []part, _ error) {
	var names []string
	total, sizes := int64(0), map[string]int64{}
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist) && name == ".":
			return fs.SkipAll // no catalog is an empty one
		case err != nil:
			return err
		case strings.HasPrefix(d.Name(), ".") && name != "." || d.Name() == "_inputs":
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case d.IsDir():
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		total += info.Size()
		if info.Mode().IsRegular() {
			sizes[name] = info.Size()
		}
		if path.Ext(name) == ".json" {
			names = append(names, name)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	digits := 0
	for n := int64(wantPart); n < total && digits < 2; n *= 32 {
		digits++
	}
	byKey := map[string]*part{}
	for _, name := range names { // WalkDir sorts them
		key := record.Digest([]byte(idOf(name)))[:digits]
		if byKey[key] == nil {
			byKey[key] = &part{name: "catalog/" + key + ".zip", sizes: sizes}
			if key == "" {
				byKey[key].name = "catalog/all.zip"
			}
		}
		byKey[key].files = append(byKey[key].files, name)
	}
	for _, p := range byKey {
		parts = append(parts, *p)
	}
	slices.SortFunc(parts, func(a, b part) int { return strings.Compare(a.name, b.name) })
	return parts, nil
}

// idOf is the id of the run of a file.
func idOf(name string) string { return strings.TrimSuffix(path.Base(name), ".json") }

// add adds an archive and its runs to the index: the last one, where it has the same files, else a new one. Of says what
// it is made of.
func (ix *Index) add(fsys fs.FS, p part, known func(string) string, last Last) (data []byte, of string, err error) {
	var runs []Entry
	if last != nil {
		if _, was := last(p.name, ""); was {
			if runs, err = p.entries(fsys, len(ix.Parts), known, nil); err != nil {
				return nil, "", err
			}
			of = digestOf(runs)
			if kept, same := last(p.name, of); same {
				data = kept
			}
		}
	}
	if data == nil {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		z.RegisterCompressor(zip.Deflate, packer())
		a := &archive{z, packedOf(p.name, last)}
		if runs, err = p.entries(fsys, len(ix.Parts), known, a); err != nil {
			return nil, "", err
		}
		if err := z.Close(); err != nil {
			return nil, "", err
		}
		of, data = digestOf(runs), b.Bytes()
	}
	ix.Runs, ix.Parts = append(ix.Runs, runs...), append(ix.Parts, fileOf(p.name, data))
	return data, of, nil
}

// packer packs the files of an archive, which come one at a time, with one writer of a megabyte; none where all were packed
// before.
func packer() zip.Compressor {
	var z *flate.Writer
	return func(w io.Writer) (_ io.WriteCloser, err error) {
		if z == nil {
			z, err = flate.NewWriter(w, flate.DefaultCompression)
		} else {
			z.Reset(w)
		}
		return z, err
	}
}

// archive is one that is being made, with the files of the last one as they are packed there.
type archive struct {
	zip  *zip.Writer
	last map[File]*zip.File
}

// again adds a file as it was packed last; false where it was not, or otherwise.
func (a *archive) again(f File, method uint16) (bool, error) {
	was := a.last[f]
	if was == nil || was.Method != method {
		return false, nil
	}
	return true, a.zip.Copy(was)
}

// packedOf are the files of the last archive of that name as they are packed there, by what the last index says of them: what
// did not change is not packed again. It is empty where either is not known.
func packedOf(name string, last Last) map[File]*zip.File {
	if last == nil {
		return nil
	}
	archive, there := last(name, "")
	text, said := last(IndexFile, "")
	var ix Index
	if !there || !said || json.Unmarshal(text, &ix) != nil {
		return nil
	}
	z, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		return nil
	}
	byName := map[string]*zip.File{}
	for _, f := range z.File {
		byName[f.Name] = f
	}
	packed := map[File]*zip.File{}
	for _, e := range ix.Runs {
		if e.Part < 0 || e.Part >= len(ix.Parts) || ix.Parts[e.Part].Path != name {
			continue
		}
		packed[e.File] = byName[e.Path]
		if e.Records != nil {
			packed[*e.Records] = byName[e.Records.Path]
		}
	}
	return packed
}

// digestOf is the digest of the files of some runs, with their names.
func digestOf(runs []Entry) string {
	var b strings.Builder
	for _, e := range runs {
		fmt.Fprintf(&b, "%s %s\n", e.SHA256, e.Path)
		if e.Records != nil {
			fmt.Fprintf(&b, "%s %s\n", e.Records.SHA256, e.Records.Path)
		}
	}
	return Sum([]byte(b.String()))
}

// entries are the runs of the archive of that number; each of its files goes into to. Where that is nil, or has the file as
// it was packed last, files whose digest is known are not read.
func (p part) entries(fsys fs.FS, number int, known func(name string) string, to *archive) (runs []Entry, _ error) {
	entry := func(name string, method uint16) (File, error) {
		if known != nil {
			if sum := known(name); sum != "" {
				size, err := p.size(fsys, name)
				f := File{name, sum, size}
				if err != nil || to == nil {
					return f, err
				}
				if same, err := to.again(f, method); same || err != nil {
					return f, err
				}
			}
		}
		data, err := fs.ReadFile(fsys, name)
		f := fileOf(name, data)
		if err != nil || to == nil {
			return f, err
		}
		same, err := to.again(f, method)
		if !same && err == nil {
			err = addFile(to.zip, name, method, data)
		}
		return f, err
	}
	for _, name := range p.files {
		f, err := entry(name, zip.Deflate)
		if err != nil {
			return nil, err
		}
		e := Entry{ID: idOf(name), Part: number, File: f}
		rawName := catalog.RawName(name)
		size, err := p.size(fsys, rawName)
		if err == nil && size <= maxRecords {
			f, err := entry(rawName, zip.Store)
			if err != nil {
				return nil, err
			}
			e.Records = &f
		}
		runs = append(runs, e)
	}
	return runs, nil
}

func fileOf(name string, data []byte) File { return File{name, Sum(data), int64(len(data))} }

// Sum is the SHA-256 of data in lower-case hex.
func Sum(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// SumOf is that of all that can be read, with the number of bytes.
func SumOf(r io.Reader) (sum string, n int64, err error) {
	h := sha256.New()
	n, err = io.Copy(h, r)
	return hex.EncodeToString(h.Sum(nil)), n, err
}

// addFile adds a file without a time.
func addFile(z *zip.Writer, name string, method uint16, data []byte) error {
	w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: method})
	if err == nil {
		_, err = w.Write(data)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}
