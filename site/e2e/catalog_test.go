//go:build e2e

package e2e

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io/fs"
	"mime"
	"net"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

// A catalog is one built site.
type catalog struct {
	name string
	// size is what ingest/ingesttest/generate calls it; empty is the repository itself.
	size string
	// real is the environment variable with the directory of real result files that it is made of, which are no
	// part of this repository.
	real string
	// each is how many pages of a kind are looked at.
	each int

	once  sync.Once
	err   error
	dir   string // of the site
	base  string // address of the site
	pages []sitePage
}

// A sitePage is one HTML file of a site.
type sitePage struct {
	path string // below the site, "cards/x/index.html"
	kind string // as the layout says it in data-kind
	size int
}

// The sizes that the generator knows.
const (
	sizeExample = "example"
	sizeWide    = "wide"    // 200 models on 20 machines
	sizeHostile = "hostile" // texts that want to be markup or script
)

var (
	demonstration = &catalog{name: "demonstration", each: 2}
	example       = &catalog{name: "example", size: sizeExample, each: 2}
	wide          = &catalog{name: "wide", size: sizeWide, each: 1}
	hostile       = &catalog{name: "hostile", size: sizeHostile, each: 1}
	corpus        = &catalog{name: "corpus", real: "INFERDEX_CORPUS", each: 1}
	field         = &catalog{name: "field", real: "INFERDEX_FIELD", each: 1}
)

var (
	errNoSize = errors.New("the generator does not know this size")
	errNoReal = errors.New("no real result files: make e2e CORPUS=DIR FIELD=DIR")
)

// need builds the catalog's site and serves it, once.
func (c *catalog) need(t *testing.T) {
	t.Helper()
	c.once.Do(func() { c.err = c.build() })
	if errors.Is(c.err, errNoSize) {
		t.Skipf("skipped: %s: %v", c.size, c.err)
	}
	if errors.Is(c.err, errNoReal) {
		t.Skipf("skipped: %v", c.err)
	}
	if c.err != nil {
		t.Fatal(c.err)
	}
}

// site is where the catalog's site is built.
func (c *catalog) site() string { return filepath.Join(scratch, c.name+"-site", "public") }

