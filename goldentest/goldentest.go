// Package goldentest holds what tests do with files: cases of testdata, each a txtar file that begins with a line of
// prose, texts that are compared with a file or written to it, files and values that a test invents, and schemas.
package goldentest

import (
	"bytes"
	"errors"
	"flag"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/tools/txtar"
)

// update is the flag -update of test programs. Generators run outside of tests too, where no
// flag of theirs should appear.
var update = func() *bool {
	if !testing.Testing() {
		return new(bool)
	}
	return flag.Bool("update", false, "write the golden files instead of comparing")
}()

// Update reports whether the test was started with -update.
func Update() bool { return *update }

// Case is a txtar file of a test. Its comment says what it shows.
type Case struct {
	*txtar.Archive
	// Path is the path of the file, Name its name without extension.
	Path, Name string
}

// Cases are the cases whose paths match a pattern, by path. It is an error where there is none, and where one does
// not say what it shows.
func Cases(t testing.TB, pattern string) (cs []*Case) {
	t.Helper()
	paths, err := filepath.Glob(pattern)
	if err != nil || len(paths) == 0 {
		t.Fatalf("no case matches %s: %v", pattern, err)
	}
	for _, p := range paths {
		a, err := txtar.ParseFile(p)
		if err != nil {
			t.Fatal(err)
		}
		if len(bytes.TrimSpace(a.Comment)) == 0 {
			t.Errorf("%s: the first line must say what the case shows", p)
		}
		cs = append(cs, &Case{a, p, strings.TrimSuffix(filepath.Base(p), ".txtar")})
	}
	return cs
}

// Run runs a test of each case that matches a pattern, under the name of the case.
func Run(t *testing.T, pattern string, test func(t *testing.T, c *Case)) {
	t.Helper()
	for _, c := range Cases(t, pattern) {
		t.Run(c.Name, func(t *testing.T) { test(t, c) })
	}
}

// Text is the text of a file of the case, empty where there is none.
func (c *Case) Text(name string) string {
	for _, f := range c.Files {
		if f.Name == name {
			return string(f.Data)
		}
	}
	return ""
}

// Want compares a text with the file "want" of the case, or writes it there.
func (c *Case) Want(t testing.TB, got string) {
	t.Helper()
	if !Update() {
		differ(t, c.Path, c.Text("want"), got)
		return
	}
	c.Files = slices.DeleteFunc(c.Files, func(f txtar.File) bool { return f.Name == "want" })
	c.Files = append(c.Files, txtar.File{Name: "want", Data: []byte(got)})
	Write(t, c.Path, txtar.Format(c.Archive))
}

// File compares a text with a file, or writes it there.
func File[T string | []byte](t testing.TB, path string, got T) {
	t.Helper()
	if Update() {
		Write(t, path, []byte(got))
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	differ(t, path, string(want), string(got))
}

func differ(t testing.TB, path, want, got string) {
	t.Helper()
	if d := cmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n")); d != "" {
		t.Errorf("%s (-want +got; -update writes the file):\n%s", path, d)
	}
}

// Table holds a function against what it must give for some arguments.
func Table[A, B comparable](t testing.TB, of func(A) B, want map[A]B) {
	t.Helper()
	for in, want := range want {
		if got := of(in); got != want {
			t.Errorf("of %#v it is %#v, want %#v", in, got, want)
		}
	}
}

// Write writes a file, with the directories that it is in.
func Write(t testing.TB, path string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
}

// Tree are the files below a folder with their texts, by their names in it; nil where there is no such folder.
func Tree(t testing.TB, folder string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := fs.WalkDir(os.DirFS(folder), ".", func(name string, e fs.DirEntry, err error) error {
		if name == "." && errors.Is(err, fs.ErrNotExist) {
			all = nil
			return nil
		}
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(filepath.Join(folder, name))
		all[name] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// Made holds the lines between the comments "<!-- NAME: MADE -->" and "<!-- end of NAME -->" of a text against those
// that the code makes; with -update it writes them. MADE is the command that does, as a reader types it.
func Made(t testing.TB, file, name, made string, lines []string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	begin, end := "<!-- "+name+": "+made+" -->\n", "<!-- end of "+name+" -->\n"
	before, rest, found := strings.Cut(string(data), begin)
	old, after, ended := strings.Cut(rest, end)
	table := strings.Join(lines, "\n") + "\n"
	switch {
	case !found || !ended:
		t.Errorf("%s: the table stands between %q and %q, which are not there", file, begin, end)
	case Update():
		if err := os.WriteFile(file, []byte(before+begin+table+end+after), 0o666); err != nil {
			t.Fatal(err)
		}
	default:
		if diff := cmp.Diff(old, table); diff != "" {
			t.Errorf("%s is not what the code says, run %q (-there +code):\n%s", file, made, diff)
		}
	}
}

// Row is a row of a table in Markdown.
func Row(cells ...string) string {
	for i, c := range cells {
		cells[i] = strings.ReplaceAll(c, "|", "\\|")
	}
	return "| " + strings.Join(cells, " | ") + " |"
}

// Schema is a JSON Schema, or the part of a document that a fragment names, "#/components/schemas/Run". It asserts
// formats too.
func Schema(t testing.TB, document io.Reader, fragment string) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(document)
	if err != nil {
		t.Fatal(err)
	}
	const name = "schema.json"
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource(name, doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile(name + fragment)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
