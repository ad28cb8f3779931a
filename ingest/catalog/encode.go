package catalog

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"io"
	"slices"
	"sort"
	"strings"
	"sync"
	"time"

	"github.com/klauspost/compress/gzip"

	"github.com/inferdex/inferdex/ingest/record"
)

// Names of files and directories of a catalog.
const (
	inputsDir = "_inputs"
	runExt    = ".json"
	rawExt    = ".raw.jsonl.gz"
)

// maxRaw bounds the unpacked raw records of one run, in bytes: a catalog may come from
// somebody else.
const maxRaw = 1 << 30

// Path is the name of the run's file: the slug of the model as written, and the id.
func (r *Run) Path() string { return r.dir() + "/" + r.ID + runExt }

// RawPath is the name of the file with the run's raw records.
func (r *Run) RawPath() string { return RawName(r.Path()) }

// RawName is the name of the file with the raw records of the run that a file has.
func RawName(file string) string { return strings.TrimSuffix(file, runExt) + rawExt }

func (r *Run) dir() string { return Slug(r.Identity.Model) }

// File is the name of the input's file. That of a folder is made of its path, so that the folder has
// one file however often it changes, "_inputs/data-raw-mi100-3f7q.json"; any other's of its digest,
// "_inputs/0123456789ab.json".
func (in *Input) File() string {
	if in.Kind == "folder" {
		return inputsDir + "/" + Slug(in.Path) + "-" + record.Digest([]byte(in.Path))[:4] + runExt
	}
	return in.digestFile()
}

func (in *Input) digestFile() string {
	return inputsDir + "/" + in.SHA256[:min(12, len(in.SHA256))] + runExt
}

// Name is the name of the file that the input was read from; that of a new one is [Input.File].
func (in *Input) Name() string { return cmp.Or(in.name, in.File()) }

// Update is a change of a catalog on disk. Its zero value changes nothing.
type Update struct {
	// Runs are written with the files of their raw records, of a [RawWriter], found in Raw by id.
	Runs []*Run
	Raw  map[string][]byte
	// Written says that Runs have their files already, of [WriteRun].
	Written bool
	// Inputs are written one file each.
	Inputs []*Input
	// Remove are names of files that must go, sorted: an id that changed leaves some behind.
	Remove []string
}

// Write hands every file of the update to write, in the order of their names, and then the
// names of stale files to remove. Both functions get names relative to the catalog's directory.
// Whoever passes them makes writing atomic.
func (u *Update) Write(write func(name string, data []byte) error, remove func(name string) error) error {
	type file struct {
		name string
		make func() ([]byte, error)
	}
	var files []file
	for _, r := range u.Runs {
		if u.Written {
			break
		}
		err := WriteRun(r, u.Raw[r.ID], func(name string, text func(*[]byte) ([]byte, error)) error {
			files = append(files, file{name, func() ([]byte, error) { return text(nil) }})
			return nil
		})
		if err != nil {
			return err
		}
	}
	for _, in := range u.Inputs {
		files = append(files, file{in.File(), func() ([]byte, error) { return Marshal(in) }})
	}
	sort.SliceStable(files, func(i, j int) bool { return files[i].name < files[j].name })
	for _, f := range files {
		data, err := f.make()
		if err != nil {
			return fmt.Errorf("%s: %w", f.name, err)
		}
		if err := write(f.name, data); err != nil {
			return err
		}
	}
	// Raw records go before their run: without a run they are nobody's.
	for _, name := range slices.Backward(u.Remove) {
		if err := remove(name); err != nil {
			return err
		}
	}
	return nil
}

// WriteRun hands the files of a run to write: its own, and the one of its raw records, packed as a [RawWriter] does
// it. Names are relative to the catalog's directory. Text makes the content of a file. What it makes
// in a room is there until the next one is made in it; nil is a room of its own.
func WriteRun(r *Run, raw []byte, write func(name string, text func(room *[]byte) ([]byte, error)) error) error {
	if len(raw) == 0 && r.Records != "" {
		return fmt.Errorf("%s: its raw records were not packed", r.RawPath())
	}
	own := func(room *[]byte) ([]byte, error) {
		if room == nil {
			return Marshal(r)
		}
		b, err := appendFile((*room)[:0], r)
		*room = b
		return b, err
	}
	if err := write(r.Path(), own); err != nil || len(raw) == 0 {
		return err
	}
	return write(r.RawPath(), func(*[]byte) ([]byte, error) { return raw, nil })
}

