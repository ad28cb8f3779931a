package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
)

// maxSettings bounds a file with settings in bytes.
const maxSettings = 1 << 20

// errIrregular says that something is a pipe, a device or a socket: reading it might never end.
var errIrregular = errors.New("neither a file nor a directory: move it away")

// folder is a directory of the user. Unlike that of os.DirFS, nothing but files and directories can be opened
// in it.
type folder string

// Open implements fs.FS.
func (f folder) Open(name string) (fs.File, error) {
	if fs.ValidPath(name) {
		info, err := os.Stat(filepath.Join(string(f), filepath.FromSlash(name)))
		if err == nil && !info.IsDir() && !info.Mode().IsRegular() {
			return nil, &fs.PathError{Op: "open", Path: name, Err: errIrregular}
		}
	}
	return os.DirFS(string(f)).Open(name)
}

// errOutside says that a link leads out of the catalog: what it leads to could be published.
var errOutside = errors.New("a link that leads out of the catalog: put the file itself there")

// inside is a folder of the catalog whose files somebody else may have sent. What a link out of the catalog leads to
// cannot be opened in it, whether the link is the folder, in it or above it.
type inside struct {
	folder
	catalog string
}

// inside is the catalog's folder of that name, such as "content".
func (a *app) inside(name string) inside {
	return inside{folder: folder(filepath.Clean(a.path(name))), catalog: a.path(".")}
}

// Open implements fs.FS.
func (i inside) Open(name string) (fs.File, error) {
	f, err := i.folder.Open(name)
	if err == nil && leadsOut(i.catalog, filepath.Join(string(i.folder), filepath.FromSlash(name))) {
		return nil, errors.Join(f.Close(), &fs.PathError{Op: "open", Path: name, Err: errOutside})
	}
	return f, err
}

// leadsOut tells whether what name leads to lies outside of dir. What cannot be followed does not.
func leadsOut(dir, name string) bool {
	for _, at := range []*string{&dir, &name} {
		full, err := filepath.Abs(*at)
		if err == nil {
			*at, err = filepath.EvalSymlinks(full)
		}
		if err != nil {
			return false
		}
	}
	rel, err := filepath.Rel(dir, name)
	return err != nil || !filepath.IsLocal(rel)
}

// openFile opens a file or a directory under any name of it, and nothing else. An error has the name.
func openFile(name string) (fs.File, error) {
	f, err := folder(filepath.Dir(name)).Open(filepath.Base(name))
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = &fs.PathError{Op: pe.Op, Path: name, Err: pe.Err}
	}
	return f, err
}

// readFile reads a file that [openFile] opens.
func readFile(name string) ([]byte, error) {
	f, err := openFile(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}

// below names the file of a folder in an error as the user knows it.
func below(dir string, err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return fmt.Errorf("%s: %w", path.Join(dir, pe.Path), pe.Err)
	}
	return err
}

// published is a directory that is served: links that lead out of it are not followed, and nothing but files
// and directories can be opened.
type published string

// Open implements fs.FS.
func (p published) Open(name string) (fs.File, error) {
	root, err := os.OpenRoot(string(p))
	if err != nil {
		return nil, err
	}
	defer root.Close()
	info, err := root.Stat(filepath.FromSlash(name))
	if err == nil && !info.IsDir() && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "open", Path: name, Err: errIrregular}
	}
	if err != nil {
		return nil, err
	}
	return root.Open(filepath.FromSlash(name))
}

// runFiles is a folder with the files of runs. It may itself be a link, to a larger disk; what a file or a folder in it
// leads to outside of it cannot be opened.
type runFiles struct{ folder }

// runFiles is the catalog's folder of runs.
func (a *app) runFiles() runFiles { return runFiles{folder(a.path(catalogDir))} }

// errNowhere says that what a link leads to is not there: what is missing is not the folder but what was in it.
var errNowhere = errors.New("a link that leads nowhere: is its disk there?")

// leadsNowhere tells whether name, or a folder above it, is a link to what is not there.
func leadsNowhere(name string) bool {
	for _, err := os.Lstat(name); err != nil && name != filepath.Dir(name); _, err = os.Lstat(name) {
		name = filepath.Dir(name)
	}
	_, err := os.Stat(name)
	return errors.Is(err, fs.ErrNotExist)
}

// Open implements fs.FS. There are thousands of such files: none is followed that is no link.
func (r runFiles) Open(name string) (fs.File, error) {
	f, err := r.folder.Open(name)
	if name == "." && errors.Is(err, fs.ErrNotExist) && leadsNowhere(string(r.folder)) {
		err = &fs.PathError{Op: "open", Path: name, Err: errNowhere}
	}
	for at := name; err == nil && at != "."; at = path.Dir(at) {
		full := filepath.Join(string(r.folder), filepath.FromSlash(at))
		info, unknown := os.Lstat(full)
		if unknown == nil && info.Mode()&fs.ModeSymlink != 0 && leadsOut(string(r.folder), full) {
			return nil, errors.Join(f.Close(), &fs.PathError{Op: "open", Path: name, Err: errOutside})
		}
	}
	return f, err
}

// readSettings reads a file with settings that has a name in the catalog. A link leads no further than the folder that it
// lies in, or the catalog: messages quote what they read.
func (a *app) readSettings(name string) ([]byte, error) {
	name = a.path(name)
	dir, within := filepath.Dir(name), a.path(".")
	if !leadsOut(dir, name) {
		within = dir // one above what is ingested may lie in no catalog
	}
	data, err := readSettingsOf(inside{folder(dir), within}, filepath.Base(name))
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		err = fmt.Errorf("%s: %w", name, pe.Err)
	}
	return data, err
}

// readSettingsOf reads a file with settings of a folder; the error is a [*fs.PathError].
func readSettingsOf(dir fs.FS, name string) ([]byte, error) {
	f, err := dir.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxSettings+1))
	if err == nil && len(data) > maxSettings {
		err = &fs.PathError{Op: "read", Path: name, Err: fmt.Errorf("more than %d bytes: this is no settings file", maxSettings)}
	}
	return data, err
}
