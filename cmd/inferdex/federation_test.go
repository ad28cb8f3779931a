package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/inferdex/inferdex/goldentest"
	"github.com/inferdex/inferdex/ingest/federation"
)

// publisher is a catalog whose site a web server publishes.
type publisher struct {
	dir, url string
	asked    atomic.Int64 // requests
}

// newPublisher makes a catalog of inputs by their names below data/raw, its site, and a server of it.
func newPublisher(t *testing.T, title string, inputs map[string]string) *publisher {
	t.Helper()
	p := &publisher{dir: t.TempDir()}
	raw(t, p.dir, inputs)
	configured(t, p.dir, title)
	ingestInto(t, p.dir)
	p.build(t)
	files := http.FileServer(http.Dir(filepath.Join(p.dir, outputDir)))
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.asked.Add(1)
		files.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	p.url = s.URL + "/data/"
	return p
}

func (p *publisher) build(t *testing.T) {
	t.Helper()
	does(t, p.dir, 0, "build", "--previews=false")
}

// configured writes the settings of a catalog that merges others.
func configured(t *testing.T, dir, title string, of ...*publisher) {
	t.Helper()
	text := fmt.Sprintf("title = %q\nbase_url = \"https://example.org/hub/\"\n", title)
	for _, p := range of {
		text += fmt.Sprintf("\n[[catalog]]\nurl = %q\n", p.url)
	}
	if err := writeFile(filepath.Join(dir, configFile), []byte(text)); err != nil {
		t.Fatal(err)
	}
}

// does runs a command, which has to end with a status.
func does(t *testing.T, dir string, want int, args ...string) (said string) {
	t.Helper()
	said, code := typed(dir, args...)
	if code != want {
		t.Fatalf("%q: exit status %d, want %d\n%s", args, code, want, said)
	}
	return said
}

// contains fails where a text lacks one of the parts.
func contains(t *testing.T, what, text string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(text, p) {
			t.Errorf("%s lacks %q:\n%s", what, p, text)
		}
	}
}

// idOfModel is the id of the only run of a model.
func idOfModel(t *testing.T, dir, model string) (id string) {
	t.Helper()
	for line := range strings.Lines(does(t, dir, 0, "list", "runs", "--json")) {
		var r struct{ ID, Model string }
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		if r.Model == model {
			id = r.ID
		}
	}
	if id == "" {
		t.Fatalf("no run of %q", model)
	}
	return id
}

// pageOf is the page of the only run of a model.
func pageOf(t *testing.T, dir, model string) string {
	t.Helper()
	id := idOfModel(t, dir, model)
	data, err := os.ReadFile(filepath.Join(dir, outputDir, "runs", id, "index.html"))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// sameSite fails where two sites have not the same files.
func sameSite(t *testing.T, what string, got, want map[string]string) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if got[name] != want[name] {
			t.Errorf("%s: %s is another one", what, name)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%s: %d files, want %d", what, len(got), len(want))
	}
}

