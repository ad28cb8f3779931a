// Package publish puts a built site in the place of the last one. The site is written beside its
// place and moved there when it is whole: a build that fails or is interrupted leaves the last site
// as it was. Files that did not change are linked, not written again, and the folders of the site before it are used
// again, so that a file that stays where it is costs next to nothing (see spare).
//
// What was written is remembered in a folder of the caller's, and listed in the site itself: a directory that holds
// anything else is not replaced. Nothing is left beside the site, which may lie in a folder that is published too; but where the
// caller's folder cannot be written, .inferdex/publish beside the site is that folder.
package publish

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
)

// ErrLocked says that another program has the lock.
var ErrLocked = errors.New("locked")

// lockedError is an [ErrLocked] of a site.
type lockedError struct{ output string }

func (e *lockedError) Error() string {
	return e.output + ": another build is writing this site; wait for it"
}

func (e *lockedError) Unwrap() error { return ErrLocked }

// A Draft is a site that is being written. Nobody sees it before Commit.
type Draft struct {
	output string
	own    Own
	state  state
	disk   disk
	unlock func()
	// rights are those that the system gives a folder and a file that are made now; zero where that is not known.
	rights struct{ folder, file fs.FileMode }

	mu    sync.Mutex
	names map[string]bool
	// linked are those of names that are files of the last site, not copies of them.
	linked map[string]bool
	// spare is what the draft began with.
	spare spare
	seen  seen
	// last are the names of the files of the last site, once Commit has seen them.
	last   []string
	memory []byte
	ended  bool
}

// state names where the draft lies and what is remembered of the site. The draft has to be on the disk of the
// site: where dir is on another, draft is a folder beside the site for as long as the draft is written.
type state struct {
	dir, draft string
	// open says that dir lies where it may be published.
	open bool
}

// stateOf is the state of a site in the folder kept, which one folder of any depth may have many of.
func stateOf(kept, output string) state {
	name := filepath.Base(output)
	if kept != filepath.Join(filepath.Dir(output), ".inferdex", "publish") {
		rel, err := filepath.Rel(kept, output)
		if err != nil { // on another disk
			rel = output
		}
		name += fmt.Sprintf("-%x", sha256.Sum256([]byte(filepath.ToSlash(rel))))[:9]
	}
	dir := filepath.Join(kept, name)
	return state{dir: dir, draft: dir}
}

// beside is the state of a site that nothing can be kept of elsewhere.
func beside(output string) state {
	return stateOf(filepath.Join(filepath.Dir(output), ".inferdex", "publish"), output)
}

// next is the draft, nextFiles the names of its files, one a line; files are those of the site.
// previous is the last site while it is replaced, memory what Draft.Remember was told. See [spare].
func (s state) next() string      { return filepath.Join(s.draft, "next") }
func (s state) nextFiles() string { return filepath.Join(s.dir, "nextfiles") }
func (s state) files() string     { return filepath.Join(s.dir, "files") }
func (s state) previous() string  { return filepath.Join(s.draft, "previous") }
func (s state) spare() string     { return filepath.Join(s.dir, "spare") }
func (s state) memory() string    { return filepath.Join(s.dir, "memory") }
func (s state) seen() string      { return filepath.Join(s.dir, "seen") }
func (s state) try() string       { return filepath.Join(s.dir, "try") }
func (s state) lock() string      { return filepath.Join(s.dir, "lock") }

// disk are the operations that change something, so that a test can have each of them fail.
type disk struct {
	mkdirAll  func(string) error
	write     func(string, []byte) error
	link      func(from, to string) error
	rename    func(from, to string) error
	removeAll func(string) error
}

var realDisk = disk{
	mkdirAll:  func(name string) error { return os.MkdirAll(name, 0o777) },
	write:     func(name string, data []byte) error { return os.WriteFile(name, data, 0o666) },
	link:      os.Link,
	rename:    os.Rename,
	removeAll: os.RemoveAll,
}

// Own says whose a site is that this package wrote and that is not remembered: nil for the caller's own, which the
// draft may replace. Files are the names of its files.
type Own func(files []string) error

