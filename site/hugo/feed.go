package hugo

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/inferdex/inferdex/site"
)

// Feed is what templates reach as site.Params.inferdex. It is exported because a template can call
// exported methods of exported types only; nothing outside this package makes one.
type Feed struct {
	in      Input
	base    string
	content *content
	layouts map[string]string // From a kind to the name that Hugo knows its layout by.
	out     *sink
	log     *log
	jobs    []*job // What Hugo is to render.
}

// Pages gives each page in the shape that the AddPage method of Hugo's content adapters takes. The
// path Hugo knows a page by is a number: what Hugo makes of dots, colons and capitals in a path
// does not matter then. Where the page is written is decided by the sink.
func (f *Feed) Pages() iter.Seq[map[string]any] {
	return func(yield func(map[string]any) bool) {
		home := false
		for _, j := range f.jobs {
			home = home || j.path == ""
			if !yield(j.entry) {
				return
			}
		}
		if !home {
			// Hugo makes a home page of its own where it is given none.
			yield(map[string]any{"kind": "home", "path": "", "build": map[string]any{"render": "never"}})
		}
	}
}

// collect asks for the pages, joins them with their notes and adds the hand-written ones.
func (f *Feed) collect(ctx context.Context) error {
	if f.in.Pages != nil {
		for p, err := range f.in.Pages {
			if err == nil {
				err = ctx.Err()
			}
			if err != nil {
				return err
			}
			if err := f.addPage(p); err != nil {
				return err
			}
		}
	}
	for _, d := range f.content.pages() {
		if err := f.addDocument(d); err != nil {
			return err
		}
	}
	return nil
}

// addPage adds a generated page with its note.
func (f *Feed) addPage(p *site.Page) error {
	j := &job{path: p.Path, title: p.Title, fragments: p.Fragments}
	view, err := plain(p.Params)
	if err != nil {
		return fmt.Errorf("%s: %w", j, err)
	}
	params := map[string]any{"page": view, "kind": p.Kind}
	body, dir := p.Body, folder(p.Path)
	if d := f.content.note(p.Path); d != nil {
		j.note = d.file
		if body == "" {
			body, j.bodyLine = d.body, d.bodyLine
		} else {
			body += "\n\n" + d.body
		}
		dir = d.dir
		params["note"] = d.front
	}
	return f.add(j, p.Description, p.Kind, dir, body, params)
}

// addDocument adds a hand-written page.
func (f *Feed) addDocument(d *document) error {
	params := map[string]any{}
	for k, v := range d.front {
		params[k] = v
	}
	layout := cmp.Or(d.text("layout"), "page")
	params["kind"] = layout
	j := &job{path: d.path, title: d.text("title"), file: d.file, bodyLine: d.bodyLine}
	if j.title == "" {
		return fmt.Errorf("%s: has no title; begin it with front matter that has title = \"...\"", j)
	}
	return f.add(j, d.text("description"), layout, d.dir, d.body, params)
}

func (f *Feed) add(j *job, description, layout, dir, body string, params map[string]any) error {
	if f.layouts[layout] == "" {
		return fmt.Errorf("%s: there is no layouts/%s.html for it", j, layout)
	}
	j.layout = layout
	j.key = fmt.Sprintf("p%06d", len(f.jobs)+1)
	if err := f.out.expect(j); err != nil {
		return err
	}
	params["root"] = f.root(j.path)
	params["path"] = j.path
	params["dir"] = dir
	params["canonical"] = ""
	if f.base != "" && j.path != notFound {
		u := url.URL{Path: "/" + directory(j.path)}
		params["canonical"] = f.base + strings.TrimPrefix(u.EscapedPath(), "/")
	}
	j.entry = map[string]any{
		"kind":        "home",
		"title":       j.title,
		"description": description,
		"layout":      f.layouts[layout],
		"params":      params,
		"content":     map[string]any{"mediaType": "text/markdown", "value": body},
	}
	if j.path != "" {
		j.entry["kind"] = "page"
		j.entry["path"] = j.key
		j.entry["url"] = j.address()
	}
	f.jobs = append(f.jobs, j)
	return nil
}

