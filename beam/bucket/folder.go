package bucket

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"cloud.google.com/go/storage"
	"gocloud.dev/blob"
	"gocloud.dev/gcerrors"
)

// folder is a bucket as a file system: what stands between slashes of a key is a directory.
type folder struct {
	ctx    context.Context
	bucket *blob.Bucket
}

// info is a directory or an object.
type info struct {
	name string
	size int64
	at   time.Time
	dir  bool
	err  error // why it cannot be opened
	// version is what Google's store numbers the content of an object by; 0 in others, where size and time tell it.
	version int64
}

func (i *info) Name() string               { return i.name }
func (i *info) Size() int64                { return i.size }
func (i *info) ModTime() time.Time         { return i.at }
func (i *info) IsDir() bool                { return i.dir }
func (i *info) Sys() any                   { return nil }
func (i *info) Type() fs.FileMode          { return i.Mode().Type() }
func (i *info) Info() (fs.FileInfo, error) { return i, i.err }
func (i *info) Mode() fs.FileMode {
	if i.dir {
		return fs.ModeDir | 0o555
	}
	return 0o444
}

// failed is an error about a path, as file systems give it.
func failed(op, name string, err error) error {
	if gcerrors.Code(err) == gcerrors.NotFound {
		err = fs.ErrNotExist
	}
	return &fs.PathError{Op: op, Path: name, Err: err}
}

// Stat describes an object, or a directory that has one.
func (f *folder) Stat(name string) (fs.FileInfo, error) {
	if name == "." {
		return &info{name: ".", dir: true}, nil
	}
	var a *blob.Attributes
	err := try(f.ctx, func() (err error) { a, err = f.bucket.Attributes(f.ctx, name); return err })
	if err == nil {
		i := &info{name: path.Base(name), size: a.Size, at: a.ModTime}
		var google storage.ObjectAttrs
		if a.As(&google) {
			i.version = google.Generation
		}
		return i, nil
	}
	if gcerrors.Code(err) != gcerrors.NotFound {
		return nil, failed("stat", name, err)
	}
	page, _, below := f.page(name, blob.FirstPageToken, 1)
	if below != nil || len(page) == 0 {
		return nil, failed("stat", name, cmp.Or(below, err))
	}
	return &info{name: path.Base(name), dir: true}, nil
}

func (f *folder) page(dir string, token []byte, size int) (page []*blob.ListObject, next []byte, err error) {
	o := &blob.ListOptions{Delimiter: "/"}
	if dir != "." {
		o.Prefix = dir + "/"
	}
	err = try(f.ctx, func() (err error) { page, next, err = f.bucket.ListPage(f.ctx, token, size, o); return err })
	return page, next, err
}

// ReadDir lists a directory, page by page, in the order of names.
func (f *folder) ReadDir(name string) ([]fs.DirEntry, error) {
	var out []fs.DirEntry
	const size = 1000
	for token := blob.FirstPageToken; len(token) > 0; {
		page, next, err := f.page(name, token, size)
		if err != nil {
			return out, failed("list", name, err)
		}
		for _, o := range page {
			key := strings.TrimSuffix(o.Key, "/")
			i := &info{name: path.Base(key), size: o.Size, at: o.ModTime, dir: o.IsDir}
			switch {
			case !o.IsDir && strings.HasSuffix(o.Key, "/"):
				continue // what consoles write for a folder without files
			case !fs.ValidPath(key):
				i.name, i.dir, i.err = fmt.Sprintf("%q", strings.TrimPrefix(o.Key, name+"/")), false,
					errors.New("the key is no path: rename the object")
			}
			out = append(out, i)
		}
		token = next
	}
	slices.SortFunc(out, func(a, b fs.DirEntry) int { return cmp.Compare(a.Name(), b.Name()) })
	return out, nil
}