// Begin makes a draft that is to become the directory output, of which the folder kept remembers what was
// written. It brings to an end what an
// interrupted Commit left, and fails where output holds what this package did not write, a site that is not the
// caller's own, or, with [ErrLocked], where another draft for it is being written. Every draft ends with Commit or Abort.
func Begin(output, kept string, own Own) (*Draft, error) { return begin(output, kept, own, realDisk) }

func begin(output, kept string, own Own, on disk) (*Draft, error) {
	output, err := filepath.Abs(output)
	if err != nil {
		return nil, err
	}
	if output == filepath.Dir(output) {
		return nil, fmt.Errorf("%s: a site cannot take the place of a whole disk; name a directory", output)
	}
	if kept, err = filepath.Abs(kept); err != nil {
		return nil, err
	}
	d := &Draft{output: output, own: own, state: stateOf(kept, output), disk: on, names: map[string]bool{},
		linked: map[string]bool{}}
	// It is tried whether something can be made there: what is there may be of another user, or on a disk that is only read.
	if err := on.mkdirAll(d.state.try()); err != nil {
		if d.state == beside(output) {
			return nil, err
		}
		d.state = beside(output)
		d.state.open = true
		if err := on.mkdirAll(d.state.dir); err != nil {
			return nil, err
		}
	}
	if d.unlock, err = Lock(d.state.lock()); err != nil {
		if errors.Is(err, ErrLocked) {
			err = &lockedError{output}
		}
		return nil, err
	}
	for _, step := range []func() error{
		d.choose, d.recover, d.adopt, d.replaceable, d.start,
	} {
		if err := step(); err != nil {
			d.unlock()
			return nil, err
		}
	}
	d.seen.rights = d.rights.file
	if data, err := readKept(d.state.seen()); err == nil {
		d.seen.last = decodeSeen(data)
	}
	return d, nil
}

// choose decides where the draft lies, by moving something from there to where the site is.
func (d *Draft) choose() error {
	if d.state.open {
		return nil // It lies beside the site, since nothing can be kept elsewhere.
	}
	up := filepath.Dir(d.output)
	if err := d.disk.mkdirAll(up); err != nil {
		return err
	}
	from, to := d.state.try(), filepath.Join(up, ".inferdex-try-"+filepath.Base(d.state.dir))
	file := filepath.Join(from, "file")
	if err := errors.Join(d.disk.mkdirAll(from), d.disk.write(file, nil)); err != nil {
		return errors.Join(err, d.disk.removeAll(from))
	}
	d.rights.folder, d.rights.file = rightsOf(from), rightsOf(file)
	if d.disk.rename(from, to) != nil {
		d.rights.folder, d.rights.file = 0, 0 // Another disk may give others.
		d.state.draft = filepath.Join(up, ".inferdex-"+filepath.Base(d.state.dir))
	}
	return errors.Join(d.disk.removeAll(from), d.disk.removeAll(to))
}

// adopt takes over what was remembered beside the site, where all of it once was; not what another remembers there.
func (d *Draft) adopt() error {
	was := &Draft{output: d.output, state: beside(d.output), disk: d.disk}
	if was.state.dir == d.state.dir || !exists(was.state.dir) {
		return nil
	}
	if names := listed(d.output); len(names) > 0 && d.own(names) != nil {
		return nil
	}
	if err := was.recover(); err != nil {
		return err
	}
	list, err := readKept(was.state.files())
	if err == nil && !exists(d.state.files()) {
		if err := d.disk.write(d.state.nextFiles(), list); err != nil {
			return err
		}
		if err := d.disk.rename(d.state.nextFiles(), d.state.files()); err != nil {
			return err
		}
	}
	if err := d.disk.removeAll(was.state.dir); err != nil {
		return err
	}
	// Both may hold what is kept of others.
	_ = os.Remove(filepath.Dir(was.state.dir))
	_ = os.Remove(filepath.Dir(filepath.Dir(was.state.dir)))
	return nil
}

