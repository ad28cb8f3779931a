package hugo

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"net/url"
	"path"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/afero"
	"golang.org/x/sync/errgroup"

	"github.com/gohugoio/hugo/common/hmaps"

	"github.com/inferdex/inferdex/site/incremental"
	"github.com/inferdex/inferdex/site/page"
)

// Feed hands pages to Hugo; templates reach it as site.Params.inferdex. It is exported because a template can call
// exported methods of exported types only; nothing outside this package makes one.
type Feed struct {
	in      Input
	base    string
	source  afero.Fs // Layouts and assets, below workDir.
	content *content
	layouts map[string]string // See nameLayouts.
	out     *sink
	log     *log
	jobs    []*job     // What Hugo is to render.
	notes   [][]string // The notes of generated pages: the path, the file and its text.
}

// Pages gives each page of an adapter in the shape that the AddPage method of Hugo's content adapters takes. The
// path Hugo knows a page by is a number: what Hugo makes of dots, colons and capitals in a path
// does not matter then. Where the page is written is decided by the sink.
func (f *Feed) Pages(adapter string) iter.Seq[map[string]any] {
	return func(yield func(map[string]any) bool) {
		home := adapter != ""
		for _, j := range f.jobs {
			home = home || j.path == ""
			if j.adapter() == adapter && !yield(f.entry(j)) {
				return
			}
		}
		if !home {
			// Hugo makes a home page of its own where it is given none.
			yield(map[string]any{"kind": "home", "path": "", "build": map[string]any{"render": "never"}})
		}
	}
}

// keepAll takes the generated pages and all files from the last site, where they were made of the same catalog and the
// same notes. What is left to be collected are the texts.
func (f *Feed) keepAll() error {
	if f.in.Since == nil {
		return nil
	}
	paths, ok := f.in.Since.Pages(f.in.Catalog)
	if !ok {
		return nil
	}
	// Where they are not the same after all, the notes are there to be taken again.
	same := *f
	same.content = f.content.clone()
	for _, p := range paths {
		same.note(p)
	}
	kept, ok, err := f.in.Since.KeepAll(same.noted())
	if err != nil || !ok {
		return err
	}
	*f = same
	f.in.Pages, f.in.Files = nil, nil
	for _, p := range paths {
		j := &job{path: p, key: f.out.keyOf(p), written: true}
		if err := f.out.expect(j); err != nil {
			return err
		}
		f.jobs = append(f.jobs, j)
	}
	return f.out.keepPages(len(paths), "", kept)
}

// note takes the note of a generated page.
func (f *Feed) note(path string) *document {
	d := f.content.note(path)
	if d != nil {
		f.notes = append(f.notes, []string{path, d.file, d.head, d.body})
	}
	return d
}

// noted is the digest of all notes, and of the pages written by hand that they may lead to. All notes are taken.
func (f *Feed) noted() incremental.Digest {
	if len(f.notes) == 0 {
		return incremental.Digest{}
	}
	parts := incremental.Parts{}
	_ = parts.Add("notes", f.notes) // Text is JSON.
	_ = parts.Add("texts", slices.Sorted(maps.Keys(f.content.documents)))
	return parts.Digest()
}

// collect asks for the pages, joins them with their notes and adds the hand-written ones. What is left to be
// rendered are those that are not as they were in the last build: that is found out beside the making of others.
func (f *Feed) collect(ctx context.Context) error {
	var comparing errgroup.Group
	comparing.SetLimit(runtime.GOMAXPROCS(0))
	var late []func() error // comparisons that need all pages
	add := func(j *job, p *page.Page, err error) error {
		if err = cmp.Or(err, ctx.Err()); err != nil || !f.comparing() || j.parts == nil {
			return err
		}
		compare := func() error { return f.compare(j, p) }
		if p.Late || j.body != "" {
			late = append(late, compare)
		} else {
			comparing.Go(compare)
		}
		return nil
	}
	err := f.addAll(add)
	if err = cmp.Or(comparing.Wait(), err); err != nil {
		return err
	}
	for _, j := range f.jobs {
		if j.body != "" && j.parts != nil {
			if err := j.parts.Add("pages", f.linked(j)); err != nil {
				return err
			}
		}
	}
	for _, compare := range late {
		if err := compare(); err != nil {
			return err
		}
	}
	if f.in.Since != nil {
		f.in.Since.MadeOf(f.in.Catalog, f.noted(), f.generated())
	}
	f.jobs = slices.DeleteFunc(f.jobs, func(j *job) bool { return j.written })
	return nil
}

