package serve

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"
)

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func rename(t *testing.T, from, to string) {
	t.Helper()
	if err := os.Rename(from, to); err != nil {
		t.Fatal(err)
	}
}

// watched is a watcher under test and what it reported.
type watched struct {
	t    *testing.T
	w    *watcher
	dir  string
	news chan struct{}
	// refresh is done after each change that was awaited.
	refresh func()

	mu    sync.Mutex
	paths []string // relative to dir, slashes
	lines []string // of the log
}

func newWatched(t *testing.T, dir string, ignore func(string) bool, watch ...string) *watched {
	t.Helper()
	k := &watched{t: t, dir: dir, news: make(chan struct{}, 1)}
	o := Options{Ignore: ignore}
	for _, p := range watch {
		o.Watch = append(o.Watch, filepath.Join(dir, p))
	}
	changed := func(path string) {
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			t.Error(err)
		}
		k.mu.Lock()
		k.paths = append(k.paths, filepath.ToSlash(rel))
		k.mu.Unlock()
		select {
		case k.news <- struct{}{}:
		default:
		}
	}
	w, err := newWatcher(o, changed, func(format string, args ...any) {
		k.mu.Lock()
		defer k.mu.Unlock()
		k.lines = append(k.lines, fmt.Sprintf(format, args...))
	})
	if err != nil {
		t.Fatal(err)
	}
	w.every = 5 * time.Millisecond
	k.w = w
	k.refresh = w.refresh
	t.Cleanup(w.close)
	return k
}

// await waits until path was reported, forgets all that was reported and watches what is new, as
// a rebuild does.
func (k *watched) await(path string) {
	k.t.Helper()
	deadline := time.After(patience)
	for {
		k.mu.Lock()
		for _, p := range k.paths {
			if p == path {
				k.paths = nil
				k.mu.Unlock()
				k.refresh()
				return
			}
		}
		got := append([]string(nil), k.paths...)
		k.mu.Unlock()
		select {
		case <-k.news:
		case <-deadline:
			k.t.Fatalf("no change of %q in %v, only of %q", path, patience, got)
		}
	}
}

// bothWays runs a test with a watcher told by the system and with one that polls.
func bothWays(t *testing.T, test func(t *testing.T, poll bool)) {
	for name, poll := range map[string]bool{"notify": false, "poll": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, poll)
		})
	}
}

func TestWatch(t *testing.T) {
	bothWays(t, func(t *testing.T, poll bool) {
		dir := t.TempDir()
		at := func(path string) string { return filepath.Join(dir, filepath.FromSlash(path)) }
		write(t, at("data/raw/a.json"), "1")
		write(t, at("inferdex.toml"), "1")
		k := newWatched(t, dir, nil, "data", "content", "deep/down/layouts", "inferdex.toml")
		k.w.begin(poll)

		write(t, at("data/raw/a.json"), "22")
		k.await("data/raw/a.json")

		write(t, at("data/raw/new.json"), "1")
		k.await("data/raw/new.json")

		// Saved as careful editors do: a new file in place of the old.
		write(t, at("data/raw/a.json~"), "333")
		rename(t, at("data/raw/a.json~"), at("data/raw/a.json"))
		k.await("data/raw/a.json")

		write(t, at("inferdex.toml.swp"), "22")
		rename(t, at("inferdex.toml.swp"), at("inferdex.toml"))
		k.await("inferdex.toml")
		write(t, at("inferdex.toml"), "4444")
		k.await("inferdex.toml")

		// A new tree: its directories are watched from then on.
		write(t, at("data/x/y/z/b.json"), "1")
		k.await("data/x")
		write(t, at("data/x/y/z/b.json"), "22")
		k.await("data/x/y/z/b.json")

		// Roots that appear, one of them with the directories above it.
		write(t, at("content/about.md"), "1")
		k.await("content")
		write(t, at("content/about.md"), "22")
		k.await("content/about.md")
		write(t, at("deep/down/layouts/page.html"), "1")
		if poll {
			k.await("deep/down/layouts/page.html")
		} else {
			k.await("deep")
		}
		write(t, at("deep/down/layouts/page.html"), "22")
		k.await("deep/down/layouts/page.html")

		if err := os.Remove(at("data/raw/a.json")); err != nil {
			t.Fatal(err)
		}
		k.await("data/raw/a.json")

		// A directory that moved is watched under its new name only.
		rename(t, at("data/x"), at("data/moved"))
		k.await("data/moved")
		write(t, at("data/moved/y/z/b.json"), "333")
		k.await("data/moved/y/z/b.json")

		// A root that is replaced, as a checkout of another branch may do.
		rename(t, at("content"), at("content.old"))
		k.await("content")
		write(t, at("content/sub/c.md"), "1")
		k.await("content")
		write(t, at("content/sub/c.md"), "22")
		k.await("content/sub/c.md")
		if err := os.RemoveAll(at("deep")); err != nil {
			t.Fatal(err)
		}
		k.await("deep/down/layouts")
		write(t, at("deep/down/layouts/page.html"), "1")
		if poll {
			k.await("deep/down/layouts/page.html")
		} else {
			k.await("deep")
		}
		write(t, at("deep/down/layouts/page.html"), "22")
		k.await("deep/down/layouts/page.html")
		if len(k.lines) != 0 {
			t.Errorf("log: %q", k.lines)
		}
	})
}