func (c *catalog) build() error {
	bin, err := program()
	if err != nil {
		return err
	}
	from := root
	if c.size != "" || c.real != "" {
		from = filepath.Join(scratch, c.name)
		// The catalog holds what is known of its site: neither outlives the other.
		if err := errors.Join(os.RemoveAll(from), os.RemoveAll(filepath.Dir(c.site()))); err != nil {
			return err
		}
	}
	if c.real != "" {
		files := os.Getenv(c.real)
		if files == "" {
			return errNoReal
		}
		if err := os.MkdirAll(from, 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(from, "inferdex.toml"), nil, 0o666); err != nil {
			return err
		}
		if err := command(root, bin, "-C", from, "ingest", files); err != nil {
			return err
		}
	}
	if c.size != "" {
		err := command(root, "go", "run", "./ingest/ingesttest/generate", "-size", c.size, "-output", from)
		if err != nil && strings.Contains(err.Error(), "-size") && strings.Contains(err.Error(), "exit status") &&
			!strings.Contains(err.Error(), c.size+",") && strings.Contains(err.Error(), "Usage of") {
			return errNoSize
		}
		if err != nil {
			return err
		}
		if err := command(root, bin, "-C", from, "ingest"); err != nil {
			return err
		}
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	// Below a folder, as a project's page is.
	const prefix = "/inferdex/"
	c.base = "http://" + l.Addr().String() + prefix
	c.dir = c.site()
	if err := command(root, bin, "-C", from, "build", "--base-url", c.base, "--output", c.dir); err != nil {
		return errors.Join(err, l.Close())
	}
	if c.pages, err = findPages(c.dir); err != nil {
		return errors.Join(err, l.Close())
	}
	mux := http.NewServeMux()
	mux.Handle(prefix, http.StripPrefix(prefix, &pagesServer{dir: os.DirFS(c.dir)}))
	// A browser that shows a file other than a page looks there, which is not below our folder.
	mux.HandleFunc("/favicon.ico", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	s := &http.Server{Handler: mux}
	servers.Lock()
	servers.list = append(servers.list, s)
	servers.Unlock()
	go func() { _ = s.Serve(l) }()
	return nil
}

var servers struct {
	sync.Mutex
	list []*http.Server
}

func closeServers() {
	for _, s := range servers.list {
		s.Close()
	}
}

var kindOf = regexp.MustCompile(`<body[^>]* data-kind="?([a-z0-9_-]+)`)

// findPages lists the pages of a site with the kinds that they state themselves, so that a new
// kind of page is looked at without a change here.
func findPages(dir string) ([]sitePage, error) {
	var pages []sitePage
	site := os.DirFS(dir)
	err := fs.WalkDir(site, ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(p) != ".html" {
			return err
		}
		b, err := fs.ReadFile(site, p)
		if err != nil {
			return err
		}
		m := kindOf.FindSubmatch(b)
		if m == nil {
			// A page that only leads elsewhere, or stands in frames of other sites, has no layout.
			if path.Base(p) == "embed.html" || bytes.Contains(b, []byte(`http-equiv="refresh"`)) || bytes.Contains(b, []byte(`http-equiv=refresh`)) {
				return nil
			}
			return fmt.Errorf("%s: body has no data-kind", p)
		}
		kind := string(m[1])
		if kind == "page" { // written by hand: each is its own kind
			kind = "page " + path.Dir(p)
		}
		pages = append(pages, sitePage{path: p, kind: kind, size: len(b)})
		return nil
	})
	if err == nil && len(pages) == 0 {
		err = fmt.Errorf("%s: no page", dir)
	}
	return pages, err
}

// sample returns up to n pages of each kind: the largest, the smallest, and some between.
func (c *catalog) sample(n int) []sitePage {
	kinds := map[string][]sitePage{}
	for _, p := range c.pages {
		kinds[p.kind] = append(kinds[p.kind], p)
	}
	var out []sitePage
	for _, ps := range kinds {
		slices.SortStableFunc(ps, func(a, b sitePage) int { return b.size - a.size })
		if *every {
			n = len(ps)
		}
		if n == 1 || len(ps) <= n {
			out = append(out, ps[:min(len(ps), n)]...)
			continue
		}
		for i := range n {
			out = append(out, ps[i*(len(ps)-1)/(n-1)])
		}
	}
	slices.SortFunc(out, func(a, b sitePage) int { return strings.Compare(a.path, b.path) })
	return out
}

// address of a page: over http, or as a file.
func (c *catalog) address(p sitePage, file bool) string {
	if file {
		return "file://" + filepath.ToSlash(filepath.Join(c.dir, filepath.FromSlash(p.path)))
	}
	if p.kind == "notfound" {
		return c.base + "no/such/page/index.html"
	}
	return c.base + p.path
}

// pagesServer serves files as GitHub Pages does: text gzipped, kept for ten minutes, 404.html for
// what is not there.
type pagesServer struct {
	dir    fs.FS
	packed sync.Map // name -> []byte
}

func (s *pagesServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name, status := r.URL.Path, http.StatusOK
	if name == "" || strings.HasSuffix(name, "/") {
		name += "index.html"
	}
	b, err := fs.ReadFile(s.dir, name)
	if err != nil {
		name, status = "404.html", http.StatusNotFound
		if b, err = fs.ReadFile(s.dir, name); err != nil {
			http.Error(w, "not found", status)
			return
		}
	}
	typ := mime.TypeByExtension(path.Ext(name))
	h := w.Header()
	h.Set("Content-Type", typ)
	h.Set("Cache-Control", "max-age=600")
	text := strings.HasPrefix(typ, "text/") || strings.Contains(typ, "json") || strings.Contains(typ, "xml") ||
		strings.Contains(typ, "javascript")
	if text && strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		packed, ok := s.packed.Load(name)
		if !ok {
			packed, _ = s.packed.LoadOrStore(name, gzipped(b))
		}
		h.Set("Content-Encoding", "gzip")
		h.Set("Vary", "Accept-Encoding")
		b = packed.([]byte)
	}
	w.WriteHeader(status)
	_, _ = w.Write(b) // the browser may have gone
}

func gzipped(b []byte) []byte {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, _ = w.Write(b) // a buffer takes everything
	_ = w.Close()
	return out.Bytes()
}
