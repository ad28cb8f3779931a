// Package check reads a built site and says what is wrong with it: links that lead nowhere,
// identifiers that stand twice, what the content security policy would block, what is too large,
// and what got into a page by accident. It reads files as they would be served and knows nothing of
// how they were made.
package check

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"

	"golang.org/x/net/html"
)

// Severity tells whether a finding is to stop a publication.
type Severity string

// Severities.
const (
	// Error is what a reader would meet as a fault.
	Error Severity = "error"
	// Warning is what comes near a budget.
	Warning Severity = "warning"
)

// Finding is something wrong at one place.
type Finding struct {
	File     string // Below the site's root; empty where the site as a whole is meant.
	Line     int    // From 1; 0 is unknown.
	Severity Severity
	Message  string
}

func (f Finding) String() string {
	s := ""
	if f.File != "" {
		s = f.File + ":"
		if f.Line > 0 {
			s = fmt.Sprintf("%s%d:", s, f.Line)
		}
		s += " "
	}
	return s + string(f.Severity) + ": " + f.Message
}

// Options are what Site cannot see in the files.
type Options struct {
	// BaseURL is the address of the home page; empty where it is not known. Absolute links below
	// it are followed, and 404.html links from its path.
	BaseURL string
	// Budgets bound sizes; the zero value means DefaultBudgets.
	Budgets Budgets
	// Workers read files at once; 0 means one for each processor.
	Workers int
}

// Report is what Site found.
type Report struct {
	// Files and Pages count what was read; a page is a file with HTML.
	Files, Pages int
	// Bytes is the sum of the sizes of all files.
	Bytes int64
	// Findings are sorted by file and line.
	Findings []Finding
}

// Errors counts the findings of severity Error.
func (r *Report) Errors() int {
	n := 0
	for _, f := range r.Findings {
		if f.Severity == Error {
			n++
		}
	}
	return n
}

// Policy is the content security policy that every page states.
const Policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; base-uri 'self'; form-action 'none'"

// A file is what the check keeps of one file of the site.
type file struct {
	name     string
	size     int64
	gzipped  int64 // Of style sheets and scripts; of pages without their raw records.
	page     *page // nil where it is no page.
	links    []link
	findings []Finding
}

// A link leads from a file to another or to a place.
type link struct {
	line   int
	target string // As written.
	loads  bool   // The browser asks for it by itself.
	style  bool   // It is a style sheet.
	script bool
}

// Site checks the built site in fsys. The error is that of reading it, or of ctx.
func Site(ctx context.Context, fsys fs.FS, o Options) (*Report, error) {
	if o.Budgets == (Budgets{}) {
		o.Budgets = DefaultBudgets
	}
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	base := &url.URL{Path: "/"}
	if o.BaseURL != "" {
		u, err := url.Parse(o.BaseURL)
		if err != nil {
			return nil, fmt.Errorf("base URL %q: %w", o.BaseURL, err)
		}
		base = u
		base.Path = strings.TrimSuffix(base.Path, "/") + "/"
	}
	var names []string
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			names = append(names, name)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	files := make([]*file, len(names))
	err = each(ctx, o.Workers, len(names), func(i int) error {
		f, err := read(fsys, names[i])
		files[i] = f
		return err
	})
	if err != nil {
		return nil, err
	}
	s := &built{base: base, known: o.BaseURL != "", files: make(map[string]*file, len(files)), budgets: o.Budgets}
	r := &Report{Files: len(files)}
	for _, f := range files {
		s.files[f.name] = f
		r.Bytes += f.size
		if f.page != nil {
			r.Pages++
		}
	}
	found := make([][]Finding, len(files))
	err = each(ctx, o.Workers, len(files), func(i int) error {
		found[i] = append(files[i].findings, s.check(files[i])...)
		return nil
	})
	if err != nil {
		return nil, err
	}
	r.Findings = append(r.Findings, s.whole(files, r.Bytes)...)
	for _, list := range found {
		r.Findings = append(r.Findings, list...)
	}
	r.Findings = gather(r.Findings)
	return r, nil
}

// each calls f for 0 to n-1 from several goroutines and returns the first error in that order.
func each(ctx context.Context, workers, n int, f func(i int) error) error {
	errs := make([]error, n)
	next := make(chan int)
	var wg sync.WaitGroup
	for range min(workers, n) {
		wg.Go(func() {
			for i := range next {
				errs[i] = f(i)
			}
		})
	}
	for i := range n {
		if ctx.Err() != nil {
			break
		}
		next <- i
	}
	close(next)
	wg.Wait()
	return cmp.Or(ctx.Err(), errors.Join(errs...))
}