// recover brings to an end what an interrupted Commit left: the last site comes back where the new
// one had not taken its place yet.
func (d *Draft) recover() error {
	switch {
	case !exists(d.output) && exists(d.state.previous()):
		if err := d.disk.rename(d.state.previous(), d.output); err != nil {
			return err
		}
	case exists(d.state.nextFiles()) && !exists(d.state.next()):
		// The new site had taken its place, but not the list of its files.
		if err := d.disk.rename(d.state.nextFiles(), d.state.files()); err != nil {
			return err
		}
	}
	if err := d.forget(); err != nil {
		return err
	}
	return d.clean()
}

// forget removes the site before the last one.
func (d *Draft) forget() error {
	if err := d.disk.removeAll(d.state.previous()); err != nil {
		return fmt.Errorf("%w: it is left of a site that was replaced: remove it", err)
	}
	return nil
}

// clean removes the draft. Its list goes first: without the draft it would be taken for the list
// of the site.
func (d *Draft) clean() error {
	if err := d.disk.removeAll(d.state.nextFiles()); err != nil {
		return err
	}
	return d.disk.removeAll(d.state.next())
}

// replaceable returns why the output directory cannot be replaced: something in it is not of our
// making.
func (d *Draft) replaceable() error {
	info, err := os.Lstat(d.output)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		return fmt.Errorf("%s: is a link; remove it, or name the directory that it leads to as output directory", d.output)
	}
	if !info.IsDir() {
		return fmt.Errorf("%s: is not a directory; remove it, or name another output directory", d.output)
	}
	list, err := readList(d.state.files())
	if err != nil {
		return err
	}
	ours := map[string]bool{}
	add := func(names []string) {
		for _, name := range names {
			ours[name] = true
		}
	}
	add(list)
	asked := false
	d.last = nil
	return fs.WalkDir(os.DirFS(d.output), ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			var pe *fs.PathError
			if errors.As(err, &pe) {
				err = pe.Err
			}
			return fmt.Errorf("%s: %w", filepath.Join(d.output, filepath.FromSlash(name)), err)
		}
		if !e.IsDir() {
			d.last = append(d.last, name)
		}
		if e.IsDir() || ours[name] || e.Name() == ".DS_Store" {
			return nil
		}
		if names := listed(d.output); !asked && len(names) > 0 {
			if err := d.own(names); err != nil {
				return fmt.Errorf("%s: %w", d.output, err)
			}
			add(names)
		}
		if asked = true; ours[name] {
			return nil
		}
		if len(ours) == 0 {
			return fmt.Errorf("%s: is not empty and not a site that this program wrote (it has %q); "+
				"empty it, or name another output directory", d.output, name)
		}
		return fmt.Errorf("%s: has %q, which this program did not write and would remove; move it to content/ or away",
			d.output, name)
	})
}

// regular fails where something is there that is no file: what is kept is not read from a pipe that nobody writes to.
func regular(name string) error {
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s: is no file; remove it: it is written anew", name)
	}
	return nil
}

// readKept reads a file that is kept for the next build.
func readKept(name string) ([]byte, error) {
	if err := regular(name); err != nil {
		return nil, err
	}
	return os.ReadFile(name)
}

// readList reads a list of files; nil where there is none.
func readList(name string) ([]string, error) {
	data, err := readKept(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var names []string
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimSuffix(line, "\n"); line != "" {
			names = append(names, line)
		}
	}
	return names, nil
}

func exists(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}

// Write adds a file to the draft: its name below the site's root with forward slashes.
func (d *Draft) Write(name string, data []byte) error {
	p, err := d.add(name)
	if err != nil {
		return err
	}
	if same(p.from, data) {
		if linked, err := d.link(p); linked || err != nil {
			return err
		}
	}
	return d.write(p, data)
}

// Last is the content of a file of the last site; false where it is not there or no plain file.
func (d *Draft) Last(name string) ([]byte, bool) {
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		return nil, false
	}
	from := filepath.Join(d.output, filepath.FromSlash(name))
	if info, err := os.Lstat(from); err != nil || !info.Mode().IsRegular() {
		return nil, false
	}
	data, err := os.ReadFile(from)
	return data, err == nil
}

