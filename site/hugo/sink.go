package hugo

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io/fs"
	"iter"
	"maps"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/gohugoio/hugo/common/hmaps"
	"golang.org/x/sync/errgroup"

	"github.com/inferdex/inferdex/site/incremental"
	"github.com/inferdex/inferdex/site/page"
)

// A job is a page that Hugo has been asked to render.
type job struct {
	path        string // Page.Path.
	title       string
	description string
	key         string         // What Hugo knows the page by.
	file        string         // The file of content/ it comes from; empty for generated pages.
	note        string         // The file of content/ with the note of a generated page, or empty.
	body        string         // The text.
	bodyLine    int            // Where it begins in that file, from 1; 0 where there is no file.
	kind        string         // Page.Kind; of a hand-written page the layout it asks for.
	layout      string         // The file of the layout that renders it.
	dir         string         // The folder that relative links of the text count from.
	front       map[string]any // Parameters beside those of the page: of front matter.
	// What Page.Make makes again stands here only while the page is rendered; params is the map that
	// Hugo has.
	make      func() (*page.Page, error)
	made      *page.Page // by make before, with all that it writes; nil where it is to be made again
	params    hmaps.Params
	bodies    map[string][]page.Section // by the names of their places
	fragments map[string]page.Fragment
	files     iter.Seq[page.File]
	late      bool   // Page.Late: it is put together when all pages are made
	rendered  []byte // by Hugo, of such a page
	// written says that the page is in the site, rendered or of the last one; parts are what it is made of, nil
	// where that cannot be said. Of is what it is made of before it is made, zero where that is not known.
	written bool
	parts   incremental.Parts
	of      incremental.Digest
}

// show gives the job what is rendered of its page.
func (j *job) show(p *page.Page) error {
	j.fragments, j.files = p.Fragments, p.Files
	if p.Params == nil {
		return nil
	}
	data, err := json.Marshal(p.Params)
	if err != nil {
		return fmt.Errorf("%s: %w", j, err)
	}
	j.part(incremental.ParamsPart, data)
	places := map[string]any{}
	if v, ok := p.Params.(page.Sectioned); ok {
		rest, bodies := v.Bodies()
		if data, err = json.Marshal(rest); err != nil {
			return fmt.Errorf("%s: %w", j, err)
		}
		j.bodies = map[string][]page.Section{}
		for key, list := range bodies {
			if len(list) > 0 {
				places[key] = bodyPlace + key
				j.bodies[bodyPlace+key] = list
			}
		}
	}
	view, err := plain(data)
	if err != nil {
		return fmt.Errorf("%s: %w", j, err)
	}
	if of, ok := view.(map[string]any); ok {
		maps.Copy(of, places)
		hmaps.PrepareParams(of)
		maps.Copy(j.params, of)
	}
	return nil
}

// hide takes away what can be made again.
func (j *job) hide() {
	if j.make != nil {
		clear(j.params)
		j.bodies, j.fragments, j.files, j.made = nil, nil, nil, nil
	}
}

// source is the file of content/ that the text of the page comes from, or the page itself.
func (j *job) source() string {
	return cmp.Or(j.file, j.note, j.String())
}

// adapter is the folder of the content adapter that gives the page to Hugo: that of a page with a text of
// content/ is its own. Hugo takes a home page from the topmost alone.
func (j *job) adapter() string {
	if j.path == "" || j.bodyLine == 0 {
		return ""
	}
	return j.key
}

// String names the page in messages.
func (j *job) String() string {
	switch {
	case j.file != "":
		return j.file
	case j.path == "":
		return "home page"
	}
	return fmt.Sprintf("page %q", j.path)
}

// unit is the name that the page is remembered by.
func (j *job) unit() string {
	if j.file != "" {
		return incremental.TextUnit + j.path
	}
	return incremental.PageUnit + j.path
}

// tell notes what Hugo is told of the page, without what is made when it is rendered. A page of which that cannot be
// said is not remembered: its front matter has a value that JSON does not know.
func (j *job) tell(entry map[string]any) {
	delete(entry["params"].(map[string]any), "page")
	if j.parts.Add("told", []any{j.layout, entry}) != nil {
		j.parts = nil
	}
}

// part notes what a part of the page is.
func (j *job) part(name string, data []byte) {
	if j.parts != nil {
		j.parts[name] = incremental.Sum(data)
	}
}

// address is the address of the page as Hugo is told it. Hugo changes paths that hold anything
// unusual; such a page goes by its key, and the sink knows better.
func (j *job) address() string {
	for _, r := range j.path {
		if !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '/' || r == '-' || r == '.' || r == '_') {
			return "/" + j.key + "/"
		}
	}
	if strings.Contains(j.path, "..") {
		return "/" + j.key + "/"
	}
	return "/" + directory(j.path)
}

