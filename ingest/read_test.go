package ingest

import (
	"bytes"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/inferdex/inferdex/goldentest"
	"github.com/inferdex/inferdex/ingest/record"
)

// TestRead reads the files of testdata/read/*.txtar. The first line of a case says what it shows; lines
// below it are options: "limit member 1000", "cut a.zip 400" and "poke a.zip 6 |1" of a packed file,
// whose offset may count from the directory of a zip archive: "directory-20". Then come the files.
//
// A "!" in a name parts an archive from its member: "a.zip!d/x". The end of the name tells what is
// packed how, or a word in brackets behind it: "a.dat(zip)!x"; "sized" is a zip archive whose headers
// hold the sizes, as Python writes it. A name in quotes is a Go string. Where the first line of a file
// begins with "@", each line is a part of it: @"a Go string", @noise 3000 (bytes that do not compress),
// @repeat 250 "bad\n", @link /etc/passwd.
//
// "want" has what was read, or "every file has an error: " and its text, where the bytes depend on the
// library that packs. "go test ./ingest -update" writes it.
func TestRead(t *testing.T) {
	goldentest.Run(t, "testdata/read/*.txtar", func(t *testing.T, g *goldentest.Case) {
		c := newReadCase(t, g.Archive)
		one, eight := c.read(t, 1), c.read(t, 8)
		if d := cmp.Diff(show(one), show(eight)); d != "" {
			t.Errorf("8 workers differ from 1 (-1 +8):\n%s", d)
		}
		if text, ok := strings.CutPrefix(g.Text("want"), "every file has an error: "); ok {
			c.wantErrors(t, one, strings.TrimSpace(text))
			return
		}
		g.Want(t, show(one))
	})
}

// readCase is one case: files as they lie there, and the limits they are read with.
type readCase struct {
	files  fstest.MapFS
	limits Limits
}

