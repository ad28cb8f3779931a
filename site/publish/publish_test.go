package publish

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// publishOn writes files as a site.
func publishOn(output string, on disk, files map[string]string) error {
	d, err := begin(output, on)
	if err != nil {
		return err
	}
	for name, data := range files {
		if err := d.Write(name, []byte(data)); err != nil {
			return errors.Join(err, d.Abort())
		}
	}
	return errors.Join(d.Commit(), d.Abort())
}

// put writes a file that is there before a site is published.
func put(t *testing.T, name, data string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(data), 0o666); err != nil {
		t.Fatal(err)
	}
}

// mustPublish writes files as a site.
func mustPublish(t *testing.T, output string, files map[string]string) {
	t.Helper()
	if err := publishOn(output, realDisk, files); err != nil {
		t.Fatal(err)
	}
}

// wantSite compares what lies at output with files.
func wantSite(t *testing.T, output string, files map[string]string) {
	t.Helper()
	if d := cmp.Diff(files, tree(t, output)); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}

// tree reads a directory; nil where there is none.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	if !exists(dir) {
		return nil
	}
	files := map[string]string{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(filepath.Join(dir, name))
		files[name] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

var (
	first  = map[string]string{"index.html": "one", "a/index.html": "a", "gone.html": "gone"}
	second = map[string]string{"index.html": "two", "a/index.html": "a", "b/c/index.html": "new"}
)

func TestPublish(t *testing.T) {
	output := filepath.Join(t.TempDir(), "public")
	mustPublish(t, output, first)
	before, err := os.Stat(filepath.Join(output, "a/index.html"))
	if err != nil {
		t.Fatal(err)
	}
	mustPublish(t, output, second)
	wantSite(t, output, second)
	after, err := os.Stat(filepath.Join(output, "a/index.html"))
	if err != nil {
		t.Fatal(err)
	}
	if !os.SameFile(before, after) {
		t.Error("an unchanged file was written again")
	}
	names, err := readList(stateOf(output).files())
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"a/index.html", "b/c/index.html", "index.html"}, names); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	for name := range tree(t, stateOf(output).dir) {
		if name != "files" && name != "lock" {
			t.Errorf("beside the site lies %s", name)
		}
	}
}

// The last site, whole, is there whichever operation fails, and so is a way on.
func TestEveryFailureLeavesAWholeSite(t *testing.T) {
	broken := errors.New("the disk is broken")
	for _, stops := range []bool{false, true} { // true: nothing works after the failure, as when the program is killed.
		for n := 1; ; n++ {
			output := filepath.Join(t.TempDir(), "public")
			mustPublish(t, output, first)
			count := 0
			step := func(f func() error) error {
				count++
				if count == n || stops && count > n {
					return broken
				}
				return f()
			}
			on := disk{
				mkdirAll:  func(name string) error { return step(func() error { return realDisk.mkdirAll(name) }) },
				write:     func(name string, data []byte) error { return step(func() error { return realDisk.write(name, data) }) },
				link:      func(from, to string) error { return step(func() error { return realDisk.link(from, to) }) },
				rename:    func(from, to string) error { return step(func() error { return realDisk.rename(from, to) }) },
				removeAll: func(name string) error { return step(func() error { return realDisk.removeAll(name) }) },
			}
			err := publishOn(output, on, second)
			if count < n {
				if err != nil {
					t.Fatal(err)
				}
				break // Every operation has failed once.
			}
			got := tree(t, output)
			switch {
			case cmp.Equal(got, first), cmp.Equal(got, second):
			case got == nil && stops:
				// Between the two renamings; the next Begin puts it right.
			default:
				t.Errorf("operation %d failed (%v): the site is %v", n, err, got)
			}
			d, err := Begin(output)
			if err != nil {
				t.Fatalf("operation %d failed: the next build does not begin: %v", n, err)
			}
			if got := tree(t, output); !cmp.Equal(got, first) && !cmp.Equal(got, second) {
				t.Errorf("operation %d failed: after it the site is %v", n, got)
			}
			if err := d.Abort(); err != nil {
				t.Fatal(err)
			}
			mustPublish(t, output, second)
			if d := cmp.Diff(second, tree(t, output)); d != "" {
				t.Errorf("operation %d failed: the next site: -want +got:\n%s", n, d)
			}
		}
	}
}

func TestAbort(t *testing.T) {
	output := filepath.Join(t.TempDir(), "public")
	mustPublish(t, output, first)
	d, err := Begin(output)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Write("index.html", []byte("half")); err != nil {
		t.Fatal(err)
	}
	if err := d.Abort(); err != nil {
		t.Fatal(err)
	}
	wantSite(t, output, first)
}

// What this program did not write it does not remove.
func TestForeignFilesAreKept(t *testing.T) {
	for _, published := range []bool{false, true} {
		for _, name := range []string{"mine.txt", ".git/HEAD", "a/deep/mine.txt"} {
			output := filepath.Join(t.TempDir(), "public")
			if published {
				mustPublish(t, output, first)
			}
			mine := filepath.Join(output, name)
			put(t, mine, "mine")
			if err := publishOn(output, realDisk, second); err == nil ||
				!strings.Contains(err.Error(), fmt.Sprintf("%q", name)) {
				t.Errorf("%s: error %v", name, err)
			}
			if data, _ := os.ReadFile(mine); string(data) != "mine" {
				t.Errorf("%s: was changed", name)
			}
		}
	}
}

// A file that appears while the site is built is kept too.
func TestForeignFileThatAppearsLater(t *testing.T) {
	output := filepath.Join(t.TempDir(), "public")
	d, err := Begin(output)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Write("index.html", []byte("x")); err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(output, "mine.txt"), "mine")
	if err := d.Commit(); err == nil {
		t.Error("no error")
	}
	wantSite(t, output, map[string]string{"mine.txt": "mine"})
}

func TestWhatCanBeReplaced(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "empty"), 0o777); err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(dir, "file"), "")
	if err := os.Symlink("empty", filepath.Join(dir, "symlink")); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"empty": true, "new": true, "deep/new": true, "file": false, "symlink": false, "/": false} {
		output := name
		if name != "/" {
			output = filepath.Join(dir, name)
		}
		err := publishOn(output, realDisk, first)
		if (err == nil) != want {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

func TestNames(t *testing.T) {
	d, err := Begin(filepath.Join(t.TempDir(), "public"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"", ".", "..", "../x", "/x", "a/../../x", "a//b", "a/", "a\\b", "a\nb"} {
		if err := d.Write(name, nil); err == nil {
			t.Errorf("%q: no error", name)
		}
	}
	if err := d.Write("a", nil); err != nil {
		t.Error(err)
	}
	if err := d.Write("a", nil); err == nil {
		t.Error("written twice: no error")
	}
	if err := d.Abort(); err != nil {
		t.Error(err)
	}
}

func TestTwoBuildsAtOnce(t *testing.T) {
	output := filepath.Join(t.TempDir(), "public")
	d, err := Begin(output)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Begin(output); err == nil {
		t.Error("a second draft: no error")
	}
	if err := d.Abort(); err != nil {
		t.Fatal(err)
	}
	if err := publishOn(output, realDisk, first); err != nil {
		t.Error(err)
	}
}