// A tree that appears whole is watched before it is reported, without waiting for the rebuild.
func TestWatchMovedIn(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "new", "y", "z", "b.json"), "1")
	write(t, filepath.Join(dir, "data", "a.json"), "1")
	k := newWatched(t, dir, nil, "data")
	k.w.begin(false)
	k.refresh = func() {}
	rename(t, filepath.Join(dir, "new"), filepath.Join(dir, "data", "x"))
	k.await("data/x")
	write(t, filepath.Join(dir, "data", "x", "y", "z", "b.json"), "22")
	k.await("data/x/y/z/b.json")
}

func TestWatchIgnores(t *testing.T) {
	bothWays(t, func(t *testing.T, poll bool) {
		dir := t.TempDir()
		at := func(path string) string { return filepath.Join(dir, filepath.FromSlash(path)) }
		write(t, at("data/catalog/old.json"), "1")
		write(t, at("data/a.json"), "1")
		k := newWatched(t, dir, func(path string) bool { return path == at("data/catalog") }, "data")
		k.w.begin(poll)

		for _, path := range []string{
			"data/catalog/old.json", "data/catalog/new/new.json", "data/.git/index", "data/.a.json.swp", "data/4913",
			"data/#a.json#", "data/.#a.json", "data/a.json~", "data/b.tmp", "public/index.html", "data.bak/a.json",
		} {
			write(t, at(path), "22")
		}
		if err := os.Chmod(at("data/a.json"), 0o600); err != nil {
			t.Fatal(err)
		}
		// Changes are reported in their order, or all at one look: when the last is, a change
		// that was not to be reported would be too.
		write(t, at("data/last.json"), "1")
		deadline := time.After(patience)
		for seen := false; !seen; {
			select {
			case <-k.news:
			case <-deadline:
				t.Fatal("no change")
			}
			k.mu.Lock()
			for _, p := range k.paths {
				switch p {
				case "data/last.json":
					seen = true
				default:
					t.Errorf("reported: %q", p)
				}
			}
			k.mu.Unlock()
		}
	})
}

// fakeNotifier refuses to watch more than it may.
type fakeNotifier struct {
	allowed int
	err     error
	closed  chan struct{}
	events  chan fsnotify.Event
	errors  chan error
}

func (f *fakeNotifier) Add(path string) error {
	if f.allowed == 0 {
		return &os.PathError{Op: "inotify_add_watch", Path: path, Err: f.err}
	}
	f.allowed--
	return nil
}
func (f *fakeNotifier) Remove(string) error { return nil }
func (f *fakeNotifier) WatchList() []string { return nil }
func (f *fakeNotifier) Close() error {
	close(f.closed)
	close(f.events)
	close(f.errors)
	return nil
}

func newFake(allowed int, err error) *fakeNotifier {
	return &fakeNotifier{allowed, err, make(chan struct{}), make(chan fsnotify.Event), make(chan error)}
}

func TestFallback(t *testing.T) {
	for _, c := range []struct {
		name    string
		err     error
		allowed int // watches
		later   bool
		hint    string
	}{
		{"at once", syscall.ENOSPC, 2, false, "fs.inotify.max_user_watches"},
		{"later", syscall.ENOSPC, 4, true, "fs.inotify.max_user_watches"},
		{"open files", syscall.EMFILE, 0, false, "ulimit -n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, filepath.Join(dir, "data", "a", "a.json"), "1")
			write(t, filepath.Join(dir, "data", "b", "b.json"), "1")
			k := newWatched(t, dir, nil, "data") // four directories with the parent
			fake := newFake(c.allowed, c.err)
			k.w.start(fake, fake.events, fake.errors)
			if c.later {
				if len(k.lines) != 0 {
					t.Fatalf("log: %q", k.lines)
				}
				write(t, filepath.Join(dir, "data", "c", "c.json"), "1")
				fake.events <- fsnotify.Event{Name: filepath.Join(dir, "data", "c"), Op: fsnotify.Create}
				k.await("data/c")
			}
			select {
			case <-fake.closed:
			case <-time.After(patience):
				t.Fatal("the watcher was not closed")
			}
			write(t, filepath.Join(dir, "data", "b", "b.json"), "22")
			k.await("data/b/b.json")
			write(t, filepath.Join(dir, "data", "b", "b.json"), "333")
			k.await("data/b/b.json")
			k.mu.Lock()
			defer k.mu.Unlock()
			if len(k.lines) != 1 || !strings.Contains(k.lines[0], c.hint) || !strings.HasSuffix(k.lines[0], "looking for changes every second instead") {
				t.Errorf("log: %q", k.lines)
			}
		})
	}
}

// When the system says that it lost events, everything counts as changed.
func TestOverflow(t *testing.T) {
	dir := t.TempDir()
	k := newWatched(t, dir, nil, "data", "content")
	fake := newFake(100, nil)
	k.w.start(fake, fake.events, fake.errors)
	fake.errors <- fsnotify.ErrEventOverflow
	k.await("content")
}

func TestDisplay(t *testing.T) {
	w, err := newWatcher(Options{Watch: []string{"data", "../layouts"}}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	up := filepath.Dir(filepath.Dir(w.roots[0].path))
	for path, want := range map[string]string{
		filepath.Join(w.roots[0].path, "raw", "a b.json"): `"data/raw/a b.json"`,
		filepath.Join(w.roots[1].path, "page.html"):       `"../layouts/page.html"`,
		up: fmt.Sprintf("%q", up),
	} {
		if got := w.display(path); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}
