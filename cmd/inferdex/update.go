package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/inferdex/inferdex/site/publish"
)

// update changes files below a directory all together or not at all: new content is written beside
// the files and flushed to disk, and only when all of it is there are files renamed and removed.
// A full disk or an interruption before that leaves everything as it was, and so does a file that refuses.
type update struct {
	ctx context.Context
	dir string

	work chan *os.File // written, to be flushed
	done sync.WaitGroup

	mu  sync.Mutex
	err error // the first failure of a flush

	files  []newFile
	remove []string
	moves  []moved
	made   []string        // directories that were not there, outermost first
	there  map[string]bool // directories that were asked for
}

// rename is what an update does to the files of a catalog, so that a test can stop it at each.
var rename = os.Rename

// newFile is content that waits under the name from to become the file to.
type newFile struct{ from, to string }

// moved is a file that lies at to, or does not any more, and was the second name of what lay there; "" where nothing did.
type moved struct{ to, was string }

func beginUpdate(ctx context.Context, dir string) *update {
	// No file waits in the channel: it would be an open one, of which a process may have few.
	u := &update{ctx: ctx, dir: dir, work: make(chan *os.File), there: map[string]bool{}}
	// Flushing is waiting for the disk, which does several at a time as fast as one.
	for range 4 * runtime.GOMAXPROCS(0) {
		u.done.Go(func() {
			for f := range u.work {
				err := f.Sync()
				if cerr := f.Close(); err == nil {
					err = cerr
				}
				u.mu.Lock()
				if u.err == nil {
					u.err = err
				}
				u.mu.Unlock()
			}
		})
	}
	return u
}

// Write takes the content of the file name, with forward slashes. A file that has it already is
// left alone.
func (u *update) Write(name string, data []byte) error {
	if err := u.ctx.Err(); err != nil {
		return err
	}
	to := filepath.Join(u.dir, filepath.FromSlash(name))
	if old, err := readFile(to); err == nil && string(old) == string(data) {
		return nil
	}
	if err := u.mkdir(filepath.Dir(to)); err != nil {
		return err
	}
	f, err := createBeside(to)
	if err != nil {
		return notMade(to, err)
	}
	u.files = append(u.files, newFile{f.Name(), to})
	if _, err = f.Write(data); err != nil {
		f.Close()
		return nameless(to, err)
	}
	u.work <- f
	return nil
}

// nameless is an error of the file that waits to become another: it has the name of that, which is known.
func nameless(to string, err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		err = pe.Err
	}
	if le, ok := errors.AsType[*os.LinkError](err); ok {
		err = le.Err
	}
	return fmt.Errorf("%s: %w", to, err)
}

// notMade is why a file could not be made. That its folder may not be written is no fault of the file, which may be there.
func notMade(name string, err error) error {
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
		name += ": nothing can be made in the folder it lies in"
	}
	return nameless(name, err)
}

// createBeside makes a file beside another, with a name that a catalog passes over and with the rights that
// the user gives new files.
func createBeside(to string) (f *os.File, err error) {
	freeName(to, func(name string) bool {
		f, err = os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
		return errors.Is(err, fs.ErrExist)
	})
	return f, err
}

// freeName is a name beside that of a file, the first that is not taken.
func freeName(to string, taken func(name string) bool) string {
	for n := 0; ; n++ {
		name := filepath.Join(filepath.Dir(to), fmt.Sprintf(newPrefix+"%d-%d-%s", os.Getpid(), n, filepath.Base(to)))
		if !taken(name) {
			return name
		}
	}
}

// Remove takes away the file name, if it is there.
func (u *update) Remove(name string) error {
	u.remove = append(u.remove, filepath.Join(u.dir, filepath.FromSlash(name)))
	return nil
}

