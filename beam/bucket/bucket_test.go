package bucket_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"runtime"
	"testing"
	"time"

	"github.com/inferdex/inferdex/beam/bucket"
	"github.com/inferdex/inferdex/beam/bucket/s3test"
)

// content is longer than a block, and no two keys have the same.
func content(key string) []byte { return bytes.Repeat([]byte(key+"\n"), 100_000) }

func store(t *testing.T, s *s3test.Server) *s3test.Server {
	t.Helper()
	for i := range 8 {
		s.Keys = append(s.Keys, fmt.Sprintf("results/%02d/a.json", i))
	}
	if s.Make == nil {
		s.Make = content
	}
	s.Start(t)
	return s
}

// A store that is busy and breaks off bodies is read whole: in pages, and in ranges that go on where one broke off.
func TestFails(t *testing.T) {
	s := store(t, &s3test.Server{Busy: 9, Cut: 4, Page: 3})
	in, err := bucket.Input(context.Background(), s.Address("results"))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	err = fs.WalkDir(in.FS, in.Root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		n++
		f, err := in.FS.Open(name)
		if err != nil {
			return err
		}
		defer f.Close()
		got, err := io.ReadAll(f)
		if err != nil {
			return err
		}
		if !bytes.Equal(got, content(name)) {
			t.Errorf("%s: %d bytes read, %d are there", name, len(got), len(content(name)))
		}
		part := make([]byte, 5000)
		if _, err := f.(io.ReaderAt).ReadAt(part, 1<<20-100); err != nil || !bytes.Equal(part, content(name)[1<<20-100:][:5000]) {
			t.Errorf("%s: a range across blocks: %v", name, err)
		}
		return nil
	})
	if err != nil || n != 8 {
		t.Errorf("%d of 8 objects: %v", n, err)
	}
	if s.Lists < 3 {
		t.Errorf("%d lists: 8 folders in pages of 3 take three", s.Lists)
	}
}

// What is listed and not there is an error of that object, and so is one that nothing helps.
func TestGone(t *testing.T) {
	s := store(t, &s3test.Server{Gone: []string{"results/03/a.json"}})
	in, err := bucket.Input(context.Background(), s.Address("results"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err = in.FS.Open("results/03/a.json"); err == nil {
		t.Error("an object that is gone was opened")
	}
	if _, err = in.FS.Open("results/04/a.json"); err != nil {
		t.Error(err)
	}
	if _, err := bucket.Input(context.Background(), s.Address("nothing")); err == nil {
		t.Error("an input that does not exist was opened")
	}
}

// An object that is replaced while it is read is not read half.
func TestReplaced(t *testing.T) {
	longer := 0
	s := store(t, &s3test.Server{Cut: 1, Make: func(key string) []byte { longer++; return append(content(key), make([]byte, longer)...) }})
	in, err := bucket.Input(context.Background(), s.Address("results"))
	if err != nil {
		t.Fatal(err)
	}
	f, err := in.FS.Open("results/04/a.json")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadAll(f); err == nil {
		t.Error("two versions were read as one")
	}
}

// An object that was read and closed leaves nothing in memory: a worker reads millions.
func TestFreed(t *testing.T) {
	s := store(t, &s3test.Server{})
	in, err := bucket.Input(context.Background(), s.Address("results"))
	if err != nil {
		t.Fatal(err)
	}
	freed := make(chan bool)
	func() {
		f, err := in.FS.Open("results/04/a.json")
		if err != nil {
			t.Fatal(err)
		}
		runtime.SetFinalizer(f, func(fs.File) { close(freed) })
		if _, err := f.Read(make([]byte, 16)); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}()
	for range 500 {
		runtime.GC()
		select {
		case <-freed:
			return
		case <-time.After(10 * time.Millisecond):
		}
	}
	t.Error("what was read and closed is still in memory")
}

// Names of inputs are the paths as given, and buckets without what an address says beside them.
func TestName(t *testing.T) {
	for address, want := range map[string]string{"data/raw/": "data/raw", "file:///srv/results": "/srv/results",
		"s3://b/x/y?region=eu": "b/x/y", "gs://b": "b"} {
		if got := bucket.Name(address); got != want {
			t.Errorf("Name(%q) = %q, want %q", address, got, want)
		}
	}
}
