package serve

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/fsnotify/fsnotify"
)

// notifier is the part of *fsnotify.Watcher that is asked to do something.
type notifier interface {
	Add(path string) error
	Remove(path string) error
	WatchList() []string
	Close() error
}

// watcher calls changed for every change below its roots. It is told of them by the system as
// long as that can be had, and otherwise compares the files with what they were a second ago.
type watcher struct {
	roots   []root
	ignore  func(string) bool
	changed func(path string)
	logf    func(string, ...any)
	every   time.Duration // between two looks when polling

	stop    chan struct{}
	workers sync.WaitGroup

	mu      sync.Mutex
	system  notifier // nil when polling
	polling bool
	begun   bool // the first refresh is over
	closed  bool

	// Events are taken off fsnotify at once and handled by another goroutine: handling one adds
	// watches, which can wait for a lock that fsnotify holds while it delivers.
	queueMu sync.Mutex
	queue   []fsnotify.Event
	queued  chan struct{} // holds one token when queue may not be empty
}

// root is one of Options.Watch.
type root struct {
	path  string // absolute
	given string // as the caller wrote it
}

// newWatcher makes a watcher that begin starts.
func newWatcher(o Options, changed func(string), logf func(string, ...any)) (*watcher, error) {
	w := &watcher{ignore: o.Ignore, changed: changed, logf: logf, every: time.Second, stop: make(chan struct{}), queued: make(chan struct{}, 1)}
	for _, given := range o.Watch {
		path, err := filepath.Abs(given)
		if err != nil {
			return nil, fmt.Errorf("cannot watch %q: %w", given, err)
		}
		w.roots = append(w.roots, root{path, given})
	}
	return w, nil
}

// begin starts watching and returns when no change can be missed any more.
func (w *watcher) begin(poll bool) {
	if poll {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.poll()
		return
	}
	system, err := fsnotify.NewWatcher()
	if err != nil {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.giveUp(err)
		return
	}
	w.start(system, system.Events, system.Errors)
}

// start begins to watch by system, which delivers to events and failures.
func (w *watcher) start(system notifier, events <-chan fsnotify.Event, failures <-chan error) {
	w.system = system
	w.workers.Add(2)
	go w.receive(events, failures)
	go w.work()
	w.refresh()
	w.mu.Lock()
	w.begun = true
	w.mu.Unlock()
}

func (w *watcher) close() {
	w.mu.Lock()
	if !w.closed {
		w.closed = true
		close(w.stop)
	}
	system := w.system
	w.system = nil
	w.mu.Unlock()
	if system != nil {
		system.Close()
	}
	w.workers.Wait()
}

// display shortens an absolute path to how the caller would write it.
func (w *watcher) display(path string) string {
	for _, r := range w.roots {
		if rel, ok := below(path, r.path); ok {
			return fmt.Sprintf("%q", filepath.ToSlash(filepath.Join(r.given, rel)))
		}
	}
	return fmt.Sprintf("%q", path)
}

// below reports whether path is dir or lies in it, and where.
func below(path, dir string) (rel string, ok bool) {
	if path == dir {
		return ".", true
	}
	if !strings.HasSuffix(dir, string(filepath.Separator)) {
		dir += string(filepath.Separator)
	}
	return strings.CutPrefix(path, dir)
}

// relevant reports whether a change of path concerns the site: it lies below a root and neither
// it nor a directory between the two is ignored.
func (w *watcher) relevant(path string) bool {
	for _, r := range w.roots {
		if _, ok := below(path, r.path); !ok {
			continue
		}
		if !w.ignoredBetween(path, r.path) {
			return true
		}
	}
	return false
}

func (w *watcher) ignoredBetween(path, root string) bool {
	for ; ; path = filepath.Dir(path) {
		if w.ignored(path) {
			return true
		}
		if path == root {
			return false
		}
	}
}

func (w *watcher) ignored(path string) bool {
	return temporary(filepath.Base(path)) || w.ignore != nil && w.ignore(path)
}