// An asset is a file that Hugo made of assets/.
type asset struct {
	incremental.File
	named bool // A page names it.
}

// A sink is where Hugo's files go: pages get their fragments, and everything goes on to write.
type sink struct {
	write func(name string, data []byte) error // nil: nothing is written.
	since *incremental.Build                   // nil: nothing is remembered.

	mu   sync.Mutex
	jobs map[string]*job // By the name of the file Hugo writes.
	keys map[string]*job
	// names are the files that have been written, each with the file of content/ that it is made of, or "". They lie in
	// folders.
	names   map[string]string
	folders map[string]bool
	// assets are the files that are no pages, by name: Hugo may publish one more than once.
	assets map[string]*asset
	err    error // The first thing that went wrong.
	// wrong is what Feed.Join found in style sheets.
	wrong map[string]bool
	// stopped is closed when err is set.
	stopped chan struct{}
	pages   int
	files   int
	bytes   int64
}

func newSink(write func(name string, data []byte) error) *sink {
	return &sink{
		write: write, jobs: map[string]*job{}, keys: map[string]*job{},
		names: map[string]string{}, folders: map[string]bool{}, assets: map[string]*asset{}, wrong: map[string]bool{},
		stopped: make(chan struct{}),
	}
}

// rehearsal returns a sink for the same pages that writes nothing and asks for no fragment.
func (s *sink) rehearsal() *sink {
	r := newSink(nil)
	r.keys, r.jobs = s.keys, s.jobs
	return r
}

// keyOf is what Hugo is to know a page by: a number that the page keeps, whatever others there are.
func (s *sink) keyOf(path string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	sum := incremental.Sum([]byte(path))
	for n := binary.BigEndian.Uint64(sum[:]); ; n++ {
		key := fmt.Sprintf("p%012d", n%1e12)
		if s.keys[key] == nil {
			return key
		}
	}
}

// expect announces a page.
func (s *sink) expect(j *job) error {
	if !fs.ValidPath(fileName(j.path)) || strings.ContainsAny(j.path, "\\\x00?#") {
		return fmt.Errorf("%s: the path cannot be part of an address", j)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	name := strings.TrimPrefix(fileName(strings.TrimSuffix(j.address(), "/")), "/")
	if first, ok := s.jobs[name]; ok {
		return fmt.Errorf("%s: there are two pages at %q, %q and %q", j, j.path, first.title, j.title)
	}
	s.jobs[name] = j
	s.keys[j.key] = j
	return nil
}

// isPage tells whether there is a page of this path.
func (s *sink) isPage(p string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, ok := s.jobs[fileName(p)]
	return ok
}

// job is the page that Hugo knows as key, or nil.
func (s *sink) job(key string) *job {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.keys[key]
}

func (s *sink) failed() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

// fail keeps the first error and returns it.
func (s *sink) fail(err error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.failLocked(err)
	return s.err
}

func (s *sink) failLocked(err error) {
	if s.err == nil {
		s.err = err
		close(s.stopped)
	}
}

// put writes one file, which is made of a file of content/ or, where that is "", of none.
func (s *sink) put(name, of string, data []byte) (f incremental.File, err error) {
	if s.since != nil {
		f = incremental.FileOf(name, data)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return f, s.err
	}
	if err = s.claim(name, of); err == nil {
		err = guard(func() error { return s.write(name, data) })
	}
	if err != nil {
		s.failLocked(err)
		return f, err
	}
	s.files++
	s.bytes += int64(len(data))
	return f, nil
}

// claim takes a name for a file, made of what put says. The caller has the lock.
func (s *sink) claim(name, of string) error {
	if !fs.ValidPath(name) || name == "." {
		return fmt.Errorf("file %q: the name is no path below the site's root", name)
	}
	if _, taken := s.names[name]; taken {
		return s.clash(name, of, name)
	}
	if s.folders[name] {
		above := func(n string) bool { return !strings.HasPrefix(n, name+"/") }
		return s.clash(name, of, slices.DeleteFunc(slices.Sorted(maps.Keys(s.names)), above)[0])
	}
	s.names[name] = of
	for dir := path.Dir(name); dir != "." && !s.folders[dir]; dir = path.Dir(dir) {
		if _, taken := s.names[dir]; taken {
			return s.clash(name, of, dir)
		}
		s.folders[dir] = true
	}
	return nil
}

// clash is the error that a file cannot be on a site with another, which has its name or has it for a folder, or is the
// folder. A file of content/ is to make way where one of the two is.
func (s *sink) clash(name, of, other string) error {
	ofOther := s.names[other]
	if of == "" {
		name, of, other, ofOther = other, ofOther, name, of
	}
	if of == "" && name == other {
		return fmt.Errorf("file %q: there are two of them; give one another name", name)
	}
	return fmt.Errorf("%s: becomes %q, which a site cannot have beside %q of %s; give the file another name",
		cmp.Or(of, fmt.Sprintf("file %q", name)), name, other, cmp.Or(ofOther, "its own"))
}

// putAll writes files that are no pages. Several at a time; it stops at the first that cannot be written.
func (s *sink) putAll(ctx context.Context, files iter.Seq2[page.File, error]) error {
	if files == nil {
		return nil
	}
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for f, err := range files {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return cmp.Or(g.Wait(), err)
		}
		g.Go(func() error { return s.putOrKeep(f) })
	}
	return g.Wait()
}

