package check

import (
	"bufio"
	"bytes"
	"compress/gzip" // of which budgets count the bytes, as servers do
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"math"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	unpack "github.com/klauspost/compress/gzip"
)

// file is what is kept of one file of the site until all have been read.
type file struct {
	name     string
	findings []Finding
	zipped   int64    // bytes gzipped, of style sheets and scripts that pages name
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
	r, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	if packed {
		s.readPacked(f, r, judge)
		return f, nil
	}
	return f, judge(f, r)
}

// readPacked judges a file by what it unpacks to. One that does not unpack says nothing else.
func (s *site) readPacked(f *file, r io.Reader, judge judgement) {
	z := unpackers.Get().(*unpack.Reader)
	defer unpackers.Put(z)
	err := z.Reset(r)
	if err == nil && judge != nil {
		err = judge(f, z)
	}
	if err == nil {
		_, err = io.Copy(io.Discard, z)
	}
	if err != nil {
		f.findings = nil
		f.add(0, "gzip", "the file does not unpack: %v", err)
	}
}

// judgement reads a file and judges it. The error is one of reading it.
type judgement func(f *file, r io.Reader) error

// whole is the judgement of files that are judged when all of one is read. Nothing of data may be kept.
func (s *site) whole(judge func(f *file, data []byte)) judgement {
	return func(f *file, r io.Reader) error {
		b := buffers.Get().(*bytes.Buffer)
		defer buffers.Put(b)
		b.Reset()
		b.Grow(int(s.size[f.name]) + bytes.MinRead) // enough for the end of a file that is not packed
		_, err := b.ReadFrom(r)
		if err == nil {
			f.good = links.Get().(map[asked]string)
			judge(f, b.Bytes())
			clear(f.good)
			links.Put(f.good)
			f.good = nil
		}
		return err
	}
}

// buffers, unpackers and links are used again: one takes more memory than most files.
var (
	buffers   = sync.Pool{New: func() any { return new(bytes.Buffer) }}
	unpackers = sync.Pool{New: func() any { return new(unpack.Reader) }}
	links     = sync.Pool{New: func() any { return map[asked]string{} }}
)

// download are the extensions of data that is offered packed.
var download = set(".json", ".jsonl", ".ndjson", ".csv", ".xml", ".txt", ".md")

// judges returns what judges files of an extension, nil where only their size counts.
func (s *site) judges(ext string) judgement {
	switch ext {
	case ".html", ".htm", ".xhtml":
		return s.whole(s.readPage)
	case ".css":
		return s.whole(func(f *file, data []byte) { s.readCSS(f, 1, data) })
	case ".js", ".mjs":
		return s.whole(func(f *file, data []byte) { wellEncoded(f, data); readDataScript(f, data) })
	case ".svg":
		return s.whole(s.readSVG)
	case ".xml", ".atom", ".rss":
		return s.whole(s.readXML)
	case ".json", ".webmanifest":
		return s.whole(readJSON)
	case ".jsonl", ".ndjson":
		return readLines
	case ".csv":
		return readCSV
	case ".txt", ".md":
		return s.whole(wellEncoded)
	}
	return nil
}

func wellEncoded(f *file, data []byte) {
	if !utf8.Valid(data) {
		f.add(0, "utf8", "the file has bytes that are not UTF-8")
	}
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

func readLines(f *file, r io.Reader) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, math.MaxInt)
	for n := 1; lines.Scan(); n++ {
		if !json.Valid(lines.Bytes()) {
			f.add(n, "json", "the line is not valid JSON")
			return nil
		}
	}
	return lines.Err()
}

func readCSV(f *file, r io.Reader) error {
	rows := csv.NewReader(r)
	rows.ReuseRecord = true
	for {
		_, err := rows.Read()
		switch e, wrong := errors.AsType[*csv.ParseError](err); {
		case err == io.EOF:
			return nil
		case wrong:
			f.add(e.Line, "csv", "the file cannot be read as CSV: %v", e.Err)
			return nil
		case err != nil:
			return err
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

// weigh packs the style sheets and scripts that pages name, to learn their size. Data that scripts load stays as it is:
// there is a file of it for each run.
func (s *site) weigh(fsys fs.FS, files []*file) error {
	named := map[string]bool{}
	for _, f := range files {
		if f.page != nil {
			for _, name := range slices.Concat(f.page.styles, f.page.scripts) {
				named[name] = true
			}
		}
	}
	for _, f := range files {
		if !named[f.name] || s.size[f.name] == 0 {
			continue
		}
		data, err := fs.ReadFile(fsys, f.name)
		if err != nil {
			return err
		}
		f.zipped = zipped(data)
	}
	return nil
}

func zipped(data []byte) int64 {
	m := newMeter()
	m.Write(data)
	return m.size()
}