// above reports whether a root lies below path, so that path's coming or going is that of the
// root.
func (w *watcher) above(path string) bool {
	for _, r := range w.roots {
		if _, ok := below(r.path, path); ok && r.path != path {
			return true
		}
	}
	return false
}

// temporary reports whether a file of this name is an editor's or a file manager's own, or a
// folder that of a version control system.
func temporary(name string) bool {
	switch name {
	case ".git", ".hg", ".svn", ".jj", ".DS_Store", "4913": // vim creates 4913 to see whether it can
		return true
	}
	for _, prefix := range []string{".#", ".goutputstream-"} { // emacs, GNOME
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	for _, suffix := range []string{"~", ".swp", ".swo", ".swx", ".tmp", ".part", ".crdownload"} {
		if strings.HasSuffix(name, suffix) {
			return true
		}
	}
	return len(name) > 1 && name[0] == '#' && name[len(name)-1] == '#' // emacs
}

// refresh watches every directory that is to be watched. Watching one again does no harm, and
// nothing is remembered that a moved directory could make untrue.
func (w *watcher) refresh() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, r := range w.roots {
		// The parent tells when a root comes, goes or is replaced, and watches a root that is
		// a file. If it is not there either, the nearest directory that is.
		parent := nearestDir(filepath.Dir(r.path))
		w.add(parent)
		// A nearer one may have come into being before its parent was watched.
		for p := nearestDir(filepath.Dir(r.path)); p != parent; p = nearestDir(filepath.Dir(r.path)) {
			parent = p
			w.add(parent)
		}
		w.addTree(r.path)
	}
}

// nearestDir is path or the first of its parents that is a directory.
func nearestDir(path string) string {
	for {
		info, err := os.Stat(path)
		if up := filepath.Dir(path); (err != nil || !info.IsDir()) && up != path {
			path = up
			continue
		}
		return path
	}
}

// addTree watches dir and all directories in it that are not ignored; w.mu is held. A directory
// is watched before it is read: what is created in between is seen one way or the other.
func (w *watcher) addTree(dir string) {
	if w.system == nil || w.ignored(dir) {
		return
	}
	info, err := os.Stat(dir)
	if err != nil || !info.IsDir() {
		return
	}
	w.add(dir)
	entries, _ := os.ReadDir(dir) // what is gone by now, or cannot be read, is not watched
	for _, e := range entries {
		if e.IsDir() {
			w.addTree(filepath.Join(dir, e.Name()))
		}
	}
}

// add watches one directory; w.mu is held.
func (w *watcher) add(dir string) {
	if w.system == nil {
		return
	}
	err := w.system.Add(dir)
	switch {
	case err == nil || errors.Is(err, fs.ErrNotExist) || errors.Is(err, fsnotify.ErrClosed):
	case errors.Is(err, fs.ErrPermission):
		w.logf("cannot watch %q, changes in it are not noticed: %v", dir, err)
	default:
		w.giveUp(err)
	}
}

// giveUp goes over to polling because of err; w.mu is held.
func (w *watcher) giveUp(err error) {
	why := "the system does not tell of changes"
	switch {
	case errors.Is(err, syscall.ENOSPC):
		why = "there are more directories than the system watches for one user (on Linux raise fs.inotify.max_user_watches, or serve a smaller catalog)"
	case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE):
		why = "too many files are open or watched (raise `ulimit -n`, on Linux also fs.inotify.max_user_instances)"
	}
	w.logf("%s: %v; looking for changes every second instead", why, err)
	if system := w.system; system != nil {
		w.system = nil
		// Close waits until fsnotify has delivered what it has, which receive may not have
		// taken yet.
		w.workers.Go(func() { system.Close() })
	}
	w.poll()
	if w.begun && len(w.roots) > 0 { // something may have changed after the last event
		w.changed(w.roots[0].path)
	}
}