// putOrKeep writes a file that is no page, or several that are made together; those that are made of the same as in the
// last build are taken from its site.
func (s *sink) putOrKeep(f page.File) error {
	if s.since == nil {
		_, err := s.putEach(f)
		return err
	}
	unit, of := incremental.FileUnit+f.Path, incremental.Digest{}
	if f.Of != "" {
		of = incremental.OfFile(f.Of)
	}
	kept, ok, err := s.since.Same(unit, of)
	if ok && err == nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.count("", kept.Own)
	}
	if err != nil {
		return err
	}
	own, err := s.putEach(f)
	if err == nil {
		s.since.Made(unit, of, incremental.Digest{}, own, nil)
	}
	return err
}

// putEach writes a file, or all that it stands for.
func (s *sink) putEach(f page.File) (own []incremental.File, err error) {
	list := []page.File{f}
	if f.All != nil {
		if list, err = f.All(); err != nil {
			return nil, fmt.Errorf("%s: %w", f.Path, err)
		}
	}
	for _, f := range list {
		put, err := s.putFile(f)
		if err != nil {
			return nil, err
		}
		own = append(own, put)
	}
	return own, nil
}

// putFile writes a file that is no page.
func (s *sink) putFile(f page.File) (incremental.File, error) {
	b := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b)
	b.Reset()
	if err := guard(func() error { return f.Write(b) }); err != nil {
		return incremental.File{}, fmt.Errorf("%s: %w", f.Path, err)
	}
	return s.put(f.Path, "", b.Bytes())
}

// buffers holds the buffers of pages that are written, so that their number follows that of the
// workers and not that of the pages.
var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// publish takes a file from Hugo.
func (s *sink) publish(name string, data []byte) error {
	s.mu.Lock()
	j, err := s.jobs[name], s.err
	s.mu.Unlock()
	if j != nil && (!j.late || s.write == nil) {
		defer j.hide()
	}
	if err != nil || s.write == nil {
		return err
	}
	if j == nil {
		return s.putAsset(name, data)
	}
	if j.late {
		j.rendered = bytes.Clone(data)
		return nil
	}
	return s.publishPage(j, data)
}

// publishLate puts pages together that are made of what all pages say.
func (s *sink) publishLate() error {
	for _, name := range slices.Sorted(maps.Keys(s.jobs)) {
		if j := s.jobs[name]; j.rendered != nil {
			if err := s.publishPage(j, j.rendered); err != nil {
				return err
			}
			j.hide()
		}
	}
	return nil
}

// publishPage writes a page that Hugo rendered.
func (s *sink) publishPage(j *job, data []byte) error {
	b := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b)
	b.Reset()
	if err := splice(b, data, j); err != nil {
		return s.fail(err)
	}
	own, err := s.putPage(j, b.Bytes())
	if err != nil {
		return s.fail(err)
	}
	s.remember(j, b.Bytes(), own)
	s.mu.Lock()
	j.written = true
	s.pages++
	s.mu.Unlock()
	return nil
}

// putAsset writes a file that Hugo made of assets/, once: several pages ask for it.
func (s *sink) putAsset(name string, data []byte) error {
	s.mu.Lock()
	_, again := s.assets[name]
	if !again {
		s.assets[name] = &asset{File: incremental.FileOf(name, data)}
	}
	s.mu.Unlock()
	if again {
		return nil
	}
	_, err := s.put(name, "", data)
	return err
}