// A hub merges what three sites publish: what was fetched is not asked for again, a site that lies is refused with
// nothing lost, and neither the order of the catalogs nor slices change a byte.
func TestHub(t *testing.T) {
	common := served("org/common", "01")
	a := newPublisher(t, "Site A", map[string]string{"c.json": common, "a.json": served("org/ash", "02")})
	b := newPublisher(t, "Site B", map[string]string{"c.json": common, "b.json": served("org/birch", "03")})
	c := newPublisher(t, "Site C", map[string]string{"c.json": served("org/cedar", "04")})
	hub := t.TempDir()
	configured(t, hub, "Hub", a, b, c)
	said := does(t, hub, 0, "fetch")
	contains(t, "fetch", said, a.url+": 2 runs", "loaded")
	asked := a.asked.Load()
	if asked != 2 {
		t.Errorf("%d requests for an index and an archive", asked)
	}
	lock, err := os.ReadFile(filepath.Join(hub, lockFile))
	if err != nil {
		t.Fatal(err)
	}
	build := []string{"build", "--previews=false"}
	does(t, hub, 0, build...)
	contains(t, "list", does(t, hub, 0, "list", "runs"), "common", "ash", "birch", "cedar")
	shared := pageOf(t, hub, "org/common")
	contains(t, "the page of a run of two catalogs", shared, "Published by", "Site A", "Site B", strings.TrimSuffix(a.url, "data/")+"runs/")
	site := goldentest.Tree(t, filepath.Join(hub, outputDir))
	contains(t, "the list of runs", site["runs/index.html"], ">From<", ">Site A</a>", ">Site B</a>", ">Site C</a>")

	t.Run("nothing new", func(t *testing.T) {
		contains(t, "fetch", does(t, hub, 0, "fetch"), "there already")
		if n := a.asked.Load(); n != asked {
			t.Errorf("%d requests for what is there", n-asked)
		}
		does(t, hub, 0, "fetch", "--update")
		if n := a.asked.Load(); n != asked+1 {
			t.Errorf("%d requests of an update for an index that is the same", n-asked)
		}
		if again, err := os.ReadFile(filepath.Join(hub, lockFile)); err != nil || string(again) != string(lock) {
			t.Errorf("the lock is another one: %v\n%s", err, again)
		}
	})

	t.Run("a lie", func(t *testing.T) {
		file := filepath.Join(b.dir, outputDir, "data", federation.IndexFile)
		index, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var ix federation.Index
		if err := json.Unmarshal(index, &ix); err != nil {
			t.Fatal(err)
		}
		lie := strings.ReplaceAll(string(index), ix.Runs[0].SHA256, federation.Sum([]byte("a lie")))
		if err := os.WriteFile(file, []byte(lie), 0o666); err != nil {
			t.Fatal(err)
		}
		contains(t, "fetch", does(t, hub, exitIO, "fetch", "--update"), configFile+":", "has not the digest",
			"what was pinned before stays")
		if again, err := os.ReadFile(filepath.Join(hub, lockFile)); err != nil || string(again) != string(lock) {
			t.Errorf("the lock is another one: %v\n%s", err, again)
		}
		sameSite(t, "after a lie", goldentest.Tree(t, filepath.Join(hub, outputDir)), site)
		does(t, hub, 0, append(build, "--full")...)
		sameSite(t, "built after a lie", goldentest.Tree(t, filepath.Join(hub, outputDir)), site)
		if err := os.WriteFile(file, index, 0o666); err != nil {
			t.Fatal(err)
		}
	})

	t.Run("other orders", func(t *testing.T) {
		for _, order := range [][]*publisher{{c, b, a}, {b, a, c}} {
			other := t.TempDir()
			configured(t, other, "Hub", order...)
			does(t, other, 0, "fetch")
			does(t, other, 0, build...)
			sameSite(t, "in another order", goldentest.Tree(t, filepath.Join(other, outputDir)), site)
		}
	})

	t.Run("without its memory", func(t *testing.T) {
		if err := os.RemoveAll(filepath.Join(hub, stateDir, "publish")); err != nil {
			t.Fatal(err)
		}
		does(t, hub, 0, build...)
		sameSite(t, "without its memory", goldentest.Tree(t, filepath.Join(hub, outputDir)), site)
		stranger := t.TempDir()
		configured(t, stranger, "Stranger", c)
		does(t, stranger, 0, "fetch")
		contains(t, "a build onto the site of others", does(t, stranger, exitIO, append(build, "-o", filepath.Join(hub, outputDir))...),
			"is the site of")
	})

	t.Run("slices", func(t *testing.T) {
		does(t, hub, 0, append(build, "--shard", "1/2")...)
		does(t, hub, 0, append(build, "--shard", "2/2")...)
		does(t, hub, 0, append(build, "--merge", slicesDir, "-o", "merged")...)
		sameSite(t, "merged", goldentest.Tree(t, filepath.Join(hub, "merged")), site)
	})

	t.Run("check", func(t *testing.T) {
		said := does(t, hub, 0, "check", "--verbose")
		contains(t, "check", said, a.url[:len(a.url)-len("data/")]+"runs/")
		if strings.Contains(said, catalogDir+"/") {
			t.Errorf("check names files that are not there:\n%s", said)
		}
	})

	t.Run("a snapshot", func(t *testing.T) {
		does(t, hub, 0, "snapshot", "first")
		contains(t, "diff", does(t, hub, 0, "diff", "first"), "4 runs")
		if err := os.RemoveAll(filepath.Join(hub, snapshotsDir)); err != nil {
			t.Fatal(err)
		}
	})
}

// What one catalog calls withdrawn is withdrawn on the hub, with a page where none has the run, and the hub itself may
// withdraw what others publish. A build after it is a full build.
func TestHubWithdraws(t *testing.T) {
	common := served("org/common", "01")
	a := newPublisher(t, "Site A", map[string]string{"c.json": common, "a.json": served("org/ash", "02")})
	b := newPublisher(t, "Site B", map[string]string{"c.json": common, "b.json": served("org/birch", "03")})
	hub := t.TempDir()
	configured(t, hub, "Hub", a, b)
	does(t, hub, 0, "fetch")
	does(t, hub, 0, "build", "--previews=false")
	common, gone := idOfModel(t, hub, "org/common"), idOfModel(t, hub, "org/birch")
	ash := idOfModel(t, hub, "org/ash")

	for _, name := range []string{"c.json", "b.json"} {
		if err := os.Remove(filepath.Join(b.dir, rawDir, name)); err != nil {
			t.Fatal(err)
		}
	}
	raw(t, b.dir, map[string]string{"d.json": served("org/dogwood", "05")})
	note(t, b.dir, common, "a fan had failed")
	note(t, b.dir, gone, "measured with another model")
	ingestInto(t, b.dir, "--prune")
	b.build(t)
	does(t, hub, 0, "fetch")
	contains(t, "the page of a run before an update", pageOf(t, hub, "org/birch"), "Published by")
	does(t, hub, 0, "fetch", "--update")
	note(t, hub, ash, "the hub does not believe it")
	does(t, hub, 0, "build", "--previews=false")
	site := goldentest.Tree(t, filepath.Join(hub, outputDir))
	does(t, hub, 0, "build", "--previews=false", "--full", "-o", "full")
	sameSite(t, "after a withdrawal", site, goldentest.Tree(t, filepath.Join(hub, "full")))

	contains(t, "a withdrawn run that one has", site["runs/"+common+"/index.html"], "Do not use",
		"a fan had failed (says Site B)", "Published by", "Site A", "withdrawn by Site B")
	contains(t, "a withdrawn run that none has", site["runs/"+gone+"/index.html"], "Do not use",
		"measured with another model (says Site B)", "not in this catalog any more")
	contains(t, "a run that the hub withdraws", site["runs/"+ash+"/index.html"], "the hub does not believe it",
		"withdrawn by this catalog")
}

// note withdraws a run.
func note(t *testing.T, dir, run, why string) {
	t.Helper()
	name := filepath.Join(dir, notesDir, run+".toml")
	if err := writeFile(name, fmt.Appendf(nil, "withdrawn = %q\n", why)); err != nil {
		t.Fatal(err)
	}
}
