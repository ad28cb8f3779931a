package fetch

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// hub does what GitHub's API does for the requests of a fetch: runs and artifacts in pages, and a redirection
// from an artifact to another host, where its bytes lie.
type hub struct {
	t     *testing.T
	api   *httptest.Server
	blobs *httptest.Server
	token string

	runs      []map[string]any
	artifacts map[int64][]*blob // by run
	// before may answer a request instead; it is asked first.
	before func(w http.ResponseWriter, r *http.Request) bool
	// seen are the requests: method, host and path.
	seen []string
	// leaked is set when the host of the bytes was shown a token.
	leaked bool
}

// blob is an artifact.
type blob struct {
	id      int64
	name    string
	data    []byte
	digest  string
	expired bool
	status  int // instead of a redirection
	cuts    int // how often the connection ends halfway
	from    []string
}

func newHub(t *testing.T) *hub {
	h := &hub{t: t, token: "secret-token", artifacts: map[int64][]*blob{}}
	h.api = httptest.NewServer(http.HandlerFunc(h.serveAPI))
	h.blobs = httptest.NewServer(http.HandlerFunc(h.serveBlob))
	t.Cleanup(h.api.Close)
	t.Cleanup(h.blobs.Close)
	return h
}

// run adds a run of main that succeeded, changed by kv.
func (h *hub) run(id int64, kv map[string]any, blobs ...*blob) {
	repository := map[string]any{"full_name": "acme/bench"}
	run := map[string]any{"id": id, "name": "bench", "run_number": id, "run_attempt": 2, "head_branch": "main",
		"head_sha": "c0ffee",
		"event":    "schedule", "conclusion": "success", "status": "completed", "path": ".github/workflows/bench.yml",
		"html_url":       fmt.Sprintf("https://github.com/acme/bench/actions/runs/%d", id),
		"run_started_at": "2026-03-01T23:59:59Z", "repository": repository, "head_repository": repository}
	for k, v := range kv {
		run[k] = v
	}
	h.runs = append(h.runs, run)
	for _, b := range blobs {
		b.id = id*1000 + int64(len(h.artifacts[id]))
		if b.digest == "" {
			sum := sha256.Sum256(b.data)
			b.digest = "sha256:" + hex.EncodeToString(sum[:])
		}
		h.artifacts[id] = append(h.artifacts[id], b)
	}
}

func (h *hub) serveAPI(w http.ResponseWriter, r *http.Request) {
	h.seen = append(h.seen, "api "+r.URL.RequestURI())
	if h.before != nil && h.before(w, r) {
		return
	}
	p := strings.TrimPrefix(r.URL.Path, "/api/v3")
	rest, ok := strings.CutPrefix(p, "/repos/acme/bench")
	if !ok {
		http.Error(w, `{"message":"Not Found"}`, http.StatusNotFound)
		return
	}
	parts := strings.Split(strings.Trim(rest, "/"), "/")
	switch {
	case rest == "":
		reply(w, map[string]any{"full_name": "acme/bench", "default_branch": "main"})
	case rest == "/actions/runs" || rest == "/actions/workflows/bench.yml/runs":
		var list []any
		for _, run := range h.runs {
			if h.matches(run, r.URL.Query()) {
				list = append(list, run)
			}
		}
		h.page(w, r, "workflow_runs", list)
	case len(parts) == 3 && parts[1] == "runs":
		for _, run := range h.runs {
			if fmt.Sprint(run["id"]) == parts[2] {
				reply(w, run)
			}
		}
	case len(parts) == 4 && parts[3] == "artifacts":
		id, _ := strconv.ParseInt(parts[2], 10, 64)
		var list []any
		for _, b := range h.artifacts[id] {
			list = append(list, map[string]any{"id": b.id, "name": b.name, "size_in_bytes": len(b.data),
				"expired": b.expired, "digest": b.digest})
		}
		h.page(w, r, "artifacts", list)
	case len(parts) == 4 && parts[1] == "artifacts" && parts[3] == "zip":
		b := h.blob(parts[2])
		switch {
		case r.Header.Get("Authorization") != "Bearer "+h.token:
			http.Error(w, `{"message":"Must have admin rights"}`, http.StatusForbidden)
		case b.status != 0:
			http.Error(w, `{"message":"Gone"}`, b.status)
		default:
			http.Redirect(w, r, h.blobs.URL+"/"+parts[2]+"?sig=signature", http.StatusFound)
		}
	default:
		http.Error(w, `{"message":"Not Found"}`, http.StatusNotFound)
	}
}