// putPage writes a page and the files that are written with it.
func (s *sink) putPage(j *job, text []byte) ([]incremental.File, error) {
	f, err := s.put(fileName(j.path), j.file, text)
	own := []incremental.File{f}
	if err != nil || j.files == nil {
		return own, err
	}
	for with := range j.files {
		if f, err = s.putFile(with); err != nil {
			return nil, err
		}
		if j.parts != nil {
			j.parts[incremental.FilePart(with.Path)] = f.Digest
		}
		own = append(own, f)
	}
	return own, nil
}

// found keeps what is wrong and does not stop the build.
func (s *sink) found(wrong []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, w := range wrong {
		s.wrong[w] = true
	}
}

// unwritten returns those of jobs that have not been written.
func (s *sink) unwritten(jobs []*job) []*job {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []*job
	for _, j := range jobs {
		if !j.written {
			list = append(list, j)
		}
	}
	return list
}

// finish tells whether every page was written.
func (s *sink) finish() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return s.err
	}
	var missing []*job
	for _, j := range s.jobs {
		if !j.written {
			missing = append(missing, j)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	slices.SortFunc(missing, func(a, b *job) int { return strings.Compare(a.path, b.path) })
	return fmt.Errorf("%s: prints nothing for %s (%d such pages)", missing[0].layout, missing[0], len(missing))
}

const (
	markerBegin = `<inferdex-fragment data-name="`
	markerEnd   = `"></inferdex-fragment>`
)

// bodyPlace begins the name of the place of sections, which is what a layout finds under their key.
const bodyPlace = "all "

// splice writes page to w with each marker replaced by the fragment or the sections of j that it names. Every fragment
// has to be asked for once, by the layout or by a section.
func splice(w *bytes.Buffer, text []byte, j *job) error {
	used := make(map[string]bool, len(j.fragments))
	fill := func(n string) error {
		f := j.fragments[n]
		if f == nil {
			return fmt.Errorf("%s: asks for the fragment %q, which the page does not have (%s)", j.layout, n, j)
		}
		if used[n] {
			return fmt.Errorf("%s: asks for the fragment %q twice (%s)", j.layout, n, j)
		}
		used[n] = true
		at := w.Len()
		if err := guard(func() error { return f(w) }); err != nil {
			return fmt.Errorf("%s: fragment %q: %w", j, n, err)
		}
		j.part(incremental.FragmentPart(n), w.Bytes()[at:])
		return nil
	}
	for {
		before, rest, found := bytes.Cut(text, []byte(markerBegin))
		w.Write(before)
		if !found {
			break
		}
		name, rest, found := bytes.Cut(rest, []byte(markerEnd))
		if !found {
			return fmt.Errorf("%s: a fragment's place is not closed; use the partial fragment.html (%s)", j.layout, j)
		}
		var err error
		if sections, ok := j.bodies[string(name)]; ok {
			err = page.WriteSections(w, sections, fill)
		} else {
			err = fill(string(name))
		}
		if err != nil {
			return err
		}
		text = rest
	}
	if len(used) < len(j.fragments) {
		var unused []string
		for n := range j.fragments {
			if !used[n] {
				unused = append(unused, n)
			}
		}
		slices.Sort(unused)
		return fmt.Errorf("%s: has no place for the fragment %q (%s)", j.layout, unused[0], j)
	}
	return nil
}

// keep takes the files of a page from the last site.
func (s *sink) keep(j *job, kept incremental.Kept) error {
	j.written = true
	return s.keepPages(1, j.file, kept)
}

// keepPages takes files of so many pages, made of what put says, from the last site.
func (s *sink) keepPages(pages int, of string, kept incremental.Kept) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pages += pages
	return s.count(of, kept.Own)
}

// keepUsed takes from the last site what pages that were kept use and no other page asked for.
func (s *sink) keepUsed() error {
	if s.since == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	files, err := s.since.Finish(func(name string) bool {
		_, written := s.names[name]
		return written
	})
	if err != nil {
		return err
	}
	return s.count("", files)
}

// count notes files of the last site, made of what put says, as written. The caller has the lock.
func (s *sink) count(of string, files []incremental.File) error {
	for _, f := range files {
		if err := s.claim(f.Name, of); err != nil {
			s.failLocked(err)
			return err
		}
		s.files++
		s.bytes += f.Size
	}
	return nil
}

// remember notes a page that was written, with its files and the assets that it names.
func (s *sink) remember(j *job, text []byte, own []incremental.File) {
	if s.since == nil || j.parts == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	var used []incremental.File
	for _, name := range slices.Sorted(maps.Keys(s.assets)) {
		if a := s.assets[name]; bytes.Contains(text, []byte(name)) {
			a.named = true
			used = append(used, a.File)
		}
	}
	s.since.Made(j.unit(), j.of, j.parts.Digest(), own, used)
}