// Open opens an object.
func (f *folder) Open(name string) (fs.File, error) {
	i, err := f.Stat(name)
	if err != nil {
		return nil, err
	}
	if i.IsDir() {
		return nil, failed("open", name, errors.New("is a directory"))
	}
	return &object{folder: f, key: name, info: i.(*info)}, nil
}

// errChanged says that an object is not the one that was opened.
var errChanged = errors.New("the object was replaced while it was read: read it again")

// object is an object that is open. What is read of it is read in ranges, each again where it breaks off.
type object struct {
	*folder
	key  string
	info *info

	at   int64 // of Read
	body *blob.Reader

	mu     sync.Mutex
	blocks [keep]block // the last ones that ReadAt was asked for
	turn   int
}

const (
	blockSize = 1 << 20
	keep      = 4
)

type block struct {
	off  int64
	data []byte
}

func (o *object) Stat() (fs.FileInfo, error) { return o.info, nil }

func (o *object) Close() error {
	body := o.body
	if body == nil {
		return nil
	}
	o.body = nil // a body holds the object (asStored) and is finalized: in a ring, neither would be freed
	return body.Close()
}

// open asks for a range of the object; a length of -1 is all that follows.
func (o *object) open(off, length int64) (*blob.Reader, error) {
	r, err := o.bucket.NewRangeReader(o.ctx, o.key, off, length, &blob.ReaderOptions{BeforeRead: o.asStored})
	if gcerrors.Code(err) == gcerrors.FailedPrecondition {
		return nil, errChanged
	}
	if err != nil {
		return nil, err
	}
	// Google's store tells the time of a body in whole seconds only.
	if r.Size() != o.info.size || o.info.version == 0 && !r.ModTime().Equal(o.info.at) {
		r.Close()
		return nil, errChanged
	}
	return r, nil
}

// asStored asks Google's store for the version that was opened, and for its bytes as they are: what is stored as
// "Content-Encoding: gzip" is otherwise unpacked on the way, which has no ranges.
func (o *object) asStored(as func(any) bool) error {
	var google **storage.ObjectHandle
	if o.info.version != 0 && as(&google) {
		*google = (*google).If(storage.Conditions{GenerationMatch: o.info.version}).ReadCompressed(true)
	}
	return nil
}

// Read reads on where the last one ended.
func (o *object) Read(p []byte) (n int, err error) {
	if o.at >= o.info.size {
		return 0, io.EOF
	}
	err = try(o.ctx, func() (err error) {
		if o.body == nil {
			if o.body, err = o.open(o.at, -1); err != nil {
				o.body = nil
				return err
			}
		}
		if n, err = o.body.Read(p); n > 0 {
			return nil
		}
		if err == io.EOF { // before the end of what it said to have
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			o.body.Close()
			o.body = nil
		}
		return err
	})
	o.at += int64(n)
	if err != nil {
		return n, failed("read", o.key, err)
	}
	return n, nil
}

// ReadAt reads a range, by blocks of which a few are kept: the directory of an archive is asked for in small pieces.
func (o *object) ReadAt(p []byte, off int64) (n int, err error) {
	for n < len(p) {
		if off >= o.info.size {
			return n, io.EOF
		}
		b, err := o.block(off / blockSize * blockSize)
		if err != nil {
			return n, failed("read", o.key, err)
		}
		m := copy(p[n:], b[off%blockSize:])
		n, off = n+m, off+int64(m)
	}
	return n, nil
}

func (o *object) block(off int64) ([]byte, error) {
	o.mu.Lock()
	for _, b := range o.blocks {
		if b.data != nil && b.off == off {
			o.mu.Unlock()
			return b.data, nil
		}
	}
	o.mu.Unlock()
	data := make([]byte, min(blockSize, o.info.size-off))
	err := try(o.ctx, func() error {
		r, err := o.open(off, int64(len(data)))
		if err != nil {
			return err
		}
		defer r.Close()
		_, err = io.ReadFull(r, data)
		return err
	})
	if err != nil {
		return nil, err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.blocks[o.turn%keep] = block{off, data}
	o.turn++
	return data, nil
}