func (h *hub) matches(run map[string]any, q url.Values) bool {
	for key, member := range map[string]string{"branch": "head_branch", "event": "event", "status": "conclusion"} {
		if v := q.Get(key); v != "" && v != run[member] {
			return false
		}
	}
	return true
}

// page answers with a part of a list and says in Link where the next is.
func (h *hub) page(w http.ResponseWriter, r *http.Request, key string, list []any) {
	q := r.URL.Query()
	size, _ := strconv.Atoi(q.Get("per_page"))
	page := max(1, func() int { n, _ := strconv.Atoi(q.Get("page")); return n }())
	if size != 100 {
		h.t.Errorf("%s: %d a page", r.URL, size)
	}
	from, to := min(len(list), (page-1)*size), min(len(list), page*size)
	if to < len(list) {
		q.Set("page", strconv.Itoa(page+1))
		w.Header().Set("Link", fmt.Sprintf(`<%s%s?%s>; rel="next"`, h.api.URL, r.URL.Path, q.Encode()))
	}
	reply(w, map[string]any{"total_count": len(list), key: list[from:to]})
}

func reply(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v)
}

func (h *hub) blob(id string) *blob {
	for _, list := range h.artifacts {
		for _, b := range list {
			if fmt.Sprint(b.id) == id {
				return b
			}
		}
	}
	h.t.Errorf("no artifact %q", id)
	return &blob{}
}

func (h *hub) serveBlob(w http.ResponseWriter, r *http.Request) {
	h.seen = append(h.seen, "blob "+r.URL.Path)
	if r.Header.Get("Authorization") != "" {
		h.leaked = true
	}
	if r.URL.Query().Get("sig") == "" {
		http.Error(w, "no signature", http.StatusForbidden)
		return
	}
	b := h.blob(strings.Trim(r.URL.Path, "/"))
	b.from = append(b.from, r.Header.Get("Range"))
	if b.cuts > 0 {
		b.cuts--
		from := 0
		if s := r.Header.Get("Range"); s != "" {
			_, _ = fmt.Sscanf(s, "bytes=%d-", &from)
			w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", from, len(b.data)-1, len(b.data)))
			w.Header().Set("Content-Length", strconv.Itoa(len(b.data)-from))
			w.WriteHeader(http.StatusPartialContent)
		} else {
			w.Header().Set("Content-Length", strconv.Itoa(len(b.data)))
		}
		_, _ = w.Write(b.data[from : from+(len(b.data)-from)/2])
		panic(http.ErrAbortHandler)
	}
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(b.data))
}

// zipped is an archive with one file.
func zipped(t *testing.T, name, text string) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	f, err := z.Create(name)
	if err == nil {
		_, err = f.Write([]byte(text))
	}
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// fetched is what a fetch into a directory did: a line an artifact, and the waits.
type fetched struct {
	lines []string
	waits []time.Duration
	whys  []string
	err   error
}

