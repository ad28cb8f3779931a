package publish

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// spare are the folders of the site before the last one, with those of its files that are files of the last one too.
// A draft begins with them: what it has in common with both sites need not be linked, nor its folders made, nor what
// was replaced removed. It has no content of its own, so it costs no more than its folders. Each of its files counts
// only where it is the very file of the last site. A spare that is damaged, or of which a draft came to nothing, is
// removed; it is there to save time.
type spare struct {
	files map[string]bool // in the draft from the beginning
	dirs  map[string]bool // of the draft, "." among them: those it began with and those of its files
}

// start makes the draft, of the spare where there is one.
func (d *Draft) start() error {
	d.spare = spare{map[string]bool{}, map[string]bool{".": true}}
	if exists(d.state.spare()) {
		if d.spares() && exists(d.output) && d.disk.rename(d.state.spare(), d.state.next()) == nil && d.begun() {
			return nil
		}
		for _, name := range []string{d.state.spare(), d.state.next()} {
			if err := d.disk.removeAll(name); err != nil {
				return err
			}
		}
		d.spare = spare{map[string]bool{}, map[string]bool{".": true}}
	}
	err := d.disk.mkdirAll(d.state.next())
	if err != nil && d.state.draft != d.state.dir && !exists(d.state.draft) {
		return fmt.Errorf("%s: nothing can be made there: %w: a site is put there as a whole, so this folder has to be yours to "+
			"write", filepath.Dir(d.output), bare(err))
	}
	return err
}

// spares says whether there may be a spare: the draft lies where it may stay, and is not published there.
func (d *Draft) spares() bool { return d.state.draft == d.state.dir && !d.state.open }

// begun lists what the draft begins with; false where that is not made of plain files, and folders with the rights of
// new ones, alone.
func (d *Draft) begun() bool {
	err := fs.WalkDir(os.DirFS(d.state.next()), ".", func(name string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && d.rights.folder == rightsOf(filepath.Join(d.state.next(), filepath.FromSlash(name))):
			d.spare.dirs[name] = true
		case e.Type().IsRegular():
			d.spare.files[name] = true
		default:
			return fs.ErrInvalid
		}
		return nil
	})
	return err == nil
}

// clear makes the spare have no folder where a file of that name is to lie, and no file where one of its folders is. What
// the draft has there by now stays, and the file cannot be written. The caller has the lock.
func (d *Draft) clear(name string) error {
	below := name + "/"
	if d.spare.dirs[name] {
		for taken := range d.names {
			if strings.HasPrefix(taken, below) {
				return nil
			}
		}
		if err := d.disk.removeAll(filepath.Join(d.state.next(), filepath.FromSlash(name))); err != nil {
			return err
		}
		for _, all := range []map[string]bool{d.spare.files, d.spare.dirs} {
			for gone := range all {
				if gone == name || strings.HasPrefix(gone, below) {
					delete(all, gone)
				}
			}
		}
	}
	for up := path.Dir(name); !d.spare.dirs[up]; up = path.Dir(up) {
		if d.spare.files[up] && !d.names[up] {
			if err := d.disk.removeAll(filepath.Join(d.state.next(), filepath.FromSlash(up))); err != nil {
				return err
			}
			delete(d.spare.files, up)
		}
	}
	return nil
}

// sweep removes what the draft began with and does not have.
func (d *Draft) sweep() error {
	used := map[string]bool{".": true}
	for name := range d.names {
		for up := path.Dir(name); !used[up]; up = path.Dir(up) {
			used[up] = true
		}
	}
	gone := map[string]bool{}
	remove := func(name string) error {
		if gone[path.Dir(name)] {
			return nil
		}
		return d.disk.removeAll(filepath.Join(d.state.next(), filepath.FromSlash(name)))
	}
	for _, dir := range slices.Sorted(maps.Keys(d.spare.dirs)) { // each before those in it
		if used[dir] {
			continue
		}
		if err := remove(dir); err != nil {
			return err
		}
		gone[dir] = true
	}
	for name := range d.spare.files {
		if d.names[name] {
			continue
		}
		if err := remove(name); err != nil {
			return err
		}
	}
	return nil
}

// retire makes the site that was replaced the spare; false where it cannot be one, or would have no file.
func (d *Draft) retire() bool {
	shared := slices.ContainsFunc(d.last, func(name string) bool { return d.linked[name] })
	if !shared || !d.spares() || exists(d.state.spare()) {
		return false
	}
	for _, name := range d.last {
		if !d.linked[name] &&
			d.disk.removeAll(filepath.Join(d.state.previous(), filepath.FromSlash(name))) != nil {
			return false
		}
	}
	return d.disk.rename(d.state.previous(), d.state.spare()) == nil
}

// sameFile tells whether two names are of one plain file.
func sameFile(a, b string) bool {
	x, err := os.Lstat(a)
	y, err2 := os.Lstat(b)
	return err == nil && err2 == nil && x.Mode().IsRegular() && os.SameFile(x, y)
}