// generated are the paths of the pages that are not written by hand, in their order.
func (f *Feed) generated() (paths []string) {
	for _, j := range f.jobs {
		if j.file == "" {
			paths = append(paths, j.path)
		}
	}
	return paths
}

// addAll adds all pages, each of which goes on to added.
func (f *Feed) addAll(added func(*job, *page.Page, error) error) error {
	if f.in.Pages != nil {
		for p, err := range f.in.Pages {
			if err != nil {
				return err
			}
			j, made, err := f.addPage(p)
			if err := added(j, made, err); err != nil {
				return err
			}
		}
	}
	if f.in.Unwritten {
		return nil
	}
	for _, d := range f.content.pages() {
		j, err := f.addDocument(d)
		if err := added(j, &page.Page{}, err); err != nil {
			return err
		}
	}
	return nil
}

// compare takes the page from the last site where it is made of the same. Else what was made to compare it is rendered.
func (f *Feed) compare(j *job, p *page.Page) error {
	kept, ok, made, err := f.in.Since.Compare(j.unit(), j.of, j.parts, p)
	if j.make != nil {
		j.made = made
	}
	if err != nil || !ok {
		return err
	}
	return f.out.keep(j, kept)
}

// encoded is how a text may name a page other than by the end of its path.
const encoded = `%\&{`

// linked are the paths of the pages that links of the text of j may lead to, and of some more: ".." names a folder
// around that of the text. See Feed.Link.
func (f *Feed) linked(of *job) []string {
	paths := []string{}
	for _, j := range f.jobs {
		if j.address() != "/"+directory(j.path) || strings.ContainsAny(of.body, encoded) ||
			strings.Contains(of.body, path.Base(j.path)) || strings.HasPrefix(of.dir+"/", j.path+"/") {
			paths = append(paths, j.path)
		}
	}
	slices.Sort(paths)
	return paths
}

// addPage adds a generated page with its note. One that is not made yet is made where it is not that of the last
// build: when it is rendered, or here to be compared.
func (f *Feed) addPage(p *page.Page) (*job, *page.Page, error) {
	j := &job{path: p.Path, kind: p.Kind, make: p.Make, params: hmaps.Params{}, key: f.out.keyOf(p.Path)}
	d := f.note(p.Path)
	if p.Of != "" {
		if d == nil {
			j.of = incremental.Sum([]byte(p.Of + " " + j.key))
			if kept, err := f.keep(j); kept || err != nil {
				return j, p, err
			}
		}
		if p.Head != nil && !f.comparing() {
			unmade := *p
			unmade.Title, unmade.Description = p.Head()
			p = &unmade
		} else {
			made, err := p.Make()
			if err != nil {
				return nil, nil, fmt.Errorf("%s: %w", j, err)
			}
			p = made
		}
	}
	j.title, j.late, j.parts = p.Title, p.Late, incremental.Parts{}
	return j, p, f.addMade(j, p, d)
}

// comparing says whether there is a last build to compare pages with.
func (f *Feed) comparing() bool { return f.in.Since != nil && f.in.Since.Known() }

// keep takes a page that is not made yet from the last site, where it would be made of the same.
func (f *Feed) keep(j *job) (bool, error) {
	if f.in.Since == nil {
		return false, nil
	}
	kept, ok, err := f.in.Since.Same(j.unit(), j.of)
	if err != nil || !ok {
		return false, err
	}
	if err := f.out.expect(j); err != nil {
		return false, err
	}
	f.jobs = append(f.jobs, j)
	return true, f.out.keep(j, kept)
}

// addMade adds a generated page that is made, with its note where it has one.
func (f *Feed) addMade(j *job, p *page.Page, d *document) error {
	if j.make == nil {
		if err := j.show(p); err != nil {
			return err
		}
	}
	j.description, j.dir = p.Description.Text(), folder(p.Path)
	if d != nil {
		j.dir, j.note, j.body, j.bodyLine = d.dir, d.file, d.body, d.bodyLine
		j.front = map[string]any{"note": d.front}
	}
	return f.add(j)
}

// ownParams are the parameters of a page that its front matter does not set.
var ownParams = []string{"page", "note", "kind", "root", "path", "dir", "canonical"}