// RawWriter makes the raw file of a run: its text is one RawRecord a line. Of the text no more than a line is
// in memory.
type RawWriter struct {
	sum  hash.Hash
	file *bytes.Buffer  // one of packing
	zip  io.WriteCloser // nil where nobody wants the file
	text record.JSON    // the line that is written
}

// Gzip packs what is written to it into w, as the raw files of a catalog are packed: at the usual level, which takes 12 %
// more bytes than compress/gzip in half the time, without a name and a time. It is handed to [NewRawWriter], so that a
// program that packs nothing, or packs otherwise, is not made of it: the reader for browsers.
func Gzip(w io.Writer) io.WriteCloser {
	z := zippers.Get().(*gzip.Writer)
	z.Reset(w)
	z.ModTime = time.Unix(0, 0) // written as no time
	return &zipping{z}
}

// zippers are used again: one takes longer to make than to pack the records of a small run.
var zippers = sync.Pool{New: func() any { return gzip.NewWriter(nil) }}

// zipping is one of zippers until it is closed.
type zipping struct{ *gzip.Writer }

func (z *zipping) Close() error {
	err := z.Writer.Close()
	zippers.Put(z.Writer)
	z.Writer = nil
	return err
}

// NewRawWriter returns a writer of a file without records. Pack makes the gzip file, [Gzip] for one; nil says that the
// file is not wanted, only the digest of its text.
func NewRawWriter(pack func(io.Writer) io.WriteCloser) *RawWriter {
	w := &RawWriter{sum: sha256.New()}
	if pack != nil {
		w.file = packing.Get().(*bytes.Buffer)
		w.zip = pack(w.file)
	}
	return w
}

// packing are used again: a file that grows where it is packed leaves as much behind as it is large.
var packing = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// Add adds a record. Its JSON is taken as it is: it must be as [Compact] writes it.
func (w *RawWriter) Add(r *RawRecord) error {
	j := &w.text
	j.Text = j.Text[:0]
	j.Open('{')
	j.Member("kind", r.Kind)
	j.Member("file", r.File)
	j.Strings("also", r.Also)
	j.Member("source", r.Source)
	j.IntIf("line", int64(r.Line))
	j.IntIf("col", int64(r.Col))
	if len(r.Raw) > 0 {
		j.Name("raw")
		j.Text = append(j.Text, r.Raw...)
	}
	j.Name("record")
	j.Text = append(j.Text, r.Record...)
	j.Text = append(j.Text, '}', '\n')
	w.sum.Write(j.Text)
	if w.zip == nil {
		return nil
	}
	_, err := w.zip.Write(j.Text)
	return err
}

// Close ends the file. Sum is the SHA-256 of its text in lower-case hex. File is nil where none is wanted; it has
// no name and no time in its header, and its bytes may differ between versions of inferdex: compare the sum.
func (w *RawWriter) Close() (sum string, file []byte, err error) {
	sum = hex.EncodeToString(w.sum.Sum(nil))
	if w.zip == nil {
		return sum, nil, nil
	}
	if err := w.zip.Close(); err != nil {
		return "", nil, err
	}
	file = bytes.Clone(w.file.Bytes())
	w.file.Reset()
	packing.Put(w.file)
	w.file, w.zip = nil, nil
	return sum, file, nil
}

// RawSum is the digest of the text of a raw file of records, as [RawWriter.Close] gives it.
func RawSum(records []RawRecord) (string, error) {
	w := NewRawWriter(nil)
	for i := range records {
		if err := w.Add(&records[i]); err != nil {
			return "", err
		}
	}
	sum, _, err := w.Close()
	return sum, err
}

// unzippers are used again: one takes more memory than the records of most runs.
var unzippers = sync.Pool{New: func() any { return new(gzip.Reader) }}

