package fetch

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/federation"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
	"github.com/inferdex/inferdex/ingest/settings"
)

// measured is a run of a session with one point of so many tokens a second, and its raw records.
func measured(t *testing.T, session string, tokens float64, withdrawn string) (*catalog.Run, []byte) {
	t.Helper()
	digest := federation.Sum([]byte(session))
	at := catalog.Place{Source: digest[:12], Line: 1}
	n := int64(4)
	r := &catalog.Run{Version: catalog.FormatVersion, Withdrawn: withdrawn,
		Identity: record.Identity{Tool: "vllm-bench-serve", Session: session, Model: "fenlark/Fenlark-8B"},
		Sources:  []catalog.Source{{Path: session + ".json", SHA256: digest, Format: "vllm-serve"}},
		Points: []catalog.Point{{Load: record.Load{MaxConcurrency: &n}, At: at,
			Metrics: map[metric.ID]catalog.Stat{metric.OutputThroughput: {Unit: "tok/s", Value: &tokens}}}}}
	r.ID = r.Identity.ID()
	w := catalog.NewRawWriter(catalog.Gzip)
	err := w.Add(&catalog.RawRecord{Kind: "result", File: session + ".json", Source: digest[:12], Line: 1,
		Raw: json.RawMessage(`{}`), Record: json.RawMessage(`{}`)})
	if err != nil {
		t.Fatal(err)
	}
	sum, raw, err := w.Close()
	if err != nil {
		t.Fatal(err)
	}
	r.Records = sum
	return r, raw
}

// stored is a catalog as it lies on disk: "session=tokens" or "session=tokens because".
func stored(t *testing.T, runs ...string) fstest.MapFS {
	t.Helper()
	fsys := fstest.MapFS{}
	for _, s := range runs {
		session, rest, _ := strings.Cut(s, "=")
		number, why, _ := strings.Cut(rest, " ")
		var tokens float64
		fmt.Sscan(number, &tokens)
		r, raw := measured(t, session, tokens, why)
		data, err := catalog.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		fsys[r.Path()], fsys[r.RawPath()] = &fstest.MapFile{Data: data}, &fstest.MapFile{Data: raw}
	}
	return fsys
}

// site publishes a catalog below a path of a web server; its files may be changed.
func site(t *testing.T, title string, fsys fstest.MapFS, gone ...federation.Withdrawal) (at string, files map[string][]byte) {
	t.Helper()
	files = map[string][]byte{}
	for f, err := range federation.Publish(fsys, federation.Index{Title: title, Withdrawn: gone}, nil, nil) {
		if err != nil {
			t.Fatal(err)
		}
		files["/below/a path/data/"+f.Path] = f.Data
	}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		data, ok := files[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(data))
	}))
	t.Cleanup(s.Close)
	return s.URL + "/below/a%20path/data/", files
}

var hurried = Options{Sleep: func(context.Context, time.Duration) error { return nil }}

func root(t *testing.T) *os.Root {
	t.Helper()
	dir, err := os.OpenRoot(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { dir.Close() })
	return dir
}

// members brings catalogs and opens them.
func members(t *testing.T, dir *os.Root, at ...string) (list []federation.Member) {
	t.Helper()
	for _, at := range at {
		b, err := Catalog(t.Context(), dir, at, "", hurried)
		if err != nil {
			t.Fatal(err)
		}
		m, leftOut, err := Member(dir.FS(), b.Pin)
		if err != nil || len(leftOut) > 0 {
			t.Fatal(err, leftOut)
		}
		list = append(list, m)
	}
	return list
}

