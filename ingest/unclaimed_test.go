package ingest

import (
	"context"
	"io/fs"
	"strings"
	"testing"
	"time"

	"github.com/inferdex/inferdex/ingest/reading"
)

// vast is a file system of one file that is as large as a disk, and counts what is read of it.
type vast struct {
	name string
	size int64
	read *int64
}

func (v vast) Open(string) (fs.File, error)          { return v, nil }
func (v vast) Stat() (fs.FileInfo, error)            { return v, nil }
func (v vast) Close() error                          { return nil }
func (v vast) Name() string                          { return v.name }
func (v vast) Size() int64                           { return v.size }
func (v vast) Mode() fs.FileMode                     { return 0o644 }
func (v vast) ModTime() time.Time                    { return time.Time{} }
func (v vast) IsDir() bool                           { return false }
func (v vast) Sys() any                              { return nil }
func (v vast) Read(b []byte) (int, error)            { *v.read += int64(len(b)); clear(b); return len(b), nil }
func (v vast) ReadAt(b []byte, _ int64) (int, error) { return v.Read(b) }

// A file that no format reads is not read to its end when it is as large as a disk.
func TestVastFileIsNotRead(t *testing.T) {
	var read int64
	file := vast{"disk.img", 20 << 30, &read}
	got, err := Read(context.Background(), []Input{{Name: "disk.img", FS: file, Root: "disk.img"}}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Files) != 1 || got.Files[0].Size != 20<<30 || got.Files[0].SHA256 != "" ||
		!strings.HasSuffix(got.Files[0].Ignored, "it was not read to its end") {
		t.Errorf("files: %+v", got.Files)
	}
	if read > 8<<20 {
		t.Errorf("%d bytes of it were read", read)
	}
}

// Of a log that is too large to be searched for results it is said that it was not.
func TestLargeLogIsNotSearched(t *testing.T) {
	line := "INFO: all is well\n"
	for name, size := range map[string]int{"small.log": maxLog - len(line), "large.log": maxLog + len(line)} {
		log := strings.Repeat(line, size/len(line))
		for name, data := range map[string]string{name: log, name + ".gz": gzOf(t, log)} {
			r, err := Read(t.Context(), []Input{{Name: name, Data: []byte(data)}},
				Options{Formats: []*reading.Format{printing("a", "A RESULT")}})
			if err != nil {
				t.Fatal(err)
			}
			const want = "; larger than 64 MiB, it was not searched for results: split it"
			if got := r.Files[0].Ignored; strings.HasSuffix(got, want) != strings.HasPrefix(name, "large") {
				t.Errorf("%s: %s", name, got)
			}
		}
	}
}
