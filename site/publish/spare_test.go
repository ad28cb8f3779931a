package publish

import (
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/inferdex/inferdex/goldentest"
)

// What stays from site to site is neither linked nor given a folder again, from the third site on.
func TestSpare(t *testing.T) {
	output := filepath.Join(t.TempDir(), "public")
	mustPublish(t, output, first)
	mustPublish(t, output, first)
	third := maps.Clone(first)
	third["index.html"] = "three"
	delete(third, "gone.html")
	var did []string
	on := realDisk
	next := stateOf(kept(output), output).next()
	on.mkdirAll = func(name string) error {
		if strings.HasPrefix(name, next) {
			did = append(did, "folder")
		}
		return realDisk.mkdirAll(name)
	}
	on.link = func(from, to string) error { did = append(did, "link"); return realDisk.link(from, to) }
	on.removeAll = func(name string) error {
		if strings.HasSuffix(name, "a") || strings.HasSuffix(name, filepath.FromSlash("a/index.html")) {
			did = append(did, "removal")
		}
		return realDisk.removeAll(name)
	}
	if err := publishOn(output, kept(output), on, third); err != nil {
		t.Fatal(err)
	}
	wantSite(t, output, third)
	if d := cmp.Diff([]string(nil), did); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}

// A site may be read by whom the system lets read new files: files and folders that were made under another umask are not
// those of the next site, nor of the one after it.
func TestRights(t *testing.T) {
	output := filepath.Join(t.TempDir(), "public")
	mustPublish(t, output, first)
	rights := func() map[string]fs.FileMode {
		all := map[string]fs.FileMode{}
		err := fs.WalkDir(os.DirFS(output), ".", func(name string, _ fs.DirEntry, err error) error {
			all[name] = rightsOf(filepath.Join(output, filepath.FromSlash(name)))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	want := rights()
	for name, r := range want {
		if err := os.Chmod(filepath.Join(output, filepath.FromSlash(name)), r&0o700); err != nil {
			t.Fatal(err)
		}
	}
	for range 4 {
		mustPublish(t, output, first)
		if d := cmp.Diff(want, rights()); d != "" {
			t.Errorf("-want +got:\n%s", d)
		}
	}
}

// Sites follow one another, with files where folders were and the other way round; somebody edits the site and what is
// kept for the next. Each is what was written and nothing else, and until then the one before it is as it was.
func TestSitesFollow(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 3))
	output := filepath.Join(t.TempDir(), "public")
	spare := stateOf(kept(output), output).spare()
	names := []string{"a", "a/b", "a/b/c", "a/d", "e/f", "e/f/g", "h", "i/j/k/l", "i/j"}
	began := 0
	for n := range 150 {
		files := map[string]string{}
		for _, i := range r.Perm(len(names))[:1+r.IntN(6)] {
			name := names[i]
			if !slices.ContainsFunc(slices.Collect(maps.Keys(files)), func(other string) bool {
				return strings.HasPrefix(other, name+"/") || strings.HasPrefix(name, other+"/")
			}) {
				files[name] = []string{"one", "two"}[r.IntN(2)]
			}
		}
		some := func(dir string) string {
			all := slices.Sorted(maps.Keys(goldentest.Tree(t, dir)))
			return filepath.Join(dir, filepath.FromSlash(all[r.IntN(len(all))]))
		}
		if n > 0 {
			switch r.IntN(6) {
			case 0:
				edit(t, some(output), "edited", false)
			case 1:
				edit(t, some(output), "two", true)
			case 2:
				if exists(spare) {
					edit(t, some(spare), "edited", true)
				}
			case 3:
				if exists(spare) {
					if err := os.Symlink("/", filepath.Join(spare, "link")); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
		before := map[string]string{}
		if n > 0 {
			before = goldentest.Tree(t, output)
		}
		d, err := Begin(output, kept(output), mine)
		if err != nil {
			t.Fatal(err)
		}
		if len(d.spare.files) > 0 {
			began++
		}
		for _, name := range slices.Sorted(maps.Keys(files)) {
			if before[name] == files[name] && r.IntN(2) == 0 {
				err = d.Keep(name)
			} else {
				err = d.Write(name, []byte(files[name]))
			}
			if err != nil {
				t.Fatalf("site %d: %v", n, err)
			}
		}
		if n > 0 {
			if diff := cmp.Diff(before, goldentest.Tree(t, output)); diff != "" {
				t.Fatalf("site %d: the draft changes the site: %s", n, diff)
			}
		}
		if r.IntN(8) == 0 && n > 0 {
			if err := d.Abort(); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if err := d.Commit(); err != nil {
			t.Fatalf("site %d: %v", n, err)
		}
		wantSite(t, output, files)
		noEmptyFolders(t, output)
	}
	if began == 0 {
		t.Error("no draft began with a spare")
	}
}

// edit writes a file in place, or another in its place.
func edit(t *testing.T, name, text string, another bool) {
	t.Helper()
	if another {
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// noEmptyFolders fails where a site has a folder without a file.
func noEmptyFolders(t *testing.T, output string) {
	t.Helper()
	err := filepath.WalkDir(output, func(name string, e fs.DirEntry, err error) error {
		if err != nil || !e.IsDir() {
			return err
		}
		if list, err := os.ReadDir(name); err == nil && len(list) == 0 {
			t.Errorf("%s is empty", name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
