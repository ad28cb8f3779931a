// Package bucket reads inputs from folders and object stores, gs:// and s3://, and writes a catalog to them. Credentials
// are those that the clouds' own libraries find; an address holds none.
package bucket

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"cloud.google.com/go/storage"
	"gocloud.dev/blob"
	"gocloud.dev/blob/fileblob"
	_ "gocloud.dev/blob/gcsblob" // gs://
	_ "gocloud.dev/blob/s3blob"  // s3://
	"gocloud.dev/gcerrors"

	"github.com/inferdex/inferdex/ingest"
)

// Local is the path of an address on this machine's disk; ok is false for one in an object store.
func Local(address string) (p string, ok bool) {
	if u, err := url.Parse(address); err == nil && u.Scheme == "file" {
		return filepath.FromSlash(u.Host + u.Path), true
	}
	return address, !strings.Contains(address, "://")
}

// Name is what paths in records begin with: the path of a folder as given, else the bucket and the folder in it.
func Name(address string) string {
	if p, ok := Local(address); ok {
		return path.Clean(filepath.ToSlash(p))
	}
	_, rest, _ := strings.Cut(address, "://")
	rest, _, _ = strings.Cut(rest, "?")
	return path.Clean(rest)
}

// Input opens what an address names, a file or a folder. It fails where nothing is there.
func Input(ctx context.Context, address string) (ingest.Input, error) {
	in := ingest.Input{Name: Name(address)}
	if p, ok := Local(address); ok {
		if _, err := os.Stat(p); err != nil {
			return in, err
		}
		in.FS, in.Root = os.DirFS(filepath.Dir(p)), filepath.Base(p)
		if in.Root == "." || in.Root == ".." || in.Root == string(filepath.Separator) {
			in.FS, in.Root = os.DirFS(p), "."
		}
		return in, nil
	}
	b, prefix, err := open(ctx, address)
	if err != nil {
		return in, err
	}
	x := &folder{ctx: ctx, bucket: b}
	in.FS, in.Root = x, path.Clean(prefix)
	if _, err := x.Stat(in.Root); err != nil {
		return in, fmt.Errorf("%s: %w", in.Name, err)
	}
	return in, nil
}

var (
	mu     sync.Mutex
	opened = map[string]*blob.Bucket{} // by their addresses without a folder; a process keeps them
)

// open opens the bucket of an address. Prefix is the folder in it.
func open(ctx context.Context, address string) (b *blob.Bucket, prefix string, err error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, "", err
	}
	prefix = strings.Trim(u.Path, "/")
	u.Path = ""
	mu.Lock()
	defer mu.Unlock()
	if b = opened[u.String()]; b == nil {
		if b, err = blob.OpenBucket(context.WithoutCancel(ctx), u.String()); err != nil {
			return nil, "", err
		}
		var google *storage.Client
		if b.As(&google) { // it would ask a store that is away for ever; try asks again, and ends
			google.SetRetry(storage.WithPolicy(storage.RetryNever))
		}
		opened[u.String()] = b
	}
	return b, prefix, nil
}

const attempts = 6

// patience is how long is waited before the second attempt; before each further one twice as long.
var patience = 200 * time.Millisecond

// try repeats what an object store refused or broke off. What is not there, or not allowed, is not asked for again.
func try(ctx context.Context, do func() error) error {
	wait := patience
	for n := 1; ; n++ {
		err := do()
		switch gcerrors.Code(err) {
		case gcerrors.OK, gcerrors.NotFound, gcerrors.PermissionDenied, gcerrors.InvalidArgument, gcerrors.Unimplemented:
			return err
		}
		if n == attempts || errors.Is(err, errChanged) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(wait):
			wait *= 2
		}
	}
}

// Store is where a catalog goes.
type Store struct {
	bucket *blob.Bucket
	prefix string
	own    bool
}

// Output opens the folder of an address to write to; a folder of this machine is made.
func Output(ctx context.Context, address string) (*Store, error) {
	if p, ok := Local(address); ok {
		b, err := fileblob.OpenBucket(p, &fileblob.Options{CreateDir: true, NoTempDir: true,
			Metadata: fileblob.MetadataDontWrite})
		return &Store{bucket: b, own: true}, err
	}
	b, prefix, err := open(ctx, address)
	if prefix != "" {
		prefix += "/"
	}
	return &Store{bucket: b, prefix: prefix}, err
}

// Write writes a file, whole or not at all.
func (s *Store) Write(ctx context.Context, name string, data []byte) error {
	err := try(ctx, func() error { return s.bucket.WriteAll(ctx, s.prefix+name, data, nil) })
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// Close closes the folder.
func (s *Store) Close() error {
	if s.own {
		return s.bucket.Close()
	}
	return nil
}

// Temporary makes a file for a large archive inside an archive. It has no name from the beginning.
func Temporary() (ingest.File, error) {
	f, err := os.CreateTemp("", "inferdex-*")
	if err != nil {
		return nil, err
	}
	_ = os.Remove(f.Name())
	return f, nil
}

var (
	_ fs.StatFS    = (*folder)(nil)
	_ fs.ReadDirFS = (*folder)(nil)
	_ io.ReaderAt  = (*object)(nil)
)