// receive takes events off fsnotify until it is closed.
func (w *watcher) receive(events <-chan fsnotify.Event, failures <-chan error) {
	defer w.workers.Done()
	for events != nil || failures != nil {
		var e fsnotify.Event
		var ok bool
		select {
		case e, ok = <-events:
			if !ok {
				events = nil
				continue
			}
		case err, open := <-failures:
			if !open {
				failures = nil
				continue
			}
			if err == nil {
				continue
			}
			if !errors.Is(err, fsnotify.ErrEventOverflow) {
				w.logf("watching files: %v", err)
			}
			// Events were lost. Any of them may have been below any root: the zero event.
		}
		w.queueMu.Lock()
		w.queue = append(w.queue, e)
		w.queueMu.Unlock()
		select {
		case w.queued <- struct{}{}:
		default:
		}
	}
}

// work handles the events that receive has queued.
func (w *watcher) work() {
	defer w.workers.Done()
	for {
		select {
		case <-w.stop:
			return
		case <-w.queued:
		}
		w.queueMu.Lock()
		batch := w.queue
		w.queue = nil
		w.queueMu.Unlock()
		for _, e := range batch {
			w.handle(e)
		}
	}
}

func (w *watcher) handle(e fsnotify.Event) {
	if e.Name == "" { // some events were lost
		w.refresh()
		for _, r := range w.roots {
			w.changed(r.path)
		}
		return
	}
	if e.Op&^fsnotify.Chmod == 0 {
		return // indexers and backups touch attributes all the time
	}
	path := filepath.Clean(e.Name)
	relevant := w.relevant(path)
	if !relevant && !w.above(path) {
		return
	}
	if e.Op == fsnotify.Write {
		// Some systems say that a directory was written when a file in it was, ignored or not.
		// The file has its own event.
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			return
		}
	}
	if e.Has(fsnotify.Rename) {
		w.forget(path)
	}
	if !relevant { // a directory on the way to a root
		w.refresh()
		w.changed(path)
		return
	}
	if e.Has(fsnotify.Create) {
		w.mu.Lock()
		w.addTree(path)
		w.mu.Unlock()
	}
	w.changed(path)
}

// forget ends the watches of a directory that was moved away and of those in it: they would
// stay with the files at their new place and tell of them under the old name.
func (w *watcher) forget(dir string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.system == nil {
		return
	}
	for _, path := range w.system.WatchList() {
		if _, ok := below(path, dir); ok {
			w.system.Remove(path) // an error says that it is gone already
		}
	}
}

// poll begins to look for changes every so often; w.mu is held.
func (w *watcher) poll() {
	if w.polling || w.closed {
		return
	}
	w.polling = true
	before := w.look()
	w.workers.Go(func() {
		tick := time.NewTicker(w.every)
		defer tick.Stop()
		for {
			select {
			case <-w.stop:
				return
			case <-tick.C:
			}
			now := w.look()
			for path, is := range now {
				if was, ok := before[path]; !ok || was != is {
					w.changed(path)
				}
			}
			for path := range before {
				if _, ok := now[path]; !ok {
					w.changed(path)
				}
			}
			before = now
		}
	})
}

// stamp is what polling compares of a file. Of a directory only that it is there: its time
// changes with ignored files too.
type stamp struct {
	dir     bool
	size    int64
	changed time.Time
}

// look lists all files below the roots that are not ignored.
func (w *watcher) look() map[string]stamp {
	found := map[string]stamp{}
	var visit func(path string, info fs.FileInfo)
	visit = func(path string, info fs.FileInfo) {
		if w.ignored(path) {
			return
		}
		if !info.IsDir() {
			found[path] = stamp{size: info.Size(), changed: info.ModTime()}
			return
		}
		found[path] = stamp{dir: true}
		entries, _ := os.ReadDir(path)
		for _, e := range entries {
			if info, err := e.Info(); err == nil {
				visit(filepath.Join(path, e.Name()), info)
			}
		}
	}
	for _, r := range w.roots {
		if info, err := os.Stat(r.path); err == nil {
			visit(r.path, info)
		}
	}
	return found
}
