package bucket_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"mime"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/inferdex/inferdex/beam/bucket"
)

// google is as much of Google's store as reading and writing asks for: its JSON API, and bodies as its library asks for
// them. It answers each n-th request with 503 where busy is set, and all where down is.
type google struct {
	mu       sync.Mutex
	objects  map[string][]byte
	version  map[string]int64
	busy     int
	down     bool
	requests int
	lists    int
	ranges   int // requests for a part of a body
}

// started starts a store on this machine, to which the library sends all that is asked of gs://.
func started(t *testing.T, g *google) *google {
	t.Helper()
	g.objects, g.version = map[string][]byte{}, map[string]int64{}
	server := httptest.NewServer(g)
	t.Cleanup(server.Close)
	t.Setenv("STORAGE_EMULATOR_HOST", strings.TrimPrefix(server.URL, "http://"))
	return g
}

func (g *google) put(key string, data []byte) {
	g.objects[key] = data
	g.version[key]++
}

func (g *google) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.requests++
	if g.down || g.busy > 0 && g.requests%g.busy == 0 {
		_, _ = io.Copy(io.Discard, r.Body)
		http.Error(w, "busy", http.StatusServiceUnavailable)
		return
	}
	api, isAPI := strings.CutPrefix(r.URL.EscapedPath(), "/storage/v1/b/")
	_, key, _ := strings.Cut(api, "/o/")
	key, _ = url.PathUnescape(key)
	switch {
	case strings.HasPrefix(r.URL.Path, "/upload/"):
		g.upload(w, r)
	case isAPI && strings.HasSuffix(api, "/o"):
		g.list(w, r.URL.Query())
	case isAPI && g.objects[key] != nil:
		_ = json.NewEncoder(w).Encode(g.about(key))
	case isAPI:
		http.Error(w, "no such object", http.StatusNotFound)
	default:
		_, key, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
		g.body(w, r, key)
	}
}

// updated has, as Google's do, parts of a second, which the time beside a body has not.
var updated = time.Date(2026, 1, 1, 0, 0, 0, 123e6, time.UTC)

func (g *google) about(key string) map[string]any {
	return map[string]any{"name": key, "size": strconv.Itoa(len(g.objects[key])), "updated": updated.Format(time.RFC3339Nano),
		"generation": strconv.FormatInt(g.version[key], 10), "etag": "x"}
}

func (g *google) body(w http.ResponseWriter, r *http.Request, key string) {
	data, ok := g.objects[key]
	if !ok {
		http.Error(w, "no such object", http.StatusNotFound)
		return
	}
	if want := r.Header.Get("x-goog-if-generation-match"); want != "" && want != fmt.Sprint(g.version[key]) {
		http.Error(w, "another generation", http.StatusPreconditionFailed)
		return
	}
	if r.Header.Get("Range") != "" {
		g.ranges++
	}
	w.Header().Set("X-Goog-Generation", fmt.Sprint(g.version[key]))
	http.ServeContent(w, r, "", updated, bytes.NewReader(data))
}

// list answers a page of two.
func (g *google) list(w http.ResponseWriter, q url.Values) {
	g.lists++
	var names []string // of objects, and of folders with a slash
	for _, key := range slices.Sorted(maps.Keys(g.objects)) {
		rest, ok := strings.CutPrefix(key, q.Get("prefix"))
		if !ok {
			continue
		}
		if folder, _, below := strings.Cut(rest, "/"); below && q.Get("delimiter") == "/" {
			key = q.Get("prefix") + folder + "/"
		}
		if key > q.Get("pageToken") && !slices.Contains(names, key) {
			names = append(names, key)
		}
	}
	out := map[string]any{}
	if len(names) > 2 {
		names = names[:2]
		out["nextPageToken"] = names[1]
	}
	var items []map[string]any
	var prefixes []string
	for _, name := range names {
		if strings.HasSuffix(name, "/") {
			prefixes = append(prefixes, name)
		} else {
			items = append(items, g.about(name))
		}
	}
	out["items"], out["prefixes"] = items, prefixes
	_ = json.NewEncoder(w).Encode(out)
}

// upload takes an object in one request, in two parts.
func (g *google) upload(w http.ResponseWriter, r *http.Request) {
	_, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	parts := multipart.NewReader(r.Body, params["boundary"])
	var about struct{ Name string }
	head, err := parts.NextPart()
	if err == nil {
		err = json.NewDecoder(head).Decode(&about)
	}
	var data []byte
	if err == nil {
		var body *multipart.Part
		if body, err = parts.NextPart(); err == nil {
			data, err = io.ReadAll(body)
		}
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	g.put(about.Name, data)
	_ = json.NewEncoder(w).Encode(g.about(about.Name))
}

// An address gs:// is listed in pages, read in ranges, asked again where the store is busy, and written to.
func TestGoogle(t *testing.T) {
	g := started(t, &google{busy: 5})
	for i := range 5 {
		key := fmt.Sprintf("results/%02d/a.json", i)
		g.put(key, content(key))
	}
	in, err := bucket.Input(context.Background(), "gs://store/results")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	err = fs.WalkDir(in.FS, in.Root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		n++
		f, err := in.FS.Open(name)
		if err != nil {
			return err
		}
		defer f.Close()
		got, err := io.ReadAll(f)
		if err != nil || !bytes.Equal(got, content(name)) {
			t.Errorf("%s: %d bytes read, %d are there: %v", name, len(got), len(content(name)), err)
		}
		part := make([]byte, 5000)
		if _, err := f.(io.ReaderAt).ReadAt(part, 1<<20-100); err != nil || !bytes.Equal(part, content(name)[1<<20-100:][:5000]) {
			t.Errorf("%s: a range across blocks: %v", name, err)
		}
		return nil
	})
	if err != nil || n != 5 || in.Name != "store/results" {
		t.Errorf("%q: %d of 5 objects: %v", in.Name, n, err)
	}
	if g.lists < 3 || g.ranges < 10 {
		t.Errorf("%d lists and %d ranges: five folders in pages of two take three, five objects two ranges each", g.lists, g.ranges)
	}
	out, err := bucket.Output(context.Background(), "gs://store/catalog")
	if err != nil {
		t.Fatal(err)
	}
	for i := range 4 {
		if err := out.Write(context.Background(), fmt.Sprintf("m/%d.json", i), []byte("{}")); err != nil {
			t.Error(err)
		}
		if got := string(g.objects[fmt.Sprintf("catalog/m/%d.json", i)]); got != "{}" {
			t.Errorf("%q was written", got)
		}
	}
}

// An object of gs:// that is replaced while it is read is not read half, and a store that is away is not asked for ever.
func TestGoogleReplaced(t *testing.T) {
	g := started(t, &google{})
	const key = "results/a.json"
	g.put(key, content(key))
	in, err := bucket.Input(context.Background(), "gs://replaced/results")
	if err != nil {
		t.Fatal(err)
	}
	f, err := in.FS.Open(key)
	if err != nil {
		t.Fatal(err)
	}
	g.put(key, content(key)) // as long, and at the same time
	if _, err := io.ReadAll(f); err == nil || !strings.Contains(err.Error(), "replaced") {
		t.Errorf("another version was read: %v", err)
	}
	if _, err := in.FS.Open("results/none.json"); err == nil {
		t.Error("an object that is not there was opened")
	}
	g.down, g.requests = true, 0
	if _, err := in.FS.Open(key); err == nil || g.requests != 6 {
		t.Errorf("%d requests, then: %v", g.requests, err)
	}
}
