package check

import (
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"regexp"
	"slices"
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

func unpack(data []byte) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
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

// readCSS judges what a style sheet loads. first is the line that it begins on.
func (s *site) readCSS(f *file, first int, data []byte) {
	wellEncoded(f, data)
	line := func(i int) int { return first + bytes.Count(data[:i], []byte{'\n'}) }
	for i := 0; i < len(data); {
		rest := data[i:]
		switch {
		case bytes.HasPrefix(rest, []byte("/*")):
			n := bytes.Index(rest[2:], []byte("*/"))
			if n < 0 {
				return
			}
			i += n + 4
		case rest[0] == '"' || rest[0] == '\'':
			i += quoted(rest)
		case rest[0] == '@' && len(rest) >= 7 && bytes.EqualFold(rest[:7], []byte("@import")):
			f.add(line(i), "css-import", "a style sheet imports another, which is loaded late; make them one")
			i += 7
		case rest[0]|0x20 == 'u' && len(rest) >= 4 && bytes.EqualFold(rest[:4], []byte("url(")):
			n := bytes.IndexByte(rest, ')')
			if q := bytes.TrimSpace(rest[4:]); len(q) > 0 && (q[0] == '"' || q[0] == '\'') {
				from := len(rest) - len(q)
				if m := bytes.IndexByte(rest[from+quoted(q):], ')'); m >= 0 {
					n = from + quoted(q) + m
				}
			}
			if n < 0 {
				return
			}
			if address := strings.Trim(string(rest[4:n]), " \t\r\n\"'"); !strings.HasPrefix(address, "#") {
				s.link(f, line(i), address, shows)
			}
			i += n + 1
		default:
			i++
		}
	}
}

// quoted returns the length of the CSS string that b begins with.
func quoted(b []byte) int {
	for i := 1; i < len(b); i++ {
		switch b[i] {
		case '\\':
			i++
		case b[0]:
			return i + 1
		}
	}
	return len(b)
}

// readSVG judges a drawing that stands alone: it may bring its own style, but loads nothing and
// runs nothing.
func (s *site) readSVG(f *file, data []byte) {
	f.ids = []uint64{}
	ids := map[string]int{}
	root := ""
	style := false
	err := tokens(data, func(t xml.Token, line int) {
		switch t := t.(type) {
		case xml.StartElement:
			if root == "" {
				root = t.Name.Local
			}
			style = t.Name.Local == "style"
			if t.Name.Local == "script" {
				f.add(line, "inline-script", "a drawing has a script")
			}
			for _, a := range t.Attr {
				switch key := a.Name.Local; {
				case key == "id":
					if first, ok := ids[a.Value]; ok {
						f.add(line, "duplicate-id", "the id %q stands already on line %d", a.Value, first)
						continue
					}
					ids[a.Value] = line
					f.ids = append(f.ids, hash(a.Value))
				case strings.HasPrefix(key, "on"):
					f.add(line, "event-attribute", "<%s> has the attribute %s", t.Name.Local, key)
				case key == "href" && t.Name.Local == "a":
					s.link(f, line, a.Value, follows)
				case key == "href" || key == "src":
					if a.Value == "" || a.Value[0] != '#' {
						s.link(f, line, a.Value, shows)
					} else {
						f.anchors = append(f.anchors, anchor{line, a.Value, f.name, a.Value[1:]})
					}
				}
			}
		case xml.EndElement:
			style = false
		case xml.CharData:
			if style {
				s.readCSS(f, line, t)
			}
		}
	})
	slices.Sort(f.ids)
	if err != nil {
		f.add(err.line, "svg", "the drawing is not well-formed: %v", err.err)
	} else if root != "svg" {
		f.add(0, "svg", "the root element is %q, not svg", root)
	}
}

// readXML judges a sitemap, a feed or any other XML file.
func (s *site) readXML(f *file, data []byte) {
	sitemap, loc := false, false
	err := tokens(data, func(t xml.Token, line int) {
		switch t := t.(type) {
		case xml.StartElement:
			sitemap = sitemap || t.Name.Local == "urlset" || t.Name.Local == "sitemapindex"
			loc = sitemap && t.Name.Local == "loc"
			if t.Name.Local != "link" {
				return
			}
			for _, a := range t.Attr {
				if a.Name.Local == "href" {
					s.link(f, line, a.Value, mentions)
				}
			}
		case xml.EndElement:
			loc = false
		case xml.CharData:
			if address := strings.TrimSpace(string(t)); loc && address != "" {
				if s.link(f, line, address, mentions) == "" && s.base != nil && !strings.HasPrefix(address, s.base.String()) {
					f.add(line, "sitemap", "%q is not an address of this site, which is at %q", address, s.base)
				}
			}
		}
	})
	if err != nil {
		f.add(err.line, "xml", "the file is not well-formed: %v", err.err)
	}
}

type xmlError struct {
	line int
	err  error
}

// tokens calls see for each token with the line that it ends on, which for a tag is nearly always
// that of its beginning.
func tokens(data []byte, see func(t xml.Token, line int)) *xmlError {
	d := xml.NewDecoder(bytes.NewReader(data))
	elements := 0
	for {
		line, _ := d.InputPos()
		t, err := d.Token()
		if err == io.EOF && elements > 0 {
			return nil
		}
		if err != nil {
			if e, ok := errors.AsType[*xml.SyntaxError](err); ok {
				return &xmlError{e.Line, errors.New(e.Msg)}
			}
			return &xmlError{0, fmt.Errorf("no element: %w", err)}
		}
		if _, ok := t.(xml.StartElement); ok {
			elements++
		}
		see(t, line)
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
