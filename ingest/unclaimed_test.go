package ingest

import (
	"context"
	"io/fs"
	"strings"
	"testing"
	"time"

	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
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

// A file of which its format says that it takes nothing is ignored for that reason; one of which it takes a part is read.
func TestNothingTaken(t *testing.T) {
	f := &reading.Format{Name: "a", Match: func(*reading.Head) bool { return true },
		Read: func(src *reading.Source, emit func(record.Record)) error {
			emit(&record.Ignored{Reason: "nobody says who printed it"})
			if len(src.Data) > 5 {
				emit(&record.Facts{})
			}
			return nil
		}}
	for data, want := range map[string]string{"short": "nobody says who printed it", "longer": ""} {
		r, err := Read(t.Context(), []Input{{Name: "a.log", Data: []byte(data)}}, Options{Formats: []*reading.Format{f}})
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Files[0]; got.Ignored != want || got.Format != "a" {
			t.Errorf("%s: %+v", data, got)
		}
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