// read reads one file.
func read(fsys fs.FS, name string) (*file, error) {
	f := &file{name: name}
	switch path.Ext(name) {
	case ".html", ".css", ".js", ".svg", ".xml":
	default:
		// A download: only its size matters.
		info, err := fs.Stat(fsys, name)
		if err != nil {
			return nil, err
		}
		f.size = info.Size()
		return f, nil
	}
	data, err := fs.ReadFile(fsys, name)
	if err != nil {
		return nil, err
	}
	f.size = int64(len(data))
	switch path.Ext(name) {
	case ".html":
		f.readPage(data)
	case ".css":
		f.gzipped = gzippedSize(data)
		f.readStyle(data)
	case ".js":
		f.gzipped = gzippedSize(data)
	case ".svg":
		f.readXML(data)
		f.readPicture(data)
	case ".xml":
		f.readXML(data)
	}
	return f, nil
}

// find adds a finding.
func (f *file) find(line int, severity Severity, format string, args ...any) {
	f.findings = append(f.findings, Finding{File: f.name, Line: line, Severity: severity, Message: fmt.Sprintf(format, args...)})
}

// readStyle finds what a style sheet loads.
func (f *file) readStyle(data []byte) {
	line := 1
	for rest := data; ; {
		i := bytes.Index(rest, []byte("url("))
		j := bytes.Index(rest, []byte("@import"))
		if j >= 0 && (i < 0 || j < i) {
			line += bytes.Count(rest[:j], []byte("\n"))
			f.find(line, Error, "@import loads a style sheet late; put it into this one")
			rest = rest[j+len("@import"):]
			continue
		}
		if i < 0 {
			return
		}
		line += bytes.Count(rest[:i], []byte("\n"))
		rest = rest[i+len("url("):]
		target, _, found := bytes.Cut(rest, []byte(")"))
		if !found {
			return
		}
		f.links = append(f.links, link{line: line, target: strings.Trim(string(target), "\"' \n\t"), loads: true})
	}
}

// readXML tells whether a file is well-formed.
func (f *file) readXML(data []byte) {
	d := xml.NewDecoder(bytes.NewReader(data))
	for {
		_, err := d.RawToken()
		if err == nil {
			continue
		}
		if err != io.EOF {
			line, _ := d.InputPos()
			f.find(line, Error, "is not well-formed XML: %v", err)
		}
		return
	}
}

// readPicture looks at what an SVG file loads and runs. It may have styles of its own.
func (f *file) readPicture(data []byte) {
	z := html.NewTokenizer(bytes.NewReader(data))
	for line := 1; ; {
		kind := z.Next()
		if kind == html.ErrorToken {
			return
		}
		at := line
		line += bytes.Count(z.Raw(), []byte("\n"))
		if kind != html.StartTagToken && kind != html.SelfClosingTagToken {
			continue
		}
		t := z.Token()
		switch t.Data {
		case "script", "foreignobject", "iframe":
			f.find(at, Error, "a picture must not have <%s>", t.Data)
		}
		for _, a := range t.Attr {
			switch key := strings.ToLower(a.Key); {
			case strings.HasPrefix(key, "on"):
				f.find(at, Error, "the attribute %s runs a script", key)
			case (key == "href" || key == "xlink:href") && t.Data != "a" && !strings.HasPrefix(a.Val, "#") && !strings.HasPrefix(a.Val, "data:"):
				f.find(at, Error, "a picture must not load %q", a.Val)
			}
		}
	}
}

var gzipWriters = sync.Pool{New: func() any { return gzip.NewWriter(io.Discard) }}

// gzippedSize is the size of data as a server sends it.
func gzippedSize(data []byte) int64 {
	var n counter
	w := gzipWriters.Get().(*gzip.Writer)
	defer gzipWriters.Put(w)
	w.Reset(&n)
	// A counter does not fail.
	_, _ = w.Write(data)
	_ = w.Close()
	return int64(n)
}

type counter int64

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}

// gather sorts findings and says once what is wrong on many pages: a mistake in the footer is one.
func gather(list []Finding) []Finding {
	slices.SortStableFunc(list, func(a, b Finding) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), strings.Compare(a.Message, b.Message))
	})
	list = slices.Compact(list)
	const shown = 5
	count := map[string]int{}
	for _, f := range list {
		count[f.Message]++
	}
	seen := map[string]int{}
	kept := list[:0]
	for _, f := range list {
		n := count[f.Message]
		seen[f.Message]++
		switch {
		case n > shown && seen[f.Message] == shown:
			f.Message = fmt.Sprintf("%s (and in %d more places)", f.Message, n-shown)
		case n > shown && seen[f.Message] > shown:
			continue
		}
		kept = append(kept, f)
	}
	return kept
}
