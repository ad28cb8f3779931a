package publish

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/inferdex/inferdex/goldentest"
)

// kept is where a catalog remembers its site.
func kept(output string) string {
	return filepath.Join(filepath.Dir(output), ".inferdex", "publish")
}

// mine takes each site for the caller's own but one that has a page "theirs.html".
func mine(files []string) error {
	if slices.Contains(files, "theirs.html") {
		return errors.New("the site of another")
	}
	return nil
}

// publishOn writes files as a site.
func publishOn(output, kept string, on disk, files map[string]string) error {
	d, err := begin(output, kept, mine, on)
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

// mustPublish writes files as a site.
func mustPublish(t *testing.T, output string, files map[string]string) {
	t.Helper()
	if err := publishOn(output, kept(output), realDisk, files); err != nil {
		t.Fatal(err)
	}
}

// siteOf is what lies at output but its list, which has to list it.
func siteOf(t *testing.T, output string) map[string]string {
	t.Helper()
	files := goldentest.Tree(t, output)
	if _, ok := files[listName]; ok {
		if d := cmp.Diff(slices.Sorted(maps.Keys(files)), listed(output)); d != "" {
			t.Errorf("the site's own list: -want +got:\n%s", d)
		}
		delete(files, listName)
	}
	return files
}

// wantSite compares what lies at output with files.
func wantSite(t *testing.T, output string, files map[string]string) {
	t.Helper()
	if d := cmp.Diff(files, siteOf(t, output)); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}

var (
	zeroth = map[string]string{"a/index.html": "a", "gone.html/was.html": "a folder", "b/c": "a file"}
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
	names, err := readList(stateOf(kept(output), output).files())
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{listName, "a/index.html", "b/c/index.html", "index.html"}, names); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	for name := range goldentest.Tree(t, stateOf(kept(output), output).dir) {
		if name != "files" && name != "lock" && name != "seen" && name != "spare/a/index.html" {
			t.Errorf("beside the site lies %s", name)
		}
	}
}

// The last site, whole, is there whichever operation fails, and so is a way on; wherever what is remembered
// is kept, nothing is left beside the site then.
func TestEveryFailureLeavesAWholeSite(t *testing.T) {
	for name, kept := range map[string]func(dir string) (before, after string){
		"beside": func(dir string) (string, string) {
			return filepath.Join(dir, "static/.inferdex/publish"), filepath.Join(dir, "static/.inferdex/publish")
		},
		"elsewhere": func(dir string) (string, string) {
			return filepath.Join(dir, "kept"),
				filepath.Join(dir, "kept")
		},
		"once beside": func(dir string) (string, string) {
			return filepath.Join(dir, "static/.inferdex/publish"), filepath.Join(dir, "kept")
		},
		"other disk": func(dir string) (string, string) {
			return filepath.Join(dir, "kept"),
				filepath.Join(dir, "kept")
		},
	} {
		t.Run(name, func(t *testing.T) {
			for _, stops := range []bool{false,
				true} { // true: nothing works after the failure, as when the program is killed.
				for n := 1; ; n++ {
					dir := t.TempDir()
					before, after := kept(dir)
					f := &failing{at: n, stops: stops, otherDisk: name == "other disk"}
					if !f.publish(t, filepath.Join(dir, "static", "public"), before, after) {
						t.Logf("torture: a build failed at each of %d operations, what is remembered kept %s",
							f.count, name)
						break // Every operation has failed once.
					}
				}
			}
		})
	}
}

// failing is a disk whose operation number at fails, and all after it where it stops.
type failing struct {
	at, count        int
	stops, otherDisk bool
}

func (f *failing) step(op func() error) error {
	f.count++
	if f.count == f.at || f.stops && f.count > f.at {
		return errors.New("the disk is broken")
	}
	return op()
}

// sound is the disk without failures.
func (f *failing) sound() disk {
	on := realDisk
	on.rename = func(from, to string) error {
		if f.otherDisk && filepath.Base(from) == "try" {
			return errors.New("another disk")
		}
		return realDisk.rename(from, to)
	}
	return on
}