// unzip is the text of a raw file.
func unzip(name string, data []byte) ([]byte, error) {
	z := unzippers.Get().(*gzip.Reader)
	defer unzippers.Put(z)
	if err := z.Reset(bytes.NewReader(data)); err != nil {
		return nil, fmt.Errorf("%s: no gzip file: %w: restore it or ingest its sources again", name, err)
	}
	var b bytes.Buffer
	// The file says at its end how much it has; none has more than this times its size.
	const densest = 1032
	if n := len(data); n > 4 {
		b.Grow(int(min(int64(binary.LittleEndian.Uint32(data[n-4:])), densest*int64(n), maxRaw)) + bytes.MinRead)
	}
	_, err := b.ReadFrom(io.LimitReader(z, maxRaw+1))
	text := b.Bytes()
	if err != nil {
		return nil, fmt.Errorf("%s: damaged gzip file: %w: restore it or ingest its sources again", name, err)
	}
	if len(text) > maxRaw {
		return nil, fmt.Errorf("%s: more than %d bytes of raw records", name, maxRaw)
	}
	return text, nil
}

// sumOf is the digest of the text of a raw file, of which no more than a piece is in memory.
func sumOf(data []byte) (string, error) {
	z := unzippers.Get().(*gzip.Reader)
	defer unzippers.Put(z)
	if err := z.Reset(bytes.NewReader(data)); err != nil {
		return "", err
	}
	sum := sha256.New()
	if _, err := z.WriteTo(sum); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// decodeRaw reads what a RawWriter wrote. name is for messages. sum is the digest of the text that was written, "" where it
// is not known: a text that has it is JSON, which takes ten times as long to find out.
func decodeRaw(name string, data []byte, sum string) ([]RawRecord, error) {
	text, err := unzip(name, data)
	if err != nil {
		return nil, err
	}
	asWritten := false
	if sum != "" {
		digest := sha256.Sum256(text)
		asWritten = hex.EncodeToString(digest[:]) == sum
	}
	var out []RawRecord
	for n := 1; len(text) > 0; n++ {
		line, rest, _ := bytes.Cut(text, []byte{'\n'})
		text = rest
		r, ok := cutRaw(line, asWritten)
		if !ok { // damaged, or written by another hand
			r = RawRecord{}
			if p := decode(line, &r); p != nil {
				p.File, p.Line = name, n
				return nil, p
			}
		}
		out = append(out, r)
	}
	return out, nil
}

// CheckRecords looks whether raw records are JSON, which [Catalog.Raw] leaves out where their text has the digest that their
// run states: whoever wrote both could state it of anything. The error says which one is not.
func CheckRecords(records []RawRecord) error {
	for i := range records {
		if !records[i].valid() {
			return fmt.Errorf("raw record %d is no JSON: ingest the run's sources again", i+1)
		}
	}
	return nil
}

func (r *RawRecord) valid() bool { return json.Valid(r.Record) && (r.Raw == nil || json.Valid(r.Raw)) }

// cutRaw reads a line as RawText writes it: its place, which is short, is decoded, the two values behind it
// are taken as they are, unless asWritten after a look whether they are JSON. ok is false where the line is not of that form.
func cutRaw(line []byte, asWritten bool) (r RawRecord, ok bool) {
	raw, record := []byte(`,"raw":`), []byte(`,"record":`)
	// In a string the quotes would be escaped.
	head, rest, ok := bytes.Cut(line, raw)
	if ok {
		end := endOfValue(rest)
		r.Raw, rest = rest[:end:end], rest[end:]
		rest, ok = bytes.CutPrefix(rest, record)
	} else {
		head, rest, ok = bytes.Cut(line, record)
	}
	rest, closed := bytes.CutSuffix(rest, []byte{'}'})
	if !ok || !closed {
		return r, false
	}
	r.Record = rest[:len(rest):len(rest)]
	whole := asWritten || r.valid()
	values := r
	r = RawRecord{}
	ok = whole && decode(append(bytes.Clone(head), '}'), &r) == nil
	r.Raw, r.Record = values.Raw, values.Record
	return r, ok
}

// endOfValue is where a JSON value that is followed by a comma or a bracket ends.
func endOfValue(data []byte) int {
	depth := 0
	for i := 0; i < len(data); i++ {
		switch data[i] {
		case '"':
			for i++; i < len(data) && data[i] != '"'; i++ {
				if data[i] == '\\' {
					i++
				}
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth < 0 {
				return i
			}
		case ',':
			if depth == 0 {
				return i
			}
		}
	}
	return len(data)
}
