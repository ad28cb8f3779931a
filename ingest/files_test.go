package ingest

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/inferdex/inferdex/ingest/reading"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/inferdex/inferdex/ingest/record"
)

// lines is a format for tests: a file that begins with "lines" and gives a note for each
// further line, an error for "bad" and a panic for "panic".
var lines = &reading.Format{
	Name:  "lines",
	Match: func(h *reading.Head) bool { return bytes.HasPrefix(h.Data, []byte("lines\n")) },
	Read: func(src *reading.Source, emit func(record.Record)) error {
		for i, l := range strings.Split(strings.TrimSuffix(string(src.Data), "\n"), "\n")[1:] {
			at := record.Base{At: record.Pos{File: src.Path(), Line: i + 2, Col: 1}}
			switch l {
			case "bad":
				emit(&record.SyntaxError{Base: at, Text: "bad line"})
			case "panic":
				panic("oh\nno")
			default:
				emit(&record.Note{Base: at, Text: l})
			}
		}
		return nil
	},
}

// both claims what lines claims when a line says so.
var both = &reading.Format{
	Name:  "both",
	Match: func(h *reading.Head) bool { return bytes.Contains(h.Data, []byte("\nboth\n")) },
	Read:  func(src *reading.Source, emit func(record.Record)) error { return errors.New("disk on fire\nreally") },
}

var testFormats = []*reading.Format{lines, both}

// show writes a reading as text: a line a file with what became of it, and its records.
func show(r *Reading) string {
	var b strings.Builder
	status := func(what string, f FileStatus) {
		fmt.Fprintf(&b, "%s %s", what, f.Path)
		if f.Format != "" {
			fmt.Fprintf(&b, " format=%s", f.Format)
		}
		if f.Errors > 0 {
			fmt.Fprintf(&b, " errors=%d", f.Errors)
		}
		if f.SHA256 == "" {
			b.WriteString(" unread")
		}
		b.WriteString("\n")
	}
	for _, f := range r.Archives {
		status("archive", f)
	}
	for _, f := range r.Files {
		status("file", f)
	}
	for _, s := range r.Sidecars {
		fmt.Fprintf(&b, "sidecar %s %q\n", s.Path, s.Data)
	}
	for _, rec := range r.Records {
		switch rec := rec.(type) {
		case *record.Note:
			text := rec.Text
			if len(text) > 100 {
				text = fmt.Sprintf("%s... (%d bytes)", text[:20], len(text))
			}
			fmt.Fprintf(&b, "%s: note %s\n", rec.At, text)
		case *record.Ignored:
			fmt.Fprintf(&b, "%s: ignored: %s\n", rec.At, rec.Reason)
		case *record.SyntaxError:
			fmt.Fprintf(&b, "%s: error: %s\n", rec.At, rec.Text)
		}
	}
	return b.String()
}

// member is a file to be packed.
type member struct {
	name string
	data string
	mode fs.FileMode
}

