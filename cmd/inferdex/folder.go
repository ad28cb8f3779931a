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

// readSettings reads a file with settings.
func readSettings(name string) ([]byte, error) {
	f, err := openFile(name)
	if err == nil {
		defer f.Close()
		var data []byte
		if data, err = io.ReadAll(io.LimitReader(f, maxSettings+1)); err == nil && len(data) > maxSettings {
			err = fmt.Errorf("%s: more than %d bytes: this is no settings file", name, maxSettings)
		}
		if err == nil {
			return data, nil
		}
	}
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = fmt.Errorf("%s: %w", name, pe.Err)
	}
	return nil, err
}
