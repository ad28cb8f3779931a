package serve

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/inferdex/inferdex/site/leftover"
)

const (
	// pause is the shortest time between two looks at the files.
	pause = 100 * time.Millisecond
	// rest is how many times as long as a look the pause behind it is: looking takes no more
	// than one twentieth of a processor, however many files there are.
	rest = 19
	// longest is how long a rebuild is put off by files that never stop changing, such as a log
	// in the data folder that something still writes.
	longest = 3 * time.Second
)

// watcher tells which files changed by comparing them with what they were when it looked last.
// That works alike on every system and every file system, for any number of directories.
type watcher struct {
	roots  []root
	ignore func(string) bool
	logf   func(string, ...any)

	before  map[string]stamp
	refused map[string]bool // directories that cannot be read, which was said
}

// root is one of Options.Watch.
type root struct {
	path  string // absolute
	given string // as the caller wrote it
}

// stamp is what is compared of a file.
type stamp struct {
	size    int64
	changed time.Time
}

// newWatcher makes a watcher and has it look for the first time.
func newWatcher(o Options, logf func(string, ...any)) (*watcher, error) {
	w := &watcher{ignore: o.Ignore, logf: logf, refused: map[string]bool{}}
	for _, given := range o.Watch {
		path, err := filepath.Abs(given)
		if err != nil {
			return nil, fmt.Errorf("cannot watch %q: %w", given, err)
		}
		w.roots = append(w.roots, root{path, given})
	}
	w.before = w.look()
	return w, nil
}

// changed returns the files that came, went or changed since the last look, sorted.
func (w *watcher) changed() []string {
	now := w.look()
	found := map[string]bool{}
	for path, is := range now {
		if was, ok := w.before[path]; !ok || was != is {
			found[path] = true
		}
	}
	for path := range w.before {
		if _, ok := now[path]; !ok {
			found[path] = true
		}
	}
	w.before = now
	return slices.Sorted(maps.Keys(found))
}

// known takes the files below a folder for looked at. It is called by whom changed is called by.
func (w *watcher) known(folder string) {
	below := folder + string(filepath.Separator)
	maps.DeleteFunc(w.before, func(path string, _ stamp) bool { return path == folder || strings.HasPrefix(path, below) })
	if info, err := os.Lstat(folder); err == nil { // a link is looked at as look does
		w.visit(folder, info, w.before)
	}
}

// look lists all files below the roots that are not ignored.
func (w *watcher) look() map[string]stamp {
	found := map[string]stamp{}
	for _, r := range w.roots {
		if info, err := os.Stat(r.path); err == nil {
			w.visit(r.path, info, found)
		}
	}
	return found
}

func (w *watcher) visit(path string, info fs.FileInfo, found map[string]stamp) {
	if leftover.Is(filepath.Base(path)) || w.ignore != nil && w.ignore(path) {
		return
	}
	if !info.IsDir() {
		found[path] = stamp{size: info.Size(), changed: info.ModTime()}
		return
	}
	entries, err := os.ReadDir(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) && !w.refused[path] {
		w.refused[path] = true
		w.logf("cannot watch %s, changes in it are not noticed: %v", w.display(path), err)
	}
	for _, e := range entries {
		if info, err := e.Info(); err == nil { // else it is gone by now
			w.visit(filepath.Join(path, e.Name()), info, found)
		}
	}
}

// siteItself stands for the built site among the files that changed.
const siteItself = "the folder of the site"

// andSite has a site that was there and is gone be one of the changed files.
func andSite(changed func() []string, dir func() fs.FS) func() []string {
	there := false
	return func() []string {
		files, was := changed(), there
		if there = dir == nil || dir() != nil; was && !there {
			files = append(files, siteItself)
		}
		return files
	}
}

// display shortens an absolute path to how the caller would write it.
func (w *watcher) display(path string) string {
	if path == siteItself {
		return path
	}
	for _, r := range w.roots {
		if rel, err := filepath.Rel(r.path, path); err == nil && filepath.IsLocal(rel) {
			path = filepath.ToSlash(filepath.Join(r.given, rel))
			break
		}
	}
	return fmt.Sprintf("%q", path)
}

// age is how long ago a file was written, 0 where it is gone or that is not known.
func age(path string) time.Duration {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return max(0, time.Since(info.ModTime()))
}

// settled waits until files have changed and then one look found nothing new, or until they have
// been changing for the longest time, and returns them in the order in which they were found. An
// editor, and much more a checkout of another branch, changes several files at once. A single file
// that was written a pause ago, such as one that is moved here, is not waited for. It returns
// nothing when ctx was cancelled.
func settled(ctx context.Context, changed func() []string, age func(path string) time.Duration) []string {
	var all []string
	seen := map[string]bool{}
	var first time.Time
	for wait := pause; ; {
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(wait):
		}
		start := time.Now()
		more := changed()
		wait = max(pause, rest*time.Since(start))
		if len(all) == 0 {
			first = start
		}
		for _, path := range more {
			if !seen[path] {
				seen[path] = true
				all = append(all, path)
			}
		}
		if len(all) == 0 {
			continue
		}
		if len(more) == 0 || time.Since(first) >= longest {
			return all
		}
		wait = pause // A rebuild waits for the next look.
		if len(all) == 1 {
			if wait -= age(all[0]); wait <= 0 {
				return all
			}
		}
	}
}