// Begin makes the page that Hugo knows by a key, before its layout is carried out: see begin.
func (f *Feed) Begin(key string) (string, error) {
	j := f.out.job(key)
	if j == nil || j.make == nil {
		return "", nil
	}
	p, err := j.made, error(nil)
	if p == nil {
		p, err = j.make()
	}
	if err == nil {
		return "", j.show(p)
	}
	return "", f.out.fail(fmt.Errorf("%s: %w", j, err)) // Not by the layout, as Hugo would say.
}

// addDocument adds a hand-written page.
func (f *Feed) addDocument(d *document) (*job, error) {
	front := map[string]any{}
	for k, v := range d.front {
		if slices.Contains(ownParams, strings.ToLower(k)) {
			message := fmt.Sprintf("front matter: %q is ignored: layouts take it from elsewhere; call it something "+
				"else", k)
			f.content.findings = append(f.content.findings, findingOf(d.at(strings.ToLower(k))+": "+message, ""))
			continue
		}
		front[k] = v
	}
	j := &job{path: d.path, title: d.text("title"), description: d.text("description"), dir: d.dir, file: d.file,
		front: front, body: d.body, bodyLine: d.bodyLine, key: f.out.keyOf(d.path), parts: incremental.Parts{}}
	j.kind = cmp.Or(d.text("layout"), "page")
	if v := d.front["title"]; j.title == "" && v != nil && !isText.is(v) {
		return nil, fmt.Errorf("%s: front matter: title is %q, which is %s: %s", d.at("title"), fmt.Sprint(v), isText.kind,
			isText.want)
	}
	if j.title == "" {
		return nil, fmt.Errorf("%s: has no title; begin it with front matter that has title = \"...\"", d.at("title"))
	}
	if f.layouts[j.kind] == "" {
		return nil, fmt.Errorf("%s: there is no layouts/%s.html for it", d.at("layout"), j.kind)
	}
	return j, f.add(j)
}

func (f *Feed) add(j *job) error {
	layout := f.layoutOf(j)
	if layout == "" {
		return fmt.Errorf("%s: there is no layouts/%s.html for it", j, j.kind)
	}
	j.layout = "layouts/" + strings.TrimPrefix(layout, standIn) + ".html"
	if err := f.out.expect(j); err != nil {
		return err
	}
	j.tell(f.entry(j))
	f.jobs = append(f.jobs, j)
	return nil
}

// layoutOf is the layout of a page as Hugo knows it, "" where there is none.
func (f *Feed) layoutOf(j *job) string { return cmp.Or(f.layouts[j.kind], f.layouts[fallback]) }

// entry is what Hugo is told of a page. It is made for each asking: of all pages at once it would be much.
func (f *Feed) entry(j *job) map[string]any {
	params := map[string]any{}
	maps.Copy(params, j.front)
	if j.params != nil {
		params["page"] = j.params
	}
	params["kind"] = j.kind
	params["key"] = j.key
	params["root"] = f.root(j.path)
	params["path"] = j.path
	params["dir"] = j.dir
	params["canonical"] = ""
	if f.base != "" && j.path != notFound {
		u := url.URL{Path: "/" + directory(j.path)}
		params["canonical"] = f.base + strings.TrimPrefix(u.EscapedPath(), "/")
	}
	entry := map[string]any{
		"kind":        "home",
		"title":       j.title,
		"description": j.description,
		"layout":      f.layoutOf(j),
		"params":      params,
		"content":     map[string]any{"mediaType": "text/markdown", "value": j.body},
	}
	if j.path != "" {
		entry["kind"] = "page"
		entry["path"] = j.key
		entry["url"] = j.address()
	}
	return entry
}

// plain turns the JSON of a view struct into what templates can walk: maps, lists, text, booleans and integers.
// Any other number becomes text, so that no template prints it with an exponent.
func plain(data []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var x any
	if err := d.Decode(&x); err != nil {
		return nil, err
	}
	return withoutFloats(x), nil
}

func withoutFloats(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			v[k] = withoutFloats(e)
		}
	case []any:
		for i, e := range v {
			v[i] = withoutFloats(e)
		}
	case json.Number:
		if n, err := v.Int64(); err == nil {
			return n
		}
		if f, err := v.Float64(); err == nil {
			return strconv.FormatFloat(f, 'f', -1, 64)
		}
		return v.String()
	}
	return v
}
