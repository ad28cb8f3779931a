package ingest

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/inferdex/inferdex/ingest/record"
)

// lines is a format for tests: a file that begins with "lines" and gives a note for each
// further line, an error for "bad" and a panic for "panic".
var lines = &Format{
	Name:  "lines",
	Match: func(h *Head) bool { return bytes.HasPrefix(h.Data, []byte("lines\n")) },
	Read: func(src *Source, emit func(record.Record)) error {
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
var both = &Format{
	Name:  "both",
	Match: func(h *Head) bool { return bytes.Contains(h.Data, []byte("\nboth\n")) },
	Read:  func(src *Source, emit func(record.Record)) error { return errors.New("disk on fire\nreally") },
}

var testFormats = []*Format{lines, both}

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
			fmt.Fprintf(&b, "%s: note %s\n", rec.At, rec.Text)
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

func zipOf(t testing.TB, members ...member) string {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, m := range members {
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
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// zipSized is a zip whose local headers hold sizes and checksums, as Python writes it.
func zipSized(t testing.TB, members ...member) string {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, m := range members {
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
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func tarOf(t testing.TB, members ...member) string {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, m := range members {
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
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
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

func TestRead(t *testing.T) {
	encrypted := []byte(zipOf(t, member{name: "secret", data: good}, member{name: "open", data: good}))
	// The flag stands in the local header and in the directory.
	encrypted[6] |= 1
	encrypted[bytes.Index(encrypted, []byte("PK\x01\x02"))+8] |= 1

	unknownMethod := []byte(zipOf(t, member{name: "a", data: good}, member{name: "b", data: good}))
	unknownMethod[bytes.Index(unknownMethod, []byte("PK\x01\x02"))+10] = 97

	badSum := []byte(zipOf(t, member{name: "a", data: good}, member{name: "b", data: good}))
	badSum[bytes.Index(badSum, []byte("PK\x01\x02"))+16] ^= 1

	three := []member{{name: "a", data: good}, {name: "b", data: "lines\n" + noise(3000) + "\n"}, {name: "c", data: good}}
	described, sized := zipOf(t, three...), zipSized(t, three...)
	cutZip := func(z string) string { return z[:strings.Index(z, "PK\x01\x02")-20] }
	inB := func(z string) string { return z[:strings.Index(z, "PK\x03\x04")+400] }

	nest := func(depth int) string {
		s := good
		for range depth {
			s = zipOf(t, member{name: "x", data: s})
		}
		return s
	}
	longTar := tarOf(t, three...)

	for _, c := range []struct {
		name   string
		files  map[string]string
		limits Limits
		want   string
	}{
		{name: "directory in path order, sidecars apart, .git left out",
			files: map[string]string{"b": good, "a/x": "lines\nbad\nx\n", "run.toml": "\ufeffa=1\n", "a/run.toml": "b=2", ".git/config": good, ".gitignore": "x"},
			want: `
file .gitignore
file a/run.toml format=sidecar
file a/x format=lines errors=1
file b format=lines
file run.toml format=sidecar
sidecar a/run.toml "b=2"
sidecar run.toml "a=1\n"
.gitignore: ignored: no known format: text that begins "x"
a/x:2:1: error: bad line
a/x:3:1: note x
b:2:1: note one
b:3:1: note two
`},
		{name: "what is no text",
			files: map[string]string{"bin": "ab\x00cd", "empty": "", "jpg": "\xff\xd8\xff\xe0", "png": "\x89PNG\r\n\x1a\n\x00", "space": " \n", "utf16": "\xff\xfel\x00i\x00", "utf16-unmarked": "l\x00i\x00n\x00e\x00s\x00", "xz": "\xfd7zXZ\x00..", "pdf": "%PDF-1.7", "bom": "\ufeff", "bom-lines": "\ufefflines\nx\n"},
			want: `
file bin
file bom
file bom-lines format=lines
file empty
file jpg
file pdf
file png
file space
file utf16
file utf16-unmarked
file xz
bin: ignored: binary data
bom: ignored: empty file
bom-lines:2:1: note x
empty: ignored: empty file
jpg: ignored: picture (JPEG)
pdf: ignored: PDF document
png: ignored: picture (PNG)
space: ignored: nothing but white space
utf16: ignored: text in UTF-16: convert it to UTF-8 (iconv -f UTF-16 -t UTF-8)
utf16-unmarked: ignored: text in UTF-16: convert it to UTF-8 (iconv -f UTF-16 -t UTF-8)
xz: ignored: xz archive: unpack it or pack it as zip, gz or zst
`},
		{name: "an object that ends before what would tell its format",
			files: map[string]string{"a.json": "{\"model_id\": \"m\",\n \"num_prompts\": 8,", "b.json": "{\"a\": {\"b\": \"c", "c.json": "{% raw %}", "d.json": `{"a": 1} x`, "e.json": `{`},
			want: `
file a.json errors=1
file b.json errors=1
file c.json
file d.json
file e.json
a.json:2:19: error: no known format: JSON object with keys "model_id", "num_prompts"; the file ends inside the object that began in line 1: it was cut short
b.json:1:15: error: no known format: JSON object with keys "a"; the file ends inside the string that began in line 1: it was cut short
c.json: ignored: no known format: JSON
d.json: ignored: no known format: JSON object with keys "a"
e.json: ignored: no known format: JSON
`},
		{name: "unknown files say what they look like",
			files: map[string]string{"a.json": `{"b":1,"a":{"c":2}}`, "b.json": `[{"z":"` + strings.Repeat("z", 100) + `"}]`, "c.json": `[1]`, "d.json": `{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1,"h":1,"i":1,"j":1}`},
			want: `
file a.json
file b.json
file c.json
file d.json
a.json: ignored: no known format: JSON object with keys "a", "b"
b.json: ignored: no known format: JSON array of objects with keys "z"
c.json: ignored: no known format: JSON
d.json: ignored: no known format: JSON object with keys "a", "b", "c", "d", "e", "f", "g", "h" and 2 more
`},
		{name: "a format that panics, two formats, a format that fails",
			files: map[string]string{"a": "lines\nx\npanic\ny\n", "b": "lines\nboth\n", "c": "x\nboth\n", "d": good},
			want: `
file a format=lines errors=1
file b errors=1
file c format=both errors=1
file d format=lines
a:2:1: note x
a: error: the reader of lines failed, please report it with the file: oh
b: error: several formats claim this file: both, lines; where results of two tools were put in one, part them, else please report it
c: error: reading stopped: disk on fire
d:2:1: note one
d:3:1: note two
`},
		{name: "a file with nothing but errors",
			files: map[string]string{"a": "lines\n" + strings.Repeat("bad\n", 250) + "x\n"},
			want: "\nfile a format=lines errors=101\n" + func() (s string) {
				for i := range 100 {
					s += fmt.Sprintf("a:%d:1: error: bad line\n", i+2)
				}
				return s
			}() + "a:252:1: note x\na:251:1: error: and 150 further errors in this file up to here\n"},
		{name: "names that cannot be shown",
			files: map[string]string{"a\xff": good, "b\nc": good},
			want: `
file "a\xff" unread
file "b\nc" unread
"a\xff": ignored: its name is not UTF-8: rename it
"b\nc": ignored: its name holds control characters: rename it
`},
		{name: "archives of all kinds, by content and not by name",
			files: map[string]string{
				"a.dat":       zipOf(t, member{name: "d/", data: ""}, member{name: "d/x", data: good}, member{name: "./y", data: "lines\ny\n"}),
				"b.tar":       tarOf(t, member{name: "./d/x", data: "lines\nt\n"}),
				"c.tgz":       gzOf(t, tarOf(t, member{name: "x", data: "lines\ntgz\n"})),
				"d.tar.zst":   zstOf(t, tarOf(t, member{name: "x", data: "lines\nzst\n"})),
				"e.json.gz":   gzOf(t, "lines\ngz\n"),
				"f.txt.zst":   zstOf(t, "lines\nzst\n"),
				"g":           gzOf(t, "lines\nno suffix\n"),
				"h.zip":       "lines\nno archive\n",
				"i.empty.zip": zipOf(t),
			},
			want: `
archive a.dat format=zip
archive b.tar format=tar
archive c.tgz format=tar.gz
archive d.tar.zst format=tar.zst
archive e.json.gz format=gz
archive f.txt.zst format=zst
archive g format=gz
archive i.empty.zip format=zip
file a.dat!d/x format=lines
file a.dat!y format=lines
file b.tar!d/x format=lines
file c.tgz!x format=lines
file d.tar.zst!x format=lines
file e.json.gz!e.json format=lines
file f.txt.zst!f.txt format=lines
file g!g format=lines
file h.zip format=lines
a.dat!d/x:2:1: note one
a.dat!d/x:3:1: note two
a.dat!y:2:1: note y
b.tar!d/x:2:1: note t
c.tgz!x:2:1: note tgz
d.tar.zst!x:2:1: note zst
e.json.gz!e.json:2:1: note gz
f.txt.zst!f.txt:2:1: note zst
g!g:2:1: note no suffix
h.zip:2:1: note no archive
`},
		{name: "archives in archives, and sidecars in them",
			files: map[string]string{"a.zip": zipOf(t,
				member{name: "in.tar.gz", data: gzOf(t, tarOf(t, member{name: "deep.zip", data: zipOf(t, member{name: "x", data: good}, member{name: "run.toml", data: "k=1"})}, member{name: "y", data: good}))},
				member{name: "one.gz", data: gzOf(t, good)})},
			want: `
archive a.zip format=zip
archive a.zip!in.tar.gz format=tar.gz
archive a.zip!in.tar.gz!deep.zip format=zip
archive a.zip!one.gz format=gz
file a.zip!in.tar.gz!deep.zip!run.toml format=sidecar
file a.zip!in.tar.gz!deep.zip!x format=lines
file a.zip!in.tar.gz!y format=lines
file a.zip!one.gz!one format=lines
sidecar a.zip!in.tar.gz!deep.zip!run.toml "k=1"
a.zip!in.tar.gz!deep.zip!x:2:1: note one
a.zip!in.tar.gz!deep.zip!x:3:1: note two
a.zip!in.tar.gz!y:2:1: note one
a.zip!in.tar.gz!y:3:1: note two
a.zip!one.gz!one:2:1: note one
a.zip!one.gz!one:3:1: note two
`},
		{name: "nested too deep",
			files: map[string]string{"three": nest(3), "four": nest(4)},
			want: `
archive four format=zip
archive four!x format=zip
archive four!x!x format=zip
archive four!x!x!x format=zip errors=1 unread
archive three format=zip
archive three!x format=zip
archive three!x!x format=zip
file three!x!x!x format=lines
four!x!x!x: error: archives lie in each other more than 3 deep: unpack it first
three!x!x!x:2:1: note one
three!x!x!x:3:1: note two
`},
		{name: "names that lead out of the archive",
			files: map[string]string{
				"a.zip": zipOf(t, member{name: "../../x", data: good}, member{name: "/etc/x", data: good}, member{name: `d\x`, data: good}, member{name: "C:/x", data: good},
					member{name: "a/../x", data: good}, member{name: "n\xff", data: good}, member{name: "n\nm", data: good}, member{name: ".git/x", data: good}, member{name: "ok", data: good}),
				"b.tar": tarOf(t, member{name: "../x", data: good}, member{name: "/abs", data: good}, member{name: "ok", data: good}),
			},
			want: `
archive a.zip format=zip
archive b.tar format=tar
file a.zip!"../../x" errors=1 unread
file a.zip!"/etc/x" errors=1 unread
file a.zip!"C:/x" errors=1 unread
file a.zip!"a/../x" errors=1 unread
file a.zip!"d\\x" errors=1 unread
file a.zip!"n\nm" unread
file a.zip!"n\xff" unread
file a.zip!ok format=lines
file b.tar!"../x" errors=1 unread
file b.tar!"/abs" errors=1 unread
file b.tar!ok format=lines
a.zip!"../../x": error: the name leads out of the archive: not read
a.zip!"/etc/x": error: the name leads out of the archive: not read
a.zip!"C:/x": error: the name is no path inside the archive: pack it again with forward slashes; not read
a.zip!"a/../x": error: the name leads out of the archive: not read
a.zip!"d\\x": error: the name is no path inside the archive: pack it again with forward slashes; not read
a.zip!"n\nm": ignored: its name holds control characters: rename it
a.zip!"n\xff": ignored: its name is not UTF-8: rename it
a.zip!ok:2:1: note one
a.zip!ok:3:1: note two
b.tar!"../x": error: the name leads out of the archive: not read
b.tar!"/abs": error: the name leads out of the archive: not read
b.tar!ok:2:1: note one
b.tar!ok:3:1: note two
`},
		{name: "links in archives are not followed",
			files: map[string]string{"a.zip": zipOf(t, member{name: "l", data: "/etc/passwd", mode: fs.ModeSymlink | 0o777}), "b.tar": tarOf(t, member{name: "l", data: "/etc/passwd", mode: fs.ModeSymlink})},
			want: `
archive a.zip format=zip
archive b.tar format=tar
file a.zip!l unread
file b.tar!l unread
a.zip!l: ignored: symbolic link: not followed
b.tar!l: ignored: link: not followed
`},
		{name: "members of equal name keep their order",
			files: map[string]string{"a.zip": zipOf(t, member{name: "x", data: "lines\nfirst\n"}, member{name: "x", data: "lines\nsecond\n"})},
			want: `
archive a.zip format=zip
file a.zip!x format=lines
file a.zip!x format=lines
a.zip!x:2:1: note first
a.zip!x:2:1: note second
`},
		{name: "members that cannot be unpacked",
			files: map[string]string{"encrypted.zip": string(encrypted), "method.zip": string(unknownMethod), "sum.zip": string(badSum)},
			want: `
archive encrypted.zip format=zip
archive method.zip format=zip
archive sum.zip format=zip
file encrypted.zip!open format=lines
file encrypted.zip!secret errors=1 unread
file method.zip!a errors=1 unread
file method.zip!b format=lines
file sum.zip!a format=lines errors=1 unread
file sum.zip!b format=lines
encrypted.zip!open:2:1: note one
encrypted.zip!open:3:1: note two
encrypted.zip!secret: error: encrypted: unpack it first
method.zip!a: error: compressed in a way that cannot be read: pack it again as an ordinary zip, tar.gz or tar.zst
method.zip!b:2:1: note one
method.zip!b:3:1: note two
sum.zip!a: error: damaged: its checksum is wrong
sum.zip!b:2:1: note one
sum.zip!b:3:1: note two
`},
		{name: "zip without its directory: all members whose data are there",
			files: map[string]string{"described.zip": described[:strings.Index(described, "PK\x01\x02")], "sized.zip": sized[:strings.Index(sized, "PK\x01\x02")]},
			want: `
archive described.zip format=zip errors=1
archive sized.zip format=zip errors=1
file described.zip!a format=lines
file described.zip!b format=lines
file described.zip!c format=lines
file sized.zip!a format=lines
file sized.zip!b format=lines
file sized.zip!c format=lines
described.zip: error: damaged zip archive: its directory is missing: it was cut short; read as far as possible, members found: 3
described.zip!a:2:1: note one
described.zip!a:3:1: note two
described.zip!b:2:1: note ` + noise(3000) + `
described.zip!c:2:1: note one
described.zip!c:3:1: note two
sized.zip: error: damaged zip archive: its directory is missing: it was cut short; read as far as possible, members found: 3
sized.zip!a:2:1: note one
sized.zip!a:3:1: note two
sized.zip!b:2:1: note ` + noise(3000) + `
sized.zip!c:2:1: note one
sized.zip!c:3:1: note two
`},
		{name: "zip cut short inside its last member",
			files: map[string]string{"described.zip": cutZip(described), "sized.zip": cutZip(sized)},
			want:  "~cut short: the end of its data is missing"},
		{name: "zip cut short inside its second member",
			files: map[string]string{"described.zip": inB(described), "sized.zip": inB(sized)},
			want:  "~cut short: the end of its data is missing"},
		{name: "tar and gz cut short: what is there is read",
			files: map[string]string{"a.tar": longTar[:512+512+512+1000], "b.gz": gzOf(t, "lines\n"+noise(50_000))[:20_000], "c.tar.gz": gzOf(t, longTar)[:1000]},
			want:  "~cut short: the end of its data is missing"},
		{name: "garbage behind the mark of an archive",
			files: map[string]string{"a.zip": "PK\x03\x04" + noise(200), "b.gz": "\x1f\x8b\x08" + noise(200), "c.zst": "\x28\xb5\x2f\xfd" + noise(200)},
			want:  "~"},
		{name: "zip bomb: one member",
			files: map[string]string{"bomb.zip": zipOf(t, member{name: "a", data: good}, member{name: "b", data: strings.Repeat("\x00", 20<<20)}, member{name: "c", data: good}),
				"more.zip": zipOf(t, member{name: "a", data: noise(100_000)}, member{name: "b", data: strings.Repeat("\x00", 20<<20)})},
			want: `
archive bomb.zip format=zip
archive more.zip format=zip
file bomb.zip!a format=lines
file bomb.zip!b errors=1 unread
file bomb.zip!c format=lines
file more.zip!a
file more.zip!b errors=1 unread
bomb.zip!a:2:1: note one
bomb.zip!a:3:1: note two
bomb.zip!b: error: unpacks to more than 1000 times its size, as only an archive made to do harm does: not read
bomb.zip!c:2:1: note one
bomb.zip!c:3:1: note two
more.zip!a: ignored: no known format: text that begins "` + noise(60) + `"
more.zip!b: error: unpacks to more than 1000 times its size, as only an archive made to do harm does: not read
`},
		{name: "bombs in streams",
			files: map[string]string{"a.gz": gzOf(t, "lines\n"+strings.Repeat("\n", 20<<20)), "b.zst": zstOf(t, "lines\n"+strings.Repeat("\n", 20<<20)), "c.tgz": gzOf(t, tarOf(t, member{name: "x", data: good}, member{name: "y", data: strings.Repeat("\x00", 20<<20)}))},
			want: `
archive a.gz format=gz
archive b.zst format=zst
archive c.tgz format=tar.gz errors=1
file a.gz!a format=lines errors=1 unread
file b.zst!b format=lines errors=1 unread
file c.tgz!x format=lines
a.gz!a: error: unpacks to more than 1000 times its size, as only an archive made to do harm does
b.zst!b: error: unpacks to more than 1000 times its size, as only an archive made to do harm does
c.tgz: error: unpacks to more than 1000 times its size, as only an archive made to do harm does: the rest is not read, from member "y" on
c.tgz!x:2:1: note one
c.tgz!x:3:1: note two
`},
		{name: "limit of one file: only of files that a format wants",
			limits: Limits{Member: 1000},
			files: map[string]string{"a": "lines\n" + noise(1000), "b": noise(2000), "c.zip": zipOf(t, member{name: "a", data: "lines\n" + noise(1000)}, member{name: "b", data: good}, member{name: "n.zip", data: zipOf(t, member{name: "x", data: noise(1500)})}),
				"d.gz": gzOf(t, "lines\n"+noise(1000)), "e.tar": tarOf(t, member{name: "a", data: "lines\n" + noise(1000)}, member{name: "b", data: good})},
			want: `
archive c.zip format=zip
archive c.zip!n.zip format=zip errors=1 unread
archive d.gz format=gz
archive e.tar format=tar
file a format=lines errors=1 unread
file b
file c.zip!a format=lines errors=1 unread
file c.zip!b format=lines
file d.gz!d format=lines errors=1 unread
file e.tar!a format=lines errors=1 unread
file e.tar!b format=lines
a: error: larger than 1000 bytes, the limit for one file: split it or raise the limit
b: ignored: no known format: text that begins "` + noise(60) + `"
c.zip!a: error: larger than 1000 bytes, the limit for one file: split it or raise the limit
c.zip!b:2:1: note one
c.zip!b:3:1: note two
c.zip!n.zip: error: larger than 1000 bytes, the limit for one file: unpack it or raise the limit
d.gz!d: error: larger than 1000 bytes, the limit for one file: split it or raise the limit
e.tar!a: error: larger than 1000 bytes, the limit for one file: split it or raise the limit
e.tar!b:2:1: note one
e.tar!b:3:1: note two
`},
		{name: "limit of all that is unpacked, archives inside included",
			limits: Limits{Unpacked: 5000},
			files: map[string]string{"a.zip": zipOf(t, member{name: "a", data: noise(3000)}, member{name: "b", data: noise(3000)}, member{name: "c", data: good}),
				"b.zip": zipOf(t, member{name: "n.gz", data: gzOf(t, "lines\n"+strings.Repeat("x", 6000))}, member{name: "y", data: good}),
				"c.gz":  gzOf(t, "lines\n"+noise(6000))},
			want: `
archive a.zip format=zip errors=1
archive b.zip format=zip errors=1
archive b.zip!n.gz format=gz
archive c.gz format=gz
file a.zip!a
file b.zip!n.gz!n format=lines errors=1 unread
file c.gz!c format=lines errors=1 unread
a.zip: error: unpacks to more than 5000 bytes in all, the limit for one archive: split it or raise the limit: the rest is not read, from member "b" on
a.zip!a: ignored: no known format: text that begins "` + noise(60) + `"
b.zip: error: unpacks to more than 5000 bytes in all, the limit for one archive: split it or raise the limit: the rest is not read, from member "y" on
b.zip!n.gz!n: error: unpacks to more than 5000 bytes in all, the limit for one archive: split it or raise the limit
c.gz!c: error: unpacks to more than 5000 bytes in all, the limit for one archive: split it or raise the limit
`},
		{name: "limit of members",
			limits: Limits{Members: 2},
			files:  map[string]string{"a.zip": zipOf(t, three...), "b.tar": tarOf(t, member{name: "a", data: good}, member{name: "b", data: good}, member{name: "c", data: good})},
			want: `
archive a.zip format=zip errors=1
archive b.tar format=tar errors=1
file a.zip!a format=lines
file a.zip!b format=lines
file b.tar!a format=lines
file b.tar!b format=lines
a.zip: error: has more than 2 members, the limit for one archive: the rest is not read
a.zip!a:2:1: note one
a.zip!a:3:1: note two
a.zip!b:2:1: note ` + noise(3000) + `
b.tar: error: has more than 2 members, the limit for one archive: the rest is not read
b.tar!a:2:1: note one
b.tar!a:3:1: note two
b.tar!b:2:1: note one
b.tar!b:3:1: note two
`},
	} {
		t.Run(c.name, func(t *testing.T) {
			fsys := fstest.MapFS{}
			for name, data := range c.files {
				fsys[name] = &fstest.MapFile{Data: []byte(data)}
			}
			var first string
			for _, workers := range []int{1, 8} {
				r, err := Read(t.Context(), []Input{{Name: ".", FS: fsys}}, Options{
					Formats: testFormats, Workers: workers, Limits: c.limits,
					Sidecar: func(base string) bool { return base == "run.toml" },
				})
				if err != nil {
					t.Fatal(err)
				}
				got := show(r)
				if part, ok := strings.CutPrefix(c.want, "~"); ok {
					for name := range c.files {
						if !strings.Contains(got, "\n"+name) || !strings.Contains(got, part) {
							t.Errorf("%s: want an error with %q:\n%s", name, part, got)
						}
						if i := slices.IndexFunc(r.Records, func(rec record.Record) bool {
							_, isError := rec.(*record.SyntaxError)
							return isError && strings.HasPrefix(rec.Pos().File, name)
						}); i < 0 {
							t.Errorf("%s: no error:\n%s", name, got)
						}
					}
					if part != "" && !strings.Contains(got, "note") {
						t.Errorf("nothing was read before the damage:\n%s", got)
					}
				} else if diff := cmp.Diff(strings.TrimPrefix(c.want, "\n"), got); diff != "" {
					t.Errorf("%d workers (-want +got):\n%s", workers, diff)
				}
				if first == "" {
					first = got
				} else if got != first {
					t.Errorf("8 workers differ from 1 (-1 +8):\n%s", cmp.Diff(first, got))
				}
			}
		})
	}
}

func TestReadStampsRecords(t *testing.T) {
	fsys := fstest.MapFS{"d/a": {Data: []byte("lines\nx\n")}}
	r, err := Read(t.Context(), []Input{{Name: "some/where", FS: fsys, Root: "d"}}, Options{Formats: testFormats})
	if err != nil {
		t.Fatal(err)
	}
	const sum = "7b5bcc1bb9ffb06a64ae7dfb2d6eb8f2a8e2fcd5ef6bd9b0fbd0e1e6f9f0f3f2"
	want := record.Base{At: record.Pos{File: "some/where/a", Line: 2, Col: 1}, Format: "lines", Digest: r.Files[0].SHA256}
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
		fsys[fmt.Sprintf("%03d.zip", i)] = &fstest.MapFile{Data: []byte(zipOf(t, member{name: "a", data: good}, member{name: "b", data: good}))}
	}
	for _, workers := range []int{1, 4} {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		n := 0
		r, err := Read(ctx, []Input{{Name: ".", FS: fsys}}, Options{Formats: testFormats, Workers: workers, Progress: func(Progress) {
			if n++; n == 20 {
				cancel()
			}
		}})
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
	for name, want := range map[string]error{"closed": fs.ErrPermission, "torn": io.ErrClosedPipe} {
		_, err := Read(t.Context(), []Input{{Name: "d", FS: brokenFS{fstest.MapFS{name: {Data: []byte(good)}}}}}, Options{Formats: testFormats})
		if !errors.Is(err, want) || !strings.HasPrefix(err.Error(), "d/"+name+": ") {
			t.Errorf("%s: got %v, want %v", name, err, want)
		}
	}
	// A zip from a file system that gives streams only is read through memory.
	r, err := Read(t.Context(), []Input{{Name: "d", FS: brokenFS{fstest.MapFS{"stream.zip": {Data: []byte(zipOf(t, member{name: "m", data: good}))}}}}}, Options{Formats: testFormats})
	if err != nil || len(r.Records) != 2 {
		t.Errorf("got %+v, %v", r, err)
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
		r, err := Read(t.Context(), []Input{{Name: ".", FS: fsys}}, Options{Formats: testFormats, Workers: workers, TempFile: func() (File, error) {
			f, err := os.CreateTemp(t.TempDir(), "")
			opened++
			return tempFile{f, &closed}, err
		}})
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
	if want := "a.tar!big.zip: error: an archive inside an archive, larger than 64 MiB: unpack it first\n"; !strings.HasSuffix(show(r), want) {
		t.Errorf("got %s", show(r))
	}
	_, err = Read(t.Context(), []Input{{Name: ".", FS: fsys}}, Options{TempFile: func() (File, error) { return nil, fs.ErrPermission }})
	if !errors.Is(err, fs.ErrPermission) {
		t.Errorf("no temporary file can be made: got %v", err)
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
	r, err := Read(t.Context(), []Input{{Name: "bomb.zip", Data: bomb}}, Options{Formats: testFormats, Limits: Limits{Ratio: 400}})
	if err != nil {
		t.Fatal(err)
	}
	if r.Archives[0].Errors != 1 || len(r.Files) == 0 || len(r.Files) >= n || r.Bytes > int64(len(bomb))*400 {
		t.Errorf("%d files of %d bytes in all were read of a bomb of %d bytes; errors: %d", len(r.Files), r.Bytes, len(bomb), r.Archives[0].Errors)
	}
}

func FuzzRead(f *testing.F) {
	three := []member{{name: "a", data: good}, {name: "d/b", data: "lines\nbad\n"}, {name: "../c", data: good}}
	for _, data := range []string{
		zipOf(f, three...), zipSized(f, three...), tarOf(f, three...), gzOf(f, tarOf(f, three...)), zstOf(f, good), gzOf(f, good),
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