// Three catalogs in any order are the same bytes; a run of two has two origins, what one withdraws is withdrawn, and
// of other measurements under one id the origins say so.
func TestMerge(t *testing.T) {
	dir := root(t)
	goneRun, _ := measured(t, "common", 100, "")
	neverRun, _ := measured(t, "never", 100, "")
	a, _ := site(t, "A", stored(t, "alone-a=10", "common=100", "bad=5"))
	b, _ := site(t, "B", stored(t, "alone-b=20", "bad=5 a fan had failed", "disputed=7"))
	c, _ := site(t, "C", stored(t, "common=100", "disputed=8"),
		federation.Withdrawal{ID: goneRun.ID, Reason: "the clock was wrong"}, federation.Withdrawal{ID: neverRun.ID, Reason: "a test"})
	ms := members(t, dir, a, b, c)
	own, err := catalog.Open(stored(t, "mine=1", "alone-b=20"))
	if err != nil {
		t.Fatal(err)
	}
	var first []byte
	for _, order := range [][]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
		m := federation.Merge(own, nil, []federation.Member{ms[order[0]], ms[order[1]], ms[order[2]]})
		text, err := json.Marshal([]any{m.Runs, m.Withdrawn, m.Problems})
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = text
		}
		if !bytes.Equal(first, text) {
			t.Errorf("the order %v gives other bytes", order)
		}
	}
	m := federation.Merge(own, nil, ms)
	got := map[string]string{}
	for _, r := range m.Runs {
		var titles []string
		differs := 0
		for _, o := range r.Origins {
			titles = append(titles, o.Title)
			if o.Differs {
				differs++
			}
		}
		slices.Sort(titles)
		got[r.Identity.Session] = fmt.Sprintf("%q %d %t", titles, differs, r.Withdrawn != "")
		if records, err := m.Raw(r.ID); err != nil || len(records) != 1 {
			t.Errorf("%s: %d records, %v", r.Identity.Session, len(records), err)
		}
	}
	want := map[string]string{"mine": `[] 0 false`, "alone-a": `["A"] 0 false`, "alone-b": `["" "B"] 0 false`,
		"common": `["A" "C" "C"] 0 true`, "bad": `["A" "B"] 0 true`, "disputed": `["B" "C"] 1 false`}
	if !maps.Equal(got, want) {
		t.Errorf("got %v\nwant %v", got, want)
	}
	if len(m.Runs) != 6 || len(m.Problems) != 1 || m.Withdrawn[neverRun.ID] == "" {
		t.Errorf("%d runs, problems %q, withdrawn %v", len(m.Runs), m.Problems, m.Withdrawn)
	}
	for _, r := range m.Runs {
		for _, o := range r.Origins {
			if o.Catalog != "" && o.Withdrawn == "" && o.Page != strings.TrimSuffix(o.Catalog, "data/")+"runs/"+r.ID+"/" {
				t.Errorf("the page of %s is %q", r.ID, o.Page)
			}
		}
	}
}