func (f *failing) disk() disk {
	on := f.sound()
	return disk{
		mkdirAll:  func(name string) error { return f.step(func() error { return on.mkdirAll(name) }) },
		write:     func(name string, data []byte) error { return f.step(func() error { return on.write(name, data) }) },
		link:      func(from, to string) error { return f.step(func() error { return on.link(from, to) }) },
		rename:    func(from, to string) error { return f.step(func() error { return on.rename(from, to) }) },
		removeAll: func(name string) error { return f.step(func() error { return on.removeAll(name) }) },
	}
}

// publish replaces a site with what was remembered in before, while the disk fails. It returns false where
// there were fewer operations.
func (f *failing) publish(t *testing.T, output, before, after string) bool {
	must := func(kept string, files map[string]string) {
		t.Helper()
		if err := publishOn(output, kept, f.sound(), files); err != nil {
			t.Fatalf("operation %d: %v", f.at, err)
		}
	}
	must(before, zeroth) // so that the draft begins with a spare
	must(before, first)
	err := publishOn(output, after, f.disk(), second)
	if f.count < f.at {
		if err != nil {
			t.Fatal(err)
		}
		return false
	}
	got := siteOf(t, output)
	switch {
	case cmp.Equal(got, first), cmp.Equal(got, second):
	case got == nil && f.stops:
		// Between the two renamings; the next Begin puts it right.
	default:
		t.Errorf("operation %d failed (%v): the site is %v", f.at, err, got)
	}
	d, err := begin(output, after, mine, f.sound())
	if err != nil {
		t.Fatalf("operation %d failed: the next build does not begin: %v", f.at, err)
	}
	if got := siteOf(t, output); !cmp.Equal(got, first) && !cmp.Equal(got, second) {
		t.Errorf("operation %d failed: after it the site is %v", f.at, got)
	}
	if err := d.Abort(); err != nil {
		t.Fatal(err)
	}
	must(after, second)
	wantSite(t, output, second)
	left, err := os.ReadDir(filepath.Dir(output))
	if err != nil || len(left) != 1 && !strings.HasPrefix(after, filepath.Dir(output)) {
		t.Errorf("operation %d failed: beside the site lies %v", f.at, left)
	}
	return true
}

func TestAbort(t *testing.T) {
	output := filepath.Join(t.TempDir(), "public")
	mustPublish(t, output, first)
	d, err := Begin(output, kept(output), mine)
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
			goldentest.Write(t, mine, []byte("mine"))
			if err := publishOn(output, kept(output), realDisk, second); err == nil ||
				!strings.Contains(err.Error(), fmt.Sprintf("%q", name)) {
				t.Errorf("%s: error %v", name, err)
			}
			if data, _ := os.ReadFile(mine); string(data) != "mine" {
				t.Errorf("%s: was changed", name)
			}
		}
	}
}

// A site of which nothing is remembered is known by its list, and what else lies in it is kept.
func TestForgottenSite(t *testing.T) {
	for name, test := range map[string]struct {
		edit  func(output string)
		error string
	}{
		"as it was":        {func(string) {}, ""},
		"an edited page":   {func(o string) { goldentest.Write(t, filepath.Join(o, "index.html"), []byte("mine")) }, ""},
		"a missing page":   {func(o string) { _ = os.Remove(filepath.Join(o, "index.html")) }, ""},
		"a foreign file":   {func(o string) { goldentest.Write(t, filepath.Join(o, "CNAME"), []byte("mine")) }, `"CNAME"`},
		"without a list":   {func(o string) { _ = os.Remove(filepath.Join(o, listName)) }, "not a site"},
		"a damaged list":   {func(o string) { goldentest.Write(t, filepath.Join(o, listName), []byte("\x1f\x8b")) }, "not a site"},
		"a foreign list":   {func(o string) { goldentest.Write(t, filepath.Join(o, listName), []byte("index.html")) }, "not a site"},
		"a list elsewhere": {func(o string) { move(t, o, listName, "a/"+listName) }, "not a site"},
	} {
		output := filepath.Join(t.TempDir(), "public")
		mustPublish(t, output, first)
		if err := os.RemoveAll(kept(output)); err != nil {
			t.Fatal(err)
		}
		test.edit(output)
		before := goldentest.Tree(t, output)
		switch err := publishOn(output, kept(output), realDisk, second); {
		case test.error == "" && err != nil:
			t.Errorf("%s: %v", name, err)
		case test.error == "":
			wantSite(t, output, second)
		case err == nil || !strings.Contains(err.Error(), test.error):
			t.Errorf("%s: error %v", name, err)
		default:
			if d := cmp.Diff(before, goldentest.Tree(t, output)); d != "" {
				t.Errorf("%s: -before +after:\n%s", name, d)
			}
		}
	}
}

