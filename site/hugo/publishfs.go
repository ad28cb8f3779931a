package hugo

import (
	"bytes"
	"io/fs"
	"os"
	"path"
	"strings"
	"time"

	"github.com/spf13/afero"
	"github.com/spf13/afero/mem"
)

// publishFS is the file system that Hugo publishes to. It can be written to only, and writing never
// fails: where several pages fail, Hugo may wait for itself forever. The sink knows what failed.
type publishFS struct {
	afero.Fs // an empty one: nothing that was written is found again
	out      *sink
}

func newPublishFS(out *sink) *publishFS { return &publishFS{Fs: afero.NewMemMapFs(), out: out} }

func (p *publishFS) Create(name string) (afero.File, error) {
	return &publishFile{
		File: mem.NewFileHandle(mem.CreateFile(name)),
		out:  p.out, name: strings.TrimPrefix(path.Clean("/"+name), workDir+"/public/"),
	}, nil
}

func (p *publishFS) OpenFile(name string, flag int, _ os.FileMode) (afero.File, error) {
	if flag&(os.O_WRONLY|os.O_RDWR) == 0 {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return p.Create(name)
}

func (p *publishFS) Mkdir(string, os.FileMode) error            { return nil }
func (p *publishFS) MkdirAll(string, os.FileMode) error         { return nil }
func (p *publishFS) Chmod(string, os.FileMode) error            { return nil }
func (p *publishFS) Chtimes(string, time.Time, time.Time) error { return nil }

// publishFile collects what Hugo writes and hands it over when it is closed.
type publishFile struct {
	afero.File // an empty one: nothing that was written is read again
	out        *sink
	name       string
	b          bytes.Buffer
	closed     bool
}

func (f *publishFile) Name() string                      { return f.name }
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
