package serve

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/inferdex/inferdex/goldentest"
)

func write(t *testing.T, path, text string) {
	t.Helper()
	goldentest.Write(t, path, []byte(text))
}

func rename(t *testing.T, from, to string) {
	t.Helper()
	if err := os.Rename(from, to); err != nil {
		t.Fatal(err)
	}
}

// watched is a watcher of paths below a directory, and what it logged.
func watched(t *testing.T, dir string, ignore func(string) bool, watch ...string) (w *watcher, logged *[]string) {
	t.Helper()
	o := Options{Ignore: ignore}
	for _, p := range watch {
		o.Watch = append(o.Watch, filepath.Join(dir, p))
	}
	logged = new([]string)
	w, err := newWatcher(o, func(format string, args ...any) {
		*logged = append(*logged, fmt.Sprintf(format, args...))
	})
	if err != nil {
		t.Fatal(err)
	}
	return w, logged
}

// What a rebuild wrote is not found as changed; what others change there later is, and all that changed elsewhere.
func TestKnown(t *testing.T) {
	dir := t.TempDir()
	at := func(path string) string { return filepath.Join(dir, filepath.FromSlash(path)) }
	write(t, at("data/catalog/gone.json"), "1")
	w, _ := watched(t, dir, nil, "data")
	if err := os.Remove(at("data/catalog/gone.json")); err != nil {
		t.Fatal(err)
	}
	write(t, at("data/catalog/m/own.json"), "1")
	write(t, at("data/catalogs.md"), "1")
	w.known(at("data/catalog"))
	want := func(names ...string) {
		t.Helper()
		for i, name := range names {
			names[i] = at(name)
		}
		if d := cmp.Diff(names, w.changed()); d != "" {
			t.Errorf("-want +got:\n%s", d)
		}
	}
	want("data/catalogs.md")
	write(t, at("data/catalog/m/own.json"), "22")
	want("data/catalog/m/own.json")
	rename(t, at("data/catalog"), at("elsewhere"))
	if err := os.Symlink(at("elsewhere"), at("data/catalog")); err != nil {
		t.Skip(err)
	}
	w.known(at("data/catalog"))
	want()
}

func TestWatch(t *testing.T) {
	dir := t.TempDir()
	at := func(path string) string { return filepath.Join(dir, filepath.FromSlash(path)) }
	write(t, at("data/raw/a.json"), "1")
	write(t, at("inferdex.toml"), "1")
	w, logged := watched(t, dir, nil, "data", "content", "deep/down/layouts", "inferdex.toml")
	for _, step := range []struct {
		name string
		do   func()
		want []string
	}{
		{"nothing", func() {}, nil},
		{"a file grew", func() { write(t, at("data/raw/a.json"), "22") }, []string{"data/raw/a.json"}},
		{"a file came", func() { write(t, at("data/raw/new.json"), "1") }, []string{"data/raw/new.json"}},
		{"saved as careful editors do, by a new file in place of the old", func() {
			write(t, at("data/raw/a.json~"), "333")
			rename(t, at("data/raw/a.json~"), at("data/raw/a.json"))
		}, []string{"data/raw/a.json"}},
		{"a root that is a file", func() { write(t, at("inferdex.toml"), "4444") }, []string{"inferdex.toml"}},
		{"a new tree", func() { write(t, at("data/x/y/z/b.json"), "1") }, []string{"data/x/y/z/b.json"}},
		{"a root that was not there", func() { write(t, at("content/about.md"), "1") }, []string{"content/about.md"}},
		{"a root with the directories above it", func() { write(t, at("deep/down/layouts/page.html"), "1") },
			[]string{"deep/down/layouts/page.html"}},
		{"a file went", func() {
			if err := os.Remove(at("data/raw/a.json")); err != nil {
				t.Fatal(err)
			}
		}, []string{"data/raw/a.json"}},
		{"a directory moved", func() { rename(t, at("data/x"), at("data/moved")) },
			[]string{"data/moved/y/z/b.json", "data/x/y/z/b.json"}},
		{"a root is replaced, as a checkout of another branch may do", func() {
			rename(t, at("content"), at("content.old"))
			write(t, at("content/sub/c.md"), "1")
		}, []string{"content/about.md", "content/sub/c.md"}},
		{"a root went", func() {
			if err := os.RemoveAll(at("deep")); err != nil {
				t.Fatal(err)
			}
		}, []string{"deep/down/layouts/page.html"}},
	} {
		step.do()
		var got []string
		for _, path := range w.changed() {
			rel, err := filepath.Rel(dir, path)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, filepath.ToSlash(rel))
		}
		if d := cmp.Diff(step.want, got); d != "" {
			t.Errorf("%s: -want +got:\n%s", step.name, d)
		}
	}
	if len(*logged) > 0 {
		t.Errorf("log: %q", *logged)
	}
}

func TestWatchIgnores(t *testing.T) {
	dir := t.TempDir()
	at := func(path string) string { return filepath.Join(dir, filepath.FromSlash(path)) }
	write(t, at("data/catalog/old.json"), "1")
	write(t, at("data/a.json"), "1")
	w, _ := watched(t, dir, func(path string) bool { return path == at("data/catalog") }, "data")
	for _, path := range []string{
		"data/catalog/old.json", "data/catalog/new/new.json", "data/.git/index", "data/.a.json.swp", "data/4913",
		"data/#a.json#", "data/.#a.json", "data/a.json~", "data/b.tmp", "public/index.html", "data.bak/a.json",
	} {
		write(t, at(path), "22")
	}
	if err := os.Chmod(at("data/a.json"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := w.changed(); len(got) > 0 {
		t.Errorf("changed: %q", got)
	}
}

// A directory that cannot be read is said once, and the rest is watched.
func TestWatchRefused(t *testing.T) {
	dir := t.TempDir()
	secret := filepath.Join(dir, "data", "secret")
	write(t, filepath.Join(secret, "a.json"), "1")
	if err := os.Chmod(secret, 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Chmod(secret, 0o777) })
	if _, err := os.ReadDir(secret); err == nil {
		t.Skip("this user may read everything")
	}
	w, logged := watched(t, dir, nil, "data")
	write(t, filepath.Join(dir, "data", "b.json"), "1")
	if got := w.changed(); len(got) != 1 || filepath.Base(got[0]) != "b.json" {
		t.Errorf("changed: %q", got)
	}
	if len(*logged) != 1 {
		t.Errorf("log: %q", *logged)
	}
}

func TestDisplay(t *testing.T) {
	w, err := newWatcher(Options{Watch: []string{"data", "../layouts"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	up := filepath.Dir(filepath.Dir(w.roots[0].path))
	goldentest.Table(t, w.display, map[string]string{
		filepath.Join(w.roots[0].path, "raw", "a b.json"): `"data/raw/a b.json"`,
		filepath.Join(w.roots[1].path, "page.html"):       `"../layouts/page.html"`,
		w.roots[0].path: `"data"`,
		up:              fmt.Sprintf("%q", up),
	})
}

// A site that was there and is gone is a change, once.
func TestSiteThatIsGone(t *testing.T) {
	var site fs.FS
	changed := andSite(func() []string { return nil }, func() fs.FS { return site })
	for n, step := range []struct {
		site fs.FS
		want int
	}{{nil, 0}, {fstest.MapFS{}, 0}, {nil, 1}, {nil, 0}, {fstest.MapFS{}, 0}, {nil, 1}} {
		site = step.site
		if got := changed(); len(got) != step.want {
			t.Errorf("step %d: %q changed", n, got)
		}
	}
}