func (h *hub) fetch(dir string, q Query, token string) *fetched {
	h.t.Helper()
	root, err := os.OpenRoot(dir)
	if err != nil {
		h.t.Fatal(err)
	}
	defer root.Close()
	q.Owner, q.Repo = "acme", "bench"
	got := &fetched{}
	for a, err := range GitHub(context.Background(), root, q, Options{APIURL: h.api.URL, Token: token,
		Wait:  func(_ time.Duration, why string) { got.whys = append(got.whys, why) },
		Sleep: func(_ context.Context, d time.Duration) error { got.waits = append(got.waits, d); return nil }}) {
		if a == nil {
			got.err = err
			break
		}
		line := fmt.Sprintf("%s -> %s", a.Name, a.File)
		switch {
		case err != nil:
			line = err.Error()
		case a.Gone != "":
			line = a.Name + ": " + a.Gone
		case a.Kept:
			line += " (kept)"
		}
		got.lines = append(got.lines, line)
	}
	if h.leaked {
		h.t.Error("the host of the bytes was shown the token")
	}
	return got
}

func (g *fetched) want(t *testing.T, lines ...string) {
	t.Helper()
	if g.err != nil || !slices.Equal(g.lines, lines) {
		t.Errorf("got %q, %v; want %q", g.lines, g.err, lines)
	}
}

// A fetch brings what the query asks for, says where it comes from, and loads nothing twice.
func TestFetch(t *testing.T) {
	h, dir := newHub(t), t.TempDir()
	h.run(1, nil, &blob{name: "results-a", data: zipped(t, "a.json", "{}")},
		&blob{name: "logs", data: []byte("PK\x03\x04")})
	h.run(2, map[string]any{"head_branch": "try"}, &blob{name: "results-b", data: []byte("PK\x03\x04b")})
	h.run(3, map[string]any{"conclusion": "failure"}, &blob{name: "results-c", data: []byte("PK\x03\x04c")})
	h.run(4, map[string]any{"head_repository": map[string]any{"full_name": "eve/bench"}},
		&blob{name: "results-d", data: []byte("PK\x03\x04d")})
	h.run(5, map[string]any{"pull_requests": []any{map[string]any{"number": 7}}},
		&blob{name: "results-e.json", data: []byte(`{"plain":1}`)})

	h.fetch(dir, Query{Names: []string{"results-*"}}, h.token).want(t, "results-a -> 1-2/results-a.zip",
		"results-e.json -> 5-2/results-e.json")
	h.fetch(dir, Query{Names: []string{"results-*"}}, h.token).want(t, "results-a -> 1-2/results-a.zip (kept)",
		"results-e.json -> 5-2/results-e.json (kept)")
	h.fetch(dir, Query{Branch: "try", Workflow: "bench.yml"}, h.token).want(t, "results-b -> 2-2/results-b.zip")
	h.fetch(dir, Query{Branch: "*", Status: "failure"}, h.token).want(t, "results-c -> 3-2/results-c.zip")
	h.fetch(dir, Query{Forks: true, Names: []string{"results-d"}}, h.token).want(t, "results-d -> 4-2/results-d.zip")
	h.fetch(dir, Query{Run: 1, Names: []string{"logs"}}, h.token).want(t, "logs -> 1-2/logs.zip")

	got, err := os.ReadFile(dir + "/5-2/SOURCE.toml")
	const want = `title = "bench 5"
address = "https://github.com/acme/bench/actions/runs/5"
date = "2026-03-01"

[ci]
url = "https://github.com/acme/bench/actions/runs/5"
workflow = "bench"
attempt = "2"
event = "schedule"
branch = "main"
commit = "c0ffee"
pull_request = "7"
`
	if err != nil || string(got) != want {
		t.Errorf("SOURCE.toml: %v\n%s", err, got)
	}
	if data, _ := os.ReadFile(dir + "/1-2/results-a.zip"); !bytes.Equal(data, zipped(t, "a.json", "{}")) {
		t.Error("results-a.zip has other bytes")
	}
	_ = fs.WalkDir(os.DirFS(dir), ".", func(p string, d fs.DirEntry, err error) error {
		data, _ := os.ReadFile(dir + "/" + p)
		if err != nil || strings.Contains(p, ".part") || bytes.Contains(data, []byte(h.token)) {
			t.Errorf("left behind: %s, %v", p, err)
		}
		return nil
	})
}