// Is says whether a file of the last site is plain and has that size and that SHA-256. One that was read before is not
// read again while the system tells nothing else of it, or of the file that the draft began with in its place.
func (d *Draft) Is(name string, size int64, sum [sha256.Size]byte) bool {
	local := filepath.FromSlash(name)
	if !filepath.IsLocal(local) {
		return false
	}
	d.mu.Lock()
	had := d.spare.files[name]
	d.mu.Unlock()
	return had && d.seen.begun(name, size, sum, filepath.Join(d.state.next(), local)) ||
		d.seen.is(name, size, sum, filepath.Join(d.output, local))
}

// Keep adds a file of the last site to the draft.
func (d *Draft) Keep(name string) error {
	p, err := d.add(name)
	if err != nil {
		return err
	}
	if linked, err := d.link(p); linked || err != nil {
		return err
	}
	data, err := os.ReadFile(p.from)
	if err != nil {
		return err
	}
	return d.write(p, data)
}

// place is where a file of that name lies in the last site and where it is to lie in the next; had says that one lies
// there, of the spare, and sound that it is known to be the right one.
type place struct {
	name, from, to string
	had, sound     bool
}

// add makes room for a file of the draft.
func (d *Draft) add(name string) (p place, err error) {
	if !fs.ValidPath(name) || name == "." || strings.ContainsAny(name, "\\\n") ||
		!filepath.IsLocal(filepath.FromSlash(name)) {
		return p, fmt.Errorf("file %q: the name is no path below the site's root", name)
	}
	local := filepath.FromSlash(name)
	p = place{name: name, from: filepath.Join(d.output, local), to: filepath.Join(d.state.next(), local)}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.names[name] {
		return p, fmt.Errorf("file %q: is written twice", name)
	}
	d.names[name] = true
	if p.had = d.spare.files[name]; p.had {
		p.sound = d.seen.sound(name)
		return p, nil
	}
	if err := d.clear(name); err != nil {
		return p, err
	}
	if dir := path.Dir(name); !d.spare.dirs[dir] {
		if err := d.disk.mkdirAll(filepath.Dir(p.to)); err != nil {
			return p, err
		}
		d.spare.dirs[dir] = true
	}
	return p, nil
}

// rightsOf are those of who may read, write and enter; zero where they are not told.
func rightsOf(name string) fs.FileMode {
	info, err := os.Lstat(name)
	if err != nil {
		return 0
	}
	return info.Mode().Perm()
}

