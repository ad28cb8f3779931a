package serve

import (
	"bufio"
	"context"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// patience is how long a test waits for what must happen: only a test that fails waits so long.
const patience = 30 * time.Second

func testSite() fstest.MapFS {
	return fstest.MapFS{
		"index.html":             {Data: []byte("<html><head><title>home</title></head><body>home</body></html>")},
		"404.html":               {Data: []byte("<html><head></head><body>lost</body></html>")},
		"runs/abc/index.html":    {Data: []byte("<head></head>run")},
		"runs/qwen:7b/index.htm": {Data: []byte("no index")},
		"assets/site.css":        {Data: []byte("a{}")},
		"assets/site.js":         {Data: []byte("let a;")},
		"chart.svg":              {Data: []byte("<svg><head></head></svg>")},
		"data/catalog.json.gz":   {Data: []byte("\x1f\x8b")},
		"data/points.CSV":        {Data: []byte("a,b\n")},
		"CNAME":                  {Data: []byte("bench.example")},
	}
}

func newTestHandler(site fs.FS) *handler {
	return &handler{dir: func() fs.FS { return site }, status: newStatus()}
}

func ask(h http.Handler, method, target string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, "http://localhost:1313/", nil)
	r.URL.Path, r.URL.RawQuery, _ = strings.Cut(target, "?")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func TestFiles(t *testing.T) {
	h := newTestHandler(testSite())
	tag := `<script defer src="/_inferdex/reload.js?build=` + h.status.get().build + `"></script>`
	const page = "text/html; charset=utf-8"
	lost := "<html><head>" + tag + "</head><body>lost</body></html>"
	for _, c := range []struct {
		target string
		status int
		typ    string
		body   string
	}{
		{"/", 200, page, "<html><head><title>home</title>" + tag + "</head><body>home</body></html>"},
		{"/index.html", 200, page, "<html><head><title>home</title>" + tag + "</head><body>home</body></html>"},
		{"/runs/abc/", 200, page, "<head>" + tag + "</head>run"},
		{"/runs/abc/index.html", 200, page, "<head>" + tag + "</head>run"},
		{"/assets/site.css", 200, "text/css; charset=utf-8", "a{}"},
		{"/assets/site.js", 200, "text/javascript; charset=utf-8", "let a;"},
		{"/chart.svg", 200, "image/svg+xml", "<svg><head></head></svg>"},
		{"/data/catalog.json.gz", 200, "application/gzip", "\x1f\x8b"},
		{"/data/points.CSV", 200, "text/csv; charset=utf-8", "a,b\n"},
		{"/CNAME", 200, "application/octet-stream", "bench.example"},
		{"/_inferdex/reload.js?build=x", 200, "text/javascript; charset=utf-8", string(reloadScript)},
		{"/_inferdex/other", 404, "text/plain; charset=utf-8", "not found\n"},
		{"/nothing", 404, page, lost},
		{"/runs/", 404, page, lost},        // a directory without an index is not listed
		{"/runs/qwen:7b", 404, page, lost}, // nor redirected to
		{"/CNAME/", 404, page, lost},
		{"/../http.go", 404, page, lost},
		{"/runs/../../http.go", 404, page, lost},
		{"/runs/../index.html", 404, page, lost},
		{"//", 404, page, lost},
		{"//runs/abc", 404, page, lost},
		{"/./", 404, page, lost},
		{"/runs\\abc", 404, page, lost},
		{"/index.html\x00", 404, page, lost},
	} {
		w := ask(h, "GET", c.target)
		if w.Code != c.status {
			t.Errorf("%q: status %d, want %d", c.target, w.Code, c.status)
		}
		if got := w.Header().Get("Content-Type"); got != c.typ {
			t.Errorf("%q: type %q, want %q", c.target, got, c.typ)
		}
		if got := w.Header().Get("Cache-Control"); got != "no-store" {
			t.Errorf("%q: Cache-Control %q", c.target, got)
		}
		if diff := cmp.Diff(c.body, w.Body.String()); diff != "" {
			t.Errorf("%q: body (-want +got):\n%s", c.target, diff)
		}
	}
}

// A directory on disk must not let a request out of it either.
func TestTraversal(t *testing.T) {
	top := t.TempDir()
	write(t, filepath.Join(top, "secret.txt"), "secret")
	write(t, filepath.Join(top, "public", "index.html"), "home")
	server := httptest.NewServer(newTestHandler(os.DirFS(filepath.Join(top, "public"))))
	defer server.Close()
	for _, target := range []string{"/../secret.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt",
		"/x/..%2f..%2fsecret.txt", "/..%5csecret.txt", "//" + top + "/secret.txt"} {
		r, err := http.NewRequest("GET", server.URL, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.URL.Opaque = target // sent as it is
		answer, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(answer.Body)
		answer.Body.Close()
		if answer.StatusCode != 404 || strings.Contains(string(body), "secret\n") || string(body) == "secret" {
			t.Errorf("%s: status %d, body %q", target, answer.StatusCode, body)
		}
	}
}

func TestRedirect(t *testing.T) {
	w := ask(newTestHandler(testSite()), "GET", "/runs/abc?a=b")
	if w.Code != 302 || w.Header().Get("Location") != "/runs/abc/?a=b" {
		t.Errorf("status %d, location %q", w.Code, w.Header().Get("Location"))
	}
}

func TestMethods(t *testing.T) {
	h := newTestHandler(testSite())
	for method, want := range map[string]int{"HEAD": 200, "POST": 405, "PUT": 405, "OPTIONS": 405} {
		if w := ask(h, method, "/"); w.Code != want {
			t.Errorf("%s: status %d, want %d", method, w.Code, want)
		}
	}
	server := httptest.NewServer(h)
	defer server.Close()
	for target, want := range map[string]int{"/": 200, "/nothing": 404, "/_inferdex/events": 200} {
		answer, err := http.Head(server.URL + target)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		if answer.StatusCode != want || len(body) != 0 || err != nil {
			t.Errorf("HEAD %s: status %d, body %q, %v", target, answer.StatusCode, body, err)
		}
	}
}

func TestRange(t *testing.T) {
	r := httptest.NewRequest("GET", "http://localhost/CNAME", nil)
	r.Header.Set("Range", "bytes=0-4")
	w := httptest.NewRecorder()
	newTestHandler(testSite()).ServeHTTP(w, r)
	if w.Code != 206 || w.Body.String() != "bench" {
		t.Errorf("status %d, body %q", w.Code, w.Body)
	}
}

func TestHost(t *testing.T) {
	for _, c := range []struct {
		addr, host string
		want       int
	}{
		{"", "localhost:1313", 200},
		{"", "localhost", 200},
		{"", "LOCALHOST:80", 200},
		{"", "127.0.0.1:1313", 200},
		{"", "[::1]:1313", 200},
		{"", "[::1]", 200},
		{"", "evil.example:1313", 403},
		{"", "localhost.evil.example", 403},
		{"", "127.0.0.1.evil.example:1313", 403},
		{"", "192.168.1.7:1313", 403},
		{"", "", 403},
		{"localhost:8000", "evil.example", 403},
		{"[::1]:8000", "evil.example", 403},
		{"192.168.1.7:8000", "192.168.1.7:8000", 200},
		{"192.168.1.7:8000", "evil.example", 403},
		{"bench.example:8000", "bench.example:8000", 200},
		{":8000", "evil.example", 403},
		{"0.0.0.0:8000", "evil.example:8000", 403},
		{"0.0.0.0:8000", "192.168.1.7:8000", 200},
		{"0.0.0.0:8000", "[fe80::1]:8000", 200},
		{"0.0.0.0:8000", "Box:8000", 200},
		{"0.0.0.0:8000", "box.lan.example", 200},
		{"0.0.0.0:8000", "box.local", 200},
		{"0.0.0.0:8000", "box.evil.example", 403},
		{"0.0.0.0:8000", "", 403},
	} {
		h := newTestHandler(testSite())
		h.addr, h.machine = c.addr, "box.lan.example"
		r := httptest.NewRequest("GET", "http://localhost/", nil)
		r.Host = c.host
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != c.want {
			t.Errorf("served on %q, asked as %q: status %d, want %d", c.addr, c.host, w.Code, c.want)
		}
	}
}

func TestInject(t *testing.T) {
	const tag = `<script defer src="/_inferdex/reload.js?build=b"></script>`
	for _, c := range []struct{ page, want string }{
		{"<head></head><body>", "<head>" + tag + "</head><body>"},
		{"<HEAD></HEAD><BODY>", "<HEAD>" + tag + "</HEAD><BODY>"},
		// The Kelvin sign is three bytes, its lower case one.
		{"<title>\u212a\u212a</title></head>", "<title>\u212a\u212a</title>" + tag + "</head>"},
		{"<title>a<b</title><body class=x></head>", "<title>a<b</title><body class=x>" + tag + "</head>"},
		{"<title>a</title><body class=x>", "<title>a</title>" + tag + "<body class=x>"},
		{"a <", "a <" + tag},
		{"", tag},
	} {
		if got := string(inject([]byte(c.page), "b")); got != c.want {
			t.Errorf("%q: %q, want %q", c.page, got, c.want)
		}
	}
}

func TestNoSite(t *testing.T) {
	for name, site := range map[string]fs.FS{"nil": nil, "empty": fstest.MapFS{}} {
		h := newTestHandler(site)
		if w := ask(h, "GET", "/cards/"); w.Code != 503 ||
			!strings.Contains(w.Body.String(), "being built") && name == "nil" {
			t.Errorf("%s, before the first build: status %d, body %s", name, w.Code, w.Body)
		}
		h.status.built(errors.New(`layouts/page.html:2: <b> & "c"`))
		w := ask(h, "GET", "/")
		if w.Code != 503 || !strings.Contains(w.Body.String(),
			"layouts/page.html:2: &lt;b&gt; &amp; &#34;c&#34;</pre>") {
			t.Errorf("%s, after a failure: status %d, body %s", name, w.Code, w.Body)
		}
		if !strings.Contains(w.Body.String(), "/_inferdex/reload.js?build=") {
			t.Errorf("%s: the page does not reload: %s", name, w.Body)
		}
		h.status.built(nil)
		if w := ask(h, "GET", "/"); w.Code != 503 || !strings.Contains(w.Body.String(), "no index.html") {
			t.Errorf("%s, after a success: status %d, body %s", name, w.Code, w.Body)
		}
	}
}

// A site without a page for what it lacks still says so.
func TestOwnNotFound(t *testing.T) {
	w := ask(newTestHandler(fstest.MapFS{"index.html": {}}), "GET", "/<b>")
	if w.Code != 404 || !strings.Contains(w.Body.String(), "&lt;b&gt;") || strings.Contains(w.Body.String(), "<b>") {
		t.Errorf("status %d, body %s", w.Code, w.Body)
	}
}

// stream reads server-sent events.
type stream struct {
	t    *testing.T
	read *bufio.Scanner
}

func openStream(t *testing.T, address string) *stream {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	r, err := http.NewRequestWithContext(ctx, "GET", address, nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { answer.Body.Close() })
	if got := answer.Header.Get("Content-Type"); got != "text/event-stream" {
		t.Fatalf("type %q", got)
	}
	return &stream{t, bufio.NewScanner(answer.Body)}
}

// next returns the lines of the next event, joined by "|".
func (s *stream) next() string {
	s.t.Helper()
	var lines []string
	for s.read.Scan() {
		if s.read.Text() == "" {
			return strings.Join(lines, "|")
		}
		lines = append(lines, s.read.Text())
	}
	s.t.Fatalf("the stream ended: %v", s.read.Err())
	return ""
}

// ended returns the next event of a build that has ended. That one is under way may be told before, or may not: what
// nobody has shown yet is told as it is.
func (s *stream) ended() string {
	s.t.Helper()
	got := s.next()
	for strings.HasPrefix(got, "event: building|") {
		got = s.next()
	}
	return got
}

func (s *stream) want(event string) {
	s.t.Helper()
	if got := s.next(); got != event {
		s.t.Fatalf("event %q, want %q", got, event)
	}
}

func TestEvents(t *testing.T) {
	h := newTestHandler(testSite())
	run := strings.TrimSuffix(h.status.get().build, "-0")
	server := httptest.NewServer(h)
	t.Cleanup(server.Close) // after the streams are closed, or it would wait for them

	now := openStream(t, server.URL+"/_inferdex/events?build="+run+"-0")
	now.want("retry: 1000")
	h.status.built(errors.New("one\nevent: reload\n\n<b>"))
	now.want(`event: build-error|data: "one\nevent: reload\n\n\u003cb\u003e"`)
	h.status.built(nil)
	now.want("event: reload|data: " + run + "-1")
	h.status.built(nil)
	now.want("event: reload|data: " + run + "-2")

	// While a build is under way the page says so; what a build left out is told over what it made.
	h.status.begin()
	now.want("event: building|data: building")
	h.status.built(&Mistakes{"run.toml:1:1: unknown key"})
	now.want("event: reload|data: " + run + "-3")
	now.want(`event: mistakes|data: "run.toml:1:1: unknown key"`)
	h.status.built(nil)
	now.want("event: reload|data: " + run + "-4")

	// A page of an earlier build, or of an earlier run, is out of date as it connects.
	for _, build := range []string{run + "-1", "earlier-2"} {
		old := openStream(t, server.URL+"/_inferdex/events?build="+build)
		old.want("retry: 1000")
		old.want("event: reload|data: " + run + "-4")
	}
	// One that comes after a failure is told of it.
	h.status.built(errors.New("two"))
	late := openStream(t, server.URL+"/_inferdex/events?build="+run+"-4")
	late.want("retry: 1000")
	late.want(`event: build-error|data: "two"`)
}