// Lists come in pages of 100, and all of them are read.
func TestPages(t *testing.T) {
	h, dir := newHub(t), t.TempDir()
	var many []*blob
	for i := range 101 {
		many = append(many, &blob{name: fmt.Sprint("a", i), data: []byte("PK\x03\x04")})
	}
	for i := range int64(100) {
		h.run(i+1, nil)
	}
	h.run(101, nil, many...)
	if got := h.fetch(dir, Query{}, h.token); len(got.lines) != 101 || got.err != nil {
		t.Errorf("%d artifacts, %v", len(got.lines), got.err)
	}
}

// A cut connection goes on where it ended; a part of other bytes is thrown away; bytes that have not the
// digest of the artifact are not kept.
func TestResume(t *testing.T) {
	h, dir := newHub(t), t.TempDir()
	data := append([]byte("PK\x03\x04"), bytes.Repeat([]byte("0123456789"), 10_000)...)
	cut := &blob{name: "cut", data: data, cuts: 3}
	stale := &blob{name: "stale", data: data}
	wrong := &blob{name: "wrong", data: data, digest: "sha256:" + strings.Repeat("0", 64)}
	long := &blob{name: "done", data: data}
	h.run(1, nil, cut, stale, wrong, long)
	if err := os.MkdirAll(dir+"/.inferdex", 0o777); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{"1001": []byte("of another artifact"), "1003": data} {
		if err := os.WriteFile(dir+"/.inferdex/"+name+".part", text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got := h.fetch(dir, Query{}, h.token)
	got.want(t, "cut -> 1-2/cut.zip", "stale -> 1-2/stale.zip",
		`artifact "wrong": what was loaded has not the digest sha256:`+strings.Repeat("0", 64), "done -> 1-2/done.zip")
	half := func(n int) int { return n + (len(data)-n)/2 }
	at := half(0)
	want := []string{""}
	for range 3 {
		want = append(want, fmt.Sprintf("bytes=%d-", at))
		at = half(at)
	}
	if !slices.Equal(cut.from, want) {
		t.Errorf("the cut artifact was asked for from %q, want %q", cut.from, want)
	}
	for _, name := range []string{"cut", "stale", "done"} {
		if text, _ := os.ReadFile(dir + "/1-2/" + name + ".zip"); !bytes.Equal(text, data) {
			t.Errorf("%s has other bytes", name)
		}
	}
	if _, err := os.Stat(dir + "/.inferdex"); err == nil {
		t.Error("parts are still there")
	}
}

// What has expired and is there already is there; a part of what was interrupted lies where no ingest reads it, and the
// interruption is said once.
func TestLater(t *testing.T) {
	h, dir := newHub(t), t.TempDir()
	old := &blob{name: "old", data: []byte("PK\x03\x04")}
	h.run(1, nil, old)
	h.fetch(dir, Query{}, h.token).want(t, "old -> 1-2/old.zip")
	old.expired = true
	h.fetch(dir, Query{}, h.token).want(t, "old -> 1-2/old.zip (kept)")

	h.run(2, nil, &blob{name: "cut", data: bytes.Repeat([]byte("0123456789"), 10_000), cuts: 1})
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	ctx, cancel := context.WithCancel(t.Context())
	var got []string
	for a, err := range GitHub(ctx, root, Query{Owner: "acme", Repo: "bench", Run: 2}, Options{APIURL: h.api.URL,
		Token: h.token, Sleep: func(context.Context, time.Duration) error { cancel(); return ctx.Err() }}) {
		got = append(got, fmt.Sprintf("%v %v", a != nil, err))
	}
	if !slices.Equal(got, []string{"false context canceled"}) {
		t.Errorf("an interruption gives %q", got)
	}
	if info, err := os.Stat(dir + "/.inferdex/2000.part"); err != nil || info.Size() != 50_000 {
		t.Errorf("the part: %v", err)
	}
	h.fetch(dir, Query{Run: 2}, h.token).want(t, "cut -> 2-2/cut")
}

// Too many requests and failures of the server are waited for, as long as it asks for; what is gone is said
// and stops nothing.
func TestFailures(t *testing.T) {
	h, dir := newHub(t), t.TempDir()
	h.run(1, nil, &blob{name: "old", data: []byte("x"), expired: true},
		&blob{name: "deleted", data: []byte("x"), status: http.StatusGone},
		&blob{name: "good", data: []byte("PK\x03\x04")})
	left := []func(w http.ResponseWriter){
		func(w http.ResponseWriter) { w.Header().Set("Retry-After", "7"); w.WriteHeader(http.StatusForbidden) },
		func(w http.ResponseWriter) {
			w.Header().Set("Retry-After", "9")
			w.WriteHeader(http.StatusTooManyRequests)
		},
		func(w http.ResponseWriter) { w.WriteHeader(http.StatusBadGateway) },
		func(w http.ResponseWriter) {
			w.Header().Set("X-RateLimit-Remaining", "0")
			w.Header().Set("X-RateLimit-Reset", fmt.Sprint(time.Now().Add(90*time.Second).Unix()))
			w.WriteHeader(http.StatusForbidden)
		},
		func(w http.ResponseWriter) { panic(http.ErrAbortHandler) },
	}
	h.before = func(w http.ResponseWriter, _ *http.Request) bool {
		if len(left) == 0 {
			return false
		}
		f := left[0]
		left = left[1:]
		f(w)
		return true
	}
	got := h.fetch(dir, Query{}, h.token)
	got.want(t, "old: expired", "deleted: deleted or expired", "good -> 1-2/good.zip")
	if len(got.waits) < 4 || got.waits[0] != 7*time.Second || got.waits[1] != 9*time.Second ||
		got.waits[3] < 80*time.Second {
		t.Errorf("waits: %v", got.waits)
	}
}

// A refusal says what to do, without the token: no token, no repository, an hour to wait.
func TestRefusals(t *testing.T) {
	h := newHub(t)
	h.run(1, nil, &blob{name: "a", data: []byte("PK\x03\x04")})
	if got := h.fetch(t.TempDir(), Query{}, ""); len(got.waits) != 0 {
		t.Errorf("without a token it waits %v", got.waits)
	}
	h.fetch(t.TempDir(), Query{}, h.token+"\n").want(t, "a -> 1-2/a.zip")
	h.fetch(t.TempDir(), Query{}, "").want(t,
		`artifact "a": a token that may read actions is needed to load artifacts: it is read from GITHUB_TOKEN or GH_TOKEN`)
	if got := h.fetch(t.TempDir(), Query{Workflow: "none.yml"}, h.token); got.err == nil ||
		!strings.Contains(got.err.Error(), "no such repository, workflow or run") {
		t.Errorf("unknown workflow: %v", got.err)
	}
	h.before = func(w http.ResponseWriter, _ *http.Request) bool {
		w.Header().Set("Retry-After", "3600")
		w.WriteHeader(http.StatusTooManyRequests)
		return true
	}
	got := h.fetch(t.TempDir(), Query{}, h.token)
	if got.err == nil || len(got.waits) != 0 || strings.Contains(got.err.Error(), h.token) {
		t.Errorf("an hour to wait: %v, waits %v", got.err, got.waits)
	}
}

// A SOURCE.toml is there with all that it says, or not at all, whatever stops a fetch.
func TestSource(t *testing.T) {
	h, dir := newHub(t), t.TempDir()
	h.run(1, nil, &blob{name: "a", data: []byte("PK\x03\x04")})
	inTheWay := dir + "/.inferdex/1-2.toml"
	if err := os.MkdirAll(inTheWay+"/full", 0o777); err != nil {
		t.Fatal(err)
	}
	if got := h.fetch(dir, Query{}, h.token); len(got.lines) != 1 || strings.Contains(got.lines[0], "->") {
		t.Errorf("%q, %v", got.lines, got.err)
	}
	if _, err := os.Stat(dir + "/1-2/SOURCE.toml"); err == nil {
		t.Error("SOURCE.toml is there")
	}
	if err := os.RemoveAll(inTheWay); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(dir+"/1-2/SOURCE.toml", nil, 0o666); err != nil { // of an older program
		t.Fatal(err)
	}
	h.fetch(dir, Query{}, h.token).want(t, "a -> 1-2/a.zip")
	if text, err := os.ReadFile(dir + "/1-2/SOURCE.toml"); err != nil || !strings.Contains(string(text), "[ci]") {
		t.Errorf("%s, %v", text, err)
	}
}

// Each answer of the API that ends a fetch says what it is and what to do.
func TestAnswers(t *testing.T) {
	h := newHub(t)
	h.run(1, nil, &blob{name: "a", data: []byte("PK\x03\x04")})
	limit := func(h http.Header) {
		h.Set("X-RateLimit-Limit", "60")
		h.Set("X-RateLimit-Remaining", "0")
		h.Set("X-RateLimit-Reset", fmt.Sprint(time.Now().Add(50*time.Minute).Unix()))
	}
	const other = "acme/bench: the answer is not that of GitHub's API ("
	for _, x := range []struct {
		name, token string
		code        int
		header      func(http.Header)
		body, want  string
	}{
		{"no token", "", 401, nil, `{}`, "acme/bench: a token is needed: it is read from GITHUB_TOKEN or GH_TOKEN"},
		{"a bad token", "x", 401, nil, `{}`, "acme/bench: the token is not accepted"},
		{"forbidden", "x", 403, nil, `{}`, "acme/bench: refused: a token that may read actions is needed"},
		{"limit", "x", 403, limit, `{"message":"API rate limit exceeded"}`,
			"acme/bench: the limit of requests is reached: run the same command again in 50m0s"},
		{"limit without a token", "", 403, limit, `{}`, "again in 50m0s, or with a token, which has a higher one"},
		{"second limit", "x", 403, nil,
			`{"documentation_url":"https://docs.github.com/#about-secondary-rate-limits"}`,
			"acme/bench: the limit of requests is reached: run the same command again later"},
		{"a page", "x", 200, nil, "<html>log in</html>", other},
		{"half of one", "x", 200, func(h http.Header) { h.Set("Content-Length", "100") }, `{"workflow_runs":[`, "acme/bench: the answer of the API was cut short"},
		{"null", "x", 200, nil, "null", other},
		{"null in a list", "x", 200, nil, `{"workflow_runs":[null]}`, other},
	} {
		h.before = func(w http.ResponseWriter, _ *http.Request) bool {
			if x.header != nil {
				x.header(w.Header())
			}
			w.WriteHeader(x.code)
			fmt.Fprint(w, x.body)
			return true
		}
		if got := h.fetch(t.TempDir(), Query{}, x.token); got.err == nil || !strings.Contains(got.err.Error(), x.want) ||
			len(got.waits) > 0 {
			t.Errorf("%s: %v, waits %v; want %q", x.name, got.err, got.waits, x.want)
		}
	}

	// Nulls in the list of artifacts, and the limit when the first of them is asked for.
	for body, want := range map[string]string{`{"artifacts":[null]}`: other, "": ""} {
		h.before = func(w http.ResponseWriter, r *http.Request) bool {
			switch {
			case body != "" && strings.HasSuffix(r.URL.Path, "/artifacts"):
				fmt.Fprint(w, body)
			case strings.HasSuffix(r.URL.Path, "/zip"):
				limit(w.Header())
				w.WriteHeader(http.StatusForbidden)
			default:
				return false
			}
			return true
		}
		got := h.fetch(t.TempDir(), Query{}, h.token)
		if want != "" && (got.err == nil || !strings.HasPrefix(got.err.Error(), want)) {
			t.Errorf("%s: %v", body, got.err)
		}
		if want == "" && (len(got.lines) != 1 || !strings.Contains(got.lines[0], "the limit of requests is reached") ||
			len(got.waits) > 0) {
			t.Errorf("a limit at an artifact: %q, waits %v", got.lines, got.waits)
		}
	}
}

// What cannot help is not tried again, and what the client tried again is not tried as often once more. Why it waits is
// said, without the signature of an address.
func TestInVain(t *testing.T) {
	for name, x := range map[string]struct {
		to    string
		waits int
		want  string
	}{
		"a file":     {"file:///etc/passwd?sig=signature", 0, `artifact "a": the API leads to "file://", which is no address to load from`},
		"nowhere":    {"?sig=signature", 0, `artifact "a": the API leads to "://", which is no address to load from`},
		"no server":  {"http://127.0.0.1:1/?sig=signature", retries, `artifact "a": dial tcp 127.0.0.1:1: connect: connection refused`},
		"a failure":  {"/500", retries, `artifact "a": the server says 500`},
		"never ends": {"/loop", 0, `artifact "a": more than five redirections`},
	} {
		h := newHub(t)
		h.run(1, nil, &blob{name: "a", data: []byte("PK\x03\x04")})
		h.before = func(w http.ResponseWriter, r *http.Request) bool {
			at := x.to
			switch {
			case strings.HasSuffix(r.URL.Path, "/500"):
				w.WriteHeader(http.StatusInternalServerError)
				return true
			case strings.HasSuffix(r.URL.Path, "/loop"):
			case !strings.HasSuffix(r.URL.Path, "/zip"):
				return false
			case strings.HasPrefix(x.to, "/"):
				at = h.api.URL + x.to
			}
			w.Header().Set("Location", at)
			w.WriteHeader(http.StatusFound)
			return true
		}
		got := h.fetch(t.TempDir(), Query{}, h.token)
		if len(got.lines) != 1 || got.lines[0] != x.want || len(got.waits) != x.waits ||
			strings.Contains(strings.Join(got.whys, " "), "signature") {
			t.Errorf("%s: %q after %d waits for %q, want %q after %d", name, got.lines, len(got.waits), got.whys, x.want, x.waits)
		}
	}
}

// A repository that was renamed redirects, and a redirection to another host takes no token there.
func TestRedirection(t *testing.T) {
	h := newHub(t)
	h.run(1, nil, &blob{name: "a", data: []byte("PK\x03\x04")})
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "" {
			t.Error("another host was shown the token")
		}
		reply(w, map[string]any{"default_branch": "main"})
	}))
	defer other.Close()
	first := true
	h.before = func(w http.ResponseWriter, r *http.Request) bool {
		if first {
			first = false
			http.Redirect(w, r, other.URL+"/repositories/1", http.StatusMovedPermanently)
			return true
		}
		return false
	}
	h.fetch(t.TempDir(), Query{}, h.token).want(t, "a -> 1-2/a.zip")
}