// folder is path.Dir with "" for the site's root.
func folder(p string) string {
	if d := path.Dir(p); d != "." {
		return d
	}
	return ""
}

// notFound is the page that a server shows at any address that has none.
const notFound = "404.html"

// root is what a link from the page at p to another page begins with.
func (f *Feed) root(p string) string {
	if p == notFound {
		if f.base == "" {
			return ""
		}
		u, err := url.Parse(f.base)
		if err != nil {
			return ""
		}
		return u.EscapedPath()
	}
	return strings.Repeat("../", strings.Count(fileName(p), "/"))
}

// fileName is the file of the page at p.
func fileName(p string) string {
	if path.Ext(p) == ".html" {
		return p
	}
	return path.Join(p, "index.html")
}

// directory is the address of the page at p without the name of an index file.
func directory(p string) string {
	if p == "" || path.Ext(p) == ".html" {
		return p
	}
	return p + "/"
}

// Asset is the link to a published asset, which Hugo knows by its address on the server, from a page
// whose links begin with root.
func (f *Feed) Asset(root, address string) string {
	if u, err := url.Parse(f.base); err == nil {
		address = strings.TrimPrefix(address, strings.TrimSuffix(u.EscapedPath(), "/"))
	}
	return root + strings.TrimPrefix(address, "/")
}

// Link is the address to write for a link of a hand-written text that lies in the folder dir of
// content/, on a page whose links begin with root. Links below the site's root ("/models/x/") and
// links to other files, which count from the file's own folder as on a code host
// ("../glossary.md#ttft"), become links to index.html files relative to the page. Everything else
// stays as it is.
func (f *Feed) Link(root, dir, destination string) string {
	u, err := url.Parse(destination)
	if err != nil || u.Scheme != "" || u.Host != "" || u.Path == "" {
		return destination
	}
	p := path.Join(dir, u.Path)
	if strings.HasPrefix(u.Path, "/") {
		p = path.Clean(u.Path)
	}
	p = strings.TrimPrefix(path.Clean("/"+p), "/")
	switch ext := path.Ext(p); {
	case ext == ".md" || ext == ".markdown":
		p = fileName(documentPath(p))
	case strings.HasSuffix(u.Path, "/") || f.out.isPage(p):
		p = fileName(p)
	case p == "":
		p = "index.html"
	}
	u.Path, u.RawPath = p, ""
	return root + strings.TrimPrefix(u.String(), "./")
}

// findings are those of the content and what Hugo and the layouts warned of, sorted.
func (f *Feed) findings() []Finding {
	list := slices.Clone(f.content.findings)
	for _, line := range f.log.lines("WARN") {
		if m := rawHTML.FindStringSubmatch(line); m != nil {
			if j := f.out.job(m[1]); j != nil {
				list = append(list, Finding{File: j.source(), Message: "raw HTML is left out; write Markdown"})
				continue
			}
		}
		list = append(list, Finding{Message: f.rename(line, f.about(line))})
	}
	slices.SortStableFunc(list, func(a, b Finding) int {
		return cmp.Or(strings.Compare(a.File, b.File), strings.Compare(a.Message, b.Message))
	})
	return list
}

var (
	// What Hugo says of raw HTML in Markdown.
	rawHTML = regexp.MustCompile(`^Raw HTML omitted.*?\b(p\d{6})\b`)
	// A place in a file that the user knows.
	place = regexp.MustCompile(`"?` + workDir + `/((?:layouts|assets)/[^":\s]+)(:\d+:\d+)?"?`)
	// A place in the text of a page, which Hugo knows as text of the content adapter.
	adapterPlace = regexp.MustCompile(`"?` + workDir + `/content/_content\.gotmpl(?::(\d+):(\d+))?"?`)
	// A page as Hugo knows it.
	pageKey = regexp.MustCompile(`"?/?\b(p\d{6})\b/?"?`)
	// What Hugo says of its own doings before it comes to the point.
	prelude   = regexp.MustCompile(`^(?:error building site: |render: |assemble: |process: |\[[^\]]*\] |failed to render pages: |failed to create page from pageMetaSource \S+: |render of "[^"]*" failed: )+`)
	execution = regexp.MustCompile(`(?:execute|parse) of template failed: template: [^ ]+?:(?:\d+:)*(?: executing "[^"]*" at)?`)
	security  = regexp.MustCompile(`(?s); the current security configuration is:.*`)
)