// The site of another is kept where nothing is remembered of the folder, and where it came to stand in one's own
// place.
func TestSiteOfAnother(t *testing.T) {
	for _, remembered := range []bool{false, true} {
		output, elsewhere := filepath.Join(t.TempDir(), "public"), filepath.Join(t.TempDir(), "kept")
		if remembered {
			mustPublish(t, output, first)
			if err := os.RemoveAll(output); err != nil {
				t.Fatal(err)
			}
		}
		theirs := map[string]string{"index.html": "theirs", "theirs.html": "theirs"}
		if err := publishOn(output, elsewhere, realDisk, theirs); err != nil {
			t.Fatal(err)
		}
		if err := publishOn(output, kept(output), realDisk, second); err == nil ||
			!strings.HasSuffix(err.Error(), output+": the site of another") {
			t.Errorf("remembered %t: error %v", remembered, err)
		}
		wantSite(t, output, theirs)
	}
}

// move moves a file below a folder.
func move(t *testing.T, folder, from, to string) {
	t.Helper()
	if err := os.Rename(filepath.Join(folder, from), filepath.Join(folder, to)); err != nil {
		t.Fatal(err)
	}
}

// A file that appears while the site is built is kept too.
func TestForeignFileThatAppearsLater(t *testing.T) {
	output := filepath.Join(t.TempDir(), "public")
	d, err := Begin(output, kept(output), mine)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Write("index.html", []byte("x")); err != nil {
		t.Fatal(err)
	}
	goldentest.Write(t, filepath.Join(output, "mine.txt"), []byte("mine"))
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
	goldentest.Write(t, filepath.Join(dir, "file"), []byte(""))
	if err := os.Symlink("empty", filepath.Join(dir, "symlink")); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"empty": true, "new": true, "deep/new": true, "file": false,
		"symlink": false, "/": false} {
		output := name
		if name != "/" {
			output = filepath.Join(dir, name)
		}
		err := publishOn(output, kept(output), realDisk, first)
		if (err == nil) != want {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

func TestNames(t *testing.T) {
	d, err := Begin(filepath.Join(t.TempDir(), "public"), t.TempDir(), mine)
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
	d, err := Begin(output, kept(output), mine)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Begin(output, kept(output), mine); err == nil {
		t.Error("a second draft: no error")
	}
	if err := d.Abort(); err != nil {
		t.Fatal(err)
	}
	if err := publishOn(output, kept(output), realDisk, first); err != nil {
		t.Error(err)
	}
}

// A file is what it is told to be, or it is not.
func TestIs(t *testing.T) {
	output := filepath.Join(t.TempDir(), "public")
	large := strings.Repeat("a row\n", 40_000)
	mustPublish(t, output, map[string]string{"index.html": "one", "large.csv": large, "empty": ""})
	if err := os.Symlink("index.html", filepath.Join(output, "link")); err != nil {
		t.Fatal(err)
	}
	d := &Draft{output: output}
	for _, test := range []struct {
		name, text string
		want       bool
	}{
		{"index.html", "one", true}, {"index.html", "two", false}, {"index.html", "one ", false}, {"large.csv", large, true},
		{"large.csv", strings.Replace(large, "row", "raw", 1), false}, {"empty", "", true}, {"none", "", false},
		{"link", "one", false}, {"../public/index.html", "one", false}, {".", "", false},
	} {
		if is := d.Is(test.name, int64(len(test.text)), sha256.Sum256([]byte(test.text))); is != test.want {
			t.Errorf("%s is %.9q: %v", test.name, test.text, is)
		}
	}
}

// A file that rested since it was read is not read again while the system tells the same of it: from the third site on
// each draft begins with it. An edit that leaves its size and its time is seen, and so is a memory that is damaged.
func TestSeen(t *testing.T) {
	if name := filepath.Join(t.TempDir(), "told"); os.WriteFile(name, nil, 0o666) == nil {
		if info, err := os.Lstat(name); err != nil || ToldOf(info) == (Told{}) {
			t.Skip("the system tells nothing of files")
		}
	}
	output := filepath.Join(t.TempDir(), "public")
	sum, other := sha256.Sum256([]byte("one")), sha256.Sum256([]byte("two"))
	memory := stateOf(kept(output), output).seen()
	for range 3 {
		d, err := Begin(output, kept(output), nil)
		if err != nil {
			t.Fatal(err)
		}
		if d.Is("index.html", 3, sum) {
			err = d.Keep("index.html")
		} else {
			err = d.Write("index.html", []byte("one"))
		}
		if err = errors.Join(err, d.Commit()); err != nil {
			t.Fatal(err)
		}
		// As if all had rested, and the content had been another: what is not read cannot be found out.
		all := d.seen.rested(math.MaxInt64, d.linked)
		for name, k := range all {
			k.sum = other
			all[name] = k
		}
		if err := os.WriteFile(memory, encodeSeen(all), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	is := func(sum [sha256.Size]byte) bool {
		t.Helper()
		d, err := Begin(output, kept(output), nil)
		if err != nil {
			t.Fatal(err)
		}
		defer d.Abort()
		return d.Is("index.html", 3, sum)
	}
	if !is(other) {
		t.Error("a file of which the same is told is read again")
	}
	name := filepath.Join(output, "index.html")
	info, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.WriteFile(name, []byte("new"), 0o666), os.Chtimes(name, info.ModTime(), info.ModTime())); err != nil {
		t.Fatal(err)
	}
	if is(other) || is(sum) || !is(sha256.Sum256([]byte("new"))) {
		t.Error("a file that was edited is taken for what it was")
	}
	mustPublish(t, output, map[string]string{"index.html": "one"})
	for _, damaged := range []string{"", seenHead, seenHead + strings.Repeat("a", 40)} {
		if err := os.WriteFile(memory, []byte(damaged), 0o666); err != nil {
			t.Fatal(err)
		}
		if !is(sum) || is(other) {
			t.Errorf("after %q", damaged)
		}
	}
}

// What is remembered is told beside the site it is of, also after a draft that came to nothing, and not where that site
// is gone or emptied.
func TestRemembered(t *testing.T) {
	output := filepath.Join(t.TempDir(), "public")
	told := func() string {
		t.Helper()
		d, err := Begin(output, kept(output), mine)
		if err != nil {
			t.Fatal(err)
		}
		defer d.Abort()
		if before := string(Remembered(output, kept(output))); before != string(d.Remembered()) {
			t.Errorf("without a draft %q is remembered, with one %q", before, d.Remembered())
		}
		return string(d.Remembered())
	}
	d, err := Begin(output, kept(output), mine)
	if err != nil {
		t.Fatal(err)
	}
	d.Remember([]byte("of index.html"))
	if err := errors.Join(d.Write("index.html", []byte("a site")), d.Commit(), d.Abort()); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if got := told(); got != "of index.html" {
			t.Errorf("%q is remembered beside the site", got)
		}
	}
	for _, make := range []func() error{
		func() error { return os.Remove(filepath.Join(output, "index.html")) },
		func() error { return os.RemoveAll(output) },
		func() error { return os.Mkdir(output, 0o777) },
	} {
		if err := make(); err != nil {
			t.Fatal(err)
		}
		if got := told(); got != "" {
			t.Errorf("%q is remembered of a site that is gone", got)
		}
	}
}

// Where the folder that keeps what is remembered is a link to another disk, or mounted there, the draft lies beside the
// site, also where that folder does.
func TestKeptOnAnotherDisk(t *testing.T) {
	dir := t.TempDir()
	output, on := filepath.Join(dir, "public"), realDisk
	inside := filepath.Join(dir, ".inferdex") + string(filepath.Separator)
	own := func(name string) bool { return strings.HasPrefix(name, inside) }
	on.rename = func(from, to string) error {
		if own(from) != own(to) {
			return &os.LinkError{Op: "rename", Old: from, New: to, Err: syscall.EXDEV}
		}
		return realDisk.rename(from, to)
	}
	for _, site := range []map[string]string{first, second, first} {
		if err := publishOn(output, filepath.Join(dir, ".inferdex", "publish"), on, site); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(site, siteOf(t, output)); d != "" {
			t.Errorf("the site:\n%s", d)
		}
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 2 {
		t.Errorf("beside the site lie %v: %v", left, err)
	}
}

// A system moves no folder that another disk is mounted on, as that of a container is: the error says so, and what lies
// there stays.
func TestMountPoint(t *testing.T) {
	output := filepath.Join(t.TempDir(), "public")
	mustPublish(t, output, first)
	before, on := siteOf(t, output), realDisk
	on.rename = func(from, to string) error {
		if from == output {
			return &os.LinkError{Op: "rename", Old: from, New: to, Err: syscall.EBUSY}
		}
		return realDisk.rename(from, to)
	}
	if err := publishOn(output, kept(output), on, second); err == nil || !strings.Contains(err.Error(), output+": is a mount point") {
		t.Errorf("a site in the place of a mount point: %v", err)
	}
	if d := cmp.Diff(before, siteOf(t, output)); d != "" {
		t.Errorf("the last site changed:\n%s", d)
	}
}

// What may not be written or moved is named with what a site needs, and the last site, or the new one, is there whole.
func TestOfAnotherUser(t *testing.T) {
	refused := func(op, name string) error { return &fs.PathError{Op: op, Path: name, Err: syscall.EACCES} }
	below := func(name, dir string) bool { return strings.HasPrefix(name, dir+string(filepath.Separator)) }
	for _, c := range []struct {
		name string
		deny func(on *disk, output, kept string)
		said string // %s is the site's folder
		want map[string]string
	}{
		{"the site", func(on *disk, output, _ string) {
			on.rename = func(from, to string) error {
				if from == output {
					return &os.LinkError{Op: "rename", Old: from, New: to, Err: syscall.EACCES}
				}
				return realDisk.rename(from, to)
			}
		}, "%s/public: cannot be moved away: permission denied: ", first},
		{"the folder above it", func(on *disk, output, kept string) {
			on.rename = func(from, to string) error {
				if below(from, kept) != below(to, kept) {
					return &os.LinkError{Op: "rename", Old: from, New: to, Err: syscall.EACCES}
				}
				return realDisk.rename(from, to)
			}
			on.mkdirAll = func(name string) error {
				if !below(name, kept) && name != filepath.Dir(output) {
					return refused("mkdir", name)
				}
				return realDisk.mkdirAll(name)
			}
		}, "%s: nothing can be made there: permission denied: ", first},
		{"what is kept", func(on *disk, _, kept string) {
			on.mkdirAll = func(name string) error {
				if _, err := os.Stat(name); err != nil && below(name, kept) {
					return refused("mkdir", name)
				}
				return realDisk.mkdirAll(name)
			}
		}, "", second},
		{"a folder of the site", func(on *disk, _, _ string) {
			on.rename = func(from, to string) error {
				if filepath.Base(to) == "spare" {
					return refused("rename", from)
				}
				return realDisk.rename(from, to)
			}
			on.removeAll = func(name string) error {
				if _, err := os.Stat(name); err == nil && filepath.Base(name) == "previous" {
					return refused("unlinkat", name+"/a")
				}
				return realDisk.removeAll(name)
			}
		}, "previous/a: permission denied: it is left of a site that was replaced: remove it", second},
	} {
		dir := t.TempDir()
		output, kept, on := filepath.Join(dir, "out", "public"), filepath.Join(dir, "kept"), realDisk
		if err := publishOn(output, kept, realDisk, zeroth); err != nil {
			t.Fatal(err)
		}
		if err := publishOn(output, kept, realDisk, first); err != nil {
			t.Fatal(err)
		}
		c.deny(&on, output, kept)
		err := publishOn(output, kept, on, second)
		said := strings.Replace(c.said, "%s", filepath.Dir(output), 1)
		if (err == nil) != (said == "") || err != nil && !strings.Contains(err.Error(), said) {
			t.Errorf("%s: error %v, want %q", c.name, err, said)
		}
		wantSite(t, output, c.want)
		if err := publishOn(output, kept, realDisk, second); err != nil {
			t.Errorf("%s: when it may be written again: %v", c.name, err)
		}
		wantSite(t, output, second)
	}
}

// A lock that another user left can be taken.
func TestLockOfAnother(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root may write every file")
	}
	name := filepath.Join(t.TempDir(), "lock")
	if err := os.WriteFile(name, nil, 0o444); err != nil {
		t.Fatal(err)
	}
	unlock, err := Lock(name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Lock(name); !errors.Is(err, ErrLocked) {
		t.Errorf("a lock that is held: %v", err)
	}
	unlock()
}