func (c *readCase) read(t *testing.T, workers int) *Reading {
	t.Helper()
	r, err := Read(t.Context(), []Input{{Name: ".", FS: c.files}}, Options{
		Formats: testFormats, Workers: workers, Limits: c.limits,
		Sidecar: func(base string) bool { return base == "run.toml" },
	})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// wantErrors demands an error in each file, somewhere the text, and that something was read before it.
func (c *readCase) wantErrors(t *testing.T, r *Reading, text string) {
	got := show(r)
	if !strings.Contains(got, text) || text != "" && !strings.Contains(got, "note") {
		t.Errorf("want an error with %q, and notes before it:\n%s", text, got)
	}
	for name := range c.files {
		if !slices.ContainsFunc(r.Records, func(rec record.Record) bool {
			_, isError := rec.(*record.SyntaxError)
			return isError && strings.HasPrefix(rec.Pos().File, name)
		}) {
			t.Errorf("%s: no error:\n%s", name, got)
		}
	}
}

func newReadCase(t *testing.T, a *txtar.Archive) *readCase {
	t.Helper()
	root := &packing{}
	for _, f := range a.Files[:len(a.Files)-1] {
		root.insert(t, strings.Split(f.Name, "!"), f.Data)
	}
	if a.Files[len(a.Files)-1].Name != "want" {
		t.Fatal("the last file is not \"want\"")
	}
	c := &readCase{files: fstest.MapFS{}}
	for _, m := range root.members {
		c.files[m.name] = &fstest.MapFile{Data: []byte(m.pack(t))}
	}
	options := strings.Split(strings.TrimSpace(string(a.Comment)), "\n")
	for _, o := range options[1:] {
		c.option(t, strings.Fields(o))
	}
	return c
}

// option changes the limits or the bytes of a file.
func (c *readCase) option(t *testing.T, words []string) {
	t.Helper()
	number := func(s string) int {
		n, err := strconv.Atoi(s)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	offset := func(data []byte, s string) int {
		if rest, ok := strings.CutPrefix(s, "directory"); ok {
			return bytes.Index(data, []byte("PK\x01\x02")) + number(rest)
		}
		return number(s)
	}
	switch words[0] {
	case "limit":
		limit := map[string]*int64{"member": &c.limits.Member, "unpacked": &c.limits.Unpacked}
		if words[1] == "members" {
			c.limits.Members = number(words[2])
		} else {
			*limit[words[1]] = int64(number(words[2]))
		}
	case "cut":
		f := c.files[words[1]]
		f.Data = f.Data[:offset(f.Data, words[2])]
	case "poke":
		data := c.files[words[1]].Data
		at, n := offset(data, words[2]), byte(number(words[3][1:]))
		switch words[3][0] {
		case '|':
			data[at] |= n
		case '^':
			data[at] ^= n
		default:
			data[at] = n
		}
	default:
		t.Fatalf("no such option: %q", words)
	}
}

// packing is a file of a case, or an archive of its members.
type packing struct {
	written string // the name as the case has it
	kind    string // of the archive: "zip", "tar.gz"; "" for a file
	members []*packing
	member
}

// insert adds a file at a path of names.
func (p *packing) insert(t *testing.T, path []string, data []byte) {
	t.Helper()
	if path[0] == "" && p.kind != "gz" && p.kind != "zst" {
		return // an archive without members
	}
	var m *packing
	if n := len(p.members); len(path) > 1 && n > 0 && p.members[n-1].written == path[0] {
		m = p.members[n-1]
	} else {
		m = &packing{written: path[0]}
		m.name = path[0]
		p.members = append(p.members, m)
	}
	if strings.HasPrefix(path[0], `"`) {
		var err error
		if m.name, err = strconv.Unquote(path[0]); err != nil {
			t.Fatal(err)
		}
	}
	if len(path) == 1 {
		m.data, m.mode = contentOf(t, string(data))
		return
	}
	name, kind, ok := strings.Cut(strings.TrimSuffix(path[0], ")"), "(")
	if !ok {
		for _, k := range []string{"zip", "tar", "tar.gz", "tgz", "tar.zst", "gz", "zst"} {
			if strings.HasSuffix(name, "."+k) && len(k) > len(kind) {
				kind = k
			}
		}
	}
	m.name, m.kind = name, kind
	m.insert(t, path[1:], data)
}

// contentOf is what a file of a case holds.
func contentOf(t *testing.T, text string) (data string, mode fs.FileMode) {
	t.Helper()
	if !strings.HasPrefix(text, "@") {
		return text, 0
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(strings.TrimPrefix(line, "@"), "\n")
		word, rest, _ := strings.Cut(line, " ")
		n := 1
		switch word {
		case "link":
			return rest, fs.ModeSymlink | 0o777
		case "noise", "repeat":
			if _, err := fmt.Sscan(rest, &n); err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			_, line, _ = strings.Cut(rest, " ")
			if word == "noise" {
				b.WriteString(noise(n))
				continue
			}
		}
		s, err := strconv.Unquote(line)
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		b.WriteString(strings.Repeat(s, n))
	}
	return b.String(), 0
}

func (p *packing) pack(t *testing.T) string {
	t.Helper()
	var members []member
	for _, m := range p.members {
		members = append(members, member{m.name, m.pack(t), m.mode})
	}
	switch p.kind {
	case "":
		return p.data
	case "zip":
		return zipOf(t, members...)
	case "sized":
		return zipSized(t, members...)
	case "tar":
		return tarOf(t, members...)
	case "tar.gz", "tgz":
		return gzOf(t, tarOf(t, members...))
	case "tar.zst":
		return zstOf(t, tarOf(t, members...))
	case "gz":
		return gzOf(t, members[0].data)
	case "zst":
		return zstOf(t, members[0].data)
	}
	t.Fatalf("%s: there is no archive of kind %q", p.name, p.kind)
	return ""
}