// Names of artifacts are those that anybody may have chosen: none leads out of the directory of its run.
func TestHostileNames(t *testing.T) {
	h, dir := newHub(t), t.TempDir()
	h.run(1, nil, &blob{name: "../../evil", data: []byte("PK\x03\x04")}, &blob{name: "con", data: []byte("x")},
		&blob{name: "CON", data: []byte("y")},
		&blob{name: "SOURCE.toml", data: []byte("title = 1")}, &blob{name: "x", data: []byte("PK\x03\x041")},
		&blob{name: "x.zip", data: []byte("PK\x03\x042")}, &blob{name: "y.part", data: []byte("1")},
		&blob{name: "y", data: []byte("2")})
	got := h.fetch(dir, Query{}, h.token)
	if got.err != nil || len(got.lines) != 8 {
		t.Fatalf("%q, %v", got.lines, got.err)
	}
	files := 0
	_ = fs.WalkDir(os.DirFS(dir), ".", func(p string, d fs.DirEntry, err error) error {
		if !d.IsDir() {
			files++
		}
		return nil
	})
	if source, _ := os.ReadFile(dir + "/1-2/SOURCE.toml"); files != 9 ||
		!strings.HasPrefix(string(source), `title = "bench 1"`) {
		t.Errorf("%d files, SOURCE.toml %q", files, source)
	}
}
