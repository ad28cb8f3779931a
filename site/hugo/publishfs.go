package hugo

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path"
	"strings"
	"time"

	"github.com/spf13/afero"
)

// publishFS is the file system that Hugo publishes to. It can be written to only, and it never
// fails: where several pages fail, Hugo may wait for itself forever. The sink knows what failed.
type publishFS struct{ out *sink }

var errWriteOnly = errors.New("the published site cannot be read while it is made")

func (p *publishFS) Name() string { return "inferdex" }

func (p *publishFS) Create(name string) (afero.File, error) {
	return &publishFile{out: p.out, name: strings.TrimPrefix(path.Clean("/"+name), workDir+"/public/")}, nil
}

func (p *publishFS) OpenFile(name string, flag int, _ os.FileMode) (afero.File, error) {
	if flag&(os.O_WRONLY|os.O_RDWR) == 0 {
		return nil, notExist("open", name)
	}
	return p.Create(name)
}

func (p *publishFS) Open(name string) (afero.File, error)       { return nil, notExist("open", name) }
func (p *publishFS) Stat(name string) (os.FileInfo, error)      { return nil, notExist("stat", name) }
func (p *publishFS) Mkdir(string, os.FileMode) error            { return nil }
func (p *publishFS) MkdirAll(string, os.FileMode) error         { return nil }
func (p *publishFS) Remove(string) error                        { return errWriteOnly }
func (p *publishFS) RemoveAll(string) error                     { return errWriteOnly }
func (p *publishFS) Rename(string, string) error                { return errWriteOnly }
func (p *publishFS) Chmod(string, os.FileMode) error            { return nil }
func (p *publishFS) Chown(string, int, int) error               { return nil }
func (p *publishFS) Chtimes(string, time.Time, time.Time) error { return nil }

func notExist(op, name string) error {
	return &fs.PathError{Op: op, Path: name, Err: fs.ErrNotExist}
}

// publishFile collects what Hugo writes and hands it over when it is closed.
type publishFile struct {
	out    *sink
	name   string
	b      bytes.Buffer
	closed bool
}

func (f *publishFile) Write(p []byte) (int, error)       { return f.b.Write(p) }
func (f *publishFile) WriteString(s string) (int, error) { return f.b.WriteString(s) }

func (f *publishFile) Close() error {
	if f.closed {
		return nil
	}
	f.closed = true
	_ = f.out.publish(f.name, f.b.Bytes()) // The sink keeps the error.
	return nil
}

func (f *publishFile) Name() string                       { return f.name }
func (f *publishFile) Read([]byte) (int, error)           { return 0, errWriteOnly }
func (f *publishFile) ReadAt([]byte, int64) (int, error)  { return 0, errWriteOnly }
func (f *publishFile) Seek(int64, int) (int64, error)     { return 0, errWriteOnly }
func (f *publishFile) WriteAt([]byte, int64) (int, error) { return 0, errWriteOnly }
func (f *publishFile) Readdir(int) ([]os.FileInfo, error) { return nil, errWriteOnly }
func (f *publishFile) Readdirnames(int) ([]string, error) { return nil, errWriteOnly }
func (f *publishFile) Stat() (os.FileInfo, error)         { return nil, notExist("stat", f.name) }
func (f *publishFile) Sync() error                        { return nil }
func (f *publishFile) Truncate(int64) error               { return errWriteOnly }