// What a catalog says wrongly of its files refuses it, with nothing of it pinned, and its last state stays.
func TestCatalogThatLies(t *testing.T) {
	const index = "/below/a path/data/index.json"
	const part = "/below/a path/data/catalog/all.zip"
	change := func(f func(ix *federation.Index)) func(map[string][]byte) {
		return func(files map[string][]byte) {
			var ix federation.Index
			if err := json.Unmarshal(files[index], &ix); err != nil {
				panic(err)
			}
			f(&ix)
			files[index], _ = json.Marshal(ix)
		}
	}
	for _, x := range []struct {
		name, want string
		lie        func(files map[string][]byte)
	}{
		{"digest of a part", "has not the digest", func(files map[string][]byte) { files[part][40] ^= 1 }},
		{"cut part", "has not the digest", func(files map[string][]byte) { files[part] = files[part][:100] }},
		{"larger part", "larger than was said", func(files map[string][]byte) { files[part] = append(files[part], 0) }},
		{"no part", "says 404", func(files map[string][]byte) { delete(files, part) }},
		{"no index", "there is no index.json", func(files map[string][]byte) { delete(files, index) }},
		{"cut index", "index.json:5:3: no index of a catalog: the file ends too early", func(files map[string][]byte) { files[index] = files[index][:50] }},
		{"page instead", "no index of a catalog", func(files map[string][]byte) { files[index] = []byte("<html>") }},
		{"text for a size", "index.json:1:39: no index of a catalog: parts.bytes cannot be a string", func(files map[string][]byte) {
			files[index] = []byte(`{"inferdex":1,"parts":[{"bytes":"many"}]}`)
		}},
		{"deep index", "no index of a catalog", func(files map[string][]byte) {
			files[index] = []byte(`{"inferdex":1,"runs":` + strings.Repeat("[", 100_000))
		}},
		{"newer", "newer version", func(files map[string][]byte) { files[index] = []byte(`{"inferdex": 99}`) }},
		{"digest of a run", "has not the digest", change(func(ix *federation.Index) {
			ix.Runs[0].SHA256 = strings.Repeat("0", 64)
		})},
		{"size of a run", "with another size", change(func(ix *federation.Index) { ix.Runs[0].Bytes++ })},
		{"run that is not there", "missing", change(func(ix *federation.Index) {
			e := ix.Runs[0]
			e.ID, e.Path, e.Records = "aaaaaaaaaaaa", "m/aaaaaaaaaaaa.json", nil
			ix.Runs = append(ix.Runs, e)
		})},
		{"file out of the archive", "no path within", change(func(ix *federation.Index) { ix.Runs[0].Path = "../x.json" })},
		{"part of another host", "no path within", change(func(ix *federation.Index) {
			ix.Parts[0].Path = "https://192.0.2.1/x"
		})},
		{"id of a path", "no id of a run", change(func(ix *federation.Index) {
			ix.Withdrawn = []federation.Withdrawal{{ID: "../../x", Reason: "x"}}
		})},
		{"too large", "at most", change(func(ix *federation.Index) { ix.Parts[0].Bytes = 1 << 40 })},
		{"twice", "twice", change(func(ix *federation.Index) { ix.Runs = append(ix.Runs, ix.Runs[0]) })},
	} {
		t.Run(x.name, func(t *testing.T) {
			dir := root(t)
			at, files := site(t, "A", stored(t, "one=1", "two=2"))
			good, err := Catalog(t.Context(), dir, at, "", hurried)
			if err != nil || good.Runs != 2 || good.Kept {
				t.Fatal(good, err)
			}
			// Elsewhere nothing of it is kept yet.
			x.lie(files)
			if _, err := Catalog(t.Context(), root(t), at, "", hurried); err == nil || !strings.Contains(err.Error(), x.want) {
				t.Errorf("got %v, want %q", err, x.want)
			}
			_, _ = Catalog(t.Context(), dir, at, "", hurried)
			if m, _, err := Member(dir.FS(), good.Pin); err != nil || len(m.Catalog.Runs) != 2 {
				t.Errorf("the last state is not there any more: %v", err)
			}
			if kept, err := Catalog(t.Context(), dir, at, good.SHA256, hurried); err != nil || !kept.Kept {
				t.Errorf("the pinned state is asked for again: %v", err)
			}
		})
	}
}

// An id that is not that of the content costs its run, and no other one.
func TestWrongID(t *testing.T) {
	fsys := stored(t, "one=1", "two=2")
	r, _ := measured(t, "one", 1, "")
	data := fsys[r.Path()].Data
	other := strings.Replace(r.Path(), r.ID, "aaaaaaaaaaaa", 1)
	fsys[other] = &fstest.MapFile{Data: bytes.ReplaceAll(data, []byte(r.ID), []byte("aaaaaaaaaaaa"))}
	delete(fsys, r.Path())
	delete(fsys, r.RawPath())
	at, _ := site(t, "A", fsys)
	b, err := Catalog(t.Context(), root(t), at, "", hurried)
	if err != nil || b.Runs != 1 || len(b.LeftOut) != 1 || !strings.Contains(b.LeftOut[0].Error(), "not that of its identity") {
		t.Errorf("%+v, %v", b, err)
	}
}

// A run that is no JSON costs itself, and no other one.
func TestCutRun(t *testing.T) {
	fsys := stored(t, "one=1", "two=2")
	r, _ := measured(t, "one", 1, "")
	fsys[r.Path()].Data = fsys[r.Path()].Data[:100]
	at, _ := site(t, "A", fsys)
	b, err := Catalog(t.Context(), root(t), at, "", hurried)
	if err != nil || b.Runs != 1 || len(b.LeftOut) != 1 || !strings.Contains(b.LeftOut[0].Error(), r.Path()+":") ||
		!strings.Contains(b.LeftOut[0].Error(), "ends too early") {
		t.Errorf("%+v, %v", b, err)
	}
}