// mkdir makes a directory and those above it, once.
func (u *update) mkdir(dir string) error {
	if u.there[dir] {
		return nil
	}
	u.there[dir] = true
	if _, err := os.Stat(dir); err == nil || !errors.Is(err, fs.ErrNotExist) {
		return os.MkdirAll(dir, 0o777) // an error where it is no directory
	}
	if up := filepath.Dir(dir); up != dir {
		if err := u.mkdir(up); err != nil {
			return err
		}
	}
	if err := os.Mkdir(dir, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	u.made = append(u.made, dir)
	return nil
}

// End carries out what was asked for, or takes it back where failed is not nil or something goes
// wrong here. It returns the error that counts.
func (u *update) End(failed error) error {
	close(u.work)
	u.done.Wait()
	err := failed
	if err == nil {
		err = u.err
	}
	if err == nil {
		err = u.ctx.Err()
	}
	if err != nil {
		u.clean()
		return err
	}
	// From here on nothing needs room on the disk, and an interruption waits until it is over. The order is that of the
	// names, in whatever one files were written.
	slices.SortStableFunc(u.files, func(a, b newFile) int { return strings.Compare(a.to, b.to) })
	if err := u.move(); err != nil {
		for _, m := range slices.Backward(u.moves) {
			if m.was == "" {
				_ = os.Remove(m.to)
			} else if rename(m.was, m.to) != nil {
				_ = os.Remove(m.was) // then it is as the update has it
			}
		}
		u.clean()
		return err
	}
	for _, m := range u.moves {
		if m.was != "" {
			_ = os.Remove(m.was) // what is left is swept
		}
	}
	return nil
}

// move gives new files their places, and then takes files away. What lay there keeps a second name, where the disk has such:
// a file of another user in a sticky folder, or one that nobody may change, refuses when others have been moved.
func (u *update) move() error {
	for _, f := range u.files {
		was, err := aside(f.to, os.Link)
		if err := rename(f.from, f.to); err != nil {
			_ = os.Remove(was)
			return nameless(f.to+": cannot be replaced", err)
		}
		if err == nil || errors.Is(err, fs.ErrNotExist) {
			u.moves = append(u.moves, moved{f.to, was})
		}
	}
	for _, name := range u.remove {
		was, err := aside(name, moveFree)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nameless(name+": cannot be removed", err)
		}
		u.moves = append(u.moves, moved{name, was})
	}
	return nil
}

// aside gives a file a second name, by a link to it or by moving it there; "" where that fails.
func aside(name string, to func(from, to string) error) (was string, err error) {
	was = freeName(name, func(was string) bool {
		err = to(name, was)
		return errors.Is(err, fs.ErrExist)
	})
	if err != nil {
		return "", err
	}
	return was, nil
}

// moveFree is rename to a name that is not taken.
func moveFree(from, to string) error {
	if _, err := os.Lstat(to); err == nil {
		return fs.ErrExist
	}
	return rename(from, to)
}

// clean removes what was written beside the files. What was renamed is not there any more, and a
// directory that holds something stays.
func (u *update) clean() {
	for _, f := range u.files {
		_ = os.Remove(f.from)
	}
	for i := len(u.made) - 1; i >= 0; i-- {
		_ = os.Remove(u.made[i])
	}
}

// sweep removes what commands that were killed left beside the files of the catalog and of kept listings. Whoever
// calls it holds the lock.
func (a *app) sweep() {
	lists := filepath.Join(stateDir, "lists")
	for _, name := range slices.Concat(unfinished(a.path(catalogDir)), unfinished(a.path(lists))) {
		_ = os.Remove(name)
	}
}

// unfinished are the files of a directory, and of those right below it, that are not yet in place.
func unfinished(dir string) (names []string) {
	for _, pattern := range []string{newPrefix + "*", "*/" + newPrefix + "*"} {
		// Below the directory and not of its whole name, in which a bracket would be part of the pattern.
		left, err := fs.Glob(os.DirFS(dir), pattern)
		if err != nil {
			return names
		}
		for _, name := range left {
			names = append(names, filepath.Join(dir, filepath.FromSlash(name)))
		}
	}
	return names
}

// newPrefix begins the names of files that are not yet in place. A catalog passes over names with a dot.
const newPrefix = ".new-"

// lock waits until no other ingest writes this catalog: what two of them read of a run and write
// back would lose the points of one.
func (a *app) lock(ctx context.Context) (unlock func(), err error) {
	return a.lockAs(ctx, "ingest.lock", "another ingest is writing this catalog: waiting for it")
}

// lockAs waits until no other program has the lock of a name, and says once what it waits for.
func (a *app) lockAs(ctx context.Context, name, busy string) (unlock func(), err error) {
	name = a.path(filepath.Join(stateDir, name))
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return nil, err
	}
	for told := false; ; told = true {
		unlock, err := publish.Lock(name)
		if !errors.Is(err, publish.ErrLocked) {
			return unlock, err
		}
		if !told {
			a.note("%s", busy)
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
}