// link makes the file that of the last site; false where the disk cannot have one file under two names, or who may read it
// is not who may read a new one: a server could not show a site that was once built under another umask.
func (d *Draft) link(p place) (bool, error) {
	if !p.sound && d.rights.file != 0 && rightsOf(p.from) != d.rights.file {
		return false, nil
	}
	if !p.sound && (!p.had || !sameFile(p.from, p.to)) {
		if err := d.free(p); err != nil {
			return false, err
		}
		if d.disk.link(p.from, p.to) != nil {
			return false, nil
		}
		d.seen.linked(p.name, p.to)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.linked[p.name] = true
	return true, nil
}

// write writes a file that is none of the last site. What lies there is removed first, because it may be a file of the
// last site too.
func (d *Draft) write(p place, data []byte) error {
	if err := d.free(p); err != nil {
		return err
	}
	return d.disk.write(p.to, data)
}

// free removes the file of the spare.
func (d *Draft) free(p place) error {
	if !p.had {
		return nil
	}
	return d.disk.removeAll(p.to)
}

// Remembered is what the last draft that became the site was told to remember, or one before it; nil for nothing, and
// where no site is there: nothing of it can be kept, and what is compared with it is held for nothing.
func (d *Draft) Remembered() []byte { return d.state.remembered(d.output) }

// Remembered is what a draft of that site would say now, without one.
func Remembered(output, kept string) []byte {
	output, err := filepath.Abs(output)
	if err != nil {
		return nil
	}
	if kept, err = filepath.Abs(kept); err != nil {
		return nil
	}
	return stateOf(kept, output).remembered(output)
}

func (s state) remembered(output string) []byte {
	if info, err := os.Stat(output); err != nil || !info.IsDir() {
		return nil // a pipe would be waited for
	}
	f, err := os.Open(output)
	if err != nil {
		return nil
	}
	defer f.Close()
	names, _ := f.Readdirnames(2)
	if !slices.ContainsFunc(names, func(name string) bool { return name != listName }) {
		return nil
	}
	data, err := readKept(s.memory())
	if err != nil {
		return nil // It is there to save time.
	}
	return data
}

// Remember has Commit keep data beside the site for the next draft.
func (d *Draft) Remember(data []byte) { d.memory = data }

// keepFile keeps data in a file for the next draft. Where that fails, nothing is kept: it is there to save time.
func (d *Draft) keepFile(name string, data []byte) {
	next := name + ".next"
	if len(data) > 0 && d.disk.write(next, data) == nil && d.disk.rename(next, name) == nil {
		return
	}
	_ = d.disk.removeAll(next)
	_ = d.disk.removeAll(name)
}

// same tells whether the file holds data.
func same(name string, data []byte) bool {
	info, err := os.Lstat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() != int64(len(data)) {
		return false
	}
	old, err := os.ReadFile(name)
	return err == nil && bytes.Equal(old, data)
}

// Commit puts the draft in the place of the last site. Between two renamings there is no site for a
// moment; a program that stops right there is put right by the next Begin. After an error the last
// site is where it was.
func (d *Draft) Commit() error {
	if d.ended {
		return errors.New("this draft has come to its end")
	}
	defer d.end()
	if err := d.replaceable(); err != nil {
		return errors.Join(err, d.clean())
	}
	if err := d.list(); err != nil {
		return errors.Join(err, d.clean())
	}
	if err := d.sweep(); err != nil {
		return errors.Join(err, d.clean())
	}
	names := slices.Sorted(maps.Keys(d.names))
	if err := d.disk.write(d.state.nextFiles(), []byte(strings.Join(names, "\n")+"\n")); err != nil {
		return errors.Join(err, d.clean())
	}
	var known []byte
	if info, err := os.Lstat(d.state.nextFiles()); err == nil {
		known = encodeSeen(d.seen.rested(ToldOf(info).Changed, d.linked))
	}
	had := exists(d.output)
	if had {
		if err := d.disk.rename(d.output, d.state.previous()); err != nil {
			switch {
			case errors.Is(err, fs.ErrPermission):
				err = fmt.Errorf("%s: cannot be moved away: %w: a site is replaced as a whole, so its folder and the one above it "+
					"have to be yours to write", d.output, bare(err))
			case errors.Is(err, syscall.EBUSY):
				err = fmt.Errorf("%s: is a mount point, and a site is replaced as a whole; name a folder within it", d.output)
			}
			return errors.Join(err, d.clean())
		}
	}
	if err := d.disk.rename(d.state.next(), d.output); err != nil {
		if had {
			err = errors.Join(err, d.disk.rename(d.state.previous(), d.output))
		}
		return errors.Join(err, d.clean())
	}
	// The new site is in its place. What is left to do the next Begin could do as well.
	if err := d.disk.rename(d.state.nextFiles(), d.state.files()); err != nil {
		return err
	}
	d.keepFile(d.state.memory(), d.memory)
	d.keepFile(d.state.seen(), known)
	if had && d.retire() {
		return nil
	}
	return d.forget()
}

// bare is an error of the system without the names of files.
func bare(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	if e, ok := errors.AsType[*os.LinkError](err); ok {
		return e.Err
	}
	return err
}

// Abort gives the draft up and leaves the last site as it is. After Commit it does nothing, so that
// it can be deferred.
func (d *Draft) Abort() error {
	if d.ended {
		return nil
	}
	defer d.end()
	return d.clean()
}

func (d *Draft) end() {
	d.ended = true
	if d.state.draft != d.state.dir {
		_ = os.Remove(d.state.draft)
	}
	d.unlock()
}