// packed is an archive of members, each written by add.
func packed[W io.Closer](t testing.TB, open func(io.Writer) W, members []member, add func(w W, m member)) string {
	t.Helper()
	var b bytes.Buffer
	w := open(&b)
	for _, m := range members {
		add(w, m)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func zipOf(t testing.TB, members ...member) string {
	t.Helper()
	return packed(t, zip.NewWriter, members, func(w *zip.Writer, m member) {
		h := &zip.FileHeader{Name: m.name, Method: zip.Deflate}
		if m.mode != 0 {
			h.SetMode(m.mode)
		}
		f, err := w.CreateHeader(h)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(f, m.data); err != nil {
			t.Fatal(err)
		}
	})
}

// zipSized is a zip whose local headers hold sizes and checksums, as Python writes it.
func zipSized(t testing.TB, members ...member) string {
	t.Helper()
	return packed(t, zip.NewWriter, members, func(w *zip.Writer, m member) {
		one := zipOf(t, m)
		z, err := zip.NewReader(strings.NewReader(one), int64(len(one)))
		if err != nil {
			t.Fatal(err)
		}
		h := z.File[0].FileHeader
		h.Flags &^= 8
		f, err := w.CreateRaw(&h)
		if err != nil {
			t.Fatal(err)
		}
		raw, err := z.File[0].OpenRaw()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(f, raw); err != nil {
			t.Fatal(err)
		}
	})
}

func tarOf(t testing.TB, members ...member) string {
	t.Helper()
	return packed(t, tar.NewWriter, members, func(w *tar.Writer, m member) {
		h := &tar.Header{Name: m.name, Size: int64(len(m.data)), Mode: 0o644, Typeflag: tar.TypeReg}
		if m.mode&fs.ModeSymlink != 0 {
			h.Typeflag, h.Linkname, h.Size = tar.TypeSymlink, m.data, 0
		}
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if h.Size > 0 {
			if _, err := io.WriteString(w, m.data); err != nil {
				t.Fatal(err)
			}
		}
	})
}

func gzOf(t testing.TB, data string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := io.WriteString(w, data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func zstOf(t testing.TB, data string) string {
	t.Helper()
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	return string(w.EncodeAll([]byte(data), nil))
}

const good = "lines\none\ntwo\n"

// noise does not compress.
func noise(n int) string {
	b := make([]byte, n)
	x := uint32(1)
	for i := range b {
		x = x*1664525 + 1013904223
		b[i] = 'a' + byte(x>>24)%26
	}
	return string(b)
}

func TestReadStampsRecords(t *testing.T) {
	fsys := fstest.MapFS{"d/a": {Data: []byte("lines\nx\n")}}
	r, err := Read(t.Context(), []Input{{Name: "some/where", FS: fsys, Root: "d"}}, Options{Formats: testFormats})
	if err != nil {
		t.Fatal(err)
	}
	const sum = "7b5bcc1bb9ffb06a64ae7dfb2d6eb8f2a8e2fcd5ef6bd9b0fbd0e1e6f9f0f3f2"
	want := record.Base{At: record.Pos{File: "some/where/a", Line: 2, Col: 1}, Format: "lines",
		Digest: r.Files[0].SHA256}
	if got := *r.Records[0].(*record.Note).Header(); !reflect.DeepEqual(got, want) || len(want.Digest) != len(sum) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if r.Bytes != 8 || r.Files[0].Size != 8 {
		t.Errorf("%d bytes in all, file of %d: want 8", r.Bytes, r.Files[0].Size)
	}
	rs, format := ReadFile("some/where/a", []byte("lines\nx\n"), testFormats)
	if diff := cmp.Diff(r.Records, rs); diff != "" || format != "lines" {
		t.Errorf("ReadFile gives something else, format %q:\n%s", format, diff)
	}
	if rs, format = ReadFile("x", nil, testFormats); len(rs) != 1 || rs[0].Kind() != "ignored" || format != "" {
		t.Errorf("an empty file gives %v and format %q", rs, format)
	}
}

func TestReadInputs(t *testing.T) {
	dir := t.TempDir()
	write := func(name, data string) {
		t.Helper()
		p := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(p), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(data), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("a/x", good)
	write("a/z.zip", zipOf(t, member{name: "m", data: good}))
	if err := os.Symlink("x", filepath.Join(dir, "a/link")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(dir, filepath.Join(dir, "a/loop")); err != nil {
		t.Fatal(err)
	}
	fsys := os.DirFS(dir)
	var seen []Progress
	r, err := Read(t.Context(), []Input{
		{Name: "./a", FS: fsys, Root: "a"},
		{Name: "a/x", FS: fsys, Root: "a/x"},
		{Name: "-", Data: []byte(gzOf(t, "lines\nstdin\n"))},
	}, Options{Formats: testFormats, Progress: func(p Progress) { seen = append(seen, p) }})
	if err != nil {
		t.Fatal(err)
	}
	const want = `archive - format=gz
archive a/z.zip format=zip
file -!- format=lines
file a/link unread
file a/loop unread
file a/x format=lines
file a/z.zip!m format=lines
-!-:2:1: note stdin
a/link: ignored: symbolic link: not followed
a/loop: ignored: symbolic link: not followed
a/x:2:1: note one
a/x:3:1: note two
a/z.zip!m:2:1: note one
a/z.zip!m:3:1: note two
`
	if diff := cmp.Diff(want, show(r)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	last := seen[len(seen)-1]
	if last.Files != 5 || last.Bytes != r.Bytes || last.Done == 0 || last.Done > last.Total {
		t.Errorf("the last progress is %+v", last)
	}

	_, err = Read(t.Context(), []Input{{Name: "a/none", FS: fsys, Root: "a/none"}}, Options{})
	if !errors.Is(err, fs.ErrNotExist) || !strings.HasPrefix(err.Error(), "a/none: ") {
		t.Errorf("a path that does not exist gives %v", err)
	}
	r, err = Read(t.Context(), []Input{{Name: "e", FS: fstest.MapFS{}}}, Options{})
	if err != nil || len(r.Files) != 0 {
		t.Errorf("an empty directory gives %v, %v", r, err)
	}
}

func TestReadCancelled(t *testing.T) {
	fsys := fstest.MapFS{}
	for i := range 100 {
		two := zipOf(t, member{name: "a", data: good}, member{name: "b", data: good})
		fsys[fmt.Sprintf("%03d.zip", i)] = &fstest.MapFile{Data: []byte(two)}
	}
	for _, workers := range []int{1, 4} {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		n := 0
		stop := func(Progress) {
			if n++; n == 20 {
				cancel()
			}
		}
		r, err := Read(ctx, []Input{{Name: ".", FS: fsys}},
			Options{Formats: testFormats, Workers: workers, Progress: stop})
		if !errors.Is(err, context.Canceled) || r != nil {
			t.Errorf("%d workers: got %v, %v", workers, r, err)
		}
	}
}

// brokenFS fails at opening one file and at reading another.
type brokenFS struct{ fstest.MapFS }

func (b brokenFS) Open(name string) (fs.File, error) {
	f, err := b.MapFS.Open(name)
	switch {
	case name == "closed":
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	case name == "torn":
		return tornFile{f}, err
	case name == "stream.zip":
		return struct{ fs.File }{f}, err
	}
	return f, err
}

type tornFile struct{ fs.File }

func (tornFile) Read([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestReadFileSystemFails(t *testing.T) {
	// What the machine does not give is said, and the others are read.
	for name, want := range map[string]error{"closed": fs.ErrPermission, "torn": io.ErrClosedPipe} {
		broken := brokenFS{fstest.MapFS{name: {Data: []byte(good)}, "whole": {Data: []byte(good)}}}
		r, err := Read(t.Context(), []Input{{Name: "d", FS: broken}}, Options{Formats: testFormats})
		if err != nil || r.Unreadable != 1 || len(r.Files) != 2 || r.Files[0].Errors != 1 || r.Files[1].Errors != 0 ||
			r.Files[1].SHA256 == "" {
			t.Fatalf("%s: got %+v, %v", name, r, err)
		}
		e, ok := r.Records[0].(*record.SyntaxError)
		if !ok || e.At.File != "d/"+name || e.Text != fmt.Sprintf("cannot be read: %v", want) {
			t.Errorf("%s: got %+v", name, r.Records[0])
		}
	}
	// A zip from a file system that gives streams only is read through memory.
	stream := brokenFS{fstest.MapFS{"stream.zip": {Data: []byte(zipOf(t, member{name: "m", data: good}))}}}
	r, err := Read(t.Context(), []Input{{Name: "d", FS: stream}}, Options{Formats: testFormats})
	if err != nil || len(r.Records) != 2 {
		t.Errorf("got %+v, %v", r, err)
	}
}

// writtenFS is a folder in which a file is written as soon as it is read.
type writtenFS struct {
	fs.FS
	write func()
}

func (w writtenFS) Open(name string) (fs.File, error) {
	f, err := w.FS.Open(name)
	if err != nil || name == "." {
		return f, err
	}
	return &writtenFile{File: f, write: w.write}, nil
}

type writtenFile struct {
	fs.File
	write func()
}

func (f *writtenFile) Read(b []byte) (int, error) {
	n, err := f.File.Read(b[:min(len(b), 7)])
	if f.write != nil {
		f.write()
		f.write = nil
	}
	return n, err
}

// Of a file that is written while it is read nothing is taken, and it is said; one that another takes the place of is
// read as it was.
func TestFilesThatChangeWhileTheyAreRead(t *testing.T) {
	for what, c := range map[string]struct {
		write func(name string) error
		torn  bool
	}{
		"cut": {func(name string) error { return os.Truncate(name, int64(len(good)/2)) }, true},
		"appended": {func(name string) error {
			f, err := os.OpenFile(name, os.O_WRONLY|os.O_APPEND, 0)
			if err == nil {
				_, err = f.WriteString(good)
				err = errors.Join(err, f.Close())
			}
			return err
		}, true},
		"written anew": {func(name string) error {
			return errors.Join(os.WriteFile(name, []byte(good), 0o666), os.Chtimes(name, time.Time{}, time.Unix(1, 0)))
		}, true},
		"replaced": {func(name string) error {
			return errors.Join(os.WriteFile(name+"~", []byte("x"), 0o666), os.Rename(name+"~", name))
		}, false},
	} {
		dir := t.TempDir()
		name := filepath.Join(dir, "a")
		if err := os.WriteFile(name, []byte(good), 0o666); err != nil {
			t.Fatal(err)
		}
		r, err := Read(t.Context(), []Input{{Name: "d", FS: writtenFS{os.DirFS(dir), func() {
			if err := c.write(name); err != nil {
				t.Error(err)
			}
		}}}}, Options{Formats: testFormats})
		if err != nil {
			t.Fatal(err)
		}
		var said []string
		results := 0
		for _, rec := range r.Records {
			if e, ok := rec.(*record.SyntaxError); ok {
				said = append(said, e.At.String()+": "+e.Text)
			} else {
				results++
			}
		}
		want := []string{"d/a: was changed while it was read: ingest it again when it is written"}
		if c.torn && (!slices.Equal(said, want) || results > 0 || r.Unreadable != 1) || !c.torn && (len(said) > 0 || results == 0) {
			t.Errorf("%s: %d results, %d unreadable, said %q", what, results, r.Unreadable, said)
		}
	}
}

// So is an archive that is written while its members are read, whatever kind it is of, by however many workers.
func TestArchivesThatChangeWhileTheyAreRead(t *testing.T) {
	var members, rolled, packed bytes.Buffer
	z, tw := zip.NewWriter(&members), tar.NewWriter(&rolled)
	for i := range 5 {
		name := fmt.Sprintf("m%d", i)
		w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
		if err != nil {
			t.Fatal(err)
		}
		_, err = io.WriteString(w, good)
		if err = errors.Join(err, tw.WriteHeader(&tar.Header{Name: name, Mode: 0o600, Size: int64(len(good))})); err == nil {
			_, err = io.WriteString(tw, good)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	err := errors.Join(z.Close(), tw.Close())
	gz := gzip.NewWriter(&packed)
	_, werr := gz.Write(rolled.Bytes())
	if err = errors.Join(err, werr, gz.Close()); err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{"a.zip": members.Bytes(), "a.tar": rolled.Bytes(), "a.tar.gz": packed.Bytes()} {
		for _, workers := range []int{1, 8} {
			if workers > 1 && name != "a.zip" {
				continue // all of it may be in memory before a member is read
			}
			dir := t.TempDir()
			at := filepath.Join(dir, name)
			err := errors.Join(os.WriteFile(at, data, 0o666), os.WriteFile(filepath.Join(dir, "sound"), []byte(good), 0o666))
			if err != nil {
				t.Fatal(err)
			}
			var once sync.Once
			format := *testFormats[0]
			format.Read = func(src *reading.Source, emit func(record.Record)) error {
				if strings.Contains(src.Path(), "!") { // the archive was opened
					once.Do(func() {
						if err := os.Chtimes(at, time.Time{}, time.Unix(1, 0)); err != nil {
							t.Error(err)
						}
					})
				}
				return testFormats[0].Read(src, emit)
			}
			r, err := Read(t.Context(), []Input{{Name: "d", FS: os.DirFS(dir)}},
				Options{Formats: []*reading.Format{&format}, Workers: workers})
			if err != nil {
				t.Fatal(err)
			}
			var said []string
			for _, rec := range r.Records {
				said = append(said, fmt.Sprint(rec.Pos().File))
			}
			if len(r.Archives) > 0 || r.Unreadable != 1 || len(r.Files) != 2 || len(said) < 2 || said[0] != "d/"+name ||
				slices.ContainsFunc(said, func(s string) bool { return strings.Contains(s, "!") }) {
				t.Errorf("%s, %d workers: %d archives, %d unreadable, files %v, records of %q", name, workers, len(r.Archives),
					r.Unreadable, r.Files, said)
			}
		}
	}
}

// Nobody waits for what a format makes of a large file once reading is cancelled.
func TestCancelledWhileAFormatReads(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	returned, ended := make(chan struct{}), make(chan bool, 1)
	slow := &reading.Format{Name: "slow", Match: func(*reading.Head) bool { return true },
		Read: func(*reading.Source, func(record.Record)) error {
			cancel()
			select {
			case <-returned:
				ended <- true
			case <-time.After(10 * time.Second):
				ended <- false
			}
			return nil
		}}
	files := fstest.MapFS{"a": {Data: bytes.Repeat([]byte("x"), patience)}}
	r, err := Read(ctx, []Input{{Name: "d", FS: files}}, Options{Formats: []*reading.Format{slow}})
	close(returned)
	if r != nil || !errors.Is(err, context.Canceled) || !<-ended {
		t.Errorf("a reading %v, the error %v, after the format had read all", r != nil, err)
	}
}

// tempFile counts how often it was closed.
type tempFile struct {
	*os.File
	closed *int
}

func (f tempFile) Close() error { *f.closed++; return f.File.Close() }

func TestReadLargeNestedArchive(t *testing.T) {
	var inner bytes.Buffer
	w := zip.NewWriter(&inner)
	for i := range 5 {
		f, err := w.CreateHeader(&zip.FileHeader{Name: fmt.Sprint(i), Method: zip.Store})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(f, good+strings.Repeat(noise(1<<10), 15<<10)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if inner.Len() <= maxInMemory {
		t.Fatalf("the archive has only %d bytes", inner.Len())
	}
	fsys := fstest.MapFS{"a.tar": {Data: []byte(tarOf(t, member{name: "big.zip", data: inner.String()}))}}
	opened, closed := 0, 0
	for _, workers := range []int{1, 8} {
		o := Options{Formats: testFormats, Workers: workers, TempFile: func() (File, error) {
			f, err := os.CreateTemp(t.TempDir(), "")
			opened++
			return tempFile{f, &closed}, err
		}}
		r, err := Read(t.Context(), []Input{{Name: ".", FS: fsys}}, o)
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Files) != 5 || len(r.Archives) != 2 || r.Archives[1].Size != int64(inner.Len()) {
			t.Errorf("%d workers:\n%.2000s", workers, show(r))
		}
	}
	if opened != 2 || closed != 2 {
		t.Errorf("%d temporary files made, %d closed, want 2", opened, closed)
	}
	r, err := Read(t.Context(), []Input{{Name: ".", FS: fsys}}, Options{Formats: testFormats})
	if err != nil {
		t.Fatal(err)
	}
	const want = "a.tar!big.zip: error: an archive inside an archive, larger than 64 MiB: unpack it first\n"
	if !strings.HasSuffix(show(r), want) {
		t.Errorf("got %s", show(r))
	}
	none := func() (File, error) { return nil, fs.ErrPermission }
	_, err = Read(t.Context(), []Input{{Name: ".", FS: fsys}}, Options{TempFile: none})
	if !errors.Is(err, fs.ErrPermission) {
		t.Errorf("no temporary file can be made: got %v", err)
	}
}

// What a packer of Windows divides by backslashes lies in the folders that it means; on other systems a backslash is a letter.
func TestReadZipOfWindows(t *testing.T) {
	z := zipOf(t, member{name: `d\`}, member{name: `d\e\a`, data: good}, member{name: `d\f\b`, data: good},
		member{name: `d\g`, data: good, mode: 0o644})
	for _, cut := range []int{0, 30} { // of an archive without its end nothing tells who packed it
		r, err := Read(t.Context(), []Input{{Name: "w.zip", Data: []byte(z[:len(z)-cut])}}, Options{Formats: testFormats})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range r.Files {
			got = append(got, f.Path+" "+f.Format)
		}
		want := []string{`w.zip!"d\\g" `, "w.zip!d/e/a lines", "w.zip!d/f/b lines"}
		if cut > 0 {
			want = []string{"w.zip!d/e/a lines", "w.zip!d/f/b lines", "w.zip!d/g lines"}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%d bytes less: %q, want %q", cut, got, want)
		}
	}
}

// A member is held to the checksum and the length that its directory states; where that is 0 and none follows the data,
// nobody states a checksum. What is packed in another way is refused.
func TestReadMembersOfZip(t *testing.T) {
	sum := crc32.ChecksumIEEE([]byte(good))
	for _, c := range []struct {
		method uint16
		sum    uint32
		flags  uint16
		more   uint64
		why    string // it is not read whole
	}{
		{method: zip.Store, sum: sum},
		{method: zstd.ZipMethodWinZip, sum: sum},
		{method: zstd.ZipMethodWinZip, sum: sum + 1, why: "its checksum is wrong"},
		{method: zip.Store},
		{method: zip.Store, flags: sumBehind, why: "its checksum is wrong"},
		{method: zip.Store, sum: sum + 1, why: "its checksum is wrong"},
		{method: zip.Store, sum: sum, more: 1, why: "cut short"},
		{method: 12, sum: sum, why: "compressed in a way that cannot be read"}, // bzip2
	} {
		data := good
		if c.method == zstd.ZipMethodWinZip {
			data = zstOf(t, good)
		}
		text := packed(t, zip.NewWriter, []member{{name: "a", data: data}}, func(w *zip.Writer, m member) {
			f, err := w.CreateRaw(&zip.FileHeader{Name: m.name, Method: c.method, CRC32: c.sum, Flags: c.flags,
				CompressedSize64: uint64(len(m.data)), UncompressedSize64: uint64(len(good)) + c.more})
			if err == nil {
				_, err = io.WriteString(f, m.data)
			}
			if err != nil {
				t.Fatal(err)
			}
		})
		r, err := Read(t.Context(), []Input{{Name: "a.zip", Data: []byte(text)}}, Options{Formats: testFormats})
		if err != nil {
			t.Fatal(err)
		}
		if got := show(r); !strings.Contains(got, c.why) || (c.why == "") != (r.Files[0].Errors == 0) {
			t.Errorf("%+v: %s", c, got)
		}
	}
}

// Inputs that hold their data are listed as Find lists them, each path once.
func TestGiven(t *testing.T) {
	inputs := []Input{{Name: "b", Data: []byte(good)}, {Name: "a"}, {Name: "b"}}
	want, err := Find(t.Context(), inputs, nil)
	if got := Given(inputs); err != nil || !slices.Equal(got, want) || len(got) != 2 {
		t.Errorf("%+v, want %+v, %v", got, want, err)
	}
}

// A directory may point many members at the same data: none is denser than the ratio allows,
// all together are.
func TestReadOverlappingZip(t *testing.T) {
	const n = 1000
	one := []byte(zipOf(t, member{name: "m000", data: strings.Repeat("x\n", 30<<10)}))
	at := bytes.Index(one, []byte("PK\x01\x02"))
	end := bytes.Index(one, []byte("PK\x05\x06"))
	bomb := slices.Clone(one[:at])
	for range n {
		bomb = append(bomb, one[at:end]...)
	}
	tail := slices.Clone(one[end:])
	binary.LittleEndian.PutUint16(tail[8:], n)
	binary.LittleEndian.PutUint16(tail[10:], n)
	binary.LittleEndian.PutUint32(tail[12:], uint32(n*(end-at)))
	bomb = append(bomb, tail...)
	o := Options{Formats: testFormats, Limits: Limits{Ratio: 400}}
	r, err := Read(t.Context(), []Input{{Name: "bomb.zip", Data: bomb}}, o)
	if err != nil {
		t.Fatal(err)
	}
	if r.Archives[0].Errors != 1 || len(r.Files) == 0 || len(r.Files) >= n || r.Bytes > int64(len(bomb))*400 {
		t.Errorf("%d files of %d bytes in all were read of a bomb of %d bytes; errors: %d",
			len(r.Files), r.Bytes, len(bomb), r.Archives[0].Errors)
	}
}

// An archive that was cut anywhere is read alike by one worker, which reads members as they come, and by several, which
// read them whole. A member that is whole is no worse for it.
func TestReadCutArchives(t *testing.T) {
	members := []member{{name: "a", data: good}, {name: "d/b", data: "lines\nbad\n"}}
	for kind, whole := range map[string]string{
		"tar": tarOf(t, members...), "tar.gz": gzOf(t, tarOf(t, members...)), "tar.zst": zstOf(t, tarOf(t, members...)),
		"zip": zipOf(t, members...), "sized zip": zipSized(t, members...), "gz": gzOf(t, good), "zst": zstOf(t, good),
		"one in tar.gz": gzOf(t, tarOf(t, members[0])),
	} {
		for n := range len(whole) {
			read := func(workers int) string {
				o := Options{Formats: testFormats, Workers: workers}
				r, err := Read(t.Context(), []Input{{Name: "in", Data: []byte(whole[:n])}}, o)
				if err != nil {
					t.Fatal(err)
				}
				return show(r)
			}
			if a, b := read(1), read(4); a != b {
				t.Errorf("%s cut after %d of %d bytes: 4 workers differ from 1:\n%s", kind, n, len(whole), cmp.Diff(a, b))
			}
		}
	}
}

// Where a checksum is wrong any number may be another one: nothing is read, of a tar archive too, whose members are there
// before the checksum is. What else lies beside such an archive is read.
func TestReadWrongChecksums(t *testing.T) {
	members := []member{{name: "a", data: good}, {name: "d/b", data: good}}
	for kind, whole := range map[string]string{
		"gz": gzOf(t, good), "tar.gz": gzOf(t, tarOf(t, members...)), "zst": zstOf(t, good), "tar.zst": zstOf(t, tarOf(t, members...)),
	} {
		wrong := []byte(whole)
		at := len(wrong) - 3 // of zst
		if strings.HasSuffix(kind, "gz") {
			at = len(wrong) - 6
		}
		wrong[at] ^= 0xff
		both := zipOf(t, member{name: "in", data: string(wrong)}, member{name: "in2", data: good})
		for _, workers := range []int{1, 4} {
			r, err := Read(t.Context(), []Input{{Name: "x", Data: []byte(both)}}, Options{Formats: testFormats, Workers: workers})
			if err != nil {
				t.Fatal(err)
			}
			read, said := 0, 0
			for _, rec := range r.Records {
				if e, ok := rec.(*record.SyntaxError); ok && strings.Contains(e.Text, "its checksum is wrong") {
					said++
				} else if strings.HasPrefix(rec.Pos().File, "x!in2") {
					read++
				} else {
					t.Errorf("%s, %d workers: %v of %s is read", kind, workers, rec, rec.Pos().File)
				}
			}
			if said != 1 || read == 0 {
				t.Errorf("%s, %d workers: said %d times, %d records of the file beside it", kind, workers, said, read)
			}
		}
	}
}

func FuzzRead(f *testing.F) {
	three := []member{{name: "a", data: good}, {name: "d/b", data: "lines\nbad\n"}, {name: "../c", data: good}}
	for _, data := range []string{
		zipOf(f, three...), zipSized(f, three...), tarOf(f, three...),
		gzOf(f, tarOf(f, three...)), zstOf(f, good), gzOf(f, good),
		zipOf(f, member{name: "n.zip", data: zipOf(f, three...)}), zipOf(f, three...)[:150], good, "lines\npanic\n",
	} {
		f.Add([]byte(data))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		o := Options{Formats: testFormats, Limits: Limits{Unpacked: 1 << 20, Member: 1 << 18, Members: 100}}
		o.Workers = 1
		one, err := Read(t.Context(), []Input{{Name: "in", Data: data}}, o)
		if err != nil {
			t.Fatal(err)
		}
		o.Workers = 4
		four, err := Read(t.Context(), []Input{{Name: "in", Data: data}}, o)
		if err != nil {
			t.Fatal(err)
		}
		if a, b := show(one), show(four); a != b {
			t.Errorf("4 workers differ from 1:\n%s", cmp.Diff(a, b))
		}
		for _, r := range one.Records {
			if p := r.Pos().File; p != "in" && !strings.HasPrefix(p, "in!") || strings.ContainsAny(p, "\n\x00") {
				t.Errorf("a record at %q", p)
			}
		}
		ignored, failed, read := 0, 0, 0
		for _, s := range one.Files {
			switch {
			case s.Errors > 0:
				failed++
			case s.Ignored != "":
				ignored++
			case s.Format != "":
				read++
			default:
				t.Errorf("nothing is said of %+v", s)
			}
		}
	})
}
