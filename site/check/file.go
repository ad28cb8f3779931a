package check

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"path"
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"
)

// file is what is kept of one file of the site until all have been read.
type file struct {
	name     string
	findings []Finding
	zipped   int64    // bytes gzipped, of style sheets and scripts
	page     *page    // nil where it is no page
	ids      []uint64 // of pages and drawings, hashed and sorted; nil for other files
	anchors  []anchor
	loaded   []string // files of the site that it loads

	good map[asked]string // links that broke no rule, while the file is read
}

func (f *file) add(line int, code, format string, args ...any) {
	f.findings = append(f.findings, finding(f.name, line, code, format, args...))
}

// read reads and judges one file. The error is one of reading it.
func (s *site) read(fsys fs.FS, name string) (*file, error) {
	f := &file{name: name}
	if s.size[name] == 0 {
		if path.Base(name) != ".nojekyll" {
			f.add(0, "empty-file", "the file is empty")
		}
		return f, nil
	}
	inner, packed := strings.CutSuffix(strings.ToLower(name), ".gz")
	judge := s.judges(path.Ext(inner))
	if packed && !download[path.Ext(inner)] {
		judge = nil // no browser shows it
	}
	if judge == nil && !packed {
		return f, nil
	}
	data, err := fs.ReadFile(fsys, name)
	if err != nil {
		return nil, err
	}
	if packed {
		if data, err = unpack(data); err != nil {
			f.add(0, "gzip", "the file does not unpack: %v", err)
			return f, nil
		}
	}
	if judge != nil {
		judge(f, data)
		f.good = nil
	}
	return f, nil
}

// download are the extensions of data that is offered packed.
var download = set(".json", ".jsonl", ".ndjson", ".csv", ".xml", ".txt", ".md")

// judges returns the function that judges files of an extension, nil where only their size counts.
func (s *site) judges(ext string) func(f *file, data []byte) {
	switch ext {
	case ".html", ".htm", ".xhtml":
		return s.readPage
	case ".css":
		return func(f *file, data []byte) { f.zipped = zipped(data); s.readCSS(f, 1, data) }
	case ".js", ".mjs":
		return func(f *file, data []byte) { f.zipped = zipped(data); wellEncoded(f, data); readDataScript(f, data) }
	case ".svg":
		return s.readSVG
	case ".xml", ".atom", ".rss":
		return s.readXML
	case ".json", ".webmanifest":
		return readJSON
	case ".jsonl", ".ndjson":
		return readLines
	case ".csv":
		return readCSV
	case ".txt", ".md":
		return wellEncoded
	}
	return nil
}

func wellEncoded(f *file, data []byte) {
	if !utf8.Valid(data) {
		f.add(0, "utf8", "the file has bytes that are not UTF-8")
	}
}

// unpackers are used again: one takes more memory than most files.
var unpackers = sync.Pool{New: func() any { return new(gzip.Reader) }}

func unpack(data []byte) ([]byte, error) {
	r := unpackers.Get().(*gzip.Reader)
	defer unpackers.Put(r)
	if err := r.Reset(bytes.NewReader(data)); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	// The file says at its end how much it has; none has more than this times its size.
	const densest = 1032
	if n := len(data); n > 4 {
		b.Grow(int(min(int64(binary.LittleEndian.Uint32(data[n-4:])), densest*int64(n), 1<<20)) + bytes.MinRead)
	}
	_, err := b.ReadFrom(r)
	return b.Bytes(), err
}

func readJSON(f *file, data []byte) {
	if json.Valid(data) {
		return
	}
	var v json.RawMessage
	line, err := 0, json.Unmarshal(data, &v)
	if e, ok := errors.AsType[*json.SyntaxError](err); ok {
		line = 1 + bytes.Count(data[:min(int(e.Offset), len(data))], []byte{'\n'})
	}
	f.add(line, "json", "the file is not valid JSON: %v", err)
}

// dataCall is how a script begins that only holds data.
var dataCall = regexp.MustCompile(`^inferdex\.[a-z]+\(`)

// readDataScript judges a script that calls one function of its page with data; others are programs.
func readDataScript(f *file, data []byte) {
	call := dataCall.Find(data)
	if call == nil {
		return
	}
	arg, ok := bytes.CutSuffix(data[len(call):], []byte(");\n"))
	switch {
	case !ok || !json.Valid(arg):
		f.add(0, "data-script", "the script does not call one function with valid JSON")
	case bytes.ContainsAny(arg, "<\u2028\u2029"):
		f.add(0, "data-script", "the data has a < or a line end of JavaScript that is not escaped")
	}
}

func readLines(f *file, data []byte) {
	line := 0
	for l := range bytes.Lines(data) {
		if line++; !json.Valid(l) {
			f.add(line, "json", "the line is not valid JSON")
			return
		}
	}
}

func readCSV(f *file, data []byte) {
	r := csv.NewReader(bytes.NewReader(data))
	r.ReuseRecord = true
	for {
		if _, err := r.Read(); err == io.EOF {
			return
		} else if err != nil {
			line := 0
			if e, ok := errors.AsType[*csv.ParseError](err); ok {
				line, err = e.Line, e.Err
			}
			f.add(line, "csv", "the file cannot be read as CSV: %v", err)
			return
		}
	}
}

// meter measures what a server sends for the bytes written to it.
type meter struct {
	w *gzip.Writer
	n int64
}

var zippers = sync.Pool{New: func() any { return gzip.NewWriter(nil) }}

func newMeter() *meter {
	m := &meter{w: zippers.Get().(*gzip.Writer)}
	m.w.Reset((*counter)(&m.n))
	return m
}

// Write never fails: counting does not.
func (m *meter) Write(b []byte) { m.w.Write(b) }

// size ends the measurement.
func (m *meter) size() int64 {
	m.w.Close()
	zippers.Put(m.w)
	return m.n
}

type counter int64

func (c *counter) Write(b []byte) (int, error) { *c += counter(len(b)); return len(b), nil }

func zipped(data []byte) int64 {
	m := newMeter()
	m.Write(data)
	return m.size()
}