// rename puts what the user knows where Hugo names its own: files and pages. The message is about j,
// which may be nil.
func (f *Feed) rename(s string, j *job) string {
	if j != nil {
		s = adapterPlace.ReplaceAllStringFunc(s, func(p string) string {
			m := adapterPlace.FindStringSubmatch(p)
			line, err := strconv.Atoi(m[1])
			if err != nil || j.bodyLine == 0 {
				return j.source()
			}
			return fmt.Sprintf("%s:%d:%s", j.source(), line+j.bodyLine-1, m[2])
		})
	}
	s = pageKey.ReplaceAllStringFunc(s, func(m string) string {
		if j := f.out.job(strings.Trim(m, `"/`)); j != nil {
			return j.String()
		}
		return m
	})
	return place.ReplaceAllString(strings.ReplaceAll(s, standIn, ""), "$1$2")
}

// about is the page that a message of Hugo is about, or nil.
func (f *Feed) about(s string) *job {
	if m := pageKey.FindStringSubmatch(s); m != nil {
		return f.out.job(m[1])
	}
	return nil
}

// explain says what Hugo said with the real place first: "layouts/page.html:2:8: ...". What happened
// on several pages is said once.
func (f *Feed) explain(err error) error {
	pages := map[string][]string{}
	for _, e := range divide(err) {
		message, page := f.explainOne(e)
		pages[message] = append(pages[message], page)
	}
	var list []string
	for _, message := range slices.Sorted(maps.Keys(pages)) {
		on := slices.DeleteFunc(pages[message], func(s string) bool { return s == "" })
		slices.Sort(on)
		switch {
		case len(on) == 1:
			message += " (" + on[0] + ")"
		case len(on) > 1:
			message += fmt.Sprintf(" (%s and others)", on[0])
		}
		list = append(list, message)
	}
	return &Error{text: strings.Join(list, "\n"), err: err}
}

// divide returns the errors that err joins, or err.
func divide(err error) []error {
	for e := err; e != nil; e = errors.Unwrap(e) {
		if several, ok := e.(interface{ Unwrap() []error }); ok {
			return several.Unwrap()
		}
	}
	return []error{err}
}

// explainOne returns the message of one error and the page it happened on, or "" where the message
// has it.
func (f *Feed) explainOne(err error) (message, page string) {
	s := err.Error()
	// What a layout said with errorf stands in the log only.
	if strings.Contains(s, "logged ") && strings.HasSuffix(s, " error(s)") {
		if lines := f.log.lines("ERROR"); len(lines) > 0 {
			s = strings.Join(lines, "; ")
		}
	}
	s = security.ReplaceAllString(s, "")
	j := f.about(s)
	s = f.rename(prelude.ReplaceAllString(s, ""), j)
	s = strings.ReplaceAll(execution.ReplaceAllString(s, ""), ":  ", ": ")
	if j != nil && !strings.Contains(s, j.source()) {
		page = j.String()
	}
	return s, page
}

// Error is what Hugo could not do: a template that does not parse or cannot be executed, an asset
// that cannot be processed.
type Error struct {
	text string
	err  error
}

func (e *Error) Error() string { return e.text }
func (e *Error) Unwrap() error { return e.err }

// log takes what Hugo writes to its standard output and error.
type log struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

// lines returns each distinct message of a level once, sorted.
func (l *log) lines(level string) []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	var list []string
	for line := range strings.Lines(l.b.String()) {
		if line, ok := strings.CutPrefix(line, level); ok {
			list = append(list, strings.TrimSpace(line))
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}