// Raw records that are cut, or are no records, or have what is no JSON in them, cost themselves: their runs stay, and so do
// the records of the others.
func TestCutRecords(t *testing.T) {
	fsys := stored(t, "one=1", "two=2", "three=3", "four=4")
	one, raw := measured(t, "one", 1, "")
	fsys[one.RawPath()].Data = raw[:len(raw)-10]
	two, _ := measured(t, "two", 2, "")
	three, _ := measured(t, "three", 3, "")
	for r, lie := range map[*catalog.Run]string{two: "no record\n",
		three: `{"kind":"result","file":"three.json","source":"` + three.Sources[0].ID() + `","raw":{"x":},"record":{}}` + "\n"} {
		var text bytes.Buffer
		z := catalog.Gzip(&text)
		if _, err := z.Write([]byte(lie)); err != nil {
			t.Fatal(err)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		fsys[r.RawPath()].Data = text.Bytes()
		fsys[r.Path()].Data = bytes.ReplaceAll(fsys[r.Path()].Data, []byte(r.Records), []byte(federation.Sum([]byte(lie))))
	}
	at, _ := site(t, "A", fsys)
	dir := root(t)
	b, err := Catalog(t.Context(), dir, at, "", hurried)
	if err != nil || b.Runs != 4 || len(b.LeftOut) != 0 || len(b.Damaged) != 3 {
		t.Fatalf("%+v, %v", b, err)
	}
	for i, r := range []*catalog.Run{one, two, three} {
		if !slices.ContainsFunc(b.Damaged, func(err error) bool { return strings.HasPrefix(err.Error(), r.RawPath()+":") }) {
			t.Errorf("%d: %q does not name %s", i, b.Damaged, r.RawPath())
		}
	}
	m, leftOut, err := Member(dir.FS(), b.Pin)
	if err != nil || len(leftOut) > 0 || len(m.Catalog.Runs) != 4 {
		t.Fatal(err, leftOut)
	}
	for _, r := range m.Catalog.Runs {
		want := 1
		if r.ID == one.ID || r.ID == two.ID || r.ID == three.ID {
			want = 0
		}
		if records, err := m.Catalog.Raw(r.ID); err != nil || len(records) != want {
			t.Errorf("%s: %d raw records, want %d, %v", r.RawPath(), len(records), want, err)
		}
	}
}

// A catalog that moved is followed, one that changed is told where it is pinned, and what is not used goes.
func TestStates(t *testing.T) {
	dir := root(t)
	at, files := site(t, "A", stored(t, "one=1"))
	moved := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, strings.TrimSuffix(at, "/below/a%20path/data/")+r.URL.EscapedPath(), http.StatusMovedPermanently)
	}))
	defer moved.Close()
	first, err := Catalog(t.Context(), dir, moved.URL+"/below/a%20path/data/", "", hurried)
	if err != nil || first.Runs != 1 {
		t.Fatal(first, err)
	}
	_, newer := site(t, "A", stored(t, "one=1", "two=2"))
	maps.Copy(files, newer)
	if _, err := Catalog(t.Context(), root(t), at, first.SHA256, hurried); err == nil ||
		!strings.Contains(err.Error(), "another state now") {
		t.Errorf("a changed catalog: %v", err)
	}
	second, err := Catalog(t.Context(), dir, at, "", hurried)
	if err != nil || second.Runs != 2 {
		t.Fatal(second, err)
	}
	if err := Sweep(dir, []settings.Pin{second.Pin}); err != nil {
		t.Error(err)
	}
	if left, _ := os.ReadDir(dir.Name()); len(left) != 2 {
		t.Errorf("%d files are left, want an index and an archive", len(left))
	}
}

// An index that is damaged where it is kept is brought again, in the state that is pinned.
func TestDamagedIndex(t *testing.T) {
	dir := root(t)
	at, _ := site(t, "A", stored(t, "one=1"))
	good, err := Catalog(t.Context(), dir, at, "", hurried)
	if err != nil {
		t.Fatal(err)
	}
	if err := dir.WriteFile(good.SHA256, []byte("{"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, _, err := Member(dir.FS(), good.Pin); err == nil || !strings.Contains(err.Error(), "is damaged") {
		t.Errorf("a damaged index: %v", err)
	}
	again, err := Catalog(t.Context(), dir, at, good.SHA256, hurried)
	if err != nil || again.Pin != good.Pin || again.Kept {
		t.Errorf("%+v, %v, want %+v", again, err, good.Pin)
	}
}
